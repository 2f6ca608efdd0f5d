//! `if`, `match` and `let` in conditions: decided when they are static, regions of their own when not.

use syn::{Expr, ExprIf, ExprMatch, Pat};

use crate::ir::{Hole, RegionId, RegionKind};
use crate::static_eval::{self, Value};
use crate::surface::contains_let;
use crate::symbolic::SymInt;

use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// `if`, `match`, `let`.
    pub(in crate::bind) fn branch(&mut self, expr: &Expr) -> Expr {
        match expr {
            Expr::If(condition) => self.if_expression(condition),
            Expr::Match(matching) => self.match_expression(matching),
            Expr::Let(binding) => {
                let mut result = binding.clone();
                result.expr = Box::new(self.expression(&binding.expr));
                *result.pat = self.refutable_pattern(&binding.pat);
                Expr::Let(result)
            }
            other => other.clone(),
        }
    }

    fn if_expression(&mut self, condition: &ExprIf) -> Expr {
        if !contains_let(&condition.cond) {
            match static_eval::eval(&condition.cond, &self.scopes) {
                Ok(Some(Value::Bool(truth))) => return self.decided(condition, truth),
                Err(error) => self.diagnostics.push(error),
                _ => {}
            }
            if let Some(truth) = self.proved(&condition.cond) {
                return self.decided(condition, truth);
            }
        }
        let mut result = condition.clone();
        self.scopes.enter();
        result.cond = Box::new(self.expression(&condition.cond));
        let facts = self.facts_of(&condition.cond, true);
        let then;
        (result.then_branch, then) =
            self.noting_arm(|binder| binder.block(&condition.then_branch, RegionKind::Branch, facts));
        self.scopes.leave();
        if let Some((_, otherwise)) = &mut result.else_branch {
            let facts = self.facts_of(&condition.cond, false);
            let other;
            (**otherwise, other) = self.noting_arm(|binder| binder.else_branch(otherwise, facts));
            self.program.note_arms([then, other]);
        }
        Expr::If(result)
    }

    /// Binds an arm of a condition; its region, if it has one.
    fn noting_arm<T>(&mut self, bind: impl FnOnce(&mut Self) -> T) -> (T, Option<RegionId>) {
        let region = self.program.regions.next_id();
        let arm = bind(self);
        let is_made = self.program.regions.ids().any(|id| id == region);
        let is_arm = is_made && self.program.regions[region].kind == RegionKind::Branch;
        (arm, is_arm.then_some(region))
    }

    /// The branch of a decided condition, as a block of its own.
    fn decided(&mut self, condition: &ExprIf, truth: bool) -> Expr {
        if truth {
            let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
                binder.statements(&condition.then_branch.stmts);
            });
            return self.program.hole(Hole::Body(body));
        }
        match &condition.else_branch {
            Some((_, otherwise)) => match &**otherwise {
                Expr::Block(block) if block.label.is_none() => {
                    let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
                        binder.statements(&block.block.stmts);
                    });
                    self.program.hole(Hole::Body(body))
                }
                other => self.expression(other),
            },
            None => syn::parse_quote!({}),
        }
    }

    fn else_branch(&mut self, otherwise: &Expr, facts: Vec<SymInt>) -> Expr {
        let block = match otherwise {
            Expr::Block(block) if block.label.is_none() => {
                self.block(&block.block, RegionKind::Branch, facts)
            }
            // `else if`: its condition runs only here.
            other => {
                let body = self.body(RegionKind::Branch, facts, |binder| {
                    let value = binder.expression(other);
                    binder.push(syn::Stmt::Expr(value, None));
                });
                self.block_of(body)
            }
        };
        syn::parse_quote!(#block)
    }

    /// A comparison of loop variables that what is known decides.
    fn proved(&mut self, condition: &Expr) -> Option<bool> {
        if !self.mentions_index_anywhere(condition) {
            return None;
        }
        let known = self.facts();
        let holds = self.facts_of(condition, true);
        if !holds.is_empty() && is_complete(condition) && holds.iter().all(|f| known.proves_nonneg(f)) {
            return Some(true);
        }
        let fails = self.facts_of(condition, false);
        if !fails.is_empty()
            && is_complete_negation(condition)
            && fails.iter().all(|f| known.proves_nonneg(f))
        {
            return Some(false);
        }
        None
    }

    fn mentions_index_anywhere(&mut self, condition: &Expr) -> bool {
        match crate::surface::strip_parens(condition) {
            Expr::Binary(binary) => {
                self.mentions_index(&binary.left)
                    || self.mentions_index(&binary.right)
                    || self.mentions_index_anywhere(&binary.left)
                    || self.mentions_index_anywhere(&binary.right)
            }
            _ => false,
        }
    }

    fn match_expression(&mut self, matching: &ExprMatch) -> Expr {
        if let Some(value) = self.static_value(&matching.expr)
            && let Some(result) = self.decided_match(matching, &value)
        {
            return result;
        }
        self.bound_match(matching, &mut |binder, body| binder.arm(body, Vec::new()))
    }

    /// A `match` of the run time, with what `body` makes of its arms.
    pub(in crate::bind) fn bound_match(
        &mut self,
        matching: &ExprMatch,
        body: &mut dyn FnMut(&mut Self, &Expr) -> Expr,
    ) -> Expr {
        let mut result = matching.clone();
        result.expr = Box::new(self.expression(&matching.expr));
        let (mut arms, mut regions) = (Vec::new(), Vec::new());
        for arm in &matching.arms {
            let mut bound = arm.clone();
            self.scopes.enter();
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(guarded)),
                pattern => (pattern, None),
            };
            let emitted = self.refutable_pattern(pattern);
            bound.pat = match guard {
                Some(guarded) => {
                    // Guards run in order until an arm is taken: whether this one runs is not known.
                    self.walk.effects.opaque();
                    let guard = self.repeated(|binder| binder.arm(&guarded.guard, Vec::new()));
                    let mut result = guarded.clone();
                    *result.pat = emitted;
                    *result.guard = guard;
                    Pat::Guard(result)
                }
                None => emitted,
            };
            let (value, region) = self.noting_arm(|binder| body(binder, &arm.body));
            bound.body = Box::new(value);
            regions.push(region);
            // A closing brace needs no comma, but what is emitted may not end in one.
            bound.comma.get_or_insert_with(Default::default);
            self.scopes.leave();
            arms.push(bound);
        }
        result.arms = arms;
        self.program.note_arms(regions);
        Expr::Match(result)
    }

    /// The arm that a static value takes; `None` when a pattern cannot be decided.
    fn decided_match(&mut self, matching: &ExprMatch, value: &Value) -> Option<Expr> {
        for arm in &matching.arms {
            if arm.attrs.iter().any(crate::surface::condition::is_condition) {
                return None;
            }
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            let bindings = match static_eval::matches(pattern, value, &self.scopes) {
                Ok(Some(Some(bindings))) => bindings,
                Ok(Some(None)) => continue,
                Ok(None) => return None,
                Err(error) => {
                    self.diagnostics.push(error);
                    return None;
                }
            };
            self.scopes.enter();
            for (name, value) in &bindings {
                self.scopes.bind(name, Binding::Static(value.clone()));
            }
            let taken = match guard {
                Some(guard) => match static_eval::eval(guard, &self.scopes) {
                    Ok(Some(Value::Bool(truth))) => Some(truth),
                    Err(error) => {
                        self.diagnostics.push(error);
                        None
                    }
                    _ => None,
                },
                None => Some(true),
            };
            let result = match taken {
                Some(true) => {
                    let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
                        let value = binder.expression(&arm.body);
                        binder.push(syn::Stmt::Expr(value, None));
                    });
                    Some(self.program.hole(Hole::Body(body)))
                }
                _ => None,
            };
            self.scopes.leave();
            match taken {
                Some(true) => return result,
                Some(false) => {}
                None => return None,
            }
        }
        None
    }
}

/// Whether the facts of `condition` together are all it says: a single ordering, not a chain.
fn is_complete(condition: &Expr) -> bool {
    use syn::BinOp;
    matches!(crate::surface::strip_parens(condition),
        Expr::Binary(binary) if matches!(binary.op,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_)))
}

fn is_complete_negation(condition: &Expr) -> bool {
    use syn::BinOp;
    matches!(crate::surface::strip_parens(condition),
        Expr::Binary(binary) if matches!(binary.op,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Ne(_)))
}
