//! Integers: literals, names and index arithmetic.

use std::fmt::Write;

use arbitrary::Result;

use super::Writer;

impl Writer<'_, '_> {
    pub(super) fn small(&mut self) -> Result<()> {
        let value = self.u.int_in_range(0..=9)?;
        let _ = write!(self.out, "{value}");
        Ok(())
    }

    pub(super) fn some_number(&mut self) -> Result<()> {
        if self.numbers.is_empty() {
            return self.small();
        }
        let name = self.u.choose(&self.numbers)?.clone();
        self.put(&name);
        Ok(())
    }

    pub(super) fn some_index(&mut self) -> Result<()> {
        if self.indices.is_empty() {
            return self.some_number();
        }
        let name = self.u.choose(&self.indices)?.clone();
        self.put(&name);
        Ok(())
    }

    pub(super) fn some_static(&mut self) -> Result<()> {
        if self.statics.is_empty() {
            return self.small();
        }
        let name = self.u.choose(&self.statics)?.clone();
        self.put(&name);
        Ok(())
    }

    pub(super) fn operand(&mut self) -> Result<()> {
        let text = self.pick(&[
            "next()",
            "src[0] as usize",
            "(h as i32)",
            "self.n",
            "p.0",
            "src.len()",
            "h.min(w)",
            "M",
            "i32::MAX",
            "{ m += 1; m }",
        ])?;
        self.put(text);
        Ok(())
    }

    pub(super) fn extreme(&mut self) -> Result<()> {
        let text = self.pick(&[
            "9223372036854775807",
            "-9223372036854775808",
            "2147483647",
            "4294967296",
            "-1",
            "1 << 62",
            "170141183460469231731687303715884105727",
        ])?;
        self.put(text);
        Ok(())
    }

    /// Index arithmetic.
    pub(super) fn index(&mut self, depth: usize) -> Result<()> {
        if self.wrong()? {
            return self.one_of(&[Self::extreme, Self::operand]);
        }
        if depth == 0 || self.u.is_empty() || self.flip(1)? {
            return self.one_of(&[
                Self::some_index,
                Self::some_index,
                Self::some_index,
                Self::some_number,
                Self::small,
                Self::some_static,
                Self::operand,
            ]);
        }
        match self.u.int_in_range(0..=9)? {
            0 => {
                self.put("-");
                self.index(depth - 1)?;
            }
            1 => {
                self.put("(");
                self.index(depth - 1)?;
                self.put(")");
            }
            2 => {
                let tensor = self.tensor()?;
                let query = self.pick(&["extent", "origin"])?;
                let axis = self.u.int_in_range(0..=tensor.rank - 1)?;
                let _ = write!(self.out, "{}.{query}({axis})", tensor.name);
            }
            3 if depth > 1 => self.element(depth - 1)?,
            4 => {
                self.put("(");
                self.index(depth - 1)?;
                let ty = self.pick(&[" as usize)", " as i32)", " as u8)", " as i64)"])?;
                self.put(ty);
            }
            _ => {
                let op = self.pick(&[
                    " + ", " - ", " * ", " / ", " % ", " << ", " >> ", " & ", " | ", " ^ ", " + ", " - ",
                ])?;
                self.put("(");
                self.index(depth - 1)?;
                self.put(op);
                match op {
                    " / " | " % " | " << " | " >> " if self.flip(1)? => self.put("4"),
                    _ => self.index(depth - 1)?,
                }
                self.put(")");
            }
        }
        Ok(())
    }
}
