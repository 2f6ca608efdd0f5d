//! Functions of an expansion as trees whose variables are numbered.

use std::collections::HashMap;
use std::rc::Rc;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, Item, Lit, Pat, Stmt, Type, UnOp};

use super::value::{Number, Value};
use super::{Flow, unsupported};

/// A function with memory for its variables.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) parameters: Vec<Pattern>,
    pub(super) types: Vec<Option<Number>>,
    pub(super) body: Node,
    pub(super) result: Option<Number>,
    pub(super) slots: usize,
}

/// A closure: its variables are among those of the function around it, which it does not outlive.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) parameters: Vec<Pattern>,
    pub(super) body: Node,
    pub(super) result: Option<Number>,
}

/// A line and a column of the source.
pub(super) type Site = [usize; 2];

#[derive(Debug)]
pub(super) enum Node {
    Value(Value),
    Local(usize),
    /// A constant or a function of the file.
    Global(String),
    Unary(UnOp, Box<Node>),
    Binary(BinOp, Box<Node>, Box<Node>),
    /// `place op= value`.
    Update(BinOp, Box<Node>, Box<Node>),
    Assign(Box<Node>, Box<Node>),
    Cast(Box<Node>, Option<Number>),
    Reference(Box<Node>),
    Index(Box<Node>, Box<Node>),
    Field(Box<Node>, usize),
    /// The field of a struct.
    Named(Box<Node>, String),
    Tuple(Vec<Node>),
    Array(Vec<Node>),
    Repeat(Box<Node>, Box<Node>),
    Range(Option<Box<Node>>, Option<Box<Node>>, bool),
    Block(Option<String>, Vec<Statement>),
    If(Box<Node>, Box<Node>, Option<Box<Node>>),
    /// `let pattern = value` in a condition.
    Let(Pattern, Box<Node>),
    Match(Box<Node>, Vec<(Pattern, Option<Node>, Node)>),
    For(Option<String>, Pattern, Box<Node>, Box<Node>),
    While(Option<String>, Box<Node>, Box<Node>),
    Loop(Option<String>, Box<Node>),
    Break(Option<String>, Option<Box<Node>>),
    Continue(Option<String>),
    Return(Option<Box<Node>>),
    Closure(Rc<Closure>),
    Call(Box<Node>, Vec<Node>),
    /// `number::from(value)`.
    From(Number, Box<Node>),
    Some(Box<Node>),
    Method(Box<Method>),
    /// `assert!(condition)`, and what is printed if it fails.
    Assert(Box<Node>, String),
    Panic(String),
}

#[derive(Debug)]
pub(super) struct Method {
    pub(super) receiver: Node,
    pub(super) name: String,
    /// The type and the constants between the angle brackets.
    pub(super) number: Option<Number>,
    pub(super) constants: Vec<Node>,
    pub(super) arguments: Vec<Node>,
    /// Where the access begins in the source, of a call of the runtime library.
    pub(super) site: Option<Site>,
}

#[derive(Debug)]
pub(super) enum Statement {
    Let(Pattern, Option<Number>, Option<Node>, Option<Box<Node>>),
    /// Its value is that of the block if it is the last one.
    Value(Node),
    Run(Node),
}

#[derive(Debug)]
pub(super) enum Pattern {
    Wild,
    Slot(usize, Option<Box<Pattern>>),
    List(Vec<Pattern>),
    Some(Box<Pattern>),
    Any(Vec<Pattern>),
    Range(Option<i128>, Option<i128>, bool),
    /// Equal to this.
    Equals(Box<Node>),
}

/// Numbers the variables of a function.
struct Lowering {
    scopes: Vec<HashMap<String, usize>>,
    slots: usize,
}

type Lowered<T> = Result<T, Flow>;

