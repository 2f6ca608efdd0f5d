//! Patterns of every kind, around statements.

use super::{Kind, Writer};

/// Values with patterns that may not match; `$` is the name that is bound.
const REFUTABLE: &[(&str, &str)] = &[
    ("q", "Some($)"),
    ("q", "Some($ @ 1..=40)"),
    ("q", "Some(mut $)"),
    ("e", "W::A { x: $ }"),
    ("e", "W::B($, _)"),
    ("e", "W::B(_, $) | W::A { x: $ }"),
    ("(q, g.b)", "(Some($), _) | (_, Some($))"),
    ("(q, 5)", "(None, $)"),
    ("t.1", "[$, 2, ..]"),
    ("t.1", "[.., $ @ 3..]"),
    ("g", "S { a: $, b: Some(_) }"),
    ("Some(&t.0)", "Some(&$)"),
    ("t", "($ @ (..=3 | 9), _)"),
    ("Some(1 << 30)", "Some($)"),
    ("p::below(#, 40)", "Some($)"),
];

/// Values with patterns that always match.
const IRREFUTABLE: &[(&str, &str)] = &[
    ("t", "($, _)"),
    ("t.1", "[$, ..]"),
    ("t.1", "[.., $]"),
    ("g", "S { a: $, .. }"),
    ("&g.a", "&$"),
    ("(#, 3)", "($, _)"),
    ("[#, 3]", "[$, _]"),
    ("#", "$"),
];

impl Writer {
    fn chosen(&mut self, of: &[(&str, &str)]) -> (String, String, String) {
        let (value, pattern) = *self.random.pick(of);
        let (of_value, name) = (self.value(1), self.name());
        let pattern = pattern.replace('$', &name);
        (value.replace('#', &of_value), pattern, name)
    }

    fn condition_in(&mut self, name: &str) -> String {
        self.scopes.push(vec![(name.to_owned(), Kind::Number { mutable: false })]);
        let condition = self.condition();
        let _ = self.scopes.pop();
        condition
    }

    pub(super) fn pattern_statement(&mut self) {
        if self.random.one_in(4) {
            let (value, pattern, name) = self.chosen(IRREFUTABLE);
            self.add(&format!("let {pattern} = {value};\n"));
            self.define(&name, Kind::Number { mutable: false });
            return;
        }
        let (value, pattern, name) = self.chosen(REFUTABLE);
        let inner = [name.clone()];
        // Orders refuse what may not be evaluated, so that guards and `while` say nothing about the names in them.
        let kinds = if self.hostile || self.random.one_in(16) { 8 } else { 4 };
        match self.random.below(kinds) {
            0 | 1 => {
                self.add(&format!("if let {pattern} = {value} "));
                self.block(&inner);
                if self.random.one_in(2) {
                    self.add("else ");
                    self.block(&[]);
                }
            }
            6 => {
                let (before, after) = (self.condition(), self.condition_in(&name));
                let pattern = if pattern.contains('|') { format!("({pattern})") } else { pattern };
                self.add(&format!("if {before} && let {pattern} = {value} && {after} "));
                self.block(&inner);
            }
            2 | 3 => {
                let guarded = kinds > 4;
                let guard = self.condition_in(&name);
                let other = self.name();
                self.add(&format!("match {value} {{\n"));
                if guarded {
                    self.add(&format!("{pattern} if {guard} => "));
                    self.block(&inner);
                }
                self.add(&format!("{pattern} => "));
                self.block(&inner);
                self.add(&format!("{other} => {{ let _ = {other};\n"));
                // What it binds is no number.
                self.scopes.push(Vec::new());
                let scope: Vec<(String, Kind)> =
                    self.visible().into_iter().filter(|(name, _)| *name != other).collect();
                let outer = std::mem::replace(&mut self.scopes, vec![scope]);
                self.store();
                self.scopes = outer;
                let _ = self.scopes.pop();
                self.add("}\n}\n");
            }
            5 => {
                let leave = if self.hostile && self.random.one_in(3) { "continue" } else { "panic!()" };
                let pattern = if pattern.contains('|') { format!("({pattern})") } else { pattern };
                self.add(&format!("let {pattern} = {value} else {{ {leave} }};\n"));
                self.define(&name, Kind::Number { mutable: false });
            }
            4 => {
                self.add(&format!(
                    "{{\nlet mut left_ = q;\nwhile let Some({name}) = left_ {{\nleft_ = None;\n"
                ));
                self.block(&inner);
                self.add("}\n}\n");
            }
            _ => {
                let guard = self.condition_in(&name);
                let found = format!("i32::from(matches!({value}, {pattern} if {guard}))");
                let reduction = self.reduction.replace('#', &found);
                self.add(&reduction);
            }
        }
    }
}
