//! Uses of `sum_in` that are errors.

#[shim::kernel]
fn filtered(#[shape(n)] t: &[f32], n: usize) -> f32 {
    (0..n).filter(|i| i % 2 == 0).map(|i| t[[i]]).sum_in::<f32, 8>()
}

#[shim::kernel]
fn three(#[shape(n)] t: &[f32], n: usize) -> f32 {
    (0..n).map(|i| t[[i]]).sum_in::<f32, 3>()
}

#[shim::kernel]
fn without_a_number(#[shape(n)] t: &[f32], n: usize) -> f32 {
    (0..n).map(|i| t[[i]]).sum_in::<f32>()
}

#[shim::kernel]
fn of_another_type(#[shape(n)] t: &[f32], n: usize) -> String {
    (0..n).map(|i| t[[i]].to_string()).sum_in::<String, 8>()
}

#[shim::kernel]
fn under_a_word(#[shape(h, w)] t: &[f32], h: usize, w: usize) -> f32 {
    let mut sum = 0.0;
    #[parallel]
    for y in 0..h {
        for x in 0..w {
            sum += t[[y, x]];
        }
    }
    sum
}

fn main() {}
