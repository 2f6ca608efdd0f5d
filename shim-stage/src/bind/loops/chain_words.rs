//! Words before a statement: they unroll or order the loops of the chains in it.

use quote::ToTokens as _;
use syn::{Attribute, Expr, ExprMethodCall, Ident, Stmt};

use crate::ir::{Change, Reduction, ReductionOp};
use crate::parse::attributes::not_applied;
use crate::static_eval::IntType;
use crate::surface::{Consumer, HelperAttribute};

use crate::bind::Binder;
use crate::bind::loops::unroll::{take_schedule, take_unroll};
use crate::bind::types::Primitive;
use crate::bind::walk::ChainWords;

impl Binder<'_> {
    /// Binds a statement whose chains have `words`; reports the words if it has none.
    pub(in crate::bind) fn with_chain_words<T>(
        &mut self,
        words: Vec<Attribute>,
        bind: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let around = self.walk.chain_words.replace(ChainWords { words, used: false });
        let result = bind(self);
        if let Some(ChainWords { words, used: false }) = std::mem::replace(&mut self.walk.chain_words, around)
            && let Some(first) = words.first()
        {
            let (message, help) = not_applied(first);
            self.diagnostics.error_in_call(first, message, help);
        }
        result
    }

    /// The `#[unroll]` before the statement of a chain, which takes effect.
    pub(in crate::bind) fn unrolls_chain(&mut self) -> Option<Attribute> {
        let around = self.walk.chain_words.as_mut()?;
        let [unroll] = &around.words[..] else { return None };
        if HelperAttribute::orders(unroll) {
            return None;
        }
        around.used = true;
        Some(unroll.clone())
    }

    /// Whether the statement of a chain has words.
    pub(in crate::bind) fn has_chain_words(&self) -> bool {
        self.walk.chain_words.as_ref().is_some_and(|around| !around.words.is_empty())
    }

    /// The loop of a chain that `bind` makes, of `rank` variables, in the order of the words before its statement.
    pub(in crate::bind) fn chain_in_order(
        &mut self,
        (call, consumer): (&ExprMethodCall, Consumer),
        (accumulator, rank): (&Ident, usize),
        bind: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let orders = |around: &&mut ChainWords| around.words.iter().any(HelperAttribute::orders);
        let Some(around) = self.walk.chain_words.as_mut().filter(orders) else { return bind(self) };
        around.used = true;
        // Chains in the closures of this one keep their order.
        let words = std::mem::take(&mut around.words);
        let changes = self.reduces(call, consumer, accumulator, &words[0]);
        let reorders = self.reorders(&words);
        let beginning = self.beginning();
        let nest = self.with_pure(&words, |binder| {
            binder.with_stages_of_tiles(&words, |binder| binder.confirming(reorders, bind))
        });
        if let Some(around) = &mut self.walk.chain_words {
            around.words.clone_from(&words);
        }
        let Some(changes) = changes else { return nest };
        if matches!(nest, Expr::ForLoop(_)) {
            self.reject_schedule(&words);
            return nest;
        }
        let nest = self.ordered(nest, &words, rank, None);
        if let Some(effects) = self.record_effects(&nest, &words, beginning) {
            effects.changes.extend(changes);
        }
        nest
    }

    /// The changes that a consumer makes to its accumulator, if it has one; `None` if its items keep their order, which
    /// is reported.
    fn reduces(
        &mut self,
        call: &ExprMethodCall,
        consumer: Consumer,
        accumulator: &Ident,
        word: &Attribute,
    ) -> Option<Vec<Change>> {
        let operator = match consumer {
            Consumer::ForEach => return Some(Vec::new()),
            Consumer::Sum | Consumer::Count => ReductionOp::Add,
            Consumer::Product => ReductionOp::Mul,
            Consumer::SumIn
            | Consumer::Min
            | Consumer::Max
            | Consumer::MinByKey
            | Consumer::MaxByKey
            | Consumer::Any
            | Consumer::All
            | Consumer::Mask
            | Consumer::Fold => {
                let name = call.method.to_string();
                self.diagnostics.error_in_call(
                    word,
                    format!("a chain that ends in `{name}` cannot be reordered"),
                    "orders apply to `sum`, `product`, `count` and `for_each`; write the others as a loop, such as \
                     `for .. { m = m.min(value); }`",
                );
                return None;
            }
        };
        let primitive = match (consumer, &call.turbofish) {
            (Consumer::Count, _) => Some(Primitive::Int(IntType::Usize)),
            (_, Some(types)) => match types.args.first() {
                Some(syn::GenericArgument::Type(ty)) => Primitive::of_type(ty),
                _ => None,
            },
            (_, None) => None,
        };
        let Some(primitive) = primitive else {
            let message = format!("the type of this `{}` is not written", consumer.name());
            self.diagnostics.error_in_call(&call.method, message, consumer.usage());
            return None;
        };
        if let Some(name) = primitive.name() {
            self.scopes.relies_on_primitive(name);
        }
        let rounds = matches!(primitive, Primitive::Float(_));
        let reduction = (!rounds).then(|| Reduction { local: accumulator.clone(), operator });
        let name = consumer.name().to_owned();
        let tokens = call.method.to_token_stream();
        Some(vec![Change { name, local: None, is_list: false, any: false, reduction, rounds, tokens }])
    }
}

/// The words before a `let`, an assignment or a method call, and the statement without them. Orders before an
/// assignment to an element are those of an elementwise one, if it is one.
pub(in crate::bind) fn taken(statement: &Stmt) -> Option<(Vec<Attribute>, Stmt)> {
    let mut statement = statement.clone();
    let (attributes, has_orders) = match &mut statement {
        Stmt::Local(local) => (&mut local.attrs, true),
        Stmt::Expr(Expr::MethodCall(call), _) => (&mut call.attrs, true),
        Stmt::Expr(
            Expr::Assign(syn::ExprAssign { left, .. }) | Expr::Binary(syn::ExprBinary { left, .. }),
            _,
        ) => match &mut **left {
            Expr::Index(index) => (&mut index.attrs, false),
            Expr::Path(path) => (&mut path.attrs, true),
            _ => return None,
        },
        _ => return None,
    };
    let mut words: Vec<Attribute> = take_unroll(attributes).into_iter().collect();
    if has_orders {
        words.extend(take_schedule(attributes));
    }
    (!words.is_empty()).then_some((words, statement))
}
