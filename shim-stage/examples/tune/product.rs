//! A workload for the tuner: the product of two matrices.

/// The formula.
#[shim::kernel(simd)]
fn product(
    #[shape(h, n)] a: &[f32],
    #[shape(n, w)] b: &[f32],
    #[shape(h, w)] c: &mut [f32],
    [h, n, w]: [usize; 3],
) {
    #[reorder(i, j, k)]
    for [i, j] in c.indices() {
        for k in 0..n {
            c[[i, j]] += a[[i, k]] * b[[k, j]];
        }
    }
}

/// What is timed.
pub fn workload() -> impl FnMut() {
    let side = 512;
    let (a, b, mut c) = (vec![1.0; side * side], vec![2.0; side * side], vec![0.0; side * side]);
    move || product(&a, &b, &mut c, [side; 3])
}
