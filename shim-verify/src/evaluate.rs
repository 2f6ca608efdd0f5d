//! Expressions: Rust's arithmetic as formulas.

use std::collections::HashMap;

use syn::visit::Visit as _;
use syn::{BinOp, Expr, UnOp};

use crate::assigned::{Changes, is_assignment, root};
use crate::atoms::{Ty, UNBOUNDED};
use crate::execute::{integer, literal_of};
use crate::machine::{Int, Machine, Span, Value};
use crate::read::{Unreached, number_of};
use crate::term::{Formula, Poly};

impl Machine<'_> {
    /// Runs an expression.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Value {
        if self.is_dead {
            let mut unreached = Unreached::default();
            unreached.visit_expr(expr);
            self.seen.extend(unreached.0);
            return Value::Unknown;
        }
        match expr {
            Expr::Lit(lit) => literal_value(&lit.lit),
            Expr::Path(path) => self.path(path),
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Block(block) => self.labeled(block),
            Expr::Unsafe(block) => {
                let before = self.goals.len();
                let value = self.block(&block.block);
                // A block without an access that is known stays one that nothing reaches.
                if self.is_dead || self.goals.len() > before || is_free(&block.block) {
                    self.seen.extend(number_of(block));
                }
                value
            }
            Expr::Const(block) => self.block(&block.block),
            Expr::If(choice) => self.branches(choice),
            Expr::Match(choice) => self.arms(choice),
            Expr::ForLoop(lop) => {
                self.for_loop(lop);
                Value::Parts(Vec::new())
            }
            Expr::While(lop) => {
                self.while_loop(lop.label.as_ref(), Some(&lop.cond), &lop.body);
                Value::Parts(Vec::new())
            }
            Expr::Loop(lop) => {
                self.while_loop(lop.label.as_ref(), None, &lop.body);
                Value::Unknown
            }
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Cast(cast) => self.cast(cast),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Call(call) if crate::read::makes_runtime(&call.func) => Value::Runtime,
            Expr::Call(call) if is_version(&call.func) => {
                // The body of a kernel that has versions takes the arguments of the kernel.
                let inputs = self.inputs.clone();
                let arguments: Vec<_> = inputs.iter().map(|ty| self.of_type(ty)).collect();
                if let Some(Expr::Closure(closure)) = call.args.first() {
                    self.closure(closure, &arguments);
                }
                Value::Unknown
            }
            Expr::Call(call) if let Some(number) = self.called_closure(&call.func) => {
                let arguments: Vec<_> = call.args.iter().map(|argument| self.expr(argument)).collect();
                self.named_closure(number, &arguments)
            }
            Expr::Call(call) => {
                self.expr(&call.func);
                call.args.iter().for_each(|argument| drop(self.expr(argument)));
                Value::Unknown
            }
            Expr::Tuple(parts) => Value::Parts(parts.elems.iter().map(|part| self.expr(part)).collect()),
            Expr::Array(parts) => Value::Parts(parts.elems.iter().map(|part| self.expr(part)).collect()),
            Expr::Repeat(repeat) => {
                self.expr(&repeat.expr);
                Value::Unknown
            }
            Expr::Range(range) => self.range(range),
            Expr::Reference(reference) => self.reference(reference),
            Expr::Index(index) => self.index(index),
            Expr::Field(field) => self.field(field),
            Expr::Assign(assign) => {
                let value = self.expr(&assign.right);
                self.assign(&assign.left, value);
                Value::Parts(Vec::new())
            }
            Expr::Closure(closure) => {
                self.closure(closure, &[]);
                Value::Unknown
            }
            Expr::Let(binding) => {
                // In the scope of the branch that it is a condition of.
                self.expr(&binding.expr);
                self.bind_pattern(&binding.pat, Value::Unknown);
                Value::Truth(self.atoms.fresh_truth())
            }
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Return(jump) => {
                jump.expr.iter().for_each(|value| drop(self.expr(value)));
                self.is_dead = true;
                Value::Unknown
            }
            Expr::Break(jump) => {
                jump.expr.iter().for_each(|value| drop(self.expr(value)));
                self.jump(jump.label.as_ref());
                Value::Unknown
            }
            Expr::Continue(jump) => {
                self.jump(jump.label.as_ref());
                Value::Unknown
            }
            Expr::Try(value) => {
                self.expr(&value.expr);
                Value::Unknown
            }
            Expr::Struct(value) => {
                value.fields.iter().for_each(|field| drop(self.expr(&field.expr)));
                value.rest.iter().for_each(|rest| drop(self.expr(rest)));
                Value::Unknown
            }
            other => {
                self.havoc_all(&Changes::of_expr(other));
                Value::Unknown
            }
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Value {
        if let Some(name) = path.path.get_ident() {
            match self.read(&name.to_string()) {
                // Whoever takes it may call it with anything.
                Some(Value::Closure(number)) => {
                    self.named_closure(number, &[]);
                    return Value::Unknown;
                }
                Some(value) => return value,
                None => {}
            }
        }
        let names: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [.., ty, end] = &names[..]
            && let Some(ty) = Ty::named(ty)
        {
            let value = match end.as_str() {
                "MAX" => ty.high(),
                "MIN" => ty.low(),
                "BITS" => i128::from(ty.bits),
                _ => return Value::Unknown,
            };
            let ty = if end == "BITS" { Ty { bits: 32, signed: false } } else { ty };
            return Value::Int(Int { poly: Poly::constant(value), ty: Some(ty), exact: true });
        }
        // A constant of the user's is the same whenever it is read.
        let is_constant = names.last().is_some_and(|name| name.chars().all(|c| !c.is_lowercase()));
        if is_constant {
            return Value::Opaque(self.atoms.function(names.join("::"), &[], UNBOUNDED, |_| Vec::new()));
        }
        Value::Unknown
    }

    fn labeled(&mut self, block: &syn::ExprBlock) -> Value {
        let Some(_) = &block.label else { return self.block(&block.block) };
        // A `break` may leave it from anywhere.
        let changes = Changes::of_block(&block.block);
        let mark = self.facts.len();
        self.block(&block.block);
        self.is_dead = false;
        self.facts.truncate(mark);
        self.havoc_all(&changes);
        Value::Unknown
    }

    /// A condition, whose bindings are in the scope around it.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Formula {
        match self.expr(expr) {
            Value::Truth(formula) => formula,
            _ => self.atoms.fresh_truth(),
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Value {
        if is_assignment(&binary.op) {
            let by = self.expr(&binary.right);
            let old = self.expr(&binary.left);
            let value = self.operation(&plain(&binary.op), old, by);
            self.assign(&binary.left, value);
            return Value::Parts(Vec::new());
        }
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            let is_and = matches!(binary.op, BinOp::And(_));
            let left = self.condition(&binary.left);
            let changes = Changes::of_expr(&binary.right);
            // The right side runs only if the left one does not decide.
            let mark = self.facts.len();
            self.assume(if is_and { left.clone() } else { left.clone().negated() });
            let right = self.condition(&binary.right);
            self.facts.truncate(mark);
            self.is_dead = false;
            self.havoc_all(&changes);
            let parts = [left, right];
            return Value::Truth(if is_and { Formula::all(parts) } else { Formula::any(parts) });
        }
        let left = self.expr(&binary.left);
        let right = self.expr(&binary.right);
        self.operation(&binary.op, left, right)
    }

    fn operation(&mut self, op: &BinOp, left: Value, right: Value) -> Value {
        if let (Value::Truth(a), Value::Truth(b)) = (&left, &right) {
            return match op {
                BinOp::BitAnd(_) => Value::Truth(Formula::all([a.clone(), b.clone()])),
                BinOp::BitOr(_) => Value::Truth(Formula::any([a.clone(), b.clone()])),
                _ => Value::Truth(self.atoms.fresh_truth()),
            };
        }
        let int = |value: &Value| match value {
            Value::Int(int) => Some(int.clone()),
            Value::Opaque(poly) | Value::Field(_, _, poly) => {
                Some(Int { poly: poly.clone(), ty: None, exact: true })
            }
            _ => None,
        };
        let is_comparison = matches!(
            op,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_)
        );
        let (Some(a), Some(b)) = (int(&left), int(&right)) else {
            return if is_comparison { Value::Truth(self.atoms.fresh_truth()) } else { Value::Unknown };
        };
        if is_comparison {
            let (a, b) = (self.exact(&a), self.exact(&b));
            return Value::Truth(match op {
                BinOp::Lt(_) => Formula::less(&a, &b),
                BinOp::Le(_) => Formula::at_most(&a, &b),
                BinOp::Gt(_) => Formula::less(&b, &a),
                BinOp::Ge(_) => Formula::at_most(&b, &a),
                BinOp::Eq(_) => Formula::equal(&a, &b),
                _ => Formula::equal(&a, &b).negated(),
            });
        }
        let is_shift = matches!(op, BinOp::Shl(_) | BinOp::Shr(_));
        let ty = if is_shift { a.ty } else { a.ty.or(b.ty) };
        let is_number = |int: &Int| int.ty.is_some() || int.poly.as_constant().is_some();
        let is_known = is_number(&a) && (is_shift || is_number(&b));
        if !is_known && !matches!((&left, &right), (Value::Int(_), Value::Int(_))) {
            // Not necessarily numbers.
            return Value::Unknown;
        }
        match op {
            BinOp::Add(_) => self.ring(a.poly.plus(&b.poly), ty),
            BinOp::Sub(_) => self.ring(a.poly.minus(&b.poly), ty),
            BinOp::Mul(_) => self.ring(a.poly.times(&b.poly), ty),
            _ => {
                let (a, b) = (self.exact(&a), self.exact(&b));
                self.whole(op, &a, &b, ty)
            }
        }
    }

    /// The result of an operation that wraps.
    pub(crate) fn ring(&mut self, poly: Poly, ty: Option<Ty>) -> Value {
        let bounds = self.atoms.bounds(&poly);
        let exact = match ty {
            Some(Ty::EXTENT) => true,
            Some(ty) => bounds.0 >= ty.low() && bounds.1 <= ty.high(),
            None => bounds.0 >= 0 && bounds.1 <= 127,
        };
        Value::Int(Int { poly, ty, exact })
    }

    /// Operations on the numbers themselves.
    fn whole(&mut self, op: &BinOp, a: &Poly, b: &Poly, ty: Option<Ty>) -> Value {
        let known = b.as_constant();
        let result = match (op, known) {
            (BinOp::Shr(_), Some(bits @ 0..=62)) => self.floor(a, 1 << bits),
            (BinOp::Shl(_), Some(bits @ 0..=62)) => {
                return self.ring(a.times(&Poly::constant(1 << bits)), ty);
            }
            (BinOp::BitAnd(_), Some(mask)) if mask >= 0 && (mask + 1).count_ones() == 1 => {
                self.modulo(a, mask + 1)
            }
            (BinOp::BitAnd(_), Some(mask)) if mask >= 0 => {
                self.atoms.function("and", &[a, b], (0, mask), |_| Vec::new())
            }
            (BinOp::BitAnd(_), _) if a.as_constant().is_some_and(|mask| mask >= 0) => {
                return self.whole(op, b, a, ty);
            }
            (BinOp::Div(_), _) => self.quotient(a, b),
            (BinOp::Rem(_), _) => a.minus(&b.times(&self.quotient(a, b))),
            _ => {
                let bounds = ty.map_or(UNBOUNDED, |ty| (ty.low(), ty.high()));
                Poly::atom(self.atoms.fresh(bounds))
            }
        };
        Value::Int(Int { poly: result, ty, exact: true })
    }

    /// `a / by`, rounded down. Whole multiples of `by` are taken out.
    pub(crate) fn floor(&mut self, a: &Poly, by: i128) -> Poly {
        let divisor = Poly::constant(by);
        let (mut whole, mut rest) = (Poly::default(), Poly::default());
        for (product, factor) in a.terms() {
            let term = product.iter().fold(Poly::constant(1), |term, atom| term.times(&Poly::atom(*atom)));
            let (count, left) = match product {
                [] => (factor.div_euclid(by), factor.rem_euclid(by)),
                _ => (factor / by, factor % by),
            };
            whole = whole.plus(&term.times(&Poly::constant(count)));
            rest = rest.plus(&term.times(&Poly::constant(left)));
        }
        if rest == Poly::default() {
            return whole;
        }
        let (low, high) = self.atoms.bounds(&rest);
        if low >= 0 && high < by {
            return whole;
        }
        let down =
            |bound: i128| if bound == i128::MIN || bound == i128::MAX { bound } else { bound.div_euclid(by) };
        let quotient =
            self.atoms.function("floor", &[&rest, &divisor], (down(low), down(high)), |quotient| {
                let left = rest.minus(&quotient.times(&divisor));
                vec![Formula::at_most(&Poly::default(), &left), Formula::less(&left, &divisor)]
            });
        let atom = quotient.atoms().next().expect("it is an atom");
        self.atoms.floors.insert(atom, (rest, by));
        whole.plus(&quotient)
    }

    /// `a` modulo `by`, not negative.
    pub(crate) fn modulo(&mut self, a: &Poly, by: i128) -> Poly {
        let quotient = self.floor(a, by);
        a.minus(&quotient.times(&Poly::constant(by)))
    }

    /// `a / b`, rounded to zero, as Rust does.
    pub(crate) fn quotient(&mut self, a: &Poly, b: &Poly) -> Poly {
        if let (Some(by), (low, _)) = (b.as_constant(), self.atoms.bounds(a))
            && by > 0
            && low >= 0
        {
            return self.floor(a, by);
        }
        let zero = Poly::default();
        self.atoms.function("quotient", &[a, b], UNBOUNDED, |quotient| {
            let rest = a.minus(&b.times(quotient));
            let positive = Formula::less(&zero, b);
            let not_negative = Formula::at_most(&zero, a);
            let both = Formula::all([positive.clone(), not_negative.clone()]);
            vec![
                Formula::implies(
                    &both,
                    Formula::all([
                        Formula::at_most(&zero, &rest),
                        Formula::less(&rest, b),
                        Formula::at_most(&zero, quotient),
                    ]),
                ),
                Formula::implies(
                    &Formula::all([positive, not_negative.negated()]),
                    Formula::all([
                        Formula::at_most(&rest, &zero),
                        Formula::less(&zero.minus(b), &rest),
                        Formula::at_most(quotient, &zero),
                    ]),
                ),
            ]
        })
    }

    pub(crate) fn least(&mut self, a: &Poly, b: &Poly) -> Poly {
        let ((a_low, a_high), (b_low, b_high)) = (self.atoms.bounds(a), self.atoms.bounds(b));
        if a_high <= b_low || a == b {
            return a.clone();
        }
        if b_high <= a_low {
            return b.clone();
        }
        self.atoms.function("least", &[a, b], (a_low.min(b_low), a_high.min(b_high)), |least| {
            vec![
                Formula::at_most(least, a),
                Formula::at_most(least, b),
                Formula::any([Formula::equal(least, a), Formula::equal(least, b)]),
            ]
        })
    }

    pub(crate) fn greatest(&mut self, a: &Poly, b: &Poly) -> Poly {
        let zero = Poly::default();
        let (a, b) = (zero.minus(a), zero.minus(b));
        zero.minus(&self.least(&a, &b))
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Value {
        let value = self.expr(&unary.expr);
        match (&unary.op, value) {
            (UnOp::Not(_), Value::Truth(formula)) => Value::Truth(formula.negated()),
            (UnOp::Not(_), Value::Int(Int { poly, ty: Some(ty), exact: true })) if ty.signed => {
                Value::Int(Int { poly: Poly::constant(-1).minus(&poly), ty: Some(ty), exact: true })
            }
            // A literal, of whatever type.
            (UnOp::Neg(_), Value::Int(int)) if int.poly.as_constant().is_some() => {
                Value::Int(Int { poly: Poly::default().minus(&int.poly), ..int })
            }
            (UnOp::Neg(_), Value::Int(int)) => self.ring(Poly::default().minus(&int.poly), int.ty),
            // Behind a reference that is not understood the value may change.
            (UnOp::Deref(_), Value::Int(int)) => Value::Int(int),
            (UnOp::Deref(_), value @ (Value::Memory(_) | Value::Parts(_) | Value::Truth(_))) => value,
            _ => Value::Unknown,
        }
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Value {
        let value = self.expr(&cast.expr);
        let syn::Type::Path(path) = &*cast.ty else { return Value::Unknown };
        let Some(ty) = integer(path) else { return Value::Unknown };
        match value {
            Value::Int(int) if int.ty == Some(ty) => Value::Int(int),
            Value::Int(int) => {
                let same_size = int.ty.is_some_and(|from| from.bits == ty.bits);
                let poly = if same_size { int.poly } else { self.exact(&int) };
                self.ring(poly, Some(ty))
            }
            Value::Truth(formula) => {
                let value = self.atoms.fresh((0, 1));
                let poly = Poly::atom(value);
                let (one, zero) = (Poly::constant(1), Poly::default());
                self.assume(Formula::implies(&formula, Formula::equal(&poly, &one)));
                self.assume(Formula::implies(&formula.negated(), Formula::equal(&poly, &zero)));
                Value::Int(Int { poly, ty: Some(ty), exact: true })
            }
            _ => self.fresh_int(Some(ty)),
        }
    }

    fn range(&mut self, range: &syn::ExprRange) -> Value {
        let start = range.start.as_deref().map(|start| self.expr(start));
        let end = range.end.as_deref().map(|end| self.expr(end));
        let ty = [&start, &end].into_iter().find_map(|value| match value {
            Some(Value::Int(int)) => int.ty,
            _ => None,
        });
        let mut exact = |value: Option<Value>| value.and_then(|value| self.exact_value(&value));
        let (start, end) = (exact(start), exact(end));
        let end = match range.limits {
            syn::RangeLimits::Closed(_) => end.map(|end| end.plus_constant(1)),
            syn::RangeLimits::HalfOpen(_) => end,
        };
        Value::Range(Box::new(Span { start, end, ty, ..Span::default() }))
    }

    fn reference(&mut self, reference: &syn::ExprReference) -> Value {
        let value = self.expr(&reference.expr);
        match value {
            Value::Memory(_) | Value::Fields(_) | Value::Field(..) => value,
            value if reference.mutability.is_none() => value,
            _ => {
                let names = root(&reference.expr).into_iter().collect();
                self.make_volatile(&names);
                Value::Unknown
            }
        }
    }

    fn index(&mut self, index: &syn::ExprIndex) -> Value {
        let of = self.expr(&index.expr);
        let at = self.expr(&index.index);
        match (of, at) {
            (Value::Parts(parts), Value::Int(at)) => match at.poly.as_constant() {
                Some(at) => {
                    usize::try_from(at).ok().and_then(|at| parts.get(at).cloned()).unwrap_or(Value::Unknown)
                }
                None => Value::Unknown,
            },
            // `[..]` of what is memory already, or of anything else.
            (Value::Memory(memory), Value::Range(span)) if span.start.is_none() && span.end.is_none() => {
                Value::Memory(memory)
            }
            (Value::Field(of, name, _), Value::Range(span)) if span.start.is_none() && span.end.is_none() => {
                Value::Memory(self.field_memory(of, name))
            }
            (Value::Field(of, name, _), Value::Int(at)) => match at.poly.as_constant() {
                Some(at) => self.field_of(of, format!("{name}[{at}]")),
                None => Value::AnyField(of, name),
            },
            (Value::Field(of, name, _), _) => Value::AnyField(of, name),
            (Value::AnyField(of, name), Value::Range(span)) if span.start.is_none() && span.end.is_none() => {
                Value::Memory(self.any_field_memory(of, &name))
            }
            (_, Value::Range(_)) => Value::Memory(self.fresh_memory()),
            _ => Value::Unknown,
        }
    }

    fn assign(&mut self, place: &Expr, value: Value) {
        match place {
            Expr::Path(path) if path.path.get_ident().is_some() => {
                let name = path.path.get_ident().expect("it is one").to_string();
                let value = match value {
                    Value::Unknown => self.fresh_opaque(),
                    value => value,
                };
                // A number keeps the type that its variable has.
                if let Some(slot) = self.slot(&name) {
                    slot.value = match (&slot.value, value) {
                        (Value::Int(Int { ty: Some(ty), .. }), Value::Int(int)) if int.ty.is_none() => {
                            Value::Int(Int { ty: Some(*ty), ..int })
                        }
                        (_, value) => value,
                    };
                }
            }
            Expr::Infer(_) => {}
            Expr::Tuple(parts) => parts.elems.iter().for_each(|part| self.assign(part, Value::Unknown)),
            Expr::Array(parts) => parts.elems.iter().for_each(|part| self.assign(part, Value::Unknown)),
            place => {
                self.expr(place);
                if let Some(name) = root(place)
                    && !matches!(place, Expr::Unary(_))
                {
                    self.havoc(&name, false);
                }
            }
        }
    }

    fn called_closure(&mut self, function: &Expr) -> Option<usize> {
        let Expr::Path(path) = function else { return None };
        match self.read(&path.path.get_ident()?.to_string()) {
            Some(Value::Closure(number)) => Some(number),
            _ => None,
        }
    }

    /// Runs a closure where it is called, with the names that it has where it is written.
    fn named_closure(&mut self, number: usize, arguments: &[Value]) -> Value {
        let (closure, depth) = self.closures[number].clone();
        let hidden = self.scopes.split_off(depth.min(self.scopes.len()));
        self.closure(&closure, arguments);
        self.scopes.extend(hidden);
        Value::Unknown
    }

    /// Runs the body of a closure, whose arguments are known or not.
    pub(crate) fn closure(&mut self, closure: &syn::ExprClosure, arguments: &[Value]) {
        // It runs at any time, with other values of what may change.
        let changes = Changes::of_expr(&closure.body);
        let mut mutable: Vec<_> = self
            .scopes
            .iter()
            .flatten()
            .filter(|(_, slot)| slot.is_mutable && !matches!(slot.value, Value::Memory(_) | Value::Runtime))
            .map(|(name, _)| name.clone())
            .collect();
        // Numbers of atoms, and so the hashes of questions, follow this order.
        mutable.sort();
        let before = self.slots(&mutable);
        for name in &mutable {
            self.havoc(name, false);
        }
        let mark = self.facts.len();
        let frames = core::mem::take(&mut self.frames);
        self.scopes.push(HashMap::new());
        for (k, input) in closure.inputs.iter().enumerate() {
            self.bind_pattern(input, arguments.get(k).cloned().unwrap_or(Value::Unknown));
        }
        self.expr(&closure.body);
        self.scopes.pop();
        self.frames = frames;
        self.facts.truncate(mark);
        self.is_dead = false;
        self.restore(&mutable, &before);
        self.make_volatile(&changes.names().cloned().collect());
    }

    pub(crate) fn macro_call(&mut self, call: &syn::Macro) -> Value {
        let mut changes = Changes::default();
        syn::visit::Visit::visit_macro(&mut changes, call);
        for name in &changes.borrowed {
            // A macro may call it with anything.
            if let Some(Value::Closure(number)) = self.read(name) {
                self.named_closure(number, &[]);
            }
        }
        self.havoc_all(&changes);
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if matches!(name.as_str(), "panic" | "unreachable" | "unimplemented" | "todo") {
            self.is_dead = true;
        }
        Value::Unknown
    }
}

fn literal_value(lit: &syn::Lit) -> Value {
    match lit {
        syn::Lit::Int(number) => literal_of(lit).map_or(Value::Unknown, |value| {
            Value::Int(Int { poly: Poly::constant(value), ty: Ty::named(number.suffix()), exact: true })
        }),
        syn::Lit::Bool(value) => Value::Truth(Formula::Is(value.value)),
        _ => Value::Unknown,
    }
}

/// Whether what a block does needs no proof: it makes a runtime, the caller answers for a pointer, or it is the user's own.
fn is_free(block: &syn::Block) -> bool {
    let calls_runtime = |tokens: String| {
        tokens.split(|c: char| !c.is_alphanumeric() && c != '_').any(|name| name.starts_with("shim"))
    };
    if !calls_runtime(quote::ToTokens::to_token_stream(block).to_string()) {
        return true;
    }
    match &block.stmts[..] {
        [syn::Stmt::Expr(Expr::Call(call), None)] => crate::read::makes_runtime(&call.func),
        [syn::Stmt::Expr(Expr::MethodCall(call), None)] => {
            call.method == "slice" || call.method == "slice_mut"
        }
        _ => false,
    }
}

/// Whether a function runs the body of a kernel in one of its versions.
fn is_version(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if path.path.is_ident("__shim_version"))
}

/// The operation that an assignment does: that of its sign without `=`.
fn plain(op: &BinOp) -> BinOp {
    let sign = quote::ToTokens::to_token_stream(op).to_string();
    syn::parse_str(sign.trim_end_matches('=')).expect("it is an operator")
}
