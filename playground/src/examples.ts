/** Files to begin with, by their names. */
export const EXAMPLES: Record<string, string> = {
  Blur: `use shim::prelude::*;

#[shim::kernel]
fn blur(#[shape(h, w)] src: &[u8], #[shape(h, w)] out: &mut [u8], [h, w]: [usize; 2]) {
    let near = src.boundary(Clamp);
    for y in 0..h {
        for x in 0..w {
            let mut sum = 0;
            for i in 0..3 {
                for j in 0..3 {
                    sum += near[[y + i - 1, x + j - 1]] as u32;
                }
            }
            out[[y, x]] = (sum / 9) as u8;
        }
    }
}
`,
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
