//! Solvers of SMT-LIB 2 behind pipes.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

use crate::goal::Question;

/// A solver and how it is called: it reads SMT-LIB from its input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solver {
    name: &'static str,
    arguments: &'static [&'static str],
}

/// Both have to find no counterexample. A question that one of them does not answer in time stays open.
pub(crate) const SOLVERS: [Solver; 2] = [
    Solver { name: "z3", arguments: &["-in", "-smt2", "-t:2000"] },
    Solver { name: "cvc5", arguments: &["--lang=smt2", "--incremental", "--tlimit-per=3000"] },
];

impl Solver {
    /// Whether there is no counterexample to each of some questions, asked in as many processes as there are cores.
    ///
    /// # Errors
    /// If the solver cannot be run, or does not answer.
    pub(crate) fn answers(self, questions: &[&Question]) -> io::Result<Vec<bool>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        // Neighbors are alike, and are spread over the processes.
        let parts: Vec<Vec<&Question>> =
            (0..cores).map(|core| questions.iter().skip(core).step_by(cores).copied().collect()).collect();
        let answers = thread::scope(|scope| {
            let running: Vec<_> =
                parts.iter().map(|part| scope.spawn(move || self.answers_of_one_process(part))).collect();
            let joined = running.into_iter().map(|part| part.join().expect("no panic"));
            joined.collect::<io::Result<Vec<_>>>()
        })?;
        let mut answers: Vec<_> = answers.into_iter().map(Vec::into_iter).collect();
        let of = |k: usize| answers[k % cores].next().expect("an answer for each question");
        Ok((0..questions.len()).map(of).collect())
    }

    fn answers_of_one_process(self, questions: &[&Question]) -> io::Result<Vec<bool>> {
        let mut process = Command::new(self.name)
            .args(self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut input = process.stdin.take().expect("it has a pipe");
        let output = BufReader::new(process.stdout.take().expect("it has a pipe"));
        let found = thread::scope(|scope| {
            let writing = scope.spawn(move || -> io::Result<()> {
                writeln!(input, "(set-logic ALL)")?;
                for question in questions {
                    write!(input, "(push 1)\n{}(check-sat)\n(pop 1)\n", question.text)?;
                }
                writeln!(input, "(exit)")
            });
            let mut answers = Vec::new();
            for line in output.lines() {
                match line?.trim() {
                    "unsat" => answers.push(true),
                    "sat" | "unknown" | "timeout" => answers.push(false),
                    other => return Err(io::Error::other(format!("{} says: {other}", self.name))),
                }
            }
            writing.join().expect("no panic")?;
            Ok(answers)
        })?;
        process.wait()?;
        if found.len() != questions.len() {
            return Err(io::Error::other(format!("{} ended early", self.name)));
        }
        Ok(found)
    }
}
