//! Random chains of views, built by the runtime library's integer and by the compiler's, and compared at points.

use std::cmp::Ordering;

use arbitrary::{Result, Unstructured};
use shim_core::{Curve, Fold, Integer, LocationError, Order, Part, Placement, Space, TensorSpace};
use shim_stage::symbolic::{Range, SymInt, Symbol};

/// Names known at run time, with what the compiler knows of them.
const SYMBOLS: [(&str, Range); 6] = [
    ("r", Range::UNKNOWN),
    ("c", Range::UNKNOWN),
    ("h", Range::NONNEGATIVE),
    ("w", Range::NONNEGATIVE),
    ("y", Range { lo: Some(0), hi: Some(15) }),
    ("x", Range { lo: Some(-3), hi: Some(11) }),
];

/// Values of all of them.
type Values = [i64; SYMBOLS.len()];

fn symbols() -> Vec<Symbol> {
    let numbered = SYMBOLS.iter().zip(0..);
    numbered.map(|((name, range), id)| Symbol::new(id, *name, *range)).collect()
}

/// An integer as a kernel writes it: a sum of multiples of names.
#[derive(Clone, Debug)]
struct Number {
    terms: Vec<(i64, usize)>,
    constant: i64,
}

impl Number {
    fn any(u: &mut Unstructured<'_>, names: std::ops::Range<usize>, from: i64) -> Result<Self> {
        let mut terms = Vec::new();
        for _ in 0..u.int_in_range(0..=2)? {
            let factor: i64 = *u.choose(&[1, 1, 1, 2, 4, 16, -1])?;
            terms.push((
                if from < 0 { factor } else { factor.abs() },
                u.int_in_range(names.start..=names.end - 1)?,
            ));
        }
        Ok(Number { terms, constant: u.int_in_range(from..=9)? })
    }

    /// An index or an origin.
    fn index(u: &mut Unstructured<'_>) -> Result<Self> {
        Self::any(u, 0..SYMBOLS.len(), -9)
    }

    /// An extent.
    fn extent(u: &mut Unstructured<'_>) -> Result<Self> {
        Self::any(u, 2..4, 0)
    }

    fn build<I: Integer>(&self, name: &dyn Fn(usize) -> I) -> I {
        let mut sum = I::constant(self.constant);
        for (factor, symbol) in &self.terms {
            let term = name(*symbol).scale(*factor).expect("a small multiple");
            sum = sum.add(&term).expect("a small sum");
        }
        sum
    }
}

/// What a partition takes of an axis.
#[derive(Clone, Debug)]
enum Piece {
    Full,
    Index(Number),
    Range(Number, Number, i64),
}

/// A tensor made of those before it.
#[derive(Clone, Debug)]
enum Step {
    Block {
        extents: Vec<Number>,
        at: Vec<Number>,
        axes: Vec<usize>,
        permutation: Vec<usize>,
        refinement: Vec<i64>,
        coarsening: Vec<i64>,
    },
    Permute(usize, Vec<usize>),
    Slice(usize, usize, Number),
    Refine(usize, Vec<i64>),
    Coarsen(usize, Vec<i64>),
    Partition(usize, Vec<Piece>),
    Colocate(usize, usize),
    Footprint(usize, usize),
    Coverage(usize, Vec<Number>, usize),
    Shift(usize, Vec<Number>),
    /// The box that a tensor covers in the root, of a tensor on the root's first axes.
    Place(usize),
    /// A block copy: the same place in a space of its own.
    Copy(usize),
}

/// A program of steps, and the ranks of what they make.
#[derive(Clone, Debug)]
struct Chain {
    rank: usize,
    steps: Vec<Step>,
    ranks: Vec<usize>,
}

fn shuffled(u: &mut Unstructured<'_>, count: usize) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        order.swap(i, u.int_in_range(0..=i)?);
    }
    Ok(order)
}

fn factors(u: &mut Unstructured<'_>, count: usize) -> Result<Vec<i64>> {
    (0..count).map(|_| u.choose(&[1, 1, 2, 2, 3, 4, 16]).copied()).collect()
}

fn numbers(u: &mut Unstructured<'_>, count: usize) -> Result<Vec<Number>> {
    (0..count).map(|_| Number::index(u)).collect()
}

