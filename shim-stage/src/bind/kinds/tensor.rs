//! Which expressions are tensors, points and elements of tensors. Nothing is written here.

use syn::{Expr, ExprCall, ExprIndex, ExprMethodCall, Ident};

use crate::ir::{ElementType, Memory, View};
use crate::link::Output;
use crate::surface::{self, PointMethod, TensorExpr, TensorForm, TensorMethod, TensorNames};

use crate::bind::{Binder, Binding};

impl TensorNames for Binder<'_> {
    fn is_tensor(&self, name: &Ident) -> bool {
        self.is_tensor_name(name)
    }

    fn gives_tensor(&self, call: &ExprCall) -> bool {
        self.call_output(call) == Output::Tensor
    }
}

/// The kind of an expression in the kernel language.
pub(in crate::bind) enum Kind<'e> {
    /// A tensor.
    Tensor,
    /// An element of a tensor.
    Element(&'e ExprIndex),
    /// An element of the stage with this number.
    StageElement(usize, &'e ExprIndex),
    /// A point, or a neighbor of one.
    Point,
    /// `p[axis]` of a point, as the variable that it is.
    Coordinate(Box<Expr>),
    /// Ordinary Rust, whose parts may be any of these.
    Rust,
}

impl Binder<'_> {
    /// The kind of `expr`.
    pub(in crate::bind) fn kind<'e>(&self, expr: &'e Expr) -> Kind<'e> {
        match TensorForm::of(expr, self) {
            TensorForm::Tensor(_) => Kind::Tensor,
            TensorForm::Element(index) => Kind::Element(index),
            TensorForm::Other if self.is_point(expr) => Kind::Point,
            TensorForm::Other => match expr {
                Expr::Index(index) if let Some(stage) = self.stage_named(&index.expr) => {
                    Kind::StageElement(stage, index)
                }
                Expr::Index(index) => {
                    self.coordinate(index).map_or(Kind::Rust, |variable| Kind::Coordinate(Box::new(variable)))
                }
                _ => Kind::Rust,
            },
        }
    }

    /// The tensor expression that `expr` is.
    pub(in crate::bind) fn tensor_expr<'e>(&self, expr: &'e Expr) -> Option<TensorExpr<'e>> {
        TensorExpr::of(expr, self)
    }

    /// Whether `expr` makes or names a tensor.
    pub(in crate::bind) fn is_tensor(&self, expr: &Expr) -> bool {
        self.tensor_expr(expr).is_some()
    }

    /// Whether a tensor is a place.
    pub(in crate::bind) fn is_place(&self, view: &View) -> bool {
        matches!(self.program.buffers[view.buffer].memory, Memory::Place(_))
    }

    /// Whether `expr` is a tensor without elements.
    pub(in crate::bind) fn is_place_expr(&self, expr: &Expr) -> bool {
        let named = |name: &syn::Ident| match self.scopes.get(name) {
            Some(Binding::Tensor(view)) => self.is_place(view),
            _ => false,
        };
        surface::is_place(expr, &named)
    }

    /// Whether `expr` is a tensor and not a place. A place is a value as well.
    pub(in crate::bind) fn has_elements(&self, expr: &Expr) -> bool {
        self.is_tensor(expr) && !self.is_place_expr(expr)
    }

    /// Whether `expr` or a branch of it is a tensor.
    pub(in crate::bind) fn gives_tensor(&self, expr: &Expr) -> bool {
        surface::branches(expr).into_iter().any(|value| self.is_tensor(value))
    }

    /// Whether `expr`, or a branch of it, is a tensor or a tuple of tensors.
    pub(in crate::bind) fn gives_tensors(&self, expr: &Expr) -> bool {
        surface::branches(expr).into_iter().any(|value| match value {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|value| self.is_tensor(value)),
            Expr::Call(call) if matches!(self.call_output(call), Output::Tuple(_)) => true,
            value => self.is_tensor(value),
        })
    }

    /// The method that a call is, if it is one of a tensor.
    pub(in crate::bind) fn tensor_method(&self, call: &ExprMethodCall) -> Option<TensorMethod> {
        TensorMethod::of(&call.method).filter(|_| self.is_tensor(&call.receiver))
    }

    /// Whether `index` reads or writes an element of a tensor.
    pub(in crate::bind) fn is_access(&self, index: &ExprIndex) -> bool {
        matches!(TensorForm::of_index(index, self), TensorForm::Element(_))
    }

    /// The stage that an expression names.
    pub(in crate::bind) fn stage_named(&self, expr: &Expr) -> Option<usize> {
        match self.scopes.get(surface::ident(expr)?)? {
            Binding::Stage(id) => Some(*id),
            _ => None,
        }
    }

    /// Reports a stage that is used as a value.
    pub(in crate::bind) fn stage_as_value(&mut self, expr: &Expr) {
        self.diagnostics.error(
            expr,
            "a stage is used as a value",
            "read an element of it by an index list, as in `s[[y, x]]`, or pass it to a template",
        );
    }

    /// The tensor whose element a place is part of, if it is a name or a plain view of one.
    pub(in crate::bind) fn root_view(&self, place: &Expr) -> Option<&View> {
        match surface::strip_parens(place) {
            Expr::Field(field) => self.root_view(&field.base),
            Expr::Index(index) if self.is_access(index) => self.named_view(&index.expr),
            Expr::Index(index) => self.root_view(&index.expr),
            _ => None,
        }
    }

    /// The tensor behind plain views, which change nothing about its elements.
    pub(in crate::bind) fn named_view(&self, tensor: &Expr) -> Option<&View> {
        match surface::strip_parens(tensor) {
            Expr::Path(path) => match self.scopes.get(path.path.get_ident()?) {
                Some(Binding::Tensor(view)) => Some(view),
                _ => None,
            },
            Expr::Index(index) => self.named_view(&index.expr),
            Expr::MethodCall(call) => {
                let method = TensorMethod::of(&call.method)?;
                method.keeps_type().then(|| self.named_view(&call.receiver))?
            }
            _ => None,
        }
    }

    /// The type of the elements of a view, where the kernel shows it: of the last cast, or of the memory.
    pub(in crate::bind) fn element_of<'v>(&'v self, view: &'v View) -> Option<&'v ElementType> {
        view.casts.last().or(self.program.buffers[view.buffer].element.as_ref())
    }

    /// The iterator of an elementwise assignment that `expr` names.
    pub(in crate::bind) fn iterator_of(&self, expr: &Expr) -> Option<Ident> {
        let name = surface::ident(expr)?;
        matches!(self.scopes.get(name), Some(Binding::Iterator)).then(|| name.clone())
    }

    /// The iterators that `expr` mentions anywhere.
    pub(in crate::bind) fn iterators_in(&self, expr: &Expr) -> Vec<Ident> {
        struct IteratorSearch<'s, 'a>(&'s Binder<'a>, Vec<Ident>);
        impl<'ast> crate::syntax::visit::Visit<'ast> for IteratorSearch<'_, '_> {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                self.1.extend(self.0.iterator_of(expr).filter(|_| matches!(expr, Expr::Path(_))));
                crate::syntax::visit::visit_expr(self, expr);
            }
        }
        let mut find = IteratorSearch(self, Vec::new());
        crate::syntax::visit::Visit::visit_expr(&mut find, expr);
        find.1
    }

    /// Whether an assignment to `left` is one to all elements that its iterators run over.
    pub(in crate::bind) fn is_elementwise(&self, left: &Expr) -> bool {
        let left = surface::strip_parens(left);
        matches!(left, Expr::Index(index) if self.is_access(index)) && !self.iterators_in(left).is_empty()
    }

    /// Whether an expression is a point or a neighbor of one.
    pub(in crate::bind) fn is_point(&self, expr: &Expr) -> bool {
        match surface::strip_parens(expr) {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| matches!(self.scopes.get(name), Some(Binding::Point(_)))),
            Expr::MethodCall(call) => {
                PointMethod::of(&call.method).is_some() && self.is_point(&call.receiver)
            }
            _ => false,
        }
    }

    /// `p[axis]`, as the variable that it is.
    pub(in crate::bind) fn coordinate(&self, index: &ExprIndex) -> Option<Expr> {
        let Some(Binding::Point(names)) = self.scopes.get(surface::ident(&index.expr)?) else { return None };
        let axis = crate::static_eval::eval(&index.index, &self.scopes).ok()??;
        let crate::static_eval::Value::Int(axis) = axis else { return None };
        let name = names.get(usize::try_from(axis.value).ok()?)?;
        Some(syn::parse_quote!(#name))
    }
}
