//! `#[tabulate]`: a block whose elements are a few expressions of another block's, at many places.
//!
//! Each element of the loop is assigned an expression whose conditions are static. Expressions that are the same but for the place in memory
//! of what they read are computed once for each place, in a loop over consecutive places that LLVM vectorizes, and a static
//! [selection](crate::ir::Selection) picks the element's own:
//!
//! ```text
//! for i in 0..13 { table[[0, i]] = (p_line[[i]] + 2 * p_line[[i + 1]] + p_line[[i + 2]] + 2) >> 2; }
//! ..
//! pred = table.select(..)
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use proc_macro2::Literal;
use quote::{ToTokens, format_ident};
use shim_core::{Layout, TensorSpace};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprForLoop, ExprPath, Ident, Stmt, Type};

use crate::diagnostics::{self, counted};
use crate::fixed::{self, Int, Value};
use crate::hygiene;
use crate::ir::{AccessId, AccessKind, Addressing, ContextKind, Hole, Memory, Selection, StorageId, View};
use crate::locate;
use crate::surface::{self, Entry};
use crate::symbolic::Sym;

use crate::bind::loops::counted::indices_of;
use crate::bind::rust::pattern;
use crate::bind::tensors::access::unreachable_value;
use crate::bind::tensors::placement::Placement;
use crate::bind::{Binder, Binding};

/// The most elements of a tabulated block.
const MAX_ELEMENTS: i64 = 4096;

/// The most entries that are computed between two that are selected, so that both are of one loop.
const MAX_GAP: i64 = 8;

/// The elements of a vector: what a shuffle of bytes reaches.
const PART: i64 = 16;

const USAGE: &str = "write `#[tabulate] for [y, x] in out.indices() { out[[y, x]] = ..; }`, over all indices of a block on the stack";

/// The value of one element.
struct Term {
    /// The expression, with a name in the place of each element that it reads.
    expr: Expr,
    /// What is read: the number of the line, and the place in it.
    taps: Vec<(usize, i64)>,
}

/// The memory that is read, and the tensor's casts.
struct Line {
    view: Rc<View>,
    name: Ident,
    length: i64,
}

/// Expressions that are the same but for the place of what they read.
struct Row {
    term: Term,
    /// The places of the first element that they read.
    places: BTreeSet<i64>,
}

impl Row {
    /// The distance of each element that is read from the first one.
    fn distances(&self) -> impl Iterator<Item = (usize, i64)> {
        let first = self.term.first();
        self.term.taps.iter().map(move |(line, place)| (*line, place - first))
    }

    /// The expression at the place `from + at`.
    fn value(&self, lines: &[Line], from: i64, at: &Ident) -> Expr {
        struct Taps<'r> {
            taps: Vec<(&'r Ident, i64)>,
            at: &'r Ident,
        }
        impl VisitMut for Taps<'_> {
            fn visit_expr_mut(&mut self, expr: &mut Expr) {
                if let Expr::Path(path) = expr
                    && let Some((line, place)) =
                        path.path.get_ident().and_then(tap_number).and_then(|tap| self.taps.get(tap))
                {
                    let (at, place) = (self.at, Literal::i64_unsuffixed(*place));
                    *expr = syn::parse_quote!(#line[[#at + #place]]);
                    return;
                }
                visit_mut::visit_expr_mut(self, expr);
            }
        }
        let taps = self.distances().map(|(line, distance)| (&lines[line].name, from + distance)).collect();
        let mut value = self.term.expr.clone();
        Taps { taps, at }.visit_expr_mut(&mut value);
        value
    }
}

/// Consecutive places of an expression, and the entry of the table that the first of them has.
struct Run {
    row: usize,
    from: i64,
    to: i64,
    start: i64,
}

impl Term {
    fn first(&self) -> i64 {
        self.taps.first().map_or(0, |(_, place)| *place)
    }
}

