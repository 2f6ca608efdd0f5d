//! `#[tabulate]`: a block whose elements are a few expressions of another block's, at many places.
//!
//! Binding writes the loop out, one copy for each element, and decides the conditions in it. This pass groups the right
//! sides: expressions that are the same but for the place in memory of what they read are computed once for each
//! place, in a loop over consecutive places that LLVM vectorizes, and a static [selection](crate::ir::Selection) picks
//! the element's own:
//!
//! ```text
//! for at in 0..13 { table[[at]] = (p_line[[at]] + 2 * p_line[[at + 1]] + p_line[[at + 2]] + 2) >> 2; }
//! ..
//! pred = table.select(..)
//! ```

mod term;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use quote::ToTokens;
use shim_core::{Layout, Space, TensorSpace};
use syn::{Expr, Stmt};

use crate::diagnostics::Diagnostics;
use crate::ir::array::{add_loop, declare, element_access};
use crate::ir::{
    Access, AccessId, AccessKind, Addressing, Buffer, Hole, Memory, NameSupply, Nest, Program, ProgramPoint,
    RegionId, RegionKind, Selection, StatementKind, Tabulation, View,
};
use crate::symbolic::SymInt;

use term::{ElementTerm, Failure, Lines};

/// The most entries that are computed between two that are selected, so that both are of one loop.
const MAX_GAP: i64 = 8;

/// The elements of a vector: the reach of a shuffle of bytes.
const PART: i64 = 16;

/// Expressions that are the same but for the place of what they read.
struct Row {
    term: ElementTerm,
    /// The places of the first element that they read.
    places: BTreeSet<i64>,
}

/// Consecutive places of an expression, and the entry of the table that the first of them has.
struct Run {
    row: usize,
    from: i64,
    to: i64,
    start: i64,
}

impl Run {
    fn length(&self) -> i64 {
        self.to - self.from + 1
    }
}

/// Replaces the copies of tabulated loops by tables, whose lines are read without tests.
pub(crate) fn tabulate(program: &mut Program, names: &mut NameSupply, diagnostics: &mut Diagnostics) {
    if program.tests_every_access {
        return;
    }
    for tabulation in std::mem::take(&mut program.tabulations) {
        match TabulatedBlock::of(program, &tabulation) {
            Ok(table) => table.write(program, names, &tabulation),
            Err(Failure { tokens, message, help }) => diagnostics.within(&tabulation.calls, |diagnostics| {
                diagnostics.error_in_call(tokens.unwrap_or(tabulation.tokens), message, help);
            }),
        }
    }
}

struct TabulatedBlock {
    lines: Lines,
    rows: Vec<Row>,
    /// The row of each element, and the place of the first element that it reads.
    elements: Vec<(usize, i64)>,
    /// The write of the first element.
    write: Access,
}

impl TabulatedBlock {
    fn of(program: &Program, tabulation: &Tabulation) -> Result<Self, Failure> {
        let mut lines = Lines::default();
        let mut rows: Vec<Row> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut elements = Vec::new();
        let mut write = None;
        let ty = type_of(program, &tabulation.out);
        for copy in &program.regions[tabulation.copies].regions {
            let (access, value) = assigned(program, *copy).ok_or_else(Failure::of_names)?;
            write.get_or_insert(access);
            let term = ElementTerm::of(program, (value, &ty), &mut lines)?;
            let own = |line: &usize| {
                program.root_buffer(lines.buffer(*line)) == program.root_buffer(tabulation.out.buffer)
            };
            if let Some((line, _)) = term.taps.iter().find(|(line, _)| own(line)) {
                return Err(Failure::new(
                    format!("a tabulated loop reads what it fills, through `{}`", lines.name(*line)),
                    "every element is read before the first is written: read another block",
                ));
            }
            let term = term.canonical(program, &lines);
            let row = *known.entry(term.key()).or_insert_with(|| {
                rows.push(Row { term: term.clone(), places: BTreeSet::new() });
                rows.len() - 1
            });
            rows[row].places.insert(term.first());
            elements.push((row, term.first()));
        }
        let write = write.map(|write| program.accesses[write].clone()).ok_or_else(Failure::of_names)?;
        Ok(TabulatedBlock { lines, rows, elements, write })
    }

