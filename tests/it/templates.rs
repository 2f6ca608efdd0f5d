//! Templates: kernels with `impl Tensor` parameters, staged into every kind of caller.

use crate::common::noise;
use shim::prelude::*;

// --- arguments and values -------------------------------------------------------------------------------------

#[shim::kernel]
fn scale(v: impl Tensor<i32, 1>, by: i32) {
    for [i] in v.indices() {
        v[[i]] *= by;
    }
}

#[shim::kernel]
fn total(v: impl Tensor<i32, 1>) -> i32 {
    v.indices().map(|[i]| v[[i]]).sum::<i32>()
}

#[shim::kernel]
fn dot(a: impl Tensor<i32, 1>, b: impl Tensor<i32, 1>) -> i32 {
    a.indices().map(|[i]| a[[i]] * b[[i]]).sum::<i32>()
}

#[shim::kernel]
fn rows_and_columns(t: &mut [i32], h: usize, w: usize) -> (i32, i32, i32) {
    let t = Block::external(t, [h, w]);
    for y in 0..h {
        scale(t.slice(0, y), 2);
    }
    let first_column = t.slice(1, 0);
    scale(first_column, -1);
    scale(t[[h - 1, 1..w]], 3);
    let mut sum = 0;
    for [y] in first_column.indices() {
        sum += total(t.slice(0, y)) * 10;
    }
    (sum, dot(first_column, t.slice(1, w - 1)), dot(t.slice(0, 0), t.slice(0, 0)) + total(first_column))
}

#[test]
fn one_template_serves_rows_and_columns() {
    let (h, w) = (3, 4);
    let start: Vec<i32> = noise(h * w, 20);
    let mut t = start.clone();
    let found = rows_and_columns(&mut t, h, w);
    let mut want: Vec<i32> = start.iter().map(|v| v * 2).collect();
    for y in 0..h {
        want[y * w] *= -1;
    }
    for x in 1..w {
        want[(h - 1) * w + x] *= 3;
    }
    assert_eq!(t, want);
    let sum: i32 = want.iter().sum::<i32>() * 10;
    let cross: i32 = (0..h).map(|y| want[y * w] * want[y * w + w - 1]).sum();
    let square: i32 = want[..w].iter().map(|v| v * v).sum();
    let column: i32 = (0..h).map(|y| want[y * w]).sum();
    assert_eq!(found, (sum, cross, square + column));
}

#[shim::kernel]
fn all_forms(
    v: impl Tensor<i32, 1>,
    at: usize,
    mut by: i32,
    flag: bool,
    names: &[&str],
) -> Result<usize, String> {
    if flag {
        return Err(names.first().ok_or("no name")?.to_string());
    }
    let Some(last) = v.extent(0).checked_sub(1) else {
        return Ok(99);
    };
    while by > 0 {
        v[[at]] += by;
        by -= 1;
    }
    if v[[last]] > 100 {
        return Ok(v[[last]] as usize);
    }
    let parsed: usize = names[0].parse().map_err(|_| "no number".to_owned())?;
    Ok(parsed + last)
}

#[shim::kernel]
fn calls_all_forms(t: &mut [i32; 4], at: usize, by: i32, flag: bool, name: &str) -> (Option<usize>, String) {
    let t = Block::external(t, [4]);
    // `return` and `?` leave the template only.
    let first = all_forms(t, at, by, flag, &[name]);
    let second = all_forms(t, 0, 0, true, &[]);
    let third = all_forms(t[[0..0]], 0, 0, false, &[]);
    let text = match (&first, second) {
        (Err(text), Err(other)) => format!("{text}, {other}"),
        (Ok(n), Err(other)) => format!("{n}, {other}"),
        _ => "?".to_owned(),
    };
    (third.ok(), text)
}

#[test]
fn returns_and_questions_leave_the_template() {
    let mut t = [1, 2, 3, 4];
    assert_eq!(calls_all_forms(&mut t, 1, 3, false, "7"), (Some(99), "10, no name".to_owned()));
    assert_eq!(t, [1, 8, 3, 4]);
    assert_eq!(calls_all_forms(&mut t, 3, 20, false, "7"), (Some(99), "214, no name".to_owned()));
    assert_eq!(calls_all_forms(&mut [0; 4], 3, 2, false, "x"), (Some(99), "no number, no name".to_owned()));
    assert_eq!(calls_all_forms(&mut t, 0, 1, true, "seven"), (Some(99), "seven, no name".to_owned()));
}

