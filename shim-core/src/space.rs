//! Reference spaces and the trie they form (section 4.2 of the thesis).

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::{Integer, LocationError};

/// What a child space differs in from its parent: the `(p, o, r, c)` of Def. 4.2.1.
///
/// With `N` the child's rank and `M` the parent's, `N <= M`.
#[derive(Clone, Debug, PartialEq)]
pub struct Link<I> {
    /// `p`, of length `N`: axis `j` of the child is axis `p[j]` of the parent, as in NumPy's `transpose`.
    /// Parent axes that it leaves out are dropped.
    pub permutation: Vec<usize>,
    /// `o`, of length `M`, in points of the parent: where the child's point zero stands. On a dropped axis it is
    /// the one coordinate at which the child lies.
    pub origin: Vec<I>,
    /// `r`, of length `N`: how many points of the child one point of the parent holds.
    pub refinement: Vec<i64>,
    /// `c`, of length `N`: how many points of the parent one point of the child holds.
    pub coarsening: Vec<i64>,
    /// Whether the child has no place on a dropped axis and is met at any coordinate there, as a block that stands on
    /// fewer axes than the root has; else it lies at the origin's.
    pub everywhere: bool,
}

impl<I: Integer> Link<I> {
    /// The link that changes nothing, between spaces of the given rank.
    #[must_use]
    pub fn identity(rank: usize) -> Self {
        Self {
            permutation: (0..rank).collect(),
            origin: vec![I::constant(0); rank],
            refinement: vec![1; rank],
            coarsening: vec![1; rank],
            everywhere: false,
        }
    }

    /// Whether it drops an axis and has a place there.
    pub(crate) fn pins(&self) -> bool {
        !self.everywhere && self.permutation.len() < self.origin.len()
    }

    /// The constraints of Def. 4.2.1, for a parent of the given rank.
    fn validate(&self, parent_rank: usize) -> Result<(), LocationError> {
        let rank = self.permutation.len();
        if rank > parent_rank {
            return Err(LocationError::RankRises { from: parent_rank, to: rank });
        }
        check_length(parent_rank, self.origin.len())?;
        check_length(rank, self.refinement.len())?;
        check_length(rank, self.coarsening.len())?;
        let mut taken = vec![false; parent_rank];
        for &axis in &self.permutation {
            let slot = taken.get_mut(axis).ok_or(LocationError::Axis { axis, rank: parent_rank })?;
            if core::mem::replace(slot, true) {
                return Err(LocationError::RepeatedAxis { axis });
            }
        }
        for (dimension, (&refinement, &coarsening)) in
            self.refinement.iter().zip(&self.coarsening).enumerate()
        {
            for factor in [refinement, coarsening] {
                if factor < 1 {
                    return Err(LocationError::Factor { factor });
                }
            }
            if refinement > 1 && coarsening > 1 {
                return Err(LocationError::RefinedAndCoarsened { dimension, refinement, coarsening });
            }
        }
        Ok(())
    }
}

/// Answers [`LocationError::Length`] unless as many entries were found as expected.
pub(crate) fn check_length(expected: usize, found: usize) -> Result<(), LocationError> {
    if expected == found { Ok(()) } else { Err(LocationError::Length { expected, found }) }
}

/// A reference space (Def. 4.2.1): an infinite grid of points with its place in a parent space.
///
/// A space is shared, and is itself by identity: two spaces made by equal steps from one parent are different
/// spaces at the same place, and cloning gives the same space. The spaces below one root form the trie of
/// section 4.1; spaces of different roots have no common location.
pub struct Space<I>(Arc<Node<I>>);

struct Node<I> {
    rank: usize,
    depth: usize,
    parent: Option<(Space<I>, Link<I>)>,
}

impl<I> Drop for Node<I> {
    /// Takes a long chain apart in a loop: dropping it by recursion would use a stack frame per link.
    fn drop(&mut self) {
        let mut above = self.parent.take();
        while let Some((space, _)) = above {
            above = Arc::into_inner(space.0).and_then(|mut node| node.parent.take());
        }
    }
}

impl<I> Clone for Space<I> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<I: fmt::Debug> fmt::Debug for Space<I> {
    /// The links from the space up to its root; a root shows its rank alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut links = f.debug_list();
        let mut space = self;
        while let Some((parent, link)) = &space.0.parent {
            links.entry(link);
            space = parent;
        }
        links.entry(&format_args!("root of rank {}", space.0.rank)).finish()
    }
}

