//! The words that order loops.

use proc_macro2::TokenStream;
use shim_core::Order;
use syn::Lifetime;

use super::TemplateCall;

/// The order of a nest's points, as attributes before it ask for.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    /// Where it is among the others of the kernel.
    pub number: usize,
    /// The words, in their sequence.
    pub words: Vec<Word>,
    /// Whether the order is part of the meaning: the points run in it whatever they depend on.
    pub is_scan: bool,
    /// The first attribute, for errors.
    pub attribute: TokenStream,
    /// The template calls that the nest was staged by, for errors.
    pub calls: Vec<TemplateCall>,
}

impl Schedule {
    /// Whether the compiler has given it, which an order of the loops around it replaces.
    pub fn is_automatic(&self) -> bool {
        self.attribute.is_empty()
    }

    /// How many iterations the next nest is behind this one, where they are fused.
    pub fn lag(&self) -> Option<i64> {
        self.words.iter().find_map(Word::lag)
    }
}

/// What an attribute asks for. Loops are named by the user's variables.
#[derive(Debug, Clone)]
pub enum Word {
    /// `#[order(layout)]`
    Order(Order),
    /// `#[tile([8, _], 'tile)]`
    Tile {
        /// The extents of tiles, none along an axis that is not tiled.
        extents: Vec<Option<i64>>,
        /// The treatment of tiles that reach beyond the box.
        tail: Tail,
        /// What the loops over the tiles are called.
        label: Option<Lifetime>,
    },
    /// `#[reorder(x, y)]`: the variables, the outermost first.
    Reorder(Vec<String>),
    /// `#[wavefront(2 * y + x)]`: the variables with their factors.
    Wavefront(Vec<(String, i64)>),
    /// `#[lanes(16)]`: so many iterations of the innermost loop in lockstep.
    Lanes(i64),
    /// `#[parallel]`: the iterations of the outermost loop, or of a front, on threads.
    Parallel,
    /// `#[fuse]`: one nest with the next; `#[fuse(lag = 2)]`: the next so many iterations behind.
    Fuse(i64),
    /// `#[distribute]`: the innermost loop, once for each statement.
    Distribute,
    /// `#[unroll(4)]`: the innermost loop, so many iterations at a time.
    UnrollBy(i64),
    /// `#[unroll(k)]`: the loops of these variables in the innermost tile.
    Unroll(Vec<String>),
}

impl Word {
    /// The most iterations of a tile along each axis.
    pub const MAX_TILE: i64 = 1 << 16;
    /// The most lanes: each element that they write is held in an array on the stack.
    pub const MAX_LANES: i64 = 256;
    /// The most iterations that a loop is behind another one.
    pub const MAX_LAG: i64 = 1 << 16;
    /// The most copies of an unrolled body.
    pub const MAX_UNROLL_FACTOR: i64 = 256;
    /// The greatest factor of a wavefront. On one thread its fronts run one by one, those without an iteration too.
    pub const MAX_SLOPE: i64 = 1024;

    /// The number of loops that it is about, where it says.
    pub fn depth(&self) -> Option<usize> {
        match self {
            Word::Tile { extents, .. } => Some(extents.len()),
            Word::Reorder(variables) => Some(variables.len()),
            Word::Wavefront(terms) => Some(terms.len()),
            Word::Order(order) => rank(order),
            Word::UnrollBy(_)
            | Word::Unroll(_)
            | Word::Lanes(_)
            | Word::Parallel
            | Word::Fuse(_)
            | Word::Distribute => None,
        }
    }

    /// How many iterations the next nest is behind this one, where they are fused.
    pub const fn lag(&self) -> Option<i64> {
        match self {
            Word::Fuse(lag) => Some(*lag),
            _ => None,
        }
    }

    /// Whether it copies the body and keeps the sequence of iterations.
    pub const fn unrolls(&self) -> bool {
        matches!(self, Word::UnrollBy(_) | Word::Unroll(_))
    }

    /// Whether iterations may run twice.
    pub const fn repeats(&self) -> bool {
        matches!(self, Word::Tile { tail, .. } if tail.repeats())
    }
}

/// The number of axes that an order is of, where it says.
fn rank(order: &Order) -> Option<usize> {
    match order {
        Order::Axes(axes) => Some(axes.len()),
        Order::Tile { extents, .. } | Order::Table { extents, .. } => Some(extents.len()),
        Order::Curve(_) => Some(2),
        Order::Reversed(order) | Order::Then { first: order, .. } => rank(order),
        Order::RowMajor
        | Order::ColumnMajor
        | Order::Lanes(_)
        | Order::Morton
        | Order::Swizzle(_)
        | Order::By(_) => None,
    }
}

/// The treatment of a tile that reaches beyond the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// It is cut off: its loops end with the box.
    Clip,
    /// It is cut off in a copy of the body, so that whole tiles have constant extents.
    Peel,
    /// It is moved back until it ends with the box: some points run twice.
    Shift,
}

impl Tail {
    /// The tail of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "clip" => Tail::Clip,
            "peel" => Tail::Peel,
            "shift" => Tail::Shift,
            _ => return None,
        })
    }

    /// Whether whole tiles have a copy of the body, with constant extents.
    pub const fn has_copies(self) -> bool {
        matches!(self, Tail::Peel | Tail::Shift)
    }

    /// Whether points may run twice.
    pub const fn repeats(self) -> bool {
        matches!(self, Tail::Shift)
    }
}
