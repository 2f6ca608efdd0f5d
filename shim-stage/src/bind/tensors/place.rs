//! Places: tensors without elements, which are values in Rust.

use std::rc::Rc;

use quote::ToTokens;
use shim_core::{Layout, LocationError, Placement, TensorSpace};
use syn::{Expr, ExprMethodCall, Ident, Type};

use crate::diagnostics::counted;
use crate::ir::{Addressing, Hole, Memory, PlaceLocals, ProgramPoint, SymbolSource, ValueType, View};
use crate::symbolic::{Range, SymInt};

use crate::bind::tensors::arguments::own_tokens;
use crate::bind::tensors::shape::expected;
use crate::bind::{Binder, Binding, MAX_RANK};

impl Binder<'_> {
    /// Makes the local `name`, a `Place<N>`, a tensor: its origin and extents in the root space, the latter as the
    /// shape has them.
    pub(in crate::bind) fn place_local(&mut self, name: &Ident, rank: usize, shape: Option<&[Expr]>) {
        let Some(Binding::Local(local)) = self.scopes.get(name) else { return };
        let place = local.name.clone();
        let view = self.place_tensor(name, place, rank, shape);
        self.bind_tensor(name, view);
    }

    /// The tensor that the local `place` of type `Place<rank>` is, under the name `name`.
    pub(in crate::bind) fn place_tensor(
        &mut self,
        name: &Ident,
        place: Ident,
        rank: usize,
        shape: Option<&[Expr]>,
    ) -> Rc<View> {
        if rank == 0 || rank > MAX_RANK {
            let help = format!("a place has one axis at least and {MAX_RANK} at most");
            self.diagnostics.error(name, format!("a place of {}", counted(rank, "axis", "axes")), help);
            return self.broken_view(&name.to_string());
        }
        let fixed = self.fixed_extents(rank, shape);
        let here = self.position();
        let defined = ProgramPoint { statement: here.statement + 1, ..here };
        let mut locals = PlaceLocals { place, origin: Vec::new(), extents: Vec::new() };
        let (mut origin, mut extents) = (Vec::new(), Vec::new());
        for axis in 0..rank {
            let mut local = |what: &str, lo: Option<i64>| {
                let ident = self.names.fresh(&format!("{name}_{what}{axis}"));
                let source = SymbolSource::Local(ident.clone());
                let symbol = self.symbol(&ident.to_string(), Range { lo, hi: None }, source, defined);
                (ident, SymInt::symbol(&symbol))
            };
            let (ident, value) = local("at", None);
            locals.origin.push(ident);
            origin.push(value);
            let (ident, value) = local("extent", Some(0));
            locals.extents.push(ident);
            extents.push(value);
        }
        let made = Placement::new(rank).at(&origin).place_in(&self.tensors.root_space);
        let Some(space) = self.report_location_error(made, name) else {
            return self.broken_view(&name.to_string());
        };
        let expected = expected(shape, fixed, &mut extents);
        let view = self.without_elements(&name.to_string(), Some(locals), TensorSpace { space, extents });
        self.expect(name, expected);
        view
    }

    /// The tensor that a template's parameter of type `Place<rank>` is bound to.
    pub(in crate::bind) fn place_argument(
        &mut self,
        (name, _, mutable): (&Ident, Option<&Type>, bool),
        argument: &Expr,
        rank: usize,
        template: &str,
    ) -> Rc<View> {
        if mutable {
            self.diagnostics.error(
                name,
                "a place is taken with `mut`",
                "remove `mut`: another place is `place.shifted([dy, dx])`",
            );
        }
        if self.has_elements(argument) {
            self.diagnostics.error(
                argument,
                format!("`{template}` takes a place here"),
                "give the place of the tensor, `t.place()`",
            );
            return self.broken_view("argument");
        }
        if !self.is_tensor(argument) {
            let value = self.expression(argument);
            let local = self.names.fresh(&name.to_string());
            self.push(syn::parse_quote!(let #local = #value;));
            return self.place_tensor(name, local, rank, None);
        }
        let view = self.tensor(argument, &name.to_string()).unwrap_or_else(|| self.broken_view("argument"));
        let given = view.space.extents.len();
        if given == rank || self.is_broken(&view) {
            return view;
        }
        let axes = counted(given, "axis", "axes");
        self.diagnostics.error(
            argument,
            format!("`{}` has {axes}, `{template}` takes a place of {rank}", view.name),
            "the ranks of a place and of the parameter are the same",
        );
        self.broken_view("argument")
    }

    /// `t.place()`.
    pub(in crate::bind) fn place_of(&mut self, base: &View, tokens: impl ToTokens) -> Option<Rc<View>> {
        let place = self.covered(base, tokens)?;
        Some(self.without_elements(&base.name, None, place))
    }

    /// `place.clamped(t)`: the place, moved as little as possible to lie within what `t` covers.
    pub(in crate::bind) fn clamped(
        &mut self,
        base: &View,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        if !self.is_place(base) {
            self.diagnostics.error_in_call(
                own_tokens(call),
                format!("`{}` has elements, and only a place is clamped", base.name),
                "clamp the place of the tensor, as in `u.footprint(t.place().clamped(u))`",
            );
            return None;
        }
        let [within] = self.arguments::<1>(call)?;
        let within = self.tensor_argument(within, hint)?;
        if self.is_broken(&within) {
            return Some(within);
        }
        let (place, bounds) =
            (self.covered(base, own_tokens(call))?, self.covered(&within, own_tokens(call))?);
        let (rank, axes) = (place.extents.len(), bounds.extents.len());
        if rank != axes {
            self.diagnostics.error_in_call(
                own_tokens(call),
                format!(
                    "a place of {} is clamped to a tensor of {}",
                    counted(rank, "axis", "axes"),
                    counted(axes, "axis", "axes")
                ),
                "the ranks of a place and of the tensor that it is clamped to are the same",
            );
            return None;
        }
        let mut origin = Vec::new();
        for axis in 0..rank {
            let [at, first] = [&place, &bounds].map(|space| space.origin(axis));
            let (at, first) = (
                self.report_location_error(at, own_tokens(call))?,
                self.report_location_error(first, own_tokens(call))?,
            );
            let last = first.add(&bounds.extents[axis]).and_then(|end| end.sub(&place.extents[axis]));
            let last = self.report_location_error(last, own_tokens(call))?;
            let range = Range { lo: first.range().lo, hi: None };
            let [at, first, last] = [at, first, last].map(|value| {
                self.materialize(&value);
                self.program.hole(Hole::Value(value, ValueType::Isize))
            });
            let rt = &self.runtime;
            let value = syn::parse_quote!(#rt.clamped_to(#at, #first, #last));
            origin.push(self.define_value(&format!("{hint}_at{axis}"), value, range));
        }
        let made = Placement::new(rank).at(&origin).place_in(&self.tensors.root_space);
        let space = self.report_location_error(made, own_tokens(call))?;
        Some(self.without_elements(&base.name, None, TensorSpace { space, extents: place.extents }))
    }

    /// The box of the root that a tensor covers.
    fn covered(&mut self, view: &View, tokens: impl ToTokens) -> Option<TensorSpace<SymInt>> {
        self.relate_to_root(view);
        let place = view.space.place();
        if let Err(LocationError::Axis { axis, rank }) = place {
            self.diagnostics.error_in_call(
                tokens,
                format!(
                    "`{}` lies on axis {axis} of the root space, which is out of range for a `Place<{rank}>`",
                    view.name
                ),
                "axis i of a place is axis i of the root",
            );
            return None;
        }
        self.report_location_error(place, tokens)
    }

    /// A place as the value it is in Rust: the box of the root that it covers.
    pub(in crate::bind) fn place_value(&mut self, view: &View, tokens: &Expr) -> Option<Expr> {
        let place = self.covered(view, tokens)?;
        let (mut origin, mut extents) = (Vec::new(), Vec::new());
        for (axis, extent) in place.extents.iter().enumerate() {
            let at = self.report_location_error(place.origin(axis), tokens)?;
            origin.push(self.program.hole(Hole::Value(at, ValueType::Isize)));
            extents.push(self.program.hole(Hole::Value(extent.clone(), ValueType::Usize)));
        }
        let rt = &self.runtime;
        Some(syn::parse_quote!(#rt.make_place([#(#origin),*], [#(#extents),*])))
    }

    /// The origin of a place, for a block of the given rank.
    pub(in crate::bind) fn origin_of_place(&mut self, expr: &Expr, rank: usize) -> Option<Vec<SymInt>> {
        let view = self.tensor(expr, "place")?;
        let place = self.covered(&view, expr)?;
        if place.extents.len() != rank {
            let axes = |rank| counted(rank, "axis", "axes");
            self.diagnostics.error(
                expr,
                format!("a place of {} for a block of {}", axes(place.extents.len()), axes(rank)),
                "the place and the block have the same rank",
            );
            return None;
        }
        let origin = (0..rank).map(|axis| place.origin(axis)).collect::<Result<Vec<_>, _>>();
        self.report_location_error(origin, expr)
    }

    /// Reports the use of an element of a place.
    pub(in crate::bind) fn reject_place(&mut self, view: &View, tokens: impl ToTokens) {
        self.diagnostics.error(
            tokens,
            format!("`{}` is a place and has no elements", view.name),
            format!("read the memory of a tensor there, as in `t[{}][[0, 0]]`", view.name),
        );
    }

    fn without_elements(
        &mut self,
        name: &str,
        locals: Option<PlaceLocals>,
        space: TensorSpace<SymInt>,
    ) -> Rc<View> {
        let strides = vec![SymInt::constant(0); space.extents.len()];
        let addressing = Addressing::Flat(Layout::strided(strides));
        self.store_with(name, Memory::Place(locals), None, space, addressing, None)
    }
}
