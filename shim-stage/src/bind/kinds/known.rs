//! The primitive types of values and the integers that they may be, as far as the kernel shows them.

use quote::ToTokens as _;
use syn::{Expr, Ident, Pat, Type, UnOp};

use crate::hygiene;
use crate::ir::View;
use crate::parse::signature::element;
use crate::static_eval::methods::{self, Shape};
use crate::static_eval::{self, IntType, Value, Values};
use crate::surface::{self, TensorMethod, pattern, std_macro};

use crate::bind::types::{IntTy, Known, Primitive};
use crate::bind::{Binder, Binding};

/// How an expression is read.
#[derive(Clone, Default)]
pub(super) struct Reading {
    /// The names that blocks within it bind, with what is known of them.
    pub(super) inner: Vec<(Ident, Option<Known>)>,
    /// Whether rustc does not confirm the types that are found.
    is_unconfirmed: bool,
    /// How many closures it is in that are called within.
    pub(super) calls: usize,
}

impl Reading {
    /// Whether an expression mentions a name of a block within.
    pub(super) fn is_inside(&self, expr: &Expr) -> bool {
        let is_inner = |name: &Ident| self.inner.iter().any(|(own, _)| hygiene::same(own, name));
        !self.inner.is_empty() && hygiene::free_identifiers(expr.to_token_stream()).iter().any(is_inner)
    }

    /// In the body of a closure that is called with parameters of which this is known.
    pub(super) fn of_call(&self, parameters: impl IntoIterator<Item = (Ident, Option<Known>)>) -> Self {
        // Names of the body that blocks around the call bind are other ones.
        Reading { calls: self.calls + 1, inner: parameters.into_iter().collect(), ..*self }
    }

    /// Behind names that are bound, with what is known of them.
    pub(super) fn binding(&self, names: impl IntoIterator<Item = (Ident, Option<Known>)>) -> Self {
        let mut reading = self.clone();
        reading.inner.extend(names);
        reading
    }
}

