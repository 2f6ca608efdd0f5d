//! The expressions of tabulated elements: the elements that they read are holes in them.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{BinOp, Expr, Pat, Stmt};

use crate::ir::visit::holes_in_expr;
use crate::ir::{
    AccessId, Addressing, BufferId, Element, Hole, Program, RegionId, Statement, StatementKind, View,
};
use crate::static_eval::{self, IntType, Value, int_type};
use crate::surface;
use crate::symbolic::{Interval, SymInt};
use crate::syntax::visit_mut::{self, VisitMut};

/// Why a loop cannot be tabulated; at the loop's value if it has no tokens.
pub(super) struct Failure {
    pub(super) tokens: Option<TokenStream>,
    pub(super) message: String,
    pub(super) help: &'static str,
}

impl Failure {
    pub(super) fn new(message: String, help: &'static str) -> Self {
        Failure { tokens: None, message, help }
    }

    /// An expression with statements, or what is not an expression of elements.
    pub(super) fn of_names() -> Self {
        Failure::new("a tabulated expression may not bind names or call macros".to_owned(), USAGE)
    }
}

const USAGE: &str = "write operators, `if`, calls of templates, and elements such as `t[[x, -1]]`, with indices made of the loop's variables";

/// The memory that is read, and the tensor's casts.
struct Line {
    view: Rc<View>,
    casts: Vec<String>,
    length: i64,
}

/// The lines of a table.
#[derive(Default)]
pub(super) struct Lines(Vec<Line>);

impl Lines {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn buffer(&self, line: usize) -> BufferId {
        self.0[line].view.buffer
    }

    pub(super) fn name(&self, line: usize) -> &str {
        &self.0[line].view.name
    }

    pub(super) fn view(&self, line: usize) -> &Rc<View> {
        &self.0[line].view
    }

    pub(super) fn length(&self, line: usize) -> i64 {
        self.0[line].length
    }

    /// The line of an access, and its place there.
    fn tap(&mut self, program: &Program, id: AccessId) -> Option<(usize, i64)> {
        let access = &program.accesses[id];
        let Element::Inside(candidate) = &access.element else { return None };
        let buffer = &program.buffers[candidate.buffer];
        let Addressing::Flat(layout) = &buffer.addressing else { return None };
        let extents = buffer.space.extents.iter().map(SymInt::as_constant).collect::<Option<Vec<i64>>>()?;
        let place = layout.offset(&candidate.coordinates).ok()?.as_constant()?;
        if access.within.is_some() {
            return None;
        }
        let product = || extents.iter().try_fold(1_i64, |product, extent| product.checked_mul(*extent));
        let length = layout.size().and_then(SymInt::as_constant).or_else(product)?;
        let casts = access.view.casts.iter().map(|cast| cast.ty.to_token_stream().to_string()).collect();
        let same = |line: &Line| line.view.buffer == candidate.buffer && line.casts == casts;
        let number = self.0.iter().position(same).unwrap_or_else(|| {
            let view = Rc::new(View { buffer: candidate.buffer, ..(*access.view).clone() });
            self.0.push(Line { view, casts, length });
            self.0.len() - 1
        });
        Some((number, place))
    }

    /// The integer that elements are read as.
    fn number(&self, program: &Program, line: usize) -> Option<IntType> {
        let view = self.view(line);
        match view.casts.last() {
            Some(cast) => int_type(&cast.ty),
            None => program.buffers[view.buffer].number(),
        }
    }
}

/// The value of an element, or of several at different places.
#[derive(Clone)]
pub(super) struct ElementTerm {
    expr: Expr,
    /// The elements that it reads, in the sequence of its holes: the number of the line, and the place in it.
    pub(super) taps: Vec<(usize, i64)>,
    /// Their accesses.
    accesses: Vec<AccessId>,
}