/// Lowers a function.
pub(super) fn function(item: &syn::ItemFn) -> Lowered<Function> {
    let mut lowering = Lowering { scopes: vec![HashMap::new()], slots: 0 };
    let (mut parameters, mut types) = (Vec::new(), Vec::new());
    for input in &item.sig.inputs {
        let syn::FnArg::Typed(input) = input else { return Err(unsupported("a method")) };
        parameters.push(lowering.pattern(&input.pat)?);
        types.push(number(&input.ty));
    }
    let body = lowering.block(&item.block, None)?;
    let result = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => number(ty),
        syn::ReturnType::Default => None,
    };
    Ok(Function { parameters, types, body, result, slots: lowering.slots })
}

/// Lowers an expression without variables.
pub(super) fn constant(expr: &Expr) -> Lowered<Node> {
    Lowering { scopes: vec![HashMap::new()], slots: 0 }.expr(expr)
}

/// The number that a type is, or holds.
pub(super) fn number(ty: &Type) -> Option<Number> {
    match ty {
        Type::Path(path) => Number::named(&path.path.segments.last()?.ident.to_string()),
        Type::Array(array) => number(&array.elem),
        Type::Slice(slice) => number(&slice.elem),
        Type::Reference(reference) => number(&reference.elem),
        Type::Paren(inner) => number(&inner.elem),
        Type::Group(inner) => number(&inner.elem),
        _ => None,
    }
}

fn shown(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    if text.chars().count() > 60 { text.chars().take(60).chain("..".chars()).collect() } else { text }
}

fn label(label: Option<&syn::Lifetime>) -> Option<String> {
    label.map(|label| label.ident.to_string())
}

