//! Which variables are assigned: recorded where the assignment is bound, and the effects of a nest that follow from it.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{BinOp, Expr};

use crate::hygiene;
use crate::ir::{Change, Effects, Mentions, Reduction, ReductionOp, RegionId};
use crate::parse::signature::is_number;
use crate::surface;

use crate::bind::names::local::{Local, Owned};
use crate::bind::types::Primitive;
use crate::bind::walk::log::{Assigned, Mark, Reduced, Scalar};
use crate::bind::{Binder, Binding, IntTy};

/// Where the binding of a loop begins: its mark in the log, and the first region that it may have.
#[derive(Clone, Copy)]
pub(in crate::bind) struct Beginning {
    mark: Mark,
    region: RegionId,
}

impl Binder<'_> {
    /// Records an assignment to a place, by an operator if there is one.
    pub(in crate::bind) fn assigns(
        &mut self,
        place: &Expr,
        op: Option<&BinOp>,
        value: &Expr,
        tokens: &impl ToTokens,
    ) {
        if matches!(op, Some(BinOp::AddAssign(_))) {
            self.adds_to(place);
        }
        let reduced = match op {
            // No order asks for reductions here.
            _ if !self.walk.tracks() => None,
            Some(op) => surface::ident(place).zip(reduction(op)).map(|(_, operator)| (operator, 1, value)),
            None => extremum(place, value).map(|(operator, operand)| (operator, 2, operand)),
        };
        let reduced = reduced.map(|(operator, mentions, operand)| Reduced {
            operator,
            mentions,
            is_number: matches!(self.number(operand), Some(IntTy::Known(_))),
        });
        self.changes(place, reduced, &tokens.to_token_stream());
    }

    /// Records that `+=` adds to a place.
    fn adds_to(&mut self, place: &Expr) {
        if let Some(Binding::Local(local)) = surface::ident(place).and_then(|name| self.scopes.get(name)) {
            let is_integer = matches!(Scalar::of(local), Scalar::Integer | Scalar::Infer);
            let name = hygiene::text(&local.name);
            self.program.sums.entry(name).and_modify(|all| *all &= is_integer).or_insert(is_integer);
        }
    }

    /// Records that a place may change from here on: it is borrowed mutably.
    pub(in crate::bind) fn borrows_mutably(&mut self, place: &Expr, tokens: &impl ToTokens) {
        self.changes(place, None, &tokens.to_token_stream());
    }

    /// Records a name by which the value that a pattern takes apart may change.
    pub(in crate::bind) fn changes_anything(&mut self, pattern: &syn::PatIdent) {
        let tokens = pattern.to_token_stream();
        self.walk.effects.assign(Assigned { name: tokens.to_string(), ..Assigned::of_anything(tokens) });
    }

    /// Records a change of the number of elements in a list.
    pub(in crate::bind) fn changes_list(&mut self, name: String, end: Ident, tokens: TokenStream) {
        self.walk.effects.assign(Assigned {
            name,
            local: Some(end),
            is_list: true,
            through: false,
            ..Assigned::of_anything(tokens)
        });
    }

    /// The elements of tensors are accesses, which say more.
    fn changes(&mut self, place: &Expr, reduced: Option<Reduced>, tokens: &TokenStream) {
        let place = surface::strip_parens(place);
        if self.is_element(place) {
            return;
        }
        // A destructuring assignment has several places.
        let places: Option<Vec<&Expr>> = match place {
            Expr::Tuple(tuple) => Some(tuple.elems.iter().collect()),
            Expr::Array(array) => Some(array.elems.iter().collect()),
            Expr::Call(call) => Some(call.args.iter().collect()),
            Expr::Struct(structure) => Some(structure.fields.iter().map(|field| &field.expr).collect()),
            Expr::Infer(_) | Expr::Range(_) => Some(Vec::new()),
            _ => None,
        };
        if let Some(places) = places {
            return places.into_iter().for_each(|place| self.changes(place, None, tokens));
        }
        let anything = Assigned::of_anything(tokens.clone());
        let Some(root) = root(place) else {
            return self
                .walk
                .effects
                .assign(Assigned { name: place.to_token_stream().to_string(), ..anything });
        };
        let (whole, parts) = (surface::ident(place).is_some(), has_parts_alone(place));
        let name = hygiene::text(root);
        let assigned = match self.scopes.get(root) {
            Some(Binding::Local(local)) => Assigned {
                local: Some(local.name.clone()),
                region: Some(local.defined.region),
                is_own: whole || owns(local, place),
                through: !whole && !parts,
                reduced,
                scalar: Scalar::of(local),
                name,
                ..anything
            },
            _ => Assigned { through: !whole && !parts, name, ..anything },
        };
        self.walk.effects.assign(assigned);
    }

    /// Whether a place is an element of a tensor, or in one.
    fn is_element(&self, place: &Expr) -> bool {
        match surface::strip_parens(place) {
            Expr::Index(index) => self.is_tensor(&index.expr) || self.is_element(&index.expr),
            Expr::Field(field) => self.is_element(&field.base),
            _ => false,
        }
    }

    /// Where the binding of a loop begins.
    pub(in crate::bind) fn beginning(&self) -> Beginning {
        Beginning { mark: self.walk.effects.mark(), region: self.program.regions.next_id() }
    }

    /// The effects of a loop with this body, from its beginning to here: changes of variables that were there before.
    /// Integer sums and bit sets are reductions if nothing else mentions their variables.
    pub(in crate::bind) fn effects_since(&self, beginning: Beginning, body: RegionId) -> Effects {
        let words = Mentions::of(&self.program, body);
        let all = self.walk.effects.assigned_since(beginning.mark);
        let is_inner =
            |assigned: &&Assigned| assigned.region.is_some_and(|region| region >= beginning.region);
        let outer = all.iter().filter(|assigned| !(is_inner(assigned) && assigned.is_own));
        let changes = outer.map(|assigned| {
            let inner = is_inner(&assigned);
            let local = assigned.local.clone().filter(|_| !inner);
            let same = || all.iter().filter(|other| other.local.is_some() && other.local == assigned.local);
            let operator = assigned.reduced.as_ref().map(|reduced| reduced.operator);
            let alike =
                same().all(|other| other.reduced.as_ref().map(|reduced| reduced.operator) == operator);
            let own = same().flat_map(|other| &other.reduced);
            let known = match assigned.scalar {
                Scalar::Integer => true,
                Scalar::Infer => own.clone().any(|reduced| reduced.is_number),
                Scalar::Float | Scalar::Unknown => false,
            };
            let mentions: usize = own.clone().map(|reduced| reduced.mentions).sum();
            let reduction = local
                .as_ref()
                .zip(operator)
                .filter(|(local, _)| alike && known && words.count(&hygiene::text(local)) == mentions);
            Change {
                is_list: assigned.is_list,
                any: inner || assigned.through,
                reduction: reduction.map(|(local, operator)| Reduction { local: local.clone(), operator }),
                local: local.map(|local| hygiene::text(&local)),
                name: assigned.name.clone(),
                rounds: assigned.scalar == Scalar::Float,
                tokens: assigned.tokens.clone(),
            }
        });
        let unknown = self.walk.effects.unknown_since(beginning.mark).cloned();
        Effects { changes: changes.collect(), unknown, mentioned: words }
    }
}

