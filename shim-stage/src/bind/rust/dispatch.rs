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
use syn::visit::Visit;
use syn::{Expr, ExprMatch, Item, Local, Pat, Stmt};

use crate::hygiene;
use crate::ir::{Hole, RegionKind};
use crate::link::Output;
use crate::parse::specialize::Specialized;
use crate::static_eval::{self, Value};
use crate::surface;
use crate::symbolic::SymInt;

use crate::bind::arithmetic::operator::contains_let;
use crate::bind::rust::scrutinee::bound;
use crate::bind::tensors::access::unreachable_value;
use crate::bind::{Binder, Binding};

/// How often the statements behind choices are staged in one kernel.
const MAX_VERSIONS: usize = 256;

/// Stages what follows a choice, given the expression that was chosen.
type Rest<'r, 'a> = &'r mut dyn FnMut(&mut Binder<'a>, &Expr);

impl<'a> Binder<'a> {
    /// Lets `stage` write a version for each value of these parameters. One whose value is known needs no other.
    pub(in crate::bind) fn specialized(
        &mut self,
        parameters: &[&Specialized],
        stage: &mut dyn FnMut(&mut Self),
    ) {
        let Some((first, others)) = parameters.split_first() else { return stage(self) };
        let Specialized { name, values, general } = first;
        let local = match self.scopes.get(name) {
            Some(Binding::Local(local)) => local.name.to_token_stream(),
            Some(Binding::Index { value, .. }) => value.to_token_stream(),
            Some(Binding::Static(value)) if !general && !values.contains(value) => {
                let message =
                    format!("`{name}` is {}, and is specialized for {}", shown(value), listed(values));
                return self.diagnostics.error(name, message, "name this value too, or `_` for all others");
            }
            _ => return self.specialized(others, stage),
        };
        let mut version = |binder: &mut Self, value: Option<&Value>| {
            let body = binder.body(RegionKind::Branch, Vec::new(), |binder| {
                if !binder.count_version(name) {
                    return;
                }
                if let Some(value) = value {
                    binder.scopes.bind(name, Binding::Static(value.clone()));
                }
                binder.specialized(others, stage);
            });
            binder.program.hole(Hole::Body(body))
        };
        let mut arms: Vec<syn::Arm> = Vec::new();
        for value in values {
            let (pattern, body) = (static_eval::literal(value, name.span()), version(self, Some(value)));
            arms.push(syn::parse_quote!(#pattern => #body,));
        }
        if *general {
            let body = version(self, None);
            arms.push(syn::parse_quote!(_ => #body,));
        } else if !matches!(values[..], [Value::Bool(_), Value::Bool(_)]) {
            let (rt, kernel, name, values) =
                (&self.runtime, &self.program.name, name.to_string(), listed(values));
            arms.push(syn::parse_quote!(_ => #rt.no_version(#kernel, #name, #local, #values),));
        }
        self.push(Stmt::Expr(syn::parse_quote!(match #local { #(#arms)* }), None));
    }

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

    /// Whether `expr`, or a branch of it, is a tensor or a tuple of tensors.
    pub(in crate::bind) fn gives_tensors(&self, expr: &Expr) -> bool {
        surface::branches(expr).into_iter().any(|value| match value {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|value| self.is_tensor(value)),
            Expr::Call(call) if matches!(self.call_output(call), Output::Tuple(_)) => true,
            value => self.is_tensor(value),
        })
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

    /// Counts a version of what follows a choice; says whether there are few enough.
    fn count_version(&mut self, tokens: impl ToTokens) -> bool {
        self.templates.versions += 1;
        if self.templates.versions == MAX_VERSIONS + 1 {
            self.diagnostics.error(
                tokens,
                format!("more than {MAX_VERSIONS} versions are staged into this kernel"),
                "the statements behind a choice of tensors are written once for each of its arms, and the body once for \
                 each value of a specialized parameter: split the kernel",
            );
        }
        self.templates.versions <= MAX_VERSIONS
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

/// Values as a message shows them: `1, 2 or 4`.
fn listed(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().map(shown).collect();
    match shown.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A value without its type.
fn shown(value: &Value) -> String {
    match value {
        Value::Int(int) => int.value.to_string(),
        value => static_eval::literal(value, proc_macro2::Span::call_site()).to_token_stream().to_string(),
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
