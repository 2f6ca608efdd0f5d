//! Programs of loops in every order and mode, each with a twin in the order of the source.
//!
//! A program is one text. Where the kernel and its twin differ, as where an element is accessed, it holds both:
//! `⟨kernel¦twin⟩`. Names are few, and some are those that the expansion gives to locals of its own; patterns of every
//! kind bind them anew between an alias of a loop variable and the location that mentions it. Four in five loops only
//! compute; the others have an effect of some kind, which an order either keeps or refuses.

use std::collections::BTreeSet;

mod bodies;
mod patterns;
mod tables;
mod text;
mod values;
mod words;

use super::Random;
use crate::case::{Case, Expected};

/// What a name is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The variable of a loop over this axis, or an alias of it.
    Index(usize),
    /// An `i32`, mutable or not.
    Number { mutable: bool },
}

struct Writer {
    random: Random,
    text: String,
    scopes: Vec<Vec<(String, Kind)>>,
    /// Whether the statements of this loop may have an effect of their own.
    hostile: bool,
    /// Whether the words before the loop name `calm` as pure.
    pure: bool,
    /// Whether the statements of this loop read neighbors of what it writes.
    neighbors: bool,
    /// How this loop changes `sum`.
    reduction: &'static str,
    /// The extents of the tensors where they are static.
    extents: Option<[usize; 2]>,
    depth: usize,
    /// The statements so far.
    parts: usize,
    /// Those of them that are left out.
    without: BTreeSet<usize>,
}

/// Names that patterns bind: variables of loops, parameters, and spellings of the expansion.
const NAMES: &[&str] = &["x", "y", "i", "j", "n", "m", "x_2", "y_tile", "o_mem", "o_base", "last"];

/// Extents of the tensors that loops go over.
const EXTENTS: &[[&str; 2]] = &[["n", "m"], ["n", "m"], ["4", "6"], ["4", "4"], ["n", "5"]];

impl Writer {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes a statement. If it is to be left out it is written as well, so that all that follows stays as it is, and
    /// then taken away.
    fn part(&mut self, write: impl FnOnce(&mut Self)) {
        let (part, start) = (self.parts, self.text.len());
        self.parts += 1;
        write(self);
        if self.without.contains(&part) {
            self.text.truncate(start);
        }
    }

    /// A name for a pattern.
    fn name(&mut self) -> String {
        (*self.random.pick(NAMES)).to_owned()
    }

    fn define(&mut self, name: &str, kind: Kind) {
        self.scopes.last_mut().expect("a scope").push((name.to_owned(), kind));
    }

    /// The innermost meaning of each name.
    fn visible(&self) -> Vec<(String, Kind)> {
        let mut seen: Vec<(String, Kind)> = Vec::new();
        for (name, kind) in self.scopes.iter().rev().flat_map(|scope| scope.iter().rev()) {
            if !seen.iter().any(|(other, _)| other == name) {
                seen.push((name.clone(), *kind));
            }
        }
        seen
    }

    /// The declarations, the loops, and what is returned.
    fn body(&mut self) {
        let extents = *self.random.pick(EXTENTS);
        if let [Ok(h), Ok(w)] = extents.map(str::parse) {
            self.extents = Some([h, w]);
        }
        self.tensors(extents);
        self.add("let mut last: i32 = 0;\nlet mut sum: i32 = 0;\nlet mut opt = Some(3);\nlet twice = |v: i32| v % 50 * 2;\n");
        self.scopes.push(Vec::new());
        for name in ["last", "sum"] {
            self.define(name, Kind::Number { mutable: true });
        }
        for _ in 0..=self.random.below(2) {
            self.part(Writer::nest);
        }
        if self.random.one_in(4) {
            self.part(Writer::tabulated);
        }
        if self.random.one_in(6) {
            self.part(Writer::end_of_a_type);
        }
        let _ = self.scopes.pop();
    }

