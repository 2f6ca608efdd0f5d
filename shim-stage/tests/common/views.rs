//! Kernels over random chains of views, each with the same chain in calls of the runtime library.

use std::fmt::Write;

use super::world;

/// Numbers that follow from a seed alone, on every machine.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        ((self.next() >> 16) % count as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

#[derive(Clone)]
struct Tensor {
    name: String,
    rank: usize,
    /// Over memory that the kernel writes.
    written: bool,
    /// Types that reads pass through, one after the other.
    casts: Vec<&'static str>,
    bounded: bool,
    /// Of one block, with no rule and no tensor above it.
    alone: bool,
    /// How often it was refined: a few times, so that not all of the test's time goes there.
    refined: usize,
}

/// One case: the kernel, the library's version, and what memory they need.
struct Writer {
    random: Random,
    /// Whether it writes through a view, or reads.
    writes: bool,
    kernel: String,
    library: String,
    lengths: Vec<String>,
    tensors: Vec<Tensor>,
}

const PARAMETERS: &str = "h: usize, w: usize, d: usize, r: isize, c: isize, out: &mut Vec<i64>";

/// The kernel of a seed and the library's version, or the errors of the compiler.
pub(crate) fn staged(seed: u64) -> Result<String, String> {
    let (kernel, library) = case(seed);
    let (_, expansion) = world::expand_file(&kernel).expect("Rust").pop().expect("a kernel");
    let expansion = expansion.expect("it calls no template").to_string();
    match expansion.split("compile_error ! {").nth(1) {
        None => Ok(kernel + &library),
        Some(error) => Err(format!("{}\nin\n{kernel}\n", error.split('}').next().unwrap_or_default())),
    }
}

/// The whole source file, not formatted: as many kernels as wanted, of the first seeds that the compiler takes.
pub(crate) fn file(kernels: usize) -> String {
    let mut text = "\
//! Written by `cargo test -p shim-stage --test it generated_views -- --ignored && cargo fmt`, not by hand.

use super::{Case, Result, cells};
use shim::prelude::*;
use shim::{Located as _, Part, Space, TensorOps as _};

"
    .to_owned();
    let mut cases = String::new();
    for (seed, source) in (0..).filter_map(|seed| Some((seed, staged(seed).ok()?))).take(kernels) {
        text.push_str(&source);
        text.push('\n');
        let _ = writeln!(
            cases,
            "    Case {{ kernel: kernel_{seed}, library: library_{seed}, lengths: lengths_{seed}, name: \"kernel_{seed}\" }},"
        );
    }
    let _ = write!(text, "pub(super) const CASES: &[Case] = &[\n{cases}];\n");
    text
}

/// A kernel, and the functions beside it.
fn case(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let writes = random.one_in(3);
    let mut writer = Writer {
        random,
        writes,
        kernel: String::new(),
        library: String::new(),
        lengths: Vec::new(),
        tensors: Vec::new(),
    };
    writer.blocks();
    for _ in 0..2 + writer.random.below(4) {
        writer.view();
    }
    if writer.writes {
        writer.write();
    } else {
        writer.read();
        if writer.random.one_in(2) {
            writer.read();
        }
    }
    let Writer { kernel, library, mut lengths, .. } = writer;
    lengths.resize(3, "0".to_owned());
    let lengths = lengths.join(", ");
    let parameters = format!("a: &[i16], b: &[i16], m: &mut [i16], {PARAMETERS}");
    let kernel = format!("#[shim::kernel]\nfn kernel_{seed}({parameters}) {{\n{kernel}}}\n");
    let library = format!(
        "fn library_{seed}({parameters}) -> Result<bool> {{\n\
         let (h, w, d) = (h as isize, w as isize, d as isize);\n{library}Ok(true)\n}}\n\
         fn lengths_{seed}(h: usize, w: usize, d: usize) -> [usize; 3] {{ [{lengths}] }}\n"
    );
    (kernel, library)
}

impl Writer {
    /// A line that both have.
    fn both(&mut self, line: &str) {
        self.kernel.push_str(line);
        self.kernel.push('\n');
        self.library.push_str(line);
        self.library.push('\n');
    }

    fn lines(&mut self, kernel: &str, library: &str) {
        self.kernel.push_str(kernel);
        self.kernel.push('\n');
        self.library.push_str(library);
        self.library.push('\n');
    }

