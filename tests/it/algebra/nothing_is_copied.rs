//! Chains of views: they take no memory, and each element is read once.

use shim::prelude::*;

/// A number, each read of which is counted.
#[derive(Debug)]
struct Counted {
    value: i32,
    reads: std::cell::Cell<u32>,
}

impl Counted {
    fn read(&self) -> i32 {
        self.reads.set(self.reads.get() + 1);
        self.value
    }
}

/// Ten views of every element.
#[shim::kernel]
fn chained(#[shape(h, w)] t: &[Counted], [h, w]: [usize; 2], by: isize) -> i32 {
    let first = t.rev(0).permute([1, 0]).rev(1).rotate([by, 0]);
    let both = first.cat(0, t.permute([1, 0]).rev(0)).rev(1).take([2 * w]).drop([w]).rev(0);
    let mut sum = 0;
    for [y, x] in both.indices() {
        sum += both[[y, x]].read() * (1 + x as i32);
    }
    sum
}

#[test]
fn views_take_no_memory() {
    let (h, w) = (7, 5);
    let t: Vec<Counted> =
        (0..h * w).map(|k| Counted { value: k as i32 * 13 % 17, reads: std::cell::Cell::new(0) }).collect();
    let mut sum = 0;
    let info = allocation_counter::measure(|| sum = chained(&t, [h, w], 3));
    assert_eq!(info.count_total, 0, "nothing is allocated");
    assert!(t.iter().all(|own| own.reads.get() == 1), "each element is read once");
    let expected = |k: usize| t[k].value * (h - k / w) as i32;
    assert_eq!(sum, (0..h * w).map(expected).sum::<i32>());
}
