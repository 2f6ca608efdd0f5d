//! Prints what the kernels of a file expand to: `cargo run -p shim-stage --example expand -- FILE.rs [NAME]`.

use std::process::ExitCode;

use quote::ToTokens;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: expand FILE.rs [NAME]");
        return ExitCode::from(2);
    };
    let wanted = arguments.next();
    let source = match std::fs::read_to_string(&path) {
        Ok(source) => source,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let file = match syn::parse_file(&source) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    for item in file.items {
        let syn::Item::Fn(mut function) = item else { continue };
        if wanted.as_ref().is_some_and(|wanted| function.sig.ident != wanted) {
            continue;
        }
        let Some(at) = function.attrs.iter().position(|attribute| {
            attribute.path().segments.last().is_some_and(|segment| segment.ident == "kernel")
        }) else {
            continue;
        };
        let attribute = match function.attrs.remove(at).meta {
            syn::Meta::List(list) => list.tokens,
            _ => proc_macro2::TokenStream::new(),
        };
        let expansion = shim_stage::kernel(attribute, function.to_token_stream());
        match syn::parse2(expansion.clone()) {
            Ok(file) => println!("{}", prettyplease::unparse(&file)),
            Err(error) => println!("{expansion}\n// does not parse: {error}"),
        }
    }
    ExitCode::SUCCESS
}
