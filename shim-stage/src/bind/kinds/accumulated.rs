//! The range of a `mut` number, from the assignments in its scope: a sum over loops of constant lengths is bounded.

use syn::{BinOp, Block, Expr, Ident, Stmt};

use crate::hygiene;
use crate::static_eval::{Values, methods};
use crate::surface;
use crate::syntax::visit::{self, Visit};

use crate::bind::Binder;
use crate::bind::types::{Known, Primitive};

use super::known::Reading;

/// The most times that a statement may run.
const MOST: i128 = 1 << 20;

/// An assignment to a number.
struct Assignment {
    /// `None` replaces the number, `Some(false)` adds to it, and `Some(true)` subtracts from it.
    subtracts: Option<bool>,
    value: Option<Known>,
    /// How often it runs at most.
    times: Option<i128>,
}

impl Binder<'_> {
    /// The type and the range of a `mut` number that its `let` sets to `init`. It may be any number of its type if something
    /// other than sums and assignments of known numbers changes it.
    pub(super) fn sum_of(&self, name: &Ident, init: Known, rest: &[Stmt], reading: &Reading) -> Known {
        let mut search = Assignments { binder: self, name, found: Vec::new() };
        let is_understood = search.statements(rest, reading.clone(), Some(1)).is_some();
        let mut typed = search.found.iter().filter_map(|own| own.value);
        let primitive = match init.primitive {
            Primitive::OpenInt | Primitive::Float(None) => {
                typed.find(|own| own.primitive.name().is_some()).map_or(init.primitive, |own| own.primitive)
            }
            known => known,
        };
        let values = init.values.filter(|_| is_understood).and_then(|init| total(init, &search.found));
        Known { primitive, values }
    }
}

/// The values of a number that assignments change.
fn total(init: Values, assigned: &[Assignment]) -> Option<Values> {
    let mut all = init;
    for own in assigned.iter().filter(|own| own.subtracts.is_none()) {
        all = all.or(own.value?.values?);
    }
    for Assignment { subtracts, value, times } in assigned {
        let Some(subtracts) = subtracts else { continue };
        let mut added = value.as_ref()?.values?;
        if *subtracts {
            added = added.negated()?;
        }
        let times = (*times)?;
        all.least = all.least.checked_add(added.least.min(0).checked_mul(times)?)?;
        all.greatest = all.greatest.checked_add(added.greatest.max(0).checked_mul(times)?)?;
    }
    Some(all)
}

/// Looks for the assignments to a name.
struct Assignments<'s, 'a> {
    binder: &'s Binder<'a>,
    name: &'s Ident,
    found: Vec<Assignment>,
}

impl Assignments<'_, '_> {
    /// `None` where something changes the number in another way.
    fn statements(&mut self, statements: &[Stmt], mut reading: Reading, times: Option<i128>) -> Option<()> {
        for (at, statement) in statements.iter().enumerate() {
            match statement {
                Stmt::Local(local) => {
                    let mut changes = Changes(self.name, false);
                    changes.visit_local(local);
                    if changes.1 {
                        return None;
                    }
                    self.binder.read_let(local, &statements[at + 1..], &mut reading);
                }
                Stmt::Expr(expr, _) => self.expression(expr, &reading, times)?,
                Stmt::Item(_) | Stmt::Macro(_) => return None,
            }
        }
        Some(())
    }

    fn block(&mut self, block: &Block, reading: &Reading, times: Option<i128>) -> Option<()> {
        self.statements(&block.stmts, reading.clone(), times)
    }

    fn expression(&mut self, expr: &Expr, reading: &Reading, times: Option<i128>) -> Option<()> {
        let is_name = |expr: &Expr| surface::ident(expr).is_some_and(|own| hygiene::same(own, self.name));
        let subtracts = match expr {
            Expr::Binary(binary) => match binary.op {
                BinOp::AddAssign(_) => Some(false),
                BinOp::SubAssign(_) => Some(true),
                _ => None,
            },
            _ => None,
        };
        match expr {
            Expr::Binary(syn::ExprBinary { left, right, .. }) if subtracts.is_some() && is_name(left) => {
                let value = self.binder.known_in(right, reading);
                self.found.push(Assignment { subtracts, value, times });
                (!changes(right, self.name)).then_some(())
            }
            Expr::Assign(syn::ExprAssign { left, right, .. }) if is_name(left) => {
                let value = self.binder.known_in(right, reading);
                self.found.push(Assignment { subtracts: None, value, times });
                (!changes(right, self.name)).then_some(())
            }
            Expr::ForLoop(for_loop) => {
                if changes(&for_loop.expr, self.name) {
                    return None;
                }
                let (count, variable) = self.binder.iterations_of(&for_loop.expr, reading);
                let names = hygiene::bound_names(&for_loop.pat);
                let own = if names.len() == 1 { variable } else { None };
                let inside = reading.binding(names.into_iter().map(|name| (name, own)));
                let times = times.zip(count).map(|(times, count)| times.saturating_mul(count));
                self.block(&for_loop.body, &inside, times.filter(|times| *times <= MOST))
            }
            Expr::If(choice) => {
                if changes(&choice.cond, self.name) {
                    return None;
                }
                let names = super::known::names_bound_by(&choice.cond).into_iter().map(|name| (name, None));
                self.block(&choice.then_branch, &reading.binding(names), times)?;
                choice.else_branch.as_ref().map_or(Some(()), |(_, own)| self.expression(own, reading, times))
            }
            Expr::Block(block) if block.label.is_none() => self.block(&block.block, reading, times),
            Expr::Unsafe(block) => self.block(&block.block, reading, times),
            Expr::Paren(inner) => self.expression(&inner.expr, reading, times),
            expr => (!changes(expr, self.name)).then_some(()),
        }
    }
}

