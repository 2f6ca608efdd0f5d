//! The values of a tabulated block's elements: expressions without static conditions, and the places in memory of what
//! they read.

use std::rc::Rc;

use quote::{ToTokens, format_ident};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprPath, Ident, Stmt};

use crate::hygiene;
use crate::ir::{Addressing, View};
use crate::locate;
use crate::static_eval::{self, IntType, Value, int_type};
use crate::surface::{self, Entry};
use crate::symbolic::{Interval, SymInt};

use crate::bind::{Binder, Binding};

/// The value of one element.
pub(super) struct TableTerm {
    /// The expression, with a name in the place of each element that it reads.
    pub(super) expr: Expr,
    /// The elements that it reads: the number of the line, and the place in it.
    pub(super) taps: Vec<(usize, i64)>,
}

/// The memory that is read, and the tensor's casts.
pub(super) struct Line {
    pub(super) view: Rc<View>,
    pub(super) name: Ident,
    pub(super) length: i64,
}

impl TableTerm {
    pub(super) fn first(&self) -> i64 {
        self.taps.first().map_or(0, |(_, place)| *place)
    }
}

impl Binder<'_> {
    /// The value of the element for which names have these values.
    pub(super) fn term(
        &mut self,
        value: &Expr,
        bound: Vec<(Ident, Value)>,
        lines: &mut Vec<Line>,
    ) -> Option<TableTerm> {
        let mut expr = value.clone();
        let mut reduces = Reduces { binder: self, bound, lines, taps: Vec::new(), failed: false };
        reduces.visit_expr_mut(&mut expr);
        let Reduces { taps, failed, .. } = reduces;
        (!failed).then_some(TableTerm { expr, taps })
    }

    /// The term with the addends of each sum in the order of memory: no sequence of additions overflows. So
    /// `p[[x]] + 2 * p[[x - 1]]` is the same expression as `2 * p[[x]] + p[[x + 1]]`, at another place.
    pub(super) fn canonical(&self, term: TableTerm, lines: &[Line]) -> TableTerm {
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
        TableTerm { expr, taps }
    }

    /// The place in memory of an element of a view whose index is known; the memory's line.
    fn tap(&mut self, view: &Rc<View>, index: &[i64], lines: &mut Vec<Line>) -> Option<(usize, i64)> {
        let index: Vec<SymInt> = index.iter().copied().map(SymInt::constant).collect();
        let coordinates = locate::nearest(&self.program, view, &index).ok()?;
        let buffer = &self.program.buffers[view.buffer];
        let Addressing::Flat(layout) = &buffer.addressing else { return None };
        let extents: Vec<i64> =
            buffer.space.extents.iter().map(SymInt::as_constant).collect::<Option<_>>()?;
        let known: Vec<i64> = coordinates.iter().map(SymInt::as_constant).collect::<Option<_>>()?;
        let inside = known.len() == extents.len()
            && known.iter().zip(&extents).all(|(at, extent)| (0..*extent).contains(at));
        if !inside || view.within.is_some() {
            return None;
        }
        let place = layout.offset(&coordinates).ok()?.as_constant()?;
        let product = || extents.iter().try_fold(1_i64, |product, extent| product.checked_mul(*extent));
        let length = layout.size().and_then(SymInt::as_constant).or_else(product)?;
        let same = |line: &Line| line.view.buffer == view.buffer && casts(&line.view) == casts(view);
        let number = lines.iter().position(same).unwrap_or_else(|| {
            let name = self.names.fresh(&format!("{}_line", view.name));
            lines.push(Line { view: view.clone(), name, length });
            lines.len() - 1
        });
        Some((number, place))
    }

    /// The values of an expression that no element makes overflow; none where that is not known.
    pub(super) fn bounds(&self, expr: &Expr, taps: &[(usize, i64)], lines: &[Line]) -> Option<Interval> {
        let view = &lines.get(taps.first()?.0)?.view;
        let ty = self.number_in(view)?;
        let values = |ty: IntType| Interval::new(Some(ty.min()), Some(ty.max()));
        let found = match surface::strip_parens(expr) {
            Expr::Lit(_) => {
                let Ok(Some(Value::Int(int))) = static_eval::eval(expr, &static_eval::NoNames) else {
                    return None;
                };
                Interval::exactly(int.value)
            }
            Expr::Path(path) => {
                let own = &lines.get(taps.get(tap_number(path.path.get_ident()?)?)?.0)?.view;
                if self.number_in(own)? != ty {
                    return None;
                }
                let memory = values(self.program.buffers[own.buffer].number()?);
                own.casts.iter().try_fold(memory, |found, cast| {
                    let to = values(int_type(&cast.ty)?);
                    Some(if found.is_within(to) { found } else { to })
                })?
            }
            Expr::Binary(binary) => {
                let (a, b) =
                    (self.bounds(&binary.left, taps, lines)?, self.bounds(&binary.right, taps, lines)?);
                match binary.op {
                    BinOp::Add(_) => a.add(b),
                    BinOp::Sub(_) => a.add(b.neg()),
                    BinOp::Mul(_) => a.mul(b),
                    BinOp::Shr(_) => {
                        let by = b.lo.filter(|by| {
                            b.hi == Some(*by) && (0..i128::from(ty.bits().min(63))).contains(by)
                        })?;
                        a.floor_div(1 << by)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        (found.magnitude().is_some() && found.is_within(values(ty))).then_some(found)
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
        match static_eval::eval_with(expr, &self.bound, &self.binder.scopes) {
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
                    match static_eval::matches_with(&arm.pat, &value, &self.bound, &self.binder.scopes) {
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
            // It may be an operand, and binds less tightly than the block that it was in.
            if !is_atom(expr) {
                *expr = syn::parse_quote!((#expr));
            }
            return;
        }
        if let Some(tap) = self.element(expr) {
            self.taps.push(tap);
            let name = format_ident!("{TAP}{}", self.taps.len() - 1);
            *expr = Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: name.into() });
            return;
        }
        // Names that a part of the expression binds may hide those of the loop.
        let binds = match expr {
            Expr::Closure(_) | Expr::Let(_) | Expr::Match(_) | Expr::Macro(_) => true,
            Expr::Block(block) => block.block.stmts.len() > 1,
            _ => false,
        };
        let reads = match expr {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                !self.bound.iter().any(|(bound, _)| hygiene::same(bound, name))
                    && matches!(self.binder.scopes.get(name), Some(Binding::Tensor(_)))
            }),
            _ => false,
        };
        if binds || reads {
            self.failed = true;
            let message = if binds {
                "a tabulated expression may not bind names or call macros"
            } else {
                "a tabulated expression reads elements at static indices alone"
            };
            let help = "write operators, `if`, and elements such as `t[[x, -1]]`, with indices made of the loop's variables";
            self.binder.diagnostics.error_in_call(&*expr, message, help);
            return;
        }
        if let Expr::Path(path) = expr
            && let Some(name) = path.path.get_ident()
            && let Some((_, value)) = self.bound.iter().rev().find(|(bound, _)| hygiene::same(bound, name))
        {
            *expr = static_eval::literal(value, name.span());
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// The prefix of the names of elements that a term reads.
const TAP: &str = "__shim_tap_";

pub(super) fn tap_number(name: &Ident) -> Option<usize> {
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
    matches!(surface::strip_parens(expr), Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)))
}

/// The addends of a sum.
fn flatten(expr: &Expr, addends: &mut Vec<Expr>) {
    match surface::strip_parens(expr) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)) => {
            flatten(&binary.left, addends);
            flatten(&binary.right, addends);
        }
        other if is_atom(other) || is_product(other) => addends.push(other.clone()),
        other => addends.push(syn::parse_quote!((#other))),
    }
}

/// Whether an expression keeps its meaning beside any operator.
fn is_atom(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Lit(_)
            | Expr::Path(_)
            | Expr::Paren(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Field(_)
            | Expr::Index(_)
    )
}

/// Whether an expression binds more tightly than a sum.
fn is_product(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(_) | Expr::Cast(_) => true,
        Expr::Binary(binary) => matches!(binary.op, BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)),
        _ => false,
    }
}

fn is_choice(expr: &Expr) -> bool {
    matches!(expr, Expr::Paren(_) | Expr::If(_) | Expr::Match(_) | Expr::Block(_))
}

fn casts(view: &View) -> Vec<String> {
    view.casts.iter().map(|cast| cast.ty.to_token_stream().to_string()).collect()
}
