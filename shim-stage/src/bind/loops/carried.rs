//! What a loop does to scalars: those that it changes keep its iterations in sequence.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Pat};

use crate::hygiene::{self, Name};
use crate::ir::{Change, Effects, Reduction, ReductionOp};
use crate::parse::signature::is_number;
use crate::surface::scoped::{PatternOrigin, Scoped, scoped};
use crate::surface::std_macro::MacroArguments;
use crate::surface::{self, TensorMethod};

use crate::bind::rust::pattern;

/// What a body does to the scalars outside it. Sums and bit sets of integers are reductions if the body mentions their
/// variables nowhere else. `is_tensor` says whether an expression is a tensor, `end_of_list` what the end of a list is
/// called, `scalar` what the local of an integer or a `bool` outside the loop, to which values are added, is called in
/// emitted code, `is_float` whether it is a float, and `arguments` what a macro of std's is given.
pub(in crate::bind) fn effects(
    pattern: &Pat,
    body: &syn::Block,
    is_tensor: &dyn Fn(&Expr) -> bool,
    end_of_list: &dyn Fn(&Expr) -> Option<String>,
    scalar: &dyn Fn(&Ident, &[&Expr]) -> Option<Ident>,
    is_float: &dyn Fn(&Ident) -> bool,
    arguments: &dyn Fn(&syn::Macro) -> Option<MacroArguments>,
) -> Effects {
    let mut scan = EffectScan {
        is_tensor,
        end_of_list,
        arguments,
        ends: HashSet::new(),
        bound: vec![Vec::new()],
        assigned: Vec::new(),
        reductions: Vec::new(),
    };
    scan.bind(pattern, PatternOrigin::Unknown);
    scan.visit_block(body);
    let EffectScan { assigned, reductions, ends, .. } = scan;
    let reduced = reductions.iter().map(|Reduced { name, operator, tokens, .. }| {
        let same = || reductions.iter().filter(|other| hygiene::same(&other.name, name));
        let own: usize = same().map(|reduction| reduction.mentions).sum();
        let alone = mentions(body.to_token_stream(), &hygiene::text(name)) == own;
        let alike = same().all(|other| other.operator == *operator);
        let values: Vec<&Expr> = same().map(|other| &other.value).collect();
        let local = scalar(name, &values).filter(|_| alone && alike);
        let reduction = local.map(|local| Reduction { local, operator: *operator });
        let rounds = is_float(name);
        Change { name: hygiene::text(name), any: false, end: None, reduction, rounds, tokens: tokens.clone() }
    });
    let changes = assigned.into_iter().chain(reduced).collect();
    let mut mentioned = ends;
    hygiene::words(body.to_token_stream(), &mut mentioned);
    Effects { changes, unknown: None, mentioned }
}

/// How often an identifier of this text stands in some tokens.
pub(in crate::bind) fn mentions(tokens: TokenStream, text: &str) -> usize {
    let mentions = |leaf: &TokenTree| match leaf {
        TokenTree::Ident(name) => hygiene::text(name) == text,
        // An inlined argument of a format string.
        TokenTree::Literal(literal) => literal.to_string().contains(text),
        _ => false,
    };
    hygiene::leaves(tokens).filter(mentions).count()
}

struct EffectScan<'s> {
    is_tensor: &'s dyn Fn(&Expr) -> bool,
    end_of_list: &'s dyn Fn(&Expr) -> Option<String>,
    arguments: &'s dyn Fn(&syn::Macro) -> Option<MacroArguments>,
    /// The ends of the lists that are named.
    ends: HashSet<String>,
    /// The names of each block around, and how much of the value of each is certainly its own.
    bound: Vec<Vec<(Name, Owned)>>,
    assigned: Vec<Change>,
    reductions: Vec<Reduced>,
}

/// `s += value` and the like, of a plain name.
#[derive(Clone)]
struct Reduced {
    name: Ident,
    operator: ReductionOp,
    /// How often the name is in it.
    mentions: usize,
    /// The operand.
    value: Expr,
    tokens: TokenStream,
}

