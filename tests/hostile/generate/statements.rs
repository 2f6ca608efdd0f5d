//! Blocks with their items and statements.

use super::{Form, INDICES, Kind, LABELS, Label, NUMBERS, Scope, Writer};

impl Writer {
    /// The items of a block, before its statements; what has to stand after them is returned.
    pub(super) fn items(&mut self, outermost: bool) -> (String, String) {
        if self.returns_tensor() {
            return Default::default();
        }
        if outermost {
            self.both("const K: usize = 2;\n");
        }
        self.part(|writer| writer.some_items(outermost))
    }

    pub(super) fn some_items(&mut self, outermost: bool) -> (String, String) {
        let before = (self.kernel.len(), self.plain.len());
        let value = self.random.below(25);
        match self.random.below(18) {
            0 => self.both(&format!("const N: usize = {value};\n")),
            1 => self.both(&format!("static N: usize = {value};\n")),
            2 => self.both("use b::N;\n"),
            3 => self.both("use a::*;\n"),
            4 => self.both("use b as a;\n"),
            5 => self.both("type S = B;\n"),
            6 => self.both("def_n!();\n"),
            7 => self.both("use_n!();\n"),
            9 | 10 => {
                // Under its own name it is static as well, or hides a static one.
                let staged = if self.random.one_in(5) { "" } else { "#[staged] " };
                let import = *self.random.pick(&[
                    "use a::Q;\n",
                    "use self::a::Q;\n",
                    "use self::b::Q;\n",
                    "use self::Q as N;\n",
                    "use a::Q as N;\n",
                    "use self::{a::Q, b::Q as M};\n",
                    "use b::Q as K;\n",
                ]);
                if !outermost || !import.contains(" K") {
                    self.differ(&format!("{staged}{import}"), import);
                }
            }
            8 if !self.family => {
                // A constant over a local.
                let name = *self.random.pick(NUMBERS);
                if !self.scopes.iter().any(|scope| scope.constants.iter().any(|other| other == name)) {
                    let keyword = *self.random.pick(&["const", "static"]);
                    self.both(&format!("{keyword} {name}: usize = {value};\n"));
                    self.scope().constants.push(name.to_owned());
                }
            }
            _ => {}
        }
        if self.random.one_in(8) {
            let hidden = *self.random.pick(&["type isize = i8;\n", "type i32 = i8;\n", "struct isize;\n"]);
            self.both(hidden);
        }
        if self.random.one_in(8) {
            let added = self.random.below(20);
            self.both(&format!("fn f(q: usize) -> usize {{ q + {added} }}\n"));
        }
        if self.random.one_in(8) {
            let module = *self.random.pick(&["a", "b"]);
            self.differ(&format!("use {module}_t::pick;\n"), &format!("use {module}_p::pick_p;\n"));
        }
        if !outermost && self.random.one_in(12) {
            let value = 2 + self.random.below(2);
            self.both(&format!("const K: usize = {value};\n"));
        }
        if self.random.one_in(3) {
            return (self.kernel.split_off(before.0), self.plain.split_off(before.1));
        }
        (String::new(), String::new())
    }

    /// Statements in braces, in a scope of their own with `values` in it.
    pub(super) fn block(&mut self, values: &[(String, Kind)], label: Option<Label>) {
        self.both("{\n");
        self.scopes.push(Scope::default());
        for (name, kind) in values {
            self.define(name, *kind);
        }
        // A parameter of the block is no local of its own: a constant in the block is nearer.
        self.scopes.push(Scope::default());
        self.labels.extend(label);
        self.depth += 1;
        let last = self.items(false);
        for _ in 0..=self.random.below(4) {
            self.statement();
        }
        self.differ(&last.0, &last.1);
        self.depth -= 1;
        if label.is_some() {
            let _ = self.labels.pop();
        }
        self.scopes.truncate(self.scopes.len() - 2);
        self.both("}\n");
    }

