//! The program that the passes hand to one another: regions of numbered statements, and Rust with holes.
//!
//! A kernel is mostly ordinary Rust, which passes through as it was written. Where a tensor takes part, the
//! syntax tree has a hole, and a table says what the hole stands for. Contexts form a tree that says under
//! which loops, conditions and closures an access runs.

pub(crate) mod array;
mod assertion;
mod build;
mod call;
mod copy;
pub(crate) mod density;
mod domain;
mod effects;
mod element;
mod id;
mod list;
mod names;
mod nest;
mod producer;
mod region;
mod scope;
mod statement;
mod substitute;
mod tensor;
pub(crate) mod visit;
pub(crate) mod walk;
mod word;

pub use assertion::{Assertion, BoundsCheck, Side};
pub use call::TemplateCall;
pub(crate) use copy::{Copier, Copies};
pub(crate) use domain::{Constraint, Domain};
pub use effects::{CallEffect, Change, Effects, Epoch, Mentions, Reduction, ReductionOp};
pub use element::{AssertedAt, Candidate, Element, FoldedAccess, Offset, Tested};
pub use id::{AccessId, BufferId, HoleId, Id, ListId, LoopId, NestId, RegionId, Table};
pub use list::List;
pub use names::NameSupply;
pub use nest::{
    Behind, ByteSum, Idiom, Interior, Iteration, Loop, LoopCut, LoopKind, LoopMode, NamedExtent, Nest, Over,
    Split, Strided, Tasks, Transposition, When,
};
pub(crate) use producer::{Producer, Steps, Tile};
pub(crate) use region::Reordered;
pub use region::{ProgramPoint, Region, RegionKind};
pub use statement::{Definition, Let, OffsetPart, Order, Statement, StatementKind};
pub(crate) use substitute::Substitution;
pub use tensor::{
    Access, AccessKind, AccessMode, Addressing, Boundary, Buffer, ElementType, LetDef, LetOverflow, Memory,
    Operand, PackedShape, PlaceLocals, Predicate, Rule, RuntimeTensor, View,
};
pub use word::{Schedule, Tail, Word};

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use syn::{BinOp, Expr, ExprPath, Path};

use crate::hygiene::HOLE;
use crate::static_eval::IntType;
use crate::symbolic::{Range, SymInt, Symbol};

/// What a hole in the syntax tree stands for.
#[derive(Debug, Clone)]
pub enum Hole {
    /// An element, read or used as a place.
    Access(AccessId),
    /// `t[[..]] = value` or `t[[..]] op= value`.
    Assign {
        /// The element written.
        access: AccessId,
        /// The operator of a compound assignment.
        op: Option<BinOp>,
        /// The right side, with holes of its own.
        value: Box<Expr>,
    },
    /// The local that holds an element while a lane runs, read or assigned.
    Held {
        /// The local.
        local: Ident,
        /// The operator, if there is one, and the right side.
        assigned: Option<(Option<BinOp>, Box<Expr>)>,
    },
    /// The statements of a region as a block.
    Body(RegionId),
    /// The statements of a region as a block whose value stays the place that it ends in, if it is one.
    Place(RegionId),
    /// The copies of an unrolled body, each a block; without a value.
    Copies(RegionId),
    /// The elements of a block on the stack, each one of another block.
    Select(Box<Selection>),
    /// A perfect nest of counted loops.
    Nest(NestId),
    /// A location's coordinate or extent as a value of the given Rust type.
    Value(SymInt, ValueType),
    /// An index of a stage as a value of the type `i32`.
    Index {
        /// The index.
        index: SymInt,
        /// The stage's name, for the panic.
        stage: String,
        /// Whether the check has proven or asserted that it fits, once it has decided. Any other one is tested where it
        /// is converted.
        fits: Option<bool>,
    },
    /// An operation on integers in the function of a stage whose result may not fit their type.
    Overflowing {
        /// An operator with its operands, or a method call.
        operation: Box<Expr>,
        /// Whether it wraps: the stage has elements that nothing reads.
        wraps: bool,
    },
    /// `t.contains([..])`: whether a read there would find memory.
    Contains(AccessId),
    /// `t.offset([..])`: where an element is in the memory of its block.
    Offset(AccessId),
    /// `t.prefetch([..])`: the memory there will be wanted soon.
    Prefetch(AccessId),
    /// A comparison of index arithmetic.
    Compare(SymInt, BinOp, SymInt, Vec<Operand>),
}

