//! How a located struct is cut.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{BinOp, Expr, LitInt, Type};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::link::located::declaration::Declaration;
use crate::parse::signature::PlacementAttribute;
use crate::surface::{self, TensorMethod};

/// How a located struct is cut into rows.
#[derive(Clone, Debug)]
pub(in crate::link::located) struct Cut {
    /// The extent that counts its rows.
    pub(in crate::link::located) axis: Ident,
    /// The struct of its rows.
    pub(super) name: Ident,
}

/// A field of a located struct, as its rows have it.
pub(in crate::link::located) struct Member {
    pub(in crate::link::located) name: Ident,
    /// The number of elements, if it is an array of fields.
    pub(in crate::link::located) count: Option<usize>,
    pub(in crate::link::located) kind: MemberKind,
}

/// The kind of a field.
pub(in crate::link::located) enum MemberKind {
    /// An extent, of type `usize`.
    Extent,
    /// A tensor over memory of this type.
    Tensor { ty: Type, shape: Vec<Expr>, placements: Vec<PlacementAttribute> },
    /// A located struct of this type.
    Struct { ty: Type, declaration: Declaration },
}

/// The extent of the first of the rows, in a struct of rows.
pub(super) const FIRST_ROW: &str = "first_row";

impl Cut {
    /// The number of rows of a tensor for one row of the struct: `4` in `4 * h`.
    fn rows_for_one(&self, extent: &Expr) -> Option<TokenStream> {
        match surface::strip_parens(extent) {
            Expr::Path(path) if path.path.get_ident().is_some_and(|name| hygiene::same(name, &self.axis)) => {
                Some(quote!(1))
            }
            Expr::Binary(product) if matches!(product.op, BinOp::Mul(_)) => {
                let (left, right) = (&*product.left, &*product.right);
                let (factor, rest) = if self.is_in(left) { (right, left) } else { (left, right) };
                let rest = self.rows_for_one(rest).filter(|_| !self.is_in(factor))?;
                // The usual case reads as it is written.
                Some(if rest.to_string() == "1" { factor.to_token_stream() } else { quote!(#factor * #rest) })
            }
            _ => None,
        }
    }

    /// Whether an expression names the extent that counts the rows.
    pub(super) fn is_in(&self, expression: &Expr) -> bool {
        hygiene::identifiers(expression.to_token_stream()).any(|name| hygiene::same(&name, &self.axis))
    }

    /// The rows of a tensor for one row of the struct, if it can be cut.
    pub(super) fn rows_of(
        &self,
        name: &Ident,
        shape: &[Expr],
        placements: &[PlacementAttribute],
        diagnostics: &mut Diagnostics,
    ) -> Option<TokenStream> {
        let axis = &self.axis;
        let method = |placement: &PlacementAttribute| TensorMethod::of(&placement.method);
        if let Some(placement) = placements.iter().find(|placement| {
            !matches!(
                method(placement),
                Some(
                    TensorMethod::Coarsened
                        | TensorMethod::Refined
                        | TensorMethod::Permuted
                        | TensorMethod::OnAxes
                )
            )
        }) {
            diagnostics.error(
                &placement.method,
                format!("`{name}` cannot be cut into rows because it has `#[{}]`", placement.method),
                "only row-major fields that start at the origin can be cut: move this one to a separate struct",
            );
            return None;
        }
        let rows = self.rows_for_one(&shape[0]);
        if rows.is_none() || shape[1..].iter().any(|extent| self.is_in(extent)) {
            diagnostics.error(
                &shape[0],
                format!("`{name}` cannot be cut into rows: its first extent is not a multiple of `{axis}`"),
                format!("write `{axis}` or `4 * {axis}` and keep `{axis}` out of the other extents, or move the field to a separate struct"),
            );
            return None;
        }
        let refined = placements.iter().find(|placement| method(placement) == Some(TensorMethod::Refined));
        if let Some(refined) = refined {
            let integer =
                |tokens: TokenStream| syn::parse2::<LitInt>(tokens).ok()?.base10_parse::<u64>().ok();
            let (rows, factor) =
                (rows.clone().and_then(integer), integer(refined.entries[0].to_token_stream()));
            if !matches!((rows, factor), (Some(rows), Some(factor)) if factor > 0 && rows.is_multiple_of(factor))
            {
                diagnostics.error(
                    &refined.method,
                    format!("`{name}` cannot be cut into rows: the factor does not divide its rows"),
                    "make its first extent a multiple of the factor, as in `#[shape(4 * h, w)] #[refined(2, 1)]`",
                );
                return None;
            }
        }
        rows
    }

    /// The origin of a tensor's rows.
    pub(super) fn begins(
        &self,
        rows: &TokenStream,
        rank: usize,
        placements: &[PlacementAttribute],
    ) -> TokenStream {
        let factor = |wanted: TensorMethod| {
            let placement =
                placements.iter().find(|placement| TensorMethod::of(&placement.method) == Some(wanted))?;
            placement.entries.first().map(ToTokens::to_token_stream)
        };
        let times = factor(TensorMethod::Coarsened).map(|factor| quote!(* #factor));
        let parts = factor(TensorMethod::Refined).map(|factor| quote!(/ #factor));
        let first_row = Ident::new(FIRST_ROW, self.axis.span());
        let zeros = (1..rank).map(|_| quote!(0));
        quote!(.at([#first_row * (#rows #times #parts) #(, #zeros)*]))
    }
}
