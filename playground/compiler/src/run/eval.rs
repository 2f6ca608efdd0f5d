//! Evaluates the tree of a function.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use syn::{BinOp, UnOp};

use super::lower::{Closure, Function, Method, Node, Pattern, Statement};
use super::runtime::is_for_rustc;
use super::value::{Memory, Number, Place, Slice, Value};
use super::{Flow, Trace, panics, unsupported};

type Evaluated = Result<Value, Flow>;

/// Functions and constants by their names.
pub(super) struct Globals {
    pub(super) functions: HashMap<String, Rc<Function>>,
    pub(super) constants: HashMap<String, (Option<Number>, Node)>,
    /// The values of the constants that were asked for.
    pub(super) values: RefCell<HashMap<String, Value>>,
}

/// A function that runs.
pub(super) struct Frame<'g> {
    pub(super) globals: &'g Globals,
    pub(super) trace: &'g Trace,
    slots: RefCell<Vec<Value>>,
}

impl<'g> Frame<'g> {
    /// Calls a function.
    pub(super) fn call(
        globals: &'g Globals,
        trace: &'g Trace,
        function: &Function,
        arguments: Vec<Value>,
    ) -> Evaluated {
        let frame = Frame { globals, trace, slots: RefCell::new(vec![Value::Unit; function.slots]) };
        for ((pattern, number), argument) in function.parameters.iter().zip(&function.types).zip(arguments) {
            frame.bind(pattern, argument.typed(*number)?)?;
        }
        match frame.eval(&function.body) {
            Err(Flow::Return(value)) => value.typed(function.result),
            value => value?.typed(function.result),
        }
    }

    pub(super) fn call_closure(&self, closure: &Closure, arguments: Vec<Value>) -> Evaluated {
        for (pattern, argument) in closure.parameters.iter().zip(arguments) {
            self.bind(pattern, argument)?;
        }
        match self.eval(&closure.body) {
            Err(Flow::Return(value)) => value.typed(closure.result),
            value => value?.typed(closure.result),
        }
    }

    /// Calls a value that is a closure or a reference to one.
    pub(super) fn apply(&self, callee: &Value, arguments: Vec<Value>) -> Evaluated {
        match callee {
            Value::Closure(closure) => self.call_closure(closure, arguments),
            Value::Reference(place) => self.apply(&self.read(place)?, arguments),
            other => Err(unsupported(format!("a call of {other:?}"))),
        }
    }

