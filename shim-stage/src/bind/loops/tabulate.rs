//! `#[tabulate]`: binds the loop written out; the pass [`tabulate`](crate::tabulate) makes a table of its copies.

use quote::ToTokens;
use shim_core::{Layout, points::points_of};
use syn::{Expr, ExprForLoop, Ident, Stmt};

use crate::diagnostics::{self, counted};
use crate::hygiene;
use crate::ir::{Addressing, Hole, Memory, Program, Tabulation, View};
use crate::static_eval::Int;
use crate::surface::{self, Entry, pattern};
use crate::symbolic::SymInt;

use crate::bind::loops::counted::indices_of;
use crate::bind::{Binder, unreachable_value};

/// The most elements of a tabulated block.
const MAX_ELEMENTS: i64 = 4096;

const USAGE: &str = "write `#[tabulate] for [y, x] in out.indices() { out[[y, x]] = ..; }`, over all indices of a block on the stack";

impl Binder<'_> {
    /// The block that a tabulated loop fills.
    pub(in crate::bind) fn tabulated(&mut self, for_loop: &ExprForLoop) -> Expr {
        self.tabulation(for_loop).unwrap_or_else(unreachable_value)
    }

    fn tabulation(&mut self, for_loop: &ExprForLoop) -> Option<Expr> {
        let Some(tensor) = indices_of(&for_loop.expr).filter(|tensor| self.is_tensor(tensor)) else {
            self.diagnostics.error(
                &for_loop.expr,
                "a tabulated loop runs over the indices of a block",
                USAGE,
            );
            return None;
        };
        let out = self.tensor(tensor, "view")?;
        if self.is_broken(&out) {
            return None;
        }
        let extents = self.tabulated_block(&out, tensor)?;
        let names = pattern::array(&for_loop.pat).filter(|names| names.len() == extents.len());
        let Some(names) = names.and_then(|names| names.into_iter().collect::<Option<Vec<Ident>>>()) else {
            let axes = counted(extents.len(), "axis", "axes");
            self.diagnostics.error(&for_loop.pat, format!("expected a name for each of the {axes}"), USAGE);
            return None;
        };
        let Some(value) = assigned(for_loop, tensor, &names) else {
            let help = "its statement assigns the element at the variables of the loop, in their sequence";
            self.diagnostics.error(&for_loop.body, "expected one assignment in a tabulated loop", help);
            return None;
        };
        let names: Vec<Option<Ident>> = names.into_iter().map(Some).collect();
        let number = |at: i64| Int { value: i128::from(at), ty: None };
        let points = points_of(&extents).into_iter().map(|point| point.into_iter().map(number).collect());
        let before = self.walk.effects.mark();
        let expr = self.copies_of(for_loop, &names, points.collect());
        if !self.walk.effects.is_transparent_since(before) {
            let (message, help) = diagnostics::ORDER_OF_EFFECTS;
            self.diagnostics.error_in_call(value, message, help);
        }
        if let Some(hole) = Program::hole_of(&expr)
            && let Hole::Copies(copies) = self.program.holes[hole]
        {
            let (tokens, calls) = (value.to_token_stream(), self.diagnostics.calls().to_vec());
            self.program.tabulations.push(Tabulation { hole, copies, out, tokens, calls });
        }
        Some(expr)
    }

    /// The extents of a block that may be tabulated.
    fn tabulated_block(&mut self, out: &View, tensor: &Expr) -> Option<Vec<i64>> {
        let buffer = &self.program.buffers[out.buffer];
        let stack = match &self.program.buffers[self.program.root_buffer(out.buffer)].memory {
            Memory::Stack(_) => true,
            Memory::Like { stack, .. } => *stack,
            _ => false,
        };
        let whole = buffer.space.space.same(&out.space.space) && buffer.space.extents == out.space.extents;
        let in_rows = matches!((&buffer.addressing, Layout::row_major(&buffer.space.extents)),
            (Addressing::Flat(layout), Ok(rows)) if layout.strides() == rows.strides());
        let extents: Option<Vec<i64>> = out.space.extents.iter().map(SymInt::as_constant).collect();
        let extents = extents.filter(|extents| {
            (1..=MAX_ELEMENTS).contains(&extents.iter().fold(1, |count: i64, own| count.saturating_mul(*own)))
        });
        let plain = out.boundary.is_none() && out.within.is_none();
        match extents {
            Some(extents) if buffer.number().is_some() && stack && whole && in_rows && plain => Some(extents),
            _ => {
                self.diagnostics.error_in_call(
                    tensor,
                    format!("`{}` cannot be tabulated", out.name),
                    format!(
                        "it has to be a whole block on the stack, of integers of a type that is written, in row-major order, of at most \
                         {MAX_ELEMENTS} elements"
                    ),
                );
                None
            }
        }
    }
}

/// The value that the body of a loop assigns to the element of the block at its variables.
fn assigned<'l>(for_loop: &'l ExprForLoop, tensor: &Expr, names: &[Ident]) -> Option<&'l Expr> {
    let [Stmt::Expr(Expr::Assign(assignment), _)] = &for_loop.body.stmts[..] else { return None };
    let Expr::Index(index) = &*assignment.left else { return None };
    let entries = surface::index_list(index)?;
    let same = |text: &dyn ToTokens, other: &dyn ToTokens| {
        text.to_token_stream().to_string() == other.to_token_stream().to_string()
    };
    let plain = entries.len() == names.len()
        && entries.iter().zip(names).all(|(entry, name)| match entry {
            Entry::Index(entry) => surface::ident(entry).is_some_and(|own| hygiene::same(own, name)),
            Entry::Range(_) => false,
        });
    (plain && same(&index.expr, tensor)).then_some(&*assignment.right)
}
