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

use syn::{BinOp, Expr, Ident, Type, UnOp};

use crate::ir::{AccessKind, Memory, View};
use crate::static_eval::{self, methods};
use crate::surface::{self};

use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding};

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

    /// Whether a loop around names an operator pure, by the name of its method.
    fn is_pure_name(&self, method: &str) -> bool {
        !method.is_empty() && self.walk.pure.iter().any(|name| name == method)
    }

    /// Whether a loop around the call names a method pure.
    pub(in crate::bind) fn is_pure(&self, method: &Ident) -> bool {
        self.walk.pure.contains(&crate::hygiene::text(method))
    }

    /// Whether a function is named pure by a loop around the call, as it is called.
    pub(in crate::bind) fn is_pure_call(&self, function: &Expr) -> bool {
        matches!(surface::strip_parens(function), Expr::Path(path) if self.walk.pure.contains(&crate::link::text(&path.path)))
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