#[shim::kernel]
fn first_negative(v: impl Tensor<i32, 1>) -> Option<i32> {
    for [i] in v.indices() {
        if v[[i]] < 0 {
            return Some(i);
        }
    }
    None
}

#[shim::kernel]
fn loops_around(t: &[i32], h: usize, w: usize) -> (i32, usize) {
    let t = Block::external(t, [h, w]);
    let (mut sum, mut none) = (0, 0);
    'rows: for [y] in t.slice(1, 0).indices() {
        for x in 0..w {
            if first_negative(t[[y, x..w]]).is_none() {
                none += 1;
                continue 'rows;
            }
            match first_negative(t.slice(0, y)) {
                Some(at) if at as usize == x => continue,
                Some(at) => sum += at,
                None => break 'rows,
            }
        }
    }
    (sum, none)
}

#[test]
fn templates_inside_of_loops() {
    let t = [1, -2, 3, -4, 5, 6, 7, 8, -9, 0, 0, 0];
    let (mut sum, mut none) = (0, 0);
    'rows: for row in t.chunks(4) {
        for x in 0..4 {
            if row[x..].iter().all(|&v| v >= 0) {
                none += 1;
                continue 'rows;
            }
            match row.iter().position(|&v| v < 0) {
                Some(at) if at == x => {}
                Some(at) => sum += at as i32,
                None => break 'rows,
            }
        }
    }
    assert_eq!(loops_around(&t, 3, 4), (sum, none));
}

// --- const generics -------------------------------------------------------------------------------------------

#[shim::kernel]
fn window<const N: usize>(v: impl Tensor<i32, 1>, at: usize) -> [i32; N] {
    let part = v[[at..at + N]];
    let mut out = [0; N];
    for [i] in part.indices() {
        out[i] = part[[i]];
    }
    out
}

#[shim::kernel]
fn hadamard<const N: usize>(v: impl Tensor<i32, 1>) {
    // Recursion on static arguments that shrink.
    if N > 1 {
        const ONE: usize = 1;
        #[unroll]
        for i in 0..N / 2 {
            let (a, b) = (v[[i]], v[[i + N / 2]]);
            v[[i]] = a + b;
            v[[i + N / 2]] = a - b;
        }
        hadamard::<{ N / (ONE + 1) }>(v[[0..N / 2]]);
        hadamard::<{ N / 2 }>(v[[N / 2..N]]);
    }
}

#[shim::kernel]
fn power(v: impl Tensor<i32, 1>, exponent: u32) -> i32 {
    // By a static argument that is no const generic.
    if exponent == 0 { 1 } else { v[[0]] * power(v, exponent - 1) }
}

#[shim::kernel]
fn static_generics(t: &mut [i32; 8], at: usize) -> ([i32; 3], [i32; 2], i32, i32) {
    let t = Block::external(t, [8]);
    const TWO: usize = 2;
    let a = window::<3>(t, at);
    let b = window::<TWO>(t, at + 1);
    let c = power(t[[at..at + 1]], 3);
    let d = power(t, 0);
    hadamard::<8>(t);
    (a, b, c, d)
}

#[shim::kernel]
fn generic_caller<const N: usize, T: Copy + Into<i64>>(t: &[T; N], u: &mut [i32; N]) -> i64 {
    let t = Block::external(t, [N]);
    let u = Block::external(u, [N]);
    scale(u, 2);
    t.indices().map(|[i]| t[[i]].into() * i64::from(u[[i]])).sum::<i64>()
}

#[shim::kernel]
fn flags<const ADD: bool, const SHIFT: u32, const SIGN: i32>(v: impl Tensor<i32, 1>) -> i32 {
    let x = if ADD { v[[0]] + v[[1]] } else { v[[0]] };
    (x << SHIFT) * SIGN
}

