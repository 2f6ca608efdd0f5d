//! The operands of index arithmetic: locals, constants, and values that are evaluated in place.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::{Expr, Ident};

use crate::hygiene::{self, Name};
use crate::ir::{Definition, Let, Operand, Order, ProgramPoint, StatementKind, SymbolSource};
use crate::static_eval::IntType;
use crate::symbolic::{Range, SymInt, Symbol};

use crate::bind::{Binder, Binding, IntTy};

impl Binder<'_> {
    /// A name in index arithmetic.
    pub(in crate::bind) fn named(
        &mut self,
        name: &Ident,
        expr: &Expr,
        operands: &mut Vec<Operand>,
    ) -> SymInt {
        match self.scopes.get(name).cloned() {
            Some(Binding::Index { sym, .. }) => sym,
            // An item of a block has no local, and another block's item of its name would hide it.
            Some(Binding::Local(local)) if local.is_unchanging() && self.scopes.is_item(name) => {
                self.constant_path(expr)
            }
            Some(Binding::Local(local)) if local.is_unchanging() => {
                if let Some(value) = local.value {
                    return value;
                }
                if let Some(symbol) = &local.symbol {
                    return SymInt::symbol(symbol);
                }
                let range = local.number.map_or(Range { lo: None, hi: None }, IntTy::range);
                // rustc reports a value of another type where it is used as an index, not where it is bound.
                let mut emitted = local.name.clone();
                emitted.set_span(emitted.span().located_at(name.span()));
                let number = local.number.and_then(IntTy::name);
                let source = SymbolSource::Stable(emitted, number);
                let symbol = self.symbol(&hygiene::text(name), range, source, local.defined);
                if let Some(Binding::Local(local)) = self.scopes.get_mut(name) {
                    local.symbol = Some(symbol.clone());
                }
                SymInt::symbol(&symbol)
            }
            Some(Binding::Local(_) | Binding::Static(_) | Binding::Table(..)) => self.operand(expr, operands),
            Some(Binding::Tensor(_)) => {
                self.diagnostics.error(
                    expr,
                    format!("the tensor `{name}` is used as a number"),
                    "an element is read with an index list, as in `t[[0, 0]]`",
                );
                SymInt::constant(0)
            }
            Some(Binding::Template(_)) => {
                self.template_as_value(expr);
                SymInt::constant(0)
            }
            Some(Binding::Stage(_)) => {
                self.stage_as_value(expr);
                SymInt::constant(0)
            }
            Some(Binding::Broken) => SymInt::constant(0),
            Some(Binding::Point(_)) => {
                self.diagnostics.error(
                    expr,
                    format!("the point `{name}` is used as a number"),
                    format!("it is an index by itself, as in `t[{name}]`; one of its numbers is `{name}[0]`"),
                );
                SymInt::constant(0)
            }
            Some(Binding::Iterator) => {
                self.diagnostics.error(
                    expr,
                    format!("the iterator `{name}` has no loop here"),
                    "an iterator on the right must stand alone in the index list on the left",
                );
                SymInt::constant(0)
            }
            // A local that a macro of the user's made may change; a constant is one to rustc too, or an error.
            None if hygiene::text(name).starts_with(char::is_lowercase) => self.operand(expr, operands),
            None => self.constant_path(expr),
        }
    }

    /// A path other than a local: a constant or const generic. Its value is taken in the outermost block where the path
    /// means what it means here, and is the same wherever it is mentioned.
    pub(in crate::bind) fn constant_path(&mut self, expr: &Expr) -> SymInt {
        let idents: Vec<Ident> = hygiene::identifiers(expr.to_token_stream()).collect();
        let region = self.scopes.home(&idents);
        let key = (idents.iter().map(Name::of).collect(), region);
        if let Some(symbol) = self.scopes.paths.get(&key) {
            return SymInt::symbol(symbol);
        }
        let hint = idents.last().map_or("constant".to_owned(), hygiene::text).to_lowercase();
        let mut name = self.names.fresh(&hint);
        name.set_span(name.span().located_at(syn::spanned::Spanned::span(expr)));
        let defined = ProgramPoint { region, statement: 0 };
        let symbol =
            self.symbol(&hint, Range { lo: None, hi: None }, SymbolSource::Constant(name.clone()), defined);
        let value = Definition::Constant(Box::new(expr.clone()));
        let start = ProgramPoint { region, statement: 0 };
        self.program.insert(start, Order::Constant, StatementKind::Let(Let { name, value }));
        self.scopes.paths.insert(key, symbol.clone());
        SymInt::symbol(&symbol)
    }

    /// `expr` as one operand, evaluated here.
    pub(in crate::bind) fn operand(&mut self, expr: &Expr, operands: &mut Vec<Operand>) -> SymInt {
        let hint = match expr {
            Expr::Path(path) => path.path.get_ident().map_or("index".to_owned(), |name| format!("{name}_i")),
            Expr::MethodCall(call) => format!("{}_i", call.method),
            Expr::Field(syn::ExprField { member: syn::Member::Named(name), .. }) => format!("{name}_i"),
            _ => "index".to_owned(),
        };
        let number = self.number(expr);
        let value = self.expression(expr);
        let local = self.names.fresh(&hint);
        // Its value exists only within the access, not before the statement.
        let here = self.position();
        let inside = ProgramPoint { statement: here.statement + 1, ..here };
        let range = number.map_or(Range { lo: None, hi: None }, IntTy::range);
        let symbol = self.symbol(&local.to_string(), range, SymbolSource::Local(local.clone()), inside);
        let number = number.and_then(IntTy::name);
        operands.push(Operand { symbol: symbol.clone(), local, value, number });
        SymInt::symbol(&symbol)
    }

    /// `expr` as index arithmetic that is fixed from here on: operands are evaluated now.
    pub(in crate::bind) fn snapshot(&mut self, expr: &Expr, hint: &str, extent: bool) -> SymInt {
        let (sym, fresh) = self.evaluated_index(expr);
        self.materialize(&sym);
        // An extent that takes more than a sum to compute is computed once.
        let single = fresh.len() == 1 && sym.symbols() == fresh && sym.cost() == 0;
        if extent && !single && !sym.symbols().is_empty() && sym.cost() > 2 {
            return self.define(hint, sym);
        }
        sym
    }

    /// `expr` as index arithmetic whose operands are evaluated here, and the symbols of these operands.
    pub(in crate::bind) fn evaluated_index(&mut self, expr: &Expr) -> (SymInt, BTreeSet<Symbol>) {
        let mut operands = Vec::new();
        let sym = self.index(expr, &mut operands);
        let fresh = operands.iter().map(|operand| operand.symbol.clone()).collect();
        for operand in operands {
            let Operand { symbol, local: name, value, number } = operand;
            let value = Definition::Conversion { symbol: symbol.clone(), value: Box::new(value), number };
            self.write(StatementKind::Let(Let { name, value }));
            let after = self.position();
            self.program.symbols[symbol.id() as usize].defined = after;
        }
        (sym, fresh)
    }

    /// A local that holds the value of `sym`.
    pub(in crate::bind) fn define(&mut self, hint: &str, sym: SymInt) -> SymInt {
        let name = self.names.fresh(hint);
        let place = self.position();
        let defined = ProgramPoint { statement: place.statement + 1, ..place };
        let symbol = self.symbol(&name.to_string(), sym.range(), SymbolSource::Local(name.clone()), defined);
        self.write(StatementKind::Let(Let { name, value: Definition::Index(sym) }));
        SymInt::symbol(&symbol)
    }

    /// A local that holds what an expression of the runtime's gives, an `isize` in a range.
    pub(in crate::bind) fn define_value(&mut self, hint: &str, value: Expr, range: Range) -> SymInt {
        let name = self.names.fresh(hint);
        let here = self.position();
        let defined = ProgramPoint { statement: here.statement + 1, ..here };
        let symbol = self.symbol(&name.to_string(), range, SymbolSource::Local(name.clone()), defined);
        let value = Definition::Conversion {
            symbol: symbol.clone(),
            value: Box::new(value),
            number: Some(IntType::Isize.name()),
        };
        self.write(StatementKind::Let(Let { name, value }));
        SymInt::symbol(&symbol)
    }
}