    /// Writes the loops that compute the table, and the selection from it, in the place of the copies.
    fn write(&self, program: &mut Program, names: &mut NameSupply, tabulation: &Tabulation) {
        let Tabulation { hole, copies, out, .. } = tabulation;
        let Some(parent) = program.regions[*copies].parent else { return };
        let region = &program.regions[*copies];
        let (facts, epoch) = (region.own_facts().to_vec(), region.epochs[0]);
        program.remove_accesses(&program.accesses_in(*copies));
        program.move_region(*copies, None, RegionKind::Plain);
        let region = program.new_region(Some(parent), RegionKind::Plain, facts, epoch);
        program.holes[*hole] = Hole::Body(region);

        let mut runs = self.all_runs(program);
        let width = SymInt::constant(packed(&mut runs));
        let start = ProgramPoint { region, statement: 0 };
        let Some(ty) = program.buffers[out.buffer].element.clone() else { return };
        let table = declare(program, names, ("table".to_owned(), Memory::Stack, &ty), vec![width], start);
        let written = Rc::new(View { casts: out.casts.clone(), ..(*table).clone() });
        let lines: Vec<Rc<View>> =
            (0..self.lines.len()).map(|line| self.line(program, line, start)).collect();
        for run in &runs {
            self.compute(program, names, region, run, (&written, &lines));
        }
        self.pick(program, region, out, &table, &runs);
    }

    /// A loop over the places of a run.
    fn compute(
        &self,
        program: &mut Program,
        names: &mut NameSupply,
        region: RegionId,
        run: &Run,
        (table, lines): (&Rc<View>, &[Rc<View>]),
    ) {
        let at = ProgramPoint { region, statement: program.regions[region].next_statement() };
        let nest = program.nests.push(Nest::new(Vec::new(), None));
        let variable = add_loop(program, names, nest, ("at", run.length()), at);
        let epoch = program.regions[region].last_epoch();
        let body = program.new_region(Some(at), RegionKind::Nest(nest), Vec::new(), epoch);
        program.nests[nest].body = body;
        let here = ProgramPoint { region: body, statement: 0 };
        let index = |place: i64| {
            let sum = SymInt::symbol(&variable).add(&SymInt::constant(place));
            vec![sum.expect("a place in a small block")]
        };
        let Row { term, .. } = &self.rows[run.row];
        let first = term.first();
        let mut number = 0;
        let value = term.with_taps(&mut |tap| {
            let (line, place) = term.taps[number];
            number += 1;
            let index = index(run.from + place - first);
            let access = program.accesses[tap].clone();
            let read = moved(&access, &lines[line], index, AccessKind::Read, here);
            let read = program.access(read);
            program.hole(Hole::Access(read))
        });
        let write = program.access(moved(&self.write, table, index(run.start), AccessKind::Write, here));
        program.append(body, Hole::Assign { access: write, op: None, value: Box::new(value) }, true);
        program.append(region, Hole::Nest(nest), false);
    }

    /// The memory of a block as a tensor of one axis.
    fn line(&self, program: &mut Program, line: usize, bound: ProgramPoint) -> Rc<View> {
        let view = self.lines.view(line);
        let space =
            TensorSpace { space: Space::root(1), extents: vec![SymInt::constant(self.lines.length(line))] };
        let of = program.buffers[view.buffer].clone();
        let owned = of.memory.is_owned();
        let buffer = program.buffers.push(Buffer {
            memory: Memory::Over { of: view.buffer, owned, reshaped: None },
            space: space.clone(),
            addressing: Addressing::Flat(Layout::strided(vec![SymInt::constant(1)])),
            shape: None,
            parent: None,
            bound,
            ..of
        });
        Rc::new(View { casts: view.casts.clone(), ..View::of(view.name.clone(), space, buffer) })
    }

