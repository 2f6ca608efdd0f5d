//! Stages move to the loops over the tiles in which they are computed or stored.
//!
//! Binding writes a stage with such a level before the nest whose words make the tiles. Where a plan has a loop body for each
//! tile, the block and the nest of the stage become its first statements, once for each version of the body. The pass
//! `regions` then finds out which elements are computed there, and the check looks at their accesses.

use std::collections::BTreeMap;
use std::rc::Rc;

use syn::{Expr, Lifetime};

use crate::ir::walk::Use;
use crate::ir::{
    BufferId, Copier, Copies, Hole, NameSupply, NestId, Order, Producer, Program, ProgramPoint, RegionId,
    RegionKind, StatementKind, Substitution, SymbolSource, Tile, View, Word,
};
use crate::symbolic::{SymError, SymInt};

/// Finds the nest of the tiles that each stage moves to. A stage whose loop makes no nest stays before it.
pub(super) fn assign(program: &mut Program) {
    for at in 0..program.producers.len() {
        let nest = nest_of(program, &program.producers[at]);
        let producer = &mut program.producers[at];
        producer.nest = nest;
        if nest.is_none() {
            (producer.level, producer.storage) = (None, None);
        }
    }
}

/// The first nest behind a stage that has the tiles which it moves to, or the one around it.
fn nest_of(program: &Program, producer: &Producer) -> Option<NestId> {
    let label = producer.level.as_ref().or(producer.storage.as_ref())?;
    let has_tiles = |nest: NestId| {
        let words = program.nests[nest].schedule.iter().flat_map(|schedule| &schedule.words);
        words.into_iter().any(|word| matches!(word, Word::Tile { label: Some(own), .. } if own == label))
    };
    if producer.level.is_none() {
        let around = program.ancestors(producer.position.region);
        return around.into_iter().find_map(|region| match program.regions[region].kind {
            RegionKind::Nest(nest) if has_tiles(nest) => Some(nest),
            _ => None,
        });
    }
    let mut found = None;
    program.walk(producer.position.region, &mut |own, here| {
        if let Use::Nest(nest) = own
            && here.region == producer.position.region
            && here.statement > producer.position.statement
            && has_tiles(*nest)
        {
            found.get_or_insert(*nest);
        }
    });
    found
}

/// The stages of the tiles of a nest.
#[derive(Default)]
pub(super) struct TileStages {
    /// Those that move, as they are before.
    moving: Vec<Producer>,
    /// The blocks that stand for those of the source where a body is placed.
    current: BTreeMap<BufferId, Instance>,
    /// The blocks of the source, by those that stand for them.
    originals: BTreeMap<BufferId, BufferId>,
    /// The caller's memory in which the blocks of the source are, if they are.
    places: BTreeMap<BufferId, Option<Box<Expr>>>,
    /// The regions of the source that were taken already: others are copies.
    taken: Vec<RegionId>,
}

/// A block of a stage in one version of a body.
#[derive(Clone)]
struct Instance {
    buffer: BufferId,
    /// Where its memory comes into scope.
    made: ProgramPoint,
}

impl TileStages {
    /// The stages of a nest.
    pub(super) fn of(program: &Program, nest: NestId) -> Self {
        let moving = program.producers.iter().filter(|own| own.nest == Some(nest) && own.is_pending());
        Self { moving: moving.cloned().collect(), ..Self::default() }
    }

    /// Moves the stages of some tiles to the end of a region, which is the body of the loops over these tiles.
    pub(super) fn place(
        &mut self,
        program: &mut Program,
        names: &mut NameSupply,
        (label, tile): (&Lifetime, Rc<Tile>),
        region: RegionId,
    ) -> Result<(), SymError> {
        for producer in self.moving.clone() {
            if producer.storage.as_ref() == Some(label) {
                let at = program.regions[region].next_statement();
                let made = ProgramPoint { region, statement: at };
                let buffer = self.block(program, names, producer.buffer);
                program.buffers[buffer].bound = made;
                let place = self.places.get(&producer.buffer).cloned().flatten();
                program.append_statement(region, StatementKind::Memory(buffer, place));
                self.current.insert(producer.buffer, Instance { buffer, made });
            }
            if producer.level.as_ref() == Some(label) {
                self.produce(program, &Producer { tile: Some(tile.clone()), ..producer }, region)?;
            }
        }
        Ok(())
    }

    /// The stages of some tiles stay in front of the nest: there are no loops over these.
    pub(super) fn stay(&mut self, program: &mut Program, (label, tile): (&Lifetime, &Rc<Tile>)) {
        for own in &mut self.moving {
            let original = program.producers.iter_mut().find(|other| other.body == own.body);
            for producer in std::iter::once(own).chain(original) {
                if producer.level.take_if(|level| level == label).is_some() {
                    producer.tile = Some(tile.clone());
                }
                producer.storage.take_if(|storage| storage == label);
            }
        }
    }