/// The elements of a block, row by row, as those that accesses reach.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The first element of the block.
    pub to: AccessId,
    /// The elements that are selected, each once.
    pub accesses: Vec<AccessId>,
    /// The number among them of each element.
    pub elements: Vec<usize>,
    /// How they are gathered from one block, if they are.
    pub gather: Option<Gather>,
}

/// Elements of one block at constant distances.
#[derive(Debug, Clone)]
pub struct Gather {
    /// The block.
    pub from: BufferId,
    /// The part of all offsets that has a name.
    pub named: Option<Ident>,
    /// The rest of the offset that the distances count from.
    pub first: SymInt,
    /// How far behind each element is, and how it is loaded.
    pub how: Gathered,
}

/// How elements are gathered.
#[derive(Debug, Clone)]
pub enum Gathered {
    /// One at a time, at these distances.
    OneByOne(Vec<usize>),
    /// By shuffles of this many bytes.
    Bytes {
        /// The number of bytes that are read.
        length: usize,
        /// Where each goes.
        shuffles: Shuffles,
    },
}

/// The tables of a selection of bytes.
#[derive(Debug, Clone)]
pub struct Shuffles {
    /// The place of each byte in the input.
    pub places: Vec<u8>,
    /// The parts of the input that the lower and upper halves of rows come from.
    pub parts: [Vec<u8>; 2],
    /// The places within each part; 128 where a byte comes from another.
    pub masks: Vec<Vec<u8>>,
}

/// The copies of an unrolled loop in an order.
#[derive(Debug, Clone)]
pub struct OrderedCopies {
    /// The region of the copies.
    pub region: RegionId,
    /// The number in the source's order of each copy.
    pub sequence: Vec<usize>,
    /// What the copies do besides accessing elements.
    pub effects: Effects,
    /// The attribute, for errors.
    pub attribute: TokenStream,
    /// The template calls around the loop, for errors.
    pub calls: Vec<TemplateCall>,
}

/// A loop over all elements of a block on the stack that is written out, to be made a table.
#[derive(Debug, Clone)]
pub struct Tabulation {
    /// The hole of its copies.
    pub hole: HoleId,
    /// The copies, one for each element in row-major order.
    pub copies: RegionId,
    /// The block.
    pub out: Rc<View>,
    /// The value that is assigned, for errors.
    pub tokens: TokenStream,
    /// The template calls around the loop, for errors.
    pub calls: Vec<TemplateCall>,
}

/// The Rust type that a location is given to the user in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// Extents.
    Usize,
    /// Origins, indices.
    Isize,
}

/// What a name of the surface language was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// `Block`.
    Block,
    /// `iters`.
    Iters,
    /// `stage`.
    Stage,
    /// A boundary rule.
    Rule(&'static str),
    /// `Fill`.
    Fill,
    /// `By`.
    By,
}

