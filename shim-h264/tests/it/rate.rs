//! Rate control: what was asked for comes out, no picture is late, and scenes begin with an IDR picture.

#![expect(clippy::cast_precision_loss, reason = "all numbers are small")]

use crate::common::{Rng, exact, i420, intra, next, picture};
use shim_h264::bitstream::annex_b;
use shim_h264::decide::{ByCost, Decisions, Random};
use shim_h264::level::Level;
use shim_h264::syntax::sei::SeiPayload;
use shim_h264::syntax::sps::SeqParameterSet;
use shim_h264::syntax::stream::{StreamReader, Unit};
use shim_h264::{Config, Encoder, Error, Packet, PictureKind, Preset, RateControl, Vbv};

/// A window that wanders over the clip, upside down in every second scene; each scene has so many frames, and ends at
/// once.
fn wandering(width: usize, height: usize, frames: usize, scene: usize) -> Vec<Vec<u8>> {
    let mut y4m = y4m::decode(&include_bytes!("../media/bunny_320x176.y4m")[..]).unwrap();
    let planes: Vec<_> = std::iter::from_fn(|| {
        let frame = y4m.read_frame().ok()?;
        Some([frame.get_y_plane().to_vec(), frame.get_u_plane().to_vec(), frame.get_v_plane().to_vec()])
    })
    .collect();
    let window = |n: usize| {
        // A little further each time, by samples of chroma; there and back again, in every scene somewhere else.
        let there =
            |range: usize, by: usize| range / 2 - ((n * by + 17 * (n / scene)) % range).abs_diff(range / 2);
        let at = [there((176 - height) / 2, 1), there((320 - width) / 2, 2)];
        let turned = n / scene % 2 == 1;
        let mut samples = Vec::new();
        for (plane, by) in planes[n % planes.len()].iter().zip([2, 1, 1]) {
            let [h, w] = [height, width].map(|side| side * by / 2);
            for y in 0..h {
                let row = 160 * by * (by * at[0] + if turned { h - 1 - y } else { y }) + by * at[1];
                samples.extend_from_slice(&plane[row..row + w]);
            }
        }
        samples
    };
    (0..frames).map(window).collect()
}

fn code<D: Decisions>(config: &Config, decisions: D, frames: &[Vec<u8>]) -> (Vec<Packet>, Vec<Vec<u8>>) {
    let mut encoder = Encoder::with_decisions(config.clone(), decisions).expect("a legal configuration");
    let mut given = frames.iter();
    std::iter::from_fn(|| {
        let packet = next(&mut encoder, &mut given)?;
        assert_eq!(packet.statistics.bits, 8 * packet.bytes.len() as u64);
        assert_eq!(packet.keyframe, packet.statistics.kind != PictureKind::P);
        Some((packet, i420(&encoder.reconstruction())))
    })
    .unzip()
}

fn bits_per_second(config: &Config, packets: &[Packet]) -> f64 {
    let bits: u64 = packets.iter().map(|packet| packet.statistics.bits).sum();
    bits as f64 * f64::from(config.frame_rate.0) / f64::from(config.frame_rate.1) / packets.len() as f64
}

/// What the stream says about the time of one access unit.
#[derive(Default)]
struct Timing {
    /// `initial_cpb_removal_delay` and its offset, if a buffering period begins.
    period: Option<[i128; 2]>,
    cpb_removal_delay: i128,
}

