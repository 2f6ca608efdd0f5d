//! Blocks and statements.

use syn::{Expr, Stmt};

use crate::hygiene;
use crate::ir::{Hole, RegionKind};
use crate::static_eval::{self};
use crate::surface::{HelperAttribute, condition};
use crate::symbolic::SymInt;

use crate::bind::loops::chain_words;
use crate::bind::loops::words::is_fused;
use crate::bind::names::source::Items;
use crate::bind::{Binder, Binding};

impl Binder<'_> {
    /// A block in a region of its own. It keeps its braces: rustc's lint of `unsafe` looks at their span, and takes
    /// those of an expansion for somebody else's.
    pub(in crate::bind) fn block(
        &mut self,
        block: &syn::Block,
        kind: RegionKind,
        facts: Vec<SymInt>,
    ) -> syn::Block {
        let body = self.body(kind, facts, |binder| binder.statements(&block.stmts));
        syn::Block { brace_token: block.brace_token, ..self.block_of(body) }
    }

    /// The statements of a block, in a scope that stays open.
    pub(in crate::bind) fn statements(&mut self, statements: &[Stmt]) {
        let items = Items::of(statements, self.scopes.source());
        self.hide_primitives(statements, &items);
        if !items.more {
            return self.block_statements(statements, items);
        }
        // An item that the macro does not see may hide a name from the whole block, but no local around it.
        let relied_on = self.scopes.relied_on();
        let rt = self.runtime.clone();
        if !relied_on.is_empty() {
            self.push(syn::parse_quote!(let [#(#relied_on),*] = #rt.names();));
        }
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            binder.program.unseen_items.insert(binder.walk.region);
            if !relied_on.is_empty() {
                binder.push(syn::parse_quote!(#rt.unchanged([#(#relied_on),*]);));
            }
            binder.block_statements(statements, items);
        });
        let hole = self.program.hole(Hole::Body(body));
        self.push(Stmt::Expr(hole, None));
    }

    /// Notes items that take the name of a primitive integer type: what the kernel says by that name is not what the
    /// compiler takes it for, wherever that is.
    fn hide_primitives(&mut self, statements: &[Stmt], items: &Items) {
        for name in items.names.iter().filter(|name| static_eval::IntType::parse(name).is_some()) {
            let named = |item: &&Stmt| {
                let tokens = quote::ToTokens::to_token_stream(item);
                matches!(item, Stmt::Item(_))
                    && hygiene::identifiers(tokens).any(|ident| hygiene::text(&ident) == *name)
            };
            let item = statements.iter().find(named).map(quote::ToTokens::to_token_stream);
            self.scopes.hidden_primitives.push((name.clone(), item.unwrap_or_default()));
        }
    }

    fn block_statements(&mut self, statements: &[Stmt], items: Items) {
        self.scopes.enter_block(self.walk.region, items);
        self.constants(statements);
        self.remaining(statements);
    }

    /// Statements of a block whose items are known.
    pub(in crate::bind) fn remaining(&mut self, statements: &[Stmt]) {
        let outer = self.walk.follows_fused;
        let fused = self.stages.fused.len();
        for (i, statement) in statements.iter().enumerate() {
            self.walk.statement_start = self.walk.effects.mark();
            self.walk.follows_fused = i > 0 && is_fused(&statements[i - 1]);
            if let Stmt::Local(local) = statement
                && condition::split(statement).is_none()
                && self.is_dispatched(local)
            {
                self.dispatch(local, &statements[i + 1..]);
                break;
            }
            let known = match statement {
                Stmt::Local(syn::Local { pat, init: Some(init), .. }) if self.walk.totality.is_some() => {
                    self.all_known(pat, &init.expr, &statements[i + 1..])
                }
                _ => Vec::new(),
            };
            self.statement(statement, i + 1 == statements.len());
            for (name, known) in known {
                if let Some(Binding::Local(local)) = self.scopes.get_mut(&name)
                    && local.mutable
                    && !local.exposed
                {
                    (local.primitive, local.values) = (Some(known.primitive), known.values);
                }
            }
            while !is_fused(statement) && self.stages.fused.len() > fused {
                let outside = self.stages.fused.pop();
                self.leave_levels(outside.unwrap_or_default());
            }
        }
        self.walk.follows_fused = outer;
    }

    fn statement(&mut self, statement: &Stmt, last: bool) {
        if let Some((conditions, statement)) = condition::split(statement) {
            return self.conditional(conditions, &statement);
        }
        if let Some((words, statement)) = chain_words::taken(statement) {
            return self.with_chain_words(words, |binder| binder.statement(&statement, last));
        }
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(item) => self.push(Stmt::Item(item.clone())),
            Stmt::Expr(expr, semi) => {
                let expr = self.statement_expression(expr, semi.is_some());
                if let Some(expr) = expr {
                    // A `match` needs no semicolon, but the arm that is left of it may.
                    let ends = semi.is_none() && !last && !self.ends_in_a_block(&expr);
                    self.push(Stmt::Expr(expr, semi.or_else(|| ends.then(Default::default))));
                }
            }
            Stmt::Macro(statement) => self.macro_statement(statement, last),
        }
    }

    /// Whether a statement of this expression is one without a semicolon.
    fn ends_in_a_block(&self, expr: &Expr) -> bool {
        match crate::ir::Program::hole_of(expr) {
            Some(id) => {
                // A body that binds nothing is written without its braces.
                matches!(self.program.holes[id], Hole::Copies(_) | Hole::Nest(_))
            }
            None => matches!(
                expr,
                Expr::If(_)
                    | Expr::Match(_)
                    | Expr::Block(_)
                    | Expr::Unsafe(_)
                    | Expr::While(_)
                    | Expr::Loop(_)
                    | Expr::ForLoop(_)
                    | Expr::Const(_)
                    | Expr::TryBlock(_)
                    | Expr::Verbatim(_)
            ),
        }
    }

    /// An expression in statement position; `None` when it wrote statements of its own.
    fn statement_expression(&mut self, expr: &Expr, dropped: bool) -> Option<Expr> {
        if let Expr::Assign(assign) = expr
            && self.elementwise(&assign.left, None, &assign.right)
        {
            return None;
        }
        if let Expr::Binary(binary) = expr
            && self.elementwise(&binary.left, Some(binary.op), &binary.right)
        {
            self.note_operator(binary);
            return None;
        }
        if let Expr::Assign(syn::ExprAssign { left, .. }) | Expr::Binary(syn::ExprBinary { left, .. }) = expr
            && let Expr::Index(index) = &**left
        {
            let words: Vec<_> =
                index.attrs.iter().filter(|attribute| HelperAttribute::orders(attribute)).cloned().collect();
            if !words.is_empty() {
                return Some(self.with_chain_words(words, |binder| binder.expression(expr)));
            }
        }
        if dropped && self.is_tensor(expr) {
            let view = self.tensor(expr, "view")?;
            if self.is_broken(&view) {
                return None;
            }
            self.diagnostics.error(
                expr,
                "unused view",
                "bind it with `let`, or read an element by giving an index for each axis",
            );
            return None;
        }
        Some(self.expression(expr))
    }
}
