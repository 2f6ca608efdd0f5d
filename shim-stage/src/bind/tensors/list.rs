//! Lists: what is appended to a block of rank 1, and how many elements that is.

use std::rc::Rc;

use syn::{Expr, ExprMethodCall};

use crate::diagnostics::counted;
use crate::ir::{Hole, List, ValueType, View};
use crate::surface::TensorMethod;

use crate::bind::Binder;

impl Binder<'_> {
    /// `t.list()` or `t.list_from(n)`: a list over a block.
    pub(in crate::bind) fn list(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        method: TensorMethod,
    ) -> Option<Rc<View>> {
        let count = if method == TensorMethod::List {
            self.arguments::<0>(call)?;
            None
        } else {
            let [count] = self.arguments::<1>(call)?;
            Some(self.expression(count))
        };
        let rank = base.space.extents.len();
        if rank != 1 {
            self.diagnostics.error_in_call(
                &call.method,
                format!("a list over `{}`, which has {}", base.name, counted(rank, "axis", "axes")),
                method.usage(),
            );
            return None;
        }
        if self.is_place(base) || base.list.is_some() || !self.is_whole(base) {
            let what = if base.list.is_some() {
                "a list"
            } else if self.is_place(base) {
                "a place"
            } else {
                "a view"
            };
            self.diagnostics.error_in_call(
                &call.method,
                format!("a list over `{}`, which is {what}", base.name),
                "a list has a block of its own: `Block::external(&mut memory[first..], [capacity]).list()`",
            );
            return None;
        }
        Some(self.new_list(base, count))
    }

    pub(in crate::bind) fn new_list(&mut self, base: &Rc<View>, count: Option<Expr>) -> Rc<View> {
        let end = self.names.fresh(&format!("{}_end", base.name));
        let empty = count.is_none();
        let capacity = base.space.extents[0].clone();
        let first: Expr = match count {
            Some(count) => {
                self.walk.effects.opaque();
                let most = self.program.hole(Hole::Value(capacity.clone(), ValueType::Usize));
                let (rt, kernel, name) = (&self.runtime, &self.program.name, &base.name);
                syn::parse_quote!(#rt.list_of(#kernel, #name, #count, #most))
            }
            None => syn::parse_quote!(0),
        };
        self.push(syn::parse_quote!(let mut #end: ::core::primitive::usize = #first;));
        let list = List { end, capacity, made: self.position(), empty, pushes: Vec::new(), changes: 0 };
        let list = Some(self.program.lists.push(list));
        Rc::new(View { list, ..(**base).clone() })
    }
}
