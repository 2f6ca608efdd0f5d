//! What is read is not written over, and no file is called what it is not.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::{Folder, jpeg, media, shim};

const PPM: &[u8] = b"P6 1 1 255\n\x40\x50\x60";

fn y4m() -> Vec<u8> {
    let mut file = b"YUV4MPEG2 W16 H16 F25:1\nFRAME\n".to_vec();
    file.extend([90; 16 * 16 * 3 / 2]);
    file
}

fn h264(arguments: &[&Path]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("shim").unwrap();
    command.arg("h264").args(arguments).assert()
}

#[cfg(unix)]
#[test]
fn the_output_is_not_the_input() {
    let folder = Folder::new();
    let input = folder.with("in.ppm", PPM);
    let (symbolic, hard) = (folder.path("symbolic.jpg"), folder.path("hard.jpg"));
    std::os::unix::fs::symlink(&input, &symbolic).unwrap();
    fs::hard_link(&input, &hard).unwrap();
    fs::create_dir(folder.path("below")).unwrap();
    let around = folder.path("below/../hard.jpg");
    for output in [&symbolic, &hard, &around] {
        let message =
            format!("error: {}: is the same file as the input {}", output.display(), input.display());
        jpeg(&input, output).assert().code(2).stdout(is_empty()).stderr(contains(message));
    }
    // By stdin, too.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_shim"));
    command.args(["jpeg", "-"]).arg(&hard).stdin(fs::File::open(&input).unwrap());
    let refused = command.output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("is the same file as the input <stdin>"));
    let own = folder.path("own.jpg");
    jpeg(&media("chelsea_227x149.png"), &own).assert().code(0);
    let before = fs::read(&own).unwrap();
    jpeg(&own, &own).assert().code(2).stderr(contains("is the same file as the input"));
    assert!(fs::read(&own).unwrap() == before && fs::read(&input).unwrap() == PPM);

    let video = folder.with("clip.y4m", &y4m());
    let link = folder.path("link.mp4");
    std::os::unix::fs::symlink(&video, &link).unwrap();
    h264(&[&video, &link]).code(2).stderr(contains("link.mp4: is the same file as the input"));
    let same = folder.with("clip.264", &y4m());
    h264(&[&same, &same]).code(2).stderr(contains("clip.264: is the same file as the input"));
    assert!(fs::read(&video).unwrap() == y4m() && fs::read(&same).unwrap() == y4m());
}

#[test]
fn no_two_outputs_are_one_file() {
    let folder = Folder::new();
    let (input, output) = (folder.with("clip.y4m", &y4m()), folder.path("out.264"));
    for option in ["--recon", "--trace"] {
        let option = Path::new(option);
        let code = h264(&[&input, &output, option, &output]).code(2);
        code.stderr(contains("out.264: is the same file as the output "));
        let code = h264(&[&input, &output, option, &input]).code(2);
        code.stderr(contains("clip.y4m: is the same file as the input "));
    }
    let both = folder.path("./both");
    let code =
        h264(&[&input, &output, Path::new("--recon"), &folder.path("both"), Path::new("--trace"), &both]);
    code.code(2).stderr(contains("is the same file as the output"));
    assert!(fs::read(&input).unwrap() == y4m());
    assert_eq!(folder.names(), ["clip.y4m"]);
    // What keeps nothing can take anything.
    let null = Path::new("/dev/null");
    h264(&[&input, null, Path::new("--recon"), null]).code(0);
}

#[test]
fn what_options_read_is_not_written_over() {
    let folder = Folder::new();
    let tables = folder.with("tables.jpg", "16 ".repeat(64).as_bytes());
    jpeg(&folder.with("in.ppm", PPM), &tables)
        .arg("--qtables")
        .arg(&tables)
        .assert()
        .code(2)
        .stderr(contains("tables.jpg: is the same file as the input"));
}

#[test]
fn files_among_many_are_not_written_over() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    jpeg(&media("chelsea_227x149.png"), &folder.path("in/a.jpg")).assert().code(0);
    let before = fs::read(folder.path("in/a.jpg")).unwrap();
    folder.with("in/b.ppm", PPM);
    shim([folder.path("in")])
        .arg("-o")
        .arg(folder.path("in"))
        .arg("--force")
        .assert()
        .code(1)
        .stdout(contains("1 file encoded").and(contains("1 failed")))
        .stderr(contains("a.jpg: is the same file as the input"));
    assert!(fs::read(folder.path("in/a.jpg")).unwrap() == before);
    // One that another is named after, either.
    let (first, second) = (folder.with("a.ppm", PPM), folder.path("a.jpg"));
    fs::write(&second, &before).unwrap();
    shim([&first, &second]).arg("-o").arg(folder.path(".")).arg("--force").assert().code(1);
    assert!(fs::read(&second).unwrap() == before);
}

