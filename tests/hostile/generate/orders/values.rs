//! Numbers, indices and elements.

use super::{Kind, Writer};

impl Writer {
    /// The index of the loop's own element, by one of the names of each axis, or some number where those are hidden.
    pub(super) fn index_pair(&mut self) -> (String, String) {
        let axes = [0, 1].map(|axis| self.coordinate(axis));
        let [(a, b), (c, d)] = axes;
        (format!("{a}, {c}"), format!("{b}, {d}"))
    }

    fn coordinate(&mut self, axis: usize) -> (String, String) {
        let names: Vec<String> = self
            .visible()
            .into_iter()
            .filter(|(_, kind)| *kind == Kind::Index(axis))
            .map(|(name, _)| name)
            .collect();
        if names.is_empty() {
            return ("0".to_owned(), "0".to_owned());
        }
        let name = self.random.pick(&names).clone();
        (name.clone(), format!("p::ix({name})"))
    }

    /// An index of any name, which may be outside.
    pub(super) fn any_index(&mut self) -> (String, String) {
        let mut coordinates = [0, 1].map(|axis| self.coordinate(axis));
        for (kernel, twin) in &mut coordinates {
            let mut names = self.visible();
            if !self.hostile {
                names.retain(|(_, kind)| *kind != Kind::Number { mutable: true });
            }
            match self.random.below(6) {
                0 if !names.is_empty() => {
                    let (name, kind) = self.random.pick(&names).clone();
                    *kernel =
                        if matches!(kind, Kind::Index(_)) { name.clone() } else { format!("({name} & 3)") };
                    *twin = if matches!(kind, Kind::Index(_)) {
                        format!("p::ix({name})")
                    } else {
                        format!("p::ix({name} & 3)")
                    };
                }
                1 => {
                    kernel.push_str(" - 1");
                    twin.push_str(" - 1");
                }
                2 => {
                    kernel.push_str(" + 1");
                    twin.push_str(" + 1");
                }
                _ => {}
            }
        }
        let [(a, b), (c, d)] = coordinates;
        (format!("{a}, {c}"), format!("{b}, {d}"))
    }

    pub(super) fn condition(&mut self) -> String {
        let (a, b) = (self.value(1), self.value(0));
        let operator = *self.random.pick(&["<", "<=", ">", "!=", "=="]);
        match self.random.below(8) {
            0 if self.hostile => format!("U({a}) {operator} U({b})"),
            1 => format!("!({a} {operator} {b})"),
            _ => format!("({a}) {operator} {b}"),
        }
    }

    fn leaf(&mut self) -> String {
        let mut names = self.visible();
        if !self.hostile {
            // What a loop reduces into it does not read.
            names.retain(|(_, kind)| *kind != Kind::Number { mutable: true });
        }
        match self.random.below(9) {
            0 | 1 if !names.is_empty() => {
                let (name, kind) = self.random.pick(&names).clone();
                if matches!(kind, Kind::Index(_)) { format!("({name} as i32)") } else { name }
            }
            2..=4 => {
                let (kernel, twin) = self.index_pair();
                let of = *self.random.pick(&["a", "a", "o", "b"]);
                format!("⟨{of}[[{kernel}]]¦{of}.at([{twin}])⟩")
            }
            5 if self.hostile || self.neighbors => {
                let (kernel, twin) = self.any_index();
                format!("⟨before[[{kernel}]]¦before.at([{twin}])⟩")
            }
            6 => {
                let (kernel, twin) = self.any_index();
                format!("⟨a.get([{kernel}])¦a.get([{twin}])⟩.unwrap_or(5)")
            }
            7 => (*self.random.pick(&["g.a", "t.0", "t.1[1]"])).to_owned(),
            _ => format!("{}_i32", self.random.below(9)),
        }
    }

    /// An `i32` of no more than a few thousand times its elements.
    pub(super) fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        if self.hostile && self.random.one_in(8) {
            let form = *self.random.pick(&[
                "tick(#)",
                "(U(#) + U(@)).0",
                "(-U(#)).0",
                "(!U(#)).0",
                "U(#).abs()",
                "U(#).min(@)",
                "U(#).clone().0",
                "i32::from(U(#))",
                "i32::from(U(#) == U(@))",
                "{ let u: i32 = U(#).into(); u }",
                "V(#).0",
                "V { 0: # }.0",
                "*D([#, 2])",
                "D([#, @]).get()",
                "D([#, @])[1]",
                "g.b.map_or(1, |v| tick(v))",
                "{ let u = U(#); (u + u).0 }",
                "i32::from(tick(#) > 3 && tick(@) > 4)",
                "list.len() as i32",
                "loud!(#)",
                "N::wrapping_add(#, @)",
            ]);
            return form.replace('#', &a).replace('@', &b);
        }
        if self.pure && self.random.one_in(5) {
            return format!("calm({a})");
        }
        match self.random.below(16) {
            0 | 1 => format!("(({a}) % 500 + ({b}) % 500)"),
            2 => format!("(({a}) % 500 - ({b}) % 500)"),
            3 => format!("(({a}) % 60 * (({b}) % 7))"),
            4 => format!("{{ let v: i32 = {a}; v.min({b}) }}"),
            5 => format!("(({a}) >> 1)"),
            6 => format!("i32::from(({a}) > {b})"),
            7 => format!("(if ({a}) < {b} {{ {a} }} else {{ {b} }})"),
            8 if self.hostile => {
                let name = self.name();
                self.scopes.push(vec![(name.clone(), Kind::Number { mutable: false })]);
                let inner = self.leaf();
                let _ = self.scopes.pop();
                format!("(match {a} {{ {name} if {name} > 3 => {inner}, {name} => {name} & 7 }})")
            }
            9 if self.hostile => {
                let name = self.name();
                self.scopes.push(vec![(name.clone(), Kind::Number { mutable: false })]);
                let inner = self.leaf();
                let _ = self.scopes.pop();
                format!("q.map_or({a}, |{name}| {inner})")
            }
            10 => {
                let name = self.name();
                self.scopes.push(vec![(name.clone(), Kind::Number { mutable: false })]);
                let inner = self.leaf();
                let _ = self.scopes.pop();
                format!("{{ let {name} = {a}; {inner} }}")
            }
            11 => format!("twice({a})"),
            12 => format!("({a} as i32).rem_euclid(9)"),
            13 => format!("(({a}) as u8 as i32)"),
            _ => a,
        }
    }
}
