//! Huffman tables that fit what is coded (T.81 K.2).

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use crate::kernels::tables::HuffmanSpecification;

/// The longest code that a table may hold.
const LONGEST: usize = 16;

/// The table whose codes are shortest for values that occur so often; values that do not occur have none. At least one
/// must.
///
/// Of values that are equally rare the greatest is taken first, as the figures say.
pub(crate) fn table(counts: &[u64; 256]) -> HuffmanSpecification {
    let sizes = code_sizes(counts);
    let mut bits = vec![0_usize; sizes.iter().map(|&(_, size)| size).max().unwrap_or(0).max(LONGEST) + 1];
    for &(_, size) in &sizes {
        bits[size] += 1;
    }
    shorten(&mut bits);
    // Figure K.4: values in the order of their first sizes, whatever became of those.
    let mut values = sizes.iter().filter(|&&(v, _)| v < 256).map(|&(v, size)| (size, v)).collect::<Vec<_>>();
    values.sort_unstable();
    HuffmanSpecification {
        bits: core::array::from_fn(|i| bits[i + 1] as u8),
        values: Cow::Owned(values.into_iter().map(|(_, v)| v as u8).collect()),
    }
}

/// CODESIZE of the values that occur, and of 256, a value that stands for the code of all ones, which no value may have
/// (Figure K.1).
fn code_sizes(counts: &[u64; 256]) -> Vec<(usize, usize)> {
    /// A tree of values.
    struct Tree {
        frequency: u64,
        /// The value that the tree is known by, its first.
        value: usize,
        /// Indices into the sizes.
        members: Vec<usize>,
    }
    let mut sizes = (0..256).filter(|&v| counts[v] > 0).map(|v| (v, 0)).collect::<Vec<_>>();
    sizes.push((256, 0));
    let mut trees = sizes
        .iter()
        .enumerate()
        .map(|(i, &(value, _))| Tree {
            frequency: counts.get(value).copied().unwrap_or(1),
            value,
            members: vec![i],
        })
        .collect::<Vec<_>>();
    while trees.len() > 1 {
        let least = |trees: &mut Vec<Tree>| {
            let rarest = (0..trees.len()).min_by_key(|&i| (trees[i].frequency, usize::MAX - trees[i].value));
            trees.swap_remove(rarest.unwrap_or(0))
        };
        let (mut first, second) = (least(&mut trees), least(&mut trees));
        first.frequency += second.frequency;
        first.members.extend(second.members);
        for &i in &first.members {
            sizes[i].1 += 1;
        }
        trees.push(first);
    }
    sizes
}

/// Makes codes of more than sixteen bits shorter, and takes away the reserved one (Figure K.3): a pair of the longest
/// codes gives its common beginning to one of them, and the other shares that of a shorter code.
fn shorten(bits: &mut [usize]) {
    for i in (LONGEST + 1..bits.len()).rev() {
        while bits[i] > 0 {
            let j = (1..i - 1).rev().find(|&j| bits[j] > 0).unwrap_or(1);
            bits[i] -= 2;
            bits[i - 1] += 1;
            bits[j + 1] += 2;
            bits[j] -= 1;
        }
    }
    if let Some(longest) = bits.iter_mut().rev().find(|count| **count > 0) {
        *longest -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: &[(usize, u64)]) -> HuffmanSpecification {
        let mut all = [0; 256];
        for &(value, count) in counts {
            all[value] = count;
        }
        table(&all)
    }

    #[test]
    fn one_value_has_a_code_of_one_bit() {
        let table = of(&[(7, 100)]);
        assert_eq!((table.bits[0], &table.values[..]), (1, &[7][..]));
    }

    #[test]
    fn rare_values_have_longer_codes() {
        let table = of(&[(0, 8), (1, 4), (2, 2), (3, 1)]);
        assert_eq!(table.values[..], [0, 1, 2, 3]);
        assert_eq!(table.bits[..5], [1, 1, 1, 1, 0]);
    }

    #[test]
    fn codes_are_at_most_sixteen_bits_and_no_code_is_all_ones() {
        // Fibonacci's numbers make the deepest tree.
        let mut counts = [0; 256];
        let (mut a, mut b) = (1, 1);
        for count in counts.iter_mut().take(60) {
            *count = a;
            (a, b) = (b, a + b);
        }
        for counts in [counts, [1; 256], std::array::from_fn(|i| 1 << (i / 8))] {
            let table = table(&counts);
            let used = counts.iter().filter(|&&count| count > 0).count();
            assert_eq!(table.values.len(), used);
            assert_eq!(table.bits.iter().map(|&n| usize::from(n)).sum::<usize>(), used);
            let space: u32 = (0..16).map(|i| u32::from(table.bits[i]) << (15 - i)).sum();
            assert!(space < 1 << 16, "{space}");
        }
    }
}
