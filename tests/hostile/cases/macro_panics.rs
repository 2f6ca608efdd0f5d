//! Kernels that the compiler has to answer, though nobody means them: an error or a value, but no panic of the macro.

//@ value | reject
mod slice_of_the_only_axis {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let p = v.slice(0, 1);
        let mut s = 0;
        for [i] in p.indices() {
            s += p[[i]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        0
    }
}

//@ value | reject
mod indices_of_no_axes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let p = v.slice(0, 1);
        let mut s = 0;
        for [] in p.indices() {
            s += p[[]];
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        1
    }
}

//@ value | reject
mod reduction_over_no_axes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u32 {
        let v = Block::external(v, [8]).cast::<u32>();
        let p = v.slice(0, 1);
        p.indices().map(|[]| p[[]]).sum::<u32>() + p.indices().count() as u32
    }

    pub fn run() -> u32 {
        kernel(&[1; 8])
    }

    pub fn want() -> u32 {
        2
    }
}

//@ value | reject
mod iterators_of_no_axes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &mut [u8]) {
        let v = Block::external(v, [8]);
        let p = v.slice(0, 1);
        let [] = iters();
        p[[]] = 3;
    }

    pub fn run() -> [u8; 8] {
        let mut v = [1; 8];
        kernel(&mut v);
        v
    }

    pub fn want() -> [u8; 8] {
        [1, 3, 1, 1, 1, 1, 1, 1]
    }
}

//@ reject
mod keyword_in_a_format_string {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> String {
        let v = Block::external(v, [8]);
        format!("{let} {}", v[[0]])
    }

    pub fn run() -> String {
        kernel(&[1; 8])
    }
}

//@ reject
mod keyword_in_an_assertion {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]);
        assert!(v[[0]] == 1, "{fn}");
        v[[1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod keyword_as_a_width {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> String {
        let v = Block::external(v, [8]);
        format!("{:let$} {:.match$}", v[[0]], 1.0)
    }

    pub fn run() -> String {
        kernel(&[1; 8])
    }
}

//@ reject
mod self_and_crate_in_a_format_string {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> String {
        let v = Block::external(v, [8]);
        format!("{self} {crate} {super} {Self} {_} {}", v[[0]])
    }

    pub fn run() -> String {
        kernel(&[1; 8])
    }
}

//@ reject
mod raw_name_in_a_format_string {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], r#let: usize) -> String {
        let v = Block::external(v, [8]);
        format!("{r#let} {}", v[[0]])
    }

    pub fn run() -> String {
        kernel(&[1; 8], 3)
    }
}

//@ reject
mod braces_in_a_format_string {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> String {
        let v = Block::external(v, [8]);
        format!("{ {n {n} {0n} {n n} {n:} {n:?} {:1$}} {🙂} {n:🙂>5} }", v[[0]])
    }

    pub fn run() -> String {
        kernel(&[1; 8], 3)
    }
}

//@ value | reject
mod braces_that_are_fine {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> String {
        let v = Block::external(v, [8]);
        format!("{{n}} {n:🙂>5} {n:n$} {é} {}", v[[0]], é = 3)
    }

    pub fn run() -> String {
        kernel(&[1; 8], 3)
    }

    pub fn want() -> String {
        format!("{{n}} {n:🙂>5} {n:n$} {é} {}", 1, n = 3, é = 3)
    }
}

//@ value
mod tensor_s_name_in_a_format_string {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], n: usize) -> String {
        let t = Block::external(v, [8]);
        format!("{v:?} {n} {}", t[[n]])
    }

    pub fn run() -> String {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 3)
    }

    pub fn want() -> String {
        "[1, 2, 3, 4, 5, 6, 7, 8] 3 4".to_owned()
    }
}

