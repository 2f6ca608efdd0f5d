//! Selections: blocks whose elements are those of another block at static places.

use proc_macro2::{Literal, TokenStream};
use quote::ToTokens;
use syn::Expr;

use crate::ir::{AccessKind, BufferId, Gather, Gathered, Selection, Shuffles};

use super::{Emitter, Overflow, block_of, parsed, statement};

impl Emitter<'_> {
    /// The statement that fills a block on the stack.
    pub(super) fn select(&mut self, selection: &Selection) -> Expr {
        let Some(to) = self.program.accesses[selection.to].element.buffer() else {
            return parsed(self.no_element());
        };
        match &selection.gather {
            Some(gather) => parsed(self.gathered(to, gather)),
            None => self.one_by_one(to, selection),
        }
    }

    fn gathered(&self, to: BufferId, Gather { from, named, first, how }: &Gather) -> TokenStream {
        let rt = self.runtime;
        let [from, to] =
            [(*from, false), (to, true)].map(|(buffer, mutable)| self.program.buffers[buffer].slice(mutable));
        let at = self.arithmetic(Overflow::Fits).offset(named.as_ref(), first);
        match how {
            Gathered::OneByOne(behind) => {
                let behind = behind.iter().map(|at| Literal::usize_unsuffixed(*at));
                hygienic!(#rt.select(#from, #at, #to, &[#(#behind),*]))
            }
            Gathered::Bytes { length, shuffles: Shuffles { places, parts, masks } } => {
                let length = Literal::usize_unsuffixed(*length);
                let places = Literal::byte_string(places);
                let half = |half: &Vec<u8>| half.iter().copied().map(Literal::u8_unsuffixed).collect();
                let [lower, upper]: [Vec<Literal>; 2] = parts.each_ref().map(half);
                let masks = masks.iter().map(|mask| Literal::byte_string(mask));
                hygienic!(#rt.select_bytes::<#length, _, _>(
                    #from, #at, #to, #places, [[#(#lower),*], [#(#upper),*]], [#(#masks),*]))
            }
        }
    }

    /// Assignments of elements that are tested, folded, cast, or of several blocks.
    fn one_by_one(&mut self, to: BufferId, selection: &Selection) -> Expr {
        let to = self.program.buffers[to].local.clone();
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
