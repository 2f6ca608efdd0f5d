//! `#[tabulate]`: a block whose elements are a few expressions of another block's, at many places.
//!
//! Each element of the loop is assigned an expression whose conditions are static. Expressions that are the same but
//! for the place in memory of what they read are computed once for each place, in a loop over consecutive places that
//! LLVM vectorizes, and a static
//! [selection](crate::ir::Selection) picks the element's own:
//!
//! ```text
//! for i in 0..13 { table[[i]] = (p_line[[i]] + 2 * p_line[[i + 1]] + p_line[[i + 2]] + 2) >> 2; }
//! ..
//! pred = table.select(..)
//! ```

mod term;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use proc_macro2::Literal;
use quote::ToTokens;
use shim_core::{Layout, TensorSpace, points::points_of};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprForLoop, Ident, Stmt, Type};

use crate::diagnostics::{self, counted};
use crate::hygiene;
use crate::ir::{AccessId, AccessKind, Addressing, BufferId, Hole, Memory, RegionKind, Selection, View};
use crate::static_eval::{Int, Value};
use crate::surface::{self, Entry};
use crate::symbolic::SymInt;

use crate::bind::Binder;
use crate::bind::loops::counted::indices_of;
use crate::bind::rust::pattern;
use crate::bind::tensors::access::unreachable_value;
use crate::bind::tensors::placement::Placement;

use term::{Line, TableTerm, tap_number};

/// The most elements of a tabulated block.
const MAX_ELEMENTS: i64 = 4096;

/// The most entries that are computed between two that are selected, so that both are of one loop.
const MAX_GAP: i64 = 8;

/// The elements of a vector: what a shuffle of bytes reaches.
const PART: i64 = 16;

const USAGE: &str = "write `#[tabulate] for [y, x] in out.indices() { out[[y, x]] = ..; }`, over all indices of a block on the stack";

/// Expressions that are the same but for the place of what they read.
struct Row {
    term: TableTerm,
    /// The places of the first element that they read.
    places: BTreeSet<i64>,
}

impl Row {
    /// The distance of each element that is read from the first one.
    fn distances(&self) -> impl Iterator<Item = (usize, i64)> {
        let first = self.term.first();
        self.term.taps.iter().map(move |(line, place)| (*line, place - first))
    }

    /// The expression at the place `from + at`.
    fn value(&self, lines: &[Line], from: i64, at: &Ident) -> Expr {
        struct Taps<'r> {
            taps: Vec<(&'r Ident, i64)>,
            at: &'r Ident,
        }
        impl VisitMut for Taps<'_> {
            fn visit_expr_mut(&mut self, expr: &mut Expr) {
                if let Expr::Path(path) = expr
                    && let Some((line, place)) =
                        path.path.get_ident().and_then(tap_number).and_then(|tap| self.taps.get(tap))
                {
                    let (at, place) = (self.at, Literal::i64_unsuffixed(*place));
                    *expr = syn::parse_quote!(#line[[#at + #place]]);
                    return;
                }
                visit_mut::visit_expr_mut(self, expr);
            }
        }
        let taps = self.distances().map(|(line, distance)| (&lines[line].name, from + distance)).collect();
        let mut value = self.term.expr.clone();
        Taps { taps, at }.visit_expr_mut(&mut value);
        value
    }
}

