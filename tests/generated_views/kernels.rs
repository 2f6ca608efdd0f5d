//! Written by `cargo test -p shim-stage --test it generated_views -- --ignored && cargo fmt`, not by hand.

use super::{Case, Result, cells};
use shim::prelude::*;
use shim::{Located as _, Part, Space, TensorOps as _};

#[shim::kernel]
fn kernel_0(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w, d]).at([3 * c + h, r + 2]);
    let t1 = t0.refine([3, 1]);
    let t2 = t1[[.., (h - 1 + 2..h - 1 + 2 + 1).step_by(3)]];
    let t3 = t1[[(2 * r + 1..w).step_by(2), (3..3 + 3).step_by(3)]];
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t0, 0) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t0, 0) as i64);
    for [i, j] in t3.indices() {
        out.push(t3[[i, j]] as i64);
        if t3.contains([i - 2, j]) {
            out.push(t3[[i - 2, j]] as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i, j + 1]) {
            out.push(t3[[i, j + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t3, 1) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t2, 1) as i64);
    for [i, j] in t3.indices() {
        if t3.contains([i + 3, j]) {
            out.push(t3[[i + 3, j]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_0(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block =
        Block::from_vec([(w) as usize, (d) as usize], a.to_vec())?.in_space(&root)?.at([3 * c + h, r + 2]);
    let t0 = t0_block.view();
    let t1 = t0.refine([3, 1])?;
    let t2 = t1.partition::<2>(&[
        Part::Full,
        Part::Range { start: (h - 1 + 2) as i64, end: (h - 1 + 2 + 1) as i64, step: 3 },
    ])?;
    let t3 = t1.partition::<2>(&[
        Part::Range { start: (2 * r + 1) as i64, end: (w) as i64, step: 2 },
        Part::Range { start: (3) as i64, end: (3 + 3) as i64, step: 3 },
    ])?;
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t0, 0)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t0, 0)? as i64);
    for [i, j] in t3.indices() {
        out.push(t3.read([i, j])? as i64);
        if t3.contains([i - 2, j]) {
            out.push(t3.read([i - 2, j])? as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i, j + 1]) {
            out.push(t3.read([i, j + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t3, 1)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t2, 1)? as i64);
    for [i, j] in t3.indices() {
        if t3.contains([i + 3, j]) {
            out.push(t3.read([i + 3, j])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_0(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (d), 0, 0]
}

#[shim::kernel]
fn kernel_1(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, h]).at([r + c - 1, 2 * r + 1]);
    let t1 = t0.rev(1);
    let t2 = t1[t0];
    let t3 = t2.drop([-1, -1]);
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t3, 1) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t1, 1) as i64);
    for [i, j] in t3.indices() {
        if t3.contains([i + 1, j - 2]) {
            out.push(t3[[i + 1, j - 2]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_1(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(h) as usize, (h) as usize], a.to_vec())?
        .in_space(&root)?
        .at([r + c - 1, 2 * r + 1]);
    let t0 = t0_block.view();
    let t1 = t0.rev(1)?;
    let t2 = t1.colocate::<2>(&t0)?;
    let t3 = t2.drop([-1, -1])?;
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t3, 1)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t1, 1)? as i64);
    for [i, j] in t3.indices() {
        if t3.contains([i + 1, j - 2]) {
            out.push(t3.read([i + 1, j - 2])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_1(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h), 0, 0]
}

#[shim::kernel]
fn kernel_2(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [h, h]).at([-1, r + c - 2]);
    let t1 = Block::external(a, [w, 5]).refined([2, 3]);
    let t2 = Block::external(b, [3, w]).on_axes([0, 1]).at([w - 2, r + c]).permuted([0, 1]).coarsened([1, 2]);
    let t3 = t0[t1];
    let t4 = t3.coarsen([3, 1]);
    let t5 = t4[[2..w - 1]];
    let t6 = t3.coverage([-1, 2], t2);
    for [i, j] in t6.indices() {
        t6[[i, j]] = (3 * i + 7 * j - 5) as i16;
        t6[[i, j]] += 2;
    }
}
fn library_2(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block =
        Block::from_vec([(h) as usize, (h) as usize], m.to_vec())?.in_space(&root)?.at([-1, r + c - 2]);
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(w) as usize, (5) as usize], a.to_vec())?.in_space(&root)?.refined([2, 3])?;
    let t1 = t1_block.view();
    let t2_block = Block::from_vec([(3) as usize, (w) as usize], b.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([w - 2, r + c])
        .permuted([0, 1])?
        .coarsened([1, 2])?;
    let t2 = t2_block.view();
    let t3 = t0.colocate::<2>(&t1)?;
    let t4 = t3.coarsen([3, 1])?;
    let t5 = t4.partition::<1>(&[Part::Range { start: (2) as i64, end: (w - 1) as i64, step: 1 }])?;
    let t6 = t3.coverage([-1, 2], &t2)?;
    if cells(&t6) {
        return Ok(false);
    }
    let place = t6.location().clone();
    let mut target = t0_block.view_mut().seen_from::<2>(place)?;
    for [i, j] in target.indices() {
        target.set([i, j], (3 * i + 7 * j - 5) as i32 as i16 as i16)?;
        let old = target.read([i, j])?;
        target.set([i, j], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_2(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (5), (3) * (w), (h) * (h)]
}

#[shim::kernel]
fn kernel_3(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h]).permuted([0]).coarsened([3]);
    let t1 = Block::external(b, [h, 3]).at([w - 2 - 2, 2 * r - 1]).coarsened([1, 1]);
    let t2 = t1.permute([1, 0]);
    let t3 = t2.boundary(Boundary::Mirror);
    let t4 = t1.permute([0, 1]);
    let t5 = t0.boundary([Boundary::Fill(-9)]);
    let t6 = t5.coverage([r], t2);
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0) as i64);
    out.push(t6.origin_in(t4, 0) as i64);
    for [i] in t6.indices() {
        out.push(t6[[i - 1]] as i64);
    }
}
fn library_3(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block =
        Block::from_vec([(h) as usize], a.to_vec())?.in_space(&root)?.permuted([0])?.coarsened([3])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (3) as usize], b.to_vec())?
        .in_space(&root)?
        .at([w - 2 - 2, 2 * r - 1])
        .coarsened([1, 1])?;
    let t1 = t1_block.view();
    let t2 = t1.permute([1, 0])?;
    let t3 = t2.boundary(Boundary::Mirror);
    let t4 = t1.permute([0, 1])?;
    let t5 = t0.boundary([Boundary::Fill(-9)]);
    let t6 = t5.coverage([r], &t2)?;
    if cells(&t6) {
        return Ok(false);
    }
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0)? as i64);
    out.push(t6.origin_in(&t4, 0)? as i64);
    for [i] in t6.indices() {
        out.push(t6.read([i - 1])? as i64);
    }
    Ok(true)
}
fn lengths_3(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h), (h) * (3), 0]
}

