//! Kernels over the whole surface language, made from arbitrary bytes: mostly in order, here and there nonsense.

use std::fmt::Write;

use arbitrary::{Result, Unstructured};

/// A tensor in scope.
#[derive(Clone)]
struct Tensor {
    name: String,
    rank: usize,
    /// Whether its memory may be written.
    writable: bool,
}

struct Writer<'u, 'a> {
    u: &'u mut Unstructured<'a>,
    out: String,
    tensors: Vec<Tensor>,
    /// Integers that are known at run time.
    numbers: Vec<String>,
    /// Variables of index loops.
    indices: Vec<String>,
    /// Names that are static.
    statics: Vec<String>,
    /// Locals that change.
    mutables: Vec<String>,
    labels: Vec<String>,
    /// Templates above: name and the ranks of their tensors.
    templates: Vec<(String, Vec<usize>)>,
    /// How deep blocks are nested.
    depth: usize,
    /// How many statements may still be written.
    budget: usize,
    names: usize,
    /// One mistake in so many choices.
    nonsense: u16,
}

/// A file of templates and kernels that call them; the last attribute of each function is the kernel's.
pub(crate) fn file(u: &mut Unstructured<'_>) -> Result<String> {
    let nonsense = *u.choose(&[u16::MAX, 400, 100, 30])?;
    let mut writer = Writer {
        u,
        out: String::new(),
        tensors: Vec::new(),
        numbers: Vec::new(),
        indices: Vec::new(),
        statics: Vec::new(),
        mutables: Vec::new(),
        labels: Vec::new(),
        templates: Vec::new(),
        depth: 0,
        budget: 0,
        names: 0,
        nonsense,
    };
    for _ in 0..writer.u.int_in_range(0..=2)? {
        writer.template()?;
    }
    writer.kernel()?;
    Ok(writer.out)
}

type Part<'u, 'a> = fn(&mut Writer<'u, 'a>) -> Result<()>;

