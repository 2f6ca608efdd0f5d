//! Programs that combine every construct of scope with every role that a name has in a kernel, each with a plain twin.
//!
//! Both are written statement by statement from one text; they differ where a tensor is made, seen or accessed. Names
//! are few, so that they hide one another, and rustc alone says what they mean in the twin. The same seed gives the same
//! program.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::case::{Case, Expected};

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
    /// A variable of an index loop or an unrolled one.
    Index,
}

/// The label of a loop, if it has one.
#[derive(Clone, Copy)]
struct Label(Option<&'static str>);

#[derive(Clone, Default)]
struct Scope {
    values: Vec<(String, Kind)>,
    tensors: Vec<String>,
    /// Constants with the names of locals: no pattern may bind these.
    constants: Vec<String>,
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
    templates: usize,
    /// Names that a macro brings beside its own, `$x` and `$y`.
    family: bool,
    /// Whether the body is that of a template, which does not see the kernel's memory.
    in_template: bool,
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
            templates: 0,
            family: false,
            in_template: false,
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

    /// The innermost meaning of each name.
    fn values(&self) -> Vec<(String, Kind)> {
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

    fn tensor(&mut self) -> Option<String> {
        let mut seen: Vec<String> = self.scopes.iter().flat_map(|scope| scope.tensors.clone()).collect();
        seen.sort();
        seen.dedup();
        if seen.is_empty() { None } else { Some(self.random.pick(&seen).clone()) }
    }

    /// A name that a pattern may bind here.
    fn bindable(&mut self, of: &[&str]) -> String {
        let mut names: Vec<String> = of.iter().map(ToString::to_string).collect();
        if self.family {
            names.extend(["$x".to_owned(), "$y".to_owned()]);
        }
        names.retain(|name| !self.scopes.iter().any(|scope| scope.constants.contains(name)));
        if names.is_empty() { "z".to_owned() } else { self.random.pick(&names).clone() }
    }

    fn define(&mut self, name: &str, kind: Kind) {
        self.scope().values.push((name.to_owned(), kind));
    }

    /// A number's name, or a literal where there is none.
    fn name(&mut self) -> String {
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

    fn constant(&mut self) -> String {
        (*self.random.pick(&["N", "M", "N", "a::N", "b::N", "S::N", "a::M", "self::N"])).to_owned()
    }

    /// An expression of type `usize`.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(8) {
                0 => self.random.below(9).to_string(),
                1 | 2 => self.constant(),
                _ => self.name(),
            };
        }
        match self.random.below(18) {
            0 => format!("{} + {}", self.number(depth - 1), self.random.below(5)),
            1 => format!("{}.min({})", self.atom(), self.number(depth - 1)),
            2 => format!("{}.max({}) / 2", self.atom(), self.number(depth - 1)),
            3 => format!("f({})", self.number(depth - 1)),
            4 => {
                let value = self.random.below(30);
                let inner = self.number(0);
                format!("({{ const N: usize = {value}; N.min({inner}) }})")
            }
            5 => format!("get!({})", self.number(0)),
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
            _ => self.number(0),
        }
    }

    /// A mutable number that may be assigned here.
    fn mutable(&mut self) -> Option<String> {
        if self.in_closure {
            return None;
        }
        let values = self.values().into_iter();
        let mutable = values.filter(|(_, kind)| *kind == Kind::Number { mutable: true });
        let names: Vec<String> = mutable.map(|(name, _)| name).collect();
        (!names.is_empty()).then(|| self.random.pick(&names).clone())
    }

    /// A number that a method may be called on, or compared.
    fn atom(&mut self) -> String {
        let number = self.number(0);
        if number.chars().all(|c| c.is_ascii_digit()) { format!("{number}usize") } else { number }
    }

    /// An extent, mostly a large one.
    fn extent(&mut self) -> String {
        let number = self.number(1);
        if self.random.one_in(4) { number } else { format!("{number} + {}", 20 + self.random.below(20)) }
    }

    /// An index: its text in the kernel and in the twin.
    fn index(&mut self) -> (String, String) {
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

    fn add(&mut self, kernel: &str, plain: &str) {
        self.differ(
            &format!("s = s.wrapping_mul(31).wrapping_add({kernel});\n"),
            &format!("s = s.wrapping_mul(31).wrapping_add({plain});\n"),
        );
    }

    /// A tensor, or a view of it that has no name: its text in the kernel and in the twin.
    fn viewed(&mut self, tensor: &str) -> (String, String) {
        if self.random.one_in(2) {
            return (tensor.to_owned(), tensor.to_owned());
        }
        let start = match self.mutable() {
            Some(name) if self.random.one_in(3) => name,
            Some(name) if self.random.one_in(2) => {
                format!("({{ {name} += {}; {name} }})", 1 + self.random.below(3))
            }
            _ => self.number(2),
        };
        (format!("{tensor}[[{start}..]]"), format!("{tensor}.rest(p::ix({start}))"))
    }

    /// A read of an element.
    fn read(&mut self, tensor: &str) -> (String, String) {
        let (view_k, view_p) = self.viewed(tensor);
        let (kernel, plain) = self.index();
        (format!("{view_k}[[{kernel}]]"), format!("{view_p}.at({plain})"))
    }

    fn access(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        match self.random.below(10) {
            0 => return self.several(&tensor),
            1 => return self.search(&tensor),
            2 if !self.in_template => {
                let value = self.number(1);
                let (view_k, view_p) = self.viewed("w");
                let (kernel, plain) = self.index();
                return self.differ(
                    &format!("{view_k}[[{kernel}]] = {value} as u32;\n"),
                    &format!("{{ let value = {value} as u32; {view_p}.set({plain}, value); }}\n"),
                );
            }
            3 => {
                let (view_k, view_p) = self.viewed(&tensor);
                let sum = format!("{view_k}.indices().map(|[i]| {tensor}[[i]]).sum::<u32>()");
                return self.add(&sum, &format!("{tensor}.sum_over({view_p}.len)"));
            }
            4 => {
                let (read_k, read_p) = self.read(&tensor);
                return self.add(&read_k, &read_p);
            }
            _ => {}
        }
        let (kernel, plain) = self.index();
        match self.random.below(10) {
            0 => self.differ(
                &format!("if {tensor}.contains([{kernel}]) {{ s += {tensor}[[{kernel}]]; }}\n"),
                &format!("if {tensor}.contains({plain}) {{ s += {tensor}.at({plain}); }}\n"),
            ),
            1 => self.differ(
                &format!("assert!({tensor}[[{kernel}]] < 1_000_000);\n"),
                &format!("assert!({tensor}.at({plain}) < 1_000_000);\n"),
            ),
            2 => {
                let sum = format!("{tensor}.indices().map(|[i]| {tensor}[[i]]).sum::<u32>()");
                self.add(&sum, &format!("{tensor}.sum()"));
            }
            3 | 4 if !self.in_template => self
                .differ(&format!("w[[{kernel}]] += 3;\n"), &format!("w.set({plain}, w.at({plain}) + 3);\n")),
            _ => self.add(&format!("{tensor}[[{kernel}]]"), &format!("{tensor}.at({plain})")),
        }
    }

    /// Several reads in one statement, each of which sees what those in front of it did.
    fn several(&mut self, tensor: &str) {
        let name = self.some_mutable();
        let [first, second] = [self.read(tensor), self.read(tensor)];
        let between = self.number(2);
        self.differ(
            &format!("s = p::mixed([s, {}, ({between}) as u32, {}]);\n", first.0, second.0),
            &format!("s = p::mixed([s, {}, ({between}) as u32, {}]);\n", first.1, second.1),
        );
        self.both(&format!("s ^= {name} as u32; }}\n"));
        let _ = self.scopes.pop();
    }

    /// The beginning of a block with a mutable number.
    fn some_mutable(&mut self) -> String {
        let (value, name) = (self.number(1), self.bindable(NUMBERS));
        self.both(&format!("{{ let mut {name} = {value};\n"));
        self.scopes.push(Scope::default());
        self.define(&name, Kind::Number { mutable: true });
        name
    }

    /// A loop whose condition reads an element.
    fn search(&mut self, tensor: &str) {
        let name = self.some_mutable();
        let (read_k, read_p) = self.read(tensor);
        let (modulus, step) = (2 + self.random.below(5), 1 + self.random.below(3));
        let condition =
            format!("while # % {modulus} != 0 {{ {name} += {step}; s += 1; if s % 64 == 0 {{ break; }} }}\n");
        self.differ(&condition.replace('#', &read_k), &condition.replace('#', &read_p));
        self.both(&format!("s ^= {name} as u32; }}\n"));
        let _ = self.scopes.pop();
    }

    /// A block, a view of one, or a place.
    fn make_tensor(&mut self) {
        let name = (*self.random.pick(TENSORS)).to_owned();
        let other = self.tensor();
        let (a, b) = (self.extent(), self.number(0));
        let len = self.random.below(6);
        match (self.random.below(7), other) {
            (0 | 1, _) if !self.in_template => self.differ(
                &format!("let {name} = Block::external(data, [{a}]);\n{}", touch(&name, true)),
                &format!("let {name} = p::T::external(data, p::ix({a}), 1);\n{}", touch(&name, false)),
            ),
            (2, _) if !self.in_template => {
                let stride = self.number(0);
                self.differ(
                    &format!("let {name} = Block::external(data, [{b}]).strided([{stride}]);\n{}", touch(&name, true)),
                    &format!("let {name} = p::T::external(data, p::ix({b}), p::ix({stride}));\n{}", touch(&name, false)),
                );
            }
            (3, Some(other)) => {
                let factor = *self.random.pick(&["2", "3", "K", "K"]);
                self.differ(
                    &format!("let {name} = {other}.coarsen([{factor}]);\n"),
                    &format!("let {name} = {other}.coarsen({factor});\n"),
                );
            }
            (4, _) if !self.in_template => self.differ(
                &format!(
                    "let base = Block::external(data, [{a}]);\nlet place = Block::heap::<u32>([4]).at([{b}]);\n\
                     {}let {name} = base[place];\n",
                    touch("base", true)
                ),
                &format!(
                    "let base = p::T::external(data, p::ix({a}), 1);\n{}let {name} = base.part(p::ix({b}), 4);\n",
                    touch("base", false)
                ),
            ),
            (_, Some(other)) => self.differ(
                &format!("let {name} = {other}[[{b}..{b} + {len}]];\n"),
                &format!("let {name} = {other}.part(p::ix({b}), {len});\n"),
            ),
            (_, None) => return,
        }
        self.scope().tensors.push(name);
    }

    /// The items of a block, before its statements; what has to stand after them is returned.
    fn items(&mut self, outermost: bool) -> (String, String) {
        if outermost {
            self.both("const K: usize = 2;\n");
        }
        self.part(|writer| writer.some_items(outermost))
    }

    fn some_items(&mut self, outermost: bool) -> (String, String) {
        let before = (self.kernel.len(), self.plain.len());
        let value = self.random.below(25);
        match self.random.below(14) {
            0 => self.both(&format!("const N: usize = {value};\n")),
            1 => self.both(&format!("static N: usize = {value};\n")),
            2 => self.both("use b::N;\n"),
            3 => self.both("use a::*;\n"),
            4 => self.both("use b as a;\n"),
            5 => self.both("type S = B;\n"),
            6 => self.both("def_n!();\n"),
            7 => self.both("use_n!();\n"),
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
    fn block(&mut self, values: &[(String, Kind)], label: Option<Label>) {
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

    fn statement(&mut self) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        self.part(Writer::any_statement);
    }

    fn any_statement(&mut self) {
        let deep = self.depth > 3;
        match self.random.below(24) {
            7 | 8 => self.make_tensor(),
            9 => {
                let (value, mutable) = (self.number(2), self.random.one_in(3));
                let name = self.bindable(NUMBERS);
                let keyword = if mutable { "let mut" } else { "let" };
                self.both(&format!("{keyword} {name} = {value};\n"));
                self.define(&name, Kind::Number { mutable });
            }
            10 => {
                let (value, name) = (self.number(1), self.bindable(NUMBERS));
                let call =
                    *self.random.pick(&["set!(@, #);\n", "set! { @, # }\n", "let pat!(@) = (#, 0);\n"]);
                self.both(&call.replace('@', &name).replace('#', &value));
                self.define(&name, Kind::Number { mutable: false });
            }
            11 => {
                let Some(name) = self.mutable() else { return self.access() };
                let change = *self.random.pick(&[
                    "@ += 3;\n",
                    "bump!(@);\n",
                    "(|| @ += 5)();\n",
                    "@ = @.min(3);\n",
                    "(@, _) = (@ + 1, 0);\n",
                ]);
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
                let end = if self.labels.is_empty() { "return s" } else { "continue" };
                let bound = 1 + self.random.below(30);
                self.both(&format!("let Some({name}) = p::below({value}, {bound}) else {{ {end} }};\n"));
                self.define(&name, Kind::Number { mutable: false });
            }
            _ => self.access(),
        }
    }

    fn loop_over(&mut self) {
        let label = if self.random.one_in(3) { Some(*self.random.pick(LABELS)) } else { None };
        let prefix = label.map_or_else(String::new, |label| format!("{label}: "));
        match (self.random.below(6), self.tensor()) {
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

    fn condition(&mut self) {
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
            1 => {
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

    fn matching(&mut self) {
        let (value, bound) = (self.number(1), self.random.below(9));
        let (first, second) = (self.bindable(NUMBERS), self.bindable(NUMBERS));
        self.both(&format!("match {value} {{\n{first} if {first} < {bound} => "));
        self.block(&[(first, Kind::Number { mutable: false })], None);
        self.both(&format!("{second} => "));
        self.block(&[(second, Kind::Number { mutable: false })], None);
        self.both("}\n");
    }

    fn closure(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        let (name, argument) = (self.bindable(NUMBERS), self.number(1));
        let pattern = if self.random.one_in(4) { format!("id!({name})") } else { name.clone() };
        self.scopes.push(Scope::default());
        self.define(&name, Kind::Number { mutable: false });
        self.in_closure = true;
        let (kernel, plain) = self.index();
        self.in_closure = false;
        let (mut before_k, mut before_p) = (String::new(), String::new());
        if self.random.one_in(3) {
            let value = self.random.below(20);
            let item = format!("const N: usize = {value}; ");
            before_k.push_str(&item);
            before_p.push_str(&item);
        }
        let _ = self.scopes.pop();
        self.differ(
            &format!("let c = |{pattern}: usize| {{ {before_k}{tensor}[[{kernel}]] }};\n"),
            &format!("let c = |{pattern}: usize| {{ {before_p}{tensor}.at({plain}) }};\n"),
        );
        self.add(&format!("c({argument})"), &format!("c({argument})"));
    }

    /// A call of a template.
    fn call(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        let (a, b) = (self.number(1), self.number(0));
        if self.templates > 0 && self.random.one_in(2) {
            let which = self.random.below(self.templates);
            self.add(&format!("t{which}({tensor}, {a}, {b})"), &format!("p{which}({tensor}, {a}, {b})"));
        } else {
            let prefix = *self.random.pick(&["", "", "a_@::", "b_@::"]);
            let (kernel, plain) = (prefix.replace('@', "t"), prefix.replace('@', "p"));
            self.add(&format!("{kernel}pick({tensor}, {a})"), &format!("{plain}pick_p({tensor}, {a})"));
        }
    }

    fn template(&mut self) {
        let number = self.templates;
        self.differ(
            &format!("#[shim::kernel]\nfn t{number}(t: impl Tensor<u32, 1>, n: usize, m: usize) -> u32 "),
            &format!("fn p{number}(t: p::T<'_>, n: usize, m: usize) -> u32 "),
        );
        self.in_template = true;
        self.body(&["n", "m"], 5);
        self.in_template = false;
        self.templates += 1;
    }

    fn body(&mut self, parameters: &[&str], budget: usize) {
        self.budget = budget;
        self.scopes.push(Scope::default());
        for name in parameters {
            self.define(name, Kind::Number { mutable: false });
        }
        self.scopes.push(Scope::default());
        self.both("{\n");
        let last = self.items(true);
        self.both("let mut s = 0u32;\n");
        if self.in_template {
            self.scope().tensors.push("t".to_owned());
        } else {
            self.differ("let w = Block::external(out, [48]);\n", "let w = p::T::external(out, 48, 1);\n");
            let extent = self.extent();
            self.differ(
                &format!("let t = Block::external(data, [{extent}]);\n"),
                &format!("let t = p::T::external(data, p::ix({extent}), 1);\n"),
            );
            self.scope().tensors.push("t".to_owned());
            // Without an access the block might not be tested.
            self.add("t[[0]] + w[[0]]", "t.at(0) + w.at(0)");
        }
        while self.budget > 0 {
            self.statement();
        }
        self.differ(&last.0, &last.1);
        self.both("s\n}\n");
        self.scopes.clear();
    }
}

/// An access that is always right. A block that nobody accesses need not fit its memory.
fn touch(tensor: &str, kernel: bool) -> String {
    if kernel {
        format!("if {tensor}.contains([0]) {{ s ^= {tensor}[[0]]; }}\n")
    } else {
        format!("if {tensor}.contains(0) {{ s ^= {tensor}.at(0); }}\n")
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
    let text = case.text.strip_prefix(PRELUDE).unwrap_or(&case.text);
    text.strip_suffix(RUN).unwrap_or(text)
}

fn write(seed: u64, without: &BTreeSet<usize>) -> (Case, usize) {
    let mut writer = Writer::new(seed, without);
    for _ in 0..writer.random.below(3) {
        writer.template();
    }
    let templates = (std::mem::take(&mut writer.kernel), std::mem::take(&mut writer.plain));
    writer.family = writer.random.one_in(3);
    let own = if writer.family { ["$x", "m", "n"] } else { ["n", "m", "k"] };
    let parameters = own.map(|name| format!("{name}: usize")).join(", ");
    writer.differ(
        &format!("#[shim::kernel]\nfn kernel(data: &[u32], out: &mut [u32], {parameters}) -> u32 "),
        &format!("fn plain(data: p::M<'_>, out: p::M<'_>, {parameters}) -> u32 "),
    );
    writer.body(&own, 14);
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

/// What every program has: constants of several modules, macros, templates of one name, and the twin's tensors.
const PRELUDE: &str = r#"use shim::prelude::*;

const N: usize = 6;
const M: usize = 3;
mod a {
    pub const N: usize = 7;
    pub const M: usize = 2;
}
mod b {
    pub const N: usize = 11;
    pub const M: usize = 4;
}
fn f(q: usize) -> usize { q + 2 }
type S = A;
struct A;
impl A {
    const N: usize = 5;
}
struct B;
impl B {
    const N: usize = 19;
}
macro_rules! set { ($n:ident, $e:expr) => { let $n = $e; }; }
macro_rules! pat { ($n:ident) => { ($n, _) }; }
macro_rules! id { ($n:ident) => { $n }; }
macro_rules! bind { ($n:ident) => { Some($n) }; }
macro_rules! bump { ($n:ident) => { $n += 4 }; }
macro_rules! get { ($e:expr) => { $e + 1 }; }
macro_rules! def_n { () => { const N: usize = 21; }; }
macro_rules! use_n { () => { use b::N; }; }
mod a_t {
    use shim::prelude::*;
    #[shim::kernel]
    pub fn pick(v: impl Tensor<u32, 1>, n: usize) -> u32 { v[[n + 1]] }
}
mod b_t {
    use shim::prelude::*;
    #[shim::kernel]
    pub fn pick(v: impl Tensor<u32, 1>, n: usize) -> u32 { const N: usize = 2; v[[N]] + v[[2 * n]] }
}
mod a_p {
    pub fn pick_p(v: super::p::T<'_>, n: usize) -> u32 { v.at(n as i64 + 1) }
}
mod b_p {
    pub fn pick_p(v: super::p::T<'_>, n: usize) -> u32 { v.at(2) + v.at(2 * n as i64) }
}
use a_p::pick_p;
use a_t::pick;
mod p {
    use std::cell::Cell;

    pub type M<'a> = &'a [Cell<u32>];

    #[derive(Clone, Copy)]
    pub struct T<'a> {
        memory: &'a [Cell<u32>],
        extent: i64,
        stride: i64,
        origin: i64,
        step: i64,
        pub len: i64,
    }

    pub fn ix<I: TryInto<i64>>(index: I) -> i64 {
        index.try_into().ok().expect("an index")
    }

    pub fn mixed(values: [u32; 4]) -> u32 {
        values.into_iter().fold(7, |sum, value| sum.wrapping_mul(31).wrapping_add(value))
    }

    pub fn below(value: usize, bound: usize) -> Option<usize> {
        (value < bound).then_some(value)
    }

    impl<'a> T<'a> {
        pub fn external(memory: M<'a>, extent: i64, stride: i64) -> T<'a> {
            assert!(extent == 0 || (extent - 1) * stride < memory.len() as i64);
            T { memory, extent, stride, origin: 0, step: 1, len: extent }
        }

        pub fn part(self, start: i64, len: i64) -> T<'a> {
            T { origin: self.origin + start * self.step, len, ..self }
        }

        pub fn rest(self, start: i64) -> T<'a> {
            self.part(start, (self.len - start).max(0))
        }

        pub fn coarsen(self, factor: usize) -> T<'a> {
            let factor = factor as i64;
            T { step: self.step * factor, len: (self.len + factor - 1) / factor, ..self }
        }

        pub fn contains(self, index: i64) -> bool {
            (0..self.extent).contains(&(self.origin + index * self.step))
        }

        fn cell(self, index: i64) -> &'a Cell<u32> {
            assert!(self.contains(index));
            &self.memory[((self.origin + index * self.step) * self.stride) as usize]
        }

        pub fn at(self, index: i64) -> u32 {
            self.cell(index).get()
        }

        pub fn set(self, index: i64, value: u32) {
            self.cell(index).set(value);
        }

        pub fn len(self) -> i32 {
            self.len as i32
        }

        pub fn sum(self) -> u32 {
            self.sum_over(self.len)
        }

        /// The sum of as many elements.
        pub fn sum_over(self, len: i64) -> u32 {
            (0..len).map(|index| self.at(index)).sum()
        }
    }
}
"#;

/// Several inputs, some of which leave the memory.
const RUN: &str = r#"
const INPUTS: [[usize; 3]; 6] = [[8, 4, 2], [3, 2, 1], [16, 5, 9], [1, 1, 1], [12, 30, 7], [0, 0, 0]];
fn outcome(f: impl FnOnce() -> (u32, Vec<u32>)) -> Result<(u32, Vec<u32>), String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        // Only what no twin can panic with is told.
        if text.contains("internal error") { text } else { "panics".to_owned() }
    })
}
pub fn run() -> Vec<Result<(u32, Vec<u32>), String>> {
    let data: Vec<u32> = (0..64).map(|i| i * i + 1).collect();
    INPUTS.map(|[n, m, k]| outcome(|| {
        let mut out = vec![0; 50];
        (kernel(&data, &mut out, n, m, k), out)
    })).to_vec()
}
pub fn want() -> Vec<Result<(u32, Vec<u32>), String>> {
    use std::cell::Cell;
    let data: Vec<Cell<u32>> = (0..64).map(|i| Cell::new(i * i + 1)).collect();
    INPUTS.map(|[n, m, k]| outcome(|| {
        let out: Vec<Cell<u32>> = vec![0; 50].into_iter().map(Cell::new).collect();
        let s = plain(&data, &out, n, m, k);
        (s, out.iter().map(Cell::get).collect())
    })).to_vec()
}
"#;
