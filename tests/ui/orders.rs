//! Orders of loops that change the result, or that are none.

use shim::prelude::*;

fn log(_: u32) {}

#[shim::kernel]
fn dependences(#[shape(h, w)] t: &mut [u32], #[shape(h)] sums: &mut [u32], h: usize, w: usize) {
    let zero = t.boundary(Fill(0));
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x + 1]];
    }
    #[reorder(x, y)]
    for [y, x] in t.indices() {
        t[[y, x]] += zero[[y - 1, x + 1]];
    }
    #[wavefront(y + x)]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y - 1, x + 1]];
    }
    #[order(row_major.reversed())]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[y, x - 1]];
    }
    #[order(antidiagonal)]
    for [y, x] in t.indices() {
        t[[y, x]] = zero[[x, y]];
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        sums[[y]] = t[[y, x]];
    }
    let mirrored = t.boundary(Mirror);
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        t[[y, x]] = mirrored[[y, x - 1]];
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        t[[y, 2 * x]] = 1;
        t[[y, x]] = 2;
    }
}

#[shim::kernel]
fn scalars(#[shape(h, w)] t: &[f32], list: &mut Vec<f32>, h: usize, w: usize) -> f32 {
    let mut sum: f32 = 0.0;
    let mut last: u32 = 0;
    let mut count: u32 = 0;
    let mut bits: u32 = 0;
    let mut seen = [0u32; 4];
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        sum += t[[y, x]];
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        last = x as u32;
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        count += 1;
        log(count);
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        count += bits;
        bits |= 1 << (x % 32);
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        seen[(x % 4) as usize] = y as u32;
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        let seen = &mut seen;
        seen[0] += 1;
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        list.push(t[[y, x]]);
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        if t[[y, x]] > 1.0 {
            return t[[y, x]];
        }
    }
    #[tile([8, 8])]
    for [y, x] in t.indices() {
        if x == 3 {
            let bits = 2;
        }
        bits ^= 4;
        count -= 1;
    }
    sum + last as f32 + count as f32 + bits as f32
}

#[shim::kernel]
fn carried(#[shape(n)] a: &[i32], #[shape(n)] b: &mut [i32], n: usize) -> i32 {
    let (mut most, mut float): (i32, f32) = (0, 0.0);
    #[order(row_major.reversed())]
    for k in 0..n {
        most = most.max(a[[k]]);
        most += 1;
    }
    #[order(row_major.reversed())]
    for k in 0..n {
        most = most.max(most - a[[k]]);
    }
    #[order(row_major.reversed())]
    for k in 0..n {
        float = float.max(a[[k]] as f32);
    }
    #[pure(log)]
    #[order(row_major.reversed())]
    for k in 0..n {
        log(3);
        other(4);
    }
    most
}

#[shim::kernel]
fn attributes(#[shape(h, w)] t: &mut [u32], #[shape(4, 4)] s: &mut [u32], h: usize, w: usize) {
    #[tile]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[tile([8, 8], cut)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[tile(8, 8)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[tile(sizes)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[tile([h, 8])]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[reorder]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[wavefront(y * x)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[unroll()]
    for y in 0..h {
        t[[y, 0]] = 1;
    }
    #[unroll(2)]
    for y in 0..h {
        if t[[y, 0]] > 7 {
            continue;
        }
        t[[y, 0]] = 1;
    }
    #[tile([8])]
    while t[[0, 0]] > 1 {
        t[[0, 0]] -= 1;
    }
    #[tile([8])]
    for y in (0..h).filter(|y| y % 2 == 0) {
        t[[y, 0]] = 1;
    }
    #[unroll]
    #[order(zigzag)]
    #[tile([2, 2])]
    for [y, x] in s.indices() {
        s[[y, x]] = 1;
    }
    #[unroll]
    #[reorder(x)]
    for [y, x] in s.indices() {
        s[[y, x]] = 1;
    }
    #[tile([2, 2])]
    let a = 1;
    #[tile([2, 2])]
    t[[0, 0]] = 1;
    let hilbert = Block::heap::<u8>([h, w]).stored(tile([4, 4]).outer(hilbert));
    s[[0, 0]] = a + u32::from(hilbert[[h, w]]);
}

