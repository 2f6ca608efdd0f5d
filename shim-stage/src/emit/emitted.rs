//! Elements as tokens: what is a value, and what is a place.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::ir::{AccessMode, ElementType};

/// An emitted element.
pub(super) enum Emitted {
    Value(TokenStream),
    /// What this reference points to.
    Place {
        reference: TokenStream,
    },
}

impl Emitted {
    /// `element as ty`, which is no place any more.
    pub(super) fn cast(self, casts: &[ElementType]) -> Self {
        if casts.is_empty() { self } else { Self::Value(cast_of(self.into_token_stream(), casts)) }
    }

    /// The element after some statements, in one expression.
    pub(super) fn after(self, setup: &TokenStream, mode: AccessMode) -> Self {
        let element = self.borrowed(mode);
        match mode {
            AccessMode::Value => Self::Value(hygienic!({ #setup #element })),
            AccessMode::Shared | AccessMode::Mutable | AccessMode::Unset => {
                Self::Place { reference: hygienic!({ #setup #element }) }
            }
        }
    }

    /// A reference to a place, so that it can leave the block that finds it; a value as it is.
    pub(super) fn borrowed(self, mode: AccessMode) -> TokenStream {
        let element = self.into_token_stream();
        match mode {
            AccessMode::Value => element,
            AccessMode::Shared => hygienic!(&#element),
            AccessMode::Mutable | AccessMode::Unset => hygienic!(&mut #element),
        }
    }

    /// The left side of an assignment, which needs no parentheses.
    pub(super) fn assigned(self) -> TokenStream {
        match self {
            Self::Value(value) => value,
            Self::Place { reference } => hygienic!(*#reference),
        }
    }

    pub(super) fn into_token_stream(self) -> TokenStream {
        match self {
            Self::Value(value) => value,
            Self::Place { reference } => hygienic!((*#reference)),
        }
    }
}

/// The element that an unsafe function of the runtime gives a reference to.
pub(super) fn loaded(reference: &TokenStream, mode: AccessMode) -> Emitted {
    match mode {
        AccessMode::Value => Emitted::Value(hygienic!(unsafe { *#reference })),
        AccessMode::Shared | AccessMode::Mutable | AccessMode::Unset => {
            Emitted::Place { reference: hygienic!(unsafe { #reference }) }
        }
    }
}

/// `element as ty`, which is then no place any more.
pub(super) fn cast_of(element: TokenStream, casts: &[ElementType]) -> TokenStream {
    casts.iter().fold(element, |element, ElementType { ty, .. }| hygienic!((#element as #ty)))
}

/// Lets rustc show a mistake in the type of an element on the user's tokens. Names keep what they mean: only the
/// places of the ends of expressions change.
pub(super) fn shown_at(tokens: TokenStream, user: &TokenStream) -> TokenStream {
    let mut spans = user.clone().into_iter().map(|token| token.span());
    let Some(first) = spans.next() else { return tokens };
    let last = spans.last().unwrap_or(first);
    ends_at(tokens, first, last)
}

fn ends_at(tokens: TokenStream, first: Span, last: Span) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let end = trees.len().saturating_sub(1);
    // What is dereferenced begins behind the star.
    let begin = usize::from(matches!(trees.first(), Some(TokenTree::Punct(star)) if star.as_char() == '*'));
    for (at, tree) in trees.iter_mut().enumerate() {
        if let TokenTree::Group(group) = tree
            // Statements, or a cast.
            && (group.delimiter() == Delimiter::Brace || end == 0)
        {
            let mut inner = Group::new(group.delimiter(), ends_at(group.stream(), first, last));
            inner.set_span(group.span());
            *group = inner;
        }
        if at <= begin {
            tree.set_span(tree.span().located_at(first));
        } else if at == end {
            tree.set_span(tree.span().located_at(last));
        }
    }
    trees.into_iter().collect()
}
