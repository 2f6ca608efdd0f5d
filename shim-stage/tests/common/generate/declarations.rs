//! Located structs and staged constants above the functions, and what kernels have of them; places.

use std::fmt::Write;

use arbitrary::Result;

use super::{Tensor, Writer};

impl Writer<'_, '_> {
    /// The items above all functions; the last attribute of each is that of its kind.
    pub(super) fn declarations(&mut self) -> Result<()> {
        if self.flip(1)? {
            self.located = true;
            let shape = self.pick(&["h, w", "2 * h, w + 1", "h, 4", "crate::N * h, w"])?;
            let first = self.placements(2)?;
            let second = self.placements(1)?;
            let wrong = if self.wrong()? { "#[coarsened(2)] wrong: i32, " } else { "" };
            let _ = writeln!(
                self.out,
                "#[shim::located] struct L {{ h: usize, w: usize, #[shape({shape})] {first}base: Vec<i32>, \
                 #[shape(h)] {second}line: Vec<i32>, {wrong}other: String }}"
            );
        }
        for (name, item, value) in [
            ("SCAN", "SCAN: [[usize; 2]; 3] = [[0, 1], [1, 0], [2, 2]]", "SCAN[1][0]"),
            ("SIDE", "SIDE: usize = 1 << 2", "SIDE"),
            ("PAIR", "PAIR: ([i8; 2], bool) = ([-1, 3], 3 > 2)", "PAIR.0[1]"),
        ] {
            if self.flip(2)? {
                let item = if self.wrong()? { "SIDE: usize = other()" } else { item };
                let _ = writeln!(self.out, "#[shim::constant] pub const {item};");
                self.constants.push((name, value));
            }
        }
        Ok(())
    }

    /// Attributes that place a parameter or a field.
    pub(super) fn placements(&mut self, rank: usize) -> Result<String> {
        let mut words = String::new();
        for (word, entries) in [
            ("at", ["4, 2", "-1, 3"]),
            ("coarsened", ["2, 2", "4, 1"]),
            ("refined", ["2, 4", "1, 3"]),
            ("permuted", ["1, 0", "0, 1"]),
            ("strided", ["16, 1", "1, 16"]),
        ] {
            if word == "permuted" && rank != 2 || !self.flip(5)? {
                continue;
            }
            let entries = *self.u.choose(&entries)?;
            let entries =
                if rank == 1 { entries.split_once(", ").map_or(entries, |two| two.0) } else { entries };
            let _ = write!(words, "#[{word}({entries})] ");
        }
        Ok(words)
    }

    /// Parameters of a kernel that have a location: a located struct, memory with placements, places.
    pub(super) fn located_parameters(&mut self) -> Result<()> {
        if self.located && self.flip(1)? {
            let writable = self.flip(1)?;
            let _ = write!(self.out, "#[located] pic: &{}L, ", if writable { "mut " } else { "" });
            for (name, rank) in [("pic.base", 2), ("pic.line", 1)] {
                self.tensors.push(Tensor { name: name.to_owned(), rank, writable });
            }
            self.numbers.push("pic.h".to_owned());
        }
        for (name, rank) in [("plane", 2), ("row", 1)] {
            if self.flip(2)? {
                let words = self.placements(rank)?;
                let shape = if rank == 2 { "h, w" } else { "2 * w" };
                let writable = self.flip(1)?;
                let _ = write!(
                    self.out,
                    "#[shape({shape})] {words}{name}: &{}[i32], ",
                    if writable { "mut " } else { "" }
                );
                self.tensors.push(Tensor { name: name.to_owned(), rank, writable });
            }
        }
        for (name, rank) in [("area", 2), ("span", 1)] {
            if self.flip(2)? {
                let shape = if rank == 2 {
                    self.pick(&["", "", "#[shape(4, 4)] ", "#[shape(h, w)] ", "#[shape(z0, z1)] "])?
                } else {
                    self.pick(&["", "", "#[shape(8)] ", "#[shape(z2)] "])?
                };
                let _ = write!(self.out, "{shape}{name}: Place<{rank}>, ");
                self.places.push((name.to_owned(), rank));
            }
        }
        Ok(())
    }

    /// The name of a place, mostly of this rank.
    pub(super) fn some_place(&mut self, rank: usize) -> Result<Option<String>> {
        let any = self.wrong()?;
        let fits: Vec<&(String, usize)> = self.places.iter().filter(|own| any || own.1 == rank).collect();
        if fits.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.u.choose(&fits)?.0.clone()))
    }

    pub(super) fn bind_place(&mut self) -> Result<()> {
        let tensor = self.tensor()?;
        let name = self.fresh("z");
        if self.flip(1)? {
            let _ = write!(self.out, "let {name}: Place<{}> = {}.place();", tensor.rank, tensor.name);
        } else {
            let _ = write!(self.out, "let {name}: Place<{}> = Place::new(", tensor.rank);
            self.list(tensor.rank, |this, _| {
                this.index(1)?;
                this.put(" as isize");
                Ok(())
            })?;
            self.put(", ");
            self.list(tensor.rank, |this, _| this.small())?;
            self.put(");");
        }
        self.places.push((name, tensor.rank));
        Ok(())
    }

    pub(super) fn staged_import(&mut self) -> Result<()> {
        if self.constants.is_empty() || self.wrong()? {
            let text = self.pick(&[
                "const SIDE: usize = 4;",
                "#[staged] use other::*;",
                "#[staged] use SIDE as S;",
            ])?;
            self.put(if self.nonsense == u16::MAX { "const SIDE: usize = 4;" } else { text });
            return Ok(());
        }
        let (name, value) = *self.u.choose(&self.constants)?;
        let _ = write!(self.out, "#[staged] use crate::{name};");
        self.statics.push(value.to_owned());
        Ok(())
    }
}
