//! The functions of shim's runtime library that expansions call, as `src/private/` of the repository has them.

use std::cmp::Ordering;
use std::rc::Rc;

use shim_core::Fold;

use super::eval::{Frame, order};
use super::lower::Method;
use super::value::{Memory, Number, Place, Value};
use super::{Flow, panics, unsupported};

/// Functions that are for rustc: they do nothing, and their arguments may mean nothing.
const FOR_RUSTC: &[&str] = &[
    "block",
    "copied_elements",
    "element_type",
    "element_type_of",
    "elements",
    "filling_rule",
    "filters",
    "function_rule",
    "is_stage",
    "iters",
    "known_elements",
    "maps",
    "method",
    "no_version",
    "prefetch",
    "prefetch_in_rows",
    "reverses",
    "row_elements",
    "rule",
    "scalar",
    "size_of_field",
    "stage",
    "stays",
    "steps",
    "unchanged",
];

/// Whether a call does nothing.
pub(super) fn is_for_rustc(method: &Method) -> bool {
    FOR_RUSTC.contains(&method.name.as_str())
}

impl Frame<'_> {
    pub(super) fn runtime(&self, method: &Method, arguments: Vec<Value>) -> Result<Value, Flow> {
        let name = method.name.as_str();
        let unknown = || unsupported(format!("`shim.{name}`"));
        let text = |at: usize| match arguments.get(at) {
            Some(Value::Text(text)) => Ok(text.to_string()),
            _ => Err(unknown()),
        };
        let argument = |at: usize| self.followed(arguments.get(at).ok_or_else(unknown)?);
        let int = |at: usize| argument(at)?.int();
        let ints = |at: usize| self.ints(&argument(at)?);
        let constant = |at: usize| self.eval(method.constants.get(at).ok_or_else(unknown)?)?.index();
        let zeros = |zero: Value, count: usize| Value::Array(Memory::of(vec![zero; count]));
        Ok(match name {
            "known" | "copied" | "sequence" | "shared" | "elements_of" | "set" | "by" | "isize"
            | "extent" | "inclusive" | "row" => arguments.into_iter().next().ok_or_else(unknown)?,
            "from_usize" | "from_isize" | "from_i32" | "from_i16" | "from_u32" | "from_u16" | "from_u8"
            | "from_i8" | "from_i64" | "from_u64" | "index" => Value::isize(int(0)?),
            "usize" => Value::Int(Number::Usize.wrap(int(0)?), Some(Number::Usize)),
            "i32" => Value::Int(Number::I32.wrap(int(0)?), Some(Number::I32)),
            "item_at" => Value::Int(int(0)?, argument(1)?.number()),
            "add" => isize_of(int(0)?.checked_add(int(1)?), "add")?,
            "sub" => isize_of(int(0)?.checked_sub(int(1)?), "subtract")?,
            "mul" => isize_of(int(0)?.checked_mul(int(1)?), "multiply")?,
            "neg" => isize_of(int(0)?.checked_neg(), "negate")?,
            "div" if int(1)? != 0 => Value::isize(int(0)? / int(1)?),
            "rem" if int(1)? != 0 => Value::isize(int(0)? % int(1)?),
            "div" | "rem" => return Err(panics("attempt to divide by zero")),
            "shl" => isize_of(
                u32::try_from(int(1)?).ok().and_then(|bits| int(0).ok()?.checked_shl(bits)),
                "shift left",
            )?,
            "shr" => Value::isize(int(0)? >> int(1)?.clamp(0, 63)),
            "least" => Value::isize(int(0)?.min(int(1)?)),
            "greatest" => Value::isize(int(0)?.max(int(1)?)),
            "clamped_to" => Value::isize(int(0)?.min(int(2)?).max(int(1)?)),
            "clamped" | "mirrored" | "reflected" | "wrapped" => fold(name, int(0)?, int(1)?)?,
            "clamp" | "mirror" | "reflect" | "wrap" => {
                filled(&text(0)?, &text(1)?, int(3)?)?;
                fold(name, int(2)?, int(3)?)?
            }
            "ruled" => {
                let (kernel, tensor, at, extent) = (text(0)?, text(1)?, int(3)?, int(4)?);
                if (0..extent).contains(&at) {
                    return Ok(Value::isize(at));
                }
                filled(&kernel, &tensor, extent)?;
                let found = self.apply(&arguments[2], vec![Value::isize(at), Value::isize(extent)])?.int()?;
                if !(0..extent).contains(&found) {
                    return Err(panics(format!(
                        "shim: `{kernel}`: the boundary rule of `{tensor}` takes index {at} to {found}, extent {extent}"
                    )));
                }
                Value::isize(found)
            }
            "assert_foldable" => {
                for extent in ints(3)? {
                    filled(&text(0)?, &text(1)?, extent)?;
                }
                Value::Unit
            }
            "assert_fits" | "assert_stored_fits" => {
                let extents = ints(2)?;
                let (count, length) = match name {
                    "assert_fits" => (product(&extents), int(3)?),
                    _ => (Some(int(3)?), int(4)?),
                };
                let possible = extents.iter().all(|extent| *extent >= 0);
                if !possible || count.is_none_or(|count| count > length) {
                    return Err(panics(format!(
                        "shim: `{}`: `{}` with extents {extents:?} does not fit memory of length {length}",
                        text(0)?,
                        text(1)?
                    )));
                }
                Value::Unit
            }
            "assert_strided_fits" => {
                let (extents, strides, length) = (ints(2)?, ints(3)?, int(4)?);
                let span: i128 =
                    extents.iter().zip(&strides).map(|(extent, stride)| (extent - 1) * stride).sum();
                let empty = extents.contains(&0);
                if extents.iter().any(|extent| *extent < 0) || !empty && span + 1 > length {
                    return Err(panics(format!(
                        "shim: `{}`: `{}` with extents {extents:?} and strides {strides:?} does not fit memory of length {length}",
                        text(0)?,
                        text(1)?
                    )));
                }
                Value::Unit
            }
            "product" => {
                let extents = ints(2)?;
                match product(&extents).filter(|count| *count <= Number::Isize.greatest()) {
                    Some(count) => Value::usize(count as usize),
                    None => {
                        return Err(panics(format!(
                            "shim: `{}`: `{}` cannot have extents {extents:?}",
                            text(0)?,
                            text(1)?
                        )));
                    }
                }
            }
            "stored_len" => Value::usize(argument(3)?.index()?),
            // The page's arguments are far from these limits.
            "assert_shape_fits" | "assert_curve_fits" | "assert_i32_index" => Value::Unit,
            "assert_i32_extent" => {
                if int(1)? > Number::I32.greatest() {
                    return Err(panics(format!(
                        "shim: `{}`: an extent of {} does not fit `i32`",
                        text(0)?,
                        int(1)?
                    )));
                }
                Value::Unit
            }
            "expect_extent" => {
                if int(2)? != int(3)? {
                    return Err(panics(format!(
                        "shim: `{}`: `{}` has an extent of {} where {} is wanted",
                        text(0)?,
                        text(1)?,
                        int(2)?,
                        int(3)?
                    )));
                }
                Value::Unit
            }
            "ahead" => Value::isize(int(0)? + int(1)?),
            "assert_within" => {
                self.assert_within(&text(0)?, &text(1)?, &argument(2)?, &ints(3)?)?;
                Value::Unit
            }
            "inside" => Value::Bool(inside(&ints(0)?, &ints(1)?)),
            "inside_of" => {
                let (at, extents) = (ints(2)?, ints(3)?);
                if !inside(&at, &extents) {
                    return Err(outside(&text(0)?, &text(1)?, &at, &extents));
                }
                argument(2)?
            }
            "outside" | "excluded" => return Err(outside(&text(0)?, &text(1)?, &ints(2)?, &ints(3)?)),
            "split_range" => {
                let exists = argument(3)?.bool()?;
                let parts = divide(&argument(0)?, &ints(1)?, &ints(2)?, exists)?;
                let part = |(at, part)| Value::Tuple(Rc::new(vec![part, Value::Bool(at == 1)]));
                Value::Array(Memory::of(parts.into_iter().enumerate().map(part).collect()))
            }
            "halves" | "cut_range" => {
                let at = int(1)?;
                let ends = if name == "halves" { vec![] } else { vec![at + 1] };
                let mut parts = divide(&argument(0)?, &[at], &ends, true)?.to_vec();
                parts.truncate(if name == "halves" { 2 } else { 3 });
                Value::Array(Memory::of(parts))
            }
            "rev" | "step_by" | "inclusive_by" => {
                let name = if name == "rev" { "rev" } else { "step_by" };
                self.std_method(argument(0)?, name, &arguments[1..])?
            }
            "indices" => {
                let extents = ints(0)?;
                let mut all = vec![Vec::new()];
                for extent in extents {
                    let longer = all.iter().flat_map(|index: &Vec<i128>| {
                        (0..extent).map(move |at| index.iter().copied().chain([at]).collect())
                    });
                    all = longer.collect();
                }
                let index = |index: Vec<i128>| {
                    let cells = index.into_iter().map(|at| Value::Int(at, Some(Number::I32))).collect();
                    Value::Array(Memory::of(cells))
                };
                Value::Items(Rc::new(all.into_iter().map(index).collect()))
            }
            "load" | "load_mut" | "load_shared" | "load_shared_mut" | "load_shared_unset" | "get"
            | "get_mut" => {
                let slice = self.memory(&arguments[0])?;
                let at = int(1)?;
                // The compiler has shown that it is inside. If it was wrong, the reader hears of it.
                let cell = slice.cell(at).ok_or_else(|| {
                    panics(format!("the offset {at} is outside of {} elements: report it", slice.length))
                })?;
                let place = Place::Cell(slice.memory, cell);
                self.touch(method, &place);
                Value::Reference(Rc::new(place))
            }
            "load_in_row" | "load_in_row_mut" | "get_in_row" | "get_in_row_mut" => {
                let rows = self.memory(&arguments[0])?;
                let row = rows.memory.cells.borrow().get(rows.start + argument(1)?.index()?).cloned();
                let row = self.memory(&row.ok_or_else(unknown)?)?;
                Value::Reference(Rc::new(Place::Cell(row.memory, row.start + argument(2)?.index()?)))
            }
            "heap" => zeros(Value::zero(method.number), argument(0)?.index()?),
            "heap_of" => zeros(argument(0)?, argument(1)?.index()?),
            "heap_like" => zeros(Value::zero(None), argument(1)?.index()?),
            "stack" | "unset" => zeros(Value::zero(method.number), constant(0)?),
            "stack_of" | "unset_of" => zeros(argument(0)?, constant(0)?),
            "stack_like" => zeros(Value::zero(None), constant(0)?),
            "zero" | "sum_identity" => Value::zero(method.number),
            "product_identity" => Value::Int(1, method.number),
            "empty_mask" => Value::Int(0, method.number),
            "with_bit" => {
                let mask = argument(0)?;
                let number = mask.number().unwrap_or(Number::U32);
                let bit = int(2)?;
                if !(0..i128::from(number.bits())).contains(&bit) {
                    return Err(panics(format!("shim: a mask of {} bits has no bit {bit}", number.bits())));
                }
                let set = i128::from(argument(1)?.bool()?) << bit;
                Value::Int(mask.int()? | set, mask.number())
            }
            "none" => Value::Option(None),
            "min" | "max" => self.better(name, &argument(0)?, argument(1)?)?,
            "min_by_key" | "max_by_key" => {
                let pair = Value::Tuple(Rc::new(vec![argument(1)?, argument(2)?]));
                self.better(name, &argument(0)?, pair)?
            }
            "item" => match argument(0)? {
                Value::Option(Some(pair)) => match &*pair {
                    Value::Tuple(pair) => Value::Option(Some(Rc::new(pair[1].clone()))),
                    _ => return Err(unknown()),
                },
                other => other,
            },
            "table" => argument(1)?,
            "table_entry" | "entry" => {
                let table = self.memory(&arguments[0])?;
                Value::isize(table.get(int(1)?).map_or(Ok(0), |entry| entry.int())?)
            }
            "starts" | "indices_below" => arguments.into_iter().nth(1).ok_or_else(unknown)?,
            "power" => Value::isize(int(0)? << int(1)?.clamp(0, 62)),
            "parallel" => {
                self.each(&argument(0)?, |item| self.apply(&arguments[1], vec![item]).map(|_| None))?;
                Value::Unit
            }
            // Rows one after the other, each to its end.
            "wavefront" => {
                self.each(&argument(0)?, |row| {
                    self.apply(&arguments[3], vec![row, Value::Unit]).map(|_| None)
                })?;
                Value::Unit
            }
            "columns" => argument(1)?,
            // A place is its origin and its extents.
            "place" => argument(2)?,
            "make_place" => Value::Tuple(Rc::new(vec![argument(0)?, argument(1)?])),
            "task" => self.apply(&arguments[0], Vec::new())?,
            "reading" => self.apply(&arguments[1], vec![arguments[0].clone()])?,
            "list_of" => {
                if int(2)? > int(3)? {
                    return Err(panics(format!(
                        "shim: `{}`: `{}` cannot have {} elements at first: its capacity is {}",
                        text(0)?,
                        text(1)?,
                        int(2)?,
                        int(3)?
                    )));
                }
                argument(2)?
            }
            "shorter" => Value::usize(argument(0)?.index()?.min(argument(1)?.index()?)),
            "select" | "select_bytes" => {
                let (from, to) = (self.memory(&arguments[0])?, self.memory(&arguments[2])?);
                for (number, place) in ints(3)?.into_iter().enumerate() {
                    let value = from.get(int(1)? + place);
                    let value =
                        value.ok_or_else(|| panics("a selection outside of its memory: report it"))?;
                    self.write(&Place::Cell(Rc::clone(&to.memory), to.start + number), value)?;
                }
                Value::Unit
            }
            "sad" | "byte_sum" => {
                let counts = [constant(0)?, constant(1)?, constant(2)?];
                let bytes = |first: usize| self.bytes(&arguments[first], &ints(first + 1)?, counts);
                let sum: i128 = match name {
                    "sad" => bytes(0)?.iter().zip(bytes(2)?).map(|(a, b)| (a - b).abs()).sum(),
                    _ => bytes(0)?.iter().sum(),
                };
                Value::Int(sum, Some(Number::U32))
            }
            _ => return Err(unknown()),
        })
    }

    /// The bytes of planes of rows: `at` has the offset of the first and the distances of planes and of rows.
    fn bytes(&self, memory: &Value, at: &[i128], counts: [usize; 3]) -> Result<Vec<i128>, Flow> {
        let slice = self.memory(memory)?;
        let byte = |(k, j, i): (i128, i128, i128)| {
            let byte = slice.get(at[0] + k * at[1] + j * at[2] + i);
            byte.ok_or_else(|| panics("a sum of bytes outside of its memory: report it"))?.int()
        };
        boxes(counts).map(byte).collect()
    }

    /// The integers of an array or a tuple.
    fn ints(&self, value: &Value) -> Result<Vec<i128>, Flow> {
        let values = match value {
            Value::Tuple(values) => (**values).clone(),
            Value::Array(memory) => memory.cells.borrow().clone(),
            Value::Reference(place) => return self.ints(&self.read(place)?),
            other => return Err(unsupported(format!("coordinates of {other:?}"))),
        };
        values.iter().map(|value| self.followed(value)?.int()).collect()
    }

    fn assert_within(
        &self,
        kernel: &str,
        tensor: &str,
        reached: &Value,
        extents: &[i128],
    ) -> Result<(), Flow> {
        let Value::Tuple(reached) = reached else { return Err(unsupported("what an assertion reaches")) };
        for (axis, (reached, extent)) in reached.iter().zip(extents).enumerate() {
            let (least, greatest) = match self.followed(reached)? {
                Value::Range(least, end, _) => (least, end - 1),
                Value::Int(greatest, _) => (0, greatest),
                other => return Err(unsupported(format!("{other:?} in an assertion"))),
            };
            let wrong = if least < 0 { Some(least) } else { (greatest >= *extent).then_some(greatest) };
            if let Some(wrong) = wrong {
                return Err(panics(format!(
                    "shim: `{kernel}` reaches outside of `{tensor}`: index {wrong} on axis {axis}, extents {extents:?}"
                )));
            }
        }
        Ok(())
    }

    fn better(&self, name: &str, best: &Value, item: Value) -> Result<Value, Flow> {
        let key = |value: &Value| match value {
            Value::Tuple(pair) if name.ends_with("_by_key") => pair[0].clone(),
            value => value.clone(),
        };
        let Value::Option(best) = best else { return Err(unsupported(format!("`shim.{name}`"))) };
        let keep = match best {
            Some(best) => match (order(&key(best), &key(&item))?, name.starts_with("min")) {
                (Some(order), true) => order != Ordering::Greater,
                (Some(order), false) => order == Ordering::Greater,
                (None, _) => true,
            },
            None => false,
        };
        Ok(Value::Option(if keep { best.clone() } else { Some(Rc::new(item)) }))
    }

    /// Notes an element that an access reaches.
    fn touch(&self, method: &Method, place: &Place) {
        if let (Some(site), Place::Cell(memory, at)) = (method.site, place)
            && let Some(parameter) = memory.parameter
        {
            let stores = method.name.ends_with("_mut") || method.name.ends_with("_unset");
            self.trace.touched.borrow_mut().touch((site, parameter), *at, stores);
        }
    }
}

