//! The primitive types of values, as far as the kernel shows them.

use syn::{BinOp, Expr, Pat, Type, UnOp};

use crate::ir::View;
use crate::static_eval::{self, methods};
use crate::surface::{self, TensorMethod, pattern};

use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// The primitive type of a value, as far as the kernel shows it.
    pub(in crate::bind) fn primitive(&self, expr: &Expr) -> Option<Primitive> {
        let found = self.shown_primitive(expr)?;
        if let Some(name) = found.name().filter(|_| self.walk.tracks()) {
            self.scopes.relies_on_primitive(name);
        }
        Some(found)
    }

    /// The primitive types of the names that a `let` binds, one by one; those of a tuple or an array are bound
    /// together.
    pub(in crate::bind) fn primitives(&self, pattern: &Pat, init: &Expr) -> Vec<(syn::Ident, Primitive)> {
        let both = |names: &mut dyn Iterator<Item = &Pat>, values: &mut dyn Iterator<Item = &Expr>| {
            names.zip(values).flat_map(|(name, value)| self.primitives(name, value)).collect()
        };
        match (pattern, surface::strip_parens(init)) {
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                both(&mut names.elems.iter(), &mut values.elems.iter())
            }
            (Pat::Tuple(names), value) if let Some(types) = self.tuple_type(value, names.elems.len()) => {
                let known = names.elems.iter().zip(types).filter_map(|(name, ty)| {
                    let (name, None, _) = pattern::simple(name)? else { return None };
                    Some((name.clone(), self.type_of(ty)?))
                });
                known.collect()
            }
            (Pat::Slice(names), Expr::Array(values)) if names.elems.len() == values.elems.len() => {
                both(&mut names.elems.iter(), &mut values.elems.iter())
            }
            _ => match (pattern::simple(pattern), self.primitive(init)) {
                (Some((name, None, _)), Some(primitive)) => vec![(name.clone(), primitive)],
                _ => Vec::new(),
            },
        }
    }

    fn shown_primitive(&self, expr: &Expr) -> Option<Primitive> {
        let expr = surface::strip_parens(expr);
        // The operands of an operator tell as much, each looked at once.
        if !matches!(expr, Expr::Binary(_))
            && let Some(number) = self.number(expr)
        {
            return Some(Primitive::of_number(number));
        }
        match expr {
            Expr::Lit(literal) => Some(match &literal.lit {
                syn::Lit::Float(literal) => Primitive::Float(match literal.suffix() {
                    "f32" => Some("f32"),
                    "f64" => Some("f64"),
                    _ => None,
                }),
                syn::Lit::Bool(_) => Primitive::Bool,
                _ => Primitive::Other,
            }),
            // No cast is of a user's making, and none gives anything but a number, a `char` or a pointer.
            Expr::Cast(cast) => Some(Primitive::of_type(&cast.ty).unwrap_or(Primitive::Other)),
            Expr::Path(path) => match self.scopes.get(path.path.get_ident()?)? {
                Binding::Local(local) => local.primitive.or_else(|| self.type_of(local.ty.as_ref()?)),
                Binding::Static(static_eval::Value::Bool(_)) => Some(Primitive::Bool),
                _ => None,
            },
            Expr::Index(index) if self.is_access(index) => {
                let view = self.named_view(&index.expr)?;
                self.type_of(&self.element_of(view)?.ty)
            }
            Expr::Index(_) => self.type_of(&self.type_of_place(expr)?),
            Expr::Field(syn::ExprField { base, member: syn::Member::Unnamed(number), .. }) => {
                let Type::Tuple(tuple) = self.type_of_element(base)? else { return None };
                self.type_of(tuple.elems.iter().nth(number.index as usize)?)
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) => {
                self.primitive(&unary.expr)
            }
            Expr::Binary(binary) if surface::is_assigning(&binary.op) => None,
            Expr::Binary(binary) => {
                let (left, right) = (self.primitive(&binary.left)?, self.primitive(&binary.right)?);
                Some(match binary.op {
                    BinOp::Eq(_)
                    | BinOp::Ne(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_)
                    | BinOp::And(_)
                    | BinOp::Or(_) => Primitive::Bool,
                    // The right side of a sum may decide the type of a literal on the left.
                    BinOp::Shl(_) | BinOp::Shr(_) => left,
                    _ if left.name().is_none() => right,
                    _ => left,
                })
            }
            Expr::MethodCall(call) if self.tensor_method(call) == Some(TensorMethod::Contains) => {
                Some(Primitive::Bool)
            }
            Expr::MethodCall(call) if let Some(view) = self.found_or(call) => {
                self.type_of(&self.element_of(view)?.ty)
            }
            Expr::MethodCall(call) => {
                let own = self.primitive(&call.receiver)?;
                let method = call.method.to_string();
                (own.has(&method) && methods::keeps_type(&method)).then_some(own)
            }
            Expr::Call(call) if self.converts(call) => {
                let Expr::Path(path) = surface::strip_parens(&call.func) else { return None };
                let ty = &path.path.segments.first()?.ident;
                self.type_of(&syn::parse_quote!(#ty))
            }
            Expr::Block(block) if block.label.is_none() => self.primitive(tail(&block.block)?),
            Expr::If(choice) => {
                let (_, otherwise) = choice.else_branch.as_ref()?;
                let taken = self.primitive(tail(&choice.then_branch)?)?;
                self.primitive(otherwise).filter(|other| *other == taken)
            }
            _ => None,
        }
    }

    /// The primitive type that a type written out is, for which rustc has to take the name.
    pub(in crate::bind) fn type_of(&self, ty: &Type) -> Option<Primitive> {
        let primitive = Primitive::of_type(ty)?;
        if let Some(name) = primitive.name().filter(|_| self.walk.tracks()) {
            self.scopes.relies_on_primitive(name);
        }
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
    fn type_of_element(&self, element: &Expr) -> Option<&Type> {
        let Expr::Index(index) = surface::strip_parens(element) else { return None };
        if self.is_access(index) {
            let view = self.named_view(&index.expr)?;
            return Some(&self.element_of(view)?.ty);
        }
        self.stage_type(index)
    }

    /// The types of a tuple that is an element of a tensor or a stage, where they are written.
    fn tuple_type(
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

fn tail(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.last()? {
        syn::Stmt::Expr(value, None) => Some(value),
        _ => None,
    }
}