    /// The value of an expression; that of an array may still be its own memory.
    pub(super) fn eval(&self, node: &Node) -> Evaluated {
        match node {
            Node::Value(value) => Ok(value.clone()),
            Node::Local(slot) => Ok(self.slots.borrow()[*slot].clone()),
            Node::Global(name) => self.global(name),
            Node::Unary(UnOp::Deref(_), inner) => match self.eval(inner)? {
                Value::Reference(place) => self.read(&place),
                // A slice or what it is copied to.
                other => Ok(other),
            },
            Node::Unary(op, inner) => unary(*op, &self.eval(inner)?),
            Node::Binary(BinOp::And(_), left, right) => {
                Ok(Value::Bool(self.eval(left)?.bool()? && self.eval(right)?.bool()?))
            }
            Node::Binary(BinOp::Or(_), left, right) => {
                Ok(Value::Bool(self.eval(left)?.bool()? || self.eval(right)?.bool()?))
            }
            Node::Binary(op, left, right) => binary(*op, &self.plain(left)?, &self.plain(right)?),
            Node::Update(op, place, value) => {
                let value = self.plain(value)?;
                let place = self.place(place)?;
                let before = self.read(&place)?;
                self.write(&place, binary(*op, &before, &value)?)?;
                Ok(Value::Unit)
            }
            Node::Assign(place, value) => {
                let value = self.eval(value)?.copied();
                if !matches!(**place, Node::Global(ref name) if name == "_") {
                    self.write(&self.place(place)?, value)?;
                }
                Ok(Value::Unit)
            }
            Node::Cast(inner, number) => {
                let value = self.plain(inner)?;
                match (number, value) {
                    (Some(number), value) => value.cast(*number),
                    // `as _`: the type that it is stored as.
                    (None, Value::Int(value, _)) => Ok(Value::Int(value, None)),
                    (None, Value::Float(value, _)) => Ok(Value::Float(value, None)),
                    (None, value) => Ok(value),
                }
            }
            Node::Reference(inner) => match &**inner {
                Node::Index(base, at) if self.is_range(at)? => self.slice(base, at),
                inner => {
                    let place = self.place(inner)?;
                    Ok(Value::Reference(Rc::new(place)))
                }
            },
            Node::Index(base, at) if self.is_range(at)? => self.slice(base, at),
            Node::Index(..) | Node::Field(..) => self.read(&self.place(node)?),
            Node::Named(base, name) => match self.plain(base)? {
                Value::Record(fields) => {
                    let found = fields.iter().find(|(own, _)| own == name);
                    found
                        .map(|(_, value)| value.clone())
                        .ok_or_else(|| unsupported(format!("the field `{name}`")))
                }
                _ => Err(unsupported(format!("the field `{name}`"))),
            },
            Node::Tuple(values) => Ok(Value::Tuple(Rc::new(self.all(values)?))),
            Node::Array(values) => Ok(Value::Array(Memory::of(self.all(values)?))),
            Node::Repeat(value, count) => {
                let value = self.eval(value)?;
                let count = self.eval(count)?.index()?;
                let cells = (0..count).map(|_| value.clone().copied()).collect();
                Ok(Value::Array(Memory::of(cells)))
            }
            Node::Range(start, end, closed) => {
                // Zero, in the place of an end that an assertion leaves open, is within any extent.
                let end_of = |end: &Option<Box<Node>>| end.as_ref().map(|end| self.plain(end)).transpose();
                let (start, end) = (end_of(start)?, end_of(end)?);
                let number = [&start, &end].into_iter().flatten().find_map(Value::number);
                let end = end.map_or(Ok(0), |end| Ok(end.int()? + i128::from(*closed)))?;
                Ok(Value::Range(start.map_or(Ok(0), |start| start.int())?, end, number))
            }
            Node::Block(label, statements) => match self.block(statements) {
                Err(Flow::Break(Some(name), value)) if label.as_ref() == Some(&name) => Ok(value),
                value => value,
            },
            Node::If(condition, then, otherwise) => {
                if self.eval(condition)?.bool()? {
                    self.eval(then)
                } else {
                    otherwise.as_ref().map_or(Ok(Value::Unit), |otherwise| self.eval(otherwise))
                }
            }
            Node::Let(pattern, value) => Ok(Value::Bool(self.matches(pattern, &self.plain(value)?)?)),
            Node::Match(value, arms) => {
                let value = self.plain(value)?;
                for (pattern, guard, body) in arms {
                    if self.matches(pattern, &value)?
                        && guard.as_ref().map_or(Ok(true), |guard| self.eval(guard)?.bool())?
                    {
                        return self.eval(body);
                    }
                }
                Err(unsupported("a match without an arm for its value"))
            }
            Node::For(label, pattern, items, body) => {
                self.each(&self.eval(items)?, |item| {
                    self.bind(pattern, item)?;
                    self.turn(label.as_deref(), body)
                })?;
                Ok(Value::Unit)
            }
            Node::While(label, condition, body) => {
                while self.eval(condition)?.bool()? {
                    if self.turn(label.as_deref(), body)?.is_some() {
                        break;
                    }
                }
                Ok(Value::Unit)
            }
            Node::Loop(label, body) => loop {
                if let Some(value) = self.turn(label.as_deref(), body)? {
                    return Ok(value);
                }
            },
            Node::Break(label, value) => {
                let value = value.as_ref().map_or(Ok(Value::Unit), |value| self.eval(value))?;
                Err(Flow::Break(label.clone(), value))
            }
            Node::Continue(label) => Err(Flow::Continue(label.clone())),
            Node::Return(value) => {
                Err(Flow::Return(value.as_ref().map_or(Ok(Value::Unit), |value| self.eval(value))?))
            }
            Node::Closure(closure) => Ok(Value::Closure(Rc::clone(closure))),
            Node::Call(callee, arguments) => {
                let arguments = self.all(arguments)?;
                if let Node::Global(name) = &**callee {
                    let function = self.globals.functions.get(name);
                    let function = function.ok_or_else(|| unsupported(format!("the function `{name}`")))?;
                    return Frame::call(self.globals, self.trace, function, arguments);
                }
                self.apply(&self.eval(callee)?, arguments)
            }
            Node::From(number, value) => self.plain(value)?.cast(*number),
            Node::Some(value) => Ok(Value::Option(Some(Rc::new(self.eval(value)?.copied())))),
            Node::Method(method) => self.method(method),
            Node::Assert(condition, text) => {
                if self.eval(condition)?.bool()? {
                    Ok(Value::Unit)
                } else {
                    Err(panics(text))
                }
            }
            Node::Panic(text) => Err(panics(text)),
        }
    }

