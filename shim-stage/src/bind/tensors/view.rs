//! Views: what a method or an index makes of a tensor.

use std::rc::Rc;

use shim_core::{Fold, Part, Space};
use syn::{Expr, ExprIndex, ExprMethodCall};

use crate::diagnostics::counted;
use crate::ir::{Boundary, CallEffect, Rule, Surface, View};
use crate::surface::{self, Entry, TensorMethod};
use crate::symbolic::SymInt;

use crate::bind::Binder;
use crate::bind::tensors::arguments::own_tokens;
use crate::bind::tensors::packed::end_of_axis;

impl Binder<'_> {
    /// The view that a method makes. Long: one arm for each method.
    pub(in crate::bind) fn view(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        method: TensorMethod,
        hint: &str,
    ) -> Option<Rc<View>> {
        if self.is_broken(base) {
            return Some(base.clone());
        }
        let keeps_indices = matches!(
            method,
            TensorMethod::Cast
                | TensorMethod::Slice
                | TensorMethod::Boundary
                | TensorMethod::Within
                | TensorMethod::Dense
                | TensorMethod::Shaped
                | TensorMethod::Or
                | TensorMethod::Take
                | TensorMethod::Drop
                | TensorMethod::Psi
        );
        if !keeps_indices && self.reject_packed(base, own_tokens(call)) {
            return None;
        }
        let space = &base.space;
        let made = match method {
            TensorMethod::Permute => {
                let axes = self.axes(call, base)?;
                space.permute(&axes)
            }
            TensorMethod::Refine => space.refine(&self.factors(call, base)?),
            TensorMethod::Coarsen => space.coarsen(&self.factors(call, base)?),
            TensorMethod::Slice => {
                let [axis, index] = self.arguments::<2>(call)?;
                let axis = self.axis(axis, base)?;
                let index = self.snapshot(index, &format!("{hint}_at"), false);
                let mut parts = vec![Part::Full; space.extents.len()];
                parts[axis] = Part::Index(index);
                return self.part_of(base, &parts, own_tokens(call));
            }
            TensorMethod::Footprint => {
                let [of] = self.arguments::<1>(call)?;
                let of = self.tensor_argument(of, hint)?;
                if self.is_broken(&of) {
                    return Some(of);
                }
                self.relate(&space.space, &of.space.space);
                space.footprint(&of.space)
            }
            TensorMethod::Coverage => {
                let [point, with] = self.arguments::<2>(call)?;
                let point = self.point(point, space.extents.len(), hint)?;
                let with = self.tensor_argument(with, hint)?;
                if self.is_broken(&with) {
                    return Some(with);
                }
                self.relate(&space.space, &with.space.space);
                space.coverage(&point, &with.space.space)
            }
            TensorMethod::Shifted => {
                let [by] = self.arguments::<1>(call)?;
                let by = self.whole_point(by, space.extents.len(), hint)?;
                space.shifted(&by)
            }
            TensorMethod::Clamped => return self.clamped(base, call, hint),
            TensorMethod::Dense => {
                self.arguments::<0>(call)?;
                return Some(Rc::new(View { shape: None, list: None, ..(**base).clone() }));
            }
            TensorMethod::Shaped => return self.shaped(base, call, hint),
            TensorMethod::Or => return self.or(base, call, hint),
            TensorMethod::Place => {
                self.arguments::<0>(call)?;
                return self.place_of(base, own_tokens(call));
            }
            TensorMethod::Cast => return self.cast(base, call),
            TensorMethod::Boundary => return self.boundary(base, call),
            TensorMethod::Within => return self.within(base, call),
            TensorMethod::ToBlock | TensorMethod::ToStack => {
                self.arguments::<0>(call)?;
                return self.copy(base, call, hint, method == TensorMethod::ToStack, false);
            }
            TensorMethod::Select => return self.select(base, call, hint),
            TensorMethod::Reshape | TensorMethod::Ravel | TensorMethod::Cycled => {
                return self.reshape(base, call, method, hint);
            }
            TensorMethod::Rev => return self.reversed(base, call, hint),
            TensorMethod::Rotate => return self.rotated(base, call, hint),
            TensorMethod::Cat => return self.catenated(base, call, hint),
            TensorMethod::Gather => return self.gathered(base, call, hint),
            TensorMethod::Windows => return self.windows(base, call, hint),
            TensorMethod::Take | TensorMethod::Drop => return self.counted(base, call, method, hint),
            TensorMethod::Psi => return self.behind(base, call, hint),
            TensorMethod::List | TensorMethod::ListFrom => return self.list(base, call, method),
            TensorMethod::Copied
            | TensorMethod::At
            | TensorMethod::Refined
            | TensorMethod::Coarsened
            | TensorMethod::Permuted
            | TensorMethod::OnAxes
            | TensorMethod::Strided
            | TensorMethod::Stored
            | TensorMethod::Extent
            | TensorMethod::Origin
            | TensorMethod::OriginIn
            | TensorMethod::Contains
            | TensorMethod::Get
            | TensorMethod::Offset
            | TensorMethod::Prefetch
            | TensorMethod::Indices
            | TensorMethod::Scan
            | TensorMethod::Tiles
            | TensorMethod::Push
            | TensorMethod::PushIf
            | TensorMethod::Extend
            | TensorMethod::Truncate
            | TensorMethod::Len => return None,
        };
        let space = self.report_location_error(made, own_tokens(call))?;
        Some(Rc::new(View { space, list: None, ..(**base).clone() }))
    }

    pub(in crate::bind) fn partition(
        &mut self,
        base: &Rc<View>,
        entries: &[Entry<'_>],
        index: &ExprIndex,
        hint: &str,
    ) -> Option<Rc<View>> {
        if self.is_broken(base) {
            return Some(base.clone());
        }
        let rank = base.space.extents.len();
        if entries.len() > rank {
            let axes = counted(rank, "axis", "axes");
            self.diagnostics.error(
                &index.index,
                format!("{} entries for `{}`, which has {axes}", entries.len(), base.name),
                "give at most one entry per axis",
            );
            return None;
        }
        let mut parts = vec![Part::Index(SymInt::constant(0)); rank - entries.len()];
        for (entry, axis) in entries.iter().zip(rank - entries.len()..) {
            parts.push(match entry {
                Entry::Index(expr) if self.reject_entry(expr) => return None,
                Entry::Index(expr) => Part::Index(self.snapshot(expr, &format!("{hint}_at"), false)),
                Entry::Range(range)
                    if range.start.is_none() && range.end.is_none() && range.step.is_none() =>
                {
                    Part::Full
                }
                Entry::Range(range) => {
                    let start = match range.start {
                        Some(start) => self.snapshot(start, &format!("{hint}_from"), false),
                        None => SymInt::constant(0),
                    };
                    let mut end = match range.end {
                        Some(end) => self.snapshot(end, &format!("{hint}_to"), false),
                        None => end_of_axis(base, &parts, axis),
                    };
                    if range.inclusive {
                        end = self.report_location_error(end.add(&SymInt::constant(1)), index)?;
                    }
                    let step = match range.step {
                        Some(step) => {
                            let value = self.static_integer(step, "the step of a partition")?;
                            if value < 1 {
                                self.diagnostics.error(
                                    step,
                                    "the step must be at least one",
                                    "steps count forward, from one",
                                );
                                return None;
                            }
                            value
                        }
                        None => 1,
                    };
                    Part::Range { start, end, step }
                }
            });
        }
        self.part_of(base, &parts, index)
    }

    /// `t[u]`: u's index space over t's memory.
    pub(in crate::bind) fn colocate(
        &mut self,
        base: &Rc<View>,
        other: &Rc<View>,
        index: &ExprIndex,
    ) -> Option<Rc<View>> {
        for view in [base, other] {
            if self.is_broken(view) {
                return Some(view.clone());
            }
            if self.reject_packed(view, index) {
                return None;
            }
        }
        self.relate(&base.space.space, &other.space.space);
        let made = base.space.colocate(&other.space);
        if let Err(shim_core::LocationError::RankRises { from, to }) = &made {
            self.diagnostics.error(
                index,
                format!(
                    "`{}` has {} and cannot index `{}`, which has {from}",
                    other.name,
                    counted(*to, "axis", "axes"),
                    base.name
                ),
                format!(
                    "the rank may fall from a tensor to its views, never rise: drop an axis of `{}`, as in \
                     `t[u.slice(0, 0)]`, or index it the other way round",
                    other.name
                ),
            );
            return None;
        }
        let space = self.report_location_error(made, index)?;
        Some(Rc::new(View { space, list: None, ..(**base).clone() }))
    }

    fn cast(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<Rc<View>> {
        self.arguments::<0>(call)?;
        let ty = match call.turbofish.as_ref().map(|fish| (fish.args.first(), fish.args.len(), fish)) {
            Some((Some(syn::GenericArgument::Type(ty)), 1, _)) => ty.clone(),
            Some((.., fish)) => {
                self.diagnostics.error(fish, "`cast` takes one type", "write `t.cast::<i32>()`");
                return None;
            }
            None => {
                self.diagnostics.error(
                    own_tokens(call),
                    "`cast` needs an element type",
                    "write `t.cast::<i32>()`",
                );
                return None;
            }
        };
        let mut view = (**base).clone();
        view.casts.push(crate::ir::ElementType { ty, region: self.walk.region });
        Some(Rc::new(view))
    }

    fn boundary(&mut self, base: &Rc<View>, call: &ExprMethodCall) -> Option<Rc<View>> {
        let [given] = self.arguments::<1>(call)?;
        let block = &self.program.buffers[base.buffer].space.space;
        let (axes, dropped) = if let Expr::Array(list) = surface::strip_parens(given) {
            let rank = base.space.extents.len();
            if list.elems.len() != rank {
                let count = counted(list.elems.len(), "rule", "rules");
                self.diagnostics.error(
                    list,
                    format!("{count} for `{}`, which has {}", base.name, counted(rank, "axis", "axes")),
                    "give one rule for all axes, or a list with one for each",
                );
                return None;
            }
            let axes = Space::axes(&base.space.space, block);
            let axes = self.report_location_error(axes, list)?;
            let rules: Option<Vec<Rule>> =
                list.elems.iter().map(|rule| self.boundary_rule(base, surface::strip_parens(rule))).collect();
            let rules = rules?;
            (axes.into_iter().map(|axis| Some(rules[axis?].clone())).collect(), None)
        } else {
            let rank = block.rank();
            let rule = self.boundary_rule(base, surface::strip_parens(given))?;
            (vec![Some(rule.clone()); rank], Some(rule))
        };
        let boundary = Boundary { axes, dropped, casts: base.casts.len() };
        let fills = |rule: &Rule| matches!(rule, Rule::Fill(_));
        if !base.pieces.is_empty() && !boundary.rules().all(fills) {
            self.diagnostics.error(
                given,
                format!("`{}` is of several pieces, and a rule folds an index", base.name),
                "which piece an index is folded into is not known: give a value, as in `Fill(0)`",
            );
            return None;
        }
        if self.program.buffers[base.buffer].shape.is_some() && !boundary.rules().all(fills) {
            self.diagnostics.error(
                given,
                format!("the extents of `{}` depend on indices, and a rule folds an index", base.name),
                "an index that was folded would change the extents behind it: give a value, as in `Fill(0)`",
            );
            return None;
        }
        if base.within.is_some() && boundary.value().is_none() {
            self.reject_fold(call);
            return None;
        }
        Some(Rc::new(View { boundary: Some(boundary), list: None, ..(**base).clone() }))
    }

    /// A rule of one axis, or of all.
    fn boundary_rule(&mut self, base: &View, rule: &Expr) -> Option<Rule> {
        let last = |path: &syn::Path| {
            let last = path.segments.last().filter(|segment| segment.arguments.is_none());
            last.map(|segment| segment.ident.to_string())
        };
        let (path, argument) = match rule {
            Expr::Path(path) => (Some(path), None),
            Expr::Call(call) if call.args.len() == 1 => match &*call.func {
                Expr::Path(path) => (Some(path), Some(&call.args[0])),
                _ => (None, None),
            },
            _ => (None, None),
        };
        let name = path.and_then(|path| last(&path.path));
        let named = |name: &str| match name {
            "Clamp" => Some((Fold::Clamp, "Clamp")),
            "Mirror" => Some((Fold::Mirror, "Mirror")),
            "Reflect" => Some((Fold::Reflect, "Reflect")),
            "Wrap" => Some((Fold::Wrap, "Wrap")),
            _ => None,
        };
        match (path, name.as_deref(), argument) {
            (Some(path), Some("Fill"), Some(value)) => {
                self.mention_item(path, Surface::Fill);
                let value = self.expression(value);
                let local = self.names.fresh(&format!("{}_fill", base.name));
                self.push(syn::parse_quote!(let #local = #value;));
                Some(Rule::Fill(local))
            }
            (Some(path), Some("By"), Some(rule)) => {
                self.mention_item(path, Surface::By);
                let (rule, calls) = match surface::strip_parens(rule) {
                    Expr::Closure(closure) => {
                        let rule = self.closure(closure, |_| Vec::new());
                        (rule, self.walk.closure_calls)
                    }
                    function => (self.expression(function), CallEffect::Unknown),
                };
                let local = self.names.fresh(&format!("{}_rule", base.name));
                let runtime = self.runtime.clone();
                self.push(syn::parse_quote!(let #local = #runtime.by(#rule);));
                Some(Rule::By { local, calls })
            }
            (Some(path), Some(name), None) if named(name).is_some() => {
                let (fold, name) = named(name)?;
                self.mention_item(path, Surface::Rule(name));
                Some(Rule::Fold(fold))
            }
            (_, name, _) => {
                let message = match name {
                    Some("Fill") => "`Fill` needs a value",
                    Some("By") => "`By` needs a function",
                    _ => "expected a boundary rule",
                };
                self.diagnostics.error(
                    rule,
                    message,
                    "the rules are `Clamp`, `Mirror`, `Reflect`, `Wrap`, `Fill(value)` and `By(|i, n| ..)`",
                );
                None
            }
        }
    }
}