impl Chain {
    fn any(u: &mut Unstructured<'_>) -> Result<Self> {
        let mut chain = Chain { rank: u.int_in_range(1..=4)?, steps: Vec::new(), ranks: Vec::new() };
        for _ in 0..u.int_in_range(1..=3)? {
            chain.block(u)?;
        }
        for _ in 0..u.int_in_range(1..=6)? {
            chain.view(u)?;
        }
        Ok(chain)
    }

    fn block(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let rank = u.int_in_range(1..=self.rank)?;
        let mut axes = shuffled(u, self.rank)?;
        axes.truncate(rank);
        let mut refinement = vec![1; rank];
        let mut coarsening = vec![1; rank];
        for axis in 0..rank {
            let side = if u.arbitrary()? { &mut refinement } else { &mut coarsening };
            side[axis] = *u.choose(&[1, 1, 1, 2, 4, 16, 3])?;
        }
        let extents = (0..rank).map(|_| Number::extent(u)).collect::<Result<_>>()?;
        let (at, permutation) = (numbers(u, rank)?, shuffled(u, rank)?);
        self.push(Step::Block { extents, at, axes, permutation, refinement, coarsening }, rank);
        Ok(())
    }

    fn push(&mut self, step: Step, rank: usize) {
        self.steps.push(step);
        self.ranks.push(rank);
    }

    fn view(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let of = u.choose_index(self.ranks.len())?;
        let rank = self.ranks[of];
        match u.int_in_range(0..=11)? {
            0 => self.push(Step::Permute(of, shuffled(u, rank)?), rank),
            1 if rank > 1 => {
                let axis = u.choose_index(rank)?;
                self.push(Step::Slice(of, axis, Number::index(u)?), rank - 1);
            }
            2 => self.push(Step::Refine(of, factors(u, rank)?), rank),
            3 => self.push(Step::Coarsen(of, factors(u, rank)?), rank),
            4 | 5 => self.partition(u, of, rank)?,
            6 => {
                let other = u.choose_index(self.ranks.len())?;
                self.push(Step::Colocate(of, other), self.ranks[other]);
            }
            7 => {
                let other = u.choose_index(self.ranks.len())?;
                self.push(Step::Footprint(of, other), rank);
            }
            8 => {
                let with = u.choose_index(self.ranks.len())?;
                self.push(Step::Coverage(of, numbers(u, rank)?, with), rank);
            }
            9 => self.push(Step::Shift(of, numbers(u, rank)?), rank),
            10 => self.push(Step::Place(of), rank),
            _ => self.push(Step::Copy(of), rank),
        }
        Ok(())
    }

    fn partition(&mut self, u: &mut Unstructured<'_>, of: usize, rank: usize) -> Result<()> {
        let given = u.int_in_range(1..=rank)?;
        let mut pieces = Vec::new();
        for left in (0..given).rev() {
            let some_range = pieces.iter().any(|piece| !matches!(piece, Piece::Index(_)));
            pieces.push(match u.int_in_range(0..=5)? {
                0 if some_range || left > 0 => Piece::Index(Number::index(u)?),
                1 => Piece::Full,
                2 => {
                    // The width folds.
                    let start = Number::index(u)?;
                    let end = Number { constant: start.constant + u.int_in_range(-2..=16)?, ..start.clone() };
                    Piece::Range(start, end, *u.choose(&[1, 1, 2, 3])?)
                }
                _ => Piece::Range(Number::index(u)?, Number::index(u)?, *u.choose(&[1, 1, 2, 3])?),
            });
        }
        let ranges = pieces.iter().filter(|piece| !matches!(piece, Piece::Index(_))).count();
        if ranges > 0 {
            self.push(Step::Partition(of, pieces), ranges);
        }
        Ok(())
    }

