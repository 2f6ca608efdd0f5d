//! Orders and modes, with arguments of every size, and the loops that they order.

use std::fmt::Write as _;

use super::{Kind, Writer};

/// Arguments that no order has.
const WILD: &[&str] = &[
    "0",
    "-1",
    "65537",
    "4294967296",
    "isize::MAX",
    "9223372036854775807",
    "-9223372036854775808",
    "1 << 40",
];

impl Writer {
    /// A positive argument, or now and then one that is out of range.
    fn argument(&mut self) -> String {
        if self.random.one_in(80) {
            (*self.random.pick(WILD)).to_owned()
        } else {
            (1 + self.random.below(5)).to_string()
        }
    }

    /// An order of a box of this rank, as of memory and of loops; one with tables needs static extents.
    pub(super) fn order(&mut self, rank: usize) -> String {
        let arguments = |writer: &mut Self| -> String {
            let all: Vec<String> = (0..rank).map(|_| writer.argument()).collect();
            all.join(", ")
        };
        let axes = |writer: &mut Self| {
            let wrong = writer.random.one_in(16);
            let [a, b] = if wrong { [1, 1 + writer.random.below(2)] } else { [1, 0] };
            format!("axes([{a}, {b}])")
        };
        let kinds = if self.extents.is_some() || self.random.one_in(30) { 13 } else { 10 };
        let mut order = match self.random.below(kinds) {
            0 | 1 => "row_major".to_owned(),
            2 | 3 => format!("tile([{}])", arguments(self)),
            4 => format!("tile([{}]).inner(row_major.reversed())", arguments(self)),
            5 => format!("lanes({})", self.argument()),
            6 if rank == 2 => axes(self),
            7 if rank == 2 => format!("tile([{}]).outer({})", arguments(self), axes(self)),
            8 if rank == 2 => "antidiagonal".to_owned(),
            10 if rank == 2 && self.extents == Some([4, 4]) || self.random.one_in(12) => {
                (*self.random.pick(&["morton", "hilbert", "tile([2, 2]).inner(morton)"])).to_owned()
            }
            11 => {
                let [h, w] = self.extents.unwrap_or([4, 6]);
                let (index, points) =
                    if rank == 2 { (format!("[i, j]| {w} * i + j"), h * w) } else { ("i| i".to_owned(), w) };
                let (start, sum) = index.split_once("| ").expect("a closure");
                let factor = if self.random.one_in(8) {
                    self.argument()
                } else {
                    (*self.random.pick(&["5", "7", "11"])).to_owned()
                };
                let shift = self.random.below(5);
                format!("by(|{start}| ({factor} * ({sum}) + {shift}) % {points})")
            }
            12 if rank == 2 => "zigzag".to_owned(),
            _ => "column_major".to_owned(),
        };
        if self.random.one_in(4) {
            order.push_str(".reversed()");
        }
        if kinds > 10 && self.random.one_in(8) {
            let [h, w] = self.extents.unwrap_or([4, 6]);
            let _ = write!(order, ".then([{}, {w}], row_major.reversed())", if rank == 2 { h } else { 1 });
        }
        order
    }

    fn tile(&mut self, rank: usize) -> String {
        let sizes: Vec<String> =
            (0..rank).map(|_| if self.random.one_in(5) { "_".to_owned() } else { self.argument() }).collect();
        let tail = *self.random.pick(&["", "", ", peel", ", shift"]);
        format!("#[tile([{}]{tail})]", sizes.join(", "))
    }

    /// The words before a nest over these variables.
    fn words(&mut self, variables: &[String]) -> String {
        let rank = variables.len();
        let last = variables.last().expect("a variable");
        let lanes = |writer: &mut Self| {
            format!("#[lanes({})]", if writer.random.one_in(8) { writer.argument() } else { "4".to_owned() })
        };
        let reorder = variables.iter().rev().map(String::as_str).collect::<Vec<_>>().join(", ");
        match self.random.below(if rank == 1 { 8 } else { 14 }) {
            0 => String::new(),
            1 => lanes(self),
            2 => "#[parallel]".to_owned(),
            3 => format!("#[unroll({})]", self.argument()),
            4 => format!("#[order({})]", self.order(rank)),
            5 => self.tile(rank),
            6 => format!("{}\n{}", self.tile(rank), lanes(self)),
            7 => format!("#[parallel]\n{}", self.tile(rank)),
            8 => format!("#[reorder({reorder})]"),
            9 => format!("#[reorder({reorder})]\n{}", lanes(self)),
            10 | 11 => {
                let factor = self.argument();
                let wave = format!("#[wavefront({factor} * {} + {last})]", variables[0]);
                let mode = *self.random.pick(&[
                    "",
                    "\n#[parallel]",
                    "\n#[lanes(2)]",
                    "\n#[parallel]\n#[tile([2, 2])]",
                ]);
                format!("{wave}{mode}")
            }
            12 => format!("{}\n#[unroll({last})]", self.tile(rank)),
            _ => format!("#[parallel]\n{}\n{}", self.tile(rank), lanes(self)),
        }
    }

