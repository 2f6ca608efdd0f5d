//! Third stage: where an index lands.
//!
//! Any access is one rule: the index goes up from the view to the common ancestor of view and block, and down to
//! the block, whose coordinates it becomes. A read outside of a block goes on to the tensor that the block was
//! copied from, at the same location.

use std::rc::Rc;

use crate::ir::{Access, AccessKind, Cast, Program, StorageId, View};
use crate::symbolic::Sym;
use shim_core::{LocationError, Space};

/// A block that may hold the element, and the element's coordinates there.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The block.
    pub storage: StorageId,
    /// One coordinate per axis of the block.
    pub coordinates: Vec<Sym>,
    /// What turns an element of the block into one of the nearest block: the casts of the views that were copied
    /// on the way, in the order in which they apply.
    pub casts: Vec<Cast>,
}

/// The blocks that may hold the element of `access`, nearest first. A write reaches the nearest alone, as
/// a prefetch does.
///
/// # Errors
/// A location whose constants do not fit 64 bits.
pub fn candidates(program: &Program, access: &Access) -> Result<Vec<Candidate>, LocationError> {
    let mut found = Vec::new();
    let mut casts: Vec<Cast> = Vec::new();
    let mut view: Option<Rc<View>> = Some(access.view.clone());
    while let Some(at) = view {
        let storage = &program.storages[at.storage];
        let coordinates = Space::map(&access.view.space.space, &storage.space.space, &access.index)?;
        found.push(Candidate { storage: at.storage, coordinates, casts: casts.clone() });
        view = match access.kind {
            AccessKind::Read | AccessKind::Place | AccessKind::Test => storage.parent.clone(),
            AccessKind::Write | AccessKind::Update | AccessKind::PlaceMut | AccessKind::Prefetch => None,
        };
        casts.splice(0..0, view.iter().flat_map(|parent| parent.casts.iter().cloned()));
    }
    Ok(found)
}
