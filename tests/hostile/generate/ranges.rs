//! Loops over ranges of every integer type, with ends where types and `isize` end.

use super::{INDICES, Writer};

/// Integer types, and whether they are signed.
const TYPES: &[(&str, bool)] = &[
    ("u8", false),
    ("u16", false),
    ("u32", false),
    ("u64", false),
    ("usize", false),
    ("u128", false),
    ("i8", true),
    ("i16", true),
    ("i32", true),
    ("i64", true),
    ("isize", true),
    ("i128", true),
];

impl Writer {
    /// A loop of a few iterations over a range that may lie anywhere in its type.
    pub(super) fn range_of_any_type(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        let (ty, signed) = *self.random.pick(TYPES);
        let (start, end, short) = self.ends(ty, signed);
        // A literal is static, and what rustc cannot see through is not.
        let hidden = self.random.one_in(2);
        let value = |end: String| if hidden { format!("std::hint::black_box({end})") } else { end };
        self.both(&format!("{{\nlet start_: {ty} = {};\nlet end_: {ty} = {};\n", value(start), value(end)));
        let range = *self.random.pick(&[
            "start_..end_",
            "start_..=end_",
            "(start_..end_).rev()",
            "(start_..=end_).rev()",
            "(start_..end_).step_by(3)",
            "(start_..=end_).step_by(2).rev()",
        ]);
        let name = *self.random.pick(INDICES);
        // Without a way out, accesses are asserted before the loop: then it has to end by itself.
        if short && self.random.one_in(2) {
            self.both(&format!("for {name} in {range} {{\n"));
        } else {
            let most = 1 + self.random.below(4);
            self.both("let mut turns_ = 0;\n");
            self.both(&format!("for {name} in {range} {{\nturns_ += 1;\nif turns_ > {most} {{ break; }}\n"));
        }
        for _ in 0..=self.random.below(2) {
            self.access_at(name, &tensor);
        }
        self.both("}\n}\n");
    }

    /// The ends of a range that is not empty, and whether it is short.
    fn ends(&mut self, ty: &str, signed: bool) -> (String, String, bool) {
        let wide = ty.ends_with("128");
        let low = if signed { format!("{ty}::MIN") } else { "0".to_owned() };
        let edge = if wide { format!("(isize::MAX as {ty})") } else { format!("{ty}::MAX / 2") };
        let start = match self.random.below(9) {
            0..=2 => self.random.below(4).to_string(),
            3 => format!("{ty}::MAX - {}", 4 + self.random.below(4)),
            4 => format!("{edge} - {}", self.random.below(4)),
            5 => format!("{edge} + {}", self.random.below(3)),
            6 => low,
            7 if signed => format!("-{}", 1 + self.random.below(4)),
            _ => "0".to_owned(),
        };
        match self.random.below(5) {
            0 => (start, format!("{ty}::MAX - {}", self.random.below(3)), false),
            // To the end of the type.
            1 => (format!("{ty}::MAX - {}", self.random.below(4)), format!("{ty}::MAX"), true),
            2 => {
                let end = format!("({start}) + 1");
                (start, end, true)
            }
            _ => {
                let end = format!("({start}) + {}", 2 + self.random.below(3));
                (start, end, true)
            }
        }
    }

    /// An access at the variable of a range, in one of the positions that decide how it is checked.
    fn access_at(&mut self, name: &str, tensor: &str) {
        let by = self.random.below(3);
        // In an index each operand is converted.
        let (index_k, index_p) = match self.random.below(5) {
            0 => (format!("{name} % 5"), format!("p::ix({name}) % 5")),
            1 => (format!("{name} / 3"), format!("p::ix({name}) / 3")),
            _ => (name.to_owned(), format!("p::ix({name})")),
        };
        let (read_k, read_p) = (format!("{tensor}[[{index_k}]]"), format!("{tensor}.at({index_p})"));
        match self.random.below(7) {
            0 => self.add(&read_k, &read_p),
            1 => {
                self.both(&format!("if {name} < {} {{\n", 2 + by));
                self.add(&read_k, &read_p);
                self.both("}\n");
            }
            2 => self.add(&format!("(|| {read_k})()"), &format!("(|| {read_p})()")),
            3 => self.add(
                &format!("{tensor}.get([{index_k}]).unwrap_or(5)"),
                &format!("{tensor}.get({index_p}).unwrap_or(5)"),
            ),
            4 => self.differ(
                &format!("let at_ = {index_k};\nif at_ < 3 {{ s ^= {tensor}[[at_]]; }}\n"),
                &format!("let at_ = {index_k};\nif at_ < 3 {{ s ^= {tensor}.at(p::ix(at_)); }}\n"),
            ),
            5 if self.template.is_none() => self.differ(
                &format!("{tensor}[[{index_k}]] += 3;\n"),
                &format!("{tensor}.bump({index_p}, 3);\n"),
            ),
            _ => self.differ(
                &format!("match {name} {{ 0..=2 => s ^= {read_k}, _ => s ^= 9 }}\n"),
                &format!("match {name} {{ 0..=2 => s ^= {read_p}, _ => s ^= 9 }}\n"),
            ),
        }
    }
}
