//! Programs of stages under every word, each with a twin that computes elements where they are read.
//!
//! Beside values, the twin of a program has evaluations: it notes each index that an iteration may read, and counts
//! the elements of the box around them, which is what a stage in memory computes. Elements that are kept from one
//! iteration to the next are not counted.

use std::fmt::Write as _;

use super::Random;
use crate::case::{Case, Expected};

/// Where a stage is computed.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    /// Where it is read.
    Inline,
    /// In the iterations of the loop at this depth; the first one is the whole kernel.
    At(usize),
}

/// A read of the tensor or stage of this number.
struct Tap {
    of: usize,
    index: [String; 2],
    /// Whether it is one of three that a loop over `k` has.
    repeated: bool,
}

struct Writer {
    random: Random,
    /// Whether the variables are those of ranges, which are not signed.
    unsigned: bool,
}

/// Words for the loops that compute a stage.
const WORDS: &[&str] = &["", "", "", "#[lanes(4)] ", "#[tile([2, 3])] ", "#[reorder(x, y)] "];

impl Writer {
    /// One index of a tap, by the variable of its axis.
    fn index(&mut self, axis: usize) -> String {
        let (own, last) = [("y", "bottom"), ("x", "right")][axis];
        let by = self.random.below(5) as i32 - 2;
        let near = match by {
            0 => own.to_owned(),
            1.. => format!("{own} + {by}"),
            _ => format!("{own} - {}", -by),
        };
        match self.random.below(if self.unsigned { 6 } else { 12 }) {
            0 => format!("2 * {near}"),
            1 => format!("({near}) / 2"),
            2 if !self.unsigned => format!("({near}).max(0)"),
            3 if !self.unsigned => format!("({near}).min({last})"),
            4 if !self.unsigned => format!("({near}).max(1).min({last} + 2)"),
            5 => "y + x".to_owned(),
            _ => near,
        }
    }

    fn tap(&mut self, sources: usize) -> Tap {
        // The nearest one most of the time, so that chains are long.
        let of = if self.random.one_in(3) { self.random.below(sources) } else { sources - 1 };
        let mut index = [self.index(0), self.index(1)];
        if self.random.one_in(12) {
            index.swap(0, 1);
        }
        Tap { of, index, repeated: false }
    }

    /// A value of some taps: its text in a kernel and in the twin, and the statements that note what it may read.
    fn value(&mut self, sources: usize) -> [String; 3] {
        let mut taps: Vec<Tap> = (0..2 + self.random.below(3)).map(|_| self.tap(sources)).collect();
        let kind = self.random.below(6);
        // What the value does not read is not noted either.
        taps.truncate(match kind {
            0 => 2,
            1 => 3,
            _ => taps.len(),
        });
        if kind == 0 {
            taps[1].index[1].push_str(" + k");
            taps[1].repeated = true;
        }
        let [kernel, twin] = [true, false].map(|kernel| {
            let texts: Vec<String> = taps
                .iter()
                .map(
                    |Tap { of, index: [y, x], .. }| {
                        if kernel { format!("s{of}[[{y}, {x}]]") } else { format!("self.s{of}({y}, {x})") }
                    },
                )
                .collect();
            if kind == 0 {
                return format!(
                    "{{ let mut acc: i32 = {}; for k in 0..3 {{ acc = acc.wrapping_add({}); }} acc }}",
                    texts[0], texts[1]
                );
            }
            if kind == 1 {
                let rest =
                    if texts.len() > 2 { format!(".wrapping_add({})", texts[2]) } else { String::new() };
                return format!("if (y ^ x) & 1 == 0 {{ {}{rest} }} else {{ {} }}", texts[0], texts[1]);
            }
            texts[1..].iter().enumerate().fold(texts[0].clone(), |sum, (number, text)| {
                if number == 0 {
                    format!("({sum}).wrapping_mul(3).wrapping_add({text})")
                } else {
                    format!("({sum}) ^ {text}")
                }
            })
        });
        let mut notes = String::new();
        for Tap { of, index: [y, x], repeated } in &taps {
            let _ = if *repeated {
                write!(notes, "for k in 0..3 {{ self.read{of}({y}, {x}); }} ")
            } else {
                write!(notes, "self.read{of}({y}, {x}); ")
            };
        }
        [kernel, twin, notes]
    }
}

