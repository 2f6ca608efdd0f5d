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
use syn::{Path, Stmt, Type};

use crate::hygiene;
use crate::ir::{Hole, Order, ProgramPoint, RegionKind, StatementKind};
use crate::syntax::visit_mut::{self, VisitMut};

use crate::bind::Binder;
use crate::bind::names::home::HomeModule;
use crate::bind::names::outside::Outside;
use crate::bind::names::scope::{HiddenName, Home};

/// Names that a template's call brings back.
#[derive(Default)]
pub(in crate::bind) struct Restored {
    /// Those that blocks of the kernel hide, each with that under which it was imported before the kernel's body.
    hidden: Vec<(Ident, Ident)>,
    /// The module that gives others, and these.
    home: Option<(Path, Vec<Ident>)>,
}

impl Restored {
    /// Whether no name has to be brought back.
    pub(in crate::bind) fn is_empty(&self) -> bool {
        self.hidden.is_empty() && self.home.is_none()
    }

    fn names(&self) -> impl Iterator<Item = &Ident> {
        let of_home = self.home.iter().flat_map(|(_, names)| names);
        self.hidden.iter().map(|(name, _)| name).chain(of_home)
    }

    /// Whether one of these names gets the meaning that it has for the template.
    pub(in crate::bind) fn brings_back(&self, names: &[Ident]) -> bool {
        self.names().any(|back| names.iter().any(|name| hygiene::text(name) == hygiene::text(back)))
    }

    /// A type of the template's signature, for a place where its names are not brought back.
    pub(in crate::bind) fn ty(&self, ty: &Type) -> Type {
        struct PathRenaming<'r>(&'r Restored);
        impl VisitMut for PathRenaming<'_> {
            fn visit_path_mut(&mut self, path: &mut syn::Path) {
                let Restored { hidden, home } = self.0;
                if path.leading_colon.is_none()
                    && let Some(first) = path.segments.first_mut()
                {
                    if let Some((_, import)) = hidden.iter().find(|(name, _)| *name == first.ident) {
                        first.ident = import.clone();
                    } else if let Some((home, _)) =
                        home.as_ref().filter(|(_, names)| names.contains(&first.ident))
                    {
                        let own = std::mem::replace(path, home.clone());
                        path.segments.extend(own.segments);
                    }
                }
                visit_mut::visit_path_mut(self, path);
            }
        }
        let mut ty = ty.clone();
        if !self.is_empty() {
            PathRenaming(self).visit_type_mut(&mut ty);
        }
        ty
    }
}

impl Binder<'_> {
    /// The names of a template that `call` imports, those of the module that the template is in from there; none if that
    /// is not possible, with an error.
    pub(in crate::bind) fn restored_from(
        &mut self,
        outside: &Outside,
        home: &HomeModule,
        template: &str,
        call: &impl ToTokens,
    ) -> Option<Restored> {
        let of_home: Vec<(&Ident, bool)> = outside.of_home().collect();
        let is_of_home = |name: &Ident| of_home.iter().any(|(own, _)| *own == name);
        let hidden = self.hidden_names(outside, &is_of_home, Home::BesideKernel, (template, call))?;
        let imported = of_home.iter().filter(|(_, is_function)| !is_function);
        let imported: Vec<Ident> = imported.map(|(name, _)| (*name).clone()).collect();
        let home = (!imported.is_empty()).then(|| (home.path.clone(), imported));
        Some(Restored { hidden, home })
    }

    /// The names of a template that have to be brought back at `call`; none if that is not possible, with an error.
    pub(in crate::bind) fn restored(
        &mut self,
        outside: &Outside,
        home: Home,
        template: &str,
        call: &impl ToTokens,
    ) -> Option<Restored> {
        let hidden = self.hidden_names(outside, &|_| false, home, (template, call))?;
        Some(Restored { hidden, home: None })
    }

    /// The names of a template that blocks of the kernel hide, and those under which they are imported; `is_known` says
    /// which others are.
    fn hidden_names(
        &mut self,
        outside: &Outside,
        is_known: &dyn Fn(&Ident) -> bool,
        home: Home,
        (template, call): (&str, &impl ToTokens),
    ) -> Option<Vec<(Ident, Ident)>> {
        let mut found = Vec::new();
        let mut problems = Vec::new();
        let names = outside.names.iter().filter(|(_, (name, _))| !is_known(name));
        let names = names.map(|(text, (name, value))| (text, name, *value, false));
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
        fine.then(|| found.into_iter().map(|name| self.imported(name, home)).collect())
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
        if restored.is_empty() {
            return stage(self);
        }
        let inner = self.body(RegionKind::Plain, Vec::new(), |binder| {
            for (name, import) in &restored.hidden {
                binder.push(syn::parse_quote!(use #import as #name;));
            }
            if let Some((home, names)) = &restored.home {
                binder.push(syn::parse_quote!(use #home::{#(#names),*};));
            }
            let names = restored.names().map(hygiene::text).collect();
            binder.scopes.enter_restored(binder.walk.region, names);
            stage(binder);
        });
        let hole = self.program.hole(Hole::Body(inner));
        self.push(Stmt::Expr(hole, None));
    }
}
