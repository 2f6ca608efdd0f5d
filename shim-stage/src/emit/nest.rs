//! Loops.

use proc_macro2::TokenStream;
use syn::{Expr, Label, Stmt};

use crate::ir::{LoopId, LoopKind, Nest, NestId, OwnLocals, Position};
use crate::symbolic::Sym;

use super::{Emitter, block, block_of, parsed, statement};

impl Emitter<'_> {
    /// A nest of counted loops; what has to be tested before it goes to `before`.
    pub(super) fn nest(&mut self, id: NestId, before: &mut Vec<Stmt>) -> Expr {
        let program = self.program;
        let nest = &program.nests[id];
        self.extent_checks(&nest.loops, before);
        let outer = std::mem::replace(&mut self.place, Position { context: nest.body, statement: 0 });
        let statements = self.level(nest, 0, nest.label.as_ref());
        self.place = outer;
        match <[Stmt; 1]>::try_from(statements) {
            Ok([Stmt::Expr(looping, None)]) => looping,
            Ok(statements) => block_of(statements.into()),
            Err(statements) => block_of(statements),
        }
    }

    /// The loops of a nest from `depth` on, and what is computed in front of them.
    fn level(&mut self, nest: &Nest, depth: usize, label: Option<&Label>) -> Vec<Stmt> {
        let program = self.program;
        let mut statements = Vec::new();
        if let Some(outside) = depth.checked_sub(1) {
            for part in &program.loops[nest.loops[outside]].parts {
                self.definition(part, &mut statements);
            }
        }
        let Some(id) = nest.loops.get(depth).copied() else {
            let own = self.body(nest.body);
            match &nest.next {
                Some(next) => {
                    let own = block(own);
                    statements
                        .push(Stmt::Expr(syn::parse_quote!(#next: #own), Some(<syn::Token![;]>::default())));
                }
                None => statements.extend(own),
            }
            return statements;
        };
        let Some(peel) = self.checked.peels.get(&id) else {
            let inner = self.level(nest, depth + 1, None);
            statements.push(Stmt::Expr(self.looping(id, label, inner, None), None));
            return statements;
        };
        // The interior is a range of the variable; the edges before and after it share one body.
        let rt = self.runtime;
        let range = self.iterator(id);
        let starts: Vec<TokenStream> = peel.starts.iter().map(|start| self.checked_value(start)).collect();
        let ends: Vec<TokenStream> = peel.ends.iter().map(|end| self.checked_value(end)).collect();
        let exists = if peel.guards.is_empty() {
            hygienic!(true)
        } else {
            let guards = peel.guards.iter().map(|guard| self.guard(guard));
            hygienic!(#(#guards)&&*)
        };
        let edge = self.level(nest, depth + 1, None);
        let outer = self.interior.clone();
        self.interior.extend(peel.accesses.keys());
        let interior = self.level(nest, depth + 1, None);
        self.interior = outer;
        // A loop that is left early is not peeled: the label is there to go on with the next value.
        let OwnLocals { part, inside, .. } = self.own;
        let range_of = || Some(hygienic!(#part));
        let (edge, interior) =
            (self.looping(id, label, edge, range_of()), self.looping(id, label, interior, range_of()));
        // The two bodies are put into the tree as they are: to parse them again would cost as much as all before.
        let choice = Expr::If(syn::ExprIf {
            attrs: Vec::new(),
            if_token: <syn::Token![if]>::default(),
            cond: Box::new(parsed(hygienic!(#inside))),
            then_branch: block(vec![Stmt::Expr(interior, None)]),
            else_branch: Some((
                <syn::Token![else]>::default(),
                Box::new(block_of(vec![Stmt::Expr(edge, None)])),
            )),
        });
        let parts = hygienic!(#rt.parts_of(#range, [#(#starts),*], [#(#ends),*], #exists));
        let pattern = hygienic!((#part, #inside));
        statements.push(Stmt::Expr(for_loop(None, pattern, parts, vec![Stmt::Expr(choice, None)]), None));
        statements
    }

    /// Loop variables count in `i32`: the checks of a nest's extents, each extent once.
    fn extent_checks(&self, loops: &[LoopId], before: &mut Vec<Stmt>) {
        let rt = self.runtime;
        let kernel = &self.program.name;
        let mut checked: Vec<&Sym> = Vec::new();
        for id in loops {
            let LoopKind::Index { extent } = &self.program.loops[*id].kind else { continue };
            if extent.range().hi.is_some_and(|hi| hi <= i64::from(i32::MAX)) || checked.contains(&extent) {
                continue;
            }
            let value = self.checked_value(extent);
            before.push(statement(hygienic!(#rt.countable(#kernel, #value))));
            checked.push(extent);
        }
    }

    /// What a loop runs over.
    fn iterator(&mut self, id: LoopId) -> TokenStream {
        match &self.program.loops[id].kind {
            LoopKind::Index { extent } => {
                let end = self.checked_value(extent);
                hygienic!(0isize..#end)
            }
            LoopKind::Range { iterator, .. } => {
                let mut iterator = (**iterator).clone();
                self.fill(&mut iterator);
                hygienic!(#iterator)
            }
        }
    }

    fn looping(
        &mut self,
        id: LoopId,
        label: Option<&Label>,
        body: Vec<Stmt>,
        part: Option<TokenStream>,
    ) -> Expr {
        let iterator = part.unwrap_or_else(|| self.iterator(id));
        let name = &self.program.loops[id].name;
        for_loop(label, hygienic!(#name), iterator, body)
    }
}

fn for_loop(label: Option<&Label>, pattern: TokenStream, iterator: TokenStream, body: Vec<Stmt>) -> Expr {
    Expr::ForLoop(syn::ExprForLoop {
        attrs: Vec::new(),
        label: label.cloned(),
        for_token: <syn::Token![for]>::default(),
        pat: Box::new(syn::Pat::Verbatim(pattern)),
        in_token: <syn::Token![in]>::default(),
        expr: Box::new(parsed(iterator)),
        body: block(body),
    })
}
