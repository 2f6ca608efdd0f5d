//! Names, and numbers and indices made of them.

use std::fmt::Write as _;

use super::{Kind, Writer};

impl Writer {
    /// The innermost meaning of each name.
    pub(super) fn values(&self) -> Vec<(String, Kind)> {
        let mut seen: Vec<(String, Kind)> = Vec::new();
        for scope in self.scopes.iter().rev() {
            for constant in &scope.constants {
                if !seen.iter().any(|(name, _)| name == constant) {
                    seen.push((constant.clone(), Kind::Number { mutable: false }));
                }
            }
            for (name, kind) in scope.values.iter().rev() {
                if !seen.iter().any(|(other, _)| other == name) {
                    seen.push((name.clone(), *kind));
                }
            }
        }
        seen
    }

    /// A name that a pattern may bind here.
    pub(super) fn bindable(&mut self, of: &[&str]) -> String {
        let mut names: Vec<String> = of.iter().map(ToString::to_string).collect();
        if self.family {
            names.extend(["$x".to_owned(), "$y".to_owned()]);
        }
        names.retain(|name| !self.scopes.iter().any(|scope| scope.constants.contains(name)));
        if names.is_empty() { "z".to_owned() } else { self.random.pick(&names).clone() }
    }

    /// A number's name, or a literal where there is none.
    pub(super) fn name(&mut self) -> String {
        let values = self.values();
        if values.is_empty() {
            return self.random.below(8).to_string();
        }
        let (name, kind) = self.random.pick(&values).clone();
        // As r#n, now and then.
        let raw = self.random.one_in(30) && !name.starts_with('$');
        let name = if raw { format!("r#{name}") } else { name };
        if kind == Kind::Index { format!("({name} as usize)") } else { name }
    }

    pub(super) fn constant(&mut self) -> String {
        (*self.random.pick(&["N", "M", "N", "a::N", "b::N", "S::N", "a::M", "self::N", "Q", "a::Q"]))
            .to_owned()
    }

    /// An expression of type `usize`.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(8) {
                0 => self.random.below(9).to_string(),
                1 | 2 => self.constant(),
                _ => self.name(),
            };
        }
        match self.random.below(21) {
            0 => format!("{} + {}", self.number(depth - 1), self.random.below(5)),
            1 => format!("{}.min({})", self.atom(), self.number(depth - 1)),
            2 => format!("{}.max({}) / 2", self.atom(), self.number(depth - 1)),
            3 => format!("f({})", self.number(depth - 1)),
            4 if !self.returns_tensor() => {
                let value = self.random.below(30);
                let inner = self.number(0);
                format!("({{ const N: usize = {value}; N.min({inner}) }})")
            }
            5 if !self.returns_tensor() => format!("get!({})", self.number(0)),
            6 => format!("{}.saturating_sub(1)", self.atom()),
            7 => {
                let [a, b] = [self.atom(), self.atom()];
                let [c, d] = [self.number(0), self.number(0)];
                format!("(if {a} < {b} {{ {c} }} else {{ {d} }})")
            }
            8 => match self.mutable() {
                // It has an effect on what is evaluated behind it.
                Some(name) => format!("({{ {name} += {}; {name} }})", 1 + self.random.below(3)),
                None => self.number(0),
            },
            9 => match self.tensor() {
                Some(tensor) if self.random.one_in(2) => format!("{tensor}.extent(0)"),
                Some(tensor) => format!("{tensor}.origin(0).unsigned_abs()"),
                None => self.number(0),
            },
            10 if self.located => (*self.random.pick(&["l.h", "l.number"])).to_owned(),
            _ => self.number(0),
        }
    }

    /// A mutable number that may be assigned here.
    pub(super) fn mutable(&mut self) -> Option<String> {
        if self.in_closure {
            return None;
        }
        let values = self.values().into_iter();
        let mutable = values.filter(|(_, kind)| *kind == Kind::Number { mutable: true });
        let names: Vec<String> = mutable.map(|(name, _)| name).collect();
        (!names.is_empty()).then(|| self.random.pick(&names).clone())
    }

    /// A number that a method may be called on, or compared.
    pub(super) fn atom(&mut self) -> String {
        let number = self.number(0);
        if number.chars().all(|c| c.is_ascii_digit()) { format!("{number}usize") } else { number }
    }

    /// An extent, mostly a large one.
    pub(super) fn extent(&mut self) -> String {
        let number = self.number(1);
        if self.random.one_in(4) { number } else { format!("{number} + {}", 20 + self.random.below(20)) }
    }

    /// An index: its text in the kernel and in the twin.
    pub(super) fn index(&mut self) -> (String, String) {
        let (mut kernel, mut plain) = (String::new(), String::new());
        for term in 0..=self.random.below(2) {
            let sign = if term == 0 {
                ""
            } else if self.random.one_in(6) {
                " - "
            } else {
                " + "
            };
            let values = self.values();
            let (operand, own) = match self.random.below(6) {
                0 => (self.random.below(6).to_string(), true),
                1 => (self.constant(), true),
                2 => (format!("({})", self.number(1)), false),
                _ if values.is_empty() => ("1".to_owned(), true),
                _ => (self.random.pick(&values).0.clone(), true),
            };
            let factor = if own && self.random.one_in(5) { 2 } else { 1 };
            if factor == 1 {
                let _ = write!(kernel, "{sign}{operand}");
                let _ = write!(plain, "{sign}p::ix({operand})");
            } else {
                let _ = write!(kernel, "{sign}{factor} * {operand}");
                let _ = write!(plain, "{sign}{factor} * p::ix({operand})");
            }
        }
        (kernel, plain)
    }
}
