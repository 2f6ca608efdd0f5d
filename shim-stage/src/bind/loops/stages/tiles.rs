//! Tiles of a loop in which stages are computed: `#[tile([32, 256], 'tile)]`.

use shim_core::{Integer, LocationError};
use syn::{Attribute, Expr, ExprForLoop, Ident, Lifetime, Stmt, parse_quote};

use crate::diagnostics::counted;
use crate::ir::{Hole, RegionKind, Tail, View, Word};
use crate::surface::HelperAttribute;
use crate::symbolic::SymInt;

use crate::bind::loops::words;
use crate::bind::tensors::nest::LoopHeader;
use crate::bind::{Binder, unreachable_value};

/// The word before a loop that makes tiles with a label.
pub(in crate::bind) struct LabeledTile {
    /// Its number among the words.
    at: usize,
    label: Lifetime,
}

/// The indices of a loop: so many from a first one on.
#[derive(Clone)]
struct Span {
    start: SymInt,
    header: LoopHeader,
}

/// The indices of a tile, along each axis.
struct Tile {
    /// Those of one that is whole.
    whole: Vec<Span>,
    /// At least zero where it is.
    guards: Vec<SymInt>,
    /// Those of any.
    any: Vec<Span>,
    /// How far it is from the beginning along an axis where it may be moved back, and how far it is where it is not.
    moved: Vec<(SymInt, SymInt)>,
}

impl Tile {
    /// The tile with these numbers.
    fn of(
        spans: &[Span],
        extents: &[Option<i64>],
        numbers: &[Option<SymInt>],
        tail: Tail,
    ) -> Result<Self, LocationError> {
        let mut tile = Self { whole: Vec::new(), guards: Vec::new(), any: Vec::new(), moved: Vec::new() };
        for ((span, extent), number) in spans.iter().zip(extents).zip(numbers) {
            let (Some(extent), Some(number)) = (extent, number) else {
                tile.whole.push(span.clone());
                tile.any.push(span.clone());
                continue;
            };
            let all = &span.header.extent;
            let own = SymInt::constant(*extent);
            let unmoved = number.scale(*extent)?;
            let (before, room) = if tail == Tail::Shift {
                let before = Integer::min(&unmoved, &all.sub(&own)?.at_least_zero()?)?;
                tile.moved.push((before.clone(), unmoved));
                (before, all.clone())
            } else {
                let room = all.sub(&unmoved)?;
                (unmoved, room)
            };
            let start = span.start.add(&before)?;
            let of =
                |extent| Span { start: start.clone(), header: LoopHeader { extent, ..span.header.clone() } };
            tile.any.push(of(Integer::min(&room, &own)?));
            tile.guards.push(room.sub(&own)?);
            tile.whole.push(of(own));
        }
        Ok(tile)
    }
}

