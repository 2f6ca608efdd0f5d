//! Parses the attributes that order a nest and records them on it. [`schedule`](crate::schedule) applies them.

use shim_core::Order;
use shim_core::points::points_of;
use syn::{Attribute, Expr, Ident, Stmt};

use crate::ir::{Effects, Id, LoopId, Schedule, Tail, Word};
use crate::parse::attributes::not_applied;
use crate::surface::{self, HelperAttribute};

use crate::bind::Binder;
use crate::bind::effects::assigned::Beginning;

impl Binder<'_> {
    /// Reports an order of what is not a counted loop.
    pub(in crate::bind) fn reject_schedule(&mut self, attributes: &[Attribute]) {
        if let Some(attribute) = attributes.first() {
            let name = HelperAttribute::named(attribute).map_or("order", HelperAttribute::name);
            self.diagnostics.error(
                attribute,
                format!("`#[{name}]` needs a counted loop"),
                "write it before a `for` over the indices of a tensor or over a range, or before an elementwise assignment",
            );
        }
    }

    /// Whether orders of loops apply: `SHIM_SCHEDULE=none` builds every loop in the order of its source.
    pub(in crate::bind) fn schedules(&mut self) -> bool {
        self.program.scheduled = true;
        std::env::var_os("SHIM_SCHEDULE").is_none_or(|value| value != "none")
    }

    /// Records the words of `attributes` on a nest of `rank` loops, whose body is `body` in the source, unless they may
    /// not be applied to it.
    pub(in crate::bind) fn ordered(
        &mut self,
        nest: Expr,
        attributes: &[Attribute],
        rank: usize,
        body: Option<&syn::Block>,
    ) -> Expr {
        let mut words = attributes.iter().filter(|attribute| !HelperAttribute::Pure.is(attribute));
        let id = self.program.nest_of(&nest);
        let first = words.next();
        let Some(first) = first else { return nest };
        if !self.schedules() {
            return nest;
        }
        let loops = id.map(|id| self.program.nests[id].loops.clone()).filter(|loops| loops.len() == rank);
        let extent = |id: &LoopId| self.program.loops[*id].extent().ok()?.as_constant();
        let extents = loops.map_or_else(|| vec![None; rank], |loops| loops.iter().map(extent).collect());
        let words: Vec<Option<Word>> = std::iter::once(first)
            .chain(words)
            .map(|attribute| self.word(attribute, &extents, true))
            .collect();
        let Some(words) = words.into_iter().collect::<Option<Vec<Word>>>() else { return nest };
        // The order stays, but a jump would leave a copy of the body only.
        if words.iter().all(Word::unrolls) && body.is_some_and(jumps) {
            self.diagnostics.error_in_call(
                first,
                "`break` or `continue` in a loop that is unrolled in part",
                "write the condition around the rest of the body, or remove the attribute",
            );
            return nest;
        }
        self.schedule(nest, id, (words, false), first)
    }

    /// Whether attributes before a loop, or those of the loop that is fused with it, may change the order of its
    /// iterations.
    pub(in crate::bind) fn reorders(&self, attributes: &[Attribute]) -> bool {
        let reorders = |attribute: &Attribute| {
            !HelperAttribute::Pure.is(attribute) && !HelperAttribute::Unroll.is(attribute)
        };
        self.walk.follows_fused || attributes.iter().any(reorders)
    }

    /// Records the effects of a nest that was bound since `beginning` if its `words`, or a fusion with the nest before
    /// it, may ask for them, and writes what confirms its elements.
    pub(in crate::bind) fn record_effects(
        &mut self,
        nest: &Expr,
        words: &[Attribute],
        beginning: Beginning,
    ) -> Option<&mut Effects> {
        self.confirm_elements();
        let has_words = words.iter().any(|attribute| !HelperAttribute::Pure.is(attribute));
        let id = self.program.nest_of(nest).filter(|_| self.walk.follows_fused || has_words)?;
        let effects = self.effects_since(beginning, self.program.nests[id].body);
        Some(self.program.nests[id].effects.insert(Box::new(effects)))
    }

    /// Records words on a nest, or the order of a scan; an error about them is at `tokens`.
    pub(in crate::bind) fn schedule(
        &mut self,
        nest: Expr,
        id: Option<crate::ir::NestId>,
        (words, is_scan): (Vec<Word>, bool),
        tokens: &impl quote::ToTokens,
    ) -> Expr {
        if let Some(id) = id {
            let calls = self.diagnostics.calls().to_vec();
            let attribute = tokens.to_token_stream();
            self.program.nests[id].schedule =
                Some(Box::new(Schedule { number: id.index(), words, is_scan, attribute, calls }));
        }
        nest
    }

    /// Binds a loop whose attributes name pure functions.
    pub(in crate::bind) fn with_pure<T>(
        &mut self,
        attributes: &[Attribute],
        bind: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outside = self.walk.pure.len();
        for attribute in attributes.iter().filter(|attribute| HelperAttribute::Pure.is(attribute)) {
            let parse = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
            let paths = attribute.parse_args_with(parse).unwrap_or_default();
            if paths.is_empty() {
                let usage = format!("write `{}`", HelperAttribute::Pure.usage());
                self.diagnostics.error(attribute, "malformed `#[pure]` attribute", usage);
            }
            self.walk.pure.extend(paths.iter().map(crate::link::text));
        }
        let result = bind(self);
        self.walk.pure.truncate(outside);
        result
    }

    /// The word that an attribute is; `None` if what is wrong with it is reported.
    pub(in crate::bind) fn word(
        &mut self,
        attribute: &Attribute,
        extents: &[Option<i64>],
        merges: bool,
    ) -> Option<Word> {
        let kind = HelperAttribute::named(attribute)?;
        if kind.is_of_stage() {
            let (message, help) = not_applied(attribute);
            self.diagnostics.error(attribute, message, help);
            return None;
        }
        if kind == HelperAttribute::Copies {
            let help = "write it before a `for` over a range or over the indices of a tensor";
            self.diagnostics.error(attribute, "`#[copies(..)]` needs a loop that updates a table", help);
            return None;
        }
        let (arguments, label) = arguments(attribute, kind);
        let variables = || {
            let names = arguments.iter().map(|name| surface::ident(name).map(crate::hygiene::text));
            names.collect::<Option<Vec<String>>>().filter(|names| !names.is_empty())
        };
        let word = match (kind, &arguments[..]) {
            (HelperAttribute::Order, [order]) => {
                // The loops nested in this one are merged with it later.
                let rank = if merges { surface::order_rank(order).unwrap_or(0) } else { 0 };
                let mut extents = extents.to_vec();
                extents.resize(extents.len().max(rank), None);
                let word = Word::Order(self.order(order, &extents)?);
                return self.has_small_tiles(&word, attribute).then_some(word);
            }
            (HelperAttribute::Tile, [list, tail @ ..]) => match self::tail(tail) {
                Some(tail) => return Some(Word::Tile { extents: self.tile_extents(list)?, tail, label }),
                None => None,
            },
            (HelperAttribute::Lanes, [count]) => {
                let count = self.in_range(count, "the number of lanes", (2, Word::MAX_LANES), kind)?;
                return Some(Word::Lanes(count));
            }
            (HelperAttribute::Fuse, []) if matches!(attribute.meta, syn::Meta::Path(_)) => {
                Some(Word::Fuse(0))
            }
            (HelperAttribute::Fuse, [Expr::Assign(lag)])
                if surface::ident(&lag.left).is_some_and(|name| name == "lag") =>
            {
                return Some(Word::Fuse(self.in_range(&lag.right, "the lag", (1, Word::MAX_LAG), kind)?));
            }
            (HelperAttribute::Distribute, []) if matches!(attribute.meta, syn::Meta::Path(_)) => {
                Some(Word::Distribute)
            }
            (HelperAttribute::Parallel, []) if matches!(attribute.meta, syn::Meta::Path(_)) => {
                Some(Word::Parallel)
            }
            (HelperAttribute::Reorder, _) => variables().map(Word::Reorder),
            (HelperAttribute::Unroll, [Expr::Lit(_) | Expr::Binary(_) | Expr::Block(_)]) => {
                let count =
                    self.in_range(&arguments[0], "the number of copies", (1, Word::MAX_UNROLL_FACTOR), kind)?;
                return Some(Word::UnrollBy(count));
            }
            (HelperAttribute::Unroll, _) => variables().map(Word::Unroll),
            (HelperAttribute::Wavefront, [sum]) => match terms(sum) {
                Some(terms) => {
                    if let Some((_, slope)) = terms.iter().find(|(_, slope)| *slope > Word::MAX_SLOPE) {
                        self.out_of_range(sum, *slope, (1, Word::MAX_SLOPE), kind);
                        return None;
                    }
                    Some(Word::Wavefront(terms))
                }
                None => {
                    self.diagnostics.error(
                        attribute,
                        "this is not a wavefront of the loop",
                        "write `#[wavefront(2 * y + x)]` before `for [y, x] in t.indices()`; the last variable has no factor",
                    );
                    return None;
                }
            },
            _ => None,
        };
        if word.is_none() {
            let message = format!("malformed `#[{}]` attribute", kind.name());
            let usage = if kind == HelperAttribute::Unroll {
                "#[unroll(4)] for x in 0..w { .. }` or `#[unroll(x)]"
            } else {
                kind.usage()
            };
            self.diagnostics.error(attribute, message, format!("write `{usage}`"));
        }
        word
    }

    /// `[8, _]`: the extents of tiles.
    fn tile_extents(&mut self, list: &Expr) -> Option<Vec<Option<i64>>> {
        let Some(entries) = surface::list(list) else {
            self.diagnostics.error(
                list,
                "tiles take a list of extents",
                "write `#[tile([32, 256])]`, with `_` along an axis that is not tiled",
            );
            return None;
        };
        let extent = |binder: &mut Self, entry: &Expr| match surface::strip_parens(entry) {
            Expr::Infer(_) => Some(None),
            entry => {
                let extent = binder.static_integer(entry, "the extent of a tile")?;
                binder.is_tile_extent(extent, entry).then_some(Some(extent))
            }
        };
        let extents: Vec<Option<Option<i64>>> =
            entries.into_iter().map(|entry| extent(self, entry)).collect();
        extents.into_iter().collect()
    }

    /// A static number from the first to the last of a range.
    pub(super) fn in_range(
        &mut self,
        expr: &Expr,
        what: &str,
        range: (i64, i64),
        word: HelperAttribute,
    ) -> Option<i64> {
        let value = self.static_integer(expr, what)?;
        if (range.0..=range.1).contains(&value) {
            return Some(value);
        }
        self.out_of_range(expr, value, range, word);
        None
    }

    fn out_of_range(&mut self, expr: &Expr, value: i64, (first, last): (i64, i64), word: HelperAttribute) {
        let message = format!("{value} is out of range for `#[{}(..)]`", word.name());
        self.diagnostics.error_in_call(expr, message, format!("write a number from {first} to {last}"));
    }

    /// Whether a tile may have this extent; reports it otherwise.
    fn is_tile_extent(&mut self, extent: i64, tokens: impl quote::ToTokens) -> bool {
        let most = Word::MAX_TILE;
        let (message, help) = match extent {
            ..1 => (
                format!("a factor must be at least one, got {extent}"),
                "factors and the extents of tiles are at least one".to_owned(),
            ),
            _ if extent > most => (
                format!("a tile of {extent} iterations"),
                format!(
                    "a tile has at most {most} along each axis; write `_` along an axis that is not tiled"
                ),
            ),
            _ => return true,
        };
        self.diagnostics.error_in_call(tokens, message, help);
        false
    }

    /// Whether the tiles of an order may be those of loops; reports it otherwise.
    pub(in crate::bind) fn has_small_tiles(&mut self, word: &Word, attribute: &impl quote::ToTokens) -> bool {
        let Word::Order(order) = word else { return true };
        let mut open = vec![order];
        while let Some(order) = open.pop() {
            match order {
                Order::Tile { extents, outer, inner } => {
                    if !extents.iter().all(|extent| self.is_tile_extent(*extent, attribute)) {
                        return false;
                    }
                    open.extend([&**outer, &**inner]);
                }
                Order::Lanes(lanes) if !self.is_tile_extent(*lanes, attribute) => return false,
                Order::Reversed(order) => open.push(order),
                _ => {}
            }
        }
        true
    }

    /// The points of a box of static extents, by their numbers in row-major order, in the order of an unrolled loop.
    pub(in crate::bind) fn sequence(
        &mut self,
        attributes: &[Attribute],
        names: &[Option<Ident>],
        extents: &[i64],
    ) -> Option<Vec<usize>> {
        let mut words = attributes.iter().filter(|attribute| !HelperAttribute::Pure.is(attribute));
        let (attribute, rank) = (words.next()?, names.len());
        if let Some(again) = words.next() {
            self.diagnostics.error(
                again,
                "an unrolled loop takes one order",
                "write one, such as `#[order(tile([8, 8]).inner(column_major))]`",
            );
            return None;
        }
        let axis = |variable: &String| {
            names
                .iter()
                .position(|own| own.as_ref().is_some_and(|own| crate::hygiene::text(own) == *variable))
        };
        let points = points_of(extents);
        let known: Vec<Option<i64>> = extents.iter().copied().map(Some).collect();
        let order = match self.word(attribute, &known, false)? {
            Word::Order(order) => Some(order),
            Word::Tile { extents, tail: Tail::Clip, .. } if extents.len() == rank => {
                extents.into_iter().collect::<Option<Vec<_>>>().map(|extents| Order::tile(&extents))
            }
            Word::Reorder(variables) if variables.len() == rank => {
                variables.iter().map(axis).collect::<Option<Vec<_>>>().map(Order::Axes)
            }
            Word::Wavefront(terms) => {
                let slopes = terms.iter().map(|(name, factor)| Some((axis(name)?, *factor)));
                let slopes = slopes.collect::<Option<Vec<_>>>();
                if let Some(slopes) = slopes {
                    let key =
                        |point: &Vec<i64>| slopes.iter().map(|(axis, factor)| factor * point[*axis]).sum();
                    return Some(sorted(points.iter().map(key).collect()));
                }
                None
            }
            _ => None,
        };
        let Some(order) = order else {
            self.diagnostics.error(
                attribute,
                "expected an order of the unrolled loop",
                "name each of its variables once, or give tiles an extent along each axis",
            );
            return None;
        };
        self.sequence_of(&order, extents, attribute)
    }

    /// The points of a box, by their numbers in row-major order, in an order.
    pub(in crate::bind) fn sequence_of(
        &mut self,
        order: &Order,
        extents: &[i64],
        tokens: &impl quote::ToTokens,
    ) -> Option<Vec<usize>> {
        let layout = self.report_location_error(order.layout(extents), tokens)?;
        let keys = points_of(extents).iter().map(|point| layout.offset(point)).collect::<Result<Vec<_>, _>>();
        Some(sorted(self.report_location_error(keys, tokens)?))
    }
}