impl Binder<'_> {
    /// The block that a tabulated loop fills.
    pub(in crate::bind) fn tabulated(&mut self, looping: &ExprForLoop) -> Expr {
        self.tabulation(looping).unwrap_or_else(unreachable_value)
    }

    fn tabulation(&mut self, looping: &ExprForLoop) -> Option<Expr> {
        let Some(tensor) = indices_of(&looping.expr).filter(|tensor| self.is_tensor(tensor)) else {
            self.diagnostics.error(&looping.expr, "a tabulated loop runs over the indices of a block", USAGE);
            return None;
        };
        let out = self.tensor(tensor, "view")?;
        if self.is_broken(&out) {
            return None;
        }
        let (ty, extents) = self.tabulated_block(&out, tensor)?;
        let names = pattern::array(&looping.pat).filter(|names| names.len() == extents.len());
        let Some(names) = names.and_then(|names| names.into_iter().collect::<Option<Vec<Ident>>>()) else {
            let axes = counted(extents.len(), "axis", "axes");
            self.diagnostics.error(&looping.pat, format!("name each of the {axes}"), USAGE);
            return None;
        };
        let Some(value) = assigned(looping, tensor, &names) else {
            let help = "its statement assigns the element at the variables of the loop, in their sequence";
            self.diagnostics.error(&looping.body, "the body of a tabulated loop is one assignment", help);
            return None;
        };
        let mut lines: Vec<Line> = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut elements = Vec::new();
        for point in points(&extents) {
            let at = |at: &i64| Value::Int(Int { value: i128::from(*at), ty: None });
            let bound = names.iter().cloned().zip(point.iter().map(at)).collect();
            let term = self.term(value, bound, &mut lines)?;
            if let Some((line, _)) =
                term.taps.iter().find(|(line, _)| self.overlaps(lines[*line].view.storage, out.storage))
            {
                let message =
                    format!("a tabulated loop reads what it fills, through `{}`", lines[*line].view.name);
                let help = "every element is read before the first is written: read another block";
                self.diagnostics.error_in_call(value, message, help);
                return None;
            }
            let term = self.canonical(term, &lines);
            let first = term.first();
            let distances: Vec<_> = term.taps.iter().map(|(line, place)| (line, place - first)).collect();
            let key = format!("{} {distances:?}", term.expr.to_token_stream());
            let row = *known.entry(key).or_insert_with(|| {
                rows.push(Row { term, places: BTreeSet::new() });
                rows.len() - 1
            });
            rows[row].places.insert(first);
            elements.push((row, first));
        }
        Some(self.table(&out, ty, &lines, &rows, &elements, value))
    }

    /// The type of the elements of a block that may be tabulated, and its extents.
    fn tabulated_block(&mut self, out: &View, tensor: &Expr) -> Option<(Type, Vec<i64>)> {
        let storage = &self.program.storages[out.storage];
        let stack = match &self.program.storages[self.program.buffer(out.storage)].memory {
            Memory::Stack(_) => true,
            Memory::Like { stack, .. } => *stack,
            _ => false,
        };
        let whole = storage.space.space.same(&out.space.space) && storage.space.extents == out.space.extents;
        let in_rows = matches!((&storage.addressing, Layout::row_major(&storage.space.extents)),
            (Addressing::Flat(layout), Ok(rows)) if layout.strides() == rows.strides());
        let extents: Option<Vec<i64>> = out.space.extents.iter().map(Sym::as_constant).collect();
        let extents = extents.filter(|extents| {
            (1..=MAX_ELEMENTS).contains(&extents.iter().fold(1, |count: i64, own| count.saturating_mul(*own)))
        });
        let plain = out.boundary.is_none() && out.within.is_none();
        let element = storage.element.as_ref().filter(|_| storage.number().is_some());
        match (extents, element) {
            (Some(extents), Some(element)) if stack && whole && in_rows && plain => {
                Some((element.ty.clone(), extents))
            }
            _ => {
                self.diagnostics.error_in_call(
                    tensor,
                    format!("`{}` cannot be tabulated", out.name),
                    format!(
                        "it has to be a whole block on the stack, of integers of a type that is written, in row-major order, of at most \
                         {MAX_ELEMENTS} elements"
                    ),
                );
                None
            }
        }
    }

    fn overlaps(&self, a: StorageId, b: StorageId) -> bool {
        self.program.buffer(a) == self.program.buffer(b)
    }

    /// The value of the element for which names have these values.
    fn term(&mut self, value: &Expr, bound: Vec<(Ident, Value)>, lines: &mut Vec<Line>) -> Option<Term> {
        let mut expr = value.clone();
        let mut reduces = Reduces { binder: self, bound, lines, taps: Vec::new(), failed: false };
        reduces.visit_expr_mut(&mut expr);
        let Reduces { taps, failed, .. } = reduces;
        (!failed).then_some(Term { expr, taps })
    }

    /// The term with the addends of each sum in the order of memory: no sequence of additions overflows. So `p[[x]] + 2 * p[[x - 1]]` is the
    /// same expression as `2 * p[[x]] + p[[x + 1]]`, at another place.
    fn canonical(&self, term: Term, lines: &[Line]) -> Term {
        struct Sums<'s, 'a> {
            binder: &'s Binder<'a>,
            taps: &'s [(usize, i64)],
            lines: &'s [Line],
        }
        impl VisitMut for Sums<'_, '_> {
            fn visit_expr_mut(&mut self, expr: &mut Expr) {
                if is_sum(expr) && self.binder.bounds(expr, self.taps, self.lines).is_some() {
                    let mut addends = Vec::new();
                    flatten(expr, &mut addends);
                    addends.sort_by_key(|addend| {
                        let taps = tap_numbers(addend);
                        let least = taps.iter().map(|tap| self.taps[*tap]).min();
                        (least.is_none(), least, addend.to_token_stream().to_string())
                    });
                    let sum = addends.into_iter().reduce(|sum, addend| syn::parse_quote!(#sum + #addend));
                    if let Some(sum) = sum {
                        *expr = syn::parse_quote!((#sum));
                    }
                    return;
                }
                visit_mut::visit_expr_mut(self, expr);
            }
        }
        let mut expr = term.expr;
        Sums { binder: self, taps: &term.taps, lines }.visit_expr_mut(&mut expr);
        let order = tap_numbers(&expr);
        let taps = order.iter().map(|tap| term.taps[*tap]).collect();
        Renumbers { next: 0 }.visit_expr_mut(&mut expr);
        Term { expr, taps }
    }

    /// The place in memory of an element of a view whose index is known; the memory's line.
    fn tap(&mut self, view: &Rc<View>, index: &[i64], lines: &mut Vec<Line>) -> Option<(usize, i64)> {
        let index: Vec<Sym> = index.iter().copied().map(Sym::constant).collect();
        let coordinates = locate::nearest(&self.program, view, &index).ok()?;
        let storage = &self.program.storages[view.storage];
        let Addressing::Flat(layout) = &storage.addressing else { return None };
        let extents: Vec<i64> = storage.space.extents.iter().map(Sym::as_constant).collect::<Option<_>>()?;
        let known: Vec<i64> = coordinates.iter().map(Sym::as_constant).collect::<Option<_>>()?;
        let inside = known.len() == extents.len()
            && known.iter().zip(&extents).all(|(at, extent)| (0..*extent).contains(at));
        if !inside || view.within.is_some() {
            return None;
        }
        let place = layout.offset(&coordinates).ok()?.as_constant()?;
        let product = || extents.iter().try_fold(1_i64, |product, extent| product.checked_mul(*extent));
        let length = layout.size().and_then(Sym::as_constant).or_else(product)?;
        let same = |line: &Line| line.view.storage == view.storage && casts(&line.view) == casts(view);
        let number = lines.iter().position(same).unwrap_or_else(|| {
            let name = self.names.fresh(&format!("{}_line", view.name));
            lines.push(Line { view: view.clone(), name, length });
            lines.len() - 1
        });
        Some((number, place))
    }

    /// The statements that compute a table and select from it.
    fn table(
        &mut self,
        out: &Rc<View>,
        ty: Type,
        lines: &[Line],
        rows: &[Row],
        elements: &[(usize, i64)],
        value: &Expr,
    ) -> Expr {
        let body = self.body(ContextKind::Plain, Vec::new(), |binder| {
            for Line { view, name, length } in lines {
                if let Some(line) = binder.line(view, *length) {
                    binder.bind_tensor(name, line);
                }
            }
            let runs = rows.iter().enumerate().flat_map(|(number, row)| {
                binder.runs(row, lines).into_iter().map(move |(from, to)| Run {
                    row: number,
                    from,
                    to,
                    start: 0,
                })
            });
            let mut runs: Vec<Run> = runs.collect();
            let width = packed(&mut runs);
            let space = Placement::new(1).in_root().place_in(&binder.universe);
            let Some(space) = binder.located(space, out.name.to_token_stream()) else { return };
            let space = TensorSpace { space, extents: vec![Sym::constant(width)] };
            let memory = Memory::Stack(Some(Box::new(ty)));
            let Some(table) = binder.store("table", memory, None, space, None, out.name.to_token_stream())
            else {
                return;
            };
            let before = binder.clock;
            let written = Rc::new(View { casts: out.casts.clone(), ..(*table).clone() });
            let name = binder.names.fresh("table");
            binder.bind_tensor(&name, written);
            for Run { row, from, to, start } in &runs {
                let at = binder.names.fresh("at");
                let value = rows[*row].value(lines, *from, &at);
                let [start, length] = [*start, to - from + 1].map(Literal::i64_unsuffixed);
                binder.statements(&[
                    syn::parse_quote!(for #at in 0..#length { #name[[#at + #start]] = #value; }),
                ]);
            }
            if binder.clock != before {
                let (message, help) = diagnostics::ORDER_OF_EFFECTS;
                binder.diagnostics.error_in_call(value, message, help);
            }
            binder.pick(out, &table, &runs, elements);
        });
        self.program.hole(Hole::Body(body))
    }

    /// The memory of a view as a tensor of one axis.
    fn line(&mut self, view: &View, length: i64) -> Option<Rc<View>> {
        let space = Placement::new(1).in_root().place_in(&self.universe);
        let space = self.located(space, view.name.to_token_stream())?;
        let space = TensorSpace { space, extents: vec![Sym::constant(length)] };
        let owned = self.program.storages[view.storage].memory.is_owned();
        let memory = Memory::Reshaped { of: view.storage, owned };
        let addressing = Addressing::Flat(Layout::strided(vec![Sym::constant(1)]));
        let made = self.store_with(&view.name, memory, None, space, addressing, None);
        Some(Rc::new(View { casts: view.casts.clone(), ..(*made).clone() }))
    }

    /// Ranges of places that hold all of a row's: of consecutive ones, or with gaps where no operation can overflow.
    fn runs(&self, row: &Row, lines: &[Line]) -> Vec<(i64, i64)> {
        let total = self.bounds(&row.term.expr, &row.term.taps, lines).is_some();
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for place in &row.places {
            match runs.last_mut() {
                Some((_, last)) if place - *last == 1 || total && place - *last <= MAX_GAP => *last = *place,
                _ => runs.push((*place, *place)),
            }
        }
        if total {
            // Whole vectors, where there is memory to read.
            let room = row.distances().map(|(line, distance)| lines[line].length - 1 - distance);
            let last = room.min().unwrap_or(0);
            for (from, to) in runs.iter_mut().filter(|(from, to)| 2 * (*to - *from + 1) > PART) {
                let whole = *from + (*to - *from + PART) / PART * PART - 1;
                if whole <= last {
                    *to = whole;
                }
            }
        }
        runs
    }

    /// The bounds of a value that no element makes overflow; none where that is not known.
    fn bounds(&self, expr: &Expr, taps: &[(usize, i64)], lines: &[Line]) -> Option<(i128, i128)> {
        let view = &lines.get(taps.first()?.0)?.view;
        let ty = self.number_in(view)?;
        let found = match surface::bare(expr) {
            Expr::Lit(_) => {
                let Ok(Some(Value::Int(int))) = fixed::eval(expr, &fixed::NoNames) else { return None };
                (int.value, int.value)
            }
            Expr::Path(path) => {
                let own = &lines.get(taps.get(tap_number(path.path.get_ident()?)?)?.0)?.view;
                if self.number_in(own)? != ty {
                    return None;
                }
                let memory = self.program.storages[own.storage].number()?;
                if memory.min() >= ty.min() && memory.max() <= ty.max() {
                    (memory.min(), memory.max())
                } else {
                    (ty.min(), ty.max())
                }
            }
            Expr::Binary(binary) => {
                let (a, b) =
                    (self.bounds(&binary.left, taps, lines)?, self.bounds(&binary.right, taps, lines)?);
                match binary.op {
                    BinOp::Add(_) => (a.0 + b.0, a.1 + b.1),
                    BinOp::Sub(_) => (a.0 - b.1, a.1 - b.0),
                    BinOp::Mul(_) if a.0 >= 0 && b.0 >= 0 => (a.0 * b.0, a.1 * b.1),
                    BinOp::Shr(_) if b.0 == b.1 && (0..i128::from(ty.bits())).contains(&b.0) => {
                        (a.0 >> b.0, a.1 >> b.0)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        (found.0 >= ty.min() && found.1 <= ty.max()).then_some(found)
    }

    /// Selects the elements of a block from a table.
    fn pick(&mut self, out: &View, table: &Rc<View>, runs: &[Run], elements: &[(usize, i64)]) {
        let tokens = out.name.to_token_stream();
        let mut accesses: Vec<AccessId> = Vec::new();
        let mut known: BTreeMap<(usize, i64), usize> = BTreeMap::new();
        let mut numbers = Vec::new();
        for (row, place) in elements {
            let number = *known.entry((*row, *place)).or_insert_with(|| {
                let run = runs.iter().find(|run| run.row == *row && (run.from..=run.to).contains(place));
                let at = run.map_or(0, |run| run.start + place - run.from);
                let index = vec![Sym::constant(at)];
                accesses.push(self.record(
                    table.clone(),
                    index,
                    AccessKind::Read,
                    Vec::new(),
                    tokens.clone(),
                ));
                accesses.len() - 1
            });
            numbers.push(number);
        }
        let first = vec![Sym::constant(0); out.space.extents.len()];
        let plain = Rc::new(View { casts: Vec::new(), ..out.clone() });
        let to = self.record(plain, first, AccessKind::Write, Vec::new(), tokens);
        let selection = Selection { to, accesses, elements: numbers };
        let hole = self.program.hole(Hole::Select(Box::new(selection)));
        self.push(Stmt::Expr(hole, Some(syn::token::Semi::default())));
    }
}

/// Reduces an expression whose conditions are static to the branch that is taken, and notes the elements that it reads.
struct Reduces<'r, 'a> {
    binder: &'r mut Binder<'a>,
    bound: Vec<(Ident, Value)>,
    lines: &'r mut Vec<Line>,
    taps: Vec<(usize, i64)>,
    failed: bool,
}

impl Reduces<'_, '_> {
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        match fixed::eval_with(expr, &self.bound, &self.binder.scopes) {
            Ok(value) => value,
            Err(error) => {
                self.binder.diagnostics.push(error);
                self.failed = true;
                None
            }
        }
    }

    /// The branch of an `if` or `match` on static values, with what its pattern binds.
    fn branch(&mut self, expr: &Expr) -> Option<(Expr, Vec<(Ident, Value)>)> {
        match expr {
            Expr::Paren(inner) => {
                Some(((*inner.expr).clone(), Vec::new())).filter(|_| is_choice(&inner.expr))
            }
            Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
                [Stmt::Expr(value, None)] => Some((value.clone(), Vec::new())),
                _ => None,
            },
            Expr::If(choice) => {
                let Some(Value::Bool(holds)) = self.value(&choice.cond) else { return None };
                let taken = if holds {
                    let block = &choice.then_branch;
                    syn::parse_quote!(#block)
                } else {
                    (*choice.else_branch.as_ref()?.1).clone()
                };
                Some((taken, Vec::new()))
            }
            Expr::Match(choice) => {
                let value = self.value(&choice.expr)?;
                for arm in &choice.arms {
                    match fixed::matches_with(&arm.pat, &value, &self.bound, &self.binder.scopes) {
                        Ok(Some(Some(names))) => return Some(((*arm.body).clone(), names)),
                        Ok(Some(None)) => {}
                        Ok(None) => return None,
                        Err(error) => {
                            self.binder.diagnostics.push(error);
                            self.failed = true;
                            return None;
                        }
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// The element of a tensor at a static index.
    fn element(&mut self, expr: &Expr) -> Option<(usize, i64)> {
        let Expr::Index(index) = expr else { return None };
        let name = surface::ident(&index.expr)?;
        if self.bound.iter().any(|(bound, _)| hygiene::same(bound, name)) {
            return None;
        }
        let Some(Binding::Tensor(view)) = self.binder.scopes.get(name) else { return None };
        let view = view.clone();
        let entries = surface::index_list(index)?;
        let rank = view.space.extents.len();
        let mut at = vec![0; rank.saturating_sub(entries.len())];
        for entry in entries {
            let Entry::Index(entry) = entry else { return None };
            match self.value(entry)? {
                Value::Int(int) => at.push(i64::try_from(int.value).ok()?),
                _ => return None,
            }
        }
        let found = self.binder.tap(&view, &at, self.lines);
        if found.is_none() && !self.failed {
            self.failed = true;
            self.binder.diagnostics.error_in_call(
                expr,
                format!("`{}` at {at:?} is not an element that can be tabulated", view.name),
                "a tabulated loop reads elements that are inside a block of static extents",
            );
        }
        found
    }
}

impl VisitMut for Reduces<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.failed {
            return;
        }
        if let Some((taken, names)) = self.branch(expr) {
            *expr = taken;
            let depth = self.bound.len();
            self.bound.extend(names);
            self.visit_expr_mut(expr);
            self.bound.truncate(depth);
            return;
        }
        if let Some(tap) = self.element(expr) {
            self.taps.push(tap);
            let name = format_ident!("{TAP}{}", self.taps.len() - 1);
            *expr = Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: name.into() });
            return;
        }
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && let Some((_, value)) = self.bound.iter().rev().find(|(bound, _)| hygiene::same(bound, name))
        {
            *expr = fixed::literal(value, name.span());
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// What the names of elements that a term reads begin with.
const TAP: &str = "__shim_tap_";

fn tap_number(name: &Ident) -> Option<usize> {
    name.to_string().strip_prefix(TAP)?.parse().ok()
}

/// The elements that an expression reads, in the sequence in which they are written.
fn tap_numbers(expr: &Expr) -> Vec<usize> {
    struct Taps(Vec<usize>);
    impl<'ast> Visit<'ast> for Taps {
        fn visit_ident(&mut self, name: &'ast Ident) {
            self.0.extend(tap_number(name));
        }
    }
    let mut taps = Taps(Vec::new());
    taps.visit_expr(expr);
    taps.0
}

/// Numbers what an expression reads in the sequence in which it is written.
struct Renumbers {
    next: usize,
}

impl VisitMut for Renumbers {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        if tap_number(name).is_some() {
            *name = format_ident!("{TAP}{}", self.next);
            self.next += 1;
        }
    }
}

fn is_sum(expr: &Expr) -> bool {
    matches!(surface::bare(expr), Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)))
}

/// The addends of a sum.
fn flatten(expr: &Expr, addends: &mut Vec<Expr>) {
    match surface::bare(expr) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)) => {
            flatten(&binary.left, addends);
            flatten(&binary.right, addends);
        }
        other => addends.push(other.clone()),
    }
}

fn is_choice(expr: &Expr) -> bool {
    matches!(expr, Expr::Paren(_) | Expr::If(_) | Expr::Match(_) | Expr::Block(_))
}

/// The value that the body of a loop assigns to the element of the block at its variables.
fn assigned<'l>(looping: &'l ExprForLoop, tensor: &Expr, names: &[Ident]) -> Option<&'l Expr> {
    let [Stmt::Expr(Expr::Assign(assignment), _)] = &looping.body.stmts[..] else { return None };
    let Expr::Index(index) = &*assignment.left else { return None };
    let entries = surface::index_list(index)?;
    let same = |text: &dyn ToTokens, other: &dyn ToTokens| {
        text.to_token_stream().to_string() == other.to_token_stream().to_string()
    };
    let plain = entries.len() == names.len()
        && entries.iter().zip(names).all(|(entry, name)| match entry {
            Entry::Index(entry) => surface::ident(entry).is_some_and(|own| hygiene::same(own, name)),
            Entry::Range(_) => false,
        });
    (plain && same(&index.expr, tensor)).then_some(&*assignment.right)
}

fn casts(view: &View) -> Vec<String> {
    view.casts.iter().map(|cast| cast.ty.to_token_stream().to_string()).collect()
}

/// Gives each run its entries: long ones begin a part of a vector, which is what a shuffle reaches, and short ones share parts. The number
/// of entries.
fn packed(runs: &mut [Run]) -> i64 {
    let length = |run: &Run| run.to - run.from + 1;
    let mut next = 0;
    for run in runs.iter_mut().filter(|run| 2 * length(run) > PART) {
        run.start = next;
        next += (length(run) + PART - 1) / PART * PART;
    }
    for run in runs.iter_mut().filter(|run| 2 * length(run) <= PART) {
        if next % PART + length(run) > PART {
            next += PART - next % PART;
        }
        run.start = next;
        next += length(run);
    }
    // Of whole parts.
    (next + PART - 1) / PART * PART
}

/// The points of a box, in row-major order.
fn points(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![Vec::new()], |prefixes, extent| {
        let longer =
            |prefix: &Vec<i64>| (0..*extent).map(|at| [&prefix[..], &[at]].concat()).collect::<Vec<_>>();
        prefixes.iter().flat_map(longer).collect()
    })
}
