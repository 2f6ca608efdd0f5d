//! Goals of many kernels, asked in rounds: the next way to show a goal is tried where the one before it failed.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::goal::{Answers, Goal, Kind, Question, State};
use crate::machine::Machine;
use crate::read::{Declarations, Kernel, Read};
use crate::solve::SOLVERS;

/// The goals of a kernel, and how far each is.
#[derive(Debug)]
pub(crate) struct Proof {
    pub(crate) kernel: String,
    pub(crate) goals: Vec<Goal>,
}

impl Proof {
    /// With what is answered so far.
    fn new(kernel: &Kernel, declarations: &Declarations, answers: &Answers) -> Self {
        let goals = |has_counters: bool| {
            let mut machine = Machine::new(declarations, answers, has_counters);
            machine.kernel(&kernel.signature, &kernel.body);
            let missed = (0..kernel.blocks).filter(|block| !machine.seen.contains(&format!("block_{block}")));
            let missed = missed.map(|block| Goal {
                kind: Kind::Access,
                what: format!("the {}. `unsafe` block, which nothing reaches", block + 1),
                state: State::Open(None),
            });
            let missed: Vec<_> = missed.collect();
            machine.goals.into_iter().chain(missed).collect::<Vec<_>>()
        };
        let mut found = goals(false);
        // Counters are followed only where something is left that they may show.
        let open = |goals: &[Goal]| goals.iter().filter(|goal| matches!(goal.state, State::Open(_))).count();
        if open(&found) > 0 {
            let counted = goals(true);
            if counted.iter().any(|goal| goal.kind == Kind::Counter) && open(&counted) < open(&found) {
                found = counted;
            }
        }
        Proof { kernel: kernel.name.clone(), goals: found }
    }

    /// The questions that have no answer.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &Question> {
        self.goals.iter().flat_map(|goal| match &goal.state {
            State::Asked(questions) => &questions[..],
            _ => &[],
        })
    }

    /// The goals that are not shown.
    pub(crate) fn open(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter().filter(|goal| goal.state != State::Proven)
    }
}

/// How far all kernels are, by the answers that there are.
pub(crate) fn check(read: &Read, answers: &Answers) -> Vec<Proof> {
    read.kernels.iter().map(|kernel| Proof::new(kernel, &read.declarations, answers)).collect()
}

/// Asks solvers until each goal is shown or no way is left. Before each round, `progress` has the answers so far and the
/// number of questions to come.
pub(crate) fn solve(
    read: &Read,
    answers: &mut Answers,
    mut progress: impl FnMut(&Answers, usize) -> io::Result<()>,
) -> io::Result<Vec<Proof>> {
    let mut proofs = check(read, answers);
    loop {
        let questions: BTreeMap<_, _> = proofs
            .iter()
            .flat_map(Proof::asked)
            .map(|question| (question.hash.clone(), question.clone()))
            .collect();
        if questions.is_empty() {
            return Ok(proofs);
        }
        progress(answers, questions.len())?;
        let mut left: Vec<&Question> = questions.values().collect();
        for solver in SOLVERS {
            let found = solver.answers(&left)?;
            let (yes, no): (Vec<_>, Vec<_>) = left.iter().zip(found).partition(|(_, answer)| *answer);
            answers.open.extend(no.into_iter().map(|(question, _)| question.hash.clone()));
            left = yes.into_iter().map(|(question, _)| *question).collect();
        }
        answers.proven.extend(left.into_iter().map(|question| question.hash.clone()));
        for (kernel, proof) in read.kernels.iter().zip(&mut proofs) {
            if proof.asked().next().is_some() {
                *proof = Proof::new(kernel, &read.declarations, answers);
            }
        }
    }
}

/// The hashes of all questions that proofs of these goals rest on.
pub(crate) fn used(read: &Read, answers: &Answers) -> BTreeSet<String> {
    // Each question of the way that a proof takes is asked again where nothing is proven.
    let none = Answers { open: answers.open.clone(), ..Answers::default() };
    let proofs = check(read, &none);
    let asked = proofs.iter().flat_map(Proof::asked).map(|question| question.hash.clone());
    asked.filter(|hash| answers.proven.contains(hash)).collect()
}
