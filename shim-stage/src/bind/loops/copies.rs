//! `#[copies(4)]`: tables that a loop only updates, in private copies.
//!
//! ```text
//! #[copies(4)]                             let copies = Block::heap([4, 256]);
//! for x in 0..n {                          for x in 0..n {
//!     table[[key[[x]]]] += 1;                  copies[[x % 4, key[[x]]]] += 1;
//! }                                        }
//!                                          for [i] in table.indices() {
//!                                              table[[i]] += copies[[0, i]]; .. table[[i]] += copies[[3, i]];
//!                                          }
//! ```
//!
//! An iteration that updates an element does not wait for the one before, which may have updated the same. With
//! `#[parallel]` there are as many tasks as copies, each with a copy. Integers alone have copies: their sums do not depend
//! on the order. Halide's `rfactor` is the same rewriting (P. Suriana, A. Adams and S. Kamil, CGO 2017).

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{Attribute, BinOp, Expr, ExprForLoop, Stmt, parse_quote};

use crate::bind::loops::counted::indices_of;
use crate::bind::types::Primitive;
use crate::bind::{Binder, Binding, IntTy, unreachable_value};
use crate::diagnostics;
use crate::hygiene::{self, PatternNames};
use crate::ir::{BufferId, Hole, RegionId, RegionKind, View};
use crate::surface::{self, HelperAttribute, pattern};
use crate::symbolic::SymInt;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

/// The most copies.
const MAX_COPIES: i64 = 64;
/// The most elements of copies that are on the stack.
const ON_STACK: i64 = 4096;

/// A table that a loop only updates.
struct CopiedTable {
    name: Ident,
    buffer: BufferId,
    rank: usize,
    /// The operator of all updates.
    op: BinOp,
    /// The block that holds the copies.
    copies: Ident,
    /// The expression that makes it.
    made: Expr,
}

