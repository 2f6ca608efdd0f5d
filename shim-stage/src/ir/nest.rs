//! Nests of counted loops.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use shim_core::{Integer, LocationError, Space, points::points_of};
use syn::{Expr, Lifetime};

use crate::static_eval::IntType;
use crate::symbolic::{Form, SymInt, Symbol};

use super::{
    AccessId, BufferId, Domain, Effects, Let, LoopId, NestId, Program, ProgramPoint, Reduction, RegionId,
    Schedule,
};

/// A perfect nest of counted loops.
#[derive(Debug, Clone)]
pub struct Nest {
    /// The loops, outermost first.
    pub loops: Vec<LoopId>,
    /// The user's label, on the outermost.
    pub label: Option<syn::Label>,
    /// The label that goes on with the next iteration from inside other loops.
    pub next: Option<Lifetime>,
    /// The innermost body.
    pub body: RegionId,
    /// The bodies of the nests that it was fused of, in the sequence of the source.
    pub fused: Vec<RegionId>,
    /// The numbers of the statements of the body at which a [distributed](LoopMode::Distributed) loop begins again.
    pub distributed: Vec<usize>,
    /// The extents that have to fit the type of loop variables, tested before the nest.
    pub i32_extents: Vec<SymInt>,
    /// The interior of the outermost loop, which is a nest of its own; this one then runs its edges.
    pub split: Option<Split>,
    /// The nests that run some of its iterations, with the same loops: each takes those of the rest that are behind it.
    pub behind: Vec<Behind>,
    /// The iteration between two parts in which it runs, and what is the same in each part.
    pub cut: Option<Box<LoopCut>>,
    /// The function of the runtime that does the same, if there is one.
    pub idiom: Option<Box<Idiom>>,
    /// What its iterations do besides accessing elements, where attributes order it or fuse it with the nest before.
    pub effects: Option<Box<Effects>>,
    /// The memory and variables that the iterations share, where they run on threads.
    pub tasks: Option<Box<Tasks>>,
    /// The stage whose elements it computes.
    pub produces: Option<String>,
    /// The order in which the points are to run, if it is not that of the source.
    pub schedule: Option<Box<Schedule>>,
}

impl Nest {
    /// A nest whose body is yet to be bound.
    pub fn new(loops: Vec<LoopId>, label: Option<syn::Label>) -> Self {
        Nest {
            loops,
            label,
            next: None,
            body: RegionId::BODY,
            fused: Vec::new(),
            distributed: Vec::new(),
            i32_extents: Vec::new(),
            split: None,
            behind: Vec::new(),
            cut: None,
            idiom: None,
            effects: None,
            tasks: None,
            produces: None,
            schedule: None,
        }
    }
}

/// The memory and variables that the tasks of a parallel loop share.
#[derive(Debug, Clone, Default)]
pub struct Tasks {
    /// The blocks around the loop that tasks write, and the locals that give tasks their elements.
    pub memory: Vec<(BufferId, Ident)>,
    /// The memory around the loop that tasks only read.
    pub read: Vec<BufferId>,
    /// The variables that tasks reduce into, and the locals that hold them in the meantime.
    pub totals: Vec<(Reduction, Ident)>,
    /// Where tasks are the rows of a wavefront, the number of columns, and how many a row is behind the one above.
    pub wavefront: Option<(SymInt, i64)>,
}

/// The interior of a loop.
#[derive(Debug, Clone)]
pub struct Split {
    /// It starts at the greatest of these.
    pub starts: Vec<SymInt>,
    /// It ends before the least of these.
    pub ends: Vec<SymInt>,
    /// There is one only if each of these is at least zero.
    pub guards: Vec<SymInt>,
    /// The nest that runs it, with the same loops.
    pub interior: NestId,
}

/// The second half of a nest, or of what nests before it leave of one.
#[derive(Debug, Clone)]
pub struct Behind {
    /// Which iterations are in it.
    pub when: When,
    /// The nest that runs them, with the same loops.
    pub nest: NestId,
}

/// The iterations in the second half of a nest.
#[derive(Debug, Clone)]
pub enum When {
    /// Those from this value of the outermost variable on.
    From(SymInt),
    /// All if this is at least zero, else none.
    If(SymInt),
}

impl When {
    /// The first value, or what is at least zero.
    pub fn value(&self) -> &SymInt {
        match self {
            When::From(value) | When::If(value) => value,
        }
    }
}

