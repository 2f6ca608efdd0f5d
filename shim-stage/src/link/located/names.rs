//! The names that the fields of located structs have in a kernel.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::diagnostics::Diagnostics;
use crate::hygiene::{self, CHECKED};

use super::declaration::{Checked, Declaration, FieldPath, Tensor};
use super::parameter::Taken;

/// A field of a located struct, in a kernel.
pub(super) struct Field {
    /// The number of the parameter among those that are located structs.
    pub(super) of: usize,
    /// Its path in the struct.
    pub(super) path: FieldPath,
    /// Its name in the kernel.
    pub(super) name: Ident,
    mentioned: bool,
}

/// A part of a located struct that has a local of its own, through which its fields are reached.
struct StructPart {
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
pub(super) struct FieldNames<'t> {
    pub(super) taken: &'t [Taken],
    declarations: &'t [Declaration],
    shim: &'t TokenStream,
    fields: Vec<Field>,
    /// Those around others come first.
    parts: Vec<StructPart>,
    pub(super) diagnostics: Diagnostics,
}

impl<'t> FieldNames<'t> {
    pub(super) fn new(
        taken: &'t [Taken],
        declarations: &'t [Declaration],
        shim: &'t TokenStream,
        function: &TokenStream,
    ) -> Self {
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
            let lists = declaration.lists.iter().map(|(list, _)| list.clone());
            for path in tensors.chain(declaration.extents.iter().cloned()).chain(lists) {
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
                parts.push(StructPart { of, path, kind, name, mentioned: false });
            }
        }
        parts.sort_by_key(|part| (part.path.len(), part.kind));
        Self { taken, declarations, shim, fields, parts, diagnostics: Diagnostics::default() }
    }

    /// Where a field is: in the parameter, or in the innermost part around it. From now on these parts are mentioned.
    pub(super) fn place(&mut self, of: usize, path: &FieldPath) -> TokenStream {
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
    pub(super) fn bound(&self) -> Vec<TokenStream> {
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

    /// The statement that takes an array of fields apart, at its first element that is mentioned: rustc would take two
    /// elements of one for the same.
    fn elements(&self, first: &StructPart, mutable: bool) -> Option<TokenStream> {
        let array = first.path.first(first.path.len() - 1);
        let elements: Vec<&StructPart> = self
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
    pub(super) fn mentioned(&self, of: usize, path: &FieldPath) -> Option<&Ident> {
        let known = self.fields.iter().find(|known| known.of == of && known.path.is_same(path));
        known.filter(|known| known.mentioned).map(|known| &known.name)
    }

    /// What stands for the field that `taken` and the tokens behind it are, shown where that is written, and the number
    /// of these tokens: its name, or a block if it is the element of an array that a number of the run time has.
    fn field(&mut self, taken: &Ident, behind: &[TokenTree]) -> Option<(TokenStream, usize)> {
        let of = self.taken.iter().position(|known| hygiene::same(&known.name, taken))?;
        let (path, lengths) = FieldPath::read(behind);
        for count in (1..=path.len()).rev() {
            let length = lengths[..count].iter().sum();
            let path = path.first(count);
            if let Some(name) = self.named(of, &path) {
                return Some((name.into_token_stream(), length));
            }
            let is_array = self.declarations[of].arrays.iter().any(|(array, _)| array.is_same(&path));
            if let Some(TokenTree::Group(index)) = behind.get(length).filter(|_| is_array)
                && index.delimiter() == Delimiter::Bracket
            {
                if let Some(block) = self.any_element(of, &path, index) {
                    return Some((block, length + 1));
                }
                self.diagnostics.error(
                    index,
                    format!("`{taken}{path}` is an array of fields, and this is not the number of one"),
                    "write the number as a literal, or let the kernel take the element itself",
                );
            }
        }
        None
    }

    /// The block of an element of an array of tensors that are only read. Which one it is, is known at run time.
    fn any_element(&mut self, of: usize, array: &FieldPath, index: &Group) -> Option<TokenStream> {
        let declaration = &self.declarations[of];
        let first = array.element(0);
        let tensor = declaration.tensors.iter().find(|tensor| tensor.path().is_same(&first))?;
        // A literal is not the number of an element, or it would be a field.
        let is_literal = syn::parse2::<syn::LitInt>(index.stream()).is_ok();
        if self.taken[of].mutable || is_literal {
            return None;
        }
        let (index, _) = self.rewrite(index.stream());
        let place = self.place(of, array);
        let place = written_at(&self.taken[of].name, quote!(&#place));
        Some(self.block(of, tensor, &quote!(#place[#index])))
    }

    /// The block of a tensor in this memory.
    pub(super) fn block(&mut self, of: usize, tensor: &Tensor, memory: &TokenStream) -> TokenStream {
        let Tensor { owner, shape, placements, .. } = tensor;
        let shape: Vec<TokenStream> =
            shape.iter().map(|extent| self.extent(of, owner, extent.to_token_stream())).collect();
        let placements = self.extent(of, owner, placements.clone());
        // Lengths that were checked where the rows were made are not checked again.
        let checked = self.declarations[of].is_checked(owner);
        let checked =
            checked.then(|| Ident::new(CHECKED, Span::call_site())).map(|checked| quote!(, #checked));
        let (shim, taken) = (self.shim, &self.taken[of].name);
        let block = written_at(taken, quote!(#shim::Block::external));
        let shape = written_at(taken, quote!([#(#shape),*] #checked));
        let placements = written_at(taken, placements);
        quote!(#block(#memory, #shape) #placements)
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
    pub(super) fn rewrite(&mut self, tokens: TokenStream) -> (TokenStream, bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut out, mut changed, mut at) = (TokenStream::new(), false, 0);
        while let Some(token) = tokens.get(at) {
            // `other.picture.luma` is a field of another value, `0..picture.h` is not.
            let of_other = is_dot(tokens.get(at.wrapping_sub(1))) && !is_dot(tokens.get(at.wrapping_sub(2)));
            match token {
                TokenTree::Ident(taken) if !of_other => match self.field(taken, &tokens[at + 1..]) {
                    Some((field, length)) => {
                        out.extend(field);
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
    pub(super) fn extent(&mut self, of: usize, owner: &FieldPath, tokens: TokenStream) -> TokenStream {
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

    /// The fields that are extents, or lists of them.
    pub(super) fn extents(&self) -> impl Iterator<Item = &Field> {
        let is_extent = |field: &&Field| {
            let Declaration { extents, lists, .. } = &self.declarations[field.of];
            let mut all = extents.iter().chain(lists.iter().map(|(list, _)| list));
            all.any(|extent| extent.is_same(&field.path))
        };
        self.fields.iter().filter(is_extent)
    }
}

/// Statements as if they were written where the kernel takes `taken`. The macro that carries a declaration gives the
/// names in it a syntax context of its own, which `$crate` needs and no other name may have.
pub(super) fn written_at(taken: &Ident, statements: TokenStream) -> TokenStream {
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
