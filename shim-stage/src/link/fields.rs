//! Kernels that take located structs: each field gets a name, and each tensor among them a block.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Block, Expr, ExprAssign, ExprBinary, ExprReference, FnArg, Item, ItemFn, Macro, Meta, Pat,
    PatIdent, Path, Result, Type,
};

use crate::diagnostics::Diagnostics;
use crate::hygiene::{self, CHECKED};
use crate::parse::signature::{take_placements, take_shape};
use crate::surface::std_macro;
use crate::surface::tensor_type::is_runtime_tensor;
use crate::surface::{self, HelperAttribute};

use super::declaration::{Checked, Declaration, FieldPath, Tensor};
use super::located::placement_calls;

/// A parameter that is a located struct.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// Its name, or `self`.
    pub(super) name: Ident,
    /// The struct, which is a macro as well.
    pub(super) path: Path,
    /// Whether the kernel may write its fields, as far as the signature shows it.
    mutable: bool,
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
                    let mutable = receiver.mutability.is_some();
                    found.extend(one(attribute, &name, None, mutable, &mut diagnostics));
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
        let mutable = match input {
            FnArg::Typed(syn::PatType { ty, pat, .. }) => is_mutable(ty)
                .unwrap_or_else(|| matches!(&**pat, Pat::Ident(name) if name.mutability.is_some())),
            FnArg::Receiver(_) => false,
        };
        found.extend(one(attribute, name, ty, mutable, &mut diagnostics));
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
    mutable: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Taken> {
    let Some(path) = struct_path(attribute, ty) else {
        diagnostics.error(
            attribute,
            format!("the type of `{name}` does not name a located struct"),
            "write the struct's path into the attribute, as in `#[located(Picture)] &self`",
        );
        return None;
    };
    Some(Taken { name: name.clone(), path, mutable })
}

/// Whether a reference is `&mut`.
fn is_mutable(ty: &Type) -> Option<bool> {
    match ty {
        Type::Paren(inner) => is_mutable(&inner.elem),
        Type::Group(inner) => is_mutable(&inner.elem),
        Type::Reference(reference) => Some(reference.mutability.is_some()),
        _ => None,
    }
}

