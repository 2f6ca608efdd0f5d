//! Columns that a loop reads again and again become contiguous.
//!
//! ```text
//!                                              for j in k + 1..n { column[[j]] = a[[j, k]]; }
//! for i in k + 1..n {                          for i in k + 1..n {
//!     for j in k + 1..=i {                         for j in k + 1..=i {
//!         a[[i, j]] -= a[[i, k]] * a[[j, k]];          a[[i, j]] -= a[[i, k]] * column[[j]];
//!     }                                            }
//! }                                            }
//! ```
//!
//! The innermost loop steps over rows, so that LLVM makes no vectors of it, and each iteration of the loop around it
//! reads the same elements, which nothing in it writes. The copy is read in their place.

use syn::Stmt;

use crate::depend;
use crate::ir::array::{self, element_access};
use crate::ir::{
    Access, AccessId, AccessKind, Addressing, BufferId, Candidate, ElementType, Hole, LoopId, LoopMode,
    Memory, NameSupply, Nest, NestId, Order, Program, ProgramPoint, RegionKind, Schedule, Statement,
    StatementKind,
};
use crate::symbolic::{Facts, Range, SymInt, Symbol};

/// The trip count of the innermost loop from which its columns are copied.
const LONG: i64 = 32;

/// Copies the columns of all loops.
pub(super) fn copy(program: &mut Program, names: &mut NameSupply) {
    for read in program.all_accesses() {
        if let Some(column) = Column::of(program, read) {
            column.copy(program, names);
        }
    }
}

/// A column that loops read.
struct Column {
    /// The reads.
    reads: Vec<AccessId>,
    element: ElementType,
    /// The axis along which the column lies.
    axis: usize,
    /// The variable of the innermost loop, its least value, and how many it has.
    variable: Symbol,
    least: SymInt,
    count: SymInt,
    /// The statement of the loops.
    around: ProgramPoint,
}

impl Column {
    fn of(program: &Program, read: AccessId) -> Option<Column> {
        let candidate = program.certain_element(read).filter(|_| is_plain(&program.accesses[read]))?;
        let buffer = &program.buffers[candidate.buffer];
        let nests = around(program, read);
        let innermost = *program.nests[*nests.first()?].loops.last()?;
        let own = &program.loops[innermost];
        let moving = |sym: &SymInt| sym.mentions(&own.symbol);
        let mut moved = (0..candidate.coordinates.len()).filter(|axis| moving(&candidate.coordinates[*axis]));
        let (Some(axis), None) = (moved.next(), moved.next()) else { return None };
        let is_short = own.runs.as_constant().is_some_and(|last| last < LONG);
        let one = |sym: &SymInt| sym.coefficient(&own.symbol).and_then(|own| own.as_constant()) == Some(1);
        if own.mode != LoopMode::Serial
            || own.step() != 1
            || is_short
            || !one(&candidate.coordinates[axis])
            || !is_strided(program, candidate.buffer, axis)
            || !writes_rows(program, nests[0], &own.symbol)
        {
            return None;
        }
        let outer = *nests.iter().take_while(|nest| stays(program, **nest, innermost, candidate)).last()?;
        let count = nests.iter().position(|nest| *nest == outer)? + 1;
        let loops: Vec<LoopId> =
            nests[..count].iter().rev().flat_map(|nest| program.nests[*nest].loops.iter().copied()).collect();
        if loops.len() < 2 {
            return None;
        }
        let domain = program.domain(&loops)?;
        let last = loops.len() - 1;
        let [least, most] = domain.ends[last].clone();
        let count = program.extent(&loops, last, &domain).ok()?;
        let around = program.regions[program.nests[outer].body].parent?;
        if !depend::is_injective(program, program.facts_at(around), candidate.buffer)
            || is_ordered(program, around)
            || program.is_in_unresolved(program.nests[outer].body)
        {
            return None;
        }
        // The columns of all iterations have one block.
        let is_known = program.knows([&least, &most, &count], around)
            && program.knows([&buffer.space.extents[axis]], around);
        let mut facts: Facts = program.facts_at(around).clone();
        let variable = SymInt::symbol(&own.symbol);
        let ends = [variable.sub(&least).ok()?, most.sub(&variable).ok()?, most.sub(&least).ok()?];
        for fact in ends {
            facts.push(fact);
        }
        if !is_known || !crate::check::is_inside(program, candidate, &facts) {
            return None;
        }
        let ty = buffer.element.clone().filter(ElementType::is_number)?;
        let is_same = |id: &AccessId| {
            is_plain(&program.accesses[*id])
                && program.certain_element(*id).is_some_and(|own| {
                    own.coordinates == candidate.coordinates && own.buffer == candidate.buffer
                })
        };
        let reads = program.accesses_in(program.nests[nests[0]].body).into_iter().filter(is_same).collect();
        Some(Column { reads, element: ty, axis, variable: own.symbol.clone(), least, count, around })
    }

