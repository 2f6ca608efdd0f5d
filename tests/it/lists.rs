//! Lists: elements appended to a block.

use crate::common::{noise, panics_with};
use shim::prelude::*;

/// A change of a list, or of a `Vec`.
#[derive(Clone, Copy, Debug)]
enum Step {
    Push(i32),
    PushIf(bool, i32),
    Extend(usize),
    ExtendConst,
    Truncate(usize),
}

#[shim::kernel]
fn run(steps: &[Step], memory: &mut [i32], start: usize) -> usize {
    let list = Block::external(memory, [memory.len()]).list_from(start);
    for step in steps {
        match *step {
            Step::Push(value) => list.push(value),
            Step::PushIf(keep, value) => list.push_if(keep, value),
            Step::Extend(n) => list.extend((0..n).map(|i| 10 * n as i32 + i as i32)),
            Step::ExtendConst => {
                #[unroll]
                list.extend((2..=4).map(|i| i * i));
            }
            Step::Truncate(n) => list.truncate(n),
        }
    }
    list.len()
}

fn run_plain(steps: &[Step], list: &mut Vec<i32>) {
    for step in steps {
        match *step {
            Step::Push(value) => list.push(value),
            Step::PushIf(keep, value) => {
                if keep {
                    list.push(value);
                }
            }
            Step::Extend(n) => list.extend((0..n).map(|i| 10 * n as i32 + i as i32)),
            Step::ExtendConst => list.extend((2..=4).map(|i| i * i)),
            Step::Truncate(n) => list.truncate(n),
        }
    }
}

#[test]
fn lists_are_vectors() {
    let numbers: Vec<u32> = noise(4000, 1000);
    for (round, numbers) in numbers.chunks(2 + numbers.len() / 90).enumerate() {
        let steps: Vec<Step> = numbers
            .iter()
            .map(|&n| match n % 6 {
                0 | 5 => Step::Push(n as i32),
                1 => Step::PushIf(n % 4 == 0, n as i32),
                2 => Step::Extend(n as usize / 6 % 7),
                3 => Step::ExtendConst,
                _ => Step::Truncate(n as usize / 6 % 60),
            })
            .collect();
        let start = round % 5;
        let mut wanted = vec![-1; start];
        run_plain(&steps, &mut wanted);
        let mut memory = vec![-1; 400];
        let found = run(&steps, &mut memory, start);
        assert_eq!(memory[..found], wanted, "{steps:?}");
    }
}

#[test]
fn a_full_list_panics_and_keeps_what_it_has() {
    let mut memory = [-1; 3];
    assert_eq!(run(&[Step::ExtendConst], &mut memory, 0), 3);
    assert_eq!(memory, [4, 9, 16]);
    let mut memory = [-1; 2];
    panics_with(|| run(&[Step::ExtendConst], &mut memory, 0), &["list", "`run`"]);
    assert_eq!(memory, [-1; 2], "the elements of `extend` are tested together");
    panics_with(|| run(&[Step::Push(1); 3], &mut memory, 0), &["list", "`run`"]);
    assert_eq!(memory, [1; 2]);
    // An element that is not kept needs room too.
    panics_with(|| run(&[Step::PushIf(false, 5)], &mut [], 0), &["list", "`run`"]);
    for start in [3, usize::MAX] {
        panics_with(|| run(&[], &mut [0; 2], start), &["`list` cannot have", "its capacity is 2"]);
    }
    assert_eq!(run(&[], &mut [], 0), 0);
    assert_eq!(run(&[Step::Extend(0), Step::Truncate(3)], &mut [], 0), 0);
}

/// The numbers of elements that are not zero with how many zeros are before each; a template.
#[shim::kernel]
fn runs_of(t: impl Tensor<i16, 1>, runs: impl Tensor<(u32, i16), 1>) {
    let mut zeros = 0;
    for [i] in t.indices() {
        if t[[i]] == 0 {
            zeros += 1;
        } else {
            runs.push((zeros, t[[i]]));
            zeros = 0;
        }
    }
}

/// At most eight runs in each row: none is tested.
#[shim::kernel]
fn runs(levels: &[i16], rows: usize, out: &mut Vec<Vec<(u32, i16)>>) {
    let levels = Block::external(levels, [rows, 8]);
    for row in 0..rows {
        let mut memory = [(0, 0); 8];
        let runs = Block::external(&mut memory, [8]).list();
        runs_of(levels.slice(0, row), runs);
        let count = runs.len();
        out.push(memory[..count].to_vec());
    }
}

#[test]
fn templates_append_to_lists() {
    let levels: Vec<i16> = noise::<i16>(80, 5).into_iter().map(|n| (n - 2).max(0)).collect();
    let mut found = Vec::new();
    runs(&levels, 10, &mut found);
    for (row, found) in levels.chunks(8).zip(found) {
        let mut wanted = Vec::new();
        let mut zeros = 0;
        for &level in row {
            if level == 0 {
                zeros += 1;
            } else {
                wanted.push((zeros, level));
                zeros = 0;
            }
        }
        assert_eq!(found, wanted);
    }
}