    /// A loop up to the end of a type, under words, with a reduction and an element for each iteration.
    pub(super) fn end_of_a_type(&mut self) {
        let ty = *self.random.pick(&["u8", "i8", "u16", "i32", "u32", "u64", "i64", "usize", "isize"]);
        let (of, name) = (*self.random.pick(&["o", "b"]), self.name());
        let words = self.words(std::slice::from_ref(&name));
        let first = format!("({ty}::MAX - {})", 1 + self.random.below(6));
        let range = *self.random.pick(&["#..=END", "(#..=END).rev()", "(#..=END).step_by(2)", "#..END"]);
        let range = range.replace('#', &first).replace("END", &format!("{ty}::MAX"));
        let reduction = *self.random.pick(&[
            "sum ^= (# % 7) as i32;\n",
            "sum += (# % 3) as i32;\n",
            "sum = sum.max(# as i32);\n",
        ]);
        self.add(&format!(
            "⟨{words}\n¦⟩for {name} in {range} {{\n⟨{of}[[0, {name} - {first}]] += ¦{of}.bump([0, p::ix({name}) - p::ix({first})], ⟩3⟨;¦);⟩\n{}}}\n",
            reduction.replace('#', &name)
        ));
    }

    /// A nest, alone or together with the next one.
    pub(super) fn nest(&mut self) {
        let of = *self.random.pick(&["o", "b"]);
        self.hostile = self.random.one_in(5);
        self.neighbors = self.random.one_in(4);
        self.reduction = *self.random.pick(&[
            "sum += (#) % 9;\n",
            "sum = sum.max(#);\n",
            "sum ^= #;\n",
            "sum |= (#) & 255;\n",
        ]);
        let fused = self.random.one_in(5);
        let rank = if self.random.one_in(4) { 1 } else { 2 };
        let variables = self.variables(rank);
        self.pure = self.random.one_in(4);
        let mut words = self.words(&variables);
        if self.pure && !words.is_empty() {
            words = format!("#[pure(calm)]\n{words}");
        }
        if fused {
            words = format!("#[fuse]\n{words}");
        }
        let is_taken = ["lanes", "unroll", "wavefront"].iter().any(|word| words.contains(word));
        let distributed = !fused && !is_taken && self.random.one_in(4);
        let mut end = String::new();
        if distributed {
            // A loop that changes a variable is not distributed.
            self.reduction = "";
            words.push_str("\n#[distribute]");
            let [y, x] = if let [y, x] = &variables[..] { [y, x] } else { [&"0".to_owned(), &variables[0]] };
            end = format!("⟨{of}[[{y}, {x}]] += ¦{of}.bump([p::ix({y}), p::ix({x})], ⟩1⟨;¦);⟩\n");
        }
        self.add(&format!("⟨{words}\n¦⟩"));
        let counted = self.random.one_in(4);
        self.loops(of, &variables, (counted, fused), &end);
        if fused {
            // Two loops that are fused do not reduce into one variable.
            self.reduction = "";
            let variables = self.variables(rank);
            self.loops(of, &variables, (counted, true), "");
        }
    }

    fn variables(&mut self, rank: usize) -> Vec<String> {
        let pairs = [["y", "x"], ["x", "y"], ["i", "j"], ["n", "m"], ["y", "last"], ["x_2", "x"]];
        let pair = *self.random.pick(&pairs);
        pair[2 - rank..].iter().map(ToString::to_string).collect()
    }

    /// Loops over the indices of a tensor, or over ranges: `plain` ones, which two loops that are fused have in common,
    /// or others. The body has `end` behind its statements.
    fn loops(&mut self, of: &str, variables: &[String], (counted, plain): (bool, bool), end: &str) {
        self.scopes.push(Vec::new());
        let rank = variables.len();
        let axis = 2 - rank;
        for (at, name) in variables.iter().enumerate() {
            self.define(name, Kind::Index(axis + at));
        }
        // A loop over the columns alone visits the first row.
        if counted {
            let rows = variables[0].clone();
            for (at, name) in variables.iter().enumerate() {
                let extent = format!("{of}.extent({})", axis + at);
                let kinds = if at > 0 { 14 } else { 10 };
                let range = match self.random.below(if plain { 1 } else { kinds }) {
                    1 => format!("0..={extent} - 1"),
                    2 => format!("(0..{extent}).rev()"),
                    3 => format!("(0..={extent} - 1).rev()"),
                    10 => format!("{rows}..{extent}"),
                    11 => format!("{rows}.saturating_sub(2)..({rows} + 2).min({extent})"),
                    12 if self.extents.is_some_and(|[h, w]| h <= w) => format!("0..={rows}"),
                    _ => format!("0..{extent}"),
                };
                self.add(&format!("for {name} in {range} {{\n"));
            }
        } else {
            let twin: Vec<String> = variables
                .iter()
                .enumerate()
                .map(|(at, name)| format!("for {name} in 0..{of}.extent({}) as isize {{\n", axis + at))
                .collect();
            let over = if rank == 2 { format!("{of}.indices()") } else { format!("{of}[[0, ..]].indices()") };
            self.add(&format!("⟨for [{}] in {over} {{\n¦{}⟩", variables.join(", "), twin.concat()));
        }
        self.statements();
        self.add(end);
        if counted {
            self.add(&"}\n".repeat(rank));
        } else {
            self.add(&format!("}}\n⟨¦{}⟩\n", "}".repeat(rank - 1)));
        }
        let _ = self.scopes.pop();
    }
}