    /// Every tensor of the chain.
    fn build<I: Integer>(
        &self,
        name: &dyn Fn(usize) -> I,
    ) -> std::result::Result<Vec<TensorSpace<I>>, LocationError> {
        let root_space = Space::root(self.rank);
        let mut made: Vec<TensorSpace<I>> = Vec::new();
        let all = |numbers: &[Number]| numbers.iter().map(|number| number.build(name)).collect::<Vec<I>>();
        for step in &self.steps {
            made.push(match step {
                Step::Block { extents, at, axes, permutation, refinement, coarsening } => {
                    let placement =
                        Placement::new(axes.len()).on_axes(axes).at(&all(at)).permuted(permutation);
                    let space = placement.refined(refinement).coarsened(coarsening).place_in(&root_space)?;
                    TensorSpace::new(space, all(extents))?
                }
                Step::Permute(of, order) => made[*of].permute(order)?,
                Step::Slice(of, axis, at) => made[*of].slice(*axis, at.build(name))?,
                Step::Refine(of, factors) => made[*of].refine(factors)?,
                Step::Coarsen(of, factors) => made[*of].coarsen(factors)?,
                Step::Partition(of, pieces) => {
                    let parts: Vec<Part<I>> = pieces
                        .iter()
                        .map(|piece| match piece {
                            Piece::Full => Part::Full,
                            Piece::Index(at) => Part::Index(at.build(name)),
                            Piece::Range(start, end, step) => {
                                Part::Range { start: start.build(name), end: end.build(name), step: *step }
                            }
                        })
                        .collect();
                    made[*of].partition(&parts)?
                }
                Step::Colocate(of, with) => made[*of].colocate(&made[*with])?,
                Step::Footprint(of, with) => made[*of].footprint(&made[*with])?,
                Step::Coverage(of, at, with) => made[*of].coverage(&all(at), &made[*with].space)?,
                Step::Shift(of, by) => made[*of].shifted(&all(by))?,
                Step::Place(of) => made[*of].place()?,
                Step::Copy(of) => {
                    let TensorSpace { space, extents } = &made[*of];
                    let zero = vec![I::constant(0); extents.len()];
                    TensorSpace::new(space.translate(&zero)?, extents.clone())?
                }
            });
        }
        Ok(made)
    }
}

/// An integer that only counts what computing it as written would cost, with known values folded.
#[derive(Clone, Debug, PartialEq)]
struct Written {
    constant: Option<i64>,
    cost: u32,
}

impl Written {
    /// An operation on two; free if both are known, or if one changes nothing.
    fn join(
        &self,
        rhs: &Self,
        value: Option<i64>,
        neutral: Option<i64>,
        cost: u32,
    ) -> std::result::Result<Self, LocationError> {
        if self.constant.is_some() && rhs.constant.is_some() {
            return Ok(Written { constant: Some(value.ok_or(LocationError::Overflow)?), cost: 0 });
        }
        if neutral.is_some() && rhs.constant == neutral {
            return Ok(self.clone());
        }
        if neutral.is_some() && self.constant == neutral {
            return Ok(rhs.clone());
        }
        Ok(Written { constant: None, cost: self.cost + rhs.cost + cost })
    }

    fn known(&self) -> i64 {
        self.constant.unwrap_or(0)
    }

    fn divided(&self, divisor: i64, value: i64) -> Self {
        let cost = if divisor.count_ones() == 1 { 1 } else { 6 };
        match self.constant {
            Some(_) => Written { constant: Some(value), cost: 0 },
            None if divisor == 1 => self.clone(),
            None => Written { constant: None, cost: self.cost + cost },
        }
    }
}

impl Integer for Written {
    fn constant(value: i64) -> Self {
        Written { constant: Some(value), cost: 0 }
    }

    fn as_constant(&self) -> Option<i64> {
        self.constant
    }

    fn add(&self, rhs: &Self) -> std::result::Result<Self, LocationError> {
        self.join(rhs, self.known().checked_add(rhs.known()), Some(0), 1)
    }

    fn sub(&self, rhs: &Self) -> std::result::Result<Self, LocationError> {
        self.join(rhs, self.known().checked_sub(rhs.known()), None, 1)
    }

    fn mul(&self, rhs: &Self) -> std::result::Result<Self, LocationError> {
        self.join(rhs, self.known().checked_mul(rhs.known()), Some(1), 2)
    }

    fn scale(&self, factor: i64) -> std::result::Result<Self, LocationError> {
        let cost = if factor == -1 || factor > 0 && factor.count_ones() == 1 { 1 } else { 2 };
        let factor = Written::constant(factor);
        self.join(&factor, self.known().checked_mul(factor.known()), Some(1), cost)
    }