    pub(super) fn statement(&mut self) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        self.part(Writer::any_statement);
    }

    pub(super) fn any_statement(&mut self) {
        let deep = self.depth > 3;
        match self.random.below(33) {
            30 | 31 if !deep => self.range_of_any_type(),
            7 | 8 => self.make_tensor(),
            23 => self.make_place(),
            24 | 25 => self.choose(),
            26 | 27 => self.find(),
            9 => {
                let (value, mutable) = (self.number(2), self.random.one_in(3));
                let name = self.bindable(NUMBERS);
                let keyword = if mutable { "let mut" } else { "let" };
                self.both(&format!("{keyword} {name} = {value};\n"));
                self.define(&name, Kind::Number { mutable });
            }
            10 => {
                let (value, name) = (self.number(1), self.bindable(NUMBERS));
                let calls = if self.returns_tensor() {
                    &["let (@, _) = (#, 0);\n"][..]
                } else {
                    &["set!(@, #);\n", "set! { @, # }\n", "let pat!(@) = (#, 0);\n"]
                };
                let call = *self.random.pick(calls);
                self.both(&call.replace('@', &name).replace('#', &value));
                self.define(&name, Kind::Number { mutable: false });
            }
            11 => {
                let Some(name) = self.mutable() else { return self.access() };
                let changes = [
                    "@ += 3;\n",
                    "(|| @ += 5)();\n",
                    "@ = @.min(3);\n",
                    "(@, _) = (@ + 1, 0);\n",
                    "bump!(@);\n",
                ];
                let known = changes.len() - usize::from(self.returns_tensor());
                let change = *self.random.pick(&changes[..known]);
                self.both(&change.replace('@', &name));
            }
            12 if !deep => self.block(&[], None),
            13..=15 if !deep => self.loop_over(),
            16 if !deep => self.condition(),
            17 if !deep => self.matching(),
            18 => self.closure(),
            19 | 20 => self.call(),
            21 if !self.labels.is_empty() => {
                let (least, label) = (self.atom(), *self.random.pick(&self.labels.clone()));
                let leave = *self.random.pick(&["break", "continue"]);
                let label = label.0.unwrap_or_default();
                self.both(&format!("if {least} > 4 {{ {leave} {label}; }}\n"));
            }
            22 => {
                let (value, name) = (self.number(1), self.bindable(NUMBERS));
                let end = self.leave();
                let bound = 1 + self.random.below(30);
                self.both(&format!("let Some({name}) = p::below({value}, {bound}) else {{ {end} }};\n"));
                self.define(&name, Kind::Number { mutable: false });
            }
            _ => self.access(),
        }
    }

    /// How a statement leaves what is around it. A template that returns a tensor has no `return`.
    pub(super) fn leave(&self) -> &'static str {
        match self.template {
            _ if !self.labels.is_empty() => "continue",
            Some(Form::View | Form::Pair) => "panic!()",
            _ => "return s",
        }
    }

    pub(super) fn loop_over(&mut self) {
        let label = if self.random.one_in(3) { Some(*self.random.pick(LABELS)) } else { None };
        let prefix = label.map_or_else(String::new, |label| format!("{label}: "));
        match (self.random.below(6), self.visited()) {
            (0 | 1, Some(tensor)) => {
                let name = self.bindable(INDICES);
                self.differ(
                    &format!("{prefix}for [{name}] in {tensor}.indices() "),
                    &format!("{prefix}for {name} in 0..{tensor}.len() "),
                );
                self.block(&[(name, Kind::Index)], Some(Label(label)));
            }
            (2, _) => {
                let (name, end) = (self.bindable(INDICES), 1 + self.random.below(4));
                self.differ("#[unroll]\n", "");
                // `break` has no meaning in an unrolled loop for the compiler; that is its to say.
                self.both(&format!("{prefix}for {name} in 0..{end} "));
                self.block(&[(name, Kind::Index)], Some(Label(label)));
            }
            _ => {
                let (start, end) = (self.random.below(3), self.number(1));
                let name = self.bindable(INDICES);
                let range = match self.random.below(5) {
                    0 => format!("({start}..{end}).rev()"),
                    1 => format!("({start}..{end}).step_by(2)"),
                    2 => format!("{start}..={end}"),
                    _ => format!("{start}..{end}"),
                };
                self.both(&format!("{prefix}for {name} in {range} "));
                self.block(&[(name, Kind::Number { mutable: false })], Some(Label(label)));
            }
        }
    }

    /// What a loop goes over: a tensor, or a place.
    fn visited(&mut self) -> Option<String> {
        let place = self.scopes.iter().rev().find_map(|scope| scope.places.last().cloned());
        match place {
            Some(place) if self.random.one_in(4) => Some(place),
            _ => self.tensor(),
        }
    }

    pub(super) fn condition(&mut self) {
        let (a, b) = (self.atom(), self.number(0));
        let operator = *self.random.pick(&["<", "<=", ">", "!="]);
        match self.random.below(3) {
            0 => {
                let (name, value, bound) =
                    (self.bindable(NUMBERS), self.number(0), 1 + self.random.below(30));
                let after = if self.random.one_in(2) { format!(" && {name} > 1") } else { String::new() };
                self.both(&format!(
                    "if {a} {operator} {b} && let Some({name}) = p::below({value}, {bound}){after} "
                ));
                self.block(&[(name, Kind::Number { mutable: false })], None);
            }
            1 if !self.returns_tensor() => {
                let (name, value) = (self.bindable(NUMBERS), self.number(0));
                self.both(&format!("if let bind!({name}) = Some({value}) "));
                self.block(&[(name, Kind::Number { mutable: false })], None);
            }
            _ => {
                self.both(&format!("if {a} {operator} {b} "));
                self.block(&[], None);
            }
        }
        if self.random.one_in(2) {
            self.both("else ");
            self.block(&[], None);
        }
    }

    pub(super) fn matching(&mut self) {
        let (value, bound) = (self.number(1), self.random.below(9));
        let (first, second) = (self.bindable(NUMBERS), self.bindable(NUMBERS));
        self.both(&format!("match {value} {{\n{first} if {first} < {bound} => "));
        self.block(&[(first, Kind::Number { mutable: false })], None);
        self.both(&format!("{second} => "));
        self.block(&[(second, Kind::Number { mutable: false })], None);
        self.both("}\n");
    }
}
