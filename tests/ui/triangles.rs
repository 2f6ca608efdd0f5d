//! Words over loops whose bounds mention outer variables, where they say no.

#[shim::kernel]
fn shifted(#[shape(n, n)] t: &mut [u32], n: usize) {
    #[tile([4, 4], shift)]
    for i in 0..n {
        for j in 0..=i {
            t[[i, j]] = 1;
        }
    }
}

#[shim::kernel]
fn in_fronts(#[shape(n, n)] t: &mut [u32], n: usize) {
    #[wavefront(i + j)]
    for i in 0..n {
        for j in i..n {
            t[[i, j]] = 1;
        }
    }
}

#[shim::kernel]
fn on_a_curve(#[shape(8, 8)] t: &mut [u32; 64]) {
    #[order(hilbert)]
    for i in 0..8 {
        for j in i..8 {
            t[[i, j]] = 1;
        }
    }
}

#[shim::kernel]
fn of_a_quotient(#[shape(n, n)] t: &mut [u32], n: usize) {
    #[reorder(j, i)]
    for i in 0..n {
        for j in 0..i / 2 {
            t[[i, j]] = 1;
        }
    }
}

#[shim::kernel]
fn in_steps(#[shape(n, n)] t: &mut [u32], n: usize) {
    #[reorder(j, i)]
    for i in 0..n {
        for j in (i..n).step_by(2) {
            t[[i, j]] = 1;
        }
    }
}

#[shim::kernel]
fn bound_in_between(#[shape(n, n)] t: &mut [u32], ends: &[usize], n: usize) {
    #[reorder(j, i)]
    for i in 0..n {
        let end = ends[i];
        for j in 0..end {
            t[[i, j]] = 1;
        }
    }
}

#[shim::kernel]
fn sums(#[shape(n, n)] t: &[u32], #[shape(n)] s: &mut [u32], n: usize) {
    #[reorder(j, i)]
    for i in 0..n {
        let mut sum = 0;
        for j in 0..=i {
            sum += t[[i, j]];
        }
        s[[i]] = sum;
    }
}

#[shim::kernel]
fn changed_in_between(#[shape(n, n)] t: &mut [u32], n: usize) {
    #[reorder(j, i)]
    for i in 0..n {
        let first = t[[i, 0]];
        for j in 0..=i {
            t[[i, j]] += first;
        }
    }
}

#[shim::kernel]
fn carried(#[shape(n, n)] t: &mut [u32], n: usize) {
    #[reorder(j, i)]
    for i in 1..n {
        for j in 0..i {
            t[[i, j]] = t[[i - 1, j + 1]];
        }
    }
}

#[shim::kernel]
fn unrolled(#[shape(n, n)] t: &mut [u32], n: usize) {
    #[tile([4, 4])]
    #[unroll(j)]
    for i in 0..n {
        for j in 0..=i {
            t[[i, j]] = 1;
        }
    }
}

fn main() {}
