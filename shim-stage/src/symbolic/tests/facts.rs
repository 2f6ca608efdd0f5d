//! Proofs from facts.

use std::cmp::Ordering;

use super::super::{Facts, SymError, SymInt};
use super::{TestResult, extent, free, int};

/// `0 <= v < extent` as two facts.
fn loop_over(facts: &Facts, v: &SymInt, extent: &SymInt) -> Result<Facts, SymError> {
    Ok(facts.with(v.clone()).with(extent.sub(v)?.sub(&int(1))?))
}

#[test]
fn bounds_of_a_loop() -> TestResult {
    let (e, v) = (free(0, "e"), free(1, "v"));
    let facts = loop_over(&Facts::new(), &v, &e)?;
    assert!(facts.proves_nonneg(&v));
    assert!(facts.proves_nonneg(&v.add(&int(1))?));
    assert!(facts.proves_nonneg(&e.sub(&v)?.sub(&int(1))?));
    assert!(facts.proves_nonneg(&e.sub(&int(1))?), "the loop has a point");
    assert!(!facts.proves_nonneg(&v.sub(&int(1))?));
    assert!(!facts.proves_nonneg(&e.sub(&v)?.sub(&int(2))?));
    assert!(facts.proves_nonneg(&v.scale(3)?.add(&e)?.sub(&int(1))?));
    assert!(facts.proves_lt(&v, &e) && !facts.proves_lt(&e, &v));
    assert_eq!(facts.compare(&v, &e), Some(Ordering::Less));
    assert_eq!(facts.compare(&v, &int(0)), None);
    assert!(!Facts::new().proves_nonneg(&v));
    Ok(())
}

#[test]
fn a_coarser_loop_stays_in_the_finer_extent() -> TestResult {
    let (h, y) = (free(0, "h"), free(1, "y"));
    let facts = loop_over(&Facts::new(), &y, &h.floor_div(2)?)?;
    assert!(facts.proves_le(&y.scale(2)?.add(&int(1))?, &h.sub(&int(1))?));
    assert!(!facts.proves_le(&y.scale(2)?.add(&int(2))?, &h.sub(&int(1))?));
    let facts = loop_over(&Facts::new(), &y, &h)?;
    // The halves of rows lie within the ceiling of half the height.
    assert!(facts.proves_lt(&y.floor_div(2)?, &h.ceil_div(2)?));
    assert!(!facts.proves_lt(&y.floor_div(2)?, &h.floor_div(2)?));
    assert!(facts.proves_nonneg(&y.floor_div(2)?));
    Ok(())
}

#[test]
fn blocks_of_a_frame() -> TestResult {
    let (rows, r, y) = (free(0, "rows"), free(1, "r"), super::within(2, "y", 0, 15));
    // 16 rows of the macroblock at r, of which the frame holds rows / 16.
    let facts = loop_over(&Facts::new(), &r, &rows.floor_div(16)?)?;
    let row = r.scale(16)?.add(&y)?;
    assert!(facts.proves_lt(&row, &rows));
    assert!(facts.proves_nonneg(&row));
    assert!(!facts.proves_lt(&row.add(&int(1))?, &rows));
    Ok(())
}

#[test]
fn a_flat_index_lies_in_memory() -> TestResult {
    let (h, w, r, c) = (extent(0, "h"), extent(1, "w"), free(2, "r"), free(3, "c"));
    let facts = loop_over(&loop_over(&Facts::new(), &r, &h)?, &c, &w)?;
    let flat = r.mul(&w)?.add(&c)?;
    assert!(facts.proves_lt(&flat, &h.mul(&w)?));
    assert!(facts.proves_nonneg(&flat));
    assert!(!facts.proves_lt(&flat.add(&int(1))?, &h.mul(&w)?));
    Ok(())
}

#[test]
fn planes_of_a_tensor() -> TestResult {
    let (n, h, w) = (extent(0, "n"), extent(1, "h"), extent(2, "w"));
    let (p, y, x) = (free(3, "p"), free(4, "y"), free(5, "x"));
    let facts = loop_over(&loop_over(&loop_over(&Facts::new(), &p, &n)?, &y, &h)?, &x, &w)?;
    let flat = p.mul(&h)?.add(&y)?.mul(&w)?.add(&x)?;
    let size = n.mul(&h)?.mul(&w)?;
    assert!(facts.proves_lt(&flat, &size));
    assert!(facts.proves_nonneg(&flat));
    assert!(!facts.proves_lt(&flat.add(&int(1))?, &size));
    Ok(())
}

#[test]
fn loops_with_a_step() -> TestResult {
    let (a, b, i) = (free(0, "a"), free(1, "b"), free(2, "i"));
    for step in [2, 3, 5] {
        let count = b.sub(&a)?.ceil_div(step)?;
        let facts = loop_over(&Facts::new(), &i, &count)?;
        let index = a.add(&i.scale(step)?)?;
        assert!(facts.proves_lt(&index, &b) && facts.proves_le(&a, &index));
        assert!(!facts.proves_lt(&index.add(&int(1))?, &b));
    }
    Ok(())
}

/// A chroma plane of half the height, rounded up, over a frame.
#[test]
fn planes_of_half_the_density() -> TestResult {
    let (h, y, r) = (extent(0, "h"), free(1, "y"), free(2, "r"));
    let facts = loop_over(&Facts::new(), &y, &h.ceil_div(2)?)?;
    assert!(facts.proves_le(&y.scale(2)?, &h));
    assert!(facts.proves_lt(&y.scale(2)?, &h), "the base point of a coarsened row is a row");
    assert!(!facts.proves_lt(&y.scale(2)?.add(&int(1))?, &h), "the last row may stand for one alone");
    // Rows r..r + 16 of the frame, seen in the plane.
    let facts = Facts::new().with(r.clone()).with(h.sub(&r)?.sub(&int(16))?);
    let row = r.add(&super::within(3, "k", 0, 15))?;
    assert!(facts.proves_lt(&row.floor_div(2)?, &h.ceil_div(2)?));
    Ok(())
}

#[test]
fn chains_of_facts() -> TestResult {
    let syms: Vec<SymInt> = (0..5).map(|id| free(id, "a")).collect();
    let mut facts = Facts::new();
    for pair in syms.windows(2) {
        facts.push(pair[1].sub(&pair[0])?);
    }
    assert!(facts.proves_le(&syms[0], &syms[4]));
    assert!(!facts.proves_le(&syms[4], &syms[0]));
    Ok(())
}

#[test]
fn minima_and_maxima() -> TestResult {
    let (a, b, v) = (free(0, "a"), free(1, "b"), free(2, "v"));
    let facts = loop_over(&Facts::new(), &v, &SymInt::min(&a, &b)?)?;
    assert!(facts.proves_lt(&v, &a) && facts.proves_lt(&v, &b));
    let facts = loop_over(&loop_over(&Facts::new(), &v, &a)?, &v, &b)?;
    assert!(facts.proves_lt(&v, &SymInt::min(&a, &b)?));
    let clamped = SymInt::min(&SymInt::max(&v.sub(&int(3))?, &int(0))?, &a.sub(&int(1))?)?;
    assert!(facts.proves_nonneg(&clamped) && facts.proves_lt(&clamped, &a));
    Ok(())
}

/// Integers between bounds that no integer lies strictly between.
#[test]
fn facts_are_about_integers() -> TestResult {
    let x = free(0, "x");
    let facts = Facts::new().with(x.scale(2)?.sub(&int(1))?);
    assert!(facts.proves_nonneg(&x.sub(&int(1))?), "2 x >= 1 says x >= 1");
    Ok(())
}
