//! What may give the name of a located struct another meaning.

use std::collections::{BTreeMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use syn::{Block, Expr, ExprAssign, ExprBinary, ExprReference, Item, Macro, PatIdent, Result};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::surface::{self, std_macro};
use crate::syntax::visit::{self, Visit};

use super::names::{Field, FieldNames};
use super::parameter::Taken;

/// Reports rebinding of a located struct or of its extents.
pub(super) fn reject(body: &Block, names: &FieldNames<'_>) -> Result<()> {
    let extents = names.extents().map(|field| (hygiene::text(&field.name), field)).collect();
    let macros = std_macro::defined(body);
    let mut rebound = Rebound { taken: names.taken, extents, macros, diagnostics: Diagnostics::default() };
    rebound.visit_block(body);
    rebound.diagnostics.finish().map_or(Ok(()), Err)
}

struct Rebound<'t> {
    taken: &'t [Taken],
    /// The extents by the texts of their names in the kernel.
    extents: BTreeMap<String, &'t Field>,
    /// The macros that the kernel defines.
    macros: HashSet<String>,
    diagnostics: Diagnostics,
}

impl Rebound<'_> {
    /// Reports a place that is written, if it is an extent.
    fn written(&mut self, place: &Expr) {
        let field = surface::ident(place).and_then(|name| self.extents.get(&hygiene::text(name)));
        if let Some(Field { of, path, .. }) = field {
            self.diagnostics.error(
                place,
                format!("`{}{path}` is an extent of tensors and is written", self.taken[*of].name),
                "a kernel reads it once, where it begins: change it outside",
            );
        }
    }

    fn is_taken(&self, name: &Ident) -> bool {
        self.taken.iter().any(|taken| hygiene::text(&taken.name) == hygiene::text(name))
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for name in hygiene::identifiers(tokens) {
            if self.is_taken(&name) && name != "self" {
                self.diagnostics.error(
                    &name,
                    format!("a macro is given the located struct `{name}` and may bind its name again"),
                    "give the macro what it needs under a name of its own, as in `let whole = picture;`",
                );
            }
        }
    }
}

impl<'ast> Visit<'ast> for Rebound<'_> {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        if self.taken.iter().any(|taken| hygiene::same(&taken.name, &pattern.ident)) {
            self.diagnostics.error(
                &pattern.ident,
                format!("`{}` is a located struct, and its name is bound again", pattern.ident),
                "give the new value another name",
            );
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
        self.written(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        if surface::is_assigning(&binary.op) {
            self.written(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast ExprReference) {
        if reference.mutability.is_some() {
            self.written(&reference.expr);
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let own = mac.path.get_ident().is_some_and(|name| self.macros.contains(&hygiene::text(name)));
        match std_macro::arguments(mac).filter(|_| !own) {
            Some(arguments) => arguments.visit(self),
            None => self.tokens(mac.tokens.clone()),
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        // Functions inside do not see the parameter, but its fields were named among their tokens as well.
        match item {
            Item::Macro(definition) => self.tokens(definition.mac.tokens.clone()),
            item => visit::visit_item(self, item),
        }
    }
}
