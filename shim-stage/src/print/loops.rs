//! The loops of a kernel and what is accessed in them, in the order of the source: the head of a dump.

use std::fmt::Write as _;

use crate::ir::walk::Use;
use crate::ir::{AccessId, AccessKind, AssertedAt, Element, NestId, Program, RegionId, RegionKind};

use super::{header, joined, list};

/// The loops of a kernel and what is accessed in them.
pub fn loops(program: &Program) -> String {
    let mut text = String::new();
    program.walk(RegionId::BODY, &mut |own, here| match own {
        Use::Nest(nest) => nest_of(program, *nest, here.region, &mut text),
        Use::Access(access) => access_of(program, *access, &mut text),
        _ => {}
    });
    text
}

/// The number of loops around the statements of a region.
fn depth(program: &Program, region: RegionId) -> usize {
    let loops = |own| match program.regions[own].kind {
        RegionKind::Nest(nest) => program.nests[nest].loops.len(),
        _ => 0,
    };
    program.ancestors(region).map(loops).sum()
}

fn pad(depth: usize) -> String {
    "    ".repeat(depth)
}

fn nest_of(program: &Program, nest: NestId, region: RegionId, text: &mut String) {
    let outer = depth(program, region);
    if let Some(stage) = &program.nests[nest].produces {
        let _ = writeln!(text, "{}compute {stage}:", pad(outer));
    }
    for own in program.advice.iter().filter(|own| own.nest == nest) {
        let _ = writeln!(text, "{}-- {}", pad(outer), own.text);
    }
    for (_, remark) in program.remarks.iter().filter(|(own, _)| *own == nest) {
        let _ = writeln!(text, "{}-- {remark}", pad(outer));
    }
    for (at, id) in program.nests[nest].loops.iter().enumerate() {
        let for_loop = &program.loops[*id];
        let _ = write!(text, "{}for {}", pad(outer + at), header(for_loop, for_loop.symbol.name()));
        if let Some(interior) = &for_loop.interior {
            text.push_str(", with an interior");
            for (syms, word) in [(&interior.starts, "from"), (&interior.ends, "to")] {
                if !syms.is_empty() {
                    let _ = write!(text, " {word} {}", joined(syms));
                }
            }
        }
        text.push('\n');
    }
}

fn access_of(program: &Program, access: AccessId, text: &mut String) {
    let access = &program.accesses[access];
    let does = match access.kind {
        AccessKind::Read | AccessKind::Place => "reads",
        AccessKind::Get => "gets",
        AccessKind::Test => "looks for",
        AccessKind::Offset => "finds",
        AccessKind::Prefetch => "prefetches",
        AccessKind::Write | AccessKind::PlaceMut => "writes",
        AccessKind::Update => "updates",
    };
    let how = match &access.element {
        Element::Unchecked | Element::Inside(_) | Element::At(..)
            if access.asserted == Some(AssertedAt::InLoop) =>
        {
            ", asserted in each iteration"
        }
        Element::Unchecked | Element::Inside(_) | Element::At(..) => "",
        Element::Folded(_) => ", folded",
        Element::Tested(_) => ", tested",
    };
    let pad = pad(depth(program, access.position.region));
    let _ = writeln!(text, "{pad}{does} {}{}{how}", access.view.name, list(&access.index));
}
