//! Elementwise assignments: the nest over the left side that `let [y, x] = iters();` asks for.

use std::rc::Rc;

use shim_core::Part;
use syn::{BinOp, Expr, ExprIndex, Local, Pat};

use crate::ir::Hole;
use crate::ir::{RegionKind, View};
use crate::surface::{self, Entry, HelperAttribute, MethodKind, TensorMethod, pattern};
use crate::symbolic::SymInt;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

use crate::bind::tensors::nest::LoopHeader;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// `let [y, x] = iters();`
    pub(in crate::bind) fn iterators(&mut self, local: &Local) {
        if let Some(init) = &local.init
            && let Expr::Call(call) = surface::strip_parens(&init.expr)
            && let Expr::Path(path) = &*call.func
        {
            self.mention_item(path, crate::ir::Surface::Iters);
            if let Some(arguments) = path.path.segments.last().map(|segment| &segment.arguments)
                && !arguments.is_none()
            {
                self.diagnostics.error(arguments, "`iters` takes no type", "write `let [y, x] = iters();`");
            }
        }
        if let Pat::Type(typed) = &local.pat {
            self.diagnostics.error(&typed.ty, "iterators take no type", "write `let [y, x] = iters();`");
        }
        let names = match pattern::array(&local.pat) {
            Some(names) => names,
            None => match pattern::simple(&local.pat) {
                Some((name, None, false)) => vec![Some(name.clone())],
                _ => {
                    self.diagnostics.error(
                        &local.pat,
                        "expected plain names for iterators",
                        "write `let [y, x] = iters();`",
                    );
                    return;
                }
            },
        };
        for name in names.into_iter().flatten() {
            self.scopes.bind(&name, Binding::Iterator);
        }
    }

    /// An elementwise assignment where an expression stands, as in the arm of a `match`.
    pub(in crate::bind) fn elementwise_value(
        &mut self,
        left: &Expr,
        op: Option<BinOp>,
        right: &Expr,
    ) -> Expr {
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            binder.elementwise(left, op, right);
        });
        self.program.hole(Hole::Body(body))
    }

    /// An assignment whose left side is indexed by iterators: writes its nest and says so.
    pub(in crate::bind) fn elementwise(&mut self, left: &Expr, op: Option<BinOp>, right: &Expr) -> bool {
        let Expr::Index(index) = surface::strip_parens(left) else { return false };
        if !self.is_elementwise(left) || op.is_some_and(|op| !surface::is_assigning(&op)) {
            return false;
        }
        let Some(view) = self.tensor(&index.expr, "view") else { return true };
        let right = &self.with_views_once(right);
        if let Some(point) = self.iterator_of(&index.index) {
            let names = self.point_variables(&point, view.space.extents.len());
            let levels = LoopHeader::all_of(&view, names.into_iter().map(Some));
            // Accesses of other tensors are not taken for ones by the indices of this one.
            let levels = levels.into_iter().map(|level| LoopHeader { over: None, ..level }).collect();
            self.assign_each(levels, view, index, op, right);
            self.scopes.leave();
            return true;
        }
        let Some(mut levels) = self.elementwise_levels(index, &view) else { return true };
        if view.shape.is_some() && !self.is_broken(&view) {
            let Some(assigned) = self.assigned_part(&view, index) else { return true };
            for (axis, level) in levels.iter_mut().enumerate().take(assigned.space.extents.len()) {
                level.extent = assigned.space.extents[axis].clone();
                level.dependent = assigned.shape.as_ref().map(|shape| shape.extents()[axis].clone());
            }
        }
        for used in self.iterators_in(right) {
            if !levels.iter().any(|level| level.name.as_ref() == Some(&used)) {
                self.diagnostics.error(
                    &used,
                    format!("the iterator `{used}` is not on the left"),
                    "every iterator on the right stands alone in the index list on the left; to sum over one, \
                     write a reduction",
                );
                return true;
            }
        }
        self.assign_each(levels, view, index, op, right);
        true
    }

    /// An expression whose views over the memory of tensors are made here, once, unless they depend on its iterators or
    /// may not be made at all.
    fn with_views_once(&mut self, expr: &Expr) -> Expr {
        struct MadeOnce<'b, 'a>(&'b mut Binder<'a>);
        impl VisitMut for MadeOnce<'_, '_> {
            fn visit_expr_mut(&mut self, expr: &mut Expr) {
                match expr {
                    Expr::If(_) | Expr::Match(_) | Expr::Closure(_) | Expr::Block(_) => {}
                    Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                        self.visit_expr_mut(&mut binary.left);
                    }
                    Expr::MethodCall(_) if self.0.is_made_once(expr) => {
                        let Some(view) = self.0.tensor(expr, "view") else { return };
                        let name = self.0.names.fresh("view");
                        self.0.bind_tensor(&name, view);
                        *expr = syn::parse_quote!(#name);
                    }
                    _ => visit_mut::visit_expr_mut(self, expr),
                }
            }
        }
        let mut expr = expr.clone();
        MadeOnce(self).visit_expr_mut(&mut expr);
        expr
    }

    /// Whether an expression is a view over the memory of a tensor that depends on no iterator and has no effect.
    fn is_made_once(&self, expr: &Expr) -> bool {
        struct Once {
            is_over: bool,
            has_effects: bool,
        }
        impl<'ast> Visit<'ast> for Once {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                match expr {
                    Expr::MethodCall(call) => match TensorMethod::of(&call.method) {
                        Some(method) if method.kind() == MethodKind::View => {
                            self.is_over |= method.is_over_memory();
                        }
                        _ => self.has_effects = true,
                    },
                    Expr::Path(_)
                    | Expr::Lit(_)
                    | Expr::Array(_)
                    | Expr::Unary(_)
                    | Expr::Binary(_)
                    | Expr::Index(_)
                    | Expr::Range(_)
                    | Expr::Paren(_)
                    | Expr::Reference(_)
                    | Expr::Cast(_) => {}
                    _ => self.has_effects = true,
                }
                visit::visit_expr(self, expr);
            }
        }
        let mut own = Once { is_over: false, has_effects: false };
        own.visit_expr(expr);
        own.is_over && !own.has_effects && self.is_tensor(expr) && self.iterators_in(expr).is_empty()
    }

    /// The part of a shape over whose indices the iterators of an index run.
    fn assigned_part(&mut self, view: &Rc<View>, index: &ExprIndex) -> Option<Rc<View>> {
        let entries = surface::index_list(index)?;
        let padding = view.space.extents.len().saturating_sub(entries.len());
        let mut parts = vec![Part::Index(SymInt::constant(0)); padding];
        for entry in &entries {
            let Entry::Index(expr) = entry else { continue };
            parts.push(match (self.iterator_of(expr), self.pure_index(expr)) {
                (Some(_), _) => Part::Full,
                (None, Some(at)) => Part::Index(at),
                (None, None) => {
                    self.diagnostics.error(
                        expr,
                        format!(
                            "extents of `{}` depend on this index, which is evaluated in place",
                            view.name
                        ),
                        "compute it in a `let` before the assignment",
                    );
                    return None;
                }
            });
        }
        // An index list of another length is reported by the access itself.
        if parts.len() == view.space.extents.len() {
            self.part_of(view, &parts, index)
        } else {
            Some(view.clone())
        }
    }

    fn assign_each(
        &mut self,
        levels: Vec<LoopHeader>,
        view: Rc<View>,
        index: &ExprIndex,
        op: Option<BinOp>,
        right: &Expr,
    ) {
        let rank = levels.len();
        let schedule: Vec<_> =
            index.attrs.iter().filter(|attribute| HelperAttribute::orders(attribute)).cloned().collect();
        let reorders = self.reorders(&schedule);
        self.with_stages_of_tiles(&schedule, |binder| {
            let beginning = binder.beginning();
            let nest = binder.with_pure(&schedule, |binder| {
                binder.confirming(reorders, |binder| {
                    binder.nest(levels, None, |binder| {
                        let value = binder.expression(right);
                        let assignment = binder.assign_to(Some(view), index, op, value);
                        binder.push(syn::Stmt::Expr(assignment, Some(syn::token::Semi::default())));
                    })
                })
            });
            let nest = binder.ordered(nest, &schedule, rank, None);
            binder.record_effects(&nest, &schedule, beginning);
            binder.push(syn::Stmt::Expr(nest, None));
        });
    }

    fn elementwise_levels(&mut self, index: &ExprIndex, view: &Rc<View>) -> Option<Vec<LoopHeader>> {
        let rank = view.space.extents.len();
        let entries = surface::index_list(index)?;
        let padding = rank.checked_sub(entries.len());
        let mut levels: Vec<LoopHeader> = Vec::new();
        for (position, entry) in entries.iter().enumerate() {
            let Entry::Index(expr) = entry else { continue };
            match self.iterator_of(expr) {
                Some(name) => {
                    if levels.iter().any(|level| level.name.as_ref() == Some(&name)) {
                        self.diagnostics.error(
                            expr,
                            format!("the iterator `{name}` appears twice on the left"),
                            "each iterator runs over one axis of the left side; use another one",
                        );
                        return None;
                    }
                    // An index list that is too long is reported by the access itself.
                    let axis = padding.map_or(position, |padding| padding + position);
                    let extent = view.space.extents.get(axis).cloned().unwrap_or_else(|| SymInt::constant(1));
                    levels.push(LoopHeader::new(Some(name), extent));
                }
                None if !self.iterators_in(expr).is_empty() => {
                    self.diagnostics.error(
                        expr,
                        "an iterator on the left must be an index by itself",
                        "write the plain iterator on the left and the arithmetic on the right, or assign to a view \
                         such as `t[[1.., ..]]`",
                    );
                    return None;
                }
                None => {}
            }
        }
        Some(levels)
    }
}
