//! The name of a located struct is bound once.

#[shim::located]
struct Picture {
    h: usize,
    #[shape(h)]
    luma: Vec<u8>,
}

macro_rules! replace {
    ($name:ident, $other:expr) => {
        let $name = $other;
    };
}

#[shim::kernel]
fn again(#[located] picture: &Picture, other: &Picture) -> u8 {
    let before = picture.luma[[0]];
    let picture = other;
    before + picture.luma[0]
}

#[shim::kernel]
fn closure(#[located] picture: &Picture) -> u8 {
    let first = |picture: &Picture| picture.luma[0];
    first(picture)
}

#[shim::kernel]
fn by_a_macro(#[located] picture: &Picture, other: &Picture) -> u8 {
    replace!(picture, other);
    picture.luma[[0]]
}

#[shim::kernel]
fn by_a_macro_of_its_own(#[located] picture: &Picture, other: &Picture) -> u8 {
    macro_rules! assert {
        ($name:ident, $other:expr) => {
            let $name = $other;
        };
    }
    assert!(picture, other);
    picture.luma[[0]]
}

fn main() {}
