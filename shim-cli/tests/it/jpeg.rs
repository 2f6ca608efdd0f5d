//! `shim jpeg` as a user meets it.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::{Folder, jpeg, media, pixels, png};

/// Width, height and number of components in the frame header of a baseline file that ends with EOI.
fn header(path: &Path) -> (u16, u16, u8) {
    let file = fs::read(path).unwrap();
    assert_eq!((&file[..4], &file[file.len() - 2..]), (&[0xff, 0xd8, 0xff, 0xe0][..], &[0xff, 0xd9][..]));
    let mut at = 2;
    while file[at + 1] != 0xc0 {
        at += 2 + usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    }
    let field = |i: usize| u16::from_be_bytes([file[at + i], file[at + i + 1]]);
    (field(7), field(5), file[at + 9])
}

#[test]
fn encodes_a_photograph_and_says_what_it_did() {
    let folder = Folder::new();
    let output = folder.path("coffee.jpg");
    jpeg(&media("coffee.png"), &output)
        .assert()
        .code(0)
        .stderr(is_empty())
        .stdout(contains("coffee.png: 600x400 RGB, 466706 bytes\n"))
        .stdout(contains("coffee.jpg: quality 90, 4:2:0, 72194 bytes, 2.41 bits per pixel\n"))
        .stdout(predicate::str::is_match(r"\nencoded in [0-9.]+ ms, [0-9.]+ megapixels/s\n$").unwrap());
    assert_eq!(header(&output), (600, 400, 3));
    assert_eq!(fs::metadata(&output).unwrap().len(), 72_194);
    assert_eq!(folder.names(), ["coffee.jpg"]);
}

#[test]
fn quality_and_subsampling_are_obeyed() {
    let folder = Folder::new();
    let input = media("chelsea_227x149.png");
    let size = |arguments: &[&str]| {
        let output = folder.path("out.jpg");
        jpeg(&input, &output).args(arguments).assert().code(0);
        fs::metadata(output).unwrap().len()
    };
    let usual = size(&[]);
    assert_eq!(size(&["--quality", "90", "--subsampling", "420"]), usual);
    assert_eq!(size(&["-q", "90", "-s", "4:2:0"]), usual);
    assert!(size(&["--quality", "20"]) < usual);
    assert!(size(&["--subsampling", "444"]) > usual);
    assert_ne!(size(&["--libjpeg-compatible"]), usual);
}

#[test]
fn reads_every_kind_of_file() {
    use png::{BitDepth, ColorType};
    let folder = Folder::new();
    let cases: [(&str, Vec<u8>, u8, [u8; 3]); 12] = [
        ("p5.pgm", b"P5 1 1 255\n\x40".to_vec(), 1, [64; 3]),
        ("p6.ppm", b"P6 1 1 255\n\x40\x40\x40".to_vec(), 3, [64; 3]),
        ("p3.ppm", b"P3\n# text\n1 1 255 64 64 64".to_vec(), 3, [64; 3]),
        ("p6_16.ppm", b"P6 1 1 65535\n\x40\x40\x40\x40\x40\x40".to_vec(), 3, [64; 3]),
        ("gray.png", png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[64]), 1, [64; 3]),
        ("gray1.png", png(1, 1, ColorType::Grayscale, BitDepth::One, &[0x80]), 1, [255; 3]),
        ("gray16.png", png(1, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x40, 0x41]), 1, [64; 3]),
        ("rgb16.png", png(1, 1, ColorType::Rgb, BitDepth::Sixteen, &[0x40; 6]), 3, [64; 3]),
        ("clear.png", png(1, 1, ColorType::Rgba, BitDepth::Eight, &[9, 9, 9, 0]), 3, [255; 3]),
        ("half.png", png(1, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[0, 128]), 1, [127; 3]),
        ("palette.png", png(1, 1, ColorType::Indexed, BitDepth::One, &[0x00]), 3, [254, 0, 0]),
        ("palette_clear.png", png(1, 1, ColorType::Indexed, BitDepth::One, &[0x80]), 3, [255; 3]),
    ];
    for (name, contents, components, wanted) in cases {
        let (input, output) = (folder.with(name, &contents), folder.path("out.jpg"));
        jpeg(&input, &output).args(["-q", "100"]).assert().code(0);
        assert_eq!(header(&output), (1, 1, components), "{name}");
        for (got, wanted) in pixels(&output).into_iter().zip(wanted) {
            assert!(got.abs_diff(wanted) <= 2, "{name}: {got} for {wanted}");
        }
    }
}

