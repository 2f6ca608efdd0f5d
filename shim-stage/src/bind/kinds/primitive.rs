//! The primitive types that types, elements and places are, as far as the kernel shows them.

use syn::{Expr, Type};

use crate::ir::View;
use crate::surface::{self, TensorMethod};
use crate::symbolic::Symbol;

use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    pub(super) fn relies_on(&self, primitive: Primitive) {
        if let Some(name) = primitive.name().filter(|_| self.walk.tracks()) {
            self.scopes.relies_on_primitive(name);
        }
    }

    /// The primitive type that a type written out is, for which rustc has to take the name.
    pub(in crate::bind) fn type_of(&self, ty: &Type) -> Option<Primitive> {
        let primitive = Primitive::of_type(ty)?;
        self.relies_on(primitive);
        Some(primitive)
    }

    /// Whether elements, indices and fields of a type written out are the language's own.
    pub(in crate::bind) fn is_known_type(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(array) => self.is_known_type(&array.elem),
            Type::Slice(slice) => self.is_known_type(&slice.elem),
            Type::Reference(reference) => self.is_known_type(&reference.elem),
            Type::Tuple(tuple) => tuple.elems.iter().all(|ty| self.is_known_type(ty)),
            Type::Paren(inner) => self.is_known_type(&inner.elem),
            Type::Group(inner) => self.is_known_type(&inner.elem),
            ty => self.type_of(ty).is_some(),
        }
    }

    /// Whether the operators of a value are known without rustc.
    pub(in crate::bind) fn is_known(&self, expr: &Expr) -> bool {
        if self.primitive(expr).is_some() {
            return true;
        }
        match surface::strip_parens(expr) {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| match self.scopes.get(name) {
                Some(Binding::Local(local)) => local.ty.as_ref().is_some_and(|ty| self.is_known_type(ty)),
                Some(Binding::Static(_) | Binding::Table(..) | Binding::Index { .. }) => true,
                _ => false,
            }),
            Expr::Index(index) if self.is_access(index) => self
                .named_view(&index.expr)
                .and_then(|view| self.element_of(view))
                .is_some_and(|element| self.is_known_type(&element.ty)),
            Expr::Index(index) => self.stage_type(index).is_some_and(|ty| self.is_known_type(ty)),
            Expr::Reference(reference) => self.is_known(&reference.expr),
            _ => false,
        }
    }

    /// The symbol of a local that `expr` names.
    pub(in crate::bind) fn known_symbol(&self, expr: &Expr) -> Option<Symbol> {
        match self.scopes.get(surface::ident(expr)?)? {
            Binding::Local(local) if local.is_unchanging() => local.symbol.clone(),
            _ => None,
        }
    }

    /// `t` of `t.get([..]).unwrap_or(value)`.
    pub(in crate::bind) fn found_or(&self, call: &syn::ExprMethodCall) -> Option<&View> {
        let Expr::MethodCall(get) = surface::strip_parens(&call.receiver) else { return None };
        let is_known = call.method == "unwrap_or" && call.args.len() == 1;
        if !is_known || self.tensor_method(get) != Some(TensorMethod::Get) {
            return None;
        }
        self.named_view(&get.receiver)
    }

    /// The type of an element of a tensor or a stage, where it is written.
    pub(super) fn type_of_element(&self, element: &Expr) -> Option<&Type> {
        let Expr::Index(index) = surface::strip_parens(element) else { return None };
        if self.is_access(index) {
            let view = self.named_view(&index.expr)?;
            return Some(&self.element_of(view)?.ty);
        }
        self.stage_type(index)
    }

    /// The types of a tuple that is an element of a tensor or a stage, where they are written.
    pub(super) fn tuple_type(
        &self,
        element: &Expr,
        count: usize,
    ) -> Option<&syn::punctuated::Punctuated<Type, syn::Token![,]>> {
        match self.type_of_element(element)? {
            Type::Tuple(tuple) if tuple.elems.len() == count => Some(&tuple.elems),
            _ => None,
        }
    }

    /// The type of the elements of a stage that an index is of, where it is written.
    fn stage_type(&self, index: &syn::ExprIndex) -> Option<&Type> {
        self.stages.defined[self.stage_named(&index.expr)?].element.as_ref()
    }

    /// The type of a local, or of an element of a tensor, of a stage or of an array among these, where it is written.
    pub(in crate::bind) fn type_of_place(&self, place: &Expr) -> Option<Type> {
        let place = surface::strip_parens(place);
        if let Some(ty) = self.type_of_element(place) {
            return Some(ty.clone());
        }
        let ty = match place {
            Expr::Index(index) => {
                let number = matches!(self.primitive(&index.index)?, Primitive::Int(_) | Primitive::OpenInt);
                match self.type_of_place(&index.expr)? {
                    Type::Array(array) if number => *array.elem,
                    _ => return None,
                }
            }
            place => match self.scopes.get(surface::ident(place)?)? {
                Binding::Local(local) => (**local.ty.as_ref()?).clone(),
                _ => return None,
            },
        };
        Some(ty)
    }

    /// The type of a receiver, where it is written.
    pub(in crate::bind) fn type_written(&self, receiver: &Expr) -> Option<Type> {
        let mut ty = match surface::strip_parens(receiver) {
            Expr::Index(index) if self.is_access(index) => {
                self.named_view(&index.expr).and_then(|view| self.element_of(view))?.ty.clone()
            }
            receiver => match self.scopes.get(surface::ident(receiver)?)? {
                Binding::Local(local) => (**local.ty.as_ref()?).clone(),
                _ => return None,
            },
        };
        while let Type::Reference(reference) = ty {
            ty = *reference.elem;
        }
        matches!(ty, Type::Path(_)).then_some(ty)
    }

    /// Whether a call converts to a number, by a conversion that only computes if its argument is known:
    /// `i64::from(x)`.
    pub(in crate::bind) fn converts(&self, call: &syn::ExprCall) -> bool {
        let Expr::Path(path) = surface::strip_parens(&call.func) else { return false };
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let ([ty, function], 1) = (&segments[..], call.args.len()) else { return false };
        let Ok(ty) = syn::parse_str::<Type>(ty) else { return false };
        function == "from" && self.type_of(&ty).is_some()
    }
}
