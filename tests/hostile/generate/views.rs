//! Views that have no name, choices between tensors, predicates and places.

use super::{INDICES, Kind, NUMBERS, PLACES, Scope, TENSORS, Writer};

/// How many choices of the run time a program has: what follows one is staged in each of its branches.
const MAX_CHOICES: usize = 4;

impl Writer {
    /// A tensor or a view of one: its text in the kernel and in the twin.
    pub(super) fn view(&mut self, depth: usize) -> Option<(String, String)> {
        let tensor = self.tensor()?;
        Some(self.view_of(&tensor, depth))
    }

    pub(super) fn view_of(&mut self, tensor: &str, depth: usize) -> (String, String) {
        let (start, other) = (self.number(depth), self.tensor().expect("a tensor"));
        match self.random.below(16) {
            0 | 1 => {
                let (start, len) = (self.number(0), self.random.below(6));
                (
                    format!("{tensor}[[{start}..{start} + {len}]]"),
                    format!("{tensor}.part(p::ix({start}), {len})"),
                )
            }
            2 => (format!("{tensor}[[{start}..]]"), format!("{tensor}.rest(p::ix({start}))")),
            3 => {
                let known = if self.returns_tensor() { 2 } else { 5 };
                let factor = *self.random.pick(&["2", "3", "K", "K", "Q"][..known]);
                (format!("{tensor}.coarsen([{factor}])"), format!("{tensor}.coarsen({factor})"))
            }
            4 => {
                let sign = *self.random.pick(&["", "-"]);
                let by = self.number(0);
                (format!("{tensor}.shifted([{sign}{by}])"), format!("{tensor}.shifted({sign}p::ix({by}))"))
            }
            5 => (format!("{tensor}[{other}]"), format!("{tensor}.over({other})")),
            6 => {
                let text = format!("{tensor}.footprint({other})");
                (text.clone(), text)
            }
            7 | 8 => match self.some_place() {
                Some(place) if self.random.one_in(2) => {
                    (format!("{tensor}[{place}]"), format!("{tensor}.over({place})"))
                }
                Some(place) => {
                    let text = format!("{tensor}.footprint({place})");
                    (text.clone(), text)
                }
                None => (tensor.to_owned(), tensor.to_owned()),
            },
            9 | 10 => {
                let (kernel, plain) = self.predicate(tensor);
                let fill = self.random.below(9);
                if self.random.one_in(3) {
                    (format!("{tensor}.within({kernel})"), format!("{tensor}.within({plain})"))
                } else {
                    (
                        format!("{tensor}.within({kernel}).boundary(Fill({fill}))"),
                        format!("{tensor}.within({plain}).filled({fill})"),
                    )
                }
            }
            11 => {
                let copied = *self.random.pick(&["", ".copied()", ".copied()"]);
                let text = format!("{tensor}.to_block(){copied}");
                (text.clone(), text)
            }
            12..=14 => match self.some_template(|form| *form == super::Form::View) {
                Some(which) => {
                    let more = self.number(0);
                    (
                        format!("t{which}({tensor}, {start}, {more})"),
                        format!("p{which}({tensor}, {start}, {more})"),
                    )
                }
                None => (tensor.to_owned(), tensor.to_owned()),
            },
            _ => (tensor.to_owned(), tensor.to_owned()),
        }
    }

    /// A predicate of `within`.
    fn predicate(&mut self, tensor: &str) -> (String, String) {
        let name = self.bindable(INDICES);
        self.scopes.push(Scope::default());
        self.define(&name, Kind::Index);
        let was = std::mem::replace(&mut self.in_closure, true);
        let (number, modulus) = (self.name(), 2 + self.random.below(3));
        let read = if self.random.one_in(2) { tensor.to_owned() } else { self.tensor().expect("a tensor") };
        let (kernel, plain) = match self.random.below(5) {
            0 => {
                let text =
                    format!("{name} < p::below({number}, 50).unwrap_or(5) as ::core::primitive::isize");
                (text.clone(), text)
            }
            1 => {
                let text = format!("({name} + {modulus}) % {modulus} != 1");
                (text.clone(), text)
            }
            2 => (
                format!("{read}[[{name}]] % {modulus} != 0"),
                format!("{read}.at(p::ix({name})) % {modulus} != 0"),
            ),
            3 => (format!("{read}.contains([{name} + 1])"), format!("{read}.contains(p::ix({name}) + 1)")),
            _ => (
                format!(
                    "{read}.get([{name} + 2]).is_some_and(|n| n % {modulus} == {read}[[{name}]] % {modulus})"
                ),
                format!(
                    "{read}.get(p::ix({name}) + 2).is_some_and(|n| n % {modulus} == {read}.at(p::ix({name})) % {modulus})"
                ),
            ),
        };
        self.in_closure = was;
        let _ = self.scopes.pop();
        (format!("|[{name}]| {kernel}"), format!("move |{name}: isize| {plain}"))
    }

