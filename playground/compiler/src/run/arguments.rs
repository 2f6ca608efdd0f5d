//! The arguments of a kernel: those that are given, and others that its signature and its shapes ask for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value as Json};
use shim_stage::parse::signature;
use shim_stage::surface::tensor_type::place_rank;
use syn::{Attribute, Expr, FnArg, ItemFn, ItemStruct, Pat, Type};

use super::eval::{Frame, Globals};
use super::lower;
use super::value::{Memory, Number, Slice, Value};
use super::{Argument, Flow, Trace, unsupported};

/// The sizes of arguments that are made up.
#[derive(Clone, Copy)]
pub(super) struct Invented {
    /// The extents, in the order of the parameters.
    pub(super) extents: [usize; 4],
    /// The elements of a slice without a shape.
    pub(super) length: usize,
}

/// The smallest first: the page shows them.
pub(super) const INVENTED: [Invented; 4] = [
    Invented { extents: [6, 8, 3, 4], length: 64 },
    Invented { extents: [6, 8, 3, 4], length: 1024 },
    Invented { extents: [24, 32, 4, 8], length: 1024 },
    Invented { extents: [48, 64, 4, 8], length: 16384 },
];

/// The most elements of a parameter.
const LARGEST: usize = 1 << 22;

/// An argument and its memory.
pub(super) struct Made {
    name: String,
    shape: Vec<usize>,
    before: Json,
    mutable: bool,
    memory: Option<Rc<Memory>>,
    pub(super) value: Value,
}

impl Made {
    pub(super) fn shown(&self) -> Argument {
        Argument {
            name: self.name.clone(),
            shape: self.shape.clone(),
            before: self.before.clone(),
            after: None,
        }
    }

    pub(super) fn after(&self) -> Option<Json> {
        let memory = self.memory.as_ref().filter(|_| self.mutable)?;
        Some(Json::Array(memory.cells.borrow().iter().map(json).collect()))
    }
}

fn json(value: &Value) -> Json {
    match value {
        Value::Int(value, _) => i64::try_from(*value).map_or_else(|_| value.to_string().into(), Json::from),
        Value::Float(value, _) => Json::from(*value),
        Value::Bool(value) => Json::from(*value),
        other => Json::from(other.to_string()),
    }
}

/// The values of the parameters: those of a located struct's fields together are a record.
pub(super) fn values(made: &[Made]) -> Vec<Value> {
    let groups = made.chunk_by(|a, b| match (a.name.split_once('.'), b.name.split_once('.')) {
        (Some((a, _)), Some((b, _))) => a == b,
        _ => false,
    });
    let value = |group: &[Made]| match group {
        [own] if !own.name.contains('.') => own.value.clone(),
        fields => {
            let field = |own: &Made| Some((own.name.split_once('.')?.1.to_owned(), own.value.clone()));
            Value::Record(Rc::new(fields.iter().filter_map(field).collect()))
        }
    };
    groups.map(value).collect()
}

/// A parameter as it is written, or a field of one that is a located struct.
struct Parameter<'f> {
    /// `picture.luma` for a field.
    name: String,
    shape: Option<Vec<Expr>>,
    mutable: bool,
    reference: bool,
    ty: &'f Type,
    /// The type parameters of the function, which are `i32` in the page.
    generics: Vec<String>,
    /// The variables of its pattern, which shapes mention.
    variables: Vec<String>,
}

/// Makes the arguments of a kernel.
pub(super) fn of(
    (function, structs): (&ItemFn, &HashMap<String, ItemStruct>),
    given: &Map<String, Json>,
    invented: Invented,
    globals: &Globals,
    trace: &Trace,
) -> Result<Vec<Made>, Flow> {
    let generics: Vec<String> =
        function.sig.generics.type_params().map(|own| own.ident.to_string()).collect();
    let mut parameters = Vec::new();
    for input in &function.sig.inputs {
        let own = parameter(input, &generics)?;
        match struct_of(own.ty, structs) {
            Some(found) => parameters.extend(fields(&own, found)?),
            None => parameters.push(own),
        }
    }
    let mut made: Vec<Option<Made>> = parameters.iter().map(|_| None).collect();
    let mut known: Vec<(String, Value)> = Vec::new();
    let mut extents = invented.extents.into_iter().cycle();
    // Numbers first: the shapes of the others mention them.
    for (at, own) in parameters.iter().enumerate() {
        if let Some(rank) = place_rank(own.ty) {
            made[at] = Some(place(own, rank, given, |extent| length(own, extent, &known, globals, trace))?);
            continue;
        }
        let (count, number) = match own.ty {
            Type::Path(_) if !own.reference => (None, number_of(own, own.ty)?),
            Type::Array(array) if !own.reference && array_is_small(array) => {
                (Some(length(own, &array.len, &known, globals, trace)?), number_of(own, &array.elem)?)
            }
            _ => continue,
        };
        let mut next = || -> Json {
            match number {
                Number::Usize => Json::from(extents.next().unwrap_or(1)),
                _ => Json::from(1),
            }
        };
        let before = match (given.get(&own.name), count) {
            (Some(given), _) => given.clone(),
            (None, None) => next(),
            (None, Some(count)) => (0..count).map(|_| next()).collect(),
        };
        let (value, shape) = match (count, &before) {
            (None, before) => (scalar(before, number, own)?, Vec::new()),
            (Some(count), Json::Array(items)) if items.len() == count => {
                let cells = items.iter().map(|item| scalar(item, number, own)).collect::<Result<_, _>>()?;
                (Value::Array(Memory::of(cells)), vec![count])
            }
            _ => return Err(unsupported(format!("`{}` without {count:?} numbers", own.name))),
        };
        match &value {
            Value::Array(memory) => {
                known.extend(own.variables.iter().cloned().zip(memory.cells.borrow().iter().cloned()));
            }
            value => known.push((own.name.clone(), value.clone())),
        }
        made[at] = Some(Made { name: own.name.clone(), shape, before, mutable: false, memory: None, value });
    }
    for (at, own) in parameters.iter().enumerate() {
        if made[at].is_none() {
            made[at] = Some(tensor((at, own), given, invented, &known, globals, trace)?);
        }
    }
    Ok(made.into_iter().flatten().collect())
}

