use shim::algebra::{add, compress, inner, omega, outer, pack, reduce, scan};
use shim::prelude::*;

#[shim::kernel]
fn axes(#[shape(3, 4)] t: &[i32], #[shape(3, 5)] u: &[i32], #[shape(4)] v: &[i32]) -> i32 {
    let a = t.rev(2);
    let b = t.rotate([1]);
    let c = t.cat(2, t);
    let d = t.cat(0, u);
    let e = t.cat(1, v);
    let f = t.windows([2]);
    let g = t.gather(3, &[0]);
    let h = t.take([1, 2, 3]);
    let i = t.psi([0, 1]);
    let j = t.psi([0, 1, 2]);
    a[[0, 0]] + b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, 0]] + f[[0, 0]] + g[[0, 0]] + h[[0, 0]] + i[[0]] + j[[0]]
}

#[shim::kernel]
fn numbers(#[shape(3, 4)] t: &[i32], n: isize, list: &[usize]) -> i32 {
    let a = t.take([n]);
    let b = t.drop([n - 1, 2]);
    let c = t.reshape([5, 2]);
    let d = t.cycled([]);
    let e = t.windows([-1, 2]);
    let f = t.take([0, 0]).cycled([2]);
    let g = t.gather(0, t);
    let h = t.rotate(n);
    let i = t.take(n);
    a[[0, 0]] + b[[0, 0]] + c[[0, 0]] + d[[0]] + e[[0, 0, 0, 0]] + f[[0]] + g[[0, 0]] + h[[0, 0]] + i[[0, 0]]
}

#[shim::kernel]
fn copies(#[shape(h, w)] t: &[i32], h: usize, w: usize, rows: &[&[i32]]) -> i32 {
    let tiles = Block::stack::<i32>([8, 8]).stored(tile([4, 4]));
    let a = tiles.rev(0);
    let b = t.boundary(Clamp).rev(0);
    let c = t.cast::<i64>().cat(0, t);
    let d = t.cat(0, t).ravel();
    let e = t[[.., 1..w]].reshape([w - 1, h]);
    let f = Block::external(rows, [h, w]).rev(1);
    let g = t.refine([2, 2]).rev(0);
    let i = t.gather(0, &[0]).rev(0);
    let j = Block::external(rows[0], [4, |i| i + 1]).rotate([1, 0]);
    let k = t.rotate([1, 2]).rotate([3, 4]).rotate([5, 6]);
    a[[0, 0]] + b[[0, 0]] + d[[0]] + e[[0, 0]] + f[[0, 0]] + g[[0, 0]] + i[[0, 0]] + j[[0, 0]] + k[[0, 0]]
}

#[shim::kernel]
fn points(#[shape(3, 4)] t: &[i32]) -> i32 {
    let mut sum = 0;
    for p in t.indices() {
        let q = p.insert(3, 0);
        let r = p.remove(2);
        let s = p.with(0);
        let u = p.join(7);
        let v = p.first(3);
        sum += t[p.remove(0).join(p)];
        sum += t[p.last(0)];
    }
    sum
}

#[shim::kernel]
fn ranks(#[shape(3, 4)] t: &[i32], #[shape(4)] row: &mut [i32], #[shape(3, 4)] other: &mut [i32], #[shape(3)] mask: &[bool]) {
    reduce::<_, 0, _>(add, 0, t, other);
    reduce::<_, 2, _>(add, 0, t, row);
    reduce::<_, 1, _>(add, 0, t, row);
    scan::<_, 0, _>(add, 0, t, row);
    outer(add, t, row, other);
    inner(add, add, 0, t, t, other);
    compress::<_, 1, _>(mask, t, other);
    pack::<_, 0, _>(0, t, other);
    omega::<_, _, _, 3, 0, _, _, _>(add, t, row, other);
}

#[shim::kernel]
fn tasks(#[shape(h, w)] t: &mut [i32], h: usize, w: usize, list: &[usize]) {
    #[parallel]
    for y in 0..h - 1 {
        let part = t[[y..y + 2, ..]].rev(0);
        for x in 0..w {
            part[[0, x]] = 1;
            part[[1, x]] = 2;
        }
    }
    let windows = t.windows([1, 2]);
    #[parallel]
    for p in windows.indices() {
        windows[p] += 1;
    }
    let listed = t.gather(1, list);
    #[parallel]
    for p in listed.indices() {
        listed[p] += 1;
    }
    let back = t.rev(0);
    #[parallel]
    for p in t.indices() {
        t[p] += back[p];
    }
}

fn main() {}
