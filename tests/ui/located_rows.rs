//! Mistakes in how a located struct is cut into rows.

#[shim::located(rows(h))]
struct Unnamed {
    h: usize,
    #[shape(h)]
    luma: Vec<u8>,
}

#[shim::located(columns(w) as Columns)]
struct ByColumns {
    w: usize,
    #[shape(w)]
    luma: Vec<u8>,
}

#[shim::located(rows(h, w) as BothRows)]
struct ByTwo {
    h: usize,
    w: usize,
    #[shape(h, w)]
    luma: Vec<u8>,
}

#[shim::located(rows(height) as NoRows)]
struct ByNone {
    h: usize,
    #[shape(h)]
    luma: Vec<u8>,
}

#[shim::located(rows(h) as MarginRows)]
struct Margin {
    h: usize,
    w: usize,
    #[shape(h + 64, w + 64)]
    #[at(-32, -32)]
    luma: Vec<u8>,
}

#[shim::located(rows(h) as OddRows)]
struct Odd {
    h: usize,
    #[shape(h.div_ceil(2), 4)]
    chroma: Vec<u8>,
}

#[shim::located(rows(h) as TransposedRows)]
struct Transposed {
    h: usize,
    w: usize,
    #[shape(w, h)]
    luma: Vec<u8>,
}

#[shim::located(rows(h) as SquareRows)]
struct Square {
    h: usize,
    #[shape(h, h)]
    luma: Vec<u8>,
}

#[shim::located(rows(h) as TiledRows)]
struct Tiled {
    h: usize,
    w: usize,
    #[shape(8 * h, 8 * w)]
    #[stored(tile([8, 8]))]
    luma: Vec<u8>,
}

#[shim::located(rows(h) as FineRows)]
struct Fine {
    h: usize,
    #[shape(3 * h)]
    #[refined(2)]
    luma: Vec<u8>,
}

#[shim::located(rows(h) as GenericRows)]
struct Generic<T> {
    h: usize,
    #[shape(h)]
    luma: Vec<T>,
}

#[shim::located(rows(h) as FirstRows)]
struct First {
    h: usize,
    first_row: usize,
    #[shape(h, first_row)]
    luma: Vec<u8>,
}

struct Memory(Vec<u8>);

impl std::ops::Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

#[shim::located(rows(h) as HiddenRows)]
struct Hidden {
    h: usize,
    #[shape(h)]
    luma: Memory,
}

// A kernel repeats none of it.
#[shim::kernel]
fn first(#[located] rows: &mut HiddenRows<'_>) -> u8 {
    rows.luma[[0]]
}

fn main() {}