/// That the stream is one for the buffer that it describes, by C.1 and C.3, and each picture as small as its level
/// wants.
fn conforms(config: &Config, packets: &[Packet]) {
    let mut reader = StreamReader::default();
    let mut sps = SeqParameterSet::default();
    let units: Vec<(i128, Timing)> = packets
        .iter()
        .map(|packet| {
            let mut timing = Timing::default();
            for unit in annex_b::units(&packet.bytes) {
                match reader.read(unit).expect("it can be read") {
                    Unit::Sps(found) => sps = found,
                    Unit::Sei(messages) => {
                        for message in messages {
                            match message.payload {
                                SeiPayload::BufferingPeriod(period) => {
                                    let nal = &period.nal[0];
                                    let delays =
                                        [nal.initial_cpb_removal_delay, nal.initial_cpb_removal_delay_offset];
                                    timing.period = Some(delays.map(i128::from));
                                }
                                SeiPayload::PicTiming(found) => {
                                    assert_eq!(found.dpb_output_delay, 0);
                                    timing.cpb_removal_delay = found.cpb_removal_delay.into();
                                }
                                _ => panic!("no such message was asked for"),
                            }
                        }
                    }
                    _ => {}
                }
            }
            assert_eq!(timing.period.is_some(), packet.keyframe);
            (8 * packet.bytes.len() as i128, timing)
        })
        .collect();
    let (vui, hrd) = (&sps.vui, &sps.vui.nal_hrd);
    assert!(vui.timing_info_present_flag && vui.fixed_frame_rate_flag && !vui.low_delay_hrd_flag);
    let bit_rate = (i128::from(hrd.cpb[0].bit_rate_value_minus1) + 1) << (6 + hrd.bit_rate_scale);
    let cpb_size = (i128::from(hrd.cpb[0].cpb_size_value_minus1) + 1) << (4 + hrd.cpb_size_scale);
    let vbv = config.vbv.unwrap();
    for (stated, given, unit) in [(bit_rate, vbv.max_bits_per_second, 64), (cpb_size, vbv.buffer_bits, 16)] {
        // Rounded down to sixteen digits.
        let given = i128::from(given);
        assert!(stated <= given && stated > given - unit - (given >> 15), "{stated} of {given}");
    }
    // All times are in parts of a second of which clocks, ticks and bits have whole numbers.
    let second = 90_000 * i128::from(vui.time_scale) * bit_rate;
    let (clock, tick) =
        (second / 90_000, second / i128::from(vui.time_scale) * i128::from(vui.num_units_in_tick));
    let bit = second / bit_rate;

    let mut removal_of_period = 0;
    let (mut longest, mut arrived) = (0, 0);
    // When each begins to arrive, has arrived, and is removed.
    let mut times: Vec<[i128; 3]> = Vec::new();
    for (n, (bits, timing)) in units.iter().enumerate() {
        let removal = match timing.period {
            Some([delay, _]) if n == 0 => clock * delay,
            _ => removal_of_period + tick * timing.cpb_removal_delay,
        };
        let earliest = match timing.period {
            Some([delay, offset]) => {
                assert!(n == 0 || longest == delay + offset);
                longest = delay + offset;
                assert!(delay > 0 && delay * bit_rate <= 90_000 * cpb_size);
                if n > 0 {
                    // C.3: no later than without a new period.
                    assert!(clock * (delay - 1) < removal - arrived, "picture {n}");
                }
                removal_of_period = removal;
                removal - clock * delay
            }
            None => removal - clock * longest,
        };
        if let Some([.., before]) = times.last() {
            assert_eq!(removal - before, 2 * tick, "picture {n}");
        }
        let begins = arrived.max(earliest);
        arrived = begins + bit * bits;
        assert!(arrived <= removal, "picture {n} is late: {:?}, {config:?}", packets[n].statistics);
        times.push([begins, arrived, removal]);
    }
    let [mbs_high, mbs_wide] = [config.height.div_ceil(16), config.width.div_ceil(16)];
    let number = if sps.constraint_set3_flag { 9 } else { sps.level_idc };
    let level = Level::of(number).unwrap();
    for (n, &[begins, _, removal]) in times.iter().enumerate() {
        // What the buffer holds before the removal is what has come since this picture began to.
        let held: i128 = times[n..].iter().map(|&[from, to, _]| (to.min(removal) - from).max(0)).sum();
        assert!(held <= bit * cpb_size, "the buffer has no room at picture {n}");
        // At least what the encoder says: after a new period more may come.
        let said = packets[n].statistics.buffer.unwrap();
        assert!(
            i128::from(said.before) * bit <= removal - begins
                && said.after == said.before - units[n].0 as u64
        );
        let (mbs, later) = (mbs_high * mbs_wide, usize::from(n > 0));
        let most = level.max_picture_bytes(mbs, config.frame_rate)[later];
        assert!(units[n].0 <= 8 * i128::from(most), "picture {n}: {config:?}");
        // Slices of a maximum size may be more than the level has.
        let statistics = &packets[n].statistics;
        let slices = level.max_picture_slices(mbs, config.frame_rate)[later];
        assert_eq!(statistics.beyond_level, u64::from(statistics.slices) > slices, "picture {n}: {config:?}");
    }
}

