//! Tables of which a loop has private copies.

use shim::prelude::*;

macro_rules! histograms {
    ($($name:ident: $(#[$word:meta])*;)*) => { $(
        #[shim::kernel]
        fn $name(#[shape(h, w)] a: &[u8], [h, w]: [usize; 2], #[shape(256)] table: &mut [u32]) {
            $(#[$word])*
            for y in 0..h {
                for x in 0..w {
                    table[[a[[y, x]] as usize]] += 1;
                }
            }
        }
    )* };
}

histograms! {
    plain: ;
    in_copies: #[copies(4)];
    in_parts: #[copies(3)] #[parallel];
    in_tiles: #[tile([2, 8])] #[copies(4)];
    unrolled: #[copies(4)] #[unroll(4)];
    by_columns: #[reorder(x, y)] #[copies(2)];
}

/// Lanes of the rows, each with a copy.
#[shim::kernel]
fn in_lanes(#[shape(h, w)] a: &[u8], [h, w]: [usize; 2], #[shape(256)] table: &mut [u32]) {
    #[copies(8)]
    for y in 0..h {
        #[lanes(8)]
        for x in 0..w {
            table[[a[[y, x]] as usize]] += 1;
        }
    }
}

type Histogram = fn(&[u8], [usize; 2], &mut [u32]);

#[test]
fn histograms_are_the_same() {
    for [h, w] in [[0, 0], [1, 1], [1, 37], [5, 16], [7, 33]] {
        let a: Vec<u8> = (0..h * w).map(|at| (at * at / 3 % 251) as u8).collect();
        let mut expected = vec![7; 256];
        for own in &a {
            expected[usize::from(*own)] += 1;
        }
        let kernels: [Histogram; 7] = [plain, in_copies, in_parts, in_tiles, in_lanes, unrolled, by_columns];
        for kernel in kernels {
            let mut table = vec![7; 256];
            kernel(&a, [h, w], &mut table);
            assert_eq!(table, expected);
        }
    }
}

/// Tables of two extents that the caller gives, one of them of differences, with other things that the loop does.
#[shim::kernel]
fn pairs(
    #[shape(n)] a: &[u8],
    n: usize,
    #[shape(h, w)] counts: &mut [u16],
    #[shape(h)] less: &mut [i32],
    #[shape(h)] seen: &mut [u64],
    #[shape(h)] all: &mut [u8],
    #[shape(h)] signs: &mut [i8],
    #[shape(n)] last: &mut [u8],
    [h, w]: [usize; 2],
) -> u32 {
    let mut sum = 0u32;
    #[copies(4)]
    for x in 1..n {
        let [i, j] = [a[[x]] as usize % h, a[[x - 1]] as usize % w];
        counts[[i, j]] += 3;
        if i > 0 {
            less[[i - 1]] -= j as i32;
        }
        less[[i]] -= 1;
        seen[[i]] |= 1 << j;
        all[[i]] &= !(1 << (j % 8));
        signs[[j.min(h - 1)]] *= -1;
        last[[x]] = a[[x - 1]];
        sum += 1;
    }
    sum
}

#[test]
fn each_operator_has_copies() {
    for n in [1, 2, 9, 200] {
        let [h, w] = [5, 9];
        let a: Vec<u8> = (0..n).map(|at| (at * at * 7 % 253) as u8).collect();
        let (mut counts, mut less, mut seen) = (vec![1u16; h * w], vec![2i32; h], vec![3u64; h]);
        let (mut all, mut signs, mut last) = (vec![0xF5u8; h], vec![5i8; h], vec![0; n]);
        let sum = pairs(&a, n, &mut counts, &mut less, &mut seen, &mut all, &mut signs, &mut last, [h, w]);
        let (mut counts_2, mut less_2, mut seen_2) = (vec![1u16; h * w], vec![2i32; h], vec![3u64; h]);
        let (mut all_2, mut signs_2, mut last_2) = (vec![0xF5u8; h], vec![5i8; h], vec![0; n]);
        for x in 1..n {
            let [i, j] = [a[x] as usize % h, a[x - 1] as usize % w];
            counts_2[i * w + j] += 3;
            if i > 0 {
                less_2[i - 1] -= j as i32;
            }
            less_2[i] -= 1;
            seen_2[i] |= 1 << j;
            all_2[i] &= !(1 << (j % 8));
            signs_2[j.min(h - 1)] *= -1;
            last_2[x] = a[x - 1];
        }
        assert_eq!((sum as usize, counts, less, seen), (n - 1, counts_2, less_2, seen_2));
        assert_eq!((all, signs, last), (all_2, signs_2, last_2));
    }
}

/// Indices of a tensor, in order and as tasks; a name that hides a variable.
#[shim::kernel]
fn over_indices(#[shape(h, w)] a: &[u8], [h, w]: [usize; 2], #[shape(8)] table: &mut [u32]) {
    #[copies(4)]
    for [y, x] in a.indices() {
        let x = a[[y, x]] as usize % 8;
        table[[x]] += 1;
    }
    #[copies(2)]
    #[parallel]
    for [y, x] in a.indices() {
        table[[a[[y, x]] as usize / 4 % 8]] += 1;
    }
}

/// Ranges that begin below zero, and bounds of other types.
#[shim::kernel]
fn below_zero(#[shape(16)] a: &[u8], n: i32, #[shape(16)] table: &mut [u32]) {
    #[copies(4)]
    for x in -5..n {
        table[[a[[x + 5]] as usize % 16]] += 1;
    }
    #[copies(4)]
    for x in 0..=7u8 {
        table[[x]] += 1;
    }
}

#[test]
fn forms_of_loops() {
    let a: Vec<u8> = (0..35).map(|at| at * 7 % 29).collect();
    let (mut table, mut expected) = (vec![0; 8], vec![0; 8]);
    over_indices(&a, [5, 7], &mut table);
    for own in &a {
        expected[*own as usize % 8] += 1;
        expected[*own as usize / 4 % 8] += 1;
    }
    assert_eq!(table, expected);
    let (mut table, mut expected) = (vec![0; 16], vec![0; 16]);
    below_zero(&a[..16], 6, &mut table);
    for own in &a[..11] {
        expected[*own as usize % 16] += 1;
    }
    (0..8).for_each(|at| expected[at] += 1);
    assert_eq!(table, expected);
}