impl Binder<'_> {
    /// The types and integers of the names that a `let` in a loop binds, whose scope is `rest`.
    pub(in crate::bind) fn all_known_in(
        &self,
        for_loop: &syn::ExprForLoop,
        pattern: &syn::Pat,
        init: &Expr,
        rest: &[Stmt],
    ) -> Vec<(Ident, Known)> {
        let reading = Reading::default();
        let variable = self.iterations_of(&for_loop.expr, &reading).1;
        let names = hygiene::bound_names(&for_loop.pat).into_iter().map(|name| (name, variable));
        self.all_known_by(pattern, init, rest, &reading.binding(names))
    }

    /// The sum of a chain over a range, of items that a closure computes.
    pub(in crate::bind) fn chain_sum(&self, call: &syn::ExprMethodCall) -> Option<Values> {
        let mut closure = None;
        let mut source = surface::strip_parens(&call.receiver);
        while let Expr::MethodCall(inner) = source {
            match (inner.args.first(), closure) {
                (Some(Expr::Closure(own)), None) if inner.method == "map" => closure = Some(own),
                (Some(Expr::Closure(_)), _) if inner.method == "filter" => {}
                _ => return None,
            }
            source = surface::strip_parens(&inner.receiver);
        }
        let (count, variable) = self.iterations_of(source, &Reading::default());
        let value = match closure {
            Some(closure) => {
                let names = closure.inputs.iter().flat_map(hygiene::bound_names).map(|name| (name, variable));
                self.known_in(&closure.body, &Reading::default().binding(names))
            }
            None => variable,
        };
        total(Values::exactly(0), &[Assignment { subtracts: Some(false), value, times: count }])
    }

    /// How often a loop over this runs at most, and what is known of its variable.
    fn iterations_of(&self, over: &Expr, reading: &Reading) -> (Option<i128>, Option<Known>) {
        match surface::strip_parens(over) {
            Expr::Range(syn::ExprRange { start: Some(start), limits, end: Some(end), .. }) => {
                let Some(ends) = self.known_in(start, reading).zip(self.known_in(end, reading)) else {
                    return (None, None);
                };
                let variable = ends.0.or(ends.1).map(|own| Known { values: None, ..own });
                let Some((first, end)) = ends.0.values.zip(ends.1.values) else { return (None, variable) };
                let last = end.greatest - i128::from(matches!(limits, syn::RangeLimits::HalfOpen(_)));
                let values = Values { least: first.least, greatest: last.max(first.least) };
                let count = last.checked_sub(first.least).and_then(|count| count.checked_add(1));
                (count.map(|count| count.max(0)), variable.map(|own| Known { values: Some(values), ..own }))
            }
            Expr::Array(array) => (i128::try_from(array.elems.len()).ok(), None),
            Expr::Reference(reference) => self.iterations_of(&reference.expr, reading),
            Expr::MethodCall(call)
                if call.args.is_empty()
                    && ["iter", "into_iter", "copied", "enumerate", "rev"]
                        .iter()
                        .any(|own| call.method == own) =>
            {
                (self.iterations_of(&call.receiver, reading).0, None)
            }
            _ => (None, None),
        }
    }
}

/// Whether an expression may change a number by this name.
fn changes(expr: &Expr, name: &Ident) -> bool {
    let mut changes = Changes(name, false);
    changes.visit_expr(expr);
    changes.1
}

/// A name, and whether something that was visited may change it.
struct Changes<'n>(&'n Ident, bool);

impl Changes<'_> {
    fn mentions(&self, tokens: impl quote::ToTokens) -> bool {
        hygiene::identifiers(tokens.to_token_stream()).any(|own| hygiene::text(&own) == hygiene::text(self.0))
    }
}

impl<'ast> Visit<'ast> for Changes<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.1 |= match expr {
            Expr::Assign(own) => self.mentions(&own.left),
            Expr::Binary(own) if surface::is_assigning(&own.op) => self.mentions(&own.left),
            Expr::Reference(own) => own.mutability.is_some() && self.mentions(expr),
            // Any method may take `&mut self` by a trait.
            Expr::MethodCall(own) => {
                surface::ident(&own.receiver).is_some_and(|own| hygiene::text(own) == hygiene::text(self.0))
                    && !methods::is_pure(&own.method.to_string())
            }
            Expr::Closure(_) | Expr::Macro(_) | Expr::Verbatim(_) => self.mentions(expr),
            _ => false,
        };
        visit::visit_expr(self, expr);
    }

    fn visit_pat_ident(&mut self, own: &'ast syn::PatIdent) {
        self.1 |= own.by_ref.is_some() && own.mutability.is_some();
        visit::visit_pat_ident(self, own);
    }

    fn visit_stmt_macro(&mut self, own: &'ast syn::StmtMacro) {
        self.1 |= self.mentions(own);
    }
}