/// The numbers of `keys`, by ascending key.
fn sorted(keys: Vec<i64>) -> Vec<usize> {
    let mut sequence: Vec<usize> = (0..keys.len()).collect();
    sequence.sort_by_key(|at| keys[*at]);
    sequence
}

/// Whether a statement is to be fused with the next one.
pub(in crate::bind) fn is_fused(statement: &Stmt) -> bool {
    let attributes = match statement {
        Stmt::Expr(Expr::ForLoop(for_loop), _) => &for_loop.attrs,
        Stmt::Expr(
            Expr::Assign(syn::ExprAssign { left, .. }) | Expr::Binary(syn::ExprBinary { left, .. }),
            _,
        ) => match &**left {
            Expr::Index(index) => &index.attrs,
            _ => return false,
        },
        _ => return false,
    };
    attributes.iter().any(|attribute| HelperAttribute::Fuse.is(attribute))
}

/// Whether a body may jump to the next iteration of a loop, or out of one.
fn jumps(body: &syn::Block) -> bool {
    struct HasJump(bool);
    impl<'ast> crate::syntax::visit::Visit<'ast> for HasJump {
        fn visit_expr_break(&mut self, _: &'ast syn::ExprBreak) {
            self.0 = true;
        }
        fn visit_expr_continue(&mut self, _: &'ast syn::ExprContinue) {
            self.0 = true;
        }
    }
    let mut jumps = HasJump(false);
    crate::syntax::visit::Visit::visit_block(&mut jumps, body);
    jumps.0
}

