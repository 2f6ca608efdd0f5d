//! Loops that compute their points in another way than one by one.

// Places between those that are needed are computed only where no operation can overflow, and lie in the memory.
//@ value
mod tabulated_places_at_the_end_of_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(17)] a: &[u8]) -> u32 {
        let out = Block::stack::<u8>([4]);
        let wide = out.cast::<u16>();
        let a = a.cast::<u16>();
        #[tabulate]
        for [i] in wide.indices() {
            wide[[i]] = (a[[5 * i]] + a[[5 * i + 1]]) >> 1;
        }
        out.indices().map(|[i]| u32::from(out[[i]])).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[255; 17])
    }

    pub fn want() -> u32 {
        4 * 255
    }
}

//@ panic
mod tabulated_reads_of_short_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(a: &[u8]) -> u32 {
        let a = Block::external(a, [64]);
        let out = Block::stack::<u8>([32]);
        #[tabulate]
        for [i] in out.indices() {
            out[[i]] = a[[2 * i]];
        }
        out.indices().map(|[i]| u32::from(out[[i]])).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1; 63])
    }
}

//@ value
mod tabulated_names_that_hide_one_another {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] a: &[u32], table: u32, at: u32) -> u32 {
        let out = Block::stack::<u32>([2, 4]);
        let a_line = 5;
        #[tabulate]
        for [i, at_2] in out.indices() {
            out[[i, at_2]] = match i {
                0 => a[[at_2]] + table + a_line,
                z if z > 5 => 0,
                z => a[[z + at_2]] * at + z as u32,
            };
        }
        let mut s = 0_u32;
        for [i, j] in out.indices() {
            s = s.wrapping_mul(31).wrapping_add(out[[i, j]]);
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], 100, 1000)
    }

    pub fn want() -> u32 {
        let all = [106, 107, 108, 109, 2001, 3001, 4001, 5001];
        all.into_iter().fold(0_u32, |s, v| s.wrapping_mul(31).wrapping_add(v))
    }
}

// A guarded statement runs only where its condition holds, although lanes read and write its elements in any case.
//@ value
mod lanes_compute_under_their_conditions {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[u8], n: usize, table: &[u8; 4], #[shape(n)] out: &mut [u8]) {
        let table = Block::external(table, [4]);
        #[lanes(4)]
        for [i] in out.indices() {
            let v = a[[i]];
            if v != 0 {
                out[[i]] = 100 / v;
            } else if i > 4 {
                out[[i]] -= 1;
            }
            if v < 4 {
                out[[i]] += table[[v as usize]];
            }
        }
    }

    pub fn run() -> u32 {
        let mut out = [0, 0, 0, 0, 0, 1, 2, 3, 4];
        kernel(&[0, 1, 200, 3, 0, 50, 0, 0, 0], 9, &[1, 2, 3, 4], &mut out);
        out.iter().fold(0, |sum, byte| 3 * sum + u32::from(*byte))
    }

    pub fn want() -> u32 {
        [1, 102, 0, 37, 1, 2, 2, 3, 4].iter().fold(0, |sum, byte| 3 * sum + byte)
    }
}

//@ panic
mod lanes_with_an_index_outside {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[usize], n: usize, #[shape(n)] out: &mut [u8]) {
        #[lanes(8)]
        for [i] in out.indices() {
            out[[i]] = a[[a[[i]]]] as u8;
        }
    }

    pub fn run() -> u32 {
        let mut out = [0; 16];
        kernel(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 12, 13, 14, 15], 16, &mut out);
        out.len() as u32
    }
}

//@ value
mod lanes_and_tasks_beside_names_of_the_same_text {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[u32], n: usize, #[shape(n)] t: &mut [u32], t_held: u32, t_shared: u32) -> u32 {
        let (t_lanes, t_held_2, i_lane, i_group) = (1, 2, 3, 4);
        #[lanes(2)]
        for [i] in t.indices() {
            if a[[i]] > 1 {
                t[[i]] = t_held + t_lanes + t_held_2 + i_lane + i_group;
            }
        }
        let (mut all, mut place): (u32, u32) = (0, 7);
        let (all_total, t_mem) = (5, 6);
        #[parallel]
        for [i] in t.indices() {
            t[[i]] += t_shared + all_total + t_mem;
            all += t[[i]];
            place |= a[[i]];
        }
        all * 10 + place
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 0], 5, &mut [1; 5], 10, 20)
    }

    pub fn want() -> u32 {
        (2 + 3 * 20 + 5 * 31) * 10 + 7
    }
}

