//! The parts of a struct of rows or of a view, field by field.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, ExprLit, ItemStruct, Lifetime, Lit, Type};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::link::tokens;
use crate::parse::signature::item;
use crate::surface;
use crate::syntax::visit_mut::{self, VisitMut};

use super::cut::{Cut, FIRST_ROW, Member, MemberKind};
use crate::link::located::declaration::{Declaration, FieldPath, Tensor, placement_calls};

/// The locals of what the struct does: the number of rows that are split off, and the runtime.
pub(super) const COUNT: &str = "count";
pub(super) const RUNTIME: &str = "shim";

/// A local that no field's name means.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Locals for the elements of a field that is an array.
fn elements_of(name: &Ident, count: usize) -> Vec<Ident> {
    (0..count).map(|number| local(&format!("{name}_{number}"))).collect()
}

/// A struct of rows, or a view, that is being put together.
pub(super) struct Parts<'c> {
    /// How it is cut, if it is one of rows.
    pub(super) cut: Option<&'c Cut>,
    pub(super) shim: &'c TokenStream,
    pub(super) key: Literal,
    pub(super) declaration: Declaration,
    /// The fields, and their values: of the whole, of the same rows for a shorter time, of the first rows and of the
    /// others.
    pub(super) fields: TokenStream,
    pub(super) whole: TokenStream,
    pub(super) reborrowed: TokenStream,
    pub(super) first: TokenStream,
    pub(super) rest: TokenStream,
    /// The statements that compare lengths with shapes, and that take the first rows apart from the others.
    pub(super) fits: TokenStream,
    pub(super) apart: TokenStream,
    /// The methods that give the rows of nested structs.
    pub(super) methods: TokenStream,
}

impl<'c> Parts<'c> {
    /// Those of a struct that is cut like this, or of a view.
    pub(super) fn new(cut: Option<&'c Cut>, shim: &'c TokenStream, key: &Ident) -> Self {
        Self {
            cut,
            shim,
            key: Literal::u64_suffixed(tokens::number(key)),
            declaration: Declaration::default(),
            fields: TokenStream::new(),
            whole: TokenStream::new(),
            reborrowed: TokenStream::new(),
            fits: TokenStream::new(),
            apart: TokenStream::new(),
            methods: TokenStream::new(),
            first: TokenStream::new(),
            rest: TokenStream::new(),
        }
    }

    /// The extents, the rows before all others.
    pub(super) fn extents(&mut self, members: &[Member]) {
        let axis = self.cut.map(|cut| &cut.axis);
        if let Some(axis) = axis {
            let first_row = Ident::new(FIRST_ROW, axis.span());
            self.fields.extend(quote!(#axis: usize, #first_row: usize,));
            self.whole.extend(quote!(#axis: self.#axis, #first_row: 0,));
            self.reborrowed.extend(quote!(#axis: self.#axis, #first_row: self.#first_row,));
            let count = local(COUNT);
            self.first.extend(quote!(#axis: #count, #first_row: self.#first_row,));
            self.rest.extend(quote!(#axis: self.#axis - #count, #first_row: self.#first_row + #count,));
            self.declaration.extents.extend([FieldPath::of(axis), FieldPath::of(&first_row)]);
        }
        let is_axis = |name: &Ident| axis.is_some_and(|axis| hygiene::same(name, axis));
        let others = members
            .iter()
            .filter(|member| matches!(member.kind, MemberKind::Extent) && !is_axis(&member.name));
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

    pub(super) fn member(&mut self, declared: &ItemStruct, member: &Member, diagnostics: &mut Diagnostics) {
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
                self.nested(declared, name, *count, ty, declaration, &elements);
            }
            MemberKind::Tensor { ty, shape, placements } => {
                let Some(element) = item(ty) else {
                    diagnostics.error(
                        ty,
                        format!("the element type of `{name}` is unknown"),
                        "a field of rows or of a view is a `Vec<T>`, a `Box<[T]>`, an array or a slice",
                    );
                    return;
                };
                let mut calls = placement_calls(placements);
                let cut = self.cut.filter(|cut| shape.iter().any(|extent| cut.is_in(extent)));
                let rows = match cut {
                    Some(cut) => {
                        let Some(rows) = cut.rows_of(name, shape, placements, diagnostics) else { return };
                        calls.extend(cut.begins(&rows, shape.len(), placements));
                        Some(rows)
                    }
                    None => None,
                };
                let checked = extents_of(shape);
                for field in &elements {
                    let (of, text) = (declared.ident.to_string(), field.to_string());
                    let text = text.trim_start_matches('.');
                    let shim = local(RUNTIME);
                    self.fits.extend(
                        quote!(#shim.assert_field_fits(#of, #text, [#(#checked),*], self #field.len());),
                    );
                    let (owner, shape, placements) = (FieldPath::default(), shape.clone(), calls.clone());
                    self.declaration.tensors.push(Tensor { field: field.clone(), owner, shape, placements });
                }
                let shared = rows.is_none() || is_shared(ty);
                self.memory(name, *count, element, shared, rows.map(|rows| (rows, &checked[1..])));
            }
        }
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

    /// A field that is a located struct: in rows, if it is cut into such as well, as a view, if it has one, and by `&`
    /// if not.
    ///
    /// Long: one quotation for rows, one for views, one for borrows.
    fn nested(
        &mut self,
        declared: &ItemStruct,
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
        let rows = declaration.rows.as_deref().filter(|_| self.cut.is_some());
        for element in elements {
            let inner = rows.or(declaration.view.as_deref()).unwrap_or(declaration);
            self.declaration.nest(element, inner);
        }
        if rows.is_none() {
            if declaration.view.is_some() {
                let ty = array(quote!(<#own as #shim::__private::Viewed>::View<'rows>));
                self.fields.extend(quote!(#name: #ty,));
                self.whole.extend(match count {
                    None => quote!(#name: #shim::__private::Viewed::view_all(&self.#name),),
                    Some(_) => {
                        quote!(#name: self.#name.each_ref().map(|it| #shim::__private::Viewed::view_all(it)),)
                    }
                });
            } else {
                let ty = array(own.into_token_stream());
                self.fields.extend(quote!(#name: &'rows #ty,));
                self.whole.extend(quote!(#name: &self.#name,));
            }
            for values in [&mut self.reborrowed, &mut self.first, &mut self.rest] {
                values.extend(quote!(#name: self.#name,));
            }
            return;
        }
        let (number, runtime) = (local(COUNT), local(RUNTIME));
        for element in elements {
            let (of, text) = (declared.ident.to_string(), element.to_string());
            let text = text.trim_start_matches('.');
            self.fits.extend(quote! {
                #runtime.assert_field_rows(#of, #text, #shim::__private::RowFields::rows(self), #shim::__private::LocatedRows::range(&self #element));
            });
        }
        let ty = array(quote!(<#own as #shim::__private::Located>::Rows<'rows>));
        self.fields.extend(quote!(#name: #ty,));
        let (vis, about) = (&declared.vis, format!(" These rows of `{name}`."));
        let shorter = array(quote!(<#own as #shim::__private::Located>::Rows<'_>));
        let changed = format_ident!("{name}_mut");
        self.methods.extend(quote! {
            #[doc = #about]
            #[inline]
            #vis fn #name(&self) -> &#ty {
                &self.0.fields().#name
            }

            #[doc = #about]
            #[inline]
            #vis fn #changed(&mut self) -> #shorter {
                self.0.reborrow().into_fields().#name
            }
        });
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
