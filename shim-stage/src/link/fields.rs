//! Kernels that take located structs: each field gets a name, and each tensor among them a block.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Expr, ExprAssign, ExprBinary, ExprReference, FnArg, Item, ItemFn, Macro, Meta, Pat,
    PatIdent, Path, Result, Type,
};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::parse::signature::{take_placements, take_shape};
use crate::surface::std_macro;
use crate::surface::tensor_type::is_runtime_tensor;
use crate::surface::{self, HelperAttribute};

use super::located::{Declaration, Tensor, placement_calls};

/// A parameter that is a located struct.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// Its name, or `self`.
    pub(super) name: Ident,
    /// The struct, which is a macro as well.
    pub(super) path: Path,
}

/// The parameters of `function` that are located structs.
pub(super) fn taken(function: &ItemFn) -> Result<Vec<Taken>> {
    let mut found = Vec::new();
    let mut diagnostics = Diagnostics::default();
    for input in &function.sig.inputs {
        let (attributes, name, ty) = match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) if name.subpat.is_none() => {
                    (&typed.attrs, Some(&name.ident), Some(&*typed.ty))
                }
                _ => (&typed.attrs, None, Some(&*typed.ty)),
            },
            FnArg::Receiver(receiver) => {
                let name = Ident::new("self", receiver.self_token.span);
                if let Some(attribute) = located(&receiver.attrs) {
                    found.extend(one(attribute, &name, None, &mut diagnostics));
                }
                continue;
            }
        };
        let Some(attribute) = located(attributes) else { continue };
        let Some(name) = name else {
            diagnostics.error(
                input,
                "a located struct is taken by a plain name",
                "name it, as in `#[located] picture: &Picture`: its fields are `picture.luma` and so on",
            );
            continue;
        };
        if let Some(other) = attributes
            .iter()
            .find(|other| HelperAttribute::Shape.is(other) || surface::placement(other.path()).is_some())
        {
            diagnostics.error(
                other,
                "a shape or a placement on a located struct",
                "the struct says where its fields are: remove it here",
            );
        }
        found.extend(one(attribute, name, ty, &mut diagnostics));
    }
    diagnostics.finish().map_or(Ok(found), Err)
}

/// The `#[located]` among attributes.
fn located(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| HelperAttribute::Located.is(attribute))
}

/// The parameter of an attribute `#[located]`, or `#[located(path)]` where the type does not name the struct.
fn one(
    attribute: &Attribute,
    name: &Ident,
    ty: Option<&Type>,
    diagnostics: &mut Diagnostics,
) -> Option<Taken> {
    let path = match &attribute.meta {
        Meta::List(list) => syn::parse2::<Path>(list.tokens.clone()).ok(),
        _ => ty.and_then(named).filter(|path| !path.is_ident("Self")).cloned(),
    };
    let Some(mut path) = path else {
        diagnostics.error(
            attribute,
            format!("the type of `{name}` does not name a located struct"),
            "write the struct's path into the attribute, as in `#[located(Picture)] &self`",
        );
        return None;
    };
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    Some(Taken { name: name.clone(), path })
}

/// The path in `&mut Picture<'_>`.
fn named(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Reference(reference) => named(&reference.elem),
        Type::Paren(inner) => named(&inner.elem),
        Type::Group(inner) => named(&inner.elem),
        Type::Path(path) if path.qself.is_none() => Some(&path.path),
        _ => None,
    }
}

