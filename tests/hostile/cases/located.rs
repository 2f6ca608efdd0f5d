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

//@ reject
mod rows_outlive_the_whole {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn first(#[located] rows: &Rows<'_>) -> u8 {
        rows.v[[0]]
    }

    pub fn run() -> u8 {
        let mut whole = Whole { h: 4, v: vec![1; 4] };
        let rows = whole.rows(1..3);
        drop(whole);
        first(&rows)
    }
}

//@ reject
mod memory_becomes_shorter_below_its_rows {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn first(#[located] rows: &Rows<'_>) -> u8 {
        rows.v[[0]]
    }

    pub fn run() -> u8 {
        let mut whole = Whole { h: 100_000, v: vec![1; 100_000] };
        let rows = whole.rows(0..100_000);
        whole.v = Vec::new();
        first(&rows)
    }
}

//@ reject
mod rows_are_had_twice {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    pub fn run() -> usize {
        let mut whole = Whole { h: 4, v: vec![1; 4] };
        let one = whole.rows(0..3);
        let other = whole.rows(2..4);
        one.range().len() + other.range().len()
    }
}

//@ reject
mod parts_of_rows_are_had_twice {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    pub fn run() -> usize {
        let mut whole = Whole { h: 4, v: vec![1; 4] };
        let mut rows = whole.rows(0..4);
        let one = rows.rows(0..3);
        let other = rows.rows(2..4);
        one.range().len() + other.range().len()
    }
}

//@ reject
mod rows_give_no_field_to_replace {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn last(#[located] rows: &Rows<'_>) -> u8 {
        rows.v[[rows.h - 1]]
    }

    pub fn run() -> u8 {
        let mut whole = Whole { h: 100_000, v: vec![1; 100_000] };
        let mut rows = whole.rows(0..100_000);
        rows.v = &mut [];
        last(&rows)
    }
}

//@ reject
mod rows_are_not_put_together_by_hand {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    pub fn run() -> usize {
        let rows = Rows { h: 100_000, first_row: 0, v: &mut [] };
        rows.range().len()
    }
}

// A kernel whose body has a method called as the one that changes lengths.
//@ reject
mod fields_are_written_in_a_kernel {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn last(#[located] rows: &mut Rows<'_>) -> u8 {
        rows.h = 100_000;
        rows.v[[rows.h - 1]]
    }

    pub fn run() -> u8 {
        last(&mut Whole { h: 4, v: vec![1; 4] }.rows(0..4))
    }
}

// Two declarations of one name, whose structs have fields of other lengths.
//@ reject
mod rows_of_another_declaration {
    use shim::prelude::*;

    mod long {
        #[shim::located(rows(h) as Rows)]
        pub struct Whole {
            pub h: usize,
            #[shape(1000 * h)]
            pub v: Vec<u8>,
        }
    }

    mod short {
        #[shim::located(rows(h) as Rows)]
        pub struct Whole {
            pub h: usize,
            #[shape(h)]
            pub v: Vec<u8>,
        }
    }

    use long::*;
    type Rows<'r> = short::Rows<'r>;

    #[shim::kernel]
    fn last(#[located] rows: &Rows<'_>) -> u8 {
        rows.v[[1000 * rows.h - 1]]
    }

    pub fn run() -> u8 {
        last(&short::Whole { h: 4, v: vec![1; 4] }.rows(0..4))
    }
}

// Other rows for each access, by a `Deref` of the user's.
//@ value | panic
mod other_rows_for_each_access {
    use shim::prelude::*;
    use std::cell::Cell;
    use std::ops::Deref;

    #[shim::located(rows(h) as Rows)]
    pub struct Whole {
        pub h: usize,
        #[shape(h)]
        pub v: Vec<u8>,
    }

    struct Two<'r>(Cell<usize>, [Rows<'r>; 2]);

    impl<'r> Deref for Two<'r> {
        type Target = Rows<'r>;

        fn deref(&self) -> &Rows<'r> {
            self.0.set(1 - self.0.get());
            &self.1[self.0.get()]
        }
    }

    #[shim::kernel]
    fn sum(#[located(Rows)] rows: &Two<'_>) -> u32 {
        let mut sum = rows.h as u32;
        for [i] in rows.v.indices() {
            sum += u32::from(rows.v[[i]]);
        }
        sum
    }

    pub fn run() -> u32 {
        let (mut long, mut short) = (Whole { h: 9999, v: vec![1; 9999] }, Whole { h: 3, v: vec![2; 3] });
        sum(&Two(Cell::new(0), [long.rows(0..9999), short.rows(0..3)]))
    }

    pub fn want() -> u32 {
        9
    }
}

// The lengths of a nested struct are those of its own extents.
//@ panic
mod rows_of_a_nested_struct {
    use shim::prelude::*;