#[shim::kernel]
fn kernel_4(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w, h + 1]).on_axes([0, 1]).at([0, 2]).permuted([0, 1]).coarsened([1, 2]);
    let t1 = Block::external(b, [w, d]).on_axes([0, 1]).at([1, r - c + 2]).coarsened([1, 2]);
    let t2 = t1.footprint(t0);
    let t3 = t2.slice(1, h - 1 + 1);
    let t4 = t3.refine([3]);
    let t5 = t4[t4];
    let t6 = t5.permute([0]);
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0) as i64);
    out.push(t6.origin_in(t3, 0) as i64);
    for [i] in t6.indices() {
        out.push(t6[[i]] as i64);
        if t6.contains([i + 1]) {
            out.push(t6[[i + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_4(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(w) as usize, (h + 1) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([0, 2])
        .permuted([0, 1])?
        .coarsened([1, 2])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize, (d) as usize], b.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([1, r - c + 2])
        .coarsened([1, 2])?;
    let t1 = t1_block.view();
    let t2 = t1.footprint(&t0)?;
    let t3 = t2.slice::<1>(1, h - 1 + 1)?;
    let t4 = t3.refine([3])?;
    let t5 = t4.colocate::<1>(&t4)?;
    let t6 = t5.permute([0])?;
    if cells(&t6) {
        return Ok(false);
    }
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0)? as i64);
    out.push(t6.origin_in(&t3, 0)? as i64);
    for [i] in t6.indices() {
        out.push(t6.read([i])? as i64);
        if t6.contains([i + 1]) {
            out.push(t6.read([i + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_4(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (h + 1), (w) * (d), 0]
}

#[shim::kernel]
fn kernel_5(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w, d]).on_axes([0, 1]).refined([1, 1]);
    let t1 = Block::external(b, [h, w]).on_axes([0, 1]).at([d - 3, 3 * c + h]).permuted([1, 0]);
    let t2 = t1.rev(0);
    let t3 = t1.to_block().copied();
    let t4 = t3.coarsen([3, 2]);
    let t5 = t4[[(2 * r + 3..2 * d).step_by(2), 3]];
    let t6 = t5[[1..2 * r]];
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0) as i64);
    out.push(t2.origin_in(t2, 1) as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1) as i64);
    out.push(t2.origin_in(t3, 0) as i64);
    for [i, j] in t2.indices() {
        if t2.contains([i, 2 * j - 1]) {
            out.push(t2[[i, 2 * j - 1]] as i64);
        } else {
            out.push(-1);
        }
        out.push(t2.get([i - 1, j + 1]).map_or(-1, |value| value as i64));
    }
    out.push(t1.extent(0) as i64);
    out.push(t1.origin(0) as i64);
    out.push(t1.origin_in(t2, 1) as i64);
    out.push(t1.extent(1) as i64);
    out.push(t1.origin(1) as i64);
    out.push(t1.origin_in(t5, 0) as i64);
    for [i, j] in t1.indices() {
        out.push(t1[[i, j]] as i64);
        out.push(t1.get([j]).map_or(-1, |value| value as i64));
        if t1.contains([i + 3, j - 1]) {
            out.push(t1[[i + 3, j - 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_5(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(w) as usize, (d) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .refined([1, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (w) as usize], b.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([d - 3, 3 * c + h])
        .permuted([1, 0])?;
    let t1 = t1_block.view();
    let t2 = t1.rev(0)?;
    if cells(&t1) {
        return Ok(false);
    }
    let t3_block = t1.copied()?;
    let t3 = t3_block.view().with_parent(&t1)?;
    let t4 = t3.coarsen([3, 2])?;
    let t5 = t4.partition::<1>(&[
        Part::Range { start: (2 * r + 3) as i64, end: (2 * d) as i64, step: 2 },
        Part::Index((3) as i64),
    ])?;
    let t6 = t5.partition::<1>(&[Part::Range { start: (1) as i64, end: (2 * r) as i64, step: 1 }])?;
    if cells(&t2) {
        return Ok(false);
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0)? as i64);
    out.push(t2.origin_in(&t2, 1)? as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1)? as i64);
    out.push(t2.origin_in(&t3, 0)? as i64);
    for [i, j] in t2.indices() {
        if t2.contains([i, 2 * j - 1]) {
            out.push(t2.read([i, 2 * j - 1])? as i64);
        } else {
            out.push(-1);
        }
        out.push(t2.get([i - 1, j + 1]).map_or(-1, |value| *value as i64));
    }
    if cells(&t1) {
        return Ok(false);
    }
    out.push(t1.extent(0) as i64);
    out.push(t1.origin(0)? as i64);
    out.push(t1.origin_in(&t2, 1)? as i64);
    out.push(t1.extent(1) as i64);
    out.push(t1.origin(1)? as i64);
    out.push(t1.origin_in(&t5, 0)? as i64);
    for [i, j] in t1.indices() {
        out.push(t1.read([i, j])? as i64);
        out.push(t1.get([j]).map_or(-1, |value| *value as i64));
        if t1.contains([i + 3, j - 1]) {
            out.push(t1.read([i + 3, j - 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_5(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (d), (h) * (w), 0]
}

#[shim::kernel]
fn kernel_6(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [h, w]).at([0, h - 1 + 1]).coarsened([1, 1]);
    let t1 = Block::external(a, [5, 5, 5]).at([r, r - c + 2, 3 * c + h + 2]).coarsened([3, 2, 1]);
    let t2 = t0[[1..-1, d + 1..d + 1 + 3]];
    let t3 = t2.cast::<i32>();
    let t4 = t3.refine([1, 2]);
    let t5 = t4.slice(0, r);
    let t6 = t5[[r + 1..r + 1 + 3]];
    for [i] in t6.indices() {
        if t6.contains([i - 1]) {
            t6[[i - 1]] = (11 * i - 5) as i32;
            t6[[i - 1]] += 2;
        }
    }
}
fn library_6(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block = Block::from_vec([(h) as usize, (w) as usize], m.to_vec())?
        .in_space(&root)?
        .at([0, h - 1 + 1])
        .coarsened([1, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(5) as usize, (5) as usize, (5) as usize], a.to_vec())?
        .in_space(&root)?
        .at([r, r - c + 2, 3 * c + h + 2])
        .coarsened([3, 2, 1])?;
    let t1 = t1_block.view();
    let t2 = t0.partition::<2>(&[
        Part::Range { start: (1) as i64, end: (-1) as i64, step: 1 },
        Part::Range { start: (d + 1) as i64, end: (d + 1 + 3) as i64, step: 1 },
    ])?;
    let t3 = t2.clone();
    let t4 = t3.refine([1, 2])?;
    let t5 = t4.slice::<1>(0, r)?;
    let t6 = t5.partition::<1>(&[Part::Range { start: (r + 1) as i64, end: (r + 1 + 3) as i64, step: 1 }])?;
    if cells(&t6) {
        return Ok(false);
    }
    let place = t6.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        if target.contains([i - 1]) {
            target.set([i - 1], (11 * i - 5) as i32 as i32 as i16)?;
            let old = target.read([i - 1])? as i32;
            target.set([i - 1], (old + 2) as i16)?;
        }
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_6(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(5) * (5) * (5), 0, (h) * (w)]
}

#[shim::kernel]
fn kernel_7(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h + 1, h]).at([0, 2]).coarsened([3, 2]);
    let t1 = t0[t0];
    let t2 = t1.rev(0);
    let t3 = t2[[(c..c + 2).step_by(2), c - 3..w]];
    out.push(t1.extent(0) as i64);
    out.push(t1.origin(0) as i64);
    out.push(t1.origin_in(t3, 1) as i64);
    out.push(t1.extent(1) as i64);
    out.push(t1.origin(1) as i64);
    out.push(t1.origin_in(t0, 1) as i64);
    for [i, j] in t1.indices() {
        out.push(t1[[i, j]] as i64);
        if t1.contains([i + 1, j + 1]) {
            out.push(t1[[i + 1, j + 1]] as i64);
        } else {
            out.push(-1);
        }
        if t1.contains([i + 1, 2 * j - 1]) {
            out.push(t1[[i + 1, 2 * j - 1]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t1, 1) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t0, 0) as i64);
    for [i, j] in t3.indices() {
        out.push(t3[[i, j]] as i64);
        if t3.contains([i + 3, j]) {
            out.push(t3[[i + 3, j]] as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i - 1, j + 3]) {
            out.push(t3[[i - 1, j + 3]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_7(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(h + 1) as usize, (h) as usize], a.to_vec())?
        .in_space(&root)?
        .at([0, 2])
        .coarsened([3, 2])?;
    let t0 = t0_block.view();
    let t1 = t0.colocate::<2>(&t0)?;
    let t2 = t1.rev(0)?;
    let t3 = t2.partition::<2>(&[
        Part::Range { start: (c) as i64, end: (c + 2) as i64, step: 2 },
        Part::Range { start: (c - 3) as i64, end: (w) as i64, step: 1 },
    ])?;
    if cells(&t1) {
        return Ok(false);
    }
    out.push(t1.extent(0) as i64);
    out.push(t1.origin(0)? as i64);
    out.push(t1.origin_in(&t3, 1)? as i64);
    out.push(t1.extent(1) as i64);
    out.push(t1.origin(1)? as i64);
    out.push(t1.origin_in(&t0, 1)? as i64);
    for [i, j] in t1.indices() {
        out.push(t1.read([i, j])? as i64);
        if t1.contains([i + 1, j + 1]) {
            out.push(t1.read([i + 1, j + 1])? as i64);
        } else {
            out.push(-1);
        }
        if t1.contains([i + 1, 2 * j - 1]) {
            out.push(t1.read([i + 1, 2 * j - 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t1, 1)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t0, 0)? as i64);
    for [i, j] in t3.indices() {
        out.push(t3.read([i, j])? as i64);
        if t3.contains([i + 3, j]) {
            out.push(t3.read([i + 3, j])? as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i - 1, j + 3]) {
            out.push(t3.read([i - 1, j + 3])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_7(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h + 1) * (h), 0, 0]
}

#[shim::kernel]
fn kernel_8(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [3, d, w]).on_axes([0, 2, 1]).permuted([1, 0, 2]);
    let t1 = Block::external(a, [w]).on_axes([0]);
    let t2 = Block::external(b, [3]).permuted([0]);
    let t3 = t2[[(2 * r + 2..r + c + 2).step_by(3)]];
    let t4 = t3.coarsen([1]);
    for [i, j, k] in t0.indices() {
        t0[[i, j, k]] = (11 * i + 11 * j + 3 * k - 5) as i16;
        t0[[i, j, k]] += 2;
    }
}
fn library_8(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block = Block::from_vec([(3) as usize, (d) as usize, (w) as usize], m.to_vec())?
        .in_space(&root)?
        .on_axes([0, 2, 1])?
        .permuted([1, 0, 2])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize], a.to_vec())?.in_space(&root)?.on_axes([0])?;
    let t1 = t1_block.view();
    let t2_block = Block::from_vec([(3) as usize], b.to_vec())?.in_space(&root)?.permuted([0])?;
    let t2 = t2_block.view();
    let t3 =
        t2.partition::<1>(&[Part::Range { start: (2 * r + 2) as i64, end: (r + c + 2) as i64, step: 3 }])?;
    let t4 = t3.coarsen([1])?;
    if cells(&t0) {
        return Ok(false);
    }
    let place = t0.location().clone();
    let mut target = t0_block.view_mut().seen_from::<3>(place)?;
    for [i, j, k] in target.indices() {
        target.set([i, j, k], (11 * i + 11 * j + 3 * k - 5) as i32 as i16 as i16)?;
        let old = target.read([i, j, k])?;
        target.set([i, j, k], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_8(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w), (3), (3) * (d) * (w)]
}

#[shim::kernel]
fn kernel_9(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [w]).on_axes([0]).permuted([0]);
    let t1 = Block::external(a, [w, w]);
    let t2 = t0[[(0..0 + 1).step_by(3)]];
    let t3 = t2.cast::<i64>();
    for [i] in t3.indices() {
        t3[[i]] = (-2 * i - 5) as i64;
        t3[[i]] += 2;
    }
}
fn library_9(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block =
        Block::from_vec([(w) as usize], m.to_vec())?.in_space(&root)?.on_axes([0])?.permuted([0])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize, (w) as usize], a.to_vec())?.in_space(&root)?;
    let t1 = t1_block.view();
    let t2 = t0.partition::<1>(&[Part::Range { start: (0) as i64, end: (0 + 1) as i64, step: 3 }])?;
    let t3 = t2.clone();
    if cells(&t3) {
        return Ok(false);
    }
    let place = t3.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        target.set([i], (-2 * i - 5) as i32 as i64 as i16)?;
        let old = target.read([i])? as i64;
        target.set([i], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_9(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (w), 0, (w)]
}

#[shim::kernel]
fn kernel_10(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [2 * w, h + 1, 3]).permuted([2, 1, 0]).coarsened([1, 1, 1]);
    let t1 = Block::external(a, [w]);
    let t2 = Block::external(b, [w, w + d]).at([d, c + 2]).coarsened([2, 2]);
    let t3 = t0[[(h - 1 - 3..h - 1 - 3 + 2).step_by(2), 3 * c + h + 1..h, r..d]];
    let t4 = t3[[(2..3).step_by(3)]];
    let t5 = t4[[(r - c - 1..c).step_by(2)]];
    let t6 = t5[[..]];
    for [i] in t6.indices() {
        if t6.contains([i + 2]) {
            t6[[i + 2]] = (3 * i - 5) as i16;
            t6[[i + 2]] += 2;
        }
    }
}
fn library_10(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block = Block::from_vec([(2 * w) as usize, (h + 1) as usize, (3) as usize], m.to_vec())?
        .in_space(&root)?
        .permuted([2, 1, 0])?
        .coarsened([1, 1, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize], a.to_vec())?.in_space(&root)?;
    let t1 = t1_block.view();
    let t2_block = Block::from_vec([(w) as usize, (w + d) as usize], b.to_vec())?
        .in_space(&root)?
        .at([d, c + 2])
        .coarsened([2, 2])?;
    let t2 = t2_block.view();
    let t3 = t0.partition::<3>(&[
        Part::Range { start: (h - 1 - 3) as i64, end: (h - 1 - 3 + 2) as i64, step: 2 },
        Part::Range { start: (3 * c + h + 1) as i64, end: (h) as i64, step: 1 },
        Part::Range { start: (r) as i64, end: (d) as i64, step: 1 },
    ])?;
    let t4 = t3.partition::<1>(&[Part::Range { start: (2) as i64, end: (3) as i64, step: 3 }])?;
    let t5 = t4.partition::<1>(&[Part::Range { start: (r - c - 1) as i64, end: (c) as i64, step: 2 }])?;
    let t6 = t5.partition::<1>(&[Part::Full])?;
    if cells(&t6) {
        return Ok(false);
    }
    let place = t6.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        if target.contains([i + 2]) {
            target.set([i + 2], (3 * i - 5) as i32 as i16 as i16)?;
            let old = target.read([i + 2])?;
            target.set([i + 2], (old + 2) as i16)?;
        }
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_10(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w), (w) * (w + d), (2 * w) * (h + 1) * (3)]
}

#[shim::kernel]
fn kernel_11(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [h, h]).on_axes([0, 1]).at([c + 3, d + 3]).permuted([0, 1]);
    let t1 = Block::external(a, [3]).at([d - 3]);
    let t2 = t0.permute([1, 0]);
    let t3 = t1[t1];
    let t4 = t2[[(r + c - 3..d).step_by(3), (2 * r..2 * r + 4).step_by(2)]];
    let t5 = t4[[(c..r - c + 1).step_by(3), ..]];
    let t6 = t0[[c, c + 1..w - 1]];
    for [i] in t6.indices() {
        t6[[i]] = (3 * i - 5) as i16;
        t6[[i]] += 2;
    }
}
fn library_11(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block = Block::from_vec([(h) as usize, (h) as usize], m.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([c + 3, d + 3])
        .permuted([0, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(3) as usize], a.to_vec())?.in_space(&root)?.at([d - 3]);
    let t1 = t1_block.view();
    let t2 = t0.permute([1, 0])?;
    let t3 = t1.colocate::<1>(&t1)?;
    let t4 = t2.partition::<2>(&[
        Part::Range { start: (r + c - 3) as i64, end: (d) as i64, step: 3 },
        Part::Range { start: (2 * r) as i64, end: (2 * r + 4) as i64, step: 2 },
    ])?;
    let t5 = t4
        .partition::<2>(&[Part::Range { start: (c) as i64, end: (r - c + 1) as i64, step: 3 }, Part::Full])?;
    let t6 = t0.partition::<1>(&[
        Part::Index((c) as i64),
        Part::Range { start: (c + 1) as i64, end: (w - 1) as i64, step: 1 },
    ])?;
    if cells(&t6) {
        return Ok(false);
    }
    let place = t6.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        target.set([i], (3 * i - 5) as i32 as i16 as i16)?;
        let old = target.read([i])?;
        target.set([i], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_11(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(3), 0, (h) * (h)]
}

#[shim::kernel]
fn kernel_12(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [2 * w, h]).on_axes([0, 1]).permuted([1, 0]);
    let t1 = t0.cast::<f32>();
    let t2 = t1[t0];
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0) as i64);
    out.push(t2.origin_in(t1, 1) as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1) as i64);
    out.push(t2.origin_in(t1, 1) as i64);
    for [i, j] in t2.indices() {
        out.push(t2.get([i + 3, 2 * j]).map_or(-1, |value| value as i64));
        if t2.contains([i - 2, j - 1]) {
            out.push(t2[[i - 2, j - 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_12(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(2 * w) as usize, (h) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .permuted([1, 0])?;
    let t0 = t0_block.view();
    let t1 = t0.clone();
    let t2 = t1.colocate::<2>(&t0)?;
    if cells(&t2) {
        return Ok(false);
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0)? as i64);
    out.push(t2.origin_in(&t1, 1)? as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1)? as i64);
    out.push(t2.origin_in(&t1, 1)? as i64);
    for [i, j] in t2.indices() {
        out.push(t2.get([i + 3, 2 * j]).map_or(-1, |value| *value as f32 as i64));
        if t2.contains([i - 2, j - 1]) {
            out.push(t2.read([i - 2, j - 1])? as f32 as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_12(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(2 * w) * (h), 0, 0]
}

#[shim::kernel]
fn kernel_13(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [2 * w, w + d, w + d]).at([c + 3, d + 3, h - 1 - 2]);
    let t1 = Block::external(a, [h, h, w + d]).coarsened([4, 1, 4]);
    let t2 = Block::external(b, [3, 2 * w]).on_axes([1, 2]);
    let t3 = t0.coverage([r - c + 2, 3 * c + h, 3 * c + h - 2], t0);
    let t4 = t3.permute([1, 2, 0]);
    let t5 = t4[[r + 1..2 * d, (r + c + 3..h).step_by(3), r - c]];
    let t6 = t5[[.., 1]];
    for [i] in t6.indices() {
        if t6.contains([i + 2]) {
            t6[[i + 2]] = (11 * i - 5) as i16;
            t6[[i + 2]] += 2;
        }
    }
}
fn library_13(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block = Block::from_vec([(2 * w) as usize, (w + d) as usize, (w + d) as usize], m.to_vec())?
        .in_space(&root)?
        .at([c + 3, d + 3, h - 1 - 2]);
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (h) as usize, (w + d) as usize], a.to_vec())?
        .in_space(&root)?
        .coarsened([4, 1, 4])?;
    let t1 = t1_block.view();
    let t2_block =
        Block::from_vec([(3) as usize, (2 * w) as usize], b.to_vec())?.in_space(&root)?.on_axes([1, 2])?;
    let t2 = t2_block.view();
    let t3 = t0.coverage([r - c + 2, 3 * c + h, 3 * c + h - 2], &t0)?;
    let t4 = t3.permute([1, 2, 0])?;
    let t5 = t4.partition::<2>(&[
        Part::Range { start: (r + 1) as i64, end: (2 * d) as i64, step: 1 },
        Part::Range { start: (r + c + 3) as i64, end: (h) as i64, step: 3 },
        Part::Index((r - c) as i64),
    ])?;
    let t6 = t5.partition::<1>(&[Part::Full, Part::Index((1) as i64)])?;
    if cells(&t6) {
        return Ok(false);
    }
    let place = t6.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        if target.contains([i + 2]) {
            target.set([i + 2], (11 * i - 5) as i32 as i16 as i16)?;
            let old = target.read([i + 2])?;
            target.set([i + 2], (old + 2) as i16)?;
        }
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_13(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h) * (w + d), (3) * (2 * w), (2 * w) * (w + d) * (w + d)]
}

#[shim::kernel]
fn kernel_14(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [2 * w, h + 1, w]);
    let t1 = Block::external(a, [w, w + d]).at([r - c - 2, r - c + 1]);
    let t2 = Block::external(b, [h]).on_axes([0]).at([0]);
    let t3 = t0.refine([1, 2, 2]);
    let t4 = t3.coarsen([2, 2, 1]);
    let t5 = t4[[..]];
    for [i] in t5.indices() {
        t5[[i]] = (11 * i - 5) as i16;
        t5[[i]] += 2;
    }
}
fn library_14(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block =
        Block::from_vec([(2 * w) as usize, (h + 1) as usize, (w) as usize], m.to_vec())?.in_space(&root)?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize, (w + d) as usize], a.to_vec())?
        .in_space(&root)?
        .at([r - c - 2, r - c + 1]);
    let t1 = t1_block.view();
    let t2_block = Block::from_vec([(h) as usize], b.to_vec())?.in_space(&root)?.on_axes([0])?.at([0]);
    let t2 = t2_block.view();
    let t3 = t0.refine([1, 2, 2])?;
    let t4 = t3.coarsen([2, 2, 1])?;
    let t5 = t4.partition::<1>(&[Part::Full])?;
    if cells(&t5) {
        return Ok(false);
    }
    let place = t5.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        target.set([i], (11 * i - 5) as i32 as i16 as i16)?;
        let old = target.read([i])?;
        target.set([i], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_14(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (w + d), (h), (2 * w) * (h + 1) * (w)]
}

#[shim::kernel]
fn kernel_15(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h + 1, h]);
    let t1 = Block::external(b, [h, 3]).on_axes([0, 1]).at([2, c - 3]).coarsened([1, 4]);
    let t2 = t1[t1];
    let t3 = t2.boundary([Boundary::Wrap, Boundary::Reflect]);
    let t4 = t0[t0];
    let t5 = t1[[h - 1 + 3..h + 2, (3 * c + h..2).step_by(3)]];
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t4, 1) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t1, 1) as i64);
    for [i, j] in t5.indices() {
        out.push(t5[[i, j]] as i64);
        if t5.contains([i + 3, j - 1]) {
            out.push(t5[[i + 3, j - 1]] as i64);
        } else {
            out.push(-1);
        }
        if t5.contains([i - 1, j + 1]) {
            out.push(t5[[i - 1, j + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_15(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(h + 1) as usize, (h) as usize], a.to_vec())?.in_space(&root)?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (3) as usize], b.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([2, c - 3])
        .coarsened([1, 4])?;
    let t1 = t1_block.view();
    let t2 = t1.colocate::<2>(&t1)?;
    let t3 = t2.boundary([Boundary::Wrap, Boundary::Reflect]);
    let t4 = t0.colocate::<2>(&t0)?;
    let t5 = t1.partition::<2>(&[
        Part::Range { start: (h - 1 + 3) as i64, end: (h + 2) as i64, step: 1 },
        Part::Range { start: (3 * c + h) as i64, end: (2) as i64, step: 3 },
    ])?;
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t4, 1)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t1, 1)? as i64);
    for [i, j] in t5.indices() {
        out.push(t5.read([i, j])? as i64);
        if t5.contains([i + 3, j - 1]) {
            out.push(t5.read([i + 3, j - 1])? as i64);
        } else {
            out.push(-1);
        }
        if t5.contains([i - 1, j + 1]) {
            out.push(t5.read([i - 1, j + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_15(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h + 1) * (h), (h) * (3), 0]
}

#[shim::kernel]
fn kernel_16(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [3]);
    let t1 = Block::external(a, [w, w + d, h]);
    let t2 = t0.coverage([r + c + 2], t1);
    let t3 = t2.coarsen([4]);
    let t4 = t3.coverage([d], t0);
    for [i] in t4.indices() {
        if t4.contains([i + 2]) {
            t4[[i + 2]] = (-2 * i - 5) as i16;
            t4[[i + 2]] += 2;
        }
    }
}
fn library_16(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block = Block::from_vec([(3) as usize], m.to_vec())?.in_space(&root)?;
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(w) as usize, (w + d) as usize, (h) as usize], a.to_vec())?.in_space(&root)?;
    let t1 = t1_block.view();
    let t2 = t0.coverage([r + c + 2], &t1)?;
    let t3 = t2.coarsen([4])?;
    let t4 = t3.coverage([d], &t0)?;
    if cells(&t4) {
        return Ok(false);
    }
    let place = t4.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        if target.contains([i + 2]) {
            target.set([i + 2], (-2 * i - 5) as i32 as i16 as i16)?;
            let old = target.read([i + 2])?;
            target.set([i + 2], (old + 2) as i16)?;
        }
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_16(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (w + d) * (h), 0, (3)]
}

#[shim::kernel]
fn kernel_17(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w, w + d]).permuted([1, 0]);
    let t1 = t0.coverage([w - 2 - 1, c], t0);
    let t2 = t1.shifted([3 * c + h - 3, 2 * r]);
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0) as i64);
    out.push(t2.origin_in(t0, 0) as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1) as i64);
    out.push(t2.origin_in(t1, 1) as i64);
    for [i, j] in t2.indices() {
        out.push(t2[[i, j]] as i64);
        if t2.contains([i - 1, j + 3]) {
            out.push(t2[[i - 1, j + 3]] as i64);
        } else {
            out.push(-1);
        }
        out.push(t2.get([i + 3, j - 1]).map_or(-1, |value| value as i64));
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0) as i64);
    out.push(t2.origin_in(t1, 1) as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1) as i64);
    out.push(t2.origin_in(t0, 0) as i64);
    for [i, j] in t2.indices() {
        if t2.contains([2 * i, 2 * j + 3]) {
            out.push(t2[[2 * i, 2 * j + 3]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_17(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block =
        Block::from_vec([(w) as usize, (w + d) as usize], a.to_vec())?.in_space(&root)?.permuted([1, 0])?;
    let t0 = t0_block.view();
    let t1 = t0.coverage([w - 2 - 1, c], &t0)?;
    let t2 = t1.shifted([3 * c + h - 3, 2 * r])?;
    if cells(&t2) {
        return Ok(false);
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0)? as i64);
    out.push(t2.origin_in(&t0, 0)? as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1)? as i64);
    out.push(t2.origin_in(&t1, 1)? as i64);
    for [i, j] in t2.indices() {
        out.push(t2.read([i, j])? as i64);
        if t2.contains([i - 1, j + 3]) {
            out.push(t2.read([i - 1, j + 3])? as i64);
        } else {
            out.push(-1);
        }
        out.push(t2.get([i + 3, j - 1]).map_or(-1, |value| *value as i64));
    }
    if cells(&t2) {
        return Ok(false);
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0)? as i64);
    out.push(t2.origin_in(&t1, 1)? as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1)? as i64);
    out.push(t2.origin_in(&t0, 0)? as i64);
    for [i, j] in t2.indices() {
        if t2.contains([2 * i, 2 * j + 3]) {
            out.push(t2.read([2 * i, 2 * j + 3])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_17(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w) * (w + d), 0, 0]
}

#[shim::kernel]
fn kernel_18(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w]).at([c]);
    let t1 = Block::external(b, [h, 5]).at([r - c + 3, 1]);
    let t2 = t1.to_block();
    let t3 = t2.boundary([Boundary::Fill(-9), Boundary::Fill(-9)]);
    let t4 = t3.footprint(t2);
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0) as i64);
    out.push(t4.origin_in(t0, 0) as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1) as i64);
    out.push(t4.origin_in(t1, 0) as i64);
    for [i, j] in t4.indices() {
        out.push(t4[[i, j]] as i64);
        out.push(t4[[i, j - 1]] as i64);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0) as i64);
    out.push(t4.origin_in(t1, 1) as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1) as i64);
    out.push(t4.origin_in(t4, 0) as i64);
    for [i, j] in t4.indices() {
        out.push(t4[[i, j + 1]] as i64);
        out.push(t4[[i, j - 2]] as i64);
    }
}
fn library_18(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(w) as usize], a.to_vec())?.in_space(&root)?.at([c]);
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(h) as usize, (5) as usize], b.to_vec())?.in_space(&root)?.at([r - c + 3, 1]);
    let t1 = t1_block.view();
    if cells(&t1) {
        return Ok(false);
    }
    let t2_block = t1.to_block();
    let t2 = t2_block.view().with_parent(&t1)?;
    let t3 = t2.boundary([Boundary::Fill(-9), Boundary::Fill(-9)]);
    let t4 = t3.footprint(&t2)?;
    if cells(&t4) {
        return Ok(false);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0)? as i64);
    out.push(t4.origin_in(&t0, 0)? as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1)? as i64);
    out.push(t4.origin_in(&t1, 0)? as i64);
    for [i, j] in t4.indices() {
        out.push(t4.read([i, j])? as i64);
        out.push(t4.read([i, j - 1])? as i64);
    }
    if cells(&t4) {
        return Ok(false);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0)? as i64);
    out.push(t4.origin_in(&t1, 1)? as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1)? as i64);
    out.push(t4.origin_in(&t4, 0)? as i64);
    for [i, j] in t4.indices() {
        out.push(t4.read([i, j + 1])? as i64);
        out.push(t4.read([i, j - 2])? as i64);
    }
    Ok(true)
}
fn lengths_18(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w), (h) * (5), 0]
}

