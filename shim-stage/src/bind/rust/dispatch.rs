//! Tensors that are chosen at run time from a finite set, and parameters of a finite set of values.
//!
//! A view is no value, so that no `let` can hold whichever of two a condition picks. What follows such a `let` in its
//! block is staged once for each choice instead, inside of the `match` or `if` that makes it:
//!
//! ```text
//! let t = match layout { Rgb => a, Bgr => b };        match layout {
//! use(t);                                        =>       Rgb => { use(a) }
//!                                                         Bgr => { use(b) }
//!                                                     }
//! ```
//!
//! A parameter under `#[specialize(1 | 2)]` is static in a version of the body for each of its values, likewise.

use std::collections::HashSet;

use quote::ToTokens;
use syn::{Expr, ExprMatch, Item, Local, Pat, Stmt};

use crate::hygiene;
use crate::ir::{Hole, RegionKind};
use crate::surface;
use crate::symbolic::SymInt;
use crate::syntax::visit::Visit;

use crate::bind::rust::scrutinee::bound;
use crate::bind::{Binder, unreachable_value};
use crate::surface::contains_let;

/// Stages what follows a choice, given the expression that was chosen.
type Rest<'r, 'a> = &'r mut dyn FnMut(&mut Binder<'a>, &Expr);

impl<'a> Binder<'a> {
    /// Whether a `let` binds tensors that a condition of the run time chooses.
    pub(in crate::bind) fn is_dispatched(&mut self, local: &Local) -> bool {
        let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else { return false };
        if !matches!(local.pat, Pat::Ident(_) | Pat::Tuple(_)) || !self.gives_tensors(&init.expr) {
            return false;
        }
        let (chosen, opened) = self.static_choice(&init.expr);
        let dynamic = matches!(surface::strip_parens(chosen), Expr::If(_) | Expr::Match(_));
        (0..opened).for_each(|_| self.scopes.leave());
        // At the definition of a template the condition may be one that its calls decide.
        dynamic && !self.diagnostics.is_of_definition()
    }

    /// Stages `following`, the statements behind a `let` of tensors that are chosen at run time, once for each choice.
    pub(in crate::bind) fn dispatch(&mut self, local: &Local, following: &[Stmt]) {
        let Some(init) = &local.init else { return };
        // Items are in scope in the whole block, before the `let` as well; a macro only behind its definition.
        let is_item =
            |statement: &&Stmt| matches!(statement, Stmt::Item(item) if !matches!(item, Item::Macro(_)));
        let (items, rest): (Vec<&Stmt>, Vec<&Stmt>) = following.iter().partition(is_item);
        for item in items {
            self.push(item.clone());
        }
        let rest: Vec<Stmt> = rest.into_iter().cloned().collect();
        self.reject_hiding(&init.expr, &rest);
        self.reject_macros(&rest);
        let value = self.choice(&init.expr, &mut |binder, chosen| {
            if !binder.count_version(chosen) {
                return;
            }
            let mut local = local.clone();
            if let Some(init) = &mut local.init {
                *init.expr = chosen.clone();
            }
            binder.local(&local);
            binder.remaining(&rest);
        });
        self.push(Stmt::Expr(value, None));
    }

    /// Reports macros behind a choice whose expansion is not known: an item that one of them defines is in scope in the
    /// whole block, before the choice as well, and staged inside of a branch it would not be.
    fn reject_macros(&mut self, rest: &[Stmt]) {
        for (at, statement) in rest.iter().enumerate() {
            if let Stmt::Macro(call) = statement
                && self.scopes.source().known(&call.mac).is_none()
                && (call.semi_token.is_some() || at + 1 < rest.len())
            {
                self.diagnostics.error(
                    &call.mac.path,
                    "a macro that may define an item follows a choice of tensors",
                    "write it before the choice, or in a block of its own, `{ m!(..); }`",
                );
            }
        }
    }

    /// Reports names that the patterns of a choice bind and that the statements behind it mention: staged inside of the
    /// branch, they would mean the pattern's.
    fn reject_hiding(&mut self, choice: &Expr, rest: &[Stmt]) {
        let names = bound(|bound| bound.visit_expr(choice));
        if names.is_empty() {
            return;
        }
        let mentioned: HashSet<String> =
            rest.iter().flat_map(|statement| hygiene::word_set(statement.to_token_stream())).collect();
        for name in names {
            if mentioned.contains(&hygiene::text(&name)) {
                self.diagnostics.error(
                    &name,
                    format!("`{name}` is bound in a branch that chooses a tensor, and the statements behind it mention that name"),
                    "give it another name here: those statements are staged inside of the branch",
                );
            }
        }
    }