/// The arguments of an attribute, and the label among those of `#[tile(..)]`.
fn arguments(attribute: &Attribute, kind: HelperAttribute) -> (Vec<Expr>, Option<syn::Lifetime>) {
    enum Argument {
        Expr(Box<Expr>),
        Label(syn::Lifetime),
    }
    impl syn::parse::Parse for Argument {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            if input.peek(syn::Lifetime) && !input.peek2(syn::Token![:]) {
                return input.parse().map(Argument::Label);
            }
            input.parse().map(|expr| Argument::Expr(Box::new(expr)))
        }
    }
    let parse = syn::punctuated::Punctuated::<Argument, syn::Token![,]>::parse_terminated;
    let (mut found, mut label) = (Vec::new(), None);
    for argument in attribute.parse_args_with(parse).into_iter().flatten() {
        match argument {
            Argument::Expr(expr) => found.push(*expr),
            Argument::Label(name) if kind == HelperAttribute::Tile && label.is_none() => label = Some(name),
            // Nothing else takes one: the attribute is malformed.
            Argument::Label(_) => return (Vec::new(), None),
        }
    }
    (found, label)
}

/// The labels of the tiles that words make.
pub(in crate::bind) fn tile_labels(words: &[Attribute]) -> Vec<syn::Lifetime> {
    let tiles = words.iter().filter(|word| HelperAttribute::Tile.is(word));
    tiles.filter_map(|word| arguments(word, HelperAttribute::Tile).1).collect()
}

