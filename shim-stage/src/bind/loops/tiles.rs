//! `for b in t.tiles([4, 4])`: a loop over the tiles of a tensor, each of them a view.

use quote::quote;
use syn::{Expr, ExprForLoop, ExprMethodCall, Ident};

use crate::surface::pattern;

use crate::bind::{Binder, unreachable_value};

impl Binder<'_> {
    /// A loop over tiles: one over the indices of the tensor at their density, whose body begins with the tile.
    pub(in crate::bind) fn for_tiles(
        &mut self,
        for_loop: &ExprForLoop,
        call: &ExprMethodCall,
        unroll: Option<&syn::Attribute>,
        schedule: &[syn::Attribute],
    ) -> Expr {
        let Some((name, None, false)) = pattern::simple(&for_loop.pat) else {
            self.diagnostics.error(
                &for_loop.pat,
                "expected one name for a tile",
                "write `for b in t.tiles([4, 4])`; the elements of `b` are `b[[y, x]]`, and its place is that of its first one",
            );
            self.validate(for_loop, Vec::new());
            return unreachable_value();
        };
        let Some(base) = self.tensor(&call.receiver, "tiled") else { return unreachable_value() };
        let is_wrong = self.is_broken(&base) || self.reject_packed(&base, call);
        let factors = if is_wrong { None } else { self.factors(call, &base) };
        let Some(factors) = factors else {
            self.validate(for_loop, vec![Some(name.clone())]);
            return unreachable_value();
        };
        let tensor = self.names.fresh(&base.name);
        let variables: Vec<Ident> =
            (0..factors.len()).map(|axis| self.names.fresh(&format!("{name}_{axis}"))).collect();
        self.scopes.enter();
        self.bind_tensor(&tensor, base);
        let ranges = variables.iter().zip(&factors).map(|(at, extent)| {
            let extent = proc_macro2::Literal::i64_unsuffixed(*extent);
            quote!(#extent * #at..#extent * #at + #extent)
        });
        let tile: syn::Stmt = syn::parse_quote!(let #name = #tensor[[#(#ranges),*]];);
        let mut whole = for_loop.clone();
        *whole.pat = syn::parse_quote!([#(#variables),*]);
        whole.body.stmts.insert(0, tile);
        let list = factors.iter().map(|extent| proc_macro2::Literal::i64_unsuffixed(*extent));
        let grid: Expr = syn::parse_quote!(#tensor.coarsen([#(#list),*]));
        let nest = self.for_indices(&whole, &grid, unroll, schedule);
        self.scopes.leave();
        nest
    }
}
