//! What a loop with an order does besides accessing elements, in ways that hide it.

//@ reject
mod a_reference_pattern_assigns {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let mut last = 0;
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            let ref mut p = last;
            *p = v[[i]];
        }
        last
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod a_pattern_takes_a_reference_from_outside {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let mut last = 0;
        {
            let mut q = Some(&mut last);
            #[order(row_major.reversed())]
            for [i] in v.indices() {
                if let Some(p) = &mut q {
                    **p = v[[i]];
                }
            }
        }
        last
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod a_pair_of_references {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let (mut last, mut other) = (0, [0]);
        {
            let q = (&mut last, &mut other);
            let (a, b) = q;
            #[order(row_major.reversed())]
            for [i] in v.indices() {
                let (a, b) = (&mut *a, &mut *b);
                *a = v[[i]];
                b[0] = v[[i]];
            }
        }
        last + other[0]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod a_part_is_assigned_through_a_name_of_the_body {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let mut last = [0];
        let mut q = Some(&mut last);
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            if let Some(p) = q.as_mut() {
                p[0] = v[[i]];
            }
        }
        last[0]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod a_match_on_a_reference_assigns_a_part {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let mut last = [0];
        let q = Some(&mut last);
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            match &q {
                Some(p) if v[[i]] > 90 => {
                    let _ = p;
                }
                _ => {
                    let [x] = &mut last;
                    *x = v[[i]];
                }
            }
        }
        last[0]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod a_tuple_is_assigned {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let mut last = 0;
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            (last, _) = (v[[i]], 0);
        }
        last
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod fused_loops_assign_by_destructuring {
    use shim::prelude::*;

    #[derive(Clone, Copy)]
    struct Pair {
        a: u32,
        b: u32,
    }

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], #[shape(8)] o: &mut [u32]) -> u32 {
        let (mut last, mut b) = (0, 0);
        #[fuse]
        for [i] in v.indices() {
            Pair { a: last, b } = Pair { a: v[[i]], b: 1 };
        }
        for [i] in o.indices() {
            o[[i]] = last;
        }
        last + b
    }

    pub fn run() -> u32 {
        let mut o = [0; 8];
        let last = kernel(&[1, 2, 3, 4, 5, 6, 7, 8], &mut o);
        last + o.iter().sum::<u32>()
    }
}

//@ reject
mod fused_loops_assign_a_list {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32], #[shape(8)] o: &mut [u32]) -> u32 {
        let mut last = 0;
        #[fuse]
        for [i] in v.indices() {
            [last] = [v[[i]]];
        }
        for [i] in o.indices() {
            o[[i]] = last;
        }
        last
    }

    pub fn run() -> u32 {
        let mut o = [0; 8];
        let last = kernel(&[1, 2, 3, 4, 5, 6, 7, 8], &mut o);
        last + o.iter().sum::<u32>()
    }
}

//@ reject
mod a_macro_of_std_hides_an_assignment {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let (mut last, mut count): (u32, u32) = (0, 0);
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            count += u32::from(matches!(
                {
                    last = v[[i]];
                    1
                },
                1
            ));
        }
        last + count
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod a_guard_in_a_macro_of_std_hides_an_assignment {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let (mut last, mut count): (u32, u32) = (0, 0);
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            if matches!(v[[i]], x if { last = x; x > 2 }) {
                count += 1;
            }
        }
        last + count
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

//@ reject
mod a_closure_assigns {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] v: &[u32]) -> u32 {
        let mut last = 0;
        let mut note = |x: u32| {
            last = x;
            x
        };
        let mut sum: u32 = 0;
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            sum += note(v[[i]]);
        }
        sum + last
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }
}

// Methods of users by the names of those of numbers.
//@ reject
mod methods_of_a_type_with_known_names {
    use core::cell::Cell;
    use shim::prelude::*;

    #[derive(Clone, Copy)]
    pub struct Noted<'c>(&'c Cell<u32>);

    impl Noted<'_> {
        fn abs(self) -> u32 {
            self.0.set(self.0.get() * 10 + 1);
            1
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], noted: Noted<'_>, #[shape(3)] o: &mut [u32]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] = v[[i]] + noted.abs();
        }
    }

    pub fn run() -> u32 {
        let cell = Cell::new(0);
        kernel(&[1, 2, 3], Noted(&cell), &mut [0; 3]);
        cell.get()
    }
}

