//! Elements, values made of them, and assignments.

use std::fmt::Write;

use arbitrary::Result;

use super::{Tensor, Writer};

impl Writer<'_, '_> {
    pub(super) fn element(&mut self, depth: usize) -> Result<()> {
        let base = self.tensor()?;
        self.element_of(&base, depth)
    }

    /// A tensor that may be written, if there is any.
    pub(super) fn writable(&mut self) -> Result<Tensor> {
        for _ in 0..4 {
            let tensor = self.tensor()?;
            if tensor.writable {
                return Ok(tensor);
            }
        }
        self.tensor()
    }

    pub(super) fn element_of(&mut self, base: &Tensor, depth: usize) -> Result<()> {
        let rank = self.view_of(base, 1)?;
        let given = if self.flip(5)? { self.u.int_in_range(1..=rank.max(1))? } else { rank };
        self.put("[");
        self.list(given, |this, _| this.index(depth))?;
        self.put("]");
        Ok(())
    }

    /// A value of Rust.
    pub(super) fn value(&mut self) -> Result<()> {
        match self.u.int_in_range(0..=9)? {
            0..=3 => self.element(2),
            4 | 5 => {
                self.element(1)?;
                let op = self.pick(&[" + ", " - ", " * ", " >> ", " == ", " && ", " as u8 + "])?;
                self.put(op);
                self.value()
            }
            6 => self.index(2),
            7 => {
                let tensor = self.tensor()?;
                let method = self.pick(&["contains", "get"])?;
                let _ = write!(self.out, "{}.{method}(", tensor.name);
                self.list(tensor.rank, |this, _| this.index(1))?;
                self.put(")");
                if method == "get" {
                    let rest = self.pick(&[
                        "",
                        ".unwrap_or(0)",
                        ".map(|v| v + 1)",
                        ".is_some_and(|v| v > m as i32)",
                        "?",
                    ])?;
                    self.put(if self.returning && rest == "?" { "" } else { rest });
                }
                Ok(())
            }
            8 => {
                self.put("(");
                self.element(1)?;
                let method = self.pick(&[").abs()", ").clamp(0, 255)", ").field.len()", ").unknown(m)"])?;
                self.put(method);
                Ok(())
            }
            _ => {
                self.put("&mut ");
                let to = self.writable()?;
                self.element_of(&to, 1)
            }
        }
    }

    pub(super) fn assign(&mut self) -> Result<()> {
        let to = self.writable()?;
        self.element_of(&to, 2)?;
        let op = self.pick(&[" = ", " = ", " += ", " -= ", " >>= "])?;
        self.put(op);
        self.value()?;
        self.put(";");
        Ok(())
    }

    pub(super) fn elementwise(&mut self) -> Result<()> {
        let tensor = self.writable()?;
        let names = &["i", "j", "l"][..tensor.rank.min(3)];
        let _ = write!(self.out, "let [{}] = iters(); ", names.join(", "));
        let _ = write!(self.out, "{}[[{}]] = ", tensor.name, names.join(", "));
        self.indices.extend(names.iter().map(|name| (*name).to_owned()));
        self.value()?;
        self.put(";");
        self.indices.truncate(self.indices.len() - names.len());
        Ok(())
    }
}
