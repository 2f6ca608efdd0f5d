//! A method that a trait only declares has nothing to stage.

trait Predict {
    #[shim::kernel]
    fn predict(&self, frame: &[u8]) -> u8;
}

struct Zero;

impl Predict for Zero {
    fn predict(&self, _: &[u8]) -> u8 {
        0
    }
}

fn main() {}