impl Binder<'_> {
    /// The first word that makes tiles with a label, if a stage is computed or stored in some tiles of these words.
    pub(in crate::bind) fn tiles_of_stages(&mut self, words: &[Attribute]) -> Option<LabeledTile> {
        let tile = |(at, word): (usize, &Attribute)| {
            let (_, label) =
                HelperAttribute::Tile.is(word).then(|| words::arguments(word, HelperAttribute::Tile))?;
            Some(LabeledTile { at, label: label? })
        };
        let mut tiles: Vec<LabeledTile> = words.iter().enumerate().filter_map(tile).collect();
        let last = tiles.iter().rposition(|tile| !self.stages_at(&tile.label).is_empty())?;
        tiles.truncate(last + 1);
        if self.schedules() { tiles.into_iter().next() } else { None }
    }

    /// A loop over indices in tiles in which stages are computed: a nest over the tiles, and in its body another one.
    pub(in crate::bind) fn tiled_indices(
        &mut self,
        for_loop: &ExprForLoop,
        view: &View,
        names: Vec<Option<Ident>>,
        tile: LabeledTile,
        words: &[Attribute],
    ) -> Expr {
        if self.reject_packed(view, &for_loop.expr) {
            return unreachable_value();
        }
        let headers = LoopHeader::all_of(view, names);
        let spans = headers.into_iter().map(|header| Span { start: SymInt::constant(0), header }).collect();
        let label = for_loop.label.as_ref().map(|label| &label.name);
        let mut fill = |binder: &mut Self| {
            binder.with_stages_before(label, &for_loop.body.stmts);
        };
        let (nest, jumps) = self.in_staged_loop(for_loop.label.as_ref(), |binder| {
            binder.tiled(spans, Some(tile), words, &mut fill)
        });
        self.labeled(nest, &jumps)
    }

    /// The extents of the tiles of a word with a label, and what becomes of tiles that reach beyond the box.
    #[allow(clippy::type_complexity)]
    fn labeled_tile(&mut self, word: &Attribute, rank: usize) -> Option<(Vec<Option<i64>>, Tail)> {
        let (arguments, _) = words::arguments(word, HelperAttribute::Tile);
        let (list, tail) = match &arguments[..] {
            [list] => (list, Some(Tail::Clip)),
            [list, tail] => (list, words::tail(tail)),
            _ => return None,
        };
        let extents = self.tile_extents(list)?;
        let Some(tail) = tail else {
            self.diagnostics.error(
                word,
                "malformed `#[tile]` attribute",
                "write `#[tile([32, 256], 'tile)]`, `#[tile([32, 256], 'tile, peel)]` or `#[tile([32, 256], 'tile, shift)]`",
            );
            return None;
        };
        if extents.len() != rank {
            let (entries, loops) =
                (counted(extents.len(), "entry", "entries"), counted(rank, "loop", "loops"));
            let message = format!("{entries} in `tile` for a nest of {loops}");
            let help = "give one for each variable, `_` along an axis that is not tiled";
            self.diagnostics.error_in_call(word, message, help);
            return None;
        }
        Some((extents, tail))
    }

    /// A nest over spans of indices, the tiles of which are in a nest of their own.
    fn tiled(
        &mut self,
        spans: Vec<Span>,
        tile: Option<LabeledTile>,
        words: &[Attribute],
        fill: &mut dyn FnMut(&mut Self),
    ) -> Expr {
        let rank = spans.len();
        let Some(LabeledTile { at, label }) = tile else {
            let starts: Vec<(Option<Ident>, SymInt)> =
                spans.iter().map(|span| (span.header.name.clone(), span.start.clone())).collect();
            let headers = spans.into_iter().map(|span| span.header).collect();
            let beginning = self.beginning();
            let nest = self.nest_over(headers, None, |binder, variables| {
                for ((name, start), variable) in starts.iter().zip(&variables) {
                    if let (Some(name), Ok(index)) = (name, variable.add(start)) {
                        let binding = binder.index_variable(index, &name.to_string());
                        binder.scopes.bind(name, binding);
                    }
                }
                fill(binder);
            });
            self.record_effects(&nest, words, beginning);
            return self.ordered(nest, words, rank, None);
        };
        let (before, [word, after @ ..]) = words.split_at(at) else { return unreachable_value() };
        let Some((extents, tail)) = self.labeled_tile(word, rank) else { return unreachable_value() };
        // Tasks are the iterations of the outermost loop, wherever the word is.
        let (tasks, after): (Vec<Attribute>, Vec<Attribute>) =
            after.iter().cloned().partition(|word| HelperAttribute::Parallel.is(word));
        let mut headers = Vec::new();
        for (span, extent) in spans.iter().zip(&extents) {
            let count = match extent {
                Some(extent) => span.header.extent.ceil_div(*extent),
                // Words about the tiles name all axes.
                None if !before.is_empty() => Ok(SymInt::constant(1)),
                None => continue,
            };
            let Some(count) = self.report_location_error(count, word) else { return unreachable_value() };
            let hint = span.header.name.as_ref().map_or_else(|| "i".to_owned(), ToString::to_string);
            headers.push(LoopHeader::new(Some(self.names.fresh(&format!("{hint}_tile"))), count));
        }
        let (tiles, has_all) = (headers.len(), !before.is_empty());
        let nest = self.nest_over(headers, None, |binder, variables| {
            let mut variables = variables.into_iter();
            let mut numbers = Vec::new();
            for extent in &extents {
                numbers.push(if extent.is_some() || has_all { variables.next() } else { None });
            }
            let tiles = Tile::of(&spans, &extents, &numbers, tail);
            let Some(Tile { whole, guards, any, moved }) = binder.report_location_error(tiles, word) else {
                return;
            };
            binder.program.moved_tiles.extend(moved);
            let facts = binder.facts();
            let guards: Vec<SymInt> =
                guards.into_iter().filter(|guard| !facts.proves_nonneg(guard)).collect();
            let mut inside = |binder: &mut Self, inner: Vec<Span>| {
                binder.with_stages(Some(&label), |binder| {
                    let next = binder.tiles_of_stages(&after);
                    let nest = binder.tiled(inner, next, &after, fill);
                    binder.push(Stmt::Expr(nest, None));
                });
            };
            if tail == Tail::Clip || guards.is_empty() {
                return inside(binder, if guards.is_empty() { whole } else { any });
            }
            let conditions = guards.iter().map(|guard| {
                let zero = SymInt::constant(0);
                binder.program.hole(Hole::Compare(guard.clone(), parse_quote!(>=), zero, Vec::new()))
            });
            let conditions: Vec<Expr> = conditions.collect();
            let copies = [(whole, guards), (any, Vec::new())].map(|(spans, facts)| {
                let body = binder.body(RegionKind::Branch, facts, |binder| inside(binder, spans));
                binder.program.hole(Hole::Body(body))
            });
            let [whole, any] = copies;
            binder.push(parse_quote!(if #(#conditions)&&* { #whole } else { #any }));
        });
        let outer: Vec<Option<Word>> = before
            .iter()
            .chain(&tasks)
            .filter(|word| !HelperAttribute::Pure.is(word))
            .map(|word| self.word(word, &vec![None; tiles], false))
            .collect();
        let Some(outer) = outer.into_iter().collect::<Option<Vec<Word>>>() else { return nest };
        let id = self.program.nest_of(&nest);
        let nest = self.schedule(nest, id, (outer, false), word);
        if let Some(schedule) = id.and_then(|id| self.program.nests[id].schedule.as_mut()) {
            schedule.of_tiles = Some(tail);
        }
        nest
    }
}
