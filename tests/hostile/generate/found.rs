//! Elements that may be missing: `get`, and what is known where one was found.

use super::{Kind, NUMBERS, Writer};

impl Writer {
    pub(super) fn find(&mut self) {
        let Some(tensor) = self.tensor() else { return };
        let (view_k, view_p) = self.viewed(&tensor);
        let (index_k, index_p) = self.index();
        let (get_k, get_p) = (format!("{view_k}.get([{index_k}])"), format!("{view_p}.get({index_p})"));
        // The same element, or one of another tensor at the same index.
        let other = if self.random.one_in(2) { tensor } else { self.tensor().expect("a tensor") };
        let again = (format!("{other}[[{index_k}]]"), format!("{other}.at({index_p})"));
        let name = self.bindable(NUMBERS);
        match self.random.below(9) {
            0 => {
                self.differ(
                    &format!("if let Some(x) = {get_k} {{\ns ^= x.wrapping_add({});\n", again.0),
                    &format!("if let Some(x) = {get_p} {{\ns ^= x.wrapping_add({});\n", again.1),
                );
                self.block(&[], None);
                self.differ(
                    &format!("s = s.wrapping_add({});\n}}\n", again.0),
                    &format!("s = s.wrapping_add({});\n}}\n", again.1),
                );
            }
            1 | 2 => {
                // The pattern may bind a name of the index anew.
                let text = if self.random.one_in(2) {
                    format!("if let Some({name}) = <1>.map(|{name}| {name} as usize % 40) {{\ns ^= <2>;\n")
                } else {
                    format!(
                        "if let Some(x) = <1> && let Some({name}) = p::below(x as usize % 60, 40) {{\ns ^= x.wrapping_mul(<2>);\n"
                    )
                };
                self.differ(
                    &text.replace("<1>", &get_k).replace("<2>", &again.0),
                    &text.replace("<1>", &get_p).replace("<2>", &again.1),
                );
                self.block(&[(name, Kind::Number { mutable: false })], None);
                self.both("}\n");
                if self.random.one_in(2) {
                    self.both("else ");
                    self.block(&[], None);
                }
            }
            3 => {
                let leave = self.leave();
                self.differ(
                    &format!("let Some(x) = {get_k} else {{ {leave} }};\ns ^= x ^ {};\n", again.0),
                    &format!("let Some(x) = {get_p} else {{ {leave} }};\ns ^= x ^ {};\n", again.1),
                );
            }
            4 => self.add(
                &format!("{get_k}.map_or(7, |{name}| {name} ^ {})", again.0),
                &format!("{get_p}.map_or(7, |{name}| {name} ^ {})", again.1),
            ),
            5 => self.add(
                &format!("{get_k}.map(|x| x / 2 + {}).unwrap_or(3)", again.0),
                &format!("{get_p}.map(|x| x / 2 + {}).unwrap_or(3)", again.1),
            ),
            6 => self.add(
                &format!("u32::from({get_k}.is_some_and(|x| x % 2 == {} % 2))", again.0),
                &format!("u32::from({get_p}.is_some_and(|x| x % 2 == {} % 2))", again.1),
            ),
            7 => self.search_found(&other),
            _ => self.add(&format!("{get_k}.unwrap_or(5)"), &format!("{get_p}.unwrap_or(5)")),
        }
    }

    /// A loop that ends where no element is.
    fn search_found(&mut self, tensor: &str) {
        let name = self.some_mutable();
        let step = 1 + self.random.below(3);
        let after = format!(
            "{{ {name} += {step}; s = s.wrapping_mul(5).wrapping_add(x | 1); if s % 64 == 0 {{ break; }} }}\ns ^= {name} as u32; }}\n"
        );
        self.differ(
            &format!("while let Some(x) = {tensor}.get([{name}]) {after}"),
            &format!("while let Some(x) = {tensor}.get(p::ix({name})) {after}"),
        );
        let _ = self.scopes.pop();
    }
}