/// Primes below `n`, by a list that is read while it grows.
#[shim::kernel]
fn primes(n: u32, memory: &mut [u32]) -> usize {
    let primes = Block::external(memory, [n as usize]).list();
    for k in 2..n {
        let known = primes.len();
        let mut prime = true;
        for i in 0..known {
            prime &= k % primes[[i]] != 0;
        }
        primes.push_if(prime, k);
    }
    primes.len()
}

#[test]
fn a_list_is_read_as_it_grows() {
    let mut memory = [0; 40];
    let count = primes(40, &mut memory);
    assert_eq!(memory[..count], [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]);
    assert_eq!(primes(0, &mut []), 0);
    assert_eq!(primes(1, &mut [0]), 0);
}

/// Lists in blocks of the kernel's own, one over the elements of another type.
#[shim::kernel]
fn own(n: usize) -> (u64, usize, usize) {
    let stack = Block::stack::<u8>([16]);
    let small = stack.cast::<u64>().list();
    let heap = Block::heap::<u64>([n]).list();
    for i in 0..n {
        heap.push(i as u64 * i as u64);
        small.push_if(i < 16 && i % 3 == 0, i as u64);
    }
    let mut sum = 0;
    for [i] in stack.indices() {
        sum += u64::from(stack[[i]]);
    }
    let kept = small.len();
    heap.truncate(n / 2);
    heap.extend((0..n / 4).map(|i| small[[i % 2]] + i as u64));
    for i in 0..heap.len() {
        sum += heap[[i]];
    }
    (sum, kept, heap.len())
}

#[test]
fn blocks_of_the_kernel_are_lists() {
    let (sum, kept, count) = own(12);
    // 0 + 3 + 6 + 9, and behind them the last number that was not kept, 11; then the squares of 0 to 5 and 0, 3 + 1, 0
    // + 2.
    assert_eq!((sum, kept, count), (18 + 11 + 55 + 6, 4, 9));
    assert_eq!(own(0), (0, 0, 0));
}

/// Two lists that grow beside each other, and one for each row.
#[shim::kernel]
fn partition(values: &[i32], even: &mut [i32], odd: &mut [i32], rows: &mut [i32]) -> (usize, usize, usize) {
    let n = values.len();
    let values = Block::external(values, [n]);
    let even = Block::external(even, [n]).list();
    let odd = Block::external(odd, [n]).list();
    for i in 0..n {
        let (value, is_odd) = (values[[i]], values[[i]] & 1 == 1);
        even.push_if(!is_odd, value);
        odd.push_if(is_odd, value);
    }
    let mut longest = 0;
    let rows = Block::external(rows, [3, n]);
    for r in 0..3 {
        let own = Block::stack::<i32>([4]).list();
        for i in 0..n.min(4) {
            own.push_if(values[[i]] % 3 == r, values[[i]]);
        }
        for i in 0..own.len() {
            rows[[r, i]] = own[[i]];
        }
        longest = longest.max(own.len());
    }
    (even.len(), odd.len(), longest)
}

#[test]
fn lists_grow_beside_each_other() {
    let values: Vec<i32> = noise(50, 100);
    for n in [0, 1, 3, 50] {
        let values = &values[..n];
        let (mut even, mut odd, mut rows) = (vec![0; n], vec![0; n], vec![-1; 3 * n]);
        let (evens, odds, longest) = partition(values, &mut even, &mut odd, &mut rows);
        assert_eq!(even[..evens], values.iter().copied().filter(|v| v % 2 == 0).collect::<Vec<_>>());
        assert_eq!(odd[..odds], values.iter().copied().filter(|v| v % 2 == 1).collect::<Vec<_>>());
        let mut most = 0;
        for r in 0..3 {
            let wanted: Vec<i32> = values.iter().take(4).copied().filter(|v| v % 3 == r as i32).collect();
            assert_eq!(rows[r * n..][..wanted.len()], wanted);
            most = most.max(wanted.len());
        }
        assert_eq!(longest, most);
    }
}

/// Counts of loops that the capacity is compared with: empty ones, some of a negative length, and triangles.
#[shim::kernel]
fn triangle(n: usize, from: usize, memory: &mut [u32]) -> usize {
    let list = Block::external(memory, [n * n]).list();
    for i in 0..n {
        for j in from..i {
            list.push((100 * i + j) as u32);
        }
    }
    list.len()
}

/// Five elements and `n - 5` others in room for `n`.
#[shim::kernel]
fn five_and_more(n: usize, memory: &mut [u32]) -> usize {
    let list = Block::external(memory, [n]).list();
    list.extend((0..5).map(|i| i as u32));
    for i in 5..n {
        list.push(i as u32);
    }
    list.len()
}

