//! Rows of a located struct where they are taken.

#[shim::located(rows(h) as Rows)]
struct Whole {
    h: usize,
    count: usize,
    #[shape(h)]
    luma: Vec<u8>,
    #[shape(count)]
    table: Vec<u8>,
    #[shape(h)]
    planes: [Vec<u8>; 2],
    name: String,
}

#[shim::kernel]
fn shared_rows(#[located] rows: &Rows<'_>) {
    rows.luma[[0]] = 1;
}

#[shim::kernel]
fn shared_table(#[located] rows: &mut Rows<'_>) {
    rows.table[[0]] = 1;
}

#[shim::kernel]
fn written_extent(#[located] rows: &mut Rows<'_>) {
    rows.first_row = 3;
    rows.luma[[0]] = 1;
}

#[shim::kernel]
fn a_field_that_is_no_tensor(#[located] rows: &Rows<'_>) -> usize {
    rows.name.len()
}

#[shim::kernel]
fn no_element(#[located] rows: &mut Rows<'_>, c: usize) {
    rows.planes[c][[0]] = 1;
}

#[shim::kernel]
fn the_whole(#[located] rows: &mut Rows<'_>) {
    rows.luma[[0]] = 1;
}

fn main() {
    let mut whole = Whole {
        h: 1,
        count: 1,
        luma: vec![1],
        table: vec![1],
        planes: [vec![1], vec![1]],
        name: String::new(),
    };
    the_whole(&mut whole);
    let rows = whole.rows(0..1);
    rows.luma[0] = 1;
}
