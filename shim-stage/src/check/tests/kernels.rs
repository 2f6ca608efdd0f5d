//! Kernels that are executed by the tests.

use proc_macro2::TokenStream;
use quote::quote;

/// A kernel over `t` of extents `[h, w]` and `v` of extent `[n]`, with numbers beside them.
pub(crate) fn kernel(body: &TokenStream) -> TokenStream {
    quote! {
        fn kernel(t: &[i32], v: &[i32], h: usize, w: usize, n: usize, r: isize, c: i32, flip: bool) -> i32 {
            let mut s = 0;
            #body
            s
        }
    }
}

/// Bodies of kernels without opaque operations and conditions: whatever they reach is known before they run.
pub(crate) fn unconditional() -> Vec<TokenStream> {
    let t = quote!(let t = Block::external(t, [h, w]););
    let v = quote!(let v = Block::external(v, [n]););
    vec![
        // One element, and neighbors of it.
        quote!(#v s += v[[r]];),
        quote!(#v s += v[[r]] + v[[r + 2]] + v[[r - 1]];),
        quote!(#v s += v[[2 * r - 1]];),
        quote!(#v s += v[[3 - r]];),
        quote!(#t s += t[[r, c]] + t[[r + 1, c - 1]];),
        // Loops from zero, from elsewhere, forwards and backwards.
        quote!(#v for i in 0..n { s += v[[i]]; }),
        quote!(#v for i in 0..n { s += v[[i + 1]]; }),
        quote!(#v for i in 0..n { s += v[[i - 1]]; }),
        quote!(#v for i in 0..4 { s += v[[i + r]]; }),
        quote!(#v for i in 0..4 { s += v[[r - i]]; }),
        quote!(#v for i in 1..4 { s += v[[2 * i - 2]] + v[[7 - 2 * i]]; }),
        quote!(#v for i in (0..5).rev() { s += v[[i + r]]; }),
        quote!(#v for i in (1..6).step_by(2) { s += v[[i + r]]; }),
        quote!(#v for i in 0..=3 { s += v[[r + i]]; }),
        quote!(#v for i in c..4 { s += v[[i]]; }),
        quote!(#v for i in 0..c { s += v[[i]]; }),
        quote!(#v for i in 0..c { s += v[[c - i]]; }),
        // Divisions, products, minima.
        quote!(#v for i in 0..6 { s += v[[(i >> 1) + r]]; }),
        quote!(#v for i in 0..6 { s += v[[r - (i >> 1)]]; }),
        quote!(#v for i in 0..6 { s += v[[((r - i) >> 1)]]; }),
        quote!(#v for i in 0..3 { s += v[[i * n]]; }),
        quote!(#v for i in 0..3 { s += v[[i * (n >> 1)]]; }),
        quote!(#v for i in 0..4 { s += v[[i + (i >> 1) + r]]; }),
        quote!(#v for a in -3..0i32 { for i in 0..3i32 { s += v[[i * a + r]]; } }),
        quote!(#v for i in 0..3 { s += v[[r - i * n]]; }),
        quote!(#v for a in -3..0i32 { for i in 0..3i32 { let k = i * a; s += v[[k + r]]; } }),
        quote!(#v for a in 1..3i32 { for i in 0..3i32 { let k = i * a; s += v[[r - k]]; } }),
        // Two loops.
        quote!(#t for y in 0..h { for x in 0..w { s += t[[y, x]]; } }),
        quote!(#t for y in 0..h { for x in 0..w { s += t[[y + 1, x - 1]]; } }),
        quote!(#t for y in 0..3 { for x in 0..2 { s += t[[y + r, c - x]]; } }),
        quote!(#t for y in 0..3 { for x in 0..2 { s += t[[y - x + 1, r]]; } }),
        quote!(#t for y in 0..3 { for x in 0..c { s += t[[y, x]]; } }),
        quote!(#t for y in 0..c { for x in 0..3 { s += t[[x, y]]; } }),
        quote!(#v for y in 0..3 { for x in 0..=y { s += v[[x + r]]; } }),
        quote!(#v for y in 0..3 { for x in y..3 { s += v[[y + r]]; } }),
        quote!(#v for y in 0..3 { for x in y..2 { s += v[[r - y]]; } }),
        quote!(#t for [y, x] in t.indices() { s += t[[y + 1, x]]; }),
        quote!(#t for [y, x] in t.indices() { s += t[[y, x + r]]; }),
        quote!(#t #v for [y, x] in t.indices() { s += v[[x - y]]; }),
        quote!(#t #v for [y] in v.indices() { s += t[[y, y]]; }),
        // Several accesses: one assertion for all, or several that do not agree.
        quote!(#t #v s += t[[r, 0]] + v[[r]]; for i in 0..3 { s += t[[i, r]] + v[[i]]; }),
        quote!(#v for i in 0..c { s += v[[i]]; } for i in 0..c { s += v[[i + 1]]; } s += v[[c]];),
        quote!(#v for i in 0..c { s += v[[i]]; } for i in 0..3 { s += v[[i + r]]; }),
        quote!(#t for i in 0..c { s += t[[r, i]]; } for i in 0..c { s += t[[i, r]] + t[[r, i + 1]]; }),
        // Views.
        quote!(#t let p = t.permute([1, 0]); for [x, y] in p.indices() { s += p[[x, y - 1]]; }),
        quote!(#t let p = t[[r..r + 2, 1..3]]; for [y, x] in p.indices() { s += p[[y, x]]; }),
        quote!(#t let p = t.slice(0, r); for [x] in p.indices() { s += p[[x + 1]]; }),
        quote!(#v let p = v.coarsen([2]); for [x] in p.indices() { s += p[[x]] + p[[x + 1]]; }),
        quote!(#v let p = v.refine([2]); for [x] in p.indices() { s += p[[x]] + p[[x - 1]]; }),
    ]
}

/// Bodies in which something may keep an access from running, or in which its extremes are not at the ends of a loop.
pub(crate) fn conditional() -> Vec<TokenStream> {
    let t = quote!(let t = Block::external(t, [h, w]););
    let v = quote!(let v = Block::external(v, [n]););
    vec![
        // Whatever stops may leave the kernel.
        quote!(#v s += v[[r + 1]]; stop(); s += v[[r + 2]]; stop(); s += v[[r]];),
        quote!(#v stop(); s += v[[r]]; s += v[[c]];),
        quote!(#v for i in 0..3 { s += v[[i + r]]; stop(); s += v[[i + r + 1]]; }),
        quote!(#v stop(); for i in 0..3 { s += v[[i + r]]; }),
        quote!(#v for i in 0..3 { for j in 0..2 { s += v[[i + r]]; } stop(); }),
        quote!(#v { stop(); s += v[[r]]; } s += v[[c]];),
        quote!(#v for i in 0..c { s += v[[i]]; } stop(); for i in 0..c { s += v[[i]]; } s += v[[0]];),
        // Conditions, closures, loops that nothing is known of.
        quote!(#v if flip { s += v[[r]]; } s += v[[r - 1]];),
        quote!(#v if c > 0 { s += v[[c]]; } else { s += v[[r]]; }),
        quote!(#v if c > 0 { for i in 0..c { s += v[[i]]; } } s += v[[c]];),
        quote!(#v for i in 0..4 { if i > c { s += v[[i - c]]; } }),
        quote!(#v let f = || v[[r]]; s += f() + v[[c]];),
        quote!(#v while flip { s += v[[r]]; } s += v[[c]];),
        quote!(#v for i in 0..3 { if flip { break; } s += v[[i + r]]; }),
        // Not extreme at an end of the loop.
        quote!(#v for i in 0..6 { s += v[[(i >> 1) * 5 - i + r]]; }),
        quote!(#v for i in 0..6 { s += v[[i * i - 3 * i + r]]; }),
        quote!(#v for i in 0..3 { s += v[[i * r]]; }),
        quote!(#v for i in 0..3 { s += v[[r - i * r]]; }),
        quote!(#v for i in -2..3 { for j in 0..3 { s += v[[i * j + r]]; } }),
        quote!(#t for y in 0..3 { for x in 0..3 { s += t[[x * r, y]]; } }),
        quote!(#v for i in -2..3i32 { for j in 0..3i32 { let k = i * j; s += v[[k + r]]; } }),
        quote!(#v for i in -2..3i32 { for j in 0..3i32 { let k = i * j; s += v[[r - k]]; } }),
        quote!(#v for i in 0..3i32 { let k = i * c; s += v[[k]]; }),
        // Numbers that are known only after a statement.
        quote!(#v s += v[[r]]; let q = c * c; s += v[[q]];),
        quote!(#v let q = c * c; s += v[[r]]; { let p = q * c; s += v[[p]]; } s += v[[q]];),
        quote!(#v for i in 0..3 { let q = c * c; s += v[[q + i]]; }),
        quote!(s += n as i32; let q = c * c; #v s += v[[r]]; s += v[[q]];),
        quote!(let m = n * n; let v = Block::external(v, [m]); s += v[[r]];),
    ]
}

/// Bodies with reads that a boundary rule brings inside.
pub(crate) fn bounded() -> Vec<TokenStream> {
    let mut bodies = Vec::new();
    for (rule, other) in [
        (quote!(Clamp), quote!(Clamp)),
        (quote!(Mirror), quote!([Mirror, Wrap])),
        (quote!(Reflect), quote!(Reflect)),
        (quote!(Wrap), quote!([Clamp, Reflect])),
    ] {
        let t = quote!(let t = Block::external(t, [h, w]).boundary(#other););
        let v = quote!(let v = Block::external(v, [n]).boundary(#rule););
        let fixed = quote!(let t = Block::external(t, [3, 2]).boundary(#other););
        bodies.extend([
            quote!(#v s += v[[r]];),
            quote!(#v s += v[[2 * r - 1]];),
            quote!(#v for i in 0..n { s += v[[i - 1]] + v[[i]] + v[[i + 2]]; }),
            quote!(#v for [i] in v.indices() { s += v[[i - 1]] + v[[i + 1]]; }),
            quote!(#t for [y, x] in t.indices() { s += t[[y, x - 1]]; }),
            quote!(#t for [y, x] in t.indices() { s += t[[y - 1, x + 1]]; }),
            quote!(#t for [y, x] in t.indices() { for d in 0..3 { s += t[[y, x + d - 1]]; } }),
            quote!(#t for [y, x] in t.indices() { for d in 0..2 { for e in 0..3 { s += t[[y + d, x - e]]; } } }),
            quote!(#t for y in 0..h { for x in 0..w { s += t[[y + 1, 2 * x - 3]]; } }),
            quote!(#t for y in 0..h { for x in 0..w { s += t[[r, (x - 1) >> 1]]; } }),
            quote!(#t for y in 0..h { for x in 0..w { s += t[[y, w - x]] + t[[h - 2 - y, x]]; } }),
            quote!(#fixed s += t[[r, c]] + t[[1, c]];),
        ]);
    }
    bodies
}

/// Bodies with reads that are tested where they run, in loops that are long enough to be split.
pub(crate) fn tested() -> Vec<TokenStream> {
    let t = quote!(let t = Block::external(t, [h, w]).boundary(Fill(7)););
    let v = quote!(let v = Block::external(v, [n]).boundary(Fill(7)););
    vec![
        quote!(#v for [i] in v.indices() { s += v[[i - 1]]; }),
        quote!(#v for [i] in v.indices() { s += v[[i + 2]]; }),
        quote!(#v for i in 0..n { s += v[[2 * i - 3]]; }),
        quote!(#v for i in 0..n { s += v[[3 - 2 * i]] ; }),
        quote!(#v for i in 0..n { s += v[[(i - 1) >> 1]]; }),
        quote!(#v for i in 0..n { s += v[[2 - (i >> 1)]]; }),
        quote!(#v for i in 0..n { s += v[[r + i]]; }),
        quote!(#v for i in 0..n { s += v[[r]]; }),
        quote!(#v for i in 0..n { for d in 0..3 { s += v[[i + d - 1]]; } }),
        quote!(#v for i in 0..n { for d in 0..3 { s += v[[i - 2 * d + 1]]; } }),
        quote!(#v for i in 0..n { for d in 0..3 { for e in 0..2 { s += v[[i - d + e]]; } } }),
        quote!(#t for [y, x] in t.indices() { s += t[[y, x - 1]]; }),
        quote!(#t for [y, x] in t.indices() { s += t[[y - 1, x + 1]]; }),
        quote!(#t for [y, x] in t.indices() { for d in 0..2 { s += t[[y + d, x - d]]; } }),
        quote!(#t for [y, x] in t.indices() { if flip { s += t[[y, x + 1]]; } }),
        quote!(#t for y in 0..h { for x in 0..w { s += t[[r, x]]; } }),
        quote!(#t for y in 0..h { for x in 0..w { s += t[[r, x - y]]; } }),
        quote!(#t for y in 0..h { for x in 0..w { s += t[[y - 1, 1]]; } }),
        quote!(let v = Block::external(v, [4]).boundary(Fill(7)); for i in 0..40 { s += v[[i + 3]]; }),
        quote!(let v = Block::external(v, [4]).boundary(Fill(7)); for i in 0..33 { s += v[[i - 2]]; }),
    ]
}

/// Bodies with loops over a block, which are too short to be split: all of the block is inside, or all of it is tested.
pub(crate) fn blocks() -> Vec<TokenStream> {
    let mut bodies = Vec::new();
    for rule in [quote!(Fill(7)), quote!(Clamp)] {
        let t = quote!(let t = Block::external(t, [h, w]).boundary(#rule););
        let v = quote!(let v = Block::external(v, [n]).boundary(#rule););
        bodies.extend([
            quote!(#v for i in 0..4 { s += v[[r + i]]; }),
            quote!(#v for i in (0..5).rev() { s += v[[r - i]]; }),
            quote!(#v for i in (0..9).step_by(2) { s += v[[r + i - 2]]; }),
            quote!(#v for i in 0..4 { if flip { break; } s += v[[r + i]] + v[[c - i]]; }),
            quote!(#v for d in 0..2 { for i in 0..3 { s += v[[2 * r + d - i]]; } }),
            quote!(#t for y in 0..2 { for x in 0..3 { s += t[[r + y, c + x]]; } }),
            quote!(#t for y in 0..3 { for x in 0..4 { s += t[[y - 1, c + x]]; } }),
            quote!(#t for y in 0..2 { if flip { for x in 0..4 { s += t[[r - y, x]]; } } }),
            quote!(#t while flip { for y in 0..2 { for x in 0..2 { s += t[[r + y, c - x]]; } } }),
        ]);
    }
    bodies
}

/// Bodies with reads that are tested where they run, in loops that stay whole: they are short, left early, in another
/// order, or hold no range in which a test succeeds.
pub(crate) fn whole() -> Vec<TokenStream> {
    let v = quote!(let v = Block::external(v, [n]).boundary(Fill(7)););
    let double = quote!(let v = Block::external(v, [2 * n]).boundary(Fill(7)););
    let four = quote!(let v = Block::external(v, [4]).boundary(Fill(7)););
    vec![
        quote!(#v for i in 0..32 { s += v[[i - 1]]; }),
        quote!(#v for i in 0..3 { s += v[[r + i]]; }),
        quote!(#v for i in 0..4 { let mut f = || v[[r + i]]; s += f(); }),
        quote!(#v for i in 0..4 { s += v[[(i >> 1) - (i & 1) + r]]; }),
        quote!(#v for i in (0..n).rev() { s += v[[i - 1]]; }),
        quote!(#v for i in (0..n).step_by(2) { s += v[[i - 1]]; }),
        quote!(#v for i in 0..n { if flip { break; } s += v[[i - 1]]; }),
        quote!(#v for i in (0..n).rev() { if flip { break; } s += v[[i - 1]]; }),
        quote!(#v for i in 0..n { s += v[[(i >> 1) + (i >> 2) - 1]]; }),
        quote!(#v for i in 0..n { s += v[[2 * (i >> 1) - 3]]; }),
        quote!(#double for i in 0..n { s += v[[(i >> 1) + (i >> 2) - 3]]; }),
        quote!(#v for i in 0..n { s += v[[i * i - 1]]; }),
        quote!(#v for i in 0..n { s += v[[i * r]]; }),
        quote!(#v for i in 0..n { let mut f = || v[[i - 1]]; s += f(); }),
        quote!(#four for i in 0..40 { s += v[[i + 4]]; }),
        quote!(#four for i in 0..40 { s += v[[i - 40]]; }),
    ]
}
