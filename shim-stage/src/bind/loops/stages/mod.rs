//! Stages: functions of an index that are read like tensors, computed where they are read or in memory before.
//!
//! `let across = stage(|[y, x]| ..);` binds a name to a closure. An element `across[[e, f]]` is the body of the closure
//! at the index `[e, f]`, in which every other name means what it meant at the definition. With `#[compute_at(..)]` the
//! elements are computed by a nest before the first statement that reads them, at the definition or in the body of a
//! loop, into a block; which elements that are is what the pass `regions` finds out.

mod closure;
mod level;

use std::rc::Rc;

use quote::ToTokens as _;
use syn::{Attribute, Expr, ExprClosure, ExprIndex, Ident, Lifetime, Local, Pat, Stmt, parse_quote};

use crate::diagnostics::counted;
use crate::hygiene;
use crate::ir::{Access, AccessId, AccessKind, Hole, RegionKind, Surface, TemplateCall};
use crate::link::Callees;
use crate::parse::attributes::not_applied;
use crate::surface::{HelperAttribute, StageCall, StageLevel, pattern};
use crate::symbolic::SymInt;

use crate::bind::names::home::HomeModule;
use crate::bind::names::outside::Outside;
use crate::bind::names::scope::{Home, SourceFacts};
use crate::bind::{Binder, Binding, MAX_RANK, unreachable_value};

use closure::StageClosure;
pub(in crate::bind) use closure::closure_label;
pub(in crate::bind) use level::{OutsideLevel, StageBlock, Stored};

/// The most elements of stages that are written where they are read: stages that read one another twice would double
/// the code each time.
const MOST: usize = 4096;

/// The help of errors about the parameter of a stage.
const INDEX_HELP: &str =
    "write one name per axis, as in `|[y, x]|`; a stage has one axis at least and 8 at most";

/// The help of errors about what the body of a stage changes.
const PURE: &str = "a stage is a pure function of its index: it changes only what it declares";

/// A stage.
pub(in crate::bind) struct Stage<'a> {
    /// Its name.
    name: Ident,
    /// The names of its index, one per axis.
    index: Vec<Option<Ident>>,
    /// The element at this index.
    body: Expr,
    /// The type of its elements, where it is written.
    pub(in crate::bind) element: Option<syn::Type>,
    /// Its closure in emitted code.
    closure: StageClosure,
    /// The locals and tensors in its body, and what they mean.
    names: Vec<(Ident, Binding)>,
    /// The other names in it.
    outside: Outside,
    /// Where these mean what they mean in it.
    home: Home,
    /// What gives the names of the template that it is defined in.
    module: Option<HomeModule>,
    /// Where it is computed, if not where it is read.
    level: Option<StageLevel>,
    /// Where its block is made, if not where it is computed.
    store: Option<StageLevel>,
    /// The memory of its block, if that is the caller's.
    memory: Option<Ident>,
    /// The words about the loops that compute it.
    words: Vec<Attribute>,
    /// The template calls around its definition.
    calls: Vec<TemplateCall>,
    /// The templates that its body calls, by their paths.
    callees: &'a Callees,
    /// Whether it is defined in a template.
    in_template: bool,
    /// The facts about the tokens that it is defined in.
    source: Rc<SourceFacts>,
}

impl Stage<'_> {
    /// Whether it is computed in each iteration of the loop with this label.
    fn is_computed_at(&self, label: &Lifetime) -> bool {
        self.level.as_ref().is_some_and(|level| level.is_loop(label))
    }

    /// Whether its block is kept from the beginning of an iteration of the loop with this label on.
    fn is_stored_at(&self, label: &Lifetime) -> bool {
        self.store.as_ref().is_some_and(|level| level.is_loop(label))
    }
}

