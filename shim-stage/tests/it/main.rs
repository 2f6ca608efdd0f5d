//! Golden expansions and passes, and whatever tokens the compiler is given.

#[path = "../common/mod.rs"]
mod common;

mod corpus;
mod effects;
mod generated_views;
mod golden;
mod hostile;
mod layers;
mod legality;
mod messages;
mod oracle;
mod pairs;
mod passes;
mod readme;
mod reference;
mod shapes;
