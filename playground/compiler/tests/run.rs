//! Kernels that run in the page have the values of the compiled ones.

#[allow(dead_code, reason = "only its kernel is called")]
#[path = "../../../examples/bayer.rs"]
mod bayer;
#[allow(dead_code, reason = "only its kernel is called")]
#[path = "../../../examples/blur.rs"]
mod blur;
#[allow(dead_code, reason = "only its kernel is called")]
#[path = "../../../examples/dct.rs"]
mod dct;

use serde_json::{Map, Value, json};
use shim_playground::run::{Outcome, run};

/// Noise that is the same each time.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let step = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(step).collect()
}

fn arguments(arguments: Value) -> Map<String, Value> {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    arguments
}

fn after<'o>(outcome: &'o Outcome, name: &str) -> &'o Value {
    assert!(outcome.panic.is_none() && outcome.error.is_none(), "{:?} {:?}", outcome.panic, outcome.error);
    let argument = outcome.arguments.iter().find(|own| own.name == name).expect("an argument");
    argument.after.as_ref().expect("it is written")
}

#[test]
fn the_blur_of_a_picture_is_that_of_the_compiled_kernel() {
    for (h, w) in [(1, 1), (2, 5), (40, 56), (0, 3)] {
        let picture = noise(h * w);
        let mut expected = vec![0; h * w];
        blur::blur(&picture, h, w, &mut expected);
        let given = arguments(json!({ "h": h, "w": w, "src": picture }));
        let outcome = run(include_str!("../../../examples/blur.rs"), "blur", 0, &given);
        assert_eq!(after(&outcome, "dst"), &json!(expected), "{h}x{w}");
    }
}

#[test]
fn a_transform_and_a_mosaic_too() {
    let samples: Vec<f32> = noise(64).into_iter().map(|v| f32::from(v) - 128.0).collect();
    let mut expected = samples.clone();
    dct::dct_8x8(expected.as_mut_slice().try_into().expect("64 samples"));
    let given = arguments(json!({ "block": samples }));
    let outcome = run(include_str!("../../../examples/dct.rs"), "dct_8x8", 0, &given);
    assert_eq!(after(&outcome, "block"), &json!(expected));

    let (h, w) = (5, 7);
    let raw = noise(h * w);
    let mut rgb = vec![0; h * w * 3];
    bayer::demosaic(&raw, h, w, &mut rgb);
    let given = arguments(json!({ "raw": raw, "h": h, "w": w, "rgb": vec![0; h * w * 3] }));
    let outcome = run(include_str!("../../../examples/bayer.rs"), "demosaic", 0, &given);
    assert_eq!(after(&outcome, "rgb"), &json!(rgb));
}

/// Each named schedule computes the same.
#[test]
fn schedules_compute_the_same() {
    let source = include_str!("../../../pipelines/src/unsharp.rs");
    let first = run(source, "unsharp", 0, &Map::new());
    let [_, .., last] = &first.arguments[..] else { panic!("{first:?}") };
    for schedule in 1..4 {
        let other = run(source, "unsharp", schedule, &Map::new());
        assert_eq!(after(&other, &last.name), after(&first, &last.name), "schedule {schedule}");
    }
}

/// The fields of a located struct are arguments by their names.
#[test]
fn a_located_struct_is_its_fields() {
    let source = "#[shim::located]\nstruct Picture {\n    h: usize,\n    w: usize,\n    #[shape(2 * h, 2 * w)]\n    luma: Vec<u8>,\n    #[shape(h, w)]\n    #[coarsened(2, 2)]\n    qp: Vec<u8>,\n    name: String,\n}\n\n#[shim::kernel]\nfn brighten(#[located] picture: &mut Picture, least: u8) {\n    for [y, x] in picture.luma.indices() {\n        if picture.qp[picture.luma][[y, x]] >= least {\n            picture.luma[[y, x]] = picture.luma[[y, x]].saturating_add(8);\n        }\n    }\n}\n";
    let given = json!({ "picture.h": 1, "picture.w": 2, "picture.luma": vec![250; 8], "picture.qp": [20, 40], "least": 30 });
    let outcome = run(source, "brighten", 0, &arguments(given));
    assert_eq!(
        after(&outcome, "picture.luma"),
        &json!([250, 250, 255, 255, 250, 250, 255, 255]),
        "{outcome:?}"
    );
    let made_up = run(source, "brighten", 0, &Map::new());
    assert_eq!((made_up.error, made_up.panic), (None, None));
}

/// A place is given as its origin and its extents.
#[test]
fn a_place_is_numbers() {
    let source = "#[shim::kernel]\nfn predicted(#[shape(h, w)] #[at(-4, -4)] padded: &[u8], h: usize, w: usize, #[shape(4, 4)] block: Place<2>, mv: [i16; 2]) -> u8 {\n    let there = block.shifted([mv[0] as isize, mv[1] as isize]).clamped(padded);\n    padded.footprint(there)[[0, 0]]\n}\n";
    let padded: Vec<u8> = (0..144).collect();
    for (mv, result) in [([1, 2], "66"), ([-100, 2], "6")] {
        let given = json!({ "padded": padded, "h": 12, "w": 12, "block": [0, 0, 4, 4], "mv": mv });
        let outcome = run(source, "predicted", 0, &arguments(given));
        assert_eq!(outcome.result.as_deref(), Some(result), "{outcome:?}");
    }
}

