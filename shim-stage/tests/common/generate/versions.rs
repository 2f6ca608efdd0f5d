//! Forms that stage what follows more than once, and conditions on elements: `#[specialize]`, choices between tensors,
//! `within`, `get`.

use std::fmt::Write;

use arbitrary::Result;

use super::{Tensor, Writer};

impl Writer<'_, '_> {
    /// The attribute before a parameter that has versions, or nothing.
    pub(super) fn specialized(&mut self, name: &str) -> Result<()> {
        if self.choices == 0 || !self.flip(4)? {
            return Ok(());
        }
        self.choices -= 1;
        let values = if self.wrong()? {
            self.pick(&["_", "1 | 1", "h", "1..", "-1 | 3", "true", "0..=100000"])?
        } else {
            self.pick(&["1 | 2", "2 | 4 | _", "1..=3", "8 | _"])?
        };
        let _ = write!(self.out, "#[specialize({values})] ");
        if !values.contains('_') {
            self.statics.push(name.to_owned());
        }
        Ok(())
    }

    /// A view of one of the tensors of this rank; it has the rank as well.
    pub(super) fn view_of_rank(&mut self, rank: usize) -> Result<()> {
        let fits: Vec<Tensor> = self.tensors.iter().filter(|own| own.rank == rank).cloned().collect();
        let base = self.u.choose(&fits)?.clone();
        let start = self.out.len();
        if self.view_of(&base, 2)? != rank {
            self.out.truncate(start);
            self.put(&base.name);
        }
        Ok(())
    }

    /// A tensor, or two, that a condition chooses.
    pub(super) fn choose_tensor(&mut self) -> Result<()> {
        if self.choices == 0 {
            return self.make_view();
        }
        self.choices -= 1;
        let first = self.tensor()?.rank;
        if !self.tensors.iter().any(|own| own.rank == first) {
            return self.make_block();
        }
        let pair = self.flip(3)?;
        let (a, b) = (self.fresh("t"), self.fresh("t"));
        if pair {
            let _ = write!(self.out, "let ({a}, {b}) = ");
        } else {
            let _ = write!(self.out, "let {a} = ");
        }
        if self.flip(1)? {
            self.put("if ");
            self.comparison()?;
            self.put(" { ");
            self.branch(first, pair)?;
            self.put(" } else { ");
            self.branch(first, pair)?;
            self.put(" };");
        } else {
            self.put("match m { 0 => ");
            self.branch(first, pair)?;
            self.put(", 1 | 2 => ");
            self.branch(first, pair)?;
            self.put(", _ => ");
            let exit = self.pick(&["return", "panic!()", "{ m += 1; return; }"])?;
            if self.flip(1)? {
                self.branch(first, pair)?;
            } else {
                self.put(exit);
            }
            self.put(" };");
        }
        self.tensors.push(Tensor { name: a, rank: first, writable: false });
        if pair {
            self.tensors.push(Tensor { name: b, rank: first, writable: false });
        }
        Ok(())
    }

    fn branch(&mut self, rank: usize, pair: bool) -> Result<()> {
        if !pair {
            return self.view_of_rank(rank);
        }
        self.put("(");
        self.view_of_rank(rank)?;
        self.put(", ");
        self.view_of_rank(rank)?;
        self.put(")");
        Ok(())
    }

    /// A predicate behind a view.
    pub(super) fn within(&mut self, rank: usize) -> Result<()> {
        self.put(".within(|");
        let whole = self.flip(3)?;
        let names = &["a", "b", "c"][..rank.min(3)];
        if whole {
            self.put("p");
        } else {
            let _ = write!(self.out, "[{}]", names.join(", "));
        }
        self.put("| ");
        let before = self.indices.len();
        if !whole {
            self.indices.extend(names.iter().map(|name| (*name).to_owned()));
        }
        match self.u.int_in_range(0..=2)? {
            0 => self.comparison()?,
            1 => {
                let other = self.tensor()?.name;
                if whole {
                    let _ = write!(self.out, "{other}[p] > 1");
                } else {
                    let _ = write!(self.out, "{other}[[{}]] > 1", names.join(", "));
                }
            }
            _ => {
                let other = self.tensor()?;
                let _ = write!(self.out, "{}.get(", other.name);
                self.list(other.rank, |this, _| this.index(1))?;
                self.put(").is_some_and(|v| v == 2)");
            }
        }
        self.indices.truncate(before);
        self.put(")");
        if self.flip(1)? {
            self.put(".boundary(Fill(3))");
        }
        Ok(())
    }

    /// A condition on an element that there may not be.
    pub(super) fn optional(&mut self) -> Result<()> {
        let tensor = self.tensor()?;
        let condition = self.flip(1)?;
        self.put(if condition { "if let Some(e) = " } else { "let Some(e) = " });
        let _ = write!(self.out, "{}.get(", tensor.name);
        self.list(tensor.rank, |this, _| this.index(1))?;
        self.put(")");
        if !condition {
            self.put(" else { return };");
            return Ok(());
        }
        self.put(" ");
        self.numbers.push("e".to_owned());
        self.block()?;
        self.numbers.retain(|name| name != "e");
        Ok(())
    }
}
