//! The kernel suite as Criterion benchmarks: each kernel staged and by hand, with reports in `target/criterion`.
//!
//! `cargo bench -p shim-benches --bench criterion [-- [PART OF A NAME] [--save-baseline NAME] [--baseline NAME]]`. To
//! compare with an earlier commit, save a baseline there. For ratios of two versions `--bench kernels` is the better
//! tool: it interleaves them, see `shim_benches::measure`.

use criterion::{BenchmarkId, Criterion};
use shim_benches::case::{Case, Random};
use shim_benches::for_each_case;

fn main() {
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    let mut criterion = Criterion::default().configure_from_args();
    macro_rules! measure {
        ($($case:ty,)*) => {$({
            let mut group = criterion.benchmark_group(<$case as Case>::NAME);
            let mut case = <$case as Case>::measured(&mut Random::new(1));
            group.bench_function(BenchmarkId::from_parameter("staged"), |bencher| bencher.iter(|| case.staged()));
            group.bench_function(BenchmarkId::from_parameter("hand"), |bencher| bencher.iter(|| case.hand()));
            group.finish();
        })*};
    }
    for_each_case!(measure);
    criterion.final_summary();
}
