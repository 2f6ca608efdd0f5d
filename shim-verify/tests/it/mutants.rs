//! Faults that are planted in the golden expansions: each has to be noticed, or to be harmless.
//!
//! `proofs/mutants.txt` lists the faults that no solver notices, with the reason why each is harmless.
//! `cargo test --release -p shim-verify mutants -- --ignored` plants all of them, asks the solvers, and compares; with
//! `SHIM_PROOFS=write` it writes the list, and keeps the reasons that are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::ToTokens;
use shim_verify::{Expansions, Proofs};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprMethodCall, parse_quote};

use crate::stored;

/// How many faults are planted, evenly among all that there are.
const COUNT: usize = 300;

/// Plants the fault of a number, and counts all.
#[derive(Default)]
struct Planter {
    wanted: Option<usize>,
    count: usize,
    /// What was planted, and the code that it changed.
    planted: Option<String>,
    /// Whether the code computes an offset.
    in_offset: bool,
}

impl Planter {
    /// Whether this is the one, which `what` describes.
    fn plants(&mut self, what: &str, code: &impl ToTokens) -> bool {
        let is_it = self.wanted == Some(self.count);
        self.count += 1;
        if is_it {
            let code = code.to_token_stream().to_string();
            self.planted = Some(format!("{what}: {}", code.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        is_it
    }

    fn range(&mut self, range: &mut syn::ExprRange) {
        if let Some(end) = range.end.clone()
            && self.plants("a loop runs one longer", range)
        {
            range.end = Some(parse_quote!((#end) + 1));
        }
    }

    fn call(&mut self, call: &mut ExprMethodCall) {
        let name = call.method.to_string();
        match name.as_str() {
            "least" if self.plants("the greater for the less", call) => {
                call.method = parse_quote!(greatest);
            }
            "list_of" if self.plants("a list has room for one more than its memory", call) => {
                let capacity = &call.args[3];
                call.args[3] = parse_quote!((#capacity) + 1);
            }
            "stack" | "stack_of" | "unset" | "unset_of" => {
                let Some(turbofish) = &mut call.turbofish else { return };
                let Some(count @ syn::GenericArgument::Const(_)) = turbofish.args.last().cloned() else {
                    return;
                };
                let is_literal = matches!(&count, syn::GenericArgument::Const(Expr::Lit(_)));
                if is_literal && self.plants("memory on the stack is one shorter", &call.clone()) {
                    let syn::GenericArgument::Const(Expr::Lit(literal)) = &count else { return };
                    let syn::Lit::Int(number) = &literal.lit else { return };
                    let number: usize = number.base10_parse().expect("a count");
                    let shorter = proc_macro2::Literal::usize_unsuffixed(number.saturating_sub(1));
                    let turbofish = call.turbofish.as_mut().expect("it has one");
                    *turbofish.args.last_mut().expect("it has arguments") =
                        syn::GenericArgument::Const(parse_quote!(#shorter));
                }
            }
            "split_range" => {
                if let Some(Expr::Range(range)) = call.args.first_mut() {
                    self.range(range);
                }
            }
            _ => {}
        }
    }
}

/// The assertions about memory, not those about the types of loop variables.
fn is_assertion(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else { return false };
    let name = call.method.to_string();
    name.starts_with("assert_") && !name.starts_with("assert_i32") && name != "assert_curve_fits"
}

/// Whether a condition is about places, and not about the user's values, and accesses stand behind it.
fn guards(choice: &syn::ExprIf) -> bool {
    let text = |tokens: &dyn Fn() -> TokenStream| tokens().to_string();
    let condition = text(&|| choice.cond.to_token_stream());
    (condition.contains("shim .") || condition.contains("_i "))
        && text(&|| choice.then_branch.to_token_stream()).contains("unsafe")
}

impl VisitMut for Planter {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if is_assertion(expr) && self.plants("an assertion is missing", expr) {
            *expr = parse_quote!(());
            return;
        }
        match expr {
            Expr::ForLoop(lop) => {
                if let Expr::Range(range) = &mut *lop.expr {
                    self.range(range);
                }
            }
            Expr::If(choice) if guards(choice) && self.plants("a condition is missing", &choice.cond) => {
                *choice.cond = parse_quote!(true);
            }
            Expr::MethodCall(call) => self.call(call),
            Expr::Binary(binary) if self.in_offset => match binary.op {
                BinOp::Add(_) if self.plants("minus for plus in an offset", binary) => {
                    binary.op = parse_quote!(-);
                }
                BinOp::Mul(_) if self.plants("another stride in an offset", binary) => {
                    let stride = &binary.right;
                    *binary.right = parse_quote!(((#stride) + 1));
                }
                _ => {}
            },
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_expr_unsafe_mut(&mut self, block: &mut syn::ExprUnsafe) {
        let around = std::mem::replace(&mut self.in_offset, true);
        visit_mut::visit_expr_unsafe_mut(self, block);
        self.in_offset = around;
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        // The part of an offset that does not change in a loop.
        let name = local.pat.to_token_stream().to_string();
        let around = std::mem::replace(&mut self.in_offset, name.contains("_row") || name.contains("_base"));
        visit_mut::visit_local_mut(self, local);
        self.in_offset = around;
    }
}

/// The golden expansions, by the name of the file.
fn golden() -> BTreeMap<String, syn::File> {
    let folder = stored::folder().join("../shim-stage/tests/snapshots");
    let files =
        fs::read_dir(folder).expect("the golden expansions").map(|entry| entry.expect("an entry").path());
    let snapshots = files.filter(|path| path.extension().is_some_and(|extension| extension == "snap"));
    snapshots
        .map(|path: PathBuf| {
            let text = fs::read_to_string(&path).expect("it can be read");
            let (_, code) = text[4..].split_once("\n---\n").expect("a header");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, syn::parse_file(code).expect("it is Rust"))
        })
        .collect()
}

/// How many goals of an expansion are open.
fn open(name: &str, file: &syn::File, proofs: &mut Proofs) -> usize {
    let mut expansions = Expansions::default();
    expansions.add(name, &file.to_token_stream().to_string()).expect("it is Rust");
    expansions.prove(proofs, |_, _| Ok(())).expect("z3 and cvc5 run").open.len()
}

/// The list of harmless faults: each with its reason.
fn listed() -> BTreeMap<String, String> {
    let text = fs::read_to_string(stored::folder().join("proofs/mutants.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (fault, reason) = line.split_once(" // ").unwrap_or((line, ""));
            (fault.to_owned(), reason.to_owned())
        })
        .collect()
}

#[test]
fn harmless_faults_have_reasons() {
    let without: Vec<_> = listed().into_iter().filter(|(_, reason)| reason.is_empty()).collect();
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
#[ignore = "takes z3 and cvc5, and minutes"]
fn mutants_are_noticed() {
    let golden = golden();
    let load = || Proofs::load(&stored::folder().join("proofs/golden.txt")).expect("the proofs");
    let mut faults = Vec::new();
    // Where all goals are shown, so that one that is not is due to the fault.
    for (name, file) in golden.iter().filter(|(name, file)| open(name, file, &mut load()) == 0) {
        let mut planter = Planter::default();
        planter.visit_file_mut(&mut file.clone());
        faults.extend((0..planter.count).map(|number| (name, file, number)));
    }
    let mut unnoticed = Vec::new();
    for k in 0..COUNT {
        let (name, file, number) = faults[k * faults.len() / COUNT];
        let mut changed = file.clone();
        let mut planter = Planter { wanted: Some(number), ..Planter::default() };
        planter.visit_file_mut(&mut changed);
        let fault = format!("{name}, {number}: {}", planter.planted.expect("it is planted"));
        if open(name, &changed, &mut load()) > 0 {
            continue;
        }
        println!("unnoticed: {fault}");
        unnoticed.push(fault);
    }
    println!("{} of {COUNT} faults of {} are noticed", COUNT - unnoticed.len(), faults.len());
    let known = listed();
    if std::env::var("SHIM_PROOFS").is_ok_and(|value| value == "write") {
        let lines = unnoticed.iter().map(|fault| match known.get(fault) {
            Some(reason) if !reason.is_empty() => format!("{fault} // {reason}\n"),
            _ => format!("{fault}\n"),
        });
        let head = format!(
            "# Of {COUNT} faults that are planted in the golden expansions, {} are noticed; these are harmless: tests/it/mutants.rs.\n",
            COUNT - unnoticed.len()
        );
        let list = stored::folder().join("proofs/mutants.txt");
        fs::write(list, head + &lines.collect::<String>()).expect("it can be written");
    } else {
        let new: Vec<_> = unnoticed.iter().filter(|fault| !known.contains_key(*fault)).collect();
        assert!(new.is_empty(), "{new:#?}");
    }
}
