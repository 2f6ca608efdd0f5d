//! Prints a program as readable Rust.
//!
//! The statements of the kernel with their holes filled; before each statement the assertions and the parts of
//! offsets that belong there. Unsafe code is written here alone, around single loads and stores, and never around
//! tokens of the user's; its spans are the macro's, so that it compiles under `#![forbid(unsafe_code)]`.

/// Tokens with macro (mixed-site) hygiene.
macro_rules! hygienic {
    ($($tokens:tt)*) => { quote::quote_spanned!(proc_macro2::Span::mixed_site()=> $($tokens)*) };
}

mod access;
mod arithmetic;
mod assertion;
mod assign;
pub mod dump;
mod emitted;
mod function;
mod memory;
mod nest;
mod operation;
mod select;
mod syntax;

pub use function::{Kernel, function};

use std::cell::Cell;
use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{BinOp, Expr, Stmt};

use crate::hygiene;
use crate::ir::visit::replace_in_tokens;
use crate::ir::{
    Definition, Hole, HoleId, Let, NameSupply, OffsetPart, OwnLocals, Program, ProgramPoint, RegionId,
    Statement, StatementKind, ValueType,
};
use crate::parse::options::Simd;
use crate::symbolic::SymInt;
use crate::syntax::visit_mut::{self, VisitMut};

use crate::overflow::{Chooser, Overflow};
use crate::stand_in;
use arithmetic::Arithmetic;
use nest::conditional;
use syntax::{block, block_of, constant, expression_of, is_block_like, parsed, place_of, statement};

/// Writes a program out.
pub(crate) struct Emitter<'p> {
    program: &'p Program,
    /// The local whose methods expansions call.
    runtime: &'p Ident,
    /// The other locals of expansions.
    own: &'p OwnLocals,
    /// The names of its locals.
    names: &'p NameSupply,
    /// The levels of the kernel's versions, and of those of the tasks of its loops.
    simd: Option<&'p Simd>,
    /// Whether the tokens being written are arguments of a macro, which may look at them.
    in_macro: bool,
    /// Whether an item that the macro does not see may hide locals where the statement being written is.
    may_be_hidden: bool,
    /// The statement being written.
    place: ProgramPoint,
    /// Whether a variable of a range is cast to `isize`.
    casts: Cell<bool>,
}

impl<'p> Emitter<'p> {
    pub(crate) fn new(
        program: &'p Program,
        own: &'p OwnLocals,
        names: &'p NameSupply,
        simd: Option<&'p Simd>,
    ) -> Self {
        Emitter {
            program,
            runtime: &own.runtime,
            own,
            names,
            simd,
            in_macro: false,
            may_be_hidden: false,
            place: ProgramPoint { region: RegionId::BODY, statement: 0 },
            casts: Cell::new(false),
        }
    }

    /// The statements of a region.
    pub(crate) fn body(&mut self, region: RegionId) -> Vec<Stmt> {
        self.statements(region).into_iter().flat_map(|(_, statements)| statements).collect()
    }