impl Scalar {
    fn of(local: &Local) -> Self {
        match (local.number, local.primitive) {
            (Some(IntTy::Known(_)), _) | (_, Some(Primitive::Int(_) | Primitive::Bool)) => Self::Integer,
            (Some(IntTy::Infer), _) | (_, Some(Primitive::OpenInt)) => Self::Infer,
            (_, primitive) => match primitive.or_else(|| Primitive::of_type(local.ty.as_deref()?)) {
                Some(Primitive::Float(_)) => Self::Float,
                _ => Self::Unknown,
            },
        }
    }
}

/// Whether a place is a part of the value that a local has itself.
fn owns(local: &Local, place: &Expr) -> bool {
    let is_part = |place: &Expr| match surface::strip_parens(place) {
        Expr::Index(index) => surface::ident(&index.expr).is_some(),
        Expr::Field(field) => surface::ident(&field.base).is_some(),
        _ => false,
    };
    match local.owned {
        Owned::Whole => has_parts_alone(place),
        Owned::Parts => is_part(place),
        Owned::Nothing => false,
    }
}

/// Whether a place is reached by fields and indices alone.
fn has_parts_alone(place: &Expr) -> bool {
    match surface::strip_parens(place) {
        Expr::Index(index) => has_parts_alone(&index.expr),
        Expr::Field(field) => has_parts_alone(&field.base),
        Expr::Path(_) => true,
        _ => false,
    }
}