//@ reject
mod methods_of_a_trait_with_known_names {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    trait Sign {
        fn signum(self) -> u32;
    }

    impl Sign for u32 {
        fn signum(self) -> u32 {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + self, Ordering::Relaxed);
            1
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], #[shape(3)] o: &mut [u32]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] = v[[i]].signum();
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod conversions_by_known_names {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    #[derive(Clone, Copy)]
    pub struct U(u32);

    impl From<U> for i64 {
        fn from(u: U) -> i64 {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + u.0, Ordering::Relaxed);
            1
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[U], #[shape(3)] o: &mut [i64]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] = i64::from(v[[i]]);
        }
    }

    pub fn run() -> u32 {
        kernel(&[U(1), U(2), U(3)], &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod a_function_by_the_name_of_a_constructor {
    #![allow(non_snake_case)]
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    fn Some(x: u32) -> u32 {
        NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + x, Ordering::Relaxed);
        x
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], #[shape(3)] o: &mut [u32]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] = Some(v[[i]]);
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod operators_of_a_type {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    #[derive(Clone, Copy)]
    pub struct U(u32);

    impl core::ops::Add<u32> for U {
        type Output = u32;
        fn add(self, x: u32) -> u32 {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + x, Ordering::Relaxed);
            self.0 + x
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], u: U, #[shape(3)] o: &mut [u32]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] = u + v[[i]];
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], U(1), &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod operators_of_numbers_and_a_type {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    #[derive(Clone, Copy)]
    pub struct U(u32);

    impl core::ops::Mul<U> for u32 {
        type Output = u32;
        fn mul(self, u: U) -> u32 {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + self, Ordering::Relaxed);
            self * u.0
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], u: U, #[shape(3)] o: &mut [u32]) {
        #[tile([2])]
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] = v[[i]] * u;
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], U(1), &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod operators_of_written_elements {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    #[derive(Clone, Copy, Default)]
    pub struct U(u32);

    impl core::ops::AddAssign<u32> for U {
        fn add_assign(&mut self, x: u32) {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + x, Ordering::Relaxed);
            self.0 += x;
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], #[shape(3)] o: &mut [U]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] += v[[i]];
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], &mut [U(0); 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod comparisons_and_negations_of_a_type {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    #[derive(Clone, Copy)]
    pub struct U(u32);

    impl PartialEq<u32> for U {
        fn eq(&self, x: &u32) -> bool {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + x, Ordering::Relaxed);
            self.0 == *x
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], u: U, #[shape(3)] o: &mut [u32]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            if u == v[[i]] {
                o[[i]] = 1;
            }
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], U(1), &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod dereferences_of_a_type {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(1);

    pub struct U([u32; 3]);

    impl core::ops::Deref for U {
        type Target = [u32; 3];
        fn deref(&self) -> &[u32; 3] {
            NOTED.fetch_add(1, Ordering::Relaxed);
            &self.0
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], u: &U, #[shape(3)] o: &mut [u32]) {
        #[order(row_major.reversed())]
        for [i] in v.indices() {
            o[[i]] = u[i] + v[[i]];
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], &U([1, 2, 3]), &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod fields_behind_a_dereference {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(1);

    pub struct Inside {
        x: u32,
    }
    pub struct U(Inside);

    impl core::ops::Deref for U {
        type Target = Inside;
        fn deref(&self) -> &Inside {
            NOTED.fetch_add(1, Ordering::Relaxed);
            &self.0
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], u: &U, #[shape(3)] o: &mut [u32]) {
        #[tile([2])]
        for [i] in v.indices() {
            o[[i]] = u.x + v[[i]];
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], &U(Inside { x: 1 }), &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod a_predicate_of_a_type {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    #[derive(Clone, Copy)]
    pub struct U(u32);

    impl PartialEq<u32> for U {
        fn eq(&self, x: &u32) -> bool {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + x, Ordering::Relaxed);
            self.0 == *x
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], u: U, #[shape(3)] o: &mut [u32]) {
        let near = v.within(|p| u == v[p]).boundary(Fill(7));
        #[order(row_major.reversed())]
        for [i] in o.indices() {
            o[[i]] = near[[i]];
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], U(1), &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod a_boundary_rule_notes {
    use core::cell::Cell;
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], noted: &Cell<isize>, #[shape(3)] o: &mut [u32]) {
        let near = v.boundary(By(|i, n| {
            noted.set(noted.get() * 10 + i);
            i % n
        }));
        #[order(row_major.reversed())]
        for [i] in o.indices() {
            o[[i]] = near[[i + 2]];
        }
    }

    pub fn run() -> u32 {
        let cell = Cell::new(0);
        kernel(&[1, 2, 3], &cell, &mut [0; 3]);
        cell.get() as u32
    }
}

//@ reject
mod a_value_that_is_dropped {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    pub struct Guard {
        x: u32,
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + self.x, Ordering::Relaxed);
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] v: &[u32], #[shape(3)] o: &mut [u32]) {
        #[order(row_major.reversed())]
        for [i] in o.indices() {
            let _guard = Guard { x: v[[i]] };
            o[[i]] = v[[i]];
        }
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3], &mut [0; 3]);
        NOTED.load(Ordering::Relaxed)
    }
}

//@ reject
mod elements_that_are_dropped {
    use core::sync::atomic::{AtomicU32, Ordering};
    use shim::prelude::*;