/// The tail that the arguments behind the extents of tiles name.
fn tail(arguments: &[Expr]) -> Option<Tail> {
    match arguments {
        [] => Some(Tail::Clip),
        [name] => Tail::named(&surface::ident(name)?.to_string()),
        _ => None,
    }
}

/// The variables of `2 * y + x` with their factors.
fn terms(sum: &Expr) -> Option<Vec<(String, i64)>> {
    let literal = |expr: &Expr| match surface::strip_parens(expr) {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(value), .. }) => value.base10_parse().ok(),
        _ => None,
    };
    let mut found: Vec<(String, i64)> = Vec::new();
    let mut open = vec![sum];
    while let Some(term) = open.pop() {
        let (name, factor) = match surface::strip_parens(term) {
            Expr::Binary(sum) if matches!(sum.op, syn::BinOp::Add(_)) => {
                open.extend([&*sum.left, &*sum.right]);
                continue;
            }
            Expr::Binary(product) if matches!(product.op, syn::BinOp::Mul(_)) => {
                match (literal(&product.left), literal(&product.right)) {
                    (Some(factor), None) => (surface::ident(&product.right)?, factor),
                    (None, Some(factor)) => (surface::ident(&product.left)?, factor),
                    _ => return None,
                }
            }
            name => (surface::ident(name)?, 1),
        };
        let name = crate::hygiene::text(name);
        if factor < 1 || found.iter().any(|(other, _)| *other == name) {
            return None;
        }
        found.push((name, factor));
    }
    Some(found)
}
