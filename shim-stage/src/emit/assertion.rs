//! Bounds checks before a nest.

use proc_macro2::{Literal, TokenStream};

use crate::ir::{Assertion, BoundsCheck, Side};
use crate::symbolic::SymInt;

use super::Emitter;

impl Emitter<'_> {
    /// The assertion before a nest.
    pub(super) fn assertion(&self, assertion: &Assertion) -> TokenStream {
        let rt = self.runtime;
        let kernel = &self.program.name;
        let tensor = &assertion.tensor;
        let is_of_indices = assertion.buffer.is_none();
        let extents: Vec<TokenStream> =
            assertion.extents.iter().map(|extent| self.wrapping(extent)).collect();
        let bounds: Vec<[Vec<&SymInt>; 2]> = (0..extents.len())
            .map(|axis| [Side::Below, Side::Above].map(|side| assertion.coordinates(axis, side).collect()))
            .collect();
        let count = bounds.iter().flatten().map(Vec::len).max();
        let mut tests = Vec::new();
        for nth in 0..count.unwrap_or(0) {
            let reached = bounds.iter().map(|sides| {
                let value = |syms: &Vec<&SymInt>| {
                    let sym = *syms.get(nth)?;
                    let index = if is_of_indices { BoundsCheck::index_of(sym) } else { None };
                    Some(self.checked_value(index.as_ref().unwrap_or(sym)))
                };
                if let ([None, Some(greatest)], false) =
                    (sides.each_ref().map(|side| side.get(nth)), is_of_indices)
                    && let Some(ahead) = self.ahead(greatest)
                {
                    return ahead;
                }
                match sides.each_ref().map(value) {
                    [Some(least), Some(greatest)] => hygienic!(#least..=#greatest),
                    [Some(least), None] => hygienic!(#least..),
                    [None, Some(greatest)] => hygienic!(..=#greatest),
                    [None, None] => hygienic!(..),
                }
            });
            tests.push(if is_of_indices {
                hygienic!(#rt.assert_i32_index(#kernel, #tensor, #(#reached),*))
            } else {
                hygienic!(#rt.assert_within(#kernel, #tensor, (#(#reached,)*), [#(#extents),*]))
            });
        }
        if !assertion.folds.is_empty() || !assertion.filled.is_empty() {
            let folds = assertion.folds.iter().map(|sym| self.checked_value(sym));
            let filled = assertion.filled.iter().map(|sym| self.wrapping(sym));
            tests.push(hygienic! {
                #rt.assert_foldable(#kernel, #tensor, [#(#folds),*], [#(#filled),*])
            });
        }
        if assertion.guards.is_empty() {
            return hygienic!(#(#tests);*);
        }
        let guards = assertion.guards.iter().map(|guard| self.guard(guard));
        hygienic!(if #(#guards)&&* { #(#tests;)* })
    }

    /// A greatest coordinate as another one and a constant: their sum, which may overflow, is not computed.
    fn ahead(&self, greatest: &SymInt) -> Option<TokenStream> {
        let more = greatest.constant_part();
        if more <= 0 || greatest.fits() {
            return None;
        }
        let start = self.checked_value(&greatest.sub(&SymInt::constant(more)).ok()?);
        let (rt, more) = (self.runtime, Literal::i64_unsuffixed(more));
        Some(hygienic!(#rt.ahead(#start, #more)))
    }

    /// That `sym` is at least zero, as a comparison of what is added with what is subtracted.
    pub(super) fn guard(&self, sym: &SymInt) -> TokenStream {
        let constant = sym.constant_part();
        let sides = sym.split_signs().and_then(|(more, less)| {
            // more - less + constant >= 0, with the constant on the side where it is positive.
            if constant < 0 {
                Ok((more, less.sub(&SymInt::constant(constant + 1))?, true))
            } else {
                Ok((more.add(&SymInt::constant(constant))?, less, false))
            }
        });
        match sides {
            Ok((more, less, strict)) => {
                let (more, less) = (self.checked_value(&more), self.checked_value(&less));
                if strict { hygienic!(#more > #less) } else { hygienic!(#more >= #less) }
            }
            Err(_) => {
                let value = self.checked_value(sym);
                hygienic!(#value >= 0)
            }
        }
    }
}
