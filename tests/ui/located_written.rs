//! Extents of a located struct do not change in a kernel, and its tensors are neither replaced nor written through `&`.

#[shim::located]
struct Picture {
    h: usize,
    #[shape(h)]
    luma: Vec<u8>,
}

#[shim::kernel]
fn grown(#[located] picture: &mut Picture) {
    picture.luma[[0]] = 1;
    picture.h += 1;
}

#[shim::kernel]
fn replaced(#[located] picture: &mut Picture) {
    picture.luma = vec![picture.luma[[0]]];
}

#[shim::kernel]
fn shared(#[located] picture: &Picture) {
    picture.luma[[0]] = 1;
}

fn main() {}
