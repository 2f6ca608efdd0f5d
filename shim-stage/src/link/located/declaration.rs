//! The declaration of a located struct, as it travels to the kernels that take the struct.

use std::fmt::{self, Display, Formatter};

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt as _, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, LitInt, Result, Token, braced, bracketed, token};

use crate::hygiene;
use crate::parse::signature::PlacementAttribute;

/// The declaration of a located struct, as far as kernels need it: its own fields, and those of located structs in it.
#[derive(Clone, Debug, Default)]
pub(in crate::link) struct Declaration {
    /// The fields that are tensors.
    pub(super) tensors: Vec<Tensor>,
    /// The fields that extents mention, of type `usize`.
    pub(super) extents: Vec<FieldPath>,
    /// The fields that closures in shapes index, and the integers that they hold.
    pub(super) lists: Vec<(FieldPath, Ident)>,
    /// The arrays of fields, and the number of their elements.
    pub(super) arrays: Vec<(FieldPath, usize)>,
    /// The structs of rows and the views, whose lengths were checked where they were made.
    pub(super) checked: Vec<Checked>,
    /// The declaration of the struct of its rows.
    pub(super) rows: Option<Box<Declaration>>,
    /// The declaration of its view.
    pub(super) view: Option<Box<Declaration>>,
}

/// A struct of rows or a view: the one that the kernel takes, or one that is nested in it.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// The struct.
    pub(super) owner: FieldPath,
    /// The method that gives its fields, that which gives them mutably, and their key.
    pub(super) shared: Ident,
    pub(super) mutable: Ident,
    pub(super) key: LitInt,
}

/// A field that is a tensor.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    /// The field from the struct that declares it on.
    pub(super) field: FieldPath,
    /// That struct, from the one that the kernel takes on: empty unless it is nested.
    pub(super) owner: FieldPath,
    /// The extents: expressions of the owner's fields, literals, and paths from a crate's root.
    pub(super) shape: Vec<Expr>,
    /// The placements behind `Block::external`, as calls of methods.
    pub(super) placements: TokenStream,
}

/// The way from a struct to one of its fields: `.luma`, `.total.luma`, `.planes[2]`.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldPath(Vec<FieldStep>);

/// A step of this way.
#[derive(Clone, Debug)]
pub(super) enum FieldStep {
    /// A field.
    Name(Ident),
    /// An element of a field that is an array.
    Element(usize),
}

impl Declaration {
    /// Whether the lengths of this struct's fields were checked where it was made.
    pub(super) fn is_checked(&self, owner: &FieldPath) -> bool {
        self.checked.iter().any(|checked| checked.owner.is_same(owner))
    }

    /// Adds the fields of a located struct that is the field `path`.
    pub(super) fn nest(&mut self, path: &FieldPath, inner: &Self) {
        let within = |inner: &FieldPath| path.join(inner);
        self.tensors.extend(
            inner.tensors.iter().map(|tensor| Tensor { owner: within(&tensor.owner), ..tensor.clone() }),
        );
        self.extents.extend(inner.extents.iter().map(within));
        self.lists.extend(inner.lists.iter().map(|(list, ty)| (within(list), ty.clone())));
        self.arrays.extend(inner.arrays.iter().map(|(array, count)| (within(array), *count)));
        let checked = inner.checked.iter();
        self.checked
            .extend(checked.map(|checked| Checked { owner: within(&checked.owner), ..checked.clone() }));
    }
}

impl Tensor {
    /// The field from the struct that the kernel takes on.
    pub(super) fn path(&self) -> FieldPath {
        self.owner.join(&self.field)
    }
}

impl FieldPath {
    /// The path of a struct's own field.
    pub(super) fn of(name: &Ident) -> Self {
        Self(vec![FieldStep::Name(name.clone())])
    }

    /// The path of an element of this field.
    pub(super) fn element(&self, number: usize) -> Self {
        let mut path = self.clone();
        path.0.push(FieldStep::Element(number));
        path
    }

    /// The path that begins with this one and goes on with another.
    pub(super) fn join(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).cloned().collect())
    }

    /// The number of steps.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.starts(other) && self.0.len() == other.0.len()
    }

    /// Whether `other` begins with this path.
    pub(super) fn starts(&self, other: &Self) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a.is_same(b))
    }

    /// The path as a name: `total_luma`, `planes_2`.
    pub(super) fn joined(&self) -> String {
        let steps: Vec<String> = self.0.iter().map(FieldStep::text).collect();
        steps.join("_")
    }

    /// The longest path that some tokens begin with, and the number of tokens of each of its steps. A field behind
    /// which an argument list follows is a method.
    pub(super) fn read(tokens: &[TokenTree]) -> (Self, Vec<usize>) {
        let (mut path, mut lengths, mut at) = (Self::default(), Vec::new(), 0);
        while let Some((step, length)) = FieldStep::read(&tokens[at..]) {
            // The first step is a field.
            if path.0.is_empty() && matches!(step, FieldStep::Element(_)) {
                break;
            }
            path.0.push(step);
            lengths.push(length);
            at += length;
        }
        (path, lengths)
    }

    /// The path behind its first `count` steps.
    pub(super) fn behind(&self, count: usize) -> Self {
        Self(self.0[count..].to_vec())
    }

    /// The first `count` steps.
    pub(super) fn first(&self, count: usize) -> Self {
        Self(self.0[..count].to_vec())
    }

    /// The name of the last field.
    pub(super) fn last_name(&self) -> Option<&Ident> {
        self.0.iter().rev().find_map(|step| match step {
            FieldStep::Name(name) => Some(name),
            FieldStep::Element(_) => None,
        })
    }
}

