//! Nests that add up bytes, or the absolute differences of bytes.
//!
//! Machines have an instruction for a row of them; LLVM finds it in few loops. No term is negative, so that adding
//! the whole sum overflows exactly where adding its terms does.

use std::collections::HashMap;

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{BinOp, Expr, Pat, Stmt, Type};

use crate::hygiene;
use crate::ir::{
    AccessId, ByteSum, Hole, LoopId, Memory, NestId, Order, Program, RegionId, StatementKind, Strided,
};
use crate::static_eval::{IntType, int_type};
use crate::surface;
use crate::symbolic::SymInt;

use super::is_whole;
use super::strided::{byte_read, constant_extent, strided};

/// The most loops of a nest, which the function of the runtime has as well.
const MOST_LOOPS: usize = 3;

/// The most bytes on the axis along which they are contiguous.
const MOST_COLUMNS: i64 = 64;

/// The most bytes.
const MOST: i64 = 1 << 14;

/// The sum that a nest is, if it is one.
pub(super) fn of(program: &mut Program, id: NestId) -> Option<ByteSum> {
    let mut reader = Reader { program, names: HashMap::new(), found: Found::default() };
    let Summand { local, term, number } = reader.nest(id)?;
    let Found { loops, types, totals, held, confirmed } = reader.found;
    let (one, other) = match (term, held) {
        (ByteTerm::Byte(one), None) => (one, None),
        (ByteTerm::Absolute(one, other), None) => (one, Some(other)),
        (ByteTerm::Total, Some([one, other])) => (one?, other),
        _ => return None,
    };
    if loops.len() > MOST_LOOPS {
        return None;
    }
    let extents: Vec<i64> =
        loops.iter().map(|id| constant_extent(program, *id)).collect::<Option<Vec<i64>>>()?;
    let places = [Some(one), other].into_iter().flatten().map(|id| byte_read(program, id));
    let places = places.map(|access| strided(program, access?, &loops)).collect::<Option<Vec<_>>>()?;
    let is_pointer = |place: &Strided| {
        matches!(program.buffers[program.root_buffer(place.buffer)].memory, Memory::Pointer)
    };
    if places.iter().any(|(place, _)| is_pointer(place)) {
        return None;
    }
    let is_one = |sym: &SymInt| sym.as_constant() == Some(1);
    let along = (0..loops.len()).find(|at| places.iter().all(|(_, steps)| is_one(&steps[*at])))?;
    let count = extents.iter().try_fold(1_i64, |count, own| count.checked_mul(*own))?;
    let columns = extents[along];
    let is_worth = (4..=MOST_COLUMNS).contains(&columns) && columns % 4 == 0 && (1..=MOST).contains(&count);
    let holds = |ty: &IntType| ty.contains(255 * i128::from(count));
    // Statements that confirm methods move before the loops.
    let names: Vec<&Ident> = loops.iter().map(|id| &program.loops[*id].name).collect();
    let varies = |own: &Stmt| {
        let mut words = hygiene::identifiers(own.to_token_stream());
        words.any(|word| names.iter().any(|name| hygiene::text(name) == hygiene::text(&word)))
    };
    if !is_worth || !holds(&number) || !totals.iter().all(holds) || confirmed.iter().any(varies) {
        return None;
    }
    let body = program.nests[id].body;
    if !program.relies_on_primitives(body, &types) {
        return None;
    }
    if let Some(position) = program.regions[body].parent {
        for own in confirmed {
            program.insert(position, Order::Constant, StatementKind::Confirm(Box::new(own)));
        }
    }
    let lines = std::iter::repeat_n(SymInt::constant(0), MOST_LOOPS - loops.len());
    let mut places = places.into_iter().map(|(place, mut steps)| {
        steps.remove(along);
        Strided { steps: lines.clone().chain(steps).collect(), ..place }
    });
    let of = places.next()?;
    let from = places.next();
    let mut sides = vec![1; MOST_LOOPS - loops.len()];
    sides.extend(extents.iter().enumerate().filter(|(at, _)| *at != along).map(|(_, own)| *own));
    sides.push(columns);
    Some(ByteSum { local, number, of, from, extents: sides })
}

/// The bytes behind a number.
#[derive(Debug, Clone, Copy)]
enum ByteTerm {
    /// One of them.
    Byte(AccessId),
    /// The first less the second.
    Difference(AccessId, AccessId),
    /// How far apart they are.
    Absolute(AccessId, AccessId),
    /// The sum of inner loops.
    Total,
}

