//! Tensor expressions: blocks, where they stand, and views of them.

use std::fmt::Write;

use arbitrary::Result;

use super::{Tensor, Writer};

impl Writer<'_, '_> {
    pub(super) fn make_block(&mut self) -> Result<()> {
        let name = self.fresh("t");
        let rank = self.u.int_in_range(1..=3)?;
        let _ = write!(self.out, "let {name} = ");
        match self.u.int_in_range(0..=9)? {
            0..=5 => {
                let memory = if self.wrong()? {
                    self.pick(&["h", "*src", "t1", "{ m += 1; wide }"])?
                } else {
                    self.pick(&[
                        "src",
                        "wide",
                        "dst",
                        "&wide[..]",
                        "&mut dst[1..]",
                        "self.data",
                        "rows",
                        "src as *const u8",
                    ])?
                };
                let rank = if memory == "rows" { 2 } else { rank };
                let _ = write!(self.out, "Block::external({memory}, ");
                self.extents(rank)?;
                self.put(")");
                self.place(rank)?;
                self.put(";");
                self.tensors.push(Tensor { name, rank, writable: true });
                return Ok(());
            }
            6 | 7 => {
                self.put("Block::heap::<i32>(");
                self.extents(rank)?;
                self.put(")");
            }
            _ => {
                self.put("Block::stack::<i32>(");
                self.list(rank, |this, _| this.small())?;
                self.put(")");
            }
        }
        self.place(rank)?;
        self.put(";");
        self.tensors.push(Tensor { name, rank, writable: true });
        Ok(())
    }

    pub(super) fn extents(&mut self, rank: usize) -> Result<()> {
        let shaped = self.flip(4)?;
        self.list(rank, |this, axis| {
            if shaped && axis > 0 && this.flip(2)? {
                return this.dependent_extent(axis);
            }
            if this.flip(2)? { this.index(1) } else { this.one_of(&[Self::small, Self::some_number]) }
        })
    }

    /// An extent that depends on indices.
    fn dependent_extent(&mut self, axis: usize) -> Result<()> {
        let extents: &[&str] = match axis {
            1 => &[
                "|i| i + 1",
                "|i| 5 - i",
                "|i| 2 * i + h",
                "|i| (i + 2).min(h) - i.saturating_sub(1)",
                "|i| if i < 3 { 4 } else { w }",
                "|i| 1 << i",
                "|i| wide[i]",
                "|i| wide[i]..wide[i + 1]",
                "|i| i * i",
                "|_| 3",
                "|i, j| i + j",
            ],
            _ => &[
                "|i, j| i + j",
                "|_, j| 2 * j",
                "|i| i + 1",
                "|i, j| wide[j]",
                "|i, j| i - j",
                "|i| src[i]..src[i + 1]",
            ],
        };
        let extent = self.pick(extents)?;
        self.put(extent);
        Ok(())
    }

    pub(super) fn place(&mut self, rank: usize) -> Result<()> {
        if self.flip(2)? {
            self.put(".at(");
            match self.some_place(rank)? {
                Some(place) => self.put(&place),
                None => self.list(rank, |this, _| this.index(2))?,
            }
            self.put(")");
        }
        if self.flip(3)? {
            let method = self.pick(&[".refined(", ".coarsened("])?;
            self.put(method);
            self.list(rank, |this, _| this.factor())?;
            self.put(")");
        }
        if self.flip(5)? {
            self.put(".permuted(");
            self.permutation(rank)?;
            self.put(")");
        }
        if self.flip(4)? {
            self.put(".stored(");
            self.order(rank, 2)?;
            self.put(")");
        }
        if self.flip(9)? {
            let shift = self.u.int_in_range(0..=6)?;
            self.put(".on_axes(");
            self.list(rank, |this, axis| {
                let _ = write!(this.out, "{}", axis + shift);
                Ok(())
            })?;
            self.put(")");
        }
        Ok(())
    }

