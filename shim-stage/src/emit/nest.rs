//! Loops.

use quote::quote;
use syn::{Expr, Label, Stmt};

use crate::ir::{Body, LoopId, LoopKind};
use crate::lower::Place;

use super::{Emitter, parsed, parsed_block, statement};

impl Emitter<'_> {
    /// A nest of counted loops around `body`; what has to be tested before it goes to `before`.
    pub(super) fn nest(
        &mut self,
        loops: &[LoopId],
        label: Option<&Label>,
        body: &Body,
        before: &mut Vec<Stmt>,
    ) -> Expr {
        for id in loops {
            self.extent_check(*id, before);
        }
        let outer = self.place;
        self.place = crate::ir::Position { context: body.context, statement: 0 };
        let mut inner = Vec::new();
        self.parts(Place::Inside(body.context, loops.len() - 1), &mut inner);
        inner.extend(self.body(body));
        for (depth, id) in loops.iter().enumerate().rev() {
            let label = label.filter(|_| depth == 0);
            let looping = self.looping(*id, label, inner);
            inner = Vec::new();
            if let Some(outside) = depth.checked_sub(1) {
                self.parts(Place::Inside(body.context, outside), &mut inner);
            }
            inner.push(Stmt::Expr(looping, None));
        }
        self.place = outer;
        match <[Stmt; 1]>::try_from(inner) {
            Ok([Stmt::Expr(looping, None)]) => looping,
            Ok(statements) => parsed_block(statements.into()),
            Err(statements) => parsed_block(statements),
        }
    }

    /// Loop variables count in `i32`.
    fn extent_check(&mut self, id: LoopId, before: &mut Vec<Stmt>) {
        let LoopKind::Index { extent } = &self.program.loops[id].kind else { return };
        if extent.range().hi.is_some_and(|hi| hi <= i64::from(i32::MAX)) {
            return;
        }
        let krate = self.krate;
        let kernel = &self.program.name;
        let value = self.checked_value(extent);
        let check = statement(quote!(#krate::__private::countable(#kernel, #value)));
        let text = quote!(#value).to_string();
        // The same extent twice in one nest is tested once.
        let known = before.iter().any(|stmt| quote!(#stmt).to_string().contains(&format!(", {text})")));
        if !known {
            before.push(check);
        }
    }

    fn looping(&mut self, id: LoopId, label: Option<&Label>, body: Vec<Stmt>) -> Expr {
        let looping = &self.program.loops[id];
        let name = &looping.name;
        match &looping.kind {
            LoopKind::Index { extent } => {
                let end = match extent.as_constant() {
                    Some(end) => {
                        let literal = proc_macro2::Literal::i64_unsuffixed(end);
                        quote!(#literal)
                    }
                    None => self.checked_value(extent),
                };
                parsed(quote!(#label for #name in 0isize..#end { #(#body)* }))
            }
            LoopKind::Range { iterator } => {
                let mut iterator = (**iterator).clone();
                self.fill(&mut iterator);
                parsed(quote!(#label for #name in #iterator { #(#body)* }))
            }
        }
    }
}
