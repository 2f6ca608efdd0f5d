//! Counters: a variable that a loop raises by so much at most in each iteration.
//!
//! The bound is guessed from the text, and then shown for each iteration like any other goal.

use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprForLoop};

use crate::assigned::{Changes, root};
use crate::execute::{literal, literal_of};
use crate::goal::Kind;
use crate::machine::{Growth, Int, Machine, Value};
use crate::term::{Formula, Poly};

impl Machine<'_> {
    /// The counters that a body raises.
    pub(crate) fn counters(&mut self, body: &Block, changes: &Changes) -> Vec<Growth> {
        if !self.has_counters {
            return Vec::new();
        }
        let names: Vec<_> = changes.assigned.difference(&changes.borrowed).cloned().collect();
        let mut found = Vec::new();
        for name in names {
            // Expansions call the end of a list so.
            if !name.contains("_end") || self.slot(&name).is_none_or(|slot| slot.is_volatile) {
                continue;
            }
            if let Some(Value::Int(int)) = self.read(&name)
                && let Some(per) = growth(body, &name)
            {
                let before = self.exact(&int);
                found.push(Growth { name, before, per });
            }
        }
        found
    }

    /// That counters have grown by so much at most.
    pub(crate) fn assume_growths(&mut self, growths: &[Growth], iterations: &Poly) {
        for formula in
            growths.iter().flat_map(|growth| self.bounds_of(growth, iterations)).collect::<Vec<_>>()
        {
            self.assume(formula);
        }
    }

    /// Shows that counters are as large as they may be at the end of an iteration.
    pub(crate) fn show_growths(&mut self, frame: usize) {
        let Some(frame) = self.frames.get(frame).cloned() else { return };
        let Some(done) = frame.done else { return };
        for growth in &frame.growths {
            for formula in self.bounds_of(growth, &done.plus_constant(1)) {
                self.show(Kind::Counter, growth.name.clone(), vec![vec![formula]]);
            }
        }
    }

    fn bounds_of(&mut self, growth: &Growth, iterations: &Poly) -> Vec<Formula> {
        let Some(Value::Int(Int { poly, ty, exact })) = self.read(&growth.name) else { return Vec::new() };
        let now = self.exact(&Int { poly, ty, exact });
        let most = growth.before.plus(&Poly::constant(growth.per).times(iterations));
        vec![Formula::at_most(&growth.before, &now), Formula::at_most(&now, &most)]
    }
}

/// How much a body raises a variable at most, if it does nothing else with it.
fn growth(body: &Block, name: &str) -> Option<i128> {
    let mut sum = Sum { name, times: 1, raised: Some(0) };
    sum.visit_block(body);
    sum.raised
}

struct Sum<'n> {
    name: &'n str,
    times: i128,
    raised: Option<i128>,
}

impl Sum<'_> {
    fn raise(&mut self, by: Option<i128>) {
        let by = by.filter(|by| *by >= 0).and_then(|by| by.checked_mul(self.times));
        self.raised = self.raised.zip(by).and_then(|(sum, by)| sum.checked_add(by));
    }

    fn repeated(&mut self, count: Option<i128>, body: impl FnOnce(&mut Self)) {
        let (times, raised) = (self.times, self.raised.replace(0));
        self.times = count.unwrap_or(1);
        body(self);
        let inside = core::mem::replace(&mut self.raised, raised);
        self.times = times;
        match (count, inside) {
            (_, Some(0)) => {}
            (Some(_), inside) => self.raise(inside),
            (None, _) => self.raised = None,
        }
    }
}

impl<'ast> Visit<'ast> for Sum<'_> {
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        if root(&assign.left).as_deref() == Some(self.name) {
            // `name = first + count`
            let by = match &*assign.right {
                Expr::Binary(sum) if matches!(sum.op, BinOp::Add(_)) => literal(&sum.right),
                _ => None,
            };
            self.raise(by);
        }
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if crate::assigned::is_assignment(&binary.op) && root(&binary.left).as_deref() == Some(self.name) {
            let by = match (&binary.op, &*binary.right) {
                (BinOp::AddAssign(_), Expr::Lit(number)) => literal_of(&number.lit),
                // A truth value.
                (BinOp::AddAssign(_), Expr::Cast(_)) => Some(1),
                _ => None,
            };
            self.raise(by);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_for_loop(&mut self, lop: &'ast ExprForLoop) {
        let count = match &*lop.expr {
            Expr::Range(range) => {
                let ends =
                    range.start.as_deref().and_then(literal).zip(range.end.as_deref().and_then(literal));
                ends.map(|(start, end)| (end - start).max(0))
            }
            _ => None,
        };
        self.repeated(count, |sum| sum.visit_block(&lop.body));
    }

    fn visit_expr_while(&mut self, lop: &'ast syn::ExprWhile) {
        self.repeated(None, |sum| visit::visit_expr_while(sum, lop));
    }

    fn visit_expr_loop(&mut self, lop: &'ast syn::ExprLoop) {
        self.repeated(None, |sum| visit::visit_expr_loop(sum, lop));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.repeated(None, |sum| visit::visit_expr_closure(sum, closure));
    }
}
