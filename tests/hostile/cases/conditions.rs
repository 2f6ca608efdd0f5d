//! `#[cfg]` where the macro would have to know whether it holds.

//@ reject
mod an_index_of_conditions {
    #[shim::kernel]
    fn kernel(#[shape(2, 2)] v: &[u32], y: usize, x: usize) -> u32 {
        v[[
            #[cfg(any())]
            0,
            y,
            x,
        ]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 1, 0)
    }
}

//@ reject
mod an_element_of_a_list {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        let list = [
            0,
            #[cfg(any())]
            1,
            2,
        ];
        v[[list[1]]] + list.len() as u32
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod an_element_of_a_vector {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        let list = vec![
            #[cfg(any())]
            9,
            v[[1]],
        ];
        list.iter().sum::<u32>()
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod an_argument {
    fn second(a: &[u32]) -> u32 {
        a[0]
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32]) -> u32 {
        second(
            #[cfg(any())]
            &[3],
            &[v[[1]]],
        )
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod a_parameter {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], #[cfg(any())] n: usize) -> u32 {
        v[[1]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod a_specialized_parameter {
    #[shim::kernel]
    fn kernel(
        #[shape(4)] v: &[u32],
        #[cfg(any())]
        #[specialize(1 | 2)]
        n: usize,
    ) -> u32 {
        const n: usize = 3;
        v[[n]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod an_extent {
    #[shim::kernel]
    fn kernel(
        #[shape(
            #[cfg(any())]
            2,
            4
        )]
        v: &[u32],
    ) -> u32 {
        v[[3]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4])
    }
}

//@ reject
mod a_field_of_a_pattern {
    struct Two {
        a: usize,
        b: usize,
    }

    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], two: Two) -> u32 {
        let b = 3;
        let Two {
            a,
            #[cfg(any())]
            b,
            ..
        } = two;
        v[[a + b]]
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], Two { a: 0, b: 2 })
    }
}

//@ reject
mod a_field_of_a_located_struct_under_cfg {
    #[shim::located]
    struct Table {
        n: usize,
        #[cfg(any())]
        #[shape(n)]
        v: Vec<u32>,
        #[cfg(all())]
        #[shape(n / 2)]
        v: Vec<u32>,
    }

    #[shim::kernel]
    fn kernel(#[located] table: &Table) -> u32 {
        table.v[[3]]
    }

    pub fn run() -> u32 {
        kernel(&Table { n: 4, v: vec![1; 4] })
    }
}

//@ value
mod statements_and_arms {
    #[shim::kernel]
    fn kernel(#[shape(4)] v: &[u32], n: usize) -> u32 {
        let mut s = 0;
        #[cfg(any())]
        {
            s += 100;
        }
        #[cfg(all())]
        let n = n + 1;
        match n {
            #[cfg(any())]
            2 => s += 50,
            2 => s += v[[n]],
            _ => {}
        }
        s
    }

    pub fn run() -> u32 {
        kernel(&[1, 2, 3, 4], 1)
    }

    pub fn want() -> u32 {
        3
    }
}
