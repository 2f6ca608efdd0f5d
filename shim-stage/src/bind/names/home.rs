//! The names beside a template.
//!
//! A template that is visible outside its module has a module of its own name beside it, which gives the names of the
//! module that it is in. A call imports from there what the template takes from outside of itself, so that a path in a
//! template means what it means where the template is written. The function of a path that begins in lower case is
//! written with the path of the module, since a local of the caller may have its name.
//!
//! A private template can be called in its module alone, where its names mean what they mean beside it.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::Ident;
use syn::{Expr, ExprPath, Path};

use crate::hygiene;
use crate::link::{Template, text};
use crate::parse::signature::NUMBERS;

use crate::bind::Binder;
use crate::bind::names::outside::Outside;

/// The module that gives the names of a template, and the functions that are written with its path.
#[derive(Clone)]
pub(in crate::bind) struct HomeModule {
    pub(in crate::bind) path: Path,
    functions: Rc<BTreeSet<String>>,
}

/// The names of std's prelude.
const PRELUDE: &[&str] = &[
    "align_of",
    "align_of_val",
    "drop",
    "size_of",
    "size_of_val",
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// Names that every module has, or that the language takes for its own.
const EVERYWHERE: &[&str] = &[
    "alloc", "core", "std", "str", "Block", "Boundary", "Clamp", "Fill", "Mirror", "Place", "Template",
    "Tensor", "View", "ViewMut", "Wrap", "iters", "stage",
];

/// Whether std's prelude has a name.
pub(in crate::bind) fn is_in_prelude(text: &str) -> bool {
    PRELUDE.contains(&text)
}

/// Whether a template finds a name in the module that it is in.
fn is_of_home(text: &str) -> bool {
    let is_known = |names: &[&str]| names.contains(&text);
    !text.starts_with(hygiene::RESERVED)
        && !is_in_prelude(text)
        && !is_known(EVERYWHERE)
        && !is_known(NUMBERS)
}

impl HomeModule {
    /// The module of this path, for a template that takes these names from outside.
    pub(in crate::bind) fn new(path: Path, outside: &Outside) -> Self {
        let functions = outside.of_home().filter(|(_, is_function)| *is_function);
        HomeModule { path, functions: Rc::new(functions.map(|(name, _)| hygiene::text(name)).collect()) }
    }
}

impl Outside {
    /// The names that a template finds in the module that it is in, each with whether it begins in lower case and is a value.
    pub(in crate::bind) fn of_home(&self) -> impl Iterator<Item = (&Ident, bool)> {
        // The methods of a trait that a bound names need the trait.
        let is_needed = move |text: &String| self.method.is_some() || !self.bounds.contains(text);
        let names = self.names.iter().filter(move |(text, _)| is_of_home(text) && is_needed(text));
        names.map(|(text, (name, value))| (name, *value && text.starts_with(char::is_lowercase)))
    }
}

impl Binder<'_> {
    /// The path, from the kernel, of the module that gives the names of a template, which a path in the tokens being bound
    /// names; none where they mean what they mean beside the kernel.
    pub(in crate::bind) fn home_path(&self, template: &Template, written: &Path) -> Option<Path> {
        if template.has_home {
            self.linked_path(&self.templates.callees.get(&text(written))?.path)
        } else {
            self.templates.home.as_ref().map(|home| home.path.clone())
        }
    }

    /// The path of a template from the kernel, which `link` names in the tokens being bound.
    fn linked_path(&self, link: &Path) -> Option<Path> {
        let first = &link.segments.first()?.ident;
        let is_root = link.leading_colon.is_some() || first == "crate" || hygiene::is_dollar_crate(first);
        match &self.templates.home {
            Some(home) if !is_root => {
                let mut path = home.path.clone();
                let own = link.segments.iter().skip(usize::from(first == "self"));
                let mut own = own.peekable();
                if own.peek().is_some_and(|first| first.ident == "super") {
                    return None;
                }
                path.segments.extend(own.cloned());
                Some(path)
            }
            _ => Some(link.clone()),
        }
    }

    /// A path of one name as a path into the module that gives the names of the template being staged.
    pub(in crate::bind) fn at_home(&self, path: &ExprPath) -> Option<Expr> {
        let home = self.templates.home.as_ref()?;
        let [name] = &path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let is_own = path.qself.is_none()
            && path.path.leading_colon.is_none()
            && home.functions.contains(&hygiene::text(&name.ident))
            && self.scopes.get(&name.ident).is_none();
        if !is_own {
            return None;
        }
        let mut whole = path.clone();
        whole.path = home.path.clone();
        whole.path.segments.push((*name).clone());
        Some(Expr::Path(whole))
    }
}