#[shim::kernel]
fn kernel_19(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [3, 5]).on_axes([1, 0]).at([-1, r - c - 2]);
    let t1 = t0.boundary([Boundary::Wrap, Boundary::Fill(7)]);
    let t2 = t1[[..]];
    let t3 = t2.coverage([-1], t2);
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t0, 1) as i64);
    for [i] in t3.indices() {
        out.push(t3[[i]] as i64);
        out.push(t3[[i - 1]] as i64);
        out.push(t3[[2 * i - 1]] as i64);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t2, 0) as i64);
    for [i] in t3.indices() {
        out.push(t3[[i]] as i64);
        out.push(t3[[i - 1]] as i64);
    }
}
fn library_19(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(3) as usize, (5) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .at([-1, r - c - 2]);
    let t0 = t0_block.view();
    let t1 = t0.boundary([Boundary::Wrap, Boundary::Fill(7)]);
    let t2 = t1.partition::<1>(&[Part::Full])?;
    let t3 = t2.coverage([-1], &t2)?;
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t0, 1)? as i64);
    for [i] in t3.indices() {
        out.push(t3.read([i])? as i64);
        out.push(t3.read([i - 1])? as i64);
        out.push(t3.read([2 * i - 1])? as i64);
    }
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t2, 0)? as i64);
    for [i] in t3.indices() {
        out.push(t3.read([i])? as i64);
        out.push(t3.read([i - 1])? as i64);
    }
    Ok(true)
}
fn lengths_19(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(3) * (5), 0, 0]
}