/// Consecutive places of an expression, and the entry of the table that the first of them has.
struct Run {
    row: usize,
    from: i64,
    to: i64,
    start: i64,
}

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
        let (ty, extents) = self.tabulated_block(&out, tensor)?;
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
        let mut lines: Vec<Line> = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut elements = Vec::new();
        for point in points_of(&extents) {
            let at = |at: &i64| Value::Int(Int { value: i128::from(*at), ty: None });
            let bound = names.iter().cloned().zip(point.iter().map(at)).collect();
            let term = self.term(value, bound, &mut lines)?;
            if let Some((line, _)) =
                term.taps.iter().find(|(line, _)| self.overlaps(lines[*line].view.buffer, out.buffer))
            {
                let message =
                    format!("a tabulated loop reads what it fills, through `{}`", lines[*line].view.name);
                let help = "every element is read before the first is written: read another block";
                self.diagnostics.error_in_call(value, message, help);
                return None;
            }
            let term = self.canonical(term, &lines);
            let first = term.first();
            let distances: Vec<_> = term.taps.iter().map(|(line, place)| (line, place - first)).collect();
            let key = format!("{} {distances:?}", term.expr.to_token_stream());
            let row = *known.entry(key).or_insert_with(|| {
                rows.push(Row { term, places: BTreeSet::new() });
                rows.len() - 1
            });
            rows[row].places.insert(first);
            elements.push((row, first));
        }
        Some(self.table(&out, ty, &lines, &rows, &elements, value))
    }

    /// The type of the elements of a block that may be tabulated, and its extents.
    fn tabulated_block(&mut self, out: &View, tensor: &Expr) -> Option<(Type, Vec<i64>)> {
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
        let element = buffer.element.as_ref().filter(|_| buffer.number().is_some());
        match (extents, element) {
            (Some(extents), Some(element)) if stack && whole && in_rows && plain => {
                Some((element.ty.clone(), extents))
            }
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

    fn overlaps(&self, a: BufferId, b: BufferId) -> bool {
        self.program.root_buffer(a) == self.program.root_buffer(b)
    }

    /// The statements that compute a table and select from it.
    fn table(
        &mut self,
        out: &Rc<View>,
        ty: Type,
        lines: &[Line],
        rows: &[Row],
        elements: &[(usize, i64)],
        value: &Expr,
    ) -> Expr {
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            for Line { view, name, length } in lines {
                if let Some(line) = binder.line(view, *length) {
                    binder.bind_tensor(name, line);
                }
            }
            let runs = rows.iter().enumerate().flat_map(|(number, row)| {
                binder.runs(row, lines).into_iter().map(move |(from, to)| Run {
                    row: number,
                    from,
                    to,
                    start: 0,
                })
            });
            let mut runs: Vec<Run> = runs.collect();
            let width = packed(&mut runs);
            let space = Placement::new(1).in_root().place_in(&binder.root_space);
            let Some(space) = binder.report_location_error(space, out.name.to_token_stream()) else { return };
            let space = TensorSpace { space, extents: vec![SymInt::constant(width)] };
            let memory = Memory::Stack(Some(Box::new(ty)));
            let Some(table) = binder.store("table", memory, None, space, None, out.name.to_token_stream())
            else {
                return;
            };
            let before = binder.effects.mark();
            let written = Rc::new(View { casts: out.casts.clone(), ..(*table).clone() });
            let name = binder.names.fresh("table");
            binder.bind_tensor(&name, written);
            for Run { row, from, to, start } in &runs {
                let at = binder.names.fresh("at");
                let value = rows[*row].value(lines, *from, &at);
                let [start, length] = [*start, to - from + 1].map(Literal::i64_unsuffixed);
                binder.statements(&[
                    syn::parse_quote!(for #at in 0..#length { #name[[#at + #start]] = #value; }),
                ]);
            }
            if !binder.effects.is_transparent_since(before) {
                let (message, help) = diagnostics::ORDER_OF_EFFECTS;
                binder.diagnostics.error_in_call(value, message, help);
            }
            binder.pick(out, &table, &runs, elements);
        });
        self.program.hole(Hole::Body(body))
    }

    /// The memory of a view as a tensor of one axis.
    fn line(&mut self, view: &View, length: i64) -> Option<Rc<View>> {
        let space = Placement::new(1).in_root().place_in(&self.root_space);
        let space = self.report_location_error(space, view.name.to_token_stream())?;
        let space = TensorSpace { space, extents: vec![SymInt::constant(length)] };
        let owned = self.program.buffers[view.buffer].memory.is_owned();
        let memory = Memory::Reshaped { of: view.buffer, owned };
        let addressing = Addressing::Flat(Layout::strided(vec![SymInt::constant(1)]));
        let made = self.store_with(&view.name, memory, None, space, addressing, None);
        Some(Rc::new(View { casts: view.casts.clone(), ..(*made).clone() }))
    }

    /// Ranges of places that hold all of a row's: of consecutive ones, or with gaps where no operation can overflow.
    fn runs(&self, row: &Row, lines: &[Line]) -> Vec<(i64, i64)> {
        let total = self.bounds(&row.term.expr, &row.term.taps, lines).is_some();
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for place in &row.places {
            match runs.last_mut() {
                Some((_, last)) if place - *last == 1 || total && place - *last <= MAX_GAP => *last = *place,
                _ => runs.push((*place, *place)),
            }
        }
        if total {
            // Whole vectors, where there is memory to read.
            let room = row.distances().map(|(line, distance)| lines[line].length - 1 - distance);
            let last = room.min().unwrap_or(0);
            for (from, to) in runs.iter_mut().filter(|(from, to)| 2 * (*to - *from + 1) > PART) {
                let whole = *from + (*to - *from + PART) / PART * PART - 1;
                if whole <= last {
                    *to = whole;
                }
            }
        }
        runs
    }

    /// Selects the elements of a block from a table.
    fn pick(&mut self, out: &View, table: &Rc<View>, runs: &[Run], elements: &[(usize, i64)]) {
        let tokens = out.name.to_token_stream();
        let mut accesses: Vec<AccessId> = Vec::new();
        let mut known: BTreeMap<(usize, i64), usize> = BTreeMap::new();
        let mut numbers = Vec::new();
        for (row, place) in elements {
            let number = *known.entry((*row, *place)).or_insert_with(|| {
                let run = runs.iter().find(|run| run.row == *row && (run.from..=run.to).contains(place));
                let at = run.map_or(0, |run| run.start + place - run.from);
                let index = vec![SymInt::constant(at)];
                accesses.push(self.record(
                    table.clone(),
                    index,
                    AccessKind::Read,
                    Vec::new(),
                    tokens.clone(),
                ));
                accesses.len() - 1
            });
            numbers.push(number);
        }
        let first = vec![SymInt::constant(0); out.space.extents.len()];
        let plain = Rc::new(View { casts: Vec::new(), ..out.clone() });
        let to = self.record(plain, first, AccessKind::Write, Vec::new(), tokens);
        let selection = Selection { to, accesses, elements: numbers };
        let hole = self.program.hole(Hole::Select(Box::new(selection)));
        self.push(Stmt::Expr(hole, Some(syn::token::Semi::default())));
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

/// Gives each run its entries: long ones begin a part of a vector, which is what a shuffle reaches, and short ones
/// share parts. The number of entries.
fn packed(runs: &mut [Run]) -> i64 {
    let length = |run: &Run| run.to - run.from + 1;
    let mut next = 0;
    for run in runs.iter_mut().filter(|run| 2 * length(run) > PART) {
        run.start = next;
        next += (length(run) + PART - 1) / PART * PART;
    }
    for run in runs.iter_mut().filter(|run| 2 * length(run) <= PART) {
        if next % PART + length(run) > PART {
            next += PART - next % PART;
        }
        run.start = next;
        next += length(run);
    }
    // The table is made of whole parts.
    (next + PART - 1) / PART * PART
}
