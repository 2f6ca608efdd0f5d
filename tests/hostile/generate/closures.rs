//! Programs of stages as closures: items where they are read, jumps, captured places that change, types, reads that may
//! not run, rings in loops that do not always run, ranges that are empty or reversed, indices that no `i32` has, and
//! names of schedules that are taken. The twin has a closure of Rust's.

use std::fmt::Write as _;

use super::Random;
use crate::case::{Case, Expected};

struct Writer {
    random: Random,
}

/// Items that a block has by names of the stage's.
const ITEMS: &[&str] = &[
    "const K: i32 = 50;",
    "static K: i32 = 60;",
    "fn helper(x: i32) -> i32 { x ^ 1000 }",
    "type Wide = i8;",
    "use other::helper;",
    "use other::*;",
    "struct Pair { b: u8 }",
    "mod helper {}",
];

impl Writer {
    /// An element of the source in the body of a stage, in the kernel and in the twin.
    fn tap(&mut self) -> [String; 2] {
        let at = match self.random.below(6) {
            0 => "i - 1",
            1 => "i + 2",
            2 => "2 * i",
            3 => "3 - i",
            _ => "i",
        };
        [format!("t[[{at}]]"), format!("tt({at})")]
    }

    /// A value in the body of a stage.
    fn value(&mut self, depth: usize) -> [String; 2] {
        let both = |text: &str| [text.to_owned(), text.to_owned()];
        match self.random.below(if depth == 0 { 6 } else { 11 }) {
            0 | 1 => self.tap(),
            2 => both("K"),
            3 => {
                let [kernel, twin] = self.tap();
                [format!("helper({kernel})"), format!("helper({twin})")]
            }
            4 if self.random.one_in(3) => both("m[1]"),
            4 => both("(7 as Wide) as i32"),
            5 if self.random.one_in(3) => both("(i as i32 & 3)"),
            5 => both("(Pair { a: 9 }.a)"),
            6 => {
                let ([a, b], [c, d]) = (self.value(depth - 1), self.value(depth - 1));
                [format!("({a} ^ {c})"), format!("({b} ^ {d})")]
            }
            7 => {
                let ([a, b], [c, d], [e, f]) =
                    (self.value(depth - 1), self.value(depth - 1), self.value(depth - 1));
                [
                    format!("(if {a} & 1 == 0 {{ {c} }} else {{ {e} }})"),
                    format!("(if {b} & 1 == 0 {{ {d} }} else {{ {f} }})"),
                ]
            }
            8 => {
                let ([a, b], [c, d]) = (self.value(depth - 1), self.value(depth - 1));
                [
                    format!("{{ if {a} & 2 == 0 {{ return {c}; }} {a} }}"),
                    format!("{{ if {b} & 2 == 0 {{ return {d}; }} {b} }}"),
                ]
            }
            // No range of the macro's shows that the sum fits.
            9 => {
                let ([a, b], [c, d]) = (self.value(depth - 1), self.value(depth - 1));
                [(a, c), (b, d)].map(|(times, value)| {
                    format!("{{ let mut sum: i32 = 0; for _ in 0..4 + ({times} & 1) {{ sum += {value} & 7; sum -= -({times} & 3); }} sum * 3 }}")
                })
            }
            _ => {
                let [a, b] = self.value(depth - 1);
                [
                    format!(
                        "{{ let mut sum: i32 = 0; 'own: for k in 0..3 {{ if {a} & 1 == k {{ continue 'own; }} if k == 2 {{ break; }} sum ^= {a}; }} sum }}"
                    ),
                    format!(
                        "{{ let mut sum: i32 = 0; 'own: for k in 0..3 {{ if {b} & 1 == k {{ continue 'own; }} if k == 2 {{ break; }} sum ^= {b}; }} sum }}"
                    ),
                ]
            }
        }
    }

