//! What rustc checks of a stage: its closure, with a stand-in of the right type for each element.
//!
//! The body of a stage is bound again wherever elements are computed, and rustc sees a block there. For rustc to decide
//! what the closure captures, moves, assigns and returns, the expansion has the closure as well: it is made where the
//! stage is defined, lives until the last read of the stage, and is never called. Its elements are stand-ins, because
//! it would borrow memory that may be written between two reads, and their indices are not computed.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, Stmt, parse_quote};

use crate::ir::visit::replace_in_tokens;
use crate::ir::{
    AccessId, AccessKind, BufferId, Hole, HoleId, LoopKind, Memory, NestId, Operand, Program, RegionId,
    StatementKind, ValueType,
};
use crate::syntax::visit_mut::{self, VisitMut};

macro_rules! hygienic {
    ($($tokens:tt)*) => { quote_spanned!(Span::mixed_site()=> $($tokens)*) };
}

/// The statements of a region as rustc checks them, and the blocks from outside whose element types they mention.
pub(crate) fn checked(
    program: &Program,
    runtime: &Ident,
    region: RegionId,
) -> (Vec<Stmt>, BTreeSet<BufferId>) {
    let mut stand_in = StandIn { program, runtime, own: BTreeSet::new(), outer: BTreeSet::new() };
    let statements = stand_in.body(region);
    (statements, stand_in.outer)
}

/// The local that stands for the type of the elements of a block.
pub(crate) fn element_type(program: &Program, buffer: BufferId) -> Ident {
    let local = &program.buffers[buffer].local;
    quote::format_ident!("{local}_type", span = local.span())
}

