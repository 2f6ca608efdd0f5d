//! Types that a block between their place and their use may hide.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Type;

use crate::hygiene;
use crate::ir::ElementType;
use crate::parse::signature::is_number;

use crate::bind::Binder;

impl Binder<'_> {
    /// Whether a block between here and the place where a type was written may give its name to another type.
    pub(in crate::bind) fn is_hidden(&self, element: &ElementType) -> bool {
        let names: Vec<Ident> = hygiene::identifiers(element.ty.to_token_stream()).collect();
        self.scopes.may_hide(&names, element.region)
    }

    /// A type whose name an item or a macro may hide: a primitive number by its full path, any other with an error.
    pub(in crate::bind) fn unhidden(&mut self, ty: &Type, tokens: impl ToTokens) -> Type {
        if is_number(ty) {
            return syn::parse_quote!(::core::primitive::#ty);
        }
        if matches!(ty, Type::Path(path) if path.path.leading_colon.is_some()) {
            return ty.clone();
        }
        self.diagnostics.error(
            tokens,
            format!("the type `{}` may be another one where its elements are used", ty.to_token_stream()),
            "an item, an import or a macro in a block around this may define it: move it out of the kernel or the template",
        );
        ty.clone()
    }
}