impl ElementTerm {
    /// The value of an element.
    pub(super) fn of(
        program: &Program,
        (value, ty): (&Expr, &str),
        lines: &mut Lines,
    ) -> Result<Self, Failure> {
        let mut expr = value.clone();
        let mut inlines = Inlines { program, ty, failed: false };
        inlines.visit_expr_mut(&mut expr);
        if inlines.failed {
            return Err(Failure::of_names());
        }
        let (mut taps, accesses) = (Vec::new(), accesses(&expr, program));
        for access in &accesses {
            let access = *access;
            let Some(tap) = lines.tap(program, access) else {
                let access = &program.accesses[access];
                let at: Vec<String> = access.index.iter().map(ToString::to_string).collect();
                return Err(Failure {
                    tokens: Some(access.tokens.clone()),
                    message: format!(
                        "`{}` at [{}] is not an element that can be tabulated",
                        access.view.name,
                        at.join(", ")
                    ),
                    help: "a tabulated loop reads elements that are inside a block of static extents",
                });
            };
            taps.push(tap);
        }
        Ok(ElementTerm { expr, taps, accesses })
    }

    pub(super) fn first(&self) -> i64 {
        self.taps.first().map_or(0, |(_, place)| *place)
    }

    /// What is the same in all terms of a row: the expression, and the distance of each element from the first.
    pub(super) fn key(&self) -> String {
        let expr = self.with_taps(&mut |_| syn::parse_quote!(_));
        let distances: Vec<_> = self.taps.iter().map(|(line, place)| (line, place - self.first())).collect();
        format!("{} {distances:?}", expr.to_token_stream())
    }

    /// The expression with `tap` of each access in its place, in their sequence.
    pub(super) fn with_taps(&self, tap: &mut dyn FnMut(AccessId) -> Expr) -> Expr {
        let mut accesses = self.accesses.iter();
        let mut expr = self.expr.clone();
        Holes(&mut |_| accesses.next().map(|access| tap(*access))).visit_expr_mut(&mut expr);
        expr
    }

    /// The term with the addends of each sum in the order of memory: no sequence of additions overflows. So
    /// `p[[x]] + 2 * p[[x - 1]]` is the same expression as `2 * p[[x]] + p[[x + 1]]`, at another place.
    pub(super) fn canonical(&self, program: &Program, lines: &Lines) -> Self {
        let mut expr = self.expr.clone();
        Sums { term: self, program, lines }.visit_expr_mut(&mut expr);
        let order: Vec<usize> =
            accesses(&expr, program).iter().filter_map(|access| self.number_of(*access)).collect();
        ElementTerm {
            expr,
            taps: order.iter().map(|tap| self.taps[*tap]).collect(),
            accesses: order.iter().map(|tap| self.accesses[*tap]).collect(),
        }
    }

    fn number_of(&self, access: AccessId) -> Option<usize> {
        self.accesses.iter().position(|own| *own == access)
    }

    /// Whether no elements make an operation overflow.
    pub(super) fn is_total(&self, program: &Program, lines: &Lines) -> bool {
        self.bounds(&self.expr, program, lines).is_some()
    }

    /// The values of a part of the expression that no element makes overflow; none where that is not known.
    fn bounds(&self, expr: &Expr, program: &Program, lines: &Lines) -> Option<Interval> {
        let ty = lines.number(program, self.taps.first()?.0)?;
        let values = |ty: IntType| Interval::new(Some(ty.min()), Some(ty.max()));
        let found = match surface::strip_parens(expr) {
            Expr::Lit(_) => {
                let Ok(Some(Value::Int(int))) = static_eval::eval(expr, &static_eval::NoNames) else {
                    return None;
                };
                Interval::exactly(int.value)
            }
            hole @ Expr::Path(_) => {
                let (line, _) = self.taps[self.number_of(access_of(hole, program)?)?];
                if lines.number(program, line)? != ty {
                    return None;
                }
                let view = lines.view(line);
                let memory = values(program.buffers[view.buffer].number()?);
                view.casts.iter().try_fold(memory, |found, cast| {
                    let to = values(int_type(&cast.ty)?);
                    Some(if found.is_within(to) { found } else { to })
                })?
            }
            Expr::Binary(binary) => {
                let a = self.bounds(&binary.left, program, lines)?;
                let b = self.bounds(&binary.right, program, lines)?;
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

/// The access that an expression is.
fn access_of(expr: &Expr, program: &Program) -> Option<AccessId> {
    match &program.holes[Program::hole_of(expr)?] {
        Hole::Access(access) => Some(*access),
        _ => None,
    }
}

/// Replaces the holes of an expression that the function replaces.
struct Holes<'h>(&'h mut dyn FnMut(&Expr) -> Option<Expr>);

impl VisitMut for Holes<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if Program::hole_of(expr).is_none() {
            visit_mut::visit_expr_mut(self, expr);
        } else if let Some(other) = (self.0)(expr) {
            *expr = other;
        }
    }
}

/// The accesses of an expression, in the sequence in which they are written.
fn accesses(expr: &Expr, program: &Program) -> Vec<AccessId> {
    let mut found = Vec::new();
    holes_in_expr(expr, &mut |id, _| {
        if let Hole::Access(access) = program.holes[*id] {
            found.push(access);
        }
    });
    found
}

/// Writes the bodies that binding made of decided branches and of templates in their places.
struct Inlines<'p> {
    program: &'p Program,
    /// The type of the tabulated elements.
    ty: &'p str,
    failed: bool,
}