#[shim::kernel]
fn kernel_20(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [h + 1, 2 * w]).on_axes([1, 0]).at([w - 2, c + 2]);
    let t1 = Block::external(a, [w + d, w]).coarsened([2, 2]);
    let t2 = t1[[2, ..]];
    let t3 = t0[[1..1 + 3, r - c + 3..0]];
    let t4 = t3[[(d + 1..2 * d).step_by(3), ..]];
    let t5 = t4[[r - c..r - c + 3, ..]];
    for [i, j] in t5.indices() {
        if t5.contains([i, j - 1]) {
            t5[[i, j - 1]] = (-2 * i + 11 * j - 5) as i16;
            t5[[i, j - 1]] += 2;
        }
    }
}
fn library_20(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block = Block::from_vec([(h + 1) as usize, (2 * w) as usize], m.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .at([w - 2, c + 2]);
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(w + d) as usize, (w) as usize], a.to_vec())?.in_space(&root)?.coarsened([2, 2])?;
    let t1 = t1_block.view();
    let t2 = t1.partition::<1>(&[Part::Index((2) as i64), Part::Full])?;
    let t3 = t0.partition::<2>(&[
        Part::Range { start: (1) as i64, end: (1 + 3) as i64, step: 1 },
        Part::Range { start: (r - c + 3) as i64, end: (0) as i64, step: 1 },
    ])?;
    let t4 = t3
        .partition::<2>(&[Part::Range { start: (d + 1) as i64, end: (2 * d) as i64, step: 3 }, Part::Full])?;
    let t5 = t4.partition::<2>(&[
        Part::Range { start: (r - c) as i64, end: (r - c + 3) as i64, step: 1 },
        Part::Full,
    ])?;
    if cells(&t5) {
        return Ok(false);
    }
    let place = t5.location().clone();
    let mut target = t0_block.view_mut().seen_from::<2>(place)?;
    for [i, j] in target.indices() {
        if target.contains([i, j - 1]) {
            target.set([i, j - 1], (-2 * i + 11 * j - 5) as i32 as i16 as i16)?;
            let old = target.read([i, j - 1])?;
            target.set([i, j - 1], (old + 2) as i16)?;
        }
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_20(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w + d) * (w), 0, (h + 1) * (2 * w)]
}

#[shim::kernel]
fn kernel_21(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [h + 1, d]).on_axes([1, 0]).at([r + 2, d + 3]).refined([1, 3]);
    let t1 = Block::external(a, [5, w + d]).on_axes([0, 1]).at([-1, h - 1]);
    let t2 = t1[[(2..2).step_by(2)]];
    let t3 = t0.shifted([2 * r - 3, 3 * c + h]);
    let t4 = t3[[..]];
    let t5 = t4.shifted([r + 3]);
    for [i] in t5.indices() {
        if t5.contains([i - 1]) {
            t5[[i - 1]] = (11 * i - 5) as i16;
            t5[[i - 1]] += 2;
        }
    }
}
fn library_21(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block = Block::from_vec([(h + 1) as usize, (d) as usize], m.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .at([r + 2, d + 3])
        .refined([1, 3])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(5) as usize, (w + d) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([-1, h - 1]);
    let t1 = t1_block.view();
    let t2 = t1.partition::<1>(&[Part::Range { start: (2) as i64, end: (2) as i64, step: 2 }])?;
    let t3 = t0.shifted([2 * r - 3, 3 * c + h])?;
    let t4 = t3.partition::<1>(&[Part::Full])?;
    let t5 = t4.shifted([r + 3])?;
    if cells(&t5) {
        return Ok(false);
    }
    let place = t5.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        if target.contains([i - 1]) {
            target.set([i - 1], (11 * i - 5) as i32 as i16 as i16)?;
            let old = target.read([i - 1])?;
            target.set([i - 1], (old + 2) as i16)?;
        }
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_21(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(5) * (w + d), 0, (h + 1) * (d)]
}

#[shim::kernel]
fn kernel_22(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, w + d]).on_axes([1, 2]).permuted([0, 1]);
    let t1 = Block::external(b, [2 * w, 5, h + 1]);
    let t2 = t1.footprint(t1);
    let t3 = t2.cast::<i64>();
    let t4 = t3.shifted([r - 1, w - 2, d]);
    let t5 = t4.slice(0, w - 2);
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t2, 1) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t2, 2) as i64);
    for [i, j] in t5.indices() {
        out.push(t5[[i, j]] as i64);
        out.push(t5.get([i - 2, j + 1]).map_or(-1, |value| value as i64));
        out.push(t5.get([i - 1, j - 2]).map_or(-1, |value| value as i64));
    }
}
fn library_22(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(h) as usize, (w + d) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([1, 2])?
        .permuted([0, 1])?;
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(2 * w) as usize, (5) as usize, (h + 1) as usize], b.to_vec())?.in_space(&root)?;
    let t1 = t1_block.view();
    let t2 = t1.footprint(&t1)?;
    let t3 = t2.clone();
    let t4 = t3.shifted([r - 1, w - 2, d])?;
    let t5 = t4.slice::<2>(0, w - 2)?;
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t2, 1)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t2, 2)? as i64);
    for [i, j] in t5.indices() {
        out.push(t5.read([i, j])? as i64 as i64);
        out.push(t5.get([i - 2, j + 1]).map_or(-1, |value| *value as i64 as i64));
        out.push(t5.get([i - 1, j - 2]).map_or(-1, |value| *value as i64 as i64));
    }
    Ok(true)
}
fn lengths_22(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (w + d), (2 * w) * (5) * (h + 1), 0]
}

#[shim::kernel]
fn kernel_23(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [d, h]).on_axes([0, 1]);
    let t1 = t0.coverage([r, 0], t0);
    let t2 = t1.refine([4, 1]);
    let t3 = t1[t0];
    let t4 = t3.take([-2, -1]);
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t1, 0) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t0, 1) as i64);
    for [i, j] in t3.indices() {
        out.push(t3[[i, j]] as i64);
        if t3.contains([i + 3, j - 2]) {
            out.push(t3[[i + 3, j - 2]] as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i, 2 * j]) {
            out.push(t3[[i, 2 * j]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0) as i64);
    out.push(t4.origin_in(t4, 0) as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1) as i64);
    out.push(t4.origin_in(t3, 0) as i64);
    for [i, j] in t4.indices() {
        out.push(t4[[i, j]] as i64);
        if t4.contains([2 * i + 3, 2 * j - 1]) {
            out.push(t4[[2 * i + 3, 2 * j - 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_23(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block =
        Block::from_vec([(d) as usize, (h) as usize], a.to_vec())?.in_space(&root)?.on_axes([0, 1])?;
    let t0 = t0_block.view();
    let t1 = t0.coverage([r, 0], &t0)?;
    let t2 = t1.refine([4, 1])?;
    let t3 = t1.colocate::<2>(&t0)?;
    let t4 = t3.take([-2, -1])?;
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t1, 0)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t0, 1)? as i64);
    for [i, j] in t3.indices() {
        out.push(t3.read([i, j])? as i64);
        if t3.contains([i + 3, j - 2]) {
            out.push(t3.read([i + 3, j - 2])? as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i, 2 * j]) {
            out.push(t3.read([i, 2 * j])? as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t4) {
        return Ok(false);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0)? as i64);
    out.push(t4.origin_in(&t4, 0)? as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1)? as i64);
    out.push(t4.origin_in(&t3, 0)? as i64);
    for [i, j] in t4.indices() {
        out.push(t4.read([i, j])? as i64);
        if t4.contains([2 * i + 3, 2 * j - 1]) {
            out.push(t4.read([2 * i + 3, 2 * j - 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_23(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(d) * (h), 0, 0]
}

#[shim::kernel]
fn kernel_24(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, d, w + d]).at([2, 2 * r, r]).coarsened([2, 1, 1]);
    let t1 = Block::external(b, [w + d]).at([r - c]).permuted([0]);
    let t2 = t1[[r - c + 1..w]];
    let t3 = t1.take([-2]);
    let t4 = t3.coverage([3 * c + h], t2);
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0) as i64);
    out.push(t4.origin_in(t4, 0) as i64);
    for [i] in t4.indices() {
        out.push(t4.get([i + 1]).map_or(-1, |value| value as i64));
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0) as i64);
    out.push(t4.origin_in(t0, 2) as i64);
    for [i] in t4.indices() {
        out.push(t4[[i]] as i64);
        if t4.contains([i - 2]) {
            out.push(t4[[i - 2]] as i64);
        } else {
            out.push(-1);
        }
        out.push(t4.get([i + 3]).map_or(-1, |value| value as i64));
    }
}
fn library_24(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(h) as usize, (d) as usize, (w + d) as usize], a.to_vec())?
        .in_space(&root)?
        .at([2, 2 * r, r])
        .coarsened([2, 1, 1])?;
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(w + d) as usize], b.to_vec())?.in_space(&root)?.at([r - c]).permuted([0])?;
    let t1 = t1_block.view();
    let t2 = t1.partition::<1>(&[Part::Range { start: (r - c + 1) as i64, end: (w) as i64, step: 1 }])?;
    let t3 = t1.take([-2])?;
    let t4 = t3.coverage([3 * c + h], &t2)?;
    if cells(&t4) {
        return Ok(false);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0)? as i64);
    out.push(t4.origin_in(&t4, 0)? as i64);
    for [i] in t4.indices() {
        out.push(t4.get([i + 1]).map_or(-1, |value| *value as i64));
    }
    if cells(&t4) {
        return Ok(false);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0)? as i64);
    out.push(t4.origin_in(&t0, 2)? as i64);
    for [i] in t4.indices() {
        out.push(t4.read([i])? as i64);
        if t4.contains([i - 2]) {
            out.push(t4.read([i - 2])? as i64);
        } else {
            out.push(-1);
        }
        out.push(t4.get([i + 3]).map_or(-1, |value| *value as i64));
    }
    Ok(true)
}
fn lengths_24(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (d) * (w + d), (w + d), 0]
}

#[shim::kernel]
fn kernel_25(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, 3]).on_axes([0, 1]);
    let t1 = t0.take([-2, -1]);
    let t2 = t0.cast::<u16>();
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0) as i64);
    out.push(t2.origin_in(t1, 1) as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1) as i64);
    out.push(t2.origin_in(t1, 0) as i64);
    for [i, j] in t2.indices() {
        out.push(t2.get([i + 1, j]).map_or(-1, |value| value as i64));
        if t2.contains([i - 2, j + 3]) {
            out.push(t2[[i - 2, j + 3]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0) as i64);
    out.push(t2.origin_in(t0, 0) as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1) as i64);
    out.push(t2.origin_in(t0, 0) as i64);
    for [i, j] in t2.indices() {
        out.push(t2[[i, j]] as i64);
        out.push(t2.get([i + 1, j - 1]).map_or(-1, |value| value as i64));
    }
}
fn library_25(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block =
        Block::from_vec([(h) as usize, (3) as usize], a.to_vec())?.in_space(&root)?.on_axes([0, 1])?;
    let t0 = t0_block.view();
    let t1 = t0.take([-2, -1])?;
    let t2 = t0.clone();
    if cells(&t2) {
        return Ok(false);
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0)? as i64);
    out.push(t2.origin_in(&t1, 1)? as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1)? as i64);
    out.push(t2.origin_in(&t1, 0)? as i64);
    for [i, j] in t2.indices() {
        out.push(t2.get([i + 1, j]).map_or(-1, |value| *value as u16 as i64));
        if t2.contains([i - 2, j + 3]) {
            out.push(t2.read([i - 2, j + 3])? as u16 as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t2) {
        return Ok(false);
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0)? as i64);
    out.push(t2.origin_in(&t0, 0)? as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1)? as i64);
    out.push(t2.origin_in(&t0, 0)? as i64);
    for [i, j] in t2.indices() {
        out.push(t2.read([i, j])? as u16 as i64);
        out.push(t2.get([i + 1, j - 1]).map_or(-1, |value| *value as u16 as i64));
    }
    Ok(true)
}
fn lengths_25(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (3), 0, 0]
}