/// Names the fields of located structs, and makes blocks of those that are tensors.
pub(super) fn name(
    function: &mut ItemFn,
    taken: &[Taken],
    declarations: &[Declaration],
    keys: &[Ident],
    shim: &TokenStream,
) -> Result<()> {
    let mut names = Names::new(taken, declarations, &function.to_token_stream());
    for input in &mut function.sig.inputs {
        let (FnArg::Typed(syn::PatType { attrs, .. }) | FnArg::Receiver(syn::Receiver { attrs, .. })) = input;
        attrs.retain(|attribute| !HelperAttribute::Located.is(attribute));
    }
    let (body, _) = names.rewrite(function.block.to_token_stream());
    let body: Block = syn::parse2(body)?;
    reject_rebinding(&body, &names, declarations)?;
    // The shape of a slice may measure by a field: then its block is made behind the fields.
    let mut slices = Vec::new();
    for input in &mut function.sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Pat::Ident(pattern) = &*typed.pat else { continue };
        let attributes = typed.attrs.iter().map(ToTokens::to_token_stream).collect();
        let (attributes, changed) = names.rewrite(attributes);
        if changed && !is_runtime_tensor(&typed.ty) {
            let mut attributes = Attribute::parse_outer.parse2(attributes)?;
            let mut diagnostics = Diagnostics::default();
            let shape = take_shape(&mut attributes, &mut diagnostics).unwrap_or_default();
            let placements = take_placements(&mut attributes, &mut diagnostics);
            diagnostics.finish().map_or(Ok(()), Err)?;
            typed.attrs = attributes;
            let name = &pattern.ident;
            let placements = placement_calls(&placements);
            let made = quote!(let #name = #shim::Block::external(#name, [#(#shape),*]) #placements;);
            slices.push(written_at(name, made));
        }
    }
    let (mut extents, mut tensors) = (Vec::new(), Vec::new());
    for (of, declaration) in declarations.iter().enumerate() {
        for Tensor { name: field, shape, placements } in &declaration.tensors {
            let Some(name) = names.mentioned(of, field).cloned() else { continue };
            let shape = shape.iter().map(|extent| names.extent(of, extent.to_token_stream()));
            let shape: Vec<TokenStream> = shape.collect();
            let placements = names.extent(of, placements.clone());
            let taken = &taken[of].name;
            let made = quote!(let #name = #shim::Block::external(#taken.#field, [#(#shape),*]) #placements;);
            tensors.push(written_at(taken, made));
        }
    }
    for (of, declaration) in declarations.iter().enumerate() {
        for field in &declaration.extents {
            let Some(name) = names.mentioned(of, field) else { continue };
            let taken = &taken[of].name;
            extents.push(written_at(taken, quote!(let #name: usize = #taken.#field;)));
        }
    }
    let of_their_own =
        taken.iter().zip(keys).map(|(Taken { name, .. }, key)| written_at(name, quote!(#name.#key();)));
    let statements = &body.stmts;
    *function.block =
        syn::parse_quote!({ #(#of_their_own)* #(#extents)* #(#tensors)* #(#slices)* #(#statements)* });
    Ok(())
}

/// A field of a located struct, in a kernel.
struct Field {
    /// The number of the parameter among those that are located structs.
    of: usize,
    /// Its name in the struct.
    declared: Ident,
    /// Its name in the kernel.
    name: Ident,
    mentioned: bool,
}

/// The names of the fields.
struct Names<'t> {
    taken: &'t [Taken],
    fields: Vec<Field>,
}

impl<'t> Names<'t> {
    fn new(taken: &'t [Taken], declarations: &[Declaration], function: &TokenStream) -> Self {
        let names = hygiene::identifiers(function.clone());
        let mut known: BTreeSet<String> = names.map(|name| hygiene::text(&name)).collect();
        let mut fields = Vec::new();
        for (of, declaration) in declarations.iter().enumerate() {
            let tensors = declaration.tensors.iter().map(|tensor| &tensor.name);
            for field in tensors.chain(&declaration.extents) {
                let mut text = format!("{}_{}", hygiene::text(&taken[of].name), hygiene::text(field));
                while !known.insert(text.clone()) {
                    text.push('_');
                }
                let name = Ident::new(&text, taken[of].name.span());
                fields.push(Field { of, declared: field.clone(), name, mentioned: false });
            }
        }
        Self { taken, fields }
    }

    /// The name of a field, if it is mentioned.
    fn mentioned(&self, of: usize, field: &Ident) -> Option<&Ident> {
        let text = hygiene::text(field);
        let known = self.fields.iter().find(|known| known.of == of && hygiene::text(&known.declared) == text);
        known.filter(|known| known.mentioned).map(|known| &known.name)
    }

    /// The name that stands for `taken.field`, shown where that is written.
    fn field(&mut self, taken: &Ident, field: &Ident) -> Option<Ident> {
        let of = self.taken.iter().position(|known| hygiene::same(&known.name, taken))?;
        self.named(of, field)
    }

    fn named(&mut self, of: usize, field: &Ident) -> Option<Ident> {
        let text = hygiene::text(field);
        let known =
            self.fields.iter_mut().find(|known| known.of == of && hygiene::text(&known.declared) == text)?;
        known.mentioned = true;
        let mut name = known.name.clone();
        name.set_span(name.span().located_at(field.span()));
        Some(name)
    }

    /// Tokens with names in the place of fields, and whether there are any.
    fn rewrite(&mut self, tokens: TokenStream) -> (TokenStream, bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut out, mut changed, mut at) = (TokenStream::new(), false, 0);
        while let Some(token) = tokens.get(at) {
            // `other.picture.luma` is a field of another value, `0..picture.h` is not.
            let of_other = is_dot(tokens.get(at.wrapping_sub(1))) && !is_dot(tokens.get(at.wrapping_sub(2)));
            match (token, tokens.get(at + 1), tokens.get(at + 2)) {
                (TokenTree::Ident(taken), dot, Some(TokenTree::Ident(field)))
                    if !of_other && is_dot(dot) && !is_called(tokens.get(at + 3)) =>
                {
                    if let Some(name) = self.field(taken, field) {
                        out.extend([TokenTree::Ident(name)]);
                        (changed, at) = (true, at + 3);
                        continue;
                    }
                    out.extend([token.clone()]);
                }
                (TokenTree::Group(group), ..) => {
                    let (inner, within) = self.rewrite(group.stream());
                    out.extend([hygiene::regrouped(group, inner)]);
                    changed |= within;
                }
                _ => out.extend([token.clone()]),
            }
            at += 1;
        }
        (out, changed)
    }

    /// The tokens of an extent in a declaration, where fields stand without their struct.
    fn extent(&mut self, of: usize, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut in_path = false;
        for token in tokens {
            let colon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
            out.extend([match token {
                TokenTree::Ident(field) if !in_path => {
                    TokenTree::Ident(self.named(of, &field).unwrap_or(field))
                }
                TokenTree::Group(group) => hygiene::regrouped(&group, self.extent(of, group.stream())),
                other => other,
            }]);
            in_path = colon;
        }
        out
    }
}

/// Statements as if they were written where the kernel takes `taken`. The macro that carries a declaration gives the names in it a
/// syntax context of its own, which `$crate` needs and no other name may have.
fn written_at(taken: &Ident, statements: TokenStream) -> TokenStream {
    let here = |token| match token {
        TokenTree::Ident(mut name) => {
            if !hygiene::is_dollar_crate(&name) {
                name.set_span(taken.span());
            }
            TokenTree::Ident(name)
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), written_at(taken, group.stream()));
            inner.set_span(taken.span());
            TokenTree::Group(inner)
        }
        mut other => {
            other.set_span(taken.span());
            other
        }
    };
    statements.into_iter().map(here).collect()
}

fn is_dot(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '.')
}

/// Whether what stands before this token is a method.
fn is_called(token: Option<&TokenTree>) -> bool {
    match token {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        Some(TokenTree::Punct(punct)) => punct.as_char() == ':',
        _ => false,
    }
}

/// Reports what may give the name of a located struct another meaning, and extents that change: the fields were named by what they
/// are where the kernel begins.
fn reject_rebinding(body: &Block, names: &Names<'_>, declarations: &[Declaration]) -> Result<()> {
    let extents =
        names.fields.iter().filter(|field| declarations[field.of].extents.contains(&field.declared));
    let extents = extents.map(|field| (hygiene::text(&field.name), field)).collect();
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
        if let Some(Field { of, declared, .. }) = field {
            self.diagnostics.error(
                place,
                format!("`{}.{declared}` is an extent of tensors and is written", self.taken[*of].name),
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
