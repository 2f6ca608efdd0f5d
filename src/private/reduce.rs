//! The steps of staged reductions: each does to an accumulator what std's consumer of that name does.

use super::Runtime;
use core::iter::{Product, Sum};

impl Runtime {
    /// What a sum starts from.
    #[inline(always)]
    pub fn sum_identity<T: Sum<T>>(self) -> T {
        core::iter::empty::<T>().sum()
    }

    /// What a product starts from.
    #[inline(always)]
    pub fn product_identity<T: Product<T>>(self) -> T {
        core::iter::empty::<T>().product()
    }

    /// What a search starts from.
    #[inline(always)]
    pub fn none<T>(self) -> Option<T> {
        None
    }

    /// What a search by key has found.
    #[inline(always)]
    pub fn item<K, T>(self, best: Option<(K, T)>) -> Option<T> {
        best.map(|(_, item)| item)
    }

    /// The smaller; the first of equals.
    #[inline(always)]
    pub fn min<T: Ord>(self, best: Option<T>, item: T) -> Option<T> {
        Some(match best {
            Some(best) => Ord::min(best, item),
            None => item,
        })
    }

    /// The larger; the last of equals.
    #[inline(always)]
    pub fn max<T: Ord>(self, best: Option<T>, item: T) -> Option<T> {
        Some(match best {
            Some(best) => Ord::max(best, item),
            None => item,
        })
    }

    /// The item with the smaller key; the first of equals.
    #[inline(always)]
    pub fn min_by_key<K: Ord, T>(self, best: Option<(K, T)>, key: K, item: T) -> Option<(K, T)> {
        match best {
            Some(best) if best.0 <= key => Some(best),
            _ => Some((key, item)),
        }
    }

    /// The item with the larger key; the last of equals.
    #[inline(always)]
    pub fn max_by_key<K: Ord, T>(self, best: Option<(K, T)>, key: K, item: T) -> Option<(K, T)> {
        match best {
            Some(best) if best.0 > key => Some(best),
            _ => Some((key, item)),
        }
    }
}