impl<'a> Binder<'a> {
    /// `let name = stage(|[y, x]| ..);`
    pub(in crate::bind) fn stage_local(&mut self, local: &Local, call: StageCall<'_>) {
        self.mention_item(call.path, Surface::Stage);
        let words = match &mut self.walk.chain_words {
            Some(around) => {
                around.used = true;
                std::mem::take(&mut around.words)
            }
            None => Vec::new(),
        };
        let Some((name, None, false)) = pattern::simple(&local.pat) else {
            let help = "write `let name = stage(|[y, x]| ..);`";
            self.diagnostics.error(&local.pat, "a stage is bound to one plain name", help);
            return;
        };
        if let Some(extents) = call.extents {
            return self.stage_tensor(name, extents, call, &words);
        }
        match self.new_stage(name, call, &words) {
            Some(stage) => {
                let id = self.stages.defined.len();
                // Nothing is computed where rustc checks the closure around.
                let computes = !self.walk.is_checked();
                let is_at_root =
                    |level: &Option<StageLevel>| computes && matches!(level, Some(StageLevel::Root));
                let [computed, stored] = [&stage.level, &stage.store].map(is_at_root);
                self.stages.defined.push(Rc::new(stage));
                self.stages.blocks.push(None);
                self.stages.stored.push(None);
                self.scopes.bind(name, Binding::Stage(id));
                if computed || stored {
                    self.stages.blocks[id] = self.stage_block(id, None);
                }
                if computed {
                    self.stages.stored[id] = self.produced(id, None);
                }
            }
            None => self.scopes.bind(name, Binding::Broken),
        }
    }

