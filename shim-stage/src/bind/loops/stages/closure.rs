//! The closure of a stage as rustc checks it, see [`stand_in`].

use syn::{Expr, ExprClosure, ExprIndex, Ident, Lifetime, Pat, Stmt, parse_quote, parse_quote_spanned};

use crate::ir::{Hole, RegionKind, StatementKind, SymbolSource};
use crate::stand_in;
use crate::surface::pattern;
use crate::symbolic::{Range, SymInt};

use crate::bind::walk::InClosure;
use crate::bind::{Binder, Binding};

/// The closure of a stage in emitted code.
#[derive(Clone)]
pub(in crate::bind) struct StageClosure {
    /// Its local.
    pub(super) local: Ident,
    /// Whether what it captures may change, so that each read of the stage has to use it.
    pub(super) borrows: bool,
}

impl Binder<'_> {
    /// Writes the closure of a stage. `None` behind an error.
    ///
    /// Its body is bound as at a read, and printed at once: no pass sees it, and nothing that it asked of the program stays.
    pub(super) fn stage_closure(
        &mut self,
        name: &Ident,
        closure: &ExprClosure,
        element: Option<&syn::Type>,
        captured: &[(Ident, Binding)],
    ) -> Option<StageClosure> {
        let errors = self.diagnostics.count();
        let [input] = &closure.inputs.iter().collect::<Vec<_>>()[..] else { return None };
        let index = pattern::array(input)?;
        let mark = self.walk.effects.mark();
        let demands = self.program.demands();
        let names = self.names.clone();
        let tensors = self.tensors.made();
        let templates = self.templates.staged();
        let outside = (self.walk.closure, self.walk.totality.take(), self.walk.confirms.take());
        self.walk.closure = InClosure::Stage;
        let mut parameters: Vec<Pat> = Vec::new();
        let region = self.in_closure(|binder| {
            binder.body(RegionKind::Closure, Vec::new(), |binder| {
                for name in &index {
                    let Some(name) = name else {
                        parameters.push(parse_quote!(_));
                        continue;
                    };
                    let local = binder.names.fresh(&name.to_string());
                    let here = binder.position();
                    let range = Range { lo: Some(i64::from(i32::MIN)), hi: Some(i64::from(i32::MAX)) };
                    let symbol =
                        binder.symbol(&name.to_string(), range, SymbolSource::Local(local.clone()), here);
                    parameters.push(parse_quote!(#local));
                    let sym = SymInt::symbol(&symbol);
                    let value = parse_quote!(#local);
                    binder.scopes.bind(name, Binding::Index { sym, value, exact: true, reference: false });
                }
                let value = binder.expression(&closure.body);
                binder.push(Stmt::Expr(value, None));
            })
        });
        (self.walk.closure, self.walk.totality, self.walk.confirms) = outside;
        self.walk.effects.forget(mark);
        let is_broken = self.diagnostics.count() != errors;
        let (body, outer) = stand_in::checked(&self.program, &self.runtime, region);
        self.program.detach(region);
        self.program.withdraw(demands);
        self.tensors.forget(tensors);
        self.templates.forget(templates);
        self.names.rewind(names);
        if is_broken {
            return None;
        }
        self.program.typed.extend(outer);
        let rt = self.runtime.clone();
        let local = self.names.fresh(&name.to_string());
        let mut written = closure.clone();
        let rank = parameters.len();
        let ty: syn::Type = match input {
            Pat::Type(typed) => (*typed.ty).clone(),
            _ => parse_quote!([::core::primitive::i32; #rank]),
        };
        let index = syn::PatType {
            attrs: Vec::new(),
            pat: parse_quote!([#(#parameters),*]),
            colon_token: <syn::Token![:]>::default(),
            ty: Box::new(ty),
        };
        written.inputs = std::iter::once(Pat::Type(index)).collect();
        if let (Some(element), syn::ReturnType::Default) = (element, &written.output) {
            written.output = parse_quote!(-> #element);
        }
        *written.body = match &body[..] {
            [Stmt::Expr(block @ Expr::Block(_), None)] => block.clone(),
            body => parse_quote!({ #(#body)* }),
        };
        self.write(StatementKind::Check(Box::new(parse_quote!(let #local = #written;))));
        let span = stand_in::located_at(&closure.inputs);
        let [rt, shown] = [&rt, &local].map(|name| stand_in::shown_at(name, span));
        let confirmed = parse_quote_spanned!(span=> #rt.is_stage(&#shown););
        self.write(StatementKind::Check(Box::new(confirmed)));
        let borrows = captured.iter().any(|(name, binding)| self.may_change(name, binding));
        Some(StageClosure { local, borrows })
    }

    /// Whether the value of a captured name may change between two reads of a stage: that of a number which is bound
    /// without `mut` does not.
    fn may_change(&self, name: &Ident, binding: &Binding) -> bool {
        match binding {
            Binding::Local(local) => !local.is_unchanging() || self.primitive(&parse_quote!(#name)).is_none(),
            Binding::Tensor(view) => view.list.is_some(),
            _ => false,
        }
    }

    /// Lets rustc see the type of an index that is written.
    pub(super) fn index_type(&mut self, ty: &syn::Type) {
        let rt = self.runtime.clone();
        self.write(StatementKind::Check(Box::new(parse_quote!(#rt.is_stage(&|_: #ty| ());))));
    }

    /// The value of a block that stands for the body of a closure: `return` and `?` leave it.
    pub(in crate::bind) fn left_by_return(&mut self, block: &syn::Block) -> Expr {
        let (block, leave) =
            self.in_template("stage", |binder| binder.block(block, RegionKind::Plain, Vec::new()));
        match leave {
            Some(leave) => parse_quote!(#leave: #block),
            None => Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block }),
        }
    }

    /// An element of a stage in the closure of another one: the value of its closure.
    pub(super) fn stand_in_element(&mut self, closure: &StageClosure, entries: &[Expr]) -> Expr {
        let rt = self.runtime.clone();
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            for entry in entries {
                let _ = binder.evaluated_index(entry);
            }
            let local = &closure.local;
            binder.push(Stmt::Expr(parse_quote!(#local(#rt.any())), None));
        });
        self.program.hole(Hole::Body(body))
    }

    /// Lets rustc see that a stage is read here.
    pub(super) fn use_closure(&mut self, closure: &StageClosure, read: &ExprIndex) {
        if let StageClosure { local, borrows: true } = closure {
            let span = stand_in::located_at(read);
            let local = stand_in::shown_at(local, span);
            let used = parse_quote_spanned!(span=> let _ = &#local;);
            self.write(StatementKind::Check(Box::new(used)));
        }
    }
}

/// The label of a block that stands for the body of a closure, which no user can write.
pub(in crate::bind) fn closure_label() -> Lifetime {
    Lifetime::new(&format!("'{}_closure", crate::hygiene::RESERVED), proc_macro2::Span::mixed_site())
}
