//! Proves that the unchecked accesses of expansions of `#[shim::kernel]` are inside their memory.
//!
//! It reads Rust as it is printed (`SHIM_DUMP`, `cargo expand`, the golden expansions), and shares nothing with the
//! compiler: it depends on `syn` and on a hash, and knows the functions of the runtime by name. It runs each function
//! symbolically (`execute`, `evaluate`; `runtime` has the axioms), and asks for each unchecked
//! access whether control can get there with an offset outside of the memory (`goal`). The questions are SMT-LIB 2. Two
//! solvers have to say that there is no such case; the hashes of the questions that they answered are kept in a file,
//! so that a check of unchanged expansions needs no solver.
//!
//! Loops run once, from a state in which all that they change is unknown. Counters of lists are the exception: what one
//! iteration adds at most is guessed from the text, and shown for each iteration.

mod assigned;
mod atoms;
mod evaluate;
mod execute;
mod goal;
mod growth;
mod machine;
mod prove;
mod read;
mod runtime;
mod solve;
mod term;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::Path;

use goal::{Answers, State};
use prove::Proof;

/// The text of expansions.
#[derive(Debug, Default)]
pub struct Expansions(read::Read);

impl Expansions {
    /// Adds the kernels of a text, and the located structs that it declares; `name` is that of the text in reports.
    ///
    /// # Errors
    /// If it is not Rust.
    pub fn add(&mut self, name: &str, text: &str) -> syn::Result<()> {
        self.0.text(name, text)
    }

    /// Looks up each question among those that solvers have answered.
    pub fn check(&self, proofs: &Proofs) -> Report {
        let answers = Answers { proven: proofs.0.clone(), is_final: true, ..Answers::default() };
        Report::new(&prove::check(&self.0, &answers))
    }

    /// Asks z3 and cvc5 what is not in `proofs`, and leaves there what these expansions need. They are asked in rounds;
    /// before each, `progress` has the number of questions to come, and all proofs so far.
    ///
    /// # Errors
    /// If a solver cannot be run, or by `progress`.
    pub fn prove(
        &self,
        proofs: &mut Proofs,
        mut progress: impl FnMut(&Proofs, usize) -> io::Result<()>,
    ) -> io::Result<Report> {
        let mut answers = Answers { proven: proofs.0.clone(), ..Answers::default() };
        let found = prove::solve(&self.0, &mut answers, |answers, count| {
            progress(&Proofs(answers.proven.clone()), count)
        })?;
        let report = Report::new(&found);
        proofs.0 = prove::used(&self.0, &answers);
        Ok(report)
    }
}

/// The questions that both solvers have answered, by their hashes.
#[derive(Debug, Default)]
pub struct Proofs(BTreeSet<String>);

impl Proofs {
    /// Reads the hashes of a file, one in a line.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn load(file: &Path) -> io::Result<Self> {
        let text = std::fs::read_to_string(file)?;
        Ok(Proofs(text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()))
    }

    /// Writes them.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, file: &Path) -> io::Result<()> {
        let mut text =
            String::from("# Questions that z3 and cvc5 have answered, by hash: see shim-verify.\n");
        self.0.iter().for_each(|hash| text.extend([hash, "\n"]));
        std::fs::write(file, text)
    }
}

/// The number of goals, and those that are not shown.
#[derive(Debug)]
pub struct Report {
    /// How many kernels there are.
    pub kernels: usize,
    /// How many accesses and counters they have.
    pub goals: usize,
    /// Those that are not shown.
    pub open: Vec<Open>,
}

/// An access, or the counter of a list, that is not shown to be inside.
#[derive(Debug)]
pub struct Open {
    /// The text and the kernel.
    pub kernel: String,
    /// The access as it is printed, or the name of the counter.
    pub goal: String,
    /// The question that a solver did not answer, in SMT-LIB 2; none if there was nothing to ask, because the memory or
    /// the offset is not understood.
    pub question: Option<String>,
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kernel, self.goal)
    }
}

impl Report {
    /// The goals that are not shown, in alphabetical order, each once.
    #[must_use]
    pub fn open_goals(&self) -> Vec<String> {
        let open: BTreeSet<_> = self.open.iter().map(ToString::to_string).collect();
        open.into_iter().collect()
    }

    fn new(proofs: &[Proof]) -> Self {
        let open = |proof: &Proof| {
            let of_goal = |goal: &goal::Goal| Open {
                kernel: proof.kernel.clone(),
                goal: goal.what.clone(),
                question: match &goal.state {
                    State::Open(Some(question)) => Some(question.text.clone()),
                    State::Asked(questions) => questions.first().map(|question| question.text.clone()),
                    _ => None,
                },
            };
            proof.open().map(of_goal).collect::<Vec<_>>()
        };
        Report {
            kernels: proofs.len(),
            goals: proofs.iter().map(|proof| proof.goals.len()).sum(),
            open: proofs.iter().flat_map(open).collect(),
        }
    }
}