/// A place: its origin, and behind it the extents.
fn place(
    own: &Parameter<'_>,
    rank: usize,
    given: &Map<String, Json>,
    extent: impl Fn(&Expr) -> Result<usize, Flow>,
) -> Result<Made, Flow> {
    let before = match (given.get(&own.name), &own.shape) {
        (Some(given), _) => given.clone(),
        (None, Some(shape)) => {
            let extents =
                shape.iter().map(|own| extent(own).map(Json::from)).collect::<Result<Vec<_>, _>>()?;
            vec![Json::from(0); rank].into_iter().chain(extents).collect()
        }
        (None, None) => [0, 1].into_iter().flat_map(|value| vec![Json::from(value); rank]).collect(),
    };
    let Json::Array(items) = &before else { return Err(kind(own)) };
    if items.len() != 2 * rank {
        return Err(unsupported(format!(
            "`{}` without its origin and its extents, {} numbers",
            own.name,
            2 * rank
        )));
    }
    let cells = items.iter().map(|item| scalar(item, Number::Isize, own)).collect::<Result<Vec<_>, _>>()?;
    let halves = cells.chunks(rank).map(|half| Value::Array(Memory::of(half.to_vec()))).collect();
    let value = Value::Tuple(Rc::new(halves));
    Ok(Made { name: own.name.clone(), shape: vec![2, rank], before, mutable: false, memory: None, value })
}

/// Whether an array is of numbers, as `[h, w]: [usize; 2]` is.
fn array_is_small(array: &syn::TypeArray) -> bool {
    matches!(&*array.elem, Type::Path(_))
}

/// The type of a parameter's numbers.
fn number_of(own: &Parameter<'_>, ty: &Type) -> Result<Number, Flow> {
    let name = if let Type::Path(path) = ty { path.path.get_ident() } else { None };
    let is_generic = name.is_some_and(|name| own.generics.contains(&name.to_string()));
    lower::number(ty).or(is_generic.then_some(Number::I32)).ok_or_else(|| kind(own))
}

fn kind(own: &Parameter<'_>) -> Flow {
    unsupported(format!("a parameter of the type of `{}`", own.name))
}

fn parameter<'f>(input: &'f FnArg, generics: &[String]) -> Result<Parameter<'f>, Flow> {
    let FnArg::Typed(input) = input else {
        return Err(unsupported("a method: write it as a function"));
    };
    let mut variables = Vec::new();
    let name = match &*input.pat {
        Pat::Ident(own) => own.ident.to_string(),
        Pat::Slice(own) => {
            for part in &own.elems {
                if let Pat::Ident(part) = part {
                    variables.push(part.ident.to_string());
                }
            }
            variables.join("_")
        }
        _ => return Err(unsupported("a parameter with such a pattern")),
    };
    let (mutable, reference, ty) = match &*input.ty {
        Type::Reference(own) => (own.mutability.is_some(), true, &*own.elem),
        ty => (false, false, ty),
    };
    let (shape, generics) = (shape(&input.attrs), generics.to_vec());
    Ok(Parameter { name, shape, mutable, reference, ty, generics, variables })
}

fn shape(attributes: &[Attribute]) -> Option<Vec<Expr>> {
    let own =
        attributes.iter().find(|own| own.path().segments.last().is_some_and(|last| last.ident == "shape"))?;
    let list = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
    let extents: Vec<Expr> = own.parse_args_with(list).ok()?.into_iter().collect();
    // Axes whose extent depends on the index before are a closure: the number of their elements is not made up.
    Some(extents).filter(|own| !own.iter().any(|extent| matches!(extent, Expr::Closure(_))))
}

/// The struct of the file that a type names.
fn struct_of<'s>(ty: &Type, structs: &'s HashMap<String, ItemStruct>) -> Option<&'s ItemStruct> {
    let Type::Path(path) = ty else { return None };
    structs.get(&path.path.segments.last()?.ident.to_string())
}

