//! Located structs: declarations that do not hold, and names beside their fields.

//@ panic
mod shorter_than_declared {
    use shim::prelude::*;

    #[shim::located]
    struct Table {
        n: usize,
        #[shape(n)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn kernel(#[located] table: &Table) -> u32 {
        let mut sum = 0;
        for [i] in table.v.indices() {
            sum += u32::from(table.v[[i]]);
        }
        sum
    }

    pub fn run() -> u32 {
        let mut table = Table { n: 100_000, v: vec![1; 100_000] };
        table.v.truncate(8);
        kernel(&table)
    }
}

// Each read of a field may find other memory.
//@ value | panic
mod another_table_for_each_field {
    use shim::prelude::*;
    use std::cell::Cell;
    use std::ops::Deref;

    #[shim::located]
    pub struct Table {
        pub n: usize,
        #[shape(n)]
        pub v: Vec<u8>,
    }

    pub struct Two(Cell<usize>, [Table; 2]);

    impl Deref for Two {
        type Target = Table;

        fn deref(&self) -> &Table {
            self.0.set(1 - self.0.get());
            &self.1[self.0.get()]
        }
    }

    #[shim::kernel]
    fn kernel(#[located(Table)] table: &Two) -> u32 {
        let mut sum = 0;
        for [i] in table.v.indices() {
            sum += u32::from(table.v[[i]]);
        }
        sum
    }

    pub fn run() -> u32 {
        let small = Table { n: 2, v: vec![1; 2] };
        let large = Table { n: 100_000, v: vec![1; 100_000] };
        kernel(&Two(Cell::new(1), [large, small]))
    }

    pub fn want() -> u32 {
        panic!("the second read finds two elements")
    }
}

//@ value
mod names_beside_fields {
    use shim::prelude::*;

    #[allow(non_upper_case_globals)]
    const table_v_: usize = 7;

    #[shim::located]
    struct Table {
        n: usize,
        #[shape(n)]
        v: [u8; 4],
        table: usize,
    }

    struct Other {
        table: Table,
    }

    #[shim::kernel]
    fn kernel(#[located] table: &Table, other: &Other, table_v: usize, table_n: usize) -> u32 {
        let n = table.n;
        let of_range = (0..table.n).len();
        let shorthand = |n: usize| table.v[[n]];
        (u32::from(table.v[[0]]) + u32::from(other.table.v[1]) + u32::from(shorthand(2)))
            * (table_v + table_n + n + of_range + table.table + table_v_) as u32
    }

    pub fn run() -> u32 {
        let table = || Table { n: 3, v: [1, 10, 100, 0], table: 1000 };
        kernel(&table(), &Other { table: table() }, 20, 30)
    }

    pub fn want() -> u32 {
        111 * (20 + 30 + 3 + 3 + 1000 + 7)
    }
}

// Two parameters of one text are two names.
//@ value
mod by_a_macro {
    use shim::prelude::*;

    #[shim::located]
    struct Table {
        n: usize,
        #[shape(n)]
        v: Vec<u32>,
    }

    macro_rules! sums {
        ($name:ident, $table:ident, $read:expr) => {
            #[shim::kernel]
            fn $name(#[located] $table: &Table, #[located] table: &Table) -> u32 {
                let mut sum = 0;
                for i in 0..table.n {
                    sum += table.v[[i]] * $read;
                }
                sum
            }
        };
    }

    sums!(kernel, table, table.v[[0]] + table.n as u32);

    pub fn run() -> u32 {
        kernel(&Table { n: 1, v: vec![5] }, &Table { n: 3, v: vec![1, 2, 3] })
    }

    pub fn want() -> u32 {
        (5 + 1) * 6
    }
}

// A macro of the user's that is no declaration, under the name of one.
//@ panic | reject
mod forged_declaration {
    use shim::prelude::*;

    struct Table {
        n: usize,
        v: Vec<u8>,
    }

    macro_rules! Forged {
        ($d:tt [ { $($next:tt)* } $($rest:tt)* ] $($state:tt)*) => {
            $($next)* ! {
                $d [ $($rest)* ]
                $($state)* { 1 Forged located { [n] { v [n + 100_000] { } } } }
            }
        };
    }

    #[shim::kernel]
    fn kernel(#[located(Forged)] table: &Table) -> u32 {
        u32::from(table.v[[99_999]])
    }

    pub fn run() -> u32 {
        kernel(&Table { n: 8, v: vec![1; 8] })
    }
}

//@ reject
mod the_struct_and_its_macro_come_from_two_places {
    mod a {
        pub struct Table {
            pub n: usize,
            pub v: Vec<u32>,
        }
    }

    mod b {
        #[shim::located]
        pub struct Table {
            pub n: usize,
            #[shape(n / 2)]
            pub v: Vec<u32>,
        }
    }

    mod both {
        pub use super::a::Table;
        pub use super::b::*;
    }

    #[shim::kernel]
    fn kernel(#[located] table: &both::Table) -> u32 {
        table.v[[0]] + table.v.extent(0) as u32
    }

    pub fn run() -> u32 {
        kernel(&both::Table { n: 4, v: vec![1; 4] })
    }
}
