//! What precedes the coded data of a scan (T.81 B.2.3): Huffman tables, the restart interval and the scan header.

use alloc::vec::Vec;

use crate::entropy::optimal;
use crate::format::frame::{Frame, MAX_COMPONENTS};
use crate::format::marker;
use crate::format::restart::Restart;
use crate::format::script::ScanSpec;
use crate::kernels::tables::{
    CHROMINANCE_AC, CHROMINANCE_DC, HuffmanSpecification, LUMINANCE_AC, LUMINANCE_DC,
};
use crate::kernels::tokens::VALUES;
use crate::pipeline::plan::Plan;

/// Ri of a scan.
pub(crate) fn restart_interval(frame: &Frame, spec: &ScanSpec, restart: Restart) -> u16 {
    restart.interval(match spec.components[..] {
        [c] => frame.components[usize::from(c)].blocks_wide,
        _ => frame.mcus_wide(),
    })
}

/// Everything between the scans `before` and the coded data of `spec`: its Huffman `tables` unless they are the
/// standard ones and an earlier scan has them, or the conditioning of arithmetic coding; the restart interval if it
/// changes; and the header of the scan.
pub(crate) fn scan_header(
    plan: &Plan,
    spec: &ScanSpec,
    before: &[ScanSpec],
    tables: &[HuffmanTable],
) -> Vec<u8> {
    let mut header = Vec::new();
    if plan.arithmetic {
        let mut own = [(0, 0), (1, 0), (0, 1), (1, 1)].to_vec();
        own.retain(|table| used_tables(plan, spec).any(|used| used == *table));
        marker::arithmetic_conditioning(&mut header, &own);
    }
    for HuffmanTable { class, destination, specification } in tables {
        let there = |scan: &ScanSpec| used_tables(plan, scan).any(|used| used == (*class, *destination));
        if plan.optimized || !before.iter().any(there) {
            marker::huffman_table(&mut header, *class, *destination, specification);
        }
    }
    let interval = restart_interval(&plan.frame, spec, plan.restart);
    if interval != before.last().map_or(0, |scan| restart_interval(&plan.frame, scan, plan.restart)) {
        marker::restart_interval(&mut header, interval);
    }
    marker::start_of_scan(&mut header, &plan.frame, spec);
    header
}

/// A Huffman table of a scan.
pub(crate) struct HuffmanTable {
    /// Tc: 0 for DC, 1 for AC.
    pub(crate) class: u8,
    /// Th.
    pub(crate) destination: u8,
    pub(crate) specification: HuffmanSpecification,
}

/// Tc and Th of the tables that a scan uses, in the order of the components; some more than once.
fn used_tables(plan: &Plan, spec: &ScanSpec) -> impl Iterator<Item = (u8, u8)> {
    let classes = [spec.ss == 0 && !spec.refines(), spec.se > 0];
    spec.components.iter().flat_map(move |&c| {
        let destination = plan.frame.components[usize::from(c)].table;
        (0..).zip(classes).filter(|&(_, used)| used).map(move |(class, _)| (class, destination))
    })
}

/// The tables that a scan uses: those made for symbols that occur as often as `times` says, or the standard ones.
pub(crate) fn tables(plan: &Plan, spec: &ScanSpec, times: Option<&[u64; VALUES]>) -> Vec<HuffmanTable> {
    let mut tables: Vec<HuffmanTable> = Vec::with_capacity(MAX_COMPONENTS);
    for (class, destination) in used_tables(plan, spec) {
        if tables.iter().any(|table| (table.class, table.destination) == (class, destination)) {
            continue;
        }
        let specification = match times {
            Some(times) => optimal::table(&times.as_chunks().0[usize::from(2 * class + destination)]),
            None => STANDARD[usize::from(class)][usize::from(destination)].clone(),
        };
        tables.push(HuffmanTable { class, destination, specification });
    }
    tables
}

/// The standard tables by class and destination.
static STANDARD: [[&HuffmanSpecification; 2]; 2] =
    [[&LUMINANCE_DC, &CHROMINANCE_DC], [&LUMINANCE_AC, &CHROMINANCE_AC]];
