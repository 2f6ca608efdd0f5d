//! The elements that accesses reach: what each pass knows of them.

use proc_macro2::Ident;

use super::walk::{self, UseMut};
use super::{AccessId, BufferId, ElementType, Program};
use crate::symbolic::{SymError, SymInt, Symbol};

/// A block that may hold the element of an access, and the element's coordinates there.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The block.
    pub buffer: BufferId,
    /// One coordinate per axis of the block. Behind them, one per axis that the block has dropped and lies apart from
    /// the element on, or may: such an axis has the one index zero.
    pub coordinates: Vec<SymInt>,
    /// What turns an element of the block into one of the nearest block: the casts of the views that were copied
    /// on the way, in the order in which they apply.
    pub casts: Vec<ElementType>,
}

impl Candidate {
    /// The extents of the axes that it has coordinates on; those of a shape at these coordinates.
    pub fn extents(&self, program: &Program) -> Vec<SymInt> {
        let buffer = &program.buffers[self.buffer];
        let own = &buffer.space.extents;
        let dropped = std::iter::repeat_n(SymInt::constant(1), self.coordinates.len() - own.len());
        let Some(packed) = &buffer.shape else { return own.iter().cloned().chain(dropped).collect() };
        let extents = packed.shape.extents().iter().enumerate();
        // Where the arithmetic does not fit, nothing is inside.
        let at = extents.map(|(axis, extent)| extent.at(&self.coordinates[..axis]));
        at.map(|extent| extent.unwrap_or_else(|_| SymInt::constant(0))).chain(dropped).collect()
    }
}

impl Program {
    /// The element that an access reaches, if it is known to be in the nearest block, is not cast on the way, and is
    /// the same in all iterations at the same coordinates.
    pub(crate) fn certain_element(&self, id: AccessId) -> Option<&Candidate> {
        match &self.accesses[id].element {
            Element::Inside(candidate)
                if candidate.casts.is_empty()
                    && self.is_fixed(candidate.buffer)
                    && candidate.coordinates.len() == self.buffers[candidate.buffer].space.extents.len() =>
            {
                Some(candidate)
            }
            _ => None,
        }
    }
}

/// An element that a boundary rule brings inside its block.
#[derive(Debug, Clone)]
pub struct FoldedAccess {
    /// The coordinates as the index says.
    pub candidate: Candidate,
    /// The axes that are folded, with the coordinate that the rule gives.
    pub axes: Vec<(usize, SymInt)>,
}

impl FoldedAccess {
    /// The element, where the index is inside on `axes` without the rule.
    pub fn inside_on(&self, axes: &[usize]) -> Candidate {
        let mut candidate = self.candidate.clone();
        for (axis, folded) in &self.axes {
            if !axes.contains(axis) {
                candidate.coordinates[*axis] = folded.clone();
            }
        }
        candidate
    }

    /// The element.
    pub fn element(&self) -> Candidate {
        self.inside_on(&[])
    }
}

/// An element that is looked for where the access runs: in each block in turn; then the boundary rule applies, or a
/// panic.
#[derive(Debug, Clone, Default)]
pub struct Tested {
    /// The blocks, nearest first.
    pub candidates: Vec<Candidate>,
    /// The axes of the nearest on which the coordinate may be outside.
    pub open: Vec<usize>,
}

/// Where an element is in memory.
#[derive(Debug, Clone)]
pub enum Offset {
    /// So many elements from the start.
    Flat {
        /// A part with a name of its own, if there is one.
        named: Option<Ident>,
        /// The rest.
        rest: SymInt,
        /// Whether each operation of the rest fits `isize`, and not only their sum.
        fits: bool,
    },
    /// In this row, at this column.
    Row(SymInt, SymInt),
}

/// Where an assertion about an access stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssertedAt {
    /// Before the innermost loop around the access, or where no loop is around it.
    BeforeLoop,
    /// In that loop: it runs in each iteration.
    InLoop,
}

/// What is known of the element of an access.
#[derive(Debug, Clone)]
pub enum Element {
    /// Nothing yet: the check has not run.
    Unchecked,
    /// It is inside, always or by the assertion before its nest: in this block, at these coordinates.
    Inside(Candidate),
    /// The boundary rule brings it inside, whatever the index.
    Folded(FoldedAccess),
    /// It is tested where it runs.
    Tested(Tested),
    /// It is inside this block, at this offset: what lowering makes of those inside.
    At(Candidate, Offset),
}

impl Element {
    /// The blocks that may hold it, nearest first, with the coordinates that the index says.
    pub fn candidates(&self) -> &[Candidate] {
        match self {
            Element::Unchecked => &[],
            Element::Inside(candidate) | Element::At(candidate, _) => std::slice::from_ref(candidate),
            Element::Folded(folded) => std::slice::from_ref(&folded.candidate),
            Element::Tested(tested) => &tested.candidates,
        }
    }

    /// The nearest block that may hold it.
    pub fn buffer(&self) -> Option<BufferId> {
        Some(self.candidates().first()?.buffer)
    }

    /// The element where the index is inside the nearest block on `axes`, by no rule.
    pub fn inside_on(&self, axes: &[usize]) -> Option<Candidate> {
        match self {
            Element::Folded(folded) => Some(folded.inside_on(axes)),
            other => other.candidates().first().cloned(),
        }
    }

    /// Replaces symbols in the coordinates.
    ///
    /// # Errors
    /// [`SymError`] where the result does not fit.
    pub fn substitute(&mut self, replacement: &dyn Fn(&Symbol) -> Option<SymInt>) -> Result<(), SymError> {
        let mut result = Ok(());
        walk::edit::element(self, &mut |own| {
            if let UseMut::SymInt(sym) = own {
                match sym.substitute(replacement) {
                    Ok(substituted) => *sym = substituted,
                    Err(error) => result = Err(error),
                }
            }
        });
        result
    }
}