impl Lowering {
    fn declare(&mut self, name: String) -> usize {
        let slot = self.slots;
        self.slots += 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, slot);
        }
        slot
    }

    fn within<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.scopes.push(HashMap::new());
        let lowered = lower(self);
        self.scopes.pop();
        lowered
    }

    fn pattern(&mut self, pattern: &Pat) -> Lowered<Pattern> {
        Ok(match pattern {
            Pat::Wild(_) | Pat::Rest(_) => Pattern::Wild,
            Pat::Ident(own) if own.ident == "None" && own.subpat.is_none() => {
                Pattern::Equals(Box::new(Node::Value(Value::Option(None))))
            }
            Pat::Ident(own) => {
                let inner = match &own.subpat {
                    Some((_, inner)) => Some(Box::new(self.pattern(inner)?)),
                    None => None,
                };
                Pattern::Slot(self.declare(own.ident.to_string()), inner)
            }
            Pat::Tuple(own) => Pattern::List(self.patterns(own.elems.iter())?),
            Pat::Slice(own) => Pattern::List(self.patterns(own.elems.iter())?),
            Pat::TupleStruct(own) if own.path.is_ident("Some") && own.elems.len() == 1 => {
                Pattern::Some(Box::new(self.pattern(&own.elems[0])?))
            }
            Pat::Reference(own) => self.pattern(&own.pat)?,
            Pat::Paren(own) => self.pattern(&own.pat)?,
            Pat::Type(own) => self.pattern(&own.pat)?,
            Pat::Or(own) => Pattern::Any(self.patterns(own.cases.iter())?),
            Pat::Range(own) => {
                let mut end = |end: &Option<Box<Expr>>| -> Lowered<Option<i128>> {
                    let Some(end) = end else { return Ok(None) };
                    match self.expr(end)? {
                        Node::Value(Value::Int(value, _)) => Ok(Some(value)),
                        _ => Err(unsupported(shown(pattern))),
                    }
                };
                let closed = matches!(own.limits, syn::RangeLimits::Closed(_));
                Pattern::Range(end(&own.start)?, end(&own.end)?, closed)
            }
            Pat::Lit(own) => Pattern::Equals(Box::new(literal(&own.lit)?)),
            Pat::Path(own) => Pattern::Equals(Box::new(path(&own.path)?)),
            other => return Err(unsupported(format!("the pattern `{}`", shown(other)))),
        })
    }

    fn patterns<'p>(&mut self, patterns: impl Iterator<Item = &'p Pat>) -> Lowered<Vec<Pattern>> {
        patterns.map(|pattern| self.pattern(pattern)).collect()
    }

    fn block(&mut self, block: &Block, label: Option<String>) -> Lowered<Node> {
        self.within(|own| {
            let mut statements = Vec::new();
            for statement in &block.stmts {
                own.statement(statement, &mut statements)?;
            }
            Ok(Node::Block(label, statements))
        })
    }

    fn statement(&mut self, statement: &Stmt, statements: &mut Vec<Statement>) -> Lowered<()> {
        match statement {
            Stmt::Local(local) => {
                let (mut value, mut otherwise) = (None, None);
                if let Some(init) = &local.init {
                    value = Some(self.expr(&init.expr)?);
                    if let Some((_, diverge)) = &init.diverge {
                        otherwise = Some(self.boxed(diverge)?);
                    }
                }
                let ty = match &local.pat {
                    Pat::Type(own) => number(&own.ty),
                    _ => None,
                };
                let pattern = self.pattern(&local.pat)?;
                statements.push(Statement::Let(pattern, ty, value, otherwise));
            }
            Stmt::Item(Item::Const(own)) => {
                let value = self.expr(&own.expr)?;
                let slot = self.declare(own.ident.to_string());
                let pattern = Pattern::Slot(slot, None);
                statements.push(Statement::Let(pattern, number(&own.ty), Some(value), None));
            }
            // Functions that pick a version of the closure that follows.
            Stmt::Item(Item::Macro(_) | Item::Use(_)) => {}
            Stmt::Item(other) => return Err(unsupported(format!("the item `{}`", shown(other)))),
            Stmt::Expr(expr, None) => statements.push(Statement::Value(self.expr(expr)?)),
            Stmt::Expr(expr, Some(_)) => statements.push(Statement::Run(self.expr(expr)?)),
            Stmt::Macro(own) if own.mac.path.segments.last().is_some_and(|own| own.ident == "versions") => {}
            Stmt::Macro(own) => statements.push(Statement::Run(self.invocation(&own.mac)?)),
        }
        Ok(())
    }

    fn boxed(&mut self, expr: &Expr) -> Lowered<Box<Node>> {
        Ok(Box::new(self.expr(expr)?))
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Lowered<Vec<Node>> {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Lowered<Node> {
        Ok(match expr {
            Expr::Lit(own) => literal(&own.lit)?,
            Expr::Paren(own) => self.expr(&own.expr)?,
            Expr::Group(own) => self.expr(&own.expr)?,
            Expr::Path(own) => match own.path.get_ident().and_then(|name| self.local(&name.to_string())) {
                Some(slot) => Node::Local(slot),
                None => path(&own.path)?,
            },
            Expr::Unary(own) => Node::Unary(own.op, self.boxed(&own.expr)?),
            Expr::Binary(own) => {
                let (left, right) = (self.boxed(&own.left)?, self.boxed(&own.right)?);
                match plain(own.op) {
                    Some(op) => Node::Update(op, left, right),
                    None => Node::Binary(own.op, left, right),
                }
            }
            Expr::Assign(own) => Node::Assign(self.boxed(&own.left)?, self.boxed(&own.right)?),
            Expr::Cast(own) => Node::Cast(self.boxed(&own.expr)?, number(&own.ty)),
            Expr::Reference(own) => Node::Reference(self.boxed(&own.expr)?),
            Expr::Index(own) => Node::Index(self.boxed(&own.expr)?, self.boxed(&own.index)?),
            Expr::Field(own) => match &own.member {
                syn::Member::Unnamed(at) => Node::Field(self.boxed(&own.base)?, at.index as usize),
                syn::Member::Named(name) => Node::Named(self.boxed(&own.base)?, name.to_string()),
            },
            Expr::Tuple(own) if own.elems.is_empty() => Node::Value(Value::Unit),
            Expr::Tuple(own) => Node::Tuple(self.all(&own.elems)?),
            Expr::Array(own) => Node::Array(self.all(&own.elems)?),
            Expr::Repeat(own) => Node::Repeat(self.boxed(&own.expr)?, self.boxed(&own.len)?),
            Expr::Range(own) => {
                let mut end = |end: &Option<Box<Expr>>| end.as_deref().map(|end| self.boxed(end)).transpose();
                let closed = matches!(own.limits, syn::RangeLimits::Closed(_));
                Node::Range(end(&own.start)?, end(&own.end)?, closed)
            }
            Expr::Block(own) => self.block(&own.block, label(own.label.as_ref().map(|label| &label.name)))?,
            Expr::Unsafe(own) => self.block(&own.block, None)?,
            Expr::If(own) => self.within(|lowering| {
                let condition = lowering.boxed(&own.cond)?;
                let then = Box::new(lowering.block(&own.then_branch, None)?);
                let otherwise =
                    own.else_branch.as_ref().map(|(_, other)| lowering.boxed(other)).transpose()?;
                Ok(Node::If(condition, then, otherwise))
            })?,
            Expr::Let(own) => {
                let value = self.boxed(&own.expr)?;
                Node::Let(self.pattern(&own.pat)?, value)
            }
            Expr::Match(own) => {
                let value = self.boxed(&own.expr)?;
                let arms = own.arms.iter().map(|arm| {
                    self.within(|lowering| {
                        let (pattern, guard) = match &arm.pat {
                            Pat::Guard(own) => {
                                let pattern = lowering.pattern(&own.pat)?;
                                (pattern, Some(lowering.expr(&own.guard)?))
                            }
                            pattern => (lowering.pattern(pattern)?, None),
                        };
                        Ok((pattern, guard, lowering.expr(&arm.body)?))
                    })
                });
                Node::Match(value, arms.collect::<Lowered<_>>()?)
            }
            Expr::ForLoop(own) => {
                let items = self.boxed(&own.expr)?;
                self.within(|lowering| {
                    let pattern = lowering.pattern(&own.pat)?;
                    let body = Box::new(lowering.block(&own.body, None)?);
                    Ok(Node::For(label(own.label.as_ref().map(|label| &label.name)), pattern, items, body))
                })?
            }
            Expr::While(own) => self.within(|lowering| {
                let condition = lowering.boxed(&own.cond)?;
                let body = Box::new(lowering.block(&own.body, None)?);
                Ok(Node::While(label(own.label.as_ref().map(|label| &label.name)), condition, body))
            })?,
            Expr::Loop(own) => Node::Loop(
                label(own.label.as_ref().map(|label| &label.name)),
                Box::new(self.block(&own.body, None)?),
            ),
            Expr::Break(own) => {
                let value = own.expr.as_deref().map(|value| self.boxed(value)).transpose()?;
                Node::Break(label(own.label.as_ref()), value)
            }
            Expr::Continue(own) => Node::Continue(label(own.label.as_ref())),
            Expr::Return(own) => {
                Node::Return(own.expr.as_deref().map(|value| self.boxed(value)).transpose()?)
            }
            Expr::Closure(own) => self.within(|lowering| {
                let parameters = lowering.patterns(own.inputs.iter())?;
                let result = match &own.output {
                    syn::ReturnType::Type(_, ty) => number(ty),
                    syn::ReturnType::Default => None,
                };
                let body = lowering.expr(&own.body)?;
                Ok(Node::Closure(Rc::new(Closure { parameters, body, result })))
            })?,
            Expr::Call(own) => self.call(own)?,
            Expr::MethodCall(own) => self.method(own)?,
            Expr::Macro(own) => self.invocation(&own.mac)?,
            Expr::Const(own) => self.block(&own.block, None)?,
            other => return Err(unsupported(format!("`{}`", shown(other)))),
        })
    }

    fn local(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    fn call(&mut self, call: &syn::ExprCall) -> Lowered<Node> {
        let mut arguments = self.all(&call.args)?;
        if let Expr::Path(own) = &*call.func {
            let names: Vec<String> = own.path.segments.iter().map(|own| own.ident.to_string()).collect();
            match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                [.., "Runtime", "new"] => return Ok(Node::Value(Value::Shim)),
                [.., "Some"] if arguments.len() == 1 => return Ok(Node::Some(Box::new(arguments.remove(0)))),
                // It runs the closure that it is given in the version for the machine.
                [name] if name.starts_with("__shim_version") && !arguments.is_empty() => {
                    let closure = arguments.remove(0);
                    return Ok(Node::Call(Box::new(closure), arguments));
                }
                // The default of a number of any type.
                [.., "default"] if arguments.is_empty() => return Ok(Node::Value(Value::Int(0, None))),
                [.., name, "from"] if arguments.len() == 1 => {
                    if let Some(number) = Number::named(name) {
                        return Ok(Node::From(number, Box::new(arguments.remove(0))));
                    }
                }
                _ => {}
            }
        }
        Ok(Node::Call(self.boxed(&call.func)?, arguments))
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> Lowered<Node> {
        // `Prelude.mentioned()` keeps an import used.
        if call.method == "mentioned" {
            return Ok(Node::Value(Value::Unit));
        }
        let (mut ty, mut constants) = (None, Vec::new());
        for argument in call.turbofish.iter().flat_map(|own| &own.args) {
            match argument {
                syn::GenericArgument::Type(own) => ty = ty.or(number(own)),
                syn::GenericArgument::Const(own) => constants.push(self.expr(own)?),
                _ => {}
            }
        }
        let span = call.receiver.span();
        let start = span.start();
        let site = (!span.byte_range().is_empty()).then_some([start.line, start.column]);
        Ok(Node::Method(Box::new(Method {
            receiver: self.expr(&call.receiver)?,
            name: call.method.to_string(),
            number: ty,
            constants,
            arguments: self.all(&call.args)?,
            site,
        })))
    }

    fn invocation(&mut self, mac: &syn::Macro) -> Lowered<Node> {
        use syn::parse::Parser;
        use syn::punctuated::Punctuated;
        let name = mac.path.segments.last().map(|own| own.ident.to_string()).unwrap_or_default();
        let arguments = Punctuated::<Expr, syn::Token![,]>::parse_terminated.parse2(mac.tokens.clone());
        let arguments: Vec<Expr> =
            arguments.map(Punctuated::into_iter).map(Iterator::collect).unwrap_or_default();
        let text = |arguments: &[Expr], otherwise: &str| match arguments.first() {
            Some(Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. })) => text.value(),
            _ => otherwise.to_owned(),
        };
        Ok(match (name.as_str(), &arguments[..]) {
            ("option_env", _) => Node::Value(Value::Option(None)),
            ("assert" | "debug_assert", [condition, message @ ..]) => {
                let otherwise = format!("assertion failed: {}", shown(condition));
                Node::Assert(self.boxed(condition)?, text(message, &otherwise))
            }
            ("assert_eq" | "debug_assert_eq", [left, right, message @ ..]) => {
                let equal = Node::Binary(
                    BinOp::Eq(syn::Token![==](mac.path.span())),
                    self.boxed(left)?,
                    self.boxed(right)?,
                );
                let otherwise =
                    format!("assertion `left == right` failed: {}, {}", shown(left), shown(right));
                Node::Assert(Box::new(equal), text(message, &otherwise))
            }
            ("panic" | "unreachable" | "todo", arguments) => {
                Node::Panic(text(arguments, &format!("{name}!")))
            }
            _ => return Err(unsupported(format!("the macro `{name}!`"))),
        })
    }
}