    fn method(&self, method: &Method) -> Evaluated {
        let receiver = self.plain(&method.receiver)?;
        if matches!(receiver, Value::Shim) && is_for_rustc(method) {
            return Ok(Value::Unit);
        }
        let arguments = method.arguments.iter().map(|node| self.eval(node)).collect::<Result<Vec<_>, _>>()?;
        if matches!(receiver, Value::Shim) {
            return self.runtime(method, arguments);
        }
        self.std_method(receiver, &method.name, &arguments)
    }

    /// The value of an expression; references are followed.
    fn plain(&self, node: &Node) -> Evaluated {
        self.followed(&self.eval(node)?)
    }

    fn all(&self, nodes: &[Node]) -> Result<Vec<Value>, Flow> {
        nodes.iter().map(|node| self.eval(node).map(Value::copied)).collect()
    }

    fn global(&self, name: &str) -> Evaluated {
        if let Some(value) = self.globals.values.borrow().get(name) {
            return Ok(value.clone());
        }
        let Some((number, node)) = self.globals.constants.get(name) else {
            return Err(unsupported(format!("`{name}`")));
        };
        let value = self.eval(node)?.typed(*number)?;
        self.globals.values.borrow_mut().insert(name.to_owned(), value.clone());
        Ok(value)
    }

    fn block(&self, statements: &[Statement]) -> Evaluated {
        let mut last = Value::Unit;
        for statement in statements {
            self.trace.step()?;
            last = Value::Unit;
            match statement {
                Statement::Let(pattern, number, value, otherwise) => {
                    let Some(value) = value else { continue };
                    let value = self.eval(value)?.copied().typed(*number)?;
                    if let Some(otherwise) = otherwise {
                        if !self.matches(pattern, &value)? {
                            self.eval(otherwise)?;
                        }
                    } else {
                        self.bind(pattern, value)?;
                    }
                }
                Statement::Value(node) => last = self.eval(node)?,
                Statement::Run(node) => {
                    self.eval(node)?;
                }
            }
        }
        Ok(last)
    }

    /// One turn of a loop; a value if it was the last one.
    fn turn(&self, label: Option<&str>, body: &Node) -> Result<Option<Value>, Flow> {
        let is_own = |other: &Option<String>| other.as_deref().is_none_or(|other| Some(other) == label);
        match self.eval(body) {
            Ok(_) => Ok(None),
            Err(Flow::Break(other, value)) if is_own(&other) => Ok(Some(value)),
            Err(Flow::Continue(other)) if is_own(&other) => Ok(None),
            Err(flow) => Err(flow),
        }
    }

