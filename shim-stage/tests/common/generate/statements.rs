//! Statements: what is bound, loops, conditions, reductions, closures, calls and exits.

use std::fmt::Write;

use arbitrary::Result;

use super::Writer;

impl Writer<'_, '_> {
    pub(super) fn number(&mut self) -> Result<()> {
        let name = self.fresh("n");
        let mutable = self.flip(4)?;
        let ty = self.pick(&["", "", ": i32", ": usize", ": u8", ": i128"])?;
        let _ = write!(self.out, "let {}{name}{ty} = ", if mutable { "mut " } else { "" });
        if self.flip(2)? {
            self.value()?;
        } else {
            self.index(3)?;
        }
        self.put(";");
        if mutable { &mut self.mutables } else { &mut self.numbers }.push(name);
        if self.flip(4)?
            && let Some(name) = self.mutables.last().cloned()
        {
            let _ = write!(self.out, " {name} += 1;");
        }
        Ok(())
    }

    pub(super) fn constant(&mut self) -> Result<()> {
        let name = self.pick(&["A", "B", "TABLE"])?;
        if name == "TABLE" {
            self.put("const TABLE: [usize; 4] = [0, 2, 1, 3];");
            self.statics.push("TABLE[1]".to_owned());
            return Ok(());
        }
        let _ = write!(self.out, "const {name}: i32 = ");
        self.small()?;
        let op = self.pick(&[";", " + 1;", " << 2;", " / 2;", " % 3 - 5;"])?;
        self.put(op);
        self.statics.push(name.to_owned());
        Ok(())
    }

    pub(super) fn over_indices(&mut self) -> Result<()> {
        let tensor = self.tensor()?;
        if self.flip(9)? {
            self.put("#[unroll] ");
        }
        let label = self.flip(4)?;
        if label {
            self.put("'a: ");
            self.labels.push("'a".to_owned());
        }
        let names: Vec<String> = (0..tensor.rank).map(|_| self.fresh("y")).collect();
        let _ = write!(self.out, "for [{}] in {}.indices() ", names.join(", "), tensor.name);
        let before = self.indices.len();
        self.indices.extend(names);
        self.block()?;
        self.indices.truncate(before);
        if label {
            self.labels.pop();
        }
        Ok(())
    }

    pub(super) fn over_range(&mut self) -> Result<()> {
        let unroll = self.flip(2)?;
        if unroll {
            self.put("#[unroll] ");
        }
        let name = self.fresh("i");
        let _ = write!(self.out, "for {name} in ");
        let adaptor = if unroll {
            self.pick(&["", "", ".rev()", ".step_by(2)"])?
        } else {
            self.pick(&["", "", ".rev()", ".step_by(2)", ".step_by(0)", ".skip(1)"])?
        };
        if !adaptor.is_empty() {
            self.put("(");
        }
        if unroll {
            self.small()?;
            self.put("..");
            if self.wrong()? { self.some_number()? } else { self.some_static()? }
        } else {
            self.index(1)?;
            let dots = self.pick(&["..", "..="])?;
            self.put(dots);
            self.index(1)?;
        }
        if !adaptor.is_empty() {
            self.put(")");
            self.put(adaptor);
        }
        self.put(" ");
        let before = self.indices.len();
        self.indices.push(name);
        self.block()?;
        self.indices.truncate(before);
        Ok(())
    }

    pub(super) fn any_loop(&mut self) -> Result<()> {
        let head = self.pick(&[
            "while m > 3 ",
            "loop ",
            "for q in rows ",
            "while let Some(q) = next() ",
            "'b: loop ",
            "for (i, q) in rows.iter().enumerate() ",
        ])?;
        self.put(head);
        self.block()
    }

    pub(super) fn test(&mut self) -> Result<()> {
        match self.u.int_in_range(0..=4)? {
            0 => self.value(),
            1 => {
                self.put("let Some(q) = next()");
                Ok(())
            }
            2 => {
                self.some_static()?;
                self.put(" == 3");
                Ok(())
            }
            _ => self.comparison(),
        }
    }

    pub(super) fn comparison(&mut self) -> Result<()> {
        self.index(1)?;
        let op = self.pick(&[" < ", " <= ", " > ", " >= ", " == ", " != "])?;
        self.put(op);
        self.index(1)
    }

    pub(super) fn condition(&mut self) -> Result<()> {
        self.put("if ");
        self.test()?;
        while !self.u.is_empty() && self.flip(2)? {
            let op = self.pick(&[" && ", " || "])?;
            self.put(op);
            self.test()?;
        }
        self.put(" ");
        self.block()?;
        if self.flip(1)? {
            self.put(" else ");
            self.block()?;
        }
        Ok(())
    }

    pub(super) fn choice(&mut self) -> Result<()> {
        self.put("match ");
        self.index(2)?;
        self.put(" { ");
        for _ in 0..self.u.int_in_range(0..=2)? {
            let pattern =
                self.pick(&["0 | 2", "-1", "1..=4", "5..", "q @ 7", "x if x > 3", "A", "(a, b)", "Some(_)"])?;
            let _ = write!(self.out, "{pattern} => ");
            if self.flip(1)? {
                self.block()?;
            } else {
                self.put("drop(");
                self.value()?;
                self.put("),\n");
            }
        }
        self.put("_ => {} }");
        Ok(())
    }