#[test]
fn says_when_transparency_was_laid_over_white() {
    let folder = Folder::new();
    let contents = png(1, 1, png::ColorType::Rgba, png::BitDepth::Eight, &[9, 9, 9, 0]);
    jpeg(&folder.with("in.png", &contents), &folder.path("out.jpg"))
        .assert()
        .code(0)
        .stdout(contains("transparency composited over white"));
}

#[test]
fn transparency_is_laid_over_the_background() {
    use png::{BitDepth, ColorType};
    let folder = Folder::new();
    let clear = folder.with("clear.png", &png(1, 1, ColorType::Rgba, BitDepth::Eight, &[9, 9, 9, 0]));
    let gray = folder.with("gray.png", &png(1, 1, ColorType::GrayscaleAlpha, BitDepth::Sixteen, &[0; 4]));
    let output = folder.path("out.jpg");
    for (input, color, components, wanted) in [
        (&clear, "#102030", 3, vec![16, 32, 48]),
        (&gray, "#102030", 3, vec![16, 32, 48]),
        (&clear, "black", 3, vec![0; 3]),
        (&gray, "#404040", 1, vec![64; 3]),
    ] {
        let mut command = jpeg(input, &output);
        command.args(["-q", "100", "--background", color]).assert().code(0).stdout(contains(color));
        assert_eq!(header(&output).2, components, "{color}");
        for (got, wanted) in pixels(&output).into_iter().zip(wanted) {
            assert!(got.abs_diff(wanted) <= 2, "{color}: {got} for {wanted}");
        }
    }
    let refused = jpeg(&clear, &output).args(["--background", "mauve"]).assert().code(2);
    refused.stderr(contains("expected white, black or a color as #rrggbb"));
}

#[test]
fn reads_its_own_files() {
    let folder = Folder::new();
    let (first, second) = (folder.path("first.jpg"), folder.path("second.jpg"));
    jpeg(&media("chelsea_227x149.png"), &first).args(["-s", "444"]).assert().code(0);
    jpeg(&first, &second).assert().code(0).stdout(contains("first.jpg: 227x149 RGB"));
    assert_eq!(header(&second), (227, 149, 3));
    let gray = folder.with("gray.pgm", b"P5 3 2 255\nabcdef");
    jpeg(&gray, &first).assert().code(0);
    jpeg(&first, &second).assert().code(0).stdout(contains("first.jpg: 3x2 grayscale"));
    assert_eq!(header(&second), (3, 2, 1));
}

#[test]
fn carries_out_the_orientation_of_a_jpeg_file() {
    let folder = Folder::new();
    let upright = folder.path("upright.jpg");
    jpeg(&media("chelsea_227x149.png"), &upright).assert().code(0);
    let file = fs::read(&upright).unwrap();
    // Exif with one entry: orientation (0x112), a short, 6: turned by a quarter.
    let mut turned = file[..2].to_vec();
    turned.extend(
        b"\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0",
    );
    turned.extend(&file[2..]);
    let output = folder.path("out.jpg");
    jpeg(&folder.with("turned.jpg", &turned), &output).assert().code(0);
    assert_eq!(header(&output), (149, 227, 3));
}

/// Expects exit code 1, one line on stderr that names the file, nothing on stdout and no file made.
fn refused(input: &Path, message: &str) {
    let folder = Folder::new();
    let named = format!("error: {}: ", input.display());
    jpeg(input, &folder.path("out.jpg"))
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(predicate::str::starts_with(named).and(contains(message)))
        .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    assert_eq!(folder.names(), [""; 0], "a file was left behind");
}

#[test]
fn a_missing_file() {
    let folder = Folder::new();
    refused(&folder.path("missing.png"), "cannot be read: No such file");
    refused(folder.0.path(), "cannot be read");
}

#[test]
fn an_unsupported_file() {
    let folder = Folder::new();
    refused(&folder.with("notes.txt", b"Dear diary"), "unsupported file: not a PNG");
    refused(&folder.with("empty.png", b""), "the file is empty");
    refused(&folder.with("anim.gif", b"GIF89a\x01\0\x01\0"), "truncated GIF file");
    refused(
        &folder.with("a.heic", b"\0\0\0\x18ftypheic"),
        "an HEIF image; convert it first (magick IN OUT.png)",
    );
    let jpeg_ls =
        b"\xff\xd8\xff\xf7\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\0\0\0\xff\xd9";
    refused(&folder.with("ls.jpg", jpeg_ls), "unsupported JPEG file: JPEG-LS (SOF55)");
}