/// A loop that runs before one of its iterations, in it, and behind it.
#[derive(Debug, Clone)]
pub struct LoopCut {
    /// The value of the variable in that iteration; none where the loop is one part.
    pub at: Option<SymInt>,
    /// Elements that are the same in all iterations of each part, and the locals that hold them.
    pub held: Vec<(Ident, Expr)>,
}

/// A counted loop whose variable takes part in index arithmetic.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The variable in emitted code.
    pub name: Ident,
    /// The variable in the algebra.
    pub symbol: Symbol,
    /// Its first value.
    pub first: SymInt,
    /// Its last value, meaningful when the loop runs at all.
    pub last: SymInt,
    /// At least zero exactly when the loop runs at all.
    pub runs: SymInt,
    /// How it is written.
    pub kind: LoopKind,
    /// The tensor whose indices it runs over.
    pub over: Option<Over>,
    /// The nest that it is a loop of.
    pub nest: NestId,
    /// The parts of offsets that each of its iterations begins with.
    pub parts: Vec<Let>,
    /// The region in the body of its nest that was its own body, where statements of outer loops run before it.
    pub own: Option<RegionId>,
    /// How its iterations run.
    pub mode: LoopMode,
    /// Whether its values are taken for those of an `i32`, which is tested before its nest.
    pub is_i32: bool,
    /// The interior that it is to be split for, until it is.
    pub interior: Option<Interior>,
}

impl Loop {
    /// How far apart its values are; they fall where it is negative.
    pub fn step(&self) -> i64 {
        match self.kind {
            LoopKind::Index { .. } => 1,
            LoopKind::Range { step, .. } => step,
        }
    }

    /// Whether another loop has the same values.
    pub fn is_alike(&self, other: &Loop) -> bool {
        let bounds = self.first == other.first && self.last == other.last && self.runs == other.runs;
        match (&self.kind, &other.kind) {
            (LoopKind::Index { extent }, LoopKind::Index { extent: others }) => extent == others,
            (LoopKind::Range { step, .. }, LoopKind::Range { step: others, .. }) => bounds && step == others,
            // The values are the same, from zero.
            (LoopKind::Index { .. }, LoopKind::Range { step: 1, .. })
            | (LoopKind::Range { step: 1, .. }, LoopKind::Index { .. }) => bounds,
            _ => false,
        }
    }

    /// The number of its iterations.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when it does not fit.
    pub fn extent(&self) -> Result<SymInt, LocationError> {
        match &self.kind {
            LoopKind::Index { extent } => Ok(extent.clone()),
            LoopKind::Range { step, .. } => {
                self.runs.floor_div(step.abs())?.add(&SymInt::constant(1))?.at_least_zero()
            }
        }
    }
}

/// An iteration of several loops.
#[derive(Debug, Clone)]
pub struct Iteration {
    /// Its number in each loop.
    pub numbers: Vec<i64>,
    /// The values of their variables.
    pub values: Vec<i64>,
}

impl Program {
    /// Whether a nest runs a part of the iterations of its loops: an interior or a half, or what these leave.
    pub fn is_part(&self, id: NestId) -> bool {
        let runs = |nest: &Nest| {
            nest.split.as_ref().is_some_and(|split| split.interior == id)
                || nest.behind.iter().any(|behind| behind.nest == id)
        };
        let own = &self.nests[id];
        own.split.is_some() || !own.behind.is_empty() || self.nests.iter().any(runs)
    }

    /// The iterations of loops of constant bounds, if the box around them has at most so many points. A loop that is
    /// cut is counted from the end of the box.
    pub fn points(&self, loops: &[LoopId], most: i64) -> Option<Vec<Iteration>> {
        let Domain { ends, constraints } = self.domain(loops)?;
        let mut counts = Vec::new();
        let mut lines = Vec::new();
        for (id, [least, greatest]) in loops.iter().zip(&ends) {
            let (least, greatest) = (least.as_constant()?, greatest.as_constant()?);
            let step = self.loops[*id].step();
            counts.push(greatest.checked_sub(least)?.div_euclid(step.abs()).checked_add(1)?.max(0));
            lines.push((if step < 0 { greatest } else { least }, step));
        }
        let rests = constraints.iter().map(|own| own.rest.as_constant()).collect::<Option<Vec<i64>>>()?;
        let is_inside = |iteration: &Iteration| {
            constraints.iter().zip(&rests).all(|(own, rest)| {
                let products =
                    own.factors.iter().zip(&iteration.values).map(|(factor, value)| factor * value);
                products.sum::<i64>() + rest >= 0
            })
        };
        let count = counts.iter().try_fold(1_i64, |count, own| count.checked_mul(*own))?;
        let iteration = |numbers: Vec<i64>| {
            let value = |(at, (start, step)): (&i64, &(i64, i64))| start + step * at;
            Iteration { values: numbers.iter().zip(&lines).map(value).collect(), numbers }
        };
        (count <= most).then(|| points_of(&counts).into_iter().map(iteration).filter(is_inside).collect())
    }
}