    /// Calls `visit` with each item until it gives a value.
    pub(super) fn each(
        &self,
        items: &Value,
        mut visit: impl FnMut(Value) -> Result<Option<Value>, Flow>,
    ) -> Result<(), Flow> {
        match items {
            Value::Range(start, end, number) => {
                for value in *start..*end {
                    if visit(Value::Int(value, *number))?.is_some() {
                        break;
                    }
                }
            }
            Value::Items(items) => {
                for item in items.iter() {
                    if visit(item.clone())?.is_some() {
                        break;
                    }
                }
            }
            Value::Array(memory) => {
                let items = memory.cells.borrow().clone();
                self.each(&Value::Items(Rc::new(items)), visit)?;
            }
            Value::Slice(Slice { memory, start, length }) => {
                for at in *start..start + length {
                    let place = Place::Cell(Rc::clone(memory), at);
                    if visit(Value::Reference(Rc::new(place)))?.is_some() {
                        break;
                    }
                }
            }
            Value::Reference(place) => self.each(&self.read(place)?, visit)?,
            other => return Err(unsupported(format!("a loop over {other:?}"))),
        }
        Ok(())
    }

    /// The items of an iterator.
    pub(super) fn items(&self, items: &Value) -> Result<Vec<Value>, Flow> {
        let mut all = Vec::new();
        self.each(items, |item| {
            all.push(item);
            Ok(None)
        })?;
        Ok(all)
    }

    /// Gives the variables of a pattern their values.
    pub(super) fn bind(&self, pattern: &Pattern, value: Value) -> Result<(), Flow> {
        match pattern {
            Pattern::Slot(slot, None) => {
                self.slots.borrow_mut()[*slot] = value;
                Ok(())
            }
            Pattern::Wild => Ok(()),
            pattern => {
                if self.matches(pattern, &value)? {
                    Ok(())
                } else {
                    Err(unsupported(format!("a pattern that {value:?} does not match")))
                }
            }
        }
    }

    fn matches(&self, pattern: &Pattern, value: &Value) -> Result<bool, Flow> {
        if let Value::Reference(place) = value
            && !matches!(pattern, Pattern::Slot(..) | Pattern::Wild)
        {
            return self.matches(pattern, &self.read(place)?);
        }
        Ok(match (pattern, value) {
            (Pattern::Wild, _) => true,
            (Pattern::Slot(slot, inner), value) => {
                self.slots.borrow_mut()[*slot] = value.clone();
                inner.as_ref().map_or(Ok(true), |inner| self.matches(inner, value))?
            }
            (Pattern::List(patterns), Value::Tuple(values)) => self.all_match(patterns, values)?,
            (Pattern::List(patterns), Value::Array(memory)) => {
                let cells = memory.cells.borrow().clone();
                self.all_match(patterns, &cells)?
            }
            (Pattern::Some(inner), Value::Option(Some(value))) => self.matches(inner, value)?,
            (Pattern::Some(_), Value::Option(None)) => false,
            (Pattern::Any(patterns), value) => {
                for pattern in patterns {
                    if self.matches(pattern, value)? {
                        return Ok(true);
                    }
                }
                false
            }
            (Pattern::Range(start, end, closed), value) => {
                let value = value.int()?;
                start.is_none_or(|start| start <= value)
                    && end.is_none_or(|end| value < end || *closed && value == end)
            }
            (Pattern::Equals(node), value) => equal(&self.eval(node)?, value)?,
            (_, value) => return Err(unsupported(format!("a pattern for {value:?}"))),
        })
    }