#[test]
fn no_picture_is_late() {
    let streams = std::env::var("SHIM_RATE_STREAMS").map_or(40, |n| n.parse().expect("a number"));
    let mut seen = [0; 4];
    for seed in 0..streams {
        let mut rng = Rng(seed);
        let (width, height) = (16 + 2 * rng.below(48), 16 + 2 * rng.below(40));
        let mut config = intra(width, height);
        config.frame_rate = [(30, 1), (30_000, 1001), (25, 1), (1, 3), (240, 1)][rng.below(5)];
        config.keyint = [1, 2, 5, 9, 250][rng.below(5)];
        config.access_unit_delimiters = rng.below(2) == 0;
        config.slices = 1 + rng.below(height / 16);
        config.first_idr_pic_id = (seed % 3 * 127) as u8;
        config.max_slice_size = (seed % 4 == 1).then_some(64 + 7 * (seed as usize % 50));
        config.lookahead = Some([0, 0, 3, 20][seed as usize / 2 % 4]);
        config.aq_strength = Some((seed % 3) as f32);
        // From hardly any bits a picture to many.
        let rate = f64::from(config.frame_rate.0) / f64::from(config.frame_rate.1);
        let bits = rate * 150.0 * 1.1_f64.powi(rng.below(65) as i32);
        let mut vbv = Vbv::new(bits as u64 + 64, (bits / rate * (0.5 + 0.25 * rng.below(100) as f64)) as u64);
        vbv.initial_fullness = [0.3, 0.9, 1.0][rng.below(3)];
        config.vbv = Some(vbv);
        config.rate = match rng.below(3) {
            0 => RateControl::ConstantQp(rng.below(52) as u8),
            1 => RateControl::ConstantQuality(rng.below(511) as f32 / 10.0),
            _ => RateControl::AverageBitRate((bits * (0.3 + 0.1 * rng.below(8) as f64)) as u64),
        };
        let decisions = Random::new(rng.next());
        let frames = match rng.below(3) {
            0 => wandering(width, height, 8 + rng.below(16), 6),
            _ => {
                let kinds = [rng.next(), rng.next(), rng.next()];
                (0..6 + rng.below(10)).map(|i| picture(width, height, kinds[i * i / 3 % 3])).collect()
            }
        };
        let coded = match Encoder::new(config.clone()) {
            Ok(_) if rng.below(4) == 0 => code(&config, decisions, &frames),
            Ok(_) => code(&config, ByCost, &frames),
            // Sometimes there is not enough for anything.
            Err(Error::BufferRate { .. } | Error::Buffer { .. } | Error::BufferTime { .. }) => {
                seen[3] += 1;
                continue;
            }
            Err(other) => panic!("{other}: {config:?}"),
        };
        let (packets, recon) = coded;
        conforms(&config, &packets);
        let stream: Vec<u8> = packets.iter().flat_map(|packet| &packet.bytes).copied().collect();
        exact(&stream, &recon, seed % 16 == 0, &format!("seed {seed}, {config:?}"));
        for packet in &packets {
            seen[0] += u32::from(packet.statistics.attempts > 1);
            seen[1] += u32::from(packet.statistics.dropped && packet.keyframe);
            seen[2] += u32::from(packet.statistics.dropped && !packet.keyframe);
        }
    }
    assert!(
        streams < 40 || seen.into_iter().all(|count| count > 0),
        "again, gray, skipped, refused: {seen:?}"
    );
}

/// With a look-ahead, easy pictures leave more of the buffer to the hard ones that follow.
#[test]
fn the_buffer_is_saved_for_what_follows() {
    let moving = wandering(96, 96, 60, 30);
    let frames: Vec<_> = (0..90).map(|n: usize| moving[n.saturating_sub(30)].clone()).collect();
    let qps = [0, 20].map(|lookahead| {
        let mut config = intra(96, 96);
        (config.keyint, config.lookahead, config.aq_strength) = (250, Some(lookahead), Some(0.0));
        config.rate = RateControl::ConstantQuality(18.0);
        config.vbv = Some(Vbv::new(200_000, 120_000));
        let (packets, _) = code(&config, ByCost, &frames);
        conforms(&config, &packets);
        packets.iter().map(|packet| packet.statistics.qp).collect::<Vec<_>>()
    });
    let [hardest, hardest_seen] = qps.each_ref().map(|qps| qps.iter().max().unwrap());
    assert!(hardest_seen < hardest, "{qps:?}");
}

#[test]
fn a_stream_has_the_bit_rate_that_was_asked_for() {
    let frames = wandering(64, 64, 150, 60);
    for (bits, buffer) in [(40_000, None), (80_000, Some(1)), (250_000, Some(2))] {
        let mut config = intra(64, 64);
        (config.keyint, config.frame_rate, config.preset) = (100, (25, 1), Preset::Superfast);
        config.rate = RateControl::AverageBitRate(bits);
        config.vbv = buffer.map(|seconds| Vbv::new(bits * 5 / 4, bits * seconds));
        let (packets, _) = code(&config, ByCost, &frames);
        let found = bits_per_second(&config, &packets);
        let wanted = bits as f64;
        assert!((0.95 * wanted..1.05 * wanted).contains(&found), "{found} for {wanted}");
        if config.vbv.is_some() {
            conforms(&config, &packets);
        }
        for pair in packets.windows(2).filter(|pair| !pair.iter().any(|packet| packet.keyframe)) {
            let [before, after] = [0, 1].map(|i| pair[i].statistics);
            let again = before.attempts > 1 || after.attempts > 1 || config.vbv.is_some();
            assert!(again || before.qp.abs_diff(after.qp) <= 4, "{before:?}, {after:?}");
        }
    }
}

