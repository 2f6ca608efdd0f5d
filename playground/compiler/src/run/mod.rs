//! Runs the expansion of a kernel on small arguments, and says which elements its accesses reach.
//!
//! It is an interpreter of the Rust that expansions are made of: numbers, arrays, loops, closures, the functions of the
//! runtime library and the methods of std that kernels call. What it does not know is an error that names it.

mod arguments;
mod eval;
mod lower;
mod methods;
mod runtime;
mod value;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use serde::Serialize;
use syn::{Item, ItemFn};

use eval::{Frame, Globals};
use value::Value;

/// How a kernel ended.
#[derive(Debug, Default, Serialize)]
pub struct Outcome {
    /// Its arguments, as they were and as they are.
    pub arguments: Vec<Argument>,
    /// What it returned.
    pub result: Option<String>,
    /// The message of its panic.
    pub panic: Option<String>,
    /// Why it was not run, or not to its end.
    pub error: Option<String>,
    /// The elements of the arguments that each access reached.
    pub reached: Vec<Reached>,
}

/// An argument.
#[derive(Debug, Serialize)]
pub struct Argument {
    /// The name of the parameter.
    pub name: String,
    /// Its extents, if it is a tensor with a shape or an array.
    pub shape: Vec<usize>,
    /// Its value before.
    pub before: serde_json::Value,
    /// Its value after, if the kernel may write it.
    pub after: Option<serde_json::Value>,
}

/// What an access reached.
#[derive(Debug, Serialize)]
pub struct Reached {
    /// Where the access begins in the source.
    pub from: [usize; 2],
    /// The number of the argument.
    pub argument: usize,
    /// The offsets of the elements, in order; not more than [`MOST`].
    pub offsets: BTreeSet<usize>,
}

/// How many elements are noted of an access.
const MOST: usize = 4096;

/// How many statements run.
const STATEMENTS: u64 = 10_000_000;

/// Why an evaluation does not go on.
#[derive(Debug)]
enum Flow {
    Break(Option<String>, Value),
    Continue(Option<String>),
    Return(Value),
    Panic(String),
    Unsupported(String),
}

fn panics(text: impl Into<String>) -> Flow {
    Flow::Panic(text.into())
}

fn unsupported(what: impl Into<String>) -> Flow {
    Flow::Unsupported(what.into())
}

/// What is noted while a kernel runs.
#[derive(Default)]
struct Trace {
    statements: Cell<u64>,
    reached: RefCell<BTreeMap<(lower::Site, usize), BTreeSet<usize>>>,
}

impl Trace {
    fn step(&self) -> Result<(), Flow> {
        self.statements.set(self.statements.get() + 1);
        if self.statements.get() > STATEMENTS {
            return Err(unsupported(format!("more than {STATEMENTS} statements")));
        }
        Ok(())
    }

    fn touch(&self, site: lower::Site, parameter: usize, at: usize) {
        let mut reached = self.reached.borrow_mut();
        let offsets = reached.entry((site, parameter)).or_default();
        if offsets.len() < MOST {
            offsets.insert(at);
        }
    }
}

/// Runs a kernel in a schedule on arguments by their names; those that are missing are made up.
#[must_use]
pub fn run(
    source: &str,
    kernel: &str,
    schedule: usize,
    given: &serde_json::Map<String, serde_json::Value>,
) -> Outcome {
    let mut first = None;
    for invented in arguments::INVENTED {
        let mut outcome = Outcome::default();
        match attempt(source, kernel, schedule, (given, invented), &mut outcome) {
            Err(Flow::Panic(text)) => outcome.panic = Some(text),
            Err(Flow::Unsupported(what)) => outcome.error = Some(format!("the page does not run {what}")),
            Err(flow) => outcome.error = Some(format!("the page does not run {flow:?} here")),
            Ok(()) => {}
        }
        // Arguments that were made up may be too small.
        if !given.is_empty() || outcome.panic.is_none() {
            return outcome;
        }
        first.get_or_insert(outcome);
    }
    first.unwrap_or_default()
}

fn attempt(
    source: &str,
    kernel: &str,
    schedule: usize,
    (given, invented): (&serde_json::Map<String, serde_json::Value>, arguments::Invented),
    outcome: &mut Outcome,
) -> Result<(), Flow> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let file = syn::parse_file(source).map_err(|error| unsupported(format!("it: {error}")))?;
    let kernels = crate::world::expand_file(source).map_err(|error| unsupported(format!("it: {error}")))?;
    let expansion = kernels.into_iter().find(|(name, _)| name == kernel).and_then(|(_, expansion)| expansion);
    let expansion = expansion.ok_or_else(|| unsupported(format!("`{kernel}`")))?;
    let expansion: syn::File =
        syn::parse2(expansion).map_err(|error| unsupported(format!("what it expands to: {error}")))?;
    let functions = expansion.items.iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    let function = functions.into_iter().nth(schedule).ok_or_else(|| unsupported("a kernel with errors"))?;
    let written = file.items.iter().find_map(|item| match item {
        Item::Fn(own) if own.sig.ident == kernel => Some(own),
        _ => None,
    });
    let written = written.ok_or_else(|| unsupported("a method: write it as a function"))?;

    let globals = globals(&file);
    let trace = Trace::default();
    let made = arguments::of(written, given, invented, &globals, &trace)?;
    let lowered = lower::function(function)?;
    let values: Vec<Value> = made.iter().map(|own| own.value.clone()).collect();
    outcome.arguments = made.iter().map(arguments::Made::shown).collect();
    let result = Frame::call(&globals, &trace, &lowered, values);
    for (argument, own) in outcome.arguments.iter_mut().zip(&made) {
        argument.after = own.after();
    }
    outcome.reached = trace
        .reached
        .take()
        .into_iter()
        .map(|((from, argument), offsets)| Reached { from, argument, offsets })
        .collect();
    let result = result?;
    outcome.result = Some(result.to_string()).filter(|_| !matches!(result, Value::Unit));
    Ok(())
}

/// The constants and the functions of a file that are no kernels.
fn globals(file: &syn::File) -> Globals {
    let (mut functions, mut constants) = (HashMap::new(), HashMap::new());
    for item in &file.items {
        match item {
            Item::Const(own) => {
                if let Ok(node) = lower::constant(&own.expr) {
                    constants.insert(own.ident.to_string(), (lower::number(&own.ty), node));
                }
            }
            Item::Fn(own) if !is_kernel(own) => {
                if let Ok(function) = lower::function(own) {
                    functions.insert(own.sig.ident.to_string(), Rc::new(function));
                }
            }
            _ => {}
        }
    }
    Globals { functions, constants, values: RefCell::default() }
}

fn is_kernel(function: &ItemFn) -> bool {
    function.attrs.iter().any(|own| own.path().segments.last().is_some_and(|last| last.ident == "kernel"))
}