// Elements of one memory under other extents.
//@ value
mod lanes_of_reshaped_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(t: &mut [u32; 16]) -> u32 {
        let t = Block::external(t, [16]);
        let u = t.reshape([4, 4]);
        #[lanes(4)]
        for i in 0..4 {
            u[[i, 0]] = u[[i, 1]] + 1;
            if u[[i, 0]] > 3 {
                u[[i, 2]] = u[[i, 0]] + u[[i, 3]];
            }
        }
        t.indices().map(|[i]| t[[i]] * i as u32).sum::<u32>()
    }

    pub fn run() -> u32 {
        let mut t: [u32; 16] = core::array::from_fn(|i| i as u32);
        kernel(&mut t)
    }

    pub fn want() -> u32 {
        let mut t: [u32; 16] = core::array::from_fn(|i| i as u32);
        for i in 0..4 {
            t[4 * i] = t[4 * i + 1] + 1;
            if t[4 * i] > 3 {
                t[4 * i + 2] = t[4 * i] + t[4 * i + 3];
            }
        }
        (0..16).map(|i| t[i] * i as u32).sum()
    }
}

//@ other panic
mod a_task_that_panics {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] a: &[usize], n: usize, #[shape(n)] out: &mut [u32]) -> u32 {
        let mut sum: u32 = 0;
        #[parallel]
        for [i] in out.indices() {
            out[[i]] = 12 / a[[i]] as u32;
            sum += out[[i]];
        }
        sum
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 0, 4], 5, &mut [0; 5])
    }
}

// The last write of the source decides where strides overlap.
//@ value
mod bytes_copied_to_overlapping_strides {
    use shim::prelude::*;

    #[shim::kernel]
    fn columns(#[shape(8, 8)] a: &[u8], o: &mut [u8]) {
        let o = Block::external(o, [8, 8]).strided([1, 2]);
        for [y, x] in o.indices() {
            o[[y, x]] = a[[y, x]];
        }
    }

    #[shim::kernel]
    fn rows(#[shape(8, 8)] a: &[u8], o: &mut [u8], s: usize, t: usize) {
        let o = Block::external(o, [8, 8]).strided([s, t]);
        for [y, x] in o.indices() {
            o[[y, x]] = a[[x, y]];
        }
    }

    fn number(bytes: &[u8]) -> u32 {
        bytes.iter().fold(0_u32, |s, byte| s.wrapping_mul(31).wrapping_add(u32::from(*byte)))
    }

    fn samples() -> [u8; 64] {
        core::array::from_fn(|i| (i * 7 + 3) as u8)
    }

    pub fn run() -> u32 {
        let mut o = [0; 80];
        columns(&samples(), &mut o);
        rows(&samples(), &mut o[32..], 2, 1);
        number(&o)
    }

    pub fn want() -> u32 {
        let (a, mut o) = (samples(), [0; 80]);
        for y in 0..8 {
            for x in 0..8 {
                o[y + 2 * x] = a[8 * y + x];
            }
        }
        for y in 0..8 {
            for x in 0..8 {
                o[32 + 2 * y + x] = a[8 * x + y];
            }
        }
        number(&o)
    }
}

