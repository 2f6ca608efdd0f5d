//! What a stage captures is borrowed from its definition to its last read, as by a closure.

// The element would be the old one with a word and the new one without.
//@ reject
mod captured_slice_changes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], m: &mut [i32]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| v[[i]] * m[0]);
        let first = s[[0]];
        m[0] = 7;
        first + s[[1]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut [1, 2])
    }
}

//@ reject
mod captured_slice_changes_in_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], m: &mut [i32]) -> i32 {
        let v = Block::external(v, [4]);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| v[[i]] * m[0]);
        let first = s[[0]];
        m[0] = 7;
        first + s[[0]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut [1, 2])
    }
}

//@ reject
mod captured_reference_changes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], m: &mut i32) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| v[[i]] * *m);
        let mut sum = 0;
        for i in 0..4 {
            sum += s[[i]];
            *m += 1;
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut 1)
    }
}

//@ reject
mod captured_field_changes {
    use shim::prelude::*;

    pub struct State {
        by: i32,
    }

    #[shim::kernel]
    fn kernel(v: &[i32; 4], state: &mut State) -> i32 {
        let v = Block::external(v, [4]);
        #[compute_at('row)]
        let s = stage::<i32>(|[i]| v[[i]] ^ state.by);
        let mut sum = 0;
        'row: for i in 0..4 {
            state.by += 1;
            sum += s[[i]];
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut State { by: 1 })
    }
}

// Another field may change.
//@ value
mod another_field_changes {
    use shim::prelude::*;

    pub struct State {
        by: i32,
        count: i32,
    }

    #[shim::kernel]
    fn kernel(v: &[i32; 4], state: &mut State) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| v[[i]] ^ state.by);
        let mut sum = 0;
        for i in 0..4 {
            state.count += 1;
            sum += s[[i]] * state.count;
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut State { by: 1, count: 0 })
    }

    pub fn want() -> i32 {
        (1 ^ 1) + (2 ^ 1) * 2 + (3 ^ 1) * 3 + (4 ^ 1) * 4
    }
}

//@ reject
mod captured_vector_grows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], m: &mut Vec<i32>) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| v[[i]] * m.len() as i32);
        let first = s[[0]];
        m.push(1);
        first + s[[1]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut vec![1])
    }
}

//@ value
mod captured_vector_grows_behind_the_last_read {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], m: &mut Vec<i32>) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| v[[i]] * m.len() as i32);
        let first = s[[0]] + s[[1]];
        m.push(1);
        first
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut vec![1])
    }

    pub fn want() -> i32 {
        3
    }
}

//@ reject
mod captured_local_reference_changes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let mut own = [1, 2];
        let m = &mut own;
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| v[[i]] ^ m[1]);
        let first = s[[0]];
        m[1] = 70;
        first + s[[0]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod captured_list_grows {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let l = Block::stack::<i32>([8]).list();
        l.push(4);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| v[[i]] ^ l.len() as i32);
        let first = s[[0]];
        l.push(5);
        first * 100 + s[[0]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod moved_into_the_stage {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], m: Vec<i32>) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| {
            let own = m;
            v[[i]] + own[0]
        });
        s[[0]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], vec![1])
    }
}

//@ reject
mod assigned_in_the_stage {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], q: &mut [(i32, i32); 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| {
            q[1].0 = 1;
            v[[i]]
        });
        s[[0]] + s[[1]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4], &mut [(0, 0); 4])
    }
}

//@ reject
mod type_of_the_index {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]: [u8; 1]| v[[i]] + i32::from(i));
        s[[3]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ value
mod type_of_the_index_that_it_is {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]: [i32; 1]| -> i32 { v[[i]] + i });
        s[[3]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        7
    }
}

//@ reject
mod type_that_the_closure_returns {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage(|[i]| -> u8 { v[[i]] });
        s[[3]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ value
mod type_that_the_closure_returns_by_inference {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> u8 {
        let v = Block::external(v, [4]);
        #[compute_at(root)]
        let s = stage(|[i]| -> u8 { 7 + if v[[i]] > 2 { 1 } else { 0 } });
        s[[3]]
    }

    pub fn run() -> u8 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> u8 {
        8
    }
}

//@ reject
mod stage_under_a_condition {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        #[cfg(not(hostile))]
        let s = stage::<i32>(|[i]| v[[i]] + 1);
        #[cfg(hostile)]
        let s = stage::<i32>(|[i]| v[[i]] + 2);
        s[[3]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

// The second of two fused loops reads a stage that is defined between them.
//@ value
mod stage_between_fused_loops {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4], m: &[i32], o: &mut [i32; 4], p: &mut [i32; 4]) {
        let v = Block::external(v, [4]);
        let o = Block::external(o, [4]);
        let p = Block::external(p, [4]);
        #[fuse]
        for i in 0..4 {
            o[[i]] = v[[i]] ^ 1;
        }
        let s = stage::<i32>(|[i]| v[[i]] ^ m[0]);
        for i in 0..4 {
            p[[i]] = s[[i]];
        }
    }

    pub fn run() -> i32 {
        let (mut o, mut p) = ([0; 4], [0; 4]);
        kernel(&[1, 2, 3, 4], &[6], &mut o, &mut p);
        o.iter().chain(&p).fold(0, |sum, own| sum * 9 + own)
    }

    pub fn want() -> i32 {
        [1, 2, 3, 4]
            .map(|i| i ^ 1)
            .iter()
            .chain(&[1, 2, 3, 4].map(|i| i ^ 6))
            .fold(0, |sum, own| sum * 9 + own)
    }
}
