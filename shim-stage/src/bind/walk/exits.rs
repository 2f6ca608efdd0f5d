//! Where `break`, `continue`, `return` and `?` go once loops are nests and templates are blocks.

use syn::{Expr, Lifetime};

use crate::hygiene;

use crate::bind::Binder;

/// Something that a jump can leave.
#[derive(Debug, Clone)]
enum Frame {
    /// A loop that stays as the user wrote it.
    Rust(Option<Lifetime>),
    /// A labeled block.
    Block(Lifetime),
    /// A nest or an unrolled loop, which may be several Rust loops or none: jumps name their label.
    Staged { user: Option<Lifetime>, leave: Lifetime, next: Lifetime, left: bool, skipped: bool },
    /// A template's body: `return` and `?` leave it.
    Template { leave: Lifetime, left: bool },
    /// A closure: its jumps are its own.
    Closure,
}

/// The frames around the expression being bound, innermost last.
#[derive(Debug, Default)]
pub(in crate::bind) struct Exits(Vec<Frame>);

/// Which labels of a staged loop are jumped to.
#[derive(Debug, Clone)]
pub(in crate::bind) struct LoopLabels {
    /// Label of the whole, if something breaks out of it.
    pub(in crate::bind) leave: Option<Lifetime>,
    /// Label of one iteration, if something continues with the next.
    pub(in crate::bind) next: Option<Lifetime>,
}

impl Binder<'_> {
    /// Binds the body of a loop that passes through.
    pub(in crate::bind) fn in_rust_loop<T>(
        &mut self,
        label: Option<&syn::Label>,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.walk.exits.0.push(Frame::Rust(label.map(|label| label.name.clone())));
        let result = f(self);
        self.walk.exits.0.pop();
        result
    }

    /// Binds the body of a loop that is staged; says which labels it needs.
    pub(in crate::bind) fn in_staged_loop<T>(
        &mut self,
        label: Option<&syn::Label>,
        f: impl FnOnce(&mut Self) -> T,
    ) -> (T, LoopLabels) {
        let leave = self.names.label("nest");
        let next = self.names.label("step");
        let user = label.map(|label| label.name.clone());
        self.walk.exits.0.push(Frame::Staged {
            user,
            leave: leave.clone(),
            next: next.clone(),
            left: false,
            skipped: false,
        });
        let result = f(self);
        let jumps = match self.walk.exits.0.pop() {
            Some(Frame::Staged { left, skipped, .. }) => {
                LoopLabels { leave: left.then_some(leave), next: skipped.then_some(next) }
            }
            _ => LoopLabels { leave: None, next: None },
        };
        (result, jumps)
    }

    /// Binds a template's body; gives the label that `return` needs, if it stands there.
    pub(in crate::bind) fn in_template<T>(
        &mut self,
        name: &str,
        f: impl FnOnce(&mut Self) -> T,
    ) -> (T, Option<Lifetime>) {
        let leave = self.names.label(name);
        self.walk.exits.0.push(Frame::Template { leave: leave.clone(), left: false });
        let result = f(self);
        let left = matches!(self.walk.exits.0.pop(), Some(Frame::Template { left: true, .. }));
        (result, left.then_some(leave))
    }

    /// Binds the body of a closure.
    pub(in crate::bind) fn in_closure<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.walk.exits.0.push(Frame::Closure);
        let result = f(self);
        self.walk.exits.0.pop();
        result
    }

    /// Binds the body of a block that may be left by its label.
    pub(in crate::bind) fn in_labeled_block<T>(
        &mut self,
        label: &syn::Label,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.walk.exits.0.push(Frame::Block(label.name.clone()));
        let result = f(self);
        self.walk.exits.0.pop();
        result
    }

    /// The label that a `break` (or `continue`) has to name, if not the user's own; the kind of what stands in the
    /// way when it would leave the closure or template that is being staged.
    pub(in crate::bind) fn jump(
        &mut self,
        target: Option<&Lifetime>,
        breaks: bool,
    ) -> Result<Option<Lifetime>, &'static str> {
        for frame in self.walk.exits.0.iter_mut().rev() {
            match frame {
                Frame::Block(label) => {
                    if is(Some(label), target) {
                        return Ok(target.cloned());
                    }
                }
                Frame::Rust(label) => {
                    if target.is_none() || is(label.as_ref(), target) {
                        return Ok(target.cloned());
                    }
                }
                Frame::Staged { user, leave, next, left, skipped } => {
                    if target.is_none() || is(user.as_ref(), target) {
                        return Ok(Some(if breaks {
                            *left = true;
                            leave.clone()
                        } else {
                            *skipped = true;
                            next.clone()
                        }));
                    }
                }
                Frame::Template { .. } => return Err("template or closure"),
                Frame::Closure => return Err("closure"),
            }
        }
        // Outside of any loop: rustc says so.
        Ok(target.cloned())
    }

    /// Where `return` goes: the label of the template's block, or nothing for the function itself.
    pub(in crate::bind) fn return_label(&mut self) -> Option<Lifetime> {
        for frame in self.walk.exits.0.iter_mut().rev() {
            match frame {
                Frame::Template { leave, left } => {
                    *left = true;
                    return Some(leave.clone());
                }
                Frame::Closure => return None,
                Frame::Rust(_) | Frame::Block(_) | Frame::Staged { .. } => {}
            }
        }
        None
    }

    /// `break 'label value`, the template's `return value`.
    pub(in crate::bind) fn leave_template(label: &Lifetime, value: Option<Expr>) -> Expr {
        match value {
            Some(value) => syn::parse_quote!(break #label #value),
            None => syn::parse_quote!(break #label),
        }
    }
}

/// Whether `label` is the one that a jump names.
fn is(label: Option<&Lifetime>, target: Option<&Lifetime>) -> bool {
    matches!((label, target), (Some(label), Some(target)) if hygiene::same(&label.ident, &target.ident))
}
