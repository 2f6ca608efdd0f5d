//! Perfect nests over index spaces: what their variables are, and what holds in their bodies.

use shim_core::Extent;
use syn::{Expr, Ident};

use crate::ir::{Hole, Loop, Nest, Over, RegionKind, SymbolSource, View};
use crate::symbolic::{Range, SymInt};

use crate::bind::{Binder, Binding};

impl<'a> Binder<'a> {
    /// Puts the labels that jumps name around a nest and its body.
    pub(in crate::bind) fn labeled(
        &mut self,
        nest: Expr,
        jumps: &crate::bind::walk::exits::LoopLabels,
    ) -> Expr {
        if let Some(next) = &jumps.next
            && let Some(nest) = self.walk.innermost_nest
        {
            self.program.nests[nest].next = Some(next.clone());
        }
        match &jumps.leave {
            Some(leave) => syn::parse_quote!(#leave: { #nest }),
            None => nest,
        }
    }

    /// A perfect nest over `levels` with the body that `fill` writes.
    pub(in crate::bind) fn nest(
        &mut self,
        levels: Vec<LoopHeader>,
        label: Option<syn::Label>,
        fill: impl FnOnce(&mut Self),
    ) -> Expr {
        self.nest_over(levels, label, |binder, _| fill(binder))
    }

    /// The same, where the body needs the variables whether they have names or not.
    pub(in crate::bind) fn nest_over(
        &mut self,
        levels: Vec<LoopHeader>,
        label: Option<syn::Label>,
        fill: impl FnOnce(&mut Self, Vec<SymInt>),
    ) -> Expr {
        self.nest_inside(Vec::new(), levels, label, Box::new(fill))
    }

    /// A nest over `levels` inside loops with the variables `outer`. Loops whose number depends on those around them
    /// are a nest of their own in the body.
    fn nest_inside<'f>(
        &mut self,
        outer: Vec<SymInt>,
        mut levels: Vec<LoopHeader>,
        label: Option<syn::Label>,
        fill: Box<FillBody<'f, 'a>>,
    ) -> Expr
    where
        'a: 'f,
    {
        for level in &mut levels {
            // Inside its loops a shape extends as far as their variables say.
            if let Some(extent) = level.dependent.take_if(|extent| extent.is_known_at(outer.len())) {
                // Where the arithmetic does not fit, the box around it is what its accesses are tested in.
                level.extent = extent.at(&outer).unwrap_or_else(|_| level.extent.clone());
            }
        }
        let inner = levels.iter().position(|level| level.dependent.is_some()).unwrap_or(levels.len());
        let inner = levels.split_off(inner);
        let is_innermost = inner.is_empty();
        let fill: Box<FillBody<'f, 'a>> = if is_innermost {
            fill
        } else {
            Box::new(|binder, variables| {
                let nest = binder.nest_inside(variables, inner, None, fill);
                binder.push(syn::Stmt::Expr(nest, None));
            })
        };
        let mut loops: Vec<crate::ir::LoopId> = Vec::new();
        let mut facts = Vec::new();
        let mut bindings = Vec::new();
        let mut variables = outer;
        let here = self.position();
        for level in levels {
            let user = level.name.as_ref().map_or_else(|| "_i".to_owned(), ToString::to_string);
            let local = match &level.name {
                Some(name) => self.names.variable(name),
                None => self.names.fresh("step"),
            };
            let hi = level.extent.range().hi.map_or(i64::from(i32::MAX) - 1, |hi| hi - 1);
            let range = Range { lo: Some(0), hi: Some(hi.min(i64::from(i32::MAX) - 1)) };
            let id = self.program.loops.next_id();
            let symbol = self.symbol(&user, range, SymbolSource::Loop(id), here);
            let value = SymInt::symbol(&symbol);
            variables.push(value.clone());
            let nest = self.program.nests.next_id();
            let for_loop = Loop::counted(local.clone(), symbol, level.extent.clone(), nest);
            if let Some(bound) = level.extent.positive_part()
                && let Ok(room) = bound.sub(&value).and_then(|room| room.sub(&SymInt::constant(1)))
            {
                facts.push(room);
            }
            if let Ok(room) = for_loop.last.sub(&value) {
                facts.push(room);
            }
            self.program.loops.push(Loop { over: level.over, ..for_loop });
            loops.push(id);
            if let Some(name) = level.name {
                let rt = &self.runtime;
                let value_expr: Expr = syn::parse_quote!(#rt.i32(#local));
                bindings.push((
                    name,
                    Binding::Index { sym: value, value: value_expr, exact: true, reference: false },
                ));
            }
        }
        if loops.is_empty() {
            // No axis to run over: the body runs once.
            let body = self.body(RegionKind::Plain, Vec::new(), |binder| fill(binder, variables));
            return self.program.hole(Hole::Body(body));
        }
        let nest = self.program.nests.push(Nest::new(loops, label));
        let body = self.body(RegionKind::Nest(nest), facts, |binder| {
            for (name, binding) in bindings {
                binder.scopes.bind(&name, binding);
            }
            fill(binder, variables);
        });
        self.program.nests[nest].body = body;
        if is_innermost {
            self.walk.innermost_nest = Some(nest);
        }
        self.program.hole(Hole::Nest(nest))
    }
}

/// What writes the body of a nest, given its variables.
type FillBody<'f, 'a> = dyn FnOnce(&mut Binder<'a>, Vec<SymInt>) + 'f;

/// A loop of a nest before its body is bound.
#[derive(Clone)]
pub(in crate::bind) struct LoopHeader {
    /// The user's name, unless it is `_`.
    pub(in crate::bind) name: Option<Ident>,
    /// How often it runs, or at most.
    pub(in crate::bind) extent: SymInt,
    /// How often it runs, where that depends on the variables of the loops around it in the nest.
    pub(in crate::bind) dependent: Option<Extent<SymInt>>,
    /// The tensor whose indices it runs over.
    pub(in crate::bind) over: Option<Over>,
}

impl LoopHeader {
    /// A loop with the user's name, if it has one.
    pub(in crate::bind) fn new(name: Option<Ident>, extent: SymInt) -> Self {
        Self { name, extent, dependent: None, over: None }
    }

    /// The loops over the indices of `view`, with the user's names.
    pub(in crate::bind) fn all_of(view: &View, names: impl IntoIterator<Item = Option<Ident>>) -> Vec<Self> {
        let over = |axis| Over { tensor: view.name.clone(), space: view.space.space.clone(), axis };
        let dependent = |axis: usize| view.shape.as_ref().map(|shape| shape.extents()[axis].clone());
        let axes = names.into_iter().zip(&view.space.extents).enumerate();
        axes.map(|(axis, (name, extent))| {
            let level = Self::new(name, extent.clone());
            Self { over: Some(over(axis)), dependent: dependent(axis), ..level }
        })
        .collect()
    }
}
