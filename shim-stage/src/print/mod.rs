//! A program between two passes as text: what `SHIM_DUMP` writes beside an expansion, and what the golden files of the
//! passes hold.
//!
//! Each statement takes a line, and those of its bodies and nests follow, indented. In the user's Rust an access is
//! `a3`, a body `body4` and a nest `nest2`; the accesses follow the statements, with what is known of them.

mod loops;

pub use loops::loops;

use std::fmt::Write as _;

use proc_macro2::Ident;
use quote::ToTokens;
use shim_core::Layout;
use syn::Expr;

use crate::hygiene::HOLE;
use crate::ir::{
    AccessId, AccessKind, Addressing, Assertion, Behind, Buffer, ByteSum, Candidate, Change, Definition,
    Element, Hole, HoleId, Id, Idiom, Interior, Let, Loop, LoopCut, LoopId, LoopKind, LoopMode, NestId,
    Offset, Operand, Program, Reduction, RegionId, Selection, Side, StatementKind, Strided, Tasks,
    Transposition, When,
};
use crate::symbolic::SymInt;

/// A program after each pass, as text, where that is wanted.
#[derive(Debug, Default)]
pub struct Passes(Option<Vec<(&'static str, String)>>);

impl Passes {
    /// Passes that are recorded.
    pub fn recorded() -> Self {
        Passes(Some(Vec::new()))
    }

    /// Records the program after a pass.
    pub fn record(&mut self, pass: &'static str, after: &Program) {
        if let Some(texts) = &mut self.0 {
            texts.push((pass, program(after)));
        }
    }

    /// The name of each pass with the program after it.
    pub fn texts(&self) -> &[(&'static str, String)] {
        self.0.as_deref().unwrap_or_default()
    }
}

/// A program as text.
pub fn program(program: &Program) -> String {
    let mut printer = Printer { program, text: String::new() };
    printer.line(0, &format!("kernel {}", program.name));
    for buffer in &program.buffers {
        printer.buffer(buffer);
    }
    printer.body(RegionId::BODY, 1);
    for id in program.all_accesses() {
        printer.access(id);
    }
    for dependence in &program.dependences {
        printer.line(1, &format!("depends {dependence}"));
    }
    printer.text
}

struct Printer<'p> {
    program: &'p Program,
    text: String,
}

/// The bodies and nests that a statement holds.
#[derive(Default)]
struct Contents {
    bodies: Vec<RegionId>,
    nests: Vec<NestId>,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
    }

    fn buffer(&mut self, buffer: &Buffer) {
        let Buffer { local, name, space, addressing, .. } = buffer;
        let order = match addressing {
            Addressing::Rows => "rows".to_owned(),
            Addressing::Flat(layout) => match (layout.strides(), layout.base()) {
                (Some(strides), base) if base.is_zero() => format!("strides {}", list(&strides)),
                (Some(strides), base) => format!("base {base}, strides {}", list(&strides)),
                (None, _) => self.stored(layout),
            },
        };
        self.line(1, &format!("block {local} of `{name}`: {}, {order}", list(&space.extents)));
    }

    /// The offset of the element at `[i0, i1, ..]`.
    fn stored(&self, layout: &Layout<SymInt>) -> String {
        let at: Vec<_> =
            self.program.tested_at[..layout.rank()].iter().map(|at| SymInt::symbol(at).form()).collect();
        match layout.map(&SymInt::form).offset(&at) {
            Ok(offset) => format!("offset {offset}"),
            Err(error) => error.to_string(),
        }
    }

    fn body(&mut self, region: RegionId, depth: usize) {
        for statement in &self.program.regions[region].statements {
            let mut held = Contents::default();
            let text = match &statement.kind {
                StatementKind::Check(_) => "check a stage".to_owned(),
                StatementKind::Rust(source) | StatementKind::Confirm(source) => {
                    self.shown(&source.to_token_stream().to_string(), &mut held)
                }
                StatementKind::Memory(buffer, place) => {
                    let local = &self.program.buffers[*buffer].local;
                    match place {
                        Some(place) => format!("memory {local} = {}", self.expr(place, &mut held)),
                        None if !self.program.buffers[*buffer].cleared => {
                            format!("memory {local}, not cleared")
                        }
                        None => format!("memory {local}"),
                    }
                }
                StatementKind::Let(local) => self.local(local, &mut held),
                StatementKind::Expect { tensor, found, wanted } => {
                    format!("expect {found} == {wanted} of `{tensor}`")
                }
                StatementKind::Assert(assertion) => self.assertion(assertion),
                StatementKind::If { all, then, otherwise } => {
                    held.bodies.extend(std::iter::once(*then).chain(*otherwise));
                    let otherwise =
                        otherwise.map_or_else(String::new, |own| format!(" else body{}", own.index()));
                    format!("if 0 <= {} body{}{otherwise}", list(all), then.index())
                }
            };
            self.line(depth, &text);
            for body in held.bodies {
                self.line(depth + 1, &format!("body{}:", body.index()));
                self.body(body, depth + 2);
            }
            for nest in held.nests {
                self.nest(nest, depth + 1);
            }
        }
    }

    fn nest(&mut self, id: NestId, depth: usize) {
        let nest = &self.program.nests[id];
        let loops: Vec<String> = nest.loops.iter().map(|id| self.for_loop(*id)).collect();
        let mut text = format!("nest{}: for {}", id.index(), loops.join(", "));
        if let Some(schedule) = &nest.schedule {
            let _ = write!(text, "; ordered {:?}", schedule.words);
        }
        for Change { name, reduction, .. } in nest.effects.iter().flat_map(|effects| &effects.changes) {
            let _ = write!(text, "; changes {name}");
            if let Some(Reduction { operator, .. }) = reduction {
                let _ = write!(text, " by {}", operator.name());
            }
        }
        if !nest.distributed.is_empty() {
            let _ = write!(text, "; again at statements {:?}", nest.distributed);
        }
        if !nest.i32_extents.is_empty() {
            let _ = write!(text, "; i32_extents {}", list(&nest.i32_extents));
        }
        let place = |own: &Strided| {
            let local = &self.program.buffers[own.buffer].local;
            let steps: Vec<String> = own.steps.iter().map(ToString::to_string).collect();
            format!("{local} + {}, {} apart", own.first, steps.join(", "))
        };
        match nest.idiom.as_deref() {
            None => {}
            Some(Idiom::Transposition(Transposition { from, to, lines, length, turned })) => {
                let does = if *turned { "transposes" } else { "copies" };
                let _ =
                    write!(text, "; {does} {lines} lines of {length} at {} to {}", place(from), place(to));
            }
            Some(Idiom::Sum(ByteSum { local, number, of, from, extents })) => {
                let _ =
                    write!(text, "; adds {extents:?} bytes at {} to {local}: {}", place(of), number.name());
                if let Some(from) = from {
                    let _ = write!(text, ", less those at {}", place(from));
                }
            }
        }
        if let Some(Tasks { memory, totals, .. }) = nest.tasks.as_deref() {
            let memory = memory.iter().map(|(_, local)| local);
            let locals: Vec<String> =
                memory.chain(totals.iter().map(|(_, local)| local)).map(ToString::to_string).collect();
            let _ = write!(text, "; tasks share {}", locals.join(", "));
        }
        if let Some(LoopCut { at: Some(at), .. }) = nest.cut.as_deref() {
            let _ = write!(text, "; cut at {at}");
        }
        for Behind { when, nest } in &nest.behind {
            let _ = match when {
                When::From(from) => write!(text, "; from {from} on nest{}", nest.index()),
                When::If(slack) => write!(text, "; if {slack} >= 0 nest{}", nest.index()),
            };
        }
        if let Some(split) = &nest.split {
            let _ = write!(text, "; interior nest{}", split.interior.index());
            interior(&split.starts, &split.ends, &split.guards, &mut text);
        }
        self.line(depth, &text);
        for id in &nest.loops {
            let own = &self.program.loops[*id];
            for part in &own.parts {
                let part = self.local(part, &mut Contents::default());
                self.line(depth + 1, &format!("in {}: {part}", own.name));
            }
        }
        self.body(nest.body, depth + 1);
        for behind in &nest.behind {
            self.nest(behind.nest, depth);
        }
        if let Some(split) = &nest.split {
            self.nest(split.interior, depth);
        }
    }

    fn for_loop(&self, id: LoopId) -> String {
        let own = &self.program.loops[id];
        let mut text = header(own, &own.name);
        if let Some(Interior { starts, ends, guards, .. }) = &own.interior {
            text.push_str(" with an interior");
            interior(starts, ends, guards, &mut text);
        }
        text
    }

    fn local(&self, Let { name, value }: &Let, held: &mut Contents) -> String {
        match value {
            Definition::Constant(path) => format!("let {name} = const {}", self.expr(path, held)),
            Definition::Conversion { symbol, value, .. } => {
                format!("let {name} = {symbol} from {}", self.expr(value, held))
            }
            Definition::Index(value) => format!("let {name} = {value}"),
            Definition::Extent(value) => format!("let {name} = extent {value}"),
            Definition::Table(entries) => {
                let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
                format!("let {name} = table [{}]", entries.join(", "))
            }
            Definition::Starts(memory, rows) => {
                format!("let {name} = starts of {rows} rows in {}", self.expr(memory, held))
            }
            Definition::Indices(memory, extent) => {
                format!("let {name} = indices below {extent} in {}", self.expr(memory, held))
            }
            Definition::Item(index, range) => {
                format!("let {name} = item {index} of {}", self.expr(range, held))
            }
            Definition::OffsetPart(part) => {
                let outside = before(part.outside.as_ref());
                let wraps = if part.fits { "" } else { ", may wrap" };
                format!("let {name} = part {outside}{}{wraps}", part.value)
            }
        }
    }

    fn assertion(&self, assertion: &Assertion) -> String {
        let mut text = match assertion.buffer {
            Some(buffer) => format!("assert {}", self.program.buffers[buffer].local),
            None => format!("assert indices of {}", assertion.tensor),
        };
        if !assertion.guards.is_empty() {
            let _ = write!(text, " if 0 <= {}", list(&assertion.guards));
        }
        for axis in 0..assertion.extents.len() {
            let [least, greatest] = [Side::Below, Side::Above]
                .map(|side| list(&assertion.coordinates(axis, side).cloned().collect::<Vec<_>>()));
            if assertion.checks.iter().any(|check| check.axis == axis) {
                let _ = write!(text, "; axis {axis}: {least} to {greatest}");
            }
        }
        if !assertion.folds.is_empty() || !assertion.filled.is_empty() {
            let _ = write!(text, "; folds {} on extents {}", list(&assertion.folds), list(&assertion.filled));
        }
        text
    }

    fn access(&mut self, id: AccessId) {
        let access = &self.program.accesses[id];
        let verb = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Update => "update",
            AccessKind::Place => "place",
            AccessKind::PlaceMut => "mutable place",
            AccessKind::Get => "get",
            AccessKind::Test => "test",
            AccessKind::Offset => "offset",
            AccessKind::Prefetch => "prefetch",
        };
        let mut text = format!("a{}: {verb} {}{}", id.index(), access.view.name, list(&access.index));
        if access.within.is_some() {
            text.push_str(", unless excluded");
        }
        match &access.element {
            Element::Unchecked => {}
            Element::Inside(candidate) => {
                let interior = if access.interior.is_some() { " in the interior" } else { "" };
                let _ = write!(text, ", inside{interior} {}", self.candidate(candidate));
            }
            Element::Folded(folded) => {
                let _ = write!(text, ", folded {}", self.candidate(&folded.element()));
            }
            Element::Tested(tested) => {
                let _ = write!(text, ", tested {}", self.candidates(&tested.candidates));
            }
            Element::At(candidate, Offset::Flat { named: part, rest, .. }) => {
                let part = before(part.as_ref());
                let local = &self.program.buffers[candidate.buffer].local;
                let _ = write!(text, ", at {local} + {part}{rest}");
            }
            Element::At(candidate, Offset::Row(row, column)) => {
                let local = &self.program.buffers[candidate.buffer].local;
                let _ = write!(text, ", at {local} row {row} column {column}");
            }
        }
        self.line(1, &text);
    }

    fn candidate(&self, candidate: &Candidate) -> String {
        format!("{}{}", self.program.buffers[candidate.buffer].local, list(&candidate.coordinates))
    }

    fn candidates(&self, candidates: &[Candidate]) -> String {
        candidates.iter().map(|candidate| self.candidate(candidate)).collect::<Vec<_>>().join(" or ")
    }

    fn expr(&self, expr: &Expr, held: &mut Contents) -> String {
        self.shown(&expr.to_token_stream().to_string(), held)
    }

    /// Tokens with what their holes stand for.
    fn shown(&self, tokens: &str, held: &mut Contents) -> String {
        let mut parts = tokens.split(HOLE);
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            match part[..end].parse() {
                Ok(number) => text.push_str(&self.hole(HoleId::new(number), held)),
                Err(_) => text.push_str(&part[..end]),
            }
            text.push_str(&part[end..]);
        }
        text
    }

    fn hole(&self, id: HoleId, held: &mut Contents) -> String {
        match &self.program.holes[id] {
            Hole::Access(access) => self.access_name(*access, held),
            Hole::Assign { access, op, value } => {
                let op = op.map_or_else(|| "=".to_owned(), |op| op.to_token_stream().to_string());
                format!("{} {op} {}", self.access_name(*access, held), self.expr(value, held))
            }
            Hole::Overflowing { operation, wraps } => {
                let mode = if *wraps { "wrapping " } else { "" };
                format!("({mode}{})", self.expr(operation, held))
            }
            Hole::Held { local, assigned: None } => local.to_string(),
            Hole::Held { local, assigned: Some((op, value)) } => {
                let op = op.map_or_else(|| "=".to_owned(), |op| op.to_token_stream().to_string());
                format!("{local} {op} {}", self.expr(value, held))
            }
            Hole::Body(body) | Hole::Place(body) => {
                held.bodies.push(*body);
                format!("body{}", body.index())
            }
            Hole::Copies(body) => {
                held.bodies.push(*body);
                format!("copies{}", body.index())
            }
            Hole::Select(selection) => {
                let Selection { to, accesses, elements, gather: _ } = &**selection;
                let number = |number: &usize| format!("a{}", accesses[*number].index());
                let elements: Vec<String> = elements.iter().map(number).collect();
                format!("a{} selects {}", to.index(), elements.join(" "))
            }
            Hole::Nest(nest) => {
                held.nests.push(*nest);
                format!("nest{}", nest.index())
            }
            Hole::Value(value, _) | Hole::Index { index: value, fits: Some(true), .. } => {
                format!("({value})")
            }
            Hole::Index { index, .. } => format!("(test i32 {index})"),
            Hole::Contains(access) => format!("contains {}", self.access_name(*access, held)),
            Hole::Offset(access) => format!("offset {}", self.access_name(*access, held)),
            Hole::Prefetch(access) => format!("prefetch {}", self.access_name(*access, held)),
            Hole::Compare(left, op, right, operands) => {
                let operands = self.operands(operands, held);
                format!("({left} {} {right}{operands})", op.to_token_stream())
            }
        }
    }

    fn access_name(&self, id: AccessId, held: &mut Contents) -> String {
        format!("a{}{}", id.index(), self.operands(&self.program.accesses[id].operands, held))
    }

    fn operands(&self, operands: &[Operand], held: &mut Contents) -> String {
        if operands.is_empty() {
            return String::new();
        }
        let shown = operands.iter().map(|operand| {
            let value = self.expr(&operand.value, held);
            format!("{} = {value}", operand.local)
        });
        format!(" where {}", shown.collect::<Vec<_>>().join(", "))
    }
}

