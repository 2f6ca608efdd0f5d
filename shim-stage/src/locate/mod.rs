//! Maps indices to coordinates of blocks.
//!
//! Any access is one rule: the index goes up from the view to the common ancestor of view and block, and down to
//! the block, whose coordinates it becomes. A read outside of a block goes on to the tensor that the block was
//! copied from, at the same location.

use std::rc::Rc;

use crate::ir::{Access, AccessKind, Candidate, ElementType, Program, View};
use crate::symbolic::SymInt;
use shim_core::{Level, LocationError, Space, walk_up};

/// The blocks that may hold the element of `access`, nearest first. A write reaches the nearest alone, as
/// a prefetch does.
///
/// # Errors
/// A location whose constants do not fit 64 bits.
pub fn candidates(program: &Program, access: &Access) -> Result<Vec<Candidate>, LocationError> {
    let nearest = Reached::nearest(program, &access.view, access.kind);
    walk_up(&access.view.space.space, &access.index, nearest)
        .map(|level| {
            let shim_core::Reached { level: Reached { view, casts, .. }, coordinate, apart } = level?;
            let apart = apart.into_iter().filter(|apart| apart.as_constant() != Some(0));
            let coordinates = coordinate.into_iter().chain(apart).collect();
            Ok(Candidate { buffer: view.buffer, coordinates, casts })
        })
        .collect()
}

/// The coordinates in the block of a view of the element at an index of it.
///
/// # Errors
/// A location whose constants do not fit 64 bits.
pub fn nearest(program: &Program, view: &Rc<View>, index: &[SymInt]) -> Result<Vec<SymInt>, LocationError> {
    let nearest = Reached::nearest(program, view, AccessKind::Write);
    match walk_up(&view.space.space, index, nearest).next() {
        Some(level) => {
            let shim_core::Reached { coordinate, apart, .. } = level?;
            let apart = apart.into_iter().filter(|apart| apart.as_constant() != Some(0));
            Ok(coordinate.into_iter().chain(apart).collect())
        }
        None => Ok(Vec::new()),
    }
}

/// A view whose block an access may reach.
struct Reached<'p> {
    program: &'p Program,
    view: Rc<View>,
    kind: AccessKind,
    /// What turns an element of its block into one of the nearest block.
    casts: Vec<ElementType>,
    /// The pieces that are next where no block that it was copied from has the element.
    pieces: Vec<Piece>,
}

/// A piece, and what turns one of its elements into one of the nearest block.
#[derive(Clone)]
struct Piece {
    view: Rc<View>,
    casts: Vec<ElementType>,
}

impl<'p> Reached<'p> {
    fn nearest(program: &'p Program, view: &Rc<View>, kind: AccessKind) -> Self {
        let pieces = Piece::of(view, &[]).collect();
        Self { program, view: view.clone(), kind, casts: Vec::new(), pieces }
    }
}

impl Piece {
    /// The pieces of a view whose elements, behind its own casts, are cast on.
    fn of<'v>(view: &'v View, casts: &'v [ElementType]) -> impl Iterator<Item = Self> + 'v {
        view.pieces.iter().map(move |piece| {
            let casts = [&piece.casts[..], casts].concat();
            Self { view: piece.clone(), casts }
        })
    }
}

impl Level<SymInt> for Reached<'_> {
    fn space(&self) -> &Space<SymInt> {
        &self.program.buffers[self.view.buffer].space.space
    }

    fn above(&self) -> Option<Self> {
        match self.kind {
            AccessKind::Read | AccessKind::Place | AccessKind::Get | AccessKind::Test => {}
            AccessKind::Write
            | AccessKind::Update
            | AccessKind::PlaceMut
            | AccessKind::Offset
            | AccessKind::Prefetch => return None,
        }
        let Self { program, kind, .. } = *self;
        if let Some(view) = program.buffers[self.view.buffer].parent.clone() {
            let casts = [&view.casts[..], &self.casts].concat();
            let pieces = Piece::of(&view, &casts).chain(self.pieces.iter().cloned()).collect();
            return Some(Reached { program, view, kind, casts, pieces });
        }
        let (Piece { view, casts }, rest) = self.pieces.split_first()?;
        Some(Reached { program, view: view.clone(), kind, casts: casts.clone(), pieces: rest.to_vec() })
    }
}
