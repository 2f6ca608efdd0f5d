//! Lowers coordinates to offsets, and computes what does not change in a loop outside of it.
//!
//! The offset of an element is the sum of coordinate times stride. Its constant part, the neighbor's distance,
//! stays at the access; the rest is split by the loop in which it changes, and each part that is worth a name is
//! computed once at that loop and shared by all accesses that need it.

use std::collections::{BTreeSet, HashMap};

use proc_macro2::Ident;
use shim_core::LocationError;

use crate::ir::{
    AccessId, Addressing, Candidate, Definition, Element, Let, LoopId, NameSupply, Offset, OffsetPart, Order,
    Program, ProgramPoint, RegionId, StatementKind, SymbolSource, Tested,
};
use crate::symbolic::{Atom, SymError, SymInt, Symbol};

/// Where a hoisted part is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Site {
    /// Before a statement.
    Before(ProgramPoint),
    /// At the start of each iteration of a loop.
    Inside(LoopId),
}

/// The cost from which on a part has a name of its own: a multiplication, or two additions.
const WORTH_A_NAME: u32 = 2;

struct Lowering<'p> {
    program: &'p Program,
    names: &'p mut NameSupply,
    /// Parts by the block of statements or the loop they are in, and their value.
    known: HashMap<(Site, Option<Ident>, SymInt), usize>,
    found: Vec<(Site, Ident, OffsetPart)>,
}

/// Lowers every access that is inside its block, and writes what its offset is made of before the statements and into
/// the loops where that changes. One whose offset takes more than a symbolic integer can hold has none, and is tested
/// where it runs.
pub(super) fn place(program: &mut Program, names: &mut NameSupply) {
    let mut lowering = Lowering { program, names, known: HashMap::new(), found: Vec::new() };
    let mut elements = Vec::new();
    let replaced: BTreeSet<RegionId> =
        lowering.program.nests.iter().filter(|nest| nest.idiom.is_some()).map(|nest| nest.body).collect();
    for id in lowering.program.all_accesses() {
        let access = &lowering.program.accesses[id];
        // The nest is emitted as a whole.
        if lowering.program.ancestors(access.position.region).any(|at| replaced.contains(&at)) {
            continue;
        }
        let candidate = match &access.element {
            Element::Inside(candidate) => candidate.clone(),
            Element::Folded(folded) => folded.element(),
            Element::Unchecked | Element::Tested(_) | Element::At(..) => continue,
        };
        let element = match lowering.offset(id, &candidate, access.interior) {
            Ok(offset) => Element::At(candidate, offset),
            Err(_) => {
                let open = (0..candidate.coordinates.len()).collect();
                Element::Tested(Tested { candidates: vec![candidate], open })
            }
        };
        elements.push((id, element));
    }
    let found = lowering.found;
    for (id, element) in elements {
        program.accesses[id].element = element;
    }
    for (place, name, part) in found {
        let part = Let { name, value: Definition::OffsetPart(part) };
        match place {
            Site::Before(position) => program.insert(position, Order::OffsetPart, StatementKind::Let(part)),
            Site::Inside(id) => program.loops[id].parts.push(part),
        }
    }
}

/// The axes whose coordinates hold a remainder, and so are not to be split: the parts of one cost more than the whole.
/// None if divisions of several axes cancel, as those of `t[[x >> 3, x & 7]]` do.
fn remainders(coordinates: &[SymInt], strides: &[SymInt]) -> Result<Vec<usize>, SymError> {
    let divides = |coordinate: &SymInt| {
        coordinate.terms().any(|(_, monomial)| monomial.iter().any(|atom| matches!(atom, Atom::FloorDiv(..))))
    };
    // `a - k * floor(a / k)`: a division beside what it divides.
    let holds_remainder = |coordinate: &SymInt| {
        let mentions = |monomial: &[Atom], symbol| monomial.iter().any(|atom| atom.mentions(symbol));
        let symbols = coordinate.symbols();
        coordinate.terms().any(|(_, monomial)| {
            monomial.iter().any(|atom| matches!(atom, Atom::FloorDiv(..)))
                && symbols.iter().any(|symbol| {
                    mentions(monomial, symbol)
                        && coordinate.terms().filter(|(_, other)| mentions(other, symbol)).count() > 1
                })
        })
    };
    let axes: Vec<usize> =
        (0..coordinates.len()).filter(|axis| holds_remainder(&coordinates[*axis])).collect();
    if axes.is_empty() {
        return Ok(axes);
    }
    let mut sum = SymInt::constant(0);
    let mut apart = 0;
    for (coordinate, stride) in coordinates.iter().zip(strides) {
        let part = coordinate.mul(stride)?;
        apart += part.cost() + 1;
        sum = sum.add(&part)?;
    }
    Ok(if divides(&sum) && sum.cost() + 1 >= apart { axes } else { Vec::new() })
}