#[shim::kernel]
fn kernel_26(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, h]).at([r + c, r]);
    let t1 = Block::external(b, [w + d, d]).on_axes([0, 1]).at([w - 2 + 3, r - c + 1]).refined([4, 2]);
    let t2 = t1.rev(0);
    let t3 = t2.to_block();
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t1, 0) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t2, 1) as i64);
    for [i, j] in t3.indices() {
        out.push(t3[[i, j]] as i64);
        if t3.contains([i, j + 1]) {
            out.push(t3[[i, j + 1]] as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i - 2, j + 1]) {
            out.push(t3[[i - 2, j + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_26(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(h) as usize, (h) as usize], a.to_vec())?.in_space(&root)?.at([r + c, r]);
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w + d) as usize, (d) as usize], b.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([w - 2 + 3, r - c + 1])
        .refined([4, 2])?;
    let t1 = t1_block.view();
    let t2 = t1.rev(0)?;
    if cells(&t2) {
        return Ok(false);
    }
    let t3_block = t2.to_block();
    let t3 = t3_block.view().with_parent(&t2)?;
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t1, 0)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t2, 1)? as i64);
    for [i, j] in t3.indices() {
        out.push(t3.read([i, j])? as i64);
        if t3.contains([i, j + 1]) {
            out.push(t3.read([i, j + 1])? as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i - 2, j + 1]) {
            out.push(t3.read([i - 2, j + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_26(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h), (w + d) * (d), 0]
}

#[shim::kernel]
fn kernel_27(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w + d]).refined([4]);
    let t1 = t0[[w - 2..r + c + 3]];
    let t2 = t1.to_block().copied();
    let t3 = t0.cast::<i32>();
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t2, 0) as i64);
    for [i] in t3.indices() {
        out.push(t3[[i]] as i64);
        if t3.contains([2 * i]) {
            out.push(t3[[2 * i]] as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i]) {
            out.push(t3[[i]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_27(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(1);
    let t0_block = Block::from_vec([(w + d) as usize], a.to_vec())?.in_space(&root)?.refined([4])?;
    let t0 = t0_block.view();
    let t1 = t0.partition::<1>(&[Part::Range { start: (w - 2) as i64, end: (r + c + 3) as i64, step: 1 }])?;
    if cells(&t1) {
        return Ok(false);
    }
    let t2_block = t1.copied()?;
    let t2 = t2_block.view().with_parent(&t1)?;
    let t3 = t0.clone();
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t2, 0)? as i64);
    for [i] in t3.indices() {
        out.push(t3.read([i])? as i32 as i64);
        if t3.contains([2 * i]) {
            out.push(t3.read([2 * i])? as i32 as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i]) {
            out.push(t3.read([i])? as i32 as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_27(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w + d), 0, 0]
}

#[shim::kernel]
fn kernel_28(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [3, 2 * w]).permuted([0, 1]).refined([1, 3]);
    let t1 = Block::external(b, [w, 3, 3]).at([d + 2, c - 1, 2 * r - 1]);
    let t2 = t0.refine([2, 4]);
    let t3 = t2.cast::<u16>();
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t1, 1) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t1, 0) as i64);
    for [i, j] in t3.indices() {
        out.push(t3[[i, j]] as i64);
        if t3.contains([i - 1, 2 * j - 2]) {
            out.push(t3[[i - 1, 2 * j - 2]] as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i - 1, j]) {
            out.push(t3[[i - 1, j]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t0, 0) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t0, 0) as i64);
    for [i, j] in t3.indices() {
        out.push(t3[[i, j]] as i64);
        if t3.contains([j - 2]) {
            out.push(t3[[j - 2]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_28(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(3) as usize, (2 * w) as usize], a.to_vec())?
        .in_space(&root)?
        .permuted([0, 1])?
        .refined([1, 3])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize, (3) as usize, (3) as usize], b.to_vec())?
        .in_space(&root)?
        .at([d + 2, c - 1, 2 * r - 1]);
    let t1 = t1_block.view();
    let t2 = t0.refine([2, 4])?;
    let t3 = t2.clone();
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t1, 1)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t1, 0)? as i64);
    for [i, j] in t3.indices() {
        out.push(t3.read([i, j])? as u16 as i64);
        if t3.contains([i - 1, 2 * j - 2]) {
            out.push(t3.read([i - 1, 2 * j - 2])? as u16 as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([i - 1, j]) {
            out.push(t3.read([i - 1, j])? as u16 as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t0, 0)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t0, 0)? as i64);
    for [i, j] in t3.indices() {
        out.push(t3.read([i, j])? as u16 as i64);
        if t3.contains([j - 2]) {
            out.push(t3.read([j - 2])? as u16 as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_28(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(3) * (2 * w), (w) * (3) * (3), 0]
}

#[shim::kernel]
fn kernel_29(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h + 1, w]).coarsened([3, 1]);
    let t1 = Block::external(b, [5, h + 1, w]).at([c + 3, r - c, d - 3]).permuted([1, 2, 0]);
    let t2 = t1.permute([1, 2, 0]);
    let t3 = t1.boundary(Boundary::Reflect);
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t2, 1) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t1, 0) as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2) as i64);
    out.push(t3.origin_in(t2, 0) as i64);
    for [i, j, k] in t3.indices() {
        out.push(t3[[i, j, k]] as i64);
        out.push(t3[[i - 2, j - 2, 2 * k - 1]] as i64);
        out.push(t3[[i + 3, j, k - 1]] as i64);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t3, 0) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t3, 0) as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2) as i64);
    out.push(t3.origin_in(t2, 0) as i64);
    for [i, j, k] in t3.indices() {
        out.push(t3[[2 * i + 1, j + 1, k - 1]] as i64);
    }
}
fn library_29(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block =
        Block::from_vec([(h + 1) as usize, (w) as usize], a.to_vec())?.in_space(&root)?.coarsened([3, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(5) as usize, (h + 1) as usize, (w) as usize], b.to_vec())?
        .in_space(&root)?
        .at([c + 3, r - c, d - 3])
        .permuted([1, 2, 0])?;
    let t1 = t1_block.view();
    let t2 = t1.permute([1, 2, 0])?;
    let t3 = t1.boundary(Boundary::Reflect);
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t2, 1)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t1, 0)? as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2)? as i64);
    out.push(t3.origin_in(&t2, 0)? as i64);
    for [i, j, k] in t3.indices() {
        out.push(t3.read([i, j, k])? as i64);
        out.push(t3.read([i - 2, j - 2, 2 * k - 1])? as i64);
        out.push(t3.read([i + 3, j, k - 1])? as i64);
    }
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t3, 0)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t3, 0)? as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2)? as i64);
    out.push(t3.origin_in(&t2, 0)? as i64);
    for [i, j, k] in t3.indices() {
        out.push(t3.read([2 * i + 1, j + 1, k - 1])? as i64);
    }
    Ok(true)
}
fn lengths_29(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h + 1) * (w), (5) * (h + 1) * (w), 0]
}

#[shim::kernel]
fn kernel_30(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h + 1, 5, w + d]).on_axes([2, 0, 1]);
    let t1 = Block::external(b, [h, w + d]).permuted([1, 0]).coarsened([1, 4]);
    let t2 = t0.rev(1);
    let t3 = t2.drop([-1, -1, 2]);
    let t4 = t1[[(r + c..r + c + 4).step_by(2), r - c..1]];
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0) as i64);
    out.push(t4.origin_in(t1, 0) as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1) as i64);
    out.push(t4.origin_in(t2, 2) as i64);
    for [i, j] in t4.indices() {
        out.push(t4[[i, j]] as i64);
        if t4.contains([i + 1, j + 3]) {
            out.push(t4[[i + 1, j + 3]] as i64);
        } else {
            out.push(-1);
        }
        out.push(t4.get([2 * i + 3, 2 * j]).map_or(-1, |value| value as i64));
    }
}
fn library_30(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(h + 1) as usize, (5) as usize, (w + d) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([2, 0, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (w + d) as usize], b.to_vec())?
        .in_space(&root)?
        .permuted([1, 0])?
        .coarsened([1, 4])?;
    let t1 = t1_block.view();
    let t2 = t0.rev(1)?;
    let t3 = t2.drop([-1, -1, 2])?;
    let t4 = t1.partition::<2>(&[
        Part::Range { start: (r + c) as i64, end: (r + c + 4) as i64, step: 2 },
        Part::Range { start: (r - c) as i64, end: (1) as i64, step: 1 },
    ])?;
    if cells(&t4) {
        return Ok(false);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0)? as i64);
    out.push(t4.origin_in(&t1, 0)? as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1)? as i64);
    out.push(t4.origin_in(&t2, 2)? as i64);
    for [i, j] in t4.indices() {
        out.push(t4.read([i, j])? as i64);
        if t4.contains([i + 1, j + 3]) {
            out.push(t4.read([i + 1, j + 3])? as i64);
        } else {
            out.push(-1);
        }
        out.push(t4.get([2 * i + 3, 2 * j]).map_or(-1, |value| *value as i64));
    }
    Ok(true)
}
fn lengths_30(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h + 1) * (5) * (w + d), (h) * (w + d), 0]
}

#[shim::kernel]
fn kernel_31(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [h, h, 2 * w]).at([w - 2, 2 * r - 1, 3 * c + h]);
    let t1 = Block::external(a, [w]).permuted([0]);
    let t2 = t0.cast::<i32>();
    let t3 = t2[[(r + c + 1..3).step_by(3), (d + 1..-1).step_by(3), (r..3 * c + h + 2).step_by(2)]];
    let t4 = t3[[h - 1 - 1..d + 1, d - 1..c + 2]];
    let t5 = t4[[0..h - 1, ..]];
    let t6 = t5[[.., r - 2..2 * d]];
    for [i, j] in t6.indices() {
        t6[[i, j]] = (11 * i + 3 * j - 5) as i32;
        t6[[i, j]] += 2;
    }
}
fn library_31(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block = Block::from_vec([(h) as usize, (h) as usize, (2 * w) as usize], m.to_vec())?
        .in_space(&root)?
        .at([w - 2, 2 * r - 1, 3 * c + h]);
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize], a.to_vec())?.in_space(&root)?.permuted([0])?;
    let t1 = t1_block.view();
    let t2 = t0.clone();
    let t3 = t2.partition::<3>(&[
        Part::Range { start: (r + c + 1) as i64, end: (3) as i64, step: 3 },
        Part::Range { start: (d + 1) as i64, end: (-1) as i64, step: 3 },
        Part::Range { start: (r) as i64, end: (3 * c + h + 2) as i64, step: 2 },
    ])?;
    let t4 = t3.partition::<2>(&[
        Part::Range { start: (h - 1 - 1) as i64, end: (d + 1) as i64, step: 1 },
        Part::Range { start: (d - 1) as i64, end: (c + 2) as i64, step: 1 },
    ])?;
    let t5 =
        t4.partition::<2>(&[Part::Range { start: (0) as i64, end: (h - 1) as i64, step: 1 }, Part::Full])?;
    let t6 = t5
        .partition::<2>(&[Part::Full, Part::Range { start: (r - 2) as i64, end: (2 * d) as i64, step: 1 }])?;
    if cells(&t6) {
        return Ok(false);
    }
    let place = t6.location().clone();
    let mut target = t0_block.view_mut().seen_from::<2>(place)?;
    for [i, j] in target.indices() {
        target.set([i, j], (11 * i + 3 * j - 5) as i32 as i32 as i16)?;
        let old = target.read([i, j])? as i32;
        target.set([i, j], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_31(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w), 0, (h) * (h) * (2 * w)]
}

#[shim::kernel]
fn kernel_32(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, w]).permuted([1, 0]).coarsened([1, 2]);
    let t1 = Block::external(b, [2 * w, 3]).on_axes([1, 0]).refined([3, 1]);
    let t2 = t1.rotate([w - 2, r - c]);
    let t3 = t2.to_block().copied();
    let t4 = t3.footprint(t1);
    let t5 = t4[[.., r - c - 3..w]];
    let t6 = t1.coarsen([3, 3]);
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0) as i64);
    out.push(t6.origin_in(t6, 1) as i64);
    out.push(t6.extent(1) as i64);
    out.push(t6.origin(1) as i64);
    out.push(t6.origin_in(t1, 1) as i64);
    for [i, j] in t6.indices() {
        out.push(t6[[i, j]] as i64);
        out.push(t6.get([2 * i - 2, 2 * j + 3]).map_or(-1, |value| value as i64));
        out.push(t6.get([i + 3, 2 * j - 2]).map_or(-1, |value| value as i64));
    }
}
fn library_32(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(h) as usize, (w) as usize], a.to_vec())?
        .in_space(&root)?
        .permuted([1, 0])?
        .coarsened([1, 2])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(2 * w) as usize, (3) as usize], b.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .refined([3, 1])?;
    let t1 = t1_block.view();
    let t2 = t1.rotate([w - 2, r - c])?;
    if cells(&t2) {
        return Ok(false);
    }
    let t3_block = t2.copied()?;
    let t3 = t3_block.view().with_parent(&t2)?;
    let t4 = t3.footprint(&t1)?;
    let t5 = t4
        .partition::<2>(&[Part::Full, Part::Range { start: (r - c - 3) as i64, end: (w) as i64, step: 1 }])?;
    let t6 = t1.coarsen([3, 3])?;
    if cells(&t6) {
        return Ok(false);
    }
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0)? as i64);
    out.push(t6.origin_in(&t6, 1)? as i64);
    out.push(t6.extent(1) as i64);
    out.push(t6.origin(1)? as i64);
    out.push(t6.origin_in(&t1, 1)? as i64);
    for [i, j] in t6.indices() {
        out.push(t6.read([i, j])? as i64);
        out.push(t6.get([2 * i - 2, 2 * j + 3]).map_or(-1, |value| *value as i64));
        out.push(t6.get([i + 3, 2 * j - 2]).map_or(-1, |value| *value as i64));
    }
    Ok(true)
}
fn lengths_32(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (w), (2 * w) * (3), 0]
}