/// The number of elements of a block; none if an extent is negative.
fn product(extents: &[i128]) -> Option<i128> {
    let mut extents = extents.iter().map(|extent| (*extent >= 0).then_some(*extent));
    extents.try_fold(1_i128, |product, extent| product.checked_mul(extent?))
}

fn isize_of(value: Option<i128>, verb: &str) -> Result<Value, Flow> {
    let fits = |value: &i128| (Number::Isize.least()..=Number::Isize.greatest()).contains(value);
    value.filter(fits).map(Value::isize).ok_or_else(|| panics(format!("attempt to {verb} with overflow")))
}

fn fold(name: &str, at: i128, extent: i128) -> Result<Value, Flow> {
    let rule = match &name[..4] {
        "clam" => Fold::Clamp,
        "mirr" => Fold::Mirror,
        "refl" => Fold::Reflect,
        _ => Fold::Wrap,
    };
    let small =
        |value: i128| i64::try_from(value).map_err(|_| unsupported("a coordinate of more than 64 bits"));
    Ok(Value::isize(rule.apply(small(at)?, small(extent)?).into()))
}

fn filled(kernel: &str, tensor: &str, extent: i128) -> Result<(), Flow> {
    if extent <= 0 {
        return Err(panics(format!(
            "shim: `{kernel}`: `{tensor}` has no elements along an axis, so its boundary rule has none to take"
        )));
    }
    Ok(())
}

