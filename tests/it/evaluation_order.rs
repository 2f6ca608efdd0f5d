//! What a kernel evaluates is evaluated once, in the order in which Rust evaluates the statement.

use shim::prelude::*;

/// Values that tell how often and in which order they were asked for.
struct Counter(usize);

impl Counter {
    fn next(&mut self) -> usize {
        self.0 += 1;
        self.0
    }
}

/// `[10, 11, ..]`.
fn numbers() -> [usize; 16] {
    core::array::from_fn(|i| i + 10)
}

#[shim::kernel]
fn reads(#[shape(16)] t: &[usize], c: &mut Counter) -> [usize; 3] {
    [c.next(), t[[c.next()..]][[c.next()]], t.slice(0, c.next())[[]]]
}

#[test]
fn indices_of_views_are_evaluated_where_they_stand() {
    let mut c = Counter(0);
    assert_eq!(reads(&numbers(), &mut c), [1, 10 + 2 + 3, 10 + 4]);
}

#[shim::kernel]
fn reads_of_a_local(#[shape(16)] t: &[usize], mut n: usize) -> [usize; 5] {
    [
        n,
        t[[{
            n += 1;
            n
        }..]][[0]],
        n,
        t[[n..]][[{
            n += 1;
            n
        }]],
        t[[n..]][[0]],
    ]
}

#[test]
fn locals_are_read_where_they_stand() {
    assert_eq!(reads_of_a_local(&numbers(), 1), [1, 12, 2, 10 + 2 + 3, 13]);
}

#[shim::kernel]
fn writes(#[shape(16)] t: &mut [usize], c: &mut Counter) {
    t[[c.next()..]][[c.next()]] = c.next();
    t[[c.next()..]][[c.next() - 5]] += c.next();
}

#[test]
fn values_come_before_the_places_that_they_are_assigned_to() {
    let (mut c, mut t) = (Counter(0), [0; 16]);
    writes(&mut t, &mut c);
    // t[2 + 3] = 1; t[5 + 1] += 4
    let mut wanted = [0; 16];
    wanted[5] = 1;
    wanted[6] = 4;
    assert_eq!((t, c.0), (wanted, 6));
}

#[shim::kernel]
fn elementwise(#[shape(16)] t: &mut [usize], c: &mut Counter) {
    let [i] = iters();
    t[[c.next() + 4..]][[i]] = i as usize;
    let [i] = iters();
    t.slice(0, c.next())[[]] += 7;
    t[[c.next()..c.next() + 2]][[i]] += 100;
}

#[test]
fn views_on_the_left_are_evaluated_once() {
    let (mut c, mut t) = (Counter(0), [0; 16]);
    elementwise(&mut t, &mut c);
    let mut wanted: [usize; 16] = core::array::from_fn(|i| i.saturating_sub(5));
    wanted[2] += 7;
    wanted[3..6].iter_mut().for_each(|value| *value += 100);
    assert_eq!((t, c.0), (wanted, 4));
}

#[shim::kernel]
fn queries(#[shape(16)] t: &[usize], c: &mut Counter) -> [usize; 4] {
    [
        c.next(),
        t[[c.next()..]].extent(0),
        t[[c.next()..]].origin(0) as usize,
        usize::from(t[[c.next() + 7..]].contains([c.next()])) + c.next(),
    ]
}

#[test]
fn queries_are_evaluated_where_they_stand() {
    let mut c = Counter(0);
    assert_eq!(queries(&numbers(), &mut c), [1, 14, 3, 6]);
    assert_eq!(c.0, 6);
}

#[shim::kernel]
fn conditions(#[shape(16)] t: &[usize], c: &mut Counter) -> [usize; 3] {
    let mut passes = 0;
    while passes + 10 < t[[c.next()..]].extent(0) {
        passes += 1;
    }
    let first =
        if c.next() < t[[c.next()..]].extent(0) && t[[c.next()..]].extent(0) > 2 { c.next() } else { 0 };
    let second = usize::from(c.next() == t[[c.next()..]].origin(0) as usize - 1);
    [passes, first, second]
}

#[test]
fn conditions_are_evaluated_once() {
    let mut c = Counter(0);
    // passes: 0 + 10 < 15, 1 + 10 < 14, 2 + 10 < 13, and not 3 + 10 < 12.
    assert_eq!(conditions(&numbers(), &mut c), [3, 8, 1]);
    assert_eq!(c.0, 10);
}

#[shim::kernel]
fn first_above(#[shape(16)] t: &[usize], mut n: usize, than: usize) -> usize {
    while t[[n..]][[0]] <= than {
        n += 1;
    }
    n
}