impl ByteTerm {
    /// Whether a type holds all of its values, those of a total aside.
    fn fits(self, ty: IntType) -> bool {
        let least = if matches!(self, ByteTerm::Difference(..)) { -255 } else { 0 };
        ty.contains(least) && ty.contains(255)
    }
}

/// A number, and its type.
type Number = (ByteTerm, IntType);

/// `local += term`.
struct Summand {
    local: Ident,
    term: ByteTerm,
    number: IntType,
}

/// The parts of a sum, collected from its loops.
#[derive(Default)]
struct Found {
    /// The loops, outermost first.
    loops: Vec<LoopId>,
    /// The types that are named.
    types: Vec<IntType>,
    /// The types of the total of inner loops.
    totals: Vec<IntType>,
    /// The bytes that it is a total of, and those they are compared with.
    held: Option<[Option<AccessId>; 2]>,
    /// Statements by which rustc confirms methods.
    confirmed: Vec<Stmt>,
}

/// Reads a nest.
struct Reader<'p> {
    program: &'p Program,
    /// The locals of its body.
    names: HashMap<String, Number>,
    found: Found,
}

impl Reader<'_> {
    /// The addition that a nest consists of.
    fn nest(&mut self, id: NestId) -> Option<Summand> {
        if !is_whole(self.program, id) {
            return None;
        }
        let nest = &self.program.nests[id];
        self.found.loops.extend(&nest.loops);
        self.summand(nest.body)
    }

    /// The addition that a region consists of, behind `let`s of numbers.
    fn summand(&mut self, body: RegionId) -> Option<Summand> {
        let (last, before) = self.program.regions[body].statements.split_last()?;
        before.iter().try_for_each(|own| self.bind(&own.kind))?;
        match last.kind.expr()? {
            Expr::Binary(binary) if matches!(binary.op, BinOp::AddAssign(_)) => {
                let local = surface::ident(&binary.left)?;
                if !self.is_sum(local) {
                    return None;
                }
                let (term, number) = self.number(&binary.right)?;
                Some(Summand { local: local.clone(), term, number })
            }
            inner => match self.program.held_by(inner)? {
                Hole::Body(region) => self.summand(*region),
                Hole::Nest(nest) => self.nest(*nest),
                _ => None,
            },
        }
    }

    /// Whether a name is an integer that is declared outside the body.
    fn is_sum(&self, local: &Ident) -> bool {
        let text = hygiene::text(local);
        !self.names.contains_key(&text) && self.program.sums.get(&text) == Some(&true)
    }

    /// Reads `let name = number`.
    fn bind(&mut self, statement: &StatementKind) -> Option<()> {
        match statement {
            StatementKind::Confirm(own) => {
                self.found.confirmed.push((**own).clone());
                Some(())
            }
            StatementKind::Rust(statement) => {
                let Stmt::Local(local) = &**statement else { return None };
                let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
                self.bind_pattern(&local.pat, &init.expr)
            }
            _ => None,
        }
    }

    fn bind_pattern(&mut self, pattern: &Pat, init: &Expr) -> Option<()> {
        match (pattern, init) {
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                let mut pairs = names.elems.iter().zip(&values.elems);
                pairs.try_for_each(|(name, value)| self.bind_pattern(name, value))
            }
            (Pat::Type(typed), init) => {
                self.bind_pattern(&typed.pat, init)?;
                let Pat::Ident(name) = &*typed.pat else { return None };
                let ty = self.named(&typed.ty)?;
                (self.names.get(&hygiene::text(&name.ident))?.1 == ty).then_some(())
            }
            (Pat::Ident(name), init)
                if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() =>
            {
                let number = self.number(init)?;
                self.names.insert(hygiene::text(&name.ident), number);
                Some(())
            }
            _ => None,
        }
    }

    fn number(&mut self, expr: &Expr) -> Option<Number> {
        match expr {
            Expr::Paren(inner) => self.number(&inner.expr),
            Expr::Group(inner) => self.number(&inner.expr),
            Expr::Cast(cast) => {
                let ty = self.named(&cast.ty)?;
                self.converted(&cast.expr, ty)
            }
            // `From` keeps the value of every argument that rustc accepts.
            Expr::Call(call) if call.args.len() == 1 => {
                let Expr::Path(function) = &*call.func else { return None };
                let mut names = function.path.segments.iter().map(|own| &own.ident);
                let (ty, from) = (names.next()?, names.next()?);
                if from != "from" || names.next().is_some() || function.qself.is_some() {
                    return None;
                }
                let ty = IntType::parse(&ty.to_string())?;
                self.found.types.push(ty);
                self.converted(&call.args[0], ty)
            }
            Expr::MethodCall(call) if call.turbofish.is_none() => {
                let (own, ty) = self.number(&call.receiver)?;
                let other = call.args.first().map(|other| self.number(other));
                match (call.method.to_string().as_str(), own, other) {
                    ("abs_diff", ByteTerm::Byte(one), Some(Some((ByteTerm::Byte(other), theirs))))
                        if ty == theirs =>
                    {
                        Some((ByteTerm::Absolute(one, other), ty.unsigned()))
                    }
                    ("abs", ByteTerm::Difference(one, other), None) => {
                        Some((ByteTerm::Absolute(one, other), ty))
                    }
                    ("unsigned_abs", ByteTerm::Difference(one, other), None) => {
                        Some((ByteTerm::Absolute(one, other), ty.unsigned()))
                    }
                    _ => None,
                }
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::Sub(_)) => {
                let (one, other) = (self.number(&binary.left)?, self.number(&binary.right)?);
                let ((ByteTerm::Byte(one), ty), (ByteTerm::Byte(other), theirs)) = (one, other) else {
                    return None;
                };
                let difference = ByteTerm::Difference(one, other);
                (ty == theirs && difference.fits(ty)).then_some((difference, ty))
            }
            expr => {
                let known = surface::ident(expr).and_then(|name| self.names.get(&hygiene::text(name)));
                if let Some(number) = known {
                    return Some(*number);
                }
                match self.program.held_by(expr)? {
                    Hole::Access(id) => {
                        let casts = &byte_read(self.program, *id)?.view.casts;
                        let byte = ByteTerm::Byte(*id);
                        let types =
                            casts.iter().map(|own| self.named(&own.ty)).collect::<Option<Vec<_>>>()?;
                        let ty = types.last().copied().unwrap_or(IntType::U8);
                        types.iter().all(|ty| byte.fits(*ty)).then_some((byte, ty))
                    }
                    Hole::Body(region) => self.block(*region),
                    _ => None,
                }
            }
        }
    }

    /// A number as one of another type that holds it.
    fn converted(&mut self, expr: &Expr, ty: IntType) -> Option<Number> {
        let (own, _) = self.number(expr)?;
        if let ByteTerm::Total = own {
            self.found.totals.push(ty);
        }
        own.fits(ty).then_some((own, ty))
    }

    /// The value of a block of `let`s, or of one that sums in a local of its own.
    fn block(&mut self, region: RegionId) -> Option<Number> {
        let (last, before) = self.program.regions[region].statements.split_last()?;
        let StatementKind::Rust(last) = &last.kind else { return None };
        let Stmt::Expr(value, None) = &**last else { return None };
        let outer = self.names.clone();
        let number = match before {
            [before @ .., start, nest] if nest.kind.expr().is_some() => {
                before.iter().try_for_each(|own| self.bind(&own.kind))?;
                self.total(&start.kind, nest.kind.expr()?, value)
            }
            lets => {
                lets.iter().try_for_each(|own| self.bind(&own.kind))?;
                self.number(value)
            }
        };
        self.names = outer;
        number
    }

    /// `let mut sum = 0; for .. { sum += .. } sum`
    fn total(&mut self, start: &StatementKind, nest: &Expr, value: &Expr) -> Option<Number> {
        let StatementKind::Rust(start) = start else { return None };
        let Stmt::Local(syn::Local { pat, init: Some(init), .. }) = &**start else { return None };
        let pattern = match pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        let Pat::Ident(name) = pattern else { return None };
        let is_zero = match &*init.expr {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(zero), .. }) => zero.base10_digits() == "0",
            // An integer, since `is_sum` holds.
            Expr::MethodCall(call) => call.method == "sum_identity",
            _ => false,
        };
        let is_name = |other: &Ident| hygiene::same(other, &name.ident);
        if !is_zero
            || init.diverge.is_some()
            || self.found.held.is_some()
            || !surface::ident(value).is_some_and(is_name)
        {
            return None;
        }
        let Hole::Nest(nest) = self.program.held_by(nest)? else { return None };
        let Summand { local, term, number } = self.nest(*nest)?;
        if !is_name(&local) {
            return None;
        }
        match term {
            ByteTerm::Byte(one) => self.found.held = Some([Some(one), None]),
            ByteTerm::Absolute(one, other) => self.found.held = Some([Some(one), Some(other)]),
            ByteTerm::Total => {}
            ByteTerm::Difference(..) => return None,
        }
        self.found.totals.push(number);
        Some((ByteTerm::Total, number))
    }

    /// The integer type that a type is, for which rustc has to take the name.
    fn named(&mut self, ty: &Type) -> Option<IntType> {
        let ty = int_type(ty)?;
        self.found.types.push(ty);
        Some(ty)
    }
}
