//! Conditions: comparisons of index arithmetic, and what holds where they are true.

use std::collections::HashSet;

use quote::ToTokens;
use shim_core::Space;
use syn::{BinOp, Expr, ExprMethodCall, Macro, Pat, PatIdent, UnOp};

use crate::hygiene;
use crate::ir::{Hole, View};
use crate::static_eval;
use crate::surface::contains_let;
use crate::surface::{self, TensorMethod};
use crate::symbolic::{SymInt, slack};
use crate::syntax::visit::{self, Visit};

use crate::bind::{Binder, Binding, IntTy};

/// The comparison operators.
pub(in crate::bind) fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_))
}

impl Binder<'_> {
    /// A comparison in which a loop variable takes part: both sides are index arithmetic.
    pub(in crate::bind) fn comparison(&mut self, left: &Expr, op: BinOp, right: &Expr) -> Option<Expr> {
        if !self.mentions_index(left) && !self.mentions_index(right) {
            return None;
        }
        // What Rust computed in a `let` may have wrapped.
        if self.mentions_inexact(left) || self.mentions_inexact(right) {
            return None;
        }
        let mut operands = Vec::new();
        let l = self.index(left, &mut operands);
        let r = self.index(right, &mut operands);
        Some(self.program.hole(Hole::Compare(l, op, r, operands)))
    }

    /// What is known to be at least zero when `condition` has the given truth.
    ///
    /// Only comparisons that are evaluated exactly as the algebra evaluates them count: of plain names and
    /// literals, or of arithmetic on loop variables, which the compiler itself emits. Arithmetic in a type of the
    /// user's may wrap and proves nothing.
    pub(in crate::bind) fn facts_of(&mut self, condition: &Expr, truth: bool) -> Vec<SymInt> {
        match surface::strip_parens(condition) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => self.facts_of(&unary.expr, !truth),
            Expr::Binary(binary) => match binary.op {
                BinOp::And(_) if truth => {
                    // A pattern behind it may bind a name that it mentions anew.
                    let mut facts = if rebinds(&binary.right, &binary.left) {
                        Vec::new()
                    } else {
                        self.facts_of(&binary.left, true)
                    };
                    facts.extend(self.facts_of(&binary.right, true));
                    facts
                }
                BinOp::Or(_) if !truth => {
                    let mut facts = self.facts_of(&binary.left, false);
                    facts.extend(self.facts_of(&binary.right, false));
                    facts
                }
                op if is_comparison(&op) => self.facts_of_comparison(&binary.left, op, &binary.right, truth),
                _ => Vec::new(),
            },
            Expr::MethodCall(call) if truth && self.tensor_method(call) == Some(TensorMethod::Contains) => {
                self.facts_of_contains(call).unwrap_or_default()
            }
            // The one pattern with a tuple of one that an `Option` has is `Some`'s.
            Expr::Let(binding)
                if truth
                    && matches!(&*binding.pat, Pat::TupleStruct(some) if some.elems.len() == 1)
                    && !rebinds(condition, &binding.expr) =>
            {
                self.facts_of_found(&binding.expr)
            }
            _ => Vec::new(),
        }
    }

    /// What holds where `t.get([..])` has found an element.
    pub(in crate::bind) fn facts_of_found(&mut self, expr: &Expr) -> Vec<SymInt> {
        match surface::strip_parens(expr) {
            Expr::MethodCall(call) if self.tensor_method(call) == Some(TensorMethod::Get) => {
                self.facts_of_contains(call).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Where `t.contains([..])` holds and no other block could, or `t.get([..])` has found an element, every coordinate
    /// is inside of the block.
    fn facts_of_contains(&mut self, call: &ExprMethodCall) -> Option<Vec<SymInt>> {
        let Expr::Path(path) = surface::strip_parens(&call.receiver) else { return None };
        let Some(Binding::Tensor(view)) = self.scopes.get(path.path.get_ident()?).cloned() else {
            return None;
        };
        // A boundary rule finds an element everywhere.
        let ruled = view.boundary.is_some() && call.method == "get";
        let goes_on = self.program.buffers[view.buffer].parent.is_some() || !view.pieces.is_empty();
        if ruled || self.is_broken(&view) || goes_on {
            return None;
        }
        let list = self.index_entries(call.args.first()?)?;
        let missing = view.space.extents.len().checked_sub(list.len())?;
        let mut index = vec![SymInt::constant(0); missing];
        for entry in &list {
            index.push(self.pure_index(entry)?);
        }
        self.facts_inside(&view, &index)
    }

    /// What holds where an element of a view is inside of its block.
    pub(in crate::bind) fn facts_inside(&self, view: &View, index: &[SymInt]) -> Option<Vec<SymInt>> {
        let block = &self.program.buffers[view.buffer].space;
        let coordinates = Space::map(&view.space.space, &block.space, index).ok()?;
        let mut facts = Vec::new();
        for (coordinate, extent) in coordinates.iter().zip(&block.extents) {
            let (below, above) = slack(coordinate, extent)?;
            facts.extend([below, above]);
        }
        Some(facts)
    }

    /// Whether `expr` names a `let` over loop variables whose value may have wrapped in its type.
    fn mentions_inexact(&self, expr: &Expr) -> bool {
        let inexact =
            |name: syn::Ident| matches!(self.scopes.get(&name), Some(Binding::Index { exact: false, .. }));
        hygiene::identifiers(expr.to_token_stream()).any(inexact)
    }

    fn facts_of_comparison(&mut self, left: &Expr, op: BinOp, right: &Expr, truth: bool) -> Vec<SymInt> {
        if self.mentions_inexact(left) || self.mentions_inexact(right) {
            return Vec::new();
        }
        let staged = self.mentions_index(left) || self.mentions_index(right);
        let leaves = self.is_leaf(left) && self.is_leaf(right);
        if !(staged || leaves) {
            return Vec::new();
        }
        let (Some(l), Some(r)) = (self.pure_index(left), self.pure_index(right)) else { return Vec::new() };
        let below = |a: &SymInt, b: &SymInt| b.sub(a).and_then(|d| d.sub(&SymInt::constant(1))).ok();
        let at_most = |a: &SymInt, b: &SymInt| b.sub(a).ok();
        let facts = match (op, truth) {
            (BinOp::Lt(_), true) | (BinOp::Ge(_), false) => vec![below(&l, &r)],
            (BinOp::Le(_), true) | (BinOp::Gt(_), false) => vec![at_most(&l, &r)],
            (BinOp::Gt(_), true) | (BinOp::Le(_), false) => vec![below(&r, &l)],
            (BinOp::Ge(_), true) | (BinOp::Lt(_), false) => vec![at_most(&r, &l)],
            (BinOp::Eq(_), true) | (BinOp::Ne(_), false) => vec![at_most(&l, &r), at_most(&r, &l)],
            // a != b next to a bound that both meet: strictly inside it.
            (BinOp::Ne(_), true) | (BinOp::Eq(_), false) => {
                let known = self.facts();
                let mut found = Vec::new();
                for (a, b) in [(&l, &r), (&r, &l)] {
                    if let Some(room) = at_most(a, b)
                        && known.proves_nonneg(&room)
                    {
                        found.push(below(a, b));
                    }
                }
                found
            }
            _ => Vec::new(),
        };
        facts.into_iter().flatten().collect()
    }

    /// A number, or a name that certainly is one: its value in Rust is its value in the algebra, and a comparison is
    /// that of integers.
    fn is_leaf(&self, expr: &Expr) -> bool {
        match self.strip_deref(expr) {
            Expr::Lit(_) => true,
            Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && matches!(*unary.expr, Expr::Lit(_)),
            Expr::Path(path) => match path.path.get_ident().and_then(|name| self.scopes.get(name)) {
                Some(Binding::Static(_) | Binding::Index { .. }) => true,
                Some(Binding::Local(local)) => match local.number {
                    Some(IntTy::Known(ty)) => {
                        static_eval::Scope::relies_on(&self.scopes, ty);
                        true
                    }
                    Some(IntTy::Infer) => true,
                    None => false,
                },
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether patterns of `let`s in a condition bind a name that an expression mentions.
fn rebinds(condition: &Expr, expr: &Expr) -> bool {
    struct ConditionNames(HashSet<String>);
    impl<'ast> Visit<'ast> for ConditionNames {
        fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
            self.0.insert(hygiene::text(&pattern.ident));
            visit::visit_pat_ident(self, pattern);
        }
        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0.extend(hygiene::word_set(mac.tokens.clone()));
        }
    }
    if !contains_let(condition) {
        return false;
    }
    let mut bound = ConditionNames(HashSet::new());
    bound.visit_expr(condition);
    !bound.0.is_disjoint(&hygiene::word_set(expr.to_token_stream()))
}

#[cfg(test)]
mod tests {
    use quote::quote;

    fn assertions(condition: &proc_macro2::TokenStream) -> usize {
        let kernel = quote! {
            fn kernel(t: &[i16], h: usize, w: usize, v: usize, x: isize) -> i16 {
                let t = Block::external(t, [h, w]);
                let part = t[[1.., 2..]];
                if #condition { part[[v, x]] } else { 0 }
            }
        };
        let expansion = crate::kernel(proc_macro2::TokenStream::new(), kernel).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        expansion.matches("assert_within").count() + expansion.matches("shim . offset").count()
    }

    #[test]
    fn what_a_tensor_contains_needs_no_assertion() {
        assert_eq!(assertions(&quote!(part.contains([v, x]))), 0);
        assert_eq!(assertions(&quote!(h > 3 && part.contains([v, x]))), 0);
        assert_eq!(assertions(&quote!(t.contains([v + 1, x + 2]))), 0);
        assert_eq!(assertions(&quote!(t.contains([v, x]))), 1);
        assert_eq!(assertions(&quote!(!part.contains([v, x]))), 1);
        assert_eq!(assertions(&quote!(h > 3 || part.contains([v, x]))), 1);
    }

    fn accesses(body: &proc_macro2::TokenStream) -> (usize, usize) {
        let kernel = quote! {
            fn kernel(slice: &[u16], mv: &[i16], high: usize, wide: usize, y: isize, x: isize, number: u16) -> i16 {
                let slice = Block::external(slice, [high, wide]).coarsened([16, 16]);
                let mv = Block::external(mv, [4 * high, 4 * wide]).coarsened([4, 4]);
                let (slice, mv) = (slice.refine([16, 16]), mv.refine([4, 4]));
                #body
            }
        };
        let expansion = crate::kernel(proc_macro2::TokenStream::new(), kernel).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        let tests = expansion.matches("assert_within").count() + expansion.matches(". inside_of").count();
        (tests, expansion.matches(". inside (").count())
    }

    #[test]
    fn what_a_get_has_found_needs_no_assertion() {
        assert_eq!(accesses(&quote!(mv.get([y, x]).map_or(0, |mv| slice[[y, x]] as i16 + mv))), (0, 1));
        assert_eq!(
            accesses(&quote!(if let Some(_) = mv.get([y, x]) { slice[[y, x]] as i16 } else { 0 })),
            (0, 1)
        );
        // Another index, what runs without an element, a rule that always finds one, and a method that is not
        // `Option`'s own.
        assert_eq!(accesses(&quote!(mv.get([y, x]).map_or(0, |mv| slice[[y, x + 1]] as i16 + mv))), (1, 1));
        assert_eq!(accesses(&quote!(mv.get([y, x]).unwrap_or_else(|| slice[[y, x]] as i16))), (1, 1));
        let ruled = quote!(mv.boundary(Clamp).get([y, x]).map_or(0, |mv| slice[[y, x]] as i16 + mv));
        assert_eq!(accesses(&ruled).0, 1);
        assert_eq!(accesses(&quote!(mv.get([y, x]).of(|mv| slice[[y, x]] as i16))), (1, 1));
    }

    #[test]
    fn a_name_bound_anew_is_another_index() {
        assert_eq!(
            accesses(&quote!(if let Some(x) = mv.get([y, x]) { slice[[y, x]] as i16 } else { 0 })).0,
            1
        );
        let later = quote!(if let Some(_) = mv.get([y, x])
            && let Some(x) = f()
        {
            slice[[y, x]] as i16
        } else {
            0
        });
        assert_eq!(accesses(&later).0, 1);
        let later = quote!(if mv.contains([y, x])
            && let Some(x) = f()
        {
            slice[[y, x]] as i16
        } else {
            0
        });
        assert_eq!(accesses(&later).0, 1);
        assert_eq!(accesses(&quote!(mv.get([y, x]).map_or(0, |x| slice[[y, x]] as i16))).0, 1);
    }

    #[test]
    fn a_predicate_is_asked_inside_of_the_block() {
        let near = quote!(let near = mv.within(|[y, x]| slice[[y, x]] == number););
        assert_eq!(accesses(&quote!(#near near.get([y, x]).unwrap_or(0))), (0, 1));
        assert_eq!(accesses(&quote!(#near near[[y, x]])), (0, 1));
        let beyond = quote!(let near = mv.within(|[y, x]| slice[[y - 1, x]] == number););
        assert_eq!(accesses(&quote!(#beyond near.get([y, x]).unwrap_or(0))), (1, 1));
        let point = quote!(let near = mv.within(|p| slice[p] == number););
        assert_eq!(accesses(&quote!(#point near.get([y, x]).unwrap_or(0))), (0, 1));
        let row = quote!(let near = mv.within(|[y, _]| slice[[y, 0]] == number););
        assert_eq!(accesses(&quote!(#row near.get([y, x]).unwrap_or(0))), (1, 1));
    }

    #[test]
    fn a_guard_serves_the_places_that_follow_from_it() {
        let kernel = quote! {
            fn kernel(h: usize, w: usize, out: &mut [bool]) {
                let modes = Block::heap::<u8>([h / 16, w / 16]).coarsened([16, 16]);
                let out = Block::external(out, [h / 4, w / 4]).coarsened([4, 4]);
                let used = modes.refine([16, 16]);
                for [mb_y, mb_x] in modes.indices() {
                    for y in 0..4 {
                        for x in 0..4 {
                            let r = 16 * mb_y + 4 * y;
                            let c = 16 * mb_x + 4 * x;
                            let near = used[[r..r + 4, c..c + 4]];
                            out[[4 * mb_y + y, 4 * mb_x + x]] = near.contains([-1, -1])
                                && near[[-1, -1]] == near[[-1, 0]]
                                && near[[0, -1]] == near[[0, 0]];
                        }
                    }
                }
            }
        };
        let expansion = crate::kernel(proc_macro2::TokenStream::new(), kernel).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        assert!(!expansion.contains("assert_within") && !expansion.contains("shim . offset"), "{expansion}");
    }
}