impl<'u, 'a> Writer<'u, 'a> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn fresh(&mut self, hint: &str) -> String {
        self.names += 1;
        // Now and then a name that is taken, so that it is shadowed.
        format!("{hint}{}", self.names % 7)
    }

    fn pick(&mut self, from: &[&'static str]) -> Result<&'static str> {
        Ok(self.u.choose(from)?)
    }

    fn one_of(&mut self, parts: &[Part<'u, 'a>]) -> Result<()> {
        let part = *self.u.choose(parts)?;
        part(self)
    }

    /// Whether to write something wrong here.
    fn wrong(&mut self) -> Result<bool> {
        Ok(self.nonsense != u16::MAX && self.u.int_in_range(0..=self.nonsense)? == 0)
    }

    fn flip(&mut self, of: u8) -> Result<bool> {
        Ok(self.u.int_in_range(0..=of)? == 0)
    }

    fn list(&mut self, length: usize, mut entry: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<()> {
        self.put("[");
        for i in 0..length {
            if i > 0 {
                self.put(", ");
            }
            entry(self, i)?;
        }
        self.put("]");
        Ok(())
    }

    fn template(&mut self) -> Result<()> {
        let name = format!("t{}", self.templates.len());
        let generic = self.flip(2)?;
        let ranks: Vec<usize> =
            (0..self.u.int_in_range(1..=2)?).map(|_| self.u.int_in_range(1..=3)).collect::<Result<_>>()?;
        let _ = write!(self.out, "#[shim::kernel()]\nfn {name}");
        if generic {
            self.put("<const N: usize>");
            self.statics.push("N".to_owned());
        }
        self.put("(");
        for (i, rank) in ranks.iter().enumerate() {
            let _ = write!(self.out, "v{i}: impl Tensor<i32, {rank}>, ");
            self.tensors.push(Tensor { name: format!("v{i}"), rank: *rank, writable: true });
        }
        self.put("k: i32) ");
        self.numbers.push("k".to_owned());
        if self.flip(1)? {
            self.put("-> i32 ");
        }
        self.budget = self.u.int_in_range(1..=6)?;
        self.block()?;
        self.put("\n");
        let name = if generic { format!("{name}::<4>") } else { name };
        self.templates.push((name, ranks));
        self.forget();
        Ok(())
    }

    fn forget(&mut self) {
        self.tensors.clear();
        self.numbers.clear();
        self.indices.clear();
        self.statics.clear();
        self.mutables.clear();
        self.labels.clear();
    }

    fn kernel(&mut self) -> Result<()> {
        let options = if self.wrong()? {
            self.pick(&["smid", "simd = 3", "simd checks", "checks = 1"])?
        } else {
            self.pick(&["", "", "", "simd", "checks = \"every\"", "simd, crate = a::b"])?
        };
        let head = if self.wrong()? {
            self.pick(&["const fn", "async fn"])?
        } else {
            self.pick(&["fn", "fn", "pub fn", "unsafe fn", "unsafe fn", "pub extern \"C\" fn"])?
        };
        let generics = self.pick(&["", "", "", "<const M: usize>", "<'a, T: Copy>"])?;
        let _ = write!(
            self.out,
            "#[shim::kernel({options})]\n{head} k{generics}(src: &[u8], wide: &[i32], dst: &mut [i32], rows: &[&[u8]], \
             h: usize, w: usize, r: isize, mut m: usize, "
        );
        for (name, rank) in [("view", 2), ("cube", 3), ("line", 1)] {
            if self.flip(2)? {
                let shape = match (self.u.int_in_range(0..=3)?, rank) {
                    (0, 1) => "#[shape(w)] ",
                    (0, 2) => "#[shape(h, 4)] ",
                    (0, _) => "#[shape(h, w, 3)] ",
                    _ if self.wrong()? => "#[shape(4, 4)] ",
                    _ => "",
                };
                let writable = self.flip(1)?;
                let ty = if writable {
                    self.pick(&["ViewMut<'_, i32, ", "&mut Block<u8, "])?
                } else {
                    self.pick(&["View<'_, u8, ", "&Block<i32, "])?
                };
                let _ = write!(self.out, "{shape}{name}: {ty}{rank}>, ");
                self.tensors.push(Tensor { name: name.to_owned(), rank, writable });
            }
        }
        self.put(")");
        let result = self.pick(&["", "", " -> i32", " -> Option<i32>", " -> (usize, bool)"])?;
        let _ = write!(self.out, "{result} ");
        self.numbers.extend(["h", "w", "r", "m"].map(str::to_owned));
        self.mutables.push("m".to_owned());
        self.budget = self.u.int_in_range(2..=24)?;
        self.block()
    }

    fn block(&mut self) -> Result<()> {
        let lengths = [
            self.tensors.len(),
            self.numbers.len(),
            self.indices.len(),
            self.statics.len(),
            self.mutables.len(),
        ];
        self.depth += 1;
        self.put("{\n");
        loop {
            if self.budget == 0 || self.u.is_empty() {
                break;
            }
            self.budget -= 1;
            self.statement()?;
            self.put("\n");
            if self.depth > 1 && self.flip(2)? {
                break;
            }
        }
        if self.flip(4)? {
            self.value()?;
        }
        self.put("}");
        self.depth -= 1;
        self.tensors.truncate(lengths[0]);
        self.numbers.truncate(lengths[1]);
        self.indices.truncate(lengths[2]);
        self.statics.truncate(lengths[3]);
        self.mutables.truncate(lengths[4]);
        Ok(())
    }

    fn statement(&mut self) -> Result<()> {
        if self.tensors.is_empty() {
            return self.make_block();
        }
        if self.wrong()? {
            return self.gibberish();
        }
        let parts: &[Part<'u, 'a>] = if self.depth > 4 {
            &[Self::assign, Self::assign, Self::make_view, Self::number, Self::elementwise]
        } else {
            &[
                Self::make_block,
                Self::make_view,
                Self::make_view,
                Self::assign,
                Self::assign,
                Self::elementwise,
                Self::number,
                Self::number,
                Self::over_indices,
                Self::over_indices,
                Self::over_range,
                Self::any_loop,
                Self::condition,
                Self::choice,
                Self::reduction,
                Self::closure,
                Self::leave,
                Self::call,
                Self::macro_call,
                Self::constant,
                Self::pair,
                Self::inner_item,
            ]
        };
        self.one_of(parts)
    }

    fn gibberish(&mut self) -> Result<()> {
        let text = self.pick(&[
            "let _ = t[0:16];",
            "let [a, b] = h;",
            "let (a, ..) = (src, 1, 2);",
            "src[[0]] = 1;",
            "t0 = t1;",
            "let mut q = Block::external(src, [4]);",
            "Block::new([3]);",
            "let q = Block::heap([]);",
            "let q = Block::stack::<i32>([h, -1]);",
            "let q: u8 = Block::heap::<u8>([4]);",
            "iters();",
            "let x = iters();",
            "let [i, i] = iters();",
            "break;",
            "continue 'nowhere;",
            "#[unroll] while true {}",
            "#[unroll] let q = 3;",
            "return;",
            "let q = async { 1 };",
            "h.await;",
            "loop {}",
            "yield 1;",
            "let q = |t| t[[0]];",
            "let q = 1 ** 2;",
            "{ { { {} } } }",
            ";;;",
            "match h {}",
            "if let Some(x) = None::<i32> && x > 3 { }",
            "let Some(q) = None else { return };",
            "const Q: usize = 1 / 0;",
            "const Q: u8 = 256;",
            "let q = [0; 1 << 60];",
            "let q = &&&&h;",
            "let q = -(-(-h));",
            "unsafe { }",
            "static S: i32 = 3;",
            "use super::*;",
            "macro_rules! mm { () => {} }",
            "let q = Block::external(dst, [4]).at([1, 2, 3]);",
            "let q = Block::heap::<i32>([i64::MAX, 2]);",
            "let q = Block::heap::<i32>([9223372036854775807, 9223372036854775807]);",
        ])?;
        self.put(text);
        Ok(())
    }

    fn make_block(&mut self) -> Result<()> {
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

    fn extents(&mut self, rank: usize) -> Result<()> {
        self.list(rank, |this, _| {
            if this.flip(2)? { this.index(1) } else { this.one_of(&[Self::small, Self::some_number]) }
        })
    }

    fn place(&mut self, rank: usize) -> Result<()> {
        if self.flip(2)? {
            self.put(".at(");
            self.list(rank, |this, _| this.index(2))?;
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

    fn permutation(&mut self, rank: usize) -> Result<()> {
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

    fn factor(&mut self) -> Result<()> {
        if self.wrong()? {
            let text = self.pick(&["0", "-1", "h", "1 << 62", "4294967296 * 4294967296", "2.0"])?;
            self.put(text);
            return Ok(());
        }
        let text = self.pick(&["1", "2", "3", "4", "16", "1 + 1"])?;
        self.put(text);
        Ok(())
    }

    fn tensor(&mut self) -> Result<Tensor> {
        if self.tensors.is_empty() || self.wrong()? {
            let name = self.pick(&["src", "h", "missing", "t99"])?;
            return Ok(Tensor { name: name.to_owned(), rank: 2, writable: true });
        }
        Ok(self.u.choose(&self.tensors)?.clone())
    }

    /// A tensor expression; its rank.
    fn view(&mut self, depth: usize) -> Result<usize> {
        let base = self.tensor()?;
        self.view_of(&base, depth)
    }

    fn view_of(&mut self, base: &Tensor, depth: usize) -> Result<usize> {
        self.put(&base.name);
        let mut rank = base.rank;
        for _ in 0..self.u.int_in_range(0..=depth)? {
            match self.u.int_in_range(0..=10)? {
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

    fn partition(&mut self, rank: usize) -> Result<usize> {
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

    fn make_view(&mut self) -> Result<()> {
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

    fn pair(&mut self) -> Result<()> {
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

    fn small(&mut self) -> Result<()> {
        let value = self.u.int_in_range(0..=9)?;
        let _ = write!(self.out, "{value}");
        Ok(())
    }

    fn some_number(&mut self) -> Result<()> {
        if self.numbers.is_empty() {
            return self.small();
        }
        let name = self.u.choose(&self.numbers)?.clone();
        self.put(&name);
        Ok(())
    }

    fn some_index(&mut self) -> Result<()> {
        if self.indices.is_empty() {
            return self.some_number();
        }
        let name = self.u.choose(&self.indices)?.clone();
        self.put(&name);
        Ok(())
    }

    fn some_static(&mut self) -> Result<()> {
        if self.statics.is_empty() {
            return self.small();
        }
        let name = self.u.choose(&self.statics)?.clone();
        self.put(&name);
        Ok(())
    }

    fn operand(&mut self) -> Result<()> {
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

    fn extreme(&mut self) -> Result<()> {
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
    fn index(&mut self, depth: usize) -> Result<()> {
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

    fn element(&mut self, depth: usize) -> Result<()> {
        let base = self.tensor()?;
        self.element_of(&base, depth)
    }

    /// A tensor that may be written, if there is any.
    fn writable(&mut self) -> Result<Tensor> {
        for _ in 0..4 {
            let tensor = self.tensor()?;
            if tensor.writable {
                return Ok(tensor);
            }
        }
        self.tensor()
    }

    fn element_of(&mut self, base: &Tensor, depth: usize) -> Result<()> {
        let rank = self.view_of(base, 1)?;
        let given = if self.flip(5)? { self.u.int_in_range(1..=rank.max(1))? } else { rank };
        self.put("[");
        self.list(given, |this, _| this.index(depth))?;
        self.put("]");
        Ok(())
    }

    /// A value of Rust.
    fn value(&mut self) -> Result<()> {
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
                let _ = write!(self.out, "{}.contains(", tensor.name);
                self.list(tensor.rank, |this, _| this.index(1))?;
                self.put(")");
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

    fn assign(&mut self) -> Result<()> {
        let to = self.writable()?;
        self.element_of(&to, 2)?;
        let op = self.pick(&[" = ", " = ", " += ", " -= ", " >>= "])?;
        self.put(op);
        self.value()?;
        self.put(";");
        Ok(())
    }

    fn elementwise(&mut self) -> Result<()> {
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

    fn number(&mut self) -> Result<()> {
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

    fn constant(&mut self) -> Result<()> {
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

    fn over_indices(&mut self) -> Result<()> {
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

    fn over_range(&mut self) -> Result<()> {
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

    fn any_loop(&mut self) -> Result<()> {
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

    fn test(&mut self) -> Result<()> {
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

    fn comparison(&mut self) -> Result<()> {
        self.index(1)?;
        let op = self.pick(&[" < ", " <= ", " > ", " >= ", " == ", " != "])?;
        self.put(op);
        self.index(1)
    }

    fn condition(&mut self) -> Result<()> {
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

    fn choice(&mut self) -> Result<()> {
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

    fn reduction(&mut self) -> Result<()> {
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

    fn closure(&mut self) -> Result<()> {
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

    fn leave(&mut self) -> Result<()> {
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

    fn call(&mut self) -> Result<()> {
        if self.templates.is_empty() || self.flip(4)? {
            self.put("step(&mut m, ");
            self.element(1)?;
            self.put(");");
            return Ok(());
        }
        let (name, ranks) = self.u.choose(&self.templates)?.clone();
        if self.flip(2)? {
            self.put("let q = ");
        }
        let _ = write!(self.out, "{name}(");
        for rank in ranks {
            let fits: Vec<Tensor> = self.tensors.iter().filter(|own| own.rank == rank).cloned().collect();
            if fits.is_empty() {
                self.view(2)?;
            } else {
                let name = self.u.choose(&fits)?.name.clone();
                self.put(&name);
            }
            self.put(", ");
        }
        self.index(2)?;
        self.put(");");
        Ok(())
    }

    fn macro_call(&mut self) -> Result<()> {
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

    fn inner_item(&mut self) -> Result<()> {
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
}