impl<'p> Inlines<'p> {
    /// The value of a region that is nothing else, or of a template's: `let result: u16 = value; result`, of the type
    /// of the tabulated elements.
    fn value(&self, region: RegionId) -> Option<&Expr> {
        let rust = |statement: &'p Statement| match &statement.kind {
            StatementKind::Rust(rust) => Some(&**rust),
            _ => None,
        };
        match &self.program.regions[region].statements[..] {
            [value] => tail(std::slice::from_ref(rust(value)?)),
            [result, value] => {
                let (Stmt::Local(result), Stmt::Expr(value, None)) = (rust(result)?, rust(value)?) else {
                    return None;
                };
                let Pat::Type(typed) = &result.pat else { return None };
                let Pat::Ident(name) = &*typed.pat else { return None };
                let same = typed.ty.to_token_stream().to_string() == self.ty
                    && surface::ident(value) == Some(&name.ident);
                let init = result.init.as_ref().filter(|_| same)?;
                Some(&init.expr)
            }
            _ => None,
        }
    }
}

/// The value that statements are, if they are nothing else.
fn tail(statements: &[Stmt]) -> Option<&Expr> {
    match statements {
        [Stmt::Expr(value, None)] => Some(value),
        _ => None,
    }
}

impl VisitMut for Inlines<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let inner = match &*expr {
            Expr::Closure(_) | Expr::Let(_) | Expr::Match(_) | Expr::Macro(_) => None,
            Expr::Block(block) if block.label.is_none() => tail(&block.block.stmts).cloned(),
            own => match Program::hole_of(own).map(|id| &self.program.holes[id]) {
                None => return visit_mut::visit_expr_mut(self, expr),
                Some(Hole::Access(_)) => return,
                Some(Hole::Body(region) | Hole::Place(region)) => self.value(*region).cloned(),
                Some(_) => None,
            },
        };
        match inner {
            Some(inner) => {
                *expr = inner;
                self.visit_expr_mut(expr);
                // It may be an operand, and binds less tightly than the block that it was in.
                if !is_atom(expr) {
                    *expr = syn::parse_quote!((#expr));
                }
            }
            None => self.failed = true,
        }
    }
}

/// Sorts the addends of sums.
struct Sums<'s> {
    term: &'s ElementTerm,
    program: &'s Program,
    lines: &'s Lines,
}

impl VisitMut for Sums<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if !is_sum(expr) || self.term.bounds(expr, self.program, self.lines).is_none() {
            return visit_mut::visit_expr_mut(self, expr);
        }
        let mut addends = Vec::new();
        flatten(expr, &mut addends);
        addends.sort_by_cached_key(|addend| {
            let taps = accesses(addend, self.program);
            let places = taps.iter().filter_map(|tap| self.term.number_of(*tap));
            let least = places.map(|tap| self.term.taps[tap]).min();
            let mut shape = addend.clone();
            Holes(&mut |_| Some(syn::parse_quote!(_))).visit_expr_mut(&mut shape);
            (least.is_none(), least, shape.to_token_stream().to_string())
        });
        if let Some(sum) = addends.into_iter().reduce(|sum, addend| syn::parse_quote!(#sum + #addend)) {
            *expr = syn::parse_quote!((#sum));
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
