//! Mistakes where a located struct is taken.

#[shim::located]
struct Picture {
    h: usize,
    #[shape(h)]
    luma: Vec<u8>,
}

#[shim::kernel]
fn pattern(#[located] Picture { h, luma }: &Picture) -> u8 {
    luma[*h]
}

#[shim::kernel]
fn shaped(
    #[located]
    #[shape(4)]
    picture: &Picture,
) -> u8 {
    picture.luma[[0]]
}

impl Picture {
    #[shim::kernel]
    fn first(#[located] &self) -> u8 {
        self.luma[[0]]
    }
}

fn main() {}