impl EffectScan<'_> {
    /// Binds the names of a pattern; `owned` says how much of the values is certainly theirs.
    fn bind_names(&mut self, pattern: &Pat, owned: Owned) {
        struct Names<'n> {
            found: &'n mut Vec<(Name, Owned)>,
            owned: Owned,
            references: Vec<TokenStream>,
        }
        impl<'ast> Visit<'ast> for Names<'_> {
            fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
                self.found.push((Name::of(&name.ident), self.owned));
                if name.by_ref.is_some() && name.mutability.is_some() {
                    self.references.push(name.to_token_stream());
                }
                visit::visit_pat_ident(self, name);
            }
        }
        let Some(level) = self.bound.last_mut() else { return };
        let mut names = Names { found: level, owned, references: Vec::new() };
        names.visit_pat(pattern);
        // What is assigned through such a name is the value that the pattern takes apart.
        for tokens in names.references {
            self.assign(tokens.to_string(), true, None, tokens);
        }
    }

    /// Notes that a place is changed. The elements of tensors are accesses, of which the binder knows more.
    fn changed(&mut self, place: &Expr, tokens: TokenStream) {
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
            return places.into_iter().for_each(|place| self.changed(place, tokens.clone()));
        }
        match root(place) {
            // The whole value of a name of the body, or a part of a value that it certainly has.
            Some(name) if self.is_own(name) && (surface::ident(place).is_some() || self.owns(place)) => {}
            // A list indexes tensors alone.
            Some(name) if self.is_own(name) && is_list_indexed(place) => {}
            Some(name) => {
                let through =
                    !matches!(place, Expr::Path(_)) && (self.is_own(name) || !has_parts_alone(place));
                self.assign(hygiene::text(name), through, None, tokens);
            }
            None => self.assign(place.to_token_stream().to_string(), true, None, tokens),
        }
    }

    fn assign(&mut self, name: String, any: bool, end: Option<String>, tokens: TokenStream) {
        self.assigned.push(Change { name, any, end, reduction: None, rounds: false, tokens });
    }

    /// Whether a place is a part of the value that a name of the body has itself.
    fn owns(&self, place: &Expr) -> bool {
        let Some(name) = root(place).map(Name::of) else { return false };
        let found =
            self.bound.iter().rev().find_map(|level| level.iter().rev().find(|(own, _)| *own == name));
        let is_part = |place: &Expr| match surface::strip_parens(place) {
            Expr::Index(index) => surface::ident(&index.expr).is_some(),
            Expr::Field(field) => surface::ident(&field.base).is_some(),
            _ => false,
        };
        match found {
            Some((_, Owned::Whole)) => has_parts_alone(place),
            Some((_, Owned::Parts)) => is_part(place),
            Some((_, Owned::Nothing)) | None => false,
        }
    }

    /// The end of a list of the code around that `expr` names.
    fn named_list(&mut self, expr: &Expr) -> Option<String> {
        let end =
            surface::ident(expr).filter(|name| !self.is_own(name)).and_then(|_| (self.end_of_list)(expr))?;
        self.ends.insert(end.clone());
        Some(end)
    }

    /// What the arguments of a macro of std's do.
    fn arguments_of(&mut self, arguments: &MacroArguments) {
        match arguments {
            MacroArguments::List(list, _) => {
                for argument in list {
                    match argument {
                        // `name = value` of a format string.
                        Expr::Assign(named) if surface::ident(&named.left).is_some() => {
                            EffectScan::visit_expr(self, &named.right);
                        }
                        argument => EffectScan::visit_expr(self, argument),
                    }
                }
            }
            MacroArguments::Repeat(value, count) => {
                EffectScan::visit_expr(self, value);
                EffectScan::visit_expr(self, count);
            }
            MacroArguments::Matches(value, pattern) => {
                EffectScan::visit_expr(self, value);
                self.bind_names(pattern, Owned::Nothing);
                EffectScan::visit_pat(self, pattern);
            }
        }
    }

    fn is_element(&self, place: &Expr) -> bool {
        match surface::strip_parens(place) {
            Expr::Index(index) => (self.is_tensor)(&index.expr) || self.is_element(&index.expr),
            Expr::Field(field) => self.is_element(&field.base),
            _ => false,
        }
    }

    fn is_own(&self, name: &Ident) -> bool {
        let name = Name::of(name);
        self.bound.iter().flatten().any(|(bound, _)| *bound == name)
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

/// Whether a place is an element of a tensor, by its index.
fn is_list_indexed(place: &Expr) -> bool {
    match surface::strip_parens(place) {
        Expr::Index(index) => surface::list(&index.index).is_some() && surface::ident(&index.expr).is_some(),
        Expr::Field(field) => is_list_indexed(&field.base),
        _ => false,
    }
}

/// How much of a value certainly belongs to the name that it is bound to, and is no place behind a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owned {
    Nothing,
    /// Its elements or fields.
    Parts,
    /// All of it.
    Whole,
}

