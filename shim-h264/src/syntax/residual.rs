//! Levels, element by element (7.3.5.3): what a kernel writes in one go, for whoever reads or traces.

use shim::prelude::*;

use super::coder::{Coder, Descriptor, Element};
pub use crate::kernels::cavlc::ResidualShape;
use crate::kernels::cavlc::{WORDS, level_code, residual_words, store_totals};
use crate::kernels::codes::{
    COEFF_TOKEN, Codeword, RUN_BEFORE, TOTAL_ZEROS, TOTAL_ZEROS_CHROMA_DC, TokenTable, token,
};
use crate::kernels::macroblock_at;
use crate::kernels::picture::TableRows;
pub use crate::kernels::residual::Residual;
use crate::kernels::total_coeff::{enter_slice, near_chroma, near_luma, store_counts, store_total_coeff};

/// The current macroblock, and the tables of its neighbors.
#[derive(Debug)]
pub struct Neighbors<'p> {
    /// The tables of the picture, or of its rows that the slice may be in.
    pub tables: NeighborTables<'p>,
    /// `PicWidthInMbs`.
    pub mbs_wide: usize,
    /// The number of this slice, from 1 on.
    pub number: u16,
    /// `CurrMbAddr`.
    pub address: usize,
}

/// The tables that macroblocks depend on.
#[derive(Debug)]
pub enum NeighborTables<'p> {
    /// Each macroblock stores its entries when it is walked over.
    Update(TableRows<'p>),
    /// The entries are there.
    Read(&'p TableRows<'p>),
}

impl NeighborTables<'_> {
    const fn get(&self) -> &TableRows<'_> {
        match self {
            Self::Update(tables) => tables,
            Self::Read(tables) => tables,
        }
    }

    fn update<T>(&mut self, update: impl FnOnce(&mut TableRows<'_>) -> T) -> Option<T> {
        match self {
            Self::Update(tables) => Some(update(&mut tables.rows(tables.range()))),
            Self::Read(_) => None,
        }
    }
}

impl Neighbors<'_> {
    /// The luma samples of the macroblock.
    #[inline]
    const fn place(&self) -> Place<2> {
        macroblock_at([self.address / self.mbs_wide, self.address % self.mbs_wide])
    }

    /// Number of macroblocks left in the picture.
    #[must_use]
    pub fn left(&self) -> usize {
        self.tables.get().range().end * self.mbs_wide - self.address
    }

    /// The macroblock is in this slice; says whether it was not before.
    #[inline]
    pub(super) fn enter(&mut self) -> bool {
        let (place, number) = (self.place(), self.number);
        self.tables.update(|tables| enter_slice(tables, place, number)).unwrap_or(false)
    }

    /// On to the next macroblock.
    #[inline]
    pub(super) const fn leave(&mut self) {
        self.address += 1;
    }

    /// All blocks of the macroblock have so many levels.
    #[inline]
    pub(super) fn fill(&mut self, total_coeff: u8) {
        let place = self.place();
        self.tables.update(|tables| store_total_coeff(tables, place, total_coeff));
    }

    /// Skips `run` macroblocks. Those that are in this slice already have no levels: the encoder enters each before it
    /// knows how long the run is.
    #[inline]
    pub(super) fn skip(&mut self, run: usize) {
        if let NeighborTables::Read(_) = self.tables {
            self.address += run;
            return;
        }
        for _ in 0..run {
            if self.enter() {
                self.fill(0);
            }
            self.leave();
        }
    }
}

/// Lists are equal if their levels that are not zero are.
impl PartialEq for Residual {
    fn eq(&self, other: &Self) -> bool {
        let same = |lanes: usize, nonzero: &[u16], own: &[i16], other: &[i16]| {
            own.iter()
                .zip(other)
                .enumerate()
                .all(|(i, (own, other))| nonzero[i % lanes] >> (i / lanes) & 1 == 0 || own == other)
        };
        self.luma_nonzero == other.luma_nonzero
            && self.luma_dc_nonzero == other.luma_dc_nonzero
            && self.chroma_dc_nonzero == other.chroma_dc_nonzero
            && self.chroma_nonzero == other.chroma_nonzero
            && same(16, &self.luma_nonzero, &self.luma, &other.luma)
            && same(1, &[self.luma_dc_nonzero], &self.luma_dc, &other.luma_dc)
            && same(8, &self.chroma_nonzero, &self.chroma, &other.chroma)
            && (0..2).all(|c| {
                let own = 4 * c..4 * c + 4;
                same(1, &[self.chroma_dc_nonzero[c]], &self.chroma_dc[own.clone()], &other.chroma_dc[own])
            })
    }
}

impl Eq for Residual {}

/// The levels of one block, taken from among those of others.
#[derive(Default)]
struct List {
    levels: [i16; 16],
    /// Index of its first level.
    first: usize,
    total_coeff: u8,
}

