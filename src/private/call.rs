//! Calls of the versions of a kernel that need the instructions of a level.

use super::Runtime;

macro_rules! calls {
    ($($name:ident($($argument:ident: $ty:ident),*);)*) => {
        #[allow(unsafe_code, reason = "the callers are expansions, which have asked for the level first")]
        #[allow(clippy::too_many_arguments, reason = "as many as the kernel has")]
        impl Runtime {$(
            /// `function` of the arguments.
            ///
            /// A fake runtime cannot call it: a function with `#[target_feature]` becomes an `unsafe fn` alone.
            ///
            /// # Safety
            /// The machine has the instructions that `function` was compiled for, and the caller keeps to what it
            /// demands, if it is an `unsafe fn`.
            #[inline(always)]
            pub unsafe fn $name<$($ty,)* Output>(
                self,
                function: unsafe fn($($ty),*) -> Output,
                $($argument: $ty),*
            ) -> Output {
                // SAFETY: the caller's.
                unsafe { function($($argument),*) }
            }
        )*}
    };
}
calls! {
    call_0();
    call_1(a: A);
    call_2(a: A, b: B);
    call_3(a: A, b: B, c: C);
    call_4(a: A, b: B, c: C, d: D);
    call_5(a: A, b: B, c: C, d: D, e: E);
    call_6(a: A, b: B, c: C, d: D, e: E, f: F);
    call_7(a: A, b: B, c: C, d: D, e: E, f: F, g: G);
    call_8(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H);
    call_9(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I);
    call_10(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J);
    call_11(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K);
    call_12(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L);
    call_13(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M);
    call_14(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N);
    call_15(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O);
    call_16(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P);
    call_17(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q);
    call_18(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q, r: R);
    call_19(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q, r: R, s: S);
    call_20(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q, r: R, s: S, t: T);
    call_21(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q, r: R, s: S, t: T, u: U);
    call_22(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q, r: R, s: S, t: T, u: U, v: V);
    call_23(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q, r: R, s: S, t: T, u: U, v: V, w: W);
    call_24(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q, r: R, s: S, t: T, u: U, v: V, w: W, x: X);
}
