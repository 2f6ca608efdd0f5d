//! Where stages are computed and stored: at their definition, or in each iteration of a loop.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use shim_core::TensorSpace;
use syn::{Attribute, Expr, Lifetime, Stmt, parse_quote};

use crate::ir::{AccessKind, Hole, Memory, Producer, ProgramPoint, RegionKind, SymbolSource, View};
use crate::surface::{HelperAttribute, StageLevel};
use crate::symbolic::{Range, SymInt, Symbol};

use crate::bind::loops::words;
use crate::bind::tensors::nest::LoopHeader;
use crate::bind::tensors::placement::Placement;
use crate::bind::{Binder, Binding};

use super::Stage;

/// The block of a stage, of which the pass `regions` will know where it begins and how far it extends.
#[derive(Clone)]
pub(in crate::bind) struct StageBlock {
    view: Rc<View>,
    origin: Vec<Symbol>,
    extents: Vec<Symbol>,
    /// Where its memory comes into scope.
    position: ProgramPoint,
    /// The tiles that it is made in.
    tiles: Option<Lifetime>,
}

/// A stage outside of a loop in which it is stored or computed.
pub(in crate::bind) struct OutsideLevel {
    id: usize,
    block: Option<StageBlock>,
    stored: Option<Stored>,
}

/// The elements of a stage in memory.
#[derive(Clone)]
pub(in crate::bind) struct Stored {
    /// Those of the block.
    pub(super) view: Rc<View>,
    /// The index of the first one.
    pub(super) origin: Vec<SymInt>,
}

impl<'a> Binder<'a> {
    /// Binds the statements in a loop, before them the stages that are stored or computed in each of its iterations.
    pub(in crate::bind) fn with_stages_before(&mut self, label: Option<&Lifetime>, statements: &[Stmt]) {
        let is_item = |statement: &Stmt| matches!(statement, Stmt::Item(_) | Stmt::Macro(_));
        let hides =
            label.is_some_and(|label| statements.iter().any(is_item) && !self.stages_at(label).is_empty());
        self.with_stages(label, |binder| {
            if !hides {
                return binder.statements(statements);
            }
            // Items of the block are not those that a stage means.
            let body = binder.body(RegionKind::Plain, Vec::new(), |binder| binder.statements(statements));
            let hole = binder.program.hole(Hole::Body(body));
            binder.push(Stmt::Expr(hole, Some(syn::token::Semi::default())));
        });
    }

    /// Binds what is in a loop, before it the stages that are stored or computed in each of its iterations.
    pub(in crate::bind) fn with_stages(&mut self, label: Option<&Lifetime>, fill: impl FnOnce(&mut Self)) {
        let Some(label) = label else { return fill(self) };
        let outside = self.enter_level(label, None);
        fill(self);
        self.leave_levels(outside);
    }

    /// Binds a loop, before it the stages that are stored or computed in the tiles that its words make. The pass `schedule`
    /// moves them to the loops over these tiles.
    pub(in crate::bind) fn with_stages_of_tiles<T>(
        &mut self,
        words: &[Attribute],
        bind: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let labels = words::tile_labels(words);
        let outside = labels.iter().flat_map(|label| self.enter_level(label, Some(label))).collect();
        let result = bind(self);
        // A loop that is fused with this one has the same tiles.
        if words.iter().any(|word| HelperAttribute::Fuse.is(word)) {
            self.stages.fused.push(outside);
        } else {
            self.leave_levels(outside);
        }
        result
    }

    /// Writes the stages that are stored or computed in the loop with this label, which is one over tiles if `tiles` says so.
    fn enter_level(&mut self, label: &Lifetime, tiles: Option<&Lifetime>) -> Vec<OutsideLevel> {
        let stages = self.stages_at(label);
        let outside = stages
            .iter()
            .map(|id| OutsideLevel {
                id: *id,
                block: self.stages.blocks[*id].clone(),
                stored: self.stages.stored[*id].clone(),
            })
            .collect();
        for id in stages {
            let stage = self.stages.defined[id].clone();
            if stage.is_stored_at(label) || stage.store.is_none() && stage.is_computed_at(label) {
                self.stages.blocks[id] = self.stage_block(id, tiles);
            }
            if stage.is_computed_at(label) {
                self.stages.stored[id] = self.produced(id, tiles);
            }
        }
        outside
    }

