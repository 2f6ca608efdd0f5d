//! Measuring by interleaved pairs.
//!
//! The numbers that matter here are ratios of times of a few nanoseconds on a machine that others use too. Whatever
//! slows such a machine (another process, the clock of the processor) lasts much longer than a sample, so a sample
//! of the one version is followed at once by a sample of the other, and the ratio is taken within each pair; the
//! median of the ratios is what is reported. Which version comes first alternates. Criterion measures one function
//! after the other for seconds each, which compares two different times of the day; it is the right tool for one
//! function's absolute time, which this table prints as well, and for comparing it with a saved baseline (`--bench
//! criterion`).

use std::fmt;
use std::time::{Duration, Instant};

use crate::case::{Case, Random};

/// The least time that a sample repeats its work.
pub const SAMPLE: Duration = Duration::from_micros(50);

/// Ratios of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The median.
    pub median: f64,
    /// One in ten is below this.
    pub low: f64,
    /// One in ten is above this.
    pub high: f64,
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:6.3} {:6.2} {:6.2}", self.median, self.low, self.high)
    }
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The kernel.
    pub name: &'static str,
    /// Nanoseconds that the hand-written version takes, the median of its samples.
    pub hand: f64,
    /// Staged to hand-written.
    pub staged: Ratio,
    /// Library to hand-written, the median.
    pub library: f64,
}

/// The median of numbers.
///
/// # Panics
/// When there are none.
#[must_use]
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { f64::midpoint(numbers[middle - 1], numbers[middle]) }
}

/// The three versions of a case, measured: `pairs` interleaved samples of staged and hand-written, and a few of the
/// library's.
pub fn row<C: Case>(pairs: usize) -> Row {
    let mut case = C::measured(&mut Random::new(1));
    let (hand, staged) = compare(pairs, &mut case, C::hand, C::staged);
    let (_, library) = compare(7, &mut case, C::hand, C::library);
    Row { name: C::NAME, hand, staged, library: library.median }
}

/// Nanoseconds of `one`, and the ratios of `other` to `one`, of so many pairs.
///
/// # Panics
/// When there are no pairs.
pub fn compare<T>(
    pairs: usize,
    data: &mut T,
    one: impl Fn(&mut T) + Copy,
    other: impl Fn(&mut T) + Copy,
) -> (f64, Ratio) {
    let (one_times, other_times) = (repetitions(data, one), repetitions(data, other));
    paired(pairs, data, |data| sample(data, one_times, one), |data| sample(data, other_times, other))
}

/// As [`compare`], of what say themselves what time they took: the median of `one`, and the ratios.
///
/// # Panics
/// When there are no pairs.
pub fn paired<T>(
    pairs: usize,
    data: &mut T,
    mut one: impl FnMut(&mut T) -> f64,
    mut other: impl FnMut(&mut T) -> f64,
) -> (f64, Ratio) {
    let mut times = Vec::with_capacity(pairs);
    let mut ratios = Vec::with_capacity(pairs);
    for pair in 0..pairs {
        let (a, b);
        if pair % 2 == 0 {
            a = one(data);
            b = other(data);
        } else {
            b = other(data);
            a = one(data);
        }
        times.push(a);
        ratios.push(b / a);
    }
    ratios.sort_by(f64::total_cmp);
    let tenth = pairs / 10;
    let (low, high) = (ratios[tenth], ratios[pairs - 1 - tenth]);
    (median(times), Ratio { median: median(ratios), low, high })
}

/// Nanoseconds per call, over so many calls.
fn sample<T>(data: &mut T, times: u32, work: impl Fn(&mut T)) -> f64 {
    let start = Instant::now();
    for _ in 0..times {
        work(data);
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
}

/// How often a sample repeats its work to last twice as long as it must: half the time is left for a machine that
/// becomes faster.
fn repetitions<T>(data: &mut T, work: impl Fn(&mut T) + Copy) -> u32 {
    let mut times = 1;
    loop {
        let taken = sample(data, times, work) * f64::from(times);
        if taken >= 2.0 * SAMPLE.as_secs_f64() * 1e9 {
            return times;
        }
        times *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
    }

    #[test]
    fn ratios_of_known_work() {
        let work = |count: u32| {
            move |sum: &mut u64| {
                for i in 0..count {
                    *sum = std::hint::black_box(*sum + u64::from(i));
                }
            }
        };
        let (nanoseconds, ratio) = compare(31, &mut 0, work(2_000), work(20_000));
        assert!(nanoseconds > 0.0);
        assert!(ratio.low <= ratio.median && ratio.median <= ratio.high);
        assert!((5.0..20.0).contains(&ratio.median), "{ratio}");
    }
}