#[test]
fn conditions_of_loops_are_evaluated_each_time() {
    assert_eq!(first_above(&numbers(), 2, 17), 8);
}

#[shim::kernel]
fn pick(t: impl Tensor<usize, 1>, i: usize) -> usize {
    t[[i]]
}

#[shim::kernel]
fn templates(#[shape(16)] t: &[usize], c: &mut Counter) -> [usize; 2] {
    [c.next() + pick(t[[c.next()..]], c.next()), pick(t[[c.next()..]], c.next()) + c.next()]
}

#[test]
fn arguments_are_evaluated_where_they_stand() {
    let mut c = Counter(0);
    assert_eq!(templates(&numbers(), &mut c), [1 + 10 + 2 + 3, 10 + 4 + 5 + 6]);
}

#[shim::kernel]
fn reductions(#[shape(16)] t: &[usize], c: &mut Counter) -> [usize; 2] {
    [
        c.next() + t[[c.next()..]].indices().map(|_| 1).sum::<usize>(),
        t[[c.next()..c.next() + 1]].indices().map(|[i]| t[[i]]).sum::<usize>() + c.next(),
    ]
}

#[test]
fn reductions_are_evaluated_where_they_stand() {
    let mut c = Counter(0);
    assert_eq!(reductions(&numbers(), &mut c), [1 + 14, 10 + 11 + 5]);
}

#[shim::kernel]
fn places(#[shape(16)] t: &mut [usize], c: &mut Counter) -> usize {
    let add = |left: usize, place: &mut usize, right: usize| {
        *place += left * 100 + right;
        *place
    };
    add(c.next(), &mut t[[c.next()..]][[c.next()]], c.next())
}

#[test]
fn borrowed_elements_are_evaluated_where_they_stand() {
    let (mut c, mut t) = (Counter(0), numbers());
    assert_eq!(places(&mut t, &mut c), 10 + 5 + 100 + 4);
    assert_eq!(t[5], 119);
}

#[shim::kernel]
fn other_views(#[shape(16)] t: &[usize], #[shape(4, 4)] u: &[usize], c: &mut Counter) -> [usize; 6] {
    [
        c.next(),
        t[[c.next()..]].boundary(Fill(c.next()))[[100]],
        t[[c.next()..]].boundary(Clamp)[[100]],
        t.shifted([c.next()])[[0]],
        u.slice(0, c.next() - 6)[[c.next() - 7]],
        u.permute([1, 0]).slice(0, c.next() - 6)[[c.next() - 7]],
    ]
}

#[test]
fn all_views_are_evaluated_where_they_stand() {
    let mut c = Counter(0);
    assert_eq!(other_views(&numbers(), &numbers(), &mut c), [1, 3, 25, 15, 10, 10 + 2 * 4 + 2]);
}

#[shim::kernel]
fn copies(#[shape(16)] t: &[usize], data: &[usize], c: &mut Counter) -> [usize; 4] {
    [
        c.next(),
        t[[c.next()..]].to_block().copied()[[0]],
        Block::external(&data[c.next()..], [c.next()])[[0]],
        t[[c.next()..]].within(|[i]| t[[i]] > c.0).get([0]).unwrap_or(7),
    ]
}

// The extents of an external block are evaluated before its memory.
#[test]
fn blocks_are_made_where_they_stand() {
    let mut c = Counter(0);
    assert_eq!(copies(&numbers(), &numbers(), &mut c), [1, 12, 14, 15]);
}

#[shim::kernel]
fn in_macros(#[shape(16)] t: &[usize], c: &mut Counter) -> String {
    assert_eq!(c.next() + 11, t[[c.next()..]][[0]]);
    format!("{} {} {}", c.next(), t[[c.next()..]][[0]], t[[c.next()..]].extent(0))
}

#[test]
fn arguments_of_macros_are_evaluated_where_they_stand() {
    assert_eq!(in_macros(&numbers(), &mut Counter(0)), "3 14 11");
}

#[shim::kernel]
fn loops(#[shape(16)] t: &mut [usize], c: &mut Counter) -> usize {
    let mut passes = 0;
    let (first, ()) = (
        c.next(),
        for i in 0..c.next() {
            t[[i]] = 0;
            passes += 1;
        },
    );
    let (second, ()) = (
        c.next(),
        for [i] in t[[c.next() + 8..]].indices() {
            t[[i]] = 1;
            passes += 1;
        },
    );
    first * 1000 + second * 100 + passes
}

#[test]
fn headers_of_loops_are_evaluated_where_they_stand() {
    assert_eq!(loops(&mut numbers(), &mut Counter(0)), 1000 + 300 + 2 + 4);
}
