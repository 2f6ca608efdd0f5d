//! Selections that gather elements of one block at constant distances, those of bytes by shuffles.

use proc_macro2::Ident;

use crate::ir::{
    Access, Addressing, BufferId, Element, Gather, Gathered, Hole, HoleId, Offset, Program, Selection,
    Shuffles,
};
use crate::static_eval::IntType;
use crate::symbolic::SymInt;

/// Bytes that one shuffle reaches: half a row of the output.
const CHUNK: usize = 16;

/// The parts of the input that one row of a selection of bytes may come from; with more, shuffles cost more than bytes
/// one at a time.
const MAX_PARTS: usize = 8;

/// Marks the selections that are gathers. The others assign one element at a time.
pub(crate) fn mark(program: &mut Program) {
    let selections: Vec<HoleId> =
        program.holes.ids().filter(|id| matches!(program.holes[*id], Hole::Select(_))).collect();
    for id in selections {
        let Hole::Select(selection) = &program.holes[id] else { continue };
        let gather = gather(program, selection);
        if let Hole::Select(selection) = &mut program.holes[id] {
            selection.gather = gather;
        }
    }
}

/// Where the elements are, if they are plain loads from one block whose distances are constant.
fn gather(program: &Program, selection: &Selection) -> Option<Gather> {
    let mut accesses = selection.accesses.iter().map(|id| location(&program.accesses[*id]));
    let (from, named, first) = accesses.next()??;
    let mut distances = vec![0];
    for access in accesses {
        let (own, name, rest) = access?;
        if own != from || name != named {
            return None;
        }
        distances.push(rest.sub(first).ok()?.as_constant()?);
    }
    let least = *distances.iter().min()?;
    let first = first.add(&SymInt::constant(least)).ok()?;
    let behind = selection.elements.iter().map(|number| usize::try_from(distances[*number] - least).ok());
    let behind: Vec<usize> = behind.collect::<Option<_>>()?;
    let bytes = program.buffers[from].number() == Some(IntType::U8);
    let how = bytes.then(|| shuffled(program, from, named, &first, &behind)).flatten();
    let named = named.cloned();
    Some(match how {
        Some(Shuffled { first: Some(first), how }) => Gather { from, named: None, first, how },
        Some(Shuffled { first: None, how }) => Gather { from, named, first, how },
        None => Gather { from, named, first, how: Gathered::OneByOne(behind) },
    })
}

/// The block of an access and its offset there.
fn location(access: &Access) -> Option<(BufferId, Option<&Ident>, &SymInt)> {
    match &access.element {
        Element::At(candidate, Offset::Flat { named, rest, fits: _ })
            if candidate.casts.is_empty() && access.view.casts.is_empty() && access.within.is_none() =>
        {
            Some((candidate.buffer, named.as_ref(), rest))
        }
        _ => None,
    }
}

/// Bytes that shuffles gather, from the start of the memory or from the first element.
struct Shuffled {
    first: Option<SymInt>,
    how: Gathered,
}

fn shuffled(
    program: &Program,
    from: BufferId,
    named: Option<&Ident>,
    first: &SymInt,
    behind: &[usize],
) -> Option<Shuffled> {
    // The memory has a constant length, which whole parts may be.
    if let (Some(length), None, Some(at)) = (length(program, from), named, first.as_constant())
        && let Ok(at) = usize::try_from(at)
    {
        let places: Vec<usize> = behind.iter().map(|behind| behind + at).collect();
        if places.iter().all(|at| *at < length)
            && let Some(shuffles) = shuffles(&places)
        {
            return Some(Shuffled {
                first: Some(SymInt::constant(0)),
                how: Gathered::Bytes { length, shuffles },
            });
        }
    }
    let length = behind.iter().max().map_or(0, |last| last + 1);
    Some(Shuffled { first: None, how: Gathered::Bytes { length, shuffles: shuffles(behind)? } })
}

/// The number of elements of a block, if it is constant.
fn length(program: &Program, buffer: BufferId) -> Option<usize> {
    if let Addressing::Flat(layout) = &program.buffers[buffer].addressing
        && let Some(size) = layout.size()
    {
        return usize::try_from(size.as_constant()?).ok();
    }
    let extents = program.buffers[buffer].space.extents.iter();
    let extents = extents.map(|extent| usize::try_from(extent.as_constant()?).ok());
    extents.collect::<Option<Vec<_>>>().map(|extents| extents.iter().product())
}

/// The shuffles of a selection of bytes. `None` if a place does not fit a byte, or there are too many parts.
fn shuffles(places: &[usize]) -> Option<Shuffles> {
    let places: Vec<u8> = places.iter().map(|place| u8::try_from(*place).ok()).collect::<Option<_>>()?;
    let mut parts: [Vec<u8>; 2] = [Vec::new(), Vec::new()];
    let mut masks: Vec<Vec<u8>> = Vec::new();
    for (i, place) in places.iter().enumerate() {
        let half = &mut parts[i / CHUNK % 2];
        let chunk = place / CHUNK as u8;
        let part = half.iter().position(|own| *own == chunk).unwrap_or_else(|| {
            half.push(chunk);
            half.len() - 1
        });
        if part == MAX_PARTS {
            return None;
        }
        if part == masks.len() {
            masks.push(vec![128; places.len()]);
        }
        masks[part][i] = place % CHUNK as u8;
    }
    // An output of less than a row has no upper half.
    let parts = parts.map(|mut half| {
        half.resize(masks.len(), 0);
        half
    });
    Some(Shuffles { places, parts, masks })
}