#[shim::kernel]
fn calls_flags(t: &[i32; 2]) -> [i32; 3] {
    let t = Block::external(t, [2]);
    [flags::<true, 1, 1>(t), flags::<false, 0, -1>(t), flags::<{ 1 + 1 == 2 }, { 1 + 1 }, { -(2 - 1) }>(t)]
}

#[test]
fn const_generics() {
    let start = [1, -2, 3, 4, 5, -6, 7, 8];
    let mut t = start;
    let found = static_generics(&mut t, 2);
    let mut want = start;
    for size in [8, 4, 2] {
        for part in want.chunks_mut(size) {
            for i in 0..size / 2 {
                let (a, b) = (part[i], part[i + size / 2]);
                (part[i], part[i + size / 2]) = (a + b, a - b);
            }
        }
    }
    assert_eq!((t, found), (want, ([3, 4, 5], [4, 5], 27, 1)));
    let mut u = [1, 2, 3];
    assert_eq!(generic_caller(&[5u8, 6, 7], &mut u), 10 + 24 + 42);
    assert_eq!(u, [2, 4, 6]);
    assert_eq!(generic_caller::<0, i32>(&[], &mut []), 0);
    assert_eq!(calls_flags(&[3, 4]), [14, -3, -28]);
}

// --- names ----------------------------------------------------------------------------------------------------

#[shim::kernel]
fn busy(t: impl Tensor<i32, 1>, x: i32) -> i32 {
    // Every name here is also one of the caller's.
    let y = x + 1;
    let mut sum = y;
    for i in 0..2 {
        let x = i as i32 + t[[i]];
        sum += x * y;
    }
    let u = t[[1..]];
    let x = u[[0]];
    let f = |y: i32| x + y;
    sum = f(sum) + x;
    struct Pair {
        x: i32,
        y: i32,
    }
    let pair = Pair { x, y };
    let Pair { x: a, y } = pair;
    match y {
        x if x > 100 => sum + x,
        y @ 50.. => sum - y,
        _ => sum + a,
    }
}

fn plain_busy(t: &[i32], x: i32) -> i32 {
    let y = x + 1;
    let mut sum = y + (0..2).map(|i| (i as i32 + t[i]) * y).sum::<i32>();
    sum += t[1] + t[1];
    if y > 100 {
        sum + y
    } else if y >= 50 {
        sum - y
    } else {
        sum + t[1]
    }
}

#[shim::kernel]
fn same_names(t: &[i32; 4], x: i32) -> (i32, i32, i32) {
    let t = Block::external(t, [4]);
    let y = 1000;
    let mut sum = 1;
    let u = t[[2..]];
    let i = 3usize;
    let f = |y: i32| y + sum;
    let inner = f(busy(u, busy(t, x + y) - y));
    sum += busy(t[[1..3]], sum) + busy(u, x);
    (inner, sum + t[[i]], x + y)
}

#[test]
fn names_of_a_template_are_its_own() {
    let t = [3, 1, 4, 1];
    for x in [0, 40, 60, 200, -1000] {
        let inner = plain_busy(&t[2..], plain_busy(&t, x + 1000) - 1000) + 1;
        let sum = 1 + plain_busy(&t[1..3], 1) + plain_busy(&t[2..], x);
        assert_eq!(same_names(&t, x), (inner, sum + t[3], x + 1000));
    }
}

#[shim::kernel]
fn twice(v: impl Tensor<i32, 1>, k: i32) -> i32 {
    let step = k * 2;
    if k > 0 {
        let below = twice(v, 0);
        step + below + total(v)
    } else {
        let below = v[[0]];
        step + below
    }
}

#[shim::kernel]
fn inside_itself(t: &[i32; 3]) -> i32 {
    let t = Block::external(t, [3]);
    twice(t, 5) + twice(t[[1..]], 1)
}

#[test]
fn a_template_inside_of_itself() {
    assert_eq!(inside_itself(&[1, 2, 3]), (10 + 1 + 6) + (2 + 2 + 5));
}

