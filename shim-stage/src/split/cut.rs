//! Loops that are cut at the iteration which writes what the others read: index-set splitting.
//!
//! ```text
//! for j in 0..n { d[[i, j]] = d[[i, j]].min(d[[i, k]] + d[[k, j]]); }
//!
//! for part in [0..k, k..k + 1, k + 1..n] {
//!     let held = d[[i, k]];
//!     for j in part { d[[i, j]] = d[[i, j]].min(held + d[[k, j]]); }
//! }
//! ```
//!
//! LLVM loads `d[[i, k]]` in each iteration, as each may write it, and makes no vectors of the loop. Iteration `k`
//! alone writes it: the element is the same within each part. Where no iteration writes it, the loop is one part.
//!
//! U. Banerjee, Loop transformations for restructuring compilers (1993), 4.3.

use crate::check;
use crate::depend;
use crate::ir::walk::Use;
use crate::ir::{
    AccessId, AccessKind, ElementType, Hole, HoleId, Loop, LoopCut, LoopId, LoopMode, NameSupply, NestId,
    Program, RegionKind,
};
use crate::symbolic::{SymInt, Symbol};

use super::Splitter;

/// The least number of iterations of a loop that is cut.
const LONG: i64 = 32;

/// Cuts the innermost loops that this helps.
pub(crate) fn cut(program: &mut Program, names: &mut NameSupply) {
    let nests: Vec<NestId> = program.nests.ids().collect();
    for id in nests {
        let Some(Held { at, reads, innermost }) = Held::of(program, id) else { continue };
        let nest = Splitter::new(program).alone(innermost);
        let body = program.nests[nest].body;
        let Some(around) = program.regions[body].parent else { continue };
        let mut held = Vec::new();
        for same in reads {
            let read = same[0];
            let name = names.fresh(&format!("{}_held", program.accesses[read].view.name));
            let mut holes = Vec::new();
            program.walk(body, &mut |own, _| {
                if let Use::Hole(id, _) = own {
                    holes.push(*id);
                }
            });
            let is_read =
                |id: &HoleId| matches!(&program.holes[*id], Hole::Access(own) if same.contains(own));
            for hole in holes.into_iter().filter(is_read).collect::<Vec<_>>() {
                program.holes[hole] = Hole::Held { local: name.clone(), assigned: None };
            }
            program.remove_accesses(&same);
            let mut access = program.accesses[read].clone();
            access.position = around;
            access.interior = None;
            let access = program.access(access);
            let value = program.hole(Hole::Access(access));
            held.push((name, value));
        }
        program.nests[nest].cut = Some(Box::new(LoopCut { at, held }));
    }
}

/// Elements that the innermost loop of a nest reads in each iteration, and writes in one at most.
struct Held {
    /// The value of the variable in that iteration, if there is one.
    at: Option<SymInt>,
    /// The reads of each element.
    reads: Vec<Vec<AccessId>>,
    innermost: LoopId,
}

/// The iteration of a loop that writes an element.
enum Written {
    /// None, as the bounds of the loop show.
    Never,
    /// That of this value of the variable.
    At(SymInt),
}

impl Held {
    fn of(program: &Program, id: NestId) -> Option<Held> {
        let nest = &program.nests[id];
        let innermost = *nest.loops.last()?;
        let own = &program.loops[innermost];
        let is_short = own.runs.as_constant().is_some_and(|last| last < LONG);
        let is_alone = program.regions[nest.body]
            .regions
            .iter()
            .all(|own| program.regions[*own].kind == RegionKind::Plain);
        if own.mode != LoopMode::Serial
            || own.step() != 1
            || is_short
            || !is_alone
            || nest.loops.len() == 1 && (nest.split.is_some() || is_interior(program, id))
            || nest.label.is_some()
            || nest.next.is_some()
            || program.is_opaque(id)
            || own.interior.is_some()
        {
            return None;
        }
        let accesses = program.accesses_while(nest.body);
        let held: Vec<(AccessId, Written)> = accesses
            .iter()
            .filter_map(|read| Some((*read, Self::iteration(program, id, *read, &accesses)?)))
            .collect();
        let at = held.iter().find_map(|(_, written)| match written {
            Written::Never => None,
            Written::At(at) => Some(at.clone()),
        });
        let mut reads: Vec<Vec<AccessId>> = Vec::new();
        for (read, written) in &held {
            if matches!(written, Written::At(own) if Some(own) != at.as_ref()) {
                continue;
            }
            let element =
                |id: AccessId| program.certain_element(id).map(|own| (own.buffer, &own.coordinates));
            match reads.iter_mut().find(|reads| element(reads[0]) == element(*read)) {
                Some(reads) => reads.push(*read),
                None => reads.push(vec![*read]),
            }
        }
        (!reads.is_empty()).then_some(Held { at, reads, innermost })
    }

