//! Binding: resolves names, and decides when each value is known.
//!
//! The kernel's syntax tree is walked once, in the order in which Rust evaluates it. What is static is decided
//! here: constants are folded, `if` and `match` on them are resolved, unrolled loops are written out, templates
//! are staged into their callers. What is left is Rust with holes ([`crate::ir`]); index arithmetic becomes
//! symbolic integers, and the values that take part in a location are captured where the view is made.
//!
//! The rooms are layers: `types`, `walk` and `names` hold what is known, `kinds` says what a syntax node is, `effects`
//! what an operation may do, and `arithmetic`, `tensors`, `templates`, `loops` and `rust` bind. Only the recursion over
//! the syntax tree goes up.

mod arithmetic;
mod effects;
mod entry;
mod kinds;
mod loops;
mod names;
mod rust;
mod templates;
mod tensors;
mod types;
mod walk;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use shim_core::{LocationError, Space};
use syn::{Expr, Stmt, Type};

use crate::diagnostics::{self, Diagnostics};
use crate::hygiene;
use crate::ir::{
    BufferId, Definition, Hole, Let, NameSupply, Order, Program, ProgramPoint, RegionId, RegionKind,
    Statement, StatementKind, SymbolSource, TemplateCall, View,
};
use crate::link::{Callees, Library};
use crate::symbolic::{Facts, Range, SymInt, Symbol};

pub use types::IntTy;
use walk::Walk;

pub use names::local::Local;
pub use names::scope::{Binding, Scopes};

/// Axes of the root space that all blocks of a kernel stand in: more than any tensor here has.
pub const MAX_RANK: usize = 8;

/// The first statement of a kernel.
const ENTRY: ProgramPoint = ProgramPoint { region: RegionId::BODY, statement: 0 };

/// Walks a kernel and fills a [`Program`].
pub struct Binder<'a> {
    /// The tables being filled.
    pub program: Program,
    /// What is wrong.
    pub diagnostics: &'a mut Diagnostics,
    /// Names for what is brought into scope.
    pub names: NameSupply,
    /// The local whose methods expansions call.
    runtime: Ident,
    /// Whether the kernel is an `unsafe fn`, which may bind pointers.
    is_unsafe: bool,
    /// What is known of names.
    scopes: Scopes,
    /// What is known of the walk.
    walk: Walk,
    /// What is known of tensors.
    tensors: Tensors,
    /// What is known of templates.
    templates: Templates<'a>,
    /// The stages, by the numbers in their bindings.
    stages: StageTables<'a>,
}

/// What is known of tensors, besides their blocks in the program.
struct Tensors {
    root_space: Space<SymInt>,
    /// The memory whose elements rustc confirms to be plain, and whether their operators are used.
    plain_elements: BTreeMap<BufferId, bool>,
    /// Blocks that stand for what could not be made: nothing about them is reported again.
    broken: HashSet<BufferId>,
    /// Tensor parameters that must not be written.
    shared_parameters: HashSet<String>,
    /// The parameters that are arrays of other crates, which have no place in the root space.
    foreign_parameters: HashSet<String>,
    /// The tables of shapes that are in memory, and the greatest entry of each, or more, by the symbol that names it.
    tables: Vec<tensors::tables::MadeTable>,
    greatest_entries: BTreeMap<u32, SymInt>,
    /// The starts of rows that were checked, for as long as they stay the same.
    starts: Vec<tensors::tables::CheckedStarts>,
    /// The extents that closures gave, for as long as what they index stays the same.
    listed: Vec<tensors::tables::ListedExtents>,
    /// The greatest axis of the root space that each `on_axes` names, with its argument and the calls around it.
    root_axes: Vec<(usize, TokenStream, Vec<TemplateCall>)>,
}

/// The templates that may be called, and what was staged of them.
struct Templates<'a> {
    library: &'a Library,
    /// Those that the function being bound calls, by their paths.
    callees: &'a Callees,
    /// What is known of the tokens of each template, by its key.
    sources: HashMap<String, Rc<names::scope::SourceFacts>>,
    /// Whether a template is being staged.
    in_template: bool,
    /// Whether type parameters of the template being staged or defined have bounds that name traits.
    bounded: bool,
    /// What gives the names beside the template that is being staged.
    home: Option<names::home::HomeModule>,
    /// How many template calls were staged so far.
    staged: usize,
    /// How many calls of closures were replaced so far.
    inlined_calls: usize,
    /// How many versions of what follows a choice between tensors were staged so far.
    versions: usize,
}

impl Tensors {
    /// How much was made for tensors so far that later ones may share.
    fn made(&self) -> [usize; 4] {
        [self.tables.len(), self.starts.len(), self.listed.len(), self.root_axes.len()]
    }

