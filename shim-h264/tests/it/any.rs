//! Any settings and any frames: what the fuzz target of the same name does, over fixed seeds.

use crate::common::{Rng, any};
use arbitrary::Unstructured;

#[test]
fn any_settings_and_frames() {
    let mut rng = Rng(1);
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..300).map(|_| rng.next() as u8).collect();
        any::check(&mut Unstructured::new(&bytes)).expect("enough bytes");
    }
}