#[test]
fn a_truncated_png_file() {
    let folder = Folder::new();
    let file = fs::read(media("chelsea_227x149.png")).unwrap();
    for length in [1, 7, 8, 20, 33, 40, 100, 1000, file.len() / 2, file.len() - 100, file.len() - 20] {
        refused(&folder.with("cut.png", &file[..length]), "truncated PNG file");
    }
}

#[test]
fn a_truncated_ppm_file() {
    let folder = Folder::new();
    refused(&folder.with("cut.ppm", b"P6 2 2 255\n12345678901"), "truncated PNM file");
    refused(&folder.with("cut.ppm", b"P6 2 2 255\n"), "truncated PNM file");
}

#[test]
fn a_truncated_jpeg_file() {
    let folder = Folder::new();
    let whole = folder.path("whole.jpg");
    jpeg(&media("chelsea_227x149.png"), &whole).assert().code(0);
    let file = fs::read(&whole).unwrap();
    for length in [1, 2, 3, 4, 30, 200, 620, 700, file.len() / 2, file.len() - 3] {
        refused(&folder.with("cut.jpg", &file[..length]), "truncated JPEG file");
    }
}

#[test]
fn a_damaged_file() {
    let folder = Folder::new();
    let mut file = fs::read(media("chelsea_227x149.png")).unwrap();
    let middle = file.len() / 2;
    file[middle] ^= 0x10;
    refused(&folder.with("bad.png", &file), "damaged PNG file");
    refused(&folder.with("bad.ppm", b"P6 wide high 255\n"), "damaged PNM file");
    refused(&folder.with("bad.jpg", b"\xff\xd8\xff\xe0\0\x02\xff\xd9"), "JPEG file");
}

#[test]
fn an_image_too_large_for_jpeg() {
    let folder = Folder::new();
    let mut file = b"P5 65536 1 255\n".to_vec();
    file.extend(vec![0; 65_536]);
    refused(&folder.with("wide.pgm", &file), "65536x1 pixels is too large");
}

#[test]
fn a_file_that_cannot_be_written() {
    let folder = Folder::new();
    let input = media("chelsea_227x149.png");
    jpeg(&input, &folder.path("missing/out.jpg"))
        .assert()
        .code(1)
        .stderr(contains("missing/out.jpg: cannot be written: the folder").and(contains("does not exist")));
    jpeg(&input, folder.0.path()).assert().code(1).stderr(contains("cannot be written: it is a folder"));
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn a_file_that_is_there_survives_a_failure() {
    let folder = Folder::new();
    let output = folder.with("out.jpg", b"precious");
    let cut = folder.with("cut.png", &fs::read(media("coffee.png")).unwrap()[..5000]);
    jpeg(&cut, &output).assert().code(1);
    assert_eq!(fs::read(&output).unwrap(), b"precious");
    assert_eq!(folder.names(), ["cut.png", "out.jpg"]);
    jpeg(&media("chelsea_227x149.png"), &output).assert().code(0);
    assert_eq!(header(&output), (227, 149, 3));
    assert_eq!(folder.names(), ["cut.png", "out.jpg"]);
}

#[test]
fn a_wrong_command_line() {
    let folder = Folder::new();
    let (input, output) = (media("chelsea_227x149.png"), folder.path("out.jpg"));
    for arguments in [
        &["--quality", "0"][..],
        &["--quality", "101"],
        &["--quality", "good"],
        &["--subsampling", "423"],
        &["--what"],
    ] {
        jpeg(&input, &output).args(arguments).assert().code(2).stderr(contains("error: "));
    }
    jpeg(&input, &output)
        .args(["--quality", "0"])
        .assert()
        .stderr(contains("expected a whole number from 1 to 100"));
    Command::cargo_bin("shim").unwrap().arg("jpeg").arg(&input).assert().code(2);
    Command::cargo_bin("shim").unwrap().assert().code(2);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn help_names_the_exit_codes() {
    for arguments in [&["--help"][..], &["jpeg", "--help"]] {
        let mut command = Command::cargo_bin("shim").unwrap();
        command.args(arguments).assert().code(0).stdout(contains("Exit codes:"));
    }
    Command::cargo_bin("shim").unwrap().arg("--version").assert().code(0).stdout(contains("shim 0.1.0"));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        jpeg(&media("chelsea_227x149.png"), Path::new("/dev/null")).assert().code(0);
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        let folder = Folder::new();
        let target = folder.with("target.jpg", b"old");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.path("link.jpg");
        symlink(&target, &link).unwrap();
        jpeg(&media("chelsea_227x149.png"), &link).assert().code(0);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(header(&target), (227, 149, 3));
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_new_file_is_readable_as_any_other() {
        let folder = Folder::new();
        let (ordinary, made) = (folder.with("ordinary", b""), folder.path("made.jpg"));
        jpeg(&media("chelsea_227x149.png"), &made).assert().code(0);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&made), mode(&ordinary));
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = Folder::new();
        let output = folder.with("out.jpg", b"precious");
        fs::set_permissions(&output, fs::Permissions::from_mode(0o444)).unwrap();
        let read_only = contains("cannot be written: the file is read-only");
        jpeg(&media("chelsea_227x149.png"), &output).assert().code(1).stderr(read_only);
        assert_eq!(fs::read(&output).unwrap(), b"precious");
    }
}