    pub(super) fn reduction(&mut self) -> Result<()> {
        let tensor = self.tensor()?;
        let names = &["i", "j", "l"][..tensor.rank.min(3)];
        let list = names.join(", ");
        let name = self.fresh("n");
        let _ = write!(self.out, "let {name} = {}.indices()", tensor.name);
        self.indices.extend(names.iter().map(|name| (*name).to_owned()));
        if self.flip(2)? {
            let _ = write!(self.out, ".filter(|&[{list}]| ");
            self.comparison()?;
            self.put(")");
        }
        let mapped = self.flip(1)?;
        if mapped {
            let _ = write!(self.out, ".map(|[{list}]| ");
            self.value()?;
            self.put(")");
        }
        let consumer = self.pick(&[
            ".sum::<i32>()",
            ".product::<i64>()",
            ".min()",
            ".max()",
            ".count()",
            ".collect::<Vec<_>>()",
            ".zip(rows)",
            ".any(|q| q == 3)",
            ".all(|[i, j]| src[i] > 2)",
            ".min_by_key(|&q| q)",
            ".max_by_key(|&[i, j]| src[i as usize])",
            ".fold(0, |a, b| a + b)",
            ".for_each(drop)",
            ".rev()",
            ".sum()",
        ])?;
        self.put(consumer);
        self.put(";");
        self.indices.truncate(self.indices.len() - names.len());
        self.numbers.push(name);
        Ok(())
    }

    pub(super) fn closure(&mut self) -> Result<()> {
        let name = self.fresh("f");
        let head = self.pick(&["|i: usize| ", "move |i, j| ", "|| ", "|[i, j]: [i32; 2]| ", "|&i| "])?;
        let _ = write!(self.out, "let {name} = {head}");
        self.numbers.push("i".to_owned());
        if self.flip(1)? {
            self.block()?;
        } else {
            self.value()?;
        }
        self.numbers.pop();
        let _ = write!(self.out, "; let n0 = {name}(m);");
        Ok(())
    }

    pub(super) fn leave(&mut self) -> Result<()> {
        let label = self.labels.last().cloned().unwrap_or_default();
        match self.u.int_in_range(0..=4)? {
            0 => self.put("if m > 7 { return; }"),
            1 => {
                let _ = write!(self.out, "if m > 7 {{ break {label}; }}");
            }
            2 => {
                let _ = write!(self.out, "if src[0] > 7 {{ continue {label}; }}");
            }
            3 => self.put("let q = next()?;"),
            _ => {
                self.put("return ");
                self.value()?;
                self.put(";");
            }
        }
        Ok(())
    }

    pub(super) fn macro_call(&mut self) -> Result<()> {
        let head = self.pick(&[
            "assert!(",
            "println!(\"{}\", ",
            "let q = vec![",
            "debug_assert_eq!(1, ",
            "matches!(",
            "panic!(\"{m}\", ",
        ])?;
        self.put(head);
        self.element(1)?;
        let tail = match head {
            "let q = vec![" => "; 4];",
            "matches!(" => ", 1 | 2);",
            _ => ");",
        };
        self.put(tail);
        Ok(())
    }

    pub(super) fn inner_item(&mut self) -> Result<()> {
        let text = self.pick(&[
            "fn step(a: &mut usize, b: i32) { *a += b as usize; }",
            "struct P { x: i32, y: i32 } let p = P { x: 1, y: m as i32 };",
            "use std::cmp::max; let q = max(h, w);",
            "let q = if h > 2 { 1 } else { 0 };",
            "let (h, w) = (w, h);",
            "let h = h + 1;",
            "{ let w = 3; m = w; }",
            "let q = unsafe { *src.get_unchecked(0) };",
            "dst[0] = 3;",
            "let q = [[1, 2], [3, 4]][1][0];",
        ])?;
        self.put(text);
        Ok(())
    }

    /// A block whose items and patterns hide names that are in use.
    pub(super) fn scope(&mut self) -> Result<()> {
        let head = self.pick(&[
            "",
            "'a: ",
            "if let Some(h) = next() && h > 3 ",
            "while let Some(m) = next() ",
            "for r#h in 0..4 ",
        ])?;
        self.put(head);
        self.put("{ ");
        for _ in 0..self.u.int_in_range(0..=2)? {
            let item = self.pick(&[
                "const h: usize = 3; ",
                "const A: i32 = 2; ",
                "static w: usize = 5; ",
                "use other::A; ",
                "use other::*; ",
                "use other as a; ",
                "type isize = i8; ",
                "type i32 = i64; ",
                "struct usize; ",
                "fn u0(h: i32) -> i32 { h } ",
                "mod a { pub const A: usize = 9; } ",
                "macro_rules! set { ($n:ident, $e:expr) => { let $n = $e; }; } ",
                "macro_rules! assert { ($($t:tt)*) => {}; } ",
                "let Some(r#w) = next() else { return }; ",
            ])?;
            self.put(item);
        }
        self.block()?;
        self.put(" }");
        Ok(())
    }

    /// A macro that may define or assign what it is given, or any item.
    pub(super) fn macro_statement(&mut self) -> Result<()> {
        let text = self.pick(&[
            "set!(h, 1000usize);",
            "set! { r#w, 3 }",
            "items!();",
            "bump!(m);",
            "let pattern!(h) = next();",
            "helpers::set!(r, -3);",
            "let q = |id!(w): usize| w + h;",
            "println!(\"{h} {w:>m$} {r#r}\");",
            "let h = { set!(h, 3); h };",
        ])?;
        self.put(text);
        Ok(())
    }
}
