//! Mistakes in the shapes of fields. A kernel that takes the struct does not repeat them.

const BLOCK: usize = 16;

#[shim::located]
struct Picture {
    h: u32,
    w: usize,
    #[shape(BLOCK * h, width)]
    luma: Vec<u8>,
    #[shape(w, w.pow(2))]
    squares: Vec<u8>,
    #[coarsened(2, 2)]
    cb: Vec<u8>,
    #[shape(w)]
    count: u8,
    #[shape()]
    cr: Vec<u8>,
}

#[shim::kernel]
fn first(#[located] picture: &Picture) -> u8 {
    picture.luma[[0, 0]]
}

fn main() {
    let picture =
        Picture { h: 1, w: 1, luma: vec![], squares: vec![], cb: vec![], count: 0, cr: vec![] };
    first(&picture);
}
