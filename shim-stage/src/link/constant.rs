//! Constants that are static in kernels of other modules and crates.
//!
//! `#[shim::constant]` leaves a constant as it is, and exports its type and value beside it as a macro of its name, as
//! [templates](super) are. A kernel whose body has `#[staged] use crate::scan::ZIGZAG;` expands first to a call of that macro, and
//! then to a kernel with the constant in the place of the import:
//!
//! ```text
//! const ZIGZAG: [usize; 64] = [0usize, 1usize, 8usize, ..];
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, Item, ItemConst, ItemFn, ItemUse, Path, Result, Stmt, Type, UseTree, braced,
};

use crate::diagnostics::Diagnostics;
use crate::fixed::{self, NoNames, Value};
use crate::hygiene;
use crate::surface::{HelperAttribute, std_macro};

use super::{refusal, text, tokens, transport};

/// A constant as it arrives in a kernel.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    ty: Type,
    value: Expr,
}

/// The expansion of `#[shim::constant]`.
pub fn declare(attribute: &TokenStream, item: &TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    if !attribute.is_empty() {
        diagnostics.error(attribute, "`#[shim::constant]` takes no arguments", "write `#[shim::constant]`");
    }
    let Ok(mut declared) = syn::parse2::<ItemConst>(item.clone()) else {
        let help = "put it before a `const` with a name, a type and a value";
        diagnostics.error(refusal::header(item), "`#[shim::constant]` goes on a constant", help);
        let error = diagnostics.finish().map(|error| error.to_compile_error());
        return quote!(#error #item);
    };
    let constant = read(&declared, &mut diagnostics);
    // Its only uses may be in kernels, where rustc sees no more than the confirmation of its value.
    declared.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    let error = diagnostics.finish().map(|error| error.to_compile_error());
    let constant = if error.is_some() { None } else { constant };
    let export = (declared.ident != "_").then(|| export(&declared, constant.as_ref()));
    quote!(#error #declared #export)
}

/// The type and the value of a constant.
fn read(declared: &ItemConst, diagnostics: &mut Diagnostics) -> Option<Constant> {
    if declared.ident == "_" {
        diagnostics.error(&declared.ident, "a staged constant has no name", "kernels import it by its name");
        return None;
    }
    let value = match fixed::eval_as(&declared.expr, &declared.ty, &NoNames) {
        Ok(Some(value)) => value,
        Ok(None) => {
            diagnostics.error(
                &declared.expr,
                format!("the value of `{}` is not known when the macro is expanded", declared.ident),
                "a staged constant is an integer, a `bool`, or an array or a tuple of these; write literals and arithmetic on them",
            );
            return None;
        }
        Err(error) => {
            diagnostics.push(error);
            return None;
        }
    };
    let ty = type_of(&value, &declared.ty);
    Some(Constant { ty, value: fixed::literal(&value, Span::call_site()) })
}

/// A type that means the same in every module, where the one that is written may name constants.
fn type_of(value: &Value, declared: &Type) -> Type {
    match (value, declared) {
        (_, Type::Paren(inner)) => type_of(value, &inner.elem),
        (_, Type::Group(inner)) => type_of(value, &inner.elem),
        (Value::Array(elements), Type::Array(array)) => {
            let element =
                elements.first().map_or_else(|| (*array.elem).clone(), |first| type_of(first, &array.elem));
            let length = elements.len();
            syn::parse_quote!([#element; #length])
        }
        (Value::Tuple(elements), Type::Tuple(tuple)) => {
            let elements = elements.iter().zip(&tuple.elems).map(|(element, ty)| type_of(element, ty));
            syn::parse_quote!((#(#elements,)*))
        }
        _ => declared.clone(),
    }
}

/// The macro that carries the constant; that of one with an error carries nothing, so that kernels do not repeat it.
fn export(declared: &ItemConst, constant: Option<&Constant>) -> TokenStream {
    let name = &declared.ident;
    let key = tokens::mangled(name, &declared.to_token_stream());
    let misuse =
        format!("`{name}` is a constant: import it in a kernel, as in `#[staged] use crate::{name};`");
    let carried = match constant {
        Some(Constant { ty, value }) => quote!(constant { { #ty } { #value } }),
        None => quote!(broken {}),
    };
    transport::carrier(&key, name, &declared.vis, &[], carried, &misuse)
}

impl Parse for Constant {
    fn parse(input: ParseStream) -> Result<Self> {
        let (ty, value);
        braced!(ty in input);
        braced!(value in input);
        Ok(Self { ty: ty.parse()?, value: value.parse()? })
    }
}

/// A constant that a function imports.
#[derive(Clone, Debug)]
pub(super) struct Import {
    /// Its name in the function.
    name: Ident,
    /// The constant, which is a macro as well.
    pub(super) path: Path,
    /// The other attributes of the import.
    attributes: Vec<Attribute>,
}

/// The constants that the blocks of a function import, in the order in which they are written.
pub(super) fn imports(function: &ItemFn) -> Result<Vec<Import>> {
    struct Imports {
        found: Vec<Import>,
        /// What the blocks around declare.
        blocks: Vec<Declared>,
        diagnostics: Diagnostics,
    }
    impl<'ast> Visit<'ast> for Imports {
        fn visit_item(&mut self, item: &'ast Item) {
            if let Item::Use(import) = item
                && is_staged(import)
            {
                let imports = flattened(import, &mut self.diagnostics);
                for Import { path, .. } in &imports {
                    reject_hidden(path, &self.blocks, &mut self.diagnostics);
                }
                self.found.extend(imports);
            }
        }
        fn visit_block(&mut self, block: &'ast Block) {
            self.blocks.push(Declared::of(block));
            visit::visit_block(self, block);
            self.blocks.pop();
        }
    }
    let mut imports = Imports { found: Vec::new(), blocks: Vec::new(), diagnostics: Diagnostics::default() };
    imports.visit_block(&function.block);
    let Imports { found, diagnostics, .. } = imports;
    diagnostics.finish().map_or(Ok(found), Err)
}

/// The names that the items of a block declare. They are in scope in the whole block.
#[derive(Default)]
struct Declared {
    names: Vec<Ident>,
    /// Whether a glob import or a macro may declare more.
    more: bool,
}

impl Declared {
    fn of(block: &Block) -> Self {
        let mut declared = Self::default();
        for statement in &block.stmts {
            match statement {
                Stmt::Item(item) => declared.item(item),
                Stmt::Macro(call) => declared.more |= std_macro::arguments(&call.mac).is_none(),
                _ => {}
            }
        }
        declared
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Const(item) => self.names.push(item.ident.clone()),
            Item::Enum(item) => self.names.push(item.ident.clone()),
            Item::ExternCrate(item) => {
                self.names.push(item.rename.as_ref().map_or(&item.ident, |(_, name)| name).clone());
            }
            Item::Fn(item) => self.names.push(item.sig.ident.clone()),
            Item::Mod(item) => self.names.push(item.ident.clone()),
            Item::Static(item) => self.names.push(item.ident.clone()),
            Item::Struct(item) => self.names.push(item.ident.clone()),
            Item::Trait(item) => self.names.push(item.ident.clone()),
            Item::Type(item) => self.names.push(item.ident.clone()),
            Item::Union(item) => self.names.push(item.ident.clone()),
            // The names of staged imports are those of constants, which no path begins with, but for their own.
            Item::Use(import) if is_staged(import) => {}
            Item::Use(import) => self.tree(&import.tree),
            Item::Macro(item) => self.more |= !item.mac.path.is_ident("macro_rules"),
            Item::Impl(_) => {}
            _ => self.more = true,
        }
    }

    fn tree(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(inner) => self.tree(&inner.tree),
            UseTree::Name(inner) => self.names.push(inner.ident.clone()),
            UseTree::Rename(inner) => self.names.push(inner.rename.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree)),
            UseTree::Glob(_) => self.more = true,
        }
    }
}

/// Reports a path that the items of the blocks around may give another meaning: the constant is looked for beside the
/// function.
fn reject_hidden(path: &Path, blocks: &[Declared], diagnostics: &mut Diagnostics) {
    let Some(first) = path.segments.first().filter(|_| path.leading_colon.is_none()) else { return };
    if ["crate", "self", "super", "$crate"].iter().any(|root| first.ident == root) {
        return;
    }
    let hides =
        |block: &Declared| block.more || block.names.iter().any(|name| hygiene::same(name, &first.ident));
    if blocks.iter().any(hides) {
        diagnostics.error(
            path,
            format!("`{}` may be declared in a block around this import", first.ident),
            "a staged constant is looked for beside the kernel: write its path from `crate` or `self`, as in \
             `#[staged] use crate::scan::ZIGZAG;`",
        );
    }
}

/// Lets rustc confirm that an import's path has the value that its macro carries: the names of both may come from different places,
/// and what the declaration says may mean something else than it does to the macro, such as `u8` beside `type u8 = u16;`.
fn confirmation(import: &Import, constant: &Constant) -> Item {
    let mut path = import.path.clone();
    if path.leading_colon.is_none() && path.segments.len() == 1 {
        path.segments.insert(0, Ident::new("self", Span::call_site()).into());
    }
    let value = &constant.value;
    let message = format!("shim: `{}` is not what its declaration says", text(&path));
    syn::parse_quote!(const _: () = match #path { #value => (), #[allow(unreachable_patterns)] _ => ::core::panic!(#message) };)
}

/// Puts constants in the place of their imports, with a confirmation of each. Those of a template are returned: their paths
/// are relative to its definition.
pub(super) fn place(
    function: &mut ItemFn,
    imports: Vec<Import>,
    constants: Vec<Constant>,
    template: bool,
) -> Vec<Item> {
    struct Places<I> {
        imports: I,
        /// Where confirmations go that are not placed beside the constants.
        apart: Option<Vec<Item>>,
    }
    impl<I: Iterator<Item = (Import, Constant)>> VisitMut for Places<I> {
        fn visit_item_mut(&mut self, _: &mut Item) {}
        fn visit_block_mut(&mut self, block: &mut Block) {
            let statements = std::mem::take(&mut block.stmts);
            for mut statement in statements {
                let Stmt::Item(Item::Use(import)) = &statement else {
                    visit_mut::visit_stmt_mut(self, &mut statement);
                    block.stmts.push(statement);
                    continue;
                };
                if !is_staged(import) {
                    block.stmts.push(statement);
                    continue;
                }
                let count = flattened(import, &mut Diagnostics::default()).len();
                for (import, constant) in self.imports.by_ref().take(count) {
                    let confirmation = confirmation(&import, &constant);
                    match &mut self.apart {
                        Some(apart) => apart.push(confirmation),
                        None => block.stmts.push(Stmt::Item(confirmation)),
                    }
                    let Import { name, attributes, .. } = import;
                    let Constant { ty, value } = constant;
                    block.stmts.push(syn::parse_quote!(#(#attributes)* const #name: #ty = #value;));
                }
            }
        }
    }
    let mut places = Places { imports: imports.into_iter().zip(constants), apart: template.then(Vec::new) };
    places.visit_block_mut(&mut function.block);
    places.apart.unwrap_or_default()
}

fn is_staged(import: &ItemUse) -> bool {
    import.attrs.iter().any(|attribute| HelperAttribute::Staged.is(attribute))
}

/// The imports of an item, one for each name.
fn flattened(import: &ItemUse, diagnostics: &mut Diagnostics) -> Vec<Import> {
    let others = import.attrs.iter().filter(|attribute| !HelperAttribute::Staged.is(attribute));
    let mut found = Vec::new();
    let start = Path { leading_colon: import.leading_colon, segments: syn::punctuated::Punctuated::new() };
    flatten(&import.tree, &start, &mut found, diagnostics);
    let attributes: Vec<Attribute> = others.cloned().collect();
    found.into_iter().map(|(name, path)| Import { name, path, attributes: attributes.clone() }).collect()
}

fn flatten(tree: &UseTree, path: &Path, found: &mut Vec<(Ident, Path)>, diagnostics: &mut Diagnostics) {
    let with = |name: &Ident| {
        let mut path = path.clone();
        path.segments.push(name.clone().into());
        path
    };
    match tree {
        UseTree::Path(inner) => flatten(&inner.tree, &with(&inner.ident), found, diagnostics),
        UseTree::Name(inner) => found.push((inner.ident.clone(), with(&inner.ident))),
        UseTree::Rename(inner) if inner.rename != "_" => {
            found.push((inner.rename.clone(), with(&inner.ident)));
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, path, found, diagnostics);
            }
        }
        UseTree::Rename(_) | UseTree::Glob(_) => diagnostics.error(
            tree,
            "`#[staged]` on an import without names",
            "name the constants, as in `#[staged] use crate::scan::{ZIGZAG, FIELD};`",
        ),
    }
}