    /// Writes the copy, and lets the reads be of it.
    fn copy(self, program: &mut Program, names: &mut NameSupply) {
        let Column { reads, element: ty, axis, variable, least, count, around } = self;
        let Some(from) = program.certain_element(reads[0]).cloned() else { return };
        let Ok(at) = from.coordinates[axis].sub(&SymInt::symbol(&variable)) else { return };
        let buffer = &program.buffers[from.buffer];
        let (name, extent) = (format!("{}_column", buffer.name), buffer.space.extents[axis].clone());
        let column = array::declare(program, names, (name, Memory::Heap, &ty), vec![extent], around);
        program.stage_blocks.push(column.buffer);
        let nest = program.nests.push(Nest::new(Vec::new(), None));
        let range = Range { lo: Some(0), hi: None };
        let number = SymInt::symbol(&array::add_counted(
            program,
            names,
            nest,
            (variable.name(), count, range),
            around,
        ));
        let epoch = program.regions[around.region].epoch(around.statement).unwrap_or_default();
        let body = program.new_region(Some(around), RegionKind::Nest(nest), Vec::new(), epoch);
        program.nests[nest].body = body;
        let here = ProgramPoint { region: body, statement: 0 };
        let (Ok(value), Ok(index)) =
            (least.add(&number), least.add(&number).and_then(|value| value.add(&at)))
        else {
            return;
        };
        let mut read = program.accesses[reads[0]].clone();
        (read.position, read.interior) = (here, None);
        if read.element.substitute(&|symbol| (*symbol == variable).then(|| value.clone())).is_err() {
            return;
        }
        let write = element_access(&column, vec![index], (AccessKind::Write, here), read.tokens.clone());
        let [to, from] = [write, read].map(|access| program.access(access));
        let value = Box::new(program.hole(Hole::Access(from)));
        program.append(body, Hole::Assign { access: to, op: None, value }, true);
        let nest = program.hole(Hole::Nest(nest));
        let kind = StatementKind::Rust(Box::new(Stmt::Expr(nest, None)));
        let statements = &mut program.regions[around.region].statements;
        // Behind the declaration of the column.
        let first = statements.partition_point(|other| other.number < around.statement);
        statements.insert(first + 1, Statement { number: around.statement, order: Order::Own, kind });
        for id in reads {
            let access = &program.accesses[id];
            let Ok(index) = at.add(&SymInt::symbol(&variable)) else { return };
            let held =
                element_access(&column, vec![index], (access.kind, access.position), access.tokens.clone());
            let access = &mut program.accesses[id];
            (access.view, access.index, access.element, access.interior) =
                (held.view, held.index, held.element, None);
        }
    }
}

/// Whether an access is a read that may be of a copy.
fn is_plain(access: &Access) -> bool {
    access.kind == AccessKind::Read
        && access.operands.is_empty()
        && access.within.is_none()
        && access.view.casts.is_empty()
        && !access.repeats
}