impl FieldStep {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Name(a), Self::Name(b)) => hygiene::text(a) == hygiene::text(b),
            (Self::Element(a), Self::Element(b)) => a == b,
            _ => false,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Name(name) => hygiene::text(name),
            Self::Element(number) => number.to_string(),
        }
    }

    /// The step that tokens begin with, and the number of its tokens.
    fn read(tokens: &[TokenTree]) -> Option<(Self, usize)> {
        match tokens {
            [TokenTree::Punct(dot), TokenTree::Ident(name), rest @ ..] if dot.as_char() == '.' => {
                (!is_called(rest.first())).then(|| (Self::Name(name.clone()), 2))
            }
            [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Bracket => {
                let number = syn::parse2::<LitInt>(group.stream()).ok()?;
                Some((Self::Element(number.base10_parse().ok()?), 1))
            }
            _ => None,
        }
    }
}

/// Whether what stands before this token is a method.
fn is_called(token: Option<&TokenTree>) -> bool {
    match token {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        Some(TokenTree::Punct(punct)) => punct.as_char() == ':',
        _ => false,
    }
}

impl Display for FieldPath {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| match step {
            FieldStep::Name(name) => write!(f, ".{name}"),
            FieldStep::Element(number) => write!(f, "[{number}]"),
        })
    }
}

impl ToTokens for FieldPath {
    fn to_tokens(&self, out: &mut TokenStream) {
        for step in &self.0 {
            match step {
                FieldStep::Name(name) => {
                    out.append(Punct::new('.', Spacing::Alone));
                    out.append(name.clone());
                }
                FieldStep::Element(number) => {
                    let mut number = Literal::usize_unsuffixed(*number);
                    number.set_span(Span::call_site());
                    out.append(Group::new(Delimiter::Bracket, number.into_token_stream()));
                }
            }
        }
    }
}

impl Parse for FieldPath {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut path = Self::default();
        loop {
            if input.parse::<Option<Token![.]>>()?.is_some() {
                path.0.push(FieldStep::Name(input.parse()?));
            } else if input.peek(token::Bracket) {
                let number;
                bracketed!(number in input);
                path.0.push(FieldStep::Element(number.parse::<LitInt>()?.base10_parse()?));
            } else {
                return Ok(path);
            }
        }
    }
}

impl ToTokens for Declaration {
    fn to_tokens(&self, out: &mut TokenStream) {
        let Self { tensors, extents, lists, arrays, checked, rows, view } = self;
        let lists = lists.iter().map(|(list, ty)| quote!({ #list } #ty));
        let arrays = arrays.iter().map(|(array, count)| {
            let count = Literal::usize_unsuffixed(*count);
            quote!({ #array } #count)
        });
        out.extend(quote!([ #({ #extents })* ] [ #(#lists)* ] [ #(#arrays)* ]));
        let checked = checked
            .iter()
            .map(|Checked { owner, shared, mutable, key }| quote!({ #owner } #shared #mutable #key));
        out.extend(quote!([ #(#checked)* ]));
        if let Some(rows) = rows {
            out.extend(quote!(rows { #rows }));
        }
        if let Some(view) = view {
            out.extend(quote!(view { #view }));
        }
        for Tensor { field, owner, shape, placements } in tensors {
            out.extend(quote!({ { #owner } { #field } [ #(#shape),* ] { #placements } }));
        }
    }
}

impl Parse for Declaration {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut declaration = Declaration::default();
        let (extents, lists, arrays, checked);
        bracketed!(extents in input);
        while !extents.is_empty() {
            declaration.extents.push(path(&extents)?);
        }
        bracketed!(lists in input);
        while !lists.is_empty() {
            declaration.lists.push((path(&lists)?, lists.parse()?));
        }
        bracketed!(arrays in input);
        while !arrays.is_empty() {
            declaration.arrays.push((path(&arrays)?, arrays.parse::<LitInt>()?.base10_parse()?));
        }
        bracketed!(checked in input);
        while !checked.is_empty() {
            let owner = path(&checked)?;
            let (shared, mutable, key) = (checked.parse()?, checked.parse()?, checked.parse()?);
            declaration.checked.push(Checked { owner, shared, mutable, key });
        }
        while let Some(word) = input.parse::<Option<Ident>>()? {
            let other;
            braced!(other in input);
            let other = Some(Box::new(other.parse()?));
            if word == "rows" {
                declaration.rows = other;
            } else {
                declaration.view = other;
            }
        }
        while !input.is_empty() {
            let (tensor, shape, placements);
            braced!(tensor in input);
            let (owner, field) = (path(&tensor)?, path(&tensor)?);
            bracketed!(shape in tensor);
            braced!(placements in tensor);
            let shape = Punctuated::<Expr, Token![,]>::parse_terminated(&shape)?.into_iter().collect();
            let placements = placements.parse()?;
            declaration.tensors.push(Tensor { field, owner, shape, placements });
        }
        Ok(declaration)
    }
}

/// A path in braces.
fn path(input: ParseStream) -> Result<FieldPath> {
    let path;
    braced!(path in input);
    path.parse()
}

/// Attributes as calls of the methods that they are.
pub(super) fn placement_calls(placements: &[PlacementAttribute]) -> TokenStream {
    placements.iter().map(PlacementAttribute::call).collect()
}
