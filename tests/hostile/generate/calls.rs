//! Closures, templates and their calls, and bodies.

use super::{Kind, NUMBERS, Scope, Writer};

impl Writer {
    pub(super) fn closure(&mut self) {
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
    pub(super) fn call(&mut self) {
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

    pub(super) fn template(&mut self) {
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

    pub(super) fn body(&mut self, parameters: &[&str], budget: usize) {
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
