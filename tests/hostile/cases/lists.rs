//! Lists whose capacity the macro compares with loops.

// The end of a list and what is appended have names of their own.
//@ value
mod names_of_the_expansion {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(list_end: usize, first: u32) -> u32 {
        let mut memory = [0; 8];
        let list = Block::external(&mut memory, [8]).list();
        let (value, keep, list_mem) = (first + 1, first > 2, 5);
        list.push(value + list_end as u32);
        list.push_if(keep, list_mem);
        list.extend((0..3).map(|first| first + value));
        let list_end = list_end + list.len();
        list.push(list_end as u32);
        list.push_if(!keep, value);
        list.indices().map(|[i]| list[[i]] * (i as u32 + 1)).sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(2, 3)
    }

    pub fn want() -> u32 {
        let mut list = vec![4 + 2, 5];
        list.extend((0..3).map(|first| first + 4));
        list.push(2 + list.len() as u32);
        // The memory holds the element that is not kept.
        list.push(4);
        list.iter().zip(1..).map(|(x, i)| x * i).sum()
    }
}

// The loop runs as often as the inner `n` says.
//@ panic
mod bounds_that_are_shadowed {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize, out: &mut [u32]) -> usize {
        let list = Block::external(out, [n]).list();
        let n = n + 1;
        for i in 0..n {
            list.push(i as u32);
        }
        list.len()
    }

    pub fn run() -> usize {
        kernel(4, &mut [0; 4])
    }
}

macro_rules! longer {
    ($n:ident) => {
        let $n = $n + 3;
    };
}

//@ panic | reject
mod bounds_that_a_macro_changes {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize, out: &mut [u32]) -> usize {
        let list = Block::external(out, [n]).list();
        longer!(n);
        for i in 0..n {
            list.push(i as u32);
        }
        list.len()
    }

    pub fn run() -> usize {
        kernel(4, &mut [0; 4])
    }
}

// A range of a negative length counts nothing, but does not make room either.
//@ panic
mod negative_lengths {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize, out: &mut [u32]) -> usize {
        let list = Block::external(out, [n]).list();
        for i in 0..4 {
            list.push(i as u32);
        }
        for i in 4..n {
            list.push(i as u32);
        }
        list.len()
    }

    pub fn run() -> usize {
        kernel(2, &mut [0; 2])
    }
}

// A template appends to one list under two names, and its argument appends too.
//@ value
mod lists_that_meet {
    use shim::prelude::*;

    #[shim::kernel]
    fn append(a: impl Tensor<u32, 1>, b: impl Tensor<u32, 1>, x: u32) {
        a.push(x);
        b.push({
            a.push(x + 1);
            x + 2
        });
    }

    #[shim::kernel]
    fn kernel(out: &mut [u32; 9]) -> usize {
        let list = Block::external(out, [9]).list();
        for k in 0..3 {
            append(list, list, 10 * k);
        }
        list.len()
    }

    pub fn run() -> (usize, [u32; 9]) {
        let mut out = [0; 9];
        (kernel(&mut out), out)
    }

    pub fn want() -> (usize, [u32; 9]) {
        (9, [0, 1, 2, 10, 11, 12, 20, 21, 22])
    }
}

//@ panic
mod lists_that_meet_in_less_room {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(out: &mut [u32; 8]) -> usize {
        let list = Block::external(out, [8]).list();
        let same = list;
        for k in 0..3 {
            list.push(k);
            same.push(k);
            for _ in 0..k {
                same.push(k);
            }
        }
        list.len()
    }

    pub fn run() -> usize {
        kernel(&mut [0; 8])
    }
}

// A list is made again in each iteration.
//@ value
mod a_list_of_each_iteration {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize) -> usize {
        let mut most = 0;
        let mut rounds = 0;
        loop {
            let list = Block::stack::<u8>([2]).list();
            list.push(1);
            if rounds % 2 == 0 {
                list.push(2);
            }
            most += list.len();
            rounds += 1;
            if rounds == n {
                break;
            }
        }
        most
    }

    pub fn run() -> usize {
        kernel(7)
    }

    pub fn want() -> usize {
        11
    }
}

// A jump back repeats a push that the loop around it does not count.
//@ panic
mod jumps_back {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: u32, out: &mut [u32; 4]) -> usize {
        let list = Block::external(out, [4]).list();
        let mut left = n;
        'again: loop {
            for i in 0..4_u32 {
                if left == 0 {
                    break 'again;
                }
                left -= 1;
                list.push(i);
                if i == 1 {
                    continue 'again;
                }
            }
        }
        list.len()
    }

    pub fn run() -> usize {
        kernel(5, &mut [0; 4])
    }
}

// A closure appends as often as it is called.
//@ panic
mod closures_that_append {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(n: usize, out: &mut [u32; 4]) -> usize {
        let list = Block::external(out, [4]).list();
        let mut append = |x: u32| list.push(x);
        for i in 0..n {
            append(i as u32);
        }
        list.len()
    }

    pub fn run() -> usize {
        kernel(5, &mut [0; 4])
    }
}

// What appends where an expression may run several times.
//@ panic
mod appends_in_the_condition_of_a_while {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(memory: &mut [u8; 4]) -> usize {
        let l = Block::external(&mut memory[..2], [2]).list();
        let mut n = 0;
        while {
            l.push(7);
            n += 1;
            n < 40
        } {}
        l.len()
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 4]) as u32
    }
}

//@ panic
mod appends_in_a_chain_of_conditions {
    use shim::prelude::*;

    #[shim::kernel]
    fn append(l: impl Tensor<u8, 1>, n: u8) -> bool {
        l.push_if(true, n);
        n < 40
    }

    #[shim::kernel]
    fn kernel(memory: &mut [u8; 4]) -> usize {
        let l = Block::external(&mut memory[..2], [2]).list();
        let mut n = Some(0);
        while let Some(m) = n
            && append(l, m)
        {
            n = Some(m + 1);
        }
        l.len()
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 4]) as u32
    }
}

//@ panic
mod appends_in_the_guard_of_an_or_pattern {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(memory: &mut [u8; 4], pair: (u8, u8)) -> usize {
        let l = Block::external(&mut memory[..1], [1]).list();
        match pair {
            (x, _) | (_, x)
                if {
                    l.push(x);
                    x == 2
                } => {}
            _ => {}
        }
        l.len()
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 4], (1, 2)) as u32
    }
}

//@ panic
mod appends_in_the_guard_of_a_macro {
    use shim::prelude::*;

    #[shim::kernel]
    fn kernel(memory: &mut [u8; 4], pair: (u8, u8)) -> usize {
        let l = Block::external(&mut memory[..1], [1]).list();
        let a = Block::stack::<u8>([3]);
        let found = matches!(pair, (x, _) | (_, x) if { l.extend((0..3).map(|k| a[[k]])); x == 2 });
        l.len() + usize::from(found)
    }

    pub fn run() -> u32 {
        kernel(&mut [0; 4], (1, 2)) as u32
    }
}