fn inside(at: &[i128], extents: &[i128]) -> bool {
    at.iter().zip(extents).all(|(at, extent)| (0..*extent).contains(at))
}

fn outside(kernel: &str, tensor: &str, at: &[i128], extents: &[i128]) -> Flow {
    panics(format!("shim: `{kernel}` reaches outside of `{tensor}`: index {at:?}, extents {extents:?}"))
}

/// What is before an interior, the interior, and what is after it.
fn divide(range: &Value, starts: &[i128], ends: &[i128], exists: bool) -> Result<[Value; 3], Flow> {
    let Value::Range(start, end, number) = range else {
        return Err(unsupported(format!("parts of {range:?}")));
    };
    let end = *end.max(start);
    let mut from = starts.iter().copied().fold(*start, i128::max);
    let mut to = ends.iter().copied().fold(end, i128::min);
    if !exists || from >= to {
        (from, to) = (end, end);
    }
    let part = |start, end| Value::Range(start, end, *number);
    Ok([part(*start, from), part(from, to), part(to, end)])
}

/// The indices of a box.
fn boxes([planes, rows, columns]: [usize; 3]) -> impl Iterator<Item = (i128, i128, i128)> {
    (0..planes as i128)
        .flat_map(move |k| (0..rows as i128).flat_map(move |j| (0..columns as i128).map(move |i| (k, j, i))))
}