    /// The block of a stage for one more version of a body.
    fn block(&mut self, program: &mut Program, names: &mut NameSupply, original: BufferId) -> BufferId {
        let bound = program.buffers[original].bound.region;
        let buffer = if self.originals.contains_key(&original) {
            let mut copy = program.buffers[original].clone();
            copy.local = names.fresh(&copy.name);
            let copy = program.buffers.push(copy);
            program.stage_blocks.push(copy);
            copy
        } else {
            if let Some(StatementKind::Memory(_, place)) = program.take_memory(original, bound) {
                self.places.insert(original, place);
            }
            original
        };
        self.originals.insert(buffer, original);
        buffer
    }

    /// Writes the nest of a stage at the end of a region.
    fn produce(
        &mut self,
        program: &mut Program,
        producer: &Producer,
        region: RegionId,
    ) -> Result<(), SymError> {
        let position = ProgramPoint { region, statement: program.regions[region].next_statement() };
        let is_first = !self.taken.contains(&producer.body);
        let body = if is_first {
            self.taken.push(producer.body);
            let at = producer.position;
            let is_own = |number: usize, order: Order| number == at.statement && order == Order::Own;
            program.regions[at.region].statements.retain(|own| !is_own(own.number, own.order));
            program.move_region(producer.body, Some(position), RegionKind::Plain);
            producer.body
        } else {
            let mut copier = Copier::new(program);
            let body = copier.region(producer.body, RegionKind::Plain);
            let copies = copier.finish();
            program.move_region(body, Some(position), RegionKind::Plain);
            rename(program, body, &copies)?;
            body
        };
        program.append(region, Hole::Body(body), true);
        self.redirect(program, body);
        let own = self.instance(producer, position, body);
        put(program, own);
        Ok(())
    }

    /// A stage at another position.
    fn instance(&self, producer: &Producer, position: ProgramPoint, body: RegionId) -> Producer {
        let own = self.current.get(&producer.buffer).cloned();
        let kept = match &own {
            Some(own) => producer.kept.map(|_| own.made),
            None => producer.kept,
        };
        let buffer = own.map_or(producer.buffer, |own| own.buffer);
        Producer { buffer, position, body, kept, level: None, storage: None, ..producer.clone() }
    }

    /// Lets a version of the body reach the blocks of its tiles. `copies` has the regions of the source by their copies, if
    /// it is one.
    pub(super) fn reach(&self, program: &mut Program, body: RegionId, copies: &BTreeMap<RegionId, RegionId>) {
        self.redirect(program, body);
        // Stages that are computed in loops of the body, in a block of a tile.
        for producer in self.moving.iter().filter(|own| own.level.is_none()) {
            let at = producer.position;
            let region = copies.get(&at.region).copied().unwrap_or(at.region);
            let inner = copies.get(&producer.body).copied().unwrap_or(producer.body);
            let own = self.instance(producer, ProgramPoint { region, ..at }, inner);
            put(program, own);
        }
    }

    /// Lets the accesses in a region reach the blocks of their tiles.
    fn redirect(&self, program: &mut Program, region: RegionId) {
        let mut views: BTreeMap<*const View, Rc<View>> = BTreeMap::new();
        for id in program.accesses_in(region) {
            let access = &mut program.accesses[id];
            let Some(original) = self.originals.get(&access.view.buffer) else { continue };
            let Some(Instance { buffer, .. }) = self.current.get(original) else { continue };
            if access.view.buffer != *buffer {
                let view = views
                    .entry(Rc::as_ptr(&access.view))
                    .or_insert_with(|| Rc::new(View { buffer: *buffer, ..(*access.view).clone() }));
                access.view = view.clone();
            }
        }
    }
}

/// Puts a stage in the place of the one with the same nest, if there is one.
fn put(program: &mut Program, producer: Producer) {
    match program.producers.iter_mut().find(|other| other.body == producer.body) {
        Some(original) => *original = producer,
        None => program.producers.push(producer),
    }
}

/// Gives the loops of a copy variables of their own: they may run over other elements.
fn rename(program: &mut Program, region: RegionId, copies: &Copies) -> Result<(), SymError> {
    let mut values = Vec::new();
    for copy in copies.loops.values() {
        let old = program.loops[*copy].symbol.clone();
        let defined = program.symbol(&old).defined;
        let new = program.new_symbol(old.name(), old.range(), SymbolSource::Loop(*copy), defined);
        values.push((old, SymInt::symbol(&new)));
        program.loops[*copy].symbol = new;
    }
    program.substitute(region, &values.into_iter().collect::<Substitution>())
}
