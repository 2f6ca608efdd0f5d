//! `shim-verify [--prove] [--proofs FILE] [--open FILE] [--show TEXT] EXPANSION.rs ..`

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shim_verify::{Expansions, Proofs, Report};

const USAGE: &str = "usage: shim-verify [--prove] [--proofs FILE] [--open FILE] [--show TEXT] EXPANSION.rs ..

Checks that each unchecked access of printed expansions is inside its memory.

  --prove         ask z3 and cvc5 what FILE does not answer, and write it
  --proofs FILE   the hashes of the questions that both have answered
  --open FILE     the goals that are not shown; with `--prove` it is written, without it others are an error
  --show TEXT     print the question of each open access whose line contains TEXT";

/// The command line.
#[derive(Default)]
struct Arguments {
    proves: bool,
    proofs: Option<PathBuf>,
    open: Option<PathBuf>,
    show: Option<String>,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments::default();
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(format!("`{argument}` takes a value\n\n{USAGE}"));
        match argument.as_str() {
            "--prove" => found.proves = true,
            "--proofs" => found.proofs = Some(value()?.into()),
            "--open" => found.open = Some(value()?.into()),
            "--show" => found.show = Some(value()?),
            flag if flag.starts_with("--") => return Err(format!("unknown option `{flag}`\n\n{USAGE}")),
            file => found.files.push(file.into()),
        }
    }
    if found.files.is_empty() { Err(USAGE.to_owned()) } else { Ok(found) }
}

fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let mut expansions = Expansions::default();
    for file in &arguments.files {
        let in_file = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| in_file(&error))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        // The line and the column of the kernel, at the end of a dump's name, change too often for lists.
        let name = name.trim_end_matches(|end: char| end.is_ascii_digit() || end == '_');
        expansions.add(name, &text).map_err(|error| in_file(&error))?;
    }
    let mut proofs = match &arguments.proofs {
        Some(file) if file.exists() || !arguments.proves => {
            Proofs::load(file).map_err(|error| format!("{}: {error}", file.display()))?
        }
        _ => Proofs::default(),
    };
    let report = if arguments.proves {
        let file = arguments.proofs.as_deref();
        // Answers are kept if someone ends it.
        let report = expansions.prove(&mut proofs, |proofs, count| {
            eprintln!("{count} questions");
            save(proofs, file)
        });
        let report = report.map_err(|error| format!("a solver failed: {error}"))?;
        save(&proofs, file).map_err(|error| error.to_string())?;
        report
    } else {
        expansions.check(&proofs)
    };
    print(&report, arguments.show.as_deref());
    let Some(file) = &arguments.open else { return Ok(ExitCode::from(u8::from(!report.open.is_empty()))) };
    let in_file = |error: io::Error| format!("{}: {error}", file.display());
    let open = report.open_goals();
    if arguments.proves {
        std::fs::write(file, open.join("\n") + "\n").map_err(in_file)?;
        return Ok(ExitCode::SUCCESS);
    }
    let known = std::fs::read_to_string(file).map_err(in_file)?;
    let known: Vec<&str> = known.lines().collect();
    let new: Vec<_> = open.iter().filter(|goal| !known.contains(&goal.as_str())).collect();
    for goal in &new {
        println!("new: {goal}");
    }
    println!("{} open goals are not in {}", new.len(), file.display());
    Ok(ExitCode::from(u8::from(!new.is_empty())))
}

fn save(proofs: &Proofs, file: Option<&Path>) -> io::Result<()> {
    let Some(file) = file else { return Ok(()) };
    proofs.save(file).map_err(|error| io::Error::other(format!("{}: {error}", file.display())))
}

/// Prints what is open.
fn print(report: &Report, show: Option<&str>) {
    for open in &report.open {
        let line = open.to_string();
        println!("{line}");
        if show.is_some_and(|text| line.contains(text)) {
            println!(
                "{}",
                open.question.as_deref().unwrap_or("; the memory or the offset is not understood")
            );
        }
    }
    let Report { kernels, goals, open } = report;
    println!("{kernels} kernels: {} of {goals} goals shown, {} open", goals - open.len(), open.len());
}
