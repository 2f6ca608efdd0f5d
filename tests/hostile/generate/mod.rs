//! Programs that combine every construct of scope with every role that a name has in a kernel, each with a plain twin;
//! those of `orders`, about loops, those of `stages`, and those of `closures`, about what a stage's closure means.
//!
//! The first two are written statement by statement from one text; they differ where a tensor is made, seen or accessed. Names
//! are few, so that they hide one another, and rustc alone says what they mean in the twin. The same seed gives the
//! same program.

use std::collections::BTreeSet;
use std::fmt::Write as _;

mod calls;
mod closures;
mod found;
mod numbers;
mod orders;
mod ranges;
mod stages;
mod statements;
mod tensors;
mod text;
mod views;

use crate::case::{Case, Expected};
use text::{PRELUDE, RUN};

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// What a lower-case name is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A `usize`, mutable or not.
    Number { mutable: bool },
    /// A variable of an index loop or an unrolled one, or the index that a predicate is asked of.
    Index,
}

/// The label of a loop, if it has one.
#[derive(Clone, Copy)]
struct Label(Option<&'static str>);

#[derive(Clone, Default)]
struct Scope {
    values: Vec<(String, Kind)>,
    tensors: Vec<String>,
    places: Vec<String>,
    /// Constants with the names of locals: no pattern may bind these.
    constants: Vec<String>,
}

/// What a template takes and returns beside a tensor and two numbers.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// It returns a number.
    Sum { place: bool },
    /// It takes a template of so many arguments as well.
    Passing { arguments: usize },
    /// It returns a tensor.
    View,
    /// It returns a tensor and a number.
    Pair,
}

struct Writer {
    random: Random,
    kernel: String,
    plain: String,
    scopes: Vec<Scope>,
    /// Loops around, by label.
    labels: Vec<Label>,
    depth: usize,
    budget: usize,
    /// The templates written so far.
    templates: Vec<Form>,
    /// Names that a macro brings beside its own, `$x` and `$y`.
    family: bool,
    /// The form of the template whose body is written; one does not see the kernel's memory.
    template: Option<Form>,
    /// How many tensors a condition of the run time has chosen so far.
    choices: usize,
    /// How many rows of a shape were made: two of them would lie apart.
    rows: usize,
    /// Whether the located table is in scope.
    located: bool,
    /// Whether what is written is the body of a closure, which borrows what it assigns.
    in_closure: bool,
    /// The statements and lists of items so far.
    parts: usize,
    /// Those of them that are left out.
    without: BTreeSet<usize>,
}

const NUMBERS: &[&str] = &["n", "m", "k"];
const INDICES: &[&str] = &["i", "j", "n"];
const TENSORS: &[&str] = &["t", "u", "v"];
const PLACES: &[&str] = &["q", "r"];
const LABELS: &[&str] = &["'a", "'b"];

impl Writer {
    fn new(seed: u64, without: &BTreeSet<usize>) -> Writer {
        Writer {
            random: Random(seed),
            kernel: String::new(),
            plain: String::new(),
            scopes: Vec::new(),
            labels: Vec::new(),
            depth: 0,
            budget: 0,
            templates: Vec::new(),
            family: false,
            template: None,
            choices: 0,
            rows: 0,
            located: false,
            in_closure: false,
            parts: 0,
            without: without.clone(),
        }
    }

    /// Writes a statement or items. If it is to be left out it is written as well, so that all that follows stays as
    /// it is, and then taken away.
    fn part<T: Default>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let (part, kernel, plain) = (self.parts, self.kernel.len(), self.plain.len());
        self.parts += 1;
        let written = write(self);
        if self.without.contains(&part) {
            self.kernel.truncate(kernel);
            self.plain.truncate(plain);
            return T::default();
        }
        written
    }

    fn both(&mut self, text: &str) {
        self.kernel.push_str(text);
        self.plain.push_str(text);
    }

    fn differ(&mut self, kernel: &str, plain: &str) {
        self.kernel.push_str(kernel);
        self.plain.push_str(plain);
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope")
    }

    fn define(&mut self, name: &str, kind: Kind) {
        self.scope().values.push((name.to_owned(), kind));
    }
}

/// The program of a seed.
pub(crate) fn case(seed: u64) -> Case {
    write(seed, &BTreeSet::new()).0
}

/// The same without some of its parts, under a name of its own.
pub(crate) fn case_without(seed: u64, without: &BTreeSet<usize>, name: &str) -> Case {
    Case { name: name.to_owned(), ..write(seed, without).0 }
}

/// How many parts the program of a seed has.
pub(crate) fn parts(seed: u64) -> usize {
    write(seed, &BTreeSet::new()).1
}

/// What is a program's own.
pub(crate) fn own_text(case: &Case) -> &str {
    let texts = [
        (PRELUDE, RUN),
        (orders::PRELUDE, orders::RUN),
        (stages::PRELUDE, stages::RUN),
        (closures::PRELUDE, closures::RUN),
    ];
    let own = texts
        .into_iter()
        .find_map(|(prelude, run)| case.text.strip_prefix(prelude).and_then(|text| text.strip_suffix(run)));
    own.unwrap_or(&case.text)
}

/// What the program of a seed is about.
pub(crate) fn subject(seed: u64) -> &'static str {
    ["scopes", "orders", "scopes", "stages", "scopes", "orders", "closures", "stages"][(seed % 8) as usize]
}

fn write(seed: u64, without: &BTreeSet<usize>) -> (Case, usize) {
    match subject(seed) {
        "orders" => orders::write(seed, without),
        // Every stage is read: none can be left out.
        "stages" => (stages::write(seed), 0),
        "closures" => (closures::write(seed), 0),
        _ => write_scopes(seed, without),
    }
}

fn write_scopes(seed: u64, without: &BTreeSet<usize>) -> (Case, usize) {
    let mut writer = Writer::new(seed, without);
    for _ in 0..writer.random.below(3) {
        writer.template();
    }
    let templates = (std::mem::take(&mut writer.kernel), std::mem::take(&mut writer.plain));
    writer.family = writer.random.one_in(3);
    let own = if writer.family { ["$x", "m", "n"] } else { ["n", "m", "k"] };
    writer.entry(own);
    let mut program = PRELUDE.to_owned();
    program.push_str(&templates.0);
    program.push_str(&templates.1);
    if writer.family {
        // Called with names that the macro has as well.
        let (x, y) = (*writer.random.pick(&["n", "k"]), *writer.random.pick(&["m", "i", "t"]));
        let _ = write!(
            program,
            "macro_rules! family {{ ($x:ident, $y:ident) => {{\n{}{}}}; }}\nfamily!({x}, {y});\n",
            writer.kernel, writer.plain
        );
    } else {
        program.push_str(&writer.kernel);
        program.push_str(&writer.plain);
    }
    program.push_str(RUN);
    (Case::new(&format!("seed{seed}"), program, Expected::any()), writer.parts)
}
