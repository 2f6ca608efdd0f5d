//! Jumps in the closure of a stage are its own.

//@ value
mod return_of_a_stage {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[i]| {
            if v[[i]] > 2 {
                return 100;
            }
            v[[i]]
        });
        let mut sum = 0;
        for i in 0..4 {
            sum += s[[i]];
        }
        sum + 1
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        204
    }
}

//@ value | reject
mod return_of_a_stage_in_memory {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        #[compute_at(root)]
        let s = stage::<i32>(|[i]| {
            for k in 0..3 {
                if v[[i]] > k + 1 {
                    return 100 + k;
                }
            }
            v[[i]]
        });
        let mut sum = 0;
        for i in 0..4 {
            sum = sum * 3 + s[[i]];
        }
        sum + 1
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        ((1 * 3 + 100) * 3 + 100) * 3 + 100 + 1
    }
}

//@ value | reject
mod question_mark_of_a_stage {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[u8; 4]) -> Option<u8> {
        let v = Block::external(v, [4]);
        let s = stage::<Option<u8>>(|[i]| Some(v[[i]].checked_sub(2)? + 1));
        let mut sum = 0;
        for i in 0..4 {
            sum += s[[i]].unwrap_or(50);
        }
        Some(sum)
    }

    pub fn run() -> u32 {
        u32::from(kernel(&[0, 2, 1, 4]).unwrap_or(99))
    }

    pub fn want() -> u32 {
        50 + 1 + 50 + 3
    }
}

//@ reject
mod continue_of_the_reader_s_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let mut sum = 0;
        for i in 0..4 {
            let s = stage::<i32>(|[k]| {
                if v[[k]] == 2 {
                    continue;
                }
                v[[k]]
            });
            sum += s[[i]];
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod break_of_a_labeled_loop {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let mut sum = 0;
        'outer: for i in 0..4 {
            let s = stage::<i32>(|[k]| {
                if v[[k]] == 2 {
                    break 'outer;
                }
                v[[k]]
            });
            sum += s[[i]];
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod break_of_the_reader_s_loop_by_its_label {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[k]| {
            if v[[k]] == 2 {
                break 'outer;
            }
            v[[k]]
        });
        let mut sum = 0;
        'outer: for i in 0..4 {
            sum += s[[i]];
        }
        sum
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ value
mod jumps_inside_a_stage {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>(|[k]| {
            let mut sum = 0;
            'own: for i in 0..4 {
                for j in 0..4 {
                    if j == 2 {
                        continue 'own;
                    }
                    if i == k {
                        break 'own;
                    }
                    sum += v[[i]] * v[[j]];
                }
            }
            sum
        });
        s[[0]] + s[[1]] * 3 + s[[3]] * 5
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        3 * 3 + 5 * 18
    }
}

//@ value
mod return_of_a_stage_with_extents {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>([4], |s, [i]| {
            if v[[i]] == 2 {
                return 50;
            }
            if i > 0 { s[[i - 1]] + v[[i]] } else { v[[i]] }
        });
        s[[0]] + s[[3]] * 1000
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }

    pub fn want() -> i32 {
        57_001
    }
}

//@ reject
mod break_of_a_stage_with_extents {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>([4], |[i]| {
            if v[[i]] == 2 {
                break;
            }
            v[[i]]
        });
        s[[3]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod index_of_another_type_of_a_stage_with_extents {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(v: &[i32; 4]) -> i32 {
        let v = Block::external(v, [4]);
        let s = stage::<i32>([4], |[i]: [u8; 1]| v[[i]] + i as i32);
        s[[3]]
    }

    pub fn run() -> i32 {
        kernel(&[1, 2, 3, 4])
    }
}
