//! What a tensor answers: its extents, where it stands, whether there is memory. And what it is told: that memory will
//! be wanted.

use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

use crate::ir::{AccessKind, Hole, ValueType};
use crate::surface::TensorMethod;
use crate::symbolic::Sym;

use super::Binder;

impl Binder<'_> {
    /// The value of `t.extent(d)`, `t.origin(d)` or `t.origin_in(u, d)`.
    pub(super) fn query_value(&mut self, call: &ExprMethodCall) -> Option<Sym> {
        let method = self.tensor_method(call)?;
        let base = self.tensor(&call.receiver, "view")?;
        if self.is_broken(&base) {
            return Some(Sym::constant(0));
        }
        match method {
            TensorMethod::Extent => {
                let [axis] = self.arguments::<1>(call)?;
                let axis = self.axis(axis, &base)?;
                Some(base.space.extents[axis].clone())
            }
            TensorMethod::Origin => {
                let [axis] = self.arguments::<1>(call)?;
                let axis = self.axis(axis, &base)?;
                self.located(base.space.origin(axis), call)
            }
            TensorMethod::OriginIn => {
                let [other, axis] = self.arguments::<2>(call)?;
                let other = self.tensor_argument(other, "view")?;
                if self.is_broken(&other) {
                    return Some(Sym::constant(0));
                }
                let axis = self.axis(axis, &other)?;
                self.located(base.space.origin_in(&other.space.space, axis), call)
            }
            _ => None,
        }
    }

    /// A query as a value in Rust.
    pub(super) fn query(&mut self, call: &ExprMethodCall, method: TensorMethod) -> Expr {
        if matches!(method, TensorMethod::Contains | TensorMethod::Prefetch) {
            let test = method == TensorMethod::Contains;
            let Some([point]) = self.arguments::<1>(call) else { return super::access::unreachable_value() };
            let Some(list) = self.index_entries(point) else {
                if !self.is_point(point) {
                    self.diagnostics.error(point, "no index list", method.usage());
                }
                return super::access::unreachable_value();
            };
            let list: Vec<&Expr> = list.iter().collect();
            let tokens = call.to_token_stream();
            let kind = if test { AccessKind::Test } else { AccessKind::Prefetch };
            return match self.access_list(&call.receiver, &list, point, kind, tokens) {
                Some(id) if test => self.program.hole(Hole::Contains(id)),
                Some(id) => self.program.hole(Hole::Prefetch(id)),
                None => super::access::unreachable_value(),
            };
        }
        let ty = if method == TensorMethod::Extent { ValueType::Usize } else { ValueType::Isize };
        match self.query_value(call) {
            Some(sym) => self.program.hole(Hole::Value(sym, ty)),
            None => super::access::unreachable_value(),
        }
    }
}