    fn floor_div(&self, divisor: i64) -> std::result::Result<Self, LocationError> {
        Ok(self.divided(divisor, self.known().div_euclid(divisor)))
    }

    fn modulo(&self, divisor: i64) -> std::result::Result<Self, LocationError> {
        Ok(self.divided(divisor, self.known().rem_euclid(divisor)))
    }

    fn max(&self, rhs: &Self) -> std::result::Result<Self, LocationError> {
        self.join(rhs, Some(self.known().max(rhs.known())), None, 1)
    }

    fn min(&self, rhs: &Self) -> std::result::Result<Self, LocationError> {
        self.join(rhs, Some(self.known().min(rhs.known())), None, 1)
    }

    fn fold(&self, rule: Fold, extent: &Self) -> std::result::Result<Self, LocationError> {
        self.join(extent, Some(rule.apply(self.known(), extent.known())), None, 2)
    }

    fn compare(&self, rhs: &Self) -> Option<Ordering> {
        Some(self.constant?.cmp(&rhs.constant?))
    }
}

/// Values for the names, within what the compiler knows of them.
fn values(u: &mut Unstructured<'_>) -> Result<Values> {
    let mut values = [0; SYMBOLS.len()];
    for (value, (_, range)) in values.iter_mut().zip(&SYMBOLS) {
        *value = u.int_in_range(range.lo.unwrap_or(-40)..=range.hi.unwrap_or(40))?;
    }
    Ok(values)
}

/// An order of the elements of a block of this rank, made of so many others at most.
fn order(u: &mut Unstructured<'_>, rank: usize, depth: usize) -> Result<Order> {
    let leaf = depth == 0 || u.ratio(1, 3)?;
    Ok(match u.int_in_range(0..=if leaf { 5 } else { 8 })? {
        0 => Order::RowMajor,
        1 => Order::ColumnMajor,
        2 => Order::Axes(shuffled(u, rank)?),
        3 => Order::Morton,
        4 if rank == 2 => Order::Curve(*u.choose(&[Curve::Antidiagonal, Curve::Zigzag])?),
        4 | 5 => Order::Swizzle(*u.choose(&[1, 2, 4, 8])?),
        6 => Order::Reversed(Box::new(order(u, rank, depth - 1)?)),
        7 => {
            let extents = vec![*u.choose(&[2, 4, 16])?; u.int_in_range(1..=3)?];
            let second = Box::new(order(u, extents.len(), depth - 1)?);
            Order::Then { first: Box::new(order(u, rank, depth - 1)?), extents, second }
        }
        _ => {
            let extents = (0..rank).map(|_| u.choose(&[1, 2, 3, 4, 8]).copied()).collect::<Result<_>>()?;
            let outer = Box::new(order(u, rank, depth - 1)?);
            Order::Tile { extents, outer, inner: Box::new(order(u, rank, depth - 1)?) }
        }
    })
}

/// Compares where an element inside a block is in memory, by both integers, and finds it again. Says whether it has a
/// layout.
fn compare_offsets(
    order: &Order,
    (plain, symbolic): (&TensorSpace<i64>, &TensorSpace<SymInt>),
    (at, sym): (&[i64], &[SymInt]),
    value: &dyn Fn(&Symbol) -> i64,
) -> bool {
    let inside = at.iter().zip(&plain.extents).all(|(at, extent)| (0..*extent).contains(at));
    let (true, Ok(own)) = (inside, order.layout(&plain.extents)) else { return false };
    let what =
        || format!("{order:?} of {:?} at {at:?}, extents {:?}, {sym:?}", plain.extents, symbolic.extents);
    let truth = own.offset(at).unwrap_or_else(|error| panic!("{error}: {}", what()));
    assert_eq!(own.coordinates(&truth).as_deref(), Ok(at), "{}", what());
    // What needs extents that are not known, or that no symbol can hold, has none.
    let Ok(layout) = order.layout(&symbolic.extents) else { return false };
    if let Ok(offset) = layout.offset(sym) {
        assert_eq!(offset.eval(value), Some(truth), "{offset}: {}", what());
    }
    let forms: Vec<_> = sym.iter().map(SymInt::form).collect();
    let offset =
        layout.map(&SymInt::form).offset(&forms).unwrap_or_else(|error| panic!("{error}: {}", what()));
    assert_eq!(offset.eval(value), Some(truth), "{offset} as it is written: {}", what());
    true
}