    fn all_match(&self, patterns: &[Pattern], values: &[Value]) -> Result<bool, Flow> {
        for (pattern, value) in patterns.iter().zip(values) {
            if !self.matches(pattern, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The place that an expression is.
    fn place(&self, node: &Node) -> Result<Place, Flow> {
        Ok(match node {
            Node::Local(slot) => Place::Slot(*slot),
            Node::Unary(UnOp::Deref(_), inner) => match self.eval(inner)? {
                Value::Reference(place) => (*place).clone(),
                other => Place::Temporary(other),
            },
            Node::Index(base, at) => {
                let slice = self.memory(&self.eval(base)?)?;
                let at = self.plain(at)?.int()?;
                let cell = slice.cell(at).ok_or_else(|| {
                    panics(format!("index out of bounds: the len is {} but the index is {at}", slice.length))
                })?;
                Place::Cell(slice.memory, cell)
            }
            Node::Field(base, at) => Place::Field(Rc::new(self.place(base)?), *at),
            Node::Block(None, statements) if statements.len() == 1 => match &statements[0] {
                Statement::Value(inner) => self.place(inner)?,
                _ => Place::Temporary(self.eval(node)?),
            },
            node => Place::Temporary(self.eval(node)?),
        })
    }

    pub(super) fn read(&self, place: &Place) -> Evaluated {
        match place {
            Place::Slot(slot) => Ok(self.slots.borrow()[*slot].clone()),
            Place::Cell(memory, at) => Ok(memory.cells.borrow()[*at].clone()),
            Place::Field(base, at) => {
                let mut base = self.read(base)?;
                while let Value::Reference(place) = base {
                    base = self.read(&place)?;
                }
                match base {
                    Value::Tuple(values) if *at < values.len() => Ok(values[*at].clone()),
                    other => Err(unsupported(format!("the field {at} of {other:?}"))),
                }
            }
            Place::Temporary(value) => Ok(value.clone()),
        }
    }

    pub(super) fn write(&self, place: &Place, value: Value) -> Result<(), Flow> {
        // A number keeps the type that it had.
        let value = match self.read(place)? {
            Value::Unit => value,
            before => value.typed(before.number())?,
        };
        match place {
            Place::Slot(slot) => self.slots.borrow_mut()[*slot] = value,
            Place::Cell(memory, at) => memory.cells.borrow_mut()[*at] = value,
            Place::Field(base, at) => match self.read(base)? {
                Value::Reference(inner) => self.write(&Place::Field(inner, *at), value)?,
                Value::Tuple(values) => {
                    let mut values = (*values).clone();
                    values[*at] = value;
                    self.write(base, Value::Tuple(Rc::new(values)))?;
                }
                other => return Err(unsupported(format!("a field of {other:?}"))),
            },
            Place::Temporary(Value::Reference(inner)) => self.write(inner, value)?,
            Place::Temporary(_) => {}
        }
        Ok(())
    }

    /// The elements that a value is, or refers to.
    pub(super) fn memory(&self, value: &Value) -> Result<Slice, Flow> {
        match value {
            Value::Array(memory) => {
                let length = memory.cells.borrow().len();
                Ok(Slice { memory: Rc::clone(memory), start: 0, length })
            }
            Value::Slice(slice) => Ok(slice.clone()),
            Value::Reference(place) => self.memory(&self.read(place)?),
            other => Err(unsupported(format!("elements of {other:?}"))),
        }
    }

    fn is_range(&self, at: &Node) -> Result<bool, Flow> {
        Ok(match at {
            Node::Range(..) => true,
            Node::Local(slot) => matches!(self.slots.borrow()[*slot], Value::Range(..)),
            _ => false,
        })
    }

    fn slice(&self, base: &Node, at: &Node) -> Evaluated {
        let slice = self.memory(&self.eval(base)?)?;
        let (start, end) = match at {
            Node::Range(start, end, closed) => {
                let start = start.as_ref().map_or(Ok(0), |start| self.plain(start)?.int())?;
                let end = end.as_ref().map(|end| self.plain(end)?.int()).transpose()?;
                (start, end.map_or(slice.length as i128, |end| end + i128::from(*closed)))
            }
            at => match self.eval(at)? {
                Value::Range(start, end, _) => (start, end),
                other => return Err(unsupported(format!("an index of {other:?}"))),
            },
        };
        if start < 0 || start > end || end > slice.length as i128 {
            return Err(panics(format!(
                "range {start}..{end} out of range for slice of length {}",
                slice.length
            )));
        }
        let (start, end) = (start as usize, end as usize);
        Ok(Value::Slice(Slice { memory: slice.memory, start: slice.start + start, length: end - start }))
    }
}

fn unary(op: UnOp, value: &Value) -> Evaluated {
    Ok(match (op, value) {
        (UnOp::Not(_), Value::Bool(value)) => Value::Bool(!value),
        (UnOp::Not(_), Value::Int(value, number)) => {
            Value::Int(number.map_or(!value, |number| number.wrap(!value)), *number)
        }
        (UnOp::Neg(_), Value::Int(value, number)) => checked(-value, *number, "negate")?,
        (UnOp::Neg(_), Value::Float(value, number)) => Value::Float(-value, *number),
        (_, Value::Reference(_)) => return Err(unsupported("an operator on a reference")),
        (_, other) => return Err(unsupported(format!("an operator on {other:?}"))),
    })
}

/// An integer that fits its type, or the panic that it is in a debug build.
fn checked(value: i128, number: Option<Number>, verb: &str) -> Evaluated {
    match number {
        Some(own) if !(own.least()..=own.greatest()).contains(&value) => {
            Err(panics(format!("attempt to {verb} with overflow")))
        }
        _ => Ok(Value::Int(value, number)),
    }
}

/// Whether two values are equal.
pub(super) fn equal(left: &Value, right: &Value) -> Result<bool, Flow> {
    Ok(match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left, _), Value::Int(right, _)) => left == right,
        (Value::Float(left, _), Value::Float(right, _)) => left == right,
        (Value::Unit, Value::Unit) | (Value::Option(None), Value::Option(None)) => true,
        (Value::Option(Some(left)), Value::Option(Some(right))) => equal(left, right)?,
        (Value::Option(_), Value::Option(_)) => false,
        (Value::Tuple(left), Value::Tuple(right)) => all_equal(left, right)?,
        (Value::Array(left), Value::Array(right)) => all_equal(&left.cells.borrow(), &right.cells.borrow())?,
        (left, right) => return Err(unsupported(format!("a comparison of {left:?} with {right:?}"))),
    })
}

