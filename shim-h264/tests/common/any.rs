//! Arbitrary settings for arbitrary frames, good and bad.

use arbitrary::{Result, Unstructured};
use shim_h264::decide::{ByCost, Decisions, Random};
use shim_h264::{Config, Deblocking, Edges, Encoder, Error, Format, Frame, Preset, RateControl, Vbv};

use super::{dpb, i420, next, openh264, same};

/// Encodes what the bytes describe. A setting that is refused is refused before the first frame, a frame that is
/// refused leaves the stream as it is, and the stream decodes to what the encoder reconstructs.
pub(crate) fn check(u: &mut Unstructured<'_>) -> Result<()> {
    let mut config = config(u)?;
    if config.deblocking.edges != Some(Edges::None) {
        // OpenH264 filters the chroma of I_PCM as if there were no offset (`tests/exact.rs` has those by another
        // decoder), and any macroblock of noise may become one.
        config.chroma_qp_index_offset = config.chroma_qp_index_offset.min(0);
    }
    let random: bool = u.ratio(3, 4)?;
    if random {
        let seed = u.arbitrary()?;
        code(u, &config, Random::new(seed))
    } else {
        config.preset = *u.choose(&Preset::ALL)?;
        code(u, &config, ByCost)
    }
}

fn config(u: &mut Unstructured<'_>) -> Result<Config> {
    // Mostly what there is, and sometimes a little more.
    let side = |u: &mut Unstructured<'_>| {
        let side: usize = u.int_in_range(0..=40)?;
        Ok(if u.ratio(1, 40)? { side } else { 2 * side.max(1) })
    };
    let mut config = Config::new(side(u)?, side(u)?);
    config.rate = match u.int_in_range(0..=7)? {
        0 => RateControl::ConstantQuality(f32::from(u.int_in_range::<i16>(-1..=103)?) / 2.0),
        1 => RateControl::ConstantQuality(f32::from_bits(u.arbitrary()?)),
        2 => RateControl::AverageBitRate(u64::from(u.arbitrary::<u32>()?) >> u.int_in_range(0..=31)?),
        3 => RateControl::AverageBitRate(u.arbitrary()?),
        _ => RateControl::ConstantQp(u.int_in_range(0..=52)?),
    };
    if u.ratio(1, 4)? {
        let (most, bits) = if u.ratio(1, 8)? {
            (u.arbitrary()?, u.arbitrary()?)
        } else {
            (u.int_in_range(5000..=2_000_000)?, u.int_in_range(100..=2_000_000)?)
        };
        let mut vbv = Vbv::new(most, bits);
        if u.arbitrary()? {
            vbv.initial_fullness = if u.arbitrary()? { 1.0 } else { f32::from_bits(u.arbitrary()?) };
        }
        config.vbv = Some(vbv);
    }
    config.scene_cut = u.arbitrary()?;
    if u.ratio(1, 3)? {
        config.lookahead = Some(u.int_in_range(0..=4)?);
        config.mb_tree = u.arbitrary()?;
    }
    if u.ratio(1, 3)? {
        config.aq_strength = Some(f32::from(u.int_in_range::<i16>(-1..=13)?) / 4.0);
    }
    if u.ratio(1, 4)? {
        config.min_keyint = Some(u.int_in_range(0..=6)?);
    }
    config.chroma_qp_index_offset = u.int_in_range(-13..=13)?;
    config.keyint = u.int_in_range(0..=5)?;
    config.references = Some(u.int_in_range(0..=17)?);
    config.constrained_intra_pred = u.arbitrary()?;
    config.slices = u.int_in_range(0..=4)?;
    if u.ratio(1, 4)? {
        config.max_slice_size = Some(u.int_in_range(60..=400)?);
    }
    let edges = *u.choose(&[None, Some(Edges::All), Some(Edges::WithinSlices), Some(Edges::None)])?;
    config.deblocking = Deblocking { edges, alpha: u.int_in_range(-7..=7)?, beta: u.int_in_range(-7..=7)? };
    config.access_unit_delimiters = u.arbitrary()?;
    config.first_idr_pic_id = u.arbitrary()?;
    if u.ratio(1, 20)? {
        config.level = Some(u.int_in_range(0..=60)?);
    }
    if u.ratio(1, 20)? {
        config.frame_rate = (u.arbitrary()?, u.arbitrary()?);
    }
    Ok(config)
}

fn code(u: &mut Unstructured<'_>, config: &Config, decisions: impl Decisions) -> Result<()> {
    let Config { width, height, .. } = *config;
    let Ok(mut encoder) = Encoder::with_decisions(config.clone(), decisions) else { return Ok(()) };
    let frames = u.int_in_range(1..=4)?;
    let seed = u.bytes(u.len().min(256))?;
    let frames = (0..frames).map(|n| {
        let sample = |i: usize| {
            seed.get((i + n) % seed.len().max(1)).copied().unwrap_or(0).wrapping_mul((i / 512) as u8 | 1)
        };
        let count = width * height + 2 * (width.div_ceil(2) * height.div_ceil(2));
        (0..count).map(sample).collect::<Vec<u8>>()
    });
    let frames: Vec<_> = frames.collect();
    let (mut stream, mut recon, mut given) = (Vec::new(), Vec::new(), frames.iter());
    let other = vec![0; (width + 2) * (height + 1) * 2];
    while let Some(packet) = next(&mut encoder, &mut given) {
        stream.extend(packet.bytes);
        recon.push(i420(&encoder.reconstruction()));
        let other = Frame::i420(width + 2, height, &other).expect("it has the samples");
        assert!(matches!(encoder.encode(&other), Err(Error::FrameSize { .. })));
    }
    assert_eq!(recon.len(), frames.len());
    assert_eq!(config.format, Format::AnnexB);
    dpb::check(&stream, recon.len(), &format!("{config:?}"));
    let found = openh264(&stream);
    assert_eq!(found.len(), recon.len(), "{config:?}");
    for (found, recon) in found.iter().zip(&recon) {
        same(found, recon, &format!("{config:?}"));
    }
    Ok(())
}
