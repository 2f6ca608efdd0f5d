//! Generic parameters of a template in its tokens.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{ExprPath, Ident, Type, TypePath};

use crate::hygiene::{self, Name};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

use crate::bind::names::scope::SourceFacts;
use crate::bind::names::source::Items;

/// Writes types in the place of type parameters.
pub(in crate::bind) struct Substitute<'t>(pub(in crate::bind) &'t [(Ident, Option<Type>)]);

impl Substitute<'_> {
    fn known(&self, name: &Ident) -> Option<&Type> {
        let (_, ty) = self.0.iter().find(|(param, _)| Name::of(param) == Name::of(name))?;
        ty.as_ref()
    }

    /// `T::MAX` with the type of `T`.
    fn path(&self, qself: &mut Option<syn::QSelf>, path: &mut syn::Path) {
        if qself.is_some() || path.leading_colon.is_some() || path.segments.len() < 2 {
            return;
        }
        let Some(ty) = self.known(&path.segments[0].ident) else { return };
        let rest: Vec<_> = path.segments.iter().skip(1).cloned().collect();
        if let Type::Path(TypePath { qself: None, path: named, .. }) = ty
            && named.segments.iter().all(|segment| segment.arguments.is_none())
        {
            let mut named = named.clone();
            named.segments.extend(rest);
            *path = named;
        } else {
            let made: TypePath = syn::parse_quote!(<#ty>::#(#rest)::*);
            (*qself, *path) = (made.qself, made.path);
        }
    }

    /// Substitutes among the tokens of a macro.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut written = TokenStream::new();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(name) => match self.known(&name) {
                    Some(ty) if matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':') =>
                    {
                        written.extend(quote!(<#ty>));
                    }
                    Some(ty) => ty.to_tokens(&mut written),
                    None => written.extend([TokenTree::Ident(name)]),
                },
                TokenTree::Group(group) => {
                    written.extend([hygiene::regrouped(&group, self.tokens(group.stream()))]);
                }
                other => written.extend([other]),
            }
        }
        written
    }
}

impl VisitMut for Substitute<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(TypePath { qself: None, path, .. }) = ty
            && let Some(known) = path.get_ident().and_then(|name| self.known(name))
        {
            *ty = known.clone();
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        self.path(&mut path.qself, &mut path.path);
        visit_mut::visit_type_path_mut(self, path);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        self.path(&mut path.qself, &mut path.path);
        visit_mut::visit_expr_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.tokens(mac.tokens.clone());
    }

    /// An item sees nothing of the generics around it.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The items of a function's blocks.
pub(in crate::bind) struct BlockItems<'s> {
    pub(in crate::bind) source: &'s SourceFacts,
    pub(in crate::bind) items: Items,
}

impl<'ast> Visit<'ast> for BlockItems<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let Items { names, more, .. } = Items::of(&block.stmts, self.source);
        self.items.names.extend(names);
        self.items.more |= more;
        visit::visit_block(self, block);
    }
}

/// Whether a name is mentioned outside of items.
pub(in crate::bind) struct NameSearch<'n>(pub(in crate::bind) &'n Ident, pub(in crate::bind) bool);

impl<'ast> Visit<'ast> for NameSearch<'_> {
    fn visit_ident(&mut self, name: &'ast Ident) {
        self.1 |= Name::of(name) == Name::of(self.0);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.1 |= hygiene::identifiers(mac.tokens.clone()).any(|name| Name::of(&name) == Name::of(self.0));
        visit::visit_macro(self, mac);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
