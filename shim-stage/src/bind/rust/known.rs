//! What an operation in a loop with an order may do besides computing its value: nothing, or anything.
//!
//! Iterations may run in another order only if nothing but their accesses and their scalars tells the orders apart. So
//! an operation in the body of such a loop is *known*, or it is *opaque* and the order is refused. Known are
//!
//! - operators, indices, fields and dereferences of primitive types. Where the kernel does not show the type, rustc
//!   confirms it (`shim::private::known`);
//! - methods that a primitive type itself has, of values whose type the kernel shows;
//! - accesses of tensors, bindings, and calls of closures in which all operations are known;
//! - whatever `#[pure(..)]` names, an operator by the name of its method.
//!
//! A name that is spelled like a known one is not known by that: methods, functions and constructors of users run their
//! code.

use syn::{BinOp, Expr, Pat, Type, UnOp};

use crate::ir::{AccessKind, Memory, View};
use crate::static_eval::{self, IntType, methods};
use crate::surface::{self, TensorMethod};

use crate::bind::rust::pattern;
use crate::bind::{Binder, Binding, IntTy};

/// A primitive type, as far as the kernel shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Primitive {
    /// This integer.
    Int(IntType),
    /// An integer whose type its uses decide.
    OpenInt,
    /// `f32`, `f64`, or a literal that is one of them.
    Float(Option<&'static str>),
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// Another primitive type.
    Other,
}

impl Primitive {
    /// The type that a type written out is.
    pub(in crate::bind) fn of_type(ty: &Type) -> Option<Self> {
        let Type::Path(path) = ty else { return None };
        Some(match path.path.get_ident()?.to_string().as_str() {
            "f32" => Self::Float(Some("f32")),
            "f64" => Self::Float(Some("f64")),
            "bool" => Self::Bool,
            "char" => Self::Char,
            name => Self::Int(IntType::parse(name)?),
        })
    }

    /// The name by which the kernel shows it, which rustc has to take for its own.
    pub(in crate::bind) fn name(self) -> Option<&'static str> {
        match self {
            Self::Int(ty) => Some(ty.name()),
            Self::Float(name) => name,
            Self::Bool => Some("bool"),
            Self::Char => Some("char"),
            Self::OpenInt | Self::Other => None,
        }
    }

    /// The type of a number.
    pub(in crate::bind) fn of_number(number: IntTy) -> Self {
        match number {
            IntTy::Known(ty) => Self::Int(ty),
            IntTy::Infer => Self::OpenInt,
        }
    }

    /// Whether a type has a method of its own, or of `Ord`, by this name that takes the value.
    fn has(self, method: &str) -> bool {
        match self {
            Self::Int(ty) => methods::of_integers(method, ty.is_signed()),
            Self::Float(Some(_)) => methods::of_floats(method),
            Self::OpenInt | Self::Float(None) | Self::Bool | Self::Char | Self::Other => false,
        }
    }
}

/// The name of the method that an operator is.
fn method_of(op: &BinOp) -> &'static str {
    match op {
        BinOp::Add(_) => "add",
        BinOp::Sub(_) => "sub",
        BinOp::Mul(_) => "mul",
        BinOp::Div(_) => "div",
        BinOp::Rem(_) => "rem",
        BinOp::BitXor(_) => "bitxor",
        BinOp::BitAnd(_) => "bitand",
        BinOp::BitOr(_) => "bitor",
        BinOp::Shl(_) => "shl",
        BinOp::Shr(_) => "shr",
        BinOp::Eq(_) => "eq",
        BinOp::Ne(_) => "ne",
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Gt(_) => "partial_cmp",
        BinOp::AddAssign(_) => "add_assign",
        BinOp::SubAssign(_) => "sub_assign",
        BinOp::MulAssign(_) => "mul_assign",
        BinOp::DivAssign(_) => "div_assign",
        BinOp::RemAssign(_) => "rem_assign",
        BinOp::BitXorAssign(_) => "bitxor_assign",
        BinOp::BitAndAssign(_) => "bitand_assign",
        BinOp::BitOrAssign(_) => "bitor_assign",
        BinOp::ShlAssign(_) => "shl_assign",
        BinOp::ShrAssign(_) => "shr_assign",
        _ => "",
    }
}

