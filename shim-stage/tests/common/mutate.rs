//! Small damage to source text: what an author mistypes, and what nobody would type.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use shim_stage::surface::{
    Constructor, HelperAttribute, KernelOption, LayoutWord, PointMethod, TensorMethod, std_macro,
};

use super::fixtures::FIXTURES;

/// Words that mean something to the compiler, beside those of the tables in `shim_stage::surface`.
const WORDS: &[&str] = &[
    "Block",
    "Clamp",
    "Mirror",
    "Wrap",
    "Fill",
    "iters",
    "map",
    "filter",
    "sum",
    "product",
    "min",
    "max",
    "min_by_key",
    "any",
    "all",
    "count",
    "fold",
    "step_by",
    "rev",
    "const",
    "let",
    "mut",
    "if",
    "else",
    "match",
    "for",
    "in",
    "while",
    "loop",
    "break",
    "continue",
    "return",
    "as",
    "fn",
    "impl",
    "self",
    "Self",
    "unsafe",
    "move",
    "ref",
    "async",
    "await",
    "static",
    "struct",
    "where",
    "dyn",
    "true",
    "false",
    "Tensor",
    "i32",
    "u8",
    "usize",
    "i64",
    "f32",
    "_",
    "yield",
    "use",
    "macro_rules",
];

/// Numbers at which arithmetic turns.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "16",
    "4096",
    "4097",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "170141183460469231731687303715884105728",
    "0xff_u8",
    "300u8",
    "1.5",
    "1e300",
    "64",
    "63",
    "'a'",
    "\"s\"",
    "b\"s\"",
    "c\"s\"",
    "1usize",
    "2i128",
];

/// A fixture with some tokens removed, doubled, replaced, swapped or taken from another fixture.
pub(crate) fn fixture(u: &mut Unstructured<'_>) -> Result<String> {
    let (_, source) = u.choose(FIXTURES)?;
    let mut tokens: TokenStream = source.parse().map_err(|_| arbitrary::Error::IncorrectFormat)?;
    for _ in 0..u.int_in_range(1..=6)? {
        let mut at = u.int_in_range(0..=count(tokens.clone()))?;
        tokens = damaged(tokens, &mut at, u)?;
    }
    Ok(tokens.to_string())
}

/// A fixture with some characters changed.
pub(crate) fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let (_, source) = u.choose(FIXTURES)?;
    let mut characters: Vec<char> = source.chars().collect();
    for _ in 0..u.int_in_range(1..=8)? {
        let at = u.choose_index(characters.len())?;
        match u.int_in_range(0..=3)? {
            0 => drop(characters.remove(at)),
            1 => characters.insert(
                at,
                *u.choose(&['[', ']', '(', ')', '{', '}', '-', '.', ';', ',', '#', '&', '\'', '0'])?,
            ),
            2 => characters[at] = char::from(u.int_in_range(32..=126)?),
            _ => {
                let end = (at + u.int_in_range(1..=40)?).min(characters.len());
                let part: Vec<char> = characters[at..end].to_vec();
                let to = u.choose_index(characters.len())?;
                characters.splice(to..to, part);
            }
        }
    }
    Ok(characters.into_iter().collect())
}

fn count(tokens: TokenStream) -> usize {
    let of = |tree| match tree {
        TokenTree::Group(group) => 1 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(of).sum()
}

/// Damages the `at`-th token tree.
fn damaged(tokens: TokenStream, at: &mut usize, u: &mut Unstructured<'_>) -> Result<TokenStream> {
    let mut out = Vec::new();
    for tree in tokens {
        let hit = *at == 0;
        *at = at.wrapping_sub(1);
        let tree = match tree {
            TokenTree::Group(group) => {
                let inner = damaged(group.stream(), at, u)?;
                TokenTree::Group(Group::new(group.delimiter(), inner))
            }
            other => other,
        };
        if hit { damage(tree, &mut out, u)? } else { out.push(tree) }
    }
    Ok(out.into_iter().collect())
}

fn damage(tree: TokenTree, out: &mut Vec<TokenTree>, u: &mut Unstructured<'_>) -> Result<()> {
    match u.int_in_range(0..=9)? {
        0 => {}
        1 => out.extend([tree.clone(), tree]),
        2 => out.push(word(u)?),
        3 => out.push(number(u)?),
        4 => out.push(punct(u)?),
        5 => out.extend([tree, punct(u)?, number(u)?]),
        6 => {
            let delimiter =
                *u.choose(&[Delimiter::Brace, Delimiter::Bracket, Delimiter::Parenthesis, Delimiter::None])?;
            let inner = match tree {
                TokenTree::Group(group) => group.stream(),
                other => other.into(),
            };
            out.push(TokenTree::Group(Group::new(delimiter, inner)));
        }
        7 => {
            let last = out.pop();
            out.push(tree);
            out.extend(last);
        }
        8 => match tree {
            TokenTree::Group(group) => out.extend(group.stream()),
            TokenTree::Ident(_) => out.push(word(u)?),
            TokenTree::Literal(_) => out.push(number(u)?),
            TokenTree::Punct(_) => out.push(punct(u)?),
        },
        _ => {
            let (_, other) = u.choose(FIXTURES)?;
            let trees: Vec<TokenTree> = flat(other.parse().unwrap_or_default());
            out.extend(trees.get(u.choose_index(trees.len())?).cloned());
        }
    }
    Ok(())
}

/// Every token tree, groups and what is in them.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let of = |tree: TokenTree| match &tree {
        TokenTree::Group(group) => {
            let inner = flat(group.stream());
            std::iter::once(tree).chain(inner).collect::<Vec<_>>()
        }
        _ => vec![tree],
    };
    tokens.into_iter().flat_map(of).collect()
}

/// All words of the language.
fn vocabulary() -> Vec<&'static str> {
    let methods = TensorMethod::ALL.iter().map(|method| method.name());
    let constructors = Constructor::ALL.iter().map(|constructor| constructor.name());
    let attributes = HelperAttribute::ALL.iter().map(|attribute| attribute.name());
    let options = KernelOption::ALL.iter().map(|option| option.name());
    let points = PointMethod::ALL.iter().map(|method| method.name());
    let orders = LayoutWord::ALL.iter().map(|word| word.name());
    let words = methods.chain(points).chain(orders).chain(constructors).chain(attributes).chain(options);
    words.chain(std_macro::names()).chain(WORDS.iter().copied()).collect()
}

fn word(u: &mut Unstructured<'_>) -> Result<TokenTree> {
    static VOCABULARY: LazyLock<Vec<&'static str>> = LazyLock::new(vocabulary);
    Ok(TokenTree::Ident(Ident::new(u.choose(&VOCABULARY)?, Span::call_site())))
}

fn number(u: &mut Unstructured<'_>) -> Result<TokenTree> {
    let literal: Literal = u.choose(NUMBERS)?.parse().map_err(|_| arbitrary::Error::IncorrectFormat)?;
    Ok(TokenTree::Literal(literal))
}

fn punct(u: &mut Unstructured<'_>) -> Result<TokenTree> {
    let character = *u.choose(&[
        '+', '-', '*', '/', '%', '<', '>', '=', '!', '&', '|', '^', '.', ',', ';', ':', '#', '?', '$', '@',
    ])?;
    let spacing = if u.arbitrary()? { Spacing::Joint } else { Spacing::Alone };
    Ok(TokenTree::Punct(Punct::new(character, spacing)))
}