    /// `count` of something, as an array.
    fn list(&mut self, count: usize, mut entry: impl FnMut(&mut Self) -> String) -> String {
        let entries: Vec<String> = (0..count).map(|_| entry(self)).collect();
        format!("[{}]", entries.join(", "))
    }

    fn extent(&mut self) -> String {
        self.random.pick(&["h", "h", "w", "w", "d", "h + 1", "2 * w", "w + d", "3", "5"]).to_owned()
    }

    /// An index: small, of either sign.
    fn number(&mut self) -> String {
        let names = ["r", "c", "r + c", "2 * r", "h - 1", "w - 2", "d", "r - c", "3 * c + h"];
        match self.random.below(4) {
            0 => (self.random.below(5) as i32 - 1).to_string(),
            1 => format!("{} + {}", self.random.pick(&names), 1 + self.random.below(3)),
            2 => format!("{} - {}", self.random.pick(&names), 1 + self.random.below(3)),
            _ => self.random.pick(&names).to_owned(),
        }
    }

    fn factors(&mut self, rank: usize) -> String {
        self.list(rank, |this| this.random.pick(&["1", "1", "2", "2", "3", "4"]).to_owned())
    }

    fn fresh(&mut self, rank: usize, of: Option<&Tensor>) -> String {
        let name = format!("t{}", self.tensors.len());
        let blank = Tensor {
            name: String::new(),
            rank,
            written: false,
            casts: Vec::new(),
            bounded: false,
            alone: true,
            refined: 0,
        };
        let of = of.cloned().unwrap_or(blank);
        self.tensors.push(Tensor { name: name.clone(), rank, ..of });
        name
    }

    fn blocks(&mut self) {
        let mut memories = vec!["a"];
        if self.random.one_in(2) {
            memories.push("b");
        }
        if self.writes {
            memories.insert(0, "m");
        }
        let ranks: Vec<usize> = memories.iter().map(|_| self.random.pick(&[1, 2, 2, 2, 3])).collect();
        let root = ranks.iter().max().copied().unwrap_or(1);
        let _ = writeln!(self.library, "let root = Space::root({root});");
        let mut lengths = vec!["0".to_owned(); 3];
        for (memory, rank) in memories.into_iter().zip(ranks) {
            let extents: Vec<String> = (0..rank).map(|_| self.extent()).collect();
            let product: Vec<String> = extents.iter().map(|extent| format!("({extent})")).collect();
            lengths[["a", "b", "m"].iter().position(|own| *own == memory).unwrap_or(0)] = product.join(" * ");
            let sizes: Vec<String> = extents.iter().map(|extent| format!("({extent}) as usize")).collect();
            let name = self.fresh(rank, None);
            self.tensors.last_mut().expect("just made").written = memory == "m";
            let mut kernel = format!("let {name} = Block::external({memory}, [{}])", extents.join(", "));
            let change = if memory == "m" { "mut " } else { "" };
            let mut library = format!(
                "let {change}{name}_block = Block::from_vec([{}], {memory}.to_vec())?.in_space(&root)?",
                sizes.join(", ")
            );
            if self.random.one_in(4) {
                let axes = &self.random.order(root)[..rank];
                let _ = write!(kernel, ".on_axes({axes:?})");
                let _ = write!(library, ".on_axes({axes:?})?");
            }
            if self.random.one_in(2) {
                let at = self.list(rank, Self::number);
                let _ = write!(kernel, ".at({at})");
                let _ = write!(library, ".at({at})");
            }
            if self.random.one_in(4) {
                let order = self.random.order(rank);
                let _ = write!(kernel, ".permuted({order:?})");
                let _ = write!(library, ".permuted({order:?})?");
            }
            if self.random.one_in(2) {
                let method = self.random.pick(&["refined", "coarsened", "coarsened"]);
                let factors = self.factors(rank);
                let _ = write!(kernel, ".{method}({factors})");
                let _ = write!(library, ".{method}({factors})?");
            }
            self.lines(&format!("{kernel};"), &format!("{library};\nlet {name} = {name}_block.view();"));
        }
        self.lengths = lengths;
    }

    /// The tensor that the next view is of: mostly the last, so that chains are long.
    fn subject(&mut self) -> Tensor {
        let last = if self.random.one_in(3) {
            self.random.below(self.tensors.len())
        } else {
            self.tensors.len() - 1
        };
        let of = self.tensors[last].clone();
        if self.writes && !of.written && !self.random.one_in(4) {
            let written = self.tensors.iter().rev().find(|tensor| tensor.written);
            return written.expect("the block that is written").clone();
        }
        of
    }