    /// An order of elements, made of so many others at most.
    pub(super) fn order(&mut self, rank: usize, depth: usize) -> Result<()> {
        match self.u.int_in_range(0..=if depth == 0 { 5 } else { 9 })? {
            0..=2 => {
                let words = [
                    "row_major",
                    "column_major",
                    "morton",
                    "antidiagonal",
                    "zigzag",
                    "hilbert",
                    "swizzle",
                    "h",
                ];
                let word = self.pick(&words)?;
                self.put(word);
            }
            3 => {
                self.put("axes(");
                self.permutation(rank)?;
                self.put(")");
            }
            4 => {
                let word = self.pick(&["swizzle(", "lanes("])?;
                self.put(word);
                self.factor()?;
                self.put(")");
            }
            5 => {
                let places =
                    ["|[i, j]| i", "|[i, j]| 4 * j + i", "|i| 7 - i", "|[i, j]| i * h", "|p| p", "|i| i / 0"];
                let place = self.pick(&places)?;
                let _ = write!(self.out, "by({place})");
            }
            6 | 7 => {
                self.put("tile(");
                self.list(rank, |this, _| this.factor())?;
                self.put(")");
                for part in [".outer(", ".inner("] {
                    if self.u.arbitrary()? {
                        self.put(part);
                        self.order(rank, depth - 1)?;
                        self.put(")");
                    }
                }
            }
            8 => {
                self.order(rank, depth - 1)?;
                self.put(".reversed()");
            }
            _ => {
                self.order(rank, depth - 1)?;
                let rank = self.u.int_in_range(1..=3)?;
                self.put(".then(");
                self.list(rank, |this, _| this.small())?;
                self.put(", ");
                self.order(rank, depth - 1)?;
                self.put(")");
            }
        }
        Ok(())
    }

    pub(super) fn permutation(&mut self, rank: usize) -> Result<()> {
        let mut axes: Vec<usize> = (0..rank).collect();
        for i in (1..rank).rev() {
            axes.swap(i, self.u.int_in_range(0..=i)?);
        }
        if self.wrong()? && rank > 1 {
            axes[0] = axes[1];
        }
        self.list(rank, |this, i| {
            let _ = write!(this.out, "{}", axes[i]);
            Ok(())
        })
    }

    pub(super) fn factor(&mut self) -> Result<()> {
        if self.wrong()? {
            let text = self.pick(&["0", "-1", "h", "1 << 62", "4294967296 * 4294967296", "2.0"])?;
            self.put(text);
            return Ok(());
        }
        let text = self.pick(&["1", "2", "3", "4", "16", "1 + 1"])?;
        self.put(text);
        Ok(())
    }

    pub(super) fn tensor(&mut self) -> Result<Tensor> {
        if self.tensors.is_empty() || self.wrong()? {
            let name = self.pick(&["src", "h", "missing", "t99"])?;
            return Ok(Tensor { name: name.to_owned(), rank: 2, writable: true });
        }
        Ok(self.u.choose(&self.tensors)?.clone())
    }

    /// A tensor expression; its rank.
    pub(super) fn view(&mut self, depth: usize) -> Result<usize> {
        let base = self.tensor()?;
        self.view_of(&base, depth)
    }

