//! Orders of loops and of memory. `SHIM_SCHEDULE=none` builds this program anew, and no other test of the language.

#[path = "../common/mod.rs"]
mod common;

mod algebra;
mod callers_memory;
mod chains;
mod columns;
mod composed;
mod copies;
mod cuts;
mod lags;
mod lanes;
mod natural;
mod nests;
mod orders;
mod parallel;
mod phases;
mod registers;
mod rings;
mod scans;
mod stage_values;
mod stored;
mod sums;
mod tables;
mod triangles;
mod unchanged;