    /// The name of a place.
    fn some_place(&mut self) -> Option<String> {
        let mut seen: Vec<String> = self.scopes.iter().flat_map(|scope| scope.places.clone()).collect();
        seen.sort();
        seen.dedup();
        (!seen.is_empty()).then(|| self.random.pick(&seen).clone())
    }

    /// A place as a value.
    pub(super) fn place(&mut self) -> (String, String) {
        let (tensor, known) = (self.tensor(), self.some_place());
        match (self.random.below(6), tensor, known) {
            (0, Some(tensor), _) => {
                let text = format!("{tensor}.place()");
                (text.clone(), text)
            }
            (1..=4, _, Some(place)) => match self.random.below(4) {
                0 => {
                    let by = self.number(0);
                    (
                        format!("{place}.shifted([{by} as ::core::primitive::isize - 3])"),
                        format!("{place}.shifted(p::ix({by}) - 3)"),
                    )
                }
                _ => (place.clone(), place),
            },
            _ => {
                let (origin, len) = (self.number(0), self.number(0));
                let text = format!("::new([{origin} as ::core::primitive::isize], [{len}])");
                (format!("Place{text}"), format!("p::P{text}"))
            }
        }
    }

    pub(super) fn make_place(&mut self) {
        let (kernel, plain) = self.place();
        let name = (*self.random.pick(PLACES)).to_owned();
        self.differ(
            &format!("let {name}: Place<1> = {kernel};\n"),
            &format!("let {name}: p::P = {plain};\n"),
        );
        self.scope().places.push(name);
    }