impl Binder<'_> {
    /// The primitive type of a value, as far as the kernel shows it.
    pub(in crate::bind) fn primitive(&self, expr: &Expr) -> Option<Primitive> {
        Some(self.known_value(expr)?.primitive)
    }

    /// The type of `expr`, if it is certainly a plain integer of the language's own types: what it says is relied on
    /// by the conversion to `isize`, which takes no other type.
    pub(in crate::bind) fn number(&self, expr: &Expr) -> Option<IntTy> {
        let unconfirmed = Reading { is_unconfirmed: true, ..Reading::default() };
        self.known_in(expr, &unconfirmed)?.primitive.number()
    }

    /// The type of a value and the integers that it may be. rustc confirms the names of types.
    pub(in crate::bind) fn known_value(&self, expr: &Expr) -> Option<Known> {
        self.known_in(expr, &Reading::default())
    }

    /// The types and integers of the names that a `let` binds, whose scope is `rest`, also of those in a tuple or an array.
    pub(in crate::bind) fn all_known(
        &self,
        pattern: &Pat,
        init: &Expr,
        rest: &[syn::Stmt],
    ) -> Vec<(Ident, Known)> {
        self.all_known_by(pattern, init, rest, &Reading::default())
    }

    pub(super) fn all_known_by(
        &self,
        pattern: &Pat,
        init: &Expr,
        rest: &[syn::Stmt],
        reading: &Reading,
    ) -> Vec<(Ident, Known)> {
        let all = self.let_names(pattern, Some(init), rest, reading);
        all.into_iter().filter_map(|(name, known)| Some((name, known?))).collect()
    }

    /// Reads an expression. It visits operands once, so that a chain of operators takes time proportional to its length.
    pub(super) fn known_in(&self, expr: &Expr, reading: &Reading) -> Option<Known> {
        let expr = surface::strip_parens(expr);
        let known = |expr: &Expr| self.known_in(expr, reading);
        let found = match expr {
            Expr::Binary(binary) => {
                if surface::is_assigning(&binary.op) {
                    return None;
                }
                known(&binary.left)?.operator(&binary.op, known(&binary.right)?)
            }
            // No cast is of a user's making, and none gives anything but a number, a `char` or a pointer.
            Expr::Cast(cast) => {
                let primitive = Primitive::of_type(&cast.ty).unwrap_or(Primitive::Other);
                Known { primitive, values: known(&cast.expr).and_then(|from| from.values) }
            }
            Expr::Path(path) if let Some(name) = path.path.get_ident() => {
                match reading.inner.iter().rev().find(|(own, _)| hygiene::same(own, name)) {
                    Some((_, known)) => (*known)?,
                    None => self.known_name(expr, name, reading)?,
                }
            }
            Expr::Unary(_) | Expr::MethodCall(_) if let Some(known) = self.static_in(expr, reading) => known,
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let own = known(&unary.expr)?;
                Known { values: own.values.and_then(Values::negated), ..own }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                Known::of(known(&unary.expr)?.primitive)
            }
            Expr::Block(block) if block.label.is_none() => self.known_block(&block.block, reading)?,
            Expr::Unsafe(block) => self.known_block(&block.block, reading)?,
            Expr::If(choice) => {
                let (_, otherwise) = choice.else_branch.as_ref()?;
                let then = reading.binding(names_bound_by(&choice.cond).into_iter().map(|name| (name, None)));
                self.known_block(&choice.then_branch, &then)?.or(known(otherwise)?)?
            }
            Expr::Match(own) => {
                let mut arms = own.arms.iter().map(|arm| {
                    let names = hygiene::bound_names(&arm.pat).into_iter().map(|name| (name, None));
                    self.known_in(&arm.body, &reading.binding(names))
                });
                let first = arms.next()??;
                arms.try_fold(first, |all, own| all.or(own?))?
            }
            Expr::Call(call) if let Some((body, reading)) = self.called(call, reading) => {
                self.known_in(body, &reading)?
            }
            Expr::MethodCall(call) if self.is_total_of_chain(call) => {
                Known::of(self.read_type(type_argument(call)?, reading)?)
            }
            Expr::MethodCall(call) if let Some(found) = self.known_method(call, reading) => found,
            Expr::Index(index) if reading.is_inside(expr) => self.known_element(index, reading)?,
            // The other forms look up names in the scopes around the expression.
            expr if !reading.is_inside(expr) => self.known_outside(expr, reading)?,
            _ => return None,
        };
        let found = found.of_its_type();
        if !reading.is_unconfirmed {
            self.relies_on(found.primitive);
        }
        Some(found)
    }

    /// Reads a name.
    fn known_name(&self, expr: &Expr, name: &Ident, reading: &Reading) -> Option<Known> {
        Some(match self.scopes.get(name)? {
            Binding::Local(local) => {
                let own = local.number.map(Primitive::of_number).or(local.primitive);
                let primitive = own.or_else(|| self.read_type(local.ty.as_ref()?, reading))?;
                let bounds = || local.symbol.as_ref().and_then(|symbol| Values::within(symbol.range()));
                let symbolic = local.is_unchanging().then(bounds).flatten();
                let values = local.values.or(symbolic).filter(|_| !local.exposed);
                Known { primitive, values }
            }
            Binding::Index { reference: false, sym, exact, .. } => {
                let values = Values::within(sym.range()).filter(|_| *exact);
                Known { primitive: Primitive::Int(IntType::I32), values }
            }
            Binding::Static(Value::Bool(_)) => Known::of(Primitive::Bool),
            _ => return self.known_static(expr),
        })
    }

    fn known_static(&self, expr: &Expr) -> Option<Known> {
        let Ok(Some(Value::Int(int))) = static_eval::eval(expr, &self.scopes) else { return None };
        let primitive = int.ty.map_or(Primitive::OpenInt, Primitive::Int);
        Some(Known { primitive, values: Some(Values::exactly(int.value)) })
    }

    fn static_in(&self, expr: &Expr, reading: &Reading) -> Option<Known> {
        if reading.is_inside(expr) { None } else { self.known_static(expr) }
    }

    /// Reads the last expression of a block.
    fn known_block(&self, block: &syn::Block, reading: &Reading) -> Option<Known> {
        let (value, reading) = self.last_of(block, reading)?;
        self.known_in(value, &reading)
    }

    /// The last expression of a block, and how it is read behind the names that the block binds.
    fn last_of<'e>(&self, block: &'e syn::Block, reading: &Reading) -> Option<(&'e Expr, Reading)> {
        let (syn::Stmt::Expr(value, None), before) = block.stmts.split_last()? else { return None };
        let mut bound = reading.clone();
        for (at, statement) in before.iter().enumerate() {
            match statement {
                syn::Stmt::Local(local) => self.read_let(local, &block.stmts[at + 1..], &mut bound),
                syn::Stmt::Expr(..) => {}
                syn::Stmt::Macro(own) if std_macro::arguments(&own.mac).is_some() => {}
                syn::Stmt::Item(_) | syn::Stmt::Macro(_) => return None,
            }
        }
        Some((value, bound))
    }

    /// Adds what is known of the names that a `let` binds, whose scope is `rest`.
    pub(super) fn read_let(&self, local: &syn::Local, rest: &[syn::Stmt], reading: &mut Reading) {
        let init = local.init.as_ref().map(|init| &*init.expr);
        let own = self.let_names(&local.pat, init, rest, reading);
        reading.inner.extend(own);
    }

    fn let_names(
        &self,
        pattern: &Pat,
        init: Option<&Expr>,
        rest: &[syn::Stmt],
        reading: &Reading,
    ) -> Vec<(Ident, Option<Known>)> {
        let init = init.map(surface::strip_parens);
        let both = |names: &mut dyn Iterator<Item = &Pat>, values: &mut dyn Iterator<Item = &Expr>| {
            names
                .zip(values)
                .flat_map(|(name, value)| self.let_names(name, Some(value), rest, reading))
                .collect()
        };
        match (pattern::simple(pattern), pattern, init) {
            (Some((name, ty, is_mutable)), ..) => {
                let init = init.and_then(|init| self.known_in(init, reading));
                let written = ty.map(|ty| self.read_type(ty, reading).map(Known::of));
                let known = match (written, init) {
                    (Some(Some(own)), Some(init)) => {
                        Known { values: init.values, ..own }.or(init).or(Some(own))
                    }
                    (Some(written), _) => written,
                    (None, init) => init,
                };
                let known = known
                    .map(|known| if is_mutable { self.sum_of(name, known, rest, reading) } else { known });
                vec![(name.clone(), known)]
            }
            (None, Pat::Tuple(names), Some(Expr::Tuple(values)))
                if names.elems.len() == values.elems.len() =>
            {
                both(&mut names.elems.iter(), &mut values.elems.iter())
            }
            (None, Pat::Slice(names), Some(Expr::Array(values)))
                if names.elems.len() == values.elems.len() =>
            {
                both(&mut names.elems.iter(), &mut values.elems.iter())
            }
            (None, Pat::Tuple(names), Some(value))
                if !reading.is_inside(value)
                    && let Some(types) = self.tuple_type(value, names.elems.len()) =>
            {
                let known = |ty: &Type| self.read_type(ty, reading).map(Known::of);
                let names = names.elems.iter().zip(types);
                names
                    .flat_map(|(name, ty)| {
                        let known = pattern::simple(name).and_then(|_| known(ty));
                        hygiene::bound_names(name).into_iter().map(move |name| (name, known))
                    })
                    .collect()
            }
            _ => hygiene::bound_names(pattern).into_iter().map(|name| (name, None)).collect(),
        }
    }

    /// The primitive type `T` of `x.method::<T>(..)`.
    pub(in crate::bind) fn turbofish_primitive(&self, call: &syn::ExprMethodCall) -> Option<Primitive> {
        self.type_of(type_argument(call)?)
    }

    /// The type of the value of a function of an index, as far as the kernel shows it. rustc confirms it.
    pub(in crate::bind) fn type_of_stage(&self, closure: &syn::ExprClosure) -> Option<Type> {
        let parameters = closure.inputs.iter().flat_map(|input| {
            let known = pattern::array(input).map(|_| Known::of(Primitive::Int(IntType::I32)));
            hygiene::bound_names(input).into_iter().map(move |name| (name, known))
        });
        self.type_in(&closure.body, &Reading::default().binding(parameters))
    }

    /// The type of an array whose elements say theirs, as those of `[0_u32; 256]` do.
    pub(in crate::bind) fn type_of_array(&self, value: &Expr) -> Option<Type> {
        match surface::strip_parens(value) {
            array @ (Expr::Array(_) | Expr::Repeat(_)) => self.type_in(array, &Reading::default()),
            _ => None,
        }
    }

    /// Whether a call adds or multiplies the items of a chain that becomes a loop: the total has the type that it names.
    fn is_total_of_chain(&self, call: &syn::ExprMethodCall) -> bool {
        let mut source = surface::strip_parens(&call.receiver);
        while let Expr::MethodCall(inner) = source
            && (inner.method == "map" || inner.method == "filter")
        {
            source = surface::strip_parens(&inner.receiver);
        }
        let is_indices = |own: &syn::ExprMethodCall| self.tensor_method(own) == Some(TensorMethod::Indices);
        (call.method == "sum" || call.method == "product")
            && (surface::range(source).is_some()
                || matches!(source, Expr::MethodCall(own) if is_indices(own)))
    }

    fn type_in(&self, value: &Expr, reading: &Reading) -> Option<Type> {
        let all = |values: &mut dyn Iterator<Item = &Expr>| -> Option<Vec<Type>> {
            values.map(|value| self.type_in(value, reading)).collect()
        };
        match surface::strip_parens(value) {
            Expr::Block(block) if block.label.is_none() => {
                let (value, reading) = self.last_of(&block.block, reading)?;
                self.type_in(value, &reading)
            }
            Expr::Array(array) => {
                let types = all(&mut array.elems.iter())?;
                let (first, count) = (types.first()?, types.len());
                Some(syn::parse_quote!([#first; #count]))
            }
            Expr::Repeat(syn::ExprRepeat { expr, len, .. }) => {
                let ty = self.type_in(expr, reading)?;
                Some(syn::parse_quote!([#ty; #len]))
            }
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let types = all(&mut tuple.elems.iter())?;
                Some(syn::parse_quote!((#(#types,)*)))
            }
            Expr::MethodCall(call) if call.method == "sum" || call.method == "product" => {
                type_argument(call).cloned()
            }
            value => syn::parse_str(self.known_in(value, reading)?.primitive.name()?).ok(),
        }
    }

    /// Reads a call of a method that numbers have.
    fn known_method(&self, call: &syn::ExprMethodCall, reading: &Reading) -> Option<Known> {
        let method = call.method.to_string();
        let shape = methods::shape(&method)?;
        if matches!(shape, Shape::Length | Shape::Other) {
            return None;
        }
        let own = self.known_in(&call.receiver, reading)?;
        if !own.primitive.has(&method) {
            return None;
        }
        let Primitive::Int(ty) = own.primitive else {
            return matches!(shape, Shape::Same | Shape::Counted | Shape::Kept)
                .then(|| Known::of(own.primitive));
        };
        let result = match shape {
            Shape::Same | Shape::Counted | Shape::Kept => Primitive::Int(ty),
            Shape::Unsigned => Primitive::Int(ty.unsigned()),
            Shape::Bits => Primitive::Int(IntType::U32),
            Shape::Truth => return Some(Known::of(Primitive::Bool)),
            Shape::Length | Shape::Other => return None,
        };
        Some(Known { primitive: result, values: self.results(call, own, ty, reading) })
    }

    /// The results of a method of an integer's, if it certainly does not panic.
    fn results(
        &self,
        call: &syn::ExprMethodCall,
        own: Known,
        ty: IntType,
        reading: &Reading,
    ) -> Option<Values> {
        let arguments = call.args.iter().map(|argument| self.known_in(argument, reading)?.values);
        let arguments: Option<Vec<Values>> = arguments.collect();
        own.values?.method(&call.method.to_string(), &arguments?, ty)
    }

    /// Whether a method of an integer's certainly has a value.
    pub(in crate::bind) fn has_value(&self, call: &syn::ExprMethodCall, ty: IntType) -> bool {
        let own = self.known_value(&call.receiver);
        own.and_then(|own| self.results(call, own, ty, &Reading::default()))
            .is_some_and(|values| values.are_in(ty))
    }

    /// Reads an expression that mentions no names of inner blocks.
    fn known_outside(&self, expr: &Expr, reading: &Reading) -> Option<Known> {
        let read = |ty: &Type| self.read_type(ty, reading);
        if let Some(known) = self.known_static(expr) {
            return Some(known);
        }
        let primitive = match expr {
            Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Float(literal) => Primitive::Float(match literal.suffix() {
                    "f32" => Some("f32"),
                    "f64" => Some("f64"),
                    _ => None,
                }),
                syn::Lit::Bool(_) => Primitive::Bool,
                _ => Primitive::Other,
            },
            Expr::Index(index) if let Some(variable) = self.coordinate(index) => {
                return self.known_in(&variable, reading);
            }
            Expr::Index(index) if self.is_access(index) => {
                if let Expr::MethodCall(cast) = surface::strip_parens(&index.expr)
                    && self.tensor_method(cast) == Some(TensorMethod::Cast)
                {
                    return Some(Known::of(read(type_argument(cast)?)?));
                }
                let view = self.named_view(&index.expr)?;
                let primitive = read(&self.element_of(view)?.ty)?;
                return Some(Known { primitive, values: self.values_in(view) });
            }
            Expr::Index(_) => read(&self.type_of_place(expr)?)?,
            Expr::Field(syn::ExprField { base, member: syn::Member::Unnamed(number), .. }) => {
                let Type::Tuple(tuple) = self.type_of_element(base)? else { return None };
                read(tuple.elems.iter().nth(number.index as usize)?)?
            }
            Expr::MethodCall(call) => match self.tensor_method(call) {
                Some(TensorMethod::Contains) => Primitive::Bool,
                Some(TensorMethod::Extent | TensorMethod::Offset) => Primitive::Int(IntType::Usize),
                _ if let Some(view) = self.found_or(call) => read(&self.element_of(view)?.ty)?,
                _ if call.method == "len" && call.args.is_empty() => {
                    let Some(Binding::Local(local)) =
                        surface::ident(&call.receiver).and_then(|name| self.scopes.get(name))
                    else {
                        return None;
                    };
                    // A slice, an array or a `Vec`: these have no other `len`.
                    element(local.ty.as_ref()?).map(|_| Primitive::Int(IntType::Usize))?
                }
                _ => return None,
            },
            Expr::Call(call) if self.converts(call) => {
                let Expr::Path(path) = surface::strip_parens(&call.func) else { return None };
                let ty = &path.path.segments.first()?.ident;
                let primitive = read(&syn::parse_quote!(#ty))?;
                let from = call.args.first().and_then(|argument| self.known_in(argument, reading));
                return Some(Known { primitive, values: from.and_then(|from| from.values) });
            }
            Expr::Call(call) => Primitive::of_number(IntTy::of_type(self.template_output(call)?)?),
            _ => return None,
        };
        Some(Known::of(primitive))
    }

    /// Reads an element whose index consists of numbers of inner blocks.
    fn known_element(&self, index: &syn::ExprIndex, reading: &Reading) -> Option<Known> {
        let Expr::Array(mut entries) = surface::strip_parens(&index.index).clone() else { return None };
        for entry in &mut entries.elems {
            self.known_in(entry, reading)?.primitive.number()?;
            *entry = syn::parse_quote!(0);
        }
        let index = Expr::Index(syn::ExprIndex { index: Box::new(Expr::Array(entries)), ..index.clone() });
        if reading.is_inside(&index) { None } else { self.known_outside(&index, reading) }
    }

    /// The integers that elements of a view may be: those of its memory, through its casts.
    fn values_in(&self, view: &View) -> Option<Values> {
        let memory = self.program.buffers[view.buffer].number().and_then(Values::of);
        view.casts.iter().fold(memory, |values, cast| {
            let to = static_eval::int_type(&cast.ty)?;
            values.map_or(Values::of(to), |from| from.cast(to))
        })
    }

    pub(super) fn read_type(&self, ty: &Type, reading: &Reading) -> Option<Primitive> {
        if reading.is_unconfirmed { Primitive::of_type(ty) } else { self.type_of(ty) }
    }
}

/// `T` of `x.method::<T>(..)`.
fn type_argument(call: &syn::ExprMethodCall) -> Option<&Type> {
    match call.turbofish.as_ref()?.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// The names that the patterns of a condition bind.
pub(super) fn names_bound_by(condition: &Expr) -> Vec<Ident> {
    match condition {
        Expr::Let(own) => hygiene::bound_names(&own.pat),
        Expr::Binary(binary) => {
            [&binary.left, &binary.right].into_iter().flat_map(|own| names_bound_by(own)).collect()
        }
        Expr::Paren(inner) => names_bound_by(&inner.expr),
        _ => Vec::new(),
    }
}