pub(super) fn write(seed: u64) -> Case {
    let mut writer = Writer { random: Random(seed), unsigned: false };
    let boundary = *writer.random.pick(&["Clamp", "Mirror", "Fill(7)"]);
    let tile =
        writer.random.one_in(2).then(|| [0, 1].map(|_| *writer.random.pick(&["1", "2", "3", "8", "_"])));
    let loops: &[&str] = if tile.is_some() { &["root", "'tile"] } else { &["root", "'row", "'column"] };
    let count = 1 + writer.random.below(3);
    // What reads a stage in memory is computed in the same iteration or in one inside.
    let mut depths: Vec<usize> = (0..count).map(|_| writer.random.below(loops.len())).collect();
    depths.sort_unstable();
    let levels: Vec<Level> = depths
        .into_iter()
        .map(|depth| if writer.random.one_in(4) { Level::Inline } else { Level::At(depth) })
        .collect();
    let counts = writer.random.one_in(3);
    let mut slides = false;
    let (mut kernel, mut twin) = (String::new(), String::new());
    let _ = writeln!(
        kernel,
        "    let s0 = a.boundary({boundary});\n    let (bottom, right) = (n as i32 - 1, m as i32 - 1);"
    );
    for (before, level) in levels.iter().enumerate() {
        let own = before + 1;
        let [value, plain, notes] = writer.value(own);
        let words = match level {
            Level::Inline => String::new(),
            Level::At(depth) => {
                let slide = *depth > 0 && writer.random.one_in(4);
                slides |= slide;
                let store = if slide { "#[store_at(root)] " } else { "" };
                format!("{store}#[compute_at({})] {}", loops[*depth], writer.random.pick(WORDS))
            }
        };
        let (counted, read) = match level {
            Level::Inline => (value, format!("let (bottom, right) = self.last(); {notes}")),
            // A function may panic: its stage is computed only where each element is read.
            Level::At(_) => (
                if counts { format!("counted({value})") } else { value },
                format!("self.boxes[{own}].note([y, x])"),
            ),
        };
        let _ =
            writeln!(kernel, "    {words}#[pure(counted)] let s{own} = stage::<i32>(|[y, x]| {counted});");
        let _ = writeln!(
            twin,
            "    fn s{own}(&self, y: i32, x: i32) -> i32 {{ let (bottom, right) = self.last(); {plain} }}\n    \
             fn reads{own}(&mut self, y: i32, x: i32) {{ let (bottom, right) = self.last(); {notes} }}\n    \
             fn read{own}(&mut self, y: i32, x: i32) {{ {read} }}"
        );
    }
    writer.unsigned = tile.is_none();
    let [value, plain, notes] = writer.value(count + 1);
    let flush = |depth: usize| {
        let stages = levels.iter().enumerate().rev().filter(|(_, level)| **level == Level::At(depth));
        stages.fold(String::new(), |mut text, (before, _)| {
            let own = before + 1;
            let _ = write!(
                text,
                "for [y, x] in self.boxes[{own}].take() {{ self.reads{own}(y, x); self.count += 1; }} "
            );
            text
        })
    };
    let point = format!("let value = {plain}; self.o[y as usize * m + x as usize] = value; {notes}");
    let loops = if let Some([h, w]) = tile {
        let tail = *writer.random.pick(&["", "", ", peel", ", shift"]);
        let parallel = if tail != ", shift" && writer.random.one_in(4) { "#[parallel] " } else { "" };
        let _ = writeln!(
            kernel,
            "    #[pure(counted)] {parallel}#[tile([{h}, {w}], 'tile{tail})] for [y, x] in o.indices() {{ o[[y, x]] = {value}; }}"
        );
        let step =
            |extent: &str, all: &str| if extent == "_" { format!("{all}.max(1)") } else { extent.to_owned() };
        let (rows, columns) = (step(h, "n"), step(w, "m"));
        let moved = if tail == ", shift" {
            format!("let (y0, x0) = (y0.min(n.saturating_sub({rows})), x0.min(m.saturating_sub({columns})));")
        } else {
            String::new()
        };
        format!(
            "for y0 in (0..n).step_by({rows}) {{ for x0 in (0..m).step_by({columns}) {{ {moved} \
             for y in y0 as i32..(y0 + {rows}).min(n) as i32 {{ for x in x0 as i32..(x0 + {columns}).min(m) as i32 {{ {point} }} }} \
             {} }} }}",
            flush(1)
        )
    } else {
        let [y, x] = [0, 1].map(|_| writer.random.below(4).saturating_sub(1));
        let parallel = if writer.random.one_in(4) { "#[parallel] " } else { "" };
        let _ = writeln!(
            kernel,
            "    #[pure(counted)] {parallel}'row: for y in {y}..n {{ 'column: for x in {x}..m {{ o[[y, x]] = {value}; }} }}"
        );
        format!("for y in {y}..n as i32 {{ for x in {x}..m as i32 {{ {point} {} }} {} }}", flush(2), flush(1))
    };
    let root = flush(0);
    let program = PROGRAM
        .replace("<KERNEL>", &kernel)
        .replace("<BOUNDARY>", &boundary.trim_end_matches("(7)").to_lowercase())
        .replace("<STAGES>", &twin)
        .replace("<LOOPS>", &format!("{loops} {root}"))
        .replace("<COUNT>", if counts && !slides { "count" } else { "0" });
    Case::new(&format!("seed{seed}"), PRELUDE.to_owned() + &program + RUN, Expected::any())
}

