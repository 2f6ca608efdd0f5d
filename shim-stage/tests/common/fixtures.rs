//! The kernels of `tests/fixtures`, one for each feature of the language.

/// `(name, source)` of every fixture.
pub(crate) const FIXTURES: &[(&str, &str)] = &[
    ("algebra", include_str!("../fixtures/algebra.rs")),
    ("boundary_before", include_str!("../fixtures/boundary_before.rs")),
    ("boundary_block", include_str!("../fixtures/boundary_block.rs")),
    ("boundary_clamp", include_str!("../fixtures/boundary_clamp.rs")),
    ("boundary_rules", include_str!("../fixtures/boundary_rules.rs")),
    ("capture", include_str!("../fixtures/capture.rs")),
    ("cast", include_str!("../fixtures/cast.rs")),
    ("chain_words", include_str!("../fixtures/chain_words.rs")),
    ("checks_every", include_str!("../fixtures/checks_every.rs")),
    ("closures", include_str!("../fixtures/closures.rs")),
    ("colocation", include_str!("../fixtures/colocation.rs")),
    ("coverage", include_str!("../fixtures/coverage.rs")),
    ("ends", include_str!("../fixtures/ends.rs")),
    ("exits", include_str!("../fixtures/exits.rs")),
    ("external", include_str!("../fixtures/external.rs")),
    ("footprint", include_str!("../fixtures/footprint.rs")),
    ("guards", include_str!("../fixtures/guards.rs")),
    ("inclusive", include_str!("../fixtures/inclusive.rs")),
    ("iterators", include_str!("../fixtures/iterators.rs")),
    ("lists", include_str!("../fixtures/lists.rs")),
    ("located_rows", include_str!("../fixtures/located_rows.rs")),
    ("located_tensors", include_str!("../fixtures/located_tensors.rs")),
    ("memory", include_str!("../fixtures/memory.rs")),
    ("method", include_str!("../fixtures/method.rs")),
    ("natural", include_str!("../fixtures/natural.rs")),
    ("nests", include_str!("../fixtures/nests.rs")),
    ("operands", include_str!("../fixtures/operands.rs")),
    ("orders", include_str!("../fixtures/orders.rs")),
    ("partition", include_str!("../fixtures/partition.rs")),
    ("permute", include_str!("../fixtures/permute.rs")),
    ("placement", include_str!("../fixtures/placement.rs")),
    ("pointer", include_str!("../fixtures/pointer.rs")),
    ("prefetch", include_str!("../fixtures/prefetch.rs")),
    ("queries", include_str!("../fixtures/queries.rs")),
    ("ranges", include_str!("../fixtures/ranges.rs")),
    ("reductions", include_str!("../fixtures/reductions.rs")),
    ("refine_coarsen", include_str!("../fixtures/refine_coarsen.rs")),
    ("registers", include_str!("../fixtures/registers.rs")),
    ("rows", include_str!("../fixtures/rows.rs")),
    ("runtime_tensors", include_str!("../fixtures/runtime_tensors.rs")),
    ("select", include_str!("../fixtures/select.rs")),
    ("shadowing", include_str!("../fixtures/shadowing.rs")),
    ("simd", include_str!("../fixtures/simd.rs")),
    ("slice", include_str!("../fixtures/slice.rs")),
    ("statics", include_str!("../fixtures/statics.rs")),
    ("stored", include_str!("../fixtures/stored.rs")),
    ("strided", include_str!("../fixtures/strided.rs")),
    ("template", include_str!("../fixtures/template.rs")),
    ("template_calls", include_str!("../fixtures/template_calls.rs")),
    ("temporaries", include_str!("../fixtures/temporaries.rs")),
    ("transposed", include_str!("../fixtures/transposed.rs")),
    ("triangles", include_str!("../fixtures/triangles.rs")),
    ("uncleared", include_str!("../fixtures/uncleared.rs")),
    ("unroll", include_str!("../fixtures/unroll.rs")),
    ("versions", include_str!("../fixtures/versions.rs")),
    ("walking_up", include_str!("../fixtures/walking_up.rs")),
];

/// The source of a fixture.
///
/// # Panics
/// If there is none of that name.
pub(crate) fn fixture(name: &str) -> &'static str {
    FIXTURES.iter().find(|(own, _)| *own == name).map(|(_, source)| *source).expect("a fixture of that name")
}
