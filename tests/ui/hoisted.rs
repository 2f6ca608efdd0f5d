use shim::prelude::*;

/// A template whose index depends on memory.
#[shim::kernel]
fn look(table: impl Tensor<u8, 1>, k: usize) -> u8 {
    table[[k]]
}

#[shim::kernel(checks = "hoisted")]
fn gather(table: &[u8], at: &[usize], #[shape(n)] out: &mut [u8], n: usize) {
    let table = Block::external(table, [table.len()]);
    let at = Block::external(at, [at.len()]);
    for i in 0..n {
        out[[i]] = table[[at[[i]]]];
        out[[i]] += look(table, at[[i]] + 1);
    }
}

#[shim::kernel(checks = "hoisted")]
fn search(values: &[u8], least: u8) -> usize {
    let values = Block::external(values, [values.len()]);
    let mut i = 0;
    while values[[i]] < least {
        i += 1;
    }
    i
}

#[shim::kernel(checks = "hoisted")]
fn positive(values: &[i8], found: &mut [i8], n: usize) -> usize {
    let values = Block::external(values, [values.len()]);
    let found = Block::external(found, [found.len()]).list();
    for i in 0..n {
        if i % 3 == 0 && values[[i]] > 0 {
            found.push(1);
        }
    }
    found.len()
}

// Each is asserted before its loop, or bounded by what the index says.
#[shim::kernel(checks = "hoisted")]
fn bounded(#[shape(n)] t: &[u8], at: &[usize], n: usize) -> u32 {
    let at = Block::external(at, [n]);
    let mut sum = 0;
    for i in 0..n {
        sum += u32::from(t[[i]]) + u32::from(t.boundary(Clamp)[[i + 1]]);
        sum += t.get([at[[i]]]).map_or(0, |x| u32::from(x));
    }
    sum
}

fn main() {
    let _ = (gather, search, positive, bounded);
}