#[test]
fn capacities_are_those_of_the_loops() {
    for n in 0..7 {
        for from in 0..9 {
            let mut memory = vec![0; n * n];
            let count = triangle(n, from, &mut memory);
            let wanted = (0..n).flat_map(|i| (from..i).map(move |j| (100 * i + j) as u32));
            assert_eq!(memory[..count], wanted.collect::<Vec<_>>());
        }
    }
    for n in 0..5 {
        panics_with(|| five_and_more(n, &mut vec![0; n]), &["list"]);
    }
    for n in 5..8 {
        let mut memory = vec![0; n];
        assert_eq!(five_and_more(n, &mut memory), n);
        assert_eq!(memory, (0..n as u32).collect::<Vec<_>>());
    }
}

/// What a list is made of is evaluated before its value, and each value before the next.
#[shim::kernel]
fn order(log: &mut Vec<&'static str>, memory: &mut [u32; 4]) -> usize {
    fn note(log: &mut Vec<&'static str>, what: &'static str, value: u32) -> u32 {
        log.push(what);
        value
    }
    let list = Block::external(memory, [4]).list_from(note(log, "from", 1) as usize);
    list.push_if(note(log, "condition", 1) == 1, note(log, "value", 7));
    list.extend((0..note(log, "end", 2)).map(|i| note(log, "each", i)));
    list.len()
}

#[test]
fn values_are_evaluated_in_order() {
    let (mut log, mut memory) = (Vec::new(), [9; 4]);
    assert_eq!(order(&mut log, &mut memory), 4);
    assert_eq!(log, ["from", "condition", "value", "end", "each", "each"]);
    assert_eq!(memory, [9, 7, 0, 1]);
}

/// A list that a template makes and returns.
#[shim::kernel]
fn squares(t: impl Tensor<u32, 1>) -> impl Tensor<u32, 1> {
    let list = Block::stack::<u32>([8]).list();
    for [i] in t.indices() {
        list.push_if(t[[i]] > 2, t[[i]] * t[[i]]);
    }
    assert!(list.len() <= 8, "{} of 8", list.len());
    list
}

#[shim::kernel]
fn sum_of_squares(t: &[u32; 8]) -> (u32, usize) {
    let t = Block::external(t, [8]);
    let list = squares(t);
    let mut sum = 0;
    for i in 0..list.len() {
        sum += list[[i]];
    }
    (sum, list.len())
}

#[test]
fn a_template_returns_a_list() {
    assert_eq!(sum_of_squares(&[0, 1, 2, 3, 4, 5, 0, 1]), (50, 3));
}

/// Memory that a kernel makes longer.
#[derive(Default)]
struct Grown {
    list: Vec<u32>,
    squares: Vec<u8>,
}

#[shim::kernel]
fn appended(list: &mut Vec<u32>, end: usize, n: usize) -> usize {
    let list = Block::grown(list, [end + n]).list_from(end);
    for i in 0..n {
        list.push(10 * i as u32);
    }
    list.len()
}

#[shim::kernel]
fn grown(memory: &mut Grown, h: usize, w: usize) -> usize {
    let squares = Block::grown(&mut memory.squares, [h, w]);
    let large = Block::grown(&mut memory.list, [h * w]).list();
    for [y, x] in squares.indices() {
        squares[[y, x]] += (y * x) as u8;
        large.push_if(squares[[y, x]] > 3, u32::from(squares[[y, x]]));
    }
    large.len()
}

#[test]
fn vectors_grow_to_the_extents() {
    let mut list = Vec::new();
    assert_eq!(appended(&mut list, 0, 3), 3);
    assert_eq!(appended(&mut list, 2, 2), 4);
    assert_eq!(list, [0, 10, 0, 10]);
    // A longer vector keeps its length, and the elements behind the extents.
    assert_eq!(appended(&mut list, 1, 0), 1);
    assert_eq!(appended(&mut list, 0, 1), 1);
    assert_eq!(list, [0, 10, 0, 10]);
    panics_with(|| appended(&mut Vec::new(), usize::MAX, 1), &["isize"]);

    let mut memory = Grown::default();
    assert_eq!(grown(&mut memory, 0, 5), 0);
    assert!(memory.squares.is_empty() && memory.list.is_empty());
    assert_eq!(grown(&mut memory, 3, 3), 1);
    assert_eq!(memory.squares, [0, 0, 0, 0, 1, 2, 0, 2, 4]);
    assert_eq!(memory.list, [4, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(grown(&mut memory, 2, 2), 0);
    assert_eq!(memory.squares, [0, 0, 0, 1, 1, 2, 0, 2, 4]);
    panics_with(|| grown(&mut memory, 1 << 40, 1 << 40), &["grown"]);
}
