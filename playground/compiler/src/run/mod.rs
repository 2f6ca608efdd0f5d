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
use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::rc::Rc;

use serde::Serialize;
use syn::{Item, ItemFn, ItemStruct};

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
    /// The stores to arguments in their order, each with the loads since the one before; not more loads than [`LOADS`].
    /// Each is a list of pairs, first that of the store: the number of its access in `reached`, and the offset of the
    /// element.
    pub steps: Vec<Vec<(usize, usize)>>,
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

/// How many loads are noted with the stores that they are for.
const LOADS: usize = 1 << 18;

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
    touched: RefCell<Touched>,
}

/// The elements that a kernel touched.
#[derive(Default)]
struct Touched {
    reached: Vec<Reached>,
    /// Numbers in `reached`, by site and argument.
    accesses: HashMap<(lower::Site, usize), usize>,
    steps: Vec<Vec<(usize, usize)>>,
    /// The loads since the last store.
    loads: Vec<(usize, usize)>,
    /// The loads in all steps.
    noted: usize,
}

impl Touched {
    fn touch(&mut self, (from, argument): (lower::Site, usize), at: usize, stores: bool) {
        let Touched { reached, accesses, steps, loads, noted } = self;
        let access = *accesses.entry((from, argument)).or_insert_with(|| {
            reached.push(Reached { from, argument, offsets: BTreeSet::new() });
            reached.len() - 1
        });
        let offsets = &mut reached[access].offsets;
        if offsets.len() < MOST {
            offsets.insert(at);
        }
        if !stores {
            // Those of a step that is too long are of no use.
            if loads.len() < LOADS {
                loads.push((access, at));
            }
        } else if *noted + loads.len() < LOADS {
            *noted += loads.len();
            steps.push(iter::once((access, at)).chain(loads.drain(..)).collect());
        } else {
            loads.clear();
        }
    }
}

impl Trace {
    fn step(&self) -> Result<(), Flow> {
        self.statements.set(self.statements.get() + 1);
        if self.statements.get() > STATEMENTS {
            return Err(unsupported(format!("more than {STATEMENTS} statements")));
        }
        Ok(())
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
    /// The structs of the file, whose fields are arguments.
    structs: HashMap<String, ItemStruct>,
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
        let mut functions = Vec::new();
        for item in &expansion.items {
            match item {
                Item::Fn(function) => functions.push(function),
                Item::Macro(own)
                    if own.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error") =>
                {
                    return Err(unsupported("a kernel with errors"));
                }
                _ => {}
            }
        }
        let function =
            functions.get(schedule).ok_or_else(|| unsupported(format!("the schedule {schedule}")))?;
        let globals = globals(&file);
        let structs = file.items.iter().filter_map(|item| match item {
            Item::Struct(own) => Some((own.ident.to_string(), own.clone())),
            _ => None,
        });
        let structs = structs.collect();
        let written = file.items.into_iter().find_map(|item| match item {
            Item::Fn(own) if own.sig.ident == kernel => Some(own),
            _ => None,
        });
        let written = written.ok_or_else(|| unsupported("a method: write it as a function"))?;
        Ok(Prepared { written, lowered: lower::function(function)?, globals, structs })
    }

    fn run(
        &self,
        given: &serde_json::Map<String, serde_json::Value>,
        invented: arguments::Invented,
        outcome: &mut Outcome,
    ) -> Result<(), Flow> {
        let trace = Trace::default();
        let made = arguments::of((&self.written, &self.structs), given, invented, &self.globals, &trace)?;
        outcome.arguments = made.iter().map(arguments::Made::shown).collect();
        let result = Frame::call(&self.globals, &trace, &self.lowered, arguments::values(&made));
        for (argument, own) in outcome.arguments.iter_mut().zip(&made) {
            argument.after = own.after();
        }
        Touched { reached: outcome.reached, steps: outcome.steps, .. } = trace.touched.take();
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
