//! What loops do.

use super::{Kind, Writer};

impl Writer {
    /// The statements of a loop: aliases of its variables, then what may hide them.
    pub(super) fn statements(&mut self) {
        self.scopes.push(Vec::new());
        let indices: Vec<(String, usize)> = self
            .visible()
            .into_iter()
            .filter_map(|(name, kind)| if let Kind::Index(axis) = kind { Some((name, axis)) } else { None })
            .collect();
        for (name, axis) in indices {
            let alias = (*self.random.pick(&["r", "c", "j", "x", "i"])).to_owned();
            // An alias hides what is around it as any other name does; the twin says of what.
            if self.visible().iter().any(|(other, kind)| *other == alias && matches!(kind, Kind::Index(_))) {
                continue;
            }
            self.add(&format!("let {alias} = {name};\n"));
            self.define(&alias, Kind::Index(axis));
        }
        for _ in 0..=self.random.below(3) {
            self.part(Writer::statement);
        }
        let _ = self.scopes.pop();
    }

    /// Statements in braces.
    pub(super) fn block(&mut self, names: &[String]) {
        self.add("{\n");
        self.scopes.push(Vec::new());
        for name in names {
            self.define(name, Kind::Number { mutable: false });
        }
        self.depth += 1;
        for _ in 0..=self.random.below(2) {
            self.part(Writer::statement);
        }
        self.depth -= 1;
        let _ = self.scopes.pop();
        self.add("}\n");
    }

    pub(super) fn statement(&mut self) {
        let deep = self.depth > 2;
        match self.random.below(20) {
            0 | 1 if !deep => self.pattern_statement(),
            2 => {
                let (value, name) = (self.value(2), self.name());
                let mutable = self.random.one_in(3);
                let keyword = if mutable { "let mut" } else { "let" };
                let ty = if self.random.one_in(2) { ": i32" } else { "" };
                self.add(&format!("{keyword} {name}{ty} = {value};\n"));
                self.define(&name, Kind::Number { mutable });
            }
            3 => {
                let (value, name) = (self.value(1), self.name());
                self.scopes.push(vec![(name.clone(), Kind::Number { mutable: false })]);
                let inner = self.value(1);
                let _ = self.scopes.pop();
                self.add(&format!("let c = |{name}: i32| {inner};\n"));
                let reduction = self.reduction.replace('#', &format!("c({value}) % 7"));
                self.add(&reduction);
            }
            4 => {
                let condition = self.condition();
                self.add(&format!("if {condition} "));
                if deep { self.store_block() } else { self.block(&[]) }
            }
            5 => self.reduce(),
            6 if self.hostile => self.assign(),
            7 if self.hostile => self.append(),
            8 => self.hiding_item(),
            9 if !deep => {
                let end = self.random.below(4);
                let name = self.name();
                self.add(&format!("for {name} in 0..{end}_i32 "));
                self.block(&[name]);
            }
            10 if self.hostile => {
                let value = self.value(1);
                let effect = *self.random.pick(&[
                    "let _ = tick(#);\n",
                    "V(#);\n",
                    "drop(V(#));\n",
                    "let mut u = U(#); u += 3;\n",
                    "let _u = V(#);\n",
                ]);
                self.add(&effect.replace('#', &value));
            }
            _ => self.store(),
        }
    }

    fn store_block(&mut self) {
        self.add("{\n");
        self.store();
        self.add("}\n");
    }

    /// An assignment to an element, mostly the loop's own.
    pub(super) fn store(&mut self) {
        let value = self.value(2);
        let of = *self.random.pick(&["o", "b"]);
        let (kernel, twin) =
            if self.hostile && self.random.one_in(6) { self.any_index() } else { self.index_pair() };
        if self.random.one_in(3) {
            self.add(&format!("⟨{of}[[{kernel}]] += ¦{of}.bump([{twin}], ⟩({value}) % 13⟨;¦);⟩\n"));
        } else {
            self.add(&format!("⟨{of}[[{kernel}]] = ¦{of}.set([{twin}], ⟩({value}) % 997⟨;¦);⟩\n"));
        }
    }