/// The body of a kernel that is refused is not run.
#[test]
fn a_kernel_with_errors_does_not_run() {
    let source = "#[shim::kernel]\nfn first(#[shape(n)] v: &[u8], n: usize) -> u8 {\n    v[[0, 0]]\n}\n";
    let outcome = run(source, "first", 0, &Map::new());
    assert_eq!(outcome.error.as_deref(), Some("the page does not run a kernel with errors"));
}

/// Rows of a wavefront run one after the other, as they do without threads.
#[test]
fn a_wavefront_runs() {
    let source = "#[shim::kernel]\nfn ways(#[shape(h, w)] a: &[u32], [h, w]: [usize; 2], #[shape(h, w)] best: &mut [u32]) {\n    let before = best.boundary(Fill(0));\n    #[wavefront(y + x)]\n    #[parallel]\n    #[tile([2, 2])]\n    for [y, x] in a.indices() {\n        best[[y, x]] = a[[y, x]] + before[[y - 1, x]].max(before[[y, x - 1]]);\n    }\n}\n";
    let given = json!({ "a": [1, 2, 3, 4, 5, 6, 7, 8, 9], "h_w": [3, 3], "best": vec![0; 9] });
    let outcome = run(source, "ways", 0, &arguments(given));
    assert_eq!(after(&outcome, "best"), &json!([1, 3, 6, 5, 10, 16, 12, 20, 29]));
}

#[test]
fn a_store_is_noted_with_the_loads_that_it_is_for() {
    let source = "#[shim::kernel]\nfn sums(#[shape(n)] v: &[u8], n: usize, #[shape(n)] out: &mut [u8]) {\n    let v = v.boundary(Clamp);\n    for [i] in out.indices() {\n        out[[i]] = v[[i - 1]] + v[[i + 1]];\n    }\n}\n";
    let outcome = run(source, "sums", 0, &arguments(json!({ "n": 3, "v": [1, 2, 3], "out": [0, 0, 0] })));
    let elements = |step: &Vec<(usize, usize)>| -> Vec<(usize, usize)> {
        step.iter().map(|(access, at)| (outcome.reached[*access].argument, *at)).collect()
    };
    let steps: Vec<_> = outcome.steps.iter().map(elements).collect();
    assert_eq!(steps, [[(2, 0), (0, 0), (0, 1)], [(2, 1), (0, 0), (0, 2)], [(2, 2), (0, 1), (0, 2)]]);
}

#[test]
fn an_index_that_is_outside_is_the_panic_that_it_is() {
    let source = "#[shim::kernel]\nfn sum(#[shape(n)] v: &[u32], n: usize, to: usize) -> u32 {\n    let mut sum = 0;\n    for i in 0..to {\n        sum += v[[i]];\n    }\n    sum\n}\n";
    let outcome = run(source, "sum", 0, &arguments(json!({ "n": 3, "to": 3, "v": [1, 2, 3] })));
    assert_eq!(outcome.result.as_deref(), Some("6"));
    let [reached] = &outcome.reached[..] else { panic!("{:?}", outcome.reached) };
    assert_eq!((reached.from, reached.argument), ([5, 15], 0));
    assert_eq!(reached.offsets.iter().copied().collect::<Vec<_>>(), [0, 1, 2]);
    let outcome = run(source, "sum", 0, &arguments(json!({ "n": 3, "to": 4, "v": [1, 2, 3] })));
    assert_eq!(
        outcome.panic.as_deref(),
        Some("shim: `sum` reaches outside of `v`: index 3 on axis 0, extents [3]")
    );
    let outcome = run(source, "sum", 0, &arguments(json!({ "n": 2, "to": 2, "v": [4_294_967_295_u32, 1] })));
    assert_eq!(outcome.panic.as_deref(), Some("attempt to add with overflow"));
}

#[test]
fn bad_arguments_and_kernels_that_do_not_run_are_errors() {
    let source = include_str!("../../../examples/blur.rs");
    for (given, wanted) in [
        (json!({ "h": "two" }), "`h` without a number"),
        (json!({ "h": 1, "w": 1, "src": [300] }), "300 as `src`, which does not fit its type"),
        (json!({ "h": 4_000_000, "w": 4_000_000 }), "elements"),
    ] {
        let error = run(source, "blur", 0, &arguments(given)).error.expect("an error");
        assert!(error.contains(wanted), "{error}");
    }
    assert!(run(source, "other", 0, &Map::new()).error.is_some());
    assert!(run("fn", "other", 0, &Map::new()).error.is_some());
    let endless = "#[shim::kernel]\nfn endless(n: usize) -> usize {\n    let mut m = n;\n    loop {\n        m = n;\n    }\n}\n";
    let error = run(endless, "endless", 0, &Map::new()).error.expect("an error");
    assert!(error.contains("statements"), "{error}");
}
