//! Structs of rows: `#[shim::located(rows(h) as PictureRows)]` makes a second located struct, which has some rows of the first one
//! by `&mut`.
//!
//! Its tensors keep their places: they begin at the root's row where they begin in the whole. Its fields are out of reach for
//! everything but kernels, so that the lengths that were checked where it was made still hold (`src/private/located.rs`):
//!
//! ```text
//! struct PictureRows<'rows>(Checked<PictureRowsFields<'rows>, KEY>);
//! struct PictureRowsFields<'rows> { h: usize, first_row: usize, w: usize, luma: &'rows mut [u8], .. }
//! ```

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Expr, ExprLit, ItemStruct, Lifetime, Lit, LitInt, Path, Result, Token, Type, parenthesized,
};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::parse::signature::{PlacementAttribute, item};
use crate::surface::{self, TensorMethod};

use super::declaration::{Checked, Declaration, FieldPath, Tensor};
use super::located::placement_calls;
use super::{tokens, transport};

/// How a located struct is cut into rows.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The extent that counts its rows.
    axis: Ident,
    /// The struct of its rows.
    name: Ident,
}

/// A field of a located struct, as its rows have it.
pub(super) struct Member {
    pub(super) name: Ident,
    /// The number of elements, if it is an array of fields.
    pub(super) count: Option<usize>,
    pub(super) kind: MemberKind,
}

/// The kind of a field.
pub(super) enum MemberKind {
    /// An extent, of type `usize`.
    Extent,
    /// A tensor over memory of this type.
    Tensor { ty: Type, shape: Vec<Expr>, placements: Vec<PlacementAttribute> },
    /// A located struct of this type.
    Struct { ty: Type, declaration: Declaration },
}

/// The extent of the first of the rows, in a struct of rows.
const FIRST_ROW: &str = "first_row";

/// The locals of what the struct does: the number of rows that are split off, and the runtime.
const COUNT: &str = "count";
const RUNTIME: &str = "shim";

/// A local that no field's name means.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Locals for the elements of a field that is an array.
fn elements_of(name: &Ident, count: usize) -> Vec<Ident> {
    (0..count).map(|number| local(&format!("{name}_{number}"))).collect()
}