impl Binder<'_> {
    /// Binds what `bind` does in a loop whose attributes `reorder` its iterations.
    pub(in crate::bind) fn confirming<T>(&mut self, reorder: bool, bind: impl FnOnce(&mut Self) -> T) -> T {
        let confirms = self.walk.confirms;
        if reorder && confirms.is_none() {
            self.walk.confirms = Some(self.position());
        }
        let result = bind(self);
        self.walk.confirms = confirms;
        result
    }

    /// Notes an operation whose effect is not known.
    pub(in crate::bind) fn act(&mut self, tokens: impl quote::ToTokens) {
        if self.walk.tracks() {
            self.walk.effects.unknown(tokens.to_token_stream());
        }
    }

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
        if let Some(number) = self.number(expr) {
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
    fn is_known_type(&self, ty: &Type) -> bool {
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
    fn is_known(&self, expr: &Expr) -> bool {
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
            Expr::Reference(reference) => self.is_known(&reference.expr),
            _ => false,
        }
    }

    /// An operand of an operator, which is the method of that name, where rustc has to confirm its type.
    pub(in crate::bind) fn operand_of(&mut self, method: &str, operand: &Expr) -> Expr {
        let known = !self.walk.tracks() || self.is_pure_name(method) || self.is_known(operand);
        let value = self.expression(operand);
        if known {
            return value;
        }
        if self.walk.confirms.is_none() {
            self.act(operand);
            return value;
        }
        let rt = &self.runtime;
        syn::parse_quote!(#rt.known(#value))
    }

    /// A binary operator whose operands rustc confirms where that is necessary.
    pub(in crate::bind) fn confirmed_binary(&mut self, binary: &syn::ExprBinary) -> Expr {
        let method = method_of(&binary.op);
        let mut result = binary.clone();
        *result.left = self.operand_of(method, &binary.left);
        *result.right = self.operand_of(method, &binary.right);
        Expr::Binary(result)
    }

    /// The same for an operator of one operand.
    pub(in crate::bind) fn unary(&mut self, unary: &syn::ExprUnary) -> Expr {
        let mut result = unary.clone();
        *result.expr = match unary.op {
            UnOp::Neg(_) => self.operand_of("neg", &unary.expr),
            UnOp::Not(_) => self.operand_of("not", &unary.expr),
            _ => self.dereferenced(&unary.expr),
        };
        Expr::Unary(result)
    }

    /// The same for the base of a field.
    pub(in crate::bind) fn confirm_field(&mut self, result: &mut syn::ExprField, field: &syn::ExprField) {
        let bound = std::mem::replace(&mut *result.base, Expr::PLACEHOLDER);
        *result.base = self.fielded_base(field, bound);
    }

    /// The right side of an assignment by an operator.
    pub(in crate::bind) fn right_of(&mut self, binary: &syn::ExprBinary) -> Expr {
        self.operand_of(method_of(&binary.op), &binary.right)
    }

    /// The base of a dereference, where rustc has to confirm its type.
    pub(in crate::bind) fn dereferenced(&mut self, base: &Expr) -> Expr {
        let bound = self.expression(base);
        if !self.walk.tracks() || self.is_pure_name("deref") || self.is_known(base) {
            return bound;
        }
        if self.walk.confirms.is_none() {
            self.act(base);
            return bound;
        }
        let rt = &self.runtime;
        syn::parse_quote!((*#rt.known(&#bound)))
    }

    /// The base of an index, which is bound already, where rustc has to confirm that it is memory of std's.
    pub(in crate::bind) fn indexed_base(&mut self, base: &Expr, bound: Expr) -> Expr {
        if !self.walk.tracks() || self.is_pure_name("index") || self.is_known(base) {
            return bound;
        }
        if self.walk.confirms.is_none() {
            self.act(base);
            return bound;
        }
        let rt = &self.runtime;
        syn::parse_quote!((*#rt.sequence(&#bound)))
    }

    /// The base of a field, which is bound already, where rustc has to confirm that the field is its own and not behind
    /// a `Deref`: in the pattern of a struct no other is.
    fn fielded_base(&mut self, field: &syn::ExprField, bound: Expr) -> Expr {
        if !self.walk.tracks() || self.is_pure_name("deref") || self.is_known(&field.base) {
            return bound;
        }
        if self.walk.confirms.is_none() {
            self.act(field);
            return bound;
        }
        let rt = &self.runtime;
        let member = &field.member;
        match self.struct_of(&field.base) {
            Some(path) => syn::parse_quote!((*{ let #path { #member: _, .. } = &#bound; &#bound })),
            None => syn::parse_quote!((*#rt.known(&#bound))),
        }
    }

    /// The path of the struct that a local is, where its type is written.
    fn struct_of(&self, local: &Expr) -> Option<syn::Path> {
        let name = surface::ident(local)?;
        if name == "self" {
            return Some(syn::parse_quote!(Self));
        }
        let Some(Binding::Local(local)) = self.scopes.get(name) else { return None };
        let mut ty = local.ty.as_deref()?;
        while let Type::Reference(reference) = ty {
            ty = &reference.elem;
        }
        let Type::Path(path) = ty else { return None };
        let mut path = path.path.clone();
        path.segments.last_mut()?.arguments = syn::PathArguments::None;
        Some(path)
    }

    /// An assignment to a place, by an operator or without one, where rustc has to confirm that neither the way to the
    /// place nor the operator is a user's.
    pub(in crate::bind) fn assigned_place(
        &mut self,
        op: Option<&BinOp>,
        place: &Expr,
        assignment: Expr,
    ) -> Expr {
        let whole = matches!(surface::strip_parens(place), Expr::Path(_));
        let method = op.map_or("", method_of);
        if !self.walk.tracks()
            || op.is_none() && whole
            || self.is_pure_name(method) && whole
            || op.is_some() && self.is_known(place)
        {
            return assignment;
        }
        let Some(root) =
            root_of(place).filter(|root| self.walk.confirms.is_some() && (whole || is_local_of(self, root)))
        else {
            self.act(place);
            return assignment;
        };
        let root = self.expression(&syn::parse_quote!(#root));
        let rt = &self.runtime;
        syn::parse_quote!({ #rt.known(&#root); #assignment })
    }

    /// Notes a method by whose name it would only compute, unless the receiver's type has one.
    pub(in crate::bind) fn method_of(&mut self, call: &syn::ExprMethodCall) {
        if !self.walk.tracks() || self.is_pure(&call.method) {
            return;
        }
        let method = call.method.to_string();
        if self.found_or(call).is_some() {
            return;
        }
        let own = self.primitive(&call.receiver).filter(|own| own.has(&method));
        let arguments = call.args.iter().all(|argument| self.is_known(argument));
        match own {
            Some(own) if arguments => {
                if let Some(name) = methods::of_std(&method).filter(|_| matches!(own, Primitive::Float(_))) {
                    static_eval::Scope::relies_on_method(&self.scopes, name);
                }
                if let Some(name) = ["clamp", "max", "min"].into_iter().find(|name| method == *name)
                    && !matches!(own, Primitive::Float(_))
                {
                    static_eval::Scope::relies_on_method(&self.scopes, name);
                }
            }
            _ => self.act(call),
        }
    }

    /// What confirms that a call is one of a constructor of std's, in a loop with an order: no function is a pattern.
    pub(in crate::bind) fn confirmed_constructor(&self, call: &syn::ExprCall) -> Option<syn::Stmt> {
        self.walk.confirms?;
        let name = surface::ident(&call.func).filter(|_| call.args.len() == 1)?;
        let value: Expr = match name.to_string().as_str() {
            "Some" => syn::parse_quote!(::core::option::Option::<()>::None),
            "Ok" | "Err" => syn::parse_quote!(::core::result::Result::<(), ()>::Ok(())),
            _ => return None,
        };
        Some(syn::parse_quote!(let (#name(_) | _) = #value;))
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

    /// Lets rustc confirm that an element that is written has no `Drop`, and no operator of a user's where it is
    /// updated by one.
    pub(in crate::bind) fn plain_elements_of(
        &mut self,
        view: &View,
        kind: AccessKind,
        tokens: &proc_macro2::TokenStream,
    ) {
        let known = self.element_of(view).is_some_and(|element| self.is_known_type(&element.ty));
        if !self.walk.tracks() || known {
            return;
        }
        let updated = kind != AccessKind::Write;
        let root = self.program.root_buffer(view.buffer);
        let slice = matches!(self.program.buffers[root].memory, Memory::Slice | Memory::Pointer);
        let allocated = self.program.allocated(root);
        let before = self.walk.confirms.is_some_and(|nest| self.program.visible(allocated, nest));
        if before && slice && view.casts.is_empty() {
            *self.tensors.plain_elements.entry(root).or_default() |= updated;
        } else {
            self.act(tokens);
        }
    }

    /// Writes before a loop with an order what confirms its elements.
    pub(in crate::bind) fn confirm_elements(&mut self) {
        if self.walk.confirms.is_some() {
            return;
        }
        let rt = self.runtime.clone();
        for (buffer, updated) in std::mem::take(&mut self.tensors.plain_elements) {
            let local = &self.program.buffers[buffer].local;
            self.push(if updated {
                syn::parse_quote!(#rt.known_elements(&#local[..]);)
            } else {
                syn::parse_quote!(#rt.copied_elements(&#local[..]);)
            });
        }
    }

    /// A value that is made where an order decides when: rustc confirms that it has no `Drop`.
    pub(in crate::bind) fn without_drop(&mut self, value: Expr) -> Expr {
        if self.walk.confirms.is_none() {
            return value;
        }
        let rt = &self.runtime;
        syn::parse_quote!(#rt.copied(#value))
    }

    /// `t` of `t.get([..]).unwrap_or(value)`.
    fn found_or(&self, call: &syn::ExprMethodCall) -> Option<&View> {
        let Expr::MethodCall(get) = surface::strip_parens(&call.receiver) else { return None };
        let is_known = call.method == "unwrap_or" && call.args.len() == 1;
        if !is_known || self.tensor_method(get) != Some(TensorMethod::Get) {
            return None;
        }
        self.named_view(&get.receiver)
    }

    /// Whether a loop around names an operator pure, by the name of its method.
    fn is_pure_name(&self, method: &str) -> bool {
        !method.is_empty() && self.walk.pure.iter().any(|name| name == method)
    }
}

/// The name that a place is a part of.
fn root_of(place: &Expr) -> Option<&syn::Ident> {
    match surface::strip_parens(place) {
        Expr::Field(field) => root_of(&field.base),
        Expr::Index(index) => root_of(&index.expr),
        place => surface::ident(place),
    }
}

fn is_local_of(binder: &Binder<'_>, name: &syn::Ident) -> bool {
    matches!(binder.scopes.get(name), Some(Binding::Local(_)))
}

fn tail(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.last()? {
        syn::Stmt::Expr(value, None) => Some(value),
        _ => None,
    }
}