/// Where a symbol's value comes from in emitted code.
#[derive(Debug, Clone)]
pub enum SymbolSource {
    /// A local of type `isize`.
    Local(Ident),
    /// A local that does not change, of an integer type of its own, converted where it is used. The type is named
    /// where the signature names it: the conversion then takes no other, so that its range can be relied on.
    Stable(Ident, Option<&'static str>),
    /// A local that holds a constant, of a type of its own, see [`Definition::Constant`].
    Constant(Ident),
    /// The variable of a loop.
    Loop(LoopId),
    /// The coordinate on an axis of an element that is tested where it is accessed, see [`Program::tested_at`].
    Coordinate(usize),
}

/// A symbol and where it may be mentioned.
#[derive(Debug, Clone)]
pub struct SymbolInfo {
    /// The symbol.
    pub symbol: Symbol,
    /// Its value.
    pub source: SymbolSource,
    /// From where on it is in scope.
    pub defined: ProgramPoint,
    /// Locals that hold it converted, and from where on.
    pub captures: Vec<(ProgramPoint, Ident)>,
}

/// Something about an access that costs time.
#[derive(Debug, Clone)]
pub struct Advice {
    /// The outermost nest around it.
    pub nest: NestId,
    /// Where the access is written.
    pub span: Span,
    /// What is slow, and what to write instead.
    pub text: String,
}

/// A kernel between two passes: Rust with holes and the tables behind them.
#[derive(Debug, Default)]
pub struct Program {
    /// The kernel's name, for panics.
    pub name: String,
    /// The name of the function that it is.
    pub function: String,
    /// Whether each access is tested where it runs, also where it is proven inside: `checks = "every"`.
    pub tests_every_access: bool,
    /// Blocks with memory.
    pub buffers: Table<BufferId, Buffer>,
    /// Whether some access writes each block, once that is decided.
    pub written: Table<BufferId, bool>,
    /// Lists over blocks.
    pub lists: Table<ListId, List>,
    /// Element accesses.
    pub accesses: Table<AccessId, Access>,
    /// The tree of regions; the first is the function's body.
    pub regions: Table<RegionId, Region>,
    /// Counted loops.
    pub loops: Table<LoopId, Loop>,
    /// Perfect nests of them.
    pub nests: Table<NestId, Nest>,
    /// Holes.
    pub holes: Table<HoleId, Hole>,
    /// Extents that are computed once, under names.
    pub extents: Vec<NamedExtent>,
    /// Names of the surface language that were used, with the user's spans.
    pub mentions: Vec<(Path, Surface)>,
    /// Whether a loop has attributes that order it, which `SHIM_SCHEDULE` may turn off.
    pub scheduled: bool,
    /// The dependences of the nests that were ordered, as text.
    pub dependences: Vec<String>,
    /// The elements that the lanes and registers of each nest hold, for the dump.
    pub remarks: Vec<(NestId, String)>,
    /// The unrolled loops whose copies are in an order of their own, until the pass `schedule`.
    pub ordered_copies: Vec<OrderedCopies>,
    /// The stages that are computed in memory.
    pub(crate) producers: Vec<Producer>,
    /// The first indices that iterations compute of stages that stay in memory, and the least that each may be.
    pub(crate) slides: Vec<(Symbol, SymInt)>,
    /// The stages of which elements are computed that nothing reads, until the check.
    pub(crate) beyond: Vec<Producer>,
    /// The blocks of stages.
    pub(crate) stage_blocks: Vec<BufferId>,
    /// The tabulated loops, until the pass `tabulate`.
    pub tabulations: Vec<Tabulation>,
    /// What is slow, for the dump and for notes that are asked for.
    pub(crate) advice: Vec<Advice>,
    /// Warnings, with the user's spans.
    pub notes: Vec<(Span, String)>,
    /// Symbols by their number.
    pub symbols: Vec<SymbolInfo>,
    /// Identifiers of one text that were taken for different names.
    pub told_apart: Vec<Vec<Ident>>,
    /// The primitive types whose names were taken for theirs.
    pub primitives: Vec<&'static str>,
    /// Items of the kernel that have the names of primitive types.
    pub hidden_primitives: BTreeSet<String>,
    /// The locals that `+=` adds to, and whether each is certainly an integer.
    pub sums: BTreeMap<String, bool>,
    /// The methods that were taken for those of `Ord`.
    pub methods: Vec<&'static str>,
    /// The coordinates of an element that is tested where it is accessed, one symbol per axis.
    pub tested_at: Vec<Symbol>,
    /// The bodies of blocks that may declare items which the macro does not see: a glob import or a macro may bring a
    /// constant of any name.
    pub unseen_items: HashSet<RegionId>,
    /// Names that mean, in a template that the kernel calls, what they mean beside the kernel, each with the name under
    /// which it is imported before anything in the kernel hides it.
    pub restored: Vec<(Ident, Ident)>,
    /// The blocks whose element types the closures of stages mention.
    pub(crate) typed: BTreeSet<BufferId>,
    /// The names of the parameters in emitted code, in their order.
    pub parameters: Vec<syn::Pat>,
}

/// The locals that expansions use for themselves. No identifier of the user's is any of them.
#[derive(Debug, Clone)]
pub struct OwnLocals {
    /// The runtime, whose methods expansions call.
    pub runtime: Ident,
    /// The coordinates of an element that is tested.
    pub at: Ident,
    /// What is written.
    pub value: Ident,
    /// Where it is written.
    pub place: Ident,
    /// A part of the range of a loop.
    pub part: Ident,
    /// The second half of a range.
    pub rest: Ident,
    /// Whether it is the interior.
    pub inside: Ident,
    /// A row of a wavefront that a task runs.
    pub row: Ident,
}

impl OwnLocals {
    /// Takes their names.
    pub fn new(names: &mut NameSupply) -> Self {
        OwnLocals {
            runtime: names.fresh("shim"),
            at: names.fresh("at"),
            value: names.fresh("value"),
            place: names.fresh("place"),
            part: names.fresh("part"),
            rest: names.fresh("rest"),
            inside: names.fresh("inside"),
            row: names.fresh("row_task"),
        }
    }
}

impl Program {
    /// The raw-pointer local for `buffer` in this region, if it has one: for a block that is not cleared, or that the
    /// tasks of an enclosing parallel loop write.
    pub fn shared(&self, region: RegionId, buffer: BufferId) -> Option<&Ident> {
        let own = &self.buffers[self.root_buffer(buffer)];
        if own.cleared { self.shared_by_tasks(region, buffer) } else { Some(&own.local) }
    }

