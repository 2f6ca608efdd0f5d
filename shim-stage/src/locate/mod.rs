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
    let mut casts: Vec<ElementType> = Vec::new();
    let nearest = Reached { program, view: access.view.clone(), kind: access.kind };
    walk_up(&access.view.space.space, &access.index, nearest)
        .enumerate()
        .map(|(above, level)| {
            let shim_core::Reached { level: Reached { view, .. }, coordinate, apart } = level?;
            let apart = apart.into_iter().filter(|apart| apart.as_constant() != Some(0));
            let coordinates = coordinate.into_iter().chain(apart).collect();
            if above > 0 {
                casts.splice(0..0, view.casts.iter().cloned());
            }
            Ok(Candidate { buffer: view.buffer, coordinates, casts: casts.clone() })
        })
        .collect()
}

/// The coordinates in the block of a view of the element at an index of it.
///
/// # Errors
/// A location whose constants do not fit 64 bits.
pub fn nearest(program: &Program, view: &Rc<View>, index: &[SymInt]) -> Result<Vec<SymInt>, LocationError> {
    let nearest = Reached { program, view: view.clone(), kind: AccessKind::Write };
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
}

impl Level<SymInt> for Reached<'_> {
    fn space(&self) -> &Space<SymInt> {
        &self.program.buffers[self.view.buffer].space.space
    }

    fn above(&self) -> Option<Self> {
        let view = match self.kind {
            AccessKind::Read | AccessKind::Place | AccessKind::Get | AccessKind::Test => {
                self.program.buffers[self.view.buffer].parent.clone()?
            }
            AccessKind::Write | AccessKind::Update | AccessKind::PlaceMut | AccessKind::Prefetch => {
                return None;
            }
        };
        Some(Reached { view, ..*self })
    }
}