    /// Forgets what was made since then.
    fn forget(&mut self, [tables, starts, listed, root_axes]: [usize; 4]) {
        self.tables.truncate(tables);
        self.starts.truncate(starts);
        self.listed.truncate(listed);
        self.root_axes.truncate(root_axes);
    }
}

impl Templates<'_> {
    /// How much was staged so far.
    fn staged(&self) -> [usize; 3] {
        [self.staged, self.inlined_calls, self.versions]
    }

    /// Counts as if nothing had been staged since then.
    fn forget(&mut self, [staged, inlined_calls, versions]: [usize; 3]) {
        (self.staged, self.inlined_calls, self.versions) = (staged, inlined_calls, versions);
    }
}

/// The stages that were bound so far.
#[derive(Default)]
struct StageTables<'a> {
    /// Those that were defined, by the numbers in their bindings.
    defined: Vec<Rc<loops::stages::Stage<'a>>>,
    /// The block of each that is made here.
    blocks: Vec<Option<loops::stages::StageBlock>>,
    /// The elements of each that are in memory here.
    stored: Vec<Option<loops::stages::Stored>>,
    /// What stages are outside of loops that the next statement is fused with.
    fused: Vec<Vec<loops::stages::OutsideLevel>>,
    /// How many elements were written where they are read so far.
    evaluated: usize,
}

/// The names that a template takes from the module that it is in.
pub(crate) fn home_names(function: &syn::ItemFn, callees: &Callees) -> Vec<Ident> {
    let source = names::scope::SourceFacts::of(function);
    let outside = names::outside::Outside::of(function, &source, callees);
    outside.of_home().map(|(name, _)| name.clone()).collect()
}