impl List {
    /// Every `lanes`th level, from `first` on; they do not matter where `nonzero` has no bit.
    fn of(levels: &[i16], lanes: usize, nonzero: u16, first: usize) -> Self {
        let mut own = [0; 16];
        for (k, level) in levels.iter().step_by(lanes).enumerate().skip(first) {
            own[k] = if nonzero >> k & 1 == 1 { *level } else { 0 };
        }
        Self { levels: own, first, total_coeff: 0 }
    }

    fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        most: usize,
        table: usize,
        total_zeros: &'static [[Codeword; 16]],
    ) -> Result<(), C::Error> {
        let levels = &mut self.levels[self.first..self.first + most];
        self.total_coeff = residual_block_cavlc(coder, levels, table, total_zeros)?;
        Ok(())
    }

    /// Puts the levels that are not zero back, and says which they are.
    fn store(&self, levels: &mut [i16], lanes: usize) -> u16 {
        let mut nonzero = 0;
        for (k, (to, &level)) in levels.iter_mut().step_by(lanes).zip(&self.levels).enumerate() {
            if level != 0 {
                *to = level;
                nonzero |= 1 << k;
            }
        }
        nonzero
    }
}

/// `residual` (7.3.5.3): by a kernel where the coder takes codewords, or else one element after the other.
pub(super) fn walk_residual<C: Coder>(
    coder: &mut C,
    residual: &mut Residual,
    shape: ResidualShape,
    neighbors: &mut Neighbors<'_>,
) -> Result<(), C::Error> {
    let place = neighbors.place();
    let tables = neighbors.tables.get();
    let by_kernel =
        coder.codewords(WORDS, |words, end| residual_words(residual, shape, tables, place, words, end));
    if !by_kernel {
        return walk_elements(coder, residual, shape, neighbors);
    }
    neighbors.tables.update(|tables| store_totals(residual, shape, tables, place));
    Ok(())
}

/// Walks a residual one element after the other.
fn walk_elements<C: Coder>(
    coder: &mut C,
    residual: &mut Residual,
    shape: ResidualShape,
    neighbors: &mut Neighbors<'_>,
) -> Result<(), C::Error> {
    let place = neighbors.place();
    let mut luma = near_luma(neighbors.tables.get(), place);
    let mut chroma = near_chroma(neighbors.tables.get(), place);
    residual.luma_dc_nonzero = if shape.intra16x16 {
        coder.structure("Intra16x16DCLevel");
        let mut levels = List::of(&residual.luma_dc, 1, residual.luma_dc_nonzero, 0);
        levels.code(coder, 16, luma.token_table(0, 0), &TOTAL_ZEROS)?;
        levels.store(&mut residual.luma_dc, 1)
    } else {
        0
    };
    let first = usize::from(shape.intra16x16);
    for b in 0..16 {
        let (y, x) = ((b >> 1 & 1) + 2 * (b >> 3), (b & 1) + 2 * (b >> 2 & 1));
        let lane = 4 * y + x;
        let mut levels = List::default();
        if shape.luma >> (b / 4) & 1 == 1 {
            coder.structure(if shape.intra16x16 { "Intra16x16ACLevel" } else { "LumaLevel4x4" });
            levels = List::of(&residual.luma[lane..], 16, residual.luma_nonzero[lane], first);
            levels.code(coder, 16 - first, luma.token_table(y, x), &TOTAL_ZEROS)?;
        }
        residual.luma_nonzero[lane] = levels.store(&mut residual.luma[lane..], 16);
        luma.set(y, x, levels.total_coeff);
    }
    for (c, nonzero) in residual.chroma_dc_nonzero.iter_mut().enumerate() {
        let own = &mut residual.chroma_dc[4 * c..4 * c + 4];
        let mut levels = List::default();
        if shape.chroma > 0 {
            coder.structure("ChromaDCLevel");
            levels = List::of(own, 1, *nonzero, 0);
            levels.code(coder, 4, TokenTable::ChromaDc as usize, &TOTAL_ZEROS_CHROMA_DC)?;
        }
        *nonzero = levels.store(own, 1);
    }
    for (c, chroma) in chroma.iter_mut().enumerate() {
        for b in 0..4 {
            let (lane, y, x) = (4 * c + b, b / 2, b % 2);
            let mut levels = List::default();
            if shape.chroma > 1 {
                coder.structure("ChromaACLevel");
                levels = List::of(&residual.chroma[lane..], 8, residual.chroma_nonzero[lane], 1);
                levels.code(coder, 15, chroma.token_table(y, x), &TOTAL_ZEROS)?;
            }
            residual.chroma_nonzero[lane] = levels.store(&mut residual.chroma[lane..], 8);
            chroma.set(y, x, levels.total_coeff);
        }
    }
    neighbors.tables.update(|tables| store_counts(tables, place, &luma, &chroma));
    Ok(())
}