//@ value
mod tabulated_addends_keep_their_parentheses {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(9)] a: &[u8], c: u16, d: u16) -> u32 {
        let out = Block::stack::<u16>([6, 8]);
        let a = a.cast::<u16>();
        #[tabulate]
        for [k, i] in out.indices() {
            out[[k, i]] = match k {
                0 => (c >> 1) + (d >> 1),
                1 => (a[[i]] >> 1) + (a[[i + 1]] >> 1) + (if i > 3 { 1 << 2 } else { 9 & 3 }),
                2 => (if i > 4 { a[[i]] } else { a[[i + 1]] >> 2 }) * 3 + (a[[i]] & 5) + (a[[i + 1]] | 2),
                3 => 2 * { if i == 0 { a[[0]] + 1 } else { a[[i]] ^ 3 } } + (c & d),
                4 => 2000 - (a[[i]] - (a[[i]] >> 1)) - (c ^ d),
                _ => ((a[[i + 1]] + a[[i]]) << 1) + !(a[[i]] | 0xff00),
            };
        }
        out.indices().map(|[k, i]| u32::from(out[[k, i]]) * (8 * k as u32 + i as u32 + 1)).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[7, 90, 255, 14, 3, 200, 31, 64, 129], 1001, 77)
    }

    pub fn want() -> u32 {
        let a = [7_u16, 90, 255, 14, 3, 200, 31, 64, 129];
        let (c, d) = (1001_u16, 77_u16);
        let mut sum = 0;
        for k in 0..6_usize {
            for i in 0..8_usize {
                let value = match k {
                    0 => (c >> 1) + (d >> 1),
                    1 => (a[i] >> 1) + (a[i + 1] >> 1) + (if i > 3 { 1 << 2 } else { 9 & 3 }),
                    2 => (if i > 4 { a[i] } else { a[i + 1] >> 2 }) * 3 + (a[i] & 5) + (a[i + 1] | 2),
                    3 => 2 * { if i == 0 { a[0] + 1 } else { a[i] ^ 3 } } + (c & d),
                    4 => 2000 - (a[i] - (a[i] >> 1)) - (c ^ d),
                    _ => ((a[i + 1] + a[i]) << 1) + !(a[i] | 0xff00),
                };
                sum += u32::from(value) * (8 * k as u32 + i as u32 + 1);
            }
        }
        sum
    }
}

// A cast on the way changes what values an element may have.
//@ value
mod tabulated_values_through_several_casts {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(12)] a: &[u8], #[shape(12)] wide: &[u64]) -> u32 {
        let out = Block::stack::<u16>([4]);
        let a = a.cast::<i8>().cast::<u16>();
        #[tabulate]
        for [i] in out.indices() {
            out[[i]] = a[[2 * i]] + a[[2 * i + 1]];
        }
        let products = Block::stack::<u64>([4]);
        #[tabulate]
        for [i] in products.indices() {
            products[[i]] =
                wide[[i]] * wide[[i + 1]] + wide[[i + 2]] * wide[[i + 1]] * 3 + 18446744073709550000;
        }
        let mut sum = 0_u32;
        for [i] in out.indices() {
            sum = sum.wrapping_mul(31).wrapping_add(u32::from(out[[i]]) + products[[i]] as u32);
        }
        sum
    }

    pub fn run() -> u32 {
        let mut a = [255; 12];
        for i in 0..4 {
            a[2 * i] = 3;
            a[2 * i + 1] = i as u8;
        }
        kernel(&a, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    }

    pub fn want() -> u32 {
        (0..4_u64).fold(0_u32, |sum, i| {
            let product = (i + 1) * (i + 2) + (i + 3) * (i + 2) * 3 + 18446744073709550000;
            sum.wrapping_mul(31).wrapping_add(3 + i as u32 + product as u32)
        })
    }
}

//@ value
mod tabulated_values_as_wide_as_numbers_are {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] a: &[u128], #[shape(8)] b: &[i128]) -> u32 {
        let out = Block::stack::<u128>([4]);
        #[tabulate]
        for [i] in out.indices() {
            out[[i]] = a[[i]] * a[[i + 1]] + a[[i + 2]] + 170141183460469231731687303715884105727;
        }
        let signed = Block::stack::<i128>([4]);
        #[tabulate]
        for [i] in signed.indices() {
            signed[[i]] = b[[i]] - b[[i + 1]] * b[[i + 2]] - 170141183460469231731687303715884105000;
        }
        (0..4)
            .map(|i| (out[[i]] >> 3) as u32 ^ signed[[i]] as u32)
            .fold(0, |s: u32, v| s.wrapping_mul(31) ^ v)
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4, 5, 6, 7, 8], &[1, 2, 3, 4, 5, 6, 7, 8])
    }

    pub fn want() -> u32 {
        let values = (0..4_u128).map(|i| {
            let own = (i + 1) * (i + 2) + (i + 3) + 170141183460469231731687303715884105727;
            let i = i as i128;
            let signed = (i + 1) - (i + 2) * (i + 3) - 170141183460469231731687303715884105000;
            (own >> 3) as u32 ^ signed as u32
        });
        values.fold(0, |s: u32, v| s.wrapping_mul(31) ^ v)
    }
}

