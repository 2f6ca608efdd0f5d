//! The closure of a stage is one to rustc as well.

use shim::prelude::*;

#[shim::kernel]
fn captured_slice(#[shape(n)] a: &[u32], n: usize, m: &mut [u32]) -> u32 {
    let s = stage(|[i]| a[[i]] * m[0]);
    let first = s[[0]];
    m[0] = 7;
    first + s[[1]]
}

#[shim::kernel]
fn captured_in_memory(#[shape(n)] a: &[u32], n: usize, m: &mut Vec<u32>) -> u32 {
    #[compute_at('row)]
    let s = stage::<u32>(|[i]| a[[i]] ^ m[0]);
    let mut sum = 0;
    'row: for i in 0..n {
        sum += s[[i]];
        m.push(sum);
    }
    sum
}

#[shim::kernel]
fn variable_that_changes(#[shape(n)] a: &[u32], n: usize, mut k: u32) -> u32 {
    let s = stage(|[i]| a[[i]] + k);
    let first = s[[0]];
    k += 1;
    first + s[[1]] + k
}

#[shim::kernel]
fn change_of_a_variable(#[shape(n)] a: &[u32], n: usize) -> u32 {
    let mut count = 0;
    let s = stage(|[i]| {
        count += 1;
        a[[i]]
    });
    s[[0]] + count
}

#[shim::kernel]
fn moved(#[shape(n)] a: &[u32], n: usize, m: Vec<u32>) -> u32 {
    let s = stage::<u32>(|[i]| {
        let own = m;
        a[[i]] + own[0]
    });
    s[[0]]
}

#[shim::kernel]
fn another_type_of_index(#[shape(n)] a: &[u32], n: usize) -> u32 {
    let s = stage(|[i]: [u8; 1]| a[[i]]);
    s[[0]]
}

#[shim::kernel]
fn another_type_of_value(#[shape(n)] a: &[u32], n: usize) -> u32 {
    let s = stage(|[i]| -> u8 { a[[i]] });
    s[[0]]
}

#[shim::kernel]
fn jump_out_of_it(#[shape(n)] a: &[u32], n: usize) -> u32 {
    let mut sum = 0;
    'row: for i in 0..n {
        let s = stage(|[k]| {
            if a[[k]] == 0 {
                continue 'row;
            }
            a[[k]]
        });
        sum += s[[i]];
    }
    sum
}

#[shim::kernel]
fn under_a_condition(#[shape(n)] a: &[u32], n: usize) -> u32 {
    #[cfg(target_os = "linux")]
    let s = stage(|[i]| a[[i]]);
    s[[0]]
}

fn main() {}
