//! Kernels over the whole surface language, made from arbitrary bytes: mostly in order, here and there nonsense.

mod declarations;
mod elements;
mod numbers;
mod statements;
mod templates;
mod tensors;
mod versions;

use std::fmt::Write;

use arbitrary::{Result, Unstructured};

use templates::Template;

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
    /// Templates above.
    templates: Vec<Template>,
    /// Staged constants above, and an integer of each.
    constants: Vec<(&'static str, &'static str)>,
    /// Whether there is a located struct above.
    located: bool,
    /// Places in scope, and their ranks.
    places: Vec<(String, usize)>,
    /// The template that the body takes, and the rank of its tensor.
    passed: Option<(String, usize)>,
    /// Whether the body is that of a template that returns tensors: it has neither exits nor items.
    returning: bool,
    /// How many more choices may multiply what follows them.
    choices: usize,
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
        constants: Vec::new(),
        located: false,
        places: Vec::new(),
        passed: None,
        returning: false,
        choices: 3,
        depth: 0,
        budget: 0,
        names: 0,
        nonsense,
    };
    writer.declarations()?;
    for _ in 0..writer.u.int_in_range(0..=4)? {
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

    fn forget(&mut self) {
        self.tensors.clear();
        self.numbers.clear();
        self.indices.clear();
        self.statics.clear();
        self.mutables.clear();
        self.labels.clear();
        self.places.clear();
        self.passed = None;
        self.returning = false;
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
             "
        );
        for name in ["h", "w"] {
            self.specialized(name)?;
            let _ = write!(self.out, "{name}: usize, ");
        }
        self.put("r: isize, mut m: usize, ");
        self.located_parameters()?;
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
            self.places.len(),
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
        self.places.truncate(lengths[5]);
        Ok(())
    }

    fn statement(&mut self) -> Result<()> {
        if self.tensors.is_empty() {
            return self.make_block();
        }
        if self.wrong()? {
            return self.gibberish();
        }
        let parts: &[Part<'u, 'a>] = if self.returning {
            &[
                Self::make_block,
                Self::make_view,
                Self::assign,
                Self::elementwise,
                Self::number,
                Self::over_indices,
                Self::bind_place,
            ]
        } else if self.depth > 4 {
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
                Self::call,
                Self::choose_tensor,
                Self::optional,
                Self::bind_place,
                Self::staged_import,
                Self::macro_call,
                Self::constant,
                Self::pair,
                Self::inner_item,
                Self::scope,
                Self::macro_statement,
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
}