    /// The statements of a region that each of its own becomes.
    fn statements(&mut self, region: RegionId) -> Vec<(&'p Statement, Vec<Stmt>)> {
        let program = self.program;
        let outer = self.place;
        let unseen = program.unseen_items.contains(&program.original(region));
        let hidden_outside = self.may_be_hidden;
        self.may_be_hidden |= unseen;
        let mut all = Vec::new();
        for own in &program.regions[region].statements {
            self.place = ProgramPoint { region, statement: own.number };
            let mut out = Vec::new();
            match &own.kind {
                StatementKind::Rust(source) | StatementKind::Confirm(source) => {
                    self.statement(source, &mut out);
                }
                StatementKind::Memory(buffer, place) => {
                    self.bind(*buffer, place.as_deref(), &mut out);
                    if program.typed.contains(buffer) {
                        out.extend(stand_in::named_type(program, self.runtime, *buffer));
                    }
                }
                StatementKind::Check(source) => out.push((**source).clone()),
                StatementKind::Let(local) => self.definition(local, &mut out),
                StatementKind::Expect { tensor, found, wanted } => {
                    let (rt, kernel) = (self.runtime, &program.name);
                    let (found, wanted) = (self.wrapping(found), self.checked_value(wanted));
                    out.push(statement(hygienic!(#rt.expect_extent(#kernel, #tensor, #found, #wanted))));
                }
                StatementKind::Assert(assertion) => out.push(statement(self.assertion(assertion))),
                StatementKind::If { all, then, otherwise } => {
                    let guards = all.iter().map(|own| self.guard(own));
                    let condition = hygienic!(#(#guards)&&*);
                    let (then, otherwise) = (self.body(*then), otherwise.map(|region| self.body(region)));
                    out.push(Stmt::Expr(conditional(condition, then, otherwise), None));
                }
            }
            all.push((own, out));
        }
        self.place = outer;
        self.may_be_hidden = hidden_outside;
        if unseen {
            self.unhide(&mut all);
        }
        all
    }

    /// Guards the statements of a block that may have an item by the name of any local. rustc rejects `let [x] = ..` if
    /// `x` names a constant, a static or a struct, so this proves that no such item hides a local. A function is no
    /// integer and no memory, and does not fit where a local is an operand ([`Arithmetic::may_be_hidden`]).
    fn unhide(&self, all: &mut [(&Statement, Vec<Stmt>)]) {
        let mut locals = BTreeMap::new();
        for statement in all.iter().flat_map(|(_, statements)| statements) {
            self.locals_among(statement.to_token_stream(), &mut locals);
        }
        let Some((_, first)) = all.first_mut().filter(|_| !locals.is_empty()) else { return };
        let (rt, locals) = (self.runtime, locals.into_values());
        first.insert(0, statement(hygienic!({ let [#(#locals),*] = #rt.names(); })));
    }

    /// Collects the emitted locals among tokens, one identifier for each.
    fn locals_among(&self, tokens: TokenStream, found: &mut BTreeMap<String, Ident>) {
        let own = hygiene::syntax_context(Span::mixed_site());
        for ident in hygiene::identifiers(tokens) {
            let text = hygiene::text(&ident);
            if self.names.is_local(&text) && hygiene::syntax_context(ident.span()) == own {
                found.entry(text).or_insert(ident);
            }
        }
    }

    /// A local of the compiler's own.
    fn definition(&mut self, local: &Let, out: &mut Vec<Stmt>) {
        let name = &local.name;
        let value = match &local.value {
            Definition::Constant(path) => hygienic!(const { #path }),
            Definition::Conversion { value, number, .. } => {
                let mut value = (**value).clone();
                self.fill(&mut value);
                arithmetic::conversion(self.runtime, *number, &hygienic!(#value))
            }
            Definition::Index(value) => self.checked_value(value),
            Definition::Extent(value) => {
                let mut arithmetic = self.arithmetic(Overflow::Panics);
                arithmetic.chooser.extents = &[];
                arithmetic.isize(value)
            }
            Definition::Table(entries) => {
                let entries: Vec<TokenStream> =
                    entries.iter().map(|entry| self.checked_value(entry)).collect();
                let (rt, kernel) = (self.runtime, &self.program.name);
                hygienic!(&#rt.table(#kernel, [#(#entries),*]))
            }
            Definition::Starts(memory, sym) | Definition::Indices(memory, sym) => {
                let mut memory = (**memory).clone();
                self.fill(&mut memory);
                let memory = memory::sliced(memory);
                let sym = self.checked_value(sym);
                let (rt, kernel) = (self.runtime, &self.program.name);
                match local.value {
                    Definition::Starts(..) => hygienic!(#rt.starts(#kernel, &#memory[..], #sym)),
                    _ => hygienic!(#rt.indices_below(#kernel, &#memory[..], #sym)),
                }
            }
            Definition::OffsetPart(OffsetPart { outside, value, fits }) => {
                let overflow = if *fits { Overflow::Fits } else { Overflow::Wraps };
                self.arithmetic(overflow).sum(outside.as_ref(), value)
            }
            Definition::Item(index, range) => {
                let mut range = (**range).clone();
                self.fill(&mut range);
                let rt = self.runtime;
                hygienic!(#rt.item_at(#index, #range))
            }
        };
        out.push(statement(hygienic!(let #name = #value)));
    }

    fn statement(&mut self, source: &Stmt, out: &mut Vec<Stmt>) {
        match source {
            Stmt::Expr(expr, semi) => {
                if let Some(id) = Program::hole_of(expr)
                    && self.hole_statement(id, semi.is_some(), out)
                {
                    return;
                }
                // A copy of an unrolled body that binds nothing needs no braces.
                if semi.is_some()
                    && let Expr::Block(block) = expr
                    && block.label.is_none()
                    && block.attrs.is_empty()
                    && let [Stmt::Expr(inner, None)] = block.block.stmts.as_slice()
                    && let Some(id) = Program::hole_of(inner)
                    && let Hole::Body(body) = self.program.holes[id]
                    && !self.binds(body)
                {
                    self.spliced(body, out);
                    return;
                }
                let mut expr = expr.clone();
                self.fill(&mut expr);
                let semi = match (semi, &expr) {
                    // What writes memory is an assignment and needs its semicolon.
                    (None, Expr::Assign(_)) => Some(syn::token::Semi::default()),
                    (semi, _) => *semi,
                };
                out.push(Stmt::Expr(expr, semi));
            }
            Stmt::Local(local) => {
                let mut local = local.clone();
                if let Some(init) = &mut local.init {
                    self.fill(&mut init.expr);
                    if let Some((_, otherwise)) = &mut init.diverge {
                        self.fill_block_expression(otherwise);
                    }
                }
                out.push(Stmt::Local(local));
            }
            Stmt::Macro(mac) => {
                let mut mac = mac.clone();
                mac.mac.tokens = self.fill_tokens(mac.mac.tokens);
                out.push(Stmt::Macro(mac));
            }
            item @ Stmt::Item(_) => out.push(item.clone()),
        }
    }

    /// Whether a statement of `body` brings a name of the user's into scope.
    fn binds(&self, body: RegionId) -> bool {
        self.program.regions[body].statements.iter().any(|statement| match &statement.kind {
            StatementKind::Rust(source) => {
                matches!(**source, Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_))
            }
            // Names that the compiler makes are unique in the whole kernel, but memory ends with its block.
            StatementKind::Memory(..) | StatementKind::Let(Let { value: Definition::Item(..), .. }) => true,
            _ => false,
        })
    }

    /// The statements of `body` among those of the block around it.
    fn spliced(&mut self, body: RegionId, out: &mut Vec<Stmt>) {
        for statement in self.body(body) {
            out.push(match statement {
                Stmt::Expr(expr, None) if !is_block_like(&expr) => {
                    Stmt::Expr(expr, Some(syn::token::Semi::default()))
                }
                other => other,
            });
        }
    }

    /// Writes a hole that stands for statements; says whether it was one.
    fn hole_statement(&mut self, id: HoleId, semi: bool, out: &mut Vec<Stmt>) -> bool {
        let program = self.program;
        match &program.holes[id] {
            Hole::Nest(nest) => {
                let nest = self.nest(*nest, out);
                out.push(Stmt::Expr(nest, None));
            }
            Hole::Copies(body) => self.spliced(*body, out),
            Hole::Body(body) if semi && !self.binds(*body) => self.spliced(*body, out),
            Hole::Assign { access, op, value } => {
                let write = self.assign(*access, *op, value);
                let semi = (!is_block_like(&write)).then(syn::token::Semi::default);
                out.push(Stmt::Expr(write, semi));
            }
            Hole::Held { assigned: Some(_), .. } => {
                let write = self.hole(id);
                out.push(Stmt::Expr(write, Some(syn::token::Semi::default())));
            }
            _ => return false,
        }
        true
    }

    /// Whether what was written casts a variable of a range.
    pub(crate) fn casts(&self) -> bool {
        self.casts.get()
    }

    /// Fills the holes of an expression in place.
    fn fill(&mut self, expr: &mut Expr) {
        Fill(self).visit_expr_mut(expr);
    }

    /// The same for an expression that has to stay a block.
    fn fill_block_expression(&mut self, expr: &mut Expr) {
        let mut block = expr.clone();
        self.fill(&mut block);
        *expr = match block {
            block @ Expr::Block(_) => block,
            other => parsed(hygienic!({ #other })),
        };
    }

    /// The holes in a macro's tokens.
    fn fill_tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let outside = std::mem::replace(&mut self.in_macro, true);
        let filled = replace_in_tokens(tokens, &mut |id| self.hole(id).into_token_stream());
        self.in_macro = outside;
        filled
    }

    /// The expression for a hole.
    fn hole(&mut self, id: HoleId) -> Expr {
        let program = self.program;
        match &program.holes[id] {
            Hole::Access(access) => self.element(*access),
            Hole::Assign { access, op, value } => self.assign(*access, *op, value),
            Hole::Overflowing { operation, wraps } => {
                let mut operation = (**operation).clone();
                self.fill(&mut operation);
                if *wraps { self.wrapping_operation(operation) } else { operation }
            }
            Hole::Held { local, assigned: None } => parsed(hygienic!(#local)),
            Hole::Held { local, assigned: Some((op, value)) } => {
                let mut value = (**value).clone();
                self.fill(&mut value);
                match op {
                    None => syn::parse_quote!(#local = #value),
                    Some(op) => syn::parse_quote!(#local #op #value),
                }
            }
            Hole::Body(body) | Hole::Copies(body) => {
                let statements = self.body(*body);
                expression_of(statements)
            }
            Hole::Place(body) => {
                let statements = self.body(*body);
                place_of(statements)
            }
            Hole::Select(selection) => self.select(selection),
            Hole::Nest(nest) => {
                let mut before = Vec::new();
                let nest = self.nest(*nest, &mut before);
                if before.is_empty() {
                    nest
                } else {
                    before.push(Stmt::Expr(nest, None));
                    block_of(before)
                }
            }
            Hole::Value(sym, ty) => {
                let value = self.value(sym, *ty);
                parsed(value)
            }
            Hole::Index { index, stage, fits } => {
                parsed(self.index_of_stage(index, stage, *fits == Some(true)))
            }
            Hole::Contains(access) => self.contains(*access),
            Hole::Offset(access) => self.offset(*access),
            Hole::Prefetch(access) => self.prefetch(*access),
            Hole::Compare(left, op, right, operands) => {
                let comparison = self.comparison(left, *op, right);
                self.with_operands(operands, comparison)
            }
        }
    }

    fn value(&self, sym: &SymInt, ty: ValueType) -> TokenStream {
        let rt = self.runtime;
        if let Some(value) = sym.as_constant() {
            return constant(rt, value, ty);
        }
        let value = self.checked_value(sym);
        match ty {
            ValueType::Usize => hygienic!(#rt.usize(#value)),
            ValueType::Isize => value,
        }
    }

    /// An index of a stage as an `i32`.
    fn index_of_stage(&self, index: &SymInt, stage: &str, fits: bool) -> TokenStream {
        let rt = self.runtime;
        if let Some(value) = index.as_constant()
            && let Ok(small) = i32::try_from(value.unsigned_abs())
        {
            let literal = proc_macro2::Literal::i32_suffixed(small);
            return if value < 0 { hygienic!((-#literal)) } else { hygienic!(#literal) };
        }
        if fits {
            let value = self.arithmetic(Overflow::Fits).isize(index);
            return hygienic!(#rt.i32(#value));
        }
        let (kernel, value) = (&self.program.name, self.checked_value(index));
        hygienic!(#rt.i32_index(#kernel, #stage, #value))
    }

    fn comparison(&self, left: &SymInt, op: BinOp, right: &SymInt) -> TokenStream {
        let (left, right) = (self.checked_value(left), self.checked_value(right));
        hygienic!(#left #op #right)
    }

    /// `sym` where overflow must panic.
    fn checked_value(&self, sym: &SymInt) -> TokenStream {
        self.arithmetic(Overflow::Panics).isize(sym)
    }

    /// `sym` where the result is known to fit.
    fn wrapping(&self, sym: &SymInt) -> TokenStream {
        self.arithmetic(Overflow::Wraps).isize(sym)
    }

    fn arithmetic(&self, overflow: Overflow) -> Arithmetic<'_> {
        let chooser =
            Chooser { program: self.program, place: self.place, overflow, extents: &self.program.extents };
        Arithmetic {
            chooser,
            runtime: self.runtime,
            at: &self.own.at,
            casts: &self.casts,
            may_be_hidden: self.may_be_hidden,
        }
    }
}

/// Fills holes in a syntax tree.
struct Fill<'e, 'p>(&'e mut Emitter<'p>);

impl VisitMut for Fill<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(id) = Program::hole_of(expr) {
            *expr = self.0.hole(id);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        if let [Stmt::Expr(inner, None)] = block.stmts.as_slice()
            && let Some(id) = Program::hole_of(inner)
            && let Hole::Body(body) = self.0.program.holes[id]
        {
            block.stmts = self.0.body(body);
            return;
        }
        let mut statements = Vec::new();
        for statement in &block.stmts {
            self.0.statement(statement, &mut statements);
        }
        block.stmts = statements;
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.0.fill_tokens(std::mem::take(&mut mac.tokens));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}
