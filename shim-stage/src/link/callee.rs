//! The templates that a function calls, by the paths of the calls.

use proc_macro2::Ident;
use syn::{Expr, ExprCall, ItemFn, Path};

use crate::syntax::visit_mut::{self, VisitMut};

/// A template that a function calls.
#[derive(Clone, Debug)]
pub struct Callee {
    /// The path as written at the call, without generic arguments.
    pub path: Path,
    /// The path that names it outside the function; another one if the function imports it.
    pub link: Path,
}

/// The template calls of a function, each path once, in the order of their first calls.
#[derive(Clone, Debug, Default)]
pub struct TemplateCalls {
    /// Calls of other templates.
    pub others: Vec<Callee>,
    /// The paths by which a template calls itself: its name, `self::` before it or not.
    pub recursive: Vec<Path>,
    /// Calls among the arguments of a macro by a path that means another template, or a function, elsewhere in the
    /// function.
    pub ambiguous: Vec<Path>,
    /// The same elsewhere, with the paths that name them from anywhere in the function.
    pub(super) renamed: Vec<(*const ExprCall, Path)>,
    /// All calls of other templates, with the text of the path as written and the one that names the template; of calls
    /// among the arguments of a macro without their places.
    pub(super) seen: Vec<(Option<*const ExprCall>, String, String)>,
}

impl TemplateCalls {
    /// Writes the paths of imports where one path means different templates in blocks of `function`, the one that was
    /// searched, and says whether there are any. Such calls are found by their place in memory: nothing else tells two
    /// calls of one text apart.
    pub fn tell_apart(&self, function: &mut ItemFn) -> bool {
        struct CallRenaming<'c>(&'c [(*const ExprCall, Path)]);
        impl VisitMut for CallRenaming<'_> {
            fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
                let place = std::ptr::from_ref(call);
                let renamed = self.0.iter().find(|(other, _)| *other == place);
                if let (Some((_, link)), Expr::Path(callee)) = (renamed, &mut *call.func) {
                    let arguments = callee.path.segments.pop().map(|last| last.arguments);
                    let span = callee.path.get_ident().map_or_else(proc_macro2::Span::call_site, Ident::span);
                    callee.path = link.clone();
                    // Errors about the call show the call.
                    callee.path.segments.iter_mut().for_each(|segment| segment.ident.set_span(span));
                    if let (Some(last), Some(arguments)) = (callee.path.segments.last_mut(), arguments) {
                        last.arguments = arguments;
                    }
                }
                visit_mut::visit_expr_call_mut(self, call);
            }
        }
        if !self.renamed.is_empty() {
            CallRenaming(&self.renamed).visit_item_fn_mut(function);
        }
        !self.renamed.is_empty()
    }

    /// A path that means different templates in blocks of the function.
    pub fn told_apart(&self) -> Option<&Path> {
        self.renamed.first().map(|(_, path)| path)
    }
}