#[shim::kernel]
fn copies(#[shape(4, 4)] s: &mut [u32], sum: &mut u32) {
    #[unroll]
    #[order(zigzag)]
    for [y, x] in s.indices() {
        s[[y, x]] = s[[x, y]];
    }
    #[unroll]
    #[order(hilbert)]
    for [y, x] in s.indices() {
        s[[0, (y * x % 4) as usize]] = s[[y, x]];
    }
    let mut last = 0;
    #[unroll]
    #[order(zigzag)]
    for [y, x] in s.indices() {
        last = s[[y, x]];
    }
    #[unroll]
    #[order(zigzag)]
    for [y, x] in s.indices() {
        if s[[y, x]] == last {
            return;
        }
    }
    *sum = last;
}

#[shim::kernel]
fn words(#[shape(h, w)] t: &mut [u32], #[shape(4, 4)] s: &mut [u32], h: usize, w: usize) {
    #[tile([8])]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[reorder(x)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[reorder(x, z)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[reorder(x, x)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[wavefront(y + 2 * x)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[order(zigzag)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[order(column_major)]
    #[reorder(x, y)]
    for [y, x] in s.indices() {
        s[[y, x]] = 1;
    }
    #[tile([4, 4])]
    #[unroll(x)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[tile([32, 32], peel)]
    #[unroll(y, x)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[unroll(x)]
    #[tile([4, 4])]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[tile([8, 8], shift)]
    for [y, x] in t.indices() {
        t[[y, x]] += 1;
    }
}

#[shim::kernel]
fn arguments(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
    #[tile([8, 0])]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[order(axes([0, 2]))]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[order(axes([0, 0]))]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[order(tile([2, 2]).outer(axes([1, 1])))]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[order(tile([65537, 1]).reversed())]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[order(lanes(0))]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    #[wavefront(1025 * y + x)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
}

#[shim::kernel]
fn numbers(#[shape(n)] a: &mut [u32], n: usize) {
    #[unroll(0)]
    for k in 0..n {
        a[[k]] = 1;
    }
    #[unroll(1000)]
    for k in 0..n {
        a[[k]] = 1;
    }
    #[tile([9223372036854775807])]
    for k in 0..n {
        a[[k]] = 1;
    }
    #[tile([-4])]
    for k in 0..n {
        a[[k]] = 1;
    }
}

#[shim::kernel]
fn nests(#[shape(h, w)] t: &mut [u32], #[shape(w)] line: &mut [u32], h: usize, w: usize) {
    #[reorder(x, y)]
    for y in 0..h {
        line[[0]] = 1;
        for x in 0..w {
            t[[y, x]] = 1;
        }
    }
    #[reorder(x, y)]
    for y in 0..h {
        for x in 0..line.extent(0) + h.count_ones() as usize {
            t[[y, x]] = 1;
        }
    }
    #[reorder(x, y)]
    for y in 0..h {
        #[tile([4])]
        for x in 0..w {
            t[[y, x]] = 1;
        }
    }
    #[reorder(y, x, z)]
    for y in 0..h {
        for x in 0..w {
            t[[y, x]] = 1;
        }
    }
    #[reorder(x, y)]
    for y in 0..h {
        for x in 0..w {
            line[[x]] = y as u32;
            t[[y, x]] = line[[0]];
        }
    }
    #[reorder(x, y)]
    for y in 1..h {
        for x in (0..w).rev() {
            t[[y, x]] = t[[y - 1, x]] + if x + 1 < w { t[[y - 1, x + 1]] } else { 0 };
        }
    }
    #[order(row_major.reversed())]
    for y in 0..h {
        t[[0, 0]] = y as u32;
    }
    #[tile([4, 4])]
    for y in 0..h {
        for x in 0..w {
            line[[x + y]] = t[[y, x]];
        }
    }
    #[tile([4])]
    for x in 3..w {
        line[[x / 2]] = line[[x / 2 - 1]];
    }
    #[order(row_major.reversed())]
    for x in 0..w / 2 {
        line[[2 * x]] = line[[x]];
    }
}