    /// A statement that reads the stage.
    fn read(&mut self, far: bool) -> [String; 2] {
        let at = match self.random.below(8) {
            0 => "y - 1",
            1 => "y + 1",
            2 => "y + far",
            3 => "y / 2",
            _ => "y",
        };
        let at = if at == "y + far" && !far { "y" } else { at };
        let [kernel, twin] = [format!("s[[{at}]]"), format!("s(({at}) as i64)")];
        let wrap = |pattern: &str| [pattern.replace('@', &kernel), pattern.replace('@', &twin)];
        match self.random.below(11) {
            9 => wrap("r = r.wrapping_add(if r & 1 == 0 { @ } else { @ ^ 1 });"),
            10 => wrap("r ^= match r & 3 { 0 => @, 1 => 2 ^ @, _ if flag => @ ^ 3, _ => @ };"),
            0 => wrap("if r & 4 == 0 { r = r.wrapping_mul(3) ^ @; }"),
            1 => wrap("for _ in 2..y { r = r.wrapping_mul(5) ^ @; }"),
            2 => wrap("for _ in y..n { r = r.wrapping_mul(7) ^ @; }"),
            3 => wrap("assert!(y < 1000, \"{}\", @);"),
            4 => wrap("debug_assert!(y > 1000 || @ == @);"),
            5 => wrap("r = r.wrapping_add(if flag { @ } else { 1 });"),
            6 => wrap("r ^= @; if r & 15 == 3 { continue; }"),
            _ => wrap("r = r.wrapping_mul(31).wrapping_add(@);"),
        }
    }
}

pub(super) fn write(seed: u64) -> Case {
    let mut writer = Writer { random: Random(seed) };
    let (mut kernel, mut twin) = (String::new(), String::new());
    let named = writer.random.one_in(4);
    let level = *writer.random.pick(&[
        "",
        "",
        "#[compute_at(root)] ",
        "#[compute_at('row)] ",
        "#[store_at(root)] #[compute_at('row)] ",
    ]);
    let far = writer.random.one_in(4);
    let [body, plain] = writer.value(2);
    let index = if writer.random.one_in(8) { "[i]: [i32; 1]" } else { "[i]" };
    let output = if writer.random.one_in(6) { " -> i32" } else { "" };
    let _ =
        writeln!(kernel, "    {level}#[pure(helper)] let s = stage::<i32>(|{index}|{output} {{ {body} }});");
    let _ = writeln!(twin, "    let s = |i: i64| -> i32 {{ {plain} }};");
    let mut both = |text: &str| {
        kernel.push_str(text);
        twin.push_str(text);
    };
    let backwards = writer.random.one_in(6);
    let range = *writer.random.pick(&["1..n", "a..b", "b..a", "0..6", "5..2", "a..n", "0..=n"]);
    let range = if backwards { format!("({range}).rev()") } else { range.to_owned() };
    both(&format!("    'row: for y in {range} {{\n"));
    // Neighbors in the list may have one name.
    let first = writer.random.below(ITEMS.len());
    for by in 0..writer.random.below(3) {
        both(&format!("        {}\n", ITEMS[(first + 3 * by) % ITEMS.len()]));
    }
    if writer.random.one_in(8) {
        both("        m[1] += 1;\n");
    }
    if writer.random.one_in(6) {
        both("        if y == 3 { continue 'row; }\n");
    }
    for _ in 0..=writer.random.below(3) {
        let [own, plain] = writer.read(far);
        let _ = writeln!(kernel, "        {own}");
        let _ = writeln!(twin, "        {plain}");
    }
    let mut both = |text: &str| {
        kernel.push_str(text);
        twin.push_str(text);
    };
    both("    }\n");
    if writer.random.one_in(3) {
        both("    m[1] = 0;\n");
    }
    if writer.random.one_in(3) {
        let lag = 1 + writer.random.below(3);
        let [first, second] =
            [0, 1].map(|_| *writer.random.pick(&["0..8", "a..8", "a..b", "b..a", "2..7", "6..6", "0..b"]));
        let by = writer.random.below(1 + lag);
        let _ = writeln!(kernel, "    #[fuse(lag = {lag})]");
        let mut both = |text: &str| {
            kernel.push_str(text);
            twin.push_str(text);
        };
        both(&format!("    for i in {first} {{ "));
        let _ = write!(
            kernel,
            "o[[i]] = i as i32 * 3 + r; }}\n    for j in {second} {{ p[[j]] ^= o[[j + {by}]] + 1; }}\n"
        );
        let _ = write!(
            twin,
            "o[i as usize] = i as i32 * 3 + r; }}\n    for j in {second} {{ p[j as usize] ^= o[(j + {by}) as usize] + 1; }}\n"
        );
    }
    let schedules = if named { "(schedules(helper, drop))" } else { "" };
    if named {
        kernel = kernel.replacen(level, &format!("#[schedule(helper, compute_at(root))] {level}"), 1);
        if level.contains("compute_at") {
            kernel = kernel.replacen("#[schedule(helper, compute_at(root))] ", "", 1);
        }
    }
    let call = if named { "kernel::helper" } else { "kernel" };
    let program = PROGRAM
        .replace("<SCHEDULES>", schedules)
        .replace("<KERNEL>", &kernel)
        .replace("<TWIN>", &twin)
        .replace("<CALL>", call);
    Case::new(&format!("seed{seed}"), PRELUDE.to_owned() + &program + RUN, Expected::any())
}