#[shim::kernel]
fn shapes(v: impl Tensor<u8, 2>, w: impl Tensor<u8, 2>) -> (usize, u32) {
    let shared = w[v];
    (
        v.extent(0) * v.extent(1),
        v.indices().map(|[y, x]| u32::from(v[[y, x]]) * u32::from(shared[[y, x]])).sum::<u32>(),
    )
}

#[shim::kernel]
fn several_tensors(a: &[u8], b: &[u8], h: usize, w: usize, r: usize) -> (usize, u32) {
    let a = Block::external(a, [h, w]);
    let b = Block::external(b, [h, w]);
    shapes(a[[r.., 1..]].permute([1, 0]), b)
}

#[test]
fn several_tensors_of_one_kernel() {
    let (h, w) = (4, 5);
    let (a, b): (Vec<u8>, Vec<u8>) = (noise(h * w, 200), noise(h * w, 190));
    for r in 0..h {
        let want = (r..h)
            .flat_map(|y| (1..w).map(move |x| y * w + x))
            .map(|i| u32::from(a[i]) * u32::from(b[i]))
            .sum();
        assert_eq!(several_tensors(&a, &b, h, w, r), ((h - r) * (w - 1), want));
    }
}

// --- across modules -------------------------------------------------------------------------------------------

mod library {
    use shim::prelude::*;

    mod private {
        use shim::prelude::*;

        #[shim::kernel]
        pub(super) fn half(v: impl Tensor<i32, 1>, i: usize) -> i32 {
            v[[i]] / crate::templates::library::DIVISOR
        }

        #[shim::kernel]
        pub fn double(v: impl Tensor<i32, 1>, i: usize) -> i32 {
            v[[i]] * 2
        }

        #[shim::kernel]
        pub fn difference(v: impl Tensor<i32, 1>, i: usize) -> i32 {
            double(v, i) - half(v, i)
        }
    }

    pub(crate) const DIVISOR: i32 = 2;

    pub(crate) use private::difference as delta;
    pub(crate) use private::double;

    #[shim::kernel]
    pub fn through_a_path(v: impl Tensor<i32, 1>, i: usize) -> i32 {
        private::double(v, i) + self::private::half(v, i)
    }

    pub(crate) mod nested {
        use super::*;

        #[shim::kernel]
        pub fn by_glob(v: impl Tensor<i32, 1>) -> i32 {
            through_a_path(v, 0)
                + delta(v, 1)
                + crate::templates::library::double(v, 1)
                + super::super::total(v)
        }
    }
}

mod user {
    use super::library::nested;
    use super::library::{double as twofold, *};
    use shim::prelude::*;

    #[shim::kernel]
    pub(super) fn uses(t: &[i32; 2]) -> [i32; 4] {
        let t = Block::external(t, [2]);
        [twofold(t, 0), nested::by_glob(t), delta(t, 1), super::library::through_a_path(t, 1)]
    }
}

#[test]
fn templates_of_other_modules() {
    let [a, b] = [10, 7];
    let through = |v: i32| 2 * v + v / 2;
    let delta = |v: i32| 2 * v - v / 2;
    assert_eq!(user::uses(&[a, b]), [20, through(a) + delta(b) + 2 * b + a + b, delta(b), through(b)]);
}

// --- where kernels live ---------------------------------------------------------------------------------------

struct Picture {
    samples: Vec<i32>,
    width: usize,
}

trait Blur {
    const RADIUS: usize;
    fn blur(&self, out: &mut [i32]);
    fn clear(&mut self) -> usize;
    fn kind() -> &'static str
    where
        Self: Sized;
}

impl Picture {
    #[shim::kernel]
    fn new(width: usize, height: usize) -> Self {
        let mut samples = vec![0; width * height];
        {
            let t = Block::external(&mut samples, [height, width]);
            let [y, x] = iters();
            t[[y, x]] = y * 10 + x;
        }
        Self { samples, width }
    }

    #[shim::kernel]
    fn row_sum(&self, y: usize) -> i32 {
        let t = Block::external(&self.samples, [self.samples.len() / self.width, self.width]);
        total(t.slice(0, y))
    }

    #[shim::kernel]
    fn double(&mut self) -> &mut Self {
        let t = Block::external(&mut self.samples, [self.samples.len()]);
        scale(t, 2);
        self
    }

