//! What a tensor answers: its extents, where it stands, whether there is memory. And what it is told: that memory will
//! be wanted.

use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

use crate::ir::{AccessKind, Addressing, Hole, ValueType, View};
use crate::surface::TensorMethod;
use crate::symbolic::SymInt;

use crate::bind::{Binder, unreachable_value};

impl Binder<'_> {
    /// The value of `t.extent(d)`, `t.origin(d)` or `t.origin_in(u, d)`.
    pub(in crate::bind) fn query_value(&mut self, call: &ExprMethodCall) -> Option<SymInt> {
        let method = self.tensor_method(call)?;
        let base = self.tensor(&call.receiver, "view")?;
        if self.is_broken(&base) {
            return Some(SymInt::constant(0));
        }
        match method {
            TensorMethod::Extent => {
                let [axis] = self.arguments::<1>(call)?;
                let axis = self.axis(axis, &base)?;
                if base.shape.as_ref().is_some_and(|shape| shape.extents()[axis].as_fixed().is_none()) {
                    self.diagnostics.error(
                        call,
                        format!(
                            "the extent of axis {axis} of `{}` depends on the indices before it",
                            base.name
                        ),
                        "take that of a row, as in `t[[i, ..]].extent(0)`",
                    );
                    return None;
                }
                Some(base.space.extents[axis].clone())
            }
            TensorMethod::Origin => {
                let [axis] = self.arguments::<1>(call)?;
                let axis = self.axis(axis, &base)?;
                self.relate_to_root(&base);
                self.report_location_error(base.space.origin(axis), call)
            }
            TensorMethod::OriginIn => {
                let [other, axis] = self.arguments::<2>(call)?;
                let other = self.tensor_argument(other, "view")?;
                if self.is_broken(&other) {
                    return Some(SymInt::constant(0));
                }
                let axis = self.axis(axis, &other)?;
                self.relate(&base.space.space, &other.space.space);
                self.report_location_error(base.space.origin_in(&other.space.space, axis), call)
            }
            _ => None,
        }
    }

    /// A query as a value in Rust.
    pub(in crate::bind) fn query(&mut self, call: &ExprMethodCall, method: TensorMethod) -> Expr {
        let kind = match method {
            TensorMethod::Contains => Some(AccessKind::Test),
            TensorMethod::Get => Some(AccessKind::Get),
            TensorMethod::Offset => Some(AccessKind::Offset),
            TensorMethod::Prefetch => Some(AccessKind::Prefetch),
            _ => None,
        };
        if let Some(kind) = kind {
            return self.in_order(&[&call.receiver], |binder| {
                binder.query_element(call, method, kind).unwrap_or_else(unreachable_value)
            });
        }
        let ty = if method == TensorMethod::Extent { ValueType::Usize } else { ValueType::Isize };
        let captured: Vec<&Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
        self.in_order(&captured, |binder| match binder.query_value(call) {
            Some(sym) => binder.program.hole(Hole::Value(sym, ty)),
            None => unreachable_value(),
        })
    }

    /// A query about one element.
    fn query_element(
        &mut self,
        call: &ExprMethodCall,
        method: TensorMethod,
        kind: AccessKind,
    ) -> Option<Expr> {
        let [point] = self.arguments::<1>(call)?;
        let Some(list) = self.index_entries(point) else {
            if !self.is_point(point) {
                self.diagnostics.error(point, "expected an index list such as `[y, x]`", method.usage());
            }
            return None;
        };
        let list: Vec<&Expr> = list.iter().collect();
        let view = self.tensor(&call.receiver, "view")?;
        if kind == AccessKind::Offset && !self.has_offsets(&view, call) {
            return None;
        }
        // A boundary rule always finds an element.
        let ruled = kind == AccessKind::Get && view.boundary.is_some();
        let kind = if ruled { AccessKind::Read } else { kind };
        let id = self.access_list(view, &list, point, kind, call.to_token_stream())?;
        Some(match kind {
            AccessKind::Test => self.program.hole(Hole::Contains(id)),
            AccessKind::Offset => self.program.hole(Hole::Offset(id)),
            AccessKind::Prefetch => self.program.hole(Hole::Prefetch(id)),
            _ => {
                let element = self.program.hole(Hole::Access(id));
                if ruled { syn::parse_quote!(::core::option::Option::Some(#element)) } else { element }
            }
        })
    }

    /// Whether the elements of a view are numbered in the memory of one block; reports it if they are not.
    fn has_offsets(&mut self, view: &View, call: &ExprMethodCall) -> bool {
        let buffer = &self.program.buffers[view.buffer];
        let why = if matches!(buffer.addressing, Addressing::Rows) {
            "the rows of its block are slices of their own"
        } else if view.boundary.is_some() || view.within.is_some() {
            "it has a rule for what it does not contain"
        } else if !view.pieces.is_empty() {
            "it has several pieces"
        } else {
            return true;
        };
        let message = format!("the elements of `{}` have no offsets: {why}", view.name);
        self.diagnostics.error(
            call,
            message,
            "an offset is the number of an element in the memory of one block",
        );
        false
    }
}
