//! Selections: blocks whose elements are those of another block at static places.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::ToTokens;
use syn::Expr;

use crate::ir::{Access, AccessKind, BufferId, Element, Offset, Selection};
use crate::static_eval::IntType;
use crate::symbolic::SymInt;

use super::{Emitter, Overflow, block_of, parsed, statement};

/// Bytes that one shuffle reaches: half a row of the output.
const CHUNK: usize = 16;

/// The parts of the input that one row of a selection of bytes may come from; with more, shuffles cost more than bytes
/// one at a time.
const MAX_PARTS: usize = 8;

/// The elements of a selection in one block.
struct SelectedOffsets {
    buffer: BufferId,
    /// The part of all offsets that has a name.
    named: Option<Ident>,
    /// The least of the other parts.
    first: SymInt,
    /// How far behind that each element is.
    behind: Vec<usize>,
}

impl Emitter<'_> {
    /// The statement that fills a block on the stack.
    pub(super) fn select(&mut self, selection: &Selection) -> Expr {
        match self.places(selection) {
            Some(places) => self.selected(selection, &places),
            None => self.one_by_one(selection),
        }
    }

    /// The places of the elements, if they are plain loads from one block whose distances are constant.
    fn places(&self, selection: &Selection) -> Option<SelectedOffsets> {
        let accesses: Vec<&Access> =
            selection.accesses.iter().map(|id| &self.program.accesses[*id]).collect();
        let place = |access: &Access| match &access.element {
            Element::At(candidate, Offset::Flat(named, rest))
                if candidate.casts.is_empty() && access.view.casts.is_empty() && access.within.is_none() =>
            {
                Some((candidate.buffer, named.clone(), rest.clone()))
            }
            _ => None,
        };
        let (buffer, named, first) = place(accesses.first()?)?;
        let mut distances = Vec::new();
        for access in accesses {
            let (own, name, rest) = place(access)?;
            if own != buffer || name != named {
                return None;
            }
            distances.push(rest.sub(&first).ok()?.as_constant()?);
        }
        let least = *distances.iter().min()?;
        let first = first.add(&SymInt::constant(least)).ok()?;
        let behind = selection.elements.iter().map(|number| distances[*number] - least);
        let behind = behind.map(|at| usize::try_from(at).ok()).collect::<Option<_>>()?;
        Some(SelectedOffsets { buffer, named, first, behind })
    }

    fn selected(&mut self, selection: &Selection, places: &SelectedOffsets) -> Expr {
        let SelectedOffsets { buffer, named, first, behind } = places;
        let rt = self.runtime;
        let from = self.program.buffers[*buffer].slice(false);
        let Some(to) = self.program.accesses[selection.to].element.candidates().first() else {
            return parsed(self.no_element());
        };
        let bytes = self.program.buffers[*buffer].number() == Some(IntType::U8);
        let to = self.program.buffers[to.buffer].slice(true);
        let at = self.arithmetic(Overflow::Fits).offset(named.as_ref(), first);
        if bytes && let Some(whole) = self.length(*buffer) {
            // The memory has a constant length, which whole parts may be.
            if let (None, Some(first)) = (named, first.as_constant().and_then(|at| usize::try_from(at).ok()))
            {
                let places: Vec<usize> = behind.iter().map(|at| at + first).collect();
                if places.iter().all(|at| *at < whole)
                    && let Some(shuffles) = shuffles(&places)
                {
                    let length = Literal::usize_unsuffixed(whole);
                    return parsed(hygienic!(#rt.select_bytes::<#length, _, _>(#from, 0, #to, #shuffles)));
                }
            }
        }
        if bytes && let Some(shuffles) = shuffles(behind) {
            let length = Literal::usize_unsuffixed(behind.iter().max().map_or(0, |last| last + 1));
            return parsed(hygienic!(#rt.select_bytes::<#length, _, _>(#from, #at, #to, #shuffles)));
        }
        let behind = behind.iter().map(|at| Literal::usize_unsuffixed(*at));
        parsed(hygienic!(#rt.select(#from, #at, #to, &[#(#behind),*])))
    }

    /// The number of elements of a block, if it is constant.
    fn length(&self, buffer: BufferId) -> Option<usize> {
        let extents = self.program.buffers[buffer].space.extents.iter();
        let extents = extents.map(|extent| usize::try_from(extent.as_constant()?).ok());
        extents.collect::<Option<Vec<_>>>().map(|extents| extents.iter().product())
    }

    /// Assignments of elements that are tested, folded, cast, or of several blocks.
    fn one_by_one(&mut self, selection: &Selection) -> Expr {
        let Some(to) = self.program.accesses[selection.to].element.candidates().first() else {
            return parsed(self.no_element());
        };
        let to = self.program.buffers[to.buffer].local.clone();
        let mut statements = Vec::new();
        for (at, number) in selection.elements.iter().enumerate() {
            debug_assert_eq!(self.program.accesses[selection.accesses[*number]].kind, AccessKind::Read);
            let value = self.element(selection.accesses[*number]).into_token_stream();
            let at = Literal::usize_unsuffixed(at);
            statements.push(statement(hygienic!(#to[#at] = #value)));
        }
        block_of(statements)
    }
}

/// The tables of a selection of bytes: the places, the parts of the input that the lower and upper halves of rows come
/// from, and the places within each part. `None` if a place does not fit a byte, or there are too many parts.
fn shuffles(places: &[usize]) -> Option<TokenStream> {
    let own: Vec<u8> = places.iter().map(|place| u8::try_from(*place).ok()).collect::<Option<_>>()?;
    let mut parts: [Vec<u8>; 2] = [Vec::new(), Vec::new()];
    let mut masks: Vec<Vec<u8>> = Vec::new();
    for (i, place) in own.iter().enumerate() {
        let half = &mut parts[i / CHUNK % 2];
        let chunk = place / CHUNK as u8;
        let part = half.iter().position(|own| *own == chunk).unwrap_or_else(|| {
            half.push(chunk);
            half.len() - 1
        });
        if part == MAX_PARTS {
            return None;
        }
        if part == masks.len() {
            masks.push(vec![128; own.len()]);
        }
        masks[part][i] = place % CHUNK as u8;
    }
    // An output of less than a row has no upper half.
    let [lower, upper] = parts.map(|mut half| {
        half.resize(masks.len(), 0);
        half.into_iter().map(Literal::u8_unsuffixed).collect::<Vec<_>>()
    });
    let places = Literal::byte_string(&own);
    let masks = masks.iter().map(|mask| Literal::byte_string(mask));
    Some(hygienic!(#places, [[#(#lower),*], [#(#upper),*]], [#(#masks),*]))
}
