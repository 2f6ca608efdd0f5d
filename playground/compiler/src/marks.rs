//! Where the accesses of a kernel are in its formatted expansion.
//!
//! The tokens of an access begin and end with spans of the source. Formatting loses them: the tokens of the formatted
//! text are matched with those of the expansion, apart from the commas and braces that the formatter puts in or takes
//! out.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use shim_stage::summary::{Accessed, Kept};

use crate::{Access, Range};

/// The accesses of a kernel, in the order of the source.
pub(crate) fn accesses(expansion: &TokenStream, text: &str, accessed: &[Accessed]) -> Vec<Access> {
    let mut accesses: BTreeMap<Range, Access> = BTreeMap::new();
    for own in accessed {
        let range = Range::between(own.tokens[0], own.tokens[1]);
        let access = accesses.entry(range).or_insert_with(|| Access {
            range,
            tensor: own.tensor.clone(),
            kept: Vec::new(),
            emitted: Vec::new(),
            asserted: Vec::new(),
        });
        let kept = own.kept.in_words();
        if !access.kept.contains(&kept) {
            access.kept.push(kept);
        }
    }
    let mut leaves = Vec::new();
    flatten(expansion, &mut leaves);
    let Ok(formatted) = text.parse::<TokenStream>() else { return Vec::new() };
    let mut formatted_leaves = Vec::new();
    flatten(&formatted, &mut formatted_leaves);
    let places = matched(&leaves, &formatted_leaves);

    let ends: BTreeMap<[usize; 2], [usize; 2]> =
        accesses.keys().map(|range| (range.from, range.to)).collect();
    let mut runs = Vec::new();
    find_emitted(expansion, &mut 0, &ends, &mut runs);
    // A load is in the braces of its `unsafe`, which have the same ends.
    let whole: Vec<_> = runs
        .iter()
        .filter(|(own, first, last)| {
            !runs.iter().any(|(other, begins, ends)| {
                other == own && begins <= first && last <= ends && (begins, ends) != (first, last)
            })
        })
        .copied()
        .collect();
    for (range, first, last) in whole {
        if let (Some(access), Some(from), Some(to)) = (accesses.get_mut(&range), places[first], places[last])
        {
            let emitted = Range { from: from.from, to: to.to };
            // A single token is the user's, which an operand may keep.
            if last > first && !access.emitted.contains(&emitted) {
                access.emitted.push(emitted);
            }
        }
    }
    let assertions = assertions(&leaves, &places);
    for own in accessed.iter().filter(|own| own.kept == Kept::Asserted) {
        let range = Range::between(own.tokens[0], own.tokens[1]);
        if let Some(access) = accesses.get_mut(&range) {
            let about = assertions.iter().filter(|(tensor, _)| *tensor == own.tensor);
            access.asserted = about.map(|(_, range)| *range).collect();
        }
    }
    accesses.into_values().collect()
}

/// A token other than a group, or one end of a group.
struct Leaf {
    text: String,
    span: Span,
}

fn flatten(tokens: &TokenStream, leaves: &mut Vec<Leaf>) {
    let mut trees = tokens.clone().into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) => {
                let ends = delimiters(group.delimiter());
                leaves.extend(ends.map(|[open, _]| Leaf { text: open.into(), span: group.span_open() }));
                flatten(&group.stream(), leaves);
                leaves.extend(ends.map(|[_, close]| Leaf { text: close.into(), span: group.span_close() }));
            }
            // `$crate` is `crate` in the formatted text.
            TokenTree::Punct(punct)
                if punct.as_char() == '$'
                    && punct.spacing() == Spacing::Alone
                    && trees.peek().is_some_and(|next| next.to_string() == "crate") => {}
            tree => leaves.push(Leaf { text: tree.to_string(), span: tree.span() }),
        }
    }
}

fn delimiters(delimiter: Delimiter) -> Option<[&'static str; 2]> {
    match delimiter {
        Delimiter::Parenthesis => Some(["(", ")"]),
        Delimiter::Brace => Some(["{", "}"]),
        Delimiter::Bracket => Some(["[", "]"]),
        Delimiter::None => None,
    }
}

/// How many tokens are looked at where the two differ otherwise.
const AHEAD: usize = 16;

