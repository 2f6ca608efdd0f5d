//! Statements: what they change, and what holds behind them.

use std::collections::HashMap;

use syn::visit::Visit as _;
use syn::{Block, Expr, Local, Pat, Stmt};

use crate::assigned::Changes;
use crate::atoms::Ty;
use crate::machine::{Fact, Frame, Int, Machine, Span, Value};
use crate::read::Unreached;
use crate::term::{Formula, Poly};

impl Machine<'_> {
    /// Runs a kernel, of whose arguments the types are known.
    pub(crate) fn kernel(&mut self, signature: &syn::Signature, body: &Block) {
        for input in &signature.inputs {
            match input {
                syn::FnArg::Typed(input) => {
                    let value = self.of_type(&input.ty);
                    self.bind_pattern(&input.pat, value);
                    self.inputs.push((*input.ty).clone());
                }
                syn::FnArg::Receiver(_) => {
                    self.bind("self", Value::Unknown, false);
                    self.inputs.push(syn::parse_quote!(Self));
                }
            }
        }
        self.block(body);
    }

    /// An unknown value of a type.
    pub(crate) fn of_type(&mut self, ty: &syn::Type) -> Value {
        match ty {
            syn::Type::Path(path) => match integer(path) {
                Some(ty) => self.fresh_int(Some(ty)),
                None => Value::Unknown,
            },
            syn::Type::Tuple(parts) => {
                Value::Parts(parts.elems.iter().map(|part| self.of_type(part)).collect())
            }
            syn::Type::Array(array) => match literal(&array.len) {
                Some(count @ 0..=64) => Value::Parts((0..count).map(|_| self.of_type(&array.elem)).collect()),
                _ => Value::Unknown,
            },
            syn::Type::Paren(inner) => self.of_type(&inner.elem),
            syn::Type::Group(inner) => self.of_type(&inner.elem),
            _ => Value::Unknown,
        }
    }

    /// Binds the names of a pattern.
    pub(crate) fn bind_pattern(&mut self, pattern: &Pat, value: Value) {
        match pattern {
            Pat::Ident(name) => {
                let value = if name.by_ref.is_some() { Value::Unknown } else { value };
                self.bind(&name.ident.to_string(), value, name.mutability.is_some());
                if let Some((_, inner)) = &name.subpat {
                    self.bind_pattern(inner, Value::Unknown);
                }
            }
            Pat::Type(typed) => {
                let value = match value {
                    Value::Unknown | Value::Opaque(_) => match self.of_type(&typed.ty) {
                        Value::Unknown => value,
                        typed => typed,
                    },
                    Value::Field(_, _, poly) if let Some(ty) = integer_of(&typed.ty) => {
                        self.atoms.narrow(&poly, ty);
                        Value::Int(Int { poly, ty: Some(ty), exact: true })
                    }
                    // A number whose type was not known.
                    Value::Int(int) if int.ty.is_none() && int.exact => {
                        Value::Int(Int { ty: integer_of(&typed.ty), ..int })
                    }
                    value => value,
                };
                self.bind_pattern(&typed.pat, value);
            }
            Pat::Tuple(parts) => {
                let value = match (value, parts.elems.get(2)) {
                    (Value::Tensor(memory), Some(Pat::Slice(extents))) => {
                        self.bind_tensor(memory, extents.elems.len())
                    }
                    (value, _) => value,
                };
                self.bind_parts(parts.elems.iter(), value);
            }
            Pat::Slice(parts) => self.bind_parts(parts.elems.iter(), value),
            Pat::Paren(inner) => self.bind_pattern(&inner.pat, value),
            Pat::Reference(inner) => self.bind_pattern(&inner.pat, Value::Unknown),
            other => {
                let mut names = Names(Vec::new());
                syn::visit::Visit::visit_pat(&mut names, other);
                for (name, is_mutable) in names.0 {
                    self.bind(&name, Value::Unknown, is_mutable);
                }
            }
        }
    }

    fn bind_parts<'p>(&mut self, parts: impl ExactSizeIterator<Item = &'p Pat>, value: Value) {
        let values = match value {
            Value::Parts(values) | Value::Ranges(values) if values.len() == parts.len() => values,
            Value::AtLeast(low) => vec![Value::AtLeast(low); parts.len()],
            Value::Field(of, name, _) => {
                (0..parts.len()).map(|k| self.field_of(of, format!("{name}[{k}]"))).collect()
            }
            _ => vec![Value::Unknown; parts.len()],
        };
        for (part, value) in parts.zip(values) {
            self.bind_pattern(part, value);
        }
    }

    /// Runs the statements of a block.
    pub(crate) fn block(&mut self, block: &Block) -> Value {
        self.scopes.push(HashMap::new());
        let mut value = Value::Parts(Vec::new());
        for statement in &block.stmts {
            if self.is_dead {
                let mut unreached = Unreached::default();
                unreached.visit_stmt(statement);
                self.seen.extend(unreached.0);
                continue;
            }
            value = Value::Parts(Vec::new());
            match statement {
                Stmt::Local(local) => self.local(local),
                Stmt::Item(syn::Item::Const(item)) => {
                    let known = self.expr(&item.expr);
                    let typed = match (self.of_type(&item.ty), known) {
                        (Value::Int(Int { ty, .. }), Value::Int(int)) => Value::Int(Int { ty, ..int }),
                        (typed, _) => typed,
                    };
                    self.bind(&item.ident.to_string(), typed, false);
                }
                Stmt::Item(_) => {}
                Stmt::Expr(expr, None) => value = self.expr(expr),
                Stmt::Expr(expr, Some(_)) => {
                    self.expr(expr);
                }
                Stmt::Macro(call) => {
                    self.macro_call(&call.mac);
                }
            }
        }
        self.scopes.pop();
        value
    }

    fn local(&mut self, local: &Local) {
        let value = match &local.init {
            None => Value::Unknown,
            Some(init) => {
                if let (Pat::Ident(name), Expr::Closure(closure), None) =
                    (&local.pat, &*init.expr, &init.diverge)
                {
                    let changes = Changes::of_expr(&closure.body);
                    self.make_volatile(&changes.names().cloned().collect());
                    self.closures.push((closure.clone(), self.scopes.len()));
                    // It runs where it is called, if ever.
                    let mut unreached = Unreached::default();
                    unreached.visit_expr_closure(closure);
                    self.seen.extend(unreached.0);
                    self.bind(&name.ident.to_string(), Value::Closure(self.closures.len() - 1), false);
                    return;
                }
                let value = self.expr(&init.expr);
                if let Some((_, otherwise)) = &init.diverge {
                    let mark = self.facts.len();
                    let was_dead = self.is_dead;
                    self.expr(otherwise);
                    self.is_dead = was_dead;
                    self.facts.truncate(mark);
                    Value::Unknown
                } else {
                    value
                }
            }
        };
        self.bind_pattern(&local.pat, value);
    }

    /// Runs one of two branches.
    pub(crate) fn branches(&mut self, choice: &syn::ExprIf) -> Value {
        let mut changes = Changes::of_block(&choice.then_branch);
        if let Some((_, otherwise)) = &choice.else_branch {
            changes.join(Changes::of_expr(otherwise));
        }
        self.scopes.push(HashMap::new());
        let condition = self.condition(&choice.cond);
        let names: Vec<_> = changes.names().cloned().collect();
        let before = self.slots(&names);

        let mark = self.facts.len();
        self.assume(condition.clone());
        self.is_dead |= condition == Formula::Is(false);
        let yes = self.block(&choice.then_branch);
        let (then_dead, then_facts) = (core::mem::take(&mut self.is_dead), self.take_facts(mark));
        // Names that the condition binds end here.
        self.scopes.pop();
        let after = self.slots(&names);

        self.restore(&names, &before);
        let negated = condition.clone().negated();
        let mark = self.facts.len();
        self.assume(negated.clone());
        self.is_dead |= negated == Formula::Is(false);
        let no = match &choice.else_branch {
            Some((_, otherwise)) if !self.is_dead => self.expr(otherwise),
            _ => Value::Parts(Vec::new()),
        };
        let (else_dead, else_facts) = (core::mem::take(&mut self.is_dead), self.take_facts(mark));

        self.is_dead = then_dead && else_dead;
        if self.is_dead {
            return Value::Unknown;
        }
        for (is_dead, condition, facts) in
            [(then_dead, &condition, then_facts), (else_dead, &negated, else_facts)]
        {
            if is_dead {
                self.assert(condition.clone().negated());
            }
            for fact in facts.into_iter().filter(|_| !is_dead) {
                self.assert(Formula::implies(condition, fact));
            }
        }
        for (name, then_slot) in names.iter().zip(after) {
            let (Some(then_slot), Some(slot)) = (then_slot, self.slot(name)) else { continue };
            let (yes, no) = (then_slot.value, slot.value.clone());
            let is_volatile = then_slot.is_volatile | slot.is_volatile;
            let merged = match (then_dead, else_dead) {
                (true, _) => no,
                (_, true) => yes,
                _ => self.either(&condition, yes, no),
            };
            let merged = if merged == Value::Unknown { self.fresh_opaque() } else { merged };
            let slot = self.slot(name).expect("it was there");
            (slot.value, slot.is_volatile) = (merged, is_volatile);
        }
        match (then_dead, else_dead) {
            (true, _) => no,
            (_, true) => yes,
            _ => self.either(&condition, yes, no),
        }
    }

    /// Runs the arms of a `match`, each from the same state.
    pub(crate) fn arms(&mut self, choice: &syn::ExprMatch) -> Value {
        let scrutinee = self.expr(&choice.expr);
        let mut changes = Changes::default();
        for arm in &choice.arms {
            changes.join(Changes::of_expr(&arm.body));
        }
        let mut values = Vec::new();
        let names: Vec<_> = changes.names().cloned().collect();
        let before = self.slots(&names);
        for arm in &choice.arms {
            self.restore(&names, &before);
            self.scopes.push(HashMap::new());
            let mark = self.facts.len();
            if let (Pat::Lit(value), Some(poly)) = (&arm.pat, self.exact_value(&scrutinee))
                && let Some(value) = literal_of(&value.lit)
            {
                self.assume(Formula::equal(&poly, &Poly::constant(value)));
            }
            match &arm.pat {
                Pat::Guard(guarded) => {
                    self.bind_pattern(&guarded.pat, scrutinee.clone());
                    let guard = self.condition(&guarded.guard);
                    self.assume(guard);
                }
                pattern => self.bind_pattern(pattern, scrutinee.clone()),
            }
            let value = self.expr(&arm.body);
            if !core::mem::take(&mut self.is_dead) {
                values.push(value);
            }
            self.facts.truncate(mark);
            self.scopes.pop();
        }
        self.havoc_all(&changes);
        self.is_dead = values.is_empty() && !choice.arms.is_empty();
        match values.split_first() {
            Some((first, others)) if others.iter().all(|other| other == first) => first.clone(),
            Some((Value::Int(_), _)) => {
                let polys: Vec<_> = values.iter().map(|value| self.exact_value(value)).collect();
                let Some(polys) = polys.into_iter().collect::<Option<Vec<_>>>() else {
                    return Value::Unknown;
                };
                let ty = values.iter().find_map(|value| match value {
                    Value::Int(int) => int.ty,
                    _ => None,
                });
                let merged = self.fresh_int(ty);
                if let Value::Int(int) = &merged {
                    self.assert(Formula::any(polys.iter().map(|poly| Formula::equal(&int.poly, poly))));
                }
                merged
            }
            _ => Value::Unknown,
        }
    }

    /// Runs the body of a `for` loop for any of its items.
    pub(crate) fn for_loop(&mut self, lop: &syn::ExprForLoop) {
        let label = lop.label.as_ref().map(|label| label.name.ident.to_string());
        let items = self.expr(&lop.expr);
        let changes = Changes::of_block(&lop.body);
        match items {
            // Each as if others had run before.
            Value::Ranges(items) => {
                for item in items {
                    self.iterations(label.clone(), lop, item, &changes, None);
                }
            }
            Value::Range(span) => {
                let mark = self.facts.len();
                let item = self.item(&span);
                let inside = self.facts.split_off(mark);
                let value = Value::Int(Int { poly: item.clone(), ty: span.ty, exact: true });
                self.iterations(label, lop, value, &changes, Some((item, *span, inside)));
            }
            _ => self.iterations(label, lop, Value::Unknown, &changes, None),
        }
    }

    /// Any item of a range.
    pub(crate) fn item(&mut self, span: &Span) -> Poly {
        let low = span.start.as_ref().map_or(i128::MIN, |start| self.atoms.bounds(start).0);
        let high = span.end.as_ref().map_or(i128::MAX, |end| self.atoms.bounds(end).1.saturating_sub(1));
        let low = span.ty.map_or(low, |ty| low.max(ty.low()));
        let high = span.ty.map_or(high, |ty| high.min(ty.high()));
        let item = match (&span.step, &span.start) {
            (Some(step), Some(start)) => {
                let number = Poly::atom(self.atoms.fresh((0, Ty::ISIZE.high())));
                start.plus(&step.times(&number))
            }
            _ => Poly::atom(self.atoms.fresh((low, high))),
        };
        if let Some(start) = &span.start {
            self.assume(Formula::at_most(start, &item));
        }
        if let Some(end) = &span.end {
            self.assume(Formula::less(&item, end));
        }
        if let Some((starts, ends, exists)) = &span.interior {
            for start in starts {
                self.assume(Formula::at_most(start, &item));
            }
            for end in ends {
                self.assume(Formula::less(&item, end));
            }
            self.assume(exists.clone());
        }
        item
    }

    /// Runs the body of a loop once, from a state that any iteration may begin with, and goes on behind the loop.
    fn iterations(
        &mut self,
        label: Option<String>,
        lop: &syn::ExprForLoop,
        value: Value,
        changes: &Changes,
        range: Option<(Poly, Span, Vec<Fact>)>,
    ) {
        let ends = range.as_ref().filter(|(_, span, _)| !span.is_reversed);
        let span = ends.and_then(|(_, span, _)| span.start.clone().zip(span.end.clone()));
        let counters = if span.is_some() { self.counters(&lop.body, changes) } else { Vec::new() };
        self.havoc_all(changes);
        let mark = self.facts.len();
        let mut done = None;
        if let Some((item, _, inside)) = range {
            self.facts.extend(inside);
            // As many at least as there were before it.
            done = span.as_ref().map(|(start, _)| item.minus(start));
        }
        if let Some(done) = &done {
            self.assume_growths(&counters, done);
        }
        self.frames.push(Frame { label, done, growths: counters.clone() });
        self.scopes.push(HashMap::new());
        self.bind_pattern(&lop.pat, value);
        self.block(&lop.body);
        if !self.is_dead {
            self.show_growths(self.frames.len() - 1);
        }
        self.scopes.pop();
        self.frames.pop();
        self.is_dead = false;
        self.facts.truncate(mark);
        self.havoc_all(changes);
        if let Some((start, end)) = span {
            let mark = self.facts.len();
            self.assume_growths(&counters, &end.minus(&start));
            let formulas = self.facts.split_off(mark).into_iter().filter_map(|fact| match fact {
                Fact::Holds { formula, .. } => Some(formula),
                _ => None,
            });
            let some = Formula::at_most(&start, &end);
            formulas.for_each(|formula| self.assume(Formula::implies(&some, formula)));
            for growth in &counters {
                if let Some(now) = self.read(&growth.name).and_then(|value| self.exact_value(&value)) {
                    let same = Formula::equal(&now, &growth.before);
                    self.assume(Formula::any([some.clone(), same]));
                }
            }
        }
    }

    /// Runs a loop whose number of iterations is not known.
    pub(crate) fn while_loop(&mut self, label: Option<&syn::Label>, condition: Option<&Expr>, body: &Block) {
        let mut changes = Changes::of_block(body);
        if let Some(condition) = condition {
            changes.join(Changes::of_expr(condition));
        }
        self.havoc_all(&changes);
        let mark = self.facts.len();
        self.scopes.push(HashMap::new());
        if let Some(condition) = condition {
            let formula = self.condition(condition);
            self.assume(formula);
        }
        let label = label.map(|label| label.name.ident.to_string());
        self.frames.push(Frame { label, done: None, growths: Vec::new() });
        self.block(body);
        self.frames.pop();
        self.scopes.pop();
        self.is_dead = condition.is_none() && !changes.leaves;
        self.facts.truncate(mark);
        self.havoc_all(&changes);
        if let Some(condition) = condition.filter(|_| !changes.leaves) {
            let formula = self.condition(condition);
            self.assume(formula.negated());
        }
    }

    /// Leaves an iteration, of the loop with a label.
    pub(crate) fn jump(&mut self, label: Option<&syn::Lifetime>) {
        let label = label.map(|label| label.ident.to_string());
        let frame = match &label {
            None => self.frames.len().checked_sub(1),
            label => self.frames.iter().rposition(|frame| frame.label == *label),
        };
        if let Some(frame) = frame {
            self.show_growths(frame);
        }
        self.is_dead = true;
    }
}

/// The integer type that a type is.
fn integer_of(ty: &syn::Type) -> Option<Ty> {
    match ty {
        syn::Type::Path(path) => integer(path),
        _ => None,
    }
}

/// The integer type of a path.
pub(crate) fn integer(path: &syn::TypePath) -> Option<Ty> {
    Ty::named(&path.path.segments.last()?.ident.to_string())
}

/// The value of an integer literal, also a negative one.
pub(crate) fn literal(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(lit) => literal_of(&lit.lit),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            literal(&unary.expr).map(|value| -value)
        }
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Group(inner) => literal(&inner.expr),
        _ => None,
    }
}

pub(crate) fn literal_of(lit: &syn::Lit) -> Option<i128> {
    match lit {
        syn::Lit::Int(number) => number.base10_parse().ok(),
        _ => None,
    }
}

/// The names that a pattern binds.
struct Names(Vec<(String, bool)>);

impl<'ast> syn::visit::Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.0.push((name.ident.to_string(), name.mutability.is_some()));
        syn::visit::visit_pat_ident(self, name);
    }

    fn visit_expr(&mut self, _: &'ast Expr) {}
}