    #[shim::kernel]
    fn into_first(self) -> i32 {
        let t = Block::external(&self.samples, [self.samples.len()]);
        t[[0]] + t[[self.width]]
    }
}

impl Blur for Picture {
    const RADIUS: usize = 1;

    #[shim::kernel]
    fn blur(&self, out: &mut [i32]) {
        let h = self.samples.len() / self.width;
        let t = Block::external(&self.samples, [h, self.width]).boundary(Clamp);
        let out = Block::external(out, [h, self.width]);
        for [y, x] in out.indices() {
            out[[y, x]] = (t[[y, x - Self::RADIUS]] + t[[y, x]] + t[[y, x + Self::RADIUS]]) / 3;
        }
    }

    #[shim::kernel]
    fn clear(&mut self) -> usize {
        let t = Block::external(self.samples, [self.samples.len()]);
        let [i] = iters();
        t[[i]] = 0;
        self.samples.len()
    }

    #[shim::kernel]
    fn kind() -> &'static str {
        "picture"
    }
}

#[shim::kernel]
extern "C" fn exported(v: i32, values: &[i32; 3]) -> i32 {
    let t = Block::external(values, [3]);
    v * total(t)
}

/// Documented, with attributes of its own.
#[inline(never)]
#[must_use]
#[shim::kernel]
pub(crate) fn attributed<'a, T>(
    #[shape(n)] t: &'a [T],
    n: usize,
    f: impl Fn(&T) -> i32 + 'a,
    g: &dyn Fn(i32) -> i32,
) -> i32
where
    T: 'a,
{
    t.indices().map(|[i]| g(f(&t[[i]]))).sum::<i32>()
}

#[test]
fn kernels_live_anywhere() {
    let mut picture = Picture::new(3, 2);
    assert_eq!(picture.samples, [0, 1, 2, 10, 11, 12]);
    assert_eq!(picture.row_sum(1), 33);
    assert_eq!(picture.double().row_sum(0), 6);
    let mut out = [0; 6];
    picture.blur(&mut out);
    assert_eq!(out, [0, 2, 3, 20, 22, 23]);
    assert_eq!((picture.clear(), picture.row_sum(1), Picture::kind()), (6, 0, "picture"));
    assert_eq!(Picture::new(2, 2).into_first(), 10);
    assert_eq!(exported(2, &[1, 2, 3]), 12);
    assert_eq!(attributed(&["a", "bcd", ""], 3, |text| text.len() as i32, &|v| v * v), 10);
}

#[test]
fn kernels_live_in_functions() {
    const LOCAL: i32 = 3;
    #[shim::kernel]
    fn local_template(v: impl Tensor<i32, 1>) -> i32 {
        v[[0]] * LOCAL
    }
    #[shim::kernel]
    fn local_kernel(t: &[i32; 1]) -> i32 {
        let t = Block::external(t, [1]);
        local_template(t)
    }
    assert_eq!(local_kernel(&[14]), 42);
}

macro_rules! kernels {
    ($($name:ident: $ty:ty, $init:expr, $op:tt;)*) => {$(
        #[shim::kernel]
        fn $name(t: &[$ty], n: usize) -> $ty {
            let t = Block::external(t, [n]);
            let mut all = $init;
            for [i] in t.indices() {
                all = all $op t[[i]];
            }
            all
        }
    )*};
}

kernels! {
    sum_of_i64: i64, 0, +;
    product_of_f32: f32, 1.0, *;
    xor_of_u8: u8, 0, ^;
}

macro_rules! expression_kernel {
    ($name:ident, $e0:expr, $index:expr, $body:expr) => {
        #[shim::kernel]
        fn $name(t: &[i32; 6]) -> i32 {
            let t = Block::external(t, [$e0, 3]);
            t[[$index, $index]] + $body
        }
    };
}

expression_kernel!(made_of_expressions, 1 + 1, 2 - 1, 100);

