//! The memory of blocks: what a place holds, as far as the kernel shows it.

use quote::ToTokens;
use syn::{Expr, Type};

use crate::ir::{ElementType, Memory, RegionId};
use crate::parse::signature::{self, MemoryKind, memory_kind};
use crate::static_eval::{self, Value};
use crate::surface;

use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// Memory that exists, and its place.
    pub(in crate::bind) fn external(
        &mut self,
        place: &Expr,
        rows: bool,
        rank: usize,
        extents: &Expr,
    ) -> Option<(Memory, Option<Box<Expr>>)> {
        if self.is_tensor(place) {
            self.diagnostics.error(
                place,
                "expected memory (a slice, array or `Vec`), found a tensor",
                "make a view of it, or pass the memory of its block",
            );
            return None;
        }
        let kind = if rows { MemoryKind::Rows } else { self.memory_of(place) };
        let given = place;
        // The entries of a `#[shape]` have the user's spans; the list around them does not.
        let entries = match surface::strip_parens(extents) {
            Expr::Array(list) => list.elems.to_token_stream(),
            other => other.to_token_stream(),
        };
        let place = Some(Box::new(self.place(place, crate::ir::AccessKind::Place)));
        match kind {
            MemoryKind::Pointer if !self.is_unsafe => {
                self.diagnostics.error(
                    given,
                    "a block over a raw pointer needs an `unsafe fn`",
                    "take a slice, or declare the kernel `unsafe fn`: its caller then answers for the memory",
                );
                None
            }
            MemoryKind::Pointer => Some((Memory::Pointer, place)),
            MemoryKind::Arrays(length) if rank == 2 => {
                let last = surface::list(extents).and_then(|extents| extents.last().copied());
                if last.is_some_and(|last| self.is_same_extent(last, &length)) {
                    return Some((Memory::Rows, place));
                }
                let length = length.to_token_stream();
                self.diagnostics.error(
                    entries,
                    format!("arrays of {length} are rows of {length} or elements, which these extents do not say"),
                    format!(
                        "for rows, write {length} as the last extent; for elements, name their type, as in `type Pixel = [u8; 3];`"
                    ),
                );
                None
            }
            MemoryKind::Rows if rank == 2 => Some((Memory::Rows, place)),
            MemoryKind::Rows => {
                self.diagnostics.error(
                    entries,
                    format!("a slice of rows has two axes, not {rank}"),
                    "write the extents as `[rows, columns]`",
                );
                None
            }
            MemoryKind::Flat | MemoryKind::Arrays(_) => Some((Memory::Slice, place)),
        }
    }

    /// Whether an extent is the length of an array, by its value or by how it is written.
    fn is_same_extent(&self, extent: &Expr, length: &Expr) -> bool {
        match (static_eval::eval(extent, &self.scopes), static_eval::eval(length, &self.scopes)) {
            (Ok(Some(Value::Int(extent))), Ok(Some(Value::Int(length)))) => extent.value == length.value,
            _ => surface::strip_parens(extent) == surface::strip_parens(length),
        }
    }

    /// What memory a place holds, as far as the kernel shows it.
    fn memory_of(&self, place: &Expr) -> MemoryKind {
        match surface::strip_parens(place) {
            Expr::Reference(reference) => self.memory_of(&reference.expr),
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident() else { return MemoryKind::Flat };
                match self.scopes.get(name) {
                    Some(Binding::Local(local)) => local.ty.as_deref().map_or(MemoryKind::Flat, memory_kind),
                    _ => MemoryKind::Flat,
                }
            }
            Expr::Cast(cast) => match &*cast.ty {
                Type::Ptr(_) => MemoryKind::Pointer,
                _ => MemoryKind::Flat,
            },
            _ => MemoryKind::Flat,
        }
    }

    /// The type of the elements of a memory, where the kernel shows it.
    pub(super) fn element_type(&self, memory: &Memory, place: Option<&Expr>) -> Option<ElementType> {
        let ty = match memory {
            Memory::Heap(ty) | Memory::Stack(ty) => {
                return Some(ElementType { ty: (**ty.as_ref()?).clone(), region: self.walk.region });
            }
            Memory::Slice | Memory::Rows | Memory::Grown => {
                let local = self.scopes.emitted(surface::ident(referenced(place?))?)?;
                element_in(memory, local.ty.as_ref()?)?
            }
            Memory::Runtime(tensor) => tensor.element.as_ref()?,
            Memory::Like { view, .. } => return self.element_of(view).cloned(),
            Memory::Over { of, .. } => return self.program.buffers[*of].element.clone(),
            Memory::Pointer | Memory::Place(_) => return None,
        };
        // The type of a parameter, or of a `let` whose names mean here what they meant there.
        Some(ElementType { ty: ty.clone(), region: RegionId::BODY })
    }

    /// Whether memory can certainly be written and holds no plain numbers, as far as the kernel shows it.
    pub(super) fn may_mutate_through_methods(&self, memory: &Memory, place: Option<&Expr>) -> bool {
        match memory {
            Memory::Heap(Some(ty)) | Memory::Stack(Some(ty)) => !signature::is_number(ty),
            Memory::Runtime(tensor) => tensor.mutable,
            Memory::Over { of, .. } => self.program.buffers[*of].may_mutate_through_methods,
            Memory::Slice | Memory::Rows | Memory::Grown => {
                let Some(local) =
                    place.map(referenced).and_then(surface::ident).and_then(|name| self.scopes.emitted(name))
                else {
                    return false;
                };
                local.ty.as_ref().is_some_and(|ty| {
                    let writable = match &**ty {
                        Type::Reference(reference) => reference.mutability.is_some(),
                        _ => local.mutable,
                    };
                    writable && element_in(memory, ty).is_some_and(|element| !signature::is_number(element))
                })
            }
            _ => false,
        }
    }
}

/// What a place is a reference to, or the place.
fn referenced(place: &Expr) -> &Expr {
    match surface::strip_parens(place) {
        Expr::Reference(reference) => surface::strip_parens(&reference.expr),
        place => place,
    }
}

/// The type of the elements of a block over a place of type `ty`.
fn element_in<'t>(memory: &Memory, ty: &'t Type) -> Option<&'t Type> {
    if matches!(memory, Memory::Rows) { signature::element(ty) } else { signature::item(ty) }
}
