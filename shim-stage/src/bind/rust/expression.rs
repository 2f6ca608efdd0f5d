//! Expressions: ordinary Rust passes through, and what a tensor takes part in becomes a hole.

use quote::ToTokens;
use syn::{Expr, ExprIndex};

use crate::ir::{AccessKind, AccessMode, Hole, RegionKind, ValueType};
use crate::parse::signature;
use crate::static_eval::{self, Value};
use crate::surface;
use crate::symbolic::SymInt;
use crate::syntax::visit_mut::{self, VisitMut};

use crate::bind::kinds::tensor::Kind;
use crate::bind::loops::stages::closure_label;
use crate::bind::{Binder, Binding, unreachable_value};

/// The children of an expression that needs nothing of its own.
struct Children<'b, 'a>(&'b mut Binder<'a>);

impl VisitMut for Children<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        *expr = self.0.expression(expr);
    }
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        *block = self.0.block(block, RegionKind::Plain, Vec::new());
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_path_mut(&mut self, _: &mut syn::Path) {}
}

impl Binder<'_> {
    /// Binds an expression whose value is used.
    pub(in crate::bind) fn expression(&mut self, expr: &Expr) -> Expr {
        if let Some(value) = self.folded(expr) {
            return value;
        }
        match self.kind(expr) {
            Kind::Tensor => self.tensor_as_value(expr),
            Kind::Element(index) => self.element(index, AccessKind::Read),
            Kind::StageElement(stage, index) => self.stage_element(stage, index, AccessKind::Read),
            Kind::Point => self.point_value(expr),
            Kind::Coordinate(variable) => self.expression(&variable),
            // A method may be that of a chain which becomes a loop.
            Kind::Rust if matches!(expr, Expr::MethodCall(_)) => self.rust_expression(expr),
            Kind::Rust => self.noting_panic(expr, |binder| binder.rust_expression(expr)),
        }
    }

    /// Binds an expression of ordinary Rust.
    ///
    /// Long: one arm for each form of expression.
    fn rust_expression(&mut self, expr: &Expr) -> Expr {
        match expr {
            Expr::Path(_) => self.name(expr),
            Expr::Index(index) => self.indexed(index),
            Expr::Assign(assign) if self.is_elementwise(&assign.left) => {
                self.elementwise_value(&assign.left, None, &assign.right)
            }
            Expr::Assign(assign) => match surface::strip_parens(&assign.left) {
                Expr::Tuple(places) if self.has_element_among(places) => {
                    self.assigned_one_by_one(places, &assign.right)
                }
                Expr::Index(index) if self.is_access(index) => self.assign(index, None, &assign.right),
                left if self.is_tensor(left) => self.tensor_assigned(left),
                left if self.has_elements(&assign.right) => {
                    self.diagnostics.error(
                        left,
                        "a tensor is assigned to something that is not a tensor",
                        "bind it with `let` where it is made; a tensor is never stored",
                    );
                    unreachable_value()
                }
                _ => {
                    let mut result = assign.clone();
                    result.right = Box::new(self.expression(&assign.right));
                    result.left = Box::new(self.place(&assign.left, AccessKind::PlaceMut));
                    self.walk.effects.acts();
                    self.assigns(&assign.left, None, &assign.right, assign);
                    self.assigned_place(None, &assign.left, Expr::Assign(result))
                }
            },
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) if self.is_tensor(&unary.expr) => self.tensor_in_arithmetic(expr),
            Expr::Unary(unary) if self.walk.tracks() => self.unary(unary),
            Expr::Reference(reference) => {
                let kind =
                    if reference.mutability.is_some() { AccessKind::PlaceMut } else { AccessKind::Place };
                if reference.mutability.is_some() {
                    self.borrows_mutably(&reference.expr, reference);
                }
                let mut result = reference.clone();
                result.expr = Box::new(self.place(&reference.expr, kind));
                Expr::Reference(result)
            }
            Expr::Field(field) if self.is_tensor(&field.base) => {
                self.diagnostics.error(
                    &field.member,
                    "a tensor has no fields",
                    "its extents are `t.extent(axis)`, its place is `t.origin(axis)`, an element is `t[[y, x]]`",
                );
                unreachable_value()
            }
            Expr::Field(field) => {
                let mut result = field.clone();
                result.base = Box::new(self.place(&field.base, AccessKind::Place));
                if self.walk.tracks() {
                    self.confirm_field(&mut result, field);
                }
                Expr::Field(result)
            }
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call(call),
            Expr::If(_) | Expr::Match(_) | Expr::Let(_) => self.branch(expr),
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => self.loop_expression(expr),
            Expr::Block(block) if block.label.as_ref().is_some_and(|own| own.name == closure_label()) => {
                self.left_by_return(&block.block)
            }
            Expr::Block(block) => {
                let mut result = block.clone();
                result.block = match &block.label {
                    Some(label) => self.in_labeled_block(label, |binder| {
                        binder.block(&block.block, RegionKind::Plain, Vec::new())
                    }),
                    None => self.block(&block.block, RegionKind::Plain, Vec::new()),
                };
                Expr::Block(result)
            }
            Expr::Unsafe(block) => {
                let mut result = block.clone();
                result.block = self.block(&block.block, RegionKind::Plain, Vec::new());
                Expr::Unsafe(result)
            }
            Expr::Closure(closure) => self.closure(closure, |_| Vec::new()),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Try(_) => self.leaving(expr),
            Expr::Macro(mac) => self.macro_expression(mac),
            Expr::Struct(structure) => {
                let mut result = structure.clone();
                for field in &mut result.fields {
                    field.expr = self.expression(&field.expr);
                    // The shorthand names the field by the local, which may now be called otherwise.
                    field.colon_token.get_or_insert_with(Default::default);
                }
                if let Some(rest) = &mut result.rest {
                    **rest = self.expression(rest);
                }
                self.without_drop(Expr::Struct(result))
            }
            Expr::Async(_) | Expr::Await(_) => {
                self.diagnostics.error(
                    expr,
                    "`async` is not part of the kernel language",
                    "call the kernel from the `async` code",
                );
                expr.clone()
            }
            Expr::Const(_) | Expr::Lit(_) | Expr::Infer(_) | Expr::Verbatim(_) => expr.clone(),
            Expr::Yield(_) | Expr::TryBlock(_) => {
                self.walk.effects.opaque();
                expr.clone()
            }
            _ => {
                let mut result = expr.clone();
                visit_mut::visit_expr_mut(&mut Children(self), &mut result);
                result
            }
        }
    }

    /// The literal for an expression that is static and mentions a static name.
    fn folded(&mut self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident()?;
                let Some(Binding::Static(value)) = self.scopes.get(name) else { return None };
                return Some(static_eval::literal(value, name.span()));
            }
            Expr::Binary(_)
            | Expr::Unary(_)
            | Expr::Index(_)
            | Expr::Cast(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_) => {}
            _ => return None,
        }
        if !self.mentions_static(expr) {
            return None;
        }
        match self.static_value(expr)? {
            value @ (Value::Int(_) | Value::Bool(_)) => {
                Some(static_eval::literal(&value, syn::spanned::Spanned::span(expr)))
            }
            _ => None,
        }
    }

    fn mentions_static(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                matches!(self.scopes.get(name), Some(Binding::Static(_) | Binding::Table(..)))
            }),
            Expr::Binary(binary) => self.mentions_static(&binary.left) || self.mentions_static(&binary.right),
            Expr::Unary(unary) => self.mentions_static(&unary.expr),
            Expr::Paren(inner) => self.mentions_static(&inner.expr),
            Expr::Cast(cast) => self.mentions_static(&cast.expr),
            Expr::Index(index) => self.mentions_static(&index.index) || self.mentions_static(&index.expr),
            Expr::MethodCall(call) => {
                self.mentions_static(&call.receiver) || call.args.iter().any(|arg| self.mentions_static(arg))
            }
            _ => false,
        }
    }

    /// A name used as a value.
    fn name(&mut self, expr: &Expr) -> Expr {
        if let Expr::Path(path) = expr
            && let Some(at_home) = self.at_home(path)
        {
            return at_home;
        }
        let Some(name) = surface::ident(expr) else { return self.without_drop(expr.clone()) };
        match self.scopes.get(name) {
            None => self.without_drop(expr.clone()),
            Some(Binding::Index { value, .. }) => value.clone(),
            Some(Binding::Local(local)) => {
                if local.exposed {
                    return expr.clone();
                }
                let mut emitted = local.name.clone();
                emitted.set_span(emitted.span().located_at(name.span()));
                syn::parse_quote!(#emitted)
            }
            Some(Binding::Table(_, emitted)) => syn::parse_quote!(#emitted),
            Some(Binding::Template(_)) => {
                self.template_as_value(expr);
                unreachable_value()
            }
            Some(Binding::Stage(_)) => {
                self.stage_as_value(expr);
                unreachable_value()
            }
            Some(Binding::Iterator) => {
                let message = format!("iterator `{name}` is used outside an elementwise assignment");
                self.diagnostics.error(expr, message, "use it in `t[[..]] = ..`, or write a `for` loop");
                expr.clone()
            }
            _ => expr.clone(),
        }
    }

    /// Reports `a[[0]]` of a slice, an array or a `Vec`, which no list indexes; says whether it is that.
    fn reject_memory(&mut self, index: &ExprIndex) -> bool {
        let Expr::Array(list) = surface::strip_parens(&index.index) else { return false };
        // A shape that is wrong was reported, and is not missing.
        if !self.diagnostics.is_empty() {
            return false;
        }
        let Some(name) = surface::ident(&index.expr).cloned() else { return false };
        let Some(Binding::Local(local)) = self.scopes.get(&name) else { return false };
        let Some(element) = local.ty.as_deref().and_then(signature::element) else { return false };
        let element = element.to_token_stream();
        let axes: Vec<&str> = ["h", "w", "d"].into_iter().cycle().take(list.elems.len()).collect();
        let axes = axes.join(", ");
        self.diagnostics.error(
            &index.expr,
            format!("`{name}` is memory of `{element}`, not a tensor"),
            format!(
                "give the parameter a shape, `#[shape({axes})] {name}: ..`, or make a block of it, \
                 `let {name} = Block::external({name}, [{axes}]);`"
            ),
        );
        true
    }

    fn indexed(&mut self, index: &ExprIndex) -> Expr {
        if self.reject_memory(index) {
            return unreachable_value();
        }
        let mut result = index.clone();
        let base = self.expression(&index.expr);
        // An element of an array that is an element of a tensor is read where it is: the array is not copied.
        if let Some(&Hole::Access(access)) = self.program.held_by(&base) {
            self.program.accesses[access].mode = AccessMode::Shared;
        }
        result.expr = Box::new(self.indexed_base(&index.expr, base));
        result.index = Box::new(self.plain_index(&index.index));
        Expr::Index(result)
    }

    /// The index of an ordinary slice: a loop variable converts by itself there too.
    fn plain_index(&mut self, index: &Expr) -> Expr {
        let known = self.index_expr(index, None);
        if !known.varies {
            return self.expression(index);
        }
        match known.value {
            Ok(sym) => self.program.hole(Hole::Value(sym, ValueType::Usize)),
            Err(_) => {
                let value = self.expression(index);
                let rt = &self.runtime;
                syn::parse_quote!(#rt.usize(#value))
            }
        }
    }

    /// An expression used as a place.
    pub(in crate::bind) fn place(&mut self, expr: &Expr, kind: AccessKind) -> Expr {
        match expr {
            Expr::Index(index) if self.is_access(index) => self.element(index, kind),
            Expr::Index(index) if let Some(stage) = self.stage_named(&index.expr) => {
                self.stage_element(stage, index, kind)
            }
            Expr::Field(field) => {
                let mut result = field.clone();
                result.base = Box::new(self.place(&field.base, kind));
                Expr::Field(result)
            }
            Expr::Paren(inner) => {
                let mut result = inner.clone();
                result.expr = Box::new(self.place(&inner.expr, kind));
                Expr::Paren(result)
            }
            Expr::Index(index) if !self.is_tensor(expr) && self.reject_memory(index) => unreachable_value(),
            Expr::Index(index) if !self.is_tensor(expr) => self.noting_panic(expr, |binder| {
                let mut result = index.clone();
                result.expr = Box::new(binder.place(&index.expr, kind));
                result.index = Box::new(binder.plain_index(&index.index));
                Expr::Index(result)
            }),
            Expr::Path(path)
                if kind.writes()
                    && path.path.get_ident().is_some_and(|name| {
                        matches!(self.scopes.get(name), Some(Binding::Static(_) | Binding::Index { .. }))
                    }) =>
            {
                self.reject_change(path);
                expr.clone()
            }
            _ => self.expression(expr),
        }
    }

    /// Reports a write to a static name or a loop variable. A `let` without `mut` is reported as rustc does.
    fn reject_change(&mut self, path: &syn::ExprPath) {
        let bound = path.path.get_ident().and_then(|name| self.scopes.definition(name));
        let place = |name: &syn::Ident| format!("{:?}", name.span());
        let bound = bound.map(|name| (name.clone(), place(name)));
        let own = bound.and_then(|(name, at)| {
            self.scopes.static_lets.iter_mut().find(|(own, _)| *own == name && place(own) == at)
        });
        match own {
            Some((_, true)) => {}
            Some((name, reported)) => {
                // Once, however often it is assigned.
                *reported = true;
                let message = format!("cannot assign twice to immutable variable `{name}`");
                let help = format!("consider making this binding mutable: `mut {name}`");
                self.diagnostics.error(name, message, help);
            }
            None => self.diagnostics.error(
                path,
                "cannot assign to a loop variable or constant",
                "it is known at expansion or counts a loop; copy it into a `let mut` first",
            ),
        }
    }

    /// An arm of a condition, or a lazily evaluated operand.
    pub(in crate::bind) fn arm(&mut self, expr: &Expr, facts: Vec<SymInt>) -> Expr {
        let body = self.body(RegionKind::Branch, facts, |binder| {
            let value = binder.expression(expr);
            binder.push(syn::Stmt::Expr(value, None));
        });
        self.program.hole(Hole::Body(body))
    }

    /// An operator on a whole tensor.
    pub(in crate::bind) fn tensor_in_arithmetic(&mut self, expr: &Expr) -> Expr {
        self.diagnostics.error(
            expr,
            "operators work on elements, and this is a tensor",
            "write the elements, as in `let [y, x] = iters(); c[[y, x]] = a[[y, x]] + b[[y, x]];`",
        );
        unreachable_value()
    }

    /// A tensor where a value is wanted.
    fn tensor_as_value(&mut self, expr: &Expr) -> Expr {
        if let Expr::Reference(reference) = expr
            && self.is_place_expr(expr)
        {
            let mut result = reference.clone();
            result.expr = Box::new(self.expression(&reference.expr));
            return Expr::Reference(result);
        }
        if self.is_place_expr(expr) {
            return self.in_order(&[expr], |binder| {
                let value = binder.tensor(expr, "place").and_then(|view| binder.place_value(&view, expr));
                value.unwrap_or_else(unreachable_value)
            });
        }
        let message = match surface::ident(expr) {
            Some(name) => format!("the tensor `{name}` is used as a value"),
            None => "a tensor is used as a value".to_owned(),
        };
        self.diagnostics.error(
            expr,
            message,
            "tensors live in the kernel alone: bind one with `let`, read an element with `t[[..]]`, or pass it to a \
             template; they are never stored or returned",
        );
        unreachable_value()
    }

    pub(in crate::bind) fn tensor_assigned(&mut self, left: &Expr) -> Expr {
        self.diagnostics.error(
            left,
            "a tensor cannot be assigned",
            "bind a new one with `let`; to write its elements use `let [i, j] = iters(); t[[i, j]] = ..`",
        );
        unreachable_value()
    }
}
