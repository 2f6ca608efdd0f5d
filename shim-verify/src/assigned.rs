//! Which variables a piece of code may change.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

/// The variables that code may change.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Those that it assigns.
    pub(crate) assigned: BTreeSet<String>,
    /// Those that it borrows to change, or that a method or a macro may change.
    pub(crate) borrowed: BTreeSet<String>,
    /// Whether it has a `break`, a `continue`, a `return` or a `?`.
    pub(crate) leaves: bool,
}

impl Changes {
    pub(crate) fn of_expr(expr: &Expr) -> Self {
        let mut changes = Self::default();
        changes.visit_expr(expr);
        changes
    }

    pub(crate) fn of_block(block: &syn::Block) -> Self {
        let mut changes = Self::default();
        changes.visit_block(block);
        changes
    }

    pub(crate) fn join(&mut self, other: Changes) {
        self.assigned.extend(other.assigned);
        self.borrowed.extend(other.borrowed);
        self.leaves |= other.leaves;
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.assigned.union(&self.borrowed)
    }
}

/// The variable that a place is of.
pub(crate) fn root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Group(group) => root(&group.expr),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::Reference(reference) => root(&reference.expr),
        _ => None,
    }
}

pub(crate) fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

impl<'ast> Visit<'ast> for Changes {
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.assigned_to(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if is_assignment(&binary.op) {
            self.assigned_to(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.borrowed.extend(root(&reference.expr));
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.borrowed.extend(root(&call.receiver));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        // `ref mut` and default binding modes borrow what is matched.
        self.borrowed.extend(root(&choice.expr));
        visit::visit_expr_match(self, choice);
    }

    fn visit_expr_let(&mut self, choice: &'ast syn::ExprLet) {
        self.borrowed.extend(root(&choice.expr));
        visit::visit_expr_let(self, choice);
    }

    fn visit_expr_break(&mut self, jump: &'ast syn::ExprBreak) {
        self.leaves = true;
        visit::visit_expr_break(self, jump);
    }

    fn visit_expr_continue(&mut self, _: &'ast syn::ExprContinue) {
        self.leaves = true;
    }

    fn visit_expr_return(&mut self, jump: &'ast syn::ExprReturn) {
        self.leaves = true;
        visit::visit_expr_return(self, jump);
    }

    fn visit_expr_try(&mut self, jump: &'ast syn::ExprTry) {
        self.leaves = true;
        visit::visit_expr_try(self, jump);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.leaves = true;
        self.mentioned(call.tokens.clone());
    }
}

impl Changes {
    fn assigned_to(&mut self, place: &Expr) {
        match place {
            Expr::Tuple(parts) => parts.elems.iter().for_each(|part| self.assigned_to(part)),
            Expr::Array(parts) => parts.elems.iter().for_each(|part| self.assigned_to(part)),
            Expr::Path(_) => self.assigned.extend(root(place)),
            // A part of it.
            place => self.borrowed.extend(root(place)),
        }
    }

    fn mentioned(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => {
                    self.borrowed.insert(name.to_string());
                }
                TokenTree::Group(group) => self.mentioned(group.stream()),
                _ => {}
            }
        }
    }
}