/// `residual_block_cavlc` (7.3.5.3.2), of as many levels as the block can have. Returns `TotalCoeff( coeff_token )`.
///
/// # Errors
///
/// The error of the coder.
pub fn residual_block_cavlc<C: Coder>(
    coder: &mut C,
    coeff_level: &mut [i16],
    table: usize,
    total_zeros: &'static [[Codeword; 16]],
) -> Result<u8, C::Error> {
    let most = coeff_level.len();
    let mut code = |name, index, descriptor, greatest: usize, value: &mut u32| {
        let element = Element { name, index, descriptor, range: 0..=greatest as i64 };
        coder.element(&element, value)
    };
    // What a coder that writes finds: the levels from the highest frequency down, and the zeros before each.
    let mut levels = [0_i32; 16];
    let mut runs = [0_u32; 16];
    let mut total_coeff = 0;
    for &level in coeff_level.iter().rev() {
        if level != 0 {
            levels[total_coeff] = i32::from(level);
            total_coeff += 1;
        } else if total_coeff > 0 {
            runs[total_coeff - 1] += 1;
        }
    }
    let mut zeros = if total_coeff == 0 { 0 } else { runs.iter().sum() };
    let mut trailing_ones = levels[..total_coeff].iter().take_while(|level| level.abs() == 1).count().min(3);

    let mut coeff_token = token(total_coeff, trailing_ones) as u32;
    code("coeff_token", None, Descriptor::Ce(&COEFF_TOKEN[table]), token(most, 3), &mut coeff_token)?;
    (total_coeff, trailing_ones) = (coeff_token as usize / 4, coeff_token as usize % 4);
    if total_coeff > 0 {
        let mut suffix_length = u32::from(total_coeff > 10 && trailing_ones < 3);
        for (i, level) in levels[..total_coeff].iter_mut().enumerate() {
            if i < trailing_ones {
                let mut sign = u32::from(*level < 0);
                code("trailing_ones_sign_flag", Some(i), Descriptor::U(1), 1, &mut sign)?;
                *level = 1 - 2 * sign as i32;
                continue;
            }
            // 9.2.2.1: what the first level is nearer to zero by, if it cannot be 1 or -1.
            let less = if i == trailing_ones && trailing_ones < 3 { 2 } else { 0 };
            let wanted = if *level == 0 { 0 } else { level_code(*level) - less };
            let (mut prefix, mut suffix) = prefix_and_suffix(wanted, suffix_length);
            code("level_prefix", Some(i), Descriptor::Prefix, 25, &mut prefix)?;
            let size = match (prefix, suffix_length) {
                (14, 0) => 4,
                (15.., _) => prefix - 3,
                _ => suffix_length,
            };
            if size > 0 {
                code("level_suffix", Some(i), Descriptor::U(size), (1 << size) - 1, &mut suffix)?;
            } else {
                suffix = 0;
            }
            let mut level_code = (prefix.min(15) << suffix_length) + suffix + less;
            if prefix >= 15 && suffix_length == 0 {
                level_code += 15;
            }
            if prefix >= 16 {
                level_code += (1 << (prefix - 3)) - 4096;
            }
            let magnitude = (level_code as i32 + 2) >> 1;
            *level = if level_code & 1 == 1 { -magnitude } else { magnitude };
            suffix_length = suffix_length.max(1);
            if magnitude > 3 << (suffix_length - 1) && suffix_length < 6 {
                suffix_length += 1;
            }
        }
        if total_coeff < most {
            let greatest = most - total_coeff;
            code("total_zeros", None, Descriptor::Ce(&total_zeros[total_coeff]), greatest, &mut zeros)?;
        } else {
            zeros = 0;
        }
        let mut zeros_left = zeros;
        for (i, run) in runs[..total_coeff - 1].iter_mut().enumerate() {
            if zeros_left > 0 {
                let table = Descriptor::Ce(&RUN_BEFORE[zeros_left.min(7) as usize]);
                code("run_before", Some(i), table, zeros_left as usize, run)?;
            } else {
                *run = 0;
            }
            zeros_left -= *run;
        }
        runs[total_coeff - 1] = zeros_left;
    }
    // What a coder that reads has found.
    coeff_level.fill(0);
    let mut place = total_coeff + zeros as usize;
    for (level, run) in levels[..total_coeff].iter().zip(runs) {
        place -= 1;
        coeff_level[place] = *level as i16;
        place -= run as usize;
    }
    Ok(total_coeff as u8)
}

/// `level_prefix` and `level_suffix` of `levelCode`.
fn prefix_and_suffix(level_code: u32, suffix_length: u32) -> (u32, u32) {
    if suffix_length == 0 && level_code < 14 {
        return (level_code, 0);
    }
    if suffix_length == 0 && level_code < 30 {
        return (14, level_code - 14);
    }
    let escape = if suffix_length == 0 { 30 } else { 15 << suffix_length };
    if level_code < escape {
        return (level_code >> suffix_length, level_code & ((1 << suffix_length) - 1));
    }
    let prefix = (15..25).find(|prefix| level_code - escape < (1 << (prefix - 2)) - 4096).unwrap_or(25);
    (prefix, level_code - escape + 4096 - (1 << (prefix - 3)))
}
