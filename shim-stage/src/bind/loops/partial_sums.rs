//! `sum_in::<f32, 8>()`: a sum whose order is part of its meaning, and one that vectors have.
//!
//! The sums of every eighth item are added up as a tree, whatever the schedule: floats have the same bits on each machine.

use proc_macro2::Literal;
use syn::{Expr, ExprClosure, ExprMethodCall, GenericArgument, Ident, Pat, Stmt, Type, parse_quote};

use crate::fixed::Value;
use crate::parse::signature::is_number;
use crate::surface::{self, Consumer, RangeEntry};

use crate::bind::Binder;
use crate::bind::loops::chain::Adaptor;
use crate::bind::tensors::access::unreachable_value;

/// The most partial sums.
const MOST: usize = 64;

impl Binder<'_> {
    /// The partial sums of a chain over a range or over indices, added up.
    pub(in crate::bind) fn partial_sums(
        &mut self,
        source: &Expr,
        call: &ExprMethodCall,
        adaptors: &[Adaptor<'_>],
    ) -> Expr {
        let Some((ty, count)) = parameters(call) else {
            self.diagnostics.error(
                &call.method,
                "`sum_in` takes a type of numbers and a power of two of at most 64",
                Consumer::SumIn.usage(),
            );
            return unreachable_value();
        };
        let mut maps: Vec<&ExprClosure> = Vec::new();
        for adaptor in adaptors {
            match adaptor {
                Adaptor::Map(closure) => maps.push(closure),
                Adaptor::Filter(closure) => {
                    self.diagnostics.error(
                        closure,
                        "the items of `sum_in` are not filtered",
                        "which sum an item is added to follows from its number: map what is left out to zero",
                    );
                    return unreachable_value();
                }
            }
        }
        let [sums, end, group, lane, number, item] =
            ["sums", "end", "group", "lane", "number", "item"].map(|name| self.names.fresh(name));
        let zero: Expr = match &ty {
            Type::Path(path) if path.path.is_ident("f32") || path.path.is_ident("f64") => parse_quote!(-0.0),
            _ => parse_quote!(0),
        };
        let n = Literal::usize_unsuffixed(count);
        let mut statements: Vec<Stmt> = vec![parse_quote!(let mut #sums: [#ty; #n] = [#zero; #n];)];
        let value = mapped(parse_quote!(#item), &maps);
        match surface::range(source).and_then(|range| Some((self.static_start(&range)?, range.end?))) {
            // Whole groups, and the rest.
            Some((first, last)) => {
                let (past, from) = if first == 0 {
                    (parse_quote!(#end), None)
                } else {
                    let first = Literal::i64_unsuffixed(first);
                    (parse_quote!((#end.max(#first) - #first)), Some(quote::quote!(#first +)))
                };
                let past: Expr = past;
                statements.push(parse_quote!(let #end = #last;));
                statements.push(parse_quote! {
                    for #group in 0..#past / #n {
                        for #lane in 0..#n {
                            let #item = #from #n * #group + #lane;
                            #sums[#lane as ::core::primitive::usize] += #value;
                        }
                    }
                });
                statements.push(parse_quote! {
                    for #number in #past / #n * #n..#past {
                        let #item = #from #number;
                        #sums[(#number % #n) as ::core::primitive::usize] += #value;
                    }
                });
            }
            None => {
                statements.push(parse_quote!(let mut #number = 0usize;));
                let (pattern, value): (Pat, Expr) = match maps.split_first() {
                    Some((first, rest)) => {
                        let pattern = match &first.inputs[0] {
                            Pat::Type(typed) => (*typed.pat).clone(),
                            pattern => pattern.clone(),
                        };
                        (pattern, mapped((*first.body).clone(), rest))
                    }
                    None => (parse_quote!(#item), value),
                };
                statements.push(parse_quote! {
                    for #pattern in #source {
                        #sums[#number % #n] += #value;
                        #number += 1;
                    }
                });
            }
        }
        let sum = tree(&sums, 0, 1, count);
        self.expression(&parse_quote!({ #(#statements)* #sum }))
    }

    /// The start of a range `a..b` that is known and not negative.
    fn static_start(&mut self, range: &RangeEntry<'_>) -> Option<i64> {
        if range.inclusive || range.reversed || range.step.is_some() {
            return None;
        }
        match self.fixed(range.start?)? {
            Value::Int(first) => i64::try_from(first.value).ok().filter(|first| (0..1 << 30).contains(first)),
            _ => None,
        }
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

/// The item after the closures of a chain.
fn mapped(item: Expr, closures: &[&ExprClosure]) -> Expr {
    closures.iter().fold(item, |item, closure| {
        let (input, body) = (&closure.inputs[0], &closure.body);
        parse_quote!({ let #input = #item; #body })
    })
}

/// The sum of every `step`-th of some sums from `first` on, of which there are `count`: that of the even ones and that of the odd ones.
fn tree(sums: &Ident, first: usize, step: usize, count: usize) -> Expr {
    if count == 1 {
        let first = Literal::usize_unsuffixed(first);
        return parse_quote!(#sums[#first]);
    }
    let [even, odd] = [0, step].map(|from| tree(sums, first + from, 2 * step, count / 2));
    parse_quote!((#even + #odd))
}
