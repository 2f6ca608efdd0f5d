//! Located structs in located structs, and arrays of fields.

#[shim::located]
struct Total {
    h: usize,
    #[shape(h)]
    luma: Vec<u8>,
}

struct Plain {
    luma: Vec<u8>,
}

#[shim::kernel]
fn template(t: impl Tensor<u8, 1>) -> u8 {
    t[[0]]
}

#[shim::located]
struct Unnamed {
    h: usize,
    #[shape(h)]
    sums: Vec<u8>,
    #[located]
    total: (usize, Total),
}

#[shim::located]
struct Shaped {
    h: usize,
    #[located]
    #[shape(h)]
    total: Total,
}

#[shim::located]
struct Placed {
    #[located]
    #[coarsened(2)]
    total: Total,
}

#[shim::located]
struct OfATemplate {
    #[located(template)]
    total: Total,
}

const COUNT: usize = 2;

#[shim::located]
struct Counted {
    h: usize,
    #[shape(h)]
    planes: [Vec<u8>; COUNT],
}

#[shim::located]
struct CountedStructs {
    #[located]
    totals: [Total; COUNT],
}

#[shim::located]
struct Rows {
    h: usize,
    #[shape(h, 4)]
    planes: [Vec<Vec<u8>>; 2],
}

#[shim::located]
struct OfOthers {
    #[shape(total.h)]
    sums: Vec<u8>,
    #[located]
    total: Total,
}

#[shim::located]
struct Picture {
    h: usize,
    #[shape(h)]
    planes: [Vec<u8>; 3],
    #[located]
    total: Total,
    #[located]
    levels: [Total; 2],
}

#[shim::kernel]
fn by_a_value(#[located] picture: &mut Picture, c: usize) -> u8 {
    picture.planes[c][[0]]
}

#[shim::kernel]
fn behind_the_last(#[located] picture: &Picture) -> u8 {
    picture.planes[3][[0]]
}

#[shim::kernel]
fn level_by_a_value(#[located] picture: &Picture, l: usize) -> u8 {
    picture.levels[l].luma[[0]]
}

#[shim::kernel]
fn written(#[located] picture: &mut Picture) {
    picture.total.luma[[0]] = 1;
    picture.total.h = 3;
}

#[shim::kernel]
fn shared(#[located] picture: &Picture) {
    picture.total.luma[[0]] = 1;
}

#[shim::kernel]
fn no_such_field(#[located] picture: &Picture) -> u8 {
    picture.total.chroma[[0]]
}

#[shim::kernel]
fn a_struct_is_no_tensor(#[located] picture: &Picture) -> u8 {
    picture.total[[0]]
}

fn main() {}