#[shim::kernel]
fn kernel_33(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [d, 3]).on_axes([1, 0]).coarsened([2, 1]);
    let t1 = t0.boundary([Boundary::Reflect, Boundary::Mirror]);
    let t2 = t0.coverage([r, r - c - 2], t0);
    let t3 = t2.permute([1, 0]);
    out.push(t0.extent(0) as i64);
    out.push(t0.origin(0) as i64);
    out.push(t0.origin_in(t1, 1) as i64);
    out.push(t0.extent(1) as i64);
    out.push(t0.origin(1) as i64);
    out.push(t0.origin_in(t3, 0) as i64);
    for [i, j] in t0.indices() {
        out.push(t0[[i, j]] as i64);
        out.push(t0.get([i - 2, j - 1]).map_or(-1, |value| value as i64));
        if t0.contains([i - 2, j + 1]) {
            out.push(t0[[i - 2, j + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_33(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(d) as usize, (3) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .coarsened([2, 1])?;
    let t0 = t0_block.view();
    let t1 = t0.boundary([Boundary::Reflect, Boundary::Mirror]);
    let t2 = t0.coverage([r, r - c - 2], &t0)?;
    let t3 = t2.permute([1, 0])?;
    if cells(&t0) {
        return Ok(false);
    }
    out.push(t0.extent(0) as i64);
    out.push(t0.origin(0)? as i64);
    out.push(t0.origin_in(&t1, 1)? as i64);
    out.push(t0.extent(1) as i64);
    out.push(t0.origin(1)? as i64);
    out.push(t0.origin_in(&t3, 0)? as i64);
    for [i, j] in t0.indices() {
        out.push(t0.read([i, j])? as i64);
        out.push(t0.get([i - 2, j - 1]).map_or(-1, |value| *value as i64));
        if t0.contains([i - 2, j + 1]) {
            out.push(t0.read([i - 2, j + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_33(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(d) * (3), 0, 0]
}

#[shim::kernel]
fn kernel_34(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [h + 1]).permuted([0]);
    let t1 = Block::external(a, [5, w + d]).at([-1, -1]);
    let t2 = t0.coarsen([2]);
    let t3 = t2[[2..r + c]];
    let t4 = t0.refine([1]);
    for [i] in t4.indices() {
        t4[[i]] = (7 * i - 5) as i16;
        t4[[i]] += 2;
    }
}
fn library_34(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block = Block::from_vec([(h + 1) as usize], m.to_vec())?.in_space(&root)?.permuted([0])?;
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(5) as usize, (w + d) as usize], a.to_vec())?.in_space(&root)?.at([-1, -1]);
    let t1 = t1_block.view();
    let t2 = t0.coarsen([2])?;
    let t3 = t2.partition::<1>(&[Part::Range { start: (2) as i64, end: (r + c) as i64, step: 1 }])?;
    let t4 = t0.refine([1])?;
    if cells(&t4) {
        return Ok(false);
    }
    let place = t4.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        target.set([i], (7 * i - 5) as i32 as i16 as i16)?;
        let old = target.read([i])?;
        target.set([i], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_34(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(5) * (w + d), 0, (h + 1)]
}

#[shim::kernel]
fn kernel_35(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w + d, d]).coarsened([1, 1]);
    let t1 = t0.shifted([d - 3, h - 1 - 3]);
    let t2 = t1[t0];
    let t3 = t2[[d - 2, 2..h - 1 + 1]];
    let t4 = t3[[..]];
    let t5 = t2.cast::<u8>();
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t1, 1) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t4, 0) as i64);
    for [i, j] in t5.indices() {
        out.push(t5[[i, j]] as i64);
        out.push(t5.get([i + 1, j]).map_or(-1, |value| value as i64));
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t1, 1) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t3, 0) as i64);
    for [i, j] in t5.indices() {
        out.push(t5[[i, j]] as i64);
        out.push(t5.get([2 * i - 2, j - 1]).map_or(-1, |value| value as i64));
        if t5.contains([i + 1, 2 * j]) {
            out.push(t5[[i + 1, 2 * j]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_35(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block =
        Block::from_vec([(w + d) as usize, (d) as usize], a.to_vec())?.in_space(&root)?.coarsened([1, 1])?;
    let t0 = t0_block.view();
    let t1 = t0.shifted([d - 3, h - 1 - 3])?;
    let t2 = t1.colocate::<2>(&t0)?;
    let t3 = t2.partition::<1>(&[
        Part::Index((d - 2) as i64),
        Part::Range { start: (2) as i64, end: (h - 1 + 1) as i64, step: 1 },
    ])?;
    let t4 = t3.partition::<1>(&[Part::Full])?;
    let t5 = t2.clone();
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t1, 1)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t4, 0)? as i64);
    for [i, j] in t5.indices() {
        out.push(t5.read([i, j])? as u8 as i64);
        out.push(t5.get([i + 1, j]).map_or(-1, |value| *value as u8 as i64));
    }
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t1, 1)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t3, 0)? as i64);
    for [i, j] in t5.indices() {
        out.push(t5.read([i, j])? as u8 as i64);
        out.push(t5.get([2 * i - 2, j - 1]).map_or(-1, |value| *value as u8 as i64));
        if t5.contains([i + 1, 2 * j]) {
            out.push(t5.read([i + 1, 2 * j])? as u8 as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_35(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w + d) * (d), 0, 0]
}

#[shim::kernel]
fn kernel_36(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, h + 1]).on_axes([1, 0]).permuted([0, 1]);
    let t1 = Block::external(b, [2 * w, h, h]).coarsened([2, 2, 1]);
    let t2 = t1.cat(2, t1);
    let t3 = t2.coarsen([2, 1, 1]);
    let t4 = t0.cat(1, t0);
    let t5 = t4.slice(0, r - c - 1);
    let t6 = t5.refine([1]);
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0) as i64);
    out.push(t6.origin_in(t5, 0) as i64);
    for [i] in t6.indices() {
        out.push(t6[[i]] as i64);
        if t6.contains([i + 3]) {
            out.push(t6[[i + 3]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_36(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(h) as usize, (h + 1) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .permuted([0, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(2 * w) as usize, (h) as usize, (h) as usize], b.to_vec())?
        .in_space(&root)?
        .coarsened([2, 2, 1])?;
    let t1 = t1_block.view();
    let t2 = t1.cat(2, &t1)?;
    let t3 = t2.coarsen([2, 1, 1])?;
    let t4 = t0.cat(1, &t0)?;
    let t5 = t4.slice::<1>(0, r - c - 1)?;
    let t6 = t5.refine([1])?;
    if cells(&t6) {
        return Ok(false);
    }
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0)? as i64);
    out.push(t6.origin_in(&t5, 0)? as i64);
    for [i] in t6.indices() {
        out.push(t6.read([i])? as i64);
        if t6.contains([i + 3]) {
            out.push(t6.read([i + 3])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_36(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h + 1), (2 * w) * (h) * (h), 0]
}

#[shim::kernel]
fn kernel_37(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [w + d, 3]).on_axes([0, 1]).refined([4, 2]);
    let t1 = t0[[2 * r - 3, (2 * r - 1..2 * r - 1 + 2).step_by(2)]];
    let t2 = t1.cat(0, t1);
    let t3 = t2.footprint(t1);
    let t4 = t0.permute([1, 0]);
    let t5 = t4.refine([1, 1]);
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t5, 0) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t0, 0) as i64);
    for [i, j] in t5.indices() {
        if t5.contains([i + 3, j + 3]) {
            out.push(t5[[i + 3, j + 3]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t2, 0) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t3, 0) as i64);
    for [i, j] in t5.indices() {
        out.push(t5[[i, j]] as i64);
        if t5.contains([i - 2, j + 1]) {
            out.push(t5[[i - 2, j + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_37(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(w + d) as usize, (3) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .refined([4, 2])?;
    let t0 = t0_block.view();
    let t1 = t0.partition::<1>(&[
        Part::Index((2 * r - 3) as i64),
        Part::Range { start: (2 * r - 1) as i64, end: (2 * r - 1 + 2) as i64, step: 2 },
    ])?;
    let t2 = t1.cat(0, &t1)?;
    let t3 = t2.footprint(&t1)?;
    let t4 = t0.permute([1, 0])?;
    let t5 = t4.refine([1, 1])?;
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t5, 0)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t0, 0)? as i64);
    for [i, j] in t5.indices() {
        if t5.contains([i + 3, j + 3]) {
            out.push(t5.read([i + 3, j + 3])? as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t2, 0)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t3, 0)? as i64);
    for [i, j] in t5.indices() {
        out.push(t5.read([i, j])? as i64);
        if t5.contains([i - 2, j + 1]) {
            out.push(t5.read([i - 2, j + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_37(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(w + d) * (3), 0, 0]
}

#[shim::kernel]
fn kernel_38(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [w, h]).on_axes([0, 1]).at([1, c - 2]).coarsened([2, 2]);
    let t1 = Block::external(a, [h, h + 1, d]).at([h - 1 + 1, 3 * c + h, r - c - 3]).coarsened([2, 4, 1]);
    let t2 = t0.cast::<i64>();
    let t3 = t2.shifted([-1, r - c - 2]);
    let t4 = t3.coverage([r + 1, 3], t1);
    let t5 = t2.cast::<u16>();
    for [i, j] in t5.indices() {
        t5[[i, j]] = (11 * i + -2 * j - 5) as u16;
    }
}
fn library_38(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let mut t0_block = Block::from_vec([(w) as usize, (h) as usize], m.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1])?
        .at([1, c - 2])
        .coarsened([2, 2])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (h + 1) as usize, (d) as usize], a.to_vec())?
        .in_space(&root)?
        .at([h - 1 + 1, 3 * c + h, r - c - 3])
        .coarsened([2, 4, 1])?;
    let t1 = t1_block.view();
    let t2 = t0.clone();
    let t3 = t2.shifted([-1, r - c - 2])?;
    let t4 = t3.coverage([r + 1, 3], &t1)?;
    let t5 = t2.clone();
    if cells(&t5) {
        return Ok(false);
    }
    let place = t5.location().clone();
    let mut target = t0_block.view_mut().seen_from::<2>(place)?;
    for [i, j] in target.indices() {
        target.set([i, j], (11 * i + -2 * j - 5) as i32 as u16 as i64 as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_38(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h + 1) * (d), 0, (w) * (h)]
}

#[shim::kernel]
fn kernel_39(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [5]).refined([1]);
    let t1 = Block::external(b, [2 * w, 2 * w, w + d]);
    let t2 = t1.rev(2);
    let t3 = t1.rotate([3, r - c, 0]);
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t3, 2) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t3, 1) as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2) as i64);
    out.push(t3.origin_in(t0, 0) as i64);
    for [i, j, k] in t3.indices() {
        if t3.contains([i - 1, j + 1, k]) {
            out.push(t3[[i - 1, j + 1, k]] as i64);
        } else {
            out.push(-1);
        }
        out.push(t3.get([i + 1, j + 3, k + 1]).map_or(-1, |value| value as i64));
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t3, 0) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t2, 1) as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2) as i64);
    out.push(t3.origin_in(t1, 2) as i64);
    for [i, j, k] in t3.indices() {
        if t3.contains([i, j + 1, k + 1]) {
            out.push(t3[[i, j + 1, k + 1]] as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([2 * i - 2, j, k + 1]) {
            out.push(t3[[2 * i - 2, j, k + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_39(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(5) as usize], a.to_vec())?.in_space(&root)?.refined([1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(2 * w) as usize, (2 * w) as usize, (w + d) as usize], b.to_vec())?
        .in_space(&root)?;
    let t1 = t1_block.view();
    let t2 = t1.rev(2)?;
    let t3 = t1.rotate([3, r - c, 0])?;
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t3, 2)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t3, 1)? as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2)? as i64);
    out.push(t3.origin_in(&t0, 0)? as i64);
    for [i, j, k] in t3.indices() {
        if t3.contains([i - 1, j + 1, k]) {
            out.push(t3.read([i - 1, j + 1, k])? as i64);
        } else {
            out.push(-1);
        }
        out.push(t3.get([i + 1, j + 3, k + 1]).map_or(-1, |value| *value as i64));
    }
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t3, 0)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t2, 1)? as i64);
    out.push(t3.extent(2) as i64);
    out.push(t3.origin(2)? as i64);
    out.push(t3.origin_in(&t1, 2)? as i64);
    for [i, j, k] in t3.indices() {
        if t3.contains([i, j + 1, k + 1]) {
            out.push(t3.read([i, j + 1, k + 1])? as i64);
        } else {
            out.push(-1);
        }
        if t3.contains([2 * i - 2, j, k + 1]) {
            out.push(t3.read([2 * i - 2, j, k + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_39(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(5), (2 * w) * (2 * w) * (w + d), 0]
}

#[shim::kernel]
fn kernel_40(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 =
        Block::external(a, [h, h]).on_axes([1, 0]).at([r + c + 2, d - 2]).permuted([1, 0]).coarsened([1, 1]);
    let t1 = Block::external(b, [h, h]).permuted([0, 1]);
    let t2 = t1.boundary([Boundary::Fill(-9), Boundary::Reflect]);
    let t3 = t2[[2, ..]];
    let t4 = t3.shifted([r - c - 3]);
    let t5 = t4.coverage([2 * r + 1], t2);
    let t6 = t5.cast::<u16>();
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0) as i64);
    out.push(t6.origin_in(t5, 0) as i64);
    for [i] in t6.indices() {
        out.push(t6[[i]] as i64);
        out.push(t6[[i + 1]] as i64);
        out.push(t6[[i - 1]] as i64);
    }
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0) as i64);
    out.push(t6.origin_in(t0, 0) as i64);
    for [i] in t6.indices() {
        out.push(t6[[i]] as i64);
        out.push(t6[[i]] as i64);
        out.push(t6[[i + 1]] as i64);
    }
}
fn library_40(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(h) as usize, (h) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .at([r + c + 2, d - 2])
        .permuted([1, 0])?
        .coarsened([1, 1])?;
    let t0 = t0_block.view();
    let t1_block =
        Block::from_vec([(h) as usize, (h) as usize], b.to_vec())?.in_space(&root)?.permuted([0, 1])?;
    let t1 = t1_block.view();
    let t2 = t1.boundary([Boundary::Fill(-9), Boundary::Reflect]);
    let t3 = t2.partition::<1>(&[Part::Index((2) as i64), Part::Full])?;
    let t4 = t3.shifted([r - c - 3])?;
    let t5 = t4.coverage([2 * r + 1], &t2)?;
    let t6 = t5.clone();
    if cells(&t6) {
        return Ok(false);
    }
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0)? as i64);
    out.push(t6.origin_in(&t5, 0)? as i64);
    for [i] in t6.indices() {
        out.push(t6.read([i])? as u16 as i64);
        out.push(t6.read([i + 1])? as u16 as i64);
        out.push(t6.read([i - 1])? as u16 as i64);
    }
    if cells(&t6) {
        return Ok(false);
    }
    out.push(t6.extent(0) as i64);
    out.push(t6.origin(0)? as i64);
    out.push(t6.origin_in(&t0, 0)? as i64);
    for [i] in t6.indices() {
        out.push(t6.read([i])? as u16 as i64);
        out.push(t6.read([i])? as u16 as i64);
        out.push(t6.read([i + 1])? as u16 as i64);
    }
    Ok(true)
}
fn lengths_40(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h), (h) * (h), 0]
}

