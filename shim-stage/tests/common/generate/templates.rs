//! Templates and their calls: templates as arguments, and returned tensors.

use std::fmt::Write;

use arbitrary::Result;

use super::{Tensor, Writer};

/// What a template returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returned {
    Value,
    Tensor(usize),
    TensorAndValue(usize),
}

/// A template above.
#[derive(Clone)]
pub(super) struct Template {
    name: String,
    /// The ranks of its tensors.
    ranks: Vec<usize>,
    /// Whether it takes a template of one tensor of the first rank.
    takes: bool,
    returned: Returned,
}

impl Template {
    /// Whether a template that takes one may be given this one.
    fn is_passable(&self) -> bool {
        self.ranks.len() == 1 && !self.takes && self.returned == Returned::Value
    }
}

impl Writer<'_, '_> {
    pub(super) fn template(&mut self) -> Result<()> {
        let name = format!("u{}", self.templates.len());
        let generic = self.flip(2)?;
        let mut ranks: Vec<usize> =
            (0..self.u.int_in_range(1..=2)?).map(|_| self.u.int_in_range(1..=3)).collect::<Result<_>>()?;
        let passable: Vec<usize> =
            self.templates.iter().filter(|own| own.is_passable()).map(|own| own.ranks[0]).collect();
        let takes = !passable.is_empty() && self.flip(1)?;
        if takes {
            ranks[0] = *self.u.choose(&passable)?;
        }
        let _ = write!(self.out, "#[shim::kernel()]\nfn {name}");
        if generic {
            self.put("<const N: usize>");
            self.statics.push("N".to_owned());
        }
        self.put("(");
        if takes {
            self.put("g: impl Template, ");
            self.passed = Some(("g".to_owned(), ranks[0]));
        }
        for (i, rank) in ranks.iter().enumerate() {
            let _ = write!(self.out, "v{i}: impl Tensor<i32, {rank}>, ");
            self.tensors.push(Tensor { name: format!("v{i}"), rank: *rank, writable: true });
        }
        if self.flip(4)? {
            self.put("q: Place<2>, ");
        }
        self.returning = self.flip(2)?;
        if !self.returning {
            self.specialized("k")?;
        }
        self.put("k: i32) ");
        self.numbers.push("k".to_owned());
        self.budget = self.u.int_in_range(1..=6)?;
        let returned = if self.returning {
            self.returning_body()?
        } else {
            if self.flip(1)? {
                self.put("-> i32 ");
            }
            self.block()?;
            Returned::Value
        };
        self.put("\n");
        let name = if generic { format!("{name}::<4>") } else { name };
        self.templates.push(Template { name, ranks, takes, returned });
        self.forget();
        Ok(())
    }

    /// A body that ends in a tensor, behind its return type.
    fn returning_body(&mut self) -> Result<Returned> {
        let signature = self.out.len();
        self.put("{\n");
        self.depth += 1;
        for _ in 0..self.u.int_in_range(0..=2)? {
            self.statement()?;
            self.put("\n");
        }
        self.depth -= 1;
        let pair = self.flip(2)?;
        self.put(if pair { "(" } else { "" });
        let rank = self.view(2)?;
        self.put(if pair { ", k)\n}" } else { "\n}" });
        let (ty, returned) = if pair {
            (format!("-> (impl Tensor<i32, {rank}>, i32) "), Returned::TensorAndValue(rank))
        } else {
            (format!("-> impl Tensor<i32, {rank}> "), Returned::Tensor(rank))
        };
        self.out.insert_str(signature, &ty);
        Ok(returned)
    }

    pub(super) fn call(&mut self) -> Result<()> {
        if let Some((name, rank)) = self.passed.clone()
            && self.flip(1)?
        {
            let _ = write!(self.out, "{name}(");
            self.argument(rank)?;
            self.put(", ");
            self.index(2)?;
            self.put(");");
            return Ok(());
        }
        if self.templates.is_empty() || self.flip(7)? {
            self.put("step(&mut m, ");
            self.element(1)?;
            self.put(");");
            return Ok(());
        }
        let takers: Vec<Template> = self.templates.iter().filter(|own| own.takes).cloned().collect();
        let from = if takers.is_empty() || self.flip(1)? { self.templates.clone() } else { takers };
        let Template { name, ranks, takes, returned } = self.u.choose(&from)?.clone();
        let result = self.fresh("t");
        match returned {
            Returned::Value if self.flip(2)? => self.put("let q = "),
            Returned::Value => {}
            Returned::Tensor(_) => {
                let _ = write!(self.out, "let {result} = ");
            }
            Returned::TensorAndValue(_) => {
                let _ = write!(self.out, "let ({result}, n0) = ");
            }
        }
        let _ = write!(self.out, "{name}(");
        if takes {
            self.passed_template(ranks[0])?;
        }
        for rank in ranks {
            self.argument(rank)?;
            self.put(", ");
        }
        self.index(2)?;
        self.put(");");
        if let Returned::Tensor(rank) | Returned::TensorAndValue(rank) = returned {
            self.tensors.push(Tensor { name: result, rank, writable: false });
        }
        Ok(())
    }

    /// The template that a call passes, mostly one that takes a tensor of this rank.
    fn passed_template(&mut self, rank: usize) -> Result<()> {
        let any = self.wrong()?;
        let fits = |own: &&Template| any || own.is_passable() && own.ranks == [rank];
        let mut names: Vec<String> = self.templates.iter().filter(fits).map(|own| own.name.clone()).collect();
        names.extend(self.passed.iter().filter(|own| own.1 == rank).map(|own| own.0.clone()));
        let name = if names.is_empty() { "missing".to_owned() } else { self.u.choose(&names)?.clone() };
        let _ = write!(self.out, "{name}, ");
        Ok(())
    }

    /// A tensor of this rank, if there is one.
    fn argument(&mut self, rank: usize) -> Result<()> {
        if self.tensors.iter().any(|own| own.rank == rank) {
            return self.view_of_rank(rank);
        }
        self.view(2)?;
        Ok(())
    }
}