/// PNG files are read row by row, except where the whole image is needed: by `--stats`.
#[test]
fn a_png_file_read_by_rows_gives_the_file_of_one_read_whole() {
    use png::{BitDepth, ColorType};
    let folder = Folder::new();
    let data: Vec<u8> = (0..70 * 50 * 8_usize).map(|i| (i * i / 7 % 251) as u8).collect();
    let kinds = [
        (ColorType::Grayscale, 1),
        (ColorType::GrayscaleAlpha, 2),
        (ColorType::Rgb, 3),
        (ColorType::Rgba, 4),
        (ColorType::Indexed, 1),
    ];
    for (color, samples) in kinds {
        for (depth, bits) in [(BitDepth::One, 1), (BitDepth::Eight, 8), (BitDepth::Sixteen, 16)] {
            let legal = match color {
                ColorType::Grayscale => true,
                ColorType::Indexed => bits == 1,
                _ => bits >= 8,
            };
            if !legal {
                continue;
            }
            let row = (70_usize * samples * bits).div_ceil(8);
            let input = folder.with("in.png", &png(70, 50, color, depth, &data[..50 * row]));
            for options in [&[][..], &["-p"], &["--bits", "12"], &["--lossless", "1"]] {
                let outputs = [&[][..], &["--stats"]].map(|more| {
                    let output = folder.path("out.jpg");
                    jpeg(&input, &output).args(options).args(more).assert().code(0);
                    fs::read(output).unwrap()
                });
                assert!(outputs[0] == outputs[1], "{color:?} {depth:?} {options:?}");
            }
        }
    }
}

/// The rows of an interlaced file, and those of one that its Exif data turns, are not those of the image.
#[test]
fn png_files_whose_rows_are_not_those_of_the_image_are_read_whole() {
    let folder = Folder::new();
    let data: Vec<u8> = (0..7 * 5 * 3).collect();
    let plain = png(7, 5, png::ColorType::Rgb, png::BitDepth::Eight, &data);
    let mut turned = Vec::new();
    let mut info = png::Info::with_size(7, 5);
    (info.color_type, info.bit_depth) = (png::ColorType::Rgb, png::BitDepth::Eight);
    info.exif_metadata = Some(b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".into());
    let mut writer = png::Encoder::with_info(&mut turned, info).unwrap().write_header().unwrap();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    let output = folder.path("out.jpg");
    jpeg(&folder.with("turned.png", &turned), &output).assert().code(0);
    assert_eq!(header(&output), (5, 7, 3));
    // The encoder of the tests writes no interlaced files: these rows are too few for one.
    let mut interlaced = plain.clone();
    interlaced[28] = 1;
    let crc = crc32(&interlaced[12..29]).to_be_bytes();
    interlaced[29..33].copy_from_slice(&crc);
    refused(&folder.with("interlaced.png", &interlaced), "PNG file");
    jpeg(&folder.with("plain.png", &plain), &output).assert().code(0);
    assert_eq!(header(&output), (7, 5, 3));
}

/// The CRC of a chunk's name and data (PNG, annex D).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    })
}