impl Lowering<'_> {
    /// The offset of an element of `candidate`, which is inside whenever the access runs, in the interior of a loop if
    /// it is that which holds it.
    fn offset(
        &mut self,
        access: AccessId,
        candidate: &Candidate,
        interior: Option<LoopId>,
    ) -> Result<Offset, LocationError> {
        let buffer = &self.program.buffers[candidate.buffer];
        let layout = match &buffer.addressing {
            Addressing::Rows => {
                return Ok(Offset::Row(candidate.coordinates[0].clone(), candidate.coordinates[1].clone()));
            }
            Addressing::Flat(layout) => layout,
        };
        let origin = layout.offset(&vec![SymInt::constant(0); layout.rank()])?;
        // What is added to the origin's offset by one axis alone.
        let along = |axis: usize, at: SymInt| -> Result<SymInt, LocationError> {
            let mut coordinate = vec![SymInt::constant(0); layout.rank()];
            coordinate[axis] = at;
            Ok(layout.offset(&coordinate)?.sub(&origin)?)
        };
        let mut varying = vec![SymInt::constant(0); layout.rank()];
        let mut neighbor = varying.clone();
        let mut divided = varying.clone();
        let mut whole = Vec::new();
        let coordinates = &candidate.coordinates[..layout.rank()];
        let kept_whole = match layout.strides() {
            Some(strides) => remainders(coordinates, &strides)?,
            None => Vec::new(),
        };
        for (axis, coordinate) in coordinates.iter().enumerate() {
            if !layout.is_linear(axis) {
                divided[axis] = coordinate.clone();
            } else if kept_whole.contains(&axis) {
                whole.push(along(axis, coordinate.clone())?);
            } else {
                neighbor[axis] = SymInt::constant(coordinate.constant_part());
                varying[axis] = coordinate.sub(&neighbor[axis])?;
            }
        }
        let joined = self.joined(access, layout.offset(coordinates)?)?;
        let mut varying = layout.offset(&varying)?;
        let mut neighbor = layout.offset(&neighbor)?.sub(&origin)?;
        if layout.strides().is_none() {
            // Digits of coordinates: what is left of them after the coordinates are divided is a sum like any other.
            let divided = layout.offset(&divided)?.sub(&origin)?;
            let constant = SymInt::constant(divided.constant_part());
            varying = varying.add(&divided.sub(&constant)?)?;
            neighbor = neighbor.add(&constant)?;
        }
        if let Some(joined) = joined {
            neighbor = SymInt::constant(joined.constant_part());
            varying = joined.sub(&neighbor)?;
            whole.clear();
        }
        // What depends on operands of the access is computed where they are.
        let operands = &self.program.accesses[access].operands;
        let outside =
            |symbols: &BTreeSet<Symbol>| operands.iter().all(|operand| !symbols.contains(&operand.symbol));
        let (varying, mut inline) = varying.partition_terms(&outside);
        for part in whole.extract_if(.., |part| !outside(&part.symbols())) {
            inline = inline.add(&part)?;
        }
        let (named, pending) = self.hoisted(access, varying, whole, &neighbor, interior)?;
        let rest = pending.add(&neighbor)?.add(&inline)?;
        Ok(Offset::Flat { named, fits: self.fits(&rest), rest })
    }

    /// The parts of `varying` and of the sums in `whole` that change in the loops around an access, each at its loop:
    /// the local of the innermost part, and what is left at the access.
    fn hoisted(
        &mut self,
        access: AccessId,
        varying: SymInt,
        mut whole: Vec<SymInt>,
        neighbor: &SymInt,
        interior: Option<LoopId>,
    ) -> Result<(Option<Ident>, SymInt), SymError> {
        let position = self.program.accesses[access].position;
        let hint = self.program.accesses[access].view.name.clone();
        let needed: Vec<&SymInt> = [&varying, neighbor].into_iter().chain(&whole).collect();
        let path = self.program.path(position, &needed);
        let loops = path.loops;
        let mut pending = SymInt::constant(0);
        let mut named: Option<Ident> = None;
        let mut rest = varying;
        for depth in 0..=loops.len() {
            let level = |symbols: &BTreeSet<Symbol>| {
                symbols
                    .iter()
                    .filter_map(|symbol| {
                        loops.iter().position(|id| self.program.loops[*id].symbol == *symbol)
                    })
                    .map(|at| at + 1)
                    .max()
                    .unwrap_or(0)
            };
            let (mut part, deeper) = rest.partition_terms(&|symbols| level(symbols) <= depth);
            rest = deeper;
            for known in whole.extract_if(.., |part| level(&part.symbols()) <= depth) {
                part = part.add(&known)?;
            }
            let nothing_new = part.is_zero();
            pending = pending.add(&part)?;
            let innermost = depth == loops.len();
            let (place, position) = match depth.checked_sub(1) {
                None => (Site::Before(path.position), path.position),
                Some(at) => {
                    let region = self.program.body_of(loops[at]);
                    (Site::Inside(loops[at]), ProgramPoint { region, statement: 0 })
                }
            };
            if nothing_new
                || (innermost && depth > 0)
                || self.worth(&pending, position) + u32::from(named.is_some()) < WORTH_A_NAME
            {
                continue;
            }
            let what = if depth == 0 { "base" } else { "row" };
            // A loop that may not run leaves what is computed before it without meaning, as an interior may that is
            // empty.
            let fits = !loops[depth..].iter().any(|id| interior == Some(*id))
                && loops[depth..].iter().all(|id| self.program.loops[*id].runs.range().is_nonnegative());
            named = Some(self.part(place, &format!("{hint}_{what}"), named, pending, fits));
            pending = SymInt::constant(0);
        }
        Ok((named, pending.add(&rest)?))
    }

    /// Whether the operations of an offset fit. They do, except where a loop counts from below all indices or near the
    /// end of `isize`: there its multiples may overflow, although the sum is an offset.
    fn fits(&self, offset: &SymInt) -> bool {
        let is_wide = |symbol: &Symbol| {
            let is_loop = matches!(self.program.symbol(symbol).source, SymbolSource::Loop(_));
            is_loop && symbol.range().lo.is_none_or(|least| least < i32::MIN.into())
        };
        !offset.symbols().iter().any(is_wide)
    }

    /// An offset in which a quotient and the remainder beside it are one number again, if it has such.
    fn joined(&self, access: AccessId, offset: SymInt) -> Result<Option<SymInt>, SymError> {
        let region = self.program.accesses[access].position.region;
        let facts = &self.program.regions[region].facts;
        let joined = offset.joined(&|divisor| facts.proves_positive(divisor))?;
        Ok((joined != offset).then_some(joined))
    }

    /// Cost of a part where it is used. Converting a user value justifies a local, unless one exists.
    fn worth(&self, part: &SymInt, place: ProgramPoint) -> u32 {
        let stable = |symbol: &Symbol| matches!(self.program.symbol(symbol).source, SymbolSource::Stable(..));
        let named = part.as_symbol().is_some_and(|symbol| self.program.converted(symbol, place).is_some());
        part.cost() + if !named && part.symbols().iter().any(stable) { WORTH_A_NAME } else { 0 }
    }

    /// The local for `outside + value` at `place`, shared with whoever needs the same there.
    fn part(&mut self, place: Site, hint: &str, outside: Option<Ident>, value: SymInt, fits: bool) -> Ident {
        // Statements of one block share: the first that needs a part computes it.
        let scope = match place {
            Site::Before(position) => Site::Before(ProgramPoint { statement: 0, ..position }),
            inside @ Site::Inside(_) => inside,
        };
        let key = (scope, outside.clone(), value.clone());
        if let Some(index) = self.known.get(&key) {
            let (at, name, part) = &mut self.found[*index];
            *at = place.min(*at);
            part.fits &= fits;
            return name.clone();
        }
        let name = self.names.fresh(hint);
        self.known.insert(key, self.found.len());
        self.found.push((place, name.clone(), OffsetPart { outside, value, fits }));
        name
    }
}