    #[shim::located(rows(h) as InnerRows)]
    struct Inner {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        #[shape(h)]
        u: Vec<u8>,
        #[located]
        inner: Inner,
    }

    #[shim::kernel]
    fn sum(#[located] rows: &Rows<'_>) -> u32 {
        let mut sum = 0;
        for [i] in rows.u.indices() {
            sum += u32::from(rows.inner.v[[i]]);
        }
        sum
    }

    pub fn run() -> u32 {
        let inner = Inner { h: 4, v: vec![1; 4] };
        sum(&Whole { h: 1000, u: vec![1; 1000], inner }.rows(0..1000))
    }
}

// The extents of a whole wrap around where they are multiplied.
//@ panic
mod rows_whose_extents_wrap {
    use shim::prelude::*;

    #[shim::located(rows(h) as Rows)]
    struct Whole {
        h: usize,
        w: usize,
        #[shape(4 * h, 4 * w)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn at(#[located] rows: &Rows<'_>, y: usize, x: usize) -> u8 {
        rows.v[[y, x]]
    }

    pub fn run() -> u8 {
        let mut whole = Whole { h: 1, w: usize::MAX / 4 + 2, v: vec![1; 16] };
        at(&whole.rows(0..1), 3, 100_000)
    }
}

// A crate of one's own that poses as shim, with a `Checked` that checks nothing.
//@ reject
mod rows_of_a_crate_that_poses_as_shim {
    mod posing {
        pub use shim::{Block, kernel, prelude};
        pub mod __private {
            pub use shim::__private::{Fields, Located, LocatedRows, Runtime, resume};

            pub struct Checked<F, const KEY: u64>(F);

            impl<F, const KEY: u64> Checked<F, KEY> {
                pub fn new(fields: F) -> Self {
                    Self(fields)
                }
                pub fn part(self, _: std::ops::Range<usize>) -> Self {
                    self
                }
                pub fn range(&self) -> std::ops::Range<usize> {
                    0..1
                }
                pub fn split(self, _: usize) -> (Self, Self) {
                    panic!()
                }
                pub fn reborrow(&mut self) -> Self {
                    panic!()
                }
            }
        }
    }

    use shim::prelude::*;

    #[shim::located(rows(h) as Rows, crate = posing)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn last(#[located] rows: &Rows<'_>) -> u8 {
        rows.v[[rows.h - 1]]
    }

    pub fn run() -> u8 {
        last(&Whole { h: 100_000, v: vec![] }.rows(0..1))
    }
}

// Two elements of one array of fields are memories of their own.
//@ value
mod elements_of_an_array_beside_one_another {
    use shim::prelude::*;

    #[shim::located]
    struct Planes {
        h: usize,
        #[shape(h)]
        of: [Vec<u8>; 3],
    }

    #[shim::kernel]
    fn rotate(#[located] planes: &mut Planes) {
        for [i] in planes.of[0].indices() {
            let first = planes.of[0][[i]];
            planes.of[0][[i]] = planes.of[1][[i]];
            planes.of[1][[i]] = planes.of[2][[i]];
            planes.of[2][[i]] = first;
        }
    }

    pub fn run() -> Vec<Vec<u8>> {
        let mut planes = Planes { h: 3, of: [vec![1, 2, 3], vec![4, 5, 6], vec![7, 8, 9]] };
        rotate(&mut planes);
        planes.of.into()
    }

    pub fn want() -> Vec<Vec<u8>> {
        vec![vec![4, 5, 6], vec![7, 8, 9], vec![1, 2, 3]]
    }
}

//@ reject
mod memory_becomes_shorter_below_its_view {
    use shim::prelude::*;

    #[shim::located(view as Seen)]
    struct Whole {
        h: usize,
        #[shape(h)]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn last(#[located] seen: &Seen<'_>) -> u8 {
        seen.v[[seen.h - 1]]
    }

    pub fn run() -> u8 {
        let mut whole = Whole { h: 100_000, v: vec![1; 100_000] };
        let seen = whole.view();
        whole.v.clear();
        last(&seen)
    }
}

//@ panic
mod a_view_of_a_field_that_is_too_short {
    use shim::prelude::*;

    #[shim::located(view as Seen)]
    struct Whole {
        h: usize,
        #[shape(h, 2)]
        #[stored(tile([2, 2]))]
        v: Vec<u8>,
    }

    #[shim::kernel]
    fn last(#[located] seen: Seen<'_>) -> u8 {
        seen.v[[seen.h - 1, 1]]
    }

    pub fn run() -> u8 {
        // Tiles need three rows to be four.
        last(Whole { h: 3, v: vec![1; 6] }.view())
    }
}
