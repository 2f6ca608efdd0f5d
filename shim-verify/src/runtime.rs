//! The functions of shim's runtime, by name: what a call returns, and what holds behind it.
//!
//! Each is an axiom: the implementation in `src/private` of shim has to keep it.

use std::collections::HashMap;

use syn::Expr;

use crate::atoms::{Entry, Ty, UNBOUNDED};
use crate::execute::literal;
use crate::goal::Kind;
use crate::machine::{
    Fact, Fields, Int, Layout, Machine, MemoryId, Origin, SharedAccess, Span, Table, Value,
};
use crate::term::{Formula, Poly};

impl Machine<'_> {
    /// Runs a call of a method.
    pub(crate) fn method_call(&mut self, call: &syn::ExprMethodCall) -> Value {
        let receiver = self.expr(&call.receiver);
        let name = call.method.to_string();
        if receiver == Value::Runtime {
            return self.runtime(&name, call);
        }
        let arguments: Vec<_> = call.args.iter().map(|argument| self.expr(argument)).collect();
        if let Value::Table(table) = &receiver
            && name == "len"
        {
            return Value::Int(Int { poly: table.length.clone(), ty: Some(Ty::USIZE), exact: true });
        }
        let memory = match &receiver {
            Value::Memory(memory) => Some(*memory),
            Value::Field(of, field, _) if name == "len" => Some(self.field_memory(*of, field.clone())),
            _ => None,
        };
        if let Some(memory) = memory.filter(|_| name == "len") {
            let length = self.memories[memory].clone();
            return Value::Int(Int { poly: length, ty: Some(Ty::USIZE), exact: true });
        }
        let result = self.number_method(&name, &receiver, &arguments);
        if result == Value::Unknown
            && let Some(root) = crate::assigned::root(&call.receiver)
        {
            self.havoc(&root, false);
        }
        result
    }

    /// Methods of std's integers.
    fn number_method(&mut self, name: &str, receiver: &Value, arguments: &[Value]) -> Value {
        let Value::Int(int) = receiver else { return Value::Unknown };
        let ty = int.ty;
        let other = match arguments.first() {
            Some(Value::Int(other)) => Some(other.clone()),
            Some(Value::Opaque(poly)) => Some(Int { poly: poly.clone(), ty, exact: true }),
            _ => None,
        };
        match (name, other) {
            ("wrapping_add", Some(other)) => self.ring(int.poly.plus(&other.poly), ty),
            ("wrapping_sub", Some(other)) => self.ring(int.poly.minus(&other.poly), ty),
            ("wrapping_mul", Some(other)) => self.ring(int.poly.times(&other.poly), ty),
            ("wrapping_neg", None) => self.ring(Poly::default().minus(&int.poly), ty),
            ("min", Some(other)) => self.of_two(int, &other, Self::least),
            ("max", Some(other)) => self.of_two(int, &other, Self::greatest),
            ("clone", None) => receiver.clone(),
            ("div_ceil", Some(other)) if ty.is_some_and(|ty| !ty.signed) => {
                let (a, by) = (self.exact(int), self.exact(&other));
                let up = a.plus(&by).plus_constant(-1);
                let poly = self.quotient(&up, &by);
                Value::Int(Int { poly, ty, exact: true })
            }
            ("saturating_sub", Some(other)) if ty.is_some_and(|ty| !ty.signed) => {
                let difference = self.exact(int).minus(&self.exact(&other));
                let poly = self.greatest(&difference, &Poly::default());
                Value::Int(Int { poly, ty, exact: true })
            }
            _ => Value::Unknown,
        }
    }

    fn of_two(&mut self, a: &Int, b: &Int, of: impl FnOnce(&mut Self, &Poly, &Poly) -> Poly) -> Value {
        let ty = a.ty.or(b.ty);
        let (a, b) = (self.exact(a), self.exact(b));
        let poly = of(self, &a, &b);
        Value::Int(Int { poly, ty, exact: true })
    }

    /// The number that an argument is; one that is not understood is any number.
    fn number(&mut self, value: &Value) -> Poly {
        self.exact_value(value).unwrap_or_else(|| Poly::atom(self.atoms.fresh(UNBOUNDED)))
    }

    fn numbers(&mut self, value: &Value) -> Option<Vec<Poly>> {
        match value {
            Value::Parts(parts) => Some(parts.iter().map(|part| self.number(part)).collect()),
            _ => None,
        }
    }

    /// A number that fits `isize`, or the call would have panicked.
    fn checked(&mut self, poly: Poly) -> Value {
        let ty = Ty::ISIZE;
        let (low, high) = self.atoms.bounds(&poly);
        if low < ty.low() || high > ty.high() {
            self.hold(ty.holds(&poly), Origin::Type);
        }
        Int::isize(poly)
    }

    fn runtime(&mut self, name: &str, call: &syn::ExprMethodCall) -> Value {
        if matches!(name, "parallel" | "wavefront" | "reading") {
            self.tasks(name, call);
            return Value::Unknown;
        }
        let arguments: Vec<_> = call.args.iter().map(|argument| self.expr(argument)).collect();
        let argument = |k: usize| arguments.get(k).cloned().unwrap_or(Value::Unknown);
        if let Some(ty) = name.strip_prefix("from_") {
            let Some(ty) = Ty::named(ty) else {
                // An integer of 128 bits.
                let poly = self.number(&argument(0));
                return self.checked(poly);
            };
            return match argument(0) {
                Value::Int(int) => {
                    let poly = self.exact(&int);
                    if int.ty.is_none() {
                        self.atoms.narrow(&poly, ty);
                    }
                    self.checked(poly)
                }
                Value::Opaque(poly) | Value::Field(_, _, poly) => {
                    self.atoms.narrow(&poly, ty);
                    // It takes no other type, so that this is the type of the variable.
                    if let Expr::Path(path) = &call.args[0]
                        && let Some(name) = path.path.get_ident()
                        && let Some(slot) = self.slot(&name.to_string())
                        && matches!(slot.value, Value::Opaque(_))
                    {
                        slot.value = Value::Int(Int { poly: poly.clone(), ty: Some(ty), exact: true });
                    }
                    self.checked(poly)
                }
                _ => {
                    let high = ty.high().min(Ty::ISIZE.high());
                    Int::isize(Poly::atom(self.atoms.fresh((ty.low().max(Ty::ISIZE.low()), high))))
                }
            };
        }
        let two = |machine: &mut Self| {
            let (a, b) = (argument(0), argument(1));
            (machine.number(&a), machine.number(&b))
        };
        match name {
            "index" => match self.exact_value(&argument(0)) {
                Some(poly) => self.checked(poly),
                None => self.fresh_int(Some(Ty::ISIZE)),
            },
            "isize" | "i32" | "usize" | "item_at" => {
                let poly = self.number(&argument(0));
                let ty = match name {
                    "usize" => Some(Ty::USIZE),
                    "i32" => Some(Ty { bits: 32, signed: true }),
                    "isize" => Some(Ty::ISIZE),
                    // The type of the items of the range that comes with it, which holds it.
                    _ => match argument(1) {
                        Value::Range(span) => span.ty,
                        _ => None,
                    },
                };
                // They are casts: what does not fit wraps.
                self.ring(poly, ty)
            }
            "add" => {
                let (a, b) = two(self);
                self.checked(a.plus(&b))
            }
            "sub" => {
                let (a, b) = two(self);
                self.checked(a.minus(&b))
            }
            "mul" => {
                let (a, b) = two(self);
                self.checked(a.times(&b))
            }
            "neg" => {
                let a = self.number(&argument(0));
                self.checked(Poly::default().minus(&a))
            }
            "div" | "rem" => {
                let (a, b) = two(self);
                let quotient = self.quotient(&a, &b);
                let poly = if name == "div" { quotient } else { a.minus(&b.times(&quotient)) };
                self.checked(poly)
            }
            "shl" | "shr" => {
                let (a, b) = two(self);
                match b.as_constant() {
                    Some(bits @ 0..=62) if name == "shl" => self.checked(a.times(&Poly::constant(1 << bits))),
                    Some(bits @ 0..=62) => Int::isize(self.floor(&a, 1 << bits)),
                    _ => Int::isize(self.atoms.function(
                        name,
                        &[&a, &b],
                        (Ty::ISIZE.low(), Ty::ISIZE.high()),
                        |_| Vec::new(),
                    )),
                }
            }
            "least" => {
                let (a, b) = two(self);
                Int::isize(self.least(&a, &b))
            }
            "greatest" => {
                let (a, b) = two(self);
                Int::isize(self.greatest(&a, &b))
            }
            "clamped_to" => {
                let (at, first) = two(self);
                let last = self.number(&argument(2));
                let low = self.least(&at, &last);
                Int::isize(self.greatest(&low, &first))
            }
            "clamped" | "mirrored" | "reflected" | "wrapped" => {
                let (at, extent) = two(self);
                let zero = Poly::default();
                let result = self.atoms.function(
                    name,
                    &[&at, &extent],
                    (Ty::ISIZE.low(), Ty::ISIZE.high()),
                    |result| {
                        let some = Formula::less(&zero, &extent);
                        let inside = [Formula::at_most(&zero, result), Formula::less(result, &extent)];
                        vec![Formula::implies(&some, Formula::all(inside))]
                    },
                );
                Int::isize(result)
            }
            "clamp" | "mirror" | "reflect" | "wrap" | "ruled" => {
                let extent = self.number(&arguments.last().cloned().unwrap_or(Value::Unknown));
                let result = Poly::atom(self.atoms.fresh((0, Ty::ISIZE.high())));
                self.assert(Formula::less(&result, &extent));
                Int::isize(result)
            }
            "assert_foldable" => {
                for extent in self.numbers(&argument(3)).into_iter().flatten() {
                    self.assert(Formula::less(&Poly::default(), &extent));
                }
                Value::Unknown
            }
            "inside" => match (self.numbers(&argument(0)), self.numbers(&argument(1))) {
                (Some(at), Some(extents)) => Value::Truth(within(&at, &extents)),
                _ => Value::Truth(self.atoms.fresh_truth()),
            },
            "inside_of" => {
                if let (Some(at), Some(extents)) = (self.numbers(&argument(2)), self.numbers(&argument(3))) {
                    self.assert(within(&at, &extents));
                    return Value::Parts(at.into_iter().map(Int::isize).collect());
                }
                Value::Unknown
            }
            "ahead" => {
                let (start, more) = two(self);
                // Saturating: so great a coordinate is outside as well.
                Value::Reach(None, Some(start.plus(&more)))
            }
            "assert_within" => {
                self.assert_within(&call.args[2], &argument(2), &argument(3));
                Value::Unknown
            }
            "assert_i32_extent" => {
                let extent = self.number(&argument(1));
                self.assert(Formula::at_most(&extent, &Poly::constant(i128::from(i32::MAX))));
                Value::Unknown
            }
            "i32_index" => {
                let index = self.number(&argument(2));
                let ty = Ty { bits: 32, signed: true };
                self.assert(ty.holds(&index));
                Value::Int(Int { poly: index, ty: Some(ty), exact: true })
            }
            "assert_i32_index" => {
                if let Value::Range(span) = argument(2)
                    && let (Some(start), Some(end)) = (&span.start, &span.end)
                {
                    let ty = Ty { bits: 32, signed: true };
                    self.assert(ty.holds(start));
                    self.assert(ty.holds(&end.plus_constant(-1)));
                }
                Value::Unknown
            }
            "expect_extent" => {
                let (found, wanted) = (self.number(&argument(2)), self.number(&argument(3)));
                self.assert(Formula::equal(&found, &wanted));
                Value::Unknown
            }
            "extent" => {
                let poly = self.number(&argument(0));
                self.atoms.narrow(&poly, Ty::USIZE);
                Value::Int(Int { poly, ty: Some(Ty::EXTENT), exact: true })
            }
            "assert_fits" | "assert_field_fits" => {
                if let Some(extents) = self.numbers(&argument(2)) {
                    self.not_negative(&extents);
                    if let Some(memory) = self.memory_of_length(&call.args[3]) {
                        self.facts.push(Fact::Fits(memory, Layout::rows(extents)));
                    }
                }
                Value::Unknown
            }
            "assert_strided_fits" => {
                if let (Some(extents), Some(strides)) =
                    (self.numbers(&argument(2)), self.numbers(&argument(3)))
                {
                    self.not_negative(&extents);
                    if let Some(memory) = self.memory_of_length(&call.args[4]) {
                        self.facts
                            .push(Fact::Fits(memory, Layout { base: Poly::default(), extents, strides }));
                    }
                }
                Value::Unknown
            }
            "assert_stored_fits" => {
                let extents = self.numbers(&argument(2)).unwrap_or_default();
                self.not_negative(&extents);
                if let Value::Int(length) = argument(4) {
                    let count = self.number(&argument(3));
                    self.not_negative(core::slice::from_ref(&count));
                    self.assert(Formula::at_most(&count, &length.poly));
                    if let Some(memory) = self.memory_of_length(&call.args[4]) {
                        // Without gaps, rows are there too.
                        if extents.iter().fold(Poly::constant(1), |all, extent| all.times(extent)) == count {
                            self.facts.push(Fact::Fits(memory, Layout::rows(extents)));
                        }
                        self.facts.push(Fact::Fits(memory, Layout::rows(vec![count])));
                    }
                }
                Value::Unknown
            }
            "assert_shape_fits" => {
                let bound = self.number(&argument(3));
                let mut extents = self.numbers(&argument(2)).unwrap_or_default();
                extents.push(bound);
                self.not_negative(&extents);
                Value::Unknown
            }
            "assert_rows_fit" => {
                if let (Some(extents), Value::Int(_)) = (self.numbers(&argument(2)), argument(3))
                    && let [rows, columns] = &extents[..]
                    && let Some(memory) = self.memory_of_length(&call.args[3])
                {
                    self.not_negative(&extents);
                    self.facts.push(Fact::Rows(memory, [rows.clone(), columns.clone()]));
                }
                Value::Unknown
            }
            "product" | "stored_len" | "strided_len" => {
                let extents = self.numbers(&argument(2)).unwrap_or_default();
                self.not_negative(&extents);
                let (poly, layout) = match name {
                    "product" => {
                        let count =
                            extents.iter().fold(Poly::constant(1), |count, extent| count.times(extent));
                        (count, Some(Layout::rows(extents)))
                    }
                    "stored_len" => {
                        let count = self.number(&argument(3));
                        (count.clone(), Some(Layout::rows(vec![count])))
                    }
                    _ => {
                        let strides = self.numbers(&argument(3)).unwrap_or_default();
                        let count = Poly::atom(self.atoms.fresh((0, Ty::ISIZE.high())));
                        (count, Some(Layout { base: Poly::default(), extents, strides }))
                    }
                };
                Value::Length(poly, layout)
            }
            "table" => match self.numbers(&argument(1)) {
                Some(entries) => {
                    self.not_negative(&entries);
                    Value::Parts(entries.into_iter().map(Int::isize).collect())
                }
                None => Value::Unknown,
            },
            "table_entry" | "entry" => {
                let at = self.number(&argument(1));
                if let Value::Table(table) = argument(0) {
                    return self.entry_of(&table, &at);
                }
                match self.numbers(&argument(0)) {
                    Some(entries) => {
                        let mut key: Vec<_> = entries.iter().collect();
                        key.push(&at);
                        let entry =
                            self.atoms
                                .function(name, &key, (Ty::ISIZE.low(), Ty::ISIZE.high()), |_| Vec::new());
                        let atom = entry.atoms().next().expect("it is an atom");
                        self.atoms.entries.insert(atom, Entry { table: entries.clone(), at: at.clone() });
                        Int::isize(entry)
                    }
                    None => self.fresh_int(Some(Ty::ISIZE)),
                }
            }
            "list_of" => {
                let (count, capacity) = (self.number(&argument(2)), self.number(&argument(3)));
                self.assert(Formula::at_most(&count, &capacity));
                Value::Int(Int { poly: count, ty: Some(Ty::USIZE), exact: true })
            }
            "shorter" => {
                let (a, b) = two(self);
                let poly = self.least(&a, &b);
                Value::Int(Int { poly, ty: Some(Ty::USIZE), exact: true })
            }
            "parts" | "parts_mut" => Value::Tensor(self.fresh_memory()),
            "place" => Value::Parts(vec![Value::AtLeast(Ty::ISIZE.low()), Value::AtLeast(0)]),
            "origin" => Value::AtLeast(Ty::ISIZE.low()),
            "fields" | "shared_fields" => self.fields(call),
            "stack" | "stack_of" | "stack_like" | "unset" | "unset_of" => {
                let count = generics(call).into_iter().rev().find_map(|count| literal(&count));
                match count {
                    Some(count) => {
                        let memory = self.memory(Poly::constant(count));
                        self.facts.push(Fact::Fits(memory, Layout::rows(vec![Poly::constant(count)])));
                        Value::Memory(memory)
                    }
                    None => Value::Memory(self.fresh_memory()),
                }
            }
            // The caller of a kernel that takes pointers answers for their memory.
            "heap" | "heap_of" | "heap_like" | "grown" | "slice" | "slice_mut" => {
                let count = arguments.last().cloned().unwrap_or(Value::Unknown);
                let length = self.number(&count);
                let layout = match count {
                    Value::Length(_, layout) => layout,
                    _ => None,
                };
                let memory = self.memory(length.clone());
                let layout = layout.unwrap_or_else(|| Layout::rows(vec![length]));
                self.facts.push(Fact::Fits(memory, layout));
                Value::Memory(memory)
            }
            "elements_of" | "shared" | "known_elements" | "sequence" | "inclusive" | "copied" | "known" => {
                argument(0)
            }
            "split_range" => self.split_range(&arguments),
            // Before a number, and from it on.
            "halves" => {
                let (range, at) = (argument(0), self.number(&argument(1)));
                let is = Formula::Is(true);
                let front = part_of(&range, Some((&[], core::slice::from_ref(&at), is.clone())));
                let back = part_of(&range, Some((core::slice::from_ref(&at), &[], is)));
                Value::Ranges(vec![front, back])
            }
            // Without a number, the number itself, and behind it.
            "cut_range" => {
                let (range, at) = (argument(0), self.number(&argument(1)));
                let (at, next) = ([at.clone()], [at.plus_constant(1)]);
                let is = Formula::Is(true);
                let middle = part_of(&range, Some((&at, &next, is.clone())));
                Value::Ranges(vec![range.clone(), middle, part_of(&range, Some((&next, &[], is)))])
            }
            "indices_below" | "starts" => {
                let length = match argument(1) {
                    Value::Memory(memory) => self.memories[memory].clone(),
                    _ => Poly::atom(self.atoms.fresh((0, Ty::ISIZE.high()))),
                };
                let last = self.number(&argument(2));
                let (length, below) =
                    if name == "starts" { (last.plus_constant(1), None) } else { (length, Some(last)) };
                Value::Table(Table { number: self.memories.len() + self.facts.len(), length, below })
            }
            "rev" => match argument(0) {
                Value::Range(span) => Value::Range(Box::new(Span { is_reversed: true, ..*span })),
                _ => Value::Unknown,
            },
            "step_by" => match argument(0) {
                Value::Range(span) if !span.is_reversed && span.step.is_none() => {
                    let step = Some(self.number(&argument(1)));
                    Value::Range(Box::new(Span { step, ..*span }))
                }
                _ => Value::Unknown,
            },
            "load" | "load_mut" | "load_shared" | "load_shared_mut" | "load_shared_unset" => {
                let at = argument(1);
                let what = text(call);
                match (argument(0), self.ring_value(&at)) {
                    (Value::Memory(memory), Some(at)) => {
                        if name.starts_with("load_shared") && !self.tasks.is_empty() {
                            let writes = name != "load_shared";
                            let (what, facts) = (what.clone(), self.facts.clone());
                            let access = SharedAccess { memory, at: at.clone(), writes, what, facts };
                            self.tasks.iter_mut().for_each(|task| task.push(access.clone()));
                        }
                        self.show_inside(memory, &at, what);
                    }
                    _ => self.show(Kind::Access, what, Vec::new()),
                }
                Value::Unknown
            }
            "load_in_row" | "load_in_row_mut" => {
                let what = text(call);
                let at = [argument(1), argument(2)];
                match (argument(0), self.exact_value(&at[0]), self.exact_value(&at[1])) {
                    (Value::Memory(memory), Some(row), Some(column)) => {
                        let extents = self.facts.iter().filter_map(|fact| match fact {
                            Fact::Rows(of, extents) if *of == memory => Some(extents.clone()),
                            _ => None,
                        });
                        let ways =
                            extents.map(|extents| parts(within(&[row.clone(), column.clone()], &extents)));
                        let ways = ways.collect();
                        self.show(Kind::Access, what, ways);
                    }
                    _ => self.show(Kind::Access, what, Vec::new()),
                }
                Value::Unknown
            }
            "sad" | "byte_sum" => {
                let counts: Vec<_> = generics(call).iter().filter_map(literal).collect();
                let what = text(call);
                for pair in arguments.chunks(2) {
                    self.show_lines(pair, &counts, &what);
                }
                Value::Unknown
            }
            "transpose" | "copy_lines" => {
                let counts: Vec<_> = generics(call).iter().filter_map(literal).collect();
                let what = text(call);
                let swapped: Vec<_> = counts.iter().rev().copied().collect();
                self.show_lines(&arguments[..2], &counts, &what);
                self.show_lines(&arguments[2..], if name == "transpose" { &swapped } else { &counts }, &what);
                Value::Unknown
            }
            "columns" => argument(1),
            "outside" | "excluded" | "no_version" => {
                self.is_dead = true;
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }

    /// The entry of a table at an index, which is zero where there is none.
    fn entry_of(&mut self, table: &Table, at: &Poly) -> Value {
        let zero = Poly::default();
        let key = format!("table {}", table.number);
        let entry = |machine: &mut Self, at: &Poly| {
            machine.atoms.function(key.clone(), &[at], (Ty::ISIZE.low(), Ty::ISIZE.high()), |entry| {
                let exists = within(core::slice::from_ref(at), core::slice::from_ref(&table.length));
                let inside = match &table.below {
                    Some(extent) => within(core::slice::from_ref(entry), core::slice::from_ref(extent)),
                    None => Formula::at_most(&zero, entry),
                };
                vec![Formula::implies(&exists, inside)]
            })
        };
        let value = entry(self, at);
        if table.below.is_none() {
            // Entries do not fall.
            let read = (table.number, at.clone(), value.clone());
            if !self.starts.contains(&read) {
                self.starts.push(read);
            }
            let others: Vec<_> =
                self.starts.iter().filter(|(number, ..)| *number == table.number).cloned().collect();
            for (_, other, found) in others {
                for [(a, first), (b, second)] in
                    [[(at, &value), (&other, &found)], [(&other, &found), (at, &value)]]
                {
                    let in_order = Formula::all([
                        Formula::at_most(&zero, a),
                        Formula::at_most(a, b),
                        Formula::less(b, &table.length),
                    ]);
                    self.assert(Formula::implies(&in_order, Formula::at_most(first, second)));
                }
            }
        }
        Int::isize(value)
    }

    /// Runs a closure for each number of a range, or once.
    fn tasks(&mut self, name: &str, call: &syn::ExprMethodCall) {
        let first = self.expr(&call.args[0]);
        call.args.iter().skip(1).rev().skip(1).for_each(|argument| drop(self.expr(argument)));
        let Some(Expr::Closure(closure)) = call.args.last() else { return };
        let value = match first {
            Value::Range(span) if name == "parallel" => return self.pairs(closure, &span),
            Value::Range(span) => {
                let poly = self.item(&span);
                Value::Int(Int { poly, ty: span.ty, exact: true })
            }
            // The memory that the closure reads.
            value if name == "reading" => value,
            _ => Value::Unknown,
        };
        let mark = self.facts.len();
        self.closure(closure, &[value]);
        self.facts.truncate(mark);
    }

    /// Runs two tasks of a parallel loop, and compares what they access.
    fn pairs(&mut self, closure: &syn::ExprClosure, span: &Span) {
        let (common, memories) = (self.facts.len(), self.memories.len());
        let run = |machine: &mut Self| {
            let item = machine.item(span);
            let value = Value::Int(Int { poly: item.clone(), ty: span.ty, exact: true });
            machine.tasks.push(Vec::new());
            machine.closure(closure, &[value]);
            machine.facts.truncate(common);
            let mut accesses = machine.tasks.pop().unwrap_or_default();
            // Other memory is a task's own.
            accesses.retain(|access| access.memory < memories);
            (item, accesses)
        };
        let (a, mine) = run(self);
        let goals = self.goals.len();
        let (b, others) = run(self);
        // They are those of the first one.
        self.goals.truncate(goals);
        self.assume(Formula::equal(&a, &b).negated());
        let differ = self.facts.split_off(common);
        for access in mine.iter().filter(|access| access.writes) {
            for other in others.iter().filter(|other| other.memory == access.memory) {
                let mut access = access.clone();
                access.facts.extend(differ.iter().cloned());
                self.show_disjoint(&access, other, common);
            }
        }
    }

    /// An offset, modulo the size of its type: it is the number itself where that is in memory.
    fn ring_value(&mut self, value: &Value) -> Option<Poly> {
        match value {
            Value::Int(int) if int.ty == Some(Ty::ISIZE) => Some(int.poly.clone()),
            value => self.exact_value(value),
        }
    }

    fn not_negative(&mut self, numbers: &[Poly]) {
        for number in numbers {
            if self.atoms.bounds(number).0 < 0 {
                self.assert(Formula::at_most(&Poly::default(), number));
            }
        }
    }

    /// The memory whose length an argument is.
    fn memory_of_length(&mut self, argument: &Expr) -> Option<MemoryId> {
        match argument {
            Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
                match self.expr(&call.receiver) {
                    Value::Memory(memory) => Some(memory),
                    Value::Field(of, name, _) => Some(self.field_memory(of, name)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn assert_within(&mut self, written: &Expr, reach: &Value, extents: &Value) {
        let (Value::Parts(axes), Some(extents)) = (reach, self.numbers(extents)) else { return };
        let Expr::Tuple(written) = written else { return };
        for ((axis, written), extent) in axes.iter().zip(&written.elems).zip(extents) {
            let (least, greatest) = match (axis, written) {
                (Value::Reach(least, greatest), _) => (least.clone(), greatest.clone()),
                (Value::Range(span), Expr::Range(_)) => {
                    (span.start.clone(), span.end.as_ref().map(|end| end.plus_constant(-1)))
                }
                _ => (None, None),
            };
            if let Some(least) = least {
                self.assert(Formula::at_most(&Poly::default(), &least));
            }
            if let Some(greatest) = greatest {
                self.assert(Formula::less(&greatest, &extent));
            }
        }
    }

    /// Binds what a runtime tensor is taken apart into, of a rank that the pattern shows.
    pub(crate) fn bind_tensor(&mut self, memory: MemoryId, rank: usize) -> Value {
        let numbers = |machine: &mut Self, low: i128| -> Vec<Poly> {
            (0..rank).map(|_| Poly::atom(machine.atoms.fresh((low, Ty::ISIZE.high())))).collect()
        };
        let base = Poly::atom(self.atoms.fresh((Ty::ISIZE.low(), Ty::ISIZE.high())));
        let (extents, strides) = (numbers(self, 0), numbers(self, Ty::ISIZE.low()));
        let of = |polys: &[Poly]| Value::Parts(polys.iter().cloned().map(Int::isize).collect());
        let parts = vec![Value::Memory(memory), Int::isize(base.clone()), of(&extents), of(&strides)];
        self.facts.push(Fact::Fits(memory, Layout { base, extents, strides }));
        Value::Parts(parts)
    }

    /// The fields of a located struct, whose lengths its declaration compares with its shapes.
    fn fields(&mut self, call: &syn::ExprMethodCall) -> Value {
        let key =
            generics(call).into_iter().find_map(|key| literal(&key)).and_then(|key| u64::try_from(key).ok());
        let Some((key, declaration)) = key.and_then(|key| Some((key, self.declarations.get(&key)?))) else {
            return Value::Unknown;
        };
        let value = Value::Fields((key, self.memories.len() + self.fields.len()));
        self.scopes.push(HashMap::new());
        self.bind("self", value.clone(), false);
        self.bind("shim", Value::Runtime, false);
        self.block(&declaration.block);
        self.scopes.pop();
        value
    }

    /// A field of a value.
    pub(crate) fn field(&mut self, field: &syn::ExprField) -> Value {
        let of = self.expr(&field.base);
        match (of, &field.member) {
            (Value::Fields(of), syn::Member::Named(name)) => self.field_of(of, name.to_string()),
            (Value::Fields(of), syn::Member::Unnamed(index)) => self.field_of(of, index.index.to_string()),
            (Value::Parts(parts), syn::Member::Unnamed(index)) => {
                parts.get(index.index as usize).cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }

    /// A field, the same whenever it is asked for.
    pub(crate) fn field_of(&mut self, of: Fields, name: String) -> Value {
        if let Some(value) = self.fields.get(&(of, name.clone())) {
            return value.clone();
        }
        let value = Value::Field(of, name.clone(), Poly::atom(self.atoms.fresh(UNBOUNDED)));
        self.fields.insert((of, name), value.clone());
        value
    }

    /// The memory of any of the fields of an array, if all have one layout.
    pub(crate) fn any_field_memory(&mut self, of: Fields, name: &str) -> MemoryId {
        let is_element = |field: &str| field.strip_prefix(name).is_some_and(|rest| rest.starts_with('['));
        let memories: Vec<_> = self
            .field_memories
            .iter()
            .filter(|((fields, field), _)| *fields == of && is_element(field))
            .map(|(_, memory)| *memory)
            .collect();
        let layout_of = |memory: MemoryId| {
            self.facts.iter().find_map(|fact| match fact {
                Fact::Fits(of, layout) if *of == memory => Some(layout.clone()),
                _ => None,
            })
        };
        let layouts: Vec<_> = memories.iter().map(|memory| layout_of(*memory)).collect();
        let memory = self.fresh_memory();
        if let Some((Some(first), others)) = layouts.split_first()
            && others.iter().all(|other| other.as_ref() == Some(first))
        {
            self.facts.push(Fact::Fits(memory, first.clone()));
        }
        memory
    }

    /// The memory of a field.
    pub(crate) fn field_memory(&mut self, of: Fields, name: String) -> MemoryId {
        if let Some(memory) = self.field_memories.get(&(of, name.clone())) {
            return *memory;
        }
        let memory = self.fresh_memory();
        self.field_memories.insert((of, name), memory);
        memory
    }

    /// The three parts of a range: before its interior, the interior, and behind it.
    fn split_range(&mut self, arguments: &[Value]) -> Value {
        let [range, starts, ends, exists] = arguments else { return Value::Unknown };
        let (Some(starts), Some(ends)) = (self.numbers(starts), self.numbers(ends)) else {
            return Value::Unknown;
        };
        let exists = match exists {
            Value::Truth(formula) => formula.clone(),
            _ => self.atoms.fresh_truth(),
        };
        let part = |is_inside: bool| {
            let bounds = is_inside.then(|| (&starts[..], &ends[..], exists.clone()));
            let range = part_of(range, bounds);
            Value::Parts(vec![range, Value::Truth(Formula::Is(is_inside))])
        };
        // The part behind the interior is any part, as that before it is.
        Value::Ranges(vec![part(false), part(true)])
    }

    /// Shows that each of several lines of bytes is inside.
    fn show_lines(&mut self, pair: &[Value], counts: &[i128], what: &str) {
        let ([Value::Memory(memory), Value::Parts(numbers)], Some((length, others))) =
            (pair, counts.split_last())
        else {
            return self.show(Kind::Access, what.to_owned(), Vec::new());
        };
        let numbers: Vec<_> = numbers.iter().map(|number| self.ring_value(number)).collect();
        let Some(numbers) = numbers.into_iter().collect::<Option<Vec<_>>>() else {
            return self.show(Kind::Access, what.to_owned(), Vec::new());
        };
        let [at, steps @ ..] = &numbers[..] else { return };
        let mark = self.facts.len();
        let mut offset = at.clone();
        for (count, step) in others.iter().zip(steps) {
            let k = Poly::atom(self.atoms.fresh((0, count - 1)));
            offset = offset.plus(&k.times(step));
        }
        let column = Poly::atom(self.atoms.fresh((0, length - 1)));
        self.show_inside(*memory, &offset.plus(&column), what.to_owned());
        self.facts.truncate(mark);
    }
}

/// A part of a range; of an interior, the bounds and whether there is one.
fn part_of(range: &Value, bounds: Option<(&[Poly], &[Poly], Formula)>) -> Value {
    let Value::Range(span) = range else { return Value::Unknown };
    let mut span = (**span).clone();
    if let Some((starts, ends, exists)) = bounds {
        let (mut least, mut most, mut holds) =
            span.interior.unwrap_or((Vec::new(), Vec::new(), Formula::Is(true)));
        least.extend_from_slice(starts);
        most.extend_from_slice(ends);
        holds = Formula::all([holds, exists]);
        span.interior = Some((least, most, holds));
    }
    Value::Range(Box::new(span))
}

/// Whether coordinates are inside.
pub(crate) fn within(at: &[Poly], extents: &[Poly]) -> Formula {
    Formula::all(
        at.iter()
            .zip(extents)
            .flat_map(|(at, extent)| [Formula::at_most(&Poly::default(), at), Formula::less(at, extent)]),
    )
}

/// The parts of a conjunction.
pub(crate) fn parts(formula: Formula) -> Vec<Formula> {
    match formula {
        Formula::All(parts) => parts,
        formula => vec![formula],
    }
}

/// The generic arguments of a call that are constants.
fn generics(call: &syn::ExprMethodCall) -> Vec<Expr> {
    let Some(turbofish) = &call.turbofish else { return Vec::new() };
    let constant = |argument: &syn::GenericArgument| match argument {
        syn::GenericArgument::Const(expr) => Some(expr.clone()),
        _ => None,
    };
    turbofish.args.iter().filter_map(constant).collect()
}

/// An access as it is printed, in one line.
fn text(call: &syn::ExprMethodCall) -> String {
    let tokens = quote::ToTokens::to_token_stream(call).to_string();
    tokens.split_whitespace().collect::<Vec<_>>().join(" ")
}
