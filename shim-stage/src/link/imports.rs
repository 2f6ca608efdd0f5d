//! Imports of functions under `#[staged]`.
//!
//! A constant or a layout takes the place of its import. The import of a template stays, under `#[staged(template)]`,
//! until the search for
//! [calls](super::calls) has seen that calls of this name are the template's, whatever their arguments.

use proc_macro2::Ident;
use syn::{Attribute, Block, Item, ItemFn, ItemUse, Meta, Path, Result, Stmt, UseTree};

use crate::diagnostics::Diagnostics;
use crate::hygiene;
use crate::surface::{HelperAttribute, std_macro};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};

use super::constant::{self, Constant};
use super::layout::{self, Layout};

/// A constant, a layout or a template that a function imports.
#[derive(Clone, Debug)]
pub(super) struct Import {
    /// Its name in the function.
    pub(super) name: Ident,
    /// Its path, which is that of a macro as well.
    pub(super) path: Path,
    /// The other attributes of the import.
    attributes: Vec<Attribute>,
}

/// The declaration that an import names.
pub(super) enum Imported {
    Constant(Box<Constant>),
    Layout(Box<Layout>),
    Template,
}

/// The constants, layouts and templates that the blocks of a function import, in the order in which they are written.
pub(super) fn imports(function: &ItemFn) -> Result<Vec<Import>> {
    struct Imports {
        found: Vec<Import>,
        /// What the blocks around declare.
        blocks: Vec<BlockNames>,
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
            self.blocks.push(BlockNames::of(block));
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
struct BlockNames {
    names: Vec<Ident>,
    /// Whether a glob import or a macro may declare more.
    more: bool,
}

impl BlockNames {
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
            // No path begins with the name of a staged import, but for its own.
            Item::Use(import) if is_staged(import) || is_template_import(import) => {}
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
fn reject_hidden(path: &Path, blocks: &[BlockNames], diagnostics: &mut Diagnostics) {
    let Some(first) = path.segments.first().filter(|_| path.leading_colon.is_none()) else { return };
    if ["crate", "self", "super", "$crate"].iter().any(|root| first.ident == root) {
        return;
    }
    let hides =
        |block: &BlockNames| block.more || block.names.iter().any(|name| hygiene::same(name, &first.ident));
    if blocks.iter().any(hides) {
        diagnostics.error(
            path,
            format!("`{}` may be declared in a block around this import", first.ident),
            "a staged constant is looked for beside the kernel: write its path from `crate` or `self`, as in \
             `#[staged] use crate::scan::ZIGZAG;`",
        );
    }
}

/// Puts constants in the place of their imports, with a confirmation of each, and the orders of layouts in the place of
/// their calls. The confirmations of a template are returned: their paths are relative to its definition.
///
/// # Errors
/// When a layout is imported twice, or called with another number of arguments than it has parameters.
pub(super) fn place(
    function: &mut ItemFn,
    imports: Vec<Import>,
    imported: Vec<Imported>,
    template: bool,
) -> Result<Vec<Item>> {
    struct BindingPlaces<I> {
        imports: I,
        layouts: Vec<(Ident, Layout)>,
        /// Where confirmations go that are not placed beside the constants.
        apart: Option<Vec<Item>>,
    }
    impl<I: Iterator<Item = (Import, Imported)>> VisitMut for BindingPlaces<I> {
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
                for (import, imported) in self.imports.by_ref().take(count) {
                    let constant = match imported {
                        Imported::Constant(constant) => *constant,
                        Imported::Layout(layout) => {
                            self.layouts.push((import.name, *layout));
                            continue;
                        }
                        Imported::Template => {
                            let Import { name, path, .. } = import;
                            block.stmts.push(syn::parse_quote!(#[staged(template)] use #path as #name;));
                            continue;
                        }
                    };
                    let confirmation = constant::confirmation(&import.path, &constant);
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
    let imports = imports.into_iter().zip(imported);
    let mut places = BindingPlaces { imports, layouts: Vec::new(), apart: template.then(Vec::new) };
    places.visit_block_mut(&mut function.block);
    let BindingPlaces { layouts, apart, .. } = places;
    layout::apply(function, &layouts)?;
    Ok(apart.unwrap_or_default())
}

fn is_staged(import: &ItemUse) -> bool {
    let names_any = |attribute: &Attribute| !matches!(attribute.meta, Meta::List(_));
    import.attrs.iter().any(|attribute| HelperAttribute::Staged.is(attribute) && names_any(attribute))
}

/// Whether an import is that of a template, which has arrived.
pub(super) fn is_template_import(import: &ItemUse) -> bool {
    let names_template = |attribute: &Attribute| {
        attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "template")
    };
    import.attrs.iter().any(|attribute| HelperAttribute::Staged.is(attribute) && names_template(attribute))
}

/// Removes the imports of templates, and says whether there are any.
pub(super) fn remove_template_imports(function: &mut ItemFn) -> bool {
    struct Remove(bool);
    impl VisitMut for Remove {
        fn visit_item_mut(&mut self, _: &mut Item) {}
        fn visit_block_mut(&mut self, block: &mut Block) {
            let is_import = |statement: &Stmt| matches!(statement, Stmt::Item(Item::Use(import)) if is_template_import(import));
            let count = block.stmts.len();
            block.stmts.retain(|statement| !is_import(statement));
            self.0 |= block.stmts.len() != count;
            visit_mut::visit_block_mut(self, block);
        }
    }
    let mut remove = Remove(false);
    remove.visit_block_mut(&mut function.block);
    remove.0
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
            "name what it imports, as in `#[staged] use crate::scan::{ZIGZAG, FIELD};`",
        ),
    }
}
