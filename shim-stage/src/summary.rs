//! What is shown of a kernel beside its expansion: the header of a dump, and the page of `playground/`.

use proc_macro2::Span;

pub use crate::hoisted::Kept;
use crate::hoisted::{Counts, demanding, kept};
use crate::ir::Program;
use crate::ir::density::reached;
use crate::print;

/// The loops and the accesses of a kernel.
#[derive(Debug, Default)]
pub struct Summary {
    /// The kernel's name, or that of its schedule.
    pub kernel: String,
    /// How many accesses are kept inside in each way, and the loop nests, a line for each loop and access.
    pub loops: String,
    /// The accesses whose elements must be there, a copy of an unrolled loop for itself.
    pub accesses: Vec<Accessed>,
}

/// An access and how it is kept inside its block.
#[derive(Debug)]
pub struct Accessed {
    /// Its first and its last token.
    pub tokens: [Span; 2],
    /// The tensor that holds it, and the view that it is written with: as an assertion names them.
    pub tensor: String,
    /// How it is kept inside.
    pub kept: Kept,
}

impl Summary {
    /// The summary of a program whose interiors are known.
    pub(crate) fn of(program: &Program) -> Self {
        let accesses = demanding(program).filter_map(|id| {
            let access = &program.accesses[id];
            let mut tokens = access.tokens.clone().into_iter().map(|token| token.span());
            let first = tokens.next()?;
            Some(Accessed {
                tokens: [first, tokens.last().unwrap_or(first)],
                tensor: reached(program, access),
                kept: kept(program, id),
            })
        });
        Summary {
            kernel: program.name.clone(),
            loops: format!("{}\n{}", Counts::of(program), print::loops(program)),
            accesses: accesses.collect(),
        }
    }
}