/// The nests around an access, the innermost first, up to something that is no nest.
fn around(program: &Program, id: AccessId) -> Vec<NestId> {
    let regions = program.ancestors(program.accesses[id].position.region);
    let kinds = regions.map(|region| program.regions[region].kind);
    let runs_with =
        |kind: &RegionKind| matches!(kind, RegionKind::Nest(_) | RegionKind::Plain | RegionKind::Branch);
    let nests = kinds.take_while(runs_with).filter_map(|kind| match kind {
        RegionKind::Nest(nest) => Some(nest),
        _ => None,
    });
    nests.collect()
}

/// Whether a statement before that at `around` may be between loops that words bring together: those around it, or two
/// that are fused.
fn is_ordered(program: &Program, around: ProgramPoint) -> bool {
    let has_words = |nest: NestId| program.nests[nest].schedule.is_some();
    let is_fused = |nest: NestId| {
        let schedule = program.nests[nest].schedule.as_deref();
        let body = program.nests[nest].body;
        schedule.and_then(Schedule::lag).is_some() && program.parent(body) == Some(around.region)
    };
    program.ancestors(around.region).any(|region| match program.regions[region].kind {
        RegionKind::Nest(nest) => has_words(nest),
        _ => false,
    }) || program.nests.ids().any(is_fused)
}

/// Whether consecutive elements along an axis are apart in memory.
fn is_strided(program: &Program, buffer: BufferId, axis: usize) -> bool {
    let Addressing::Flat(layout) = &program.buffers[buffer].addressing else { return false };
    layout.strides().is_some_and(|strides| strides[axis].as_constant() != Some(1))
}

/// Whether the body of a nest writes consecutive elements in consecutive iterations.
fn writes_rows(program: &Program, nest: NestId, variable: &Symbol) -> bool {
    program.accesses_in(program.nests[nest].body).into_iter().any(|id| {
        let access = &program.accesses[id];
        let Some(candidate) = program.certain_element(id).filter(|_| access.kind.writes()) else {
            return false;
        };
        let Some((last, others)) = candidate.coordinates.split_last() else { return false };
        let steps = last.coefficient(variable).and_then(|own| own.as_constant());
        steps == Some(1)
            && !others.iter().any(|own| own.mentions(variable))
            && !is_strided(program, candidate.buffer, others.len())
    })
}

/// Whether the elements of a column are the same in all iterations of a nest: nothing in it moves the column or writes
/// it.
fn stays(program: &Program, nest: NestId, innermost: LoopId, candidate: &Candidate) -> bool {
    let Nest { body, loops, .. } = &program.nests[nest];
    let varies = |symbol: &Symbol| {
        let is_outer = loops.iter().any(|id| *id != innermost && program.loops[*id].symbol == *symbol);
        let is_inner = *symbol != program.loops[innermost].symbol
            && program.within(program.symbol(symbol).defined.region, *body);
        is_outer || is_inner
    };
    let is_fixed = !candidate.coordinates.iter().any(|own| own.symbols().iter().any(varies));
    let writes = |id: AccessId| {
        let access = &program.accesses[id];
        if !access.kind.writes()
            || !access
                .element
                .candidates()
                .iter()
                .any(|own| program.share_memory(own.buffer, candidate.buffer))
        {
            return false;
        }
        let facts = program.facts_at(access.position);
        // The variable of the innermost loop has another value there.
        let is_apart = |(a, b): (&SymInt, &SymInt)| {
            !b.mentions(&program.loops[innermost].symbol) && (facts.proves_lt(a, b) || facts.proves_lt(b, a))
        };
        !program.certain_element(id).is_some_and(|own| {
            own.buffer == candidate.buffer && own.coordinates.iter().zip(&candidate.coordinates).any(is_apart)
        })
    };
    is_fixed && !program.is_opaque(nest) && !program.accesses_while(*body).into_iter().any(writes)
}