/// The struct of an attribute `#[located]` before something of type `ty`, or of `#[located(path)]`, without generic arguments.
pub(super) fn struct_path(attribute: &Attribute, ty: Option<&Type>) -> Option<Path> {
    let path = match &attribute.meta {
        Meta::List(list) => syn::parse2::<Path>(list.tokens.clone()).ok(),
        _ => ty.and_then(named).filter(|path| !path.is_ident("Self")).cloned(),
    };
    let mut path = path?;
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    Some(path)
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
    let misused = std::mem::take(&mut names.diagnostics);
    misused.finish().map_or(Ok(()), Err)?;
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
        for tensor in &declaration.tensors {
            let Tensor { owner, shape, placements, .. } = tensor;
            let path = tensor.path();
            let Some(name) = names.mentioned(of, &path).cloned() else { continue };
            let shape = shape.iter().map(|extent| names.extent(of, owner, extent.to_token_stream()));
            let shape: Vec<TokenStream> = shape.collect();
            let placements = names.extent(of, owner, placements.clone());
            let place = names.place(of, &path);
            // Lengths that were checked where the rows were made are not checked again.
            let checked = declaration.is_checked(owner).then(|| Ident::new(CHECKED, Span::call_site()));
            let checked = checked.map(|checked| quote!(, #checked));
            let made =
                quote!(let #name = #shim::Block::external(#place, [#(#shape),*] #checked) #placements;);
            tensors.push(written_at(&taken[of].name, made));
        }
    }
    for (of, declaration) in declarations.iter().enumerate() {
        for path in &declaration.extents {
            let Some(name) = names.mentioned(of, path).cloned() else { continue };
            let place = names.place(of, path);
            extents.push(written_at(&taken[of].name, quote!(let #name: usize = #place;)));
        }
    }
    let parts = names.bound();
    // Rows are told apart by the methods that give their fields.
    let of_their_own = taken.iter().zip(keys).zip(declarations);
    let of_their_own = of_their_own
        .filter(|(_, declaration)| declaration.checked.is_empty())
        .map(|((Taken { name, .. }, key), _)| written_at(name, quote!(#name.#key();)));
    let statements = &body.stmts;
    *function.block = syn::parse_quote!({ #(#of_their_own)* #(#parts)* #(#extents)* #(#tensors)* #(#slices)* #(#statements)* });
    Ok(())
}

/// A field of a located struct, in a kernel.
struct Field {
    /// The number of the parameter among those that are located structs.
    of: usize,
    /// Its path in the struct.
    path: FieldPath,
    /// Its name in the kernel.
    name: Ident,
    mentioned: bool,
}

/// A part of a located struct that has a local of its own, through which its fields are reached.
struct Part {
    /// The number of the parameter among those that are located structs.
    of: usize,
    /// Its path in the struct.
    path: FieldPath,
    kind: PartKind,
    /// The local.
    name: Ident,
    mentioned: bool,
}

/// Parts that rustc would not borrow beside one another if they were written as paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PartKind {
    /// An element of an array of fields.
    Element,
    /// The fields of a struct of rows, of this number in the declaration.
    Fields(usize),
}

/// The names of the fields.
struct Names<'t> {
    taken: &'t [Taken],
    declarations: &'t [Declaration],
    fields: Vec<Field>,
    /// Those around others come first.
    parts: Vec<Part>,
    diagnostics: Diagnostics,
}

impl<'t> Names<'t> {
    fn new(taken: &'t [Taken], declarations: &'t [Declaration], function: &TokenStream) -> Self {
        let names = hygiene::identifiers(function.clone());
        let mut known: BTreeSet<String> = names.map(|name| hygiene::text(&name)).collect();
        let mut fresh = |of: usize, path: &FieldPath, suffix: &str| {
            let mut text = format!("{}_{}{suffix}", hygiene::text(&taken[of].name), path.joined());
            while !known.insert(text.clone()) {
                text.push('_');
            }
            Ident::new(&text, taken[of].name.span())
        };
        let (mut fields, mut parts) = (Vec::new(), Vec::new());
        for (of, declaration) in declarations.iter().enumerate() {
            let tensors = declaration.tensors.iter().map(Tensor::path);
            for path in tensors.chain(declaration.extents.iter().cloned()) {
                let name = fresh(of, &path, "");
                fields.push(Field { of, path, name, mentioned: false });
            }
            let elements = declaration.arrays.iter().flat_map(|(array, count)| {
                (0..*count).map(|number| (array.element(number), PartKind::Element, "_field"))
            });
            let rows = declaration.checked.iter().enumerate();
            let rows = rows.map(|(number, rows)| (rows.owner.clone(), PartKind::Fields(number), "_fields"));
            for (path, kind, suffix) in elements.chain(rows) {
                let suffix = if path.len() == 0 { &suffix[1..] } else { suffix };
                let name = fresh(of, &path, suffix);
                parts.push(Part { of, path, kind, name, mentioned: false });
            }
        }
        parts.sort_by_key(|part| (part.path.len(), part.kind));
        Self { taken, declarations, fields, parts, diagnostics: Diagnostics::default() }
    }

    /// Where a field is: in the parameter, or in the innermost part around it. From now on these parts are mentioned.
    fn place(&mut self, of: usize, path: &FieldPath) -> TokenStream {
        for part in self.parts.iter_mut().filter(|part| part.of == of && part.path.starts(path)) {
            part.mentioned = true;
        }
        self.place_above(of, path)
    }

    /// The same of a field or a part that is mentioned already.
    fn place_above(&self, of: usize, path: &FieldPath) -> TokenStream {
        let around = self.parts.iter().rev().find(|part| {
            let holds = match part.kind {
                PartKind::Element => part.path.len() <= path.len(),
                PartKind::Fields(_) => part.path.len() < path.len(),
            };
            part.of == of && holds && part.path.starts(path)
        });
        let Some(part) = around else {
            let taken = &self.taken[of].name;
            return quote!(#taken #path);
        };
        let (name, rest) = (&part.name, path.behind(part.path.len()));
        quote!(#name #rest)
    }

    /// The statements that bind the parts that are mentioned.
    fn bound(&self) -> Vec<TokenStream> {
        let mut statements = Vec::new();
        for part in self.parts.iter().filter(|part| part.mentioned) {
            let taken = &self.taken[part.of];
            let name = &part.name;
            let statement = match part.kind {
                PartKind::Fields(number) => {
                    let Checked { owner, shared, mutable, key } = &self.declarations[part.of].checked[number];
                    let place = self.place_above(part.of, owner);
                    // Structs of rows among the fields are borrowed mutably for theirs.
                    if taken.mutable {
                        quote!(let mut #name = #place.#mutable::<#key>();)
                    } else {
                        quote!(let #name = #place.#shared::<#key>();)
                    }
                }
                PartKind::Element => match self.elements(part, taken.mutable) {
                    Some(statement) => statement,
                    None => continue,
                },
            };
            statements.push(written_at(&taken.name, statement));
        }
        statements
    }

    /// The statement that takes an array of fields apart, at its first element that is mentioned: rustc would take two elements of one
    /// for the same.
    fn elements(&self, first: &Part, mutable: bool) -> Option<TokenStream> {
        let array = first.path.first(first.path.len() - 1);
        let elements: Vec<&Part> = self
            .parts
            .iter()
            .filter(|part| {
                part.of == first.of
                    && part.kind == PartKind::Element
                    && part.path.len() == first.path.len()
                    && array.starts(&part.path)
            })
            .collect();
        if !elements.iter().find(|part| part.mentioned).is_some_and(|part| part.path.is_same(&first.path)) {
            return None;
        }
        let place = self.place_above(first.of, &array);
        let declaration = &self.declarations[first.of];
        let (borrow, mutability) = if !mutable {
            (Some(quote!(&)), None)
        } else if declaration.checked.is_empty() {
            (Some(quote!(&mut)), None)
        } else if declaration.is_checked(&array.first(array.len() - 1)) {
            // The fields of rows are at hand by value.
            (None, Some(quote!(mut)))
        } else {
            // They have structs without rows by `&`.
            (Some(quote!(&)), None)
        };
        let names = elements.iter().map(|part| {
            let name = &part.name;
            if part.mentioned { quote!(#mutability #name) } else { quote!(_) }
        });
        Some(quote!(let [#(#names),*] = #borrow #place;))
    }

    /// The name of a field, if it is mentioned.
    fn mentioned(&self, of: usize, path: &FieldPath) -> Option<&Ident> {
        let known = self.fields.iter().find(|known| known.of == of && known.path.is_same(path));
        known.filter(|known| known.mentioned).map(|known| &known.name)
    }

    /// The name of the field that `taken` and the tokens behind it are, shown where that is written, and the number of these
    /// tokens.
    fn field(&mut self, taken: &Ident, behind: &[TokenTree]) -> Option<(Ident, usize)> {
        let of = self.taken.iter().position(|known| hygiene::same(&known.name, taken))?;
        let (path, lengths) = FieldPath::read(behind);
        for count in (1..=path.len()).rev() {
            let length = lengths[..count].iter().sum();
            let path = path.first(count);
            if let Some(name) = self.named(of, &path) {
                return Some((name, length));
            }
            let is_array = self.declarations[of].arrays.iter().any(|(array, _)| array.is_same(&path));
            if let Some(TokenTree::Group(index)) = behind.get(length).filter(|_| is_array)
                && index.delimiter() == Delimiter::Bracket
            {
                self.diagnostics.error(
                    index,
                    format!("`{taken}{path}` is an array of fields, and this is not the number of one"),
                    "write the number as a literal, or let the kernel take the element itself",
                );
            }
        }
        None
    }

    fn named(&mut self, of: usize, path: &FieldPath) -> Option<Ident> {
        let known = self.fields.iter_mut().find(|known| known.of == of && known.path.is_same(path))?;
        known.mentioned = true;
        let mut name = known.name.clone();
        if let Some(field) = path.last_name() {
            name.set_span(name.span().located_at(field.span()));
        }
        Some(name)
    }

    /// Tokens with names in the place of fields, and whether there are any.
    fn rewrite(&mut self, tokens: TokenStream) -> (TokenStream, bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut out, mut changed, mut at) = (TokenStream::new(), false, 0);
        while let Some(token) = tokens.get(at) {
            // `other.picture.luma` is a field of another value, `0..picture.h` is not.
            let of_other = is_dot(tokens.get(at.wrapping_sub(1))) && !is_dot(tokens.get(at.wrapping_sub(2)));
            match token {
                TokenTree::Ident(taken) if !of_other => match self.field(taken, &tokens[at + 1..]) {
                    Some((name, length)) => {
                        out.extend([TokenTree::Ident(name)]);
                        (changed, at) = (true, at + length);
                    }
                    None => out.extend([token.clone()]),
                },
                TokenTree::Group(group) => {
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
    fn extent(&mut self, of: usize, owner: &FieldPath, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut in_path = false;
        for token in tokens {
            let colon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
            out.extend([match token {
                TokenTree::Ident(field) if !in_path => {
                    let path = owner.join(&FieldPath::of(&field));
                    TokenTree::Ident(self.named(of, &path).unwrap_or(field))
                }
                TokenTree::Group(group) => hygiene::regrouped(&group, self.extent(of, owner, group.stream())),
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

/// Reports what may give the name of a located struct another meaning, and extents that change: the fields were named by what they
/// are where the kernel begins.
fn reject_rebinding(body: &Block, names: &Names<'_>, declarations: &[Declaration]) -> Result<()> {
    let extents = names
        .fields
        .iter()
        .filter(|field| declarations[field.of].extents.iter().any(|extent| extent.is_same(&field.path)));
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