/// Where each token is in the formatted text.
fn matched(leaves: &[Leaf], formatted: &[Leaf]) -> Vec<Option<Range>> {
    let optional = |leaf: &Leaf| matches!(leaf.text.as_str(), "," | ";" | "(" | ")" | "{" | "}");
    let mut places = vec![None; leaves.len()];
    let (mut at, mut there) = (0, 0);
    while at < leaves.len() && there < formatted.len() {
        if leaves[at].text == formatted[there].text {
            places[at] = Some(Range::between(formatted[there].span, formatted[there].span));
            (at, there) = (at + 1, there + 1);
        } else if formatted[there].text == "," {
            // Before the end of a list of several lines.
            there += 1;
        } else if optional(&leaves[at]) {
            at += 1;
        } else if optional(&formatted[there]) {
            there += 1;
        } else {
            // The nearest pair of tokens that are the same.
            let nearest = (1..AHEAD).find_map(|sum| {
                (0..=sum).map(|skip| (skip, sum - skip)).find(|(own, other)| {
                    let pair = leaves.get(at + own).zip(formatted.get(there + other));
                    pair.is_some_and(|(own, other)| own.text == other.text)
                })
            });
            let (own, other) = nearest.unwrap_or((1, 1));
            (at, there) = (at + own, there + other);
        }
    }
    places
}

/// The first and the last token of what each access became, by their numbers among the leaves.
fn find_emitted(
    tokens: &TokenStream,
    number: &mut usize,
    ends: &BTreeMap<[usize; 2], [usize; 2]>,
    runs: &mut Vec<(Range, usize, usize)>,
) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    // Where the trees begin and end among the leaves.
    let mut places = Vec::with_capacity(trees.len());
    for tree in &trees {
        let begins = *number;
        match tree {
            TokenTree::Group(group) => {
                let shown = usize::from(group.delimiter() != Delimiter::None);
                *number += shown;
                find_emitted(&group.stream(), number, ends, runs);
                *number += shown;
            }
            _ => *number += 1,
        }
        places.push([begins, number.saturating_sub(1)]);
    }
    let mut at = 0;
    while at < trees.len() {
        let starts = |tree: &TokenTree| {
            let span = tree.span();
            let start = span.start();
            (!span.byte_range().is_empty()).then_some([start.line, start.column])
        };
        let begun = starts(&trees[at]).and_then(|from| Some((from, *ends.get(&from)?)));
        let Some((from, to)) = begun else {
            at += 1;
            continue;
        };
        let is_last = |tree: &TokenTree| {
            let end = tree.span().end();
            [end.line, end.column] == to
        };
        let within = |tree: &TokenTree| {
            // Tokens of the compiler have no place; those of the user are between the two ends.
            starts(tree).is_none_or(|start| (from..to).contains(&start))
        };
        let run = trees[at..].iter().take_while(|tree| within(tree)).count();
        let last = trees[at..at + run].iter().rposition(is_last);
        match last {
            Some(last) => {
                runs.push((Range { from, to }, places[at][0], places[at + last][1]));
                at += last + 1;
            }
            None => at += 1,
        }
    }
}

/// The calls `shim.assert_within("kernel", "tensor", ..)`, by the tensor.
fn assertions(leaves: &[Leaf], places: &[Option<Range>]) -> Vec<(String, Range)> {
    let mut found = Vec::new();
    for at in 0..leaves.len() {
        let [name, open, _, _, tensor] = [0, 1, 2, 3, 4].map(|next| leaves.get(at + next));
        let (Some(name), Some(open), Some(tensor)) = (name, open, tensor) else { break };
        if name.text != "assert_within" || open.text != "(" || at < 2 {
            continue;
        }
        let Ok(tensor) = syn::parse_str::<syn::LitStr>(&tensor.text) else { continue };
        let mut depth = 0;
        let close = leaves[at + 1..].iter().position(|leaf| {
            match leaf.text.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        if let Some(close) = close
            && let (Some(from), Some(to)) = (places[at - 2], places[at + 1 + close])
        {
            found.push((tensor.value(), Range { from: from.from, to: to.to }));
        }
    }
    found
}