pub(super) const PRELUDE: &str = r"use shim::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNT: AtomicU64 = AtomicU64::new(0);
fn counted(v: i32) -> i32 { COUNT.fetch_add(1, Ordering::Relaxed); v }

/// The indices that may be read.
#[derive(Clone, Copy, Default)]
struct Indices(Option<[[i32; 2]; 2]>);
impl Indices {
    fn note(&mut self, [y, x]: [i32; 2]) {
        let [[top, left], [bottom, right]] = self.0.unwrap_or([[y, x]; 2]);
        self.0 = Some([[top.min(y), left.min(x)], [bottom.max(y), right.max(x)]]);
    }
    fn take(&mut self) -> Vec<[i32; 2]> {
        let Some([[top, left], [bottom, right]]) = self.0.take() else { return Vec::new() };
        (top..=bottom).flat_map(|y| (left..=right).map(move |x| [y, x])).collect()
    }
}
fn clamp(at: i32, extent: usize) -> Option<usize> { Some(at.clamp(0, extent as i32 - 1) as usize) }
fn mirror(at: i32, extent: usize) -> Option<usize> {
    let at = at.rem_euclid(2 * extent as i32);
    Some(at.min(2 * extent as i32 - 1 - at) as usize)
}
fn fill(at: i32, extent: usize) -> Option<usize> { (0..extent as i32).contains(&at).then_some(at as usize) }
";

const PROGRAM: &str = r"
#[shim::kernel]
pub fn kernel(#[shape(n, m)] a: &[i32], [n, m]: [usize; 2], #[shape(n, m)] o: &mut [i32]) {
<KERNEL>}

struct Twin<'a> { a: &'a [i32], n: usize, m: usize, o: Vec<i32>, boxes: [Indices; 4], count: u64 }
#[allow(unused)]
impl Twin<'_> {
    fn s0(&self, y: i32, x: i32) -> i32 {
        let (n, m) = (self.n, self.m);
        <BOUNDARY>(y, n).zip(<BOUNDARY>(x, m)).map_or(7, |(y, x)| self.a[y * m + x])
    }
    fn last(&self) -> (i32, i32) { (self.n as i32 - 1, self.m as i32 - 1) }
    fn read0(&mut self, y: i32, x: i32) {}
<STAGES>    fn all(&mut self) { let (n, m) = (self.n, self.m); let (bottom, right) = self.last(); <LOOPS> }
}
fn told(count: u64) -> u64 { <COUNT> }
";

pub(super) const RUN: &str = r"type Outcome = Result<(Vec<i32>, u64), String>;
const INPUTS: [[usize; 2]; 7] = [[4, 6], [3, 3], [1, 7], [0, 4], [9, 8], [5, 2], [17, 13]];
fn outcome(f: impl FnOnce() -> (Vec<i32>, u64)) -> Outcome {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })
}
fn image([n, m]: [usize; 2]) -> Vec<i32> { (0..n * m).map(|i| (i * i + 3 * i) as i32 % 97).collect() }
pub fn run() -> Vec<Outcome> {
    INPUTS.map(|[n, m]| outcome(|| {
        let (a, mut o) = (image([n, m]), vec![0; n * m]);
        COUNT.store(0, Ordering::Relaxed);
        kernel(&a, [n, m], &mut o);
        (o, told(COUNT.load(Ordering::Relaxed)))
    })).to_vec()
}
pub fn want() -> Vec<Outcome> {
    INPUTS.map(|[n, m]| outcome(|| {
        let mut twin = Twin { a: &image([n, m]), n, m, o: vec![0; n * m], boxes: [Indices::default(); 4], count: 0 };
        twin.all();
        (twin.o, told(twin.count))
    })).to_vec()
}
";
