//! Helper attributes that stand where they have no meaning.

use quote::ToTokens as _;
use syn::{Attribute, Block, Expr, Item};

use crate::diagnostics::Diagnostics;
use crate::surface::HelperAttribute;
use crate::syntax::visit::{self, Visit};

/// Message and help for a word that applies to no loop.
pub fn not_applied(word: &Attribute) -> (String, &'static str) {
    let name = word.path().to_token_stream().to_string();
    if HelperAttribute::named(word).is_some_and(HelperAttribute::is_of_stage) {
        let help =
            "put it before the `let` of a stage, as in `#[compute_at(root)] let s = stage(|[y, x]| ..);`";
        return (format!("`#[{name}]` is not applied to a stage"), help);
    }
    let help = if HelperAttribute::Unroll.is(word) && !HelperAttribute::orders(word) {
        "put it before a `for` over static bounds, or before a statement with a reduction of them, such as `(0..4).map(..).sum()`"
    } else {
        "put it before a `for` over the indices of a tensor, or before a statement with a chain over them"
    };
    (format!("`#[{name}]` is not applied to a loop"), help)
}

/// Reports every `#[unroll]` that is neither before a loop nor before a `let`, an assignment or a method call, every
/// `#[shape(..)]` and `#[specialize(..)]` that is not a parameter's, and every `#[staged]` that is not an import's.
pub fn misplaced(block: &Block, diagnostics: &mut Diagnostics) {
    Misplaced(diagnostics).visit_block(block);
}

struct Misplaced<'d>(&'d mut Diagnostics);

impl Misplaced<'_> {
    /// The attributes of a loop.
    fn of_loop(&mut self, attributes: &[Attribute]) {
        let of =
            |attribute: &Attribute| HelperAttribute::named(attribute).filter(|helper| helper.is_of_loop());
        let mut unrolls = attributes
            .iter()
            .filter(|attribute| HelperAttribute::Unroll.is(attribute) && !HelperAttribute::orders(attribute));
        if let (Some(_), Some(again)) = (unrolls.next(), unrolls.next()) {
            self.0.error(again, "`#[unroll]` twice before one loop", "remove one of them");
        }
        for attribute in attributes {
            if of(attribute).is_none() {
                self.visit_attribute(attribute);
            }
        }
    }
}

impl Misplaced<'_> {
    /// The attributes of a statement: words of its chains, and orders of an elementwise assignment. Binding finds out
    /// whether it has any.
    fn of_statement(&mut self, attributes: &[Attribute]) {
        attributes
            .iter()
            .filter(|attribute| !HelperAttribute::orders(attribute) && !HelperAttribute::Unroll.is(attribute))
            .for_each(|attribute| self.visit_attribute(attribute));
    }

    fn assignment(&mut self, left: &Expr, right: &Expr) {
        if let Expr::Index(index) = left {
            self.of_statement(&index.attrs);
            self.visit_expr(&index.expr);
            self.visit_expr(&index.index);
        } else if let Expr::Path(path) = left {
            self.of_statement(&path.attrs);
        } else {
            self.visit_expr(left);
        }
        self.visit_expr(right);
    }
}

impl<'ast> Visit<'ast> for Misplaced<'_> {
    /// Items inside are functions of their own.
    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_expr_for_loop(&mut self, for_loop: &'ast syn::ExprForLoop) {
        self.of_loop(&for_loop.attrs);
        visit::visit_pat(self, &for_loop.pat);
        self.visit_expr(&for_loop.expr);
        self.visit_block(&for_loop.body);
    }

    fn visit_expr_while(&mut self, for_loop: &'ast syn::ExprWhile) {
        self.of_loop(&for_loop.attrs);
        self.visit_expr(&for_loop.cond);
        self.visit_block(&for_loop.body);
    }

    fn visit_expr_loop(&mut self, for_loop: &'ast syn::ExprLoop) {
        self.of_loop(&for_loop.attrs);
        self.visit_block(&for_loop.body);
    }

    /// Before an assignment, attributes are those of the leftmost part of its left side.
    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        match statement {
            syn::Stmt::Expr(Expr::Assign(assign), _) => self.assignment(&assign.left, &assign.right),
            syn::Stmt::Expr(Expr::Binary(binary), _) if crate::surface::is_assigning(&binary.op) => {
                self.assignment(&binary.left, &binary.right);
            }
            syn::Stmt::Local(local) => {
                self.of_statement(&local.attrs);
                self.visit_pat(&local.pat);
                if let Some(init) = &local.init {
                    visit::visit_local_init(self, init);
                }
            }
            syn::Stmt::Expr(Expr::MethodCall(call), _) => {
                self.of_statement(&call.attrs);
                self.visit_expr(&call.receiver);
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            _ => visit::visit_stmt(self, statement),
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let named = HelperAttribute::named(attribute);
        if named.is_some_and(|helper| helper.is_schedule() || helper == HelperAttribute::Unroll) {
            let (message, help) = not_applied(attribute);
            self.0.error(attribute, message, help);
        } else if HelperAttribute::Shape.is(attribute) {
            self.0.error(
                attribute,
                "`#[shape]` is allowed only on parameters",
                "put it before a parameter of the kernel, or write `Block::external(memory, [h, w])`",
            );
        } else if HelperAttribute::Staged.is(attribute) {
            self.0.error(
                attribute,
                "`#[staged]` is allowed only on imports",
                "put it before a `use` in the kernel's body, as in `#[staged] use crate::scan::ZIGZAG;`",
            );
        } else if HelperAttribute::Specialize.is(attribute) {
            self.0.error(
                attribute,
                "`#[specialize]` is allowed only on parameters",
                "put it before a parameter of the kernel, or match the value and call a template in each arm",
            );
        }
    }
}