impl<I: Integer> Space<I> {
    /// A new trie's root, which is given by its rank alone (`U^L` of the thesis).
    #[must_use]
    pub fn root(rank: usize) -> Self {
        Self(Arc::new(Node { rank, depth: 0, parent: None }))
    }

    /// The space that the link places in this one.
    ///
    /// # Errors
    /// When the link breaks a constraint of Def. 4.2.1: [`LocationError::RankRises`], [`LocationError::Length`],
    /// [`LocationError::Axis`], [`LocationError::RepeatedAxis`], [`LocationError::Factor`],
    /// [`LocationError::RefinedAndCoarsened`].
    pub fn child(&self, link: Link<I>) -> Result<Self, LocationError> {
        link.validate(self.rank())?;
        let (rank, depth) = (link.permutation.len(), self.depth() + 1);
        Ok(Self(Arc::new(Node { rank, depth, parent: Some((self.clone(), link)) })))
    }

    /// The child whose axis `i` is this space's axis `permutation[i]`, for a full permutation.
    ///
    /// # Errors
    /// [`LocationError::Length`], [`LocationError::Axis`] or [`LocationError::RepeatedAxis`] when it is none.
    pub fn permute(&self, permutation: &[usize]) -> Result<Self, LocationError> {
        check_length(self.rank(), permutation.len())?;
        self.child(Link { permutation: permutation.to_vec(), ..Link::identity(self.rank()) })
    }

    /// The child whose point zero is this space's point `origin`.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the origin is not of this space's rank.
    pub fn translate(&self, origin: &[I]) -> Result<Self, LocationError> {
        self.child(Link { origin: origin.to_vec(), ..Link::identity(self.rank()) })
    }

    /// The child that lies at `index` on `dimension`, and lacks that dimension.
    ///
    /// # Errors
    /// [`LocationError::Axis`] when the space has no such dimension.
    pub fn slice(&self, dimension: usize, index: I) -> Result<Self, LocationError> {
        let rank = self.rank();
        let mut link = Link::identity(rank);
        *link.origin.get_mut(dimension).ok_or(LocationError::Axis { axis: dimension, rank })? = index;
        link.permutation.remove(dimension);
        link.refinement.remove(dimension);
        link.coarsening.remove(dimension);
        self.child(link)
    }

    /// The child with `factors[j]` points for each point of this space along axis `j`.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there is not a factor per dimension, [`LocationError::Factor`] when one is
    /// below one.
    pub fn refine(&self, factors: &[i64]) -> Result<Self, LocationError> {
        self.child(Link { refinement: factors.to_vec(), ..Link::identity(self.rank()) })
    }

    /// The child with one point for each `factors[j]` points of this space along axis `j`.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there is not a factor per dimension, [`LocationError::Factor`] when one is
    /// below one.
    pub fn coarsen(&self, factors: &[i64]) -> Result<Self, LocationError> {
        self.child(Link { coarsening: factors.to_vec(), ..Link::identity(self.rank()) })
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.rank
    }

    /// The number of links up to the root; zero for a root.
    pub fn depth(&self) -> usize {
        self.0.depth
    }

    /// The parent space; `None` for a root.
    pub fn parent(&self) -> Option<&Space<I>> {
        self.0.parent.as_ref().map(|(parent, _)| parent)
    }

    /// What the space differs in from its parent; `None` for a root.
    pub fn link(&self) -> Option<&Link<I>> {
        self.0.parent.as_ref().map(|(_, link)| link)
    }

    /// The parent and the link to it.
    pub(crate) fn step(&self) -> Option<(&Space<I>, &Link<I>)> {
        self.0.parent.as_ref().map(|(parent, link)| (parent, link))
    }

    /// The root of the trie that the space stands in.
    #[must_use]
    pub fn tree_root(&self) -> Space<I> {
        let mut space = self;
        while let Some(parent) = space.parent() {
            space = parent;
        }
        space.clone()
    }

    /// Whether both are the very same space.
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The deepest space that both stand in; one of the two when it holds the other.
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when they stand in different tries.
    pub fn common_ancestor(a: &Space<I>, b: &Space<I>) -> Result<Space<I>, LocationError> {
        let (mut a, mut b) = (a, b);
        while !a.same(b) {
            // The deeper of the two cannot hold the other, so it is the one to leave.
            let (deeper, rest) = if a.depth() >= b.depth() { (a, b) } else { (b, a) };
            a = deeper.parent().ok_or(LocationError::DifferentRoots)?;
            b = rest;
        }
        Ok(a.clone())
    }
}