fn literal(lit: &Lit) -> Lowered<Node> {
    Ok(Node::Value(match lit {
        Lit::Int(own) if Number::named(own.suffix()).is_some_and(Number::is_float) => {
            let value = own.base10_digits().parse().map_err(|_| unsupported(shown(own)))?;
            Value::Float(value, Number::named(own.suffix()))
        }
        Lit::Int(own) => {
            Value::Int(own.base10_parse().map_err(|_| unsupported(shown(own)))?, Number::named(own.suffix()))
        }
        Lit::Float(own) => {
            let number = Number::named(own.suffix());
            let value: f64 = own.base10_parse().map_err(|_| unsupported(shown(own)))?;
            Value::Float(number.map_or(value, |number| number.round(value)), number)
        }
        Lit::Bool(own) => Value::Bool(own.value),
        Lit::Byte(own) => Value::Int(own.value().into(), Some(Number::U8)),
        Lit::Char(own) => Value::Int(u32::from(own.value()).into(), Some(Number::U32)),
        Lit::ByteStr(own) => {
            let bytes = own.value().into_iter().map(|byte| Value::Int(byte.into(), Some(Number::U8)));
            Value::Array(super::value::Memory::of(bytes.collect()))
        }
        Lit::Str(own) => Value::Text(own.value().into()),
        other => return Err(unsupported(shown(other))),
    }))
}