impl<'a> Binder<'a> {
    /// A binder for a kernel called `name`.
    pub fn new(
        name: &str,
        runtime: Ident,
        names: NameSupply,
        library: &'a Library,
        callees: &'a Callees,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Binder {
            program: Program { name: name.to_owned(), ..Program::default() },
            diagnostics,
            names,
            runtime,
            is_unsafe: false,
            scopes: Scopes::default(),
            walk: Walk::default(),
            tensors: Tensors {
                root_space: Space::root(MAX_RANK),
                plain_elements: BTreeMap::new(),
                broken: HashSet::new(),
                shared_parameters: HashSet::new(),
                foreign_parameters: HashSet::new(),
                tables: Vec::new(),
                greatest_entries: BTreeMap::new(),
                starts: Vec::new(),
                listed: Vec::new(),
                root_axes: Vec::new(),
            },
            templates: Templates {
                library,
                callees,
                sources: HashMap::new(),
                in_template: false,
                bounded: false,
                home: None,
                staged: 0,
                inlined_calls: 0,
                versions: 0,
            },
            stages: StageTables::default(),
        }
    }

    /// Says that the kernel is an `unsafe fn`, which may bind pointers.
    pub fn allow_pointers(&mut self) {
        self.is_unsafe = true;
    }

    /// Opens a region and a scope, lets `fill` write statements, and closes both.
    fn body(&mut self, kind: RegionKind, facts: Vec<SymInt>, fill: impl FnOnce(&mut Self)) -> RegionId {
        let parent = (!self.program.regions.is_empty()).then(|| self.position());
        let region = self.program.new_region(parent, kind, facts, self.walk.effects.epoch());
        let outer = std::mem::replace(&mut self.walk.region, region);
        let statement = std::mem::replace(&mut self.walk.statement_start, self.walk.effects.mark());
        let depth = self.scopes.depth();
        self.scopes.enter_block(region, names::source::Items::default());
        fill(self);
        self.scopes.leave_to(depth);
        self.walk.statement_start = statement;
        self.walk.region = outer;
        region
    }

    /// Where the next statement goes.
    fn position(&self) -> ProgramPoint {
        let statement = self.program.regions[self.walk.region].next_statement();
        ProgramPoint { region: self.walk.region, statement }
    }

    /// Writes a statement of Rust.
    fn push(&mut self, statement: Stmt) {
        self.write(StatementKind::Rust(Box::new(statement)));
    }

    /// Writes a statement by which rustc confirms that a method is std's.
    fn confirm(&mut self, statement: Stmt) {
        self.write(StatementKind::Confirm(Box::new(statement)));
    }

    /// Writes a statement.
    fn write(&mut self, kind: StatementKind) {
        let number = self.position().statement;
        let epoch = self.walk.effects.epoch();
        let region = &mut self.program.regions[self.walk.region];
        region.statements.push(Statement { number, order: Order::Own, kind });
        region.epochs.push(epoch);
    }

    /// Binds what may run several times where its statement runs once.
    fn repeated<T>(&mut self, bind: impl FnOnce(&mut Self) -> T) -> T {
        let repeats = std::mem::replace(&mut self.walk.repeats, true);
        let result = bind(self);
        self.walk.repeats = repeats;
        result
    }

    /// Adds what holds from here on in this region.
    fn assume(&mut self, fact: SymInt) {
        self.program.assume_from(self.position(), fact);
    }

    /// What holds here.
    fn facts(&self) -> Facts {
        self.program.facts_at(self.position()).clone()
    }

    /// A new symbol, defined at `defined`.
    fn symbol(&mut self, name: &str, range: Range, source: SymbolSource, defined: ProgramPoint) -> Symbol {
        self.program.new_symbol(name, range, source, defined)
    }

    /// Makes sure that a stable symbol has a local of its own here, so that no later `let` can stand between
    /// a view and the value it was made with.
    fn materialize(&mut self, sym: &SymInt) {
        let here = self.position();
        for symbol in sym.symbols() {
            let info = self.program.symbol(&symbol);
            let SymbolSource::Stable(place, number) = &info.source else { continue };
            let number = *number;
            if self.program.converted(&symbol, here).is_some() {
                continue;
            }
            let value = syn::parse_quote!(#place);
            let name = self.names.fresh(&format!("{}_i", symbol.name()));
            let value = Definition::Conversion { symbol: symbol.clone(), value: Box::new(value), number };
            self.write(StatementKind::Let(Let { name: name.clone(), value }));
            let from = self.position();
            self.program.symbols[symbol.id() as usize].captures.push((from, name));
        }
    }

    /// Reports an arithmetic error of the algebra; gives a stand-in so that binding goes on.
    fn report_location_error<T, E: Into<LocationError>>(
        &mut self,
        result: Result<T, E>,
        tokens: impl ToTokens,
    ) -> Option<T> {
        match result.map_err(Into::into) {
            Ok(value) => Some(value),
            Err(error) => {
                let help = diagnostics::location_help(&error);
                self.diagnostics.error_in_call(tokens, error, help);
                None
            }
        }
    }

    /// Whether `view` stands for one that could not be made.
    fn is_broken(&self, view: &View) -> bool {
        self.tensors.broken.contains(&view.buffer)
    }

    /// Whether `expr` mentions a name of whose value nothing is known, which is no error or was reported.
    fn mentions_broken(&self, expr: &impl ToTokens) -> bool {
        let is_broken = |name: Ident| matches!(self.scopes.get(&name), Some(Binding::Broken));
        hygiene::identifiers(expr.to_token_stream()).any(is_broken)
    }

    /// Whether `expr` is, or begins as, a tensor.
    fn is_tensor_name(&self, name: &Ident) -> bool {
        matches!(self.scopes.get(name), Some(Binding::Tensor(_)))
    }

    /// The name that a local gets in emitted code: one that no name of the user's can hide, unless the macro cannot see
    /// which name is meant.
    fn local_name(&mut self, name: &Ident) -> Ident {
        if self.scopes.is_exposed(name) {
            return name.clone();
        }
        let emitted = self.names.local(name, self.scopes.is_emitted(&hygiene::text(name)));
        self.scopes.emit(&emitted);
        emitted
    }

    /// Binds a plain local in the innermost scope.
    fn bind_local(&mut self, name: &Ident, emitted: &Ident, mutable: bool, ty: Option<Type>) {
        let defined = self.position();
        let number = ty.as_ref().and_then(IntTy::of_type);
        let exposed = self.scopes.is_exposed(name);
        let number = number.filter(|_| !exposed);
        let local =
            Local { mutable, exposed, ty: ty.map(Rc::new), number, ..Local::new(emitted.clone(), defined) };
        self.scopes.bind(name, Binding::Local(local));
    }

    /// Binds a tensor.
    fn bind_tensor(&mut self, name: &Ident, view: Rc<View>) {
        self.scopes.bind(name, Binding::Tensor(view));
    }

    /// The syntax of a block that holds `body`.
    pub(in crate::bind) fn block_of(&mut self, body: crate::ir::RegionId) -> syn::Block {
        let hole = self.program.hole(Hole::Body(body));
        syn::Block { brace_token: syn::token::Brace::default(), stmts: vec![Stmt::Expr(hole, None)] }
    }
}

/// Stands for an expression about which an error was reported, so that it is never emitted. Should it be all the same,
/// the kernel does not compile.
pub(in crate::bind) fn unreachable_value() -> Expr {
    let message = "shim dropped an expression without an error: please report this";
    Expr::Verbatim(quote::quote!(::core::compile_error!(#message)))
}
