//! Tables of shapes: extents and sums by the index on an axis, and where rows start.

use quote::ToTokens;
use shim_core::{Integer, LocationError, Table};
use syn::{Expr, Ident, Type};

use crate::ir::{AccessKind, Definition, Let, ProgramPoint, StatementKind, SymbolSource};
use crate::static_eval::{Int, IntType, Value, int_type};
use crate::surface;
use crate::symbolic::{Range, SymInt, Symbol};

use crate::bind::{Binder, Binding};

/// A table that is in memory.
pub(in crate::bind) struct MadeTable {
    entries: Vec<SymInt>,
    name: Symbol,
}

/// The starts of so many rows.
pub(in crate::bind) struct CheckedStarts {
    /// The local that is their memory.
    local: (String, ProgramPoint),
    rows: SymInt,
    name: Symbol,
}

/// The extents that a closure gave at each index.
pub(in crate::bind) struct ListedExtents {
    /// The closure, and the locals that it mentions.
    body: String,
    locals: Vec<(String, ProgramPoint)>,
    entries: Vec<SymInt>,
}

impl Binder<'_> {
    /// The value of `body` at each index that `name` stands for.
    pub(super) fn entries_of(&mut self, body: &Expr, name: &Ident, count: i64, hint: &str) -> Vec<SymInt> {
        let text = format!("{count} {name} {}", body.to_token_stream());
        let locals = self.unchanging_lists(body, name);
        let here = self.position();
        let known = locals.as_ref().and_then(|locals| {
            let mut made = self.tensors.listed.iter();
            made.find(|made| {
                made.body == text && made.locals == *locals && self.program.knows(&made.entries, here)
            })
        });
        if let Some(known) = known {
            return known.entries.clone();
        }
        let mut entries = Vec::new();
        for index in 0..count {
            self.scopes.enter();
            let value = Int { value: index.into(), ty: Some(IntType::Usize) };
            self.scopes.bind(name, Binding::Static(Value::Int(value)));
            entries.push(self.snapshot(body, &format!("{hint}_{index}"), true));
            self.scopes.leave();
        }
        if let Some(locals) = locals {
            self.tensors.listed.push(ListedExtents { body: text, locals, entries: entries.clone() });
        }
        entries
    }

    /// The locals in arithmetic of entries of lists, if none of these changes.
    fn unchanging_lists(&self, expr: &Expr, index: &Ident) -> Option<Vec<(String, ProgramPoint)>> {
        match surface::strip_parens(expr) {
            Expr::Lit(_) => Some(Vec::new()),
            Expr::Path(path) if path.path.get_ident() == Some(index) => Some(Vec::new()),
            Expr::Binary(binary) => {
                let left = self.unchanging_lists(&binary.left, index)?;
                Some([left, self.unchanging_lists(&binary.right, index)?].concat())
            }
            Expr::Index(entry) => {
                let list = self.unchanging_list(surface::ident(&entry.expr)?)?;
                Some([vec![list], self.unchanging_lists(&entry.index, index)?].concat())
            }
            _ => None,
        }
    }

    /// The names of a list of indices below an extent, which is checked here, and of their number.
    pub(super) fn checked_indices(&mut self, list: &Expr, extent: &SymInt, hint: &str) -> (Symbol, Symbol) {
        let place = Box::new(self.place(list, AccessKind::Place));
        let name = self.name_of_table(&format!("{hint}_list"), Definition::Indices(place, extent.clone()));
        let count = self.names.fresh(&format!("{hint}_count"));
        let (number, here) = (Range { lo: Some(0), hi: None }, self.position());
        let symbol = self.symbol(&count.to_string(), number, SymbolSource::Local(count.clone()), here);
        let memory = match &self.program.symbol(&name).source {
            SymbolSource::Local(memory) => memory.clone(),
            _ => unreachable!("a table is in a local"),
        };
        let value = Box::new(syn::parse_quote!(#memory.len()));
        let value = Definition::Conversion { symbol: symbol.clone(), value, number: Some("usize") };
        self.write(StatementKind::Let(Let { name: count, value }));
        self.program.symbols[symbol.id() as usize].defined = self.position();
        (name, symbol)
    }

    /// The name of the starts of so many rows, which are checked where they come into scope.
    pub(super) fn checked_starts(&mut self, memory: &Expr, rows: &SymInt) -> Symbol {
        let local = surface::ident(memory).and_then(|name| self.unchanging_list(name));
        let here = self.position();
        let known = self.tensors.starts.iter().find(|known| {
            let name = SymInt::symbol(&known.name);
            Some(&known.local) == local.as_ref() && known.rows == *rows && self.program.knows([&name], here)
        });
        if let Some(known) = known {
            return known.name.clone();
        }
        let place = Box::new(self.place(memory, AccessKind::Place));
        let name = self.name_of_table("starts", Definition::Starts(place, rows.clone()));
        if let Some(local) = local {
            self.tensors.starts.push(CheckedStarts { local, rows: rows.clone(), name: name.clone() });
        }
        name
    }

    /// The local that a name stands for, if it is a list of integers that does not change.
    fn unchanging_list(&self, name: &Ident) -> Option<(String, ProgramPoint)> {
        let Some(Binding::Local(local)) = self.scopes.get(name) else { return None };
        let is_list = local.ty.as_deref().is_some_and(is_list_of_integers);
        (is_list && local.is_unchanging()).then(|| (local.name.to_string(), local.defined))
    }

    /// A table with these entries, in memory unless they are small constants.
    pub(super) fn table(
        &mut self,
        hint: &str,
        entries: Vec<SymInt>,
        tokens: impl ToTokens,
    ) -> Option<Table<SymInt>> {
        let small = |entry: &SymInt| entry.as_constant().is_some_and(|entry| i16::try_from(entry).is_ok());
        if entries.iter().all(small) {
            return Some(Table::new(entries));
        }
        let here = self.position();
        let mut made = self.tensors.tables.iter();
        let known = made.find(|made| {
            let most = self.tensors.greatest_entries.get(&made.name.id());
            let name = SymInt::symbol(&made.name);
            made.entries == entries && self.program.knows([&name].into_iter().chain(most), here)
        });
        if let Some(known) = known {
            return Some(Table::named(entries, SymInt::symbol(&known.name)));
        }
        for entry in &entries {
            if entry.range().lo.is_none_or(|lo| lo < 0) {
                self.assume(entry.clone());
            }
        }
        let most = greatest(&entries);
        let most = self.report_location_error(most, tokens)?;
        let name = self.name_of_table(hint, Definition::Table(entries.clone()));
        let most = self.define(&format!("{hint}_most"), most);
        self.tensors.greatest_entries.insert(name.id(), most);
        let table = Table::named(entries.clone(), SymInt::symbol(&name));
        self.tensors.tables.push(MadeTable { entries, name });
        Some(table)
    }

    fn name_of_table(&mut self, hint: &str, value: Definition) -> Symbol {
        let name = self.names.fresh(&format!("{hint}_table"));
        let here = self.position();
        let defined = ProgramPoint { statement: here.statement + 1, ..here };
        let entries = Range { lo: Some(0), hi: None };
        let symbol = self.symbol(&name.to_string(), entries, SymbolSource::Local(name.clone()), defined);
        self.write(StatementKind::Let(Let { name, value }));
        symbol
    }
}

/// The greatest of several, halved again and again so that it is not deep.
pub(super) fn greatest(of: &[SymInt]) -> Result<SymInt, LocationError> {
    match of {
        [] => Ok(SymInt::constant(0)),
        [one] => Ok(one.clone()),
        many => {
            let (first, second) = many.split_at(many.len() / 2);
            Integer::max(&greatest(first)?, &greatest(second)?)
        }
    }
}

/// Whether a type holds integers one after another, which do not change as long as it is not written.
fn is_list_of_integers(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => is_list_of_integers(&inner.elem),
        Type::Group(inner) => is_list_of_integers(&inner.elem),
        Type::Array(array) => int_type(&array.elem).is_some(),
        Type::Slice(slice) => int_type(&slice.elem).is_some(),
        Type::Reference(reference) => reference.mutability.is_none() && is_list_of_integers(&reference.elem),
        _ => false,
    }
}