/// The fields of a located struct that kernels use: its extents, and those that have a shape.
fn fields<'f>(own: &Parameter<'f>, found: &'f ItemStruct) -> Result<Vec<Parameter<'f>>, Flow> {
    let field = |field: &'f syn::Field| {
        let name = format!("{}.{}", own.name, field.ident.as_ref()?);
        let (shape, ty) = (
            shape(&field.attrs),
            match &field.ty {
                Type::Reference(own) => &*own.elem,
                ty => ty,
            },
        );
        let is_number = matches!(ty, Type::Path(_)) && lower::number(ty).is_some();
        let reference = !is_number;
        (is_number || shape.is_some()).then(|| Parameter {
            name,
            shape,
            mutable: own.mutable,
            reference,
            ty,
            generics: Vec::new(),
            variables: Vec::new(),
        })
    };
    let fields: Vec<_> = found.fields.iter().filter_map(field).collect();
    if fields.is_empty() { Err(kind(own)) } else { Ok(fields) }
}

/// A number of a length or a shape, which mentions other parameters, or other fields of the same struct.
fn length(
    own: &Parameter<'_>,
    expr: &Expr,
    known: &[(String, Value)],
    globals: &Globals,
    trace: &Trace,
) -> Result<usize, Flow> {
    let group = own.name.split_once('.').map(|(group, _)| group);
    let known = known.iter().filter_map(|(name, value)| match name.split_once('.') {
        Some((of, name)) => (group == Some(of)).then_some((name, value.clone())),
        None => group.is_none().then_some((name.as_str(), value.clone())),
    });
    let (names, values): (Vec<_>, Vec<_>) = known.unzip();
    let names = names.into_iter().map(|name| syn::Ident::new(name, proc_macro2::Span::call_site()));
    let function: ItemFn = syn::parse_quote!(fn length(#(#names: usize),*) { #expr });
    Frame::call(globals, trace, &lower::function(&function)?, values)?.index()
}

fn scalar(given: &Json, number: Number, own: &Parameter<'_>) -> Result<Value, Flow> {
    let value = match given {
        Json::Number(value) if value.is_f64() => Value::Float(value.as_f64().unwrap_or(0.0), None),
        Json::Number(value) => Value::Int(value.as_i128().unwrap_or(0), None),
        Json::Bool(value) => Value::Int((*value).into(), None),
        _ => return Err(unsupported(format!("`{}` without a number", own.name))),
    };
    if let Value::Int(value, _) = value
        && !number.is_float()
        && !(number.least()..=number.greatest()).contains(&value)
    {
        return Err(unsupported(format!("{value} as `{}`, which does not fit its type", own.name)));
    }
    value.cast(number)
}

fn tensor(
    (at, own): (usize, &Parameter<'_>),
    given: &Map<String, Json>,
    invented: Invented,
    known: &[(String, Value)],
    globals: &Globals,
    trace: &Trace,
) -> Result<Made, Flow> {
    let element = signature::item(own.ty).ok_or_else(|| kind(own))?;
    let fixed = match own.ty {
        Type::Array(array) => Some(length(own, &array.len, known, globals, trace)?),
        _ => None,
    };
    let Type::Path(_) = element else { return Err(kind(own)) };
    let number = number_of(own, element)?;
    let shape = match &own.shape {
        Some(shape) => shape
            .iter()
            .map(|extent| length(own, extent, known, globals, trace))
            .collect::<Result<Vec<_>, _>>()?,
        None => fixed.into_iter().collect(),
    };
    let needed = shape.iter().try_fold(1_usize, |count, extent| count.checked_mul(*extent));
    let needed = needed.filter(|count| *count <= LARGEST);
    let needed = needed.ok_or_else(|| unsupported(format!("`{}` with {shape:?} elements", own.name)))?;
    let count = fixed.unwrap_or(if own.shape.is_some() { needed } else { invented.length });
    let before = match given.get(&own.name) {
        Some(Json::Array(items)) => Json::Array(items.clone()),
        Some(value @ Json::Number(_)) => (0..count).map(|_| value.clone()).collect(),
        Some(_) => return Err(unsupported(format!("`{}` without a number or a list of them", own.name))),
        None if own.mutable => (0..count).map(|_| Json::from(0)).collect(),
        None => (0..count).map(|at| Json::from(at * 7 % 100)).collect(),
    };
    let Json::Array(items) = &before else { return Err(kind(own)) };
    let cells = items.iter().map(|item| scalar(item, number, own)).collect::<Result<Vec<_>, _>>()?;
    let length = cells.len();
    let memory = Rc::new(Memory { parameter: Some(at), cells: RefCell::new(cells) });
    let value = match (own.reference, fixed) {
        (true, None) => Value::Slice(Slice { memory: Rc::clone(&memory), start: 0, length }),
        _ => Value::Array(Rc::clone(&memory)),
    };
    let shape = if shape.is_empty() { vec![length] } else { shape };
    Ok(Made { name: own.name.clone(), shape, before, mutable: own.mutable, memory: Some(memory), value })
}