/// How much of the value of an expression belongs to what it is bound to.
fn owned(expr: &Expr) -> Owned {
    let of_parts = |parts: &mut dyn Iterator<Item = &Expr>| match parts.map(owned).min() {
        Some(Owned::Nothing | Owned::Parts) => Owned::Parts,
        Some(Owned::Whole) | None => Owned::Whole,
    };
    match surface::strip_parens(expr) {
        Expr::Lit(_) | Expr::Cast(_) => Owned::Whole,
        Expr::Unary(unary) if !matches!(unary.op, syn::UnOp::Deref(_)) => owned(&unary.expr),
        Expr::Array(array) => of_parts(&mut array.elems.iter()),
        Expr::Tuple(tuple) => of_parts(&mut tuple.elems.iter()),
        Expr::Repeat(repeat) => of_parts(&mut std::iter::once(&*repeat.expr)),
        _ => Owned::Nothing,
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
fn reduction(op: &BinOp) -> Option<ReductionOp> {
    match op {
        BinOp::AddAssign(_) => Some(ReductionOp::Add),
        BinOp::MulAssign(_) => Some(ReductionOp::Mul),
        BinOp::BitOrAssign(_) => Some(ReductionOp::Or),
        BinOp::BitAndAssign(_) => Some(ReductionOp::And),
        BinOp::BitXorAssign(_) => Some(ReductionOp::Xor),
        _ => None,
    }
}

/// The name and the value of `m = m.max(value)` or `m = m.min(value)`.
fn extremum(assign: &syn::ExprAssign) -> Option<(&Ident, ReductionOp, &Expr)> {
    let Expr::MethodCall(call) = surface::strip_parens(&assign.right) else { return None };
    let (name, own) = (surface::ident(&assign.left)?, surface::ident(&call.receiver)?);
    let operators = [ReductionOp::Max, ReductionOp::Min];
    let operator = operators.into_iter().find(|operator| call.method == operator.name())?;
    let value = call.args.first().filter(|_| call.args.len() == 1)?;
    hygiene::same(name, own).then_some((name, operator, value))
}

impl Scoped for EffectScan<'_> {
    fn enter(&mut self) {
        self.bound.push(Vec::new());
    }

    fn leave(&mut self) {
        self.bound.pop();
    }

    fn bind(&mut self, pattern: &Pat, from: PatternOrigin<'_>) {
        let owned = match (pattern::simple(pattern), from) {
            (Some((_, Some(ty), _)), _) if is_plain(ty) => Owned::Whole,
            (Some(_), PatternOrigin::Value(value)) if (self.is_tensor)(value) => Owned::Whole,
            (Some(_), PatternOrigin::Value(value)) => owned(value),
            _ => Owned::Nothing,
        };
        self.bind_names(pattern, owned);
    }
}

impl<'ast> Visit<'ast> for EffectScan<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.within(|scan| visit::visit_block(scan, block));
    }

    scoped!('ast);

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        match extremum(assign) {
            Some((name, operator, value)) if !self.is_own(name) => {
                let (name, tokens) = (name.clone(), assign.to_token_stream());
                self.reductions.push(Reduced { name, operator, mentions: 2, value: value.clone(), tokens });
            }
            _ => self.changed(&assign.left, assign.to_token_stream()),
        }
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if surface::is_assigning(&binary.op) {
            match (surface::ident(&binary.left), reduction(&binary.op)) {
                (Some(name), Some(operator)) if !self.is_own(name) => {
                    let (name, tokens) = (name.clone(), binary.to_token_stream());
                    let value = (*binary.right).clone();
                    self.reductions.push(Reduced { name, operator, mentions: 1, value, tokens });
                }
                _ => self.changed(&binary.left, binary.to_token_stream()),
            }
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let Some(end) = self.named_list(&call.receiver) else {
            return visit::visit_expr_method_call(self, call);
        };
        if TensorMethod::of(&call.method).is_none_or(TensorMethod::changes_length) {
            self.assign(
                call.receiver.to_token_stream().to_string(),
                false,
                Some(end),
                call.to_token_stream(),
            );
        }
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        if self.named_list(&index.expr).is_none() {
            self.visit_expr(&index.expr);
        }
        self.visit_expr(&index.index);
    }

    /// A list that is passed or renamed may grow there.
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let name = path.to_token_stream();
        if let Some(end) = self.named_list(&Expr::Path(path.clone())) {
            self.assign(name.to_string(), false, Some(end), name);
        }
    }

    /// The arguments of a macro that is not understood are opaque.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if let Some(arguments) = (self.arguments)(mac) {
            self.within(|scan| scan.arguments_of(&arguments));
        }
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.changed(&reference.expr, reference.to_token_stream());
        }
        visit::visit_expr_reference(self, reference);
    }
}