/// Builds one chain by both integers and compares them: extents, and where indices of each tensor land in every
/// other, and in memory. How many coordinates and offsets were compared.
///
/// # Panics
/// If they differ, or if a form costs more than what it was written with.
pub(crate) fn compare(u: &mut Unstructured<'_>) -> Result<[usize; 2]> {
    let chain = Chain::any(u)?;
    let symbols = symbols();
    let symbolic = chain.build(&|name| SymInt::symbol(&symbols[name]));
    let written = chain.build(&|_| Written { constant: None, cost: 0 });
    let (Ok(symbolic), Ok(written)) = (&symbolic, &written) else {
        // What no integer can hold, or what is wrong for all of them.
        let values = [3; SYMBOLS.len()];
        let plain = chain.build(&|name| values[name]);
        let too_large = symbolic.as_ref().err() == Some(&LocationError::Overflow);
        assert!(
            plain.is_err() || too_large,
            "{:?} is an error for a symbol alone\n{chain:#?}",
            symbolic.err()
        );
        return Ok([0; 2]);
    };
    let (mut compared, mut located) = (0, 0);
    let orders: Vec<Order> = chain.ranks.iter().map(|rank| order(u, *rank, 3)).collect::<Result<_>>()?;
    let index: Vec<Vec<Number>> = chain.ranks.iter().map(|rank| numbers(u, *rank)).collect::<Result<_>>()?;
    for _ in 0..3 {
        let values = values(u)?;
        let value = |symbol: &Symbol| values[symbol.id() as usize];
        let plain = match chain.build(&|name| values[name]) {
            Ok(plain) => plain,
            // An extent that is negative for these values alone.
            Err(LocationError::NegativeExtent { .. }) => continue,
            Err(error) => panic!("{error} for {values:?}, and not for symbols\n{chain:#?}"),
        };
        let mut check = |sym: &SymInt, parts: &Written, truth: i64, what: &dyn Fn() -> String| {
            let found = (sym.eval(&value), sym.form().eval(&value));
            assert_eq!(found, (Some(truth), Some(truth)), "{} is {sym}, at {values:?}\n{chain:#?}", what());
            assert!(
                sym.cost() <= parts.cost,
                "{}: {sym} costs {}, its parts {}\n{chain:#?}",
                what(),
                sym.cost(),
                parts.cost
            );
            assert_eq!(sym.form().cost(), sym.cost(), "{}: {sym}", what());
            compared += 1;
        };
        for (at, tensor) in plain.iter().enumerate() {
            for (axis, extent) in tensor.extents.iter().enumerate() {
                let what = || format!("extent {axis} of tensor {at}");
                check(&symbolic[at].extents[axis], &written[at].extents[axis], *extent, &what);
            }
            for (to, other) in plain.iter().enumerate() {
                fn point<I: Integer>(index: &[Number], name: &dyn Fn(usize) -> I) -> Vec<I> {
                    index.iter().map(|number| number.build(name)).collect()
                }
                let index = &index[at];
                let truth = Space::map(&tensor.space, &other.space, &point(index, &|name| values[name]));
                let sym = Space::map(
                    &symbolic[at].space,
                    &symbolic[to].space,
                    &point(index, &|name| SymInt::symbol(&symbols[name])),
                );
                let parts = Space::map(
                    &written[at].space,
                    &written[to].space,
                    &point(index, &|_| Written { constant: None, cost: 0 }),
                );
                let (Ok(truth), Ok(sym), Ok(parts)) = (&truth, &sym, &parts) else {
                    panic!("from {at} to {to}: {truth:?}, {sym:?}, {parts:?}\n{chain:#?}");
                };
                for axis in 0..truth.len() {
                    let what = || format!("axis {axis} of tensor {at}'s {index:?} in tensor {to}");
                    check(&sym[axis], &parts[axis], truth[axis], &what);
                }
                let spaces = (other, &symbolic[to]);
                located += usize::from(compare_offsets(&orders[to], spaces, (truth, sym), &value));
            }
        }
    }
    Ok([compared, located])
}
