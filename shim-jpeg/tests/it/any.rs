//! What the fuzz target `jpeg` does, over fixed seeds.

#[path = "../common/any.rs"]
mod inputs;

use arbitrary::Unstructured;

#[test]
fn arbitrary_settings_and_images() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    for _ in 0..1500 {
        let bytes: Vec<u8> = (0..400).map(|_| next()).collect();
        inputs::check(&mut Unstructured::new(&bytes)).unwrap();
    }
}