#[shim::kernel]
fn fused_names(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) -> u32 {
    let (mut sum, mut last): (u32, u32) = (0, 0);
    #[fuse]
    for k in 0..n {
        sum += a[[k]];
    }
    for k in 0..n {
        b[[k]] = sum;
    }
    #[fuse]
    for k in 0..n {
        b[[k]] = last;
    }
    for k in 0..n {
        last = a[[k]];
    }
    #[fuse]
    #[order(row_major.reversed())]
    for k in 0..n {
        b[[k]] = 1;
    }
    for k in 0..n {
        last = last * 3 + a[[k]];
    }
    #[fuse]
    for k in 0..n {
        b[[k]] = 1;
    }
    let next = sum + last;
    next
}

#[shim::kernel]
fn fused(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    let ahead = a.boundary(Fill(0));
    #[fuse]
    for k in 0..n {
        a[[k]] += 1;
    }
    for k in 0..n {
        b[[k]] = ahead[[k + 1]];
    }
    #[fuse]
    for k in 0..n {
        b[[k]] = ahead[[k]];
    }
    for k in 0..n {
        a[[k + 1 - 1]] = b[[n - 1 - k]];
    }
    #[fuse]
    for k in 0..n {
        b[[k]] = 1;
    }
    for k in 1..n {
        a[[k]] = 2;
    }
    #[fuse]
    for k in 0..n {
        b[[k]] = 1;
    }
    #[tile([4])]
    for k in 0..n {
        a[[k]] = 2;
    }
}

#[shim::kernel]
fn repeated(#[shape(h, w)] t: &mut [u32], #[shape(h)] line: &mut [u32], h: usize, w: usize) -> u32 {
    let mut sum: u32 = 0;
    #[tile([8, 8], shift)]
    for [y, x] in t.indices() {
        sum += t[[y, x]];
    }
    #[fuse]
    #[tile([8, 8], shift)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
    }
    for [y, x] in t.indices() {
        sum += 1;
    }
    line[[0]] = sum;
    sum
}

#[shim::kernel]
fn repeated_elements(#[shape(h, w)] t: &mut [u32], #[shape(h)] line: &mut [u32], h: usize, w: usize) {
    #[tile([8, 8], shift)]
    for [y, x] in t.indices() {
        line[[y]] = x as u32;
    }
    #[tile([8, 8], shift)]
    for [y, x] in t.indices() {
        t[[y, x]] = 1;
        line[[y]] = t[[y, x]];
    }
    #[tile([8, 8], shift)]
    for [y, x] in t.indices() {
        let block = t[[y.., x..]];
        block[[0, 0]] *= 3;
    }
}

/// Elements at places that are data, of pointers that may overlap, and in a closure.
#[shim::kernel]
unsafe fn unknown(#[shape(n)] a: *mut u32, #[shape(n)] b: *const u32, #[shape(n)] at: &[usize], n: usize) {
    #[order(row_major.reversed())]
    for k in 0..n {
        a[[at[[k]]]] = 1;
    }
    #[order(row_major.reversed())]
    for k in 0..n {
        a[[k]] = b[[k]];
    }
    #[order(row_major.reversed())]
    for k in 0..n {
        let place = (k * k) % 7;
        a[[place]] = k as u32;
    }
    let first = || a[[0]];
    #[order(row_major.reversed())]
    for k in 0..n {
        a[[k]] = first();
    }
}

#[shim::kernel]
fn left(#[shape(n)] a: &mut [u32], #[shape(n)] b: &mut [u32], n: usize) {
    #[fuse]
    for k in 0..n {
        a[[k]] = 1;
    }
    for k in 0..n {
        if a[[k]] > 3 {
            return;
        }
        b[[k]] = 1;
    }
}

#[shim::kernel]
fn misspelled(#[shape(n)] b: &mut [i32], n: usize) {
    #[order(row_major.reversed())]
    #[pure]
    for k in 0..n {
        b[[k]] = 1;
    }
    #[fuse(2)]
    for k in 0..n {
        b[[k]] = 1;
    }
}

/// Few points, which are compared one by one: pointers may overlap, and a rule gives another element than the one at the index.
#[shim::kernel]
unsafe fn few(#[shape(4)] a: *mut u32, #[shape(4)] b: *const u32, #[shape(4)] t: &mut [u32]) {
    #[order(row_major.reversed())]
    for k in 0..4 {
        a[[k]] = b[[k]];
    }
    let near = t.boundary(Clamp);
    #[order(row_major.reversed())]
    for k in 0..4 {
        t[[k]] = near[[k + 3]];
    }
}

fn main() {}
