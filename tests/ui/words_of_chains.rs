//! Words before statements whose chains they do not apply to.

#[shim::kernel]
fn of_no_chain(#[shape(n)] t: &mut [i32], n: usize) -> i32 {
    #[lanes(8)]
    let sum = t[[0]] + 1;
    #[tile([8])]
    t[[1]] = 3;
    sum
}

#[shim::kernel]
fn of_the_greatest(#[shape(n)] t: &[i32], n: usize) -> Option<i32> {
    #[lanes(8)]
    let most = (0..n).map(|i| t[[i]]).max();
    most
}

#[shim::kernel]
fn of_a_fold(#[shape(n)] t: &[i32], n: usize) -> i32 {
    #[parallel]
    let all = (0..n).fold(0, |all, i| all ^ t[[i]]);
    all
}

#[shim::kernel]
fn of_partial_sums(#[shape(n)] t: &[f32], n: usize) -> f32 {
    #[lanes(8)]
    let sum = (0..n).map(|i| t[[i]]).sum_in::<f32, 8>();
    sum
}

#[shim::kernel]
fn of_floats(#[shape(n)] t: &[f32], n: usize) -> f32 {
    #[lanes(8)]
    let sum = (0..n).map(|i| t[[i]]).sum::<f32>();
    sum
}

#[shim::kernel]
fn without_a_type(#[shape(n)] t: &[i32], n: usize) -> i32 {
    #[parallel]
    let sum: i32 = (0..n).map(|i| t[[i]]).sum();
    sum
}

#[shim::kernel]
fn of_what_depends(#[shape(n)] t: &mut [i32], n: usize) {
    #[parallel]
    (1..n).for_each(|i| t[[i]] = t[[i - 1]]);
}

#[shim::kernel]
fn unrolled_and_ordered(#[shape(8)] t: &[i32]) -> i32 {
    #[lanes(4)]
    #[unroll]
    let sum = (0..8).map(|i| t[[i]]).sum::<i32>();
    sum
}

#[shim::kernel]
fn fused(#[shape(n)] t: &mut [i32], n: usize) -> i32 {
    #[fuse]
    let sum = (0..n).map(|i| t[[i]]).sum::<i32>();
    for i in 0..n {
        t[[i]] = 1;
    }
    sum
}

fn main() {}
