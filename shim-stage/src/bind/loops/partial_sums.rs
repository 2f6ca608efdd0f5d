//! `sum_in::<f32, 8>()`: a sum whose order is part of its meaning, and one that vectors have.
//!
//! The sums of every eighth item are added up as a tree, whatever the schedule: floats have the same bits on each
//! machine.

use proc_macro2::{Ident, Literal};
use syn::{Expr, ExprForLoop, ExprMethodCall, GenericArgument, Stmt, Type, parse_quote};

use crate::ir::{Hole, RegionKind};
use crate::parse::signature::is_number;
use crate::static_eval::Value;
use crate::surface::{Consumer, RangeEntry};

use crate::bind::loops::chain::{Adaptor, Item};
use crate::bind::{Binder, unreachable_value};

/// The most partial sums.
const MOST: usize = 64;

/// The sums of every `count`-th item, in an array.
pub(in crate::bind) struct PartialSums {
    array: Ident,
    /// The number of an item.
    pub(in crate::bind) number: Ident,
    count: usize,
}

impl Binder<'_> {
    /// Declares the partial sums of a chain; `None` if it has none, which is reported.
    pub(in crate::bind) fn partial_sums(
        &mut self,
        call: &ExprMethodCall,
        adaptors: &[Adaptor<'_>],
    ) -> Option<PartialSums> {
        let Some((ty, count)) = parameters(call) else {
            self.diagnostics.error(
                &call.method,
                "`sum_in` takes a type of numbers and a power of two of at most 64",
                Consumer::SumIn.usage(),
            );
            return None;
        };
        for adaptor in adaptors {
            if let Adaptor::Filter(closure) = adaptor {
                self.diagnostics.error(
                    closure,
                    "the items of `sum_in` are not filtered",
                    "which sum an item is added to follows from its number: map what is left out to zero",
                );
                return None;
            }
        }
        let [array, number] = ["sums", "number"].map(|name| self.names.fresh(name));
        let zero: Expr = match &ty {
            Type::Path(path) if path.path.is_ident("f32") || path.path.is_ident("f64") => parse_quote!(-0.0),
            _ => parse_quote!(0),
        };
        let n = Literal::usize_unsuffixed(count);
        self.statements(&[parse_quote!(let mut #array: [#ty; #n] = [#zero; #n];)]);
        Some(PartialSums { array, number, count })
    }

    /// The loops of a chain over a range that begins at a static number: over whole groups of items, and over the rest.
    pub(in crate::bind) fn partial_sums_of_range(
        &mut self,
        range: &RangeEntry<'_>,
        call: &ExprMethodCall,
        adaptors: &[Adaptor<'_>],
    ) -> Option<Expr> {
        let (first, last) = (self.static_start(range)?, range.end?);
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            let Some(sums) = binder.partial_sums(call, adaptors) else {
                return binder.push(Stmt::Expr(unreachable_value(), None));
            };
            let [end, group, lane, item] =
                ["end", "group", "lane", "item"].map(|name| binder.names.fresh(name));
            let (number, n) = (&sums.number, Literal::usize_unsuffixed(sums.count));
            let (past, from): (Expr, _) = if first == 0 {
                (parse_quote!(#end), None)
            } else {
                let first = Literal::i64_unsuffixed(first);
                (parse_quote!((#end.max(#first) - #first)), Some(quote::quote!(#first +)))
            };
            binder.statements(&[parse_quote!(let #end = #last;)]);
            let add = |binder: &mut Self, item_at: &Expr, sum: &Expr| {
                binder.statements(&[parse_quote!(let #item = #item_at;)]);
                binder.chain(adaptors, Item::IntTy(item.clone()), &mut |binder, item| {
                    let value = binder.value_of(&item);
                    binder.add_to_sum(&sums, sum, &value);
                });
            };
            let groups: ExprForLoop = parse_quote!(for #group in 0..#past / #n {});
            let lanes: ExprForLoop = parse_quote!(for #lane in 0..#n {});
            let rest: ExprForLoop = parse_quote!(for #number in #past / #n * #n..#past {});
            let whole = binder.for_each(&groups, &mut |binder| {
                let inner = binder.for_each(&lanes, &mut |binder| {
                    add(binder, &parse_quote!(#from #n * #group + #lane), &parse_quote!(#lane));
                });
                binder.push(Stmt::Expr(inner, None));
            });
            binder.push(Stmt::Expr(whole, None));
            let rest = binder.for_each(&rest, &mut |binder| {
                add(binder, &parse_quote!(#from #number), &parse_quote!((#number % #n)));
            });
            binder.push(Stmt::Expr(rest, None));
            let sum = sums.tree();
            binder.push(Stmt::Expr(sum, None));
        });
        Some(self.program.hole(Hole::Body(body)))
    }

    fn add_to_sum(&mut self, PartialSums { array, .. }: &PartialSums, sum: &Expr, value: &Expr) {
        let sum = self.expression(&parse_quote!(#sum as ::core::primitive::usize));
        self.push(parse_quote!(#array[#sum] += #value;));
    }

    /// Adds the next item of a chain whose items are counted.
    pub(in crate::bind) fn add_next(
        &mut self,
        PartialSums { array, number, count }: &PartialSums,
        item: &Item,
    ) {
        let value = self.value_of(item);
        let n = Literal::usize_unsuffixed(*count);
        self.push(parse_quote!(#array[#number % #n] += #value;));
        self.push(parse_quote!(#number += 1;));
    }

    /// The start of a range `a..b` that is known and not negative.
    fn static_start(&mut self, range: &RangeEntry<'_>) -> Option<i64> {
        if range.inclusive || range.reversed || range.step.is_some() {
            return None;
        }
        match self.static_value(range.start?)? {
            Value::Int(first) => i64::try_from(first.value).ok().filter(|first| (0..1 << 30).contains(first)),
            _ => None,
        }
    }
}

impl PartialSums {
    /// The sum of them all.
    pub(in crate::bind) fn tree(&self) -> Expr {
        tree(&self.array, 0, 1, self.count)
    }
}

/// The type and the number of sums.
fn parameters(call: &ExprMethodCall) -> Option<(Type, usize)> {
    let mut parameters = call.turbofish.as_ref()?.args.iter();
    let (Some(GenericArgument::Type(ty)), Some(GenericArgument::Const(Expr::Lit(count))), None) =
        (parameters.next(), parameters.next(), parameters.next())
    else {
        return None;
    };
    let syn::Lit::Int(count) = &count.lit else { return None };
    let count: usize = count.base10_parse().ok()?;
    (is_number(ty) && count.is_power_of_two() && (2..=MOST).contains(&count)).then(|| (ty.clone(), count))
}

/// The sum of every `step`-th of some sums from `first` on, of which there are `count`: that of the even ones and that
/// of the odd ones.
fn tree(sums: &Ident, first: usize, step: usize, count: usize) -> Expr {
    if count == 1 {
        let first = Literal::usize_unsuffixed(first);
        return parse_quote!(#sums[#first]);
    }
    let [even, odd] = [0, step].map(|from| tree(sums, first + from, 2 * step, count / 2));
    parse_quote!((#even + #odd))
}
