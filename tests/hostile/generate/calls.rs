//! Closures, templates and their calls, and bodies.

use std::fmt::Write as _;

use super::{Form, Kind, NUMBERS, Scope, Writer};

/// What a body begins with, beside its names.
#[derive(Default)]
struct Entry {
    tensors: Vec<&'static str>,
    places: Vec<&'static str>,
    /// Statements of the twin in the place of attributes: values that have no version, extents that differ.
    checks: String,
}

impl Writer {
    pub(super) fn closure(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        let (name, argument) = (self.bindable(NUMBERS), self.number(1));
        let pattern = if !self.returns_tensor() && self.random.one_in(4) {
            format!("id!({name})")
        } else {
            name.clone()
        };
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

    /// A call of a template that returns a number.
    pub(super) fn call(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        let (a, b) = (self.number(1), self.number(0));
        match self.template {
            Some(Form::Passing { arguments }) if self.random.one_in(2) => {
                let more = if arguments == 3 { format!(", {b}") } else { String::new() };
                let call = format!("g({tensor}, {a}{more})");
                return self.add(&call, &call);
            }
            _ => {}
        }
        let numbers = |form: &Form| matches!(form, Form::Sum { .. } | Form::Passing { .. });
        let Some(which) = self.some_template(numbers).filter(|_| self.random.one_in(2)) else {
            let (kernel, plain) = self.picking();
            return self.add(&format!("{kernel}({tensor}, {a})"), &format!("{plain}({tensor}, {a})"));
        };
        match self.templates[which] {
            Form::Sum { place: true } => {
                let (place_k, place_p) = self.place();
                self.add(
                    &format!("t{which}({tensor}, {place_k}, {a}, {b})"),
                    &format!("p{which}({tensor}, {place_p}, {a}, {b})"),
                );
            }
            Form::Passing { arguments } => {
                let (passed_k, passed_p) = self.passed(arguments);
                self.add(
                    &format!("t{which}({passed_k}, {tensor}, {a}, {b})"),
                    &format!("p{which}({passed_p}, {tensor}, {a}, {b})"),
                );
            }
            _ => self.add(&format!("t{which}({tensor}, {a}, {b})"), &format!("p{which}({tensor}, {a}, {b})")),
        }
    }

    /// Whether the body is that of a template that returns a tensor, whose statements are staged among those of the
    /// caller: it has no items, and no macros that may define a name.
    pub(super) fn returns_tensor(&self) -> bool {
        matches!(self.template, Some(Form::View | Form::Pair))
    }

    /// One of the templates so far.
    pub(super) fn some_template(&mut self, is: impl Fn(&Form) -> bool) -> Option<usize> {
        let some: Vec<usize> = (0..self.templates.len()).filter(|i| is(&self.templates[*i])).collect();
        (!some.is_empty()).then(|| *self.random.pick(&some))
    }

    /// A template of a tensor and a number, by one of the paths to it.
    fn picking(&mut self) -> (String, String) {
        match self.random.below(6) {
            0 => ("far::<3>".to_owned(), "far_p::<3>".to_owned()),
            1 if !self.returns_tensor() => ("far::<K>".to_owned(), "far_p::<K>".to_owned()),
            _ => {
                let prefix = *self.random.pick(&["", "", "a_@::", "b_@::"]);
                (prefix.replace('@', "t") + "pick", prefix.replace('@', "p") + "pick_p")
            }
        }
    }

    /// A template to pass.
    fn passed(&mut self, arguments: usize) -> (String, String) {
        if self.template == Some(Form::Passing { arguments }) && self.random.one_in(2) {
            return ("g".to_owned(), "g".to_owned());
        }
        match self.some_template(|form| *form == Form::Sum { place: false }) {
            Some(which) if arguments == 3 => (format!("t{which}"), format!("p{which}")),
            _ => self.picking(),
        }
    }

    pub(super) fn template(&mut self) {
        let number = self.templates.len();
        let sums = self.templates.contains(&Form::Sum { place: false });
        let form = match self.random.below(8) {
            0 | 1 => Form::View,
            2 => Form::Pair,
            3 | 4 => Form::Passing { arguments: if sums { 3 } else { 2 } },
            _ => Form::Sum { place: self.random.one_in(3) },
        };
        let mut entry = Entry { tensors: vec!["t"], ..Entry::default() };
        let (first_k, first_p) = match form {
            Form::Passing { arguments: 3 } => {
                ("g: impl Template, ", "g: for<'b> fn(p::T<'b>, usize, usize) -> u32, ")
            }
            Form::Passing { .. } => ("g: impl Template, ", "g: for<'b> fn(p::T<'b>, usize) -> u32, "),
            _ => ("", ""),
        };
        let (place_k, place_p) = match form {
            Form::Sum { place: true } => {
                entry.places.push("q");
                ("q: Place<1>, ", "q: p::P, ")
            }
            _ => ("", ""),
        };
        let (result_k, result_p) = match form {
            Form::View => ("impl Tensor<u32, 1>", "p::T<'a>"),
            Form::Pair => ("(impl Tensor<u32, 1>, usize)", "(p::T<'a>, usize)"),
            _ => ("u32", "u32"),
        };
        let specialized = match form {
            Form::View | Form::Pair => String::new(),
            _ => self.specialized("n", &mut entry),
        };
        self.differ(
            &format!(
                "#[shim::kernel]\nfn t{number}({first_k}t: impl Tensor<u32, 1>, {place_k}{specialized}n: usize, m: usize) -> {result_k} "
            ),
            &format!("fn p{number}<'a>({first_p}t: p::T<'a>, {place_p}n: usize, m: usize) -> {result_p} "),
        );
        self.template = Some(form);
        self.body(&["n", "m"], 5, &entry);
        self.template = None;
        self.templates.push(form);
    }

    /// The attribute before a parameter that has versions, or nothing.
    fn specialized(&mut self, name: &str, entry: &mut Entry) -> String {
        if !self.random.one_in(4) {
            return String::new();
        }
        let values = *self.random.pick(&["8 | 3", "2 | 9", "1 | 7 | 12", "1..=4", "16 | 5"]);
        if self.random.one_in(4) {
            let _ = writeln!(entry.checks, "assert!(matches!({name}, {values}));");
            format!("#[specialize({values})] ")
        } else {
            format!("#[specialize({values} | _)] ")
        }
    }

    /// The kernel and its twin.
    pub(super) fn entry(&mut self, own: [&str; 3]) {
        let mut entry = Entry { tensors: vec!["t", "w"], ..Entry::default() };
        let mut known = own.to_vec();
        let mut attributes = [const { String::new() }; 3];
        for name in own {
            let one = self.specialized(name, &mut entry);
            attributes[own.iter().position(|other| *other == name).expect("a parameter")] = one;
        }
        let shape_of_d = self.random.one_in(3).then(|| {
            let (a, b) = (*self.random.pick(&own), *self.random.pick(&own));
            (*self.random.pick(&["@ + 9", "2 * @", "@ + #", "N + M", "a::N * M", "@"]))
                .replace('@', a)
                .replace('#', b)
        });
        let shape_of_d = shape_of_d.map_or_else(String::new, |shape| {
            entry.tensors.push("d");
            let _ = writeln!(entry.checks, "let d = p::T::external(d, p::ix({shape}), 1);");
            format!("#[shape({shape})] ")
        });
        entry.places.push("q");
        let shape_of_q = match self.random.below(6) {
            0 => {
                entry.checks.push_str("assert_eq!(q.extent(0), 4);\n");
                "#[shape(4)] "
            }
            1 => {
                entry.checks.push_str("assert_eq!(q.extent(0), M + 1);\n");
                "#[shape(M + 1)] "
            }
            2 => {
                entry.checks.push_str("let z = q.extent(0);\n");
                known.push("z");
                "#[shape(z)] "
            }
            _ => "",
        };
        self.located = self.random.one_in(3);
        let located = if self.located { "#[located] " } else { "" };
        let option = if self.random.one_in(12) { "(simd)" } else { "" };
        let [first, second, third] = own;
        let [a, b, c] = attributes;
        self.differ(
            &format!(
                "#[shim::kernel{option}]\nfn kernel(data: &[u32], out: &mut [u32], {shape_of_d}d: &[u32], {shape_of_q}q: Place<1>, \
                 {located}l: &mut L, {a}{first}: usize, {b}{second}: usize, {c}{third}: usize) -> u32 "
            ),
            &format!(
                "fn plain(data: p::M<'_>, out: p::M<'_>, d: p::M<'_>, q: p::P, mut l: p::L<'_>, {first}: usize, \
                 {second}: usize, {third}: usize) -> u32 "
            ),
        );
        self.body(&known, 14, &entry);
    }

    fn body(&mut self, parameters: &[&str], budget: usize, entry: &Entry) {
        self.budget = budget;
        self.scopes.push(Scope::default());
        for name in parameters {
            self.define(name, Kind::Number { mutable: false });
        }
        let places = entry.places.iter().map(ToString::to_string).collect();
        self.scopes.push(Scope { places, ..Scope::default() });
        // What attributes say is outside of the body and its items.
        let _ = writeln!(self.plain, "{{\n{}", entry.checks);
        self.both("{\n");
        let (start_k, start_p) = (self.kernel.len(), self.plain.len());
        let last = self.items(true);
        self.both("let mut s = 0u32;\n");
        if self.template.is_none() {
            self.differ("let w = Block::external(out, [48]);\n", "let w = p::T::external(out, 48, 1);\n");
            let extent = self.extent();
            self.differ(
                &format!("let t = Block::external(data, [{extent}]);\n"),
                &format!("let t = p::T::external(data, p::ix({extent}), 1);\n"),
            );
            // Without an access the block might not be tested.
            self.add("t[[0]] + w[[0]]", "t.at(0) + w.at(0)");
        }
        self.scope().tensors = entry.tensors.iter().map(ToString::to_string).collect();
        if self.located {
            self.scope().tensors.extend(["l.base".to_owned(), "l.half".to_owned()]);
        }
        while self.budget > 0 {
            self.statement();
        }
        match self.template {
            Some(form @ (Form::View | Form::Pair)) => {
                let (kernel, plain) = self.view(1).expect("a tensor");
                self.differ(&last.0, &last.1);
                if form == Form::View {
                    self.differ(&format!("{kernel}\n}}\n"), &format!("{plain}\n}}\n"));
                } else {
                    let number = "s as usize % 20";
                    self.differ(
                        &format!("({kernel}, {number})\n}}\n"),
                        &format!("({plain}, {number})\n}}\n"),
                    );
                }
            }
            _ => {
                self.differ(&last.0, &last.1);
                self.both("s\n}\n");
            }
        }
        self.plain.push_str("}\n");
        // A field that a kernel mentions is long enough, or the kernel does not begin.
        for field in ["l.base", "l.half"] {
            if self.located && self.kernel[start_k..].contains(field) {
                self.plain.insert_str(start_p, &format!("{field}.checked();\n"));
            }
        }
        self.located = false;
        self.scopes.clear();
    }
}