#[test]
fn a_short_stream_of_known_length_has_its_bit_rate() {
    for (count, scene) in [(30, 30), (45, 25), (70, 100), (120, 70)] {
        let frames = wandering(160, 128, count, scene);
        for (bits, lookahead) in
            [100_000, 200_000, 400_000].into_iter().flat_map(|bits| [(bits, 0), (bits, 20)])
        {
            let mut config = Config::new(160, 128);
            config.lookahead = Some(lookahead);
            config.rate = RateControl::AverageBitRate(bits);
            config.expected_frames = Some(count as u64);
            let (packets, _) = code(&config, ByCost, &frames);
            let percent = 100.0 * (bits_per_second(&config, &packets) / bits as f64 - 1.0);
            assert!(percent.abs() < 2.0, "{percent:+.2} % from {bits} in {count} frames, {lookahead} ahead");
        }
    }
}

/// A black picture says nothing of those that it fades to.
#[test]
fn a_fade_from_black_has_its_bit_rate() {
    let moving = wandering(160, 128, 60, 60);
    let faded = |(n, samples): (usize, &Vec<u8>)| {
        let (n, luma) = (n.min(30) as u32, 160 * 128);
        let fade = |sample: u8, black: u32| ((u32::from(sample) * n + black * (30 - n)) / 30) as u8;
        samples.iter().enumerate().map(|(i, &sample)| fade(sample, if i < luma { 16 } else { 128 })).collect()
    };
    let frames: Vec<Vec<u8>> = moving.iter().enumerate().map(faded).collect();
    for (lookahead, most) in [(0, 1.5), (20, 1.05)] {
        let mut config = Config::new(160, 128);
        (config.lookahead, config.expected_frames) = (Some(lookahead), Some(60));
        config.rate = RateControl::AverageBitRate(150_000);
        let (packets, _) = code(&config, ByCost, &frames);
        let ratio = bits_per_second(&config, &packets) / 150_000.0;
        assert!((0.95..most).contains(&ratio), "{ratio}, {lookahead} ahead");
    }
}

#[test]
fn a_stream_may_be_longer_than_was_expected() {
    let frames = wandering(64, 64, 120, 60);
    let mut config = Config::new(64, 64);
    config.rate = RateControl::AverageBitRate(80_000);
    config.expected_frames = Some(20);
    let (packets, _) = code(&config, ByCost, &frames);
    let found = bits_per_second(&config, &packets);
    assert!((76e3..84e3).contains(&found), "{found}");
}

#[test]
fn a_higher_quality_has_more_bits_and_a_constant_qp_is_constant() {
    let frames = wandering(96, 80, 20, 10);
    let mut config = intra(96, 80);
    config.keyint = 20;
    let mut coded = |rate| {
        config.rate = rate;
        let (packets, _) = code(&config, ByCost, &frames);
        (bits_per_second(&config, &packets), packets)
    };
    let mut most = f64::MAX;
    for quality in [0.0, 12.0, 23.0, 23.5, 35.0, 51.0] {
        let (bits, _) = coded(RateControl::ConstantQuality(quality));
        assert!(bits <= most, "{quality}");
        most = bits;
    }
    let (_, packets) = coded(RateControl::ConstantQp(30));
    assert!(packets.iter().all(|packet| packet.statistics.qp == 30 && packet.statistics.attempts == 1));
}

#[test]
fn scenes_begin_with_an_idr_picture() {
    let frames = wandering(128, 96, 30, 10);
    let idrs = |change: fn(&mut Config)| {
        let mut config = intra(128, 96);
        config.keyint = 25;
        change(&mut config);
        let (packets, recon) = code(&config, ByCost, &frames);
        let stream: Vec<u8> = packets.iter().flat_map(|packet| &packet.bytes).copied().collect();
        exact(&stream, &recon, true, "scenes");
        let idr = packets.iter().filter(|packet| packet.keyframe);
        idr.map(|packet| (packet.number, packet.statistics.kind)).collect::<Vec<_>>()
    };
    let (due, cut) = (PictureKind::Idr, PictureKind::SceneCut);
    assert_eq!(idrs(|_| {}), [(0, due), (10, cut), (20, cut)]);
    assert_eq!(idrs(|config| config.scene_cut = Some(false)), [(0, due), (25, due)]);
    assert_eq!(idrs(|config| config.min_keyint = Some(11)), [(0, due), (20, cut)]);
    assert_eq!(idrs(|config| config.keyint = 12), [(0, due), (10, cut), (20, cut)]);
    assert_eq!(
        idrs(|config| config.rate = RateControl::AverageBitRate(90_000)),
        [(0, due), (10, cut), (20, cut)]
    );
}
