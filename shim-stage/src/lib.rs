//! The staging compiler of shim, as an ordinary library: tokens in, tokens out.
//!
//! A kernel goes through these passes, and none knows the ones after it (`tests/it/layers.rs`):
//!
//! | pass | module | what it does |
//! |---|---|---|
//! | parse | [`parse`] | recognizes options and parameters, and judges the definitions of templates |
//! | link | [`link`] | brings the structs that a kernel takes and the templates that it calls, and stages each template once by itself, for its errors |
//! | bind | [`bind`] | decides what is static, stages templates, captures locations |
//! | regions | `regions` | finds out which elements of stages are computed where |
//! | check | [`check`] | decides which accesses are safe, asserted before a nest, or tested in place |
//! | tabulate | `tabulate` | makes tables of the copies of tabulated loops |
//! | schedule | `schedule` | gives nests the order that their attributes ask for, where `depend` proves that it changes no result; moves stages to their tiles, and their memory out of the loops that share it |
//! | pieces | [`split`] | makes a loop over a tensor of several pieces a loop for each piece |
//! | interior | [`split`] | finds the range of a loop in which no access needs a test; [`advice`] and `hoisted` say which accesses keep one |
//! | clear | `clear` | finds the blocks on the stack that need not be cleared |
//! | split | [`split`] | makes the interior of a loop a nest without tests |
//! | idiom | `idiom` | finds nests that copy lines of bytes to columns, or add up bytes |
//! | place | [`place`](mod@place) | computes conversions, extents and parts of offsets once, where they change; lowers coordinates to offsets |
//! | gather | `idiom` | finds selections that load one block at constant distances, by shuffles if they are bytes |
//! | mutability | `mutability` | marks the memory that is written, and how each element is reached |
//! | dead | `dead` | leaves out the conversions and constants that nothing mentions |
//! | emit | [`emit`] | prints readable Rust; `overflow` says which operations fit `isize` |
//!
//! From bind to emit a kernel is an [`ir::Program`], and each pass rewrites it (`stage` lists them):
//! [`print`](mod@print) shows it between two passes, and [`summary`] its loops and accesses beside an expansion.
//! [`bind`], for the dependences of a loop, and [`check`] ask [`locate`] for the blocks that may hold an element, and the
//! element's coordinates there. They share `syntax`, the walks of syntax trees; [`surface`], the names and forms of the
//! language; [`hygiene`], which identifiers are one name; [`symbolic`], the integers of locations in a normal form;
//! [`static_eval`], values that are static; [`ir`], what the passes hand to one another; `stand_in`, what rustc checks of
//! the closure of a stage; and [`diagnostics`], what is wrong.

pub mod advice;
pub mod bind;
pub mod check;
mod clear;
mod dead;
mod depend;
pub mod diagnostics;
pub mod emit;
mod hoisted;
pub mod hygiene;
mod idiom;
pub mod ir;
pub mod link;
pub mod locate;
mod mutability;
pub mod overflow;
pub mod parse;
pub mod place;
pub mod print;
mod regions;
mod schedule;
pub mod split;
mod stage;
mod stand_in;
pub mod static_eval;
pub mod summary;
pub mod surface;
pub mod symbolic;
mod syntax;
mod tabulate;
mod verify;

use std::cell::RefCell;

use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostics::Diagnostics;
use crate::link::{Library, Unit};
use crate::print::Passes;
use crate::stage::{Record, Stages, stage};
use crate::summary::Summary;

/// The expansion of `#[shim::kernel(attribute)] item`.
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    kernel_by(attribute, item, &Stages::default())
}

fn kernel_by(attribute: TokenStream, item: TokenStream, stages: &Stages<'_>) -> TokenStream {
    if let Some(error) = link::refuse_nesting(&item).or_else(|| link::refuse_reserved(&item)) {
        return error;
    }
    let item = link::tokens::ungroup(hygiene::unraw(item));
    let names =
        parse::options::Options::parse(attribute.clone()).map_or_else(|_| Vec::new(), |own| own.schedules);
    if names.is_empty() && !parse::schedules::are_named(&item) {
        return scheduled(attribute, item, stages);
    }
    let variants = match parse::schedules::variants(&item, &names) {
        Ok(variants) => variants,
        Err(error) => {
            let (error, alone) = (error.into_compile_error(), link::signature(item));
            return quote!(#error #alone);
        }
    };
    let expansions = variants.into_iter().map(|item| scheduled(attribute.clone(), item, stages));
    let module = (!names.is_empty()).then(|| parse::schedules::module(&item, &names));
    quote!(#(#expansions)* #module)
}

/// The expansion of a kernel in one schedule.
fn scheduled(attribute: TokenStream, item: TokenStream, stages: &Stages<'_>) -> TokenStream {
    // A template is judged where it is defined: its callers may be in other crates.
    let (errors, judged) = parse::template::judge(&attribute, item.clone());
    let written = errors.is_some().then(|| link::for_editor(item));
    let expansion = link::start(attribute, judged, stages);
    quote!(#errors #expansion #written)
}

/// The expansion of `#[shim::located(attribute)] item`.
pub fn located(attribute: TokenStream, item: TokenStream) -> TokenStream {
    stage::dumped(link::declare(attribute, link::tokens::ungroup(hygiene::unraw(item))))
}

/// The expansion of `#[shim::constant(attribute)] item`.
pub fn constant(attribute: TokenStream, item: TokenStream) -> TokenStream {
    link::declare_constant(&attribute, &link::tokens::ungroup(hygiene::unraw(item)))
}

/// The expansion of `#[shim::layout(attribute)] item`.
pub fn layout(attribute: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(error) = link::refuse_nesting(&item).or_else(|| link::refuse_reserved(&item)) {
        return error;
    }
    link::declare_layout(attribute, link::tokens::ungroup(hygiene::unraw(item)))
}

/// A kernel that calls no templates after each pass, as text, by the name of the pass.
///
/// # Errors
/// What is wrong with the kernel.
pub fn passes(attribute: TokenStream, item: TokenStream) -> syn::Result<Vec<(&'static str, String)>> {
    let item = link::tokens::ungroup(hygiene::unraw(item));
    let unit = Unit { attribute, item, callees: link::Callees::new() };
    let mut record = Record { passes: Passes::recorded(), summary: None };
    stage(&unit, &Library::default(), Diagnostics::default(), &mut record)?;
    Ok(record.passes.texts().to_vec())
}

/// The expansion of the continuation that [`kernel`] leaves behind when a kernel calls templates.
pub fn resume(input: TokenStream) -> TokenStream {
    stage::dumped(link::resume(input, &Stages::default()))
}

/// The compiler for an editor or a page, which keeps a summary of each kernel that it stages.
#[derive(Default)]
pub struct Recorder {
    summaries: RefCell<Vec<Summary>>,
}

impl Recorder {
    /// The same as [`kernel`].
    pub fn kernel(&self, attribute: TokenStream, item: TokenStream) -> TokenStream {
        kernel_by(attribute, item, &self.stages())
    }

    /// The same as [`resume`].
    pub fn resume(&self, input: TokenStream) -> TokenStream {
        link::resume(input, &self.stages())
    }

    /// The summaries since the last call, one for each function that a kernel became.
    pub fn take(&self) -> Vec<Summary> {
        self.summaries.take()
    }

    fn stages(&self) -> Stages<'_> {
        Stages { summaries: Some(&self.summaries) }
    }
}