    /// The iteration that writes the element that `read` reads in all of them; `None` if the element may not be held,
    /// or nothing writes to its block, which LLVM sees.
    fn iteration(program: &Program, id: NestId, read: AccessId, accesses: &[AccessId]) -> Option<Written> {
        let nest = &program.nests[id];
        let variable = &program.loops[*nest.loops.last()?].symbol;
        let access = &program.accesses[read];
        let element = program.certain_element(read)?;
        let buffer = &program.buffers[element.buffer];
        let is_number = buffer.element.as_ref().is_some_and(ElementType::is_number);
        let stays = |sym: &SymInt| {
            let varies = |symbol: &Symbol| {
                symbol == variable || program.within(program.symbol(symbol).defined.region, nest.body)
            };
            !sym.symbols().iter().any(varies)
        };
        let around = program.regions[nest.body].parent?;
        // The parts may have no iterations.
        let is_safe = || {
            let mut facts = program.facts_at(around).clone();
            for outer in &nest.loops[..nest.loops.len() - 1] {
                let Loop { symbol, first, last, runs, .. } = &program.loops[*outer];
                let symbol = SymInt::symbol(symbol);
                let own = [symbol.sub(first), last.sub(&symbol), Ok(runs.clone())];
                own.into_iter().flatten().for_each(|fact| facts.push(fact));
            }
            check::is_inside(program, element, &facts)
        };
        let is_plain = access.kind == AccessKind::Read
            && access.position.region == nest.body
            && access.operands.is_empty()
            && access.within.is_none()
            && access.view.casts.is_empty()
            && !access.repeats
            && is_number;
        let is_injective = || depend::is_injective(program, program.facts_at(around), element.buffer);
        if !is_plain || !element.coordinates.iter().all(stays) || !is_injective() {
            return None;
        }
        let mut at = None;
        let mut is_written = false;
        for write in accesses {
            let other = &program.accesses[*write];
            if !other.kind.writes()
                || !other
                    .element
                    .candidates()
                    .iter()
                    .any(|own| program.share_memory(own.buffer, element.buffer))
            {
                continue;
            }
            is_written = true;
            let written = program.certain_element(*write).filter(|own| own.buffer == element.buffer)?;
            let facts = program.facts_at(other.position);
            let mut pairs = written.coordinates.iter().zip(&element.coordinates);
            if pairs.clone().any(|(a, b)| facts.proves_lt(a, b) || facts.proves_lt(b, a)) {
                continue;
            }
            let meeting = pairs.find_map(|(written, read)| {
                let rest = written.sub(&SymInt::symbol(variable)).ok().filter(stays)?;
                read.sub(&rest).ok()
            })?;
            // A read behind the write has what that has written.
            if *write < read || at.as_ref().is_some_and(|own| *own != meeting) {
                return None;
            }
            at = Some(meeting);
        }
        (is_written && is_safe()).then(|| at.map_or(Written::Never, Written::At))
    }
}

/// Whether a nest runs over a part of the range of another one.
fn is_interior(program: &Program, id: NestId) -> bool {
    program.nests.iter().any(|nest| nest.split.as_ref().is_some_and(|split| split.interior == id))
}