#[shim::kernel]
fn kernel_41(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h + 1, w, h]).at([h - 1, h - 1 - 3, 2 * r - 1]);
    let t1 = Block::external(b, [h + 1, h + 1]).on_axes([1, 2]);
    let t2 = t1[[(r - c..r - c - 2).step_by(2), (r + c - 2..3 * c + h).step_by(2)]];
    let t3 = t2.cast::<f32>();
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t0, 0) as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1) as i64);
    out.push(t3.origin_in(t3, 0) as i64);
    for [i, j] in t3.indices() {
        if t3.contains([i + 3, j + 3]) {
            out.push(t3[[i + 3, j + 3]] as i64);
        } else {
            out.push(-1);
        }
        out.push(t3.get([i + 3, j]).map_or(-1, |value| value as i64));
    }
}
fn library_41(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(h + 1) as usize, (w) as usize, (h) as usize], a.to_vec())?
        .in_space(&root)?
        .at([h - 1, h - 1 - 3, 2 * r - 1]);
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h + 1) as usize, (h + 1) as usize], b.to_vec())?
        .in_space(&root)?
        .on_axes([1, 2])?;
    let t1 = t1_block.view();
    let t2 = t1.partition::<2>(&[
        Part::Range { start: (r - c) as i64, end: (r - c - 2) as i64, step: 2 },
        Part::Range { start: (r + c - 2) as i64, end: (3 * c + h) as i64, step: 2 },
    ])?;
    let t3 = t2.clone();
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t0, 0)? as i64);
    out.push(t3.extent(1) as i64);
    out.push(t3.origin(1)? as i64);
    out.push(t3.origin_in(&t3, 0)? as i64);
    for [i, j] in t3.indices() {
        if t3.contains([i + 3, j + 3]) {
            out.push(t3.read([i + 3, j + 3])? as f32 as i64);
        } else {
            out.push(-1);
        }
        out.push(t3.get([i + 3, j]).map_or(-1, |value| *value as f32 as i64));
    }
    Ok(true)
}
fn lengths_41(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h + 1) * (w) * (h), (h + 1) * (h + 1), 0]
}

#[shim::kernel]
fn kernel_42(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 =
        Block::external(a, [h, h, h + 1]).on_axes([0, 1, 2]).at([r - c + 2, r - c, 2]).refined([1, 2, 2]);
    let t1 = t0.to_block().copied();
    let t2 = t1.shifted([d - 2, r - c - 3, 3 * c + h]);
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0) as i64);
    out.push(t2.origin_in(t0, 2) as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1) as i64);
    out.push(t2.origin_in(t2, 2) as i64);
    out.push(t2.extent(2) as i64);
    out.push(t2.origin(2) as i64);
    out.push(t2.origin_in(t1, 0) as i64);
    for [i, j, k] in t2.indices() {
        out.push(t2[[i, j, k]] as i64);
        out.push(t2.get([i - 1, j - 2, k]).map_or(-1, |value| value as i64));
    }
}
fn library_42(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(h) as usize, (h) as usize, (h + 1) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([0, 1, 2])?
        .at([r - c + 2, r - c, 2])
        .refined([1, 2, 2])?;
    let t0 = t0_block.view();
    if cells(&t0) {
        return Ok(false);
    }
    let t1_block = t0.copied()?;
    let t1 = t1_block.view().with_parent(&t0)?;
    let t2 = t1.shifted([d - 2, r - c - 3, 3 * c + h])?;
    if cells(&t2) {
        return Ok(false);
    }
    out.push(t2.extent(0) as i64);
    out.push(t2.origin(0)? as i64);
    out.push(t2.origin_in(&t0, 2)? as i64);
    out.push(t2.extent(1) as i64);
    out.push(t2.origin(1)? as i64);
    out.push(t2.origin_in(&t2, 2)? as i64);
    out.push(t2.extent(2) as i64);
    out.push(t2.origin(2)? as i64);
    out.push(t2.origin_in(&t1, 0)? as i64);
    for [i, j, k] in t2.indices() {
        out.push(t2.read([i, j, k])? as i64);
        out.push(t2.get([i - 1, j - 2, k]).map_or(-1, |value| *value as i64));
    }
    Ok(true)
}
fn lengths_42(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h) * (h + 1), 0, 0]
}

#[shim::kernel]
fn kernel_43(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h, h, w + d]).on_axes([2, 0, 1]);
    let t1 = Block::external(b, [w]).at([3 * c + h + 2]);
    let t2 = t1[[d + 1..d + 1 + 1]];
    let t3 = t2.coverage([r + c - 2], t1);
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t3, 0) as i64);
    for [i] in t3.indices() {
        out.push(t3[[i]] as i64);
        if t3.contains([2 * i + 1]) {
            out.push(t3[[2 * i + 1]] as i64);
        } else {
            out.push(-1);
        }
        out.push(t3.get([i + 3]).map_or(-1, |value| value as i64));
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0) as i64);
    out.push(t3.origin_in(t0, 2) as i64);
    for [i] in t3.indices() {
        out.push(t3[[i]] as i64);
        out.push(t3.get([i]).map_or(-1, |value| value as i64));
        out.push(t3.get([2 * i - 1]).map_or(-1, |value| value as i64));
    }
}
fn library_43(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(3);
    let t0_block = Block::from_vec([(h) as usize, (h) as usize, (w + d) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([2, 0, 1])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize], b.to_vec())?.in_space(&root)?.at([3 * c + h + 2]);
    let t1 = t1_block.view();
    let t2 = t1.partition::<1>(&[Part::Range { start: (d + 1) as i64, end: (d + 1 + 1) as i64, step: 1 }])?;
    let t3 = t2.coverage([r + c - 2], &t1)?;
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t3, 0)? as i64);
    for [i] in t3.indices() {
        out.push(t3.read([i])? as i64);
        if t3.contains([2 * i + 1]) {
            out.push(t3.read([2 * i + 1])? as i64);
        } else {
            out.push(-1);
        }
        out.push(t3.get([i + 3]).map_or(-1, |value| *value as i64));
    }
    if cells(&t3) {
        return Ok(false);
    }
    out.push(t3.extent(0) as i64);
    out.push(t3.origin(0)? as i64);
    out.push(t3.origin_in(&t0, 2)? as i64);
    for [i] in t3.indices() {
        out.push(t3.read([i])? as i64);
        out.push(t3.get([i]).map_or(-1, |value| *value as i64));
        out.push(t3.get([2 * i - 1]).map_or(-1, |value| *value as i64));
    }
    Ok(true)
}
fn lengths_43(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (h) * (w + d), (w), 0]
}