// What lanes hold is as narrow as the element, wherever in a statement it is read.
//@ value
mod lanes_narrow_what_they_write {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(8)] w: &mut [u8], #[shape(8)] s: &mut [i32], #[shape(8)] c: &[u8]) {
        let w = w.cast::<i32>();
        #[lanes(8)]
        for [i] in w.indices() {
            if c[[i]] != 0 {
                w[[i]] = 300 + i;
                s[[i]] = w[[i]];
            }
        }
        #[lanes(8)]
        for [i] in w.indices() {
            s[[i]] += if c[[i]] > 1 {
                w[[i]] = 600 + i;
                w[[i]]
            } else {
                1
            };
        }
        #[lanes(4)]
        for [i] in w.indices() {
            for k in 0..3 {
                w[[i]] = w[[i]] * 200 / (k + 1);
            }
        }
        #[lanes(4)]
        for [i] in w.indices() {
            for _ in 0..2 {
                w[[i]] *= 7;
                s[[i]] += 1;
            }
            for _ in 0..2 {
                w[[i]] /= 3;
            }
        }
        #[lanes(4)]
        for [i] in w.indices() {
            if c[[i]] > 0 {
                w[[i]] += 900;
            } else {
                w[[i]] = 555;
            }
            let (z, q) = ((w[[i]] - 3), w[[i]] / 2);
            s[[i]] += z + q;
        }
        #[lanes(4)]
        for [i] in w.indices() {
            w[[i]] = w[[i]] * 5 + if w[[i]] > 9 { w[[i]] } else { 700 };
        }
    }

    fn number(w: &[u8], s: &[i32]) -> u32 {
        let s = s.iter().fold(0, |sum: u32, v| sum.wrapping_mul(31).wrapping_add(*v as u32));
        w.iter().fold(s, |sum: u32, v| sum.wrapping_mul(31).wrapping_add(u32::from(*v)))
    }

    pub fn run() -> u32 {
        let (mut w, mut s) = ([1, 2, 3, 4, 5, 60, 70, 80], [0; 8]);
        kernel(&mut w, &mut s, &[0, 1, 2, 3, 0, 5, 1, 2]);
        number(&w, &s)
    }

    pub fn want() -> u32 {
        let (mut w, mut s) = ([1_u8, 2, 3, 4, 5, 60, 70, 80], [0_i32; 8]);
        let c = [0, 1, 2, 3, 0, 5, 1, 2];
        for i in 0..8 {
            let mut own = w[i];
            let set = |own: &mut u8, value: i32| *own = value as u8;
            if c[i] != 0 {
                set(&mut own, 300 + i as i32);
                s[i] = own.into();
            }
            s[i] += if c[i] > 1 {
                set(&mut own, 600 + i as i32);
                i32::from(own)
            } else {
                1
            };
            for k in 0..3 {
                let value = i32::from(own) * 200 / (k + 1);
                set(&mut own, value);
            }
            for _ in 0..2 {
                let value = i32::from(own) * 7;
                set(&mut own, value);
                s[i] += 1;
            }
            for _ in 0..2 {
                let value = i32::from(own) / 3;
                set(&mut own, value);
            }
            let value = if c[i] > 0 { i32::from(own) + 900 } else { 555 };
            set(&mut own, value);
            s[i] += (i32::from(own) - 3) + i32::from(own) / 2;
            let wide = i32::from(own);
            set(&mut own, wide * 5 + if wide > 9 { wide } else { 700 });
            w[i] = own;
        }
        number(&w, &s)
    }
}