// Each coordinate is short enough, and their sum is not.
//@ value | reject
#[rustfmt::skip]
mod two_sums_of_two_hundred_terms {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], k: &[usize; 400]) -> u8 {
        let [
            a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
            a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37,
            a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55,
            a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71, a72, a73,
            a74, a75, a76, a77, a78, a79, a80, a81, a82, a83, a84, a85, a86, a87, a88, a89, a90, a91,
            a92, a93, a94, a95, a96, a97, a98, a99, a100, a101, a102, a103, a104, a105, a106, a107,
            a108, a109, a110, a111, a112, a113, a114, a115, a116, a117, a118, a119, a120, a121, a122,
            a123, a124, a125, a126, a127, a128, a129, a130, a131, a132, a133, a134, a135, a136, a137,
            a138, a139, a140, a141, a142, a143, a144, a145, a146, a147, a148, a149, a150, a151, a152,
            a153, a154, a155, a156, a157, a158, a159, a160, a161, a162, a163, a164, a165, a166, a167,
            a168, a169, a170, a171, a172, a173, a174, a175, a176, a177, a178, a179, a180, a181, a182,
            a183, a184, a185, a186, a187, a188, a189, a190, a191, a192, a193, a194, a195, a196, a197,
            a198, a199, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16,
            b17, b18, b19, b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31, b32, b33, b34,
            b35, b36, b37, b38, b39, b40, b41, b42, b43, b44, b45, b46, b47, b48, b49, b50, b51, b52,
            b53, b54, b55, b56, b57, b58, b59, b60, b61, b62, b63, b64, b65, b66, b67, b68, b69, b70,
            b71, b72, b73, b74, b75, b76, b77, b78, b79, b80, b81, b82, b83, b84, b85, b86, b87, b88,
            b89, b90, b91, b92, b93, b94, b95, b96, b97, b98, b99, b100, b101, b102, b103, b104,
            b105, b106, b107, b108, b109, b110, b111, b112, b113, b114, b115, b116, b117, b118, b119,
            b120, b121, b122, b123, b124, b125, b126, b127, b128, b129, b130, b131, b132, b133, b134,
            b135, b136, b137, b138, b139, b140, b141, b142, b143, b144, b145, b146, b147, b148, b149,
            b150, b151, b152, b153, b154, b155, b156, b157, b158, b159, b160, b161, b162, b163, b164,
            b165, b166, b167, b168, b169, b170, b171, b172, b173, b174, b175, b176, b177, b178, b179,
            b180, b181, b182, b183, b184, b185, b186, b187, b188, b189, b190, b191, b192, b193, b194,
            b195, b196, b197, b198, b199
        ] = *k;
        let t = Block::external(v, [8, 8]);
        t[[
            a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15 +
            a16 + a17 + a18 + a19 + a20 + a21 + a22 + a23 + a24 + a25 + a26 + a27 + a28 + a29 + a30 +
            a31 + a32 + a33 + a34 + a35 + a36 + a37 + a38 + a39 + a40 + a41 + a42 + a43 + a44 + a45 +
            a46 + a47 + a48 + a49 + a50 + a51 + a52 + a53 + a54 + a55 + a56 + a57 + a58 + a59 + a60 +
            a61 + a62 + a63 + a64 + a65 + a66 + a67 + a68 + a69 + a70 + a71 + a72 + a73 + a74 + a75 +
            a76 + a77 + a78 + a79 + a80 + a81 + a82 + a83 + a84 + a85 + a86 + a87 + a88 + a89 + a90 +
            a91 + a92 + a93 + a94 + a95 + a96 + a97 + a98 + a99 + a100 + a101 + a102 + a103 + a104 +
            a105 + a106 + a107 + a108 + a109 + a110 + a111 + a112 + a113 + a114 + a115 + a116 +
            a117 + a118 + a119 + a120 + a121 + a122 + a123 + a124 + a125 + a126 + a127 + a128 +
            a129 + a130 + a131 + a132 + a133 + a134 + a135 + a136 + a137 + a138 + a139 + a140 +
            a141 + a142 + a143 + a144 + a145 + a146 + a147 + a148 + a149 + a150 + a151 + a152 +
            a153 + a154 + a155 + a156 + a157 + a158 + a159 + a160 + a161 + a162 + a163 + a164 +
            a165 + a166 + a167 + a168 + a169 + a170 + a171 + a172 + a173 + a174 + a175 + a176 +
            a177 + a178 + a179 + a180 + a181 + a182 + a183 + a184 + a185 + a186 + a187 + a188 +
            a189 + a190 + a191 + a192 + a193 + a194 + a195 + a196 + a197 + a198 + a199,
            b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 + b10 + b11 + b12 + b13 + b14 + b15 +
            b16 + b17 + b18 + b19 + b20 + b21 + b22 + b23 + b24 + b25 + b26 + b27 + b28 + b29 + b30 +
            b31 + b32 + b33 + b34 + b35 + b36 + b37 + b38 + b39 + b40 + b41 + b42 + b43 + b44 + b45 +
            b46 + b47 + b48 + b49 + b50 + b51 + b52 + b53 + b54 + b55 + b56 + b57 + b58 + b59 + b60 +
            b61 + b62 + b63 + b64 + b65 + b66 + b67 + b68 + b69 + b70 + b71 + b72 + b73 + b74 + b75 +
            b76 + b77 + b78 + b79 + b80 + b81 + b82 + b83 + b84 + b85 + b86 + b87 + b88 + b89 + b90 +
            b91 + b92 + b93 + b94 + b95 + b96 + b97 + b98 + b99 + b100 + b101 + b102 + b103 + b104 +
            b105 + b106 + b107 + b108 + b109 + b110 + b111 + b112 + b113 + b114 + b115 + b116 +
            b117 + b118 + b119 + b120 + b121 + b122 + b123 + b124 + b125 + b126 + b127 + b128 +
            b129 + b130 + b131 + b132 + b133 + b134 + b135 + b136 + b137 + b138 + b139 + b140 +
            b141 + b142 + b143 + b144 + b145 + b146 + b147 + b148 + b149 + b150 + b151 + b152 +
            b153 + b154 + b155 + b156 + b157 + b158 + b159 + b160 + b161 + b162 + b163 + b164 +
            b165 + b166 + b167 + b168 + b169 + b170 + b171 + b172 + b173 + b174 + b175 + b176 +
            b177 + b178 + b179 + b180 + b181 + b182 + b183 + b184 + b185 + b186 + b187 + b188 +
            b189 + b190 + b191 + b192 + b193 + b194 + b195 + b196 + b197 + b198 + b199
        ]]
    }

    pub fn run() -> u8 {
        let mut k = [0; 400];
        (k[7], k[399]) = (3, 2);
        kernel(&std::array::from_fn::<u8, 64, _>(|i| i as u8), &k)
    }

    pub fn want() -> u8 {
        26
    }
}

