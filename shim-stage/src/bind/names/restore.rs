//! Names of a template that a caller's block hides.
//!
//! A template means by a name what it means where the template stands, and a kernel that calls it what it means beside
//! the kernel, as if the template were a function there. Blocks of callers do not take part: a name of the template
//! that one of them has, or may have, is imported before the kernel's body under another name, and back where the
//! template is staged.
//!
//! ```text
//! fn kernel(..) {
//!     use N as __shim_item_N;
//!     {
//!         const N: usize = 3;
//!         {
//!             use __shim_item_N as N;
//!             ..
//!         }
//!     }
//! }
//! ```
//!
//! rustc resolves both, in all namespaces. What no import can bring back is an error: macros that a block defines by
//! `macro_rules!`, and what a generic parameter of the kernel hides.
//!
//! A stage means by a name what it means where the stage is defined: that is where its names are imported.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Stmt, Type};

use crate::hygiene;
use crate::ir::{Hole, Order, ProgramPoint, RegionKind, StatementKind};

use crate::bind::Binder;
use crate::bind::names::outside::Outside;
use crate::bind::names::scope::{HiddenName, Home};

/// Names that a template's call brings back, each with that under which it was imported before the kernel's body.
pub(in crate::bind) struct Restored(Vec<(Ident, Ident)>);

impl Restored {
    /// No names.
    pub(in crate::bind) fn none() -> Self {
        Restored(Vec::new())
    }

    /// Whether no name has to be brought back.
    pub(in crate::bind) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of these names gets the meaning that it has for the template.
    pub(in crate::bind) fn brings_back(&self, names: &[Ident]) -> bool {
        self.0.iter().any(|(back, _)| names.iter().any(|name| hygiene::text(name) == hygiene::text(back)))
    }

    /// A type of the template's signature, for a place where its names are not brought back.
    pub(in crate::bind) fn ty(&self, ty: &Type) -> Type {
        struct PathRenaming<'r>(&'r Restored);
        impl VisitMut for PathRenaming<'_> {
            fn visit_path_mut(&mut self, path: &mut syn::Path) {
                if path.leading_colon.is_none()
                    && let Some(first) = path.segments.first_mut()
                    && let Some((_, import)) = self.0.0.iter().find(|(name, _)| *name == first.ident)
                {
                    first.ident = import.clone();
                }
                visit_mut::visit_path_mut(self, path);
            }
        }
        let mut ty = ty.clone();
        if !self.0.is_empty() {
            PathRenaming(self).visit_type_mut(&mut ty);
        }
        ty
    }
}

impl Binder<'_> {
    /// The names of a template that have to be brought back at `call`; none if that is not possible, with an error.
    pub(in crate::bind) fn restored(
        &mut self,
        outside: &Outside,
        home: Home,
        template: &str,
        call: &impl ToTokens,
    ) -> Option<Restored> {
        let mut found = Vec::new();
        let mut problems = Vec::new();
        let names = outside.names.iter().map(|(text, (name, value))| (text, name, *value, false));
        let macros = outside.macros.iter().map(|(text, name)| (text, name, false, true));
        for (text, name, value, is_macro) in names.chain(macros) {
            match self.scopes.hidden(home, text, is_macro) {
                None => {}
                Some(HiddenName::Macro) => problems.push((
                    format!("`{template}` calls `{text}!`, and this kernel defines a macro of that name"),
                    "give the macro of the kernel another name",
                )),
                Some(HiddenName::Generic) => problems.push((
                    format!("`{template}` names `{text}`, which a generic parameter of this kernel hides"),
                    "write the path from `crate::` in the template, or rename the parameter",
                )),
                // Emitted code may mention the local where the template is staged.
                Some(HiddenName::Item | HiddenName::Perhaps) if value && self.scopes.has_local(text) => {
                    problems.push((
                        format!("`{template}` names `{text}`, which is a local of this kernel as well"),
                        "write the path from `crate::` in the template, or rename the local",
                    ));
                }
                Some(HiddenName::Item | HiddenName::Perhaps) => found.push(name.clone()),
            }
        }
        for (text, (_, path)) in &outside.unseen {
            let hidden =
                self.scopes.hidden(home, text, true).or_else(|| self.scopes.hidden(home, text, false));
            if hidden.is_some_and(|by| by != HiddenName::Perhaps || *path) {
                problems.push((
                    format!("`{template}` has `{text}` among the tokens of a macro, and this kernel may hide that name"),
                    "write the path from `crate::` in the template, or rename what the kernel declares or imports",
                ));
            }
        }
        if let Some(method) = outside.method.as_ref().filter(|_| self.scopes.may_have_traits(home)) {
            problems.push((
                format!("`{template}` calls `{method}`, and a trait that a block of this kernel imports may have a method of that name"),
                "import traits outside the kernel; an import of another item is no trait if its name is in lower case",
            ));
        }
        let fine = problems.is_empty();
        for (message, help) in problems {
            // The generic parameters of a template are none of the kernel that it is staged into.
            self.diagnostics.error_in_call(call, message, help);
        }
        fine.then(|| Restored(found.into_iter().map(|name| self.imported(name, home)).collect()))
    }

    /// A name, and that under which it is imported at home.
    fn imported(&mut self, name: Ident, home: Home) -> (Ident, Ident) {
        if let Home::Block(region, _) = home {
            let text = self.names.fresh(&format!("__shim_stage_{}", hygiene::text(&name))).to_string();
            let import = Ident::new(&text, Span::call_site().located_at(name.span()));
            let statement = syn::parse_quote!(use #name as #import;);
            let first = ProgramPoint { region, statement: 0 };
            self.program.insert(first, Order::Constant, StatementKind::Rust(Box::new(statement)));
            return (name, import);
        }
        let known = self.program.restored.iter().find(|(known, _)| *known == name);
        let import = match known {
            Some((_, import)) => import.clone(),
            None => {
                let text = format!("__shim_item_{}", hygiene::text(&name));
                let import = Ident::new(&text, Span::call_site().located_at(name.span()));
                self.program.restored.push((name.clone(), import.clone()));
                import
            }
        };
        (name, import)
    }

    /// Lets `stage` write where names of a template are brought back.
    pub(in crate::bind) fn among(&mut self, restored: &Restored, stage: impl FnOnce(&mut Self)) {
        if restored.0.is_empty() {
            return stage(self);
        }
        let inner = self.body(RegionKind::Plain, Vec::new(), |binder| {
            for (name, import) in &restored.0 {
                binder.push(syn::parse_quote!(use #import as #name;));
            }
            let names = restored.0.iter().map(|(name, _)| hygiene::text(name)).collect();
            binder.scopes.enter_restored(binder.walk.region, names);
            stage(binder);
        });
        let hole = self.program.hole(Hole::Body(inner));
        self.push(Stmt::Expr(hole, None));
    }
}
