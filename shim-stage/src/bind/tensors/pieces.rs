//! Tensors of several pieces: a read outside of one goes on to the next, at the same location.

use std::rc::Rc;

use syn::ExprMethodCall;

use crate::diagnostics::counted;
use crate::ir::View;

use crate::bind::Binder;
use crate::bind::tensors::arguments::own_tokens;

impl Binder<'_> {
    /// `t.or(u)`: the elements of `t`, and outside of it those of `u`.
    pub(in crate::bind) fn or(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [other] = self.arguments::<1>(call)?;
        let given = other;
        let other = self.tensor_argument(other, hint)?;
        if self.is_broken(&other) {
            return Some(other);
        }
        for (view, tokens) in [(base, &*call.receiver), (&other, given)] {
            if self.is_place(view) {
                self.reject_place(view, tokens);
                return None;
            }
            let is_cast = !view.casts.is_empty() && Rc::ptr_eq(view, base);
            if is_cast || view.boundary.is_some() || view.within.is_some() {
                self.diagnostics.error(
                    tokens,
                    format!("a piece with a cast, a rule or a condition: `{}`", view.name),
                    "write `cast`, `boundary` and `within` behind `or`, for all pieces together",
                );
                return None;
            }
        }
        let ranks = [base, &other].map(|view| view.space.extents.len());
        if ranks[0] != ranks[1] {
            let axes = ranks.map(|rank| counted(rank, "axis", "axes"));
            self.diagnostics.error(
                own_tokens(call),
                format!("pieces of {} and of {}", axes[0], axes[1]),
                "the pieces of a tensor have the same axes",
            );
            return None;
        }
        self.relate(&base.space.space, &other.space.space);
        let mut pieces = base.pieces.clone();
        // Its own pieces are of the elements before its casts.
        let alone = View { pieces: Vec::new(), ..(*other).clone() };
        pieces.push(Rc::new(alone));
        pieces.extend(other.pieces.iter().map(|piece| {
            let casts = [&piece.casts[..], &other.casts].concat();
            Rc::new(View { casts, ..(**piece).clone() })
        }));
        Some(Rc::new(View { pieces, list: None, ..(**base).clone() }))
    }
}