    /// Goes back to what stages were outside of levels.
    pub(in crate::bind) fn leave_levels(&mut self, outside: Vec<OutsideLevel>) {
        for OutsideLevel { id, block, stored } in outside.into_iter().rev() {
            (self.stages.blocks[id], self.stages.stored[id]) = (block, stored);
        }
    }

    /// The stages in scope that are computed or stored in the loop with this label, in the order of their definitions.
    pub(super) fn stages_at(&self, label: &Lifetime) -> Vec<usize> {
        // Nothing is computed where rustc checks the closure of a stage.
        if self.walk.is_checked() {
            return Vec::new();
        }
        let named = self.scopes.stages();
        let mut live: Vec<usize> = Vec::new();
        for id in (0..self.stages.defined.len()).rev() {
            let is = |binding: &Binding| matches!(binding, Binding::Stage(own) if *own == id);
            let read =
                |other: &usize| self.stages.defined[*other].names.iter().any(|(_, binding)| is(binding));
            if named.contains(&id) || live.iter().any(read) {
                live.push(id);
            }
        }
        live.reverse();
        live.retain(|id| {
            let stage = &self.stages.defined[*id];
            stage.is_computed_at(label) || stage.is_stored_at(label)
        });
        live
    }

    /// Writes the block of a stage, which is made in tiles if they are given.
    pub(super) fn stage_block(&mut self, id: usize, tiles: Option<&Lifetime>) -> Option<StageBlock> {
        let stage = self.stages.defined[id].clone();
        let name = stage.name.to_string();
        let rank = stage.index.len();
        let position = self.position();
        let origin = self.stage_symbols(&stage, "origin", Range::UNKNOWN);
        let extents = self.stage_symbols(&stage, "extent", Range { lo: Some(0), hi: None });
        let space = Placement::new(rank).in_root().place_in(&self.tensors.root_space);
        let space = self.report_location_error(space, &stage.name)?;
        let space = TensorSpace { space, extents: extents.iter().map(SymInt::symbol).collect() };
        let (memory, place) = match &stage.memory {
            Some(memory) => {
                let memory: Expr = parse_quote!(#memory);
                (Memory::Grown, self.external(&memory, false, rank, &memory)?.1)
            }
            None => (Memory::Heap(stage.element.clone().map(Box::new)), None),
        };
        let view = self.store(&name, memory, place, space, None, &stage.name)?;
        self.program.stage_blocks.push(view.buffer);
        Some(StageBlock { view, origin, extents, position, tiles: tiles.cloned() })
    }

    /// A symbol for each axis of a stage, until the pass `regions`.
    fn stage_symbols(&mut self, stage: &Stage<'a>, what: &str, range: Range) -> Vec<Symbol> {
        let here = self.position();
        let name = format!("{}_{what}", stage.name);
        let symbol = |_| {
            let local = self.names.fresh(&name);
            self.symbol(&name, range, SymbolSource::Local(local), here)
        };
        stage.index.iter().map(symbol).collect()
    }

    /// Writes the nest that computes the elements of a stage in its block, in tiles if they are given.
    pub(super) fn produced(&mut self, id: usize, tiles: Option<&Lifetime>) -> Option<Stored> {
        let stage = self.stages.defined[id].clone();
        let Some(block) = self.stages.blocks[id].clone() else {
            if let Some(StageLevel::Loop(label)) = &stage.store {
                let message = format!(
                    "the stage `{}` is stored at `{label}`, which is not a loop around the one that computes it",
                    stage.name
                );
                self.diagnostics.error_in_call(&stage.name, message, "name a loop further out, or `root`");
            }
            return None;
        };
        let StageBlock { view, origin, extents, position: stored, tiles: storage } = block;
        let kept = (stage.store.is_some() && stage.store != stage.level).then_some(stored);
        let is_in_loop = matches!(stage.level, Some(StageLevel::Loop(_)));
        let may_stay = stage.store.is_none() && tiles.is_none() && is_in_loop;
        let (first, counts) = if kept.is_some() || may_stay {
            let first = self.stage_symbols(&stage, "first", Range::UNKNOWN);
            (first, self.stage_symbols(&stage, "count", Range { lo: Some(0), hi: None }))
        } else {
            (origin.clone(), extents.clone())
        };
        let sum = |symbols: &[Symbol]| symbols.iter().map(SymInt::symbol).collect::<Vec<_>>();
        let position = self.position();
        let mut panics = None;
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            panics = binder.production(&stage, &view, [&sum(&first), &sum(&counts), &sum(&origin)]);
        });
        let hole = self.program.hole(Hole::Body(body));
        self.push(Stmt::Expr(hole, Some(syn::token::Semi::default())));
        let origin_of_block = sum(&origin);
        self.program.producers.push(Producer {
            name: stage.name.to_string(),
            buffer: view.buffer,
            origin,
            extents,
            first,
            counts,
            kept,
            may_stay,
            position,
            body,
            level: tiles.cloned(),
            storage,
            nest: None,
            tile: None,
            is_resolved: false,
            panics,
            tokens: stage.name.to_token_stream(),
            calls: stage.calls.clone(),
        });
        Some(Stored { view, origin: origin_of_block })
    }

    /// Writes the nest over the elements of a stage; says whether computing one cannot panic but for its accesses.
    fn production(
        &mut self,
        stage: &Stage<'a>,
        view: &Rc<View>,
        [first, counts, origin]: [&[SymInt]; 3],
    ) -> Option<TokenStream> {
        let levels = stage.index.iter().zip(counts);
        let levels = levels.map(|(name, extent)| LoopHeader::new(name.clone(), extent.clone())).collect();
        let beginning = self.beginning();
        let mark = self.walk.effects.mark();
        let mut panics = None;
        let nest = self.with_pure(&stage.words, |binder| {
            binder.confirming(true, |binder| {
                binder.nest_over(levels, None, |binder, variables| {
                    let index: Vec<Option<Binding>> = variables
                        .iter()
                        .zip(first)
                        .map(|(variable, first)| {
                            let index = variable.add(first).ok()?;
                            Some(binder.index_variable(index, &stage.name.to_string()))
                        })
                        .collect();
                    let value;
                    (value, panics) = binder.totality(true, |binder| binder.element_at(stage, index));
                    let own = variables.iter().zip(first).zip(origin);
                    let own = own.map(|((variable, first), origin)| variable.add(first)?.sub(origin));
                    let Ok(at) = own.collect::<Result<Vec<_>, _>>() else { return };
                    let tokens = stage.name.to_token_stream();
                    let access = binder.record(view.clone(), at, AccessKind::Write, Vec::new(), tokens);
                    let assign = Hole::Assign { access, op: None, value: Box::new(value) };
                    let assign = binder.program.hole(assign);
                    binder.push(Stmt::Expr(assign, Some(syn::token::Semi::default())));
                    binder.walk.effects.acts();
                })
            })
        });
        let unknown = self.walk.effects.unknown_since(mark).cloned();
        if let Some(unknown) = unknown {
            let (_, help) = crate::diagnostics::UNKNOWN_EFFECT;
            let message = format!("the stage `{}` may have side effects", stage.name);
            self.diagnostics.error_in_call(unknown, message, help);
        }
        if let Some(id) = self.program.nest_of(&nest) {
            self.program.nests[id].produces = Some(stage.name.to_string());
        }
        self.record_effects(&nest, &stage.words, beginning);
        let nest = self.ordered(nest, &stage.words, stage.index.len(), None);
        self.push(Stmt::Expr(nest, None));
        panics
    }

    /// An index of a stage, as the variable of a loop is bound.
    pub(super) fn index_variable(&mut self, index: SymInt, stage: &str) -> Binding {
        let hole = Hole::Index { index: index.clone(), stage: stage.to_owned(), fits: None };
        let value = self.program.hole(hole);
        Binding::Index { sym: index, value, exact: true, reference: false }
    }
}