    /// `let name = stage([h, w], |[y, x]| ..);`: a block of these extents, and the loop that fills it. The function may
    /// read elements of it that are computed already: `stage([n], |s, [i]| ..)`.
    fn stage_tensor(&mut self, name: &Ident, extents: &Expr, call: StageCall<'_>, words: &[Attribute]) {
        let Some(Some(element)) = self.stage_elements(name, call, true) else {
            return self.bind_broken(name);
        };
        let inputs: Vec<&Pat> = call.closure.inputs.iter().collect();
        let (own, index) = match inputs[..] {
            [index] => (None, index),
            [own, index] => (Some(own), index),
            _ => {
                self.diagnostics.error(&call.closure.inputs, "a stage is a function of an index", INDEX_HELP);
                return self.bind_broken(name);
            }
        };
        let mut others = Vec::new();
        for word in words {
            match HelperAttribute::named(word) {
                Some(HelperAttribute::ComputeAt) if matches!(self.level(word), Some(StageLevel::Root)) => {}
                Some(helper) if helper.is_of_stage() => {
                    self.diagnostics.error(
                        word,
                        "a stage with extents is computed where it is defined",
                        "define it in the body of the loop, or leave out the extents",
                    );
                }
                _ => others.push(word),
            }
        }
        let made: Expr = parse_quote!(Block::heap::<#element>(#extents));
        let mentions = self.program.mentions.len();
        let view = self.tensor(&made, &name.to_string());
        self.program.mentions.truncate(mentions);
        let Some(view) = view else { return self.bind_broken(name) };
        self.bind_tensor(name, view);
        let (index, at): (Pat, Expr) = match pattern::array(index) {
            Some(names) => {
                let fresh = |name: Option<Ident>| name.unwrap_or_else(|| self.names.fresh("at"));
                let names: Vec<Ident> = names.into_iter().map(fresh).collect();
                (parse_quote!([#(#names),*]), parse_quote!([#(#names),*]))
            }
            None => (index.clone(), parse_quote!(#index)),
        };
        if let Pat::Type(typed) = &call.closure.inputs[call.closure.inputs.len() - 1] {
            self.index_type(&typed.ty);
        }
        let body = &call.closure.body;
        let leave = closure_label();
        let alias: Option<Stmt> = own.map(|own| parse_quote!(let #own = #name;));
        self.remaining(&[parse_quote! {
            #(#others)*
            for #index in #name.indices() {
                #name[#at] = #leave: { #alias #body };
            }
        }]);
    }

    /// The type of the elements of a stage, which is written or that of the function's value; an error if a stage in
    /// memory has none.
    #[allow(clippy::option_option)]
    fn stage_elements(
        &mut self,
        name: &Ident,
        call: StageCall<'_>,
        in_memory: bool,
    ) -> Option<Option<syn::Type>> {
        let element = match call.element() {
            Ok(element) => element.cloned(),
            Err(arguments) => {
                let help = "write `stage::<u16>(|[y, x]| ..)`";
                self.diagnostics.error(arguments, "expected one element type", help);
                return None;
            }
        };
        let element = element.or_else(|| match &call.closure.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        });
        let element = element.or_else(|| self.type_of_stage(call.closure));
        if element.is_none() && in_memory {
            self.diagnostics.error(
                call.path,
                format!("the type of the elements of the stage `{name}` is not known"),
                "a stage in memory needs it: write it, as in `stage::<u16>(|[y, x]| ..)`",
            );
            return None;
        }
        Some(element)
    }

    fn new_stage(&mut self, name: &Ident, call: StageCall<'_>, words: &[Attribute]) -> Option<Stage<'a>> {
        let ExprClosure { inputs, body, .. } = call.closure;
        let index = match &inputs.iter().collect::<Vec<_>>()[..] {
            [input] => pattern::array(input),
            _ => None,
        };
        let Some(index) = index.filter(|index| (1..=MAX_RANK).contains(&index.len())) else {
            self.diagnostics.error(inputs, "a stage is a function of an index", INDEX_HELP);
            return None;
        };
        let is_own = |name: &Ident| index.iter().flatten().any(|own| hygiene::same(own, name));
        let names = hygiene::free_identifiers(body.to_token_stream());
        let names: Vec<(Ident, Binding)> = names
            .into_iter()
            .filter(|name| !is_own(name))
            .filter_map(|name| Some((name.clone(), self.scopes.get(&name)?.clone())))
            .collect();
        let (mut level, mut store, mut memory) = (None, None, None);
        let mut rest = Vec::new();
        for word in words {
            match HelperAttribute::named(word) {
                Some(HelperAttribute::ComputeAt) => level = Some(self.level(word)?),
                Some(HelperAttribute::StoreAt) => store = Some((self.level(word)?, word)),
                Some(HelperAttribute::StoreIn) => memory = Some((self.memory_of_stage(word)?, word)),
                Some(HelperAttribute::Unroll) if !HelperAttribute::orders(word) => {
                    let (message, help) = not_applied(word);
                    self.diagnostics.error(word, message, help);
                }
                _ => rest.push(word.clone()),
            }
        }
        if level.is_none()
            && let Some(word) = rest.iter().find(|word| !HelperAttribute::Pure.is(word))
        {
            let word_name = word.path().to_token_stream();
            self.diagnostics.error(
                word,
                format!("`#[{word_name}]` before a stage that has no loops"),
                "a stage without `#[compute_at(..)]` is computed where it is read: add `#[compute_at(root)]` or the label of a loop",
            );
            return None;
        }
        if let (None, Some((_, word))) = (&level, &store) {
            self.diagnostics.error(
                word,
                "`#[store_at(..)]` before a stage that is not computed in a loop",
                "add the label of the loop, as in `#[store_at(root)] #[compute_at('row)]`",
            );
            return None;
        }
        if let (None, Some((_, word))) = (&level, &memory) {
            self.diagnostics.error(
                word,
                "`#[store_in(..)]` before a stage that has no block",
                "a stage without `#[compute_at(..)]` is computed where it is read: add `#[compute_at(root)]` or the label of a loop",
            );
            return None;
        }
        if level.is_some() && !self.schedules() {
            (level, store) = (Some(StageLevel::Root), None);
            rest.retain(|word| HelperAttribute::Pure.is(word));
        }
        let element = self.stage_elements(name, call, level.is_some())?;
        let closure = self.stage_closure(name, call.closure, element.as_ref(), &names)?;
        let store = store.map(|(store, _)| store).filter(|_| !matches!(level, Some(StageLevel::Root)));
        Some(Stage {
            name: name.clone(),
            index,
            body: (**body).clone(),
            element,
            closure,
            names,
            outside: Outside::of_closure(call.closure, &self.scopes, self.templates.callees),
            home: Home::Block(self.walk.region, self.scopes.depth()),
            module: self.templates.home.clone(),
            level,
            store,
            memory: memory.map(|(memory, _)| memory),
            words: rest,
            calls: self.diagnostics.calls().to_vec(),
            callees: self.templates.callees,
            in_template: self.templates.in_template,
            source: self.scopes.shared_source(),
        })
    }

    /// The local that an attribute names, which is the memory of a stage.
    fn memory_of_stage(&mut self, word: &Attribute) -> Option<Ident> {
        let name = word.parse_args::<Ident>().ok();
        let name = name.filter(|name| matches!(self.scopes.get(name), Some(Binding::Local(_))));
        if name.is_none() {
            self.diagnostics.error(
                word,
                "`#[store_in(..)]` names no local",
                "name a `&mut Vec` of the elements' type, such as a parameter `memory: &mut Vec<f32>`",
            );
        }
        name
    }

    /// The level that an attribute names.
    fn level(&mut self, word: &Attribute) -> Option<StageLevel> {
        match word.parse_args::<StageLevel>() {
            Ok(level) => Some(level),
            Err(_) => {
                let name = word.path().to_token_stream().to_string();
                let help = format!("write the label of a loop, `#[{name}('row)]`, or `#[{name}(root)]`");
                self.diagnostics.error(word, format!("malformed `#[{name}]` attribute"), help);
                None
            }
        }
    }

    /// `s[[y, x]]` of a stage, whose element is computed here or read from memory.
    pub(in crate::bind) fn stage_element(&mut self, id: usize, index: &ExprIndex, kind: AccessKind) -> Expr {
        let stage = self.stages.defined[id].clone();
        if kind.writes() {
            let message = format!("an element of the stage `{}` is written", stage.name);
            self.diagnostics.error(
                index,
                message,
                "a stage is a function: write to a block, as in `Block::heap::<u8>([h, w])`",
            );
            return unreachable_value();
        }
        let Some(entries) = self.index_entries(&index.index) else {
            let help = "give one index per axis, as in `s[[y, x]]`";
            self.diagnostics.error(&index.index, "a stage is read one element at a time", help);
            return unreachable_value();
        };
        let rank = stage.index.len();
        if entries.len() != rank {
            let given = counted(entries.len(), "index is", "indices are");
            let message = format!("{given} given for the stage `{}` of rank {rank}", stage.name);
            self.diagnostics.error(&index.index, message, "give one index per axis");
            return unreachable_value();
        }
        if self.walk.is_checked() {
            return self.stand_in_element(&stage.closure, &entries);
        }
        if stage.closure.borrows && self.stages.stored[id].is_some() {
            let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
                binder.use_closure(&stage.closure, index);
                let element = binder.stored_element(id, &entries, index);
                binder.push(Stmt::Expr(element, None));
            });
            return self.program.hole(Hole::Body(body));
        }
        if self.stages.stored[id].is_some() {
            return self.stored_element(id, &entries, index);
        }
        if let Some(StageLevel::Loop(label)) = &stage.level {
            let name = &stage.name;
            let (message, help) = if stage.source.labels.contains(&hygiene::text(&label.ident)) {
                (
                    format!(
                        "the stage `{name}` is read outside of the loop `{label}`, in which it is computed"
                    ),
                    format!(
                        "read it in a `for` loop with the label `{label}`, or give the stage another `#[compute_at(..)]`"
                    ),
                )
            } else {
                (
                    format!(
                        "the stage `{name}` is computed in the loop `{label}`, and no loop has this label"
                    ),
                    format!(
                        "write `{label}: for ..` or `#[tile([8, 8], {label})]`, or `#[compute_at(root)]`"
                    ),
                )
            };
            self.diagnostics.error_in_call(index, message, help);
            return unreachable_value();
        }
        self.stages.evaluated += 1;
        if self.stages.evaluated > MOST {
            if self.stages.evaluated == MOST + 1 {
                let message = format!("stages are written where they are read more than {MOST} times");
                self.diagnostics.error_in_call(
                    index,
                    message,
                    "give one that is read often `#[compute_at(..)]`",
                );
            }
            return unreachable_value();
        }
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            binder.use_closure(&stage.closure, index);
            let at: Vec<SymInt> = entries.iter().map(|entry| binder.evaluated_index(entry).0).collect();
            let values =
                at.into_iter().map(|at| Some(binder.index_variable(at, &stage.name.to_string()))).collect();
            let value = binder.element_at(&stage, values);
            binder.push(Stmt::Expr(value, None));
        });
        self.program.hole(Hole::Body(body))
    }

    /// An element of a stage in memory.
    fn stored_element(&mut self, id: usize, entries: &[Expr], index: &ExprIndex) -> Expr {
        let Some(Stored { view, origin }) = self.stages.stored[id].clone() else {
            return unreachable_value();
        };
        let mut operands = Vec::new();
        let mut coordinates = Vec::new();
        for (entry, first) in entries.iter().zip(&origin) {
            let at = self.index(entry, &mut operands);
            let Some(at) = self.report_location_error(at.sub(first), entry) else {
                return unreachable_value();
            };
            coordinates.push(at);
        }
        let access = self.record(view, coordinates, AccessKind::Read, operands, index.to_token_stream());
        self.program.hole(Hole::Access(access))
    }

    /// The element of a stage at an index that is bound already: the body of its closure, with the names of its
    /// definition, left early by `return` and `?` alone.
    fn element_at(&mut self, stage: &Stage<'a>, index: Vec<Option<Binding>>) -> Expr {
        let Some(restored) = self.restored(&stage.outside, stage.home, &stage.name.to_string(), &stage.name)
        else {
            return unreachable_value();
        };
        if restored.is_empty() {
            return self.value_at(stage, index);
        }
        let body = self.body(RegionKind::Plain, Vec::new(), |binder| {
            binder.among(&restored, |binder| {
                let value = binder.value_at(stage, index);
                binder.push(Stmt::Expr(value, None));
            });
        });
        self.program.hole(Hole::Body(body))
    }

    /// The value of a stage's closure with its index and its names bound.
    fn value_at(&mut self, stage: &Stage<'a>, index: Vec<Option<Binding>>) -> Expr {
        // The body means what it meant at the definition, whatever is in scope here.
        let callees = std::mem::replace(&mut self.templates.callees, stage.callees);
        let in_template = std::mem::replace(&mut self.templates.in_template, stage.in_template);
        let module = std::mem::replace(&mut self.templates.home, stage.module.clone());
        let source = self.scopes.enter_source(stage.source.clone());
        let floor = self.scopes.hide();
        self.scopes.enter();
        for (name, binding) in &stage.names {
            self.scopes.bind(name, binding.clone());
        }
        for (name, binding) in stage.index.iter().zip(index) {
            if let (Some(name), Some(binding)) = (name, binding) {
                self.scopes.bind(name, binding);
            }
        }
        let region = self.program.regions.next_id();
        let accesses = self.program.accesses.next_id();
        let (value, leave) =
            self.in_template(&stage.name.to_string(), |binder| binder.expression(&stage.body));
        let is_outer = |(id, access): &(AccessId, &Access)| {
            *id >= accesses
                && access.kind.writes()
                && self.program.allocated(access.view.buffer).region < region
        };
        if let Some((_, write)) = self.program.accesses.enumerated().find(is_outer) {
            let (message, tokens) =
                (format!("the stage `{}` writes to `{}`", stage.name, write.view.name), write.tokens.clone());
            self.diagnostics.error_in_call(tokens, message, PURE);
        }
        self.scopes.leave();
        self.scopes.reveal(floor);
        self.scopes.enter_source(source);
        self.templates.in_template = in_template;
        self.templates.home = module;
        self.templates.callees = callees;
        match leave {
            Some(leave) => parse_quote!(#leave: { #value }),
            None => value,
        }
    }
}
