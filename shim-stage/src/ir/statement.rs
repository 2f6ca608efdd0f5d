//! Statements: those that binding writes, and those that later passes add between them.

use proc_macro2::Ident;
use syn::{Expr, Stmt};

use crate::symbolic::{SymInt, Symbol};

use super::{Assertion, BufferId, Hole, NestId, Program, ProgramPoint, RegionId};

/// A statement of a region.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Program point. An inserted statement takes the number of its successor, so that program points stay valid.
    pub number: usize,
    /// Where it stands among those of its number.
    pub order: Order,
    /// What it is.
    pub kind: StatementKind,
}

/// The order of the statements of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// A constant, at the start of its region.
    Constant,
    /// A conversion that several accesses share.
    Conversion,
    /// An extent that has a name.
    Extent,
    /// An assertion.
    Assertion,
    /// A part of an offset.
    OffsetPart,
    /// The statement that binding wrote.
    Own,
}

/// What a statement is.
#[derive(Debug, Clone)]
pub enum StatementKind {
    /// Rust with holes in its expressions.
    Rust(Box<Stmt>),
    /// Rust without an effect, by which rustc confirms that the methods of a range are std's.
    Confirm(Box<Stmt>),
    /// Rust that never runs, by which rustc checks the closure of a stage. One version of the kernel has it.
    Check(Box<Stmt>),
    /// The memory of a block comes into scope; that which exists already is at a place, with holes.
    Memory(BufferId, Option<Box<Expr>>),
    /// `let name = value`.
    Let(Let),
    /// An extent that a `#[shape]` fixes is what the shape says.
    Expect {
        /// The tensor.
        tensor: String,
        /// Its extent.
        found: SymInt,
        /// What the shape says.
        wanted: SymInt,
    },
    /// What follows stays inside a block.
    Assert(Assertion),
    /// One region where all of these are at least zero, else the other, if there is one.
    If {
        /// The conditions.
        all: Vec<SymInt>,
        /// The region where they hold.
        then: RegionId,
        /// The region where one of them does not.
        otherwise: Option<RegionId>,
    },
}

impl StatementKind {
    /// The expression that a statement is.
    pub(crate) fn expr(&self) -> Option<&Expr> {
        let Self::Rust(statement) = self else { return None };
        match &**statement {
            Stmt::Expr(expr, _) => Some(expr),
            _ => None,
        }
    }
}

/// A local of the compiler's own.
#[derive(Debug, Clone)]
pub struct Let {
    /// Its name.
    pub name: Ident,
    /// Its value.
    pub value: Definition,
}

/// The value of a local of the compiler's own.
#[derive(Debug, Clone)]
pub enum Definition {
    /// A constant to rustc as well: a path that has an effect is none.
    Constant(Box<Expr>),
    /// A value of the user's as `isize`, in the place of `symbol`.
    Conversion {
        /// The symbol.
        symbol: Symbol,
        /// The value, in a type of its own.
        value: Box<Expr>,
        /// The name of that type, where it is known.
        number: Option<&'static str>,
    },
    /// Index arithmetic that is computed once, where overflow panics.
    Index(SymInt),
    /// An extent, likewise; the expressions after it that hold it mention it.
    Extent(SymInt),
    /// Extents, or sums of them, by the index on an axis of a shape; where overflow panics, and a negative one.
    Table(Vec<SymInt>),
    /// Memory that says where each of so many rows starts, and where the last one ends.
    Starts(Box<Expr>, SymInt),
    /// Memory that lists indices below an extent.
    Indices(Box<Expr>, SymInt),
    /// What an offset takes from a loop.
    OffsetPart(OffsetPart),
    /// The item of a range at the index in a local, of the range's type; the name is the user's.
    Item(Ident, Box<Expr>),
}

/// A named part of an offset.
#[derive(Debug, Clone)]
pub struct OffsetPart {
    /// The part of the loop outside that it adds to.
    pub outside: Option<Ident>,
    /// What it adds.
    pub value: SymInt,
    /// Whether an access inside its block runs whenever this is computed, so that it fits.
    pub fits: bool,
}

impl Program {
    /// What is in the hole that an expression is.
    pub(crate) fn held_by(&self, expr: &Expr) -> Option<&Hole> {
        Program::hole_of(expr).map(|id| &self.holes[id])
    }

    /// The nest that an expression is.
    pub(crate) fn nest_of(&self, expr: &Expr) -> Option<NestId> {
        match self.held_by(expr)? {
            Hole::Nest(nest) => Some(*nest),
            _ => None,
        }
    }

    /// Adds a statement before the one at `position`, behind those of its order that were added there.
    pub fn insert(&mut self, position: ProgramPoint, order: Order, kind: StatementKind) {
        let number = position.statement;
        let statements = &mut self.regions[position.region].statements;
        let at = statements.partition_point(|other| (other.number, other.order) <= (number, order));
        statements.insert(at, Statement { number, order, kind });
    }

    /// Takes the statement that makes a block's memory out of a region; what it is made of.
    pub(crate) fn take_memory(&mut self, id: BufferId, region: RegionId) -> Option<StatementKind> {
        let is_own = |own: &Statement| matches!(own.kind, StatementKind::Memory(made, _) if made == id);
        let statements = &mut self.regions[region].statements;
        let at = statements.iter().position(is_own)?;
        Some(statements.remove(at).kind)
    }

    /// Adds a definition before the statement at `position`, and in each copy of its region, where [`Program::visible`]
    /// finds it as well.
    pub(crate) fn define(&mut self, position: ProgramPoint, order: Order, local: &Let) {
        let is_own = |region: &RegionId| {
            *region == position.region || self.regions[*region].copy_of == Some(position.region)
        };
        let regions: Vec<RegionId> = self.regions.ids().filter(is_own).collect();
        for region in regions {
            self.insert(ProgramPoint { region, ..position }, order, StatementKind::Let(local.clone()));
        }
    }

    /// The assertions with their positions, those of one region in the order in which they run.
    pub fn assertions(&self) -> impl Iterator<Item = (ProgramPoint, &Assertion)> {
        self.regions.enumerated().flat_map(|(region, own)| {
            own.statements.iter().filter_map(move |statement| match &statement.kind {
                StatementKind::Assert(assertion) => {
                    Some((ProgramPoint { region, statement: statement.number }, assertion))
                }
                _ => None,
            })
        })
    }
}