    fn view(&mut self) {
        let of = self.subject();
        let (name, rank) = (of.name.clone(), of.rank);
        let others = self.tensors.clone();
        let other = others[self.random.below(others.len())].clone();
        // The view's rank, and what stands on the right in the kernel and in the library.
        let (rank, kernel, library) = match self.random.below(16) {
            0 => {
                let order = self.random.order(rank);
                (rank, format!(".permute({order:?})"), format!(".permute({order:?})?"))
            }
            1 if of.refined < 2 => {
                let factors = self.factors(rank);
                let made = self.fresh(rank, Some(&of));
                self.tensors.last_mut().expect("just made").refined += 1;
                self.lines(
                    &format!("let {made} = {name}.refine({factors});"),
                    &format!("let {made} = {name}.refine({factors})?;"),
                );
                return;
            }
            2 => {
                let factors = self.factors(rank);
                (rank, format!(".coarsen({factors})"), format!(".coarsen({factors})?"))
            }
            3 if rank > 1 => {
                let (axis, at) = (self.random.below(rank), self.number());
                let made = rank - 1;
                (made, format!(".slice({axis}, {at})"), format!(".slice::<{made}>({axis}, {at})?"))
            }
            4 => {
                let made = other.rank;
                if made > rank {
                    return;
                }
                let library = format!(".colocate::<{made}>(&{})?", other.name);
                (made, format!("[{}]", other.name), library)
            }
            5 => (rank, format!(".footprint({})", other.name), format!(".footprint(&{})?", other.name)),
            6 => {
                let at = self.list(rank, Self::number);
                let name = &other.name;
                (rank, format!(".coverage({at}, {name})"), format!(".coverage({at}, &{name})?"))
            }
            11 => {
                let by = self.list(rank, Self::number);
                (rank, format!(".shifted({by})"), format!(".shifted({by})?"))
            }
            12..16 if !self.writes && of.alone && of.refined == 0 => {
                let (rank, kernel, library) = self.over(&of);
                let made = self.fresh(rank, Some(&of));
                self.tensors.last_mut().expect("just made").alone =
                    !kernel.starts_with(".cat") && !kernel.starts_with(".rotate");
                self.lines(
                    &format!("let {made} = {name}{kernel};"),
                    &format!("let {made} = {name}{library};"),
                );
                return;
            }
            7 => return self.cast(&of),
            8 if !self.writes => return self.boundary(&of),
            9 if !self.writes && of.casts.is_empty() => return self.copy(&of),
            _ => self.partition(rank),
        };
        let made = self.fresh(rank, Some(&of));
        self.lines(&format!("let {made} = {name}{kernel};"), &format!("let {made} = {name}{library};"));
    }

    /// A view over the memory of a tensor.
    fn over(&mut self, of: &Tensor) -> (usize, String, String) {
        let rank = of.rank;
        let axis = self.random.below(rank);
        match self.random.below(6) {
            0 if of.casts.is_empty() => {
                (rank, format!(".cat({axis}, {})", of.name), format!(".cat({axis}, &{})?", of.name))
            }
            1 => {
                let by = self.list(rank, Self::number);
                (rank, format!(".rotate({by})"), format!(".rotate({by})?"))
            }
            2 if rank == 1 => (2, ".windows([2])".to_owned(), ".windows::<2>([2])?".to_owned()),
            3 | 4 => {
                let counts = self.list(rank, |own| own.random.pick(&["1", "2", "-1", "-2"]).to_owned());
                let method = self.random.pick(&["take", "drop"]);
                (rank, format!(".{method}({counts})"), format!(".{method}({counts})?"))
            }
            _ => (rank, format!(".rev({axis})"), format!(".rev({axis})?")),
        }
    }