/// The arguments of `#[shim::located]`.
pub(super) fn arguments(attribute: &TokenStream) -> Result<Option<Cut>> {
    let read = |input: ParseStream<'_>| {
        let mut cut = None;
        while !input.is_empty() {
            if input.parse::<Option<Token![crate]>>()?.is_some() {
                input.parse::<Token![=]>()?;
                Path::parse_mod_style(input)?;
            } else {
                let word: Ident = input.parse()?;
                if word != "rows" || cut.is_some() {
                    return Err(syn::Error::new(word.span(), "expected `rows` once, or `crate`"));
                }
                let list;
                parenthesized!(list in input);
                let axis = list.parse()?;
                if !list.is_empty() {
                    return Err(list.error("expected one extent"));
                }
                input.parse::<Token![as]>()?;
                cut = Some(Cut { axis, name: input.parse()? });
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(cut)
    };
    read.parse2(attribute.clone())
}

impl Cut {
    /// The declaration of the struct of rows, and its items.
    pub(super) fn expand(
        &self,
        declared: &ItemStruct,
        members: &[Member],
        shim: &TokenStream,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Declaration, TokenStream)> {
        if let Some(parameter) = declared
            .generics
            .params
            .iter()
            .find(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)))
        {
            diagnostics.error(
                parameter,
                "a generic struct cannot be cut into rows",
                "give its fields elements of a concrete type",
            );
        }
        if !members.iter().any(|member| {
            matches!(member.kind, MemberKind::Extent) && hygiene::same(&member.name, &self.axis)
        }) {
            diagnostics.error(
                &self.axis,
                format!("no shape of this struct names `{}`", self.axis),
                "name the field of type `usize` that counts its rows",
            );
        }
        if let Some(member) = members.iter().find(|member| member.name == FIRST_ROW) {
            diagnostics.error(
                &member.name,
                format!("`{FIRST_ROW}` cannot be a field of a struct that is cut into rows"),
                "that name is taken by the number of the first row: rename this field",
            );
        }
        let key = tokens::mangled(&self.name, &declared.to_token_stream());
        let mut rows = Rows {
            cut: self,
            shim,
            key: Literal::u64_suffixed(tokens::number(&key)),
            declaration: Declaration::default(),
            fields: TokenStream::new(),
            whole: TokenStream::new(),
            reborrowed: TokenStream::new(),
            fits: TokenStream::new(),
            apart: TokenStream::new(),
            first: TokenStream::new(),
            rest: TokenStream::new(),
        };
        rows.extents(members);
        for member in members {
            rows.member(declared, member, diagnostics);
        }
        if !diagnostics.is_empty() {
            return None;
        }
        Some(rows.items(declared, &key))
    }

    /// The struct of rows of one with an error, which kernels do not repeat.
    pub(super) fn without_rows(&self, declared: &ItemStruct) -> TokenStream {
        let (name, vis) = (&self.name, &declared.vis);
        let key = tokens::mangled(name, &declared.to_token_stream());
        let export = transport::carrier(&key, name, vis, &[], quote!(broken {}), &misuse(name));
        quote! {
            #[allow(dead_code)]
            #vis struct #name<'rows>(::core::marker::PhantomData<&'rows mut ()>);
            #export
        }
    }

    /// The number of rows of a tensor for one row of the struct: `4` in `4 * h`.
    fn rows_for_one(&self, extent: &Expr) -> Option<TokenStream> {
        match surface::bare(extent) {
            Expr::Path(path) if path.path.get_ident().is_some_and(|name| hygiene::same(name, &self.axis)) => {
                Some(quote!(1))
            }
            Expr::Binary(product) if matches!(product.op, BinOp::Mul(_)) => {
                let (left, right) = (&*product.left, &*product.right);
                let (factor, rest) = if self.is_in(left) { (right, left) } else { (left, right) };
                let rest = self.rows_for_one(rest).filter(|_| !self.is_in(factor))?;
                // The usual case reads as it is written.
                Some(if rest.to_string() == "1" { factor.to_token_stream() } else { quote!(#factor * #rest) })
            }
            _ => None,
        }
    }

    /// Whether an expression names the extent that counts the rows.
    fn is_in(&self, expression: &Expr) -> bool {
        hygiene::identifiers(expression.to_token_stream()).any(|name| hygiene::same(&name, &self.axis))
    }
}

/// A struct of rows that is being put together.
struct Rows<'c> {
    cut: &'c Cut,
    shim: &'c TokenStream,
    key: Literal,
    declaration: Declaration,
    /// The fields, and their values: of the whole, of the same rows for a shorter time, of the first rows and of the others.
    fields: TokenStream,
    whole: TokenStream,
    reborrowed: TokenStream,
    first: TokenStream,
    rest: TokenStream,
    /// The statements that compare lengths with shapes, and that take the first rows apart from the others.
    fits: TokenStream,
    apart: TokenStream,
}

impl Rows<'_> {
    /// The extents, the rows before all others.
    fn extents(&mut self, members: &[Member]) {
        let axis = &self.cut.axis;
        let first_row = Ident::new(FIRST_ROW, axis.span());
        self.fields.extend(quote!(#axis: usize, #first_row: usize,));
        self.whole.extend(quote!(#axis: self.#axis, #first_row: 0,));
        self.reborrowed.extend(quote!(#axis: self.#axis, #first_row: self.#first_row,));
        let count = local(COUNT);
        self.first.extend(quote!(#axis: #count, #first_row: self.#first_row,));
        self.rest.extend(quote!(#axis: self.#axis - #count, #first_row: self.#first_row + #count,));
        self.declaration.extents.extend([FieldPath::of(axis), FieldPath::of(&first_row)]);
        let others = members
            .iter()
            .filter(|member| matches!(member.kind, MemberKind::Extent) && !hygiene::same(&member.name, axis));
        for Member { name, .. } in others {
            self.fields.extend(quote!(#name: usize,));
            self.copied(name);
            self.declaration.extents.push(FieldPath::of(name));
        }
    }

    /// A field that all parts have alike.
    fn copied(&mut self, name: &Ident) {
        for values in [&mut self.whole, &mut self.reborrowed, &mut self.first, &mut self.rest] {
            values.extend(quote!(#name: self.#name,));
        }
    }

    fn member(&mut self, declared: &ItemStruct, member: &Member, diagnostics: &mut Diagnostics) {
        let Member { name, count, kind } = member;
        let path = FieldPath::of(name);
        let elements: Vec<FieldPath> = match count {
            Some(count) => (0..*count).map(|number| path.element(number)).collect(),
            None => vec![path.clone()],
        };
        if let Some(count) = *count {
            self.declaration.arrays.push((path, count));
        }
        match kind {
            MemberKind::Extent => {}
            MemberKind::Struct { ty, declaration } => {
                self.nested(&declared.ident, name, *count, ty, declaration, &elements);
            }
            MemberKind::Tensor { ty, shape, placements } => {
                let Some(element) = item(ty) else {
                    diagnostics.error(
                        ty,
                        format!("the element type of `{name}` is unknown"),
                        "a field that is cut into rows is a `Vec<T>`, a `Box<[T]>`, an array or a slice",
                    );
                    return;
                };
                let rows = if shape.iter().any(|extent| self.cut.is_in(extent)) {
                    let Some(rows) = self.rows_of(name, shape, placements, diagnostics) else { return };
                    Some(rows)
                } else {
                    None
                };
                let mut calls = placement_calls(placements);
                if let Some(rows) = &rows {
                    calls.extend(self.begins(rows, shape.len(), placements));
                }
                let checked = extents_of(shape);
                for field in &elements {
                    let (of, text) = (declared.ident.to_string(), field.to_string());
                    let text = text.trim_start_matches('.');
                    let shim = local(RUNTIME);
                    self.fits
                        .extend(quote!(#shim.field_fits(#of, #text, [#(#checked),*], self #field.len());));
                    let (owner, shape, placements) = (FieldPath::default(), shape.clone(), calls.clone());
                    self.declaration.tensors.push(Tensor { field: field.clone(), owner, shape, placements });
                }
                let shared = rows.is_none() || is_shared(ty);
                self.memory(name, *count, element, shared, rows.map(|rows| (rows, &checked[1..])));
            }
        }
    }

    /// The rows of a tensor for one row of the struct, if it can be cut.
    fn rows_of(
        &self,
        name: &Ident,
        shape: &[Expr],
        placements: &[PlacementAttribute],
        diagnostics: &mut Diagnostics,
    ) -> Option<TokenStream> {
        let axis = &self.cut.axis;
        let method = |placement: &PlacementAttribute| TensorMethod::of(&placement.method);
        if let Some(placement) = placements.iter().find(|placement| {
            !matches!(
                method(placement),
                Some(
                    TensorMethod::Coarsened
                        | TensorMethod::Refined
                        | TensorMethod::Permuted
                        | TensorMethod::OnAxes
                )
            )
        }) {
            diagnostics.error(
                &placement.method,
                format!("`{name}` cannot be cut into rows because it has `#[{}]`", placement.method),
                "only row-major fields that start at the origin can be cut: move this one to a separate struct",
            );
            return None;
        }
        let rows = self.cut.rows_for_one(&shape[0]);
        if rows.is_none() || shape[1..].iter().any(|extent| self.cut.is_in(extent)) {
            diagnostics.error(
                &shape[0],
                format!("`{name}` cannot be cut into rows: its first extent is not a multiple of `{axis}`"),
                format!("write `{axis}` or `4 * {axis}` and keep `{axis}` out of the other extents, or move the field to a separate struct"),
            );
            return None;
        }
        let refined = placements.iter().find(|placement| method(placement) == Some(TensorMethod::Refined));
        if let Some(refined) = refined {
            let integer =
                |tokens: TokenStream| syn::parse2::<LitInt>(tokens).ok()?.base10_parse::<u64>().ok();
            let (rows, factor) =
                (rows.clone().and_then(integer), integer(refined.entries[0].to_token_stream()));
            if !matches!((rows, factor), (Some(rows), Some(factor)) if factor > 0 && rows.is_multiple_of(factor))
            {
                diagnostics.error(
                    &refined.method,
                    format!("`{name}` cannot be cut into rows: the factor does not divide its rows"),
                    "make its first extent a multiple of the factor, as in `#[shape(4 * h, w)] #[refined(2, 1)]`",
                );
                return None;
            }
        }
        rows
    }

    /// The origin of a tensor's rows.
    fn begins(&self, rows: &TokenStream, rank: usize, placements: &[PlacementAttribute]) -> TokenStream {
        let factor = |wanted: TensorMethod| {
            let placement =
                placements.iter().find(|placement| TensorMethod::of(&placement.method) == Some(wanted))?;
            placement.entries.first().map(ToTokens::to_token_stream)
        };
        let times = factor(TensorMethod::Coarsened).map(|factor| quote!(* #factor));
        let parts = factor(TensorMethod::Refined).map(|factor| quote!(/ #factor));
        let first_row = Ident::new(FIRST_ROW, self.cut.axis.span());
        let zeros = (1..rank).map(|_| quote!(0));
        quote!(.at([#first_row * (#rows #times #parts) #(, #zeros)*]))
    }

    /// A field that is memory, which is cut if it has rows: so many for each row of the struct, with these extents.
    fn memory(
        &mut self,
        name: &Ident,
        count: Option<usize>,
        element: &Type,
        shared: bool,
        rows: Option<(TokenStream, &[TokenStream])>,
    ) {
        let mutability = (!shared).then(|| quote!(mut));
        let slice = quote!(&'rows #mutability [#element]);
        let each = |value: &dyn Fn(TokenStream) -> TokenStream| match count {
            None => value(TokenStream::new()),
            Some(count) => {
                let values = (0..count).map(|number| {
                    let number = Literal::usize_unsuffixed(number);
                    value(quote!([#number]))
                });
                quote!([#(#values),*])
            }
        };
        let ty = match count.map(Literal::usize_unsuffixed) {
            Some(count) => quote!([#slice; #count]),
            None => slice,
        };
        self.fields.extend(quote!(#name: #ty,));
        if shared {
            let whole = each(&|element| quote!(&self.#name #element[..]));
            self.whole.extend(quote!(#name: #whole,));
            self.reborrowed.extend(quote!(#name: self.#name,));
        } else {
            // All elements of an array are borrowed at once.
            let (whole, reborrowed) = match count {
                None => (quote!(&mut self.#name[..]), quote!(&mut *self.#name)),
                Some(_) => (
                    quote!(self.#name.each_mut().map(|memory| &mut memory[..])),
                    quote!(self.#name.each_mut().map(|memory| &mut **memory)),
                ),
            };
            self.whole.extend(quote!(#name: #whole,));
            self.reborrowed.extend(quote!(#name: #reborrowed,));
        }
        let Some((rows, others)) = rows else {
            self.first.extend(quote!(#name: self.#name,));
            self.rest.extend(quote!(#name: self.#name,));
            return;
        };
        let rows = extent_of(rows);
        let split = if shared { quote!(split_at) } else { quote!(split_at_mut) };
        let (shim, number) = (local(RUNTIME), local(COUNT));
        let all = quote!(#shim.size_of_field([#shim.extent(#number), #rows #(, #others)*]));
        let parts = local(&format!("{name}_parts"));
        match count {
            None => {
                self.apart.extend(quote!(let #parts = self.#name.#split(#all);));
                self.first.extend(quote!(#name: #parts.0,));
                self.rest.extend(quote!(#name: #parts.1,));
            }
            Some(count) => {
                let names = elements_of(name, count);
                self.apart.extend(quote!(let #parts = #all;));
                self.apart
                    .extend(quote!(let [#(#names),*] = self.#name.map(|memory| memory.#split(#parts));));
                self.first.extend(quote!(#name: [#(#names.0),*],));
                self.rest.extend(quote!(#name: [#(#names.1),*],));
            }
        }
    }

    /// A field that is a located struct: in rows, if it is cut into such as well, and by `&` if not.
    fn nested(
        &mut self,
        of: &Ident,
        name: &Ident,
        count: Option<usize>,
        ty: &Type,
        declaration: &Declaration,
        elements: &[FieldPath],
    ) {
        let shim = self.shim;
        let mut ty = ty.clone();
        InRows.visit_type_mut(&mut ty);
        let own = match &mut ty {
            Type::Reference(reference) => (*reference.elem).clone(),
            other => other.clone(),
        };
        let array = |ty: TokenStream| match count.map(Literal::usize_unsuffixed) {
            Some(count) => quote!([#ty; #count]),
            None => ty,
        };
        for element in elements {
            self.declaration.nest(element, declaration.rows.as_deref().unwrap_or(declaration));
        }
        if declaration.rows.is_none() {
            let ty = array(own.into_token_stream());
            self.fields.extend(quote!(#name: &'rows #ty,));
            self.whole.extend(quote!(#name: &self.#name,));
            for values in [&mut self.reborrowed, &mut self.first, &mut self.rest] {
                values.extend(quote!(#name: self.#name,));
            }
            return;
        }
        let (number, runtime) = (local(COUNT), local(RUNTIME));
        for element in elements {
            let (of, text) = (of.to_string(), element.to_string());
            let text = text.trim_start_matches('.');
            self.fits.extend(quote! {
                #runtime.field_has_rows(#of, #text, #shim::__private::Fields::rows(self), #shim::__private::LocatedRows::range(&self #element));
            });
        }
        let ty = array(quote!(<#own as #shim::__private::Located>::Rows<'rows>));
        self.fields.extend(quote!(#name: #ty,));
        match count {
            None => {
                self.whole.extend(quote!(#name: #shim::__private::Located::all_rows(&mut self.#name),));
                self.reborrowed
                    .extend(quote!(#name: #shim::__private::LocatedRows::reborrow(&mut self.#name),));
                let parts = local(&format!("{name}_parts"));
                self.apart
                    .extend(quote!(let #parts = #shim::__private::LocatedRows::split(self.#name, #number);));
                self.first.extend(quote!(#name: #parts.0,));
                self.rest.extend(quote!(#name: #parts.1,));
            }
            Some(count) => {
                let names = elements_of(name, count);
                let each = |method: TokenStream| quote!(#name: { let [#(#names),*] = &mut self.#name; [#(#shim::__private::#method(#names)),*] },);
                self.whole.extend(each(quote!(Located::all_rows)));
                self.reborrowed.extend(each(quote!(LocatedRows::reborrow)));
                self.apart.extend(quote!(let [#(#names),*] = self.#name.map(|rows| #shim::__private::LocatedRows::split(rows, #number));));
                self.first.extend(quote!(#name: [#(#names.0),*],));
                self.rest.extend(quote!(#name: [#(#names.1),*],));
            }
        }
    }

    /// The struct with all that it does.
    fn items(self, declared: &ItemStruct, key: &Ident) -> (Declaration, TokenStream) {
        let Self {
            cut,
            shim,
            key: number,
            mut declaration,
            fields,
            whole,
            reborrowed,
            fits,
            apart,
            first,
            rest,
        } = self;
        let Cut { axis, name } = cut;
        let (whole_name, vis) = (&declared.ident, &declared.vis);
        let mutable = format_ident!("{key}_mut", span = key.span());
        let struct_of_fields = format_ident!("__shim_{name}Fields", span = key.span());
        declaration.checked.push(Checked {
            owner: FieldPath::default(),
            shared: key.clone(),
            mutable: mutable.clone(),
            key: syn::parse_quote!(#number),
        });
        let misuse = format!(
            "`{name}` is a located struct: take it in a kernel, as in `#[located] it: &mut {name}<'_>`"
        );
        let export = transport::carrier(key, name, vis, &[], quote!(located { #declaration }), &misuse);
        let first_row = Ident::new(FIRST_ROW, axis.span());
        let (generics, arguments, bounds) = declared.generics.split_for_impl();
        let fields = visible(fields, vis);
        let about =
            format!(" Rows of a [`{whole_name}`], which keep their place in it: see [`{whole_name}::rows`].");
        // What expansions make has the hygiene of the macro; rustc's lints take it for what it is.
        let private = quote!(#shim::__private);
        let (count, runtime) = (local(COUNT), local(RUNTIME));
        let unsafe_impl = quote_spanned!(Span::mixed_site()=> unsafe impl);
        let items = quote! {
            #[doc = #about]
            #vis struct #name<'rows>(#private::Checked<#struct_of_fields<'rows>, #number>);

            #[doc(hidden)]
            #[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
            #vis struct #struct_of_fields<'rows> { #fields }

            #[allow(clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks, unused_variables, unused_parens)]
            #unsafe_impl<'rows> #private::Fields<#number> for #struct_of_fields<'rows> {
                type Reborrowed<'shorter> = #struct_of_fields<'shorter> where Self: 'shorter;

                fn rows(&self) -> ::core::ops::Range<usize> {
                    self.#first_row..self.#first_row + self.#axis
                }

                fn fits(&self, #runtime: #private::Runtime) {
                    #fits
                }

                fn reborrow(&mut self) -> Self::Reborrowed<'_> {
                    #struct_of_fields { #reborrowed }
                }

                fn split(self, #count: usize, #runtime: #private::Runtime) -> (Self, Self) {
                    #apart
                    (#struct_of_fields { #first }, #struct_of_fields { #rest })
                }
            }

            impl #generics #private::Located for #whole_name #arguments #bounds {
                type Rows<'rows> = #name<'rows> where Self: 'rows;

                fn all_rows(&mut self) -> Self::Rows<'_> {
                    #name(#private::Checked::new(#struct_of_fields { #whole }))
                }
            }

            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl #generics #whole_name #arguments #bounds {
                /// Some of its rows, to be written: those of this range, which keep their place.
                ///
                /// # Panics
                /// When it has fewer rows, or a field is shorter than its shape.
                #[track_caller]
                #vis fn rows(&mut self, rows: ::core::ops::Range<usize>) -> #name<'_> {
                    #name(#private::Located::all_rows(self).0.part(rows))
                }
            }

            impl<'rows> #private::LocatedRows for #name<'rows> {
                type Reborrowed<'shorter> = #name<'shorter> where Self: 'shorter;

                fn range(&self) -> ::core::ops::Range<usize> {
                    self.0.range()
                }

                fn reborrow(&mut self) -> Self::Reborrowed<'_> {
                    #name(self.0.reborrow())
                }

                fn split(self, count: usize) -> (Self, Self) {
                    let (first, rest) = self.0.split(count);
                    (#name(first), #name(rest))
                }
            }

            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl<'rows> #name<'rows> {
                /// The rows, as they are numbered in the whole.
                #vis fn range(&self) -> ::core::ops::Range<usize> {
                    self.0.range()
                }

                /// Some of these rows, as they are numbered in the whole.
                ///
                /// # Panics
                /// When some of them are not among these.
                #[track_caller]
                #vis fn rows(&mut self, rows: ::core::ops::Range<usize>) -> #name<'_> {
                    #name(self.0.reborrow().part(rows))
                }

                /// The rows before one of them, and it with those after it, as they are numbered in the whole.
                ///
                /// # Panics
                /// When it is not among these, nor the one after the last.
                #[track_caller]
                #vis fn split_at_row(self, row: usize) -> (Self, Self) {
                    let (before, from) = self.0.split_at_row(row);
                    (#name(before), #name(from))
                }

                #[doc(hidden)]
                #[allow(non_snake_case)]
                #[inline(always)]
                #vis fn #key(&self) -> &#private::Checked<#struct_of_fields<'rows>, #number> {
                    &self.0
                }

                #[doc(hidden)]
                #[allow(non_snake_case)]
                #[inline(always)]
                #vis fn #mutable(&mut self) -> #private::Checked<#struct_of_fields<'_>, #number> {
                    self.0.reborrow()
                }
            }

            impl ::core::fmt::Debug for #name<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_tuple(::core::stringify!(#name)).field(&self.0.range()).finish()
                }
            }

            #export
        };
        (declaration, items)
    }
}

/// The error of a struct of rows that is called as a macro.
fn misuse(name: &Ident) -> String {
    format!("`{name}` is a located struct: take it in a kernel, as in `#[located] it: &mut {name}<'_>`")
}

/// Fields `name: Type,` with the visibility of their struct.
fn visible(fields: TokenStream, vis: &syn::Visibility) -> TokenStream {
    let named = |input: ParseStream<'_>| input.parse_terminated(syn::Field::parse_named, Token![,]);
    let fields = named.parse2(fields).unwrap_or_default();
    fields.into_iter().map(|field| quote!(#vis #field,)).collect()
}

/// Whether memory is read alone.
fn is_shared(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => is_shared(&inner.elem),
        Type::Group(inner) => is_shared(&inner.elem),
        Type::Reference(reference) => reference.mutability.is_none(),
        _ => false,
    }
}

/// Extents whose arithmetic panics where it overflows, in a function of the fields that has the runtime as `shim`.
fn extents_of(shape: &[Expr]) -> Vec<TokenStream> {
    shape.iter().map(|extent| extent_of(extent.to_token_stream())).collect()
}

/// One of them: each number, field and constant becomes an extent.
fn extent_of(tokens: TokenStream) -> TokenStream {
    let Ok(mut extent) = syn::parse2::<Expr>(tokens.clone()) else { return tokens };
    Exact.visit_expr_mut(&mut extent);
    extent.into_token_stream()
}

struct Exact;

impl VisitMut for Exact {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) | Expr::Path(_) => {
                let shim = local(RUNTIME);
                *expr = match surface::ident(expr) {
                    Some(field) => syn::parse_quote!(#shim.extent(self.#field)),
                    None => syn::parse_quote!(#shim.extent(#expr)),
                };
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }
}

/// Writes the lifetime of the rows in the place of a struct's own.
struct InRows;

impl VisitMut for InRows {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new("'rows", lifetime.span());
    }
}