/// The range of an interior.
fn interior(starts: &[SymInt], ends: &[SymInt], guards: &[SymInt], text: &mut String) {
    let ends = [("from max", starts), ("to min", ends), ("if 0 <=", guards)];
    for (word, syms) in ends.into_iter().filter(|(_, syms)| !syms.is_empty()) {
        let _ = write!(text, " {word} {}", list(syms));
    }
}

/// A part of an offset before what is added to it.
fn before(part: Option<&Ident>) -> String {
    part.map_or_else(String::new, |part| format!("{part} + "))
}

fn list(syms: &[SymInt]) -> String {
    format!("[{}]", joined(syms))
}

fn joined(syms: &[SymInt]) -> String {
    syms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What a loop runs over, and how.
fn header(own: &Loop, name: impl std::fmt::Display) -> String {
    let mode = mode(own.mode);
    match &own.kind {
        LoopKind::Index { extent } => format!("{name} in 0..{extent}{mode}"),
        LoopKind::Range { .. } => format!("{name} in {}..={}{mode}", own.first, own.last),
    }
}

fn mode(mode: LoopMode) -> &'static str {
    match mode {
        LoopMode::Serial => "",
        LoopMode::Unrolled => " unrolled",
        LoopMode::Distributed => " for each statement",
        LoopMode::Lanes => " in lanes",
        LoopMode::Parallel => " parallel",
        LoopMode::Following(_) => " behind the task before",
    }
}