    fn partition(&mut self, rank: usize) -> (usize, String, String) {
        let given = if self.random.one_in(4) { 1 + self.random.below(rank) } else { rank };
        let (mut kernel, mut library, mut ranges) = (Vec::new(), Vec::new(), 0);
        for left in (0..given).rev() {
            let drop = (ranges > 0 || left > 0) && self.random.one_in(5);
            ranges += usize::from(!drop);
            if drop {
                let at = self.number();
                library.push(format!("Part::Index(({at}) as i64)"));
                kernel.push(at);
                continue;
            }
            if self.random.one_in(4) {
                kernel.push("..".to_owned());
                library.push("Part::Full".to_owned());
                continue;
            }
            let start = self.number();
            let end = match self.random.below(3) {
                // The width folds.
                0 => format!("{start} + {}", 1 + self.random.below(4)),
                1 => self.random.pick(&["h", "w", "d", "h + 2", "w - 1", "2 * d"]).to_owned(),
                _ => self.number(),
            };
            let step = self.random.pick(&[1, 1, 1, 2, 3]);
            kernel.push(match step {
                1 => format!("{start}..{end}"),
                step => format!("({start}..{end}).step_by({step})"),
            });
            library.push(format!(
                "Part::Range {{ start: ({start}) as i64, end: ({end}) as i64, step: {step} }}"
            ));
        }
        (
            ranges,
            format!("[[{}]]", kernel.join(", ")),
            format!(".partition::<{ranges}>(&[{}])?", library.join(", ")),
        )
    }

    fn cast(&mut self, of: &Tensor) {
        let ty = self.random.pick(&["i32", "i64", "u8", "u16", "f32"]);
        let made = self.fresh(of.rank, Some(of));
        self.tensors.last_mut().expect("just made").casts.push(ty);
        let name = &of.name;
        self.lines(&format!("let {made} = {name}.cast::<{ty}>();"), &format!("let {made} = {name}.clone();"));
    }

    fn boundary(&mut self, of: &Tensor) {
        const RULES: [&str; 7] =
            ["Clamp", "Mirror", "Reflect", "Wrap", "By(|i, n| (i % n + n) % n)", "Fill(7)", "Fill(-9)"];
        // The value of `Fill` is of the type that is read; here of the memory's.
        let rules = if of.casts.is_empty() { RULES.len() } else { RULES.len() - 2 };
        let rule = |writer: &mut Self| format!("Boundary::{}", writer.random.pick(&RULES[..rules]));
        let rule = if self.random.one_in(2) {
            let list: Vec<String> = (0..of.rank).map(|_| rule(self)).collect();
            format!("[{}]", list.join(", "))
        } else {
            rule(self)
        };
        let made = self.fresh(of.rank, Some(of));
        let tensor = self.tensors.last_mut().expect("just made");
        (tensor.bounded, tensor.alone) = (true, false);
        let name = &of.name;
        self.both(&format!("let {made} = {name}.boundary({rule});"));
    }

    fn copy(&mut self, of: &Tensor) {
        let made = self.fresh(of.rank, Some(of));
        let tensor = self.tensors.last_mut().expect("just made");
        (tensor.bounded, tensor.alone) = (false, false);
        let name = &of.name;
        let (kernel, library) =
            self.random.pick(&[(".to_block()", ".to_block()"), (".to_block().copied()", ".copied()?")]);
        self.lines(
            &format!("let {made} = {name}{kernel};"),
            &format!(
                "if cells(&{name}) {{ return Ok(false); }}\nlet {made}_block = {name}{library};\n\
                 let {made} = {made}_block.view().with_parent(&{name})?;"
            ),
        );
    }

    /// The end of a chain that is read: every point, and for some tensors neighbors of it.
    fn read(&mut self) {
        let tensor = if self.random.one_in(3) {
            self.subject()
        } else {
            self.tensors.last().expect("a tensor").clone()
        };
        let name = tensor.name.clone();
        let _ = writeln!(self.library, "if cells(&{name}) {{ return Ok(false); }}");
        for axis in 0..tensor.rank {
            let other = &self.tensors[self.random.below(self.tensors.len())].clone();
            let other_axis = self.random.below(other.rank);
            let other = &other.name;
            self.lines(
                &format!("out.push({name}.extent({axis}) as i64);"),
                &format!("out.push({name}.extent({axis}) as i64);"),
            );
            self.lines(
                &format!("out.push({name}.origin({axis}) as i64);\nout.push({name}.origin_in({other}, {other_axis}) as i64);"),
                &format!("out.push({name}.origin({axis})? as i64);\nout.push({name}.origin_in(&{other}, {other_axis})? as i64);"),
            );
        }
        let names = ["i", "j", "k"][..tensor.rank].join(", ");
        self.both(&format!("for [{names}] in {name}.indices() {{"));
        if self.random.below(3) > 0 {
            self.push(&tensor, &format!("[{names}]"));
        }
        let count = 1 + self.random.below(2);
        for _ in 0..count {
            let near: Vec<String> = names
                .split(", ")
                .map(|name| {
                    let shifts = ["", " - 1", " + 1", " - 2", " + 3"];
                    let factor = if self.random.one_in(6) { "2 * " } else { "" };
                    format!("{factor}{name}{}", self.random.pick(&shifts))
                })
                .collect();
            // Fewer indices than axes are padded.
            let from = if self.random.one_in(5) { self.random.below(tensor.rank) } else { 0 };
            let near = format!("[{}]", near[from..].join(", "));
            if tensor.bounded {
                self.push(&tensor, &near);
            } else if self.random.one_in(3) {
                self.get(&tensor, &near);
            } else {
                self.both(&format!("if {name}.contains({near}) {{"));
                self.push(&tensor, &near);
                self.both("} else { out.push(-1); }");
            }
        }
        self.both("}");
    }

