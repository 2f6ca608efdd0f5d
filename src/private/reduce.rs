//! The steps of staged reductions: each does to an accumulator what std's consumer of that name does.

use core::iter::{Product, Sum};

/// What a sum starts from.
#[inline(always)]
pub fn sum_identity<T: Sum<T>>() -> T {
    core::iter::empty::<T>().sum()
}

/// What a product starts from.
#[inline(always)]
pub fn product_identity<T: Product<T>>() -> T {
    core::iter::empty::<T>().product()
}

/// The smaller; the first of equals.
#[inline(always)]
pub fn min<T: Ord>(best: Option<T>, item: T) -> T {
    match best {
        Some(best) => Ord::min(best, item),
        None => item,
    }
}

/// The larger; the last of equals.
#[inline(always)]
pub fn max<T: Ord>(best: Option<T>, item: T) -> T {
    match best {
        Some(best) => Ord::max(best, item),
        None => item,
    }
}

/// The item with the smaller key; the first of equals.
#[inline(always)]
pub fn min_by_key<K: Ord, T>(best: Option<(K, T)>, key: K, item: T) -> (K, T) {
    match best {
        Some(best) if best.0 <= key => best,
        _ => (key, item),
    }
}

/// The item with the larger key; the last of equals.
#[inline(always)]
pub fn max_by_key<K: Ord, T>(best: Option<(K, T)>, key: K, item: T) -> (K, T) {
    match best {
        Some(best) if best.0 > key => best,
        _ => (key, item),
    }
}