fn all_equal(left: &[Value], right: &[Value]) -> Result<bool, Flow> {
    if left.len() != right.len() {
        return Ok(false);
    }
    for (left, right) in left.iter().zip(right) {
        if !equal(left, right)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The order of two numbers, or of tuples and arrays of them; none where a float is not a number.
pub(super) fn order(left: &Value, right: &Value) -> Result<Option<std::cmp::Ordering>, Flow> {
    let lists = |left: &[Value], right: &[Value]| {
        for (left, right) in left.iter().zip(right) {
            match order(left, right)? {
                Some(std::cmp::Ordering::Equal) => {}
                other => return Ok(other),
            }
        }
        Ok(Some(left.len().cmp(&right.len())))
    };
    match (left, right) {
        (Value::Int(left, _), Value::Int(right, _)) => Ok(Some(left.cmp(right))),
        (Value::Float(left, _), Value::Float(right, _)) => Ok(left.partial_cmp(right)),
        (Value::Bool(left), Value::Bool(right)) => Ok(Some(left.cmp(right))),
        (Value::Tuple(left), Value::Tuple(right)) => lists(left, right),
        (Value::Array(left), Value::Array(right)) => lists(&left.cells.borrow(), &right.cells.borrow()),
        (left, right) => Err(unsupported(format!("the order of {left:?} and {right:?}"))),
    }
}

pub(super) fn binary(op: BinOp, left: &Value, right: &Value) -> Evaluated {
    match op {
        BinOp::Eq(_) => return Ok(Value::Bool(equal(left, right)?)),
        BinOp::Ne(_) => return Ok(Value::Bool(!equal(left, right)?)),
        BinOp::Lt(_) => return Ok(Value::Bool(order(left, right)?.is_some_and(std::cmp::Ordering::is_lt))),
        BinOp::Le(_) => return Ok(Value::Bool(order(left, right)?.is_some_and(std::cmp::Ordering::is_le))),
        BinOp::Gt(_) => return Ok(Value::Bool(order(left, right)?.is_some_and(std::cmp::Ordering::is_gt))),
        BinOp::Ge(_) => return Ok(Value::Bool(order(left, right)?.is_some_and(std::cmp::Ordering::is_ge))),
        _ => {}
    }
    match (left, right) {
        (Value::Int(a, left), Value::Int(b, right)) => {
            // The amount of a shift has a type of its own.
            let shift = matches!(op, BinOp::Shl(_) | BinOp::Shr(_));
            let number = if shift { *left } else { left.or(*right) };
            integers(op, *a, *b, number)
        }
        (Value::Float(a, left), Value::Float(b, right)) => {
            let number = left.or(*right);
            let value = match op {
                BinOp::Add(_) => a + b,
                BinOp::Sub(_) => a - b,
                BinOp::Mul(_) => a * b,
                BinOp::Div(_) => a / b,
                BinOp::Rem(_) => a % b,
                _ => return Err(unsupported("an operator on floats")),
            };
            Ok(Value::Float(number.map_or(value, |number| number.round(value)), number))
        }
        (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(match op {
            BinOp::BitAnd(_) => a & b,
            BinOp::BitOr(_) => a | b,
            BinOp::BitXor(_) => a ^ b,
            _ => return Err(unsupported("an operator on bools")),
        })),
        // `x.into()` of an integer where the other is a float.
        (Value::Int(_, None), Value::Float(_, Some(number))) => binary(op, &left.cast(*number)?, right),
        (Value::Float(_, Some(number)), Value::Int(_, None)) => binary(op, left, &right.cast(*number)?),
        (left, right) => Err(unsupported(format!("an operator on {left:?} and {right:?}"))),
    }
}

fn integers(op: BinOp, a: i128, b: i128, number: Option<Number>) -> Evaluated {
    let bits = number.map_or(32, Number::bits);
    let (value, verb) = match op {
        BinOp::Add(_) => (a + b, "add"),
        BinOp::Sub(_) => (a - b, "subtract"),
        BinOp::Mul(_) => (a.checked_mul(b).unwrap_or(i128::MAX), "multiply"),
        BinOp::Div(_) | BinOp::Rem(_) if b == 0 => {
            let verb = if matches!(op, BinOp::Div(_)) {
                "divide by zero"
            } else {
                "calculate the remainder with a divisor of zero"
            };
            return Err(panics(format!("attempt to {verb}")));
        }
        BinOp::Div(_) => (a / b, "divide"),
        BinOp::Rem(_) => (a % b, "calculate the remainder"),
        BinOp::BitAnd(_) => (a & b, ""),
        BinOp::BitOr(_) => (a | b, ""),
        BinOp::BitXor(_) => (a ^ b, ""),
        BinOp::Shl(_) | BinOp::Shr(_) if !(0..i128::from(bits)).contains(&b) => {
            let side = if matches!(op, BinOp::Shl(_)) { "left" } else { "right" };
            return Err(panics(format!("attempt to shift {side} with overflow")));
        }
        BinOp::Shl(_) => {
            let value = a << b;
            return Ok(Value::Int(number.map_or(value, |number| number.wrap(value)), number));
        }
        BinOp::Shr(_) => (a >> b, ""),
        _ => return Err(unsupported("an operator on integers")),
    };
    checked(value, number, verb)
}