#[test]
fn a_jpeg_file_is_called_so() {
    let folder = Folder::new();
    let input = folder.with("in.ppm", PPM);
    for name in ["x.png", "x.webp", "x.jpg.gz", "x.ppm"] {
        let extension = name.rsplit('.').next().unwrap();
        let wanted =
            format!("cannot write .{extension} files; supported: .jpg .jpeg .jpe .jfif (or - for stdout)");
        jpeg(&input, &folder.path(name)).assert().code(2).stdout(is_empty()).stderr(contains(wanted));
    }
    for name in ["x.jpg", "x.JPEG", "x.jpe", "x.jfif", "x"] {
        jpeg(&input, &folder.path(name)).assert().code(0);
    }
    assert_eq!(folder.names().len(), 6);
}

#[test]
fn options_of_cjpeg_are_not_taken_for_others() {
    let folder = Folder::new();
    let input = folder.with("in.ppm", PPM);
    let mut command = shim([&input]);
    command.current_dir(folder.path("")).args(["-outfile", "z.jpg"]);
    command.assert().code(2).stderr(contains("'-outfile' is cjpeg's").and(contains("shim jpeg IN OUT")));
    let mut command = shim([&input]);
    command.args(["-quality", "50"]).assert().code(2).stderr(contains("use --quality N"));
    assert_eq!(folder.names(), ["in.ppm"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let folder = Folder::new();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let run = |arguments: &[&Path]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_shim"));
        let output = command.args(arguments).stdout(full()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (ppm, jpg) = (folder.with("in.ppm", PPM), folder.path("out.jpg"));
    let wanted =
        (Some(1), "error: <stdout>: cannot be written: No space left on device (os error 28)\n".to_owned());
    let (command, json) = (Path::new("jpeg"), Path::new("--json"));
    assert_eq!(run(&[command, &ppm, &jpg, json]), wanted);
    assert_eq!(run(&[command, &ppm, &jpg]), wanted);
    assert_eq!(
        run(&[Path::new("h264"), &folder.with("in.y4m", &y4m()), &folder.path("out.264"), json]),
        wanted
    );
}

/// A message names what was typed, and no temporary file.
#[cfg(target_os = "linux")]
#[test]
fn messages_name_no_temporary_file() {
    let folder = Folder::new();
    let input = folder.with("in.ppm", PPM);
    for named in [false, true] {
        let mut command = jpeg(&input, Path::new("/proc/out.jpg"));
        if named {
            command.env("SHIM_NAMED_TEMPORARY_FILES", "1");
        }
        let assert = command.assert().code(1);
        assert.stderr(contains("error: /proc/out.jpg: cannot be written: ").and(contains(".tmp").not()));
    }
}

/// A PPM file of noise, which is read row by row.
fn noise(width: usize, height: usize, header: &str) -> Vec<u8> {
    let bytes = if header.contains("65535") { 2 } else { 1 } * if header.starts_with("P5") { 1 } else { 3 };
    let samples = (0..width * height * bytes).map(|i| (i * i / 7 % 251) as u8);
    header.bytes().chain(samples).collect()
}

/// Files that are encoded while they are read are those of the whole image.
#[test]
fn rows_make_the_same_file() {
    let folder = Folder::new();
    let file = |input: &Path, arguments: &[&str]| {
        let output = folder.path("out.jpg");
        jpeg(input, &output).args(arguments).assert().code(0);
        fs::read(output).unwrap()
    };
    for header in ["P6 70 45 255\n", "P5\n#a comment\n70 45\n255\n", "P6 70 45 65535\n", "P5 70 45 65535\n"] {
        let input = folder.with("in.ppm", &noise(70, 45, header));
        for arguments in [
            &[][..],
            &["--progressive"],
            &["-s", "444", "--restart", "1"],
            &["--bits", "12"],
            &["--lossless", "7"],
            &["--libjpeg-compatible", "--optimize", "-j", "2"],
        ] {
            let whole = file(&input, &[arguments, &["--stats"]].concat());
            assert!(file(&input, arguments) == whole, "{header} {arguments:?}");
        }
    }
    // What is not quite right is told by who reads it whole.
    let cut = noise(70, 45, "P6 70 45 255\n");
    let input = folder.with("cut.ppm", &cut[..cut.len() - 1]);
    fs::remove_file(folder.path("out.jpg")).unwrap();
    let assert = jpeg(&input, &folder.path("out.jpg")).assert().code(1);
    assert.stderr(contains("cut.ppm: truncated PNM file")).stdout(is_empty());
    assert_eq!(folder.names(), ["cut.ppm", "in.ppm"]);
}

#[test]
fn pixels_are_limited() {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    let input = folder.with("in.ppm", &noise(40, 50, "P6 40 50 255\n"));
    let refused = |input: &Path, arguments: &[&str], message: &str| {
        let assert = jpeg(input, &output).args(arguments).assert().code(1);
        assert.stderr(contains(message));
        assert!(!output.exists());
    };
    let message = "in.ppm: 40x50 is 0 megapixels, above the limit of 0 (--max-pixels)";
    refused(&input, &["--max-pixels", "1999"], message);
    refused(&input, &["--max-pixels", "1999", "--stats"], message);
    jpeg(&input, &output).args(["--max-pixels", "2k"]).assert().code(0);
    let small = folder.path("small.jpg");
    fs::rename(&output, &small).unwrap();
    refused(&small, &["--max-pixels", "1999"], "small.jpg: 40x50 is 0 megapixels");

    // A small file of many pixels, which would take 10 GB and a minute.
    let mut bomb = Vec::new();
    let mut encoder = png::Encoder::new(&mut bomb, 60_000, 60_000);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_chunk(png::chunk::IDAT, &[0x78, 0x9c, 0xed]).unwrap();
    let bomb = folder.with("bomb.png", &bomb);
    let began = std::time::Instant::now();
    refused(&bomb, &[], "bomb.png: 60000x60000 is 3600 megapixels, above the limit of 250 (--max-pixels)");
    assert!(began.elapsed().as_secs() < 20);
}

/// A file of 100 megapixels takes as much memory as one of a few.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_image() {
    use std::io::Write;
    use std::process::{Child, ChildStdin, Command, Stdio};
    fn check(child: &Child) {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 20_000, "{peak} kB");
    }
    // Tests are built without optimization: only the beginning of 100 megapixels is encoded.
    let row: Vec<u8> = (0..30_000_usize).map(|i| (i * i / 7 % 251) as u8).collect();
    let pnm = |child: &Child, mut stdin: ChildStdin| {
        stdin.write_all(b"P6 10000 10000 255\n").unwrap();
        for _ in 0..800 {
            stdin.write_all(&row).unwrap();
        }
        check(child);
    };
    let png = |child: &Child, stdin: ChildStdin| {
        let mut encoder = png::Encoder::new(stdin, 10_000, 10_000);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::NoCompression);
        let mut writer = encoder.write_header().unwrap();
        let mut writer = writer.stream_writer().unwrap();
        for _ in 0..800 {
            writer.write_all(&row).unwrap();
        }
        check(child);
    };
    for file in [&pnm as &dyn Fn(&Child, ChildStdin), &png] {
        let folder = Folder::new();
        let mut child = Command::new(env!("CARGO_BIN_EXE_shim"));
        child.args(["jpeg", "-"]).arg(folder.path("out.jpg")).stdin(Stdio::piped());
        let mut child = child.stdout(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        file(&child, stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1), "it is truncated");
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[cfg(unix)]
#[test]
fn a_new_file_is_no_more_readable_than_its_source() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = Folder::new();
    let input = folder.with("in.png", &fs::read(media("chelsea_227x149.png")).unwrap());
    let clip = folder.with("in.y4m", &[&b"YUV4MPEG2 W16 H16 F25:1\nFRAME\n"[..], &[9; 384]].concat());
    for (source, output) in [(&input, "out.jpg"), (&clip, "out.mp4"), (&clip, "out.264")] {
        let output = folder.path(output);
        for (of_source, wanted) in [(0o600, 0o600), (0o640, 0o640), (0o444, 0o644)] {
            fs::set_permissions(source, fs::Permissions::from_mode(of_source)).unwrap();
            let command = if source == &input { "jpeg" } else { "h264" };
            Command::cargo_bin("shim").unwrap().arg(command).args([source, &output]).assert().code(0);
            assert_eq!(mode(&output), wanted, "{of_source:o}");
            fs::remove_file(&output).unwrap();
        }
        // One that is there keeps its own.
        fs::write(&output, b"").unwrap();
        fs::set_permissions(&output, fs::Permissions::from_mode(0o604)).unwrap();
        let command = if source == &input { "jpeg" } else { "h264" };
        Command::cargo_bin("shim").unwrap().arg(command).args([source, &output]).assert().code(0);
        assert_eq!(mode(&output), 0o604);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_leads_to_the_new_file() {
    let folder = Folder::new();
    fs::create_dir(folder.path("far")).unwrap();
    std::os::unix::fs::symlink("far/new.jpg", folder.path("link.jpg")).unwrap();
    std::os::unix::fs::symlink("link.jpg", folder.path("links.jpg")).unwrap();
    jpeg(&media("chelsea_227x149.png"), &folder.path("links.jpg")).assert().code(0);
    assert!(folder.path("links.jpg").is_symlink() && folder.path("link.jpg").is_symlink());
    assert!(folder.path("far/new.jpg").metadata().unwrap().is_file());
    std::os::unix::fs::symlink("round.jpg", folder.path("round.jpg")).unwrap();
    let refused = jpeg(&media("chelsea_227x149.png"), &folder.path("round.jpg")).assert().code(1);
    refused.stderr(contains("round.jpg: cannot be written"));
}

#[cfg(target_os = "linux")]
#[test]
fn without_stdout_nothing_is_written_to_it() {
    let clip = [&b"YUV4MPEG2 W16 H16 F25:1\nFRAME\n"[..], &[9; 384]].concat();
    for (arguments, input) in [
        ("jpeg - -", fs::read(media("chelsea_227x149.png")).unwrap()),
        ("h264 - -", clip.clone()),
        ("h264 - - --fragment", clip),
    ] {
        let script = format!("'{}' {arguments} >&-", assert_cmd::cargo::cargo_bin("shim").display());
        let refused = Command::new("sh").args(["-c", &script]).write_stdin(input).assert().code(1);
        refused
            .stderr(contains("<stdout>: cannot be written: stdout is closed").and(contains("encoded").not()));
    }
}

#[cfg(unix)]
#[test]
fn control_characters_of_names_are_quoted() {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    let refused = jpeg(&folder.with("a\x1b[31m\nb.png", b"no"), &output).assert().code(1);
    refused.stderr(contains("a\\u{1b}[31m\\nb.png: unsupported file"));
}

#[test]
fn files_of_an_earlier_run_are_skipped() {
    let folder = Folder::new();
    let small = fs::read(media("chelsea_227x149.png")).unwrap();
    let (a, b) = (folder.with("a.png", &small), folder.with("b.png", &small));
    let out = folder.path("out");
    let run = |arguments: &[&str]| {
        let mut command = shim([&a, &b]);
        command.arg("-o").arg(&out).args(arguments).assert()
    };
    run(&[]).code(0);
    fs::write(out.join("a.jpg"), b"mine").unwrap();
    fs::remove_file(out.join("b.jpg")).unwrap();
    run(&["--skip-existing"]).code(0).stdout(contains("1 file encoded").and(contains("; 1 skipped\n")));
    assert_eq!(fs::read(out.join("a.jpg")).unwrap(), b"mine");
    run(&["--skip-existing", "--json"]).code(0).stdout(contains("\"skipped\": 2"));
    run(&["--skip-existing", "--force"]).code(2);
    run(&[]).code(1);
}

#[test]
fn the_smaller_file_and_its_times_are_kept() {
    let folder = Folder::new();
    let (input, output) = (folder.path("in.jpg"), folder.path("out.jpg"));
    jpeg(&media("chelsea_227x149.png"), &input).args(["-q", "40"]).assert().code(0);
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(&input).unwrap().set_modified(old).unwrap();
    let run = |arguments: &[&str]| jpeg(&input, &output).args(arguments).assert().code(0);
    run(&["-q", "95", "--keep-smaller", "--preserve-times"]).stdout(contains("copied unchanged"));
    assert_eq!(fs::read(&output).unwrap(), fs::read(&input).unwrap());
    assert_eq!(fs::metadata(&output).unwrap().modified().unwrap(), old);
    run(&["-q", "20", "--keep-smaller"]).stdout(contains("copied unchanged").not());
    assert!(fs::metadata(&output).unwrap().len() < fs::metadata(&input).unwrap().len());
    assert_ne!(fs::metadata(&output).unwrap().modified().unwrap(), old);
}