    /// The value at an index if there is one, as an `i64`.
    fn get(&mut self, tensor: &Tensor, index: &str) {
        let name = &tensor.name;
        let casts: String = tensor.casts.iter().fold(String::new(), |casts, ty| casts + " as " + ty);
        let kernel = format!("out.push({name}.get({index}).map_or(-1, |value| value as i64));");
        let library = format!("out.push({name}.get({index}).map_or(-1, |value| *value{casts} as i64));");
        self.lines(&kernel, &library);
    }

    /// The value at an index, as an `i64`.
    fn push(&mut self, tensor: &Tensor, index: &str) {
        let name = &tensor.name;
        let casts: String = tensor.casts.iter().fold(String::new(), |casts, ty| casts + " as " + ty);
        let kernel = format!("out.push({name}[{index}] as i64);");
        let library = format!("out.push({name}.read({index})?{casts} as i64);");
        self.lines(&kernel, &library);
    }

    /// The end of a chain that is written through.
    fn write(&mut self) {
        let written = self.tensors.iter().rev().find(|tensor| tensor.written);
        let tensor = written.expect("the block that is written").clone();
        let Tensor { name, rank, casts, .. } = tensor;
        let block = self.tensors[0].name.clone();
        let _ = writeln!(
            self.library,
            "if cells(&{name}) {{ return Ok(false); }}\nlet place = {name}.location().clone();\n\
             let mut target = {block}_block.view_mut().seen_from::<{rank}>(place)?;"
        );
        let names = ["i", "j", "k"][..rank].join(", ");
        let _ = writeln!(self.kernel, "for [{names}] in {name}.indices() {{");
        let _ = writeln!(self.library, "for [{names}] in target.indices() {{");
        let ty = casts.last().copied().unwrap_or("i16");
        let value: Vec<String> = names
            .split(", ")
            .map(|name| format!("{} * {name}", self.random.pick(&["3", "7", "-2", "11"])))
            .collect();
        let value = format!("{} - 5", value.join(" + "));
        // Narrowing goes the way back through all casts.
        let back: String = casts.iter().rev().skip(1).fold(String::new(), |back, ty| back + " as " + ty);
        let at = if self.random.one_in(2) {
            format!("[{names}]")
        } else {
            let near: Vec<String> = names
                .split(", ")
                .map(|name| format!("{name}{}", self.random.pick(&["", " - 1", " + 2"])))
                .collect();
            format!("[{}]", near.join(", "))
        };
        let plain = at == format!("[{names}]");
        if !plain {
            let _ = writeln!(self.kernel, "if {name}.contains({at}) {{");
            let _ = writeln!(self.library, "if target.contains({at}) {{");
        }
        self.lines(
            &format!("{name}[{at}] = ({value}) as {ty};"),
            &format!("target.set({at}, ({value}) as i32 as {ty}{back} as i16)?;"),
        );
        if !casts.contains(&"u8") && !casts.contains(&"u16") {
            let forth: String = casts.iter().fold(String::new(), |forth, ty| forth + " as " + ty);
            self.lines(
                &format!("{name}[{at}] += {};", if ty == "f32" { "2.0" } else { "2" }),
                &format!(
                    "let old = target.read({at})?{forth};\ntarget.set({at}, (old + {}){back} as i16)?;",
                    if ty == "f32" { "2.0" } else { "2" }
                ),
            );
        }
        if !plain {
            self.both("}");
        }
        self.both("}");
        let _ = writeln!(self.library, "m.copy_from_slice({block}_block.as_slice());");
    }
}
