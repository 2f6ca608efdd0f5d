//! Kernels and declarations in the text of expansions.

use std::collections::HashMap;

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Stmt};

/// A function whose body begins an expansion.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// With the name of the text that it is in.
    pub(crate) name: String,
    pub(crate) signature: syn::Signature,
    pub(crate) body: syn::Block,
    /// How many `unsafe` blocks it has.
    pub(crate) blocks: usize,
}

/// The declarations of located structs: by key, the function that compares the lengths of the fields.
pub(crate) type Declarations = HashMap<u64, syn::ImplItemFn>;

/// The contents of texts.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) declarations: Declarations,
}

impl Read {
    /// Reads Rust as it is printed, or a snapshot of it.
    pub(crate) fn text(&mut self, name: &str, text: &str) -> syn::Result<()> {
        let body = match text.strip_prefix("---\n") {
            Some(snapshot) => snapshot.split_once("\n---\n").unwrap_or_default().1,
            None => text,
        };
        let before = self.kernels.len();
        self.visit_file(&syn::parse_file(body)?);
        for kernel in &mut self.kernels[before..] {
            kernel.name = format!("{name}::{}", kernel.name);
        }
        Ok(())
    }

    fn function(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let mut finds = FindsRuntime(false);
        finds.visit_block(body);
        if finds.0 {
            let name = signature.ident.to_string();
            let (mut body, mut numbers) = (body.clone(), Numbers(0));
            numbers.visit_block_mut(&mut body);
            self.kernels.push(Kernel { name, signature: signature.clone(), body, blocks: numbers.0 });
        }
    }
}

impl<'ast> Visit<'ast> for Read {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Some((path, _)) = &item.trait_
            && let Some(last) = path.segments.last()
            && last.ident == "Fields"
            && let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
            && let Some(syn::GenericArgument::Const(syn::Expr::Lit(key))) = arguments.args.first()
            && let syn::Lit::Int(key) = &key.lit
            && let Ok(key) = key.base10_parse()
        {
            for part in &item.items {
                if let syn::ImplItem::Fn(function) = part {
                    self.declarations.insert(key, function.clone());
                }
            }
        }
        visit::visit_item_impl(self, item);
    }
}

/// Numbers `unsafe` blocks, so that none is passed over.
struct Numbers(usize);

impl VisitMut for Numbers {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(call) = expr
            && let Some(arguments) = self.arguments(&call.mac)
        {
            *expr = arguments;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if let Stmt::Macro(call) = statement
            && let Some(arguments) = self.arguments(&call.mac)
        {
            *statement = Stmt::Expr(arguments, Some(syn::token::Semi::default()));
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_expr_unsafe_mut(&mut self, block: &mut syn::ExprUnsafe) {
        let name = quote::format_ident!("block_{}", self.0);
        self.0 += 1;
        block.attrs.push(syn::parse_quote!(#[#name]));
        visit_mut::visit_expr_unsafe_mut(self, block);
    }
}

impl Numbers {
    /// The arguments of a macro that have accesses, as those of a function. What is no list of expressions is passed over,
    /// and counts as a block.
    fn arguments(&mut self, call: &syn::Macro) -> Option<Expr> {
        if !call.tokens.to_string().contains("unsafe") {
            return None;
        }
        let parser = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        let Ok(arguments) = call.parse_body_with(parser) else {
            self.0 += 1;
            return None;
        };
        let function = &call.path;
        Some(syn::parse_quote!(#function(#arguments)))
    }
}

/// The numbers of the `unsafe` blocks in code that does not run.
#[derive(Default)]
pub(crate) struct Unreached(pub(crate) Vec<String>);

impl<'ast> Visit<'ast> for Unreached {
    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.0.extend(number_of(block));
        visit::visit_expr_unsafe(self, block);
    }
}

/// The number of an `unsafe` block.
pub(crate) fn number_of(block: &syn::ExprUnsafe) -> Option<String> {
    block.attrs.iter().find_map(|attribute| attribute.path().get_ident().map(ToString::to_string))
}

/// Whether a body makes a runtime.
struct FindsRuntime(bool);

impl<'ast> Visit<'ast> for FindsRuntime {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0 |= is_constructor(path);
        visit::visit_path(self, path);
    }
}

/// Whether a call of this function makes a runtime.
pub(crate) fn makes_runtime(function: &syn::Expr) -> bool {
    matches!(function, syn::Expr::Path(path) if is_constructor(&path.path))
}

fn is_constructor(path: &syn::Path) -> bool {
    let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    names.ends_with(&["__private".to_owned(), "Runtime".to_owned(), "new".to_owned()])
}