    /// A tensor that a condition of the run time chooses, a view by any other way, or what a template returns.
    pub(super) fn choose(&mut self) {
        // Views of what is written are written as well.
        let written = self.template.is_none() && self.random.one_in(4);
        let name = if written { "w" } else { *self.random.pick(TENSORS) }.to_owned();
        let Some(mut of) = self.tensor() else { return };
        if written {
            "w".clone_into(&mut of);
        }
        let arm = |writer: &mut Self| {
            let of = if written { of.clone() } else { writer.tensor().expect("a tensor") };
            writer.view_of(&of, 1)
        };
        let (first, second) = (arm(self), arm(self));
        let leave = self.leave();
        let choices = if self.choices < MAX_CHOICES { 0 } else { 6 };
        let kind = choices + self.random.below(9 - choices);
        self.choices += usize::from(kind < 6);
        match kind {
            0 | 1 => {
                let condition = self.comparison();
                self.differ(
                    &format!("let {name} = if {condition} {{ {} }} else {{ {} }};\n", first.0, second.0),
                    &format!("let {name} = if {condition} {{ {} }} else {{ {} }};\n", first.1, second.1),
                );
            }
            2 => {
                let condition = self.comparison();
                self.differ(
                    &format!("let {name} = if {condition} {{ {} }} else {{ {leave} }};\n", first.0),
                    &format!("let {name} = if {condition} {{ {} }} else {{ {leave} }};\n", first.1),
                );
            }
            3 => {
                let (value, bound) = (self.number(1), self.random.below(9));
                let number = self.chosen_number();
                self.scopes.push(Scope::default());
                self.define(&number, Kind::Number { mutable: false });
                let third = arm(self);
                let _ = self.scopes.pop();
                let text = format!(
                    "let {name} = match {value} {{ {number} if {number} < {bound} => <1>, 9 => {{ {leave} }} _ => <2> }};\n"
                );
                self.differ(
                    &text.replace("<1>", &third.0).replace("<2>", &second.0),
                    &text.replace("<1>", &third.1).replace("<2>", &second.1),
                );
            }
            4 => {
                let condition = self.comparison();
                let other = (*self.random.pick(TENSORS)).to_owned();
                if other == name {
                    return;
                }
                let text = format!(
                    "let ({name}, {other}) = if {condition} {{ (<1>, <2>) }} else {{ (<2>, <1>) }};\n"
                );
                self.differ(
                    &text.replace("<1>", &first.0).replace("<2>", &second.0),
                    &text.replace("<1>", &first.1).replace("<2>", &second.1),
                );
                self.scope().tensors.push(other);
            }
            5 => {
                let Some(tensor) = self.tensor() else { return };
                let ((index_k, index_p), number) = (self.index(), self.chosen_number());
                self.scopes.push(Scope::default());
                self.define(&number, Kind::Number { mutable: false });
                let third = arm(self);
                let _ = self.scopes.pop();
                let text = format!(
                    "let {name} = if let Some({number}) = <1>.map(|x| x as usize % 40) {{ <3> }} else {{ <2> }};\n"
                );
                self.differ(
                    &text
                        .replace("<1>", &format!("{tensor}.get([{index_k}])"))
                        .replace("<3>", &third.0)
                        .replace("<2>", &second.0),
                    &text
                        .replace("<1>", &format!("{tensor}.get({index_p})"))
                        .replace("<3>", &third.1)
                        .replace("<2>", &second.1),
                );
            }
            6 if self.some_template(|form| *form == super::Form::Pair).is_some() => {
                let which = self.some_template(|form| *form == super::Form::Pair).expect("a template");
                let (a, b, number) = (self.number(1), self.number(0), self.bindable(NUMBERS));
                let arguments = format!("({of}, {a}, {b})");
                self.differ(
                    &format!("let ({name}, {number}) = t{which}{arguments};\n"),
                    &format!("let ({name}, {number}) = p{which}{arguments};\n"),
                );
                self.define(&number, Kind::Number { mutable: false });
            }
            7 if self.template.is_some() => {
                // Memory that outlives the template that returns it.
                let len = 4 + self.random.below(20);
                let (stored, reshaped) = (self.stored(len), self.reshaped(&name, len));
                self.differ(
                    &format!(
                        "let {name} = Block::heap::<u32>([{len}]){stored};\nfor [i] in {name}.indices() {{ {name}[[i]] = i as u32; }}\n{reshaped}"
                    ),
                    &format!(
                        "let {name} = p::T::heap({len});\nfor i in 0..{name}.len() {{ {name}.set(i as i64, i as u32); }}\n"
                    ),
                );
            }
            _ => {
                self.differ(&format!("let {name} = {};\n", first.0), &format!("let {name} = {};\n", first.1));
            }
        }
        self.scope().tensors.push(name);
    }

    /// An order of memory for a block of so many elements.
    fn stored(&mut self, len: usize) -> String {
        let (tile, shift) = (1 + self.random.below(6), self.random.below(len));
        let prime = *self.random.pick(&[29, 31, 37]);
        let order = match self.random.below(9) {
            0 => return String::new(),
            1 => "row_major.reversed()".to_owned(),
            2 => format!("tile([{tile}])"),
            3 => format!("tile([{tile}]).inner(row_major.reversed())"),
            4 => format!("tile([{tile}]).outer(by(|i| {} - i))", len.div_ceil(tile) - 1),
            5 => format!("lanes({tile})"),
            6 => "morton".to_owned(),
            7 => format!("by(|i| ({prime} * i + {shift}) % {len}).reversed()"),
            _ => format!("row_major.then([{len}], by(|n| ({prime} * n + {shift}) % {len}))"),
        };
        format!(".stored({order})")
    }

    /// A statement that gives a block other extents, and its own again.
    fn reshaped(&mut self, name: &str, len: usize) -> String {
        let divisors: Vec<usize> = (1..=len).filter(|divisor| len.is_multiple_of(*divisor)).collect();
        let rows = *self.random.pick(&divisors);
        if self.random.one_in(2) {
            return String::new();
        }
        format!("let {name} = {name}.reshape([{rows}, {}]).reshape([{len}]);\n", len / rows)
    }

    /// A name that a branch of a choice binds. One that statements behind the choice mention is an error.
    fn chosen_number(&mut self) -> String {
        if self.random.one_in(6) { self.bindable(NUMBERS) } else { "e".to_owned() }
    }

    fn comparison(&mut self) -> String {
        let (a, b) = (self.atom(), self.number(0));
        let operator = *self.random.pick(&["<", "<=", ">", "!="]);
        format!("{a} {operator} {b}")
    }
}