    fn all_runs(&self, program: &Program) -> Vec<Run> {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(number, row)| {
            let runs = self.runs(program, row).into_iter();
            runs.map(move |(from, to)| Run { row: number, from, to, start: 0 })
        })
        .collect()
    }

    /// Ranges of places that hold all of a row's: of consecutive ones, or with gaps where no operation can overflow.
    fn runs(&self, program: &Program, row: &Row) -> Vec<(i64, i64)> {
        let total = row.term.is_total(program, &self.lines);
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for place in &row.places {
            match runs.last_mut() {
                Some((_, last)) if place - *last == 1 || total && place - *last <= MAX_GAP => *last = *place,
                _ => runs.push((*place, *place)),
            }
        }
        if total {
            // Whole vectors, where there is memory to read.
            let first = row.term.first();
            let room =
                row.term.taps.iter().map(|(line, place)| self.lines.length(*line) - 1 - (place - first));
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

    /// Selects the elements of a block from the table.
    fn pick(&self, program: &mut Program, region: RegionId, out: &View, table: &Rc<View>, runs: &[Run]) {
        let tokens = out.name.to_token_stream();
        let here = ProgramPoint { region, statement: program.regions[region].next_statement() };
        let mut accesses: Vec<AccessId> = Vec::new();
        let mut known: BTreeMap<(usize, i64), usize> = BTreeMap::new();
        let mut numbers = Vec::new();
        for (row, place) in &self.elements {
            let number = *known.entry((*row, *place)).or_insert_with(|| {
                let run = runs.iter().find(|run| run.row == *row && (run.from..=run.to).contains(place));
                let at = vec![SymInt::constant(run.map_or(0, |run| run.start + place - run.from))];
                accesses.push(program.access(element_access(
                    table,
                    at,
                    (AccessKind::Read, here),
                    tokens.clone(),
                )));
                accesses.len() - 1
            });
            numbers.push(number);
        }
        let first = vec![SymInt::constant(0); out.space.extents.len()];
        let plain = Rc::new(View { casts: Vec::new(), ..out.clone() });
        let to = program.access(element_access(&plain, first, (AccessKind::Write, here), tokens));
        let selection = Selection { to, accesses, elements: numbers, gather: None };
        program.append(region, Hole::Select(Box::new(selection)), true);
    }
}

/// The type as which the elements of a tensor are written.
fn type_of(program: &Program, out: &View) -> String {
    let own = || program.buffers[out.buffer].element.as_ref().map(|element| &element.ty);
    let ty = out.casts.last().map(|cast| &cast.ty).or_else(own);
    ty.map(|ty| ty.to_token_stream().to_string()).unwrap_or_default()
}

/// An access moved to an element of another tensor, with its casts.
fn moved(access: &Access, to: &Rc<View>, index: Vec<SymInt>, kind: AccessKind, here: ProgramPoint) -> Access {
    let mut own = element_access(to, index, (kind, here), access.tokens.clone());
    let casts = access.element.candidates().first().map(|candidate| candidate.casts.clone());
    if let crate::ir::Element::Inside(candidate) = &mut own.element {
        candidate.casts = casts.unwrap_or_default();
    }
    Access { calls: access.calls.clone(), epoch: access.epoch, ..own }
}

/// The write and the value of the only statement of a copy.
fn assigned(program: &Program, copy: RegionId) -> Option<(AccessId, &Expr)> {
    let [statement] = &program.regions[copy].statements[..] else { return None };
    let StatementKind::Rust(statement) = &statement.kind else { return None };
    let Stmt::Expr(expr, _) = &**statement else { return None };
    match &program.holes[Program::hole_of(expr)?] {
        Hole::Assign { access, op: None, value } => Some((*access, value)),
        _ => None,
    }
}

/// Gives each run its entries: long ones begin a part of a vector, the reach of a shuffle, and short ones share parts.
/// The number of entries.
fn packed(runs: &mut [Run]) -> i64 {
    let mut next = 0;
    for run in runs.iter_mut().filter(|run| 2 * run.length() > PART) {
        run.start = next;
        next += (run.length() + PART - 1) / PART * PART;
    }
    for run in runs.iter_mut().filter(|run| 2 * run.length() <= PART) {
        if next % PART + run.length() > PART {
            next += PART - next % PART;
        }
        run.start = next;
        next += run.length();
    }
    // A table is made of whole parts.
    (next + PART - 1) / PART * PART
}