    /// An expression whose branches are what `rest` stages.
    fn choice(&mut self, expr: &Expr, rest: Rest<'_, 'a>) -> Expr {
        let (chosen, opened) = self.static_choice(expr);
        let value = match surface::strip_parens(chosen) {
            Expr::If(branch) => self.if_choice(branch, rest),
            Expr::Match(matching) => match self.without_temporaries(matching) {
                Some(matching) => self.match_choice(&matching, rest),
                None => unreachable_value(),
            },
            chosen => self.alternative(chosen, Vec::new(), rest),
        };
        (0..opened).for_each(|_| self.scopes.leave());
        value
    }

    fn match_choice(&mut self, matching: &ExprMatch, rest: Rest<'_, 'a>) -> Expr {
        self.bound_match(matching, &mut |binder, body| binder.alternative(body, Vec::new(), rest))
    }

    fn if_choice(&mut self, branch: &syn::ExprIf, rest: Rest<'_, 'a>) -> Expr {
        let Some((_, otherwise)) = &branch.else_branch else {
            self.diagnostics.error(
                &branch.cond,
                "expected a tensor, found an `if` without `else`",
                "add an `else` that gives another tensor or leaves the block",
            );
            return unreachable_value();
        };
        if let Some(matching) = self.if_without_temporaries(branch, otherwise) {
            return self.match_choice(&matching, rest);
        }
        let mut result = branch.clone();
        self.scopes.enter();
        result.cond = Box::new(self.expression(&branch.cond));
        let (holds, fails) = if contains_let(&branch.cond) {
            (Vec::new(), Vec::new())
        } else {
            (self.facts_of(&branch.cond, true), self.facts_of(&branch.cond, false))
        };
        let taken =
            Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: branch.then_branch.clone() });
        let then = self.alternative(&taken, holds, rest);
        result.then_branch = syn::parse_quote!({ #then });
        self.scopes.leave();
        let other = self.alternative(otherwise, fails, rest);
        result.else_branch = Some((syn::token::Else::default(), syn::parse_quote!({ #other })));
        Expr::If(result)
    }

    /// What a branch of a choice becomes: another choice, what `rest` stages, or the way out of the block. `facts` hold
    /// in it.
    fn alternative(&mut self, expr: &Expr, facts: Vec<SymInt>, rest: Rest<'_, 'a>) -> Expr {
        let inner = match surface::strip_parens(expr) {
            Expr::Block(block) if block.label.is_none() => match block.block.stmts.as_slice() {
                [Stmt::Expr(value, None)] => value,
                _ => expr,
            },
            _ => expr,
        };
        if self.gives_tensors(inner) {
            let body = self.body(RegionKind::Branch, facts, |binder| match surface::strip_parens(inner) {
                Expr::If(_) | Expr::Match(_) => {
                    let value = binder.choice(inner, rest);
                    binder.push(Stmt::Expr(value, None));
                }
                value => rest(binder, value),
            });
            return self.program.hole(Hole::Body(body));
        }
        if leaves(inner) {
            return self.arm(expr, facts);
        }
        let (message, help) = match surface::strip_parens(inner) {
            Expr::Block(block) if block.block.stmts.len() > 1 => (
                "a branch that chooses a tensor has statements of its own",
                "move them before the `let`, or into a template that is called behind it",
            ),
            _ => (
                "branches disagree: this one is not a tensor",
                "give a tensor, or leave the block by `return`, `break`, `continue` or a panic",
            ),
        };
        self.diagnostics.error(expr, message, help);
        unreachable_value()
    }
}

/// Whether nothing behind an expression runs, as far as its form says.
pub(in crate::bind) fn leaves(expr: &Expr) -> bool {
    match surface::strip_parens(expr) {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(mac) => mac.mac.path.segments.last().is_some_and(|last| {
            ["panic", "unreachable", "todo", "unimplemented"].iter().any(|name| last.ident == name)
        }),
        Expr::Block(block) => match block.block.stmts.last() {
            Some(Stmt::Expr(last, _)) => leaves(last),
            Some(Stmt::Macro(mac)) => {
                leaves(&Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: mac.mac.clone() }))
            }
            _ => false,
        },
        _ => false,
    }
}
