//! Blocks and statements.

use syn::{Expr, Item, Local, Pat, Stmt};

use crate::fixed::{self, Value};
use crate::hygiene;
use crate::ir::{ContextKind, Hole};
use crate::surface::{self, HelperAttribute, condition, tensor_type::place_rank};
use crate::symbolic::Sym;

use crate::bind::Scopes;
use crate::bind::arithmetic::index::IndexExpr;
use crate::bind::arithmetic::index::identifiers;
use crate::bind::names::source::Items;
use crate::bind::rust::pattern;
use crate::bind::{Binder, Binding, Number};

impl Binder<'_> {
    /// A block in a context of its own. It keeps its braces: rustc's lint of `unsafe` looks at their span, and takes those of an
    /// expansion for somebody else's.
    pub(in crate::bind) fn block(
        &mut self,
        block: &syn::Block,
        kind: ContextKind,
        facts: Vec<Sym>,
    ) -> syn::Block {
        let body = self.body(kind, facts, |binder| binder.statements(&block.stmts));
        syn::Block { brace_token: block.brace_token, ..self.block_of(body) }
    }

    /// The syntax of a block that holds `body`.
    pub(in crate::bind) fn block_of(&mut self, body: crate::ir::ContextId) -> syn::Block {
        let hole = self.program.hole(Hole::Body(body));
        syn::Block { brace_token: syn::token::Brace::default(), stmts: vec![Stmt::Expr(hole, None)] }
    }

    /// The statements of a block, in a scope that stays open.
    pub(in crate::bind) fn statements(&mut self, statements: &[Stmt]) {
        let items = Items::of(statements, self.scopes.source());
        self.hide_primitives(statements, &items);
        let relied_on = if items.more { self.scopes.relied_on() } else { Vec::new() };
        if relied_on.is_empty() {
            return self.block_statements(statements, items);
        }
        // An item that the macro does not see may hide a name from the whole block, but no local around it.
        let rt = self.runtime.clone();
        self.push(syn::parse_quote!(let [#(#relied_on),*] = #rt.names();));
        let body = self.body(ContextKind::Plain, Vec::new(), |binder| {
            binder.push(syn::parse_quote!(#rt.unchanged([#(#relied_on),*]);));
            binder.block_statements(statements, items);
        });
        let hole = self.program.hole(Hole::Body(body));
        self.push(Stmt::Expr(hole, None));
    }

    /// Notes items that take the name of a primitive integer type: what the kernel says by that name is not what the compiler
    /// takes it for, wherever that is.
    fn hide_primitives(&mut self, statements: &[Stmt], items: &Items) {
        for name in items.names.iter().filter(|name| fixed::IntType::parse(name).is_some()) {
            let named = |item: &&Stmt| {
                let tokens = quote::ToTokens::to_token_stream(item);
                matches!(item, Stmt::Item(_))
                    && identifiers(tokens).iter().any(|ident| hygiene::text(ident) == *name)
            };
            let item = statements.iter().find(named).map(quote::ToTokens::to_token_stream);
            self.hidden_primitives.push((name.clone(), item.unwrap_or_default()));
        }
    }

    fn block_statements(&mut self, statements: &[Stmt], items: Items) {
        self.scopes.enter_block(self.context, items);
        self.constants(statements);
        self.remaining(statements);
    }

    /// Statements of a block whose items are known.
    pub(in crate::bind) fn remaining(&mut self, statements: &[Stmt]) {
        for (i, statement) in statements.iter().enumerate() {
            self.effects_before = self.effects;
            self.check_fused(&statements[i..]);
            if let Stmt::Local(local) = statement
                && condition::split(statement).is_none()
                && self.is_dispatched(local)
            {
                return self.dispatch(local, &statements[i + 1..]);
            }
            self.statement(statement, i + 1 == statements.len());
        }
    }

    /// Items are in scope in the whole block, whatever their order: of themselves, too.
    pub(in crate::bind) fn constants(&mut self, statements: &[Stmt]) {
        let mut pending = Vec::new();
        for statement in statements {
            if let Stmt::Item(item @ Item::Const(constant)) = statement {
                let ty = (*constant.ty).clone();
                self.bind_local(&constant.ident, &constant.ident, false, Some(ty));
                if !condition::is_conditional(item) {
                    pending.push(constant);
                }
            }
        }
        loop {
            let count = pending.len();
            pending.retain(|constant| !self.constant(constant));
            if pending.len() == count {
                break;
            }
        }
    }

    /// Binds the value of a constant; says whether that is decided.
    fn constant(&mut self, item: &syn::ItemConst) -> bool {
        match fixed::eval_as(&item.expr, &item.ty, &self.scopes) {
            Ok(Some(value @ (Value::Int(_) | Value::Bool(_)))) => {
                self.scopes.bind(&item.ident, Binding::Static(value));
            }
            Ok(Some(value)) => self.scopes.bind(&item.ident, Binding::Table(value, item.ident.clone())),
            Ok(None) => return false,
            Err(error) => {
                self.diagnostics.push(error);
                self.scopes.bind(&item.ident, Binding::Broken);
            }
        }
        true
    }

    fn statement(&mut self, statement: &Stmt, last: bool) {
        if let Some((conditions, statement)) = condition::split(statement) {
            return self.conditional(conditions, &statement);
        }
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(item) => self.push(Stmt::Item(item.clone())),
            Stmt::Expr(expr, semi) => {
                let expr = self.statement_expression(expr, semi.is_some());
                if let Some(expr) = expr {
                    // A `match` needs no semicolon, but the arm that is left of it may.
                    let ends = semi.is_none() && !last && !self.ends_in_a_block(&expr);
                    self.push(Stmt::Expr(expr, semi.or_else(|| ends.then(Default::default))));
                }
            }
            Stmt::Macro(statement) => self.macro_statement(statement, last),
        }
    }

    /// Whether a statement of this expression is one without a semicolon.
    fn ends_in_a_block(&self, expr: &Expr) -> bool {
        match crate::ir::Program::hole_of(expr) {
            Some(id) => {
                // A body that binds nothing is written without its braces.
                matches!(self.program.holes[id], Hole::Copies(_) | Hole::Nest(_))
            }
            None => matches!(
                expr,
                Expr::If(_)
                    | Expr::Match(_)
                    | Expr::Block(_)
                    | Expr::Unsafe(_)
                    | Expr::While(_)
                    | Expr::Loop(_)
                    | Expr::ForLoop(_)
                    | Expr::Const(_)
                    | Expr::TryBlock(_)
                    | Expr::Verbatim(_)
            ),
        }
    }

    /// An expression in statement position; `None` when it wrote statements of its own.
    fn statement_expression(&mut self, expr: &Expr, dropped: bool) -> Option<Expr> {
        if let Expr::Assign(assign) = expr
            && self.elementwise(&assign.left, None, &assign.right)
        {
            return None;
        }
        if let Expr::Binary(binary) = expr
            && self.elementwise(&binary.left, Some(binary.op), &binary.right)
        {
            return None;
        }
        if let Expr::Assign(syn::ExprAssign { left, .. }) | Expr::Binary(syn::ExprBinary { left, .. }) = expr
            && let Expr::Index(index) = &**left
        {
            let words = index.attrs.iter().filter(|attribute| HelperAttribute::orders(attribute));
            self.reject_schedule(&words.cloned().collect::<Vec<_>>());
        }
        if dropped && self.is_tensor(expr) {
            let view = self.tensor(expr, "view")?;
            if self.is_broken(&view) {
                return None;
            }
            self.diagnostics.error(
                expr,
                "a view that is bound to nothing",
                "bind it with `let`, or read an element by giving an index for each axis",
            );
            return None;
        }
        Some(self.expression(expr))
    }

    pub(in crate::bind) fn local(&mut self, local: &Local) {
        let Some(init) = &local.init else {
            let mut result = local.clone();
            result.pat = self.pattern(&local.pat);
            // Assigned later: unknown until then.
            if let Some((name, ..)) = pattern::simple(&local.pat)
                && let Some(Binding::Local(bound)) = self.scopes.get_mut(name)
            {
                bound.mutable = true;
            }
            return self.push(Stmt::Local(result));
        };
        if is_iters(&init.expr, &self.scopes) {
            return self.iterators(local);
        }
        if let Some((name, ty, mutable)) = pattern::simple(&local.pat) {
            let (chosen, opened) = self.chosen(&init.expr);
            let made = self.is_tensor(chosen).then(|| self.tensor_local(local, name, mutable, chosen));
            (0..opened).for_each(|_| self.scopes.leave());
            match made {
                Some(Some(view)) => return self.bind_tensor(name, view),
                // An error was reported: a name that is known keeps it from causing others.
                Some(None) => return self.bind_broken(name),
                None => {}
            }
            if self.gives_tensor(chosen) {
                self.diagnostics.error_in_call(
                    chosen,
                    format!("which tensor `{name}` is must be known when the kernel is expanded"),
                    "decide it by a condition that is static",
                );
                return self.bind_broken(name);
            }
            if !mutable && init.diverge.is_none() {
                match self.static_local(&init.expr, ty) {
                    Ok(Some(value)) => return self.bind_static(local, name, value),
                    Ok(None) => {}
                    Err(error) => {
                        self.diagnostics.push(error);
                        return self.scopes.bind(name, Binding::Broken);
                    }
                }
                if ty.is_none()
                    && let known = self.index_expr(&init.expr, None)
                    && known.only
                    && known.varies
                {
                    return self.index_local(local, name, known);
                }
            }
        } else if let Pat::Tuple(names) = &local.pat
            && self.tuple_local(local, names, &init.expr)
        {
            return;
        } else if matches!(local.pat, Pat::Wild(_)) && self.is_tensor(&init.expr) {
            // Looked at and forgotten; what is wrong with it is reported all the same.
            self.tensor(&init.expr, "unused");
            return;
        } else if self.is_tensor(&init.expr) {
            self.diagnostics.error(
                &local.pat,
                "a tensor is bound to a plain name",
                "write `let name = ..`; its extents are `name.extent(axis)`",
            );
            return;
        }
        let numbers = self.numbers(&local.pat, &init.expr);
        let mut result = local.clone();
        if let Some(init) = &mut result.init {
            *init.expr = self.expression(&init.expr);
            if let Some((_, otherwise)) = &mut init.diverge {
                **otherwise = self.arm(otherwise, Vec::new());
                self.opaque();
            }
        }
        let transparent =
            matches!(local.init.as_ref().map(|init| surface::bare(&init.expr)), Some(Expr::Closure(_)))
                && self.closure_was_transparent;
        // The new names are in scope only after the statement.
        let refutable = local.init.as_ref().is_some_and(|init| init.diverge.is_some());
        result.pat = if refutable { self.refutable_pattern(&local.pat) } else { self.pattern(&local.pat) };
        self.push(Stmt::Local(result));
        let here = self.position();
        for name in bound_names(&local.pat) {
            if let Some(Binding::Local(bound)) = self.scopes.get_mut(&name) {
                bound.defined = here;
                bound.transparent = transparent;
            }
        }
        for (name, number, value) in numbers {
            self.define_local(&name, number, value);
        }
        // A place that may be assigned is a value like any other.
        if let Some((name, Some(ty), false)) = pattern::simple(&local.pat)
            && let Some(rank) = place_rank(ty)
        {
            self.place_local(name, rank, None);
        }
    }

    /// What is known of the numbers that a `let` binds, one by one; a tuple's are bound together.
    fn numbers(&mut self, pattern: &Pat, init: &Expr) -> Vec<(syn::Ident, Option<Number>, Option<Sym>)> {
        match (pattern, surface::bare(init)) {
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                let both = names.elems.iter().zip(&values.elems);
                both.flat_map(|(name, value)| self.numbers(name, value)).collect()
            }
            _ => match pattern::simple(pattern) {
                Some((name, _, false)) => {
                    let (number, value) = (self.number(init), self.polynomial_let(init));
                    vec![(name.clone(), number, value)]
                }
                _ => Vec::new(),
            },
        }
    }

    /// The tensor of a `let`.
    fn tensor_local(
        &mut self,
        local: &Local,
        name: &syn::Ident,
        mutable: bool,
        init: &Expr,
    ) -> Option<std::rc::Rc<crate::ir::View>> {
        if mutable {
            self.diagnostics.error(
                &local.pat,
                "a tensor is bound with `mut`",
                "remove `mut`: elements are written through any tensor over writable memory, and a view never moves",
            );
        }
        if let Pat::Type(typed) = &local.pat
            && !(place_rank(&typed.ty).is_some() && self.is_place_expr(init))
        {
            self.diagnostics.error(
                &typed.ty,
                "a tensor has no type that could be written",
                "remove the annotation; for its elements use `.cast::<T>()`",
            );
        }
        if let Some(init) = &local.init
            && let Some((_, otherwise)) = &init.diverge
        {
            self.diagnostics.error(otherwise, "a tensor is always there", "remove the `else` and its block");
        }
        let view = self.tensor(init, &name.to_string())?;
        Some(std::rc::Rc::new(crate::ir::View { name: name.to_string(), ..(*view).clone() }))
    }

    fn static_local(&self, init: &Expr, ty: Option<&syn::Type>) -> syn::Result<Option<Value>> {
        match ty {
            Some(ty) => fixed::eval_as(init, ty, &self.scopes),
            None => fixed::eval(init, &self.scopes),
        }
    }

    /// What static conditions choose, and how many scopes were opened for what their patterns bind.
    pub(in crate::bind) fn chosen<'e>(&mut self, expr: &'e Expr) -> (&'e Expr, usize) {
        let tail = |block: &'e syn::Block| match block.stmts.as_slice() {
            [Stmt::Expr(value, None)] => Some(value),
            _ => None,
        };
        let mut opened = 0;
        let taken = match surface::bare(expr) {
            Expr::If(branch) => match fixed::eval(&branch.cond, &self.scopes) {
                Ok(Some(Value::Bool(true))) => tail(&branch.then_branch),
                Ok(Some(Value::Bool(false))) => branch.else_branch.as_ref().map(|(_, other)| &**other),
                _ => None,
            },
            Expr::Match(choice) if self.gives_tensors(expr) => {
                let taken = self.chosen_arm(choice);
                opened = usize::from(taken.is_some());
                taken
            }
            Expr::Block(block) if block.label.is_none() => tail(&block.block),
            _ => None,
        };
        // A block that makes names of its own is no mere choice.
        match taken {
            Some(taken) if self.gives_tensors(taken) => {
                let (chosen, inside) = self.chosen(taken);
                (chosen, opened + inside)
            }
            _ => {
                (0..opened).for_each(|_| self.scopes.leave());
                (expr, 0)
            }
        }
    }

    /// The arm that a static value takes, with what its pattern binds in a scope of its own that stays open.
    fn chosen_arm<'e>(&mut self, choice: &'e syn::ExprMatch) -> Option<&'e Expr> {
        let value = fixed::eval(&choice.expr, &self.scopes).ok()??;
        for arm in &choice.arms {
            if arm.attrs.iter().any(condition::is_condition) {
                return None;
            }
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pattern => (pattern, None),
            };
            let Some(bindings) = fixed::matches(pattern, &value, &self.scopes).ok()?? else { continue };
            self.scopes.enter();
            for (name, value) in bindings {
                self.scopes.bind(&name, Binding::Static(value));
            }
            match guard.map(|guard| fixed::eval(guard, &self.scopes)) {
                None | Some(Ok(Some(Value::Bool(true)))) => return Some(&arm.body),
                Some(Ok(Some(Value::Bool(false)))) => self.scopes.leave(),
                Some(_) => {
                    self.scopes.leave();
                    return None;
                }
            }
        }
        None
    }

    /// Whether `expr` or a branch of it is a tensor.
    fn gives_tensor(&self, expr: &Expr) -> bool {
        surface::branches(expr).into_iter().any(|value| self.is_tensor(value))
    }

    fn bind_static(&mut self, local: &Local, name: &syn::Ident, value: Value) {
        match value {
            Value::Int(_) | Value::Bool(_) => {
                self.static_lets.push((name.clone(), false));
                self.scopes.bind(name, Binding::Static(value));
            }
            // A table is indexed at run time too: it stays.
            table => {
                let mut result = local.clone();
                if let Some(init) = &mut result.init {
                    *init.expr = self.expression(&init.expr);
                }
                result.pat = self.pattern(&local.pat);
                let emitted = match self.scopes.get(name) {
                    Some(Binding::Local(bound)) => bound.name.clone(),
                    _ => name.clone(),
                };
                self.push(Stmt::Local(result));
                self.scopes.bind(name, Binding::Table(table, emitted));
            }
        }
    }

    /// `let z = 2 * x - y` over loop variables: a value in Rust, and known to the algebra.
    fn index_local(&mut self, local: &Local, name: &syn::Ident, init: IndexExpr) {
        let IndexExpr { value: Ok(sym), exact, .. } = init else { return };
        let mut result = local.clone();
        if let Some(init) = &mut result.init {
            *init.expr = self.expression(&init.expr);
        }
        let emitted = self.local_name(name);
        let value: Expr = syn::parse_quote!(#emitted);
        if let Pat::Ident(pattern) = &mut result.pat {
            pattern.ident = emitted;
        }
        self.push(Stmt::Local(result));
        self.scopes.bind(name, Binding::Index { sym, value, exact, reference: false });
    }

    /// `let (a, b) = (t, u)` over tensors; says whether it is that.
    fn tuple_local(&mut self, local: &Local, names: &syn::PatTuple, init: &Expr) -> bool {
        if self.returned_tuple(names, init) {
            return true;
        }
        let (chosen, opened) = self.chosen(init);
        let tensors = match surface::bare(chosen) {
            Expr::Tuple(values)
                if values.elems.len() == names.elems.len()
                    && values.elems.iter().any(|value| self.is_tensor(value)) =>
            {
                Some(self.tuple_tensors(local, names, values))
            }
            chosen if self.gives_tensors(chosen) => {
                self.diagnostics.error_in_call(
                    chosen,
                    "which tensors these are must be known when the kernel is expanded",
                    "decide it by a condition that is static",
                );
                let simple = names.elems.iter().filter_map(pattern::simple);
                Some(simple.map(|(name, ..)| (name.clone(), None)).collect())
            }
            _ => None,
        };
        (0..opened).for_each(|_| self.scopes.leave());
        let Some(tensors) = tensors else { return false };
        for (name, view) in tensors {
            match view {
                Some(view) => self.bind_tensor(&name, view),
                None => self.bind_broken(&name),
            }
        }
        true
    }

    /// The tensors of a tuple; all values are evaluated before a name is bound.
    fn tuple_tensors(
        &mut self,
        local: &Local,
        names: &syn::PatTuple,
        values: &syn::ExprTuple,
    ) -> Vec<(syn::Ident, Option<std::rc::Rc<crate::ir::View>>)> {
        let mut tensors = Vec::new();
        for (name, value) in names.elems.iter().zip(&values.elems) {
            match (pattern::simple(name), self.is_tensor(value)) {
                (Some((name, None, false)), true) => {
                    let view = self.tensor(value, &name.to_string());
                    tensors.push((name.clone(), view));
                }
                _ => {
                    self.diagnostics.error(
                        &local.pat,
                        "a tuple binds tensors and other values together",
                        "bind the tensors with a `let` of their own",
                    );
                    return Vec::new();
                }
            }
        }
        tensors
    }

    /// Binds a name whose tensor could not be made: a scalar of rank eight, so that any access fits.
    pub(in crate::bind) fn bind_broken(&mut self, name: &syn::Ident) {
        let view = self.broken_view(&name.to_string());
        self.bind_tensor(name, view);
    }
}

/// `iters()`.
fn is_iters(expr: &Expr, scopes: &Scopes) -> bool {
    let Expr::Call(call) = surface::bare(expr) else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    let local = path.path.get_ident().is_some_and(|name| scopes.get(name).is_some());
    !local
        && call.args.is_empty()
        && path.path.segments.last().is_some_and(|segment| segment.ident == "iters")
}

/// The names that a pattern binds, in the user's spelling.
pub(in crate::bind) fn bound_names(pattern: &Pat) -> Vec<syn::Ident> {
    struct Names(Vec<syn::Ident>);
    impl<'a> syn::visit::Visit<'a> for Names {
        fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
            self.0.push(pattern.ident.clone());
            syn::visit::visit_pat_ident(self, pattern);
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut names = Names(Vec::new());
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}