pub(super) const PRELUDE: &str = r"use shim::prelude::*;

const K: i32 = 3;
type Wide = i64;
#[derive(Clone, Copy)]
struct Pair { a: i32 }
fn helper(x: i32) -> i32 { x ^ 5 }
mod other { pub fn helper(x: i32) -> i32 { x ^ 77 } pub const K: i32 = 99; }
";

const PROGRAM: &str = r"
#[shim::kernel<SCHEDULES>]
pub fn kernel(
    v: &[i32; 8],
    m: &mut [i32; 4],
    #[shape(16)] o: &mut [i32],
    #[shape(16)] p: &mut [i32],
    [n, a, b, far]: [i64; 4],
    flag: bool,
) -> i32 {
    let t = Block::external(v, [8]).boundary(Clamp);
    let mut r: i32 = 1;
<KERNEL>    r
}

#[allow(unused)]
fn twin(v: &[i32; 8], m: &mut [i32; 4], o: &mut [i32], p: &mut [i32], [n, a, b, far]: [i64; 4], flag: bool) -> i32 {
    let tt = |i: i64| v[i.clamp(0, 7) as usize];
    let mut r: i32 = 1;
<TWIN>    r
}
fn called(v: &[i32; 8], m: &mut [i32; 4], o: &mut [i32], p: &mut [i32], numbers: [i64; 4], flag: bool) -> i32 {
    <CALL>(v, m, o, p, numbers, flag)
}
";

pub(super) const RUN: &str = r#"type Outcome = Result<(i32, [i32; 4], [i32; 16], [i32; 16]), String>;
const INPUTS: [([i64; 4], bool); 6] = [
    ([7, 2, 6, 0], true),
    ([0, 0, 0, 3], false),
    ([5, 7, 1, 1 << 32], true),
    ([9, 3, 8, 5_000_000_000], false),
    ([4, 4, 4, 2_147_483_640], true),
    ([1, 0, 8, -4_294_967_296], true),
];
type Function = fn(&[i32; 8], &mut [i32; 4], &mut [i32], &mut [i32], [i64; 4], bool) -> i32;
fn all(function: Function) -> Vec<Outcome> {
    INPUTS.map(|(numbers, flag)| {
        let (mut m, mut o, mut p) = ([1, 2, 3, 4], [9; 16], [8; 16]);
        let f = std::panic::AssertUnwindSafe(|| function(&[5, 1, 4, 1, 9, 2, 6, 8], &mut m, &mut o, &mut p, numbers, flag));
        std::panic::catch_unwind(f).map(|r| (r, m, o, p)).map_err(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
            // The numbers of elements and the indices of kernels are limited, those of plain Rust are not.
            if text.contains("does not fit `i32`") { std::panic::resume_unwind(payload) }
            text
        })
    }).to_vec()
}
pub fn run() -> Vec<Outcome> { all(called) }
pub fn want() -> Vec<Outcome> { all(twin) }
"#;