    /// The local by which the tasks of a parallel loop around a region reach the memory of a block that they write.
    pub fn shared_by_tasks(&self, region: RegionId, buffer: BufferId) -> Option<&Ident> {
        let root = self.root_buffer(buffer);
        self.ancestors(region).find_map(|at| {
            let RegionKind::Nest(nest) = self.regions[at].kind else { return None };
            let tasks = self.nests[nest].tasks.as_deref()?;
            tasks.memory.iter().find(|(own, _)| *own == root).map(|(_, local)| local)
        })
    }

    /// Notes that the names of types are taken for those of the primitive types in a region. Whether they may be.
    pub(crate) fn relies_on_primitives(&mut self, region: RegionId, types: &[IntType]) -> bool {
        let hides = |name: &str| self.hidden_primitives.contains(name);
        if types.iter().any(|ty| hides(ty.name()))
            || self.ancestors(region).any(|at| self.unseen_items.contains(&at))
        {
            return false;
        }
        for ty in types {
            if !self.primitives.contains(&ty.name()) {
                self.primitives.push(ty.name());
            }
        }
        true
    }

    /// A new symbol.
    pub fn new_symbol(
        &mut self,
        name: &str,
        range: Range,
        source: SymbolSource,
        defined: ProgramPoint,
    ) -> Symbol {
        let number = u32::try_from(self.symbols.len()).unwrap_or(u32::MAX);
        let symbol = Symbol::new(number, name, range);
        self.symbols.push(SymbolInfo { symbol: symbol.clone(), source, defined, captures: Vec::new() });
        symbol
    }

    /// The buffer that owns the memory of a block: a block over another one shares that one's.
    pub fn root_buffer(&self, buffer: BufferId) -> BufferId {
        match self.buffers[buffer].memory {
            Memory::Over { of, .. } => self.root_buffer(of),
            _ => buffer,
        }
    }

    /// Whether the element at a coordinate of a block is the same wherever the block is in scope. That of a view over
    /// memory which a loop makes anew is another one in each iteration.
    pub fn is_fixed(&self, buffer: BufferId) -> bool {
        let Buffer { memory, bound, .. } = &self.buffers[buffer];
        !matches!(memory, Memory::Over { .. })
            || self.ancestors(bound.region).all(|region| {
                matches!(
                    self.regions[region].kind,
                    RegionKind::Plain | RegionKind::Version | RegionKind::Branch
                )
            })
    }

    /// Where the memory of a block comes into scope.
    pub fn allocated(&self, buffer: BufferId) -> ProgramPoint {
        self.buffers[self.root_buffer(buffer)].bound
    }

    /// Whether elements of two blocks may be the same although their coordinates differ.
    pub fn may_overlap(&self, a: BufferId, b: BufferId) -> bool {
        let pointer = |buffer: BufferId| matches!(self.buffers[buffer].memory, Memory::Pointer);
        let (first, second) = (self.root_buffer(a), self.root_buffer(b));
        a != b && (first == second || pointer(first) && pointer(second))
    }

    /// Whether elements of two blocks may be in one place of memory.
    pub fn share_memory(&self, a: BufferId, b: BufferId) -> bool {
        a == b || self.may_overlap(a, b)
    }

    /// An expression that stands for `hole`.
    pub fn hole(&mut self, hole: Hole) -> Expr {
        Self::hole_expr(self.holes.push(hole))
    }

    /// The expression that stands for a hole.
    pub(crate) fn hole_expr(id: HoleId) -> Expr {
        let name = Ident::new(&format!("{HOLE}{}", id.index()), Span::call_site());
        Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: Path::from(name) })
    }

    /// The hole that `expr` stands for.
    pub fn hole_of(expr: &Expr) -> Option<HoleId> {
        let Expr::Path(path) = expr else { return None };
        Self::hole_named(path.path.get_ident()?)
    }

    /// The hole that is called `name`.
    pub fn hole_named(name: &Ident) -> Option<HoleId> {
        name.to_string().strip_prefix(HOLE)?.parse().ok().map(HoleId::new)
    }

    /// What is known of `symbol`.
    pub fn symbol(&self, symbol: &Symbol) -> &SymbolInfo {
        &self.symbols[symbol.id() as usize]
    }

    /// The region of the body of a loop's nest.
    pub fn body_of(&self, id: LoopId) -> RegionId {
        self.nests[self.loops[id].nest].body
    }
}
