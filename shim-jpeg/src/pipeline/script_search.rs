//! A script of scans that fits an image.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::format::script::ScanSpec;
use crate::pipeline::plan::{MAX_BLOCKS, Plan};
use crate::pipeline::scan::Scan;
use crate::pipeline::token_buffer::TokenBuffer;
use crate::transform::mcu_run::StoredRows;
use shim_codec::pool::Pool;

/// The first coefficients that a scan of their own may have, in the order in which they are tried.
const SPLITS: [u8; 5] = [8, 5, 2, 12, 18];

/// The most bits that are left for later scans.
const MAX_AL: u8 = 3;

/// The fewest rows of MCUs that stand for an image.
const FEWEST_ROWS: usize = 12;

/// One in so many rows is looked at where there are many.
const LARGEST_STEP: usize = 8;

/// The scans of a small progressive file: DC by itself, and for each component the number of bits and the band
/// by which its AC coefficients are divided best, as far as some rows of the image tell.
pub(crate) fn smallest(plan: &Arc<Plan>, rows: StoredRows<'_>, pool: &Pool) -> Result<Vec<ScanSpec>, Error> {
    let all: Vec<u8> = (0..plan.frame.components.len() as u8).collect();
    let mut scans = if plan.frame.blocks_per_mcu() <= MAX_BLOCKS {
        vec![ScanSpec::new(&all, [0, 0], [0, 0])]
    } else {
        all.iter().map(|&c| ScanSpec::new(&[c], [0, 0], [0, 0])).collect()
    };
    let step = (rows.iter().len() / FEWEST_ROWS).clamp(1, LARGEST_STEP);
    let component = |&c: &u8| {
        let mut search = Search { plan, rows, step, memory: None };
        search.component(c)
    };
    for found in pool.map(&all, component) {
        scans.extend(found?);
    }
    Ok(scans)
}

/// A search for a scan script.
struct Search<'a> {
    plan: &'a Arc<Plan>,
    rows: StoredRows<'a>,
    /// Every `step`-th row of MCUs is examined.
    step: usize,
    memory: Option<TokenBuffer>,
}

impl Search<'_> {
    /// The scans of AC coefficients of a component.
    fn component(&mut self, c: u8) -> Result<Vec<ScanSpec>, Error> {
        // How many bits are best left for later, with one split; then the best split, with so many.
        let (mut al, mut refinements) = (0, Vec::new());
        let mut bands = split(c, SPLITS[0], 0);
        let mut bytes = self.bytes(&bands)?;
        let (mut first, mut refined) = (bytes, 0);
        for more in 1..=MAX_AL {
            let refinement = ScanSpec::new(&[c], [1, 63], [more, more - 1]);
            let next = split(c, SPLITS[0], more);
            let next_refined = refined + self.bytes(core::slice::from_ref(&refinement))?;
            let next_first = self.bytes(&next)?;
            if next_first + next_refined >= bytes {
                break;
            }
            (al, first, refined) = (more, next_first, next_refined);
            (bands, bytes) = (next, first + refined);
            refinements.insert(0, refinement);
        }
        for other in SPLITS[1..].iter().map(|&last| split(c, last, al)).chain([whole(c, al)]) {
            let other_bytes = self.bytes(&other)?;
            if other_bytes < first {
                (first, bands) = (other_bytes, other);
            }
        }
        bands.extend(refinements);
        Ok(bands)
    }

    /// About how many bytes scans take.
    fn bytes(&mut self, scans: &[ScanSpec]) -> Result<u64, Error> {
        scans.iter().map(|scan| self.bytes_of_scan(scan)).sum()
    }

    fn bytes_of_scan(&mut self, spec: &ScanSpec) -> Result<u64, Error> {
        let mut scan = Scan::new(self.plan, spec, self.memory.take());
        scan.rows(self.rows.iter().skip(self.step / 2).step_by(self.step))?;
        let tokens = self.memory.insert(scan.emitter);
        Ok(tokens.counts().scan_bytes(self.step as u64))
    }
}

/// Coefficients 1 to `last` and those after it.
fn split(c: u8, last: u8, al: u8) -> Vec<ScanSpec> {
    [[1, last], [last + 1, 63]].map(|band| ScanSpec::new(&[c], band, [0, al])).to_vec()
}

/// All AC coefficients.
fn whole(c: u8, al: u8) -> Vec<ScanSpec> {
    vec![ScanSpec::new(&[c], [1, 63], [0, al])]
}
