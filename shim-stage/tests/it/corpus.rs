//! Inputs written by hand to make the compiler stumble: it answers each with items, and soon.
//!
//! The cases of `corpus/by_hand.txt` stand between lines of dashes. One that begins with `K` is the body of a kernel
//! over a tensor `a` of four rows, one that begins with `ATTR` has the attribute's arguments on its first line.

use std::time::Duration;

use crate::common::clock::ThreadTime;
use proc_macro2::TokenStream;

/// CPU time that no case may take in a build without optimization.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn every_case_is_answered() {
    let mut failures = Vec::new();
    for case in include_str!("../corpus/by_hand.txt").split("\n----\n") {
        // rustc's own threads have as much stack; those of tests have less.
        let answered = std::thread::Builder::new().stack_size(8 << 20).spawn(|| {
            let start = ThreadTime::now();
            answer(case).map(|()| start.elapsed())
        });
        match answered.expect("a thread").join() {
            Ok(Ok(took)) if took < PATIENCE => {}
            Ok(Ok(took)) => failures.push(format!("{case}\n    takes {took:?}")),
            Ok(Err(message)) => failures.push(format!("{case}\n    {message}")),
            Err(_) => failures.push(format!("{case}\n    panics")),
        }
    }
    assert!(failures.is_empty(), "{} of them:\n{}", failures.len(), failures.join("\n"));
}

/// Expands a case; the message says what is wrong with the answer.
fn answer(case: &str) -> Result<(), String> {
    let (attribute, item) = match (case.strip_prefix("ATTR "), case.strip_prefix("K ")) {
        (Some(rest), _) => {
            let (attribute, item) = rest.split_once('\n').ok_or("no item")?;
            (attribute.to_owned(), item.to_owned())
        }
        (_, Some(body)) => {
            let head = "fn f(m: &mut [i32], n: usize) -> i32 { let a = Block::external(m, [4, n]);";
            (String::new(), format!("{head} {body} }}"))
        }
        _ => (String::new(), case.to_owned()),
    };
    let attribute: TokenStream = attribute.parse().map_err(|error| format!("{error}"))?;
    let item: TokenStream = item.parse().map_err(|error| format!("{error}"))?;
    let expansion = shim_stage::kernel(attribute, item.clone());
    // What is no function is handed back as it is.
    match syn::parse2::<syn::File>(expansion.clone()) {
        Err(error) if syn::parse2::<syn::ItemFn>(item).is_ok() => Err(format!("{error} in {expansion}")),
        _ => Ok(()),
    }
}