#[test]
fn kernels_made_by_macros() {
    assert_eq!(sum_of_i64(&[1, 2, 3], 3), 6);
    assert_eq!(product_of_f32(&[1.5, 2.0], 2).to_bits(), 3.0f32.to_bits());
    assert_eq!(xor_of_u8(&[5, 3], 2), 6);
    assert_eq!(made_of_expressions(&[1, 2, 3, 4, 5, 6]), 105);
}

// --- statements in templates ----------------------------------------------------------------------------------

#[shim::kernel]
fn with_memory<const N: usize>(v: impl Tensor<i32, 1>) -> i32 {
    let own = v[[0..N]].to_stack().copied();
    let table = Block::stack::<i32>([N]);
    let heap = Block::heap::<i64>([v.extent(0)]);
    for [i] in own.indices() {
        own[[i]] += 1;
        table[[i]] = own[[i]] * own[[i - 1 + 1 / (i + 1)]];
        heap[[i]] = i64::from(table[[i]]);
    }
    let [i] = iters();
    v[[i]] = heap[[i]] as i32;
    total(table) + total(own)
}

#[shim::kernel]
fn memory_of_templates(t: &mut [i32; 4]) -> i32 {
    let t = Block::external(t, [4]);
    with_memory::<3>(t) + 1000 * with_memory::<2>(t[[1..3]])
}

#[shim::kernel]
fn nothing(_v: impl Tensor<i32, 1>) {}

#[shim::kernel]
fn tail(v: impl Tensor<i32, 1>) -> Vec<i32> {
    nothing(v);
    let mut out = vec![total(v)];
    out.extend((0..v.extent(0)).map(|i| v[[i]]));
    out
}

#[shim::kernel]
fn tails(t: &[i32; 3]) -> (Vec<i32>, i32) {
    let t = Block::external(t, [3]);
    let list = tail(t[[1..]]);
    let in_a_block = {
        nothing(t);
        total(t)
    };
    (list, if in_a_block > 5 { total(t) } else { -total(t) })
}

#[test]
fn bodies_of_every_kind() {
    let mut t = [1, 2, 3, 4];
    // First: own [2, 3, 4], table [4, 6, 12]; t becomes [4, 6, 12, 0]. Then, on [6, 12]: own [7, 13], table [49, 91].
    assert_eq!(memory_of_templates(&mut t), 22 + 9 + 1000 * (140 + 20));
    assert_eq!(t, [4, 49, 91, 0]);
    assert_eq!(tails(&[1, 2, 3]), (vec![5, 2, 3], 6));
}

// --- values that locations are made of --------------------------------------------------------------------------

#[shim::kernel]
fn pair(v: impl Tensor<i32, 1>) -> i32 {
    v[[0]] + v[[1]]
}

/// `r` stands for one number, then for another; a conversion of the first serves no place of the second.
#[shim::kernel]
fn converted(src: &[i32], n: usize, r: usize, flip: bool) -> [i32; 5] {
    let src = Block::external(src, [n]);
    let late: usize;
    let a = if flip { pair(src[[r..r + 2]]) } else { pair(src[[r + 1..r + 3]]) };
    let b = pair(src[[r..r + 2]]) + pair(src[[r + 1..r + 3]]);
    let r = r / 2;
    let of = |i: usize| pair(src[[r + i..r + i + 2]]) - pair(src[[i..]]);
    let c = {
        late = r + 1;
        pair(src[[late..late + 2]])
    };
    [a, b, c, of(1), {
        let r = 3usize;
        pair(src[[r..]])
    }]
}

#[shim::kernel]
fn wide(v: impl Tensor<u8, 1>) -> i64 {
    1 << 40
}

#[shim::kernel]
fn typed(v: impl Tensor<u8, 1>) -> u16 {
    300 * (v[[0]] as u16)
}

#[shim::kernel]
fn results(m: &[u8; 2]) -> (i64, u16) {
    let m = Block::external(m, [2]);
    (wide(m) + 1, typed(m))
}

#[test]
fn values_are_converted_once() {
    let src = [1, 2, 4, 8, 16, 32];
    assert_eq!(converted(&src, 6, 2, true), [12, 36, 12, 6, 24]);
    assert_eq!(converted(&src, 6, 2, false)[0], 24);
    assert_eq!(results(&[2, 0]), ((1 << 40) + 1, 600));
}