    /// A reduction into a variable from outside.
    fn reduce(&mut self) {
        let value = self.value(2);
        if !self.visible().contains(&("sum".to_owned(), Kind::Number { mutable: true })) {
            return self.store();
        }
        self.add(&self.reduction.replace('#', &value));
    }

    /// An assignment that keeps the last value.
    fn assign(&mut self) {
        let value = self.value(1);
        let mutable: Vec<String> = self
            .visible()
            .into_iter()
            .filter(|(_, kind)| *kind == Kind::Number { mutable: true })
            .map(|(name, _)| name)
            .collect();
        let name = if mutable.is_empty() { "opt".to_owned() } else { self.random.pick(&mutable).clone() };
        if name == "opt" || self.random.one_in(4) {
            let form = *self.random.pick(&[
                "opt = Some(#);\n",
                "if let Some(p) = &mut opt { *p = #; }\n",
                "if let Some(p) = opt.as_mut() { *p = #; }\n",
                "if let Some(ref mut p) = opt { *p = #; }\n",
                "let w = &mut opt;\n*w = Some(#);\n",
                "opt.replace(#);\n",
            ]);
            return self.add(&form.replace('#', &value));
        }
        let form = *self.random.pick(&[
            "@ = #;\n",
            "(@, _) = (#, 0);\n",
            "[@] = [#];\n",
            "S { a: @, .. } = S { a: #, b: None };\n",
            "let ref mut p = @;\n*p = #;\n",
            "{ let p = &mut @; *p = #; }\n",
            "let (p, _) = (&mut @, 0);\n*p = #;\n",
            "match &mut @ { p => *p = # }\n",
            "set!(@, #);\n",
            "sum += i32::from(matches!({ @ = #; 1 }, 1));\n",
            "(|| @ = #)();\n",
            "assert!({ @ = #; true });\n",
            "std::mem::swap(&mut @, &mut { # });\n",
            "for p in [&mut @] { *p = #; }\n",
            "@ -= # % 9;\n",
            "@ = @ * 3 % 1000 + (# & 1);\n",
        ]);
        self.add(&form.replace('@', &name).replace('#', &value));
    }

    /// Elements at the end of the list, also where a condition runs several times.
    fn append(&mut self) {
        let (value, other) = (self.value(1), self.value(0));
        let form = *self.random.pick(&[
            "list.push(#);\n",
            "list.push_if(# > 3, @);\n",
            "list.extend((0..3).map(|v| # + v));\n",
            "list.truncate(2);\n",
            "{ let mut left = 3; while { list.push(#); left -= 1; left > 0 } {} }\n",
            "match (1, 2) { (v, _) | (_, v) if { list.push(# + v); v == 2 } => {} _ => {} }\n",
            "sum += i32::from(matches!((1, 2), (v, _) | (_, v) if { list.push(#); v == 2 }));\n",
            "for _ in 0..(# & 3) { list.push(@); }\n",
            "let mut more = || list.push(#);\nmore();\nmore();\n",
        ]);
        self.add(&form.replace('#', &value).replace('@', &other));
    }

    /// Items with the names of locals, in a block of their own.
    fn hiding_item(&mut self) {
        let names = ["x", "y", "x_2", "o_mem", "o_base", "y_tile", "a_mem"];
        let name = *self.random.pick(&names);
        let item = match self.random.below(6) {
            0 | 1 => format!("const {name}: i64 = 1 << 40;\n"),
            2 => format!("fn {name}() {{}}\n"),
            3 => "use far::*;\n".to_owned(),
            4 => "bring!();\n".to_owned(),
            _ => format!("static {name}: Poison = Poison;\n"),
        };
        // The names of the items are no numbers here.
        let hidden: Vec<&str> =
            if item.starts_with("use") || item.starts_with("bring") { names.to_vec() } else { vec![name] };
        let scope: Vec<(String, Kind)> =
            self.visible().into_iter().filter(|(name, _)| !hidden.contains(&name.as_str())).collect();
        let outer = std::mem::replace(&mut self.scopes, vec![scope]);
        self.add(&format!("{{\n{item}"));
        self.store();
        self.add("}\n");
        self.scopes = outer;
    }
}
