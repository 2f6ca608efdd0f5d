//! Histograms, in one table and in private copies of it.

use shim::prelude::*;

/// Adds to the numbers of levels of a picture of this size.
pub type Histogram = fn(&[u8], [usize; 2], &mut [u32]);

/// How often each level occurs in a picture.
macro_rules! histograms {
    ($($(#[doc = $doc:literal])* $name:ident: $(#[$word:meta])*;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel]
        #[inline(never)]
        pub fn $name(#[shape(h, w)] t: &[u8], [h, w]: [usize; 2], #[shape(256)] table: &mut [u32]) {
            $(#[$word])*
            for y in 0..h {
                for x in 0..w {
                    table[[t[[y, x]]]] += 1;
                }
            }
        }
    )* };
}

histograms! {
    /// In one table.
    histogram: ;
    /// In four tables.
    histogram_in_copies: #[copies(4)];
    /// In two tasks, each with a table.
    histogram_in_tasks: #[copies(2)] #[parallel];
}

/// In four tables by hand.
#[inline(never)]
pub fn histogram_by_hand(t: &[u8], _: [usize; 2], table: &mut [u32]) {
    let mut tables = [[0_u32; 256]; 4];
    let (four, rest) = t.as_chunks::<4>();
    for own in four {
        for (at, level) in own.iter().enumerate() {
            tables[at][usize::from(*level)] += 1;
        }
    }
    for level in rest {
        tables[0][usize::from(*level)] += 1;
    }
    for (level, count) in table.iter_mut().enumerate() {
        *count += tables.iter().map(|own| own[level]).sum::<u32>();
    }
}
