//! Loads, stores and tests of single elements.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::ToTokens;
use syn::Expr;

use crate::ir::density::reached;
use crate::ir::{
    AccessId, AccessKind, AccessMode, Addressing, Boundary, BufferId, Candidate, Element, ElementType,
    Offset, Operand, Rule, Tested,
};
use crate::symbolic::{Form, SymInt};

use super::emitted::{Emitted, cast_of, loaded, shown_at};
use super::{Emitter, parsed};

impl Emitter<'_> {
    /// An element as a value or a place.
    pub(super) fn element(&mut self, id: AccessId) -> Expr {
        let access = &self.program.accesses[id];
        let mode = access.mode;
        let element = match &self.program.accesses[id].element {
            Element::At(candidate, offset) => {
                self.inside(candidate, offset, mode).cast(&candidate.casts).cast(&access.view.casts)
            }
            Element::Unchecked | Element::Inside(_) | Element::Folded(_) => Emitted::Value(self.no_element()),
            Element::Tested(tested) => {
                let condition = self.condition(id);
                self.tested(id, tested, mode, condition.as_ref())
            }
        };
        match element {
            // A place must outlive the block that computes its index.
            Emitted::Place { reference } if !access.operands.is_empty() => {
                let captures = self.captures(&access.operands);
                parsed(hygienic!((*{ #captures #reference })))
            }
            element => {
                let tokens = shown_at(element.into_token_stream(), &access.tokens);
                self.with_operands(&access.operands, tokens)
            }
        }
    }

    /// The predicate of `within` at the element of an access.
    fn condition(&mut self, id: AccessId) -> Option<Expr> {
        let mut condition = self.program.accesses[id].within.clone()?;
        self.fill(&mut condition);
        Some(condition)
    }

    /// The element at an offset inside its block.
    pub(super) fn inside(&self, candidate: &Candidate, offset: &Offset, mode: AccessMode) -> Emitted {
        match offset {
            Offset::Flat { named, rest, fits } => {
                let at = self.flat(named.as_ref(), rest, *fits);
                self.load(candidate.buffer, &at, mode)
            }
            Offset::Row(row, column) => {
                let arithmetic = self.arithmetic(super::Overflow::Fits);
                let (row, column) = (arithmetic.isize(row), arithmetic.isize(column));
                self.load_row(candidate.buffer, &row, &column, mode)
            }
        }
    }

    /// An offset into contiguous memory.
    fn flat(&self, named: Option<&Ident>, rest: &SymInt, fits: bool) -> TokenStream {
        let overflow = if fits { super::Overflow::Fits } else { super::Overflow::Wraps };
        self.arithmetic(overflow).offset(named, rest)
    }

    fn load(&self, buffer: BufferId, at: &TokenStream, mode: AccessMode) -> Emitted {
        self.load_by("load", buffer, &[at], mode)
    }

    fn load_row(
        &self,
        buffer: BufferId,
        row: &TokenStream,
        column: &TokenStream,
        mode: AccessMode,
    ) -> Emitted {
        self.load_by("load_in_row", buffer, &[row, column], mode)
    }

    /// The element that a function of the runtime gives. What a macro is given is checked once more: it could take the
    /// tokens apart, and `unsafe` would be one of them.
    fn load_by(&self, function: &str, buffer: BufferId, at: &[&TokenStream], mode: AccessMode) -> Emitted {
        let rt = self.runtime;
        let mutable = mode == AccessMode::Mutable;
        let suffix = match mode {
            AccessMode::Value | AccessMode::Shared => "",
            AccessMode::Mutable => "_mut",
            AccessMode::Unset => "_unset",
        };
        let shared = self.program.shared(self.place.region, buffer);
        // Loops with an order call no macro, and blocks whose elements are arguments of one stay cleared: a macro could
        // take the access apart, and `unsafe` would be one of its tokens.
        assert!(shared.is_none() || !self.in_macro, "an element of shared memory is an argument of a macro");
        if let Some(memory) = shared {
            let function = quote::format_ident!("load_shared{suffix}");
            return loaded(&hygienic!(#rt.#function(#memory, #(#at),*)), mode);
        }
        let memory = self.program.buffers[buffer].slice(mutable);
        if self.in_macro {
            let function = quote::format_ident!("{}{suffix}", function.replace("load", "get"));
            return Emitted::Place { reference: hygienic!(#rt.#function(#memory, #(#at),*)) };
        }
        let function = quote::format_ident!("{function}{suffix}");
        loaded(&hygienic!(#rt.#function(#memory, #(#at),*)), mode)
    }

    /// Stands for an element that was reported as an error, and is never emitted.
    pub(super) fn no_element(&self) -> TokenStream {
        let rt = self.runtime;
        let kernel = &self.program.name;
        hygienic!(#rt.outside(#kernel, "", &[], &[]))
    }

    /// An element that is looked for where the access runs.
    fn tested(&self, id: AccessId, tested: &Tested, mode: AccessMode, within: Option<&Expr>) -> Emitted {
        let candidates = tested.candidates.as_slice();
        let access = &self.program.accesses[id];
        let casts = &access.view.casts;
        let boundary = if access.kind.writes() { None } else { access.view.boundary.as_ref() };
        let rt = self.runtime;
        let get = access.kind == AccessKind::Get;
        if let ([candidate], None, None, false) = (candidates, boundary, within, get) {
            let (setup, element) = self.tested_place(id, candidate, mode);
            return element.cast(&candidate.casts).cast(casts).after(&setup, mode);
        }
        // Which block holds it is known only here: the value is copied out, or a place is chosen.
        // A value to fill with is of the type that the casts before it give.
        let fills = |boundary: &&Boundary| boundary.rules().any(|rule| matches!(rule, Rule::Fill(_)));
        let (inner, outer) = match boundary.filter(fills) {
            Some(boundary) => casts.split_at(boundary.casts),
            _ if get => casts.split_at(casts.len()),
            _ => casts.split_at(0),
        };
        let mut chain = if get {
            hygienic!(::core::option::Option::None)
        } else {
            self.outside(id, tested, boundary, inner, mode)
        };
        for (position, candidate) in candidates.iter().enumerate().rev() {
            let folds = |boundary: &Boundary| {
                let fold =
                    |axis: &usize| matches!(boundary.rule(*axis), Some(Rule::Fold(_) | Rule::By { .. }));
                boundary.value().is_none() && tested.open.iter().all(fold)
            };
            if candidates.len() == 1 && boundary.is_some_and(folds) {
                // The rules leave an index that is inside as it is: one test less.
                break;
            }
            let at = self.coordinates(candidate);
            let extents = self.extents(candidate);
            let element = self.at_coordinates(candidate.buffer, mode).borrowed(mode);
            let mut element = cast_of(cast_of(element, &candidate.casts), inner);
            if get {
                element = hygienic!(::core::option::Option::Some(#element));
            }
            let own = &self.own.at;
            // The predicate is asked of the nearest block's elements: those above it are outside already.
            let within = within.filter(|_| position == 0).map(|condition| hygienic!(&& #condition));
            chain = hygienic! {{
                let #own = [#(#at),*];
                if #rt.inside(#own, [#(#extents),*]) #within { #element } else { #chain }
            }};
        }
        let whole = match mode {
            AccessMode::Value => Emitted::Value(chain),
            AccessMode::Shared | AccessMode::Mutable | AccessMode::Unset => {
                Emitted::Place { reference: chain }
            }
        };
        whole.cast(outer)
    }

    /// The element at the coordinates of the local `at`, which are inside.
    fn at_coordinates(&self, buffer: BufferId, mode: AccessMode) -> Emitted {
        let at = &self.own.at;
        match self.offset_of_tested(buffer, super::Overflow::Fits) {
            Some(offset) => self.load(buffer, &offset, mode),
            None => self.load_row(buffer, &hygienic!(#at[0]), &hygienic!(#at[1]), mode),
        }
    }

    /// The offset of the coordinates of the local `at`; `None` in rows, which have no offset.
    fn offset_of_tested(&self, buffer: BufferId, overflow: super::Overflow) -> Option<TokenStream> {
        let Addressing::Flat(layout) = &self.program.buffers[buffer].addressing else { return None };
        let at: Vec<SymInt> = self.program.tested_at[..layout.rank()].iter().map(SymInt::symbol).collect();
        let arithmetic = self.arithmetic(overflow);
        Some(match layout.offset(&at) {
            Ok(offset) => arithmetic.isize(&offset),
            // Multiplied out, it has more terms than a symbolic integer holds: the products stay as they are.
            Err(_) => {
                let at: Vec<Form> = at.iter().map(SymInt::form).collect();
                let offset = layout.map(&SymInt::form).offset(&at);
                arithmetic.form(&offset.expect("trees hold any number of terms"))
            }
        })
    }

    /// The value of an access that no block holds, after the casts `inner`.
    fn outside(
        &self,
        id: AccessId,
        tested: &Tested,
        boundary: Option<&Boundary>,
        inner: &[ElementType],
        mode: AccessMode,
    ) -> TokenStream {
        let access = &self.program.accesses[id];
        let rt = self.runtime;
        let (kernel, tensor) = (&self.program.name, reached(self.program, access));
        let Some(nearest) = tested.candidates.first() else { return self.no_element() };
        let at = self.coordinates(nearest);
        let extents = self.extents(nearest);
        let Some(boundary) = boundary else {
            if access.within.is_some() {
                return hygienic!(#rt.excluded(#kernel, #tensor, &[#(#at),*], &[#(#extents),*]));
            }
            return hygienic!(#rt.outside(#kernel, #tensor, &[#(#at),*], &[#(#extents),*]));
        };
        self.by_rules((kernel, &tensor), nearest, &tested.open, boundary, inner, mode)
    }

    /// Applies the rules of `boundary` to an element that may be outside `nearest` on the axes `open`, and only there.
    fn by_rules(
        &self,
        (kernel, tensor): (&str, &str),
        nearest: &Candidate,
        open: &[usize],
        boundary: &Boundary,
        inner: &[ElementType],
        mode: AccessMode,
    ) -> TokenStream {
        let rt = self.runtime;
        let value_of = |value: &proc_macro2::Ident| match mode {
            AccessMode::Value => hygienic!(#value),
            AccessMode::Shared | AccessMode::Mutable | AccessMode::Unset => hygienic!(&#value),
        };
        if let Some(value) = boundary.value() {
            return value_of(value);
        }
        let (at, extents) = (self.coordinates(nearest), self.extents(nearest));
        let own = &self.own.at;
        let folded = at.iter().zip(&extents).enumerate().map(|(axis, (at, size))| {
            let open = open.contains(&axis);
            match boundary.rule(axis) {
                Some(Rule::Fold(rule)) if open => {
                    let rule = quote::format_ident!("{}", rule.name());
                    hygienic!(#rt.#rule(#kernel, #tensor, #at, #size))
                }
                Some(Rule::By { local, .. }) if open => {
                    hygienic!(#rt.ruled(#kernel, #tensor, &#local, #at, #size))
                }
                _ => hygienic!(#at),
            }
        });
        let element = cast_of(self.at_coordinates(nearest.buffer, mode).borrowed(mode), inner);
        let mut chain = hygienic!({ let #own = [#(#folded),*]; #element });
        let unruled = open.iter().filter(|axis| boundary.rule(**axis).is_none());
        for axis in unruled {
            let (own_at, size) = (&at[*axis], &extents[*axis]);
            chain = hygienic!({
                if #rt.inside([#own_at], [#size]) { #chain } else {
                    #rt.outside(#kernel, #tensor, &[#(#at),*], &[#(#extents),*])
                }
            });
        }
        // A value takes precedence over the other rules.
        for axis in open.iter().rev() {
            let Some(Rule::Fill(value)) = boundary.rule(*axis) else { continue };
            let value = value_of(value);
            let (own_at, size) = (&at[*axis], &extents[*axis]);
            chain = hygienic!({ if #rt.inside([#own_at], [#size]) { #chain } else { #value } });
        }
        chain
    }

    /// Whether a read would find memory.
    pub(super) fn contains(&mut self, id: AccessId) -> Expr {
        let rt = self.runtime;
        let Element::Tested(tested) = &self.program.accesses[id].element else {
            return parsed(hygienic!(true));
        };
        let tests = tested.candidates.iter().map(|candidate| {
            let at = self.coordinates(candidate);
            let extents = self.extents(candidate);
            hygienic!(#rt.inside([#(#at),*], [#(#extents),*]))
        });
        let mut tests: Vec<TokenStream> = tests.collect();
        if let Some(condition) = self.condition(id)
            && let Some(nearest) = tests.first_mut()
        {
            *nearest = hygienic!((#nearest && #condition));
        }
        let test = hygienic!((#(#tests)||*));
        self.with_operands(&self.program.accesses[id].operands, test)
    }

    /// Where an element is in the memory of its block.
    pub(super) fn offset(&mut self, id: AccessId) -> Expr {
        let access = &self.program.accesses[id];
        let rt = self.runtime;
        let offset = match &access.element {
            Element::At(_, Offset::Flat { named, rest, fits }) => {
                let at = self.flat(named.as_ref(), rest, *fits);
                hygienic!(#rt.usize(#at))
            }
            Element::Tested(Tested { candidates, .. }) if candidates.len() == 1 => {
                let candidate = &candidates[0];
                let (setup, _) = self.tested_place(id, candidate, AccessMode::Value);
                let at = self.offset_of_tested(candidate.buffer, super::Overflow::Fits);
                hygienic!({ #setup #rt.usize(#at) })
            }
            _ => self.no_element(),
        };
        self.with_operands(&access.operands, offset)
    }

    /// Brings the memory of an element nearer, wherever it is: no place is wrong.
    pub(super) fn prefetch(&mut self, id: AccessId) -> Expr {
        let access = &self.program.accesses[id];
        let rt = self.runtime;
        let Some(candidate) = access.element.candidates().first() else { return parsed(hygienic!(())) };
        if self.program.shared(self.place.region, candidate.buffer).is_some() {
            return parsed(hygienic!(()));
        }
        let memory = self.program.buffers[candidate.buffer].slice(false);
        let own_axes = self.program.buffers[candidate.buffer].space.extents.len();
        let at = candidate.coordinates[..own_axes].iter();
        let at: Vec<_> = at.map(|coordinate| self.wrapping(coordinate)).collect();
        let (own, rank) = (&self.own.at, Literal::usize_unsuffixed(at.len()));
        let prefetch = match self.offset_of_tested(candidate.buffer, super::Overflow::Wraps) {
            Some(offset) => {
                hygienic!({ let #own: [isize; #rank] = [#(#at),*]; #rt.prefetch(#memory, #offset) })
            }
            None => hygienic!(#rt.prefetch_in_rows(#memory, [#(#at),*])),
        };
        self.with_operands(&access.operands, prefetch)
    }

    /// The element of the one block that may hold it, and the statements before it that test it and find it: what is
    /// computed of the user's operands stays outside of the unsafe block.
    pub(super) fn tested_place(
        &self,
        id: AccessId,
        candidate: &Candidate,
        mode: AccessMode,
    ) -> (TokenStream, Emitted) {
        let access = &self.program.accesses[id];
        let rt = self.runtime;
        let (kernel, tensor) = (&self.program.name, reached(self.program, access));
        let at = self.coordinates(candidate);
        let extents = self.extents(candidate);
        let own = &self.own.at;
        (
            hygienic!(let #own = #rt.inside_of(#kernel, #tensor, [#(#at),*], [#(#extents),*]);),
            self.at_coordinates(candidate.buffer, mode),
        )
    }

    fn coordinates(&self, candidate: &Candidate) -> Vec<TokenStream> {
        candidate.coordinates.iter().map(|coordinate| self.checked_value(coordinate)).collect()
    }

    fn extents(&self, candidate: &Candidate) -> Vec<TokenStream> {
        candidate.extents(self.program).iter().map(|extent| self.wrapping(extent)).collect()
    }

    /// `value` with the operands of its index evaluated first, in order.
    pub(super) fn with_operands(&mut self, operands: &[Operand], value: TokenStream) -> Expr {
        if operands.is_empty() {
            return parsed(value);
        }
        let captures = self.captures(operands);
        parsed(hygienic!({ #captures #value }))
    }

    pub(super) fn captures(&mut self, operands: &[Operand]) -> TokenStream {
        let rt = self.runtime;
        operands
            .iter()
            .map(|operand| {
                let local = &operand.local;
                let mut value = operand.value.clone();
                self.fill(&mut value);
                let value = super::arithmetic::conversion(rt, operand.number, &value.into_token_stream());
                hygienic!(let #local = #value;)
            })
            .collect()
    }
}