//@ value
mod valid_access_of_a_long_stride {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], h: usize, y: usize, x: usize) -> u8 {
        let t = Block::external(v, [h, 4]).strided([1 << 62, 1]).coarsen([1, 2]).refine([4, 4]);
        t[[4 * y, 4 * x]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4], 1, 0, 1)
    }

    pub fn want() -> u8 {
        3
    }
}

//@ panic | reject | value
mod permuted_long_strides {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], h: usize, y: usize, x: usize) -> u8 {
        let t = Block::external(v, [h, h, 4]).strided([1 << 62, 1 << 62, 1]);
        let p = t.permute([2, 0, 1]).slice(1, 8 * y);
        p[[x, 16 * y]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4], 1, 0, 2)
    }

    pub fn want() -> u8 {
        3
    }
}

//@ reject
mod literals_that_fit_nothing {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [340_282_366_920_938_463_463_374_607_431_768_211_456]);
        t[[170_141_183_460_469_231_731_687_303_715_884_105_728 * 4]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod static_division_of_the_least {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        const A: i128 = i128::MIN;
        const B: i32 = i32::MIN / -1;
        let t = Block::external(v, [8]);
        t[[A / -1]] + t[[B % -1]] + t[[-A]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod static_shift_by_anything {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        const A: i64 = 1;
        let t = Block::external(v, [8]);
        t[[A << 200]] + t[[A << -1]] + t[[A >> (1u128 << 127)]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod indices_of_every_kind {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        t[['a']]
            + t[[1.5]]
            + t[["text"]]
            + t[[b"x"]]
            + t[[true]]
            + t[[()]]
            + t[[(1, 2)]]
            + t[[[1]]]
            + t[[|| 1]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod extents_of_every_kind {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, ['a', 1.5, "text", true, (), [1], ..]);
        t[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod empty_lists_everywhere {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], #[shape()] w: &[u8]) -> u8 {
        let t = Block::external(v, []).strided([]).at([]).coarsened([]);
        let p = t.permute([]).coarsen([]).refine([]).coverage([], t);
        p[[]] + w[[]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8], &[1; 8])
    }
}

//@ reject
mod methods_without_arguments {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        let a = t.slice();
        let b = t.permute();
        let c = t.coverage();
        let d = t.footprint();
        let e = t.boundary();
        let f = t.cast();
        t.extent()
            + t.origin()
            + t.origin_in()
            + t.contains()
            + a[[0]]
            + b[[0]]
            + c[[0]]
            + d[[0]]
            + e[[0]]
            + f[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod axes_that_are_not_there {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> usize {
        let t = Block::external(v, [8]);
        let a = t.slice(1, 0);
        let b = t.slice(18_446_744_073_709_551_615, 0);
        let c = t.permute([18_446_744_073_709_551_615]);
        t.extent(-1) + t.extent(18_446_744_073_709_551_615) + usize::from(a[[0]] + b[[0]] + c[[0]])
    }

    pub fn run() -> usize {
        kernel(&[1; 8])
    }
}

//@ reject
mod factors_that_are_too_large {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        let a = t.refine([9_223_372_036_854_775_807]).refine([9_223_372_036_854_775_807]);
        let b = t.coarsen([9_223_372_036_854_775_807]).coarsen([9_223_372_036_854_775_807]);
        let c = t.coarsen([170_141_183_460_469_231_731_687_303_715_884_105_727]);
        a[[0]] + b[[0]] + c[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod ranges_of_every_kind {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        let a = t[[(0..8).step_by(0)]];
        let b = t[[(0..8).step_by(-1)]];
        let c = t[[..=170_141_183_460_469_231_731_687_303_715_884_105_727]];
        let d = t[[(..).rev()]];
        a[[0]] + b[[0]] + c[[0]] + d[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod unrolled_loops_of_every_kind {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        let mut s = 0;
        #[unroll]
        for i in 0..=170_141_183_460_469_231_731_687_303_715_884_105_727 {
            s += t[[i]];
        }
        #[unroll]
        for i in (0..4).step_by(0) {
            s += t[[i]];
        }
        #[unroll]
        for (i, j) in 0..4 {
            s += t[[i]];
        }
        s
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod options_of_every_kind {
    use shim::prelude::*;

    #[shim::kernel(crate = , checks, simd = 1, "text", 'a', crate = crate::(x))]
    fn kernel(v: &[u8]) -> u8 {
        let t = Block::external(v, [8]);
        t[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod patterns_of_every_kind {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let ref t = Block::external(v, [8]);
        let t @ u = Block::external(v, [8]);
        let [a, .., b] = Block::external(v, [8]);
        let [x, ..] = iters();
        let [x @ 1] = iters();
        for [i, ..] in t.indices() {}
        for [ref i] in t.indices() {}
        for [1] in t.indices() {}
        t[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod unfinished_statements {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let t;
        t = Block::external(v, [8]);
        let u: _ = t;
        let w = if let Some(t) = t { t } else { t };
        let x = loop {
            break t;
        };
        x[[0]] + w[[0]] + u[[0]]
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ reject
mod kernels_in_kernels {
    use shim::prelude::*;

    #[shim::kernel]
    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        #[shim::kernel]
        fn inner(w: impl Tensor<u8, 1>) -> u8 {
            #[shim::kernel]
            fn innermost(w: impl Tensor<u8, 1>) -> u8 {
                w[[0]]
            }
            innermost(w)
        }
        let t = Block::external(v, [8]);
        inner(t)
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}

//@ value | reject
mod template_within_a_kernel {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        #[shim::kernel]
        fn inner(w: impl Tensor<u8, 1>) -> u8 {
            w[[2]]
        }
        let t = Block::external(v, [8]);
        inner(t)
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u8 {
        3
    }
}

//@ reject
mod types_of_every_kind {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8], w: impl Tensor<u8, { 1 + NONE }>) -> u8 {
        v[0]
    }

    pub fn run() -> u8 {
        1
    }
}

//@ reject
mod tensors_of_every_rank {
    use shim::prelude::*;

    #[shim::kernel]
    fn a(w: impl Tensor<u8, 0>) -> u8 {
        w[[]]
    }
    #[shim::kernel]
    fn b(w: impl Tensor<u8, -1>) -> u8 {
        w[[0]]
    }
    #[shim::kernel]
    fn c(w: impl Tensor<u8, 99>) -> u8 {
        w[[0]]
    }
    #[shim::kernel]
    fn d(w: impl Tensor<u8>) -> u8 {
        w[[0]]
    }
    #[shim::kernel]
    fn kernel(v: &[u8]) -> u8 {
        let v = Block::external(v, [8]);
        a(v) + b(v) + c(v) + d(v)
    }

    pub fn run() -> u8 {
        kernel(&[1; 8])
    }
}