impl Owned {
    /// How much of the value that a `let` binds belongs to its name.
    pub(in crate::bind) fn of(ty: Option<&syn::Type>, value: &Expr) -> Self {
        if ty.is_some_and(is_plain) { Self::Whole } else { Self::of_value(value) }
    }

    fn of_value(value: &Expr) -> Self {
        let of_parts = |parts: &mut dyn Iterator<Item = &Expr>| match parts.map(Self::of_value).min() {
            Some(Self::Nothing | Self::Parts) => Self::Parts,
            Some(Self::Whole) | None => Self::Whole,
        };
        match surface::strip_parens(value) {
            Expr::Lit(_) | Expr::Cast(_) => Self::Whole,
            Expr::Unary(unary) if !matches!(unary.op, syn::UnOp::Deref(_)) => Self::of_value(&unary.expr),
            Expr::Array(array) => of_parts(&mut array.elems.iter()),
            Expr::Tuple(tuple) => of_parts(&mut tuple.elems.iter()),
            Expr::Repeat(repeat) => of_parts(&mut std::iter::once(&*repeat.expr)),
            _ => Self::Nothing,
        }
    }
}

/// Whether values of a type written out hold no references.
fn is_plain(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_plain(&array.elem),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        ty => is_number(ty),
    }
}

/// The variable that a place is a part of.
fn root(place: &Expr) -> Option<&Ident> {
    match surface::strip_parens(place) {
        Expr::Index(index) => root(&index.expr),
        Expr::Field(field) => root(&field.base),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::MethodCall(call) => root(&call.receiver),
        place => surface::ident(place),
    }
}

/// The operators whose results do not depend on the order of the operands.
pub(in crate::bind) fn reduction(op: &BinOp) -> Option<ReductionOp> {
    match op {
        BinOp::AddAssign(_) => Some(ReductionOp::Add),
        BinOp::MulAssign(_) => Some(ReductionOp::Mul),
        BinOp::BitOrAssign(_) => Some(ReductionOp::Or),
        BinOp::BitAndAssign(_) => Some(ReductionOp::And),
        BinOp::BitXorAssign(_) => Some(ReductionOp::Xor),
        _ => None,
    }
}

/// The operand of `m = m.max(operand)` or `m = m.min(operand)`.
fn extremum<'e>(place: &Expr, value: &'e Expr) -> Option<(ReductionOp, &'e Expr)> {
    let Expr::MethodCall(call) = surface::strip_parens(value) else { return None };
    let (name, own) = (surface::ident(place)?, surface::ident(&call.receiver)?);
    let operators = [ReductionOp::Max, ReductionOp::Min];
    let operator = operators.into_iter().find(|operator| call.method == operator.name())?;
    let operand = call.args.first().filter(|_| call.args.len() == 1)?;
    hygiene::same(name, own).then_some((operator, operand))
}
