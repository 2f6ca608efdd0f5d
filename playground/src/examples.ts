// The files themselves: what the page shows is what the tests run.
import bayer from "../../examples/bayer.rs?raw";
import blur from "../../examples/blur.rs?raw";
import cholesky from "../../examples/cholesky.rs?raw";
import dct from "../../examples/dct.rs?raw";
import search from "../../examples/motion_search.rs?raw";
import paths from "../../examples/shortest_paths.rs?raw";
import verticalRight from "../../examples/vertical_right.rs?raw";
import schedules from "../../pipelines/src/blur.rs?raw";
import equalize from "../../pipelines/src/equalize.rs?raw";
import bilateral from "../../pipelines/src/bilateral.rs?raw";
import planes from "../../shim-h264/src/kernels/inter/planes.rs?raw";
import searchH264 from "../../shim-h264/src/kernels/inter/search.rs?raw";
import quantize from "../../shim-jpeg/src/kernels/quantize.rs?raw";
import trellis from "../../shim-jpeg/src/kernels/trellis.rs?raw";
import unsharp from "../../pipelines/src/unsharp.rs?raw";

/** Files to begin with, by their names. */
export const EXAMPLES: Record<string, string> = {
  Blur: blur,
  "A pipeline with schedules": schedules,
  "Bayer mosaic": bayer,
  "Bilateral grid": bilateral,
  Cholesky: cholesky,
  "Cosine transform": dct,
  "Histogram equalization": equalize,
  "Intra prediction: vertical-right": verticalRight,
  "Motion search": search,
  "Shortest paths": paths,
  Unsharp: unsharp,
  "H.264: half-sample planes": planes,
  "H.264: motion search": searchH264,
  "JPEG: quantization": quantize,
  "JPEG: trellis": trellis,
  "Tiles and lanes": `use shim::prelude::*;

#[shim::kernel(simd)]
fn product(
    #[shape(h, n)] a: &[f32],
    #[shape(n, w)] b: &[f32],
    #[shape(h, w)] c: &mut [f32],
    [h, n, w]: [usize; 3],
) {
    #[tile(8, 32)]
    #[reorder(i, k, j)]
    for i in 0..h {
        for j in 0..w {
            for k in 0..n {
                c[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
}
`,
  "An access that is tested": `use shim::prelude::*;

// \`checks = "hoisted"\` forbids a test in a loop; \`Block::external(at, [n])\` is the way out.
#[shim::kernel(checks = "hoisted")]
fn chosen(#[shape(n)] values: &[u32], at: &[u32], n: usize) -> u32 {
    let at = Block::external(at, [at.len()]);
    let mut sum = 0;
    for i in 0..n {
        if values[[i]] > 3 {
            sum += at[[i]];
        }
    }
    sum
}
`,
};
