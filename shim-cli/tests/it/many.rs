//! Many files and folders, stdin and stdout.

use std::fs;

use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::{Folder, frame, media, pixels, shim};

const GRAY: &[u8] = b"P5 2 1 255\nab";

/// A folder `in` with two images, one of them in a folder below, and a text.
fn folder_of_images() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("in/below/empty")).unwrap();
    folder.with("in/a.pgm", GRAY);
    folder.with("in/below/B.PGM", GRAY);
    folder.with("in/notes.txt", b"Dear diary");
    folder
}

#[test]
fn files_go_to_a_folder() {
    let folder = folder_of_images();
    let (a, b, out) = (folder.path("in/a.pgm"), folder.path("in/below/B.PGM"), folder.path("new/out"));
    shim([&a, &b])
        .arg("--out-dir")
        .arg(&out)
        .assert()
        .code(0)
        .stderr(is_empty())
        .stdout(contains("a.pgm -> ").and(contains("2 files encoded, 26 to ")));
    assert_eq!(frame(&fs::read(out.join("a.jpg")).unwrap()).1[1..5], [0, 1, 0, 2]);
    assert!(out.join("B.jpg").is_file());
    shim([&a])
        .arg("-o")
        .arg(&out)
        .args(["--suffix", "-small"])
        .assert()
        .code(0)
        .stdout(contains("1 file encoded"));
    assert!(out.join("a-small.jpg").is_file());
}

#[test]
fn a_folder_keeps_its_structure() {
    let folder = folder_of_images();
    let (input, out) = (folder.path("in"), folder.path("out"));
    shim([&input]).arg("-o").arg(&out).assert().code(0).stdout(contains("2 files encoded"));
    assert!(out.join("a.jpg").is_file() && out.join("below/B.jpg").is_file());
    assert!(!out.join("below/empty").exists() && !out.join("notes.jpg").exists());
}

#[test]
fn what_exists_is_left_alone_unless_forced() {
    let folder = folder_of_images();
    let (input, out) = (folder.path("in"), folder.path("out"));
    fs::create_dir(&out).unwrap();
    folder.with("out/a.jpg", b"precious");
    shim([&input])
        .arg("-o")
        .arg(&out)
        .assert()
        .code(1)
        .stderr(contains("a.jpg: already exists; use --force to overwrite it"))
        .stdout(contains("1 file encoded").and(contains("; 1 failed")));
    assert_eq!(fs::read(out.join("a.jpg")).unwrap(), b"precious");
    assert!(out.join("below/B.jpg").is_file());
    shim([&input]).arg("-o").arg(&out).arg("--force").assert().code(0);
    assert_ne!(fs::read(out.join("a.jpg")).unwrap(), b"precious");
}

#[test]
fn what_was_written_before_is_not_read() {
    let folder = folder_of_images();
    let (input, out) = (folder.path("in"), folder.path("in/out"));
    for force in [&[][..], &["--force"]] {
        shim([&input]).arg("-o").arg(&out).args(force).assert().code(0).stdout(contains("2 files encoded"));
    }
    assert!(!out.join("out").exists());
}

#[test]
fn two_sources_of_one_file() {
    let folder = folder_of_images();
    folder.with("in/a.pnm", GRAY);
    let out = folder.path("out");
    shim([folder.path("in")])
        .arg("-o")
        .arg(&out)
        .arg("--force")
        .assert()
        .code(1)
        .stdout(contains("2 files encoded").and(contains("1 failed")))
        .stderr(contains("in/a.pnm: not encoded: ").and(contains("in/a.pgm has the same output, ")));
    assert!(out.join("a.jpg").is_file());
}

#[test]
fn one_that_fails_does_not_stop_the_others() {
    let folder = folder_of_images();
    folder.with("in/cut.pgm", &GRAY[..GRAY.len() - 1]);
    folder.with("in/empty.png", b"");
    let out = folder.path("out");
    shim([folder.path("in"), folder.path("missing.png")])
        .arg("-o")
        .arg(&out)
        .assert()
        .code(1)
        .stdout(contains("2 files encoded").and(contains("3 failed")))
        .stderr(contains("cut.pgm: truncated PNM file"))
        .stderr(contains("empty.png: the file is empty"))
        .stderr(contains("missing.png: cannot be read"));
    let mut names: Vec<_> = fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.jpg", "below"]);
}

#[test]
fn a_folder_without_images() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    shim([folder.path("in")])
        .arg("-o")
        .arg(folder.path("out"))
        .assert()
        .code(1)
        .stderr(contains("in: no image files in the folder"));
    assert!(!folder.path("out").exists());
}

#[test]
fn a_folder_that_cannot_be_made() {
    let folder = folder_of_images();
    let file = folder.with("file", b"");
    shim([folder.path("in/a.pgm")])
        .arg("-o")
        .arg(file.join("out"))
        .assert()
        .code(1)
        .stderr(contains("a.jpg: cannot be written"));
}

#[test]
fn stdin_and_stdout() {
    let folder = Folder::new();
    let photograph = fs::read(media("chelsea_227x149.png")).unwrap();
    let output = shim(["-", "-"]).write_stdin(photograph.clone()).assert().code(0);
    let output = output.stderr(contains("<stdin>: 227x149 RGB").and(contains("<stdout>: quality 90")));
    let made = folder.with("out.jpg", &output.get_output().stdout);
    assert_eq!(pixels(&made).len(), 227 * 149 * 3);

    let named = folder.path("named.jpg");
    shim(["-"])
        .arg(&named)
        .write_stdin(photograph.clone())
        .assert()
        .code(0)
        .stdout(contains("<stdin>: 227x149"));
    assert_eq!(fs::read(&named).unwrap(), fs::read(&made).unwrap());
    shim(["-", "-o"]).arg(folder.path("")).write_stdin(photograph).assert().code(0);
    assert_eq!(folder.names(), ["named.jpg", "out.jpg", "stdin.jpg"]);

    shim(["-", "-"])
        .write_stdin("")
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr("error: <stdin>: the file is empty\n");
    shim(["-", "-", "-o", "x"]).assert().code(2).stderr(contains("stdin can be read only once"));
}

#[test]
fn three_files_need_a_folder() {
    shim(["a", "b", "c"])
        .assert()
        .code(2)
        .stderr(contains("expected one input and one output file, or --out-dir"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_back_is_not_walked() {
    let folder = folder_of_images();
    std::os::unix::fs::symlink(folder.path("in"), folder.path("in/below/back")).unwrap();
    shim([folder.path("in")])
        .arg("-o")
        .arg(folder.path("out"))
        .assert()
        .code(1)
        .stdout(contains("2 files encoded"))
        .stderr(contains("back: symbolic link loop: it leads back to"));
}
