//! Walks of syntax trees by the names of syn's, whose visitors are called through `dyn`.
//!
//! syn's walks are generic: each visitor instantiates the walks of all nodes, which was an eighth of the compiler's code.
//! Here the one visitor of syn's in each direction calls ours. They implement what somebody asks for: another kind of node
//! is another row of a table.

macro_rules! walks {
    ($module:ident, $Visit:ident, $lifetimes:tt, $($visit:ident: $Node:ty),+ $(,)?) => {
        // The walks of one direction, by the names of syn.
        pub(crate) mod $module {
            walks!(@visitor $module, $Visit, $lifetimes, $($visit: $Node),+);
            $(
                walks!(@parts $module, $Visit, $lifetimes, $visit: $Node);
            )+
        }
    };

    (@visitor $module:ident, $Visit:ident, [$($lifetime:lifetime)?], $($visit:ident: $Node:ty),+) => {
        // A visitor, as syn's trait by that name.
        pub(crate) trait $Visit$(<$lifetime>)?: Erase$(<$lifetime>)? {
            $(
                fn $visit(&mut self, node: $Node) {
                    $visit(self.erase(), node);
                }
            )+
        }

        // Forgets the type of a visitor.
        pub(crate) trait Erase$(<$lifetime>)? {
            fn erase<'v>(&'v mut self) -> &'v mut (dyn $Visit$(<$lifetime>)? + 'v);
        }

        impl<$($lifetime,)? V: $Visit$(<$lifetime>)?> Erase$(<$lifetime>)? for V {
            fn erase<'v>(&'v mut self) -> &'v mut (dyn $Visit$(<$lifetime>)? + 'v) {
                self
            }
        }

        struct Erased<'v, $($lifetime)?>(&'v mut (dyn $Visit$(<$lifetime>)? + 'v));

        impl$(<$lifetime>)? syn::$module::$Visit$(<$lifetime>)? for Erased<'_, $($lifetime)?> {
            $(
                fn $visit(&mut self, node: $Node) {
                    self.0.$visit(node);
                }
            )+
        }
    };

    (@parts $module:ident, $Visit:ident, [$($lifetime:lifetime)?], $visit:ident: $Node:ty) => {
        // Visits the parts of a node.
        pub(crate) fn $visit$(<$lifetime>)?(visitor: &mut dyn $Visit$(<$lifetime>)?, node: $Node) {
            syn::$module::$visit(&mut Erased(visitor), node);
        }
    };
}

walks!(visit, Visit, ['ast],
    visit_arm: &'ast syn::Arm,
    visit_attribute: &'ast syn::Attribute,
    visit_block: &'ast syn::Block,
    visit_expr: &'ast syn::Expr,
    visit_expr_assign: &'ast syn::ExprAssign,
    visit_expr_binary: &'ast syn::ExprBinary,
    visit_expr_break: &'ast syn::ExprBreak,
    visit_expr_call: &'ast syn::ExprCall,
    visit_expr_closure: &'ast syn::ExprClosure,
    visit_expr_continue: &'ast syn::ExprContinue,
    visit_expr_for_loop: &'ast syn::ExprForLoop,
    visit_expr_if: &'ast syn::ExprIf,
    visit_expr_let: &'ast syn::ExprLet,
    visit_expr_loop: &'ast syn::ExprLoop,
    visit_expr_match: &'ast syn::ExprMatch,
    visit_expr_method_call: &'ast syn::ExprMethodCall,
    visit_expr_path: &'ast syn::ExprPath,
    visit_expr_reference: &'ast syn::ExprReference,
    visit_expr_return: &'ast syn::ExprReturn,
    visit_expr_try: &'ast syn::ExprTry,
    visit_expr_while: &'ast syn::ExprWhile,
    visit_fn_arg: &'ast syn::FnArg,
    visit_generics: &'ast syn::Generics,
    visit_ident: &'ast syn::Ident,
    visit_impl_item_fn: &'ast syn::ImplItemFn,
    visit_item: &'ast syn::Item,
    visit_item_fn: &'ast syn::ItemFn,
    visit_item_use: &'ast syn::ItemUse,
    visit_lit_int: &'ast syn::LitInt,
    visit_local: &'ast syn::Local,
    visit_local_init: &'ast syn::LocalInit,
    visit_macro: &'ast syn::Macro,
    visit_pat: &'ast syn::Pat,
    visit_pat_ident: &'ast syn::PatIdent,
    visit_path: &'ast syn::Path,
    visit_path_arguments: &'ast syn::PathArguments,
    visit_return_type: &'ast syn::ReturnType,
    visit_stmt: &'ast syn::Stmt,
    visit_stmt_macro: &'ast syn::StmtMacro,
    visit_trait_item_fn: &'ast syn::TraitItemFn,
    visit_type: &'ast syn::Type,
    visit_type_impl_trait: &'ast syn::TypeImplTrait,
    visit_type_path: &'ast syn::TypePath,
    visit_visibility: &'ast syn::Visibility,
);

walks!(visit_mut, VisitMut, [],
    visit_attribute_mut: &mut syn::Attribute,
    visit_block_mut: &mut syn::Block,
    visit_expr_call_mut: &mut syn::ExprCall,
    visit_expr_closure_mut: &mut syn::ExprClosure,
    visit_expr_for_loop_mut: &mut syn::ExprForLoop,
    visit_expr_method_call_mut: &mut syn::ExprMethodCall,
    visit_expr_mut: &mut syn::Expr,
    visit_expr_path_mut: &mut syn::ExprPath,
    visit_field_pat_mut: &mut syn::FieldPat,
    visit_item_fn_mut: &mut syn::ItemFn,
    visit_item_mut: &mut syn::Item,
    visit_lifetime_mut: &mut syn::Lifetime,
    visit_macro_mut: &mut syn::Macro,
    visit_pat_ident_mut: &mut syn::PatIdent,
    visit_pat_mut: &mut syn::Pat,
    visit_path_mut: &mut syn::Path,
    visit_return_type_mut: &mut syn::ReturnType,
    visit_stmt_mut: &mut syn::Stmt,
    visit_type_mut: &mut syn::Type,
    visit_type_path_mut: &mut syn::TypePath,
);
