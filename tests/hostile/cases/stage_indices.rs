//! Indices of stages that no `i32` has.

//@ panic
mod index_beyond_i32_where_it_is_read {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &[u8; 8], at: i64) -> u32 {
        let t = Block::external(t, [8]);
        let s = stage::<u32>(|[x]| {
            let z = x as i64;
            if 0 <= z && z < 8 { u32::from(t[[x]]) } else { 0 }
        });
        s[[at]]
    }

    pub fn run() -> u32 {
        kernel(&[7; 8], 4_294_967_299)
    }
}

//@ panic
mod index_beyond_i32_in_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &[u8; 8], at: i64) -> u32 {
        let t = Block::external(t, [8]);
        #[compute_at(root)]
        let s = stage::<u32>(|[x]| {
            let z = x as i64;
            if 0 <= z && z < 8 { u32::from(t[[x]]) } else { 0 }
        });
        s[[at]]
    }

    pub fn run() -> u32 {
        kernel(&[7; 8], 4_294_967_299)
    }
}

// Comparisons of an index are those of the number that is read at.
//@ value | panic
mod index_below_i32_in_a_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &[u8; 8], from: i64, to: i64) -> u32 {
        let t = Block::external(t, [8]);
        #[compute_at('row)]
        let s = stage::<u32>(|[x]| if x >= 0 && x < 8 { u32::from(t[[x]]) } else { 1 });
        let mut sum = 0;
        'row: for y in from..to {
            sum += s[[y]] + s[[y + 1]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[7; 8], -4_294_967_294, -4_294_967_290)
    }

    pub fn want() -> u32 {
        8
    }
}

// A loop inside the stage ends at the index.
//@ panic
mod index_that_ends_a_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &[u8; 8], at: i64) -> u32 {
        let t = Block::external(t, [8]);
        let s = stage::<u32>(|[x]| {
            let mut sum = 0;
            for i in 0..x {
                sum += u32::from(t[[i]]);
            }
            sum
        });
        s[[at]]
    }

    pub fn run() -> u32 {
        kernel(&[7; 8], 4_294_967_300)
    }
}

//@ value | panic
mod index_that_a_stage_hands_on {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &[u8; 8], at: i64) -> u32 {
        let t = Block::external(t, [8]);
        let s = stage::<u32>(|[x]| if x >= 0 && x < 8 { u32::from(t[[x]]) } else { 1 });
        #[compute_at(root)]
        let r = stage::<u32>(|[y]| s[[y * 3]] + s[[y - 1]]);
        r[[at]]
    }

    pub fn run() -> u32 {
        kernel(&[7; 8], 1_431_655_768)
    }

    pub fn want() -> u32 {
        2
    }
}

// An index that is never a value may be anything.
//@ value
mod index_beyond_i32_that_is_a_location_alone {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &[u8; 8], at: i64) -> u32 {
        let t = Block::external(t, [8]).boundary(Clamp);
        let s = stage::<u32>(|[x]| u32::from(t[[x]]) + u32::from(t[[x - 4_294_967_298]]));
        #[compute_at(root)]
        let r = stage::<u32>(|[x]| u32::from(t[[x]]) * 100 + u32::from(t[[x - 4_294_967_298]]));
        s[[at]] * 10_000 + r[[at]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 4_294_967_299)
    }

    pub fn want() -> u32 {
        100_802
    }
}

//@ value
mod index_near_the_end_of_i32 {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &[u8; 8], from: i64, to: i64) -> i64 {
        let t = Block::external(t, [8]).boundary(Clamp).cast::<i64>();
        #[compute_at(root)]
        let s = stage::<i64>(|[x]| t[[x]] + x as i64);
        let mut sum = 0;
        for y in from..to {
            sum += s[[y]];
        }
        sum
    }

    pub fn run() -> i64 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 2_147_483_643, 2_147_483_648)
    }

    pub fn want() -> i64 {
        5 * 2_147_483_645 + 40
    }
}