/// A path other than a variable.
fn path(path: &syn::Path) -> Lowered<Node> {
    let names: Vec<String> = path.segments.iter().map(|own| own.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(match names[..] {
        [.., "None"] => Node::Value(Value::Option(None)),
        [.., "consts", name] => {
            let number = names.iter().find_map(|name| Number::named(name));
            let value = match name {
                "PI" => std::f64::consts::PI,
                "SQRT_2" => std::f64::consts::SQRT_2,
                "FRAC_1_SQRT_2" => std::f64::consts::FRAC_1_SQRT_2,
                "E" => std::f64::consts::E,
                _ => return Err(unsupported(format!("`{}`", shown(path)))),
            };
            Node::Value(Value::Float(number.map_or(value, |number| number.round(value)), number))
        }
        [.., ty, name @ ("MAX" | "MIN" | "BITS")] if Number::named(ty).is_some_and(|own| !own.is_float()) => {
            let number = Number::named(ty).unwrap_or(Number::I32);
            Node::Value(match name {
                "MAX" => Value::Int(number.greatest(), Some(number)),
                "MIN" => Value::Int(number.least(), Some(number)),
                _ => Value::Int(number.bits().into(), Some(Number::U32)),
            })
        }
        [.., name] => Node::Global(name.to_owned()),
        [] => return Err(unsupported("an empty path")),
    })
}

/// `+` of `+=`; none of an operator that assigns nothing.
fn plain(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::AddAssign(own) => BinOp::Add(syn::Token![+](own.spans[0])),
        BinOp::SubAssign(own) => BinOp::Sub(syn::Token![-](own.spans[0])),
        BinOp::MulAssign(own) => BinOp::Mul(syn::Token![*](own.spans[0])),
        BinOp::DivAssign(own) => BinOp::Div(syn::Token![/](own.spans[0])),
        BinOp::RemAssign(own) => BinOp::Rem(syn::Token![%](own.spans[0])),
        BinOp::BitXorAssign(own) => BinOp::BitXor(syn::Token![^](own.spans[0])),
        BinOp::BitAndAssign(own) => BinOp::BitAnd(syn::Token![&](own.spans[0])),
        BinOp::BitOrAssign(own) => BinOp::BitOr(syn::Token![|](own.spans[0])),
        BinOp::ShlAssign(own) => BinOp::Shl(syn::Token![<<](own.spans[0])),
        BinOp::ShrAssign(own) => BinOp::Shr(syn::Token![>>](own.spans[0])),
        _ => return None,
    })
}
