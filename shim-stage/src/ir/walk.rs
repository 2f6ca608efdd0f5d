//! What each part of a program mentions, in one place.
//!
//! Every field is named here, so that whoever adds one decides whether walks see it. [`Program::walk`] goes through all
//! that a region holds; the functions of [`read`] and [`edit`] list what one part mentions.

use quote::ToTokens;

use super::visit;
use super::{
    Access, AccessId, Assertion, Behind, BoundsCheck, ByteSum, Candidate, Definition, Element, FoldedAccess,
    Gather, Hole, HoleId, Idiom, Loop, LoopCut, LoopId, LoopKind, Nest, NestId, Offset, OffsetPart, Operand,
    Program, ProgramPoint, RegionId, Selection, Split, StatementKind, Strided, Tasks, Tested, Transposition,
    When,
};
use crate::symbolic::SymInt;

/// Something that a part of a program mentions.
#[derive(Clone, Copy)]
pub(crate) enum Use<'p> {
    /// Rust, in which holes stand for the rest.
    Rust(&'p dyn ToTokens),
    /// A hole, and whether it is among the tokens of a macro.
    Hole(&'p HoleId, bool),
    Access(&'p AccessId),
    Region(&'p RegionId),
    Nest(&'p NestId),
    Loop(&'p LoopId),
    SymInt(&'p SymInt),
}

/// The same, to be replaced.
#[derive(Debug)]
pub(crate) enum UseMut<'p> {
    Hole(&'p mut HoleId),
    Access(&'p mut AccessId),
    Region(&'p mut RegionId),
    Nest(&'p mut NestId),
    Loop(&'p mut LoopId),
    SymInt(&'p mut SymInt),
}

impl<'p> Use<'p> {
    fn hole(id: &'p HoleId, in_macro: bool) -> Self {
        Use::Hole(id, in_macro)
    }

    fn rust(tokens: &impl ToTokens, visit: &mut dyn FnMut(Use<'_>)) {
        visit(Use::Rust(tokens));
    }
}

impl<'p> UseMut<'p> {
    fn hole(id: &'p mut HoleId, _: bool) -> Self {
        UseMut::Hole(id)
    }

    /// Rust is not edited.
    fn rust(_: &mut impl ToTokens, _: &mut dyn FnMut(UseMut<'_>)) {}
}

macro_rules! walks {
    ($name:ident, $Use:ident, $holes_in_stmt:ident, $holes_in_expr:ident, $($mutable:tt)?) => {
        pub(crate) mod $name {
            use super::*;

            type Visit<'v> = &'v mut dyn FnMut($Use<'_>);

            fn syms<'s>(syms: impl IntoIterator<Item = &'s $($mutable)? SymInt>, visit: Visit<'_>) {
                syms.into_iter().for_each(|sym| visit($Use::SymInt(sym)));
            }

            pub(crate) fn expr(expr: &$($mutable)? syn::Expr, visit: Visit<'_>) {
                $Use::rust(&$($mutable)? *expr, visit);
                visit::$holes_in_expr(expr, &mut |id, in_macro| visit($Use::hole(id, in_macro)));
            }

            pub(crate) fn operands(operands: &$($mutable)? [Operand], visit: Visit<'_>) {
                for Operand { symbol: _, local: _, value, number: _ } in operands {
                    expr(value, visit);
                }
            }

            pub(crate) fn statement(kind: &$($mutable)? StatementKind, visit: Visit<'_>) {
                match kind {
                    StatementKind::Rust(statement) | StatementKind::Confirm(statement) => {
                        $Use::rust(&$($mutable)? **statement, visit);
                        visit::$holes_in_stmt(statement, &mut |id, in_macro| visit($Use::hole(id, in_macro)));
                    }
                    StatementKind::Memory(_, None) | StatementKind::Check(_) => {}
                    StatementKind::Memory(_, Some(place)) => expr(place, visit),
                    StatementKind::Let(local) => definition(&$($mutable)? local.value, visit),
                    StatementKind::Expect { tensor: _, found, wanted } => syms([found, wanted], visit),
                    StatementKind::Assert(assertion) => {
                        let Assertion { buffer: _, tensor: _, guards, extents, checks, folds, filled, earliest: _ } =
                            assertion;
                        for BoundsCheck { axis: _, side: _, slack, coordinate } in checks {
                            syms([slack, coordinate], visit);
                        }
                        syms(guards, visit);
                        syms(extents, visit);
                        syms(folds, visit);
                        syms(filled, visit);
                    }
                    StatementKind::If { all, then, otherwise } => {
                        syms(all, visit);
                        for region in std::iter::once(then).chain(otherwise) {
                            visit($Use::Region(region));
                        }
                    }
                }
            }

            pub(crate) fn definition(value: &$($mutable)? Definition, visit: Visit<'_>) {
                match value {
                    Definition::Constant(value)
                    | Definition::Conversion { symbol: _, value, number: _ }
                    | Definition::Item(_, value) => {
                        expr(value, visit);
                    }
                    Definition::Index(value)
                    | Definition::Extent(value)
                    | Definition::OffsetPart(OffsetPart { outside: _, value, fits: _ }) => visit($Use::SymInt(value)),
                    Definition::Table(entries) => syms(entries, visit),
                    Definition::Starts(memory, sym) | Definition::Indices(memory, sym) => {
                        expr(memory, visit);
                        visit($Use::SymInt(sym));
                    }
                }
            }

            pub(crate) fn hole(hole: &$($mutable)? Hole, visit: Visit<'_>) {
                match hole {
                    Hole::Access(access)
                    | Hole::Contains(access)
                    | Hole::Offset(access)
                    | Hole::Prefetch(access) => {
                        visit($Use::Access(access));
                    }
                    Hole::Assign { access, op: _, value } => {
                        visit($Use::Access(access));
                        expr(value, visit);
                    }
                    Hole::Overflowing { operation, wraps: _ } => expr(operation, visit),
                    Hole::Held { local: _, assigned: None } => {}
                    Hole::Held { local: _, assigned: Some((_, value)) } => expr(value, visit),
                    Hole::Body(region) | Hole::Place(region) | Hole::Copies(region) => {
                        visit($Use::Region(region));
                    }
                    Hole::Select(selection) => {
                        let Selection { to, accesses, elements: _, gather } = &$($mutable)? **selection;
                        for access in accesses {
                            visit($Use::Access(access));
                        }
                        visit($Use::Access(to));
                        if let Some(Gather { from: _, named: _, first, how: _ }) = gather {
                            visit($Use::SymInt(first));
                        }
                    }
                    Hole::Nest(nest) => visit($Use::Nest(nest)),
                    Hole::Value(value, _) | Hole::Index { index: value, stage: _, fits: _ } => {
                        visit($Use::SymInt(value));
                    }
                    Hole::Compare(left, _, right, values) => {
                        operands(values, visit);
                        syms([left, right], visit);
                    }
                }
            }

            pub(crate) fn access(access: &$($mutable)? Access, visit: Visit<'_>) {
                // The index is in the variables of the source, which only the check reads.
                let Access {
                    view: _, index: _, kind: _, commutes: _, operands: values, within, let_defs: _, position: _, epoch: _,
                    repeats: _, tokens: _, calls: _, element: reached, asserted: _, interior: _, mode: _,
                } = access;
                operands(values, visit);
                if let Some(within) = within {
                    expr(within, visit);
                }
                element(reached, visit);
            }

            pub(crate) fn element(element: &$($mutable)? Element, visit: Visit<'_>) {
                match element {
                    Element::Unchecked => {}
                    Element::Inside(at) => candidate(at, visit),
                    Element::Folded(FoldedAccess { candidate: at, axes }) => {
                        candidate(at, visit);
                        for (_, folded) in axes {
                            visit($Use::SymInt(folded));
                        }
                    }
                    Element::Tested(Tested { candidates, open: _ }) => {
                        for at in candidates {
                            candidate(at, visit);
                        }
                    }
                    Element::At(at, offset) => {
                        candidate(at, visit);
                        match offset {
                            Offset::Flat { named: _, rest, fits: _ } => visit($Use::SymInt(rest)),
                            Offset::Row(row, column) => syms([row, column], visit),
                        }
                    }
                }
            }

            fn candidate(candidate: &$($mutable)? Candidate, visit: Visit<'_>) {
                let Candidate { buffer: _, coordinates, casts: _ } = candidate;
                syms(coordinates, visit);
            }

            /// The loops, then what is computed before them, the body and the interior.
            pub(crate) fn nest(nest: &$($mutable)? Nest, visit: Visit<'_>) {
                let Nest {
                    loops, label: _, next: _, body, fused: _, distributed: _, i32_extents, split, behind, cut, idiom, effects: _, tasks,
                    produces: _, schedule: _,
                } = nest;
                for id in loops {
                    visit($Use::Loop(id));
                }
                syms(i32_extents, visit);
                if let Some(idiom) = idiom {
                    let places = match &$($mutable)? **idiom {
                        Idiom::Transposition(Transposition { from, to, lines: _, length: _, turned: _ }) => {
                            [Some(from), Some(to)]
                        }
                        Idiom::Sum(ByteSum { local: _, number: _, of, from, extents: _ }) => {
                            [Some(of), from.into()]
                        }
                    };
                    for Strided { buffer: _, first, steps } in places.into_iter().flatten() {
                        visit($Use::SymInt(first));
                        syms(steps, visit);
                    }
                }
                if let Some(tasks) = tasks {
                    let Tasks { memory: _, read: _, totals: _, wavefront } = &$($mutable)? **tasks;
                    if let Some((columns, _)) = wavefront {
                        visit($Use::SymInt(columns));
                    }
                }
                if let Some(cut) = cut {
                    let LoopCut { at, held } = &$($mutable)? **cut;
                    syms(at, visit);
                    for (_, value) in held {
                        expr(value, visit);
                    }
                }
                visit($Use::Region(body));
                for Behind { when: When::From(sym) | When::If(sym), nest } in behind {
                    visit($Use::SymInt(sym));
                    visit($Use::Nest(nest));
                }
                if let Some(Split { starts, ends, guards, interior }) = split {
                    syms(starts, visit);
                    syms(ends, visit);
                    syms(guards, visit);
                    visit($Use::Nest(interior));
                }
            }

            /// What a loop runs over; [`parts`] has what its iterations begin with. What a loop is to be split at is
            /// not emitted.
            pub(crate) fn for_loop(for_loop: &$($mutable)? Loop, visit: Visit<'_>) {
                let Loop {
                    name: _, symbol: _, first, last, runs, kind, over: _, nest: _, parts: _, own: _, mode: _, is_i32: _, interior: _,
                } = for_loop;
                syms([first, last, runs], visit);
                match kind {
                    LoopKind::Index { extent } => visit($Use::SymInt(extent)),
                    LoopKind::Range { iterator, step: _, number: _, fits: _ } => {
                        expr(iterator, visit);
                    }
                }
            }

            /// The parts of offsets that each iteration of a loop begins with.
            pub(crate) fn parts(for_loop: &$($mutable)? Loop, visit: Visit<'_>) {
                for part in &$($mutable)? for_loop.parts {
                    definition(&$($mutable)? part.value, visit);
                }
            }
        }
    };
}

walks!(read, Use, holes_in_stmt, holes_in_expr,);
walks!(edit, UseMut, edit_holes_in_stmt, edit_holes_in_expr, mut);

impl Program {
    /// Visits all that a region mentions, and what that mentions in turn, in the order of the source and with the
    /// statement that it is in.
    pub(crate) fn walk(&self, region: RegionId, visit: &mut dyn FnMut(Use<'_>, ProgramPoint)) {
        for statement in &self.regions[region].statements {
            let here = ProgramPoint { region, statement: statement.number };
            read::statement(&statement.kind, &mut |own| self.walk_use(own, here, visit));
        }
    }

    fn walk_use(&self, own: Use<'_>, here: ProgramPoint, visit: &mut dyn FnMut(Use<'_>, ProgramPoint)) {
        visit(own, here);
        let mut inner = |own: Use<'_>| self.walk_use(own, here, visit);
        match own {
            Use::Hole(id, _) => read::hole(&self.holes[*id], &mut inner),
            Use::Access(id) => read::access(&self.accesses[*id], &mut inner),
            Use::Nest(id) => read::nest(&self.nests[*id], &mut inner),
            Use::Loop(id) => {
                let for_loop = &self.loops[*id];
                read::for_loop(for_loop, &mut inner);
                let inside = ProgramPoint { region: self.body_of(*id), statement: 0 };
                read::parts(for_loop, &mut |own| self.walk_use(own, inside, visit));
            }
            Use::Region(id) => self.walk(*id, visit),
            Use::Rust(_) | Use::SymInt(_) => {}
        }
    }
}