    pub(super) fn view_of(&mut self, base: &Tensor, depth: usize) -> Result<usize> {
        self.put(&base.name);
        let mut rank = base.rank;
        for _ in 0..self.u.int_in_range(0..=depth)? {
            match self.u.int_in_range(0..=15)? {
                0 => {
                    self.put(".permute(");
                    self.permutation(rank)?;
                    self.put(")");
                }
                1 | 2 => {
                    let method = self.pick(&[".refine(", ".coarsen("])?;
                    self.put(method);
                    self.list(rank, |this, _| this.factor())?;
                    self.put(")");
                }
                3 if rank > 1 => {
                    let axis = self.u.int_in_range(0..=rank - 1)?;
                    let _ = write!(self.out, ".slice({axis}, ");
                    self.index(2)?;
                    self.put(")");
                    rank -= 1;
                }
                4 | 5 => rank = self.partition(rank)?,
                6 => {
                    self.put("[");
                    let other = self.tensor()?;
                    self.put(&other.name.clone());
                    self.put("]");
                    rank = other.rank;
                }
                7 => {
                    let other = self.tensor()?;
                    let _ = write!(self.out, ".footprint({})", other.name);
                }
                8 => {
                    self.put(".coverage(");
                    self.list(rank, |this, _| this.index(1))?;
                    let other = self.tensor()?;
                    let _ = write!(self.out, ", {})", other.name);
                }
                9 => {
                    self.put(".shifted(");
                    self.list(rank, |this, _| this.index(1))?;
                    self.put(")");
                }
                10 if self.flip(3)? => self.put(".place()"),
                10 if self.flip(4)? => self.put(".dense()"),
                10 if self.flip(4)? => {
                    self.put(".shaped(");
                    self.extents(rank)?;
                    self.put(")");
                }
                10 if self.flip(4)? => {
                    let other = self.tensor()?;
                    let _ = write!(self.out, ".or({})", other.name);
                }
                10 if self.flip(2)? => {
                    rank = self.u.int_in_range(1..=3)?;
                    self.put(".reshape(");
                    self.list(rank, |this, _| this.small())?;
                    self.put(")");
                }
                11 if self.flip(2)? => {
                    let given = self.u.int_in_range(1..=2)?;
                    self.put(".select(");
                    self.list(given, |this, _| this.small())?;
                    let index = if given == 1 { "|i|" } else { "|[i, j]|" };
                    let places = [
                        "i",
                        "[i, 0]",
                        "[2 - i, i % 2]",
                        "{ let k = i * 3; [k / 2, k % 2] }",
                        "[i, h]",
                        "i / 0",
                        "[]",
                    ];
                    let place = self.pick(&places)?;
                    let _ = write!(self.out, ", {index} {place})");
                    rank = given;
                }
                12 | 13 => self.within(rank)?,
                14 => {
                    let Some(place) = self.some_place(rank)? else { continue };
                    if self.flip(2)? {
                        let _ = write!(self.out, ".footprint({place})");
                    } else {
                        let _ = write!(self.out, "[{place}]");
                    }
                }
                11 => {
                    let ty = self.pick(&["i32", "u8", "f32", "i64", "Vec<u8>"])?;
                    let _ = write!(self.out, ".cast::<{ty}>()");
                }
                _ => {
                    let rule = if self.wrong()? {
                        self.pick(&["Blur", "Fill", "Clamp(1)", "3"])?
                    } else {
                        self.pick(&["Clamp", "Mirror", "Wrap", "Fill(7)", "Fill(m as i32)"])?
                    };
                    let _ = write!(self.out, ".boundary({rule})");
                }
            }
        }
        Ok(rank)
    }

    pub(super) fn partition(&mut self, rank: usize) -> Result<usize> {
        let mut left = rank;
        let mut first = true;
        self.put("[");
        self.list(rank, |this, axis| {
            if !first && left > 1 && this.flip(3)? || axis > 0 && left > 1 && this.flip(5)? {
                left -= 1;
                return this.index(1);
            }
            first = false;
            match this.u.int_in_range(0..=5)? {
                0 => this.put(".."),
                1 => {
                    this.index(1)?;
                    this.put("..");
                    this.index(1)?;
                }
                2 => {
                    this.some_number()?;
                    this.put("..");
                    let by = this.u.int_in_range(1..=16)?;
                    this.some_number()?;
                    let _ = write!(this.out, " + {by}");
                }
                3 => {
                    this.put("(0..");
                    this.index(1)?;
                    this.put(").step_by(");
                    this.factor()?;
                    this.put(")");
                }
                4 => {
                    this.put("..=");
                    this.index(1)?;
                }
                _ => {
                    this.index(1)?;
                    this.put("..");
                }
            }
            Ok(())
        })?;
        self.put("]");
        Ok(left)
    }

    pub(super) fn make_view(&mut self) -> Result<()> {
        let name = self.fresh("t");
        let _ = write!(self.out, "let {name} = ");
        let base = self.tensor()?;
        let rank = self.view_of(&base, 4)?;
        let mut writable = base.writable;
        match self.u.int_in_range(0..=7)? {
            0 => self.put(".to_block()"),
            1 if self.flip(3)? => self.put(".to_stack()"),
            2 => self.put(".to_block().copied()"),
            _ => writable |= self.wrong()?,
        }
        self.put(";");
        self.tensors.push(Tensor { name, rank, writable });
        Ok(())
    }

    pub(super) fn pair(&mut self) -> Result<()> {
        let (a, b) = (self.fresh("t"), self.fresh("t"));
        let _ = write!(self.out, "let ({a}, {b}) = (");
        let first = self.view(2)?;
        self.put(", ");
        let second = self.view(2)?;
        self.put(");");
        self.tensors.push(Tensor { name: a, rank: first, writable: false });
        self.tensors.push(Tensor { name: b, rank: second, writable: false });
        Ok(())
    }
}
