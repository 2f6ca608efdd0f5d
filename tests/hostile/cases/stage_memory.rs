//! Stages over every kind of memory: the closure of each mentions the type of its elements.

//@ value
mod rows_vectors_and_runtime_tensors {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(
        rows: &[Vec<u8>],
        grown: &mut Vec<u16>,
        view: &Block<i32, 2>,
        n: usize,
        #[shape(2, n)] flat: &mut [u64],
    ) -> u64 {
        let r = Block::rows(rows, [2, n]);
        let g = Block::grown(grown, [n]);
        let h = Block::heap::<(u8, [i16; 2])>([n]);
        let k = Block::stack::<f32>([4]);
        for [i] in g.indices() {
            g[[i]] = 5;
            h[[i]] = (3, [1, 2]);
        }
        for [i] in k.indices() {
            k[[i]] = i as f32;
        }
        let copied = r.to_block();
        let cast = r.cast::<i32>().to_block();
        let again = flat.reshape([n, 2]);
        #[compute_at(root)]
        let s = stage::<u64>(|[y, x]| {
            u64::from(r[[y, x]])
                ^ u64::from(g[[x]])
                ^ (h[[x]].1[0] as u64)
                ^ (k[[x]] as u64)
                ^ u64::from(copied[[y, x]])
                ^ (cast[[y, x]] as u64)
                ^ (view[[y, x]] as u64)
        });
        let mut sum: u64 = 0;
        for y in 0..2 {
            for x in 0..4 {
                sum = sum.wrapping_mul(31).wrapping_add(s[[y, x]]);
            }
        }
        for [y, x] in again.indices() {
            again[[y, x]] = sum;
        }
        sum
    }

    pub fn run() -> u64 {
        let rows = vec![vec![1, 2, 3, 4], vec![5, 6, 7, 8]];
        let view = Block::from_vec([2, 4], (10..18).collect()).expect("as many");
        kernel(&rows, &mut Vec::new(), &view, 4, &mut [0; 8])
    }

    pub fn want() -> u64 {
        let mut sum: u64 = 0;
        for y in 0..2_u64 {
            for x in 0..4_u64 {
                let r = 4 * y + x + 1;
                let s = r ^ 5 ^ 1 ^ x ^ r ^ r ^ (10 + 4 * y + x);
                sum = sum.wrapping_mul(31).wrapping_add(s);
            }
        }
        sum
    }
}

//@ value
mod generics_methods_and_stages_in_stages {
    use shim::prelude::*;

    pub struct Filter {
        by: i32,
        taps: [i32; 3],
    }

    impl Filter {
        #[shim::kernel]
        fn apply<const N: usize>(&self, v: &[i32; N], out: &mut [i32; N]) {
            let v = Block::external(v, [N]).boundary(Clamp);
            let out = Block::external(out, [N]);
            let outer = stage::<i32>(|[i]| {
                let inner = stage::<i32>(|[k]| v[[k + i]] ^ self.by);
                inner[[0]] + self.taps[0] * inner[[1]]
            });
            #[compute_at('row)]
            let twice = stage::<i32>(|[i]| outer[[i]].wrapping_add(outer[[i + 1]]));
            'row: for i in 0..N {
                out[[i]] = twice[[i]] ^ twice[[i + 1]];
            }
        }
    }

    pub fn run() -> i32 {
        let mut out = [0; 5];
        Filter { by: 6, taps: [2, 3, 4] }.apply(&[1, 2, 3, 4, 5], &mut out);
        out.iter().fold(0_i32, |sum, own| sum.wrapping_mul(31).wrapping_add(*own))
    }

    pub fn want() -> i32 {
        let v = |i: i32| i.clamp(0, 4) + 1;
        let inner = |k: i32, i: i32| v(k + i) ^ 6;
        let outer = |i: i32| inner(0, i) + 2 * inner(1, i);
        let twice = |i: i32| outer(i) + outer(i + 1);
        (0..5).map(|i| twice(i) ^ twice(i + 1)).fold(0_i32, |sum, own| sum.wrapping_mul(31).wrapping_add(own))
    }
}

//@ value
mod lists {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(#[shape(n)] v: &[i32], n: usize) -> i32 {
        let list = Block::heap::<i32>([n]).list();
        for [i] in v.indices() {
            list.push(v[[i]] * 2);
        }
        let s = stage::<i32>(|[i]| v[[i]] + list[[i]] + list.len() as i32);
        s[[0]] + s[[1]]
    }

    pub fn run() -> i32 {
        kernel(&[5, 6, 7], 3)
    }

    pub fn want() -> i32 {
        15 + 3 + 18 + 3
    }
}
