//! Blocks of a few expressions of other elements.

use super::Writer;

impl Writer {
    /// A block that is tabulated from a line of elements.
    pub(super) fn tabulated(&mut self) {
        let ty = *self.random.pick(&["i32", "u16", "i16", "i64", "u64", "u128", "i128", "u32"]);
        let (element, cast) = if ty == "u16" || ty == "i16" || (ty == "i32" && self.random.one_in(2)) {
            ("u8", format!(".cast::<{ty}>()"))
        } else {
            (ty, String::new())
        };
        let stored = if self.random.one_in(4) { ".stored(row_major.reversed())" } else { "" };
        self.add(&format!(
            "{{\n⟨let line = Block::stack::<{element}>([64]){stored};\nfor [i] in line.indices() {{ line[[i]] = (i * 7 % 251) as {element}; }}\n\
             let line = line{cast};\nlet out = Block::stack::<{ty}>([4, 6]);\n\
             ¦let line: [{ty}; 64] = std::array::from_fn(|i| (i * 7 % 251) as {element} as {ty});\n\
             let mut out = [[0 as {ty}; 6]; 4];\n⟩"
        ));
        let [y, x] = *self.random.pick(&[["y", "x"], ["x", "y"], ["i", "line"], ["table", "at"]]);
        let name = if x == "line" { "l" } else { x };
        let value = match self.random.below(3) {
            0 => {
                let arms: Vec<String> =
                    (0..3).map(|at| format!("{at} => {},", self.term(y, name, ty, 2))).collect();
                format!("match {y} {{ {} _ => {} }}", arms.join(" "), self.term(y, name, ty, 2))
            }
            1 => {
                let [a, b] = [0, 1].map(|_| self.term(y, name, ty, 2));
                format!("if {name} > {y} {{ {a} }} else {{ {b} }}")
            }
            _ => self.term(y, name, ty, 3),
        };
        self.add(&format!(
            "⟨#[tabulate]\nfor [{y}, {name}] in out.indices() {{\nout[[{y}, {name}]] = ¦for {y} in 0..4_isize {{ for {name} in 0..6_isize {{\nlet value_ = ⟩{value}⟨;\n}}\n¦;\nout[{y} as usize][{name} as usize] = value_;\n}} }}\n⟩"
        ));
        self.add(
            "⟨for [y, x] in out.indices() { sum = sum.wrapping_mul(31) ^ out[[y, x]] as i32; }¦for row in out { for v in row { sum = sum.wrapping_mul(31) ^ v as i32; } }⟩\n}\n",
        );
    }

    /// An expression of the tabulated type.
    fn term(&mut self, y: &str, x: &str, ty: &str, depth: usize) -> String {
        if depth == 0 {
            let (a, b, c) = (1 + self.random.below(4), 1 + self.random.below(4), self.random.below(9));
            return match self.random.below(8) {
                0 => self.random.below(40).to_string(),
                1 => format!("(g.a as {ty})"),
                2 => format!("({x} as {ty})"),
                _ => format!(
                    "⟨line[[{a} * {y} + {b} * {x} + {c}]]¦line[({a} * {y} + {b} * {x} + {c}) as usize]⟩"
                ),
            };
        }
        let (a, b) = (self.term(y, x, ty, depth - 1), self.term(y, x, ty, depth - 1));
        match self.random.below(12) {
            0..=3 => format!("{a} + {b}"),
            4 => format!("({a} >> 1) + ({b} >> 2)"),
            5 => format!("({a} + {b} + 1) >> 1"),
            6 => format!("{a} + 2 * ({b})"),
            7 => format!("(if {x} > 2 {{ {a} }} else {{ {b} }})"),
            8 => format!("({a} & 15) + ({b} | 3)"),
            9 => format!("2000 - ({a} & 255)"),
            10 => format!("({a} & 127) * ({b} & 127)"),
            _ => format!("(if g.a > 3 {{ {a} }} else {{ {b} }})"),
        }
    }
}