impl Binder<'_> {
    /// Binds a loop whose tables have copies.
    pub(in crate::bind) fn copied_loop(&mut self, source: &ExprForLoop, attribute: &Attribute) -> Expr {
        let Some(count) = self.number_of_copies(attribute) else {
            self.loop_expression(&Expr::ForLoop(source.clone()));
            return unreachable_value();
        };
        let fused = source.attrs.iter().find(|own| HelperAttribute::Fuse.is(own));
        if let Some(fused) = fused.filter(|_| self.schedules()) {
            self.diagnostics.error_in_call(
                fused,
                "a loop whose tables have copies is fused with no other",
                "the copies are added up between the two loops: remove one of the attributes",
            );
            return unreachable_value();
        }
        let tables = self.tables(source, attribute, count);
        // Without orders the loop is bound all the same: so are its errors.
        let Some(tables) = tables.filter(|_| self.schedules()) else {
            return self.loop_expression(&Expr::ForLoop(source.clone()));
        };
        let is_parallel = source.attrs.iter().any(|own| HelperAttribute::Parallel.is(own));
        let part = is_parallel.then(|| self.names.fresh("part"));
        let mut rewritten = source.clone();
        let shadowed = PatternNames::of(|names| names.visit_block(&source.body));
        let mut moved =
            Moved { binder: self, tables: &tables, count, part: part.as_ref(), shadowed, loops: Vec::new() };
        moved.visit_expr_for_loop_mut(&mut rewritten);
        if let Some(part) = part {
            let Some(parts) = self.in_parts(rewritten, &part, count) else {
                self.diagnostics.error_in_call(
                    attribute,
                    "this loop has no tasks with copies",
                    "write `#[parallel]` and `#[copies(..)]` before a `for` over a range `a..b` or over the indices of a tensor",
                );
                return self.loop_expression(&Expr::ForLoop(source.clone()));
            };
            rewritten = parts;
        }
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            for table in &tables {
                let Some(view) = binder.unmentioned(&table.made, &table.name.to_string()) else {
                    return binder.push(Stmt::Expr(unreachable_value(), None));
                };
                binder.bind_tensor(&table.copies, view);
                if let Some(identity) = identity(&table.op) {
                    let fill = each(
                        &table.copies,
                        table.rank + 1,
                        |name, index| parse_quote!(#name[[#index]] = #identity;),
                    );
                    binder.remaining(&[fill]);
                }
            }
            let beginning = binder.beginning();
            let body = binder.body(RegionKind::Plain, Vec::new(), |binder| {
                binder.confirming(true, |binder| {
                    binder.remaining(&[Stmt::Expr(Expr::ForLoop(rewritten), None)]);
                });
            });
            let unknown = binder.effects_since(beginning, body).unknown;
            binder.name_tables(&tables, body);
            binder.judge_copies(&tables, body, unknown.as_ref(), attribute);
            let nest = binder.program.hole(Hole::Body(body));
            binder.push(Stmt::Expr(nest, None));
            let merged: Vec<Stmt> = tables.iter().map(|table| table.merged(count)).collect();
            binder.remaining(&merged);
        });
        self.program.hole(Hole::Body(body))
    }

    fn number_of_copies(&mut self, attribute: &Attribute) -> Option<i64> {
        let Ok(count) = attribute.parse_args::<Expr>() else {
            let usage = format!("write `{}`", HelperAttribute::Copies.usage());
            self.diagnostics.error(attribute, "malformed `#[copies]` attribute", usage);
            return None;
        };
        self.in_range(&count, "the number of copies", (2, MAX_COPIES), HelperAttribute::Copies)
    }

    /// The tables that a loop only updates; an error if there are none.
    fn tables(
        &mut self,
        source: &ExprForLoop,
        attribute: &Attribute,
        count: i64,
    ) -> Option<Vec<CopiedTable>> {
        let mut updates = Updates::default();
        updates.visit_expr_for_loop(source);
        let names: Vec<Ident> = hygiene::identifiers(source.body.to_token_stream()).collect();
        let mut tables: Vec<CopiedTable> = Vec::new();
        let mut reason = None;
        for (name, op) in &updates.0 {
            let of_name = || updates.0.iter().filter(|(own, _)| hygiene::same(own, name));
            if tables.iter().any(|table| hygiene::same(&table.name, name)) {
                continue;
            }
            let Some(Binding::Tensor(view)) = self.scopes.get(name) else { continue };
            let view = view.clone();
            let mentioned = names.iter().filter(|own| hygiene::same(own, name)).count();
            let found = if mentioned != of_name().count() {
                Err(format!("the loop uses `{name}` otherwise"))
            } else if of_name().any(|(_, own)| own != op) {
                Err(format!("the loop updates `{name}` by several operators"))
            } else {
                self.copied_table(name, &view, *op, count)
            };
            match found {
                Ok(table) => tables.push(table),
                Err(why) => reason = reason.or(Some(why)),
            }
        }
        if tables.is_empty() {
            let why = reason.unwrap_or_else(|| "it has no update such as `table[[i]] += 1`".to_owned());
            self.diagnostics.error_in_call(
                attribute,
                "this loop updates no table that may have copies",
                format!("{why}; a table of integers may have copies if all that the loop does with it is `table[[i]] += value`, or another of `-=`, `*=`, `|=`, `&=` and `^=`"),
            );
            return None;
        }
        Some(tables)
    }

    /// A table, or why it may have no copies.
    fn copied_table(
        &mut self,
        name: &Ident,
        view: &View,
        op: BinOp,
        count: i64,
    ) -> Result<CopiedTable, String> {
        let is_plain = view.casts.is_empty()
            && view.boundary.is_none()
            && view.within.is_none()
            && view.list.is_none()
            && view.shape.is_none()
            && view.pieces.is_empty()
            && self.program.buffers[view.buffer].parent.is_none();
        if !is_plain {
            return Err(format!("`{name}` has more than the elements of a block, or fewer"));
        }
        let rank = view.space.extents.len();
        let zeros = vec![quote::quote!(0); rank];
        let element: Expr = parse_quote!(#name[[#(#zeros),*]]);
        let Some(Primitive::Int(ty)) = self.primitive(&element) else {
            return Err(format!(
                "the elements of `{name}` are not known to be integers, as those of `[0_u32; 256]` are"
            ));
        };
        self.scopes.relies_on_primitive(ty.name());
        let ty = Ident::new(ty.name(), proc_macro2::Span::mixed_site());
        let constants: Option<Vec<i64>> = view.space.extents.iter().map(SymInt::as_constant).collect();
        let is_small = |extents: &Vec<i64>| {
            let size = extents.iter().try_fold(count, |size, extent| size.checked_mul(*extent));
            size.is_some_and(|size| size <= ON_STACK)
        };
        let made = if let Some(extents) = constants.filter(is_small) {
            let extents = std::iter::once(count).chain(extents).map(proc_macro2::Literal::i64_unsuffixed);
            parse_quote!(Block::stack::<#ty>([#(#extents),*]))
        } else {
            let count = proc_macro2::Literal::i64_unsuffixed(count);
            let axes = (0..rank).map(proc_macro2::Literal::usize_unsuffixed);
            parse_quote!(Block::heap::<#ty>([#count, #(#name.extent(#axes)),*]))
        };
        let copies = self.names.fresh(&format!("{name}_copies"));
        Ok(CopiedTable { name: name.clone(), buffer: view.buffer, rank, op, copies, made })
    }

    /// A loop in interleaved parts, one for each task.
    fn in_parts(&mut self, mut source: ExprForLoop, part: &Ident, count: i64) -> Option<ExprForLoop> {
        let count = proc_macro2::Literal::i64_unsuffixed(count);
        let words = source.attrs.extract_if(.., |own| HelperAttribute::Parallel.is(own)).collect::<Vec<_>>();
        if let Some(tensor) = indices_of(&source.expr).filter(|tensor| self.is_tensor(tensor)).cloned() {
            let names = pattern::array(&source.pat).filter(|names| !names.is_empty())?;
            let mut inner = source.body.clone();
            for (axis, name) in names.iter().enumerate().rev() {
                let name = name.clone().unwrap_or_else(|| self.names.fresh("i"));
                let axis = proc_macro2::Literal::usize_unsuffixed(axis);
                let first = axis.to_string() == "0";
                let own: ExprForLoop = if first {
                    parse_quote!(for #name in (#part..#tensor.extent(#axis) as i32).step_by(#count) #inner)
                } else {
                    parse_quote!(for #name in 0..#tensor.extent(#axis) as i32 #inner)
                };
                inner = parse_quote!({ #own });
            }
            return Some(parse_quote!(#(#words)* for #part in 0..#count #inner));
        }
        let range = surface::range(&source.expr)?;
        let (start, end) = (range.start?, range.end?);
        if range.inclusive || range.step.is_some() || range.reversed {
            return None;
        }
        *source.expr = parse_quote!((#start + #part..#end).step_by(#count));
        Some(parse_quote!(#(#words)* for #part in 0..#count { #source }))
    }

    /// Has errors show the updates of a loop as the user wrote them.
    fn name_tables(&mut self, tables: &[CopiedTable], body: RegionId) {
        for id in self.program.accesses_in(body) {
            let Ok(mut index) = syn::parse2::<syn::ExprIndex>(self.program.accesses[id].tokens.clone())
            else {
                continue;
            };
            let table = surface::ident(&index.expr).and_then(|own| {
                Some((own.span(), tables.iter().find(|table| hygiene::same(&table.copies, own))?))
            });
            let (Some((span, table)), Expr::Array(entries)) = (table, &mut *index.index) else { continue };
            entries.elems = std::mem::take(&mut entries.elems).into_iter().skip(1).collect();
            let name = Ident::new(&table.name.to_string(), span);
            index.expr = parse_quote!(#name);
            self.program.accesses[id].tokens = index.into_token_stream();
        }
    }

    /// Reports what a loop does that sees the tables before their copies are merged.
    fn judge_copies(
        &mut self,
        tables: &[CopiedTable],
        body: RegionId,
        unknown: Option<&proc_macro2::TokenStream>,
        attribute: &Attribute,
    ) {
        let region = &self.program.regions[body];
        if region.last_epoch() != region.epochs[0] {
            let (message, help) = diagnostics::ORDER_OF_EFFECTS;
            return self.diagnostics.error_in_call(attribute, message, help);
        }
        if let Some(unknown) = unknown {
            let (message, help) = diagnostics::UNKNOWN_EFFECT;
            return self.diagnostics.error_in_call(unknown, message, help);
        }
        let program = &self.program;
        let used = program.accesses_while(body).into_iter().find_map(|id| {
            let own = &program.accesses[id];
            let table = tables.iter().find(|table| program.share_memory(table.buffer, own.view.buffer))?;
            Some((own.shown(), table.name.clone()))
        });
        if let Some((own, table)) = used {
            self.diagnostics.error_in_call(
                attribute,
                format!("`{own}` may be an element of `{table}`, which has copies in this loop"),
                "access it after the loop, or remove `#[copies(..)]`",
            );
        }
    }
}

impl CopiedTable {
    /// The loop that brings the copies together, in the sequence of their numbers.
    fn merged(&self, count: i64) -> Stmt {
        let Self { op, copies, .. } = self;
        each(&self.name, self.rank, |name, index| {
            let numbers = (0..count).map(proc_macro2::Literal::i64_unsuffixed);
            let updates =
                numbers.map(|copy| -> Stmt { parse_quote!(#name[[#index]] #op #copies[[#copy, #index]];) });
            parse_quote!({ #(#updates)* })
        })
    }
}

/// A loop over the elements of a tensor.
fn each(name: &Ident, rank: usize, body: impl FnOnce(&Ident, proc_macro2::TokenStream) -> Stmt) -> Stmt {
    let index: Vec<Ident> =
        (0..rank).map(|axis| Ident::new(&format!("i{axis}"), proc_macro2::Span::mixed_site())).collect();
    let body = body(name, quote::quote!(#(#index),*));
    parse_quote!(for [#(#index),*] in #name.indices() { #body })
}

/// The element that an update leaves as the other operand is, unless it is zero.
fn identity(op: &BinOp) -> Option<Expr> {
    match op {
        BinOp::MulAssign(_) => Some(parse_quote!(1)),
        BinOp::BitAndAssign(_) => Some(parse_quote!(!0)),
        _ => None,
    }
}

/// The table and the operator of an update.
fn update(expr: &Expr) -> Option<(&Ident, BinOp)> {
    let Expr::Binary(binary) = expr else { return None };
    let is_associative = matches!(
        binary.op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitXorAssign(_)
    );
    let Expr::Index(index) = &*binary.left else { return None };
    let is_element = matches!(&*index.index, Expr::Array(_)) && index.attrs.is_empty();
    (is_associative && is_element)
        .then(|| surface::ident(&index.expr))
        .flatten()
        .map(|name| (name, binary.op))
}

/// Finds updates.
#[derive(Default)]
struct Updates(Vec<(Ident, BinOp)>);

impl<'ast> Visit<'ast> for Updates {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Some((name, op)) = update(expr) {
            self.0.push((name.clone(), op));
        }
        visit::visit_expr(self, expr);
    }
}

/// Moves updates of tables to their copies.
struct Moved<'m, 'a> {
    binder: &'m Binder<'a>,
    tables: &'m [CopiedTable],
    count: i64,
    /// The variable of the tasks.
    part: Option<&'m Ident>,
    /// The names that patterns in the loop bind.
    shadowed: Vec<Ident>,
    /// The loops around an update whose variables are at least zero, the innermost last.
    loops: Vec<Option<Ident>>,
}

impl Moved<'_, '_> {
    /// The variable of a loop that says which copy an iteration has.
    fn variable(&self, source: &ExprForLoop) -> Option<Ident> {
        let is_once = |name: &Ident| self.shadowed.iter().filter(|own| hygiene::same(own, name)).count() <= 1;
        if indices_of(&source.expr).is_some() {
            let names = pattern::array(&source.pat)?;
            return names.last().cloned().flatten().filter(|name| is_once(name));
        }
        let (name, None, false) = pattern::simple(&source.pat)? else { return None };
        let range = surface::range(&source.expr)?;
        let is_usize = |bound: Option<&Expr>| {
            bound.is_some_and(|bound| {
                self.binder.number(bound) == Some(IntTy::Known(crate::static_eval::IntType::Usize))
            })
        };
        (is_once(name) && (is_usize(range.end) || is_usize(range.start))).then(|| name.clone())
    }
}

impl VisitMut for Moved<'_, '_> {
    fn visit_expr_for_loop_mut(&mut self, source: &mut ExprForLoop) {
        self.loops.push(self.variable(source));
        visit_mut::visit_block_mut(self, &mut source.body);
        self.loops.pop();
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Some((name, _)) = update(expr) else { return };
        let Some(table) = self.tables.iter().find(|table| hygiene::same(&table.name, name)) else { return };
        let mut copies = table.copies.clone();
        copies.set_span(copies.span().located_at(name.span()));
        let Expr::Binary(binary) = expr else { return };
        // A copy of `-=` has the sum that is subtracted.
        if matches!(binary.op, BinOp::SubAssign(_)) {
            binary.op = parse_quote!(+=);
        }
        let Expr::Index(index) = &mut *binary.left else { return };
        let Expr::Array(entries) = &mut *index.index else { return };
        let count = proc_macro2::Literal::i64_unsuffixed(self.count);
        let copy: Expr = match (self.part, self.loops.iter().rev().flatten().next()) {
            (Some(part), _) => parse_quote!(#part),
            (None, Some(variable)) => parse_quote!(#variable % #count),
            (None, None) => parse_quote!(0),
        };
        entries.elems.insert(0, copy);
        index.expr = parse_quote!(#copies);
    }
}