    /// The tensors of a program: `a` is read, `o` and `b` are read and written, `before` is `o` or `b` with a boundary.
    fn tensors(&mut self, [h, w]: [&str; 2]) {
        self.add(&format!(
            "⟨let a = Block::external(a, [{h}, {w}]);¦let a = p::Grid::external(a, [{h}, {w}], [{w}, 1]);⟩\n"
        ));
        let strides = if self.random.one_in(6) { Some(self.strides([h, w])) } else { None };
        let strided = strides.as_ref().map_or_else(String::new, |[s, t]| format!(".strided([{s}, {t}])"));
        let [s, t] = strides.unwrap_or_else(|| [w.to_owned(), "1".to_owned()]);
        let narrow = self.random.one_in(3);
        self.add(&format!(
            "⟨let o = Block::external({memory}, [{h}, {w}]){strided}{cast};¦let o = p::Grid::external({memory}, [{h}, {w}], [{s}, {t}]){cast};⟩\n",
            memory = if narrow { "bytes" } else { "words" },
            cast = if narrow { ".cast::<i32>()" } else { "" },
        ));
        let exchanged = self.random.one_in(24);
        let [bh, bw] = if exchanged { [w, h] } else { [h, w] };
        let stored =
            if self.random.one_in(2) { format!(".stored({})", self.order(2)) } else { String::new() };
        // There is no memory for a block that its order pads to gigabytes.
        let is_huge = ["65537", "4294967296"].iter().any(|argument| stored.contains(argument));
        let stored = if is_huge { String::new() } else { stored };
        let memory =
            if [h, w].iter().all(|extent| extent.parse::<usize>().is_ok()) { "stack" } else { "heap" };
        self.add(&format!(
            "⟨let b = Block::{memory}::<i32>([{bh}, {bw}]){stored};¦let b = p::Grid::heap([{bh}, {bw}]);⟩\n",
        ));
        let fill = self.random.below(9);
        let of = *self.random.pick(&["o", "b"]);
        self.add(&format!("⟨let before = {of}.boundary(Fill({fill}));¦let before = {of}.filled({fill});⟩\n"));
        let capacity = *self.random.pick(&["4", "200", "n * m", "n * m + 3", "2 * n * m", "n"]);
        self.add(&format!(
            "⟨let list = Block::external(list, [{capacity}]).list();¦let list = p::List::new({capacity});⟩\n"
        ));
    }

    /// Distances of neighbors in memory, most of them wrong.
    fn strides(&mut self, [h, w]: [&str; 2]) -> [String; 2] {
        match self.random.below(5) {
            0 => ["1".to_owned(), h.to_owned()],
            1 => [format!("2 * {w}"), "2".to_owned()],
            _ => [0, 1].map(|_| (*self.random.pick(&["0", "1", "2", "3", "n"])).to_owned()),
        }
    }
}

/// The text of the kernel, or of the twin.
fn side(text: &str, kernel: bool) -> String {
    let mut side = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('⟨') {
        let (both, after) = after.split_once('⟩').expect("the end of a choice");
        let (first, second) = both.split_once('¦').expect("two texts");
        side.push_str(before);
        side.push_str(if kernel { first } else { second });
        rest = after;
    }
    side + rest
}

pub(super) fn write(seed: u64, without: &BTreeSet<usize>) -> (Case, usize) {
    let mut writer = Writer {
        random: Random(seed),
        text: String::new(),
        scopes: vec![Vec::new()],
        hostile: false,
        pure: false,
        neighbors: false,
        reduction: "",
        extents: None,
        depth: 0,
        parts: 0,
        without: without.clone(),
    };
    writer.body();
    let program = text::PROGRAM
        .replace("<KERNEL>", &side(&writer.text, true))
        .replace("<PLAIN>", &side(&writer.text, false));
    (
        Case::new(&format!("seed{seed}"), text::PRELUDE.to_owned() + &program + text::RUN, Expected::any()),
        writer.parts,
    )
}

pub(super) use text::{PRELUDE, RUN};
