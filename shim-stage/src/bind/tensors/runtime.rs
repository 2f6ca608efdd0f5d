//! Tensors of the runtime library as parameters.

use proc_macro2::Ident;
use shim_core::{Layout, Space, TensorSpace};
use syn::ExprMethodCall;

use crate::diagnostics::counted;
use crate::ir::{Addressing, Memory, ProgramPoint, RuntimeTensor, SymbolSource, View};
use crate::parse::signature::{Parameter, ParameterKind};
use crate::surface::TensorMethod;
use crate::surface::tensor_type::{is_foreign, runtime_element};
use crate::symbolic::{Range, SymInt};

use crate::bind::tensors::block::axis_name;
use crate::bind::tensors::placement::Placement;
use crate::bind::tensors::shape::expected;
use crate::bind::{Binder, Binding, MAX_RANK};

impl Binder<'_> {
    /// `&Block<T, N>` and the like: symbolic base, extents, strides and origin.
    pub(in crate::bind) fn runtime_parameter(&mut self, name: &Ident, parameter: &Parameter) {
        let ParameterKind::Runtime { mutable, rank, by_reference } = parameter.kind else { return };
        if rank == 0 || rank > MAX_RANK {
            let help = format!("a tensor has one axis at least and {MAX_RANK} at most");
            self.diagnostics.error(name, format!("a tensor of {}", counted(rank, "axis", "axes")), help);
            return self.bind_broken(name);
        }
        let Some(placement) = self.declared_placement(name, parameter, rank) else {
            return self.bind_broken(name);
        };
        let taken = match self.scopes.get(name) {
            Some(Binding::Local(local)) => local.name.clone(),
            _ => name.clone(),
        };
        if is_foreign(&parameter.ty) {
            self.tensors.foreign_parameters.insert(taken.to_string());
        }
        if !mutable {
            self.tensors.shared_parameters.insert(taken.to_string());
        }
        let shape = parameter.shape.as_deref();
        let fixed = self.fixed_extents(rank, shape);
        let here = self.position();
        let defined = ProgramPoint { statement: here.statement + 1, ..here };
        let mut local = |what: String, lo: Option<i64>| {
            let ident = self.names.fresh(&format!("{name}_{what}"));
            let source = SymbolSource::Local(ident.clone());
            let symbol = self.symbol(&ident.to_string(), Range { lo, hi: None }, source, defined);
            (ident, SymInt::symbol(&symbol))
        };
        let (base, first) = local("base".to_owned(), Some(0));
        let mut along = |what: &dyn Fn(usize) -> String, lo: Option<i64>| -> (Vec<Ident>, Vec<SymInt>) {
            (0..rank).map(|axis| local(what(axis), lo)).unzip()
        };
        let (extents, mut extent) = along(&|axis| axis_name(axis, rank).to_owned(), Some(0));
        let (strides, stride) = along(&|axis| format!("stride{axis}"), None);
        let (origin, at) = along(&|axis| format!("at{axis}"), None);
        let expected = expected(shape, fixed, &mut extent);
        let made = placement.with_origin(&self.tensors.root_space, &at);
        let Some((space, declared)) = self.report_location_error(made, name) else {
            return self.bind_broken(name);
        };
        let memory = Memory::Runtime(Box::new(RuntimeTensor {
            parameter: taken,
            mutable,
            by_reference,
            element: runtime_element(&parameter.ty),
            base,
            extents,
            strides,
            located: false,
            origin,
            declared,
        }));
        let addressing = Addressing::Flat(Layout::strided(stride).based(first));
        let space = TensorSpace { space, extents: extent };
        let view = self.store_with(&name.to_string(), memory, None, space, addressing, None);
        self.bind_tensor(name, view);
        self.expect(name, expected);
        self.name_extents(shape, name);
    }

    /// Notes that the kernel relates two spaces: the tensors that they are views of have to be where they are declared
    /// to be.
    pub(in crate::bind) fn relate(&mut self, one: &Space<SymInt>, other: &Space<SymInt>) {
        let apart = Space::common_ancestor(one, other).is_ok_and(|ancestor| ancestor.depth() == 0);
        if !apart {
            return;
        }
        let mut without_place = Vec::new();
        for id in self.program.buffers.ids() {
            let buffer = &mut self.program.buffers[id];
            let placed = &buffer.space.space;
            let holds = |space: &Space<SymInt>| {
                Space::common_ancestor(space, placed).is_ok_and(|held| held.same(placed))
            };
            if let Memory::Runtime(tensor) = &mut buffer.memory {
                let is_related = holds(one) || holds(other);
                let is_foreign = self.tensors.foreign_parameters.contains(&tensor.parameter.to_string());
                if is_related && is_foreign {
                    without_place.push(tensor.parameter.clone());
                }
                tensor.located |= is_related && !is_foreign;
            }
        }
        for name in without_place {
            self.diagnostics.error(
                &name,
                format!("`{name}` is an array of another crate, which has no place beside other tensors"),
                "index it by numbers, or take a `View` of shim's",
            );
        }
    }

    /// Notes that the kernel asks where a tensor is in the root space.
    pub(in crate::bind) fn relate_to_root(&mut self, view: &View) {
        let root = self.tensors.root_space.clone();
        self.relate(&view.space.space, &root);
    }

    /// The axes and factors that attributes of the parameter declare.
    fn declared_placement(&mut self, name: &Ident, parameter: &Parameter, rank: usize) -> Option<Placement> {
        let mut placement = Placement::new(rank);
        for attribute in &parameter.placements {
            let call = attribute.call();
            let call: ExprMethodCall = syn::parse_quote_spanned!(attribute.method.span()=> #name #call);
            let method = TensorMethod::of(&call.method)?;
            self.place_along(&mut placement, &call, method, &name.to_string())?;
        }
        Some(placement)
    }
}
