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
    let prepared = match Prepared::new(source, kernel, schedule) {
        Ok(prepared) => prepared,
        Err(flow) => return Outcome::default().ended(flow),
    };
    let mut first = None;
    for invented in arguments::INVENTED {
        let mut outcome = Outcome::default();
        if let Err(flow) = prepared.run(given, invented, &mut outcome) {
            outcome = outcome.ended(flow);
        }
        // Arguments that were made up may be too small.
        if !given.is_empty() || outcome.panic.is_none() {
            return outcome;
        }
        first.get_or_insert(outcome);
    }
    first.unwrap_or_default()
}

impl Outcome {
    fn ended(mut self, flow: Flow) -> Self {
        match flow {
            Flow::Panic(text) => self.panic = Some(text),
            Flow::Unsupported(what) => self.error = Some(format!("the page does not run {what}")),
            flow => self.error = Some(format!("the page does not run {flow:?} here")),
        }
        self
    }
}

/// A kernel that is ready to run.
struct Prepared {
    /// The function as it is written.
    written: ItemFn,
    lowered: lower::Function,
    globals: Globals,
}

impl Prepared {
    fn new(source: &str, kernel: &str, schedule: usize) -> Result<Self, Flow> {
        proc_macro2::extra::invalidate_current_thread_spans();
        let no_rust = |error: syn::Error| unsupported(format!("it: {error}"));
        let file = syn::parse_file(source).map_err(no_rust)?;
        let mut kernels = crate::world::expand_file(source).map_err(no_rust)?.into_iter();
        let expansion = kernels.find(|(name, _)| name == kernel).and_then(|(_, expansion)| expansion);
        let expansion = expansion.ok_or_else(|| unsupported(format!("`{kernel}`")))?;
        let expansion: syn::File =
            syn::parse2(expansion).map_err(|error| unsupported(format!("what it expands to: {error}")))?;
        let mut functions = expansion.items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        });
        let function = functions.nth(schedule).ok_or_else(|| unsupported("a kernel with errors"))?;
        let globals = globals(&file);
        let written = file.items.into_iter().find_map(|item| match item {
            Item::Fn(own) if own.sig.ident == kernel => Some(own),
            _ => None,
        });
        let written = written.ok_or_else(|| unsupported("a method: write it as a function"))?;
        Ok(Prepared { written, lowered: lower::function(function)?, globals })
    }

    fn run(
        &self,
        given: &serde_json::Map<String, serde_json::Value>,
        invented: arguments::Invented,
        outcome: &mut Outcome,
    ) -> Result<(), Flow> {
        let trace = Trace::default();
        let made = arguments::of(&self.written, given, invented, &self.globals, &trace)?;
        outcome.arguments = made.iter().map(arguments::Made::shown).collect();
        let values = made.iter().map(|own| own.value.clone()).collect();
        let result = Frame::call(&self.globals, &trace, &self.lowered, values);
        for (argument, own) in outcome.arguments.iter_mut().zip(&made) {
            argument.after = own.after();
        }
        let reached = trace.reached.take().into_iter();
        outcome.reached =
            reached.map(|((from, argument), offsets)| Reached { from, argument, offsets }).collect();
        let result = result?;
        outcome.result = Some(result.to_string()).filter(|_| !matches!(result, Value::Unit));
        Ok(())
    }
}

/// The constants of a file, and its functions other than kernels.
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
