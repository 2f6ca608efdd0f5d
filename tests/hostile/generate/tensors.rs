//! Tensors, views of them, and accesses.

use super::{Kind, NUMBERS, Scope, TENSORS, Writer};

impl Writer {
    pub(super) fn tensor(&mut self) -> Option<String> {
        let mut seen: Vec<String> = self.scopes.iter().flat_map(|scope| scope.tensors.clone()).collect();
        seen.sort();
        seen.dedup();
        if seen.is_empty() { None } else { Some(self.random.pick(&seen).clone()) }
    }

    pub(super) fn add(&mut self, kernel: &str, plain: &str) {
        self.differ(
            &format!("s = s.wrapping_mul(31).wrapping_add({kernel});\n"),
            &format!("s = s.wrapping_mul(31).wrapping_add({plain});\n"),
        );
    }

    /// A tensor, or a view of it that has no name: its text in the kernel and in the twin.
    pub(super) fn viewed(&mut self, tensor: &str) -> (String, String) {
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
    pub(super) fn read(&mut self, tensor: &str) -> (String, String) {
        let (view_k, view_p) = self.viewed(tensor);
        let (kernel, plain) = self.index();
        (format!("{view_k}[[{kernel}]]"), format!("{view_p}.at({plain})"))
    }

    pub(super) fn access(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        match self.random.below(10) {
            0 => return self.several(&tensor),
            1 => return self.search(&tensor),
            2 if self.template.is_none() => {
                let value = self.number(1);
                let (view_k, view_p) = self.viewed("w");
                let (kernel, plain) = self.index();
                return self.differ(
                    &format!("{view_k}[[{kernel}]] = ({value}) as u32;\n"),
                    &format!("{{ let value = ({value}) as u32; {view_p}.set({plain}, value); }}\n"),
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
            3 | 4 if self.template.is_none() => {
                self.differ(&format!("w[[{kernel}]] += 3;\n"), &format!("w.bump({plain}, 3);\n"));
            }
            _ => self.add(&format!("{tensor}[[{kernel}]]"), &format!("{tensor}.at({plain})")),
        }
    }

    /// Several reads in one statement, each of which sees what those in front of it did.
    pub(super) fn several(&mut self, tensor: &str) {
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
    pub(super) fn some_mutable(&mut self) -> String {
        let (value, name) = (self.number(1), self.bindable(NUMBERS));
        self.both(&format!("{{ let mut {name} = {value};\n"));
        self.scopes.push(Scope::default());
        self.define(&name, Kind::Number { mutable: true });
        name
    }

    /// A loop whose condition reads an element.
    pub(super) fn search(&mut self, tensor: &str) {
        let name = self.some_mutable();
        let (read_k, read_p) = self.read(tensor);
        let (modulus, step) = (2 + self.random.below(5), 1 + self.random.below(3));
        let condition =
            format!("while # % {modulus} != 0 {{ {name} += {step}; s += 1; if s % 64 == 0 {{ break; }} }}\n");
        self.differ(&condition.replace('#', &read_k), &condition.replace('#', &read_p));
        self.both(&format!("s ^= {name} as u32; }}\n"));
        let _ = self.scopes.pop();
    }

    /// A block or a view of one.
    pub(super) fn make_tensor(&mut self) {
        let name = (*self.random.pick(TENSORS)).to_owned();
        let other = self.tensor();
        let (a, b) = (self.extent(), self.number(0));
        let len = self.random.below(6);
        match (self.random.below(8), other) {
            (7, _) if self.template.is_none() && self.rows == 0 => {
                self.rows += 1;
                let longer = self.random.below(4);
                self.differ(
                    &format!(
                        "let base = Block::external(data, [{a}, |i| i + {longer}]).on_axes([1, 0]);\n\
                         if base.contains([0, 0]) {{ s ^= base[[0, 0]]; }}\nlet {name} = base[[{b}, ..]];\n"
                    ),
                    &format!(
                        "let {name} = p::T::row(data, p::ix({a}), {longer}, p::ix({b}), &mut s);\n"
                    ),
                );
            }
            (0 | 1, _) if self.template.is_none() => {
                // Orders and extents that leave every element where it is.
                let same = [".stored(tile([1]))", ".stored(lanes(1))", ".stored(row_major.reversed().reversed())"];
                let stored = if self.random.one_in(3) { *self.random.pick(&same) } else { "" };
                self.differ(
                    &format!("let {name} = Block::external(data, [{a}]){stored};\n{}", touch(&name, true)),
                    &format!("let {name} = p::T::external(data, p::ix({a}), 1);\n{}", touch(&name, false)),
                );
            }
            (2, _) if self.template.is_none() => {
                let stride = self.number(0);
                self.differ(
                    &format!("let {name} = Block::external(data, [{b}]).strided([{stride}]);\n{}", touch(&name, true)),
                    &format!("let {name} = p::T::external(data, p::ix({b}), p::ix({stride}));\n{}", touch(&name, false)),
                );
            }
            (3, Some(other)) => {
                let known = if self.returns_tensor() { 2 } else { 4 };
                let factor = *self.random.pick(&["2", "3", "K", "K"][..known]);
                self.differ(
                    &format!("let {name} = {other}.coarsen([{factor}]);\n"),
                    &format!("let {name} = {other}.coarsen({factor});\n"),
                );
            }
            (4, _) if self.template.is_none() => self.differ(
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
}

/// An access that is always right. A block that nobody accesses need not fit its memory.
fn touch(tensor: &str, kernel: bool) -> String {
    if kernel {
        format!("if {tensor}.contains([0]) {{ s ^= {tensor}[[0]]; }}\n")
    } else {
        format!("if {tensor}.contains(0) {{ s ^= {tensor}.at(0); }}\n")
    }
}
