//! Statements under `#[cfg(..)]`, which rustc keeps or drops only after the macro has run.
//!
//! Whether such a statement is there cannot be known here, so nothing outside of it may depend on it: it is bound as
//! a branch of its own, its accesses are tested where they run, and the names it binds are never static.

use quote::ToTokens;
use syn::{Attribute, Expr, Local, Stmt};

use crate::ir::RegionKind;
use crate::static_eval;

use crate::bind::{Binder, Binding};
use crate::surface::pattern;

impl Binder<'_> {
    /// A statement that is there under `conditions`.
    pub(in crate::bind) fn conditional(&mut self, conditions: Vec<Attribute>, statement: &Stmt) {
        if let Stmt::Local(local) = statement {
            return self.conditional_local(conditions, local);
        }
        let body = self.body(RegionKind::Branch, Vec::new(), |binder| {
            binder.statements(std::slice::from_ref(statement));
        });
        let block = self.block_of(body);
        let block = syn::ExprBlock { attrs: conditions, label: None, block };
        self.push(Stmt::Expr(Expr::Block(block), None));
    }

    fn conditional_local(&mut self, conditions: Vec<Attribute>, local: &Local) {
        let mut result = local.clone();
        result.attrs.extend(conditions);
        if let Some(init) = &mut result.init {
            let is_stage = self.stage_call(&init.expr).is_some();
            if is_stage || self.is_tensor(&init.expr) {
                let what = if is_stage { "stage" } else { "tensor" };
                self.diagnostics.error(
                    result.attrs[0].to_token_stream(),
                    format!("a {what} is declared under `#[cfg]`"),
                    "`#[cfg]` is evaluated after the macro has run; put it on the whole kernel",
                );
                if let Some((name, ..)) = pattern::simple(&local.pat) {
                    self.bind_broken(name);
                }
                return;
            }
            *init.expr = self.arm(&init.expr, Vec::new());
            if let Some((_, otherwise)) = &mut init.diverge {
                **otherwise = self.arm(otherwise, Vec::new());
                self.walk.effects.opaque();
            }
        }
        // Where the statement is dropped, the name means what it meant before: a local then, too.
        if let Some((name, ..)) = pattern::simple(&local.pat)
            && let Some(Binding::Static(value)) = self.scopes.get(name)
        {
            let value = static_eval::literal(value, name.span());
            let before = self.local_name(name);
            self.push(syn::parse_quote!(let #before = #value;));
        }
        result.pat = self.pattern(&local.pat);
        self.push(Stmt::Local(result));
        let here = self.position();
        if let Some((name, ..)) = pattern::simple(&local.pat)
            && let Some(Binding::Local(bound)) = self.scopes.get_mut(name)
        {
            bound.defined = here;
        }
    }
}
