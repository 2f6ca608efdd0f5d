//! The verifier on expansions of this project, and on small ones.

mod golden;
mod layers;
mod mutants;
mod small;
mod stored;