/// How the iterations of a loop run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopMode {
    /// One after the other.
    Serial,
    /// One after the other, each a copy of the body. Their number is constant.
    Unrolled,
    /// One after the other, once for each part of the [distributed](Nest::distributed) body.
    Distributed,
    /// In lockstep. Their number is constant.
    Lanes,
    /// On threads.
    Parallel,
    /// Serial in a task, so many iterations behind the previous task.
    Following(i64),
}

/// The range of a loop in which accesses of its body need no test: its interior.
#[derive(Debug, Clone, Default)]
pub struct Interior {
    /// The accesses that need no test and no fold there, and the axes on which they need none.
    pub accesses: BTreeMap<AccessId, Vec<usize>>,
    /// The bodies of whole tiles that run there: none is cut off.
    pub whole: Vec<RegionId>,
    /// The interior starts at the greatest of these.
    pub starts: Vec<SymInt>,
    /// It ends before the least of these.
    pub ends: Vec<SymInt>,
    /// There is one only if each of these is at least zero.
    pub guards: Vec<SymInt>,
}

/// A function of the runtime in the place of a nest.
#[derive(Debug, Clone)]
pub enum Idiom {
    /// Lines are copied.
    Transposition(Transposition),
    /// Bytes are added up.
    Sum(ByteSum),
}

/// The lines of one block of bytes, copied to the columns of another, byte `i` of line `j` to byte `j` of line `i`, or
/// to its lines.
#[derive(Debug, Clone)]
pub struct Transposition {
    /// The lines that are read.
    pub from: Strided,
    /// Those that are written.
    pub to: Strided,
    /// How many lines are read.
    pub lines: i64,
    /// The bytes of each.
    pub length: i64,
    /// Whether lines become columns.
    pub turned: bool,
}

/// The sum of a box of bytes, or of their absolute differences from those of another, added to a local.
#[derive(Debug, Clone)]
pub struct ByteSum {
    /// The local.
    pub local: Ident,
    /// Its type.
    pub number: IntType,
    /// The bytes.
    pub of: Strided,
    /// The bytes that they are compared with.
    pub from: Option<Strided>,
    /// How many bytes there are on each axis; those on the last lie next to one another.
    pub extents: Vec<i64>,
}

impl Idiom {
    /// Where the bytes are.
    pub fn places(&self) -> Vec<&Strided> {
        match self {
            Idiom::Transposition(Transposition { from, to, .. }) => vec![from, to],
            Idiom::Sum(ByteSum { of, from, .. }) => std::iter::once(of).chain(from).collect(),
        }
    }
}

/// Elements of a block that lie equally far apart on each axis.
#[derive(Debug, Clone)]
pub struct Strided {
    /// The block.
    pub buffer: BufferId,
    /// The offset of the first element.
    pub first: SymInt,
    /// The elements between neighbors on each axis but the last, where it is one.
    pub steps: Vec<SymInt>,
}

/// An extent that is computed once, under a name.
#[derive(Debug, Clone)]
pub struct NamedExtent {
    /// Its local.
    pub name: Ident,
    /// Before this statement.
    pub place: ProgramPoint,
    /// Its value.
    pub value: SymInt,
    /// The value in the form in which it is emitted.
    pub form: Form,
}

/// An axis of a tensor.
#[derive(Debug, Clone)]
pub struct Over {
    /// The user's name of the tensor.
    pub tensor: String,
    /// Where it is.
    pub space: Space<SymInt>,
    /// The axis.
    pub axis: usize,
}

/// How a loop is emitted.
#[derive(Debug, Clone)]
pub enum LoopKind {
    /// Over an index space, from zero: the variable is `isize`.
    Index {
        /// The number of iterations.
        extent: SymInt,
    },
    /// A Rust range, with the user's own type.
    Range {
        /// The iterator, over bounds without effects.
        iterator: Box<Expr>,
        /// How far apart its values are; they fall where it is negative.
        step: i64,
        /// The name of the variable's type, where the kernel shows it.
        number: Option<&'static str>,
        /// Whether every value of the variable fits `isize`.
        fits: bool,
    },
}