    static NOTED: AtomicU32 = AtomicU32::new(0);

    pub enum Guard {
        Unit,
        Other(u32),
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            if let Guard::Other(x) = self {
                NOTED.store(NOTED.load(Ordering::Relaxed) * 10 + *x, Ordering::Relaxed);
            }
        }
    }

    #[shim::kernel]
    fn kernel(#[shape(3)] o: &mut [Guard]) {
        #[order(row_major.reversed())]
        for [i] in o.indices() {
            o[[i]] = Guard::Unit;
        }
    }

    pub fn run() -> u32 {
        kernel(&mut [Guard::Other(1), Guard::Other(2), Guard::Other(3)]);
        NOTED.load(Ordering::Relaxed)
    }
}

// What only computes may run in any order.
//@ value
mod known_operations_in_orders {
    use shim::prelude::*;

    #[derive(Clone, Copy, PartialEq)]
    pub struct Pixel {
        r: u8,
        g: u8,
    }

    fn weigh(x: f32) -> f32 {
        x * 3.0
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[f32], #[shape(4)] o: &mut [Pixel], #[shape(4)] w: &mut [f32]) -> u32 {
        let table = [1_u32, 2, 3, 4];
        let pair = (5_u32, 6_u8);
        let limit = 2.5_f32;
        let scaled = |x: f32| x * 2.0;
        let mut sum: u32 = 0;
        #[order(row_major.reversed())]
        #[pure(weigh)]
        for [i] in v.indices() {
            let x = v[[i]];
            let mut own = [0_u32; 2];
            own[1] = table[i] + pair.0;
            own[0] += own[1];
            let double: f32 = scaled(x);
            let weight: f32 = weigh(-x);
            let y = if x > limit { double.abs() } else { weight.sqrt().max(1.5) };
            w[[i]] += y.floor() + x.mul_add(2.0, 1.0);
            o[[i]] = Pixel { r: own[0] as u8, g: pair.1 };
            sum += own[0] + u32::from(i > 1);
        }
        sum
    }

    pub fn run() -> u32 {
        let (mut o, mut w) = ([Pixel { r: 0, g: 0 }; 4], [1.0; 4]);
        let sum = kernel(&[1.0, -2.0, 3.0, 4.5], &mut o, &mut w);
        w.iter().fold(sum + u32::from(o[2].r), |s, x| s.wrapping_mul(31).wrapping_add(x.to_bits()))
    }

    pub fn want() -> u32 {
        let v = [1.0_f32, -2.0, 3.0, 4.5];
        let w = v.map(|x| {
            let y = if x > 2.5 { (x * 2.0).abs() } else { (-x * 3.0).sqrt().max(1.5) };
            1.0 + (y.floor() + x.mul_add(2.0, 1.0))
        });
        let sum = (6..10).sum::<u32>() + 2;
        w.iter().fold(sum + 8, |s, x: &f32| s.wrapping_mul(31).wrapping_add(x.to_bits()))
    }
}
