//! `let` of a point.

use syn::{Expr, Ident, Stmt};

use crate::surface;

use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// `let q = p.remove(axis);`: a point whose entries are locals. Says whether it is one.
    pub(in crate::bind) fn point_local(&mut self, name: &Ident, init: &Expr) -> bool {
        if !self.is_point(init) {
            return false;
        }
        let Some(entries) = self.point_entries(init) else {
            self.scopes.bind(name, Binding::Broken);
            return true;
        };
        let mut names = Vec::with_capacity(entries.len());
        for (axis, entry) in entries.iter().enumerate() {
            let own = match surface::ident(entry) {
                Some(own) => own.clone(),
                None => {
                    let own = self.names.fresh(&format!("{name}{axis}"));
                    if let Stmt::Local(local) = syn::parse_quote!(let #own = #entry;) {
                        self.local(&local);
                    }
                    own
                }
            };
            names.push(own);
        }
        self.scopes.bind(name, Binding::Point(names));
        true
    }
}