/// The statement that names the type of the elements of a block, where its memory comes into scope.
pub(crate) fn named_type(program: &Program, runtime: &Ident, buffer: BufferId) -> Option<Stmt> {
    let name = element_type(program, buffer);
    let memory = &program.buffers[buffer].memory;
    let local = &program.buffers[buffer].local;
    let value = match memory {
        Memory::Place(_) => return None,
        Memory::Heap(Some(ty)) | Memory::Stack(Some(ty)) => hygienic!(#runtime.element_type::<#ty>()),
        Memory::Like { view, .. } if let Some(cast) = view.casts.last() => {
            let ty = &cast.ty;
            hygienic!(#runtime.element_type::<#ty>())
        }
        Memory::Rows => hygienic!(#runtime.element_type_of(|| #runtime.row(&#local[0]))),
        Memory::Stack(None) if !program.buffers[buffer].cleared => {
            hygienic!(#runtime.element_type_of_shared(&#local))
        }
        _ => hygienic!(#runtime.element_type_of(|| &#local[..])),
    };
    Some(parse_quote!(let #name = #value;))
}

struct StandIn<'p> {
    program: &'p Program,
    runtime: &'p Ident,
    /// The blocks that the region makes.
    own: BTreeSet<BufferId>,
    /// The other blocks that it accesses.
    outer: BTreeSet<BufferId>,
}

impl StandIn<'_> {
    fn body(&mut self, region: RegionId) -> Vec<Stmt> {
        let program = self.program;
        let mut out = Vec::new();
        for statement in &program.regions[region].statements {
            match &statement.kind {
                StatementKind::Rust(source)
                | StatementKind::Confirm(source)
                | StatementKind::Check(source) => {
                    self.statement(source, &mut out);
                }
                StatementKind::Memory(buffer, place) => self.memory(*buffer, place.as_deref(), &mut out),
                // Of locations alone; passes after binding write conditions of them.
                StatementKind::Let(_)
                | StatementKind::Expect { .. }
                | StatementKind::Assert(_)
                | StatementKind::If { .. } => {}
            }
        }
        out
    }

    fn statement(&mut self, source: &Stmt, out: &mut Vec<Stmt>) {
        if let Stmt::Expr(expr, semi) = source
            && let Some(id) = Program::hole_of(expr)
        {
            let semi = match self.program.holes[id] {
                Hole::Assign { .. } => Some(<syn::Token![;]>::default()),
                _ => *semi,
            };
            return out.push(Stmt::Expr(self.hole(id), semi));
        }
        let mut statement = source.clone();
        self.visit_stmt_mut(&mut statement);
        out.push(statement);
    }

    /// The type of the elements of a block that the closure makes.
    fn memory(&mut self, buffer: BufferId, place: Option<&Expr>, out: &mut Vec<Stmt>) {
        self.own.insert(buffer);
        let (rt, name) = (self.runtime, element_type(self.program, buffer));
        let value = match (&self.program.buffers[buffer].memory, place) {
            (Memory::Place(_) | Memory::Runtime(_) | Memory::Pointer, _) => return,
            (Memory::Like { view, .. }, _) if view.casts.is_empty() => {
                let other = self.type_of(view.buffer);
                hygienic!(#other)
            }
            (Memory::Over { of, .. }, _) => {
                let other = self.type_of(*of);
                hygienic!(#other)
            }
            (Memory::Slice | Memory::Rows | Memory::Grown, Some(place)) => {
                let mut place = place.clone();
                self.visit_expr_mut(&mut place);
                let is_of_rows = matches!(self.program.buffers[buffer].memory, Memory::Rows);
                if is_of_rows {
                    hygienic!(#rt.element_type_of(|| #rt.row(&(#place)[0])))
                } else {
                    hygienic!(#rt.element_type_of(|| &(#place)[..]))
                }
            }
            (Memory::Heap(Some(ty)) | Memory::Stack(Some(ty)), _) => hygienic!(#rt.element_type::<#ty>()),
            (Memory::Like { view, .. }, _) => {
                let ty = view.casts.last().map(|cast| &cast.ty);
                hygienic!(#rt.element_type::<#ty>())
            }
            _ => hygienic!(#rt.element_type::<_>()),
        };
        out.push(parse_quote!(let #name = #value;));
    }

    fn type_of(&mut self, buffer: BufferId) -> Ident {
        if !self.own.contains(&buffer) {
            self.outer.insert(buffer);
        }
        element_type(self.program, buffer)
    }

    fn hole(&mut self, id: HoleId) -> Expr {
        let (program, rt) = (self.program, self.runtime);
        match &program.holes[id] {
            Hole::Access(access) => self.element(*access),
            Hole::Assign { access, op, value } => {
                let mut value = (**value).clone();
                self.visit_expr_mut(&mut value);
                let ty = self.type_of(program.accesses[*access].view.buffer);
                let before = self.operands(&program.accesses[*access].operands);
                let casts = &program.accesses[*access].view.casts;
                match (casts.last(), op) {
                    (None, None) => parse_quote!({ #before *#rt.element_mut(#ty) = #value; }),
                    (None, Some(op)) => parse_quote!({ #before *#rt.element_mut(#ty) #op #value; }),
                    (Some(cast), None) => {
                        let cast = &cast.ty;
                        parse_quote!({ #before let _: #cast = #value; })
                    }
                    (Some(cast), Some(op)) => {
                        let cast = &cast.ty;
                        parse_quote!({ #before *#rt.any::<&mut #cast>() #op #value; })
                    }
                }
            }
            Hole::Body(region) => expression_of(self.body(*region)),
            Hole::Copies(region) => {
                // Copies that differ in their numbers are the same to rustc.
                let mut known = BTreeSet::new();
                let mut statements = self.body(*region);
                statements.retain(|copy| known.insert(without_literals(copy.to_token_stream()).to_string()));
                block(statements)
            }
            Hole::Place(region) => {
                let mut statements = self.body(*region);
                match statements.pop() {
                    Some(Stmt::Expr(place, None)) => {
                        let rt = self.runtime;
                        parse_quote!((*{ #(#statements)* #rt.place_of(|| &mut #place) }))
                    }
                    last => block(statements.into_iter().chain(last).collect()),
                }
            }
            Hole::Nest(nest) => self.nest(*nest),
            Hole::Value(_, ValueType::Usize) => parse_quote!(#rt.any::<usize>()),
            Hole::Value(_, ValueType::Isize) => parse_quote!(#rt.any::<isize>()),
            Hole::Index { .. } => parse_quote!(#rt.any::<i32>()),
            Hole::Contains(access) => {
                let before = self.operands(&program.accesses[*access].operands);
                parse_quote!({ #before #rt.any::<bool>() })
            }
            Hole::Compare(.., operands) => {
                let before = self.operands(operands);
                parse_quote!({ #before #rt.any::<bool>() })
            }
            Hole::Offset(access) => {
                let before = self.operands(&program.accesses[*access].operands);
                parse_quote!({ #before #rt.any::<usize>() })
            }
            Hole::Prefetch(access) => {
                let before = self.operands(&program.accesses[*access].operands);
                parse_quote!({ #before })
            }
            Hole::Select(_) | Hole::Held { .. } | Hole::Overflowing { .. } => parse_quote!({}),
        }
    }

    fn element(&mut self, id: AccessId) -> Expr {
        let (program, rt) = (self.program, self.runtime);
        let access = &program.accesses[id];
        let ty = self.type_of(access.view.buffer);
        let before = self.operands(&access.operands);
        // A mistake in the type of an element is shown on the user's tokens.
        let span = located_at(&access.tokens);
        let rt = &shown_at(rt, span);
        let method = if access.kind.writes() {
            quote_spanned!(span=> element_mut)
        } else {
            quote_spanned!(span=> element)
        };
        let place = if before.is_empty() {
            quote_spanned!(span=> (*#rt.#method(#ty)))
        } else {
            quote_spanned!(span=> (*{ #before #rt.#method(#ty) }))
        };
        let element = access.view.casts.iter().fold(place, |element, cast| {
            let ty = &cast.ty;
            quote_spanned!(span=> (#element as #ty))
        });
        if access.kind == AccessKind::Get {
            return parse_quote!(::core::option::Option::Some(#element));
        }
        syn::parse2(element.clone()).unwrap_or(Expr::Verbatim(element))
    }

    fn operands(&mut self, operands: &[Operand]) -> TokenStream {
        let mut before = TokenStream::new();
        for operand in operands {
            let mut value = operand.value.clone();
            self.visit_expr_mut(&mut value);
            before.extend(hygienic!(let _ = #value;));
        }
        before
    }

    fn nest(&mut self, id: NestId) -> Expr {
        let program = self.program;
        let nest = &program.nests[id];
        let mut body = block(self.body(nest.body));
        if let Some(next) = &nest.next {
            body = parse_quote!({ #next: #body });
        }
        for (depth, id) in nest.loops.iter().enumerate().rev() {
            let for_loop = &program.loops[*id];
            let name = &for_loop.name;
            let rt = self.runtime;
            let iterator = match &for_loop.kind {
                LoopKind::Index { .. } => hygienic!(0isize..#rt.any::<isize>()),
                LoopKind::Range { iterator, .. } => {
                    let mut iterator = (**iterator).clone();
                    self.visit_expr_mut(&mut iterator);
                    iterator.into_token_stream()
                }
            };
            let label = nest.label.as_ref().filter(|_| depth == 0);
            body = parse_quote!({ #label for #name in #iterator #body });
        }
        body
    }
}

impl VisitMut for StandIn<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match Program::hole_of(expr) {
            Some(id) => *expr = self.hole(id),
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let mut statements = Vec::new();
        for statement in &block.stmts {
            self.statement(statement, &mut statements);
        }
        block.stmts = statements;
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let tokens = std::mem::take(&mut mac.tokens);
        mac.tokens = replace_in_tokens(tokens, &mut |id| self.hole(id).into_token_stream());
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

/// The span of tokens of the user's, with the hygiene of the macro.
pub(crate) fn located_at(tokens: &impl ToTokens) -> Span {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or_else(Span::mixed_site, |first| Span::mixed_site().located_at(first.span()))
}

/// A local where rustc shows it at a span.
pub(crate) fn shown_at(local: &Ident, span: Span) -> Ident {
    let mut shown = local.clone();
    shown.set_span(local.span().located_at(span));
    shown
}

/// The one expression that statements are, or a block of them.
fn expression_of(mut statements: Vec<Stmt>) -> Expr {
    match statements.pop() {
        Some(Stmt::Expr(expr, None)) if statements.is_empty() => expr,
        last => block(statements.into_iter().chain(last).collect()),
    }
}

fn block(statements: Vec<Stmt>) -> Expr {
    Expr::Block(syn::ExprBlock {
        attrs: Vec::new(),
        label: None,
        block: syn::Block { brace_token: syn::token::Brace::default(), stmts: statements },
    })
}

/// Tokens without the literals among them.
fn without_literals(tokens: TokenStream) -> TokenStream {
    let shown = |token| match token {
        TokenTree::Literal(_) => None,
        TokenTree::Group(group) => {
            Some(TokenTree::Group(Group::new(group.delimiter(), without_literals(group.stream()))))
        }
        other => Some(other),
    };
    tokens.into_iter().filter_map(shown).collect()
}