#[shim::kernel]
fn kernel_44(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [2 * w, d]);
    let t1 = Block::external(b, [w, 5]).at([d, 1]);
    let t2 = t1.permute([1, 0]);
    let t3 = t2.refine([2, 1]);
    let t4 = t3.permute([0, 1]);
    let t5 = t4.permute([0, 1]);
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t2, 0) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t0, 0) as i64);
    for [i, j] in t5.indices() {
        out.push(t5[[i, j]] as i64);
        if t5.contains([i, j - 2]) {
            out.push(t5[[i, j - 2]] as i64);
        } else {
            out.push(-1);
        }
        if t5.contains([i - 1, j + 1]) {
            out.push(t5[[i - 1, j + 1]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0) as i64);
    out.push(t5.origin_in(t0, 0) as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1) as i64);
    out.push(t5.origin_in(t4, 0) as i64);
    for [i, j] in t5.indices() {
        out.push(t5[[i, j]] as i64);
        if t5.contains([i + 1, j - 1]) {
            out.push(t5[[i + 1, j - 1]] as i64);
        } else {
            out.push(-1);
        }
    }
}
fn library_44(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(2 * w) as usize, (d) as usize], a.to_vec())?.in_space(&root)?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(w) as usize, (5) as usize], b.to_vec())?.in_space(&root)?.at([d, 1]);
    let t1 = t1_block.view();
    let t2 = t1.permute([1, 0])?;
    let t3 = t2.refine([2, 1])?;
    let t4 = t3.permute([0, 1])?;
    let t5 = t4.permute([0, 1])?;
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t2, 0)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t0, 0)? as i64);
    for [i, j] in t5.indices() {
        out.push(t5.read([i, j])? as i64);
        if t5.contains([i, j - 2]) {
            out.push(t5.read([i, j - 2])? as i64);
        } else {
            out.push(-1);
        }
        if t5.contains([i - 1, j + 1]) {
            out.push(t5.read([i - 1, j + 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t5) {
        return Ok(false);
    }
    out.push(t5.extent(0) as i64);
    out.push(t5.origin(0)? as i64);
    out.push(t5.origin_in(&t0, 0)? as i64);
    out.push(t5.extent(1) as i64);
    out.push(t5.origin(1)? as i64);
    out.push(t5.origin_in(&t4, 0)? as i64);
    for [i, j] in t5.indices() {
        out.push(t5.read([i, j])? as i64);
        if t5.contains([i + 1, j - 1]) {
            out.push(t5.read([i + 1, j - 1])? as i64);
        } else {
            out.push(-1);
        }
    }
    Ok(true)
}
fn lengths_44(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(2 * w) * (d), (w) * (5), 0]
}

#[shim::kernel]
fn kernel_45(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [5, w]);
    let t1 = Block::external(a, [h, w]).on_axes([1, 0]).at([0, h - 1]).permuted([0, 1]).coarsened([3, 3]);
    let t2 = Block::external(b, [w + d]).at([0]).coarsened([2]);
    let t3 = t0[[r + c, (r + c + 3..h).step_by(3)]];
    let t4 = t3.permute([0]);
    let t5 = t4[[..]];
    for [i] in t5.indices() {
        t5[[i]] = (7 * i - 5) as i16;
        t5[[i]] += 2;
    }
}
fn library_45(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block = Block::from_vec([(5) as usize, (w) as usize], m.to_vec())?.in_space(&root)?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (w) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .at([0, h - 1])
        .permuted([0, 1])?
        .coarsened([3, 3])?;
    let t1 = t1_block.view();
    let t2_block =
        Block::from_vec([(w + d) as usize], b.to_vec())?.in_space(&root)?.at([0]).coarsened([2])?;
    let t2 = t2_block.view();
    let t3 = t0.partition::<1>(&[
        Part::Index((r + c) as i64),
        Part::Range { start: (r + c + 3) as i64, end: (h) as i64, step: 3 },
    ])?;
    let t4 = t3.permute([0])?;
    let t5 = t4.partition::<1>(&[Part::Full])?;
    if cells(&t5) {
        return Ok(false);
    }
    let place = t5.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        target.set([i], (7 * i - 5) as i32 as i16 as i16)?;
        let old = target.read([i])?;
        target.set([i], (old + 2) as i16)?;
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_45(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (w), (w + d), (5) * (w)]
}

#[shim::kernel]
fn kernel_46(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(a, [h + 1, w]).permuted([1, 0]).coarsened([2, 4]);
    let t1 = Block::external(b, [2 * w, h + 1]);
    let t2 = t1.take([-1, -1]);
    let t3 = t2.coarsen([1, 1]);
    let t4 = t3.take([-2, -1]);
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0) as i64);
    out.push(t4.origin_in(t2, 0) as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1) as i64);
    out.push(t4.origin_in(t0, 1) as i64);
    for [i, j] in t4.indices() {
        out.push(t4[[i, j]] as i64);
        if t4.contains([i - 2, j - 2]) {
            out.push(t4[[i - 2, j - 2]] as i64);
        } else {
            out.push(-1);
        }
    }
    out.push(t1.extent(0) as i64);
    out.push(t1.origin(0) as i64);
    out.push(t1.origin_in(t2, 1) as i64);
    out.push(t1.extent(1) as i64);
    out.push(t1.origin(1) as i64);
    out.push(t1.origin_in(t2, 0) as i64);
    for [i, j] in t1.indices() {
        out.push(t1.get([i + 3, j]).map_or(-1, |value| value as i64));
    }
}
fn library_46(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let t0_block = Block::from_vec([(h + 1) as usize, (w) as usize], a.to_vec())?
        .in_space(&root)?
        .permuted([1, 0])?
        .coarsened([2, 4])?;
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(2 * w) as usize, (h + 1) as usize], b.to_vec())?.in_space(&root)?;
    let t1 = t1_block.view();
    let t2 = t1.take([-1, -1])?;
    let t3 = t2.coarsen([1, 1])?;
    let t4 = t3.take([-2, -1])?;
    if cells(&t4) {
        return Ok(false);
    }
    out.push(t4.extent(0) as i64);
    out.push(t4.origin(0)? as i64);
    out.push(t4.origin_in(&t2, 0)? as i64);
    out.push(t4.extent(1) as i64);
    out.push(t4.origin(1)? as i64);
    out.push(t4.origin_in(&t0, 1)? as i64);
    for [i, j] in t4.indices() {
        out.push(t4.read([i, j])? as i64);
        if t4.contains([i - 2, j - 2]) {
            out.push(t4.read([i - 2, j - 2])? as i64);
        } else {
            out.push(-1);
        }
    }
    if cells(&t1) {
        return Ok(false);
    }
    out.push(t1.extent(0) as i64);
    out.push(t1.origin(0)? as i64);
    out.push(t1.origin_in(&t2, 1)? as i64);
    out.push(t1.extent(1) as i64);
    out.push(t1.origin(1)? as i64);
    out.push(t1.origin_in(&t2, 0)? as i64);
    for [i, j] in t1.indices() {
        out.push(t1.get([i + 3, j]).map_or(-1, |value| *value as i64));
    }
    Ok(true)
}
fn lengths_46(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h + 1) * (w), (2 * w) * (h + 1), 0]
}

#[shim::kernel]
fn kernel_47(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) {
    let t0 = Block::external(m, [w]).on_axes([0]).at([r - c]);
    let t1 = Block::external(a, [h, 5]).on_axes([1, 0]).at([2 * r, 3]).permuted([0, 1]);
    let t2 = Block::external(b, [w, d]).coarsened([2, 4]);
    let t3 = t0.cast::<f32>();
    let t4 = t1[[(w - 2 - 1..w - 2 - 1 + 4).step_by(3), 2..2 * d]];
    let t5 = t3[[(c..h - 1).step_by(3)]];
    let t6 = t5.permute([0]);
    for [i] in t6.indices() {
        if t6.contains([i - 1]) {
            t6[[i - 1]] = (3 * i - 5) as f32;
            t6[[i - 1]] += 2.0;
        }
    }
}
fn library_47(
    a: &[i16],
    b: &[i16],
    m: &mut [i16],
    h: usize,
    w: usize,
    d: usize,
    r: isize,
    c: isize,
    out: &mut Vec<i64>,
) -> Result<bool> {
    let (h, w, d) = (h as isize, w as isize, d as isize);
    let root = Space::root(2);
    let mut t0_block =
        Block::from_vec([(w) as usize], m.to_vec())?.in_space(&root)?.on_axes([0])?.at([r - c]);
    let t0 = t0_block.view();
    let t1_block = Block::from_vec([(h) as usize, (5) as usize], a.to_vec())?
        .in_space(&root)?
        .on_axes([1, 0])?
        .at([2 * r, 3])
        .permuted([0, 1])?;
    let t1 = t1_block.view();
    let t2_block =
        Block::from_vec([(w) as usize, (d) as usize], b.to_vec())?.in_space(&root)?.coarsened([2, 4])?;
    let t2 = t2_block.view();
    let t3 = t0.clone();
    let t4 = t1.partition::<2>(&[
        Part::Range { start: (w - 2 - 1) as i64, end: (w - 2 - 1 + 4) as i64, step: 3 },
        Part::Range { start: (2) as i64, end: (2 * d) as i64, step: 1 },
    ])?;
    let t5 = t3.partition::<1>(&[Part::Range { start: (c) as i64, end: (h - 1) as i64, step: 3 }])?;
    let t6 = t5.permute([0])?;
    if cells(&t6) {
        return Ok(false);
    }
    let place = t6.location().clone();
    let mut target = t0_block.view_mut().seen_from::<1>(place)?;
    for [i] in target.indices() {
        if target.contains([i - 1]) {
            target.set([i - 1], (3 * i - 5) as i32 as f32 as i16)?;
            let old = target.read([i - 1])? as f32;
            target.set([i - 1], (old + 2.0) as i16)?;
        }
    }
    m.copy_from_slice(t0_block.as_slice());
    Ok(true)
}
fn lengths_47(h: usize, w: usize, d: usize) -> [usize; 3] {
    [(h) * (5), (w) * (d), (w)]
}

pub(super) const CASES: &[Case] = &[
    Case { kernel: kernel_0, library: library_0, lengths: lengths_0, name: "kernel_0" },
    Case { kernel: kernel_1, library: library_1, lengths: lengths_1, name: "kernel_1" },
    Case { kernel: kernel_2, library: library_2, lengths: lengths_2, name: "kernel_2" },
    Case { kernel: kernel_3, library: library_3, lengths: lengths_3, name: "kernel_3" },
    Case { kernel: kernel_4, library: library_4, lengths: lengths_4, name: "kernel_4" },
    Case { kernel: kernel_5, library: library_5, lengths: lengths_5, name: "kernel_5" },
    Case { kernel: kernel_6, library: library_6, lengths: lengths_6, name: "kernel_6" },
    Case { kernel: kernel_7, library: library_7, lengths: lengths_7, name: "kernel_7" },
    Case { kernel: kernel_8, library: library_8, lengths: lengths_8, name: "kernel_8" },
    Case { kernel: kernel_9, library: library_9, lengths: lengths_9, name: "kernel_9" },
    Case { kernel: kernel_10, library: library_10, lengths: lengths_10, name: "kernel_10" },
    Case { kernel: kernel_11, library: library_11, lengths: lengths_11, name: "kernel_11" },
    Case { kernel: kernel_12, library: library_12, lengths: lengths_12, name: "kernel_12" },
    Case { kernel: kernel_13, library: library_13, lengths: lengths_13, name: "kernel_13" },
    Case { kernel: kernel_14, library: library_14, lengths: lengths_14, name: "kernel_14" },
    Case { kernel: kernel_15, library: library_15, lengths: lengths_15, name: "kernel_15" },
    Case { kernel: kernel_16, library: library_16, lengths: lengths_16, name: "kernel_16" },
    Case { kernel: kernel_17, library: library_17, lengths: lengths_17, name: "kernel_17" },
    Case { kernel: kernel_18, library: library_18, lengths: lengths_18, name: "kernel_18" },
    Case { kernel: kernel_19, library: library_19, lengths: lengths_19, name: "kernel_19" },
    Case { kernel: kernel_20, library: library_20, lengths: lengths_20, name: "kernel_20" },
    Case { kernel: kernel_21, library: library_21, lengths: lengths_21, name: "kernel_21" },
    Case { kernel: kernel_22, library: library_22, lengths: lengths_22, name: "kernel_22" },
    Case { kernel: kernel_23, library: library_23, lengths: lengths_23, name: "kernel_23" },
    Case { kernel: kernel_24, library: library_24, lengths: lengths_24, name: "kernel_24" },
    Case { kernel: kernel_25, library: library_25, lengths: lengths_25, name: "kernel_25" },
    Case { kernel: kernel_26, library: library_26, lengths: lengths_26, name: "kernel_26" },
    Case { kernel: kernel_27, library: library_27, lengths: lengths_27, name: "kernel_27" },
    Case { kernel: kernel_28, library: library_28, lengths: lengths_28, name: "kernel_28" },
    Case { kernel: kernel_29, library: library_29, lengths: lengths_29, name: "kernel_29" },
    Case { kernel: kernel_30, library: library_30, lengths: lengths_30, name: "kernel_30" },
    Case { kernel: kernel_31, library: library_31, lengths: lengths_31, name: "kernel_31" },
    Case { kernel: kernel_32, library: library_32, lengths: lengths_32, name: "kernel_32" },
    Case { kernel: kernel_33, library: library_33, lengths: lengths_33, name: "kernel_33" },
    Case { kernel: kernel_34, library: library_34, lengths: lengths_34, name: "kernel_34" },
    Case { kernel: kernel_35, library: library_35, lengths: lengths_35, name: "kernel_35" },
    Case { kernel: kernel_36, library: library_36, lengths: lengths_36, name: "kernel_36" },
    Case { kernel: kernel_37, library: library_37, lengths: lengths_37, name: "kernel_37" },
    Case { kernel: kernel_38, library: library_38, lengths: lengths_38, name: "kernel_38" },
    Case { kernel: kernel_39, library: library_39, lengths: lengths_39, name: "kernel_39" },
    Case { kernel: kernel_40, library: library_40, lengths: lengths_40, name: "kernel_40" },
    Case { kernel: kernel_41, library: library_41, lengths: lengths_41, name: "kernel_41" },
    Case { kernel: kernel_42, library: library_42, lengths: lengths_42, name: "kernel_42" },
    Case { kernel: kernel_43, library: library_43, lengths: lengths_43, name: "kernel_43" },
    Case { kernel: kernel_44, library: library_44, lengths: lengths_44, name: "kernel_44" },
    Case { kernel: kernel_45, library: library_45, lengths: lengths_45, name: "kernel_45" },
    Case { kernel: kernel_46, library: library_46, lengths: lengths_46, name: "kernel_46" },
    Case { kernel: kernel_47, library: library_47, lengths: lengths_47, name: "kernel_47" },
];
