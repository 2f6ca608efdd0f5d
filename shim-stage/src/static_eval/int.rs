//! Rust's integer types, and their arithmetic with every overflow seen.

/// A static integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// The number.
    pub value: i128,
    /// Its type; `None` for one without a suffix, which adopts a type or folds as `i32`.
    pub ty: Option<IntType>,
}

impl Int {
    /// A number that has not met a type yet.
    pub fn untyped(value: i128) -> Self {
        Self { value, ty: None }
    }

    /// A number of a type.
    pub fn typed(value: i128, ty: IntType) -> Self {
        Self { value, ty: Some(ty) }
    }

    /// The type it folds in.
    pub fn folding_type(self) -> IntType {
        self.ty.unwrap_or(IntType::I32)
    }
}

/// Rust's primitive integer types. The pointer-sized ones have 64 bits here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntType {
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `i128`
    I128,
    /// `isize`
    Isize,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `u128`
    U128,
    /// `usize`
    Usize,
}

impl IntType {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::I128,
        Self::Isize,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::U128,
        Self::Usize,
    ];

    /// The type called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Its name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::I128 => "i128",
            Self::Isize => "isize",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::U128 => "u128",
            Self::Usize => "usize",
        }
    }

    /// Its width.
    pub fn bits(self) -> u32 {
        match self {
            Self::I8 | Self::U8 => 8,
            Self::I16 | Self::U16 => 16,
            Self::I32 | Self::U32 => 32,
            Self::I64 | Self::U64 | Self::Isize | Self::Usize => 64,
            Self::I128 | Self::U128 => 128,
        }
    }

    /// Whether it has a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::I128 | Self::Isize)
    }

    /// Whether its width is the target's, which the macro does not know.
    pub fn is_pointer_sized(self) -> bool {
        matches!(self, Self::Isize | Self::Usize)
    }

    /// Its smallest value.
    pub fn min(self) -> i128 {
        if self.is_signed() { i128::MIN >> (128 - self.bits()) } else { 0 }
    }

    /// Its largest value; for `u128` the largest that can be held here, `i128::MAX`.
    pub fn max(self) -> i128 {
        match self {
            Self::U128 => i128::MAX,
            _ if self.is_signed() => i128::MAX >> (128 - self.bits()),
            _ => (1 << self.bits()) - 1,
        }
    }

    /// Whether `value` is one of its values.
    pub fn contains(self, value: i128) -> bool {
        (self.min()..=self.max()).contains(&value)
    }

    /// The unsigned type of the same width.
    #[must_use]
    pub fn unsigned(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            Self::I128 => Self::U128,
            Self::Isize => Self::Usize,
            unsigned => unsigned,
        }
    }

    /// The low bits of `value` as `as` reads them; `None` for a `u128` that cannot be held here.
    pub fn wrap(self, value: i128) -> Option<i128> {
        if self == Self::U128 {
            return i128::try_from(value.cast_unsigned()).ok();
        }
        let spare = 128 - self.bits();
        let high = value << spare;
        Some(if self.is_signed() { high >> spare } else { (high.cast_unsigned() >> spare).cast_signed() })
    }

    /// Whether `Self: From<from>` holds in std.
    pub(super) fn is_from(self, from: Self) -> bool {
        if self == from {
            return true;
        }
        // Pointer-sized types take only what every target Rust supports can hold.
        match self {
            Self::Usize => matches!(from, Self::U8 | Self::U16),
            Self::Isize => matches!(from, Self::I8 | Self::I16 | Self::U8),
            _ if from.is_pointer_sized() => false,
            _ if self.is_signed() == from.is_signed() => self.bits() > from.bits(),
            _ => self.is_signed() && self.bits() > from.bits(),
        }
    }
}

/// What an operation on integers comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntResult {
    /// This number.
    Value(i128),
    /// A number outside the type: Rust would panic.
    Overflow,
    /// A divisor of zero.
    ByZero,
    /// A shift by at least the width, or by a negative number.
    Shift,
    /// A `u128` too large to be held here: left to rustc.
    Wide,
}

/// The operators of two integers of one type, and the shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    DivEuclid,
    RemEuclid,
    Pow,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

impl IntOp {
    /// The operator behind a binary one of Rust, unless it compares, short-circuits or assigns.
    pub(super) fn of(op: &syn::BinOp) -> Option<Self> {
        Some(match op {
            syn::BinOp::Add(_) => Self::Add,
            syn::BinOp::Sub(_) => Self::Sub,
            syn::BinOp::Mul(_) => Self::Mul,
            syn::BinOp::Div(_) => Self::Div,
            syn::BinOp::Rem(_) => Self::Rem,
            syn::BinOp::BitAnd(_) => Self::And,
            syn::BinOp::BitOr(_) => Self::Or,
            syn::BinOp::BitXor(_) => Self::Xor,
            syn::BinOp::Shl(_) => Self::Shl,
            syn::BinOp::Shr(_) => Self::Shr,
            _ => return None,
        })
    }

    /// Whether the right operand is a count, with a type of its own.
    pub(super) fn is_shift(self) -> bool {
        matches!(self, Self::Shl | Self::Shr)
    }

    /// The operation in `ty`, whose values `a` and (unless it is a count) `b` are.
    pub(super) fn fold(self, a: i128, b: i128, ty: IntType) -> IntResult {
        if self.is_shift() {
            let Some(count) = u32::try_from(b).ok().filter(|count| *count < ty.bits()) else {
                return IntResult::Shift;
            };
            // A left shift drops bits; it never overflows.
            let exact = if self == Self::Shl { ty.wrap_shl(a, count) } else { Some(a >> count) };
            return exact.map_or(IntResult::Wide, IntResult::Value);
        }
        if b == 0 && matches!(self, Self::Div | Self::Rem | Self::DivEuclid | Self::RemEuclid) {
            return IntResult::ByZero;
        }
        // `MIN % -1` is zero, but Rust panics: it divides.
        if matches!(self, Self::Rem | Self::RemEuclid) && ty.is_signed() && a == ty.min() && b == -1 {
            return IntResult::Overflow;
        }
        let exact = match self {
            Self::Add => a.checked_add(b),
            Self::Sub => a.checked_sub(b),
            Self::Mul => a.checked_mul(b),
            Self::Div => a.checked_div(b),
            Self::Rem => a.checked_rem(b),
            Self::DivEuclid => a.checked_div_euclid(b),
            Self::RemEuclid => a.checked_rem_euclid(b),
            Self::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            Self::And => Some(a & b),
            Self::Or => Some(a | b),
            Self::Xor => Some(a ^ b),
            Self::Shl | Self::Shr => unreachable!("shifts returned above"),
        };
        match exact {
            Some(value) if ty.contains(value) => IntResult::Value(value),
            None if ty == IntType::U128 && self.fits_u128(a, b) => IntResult::Wide,
            _ => IntResult::Overflow,
        }
    }

    /// Whether the result on non-negative operands, beyond `i128::MAX`, is still a `u128`.
    fn fits_u128(self, a: i128, b: i128) -> bool {
        let (Ok(a), Ok(b)) = (u128::try_from(a), u128::try_from(b)) else { return false };
        match self {
            Self::Add => a.checked_add(b),
            Self::Mul => a.checked_mul(b),
            Self::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            _ => None,
        }
        .is_some()
    }
}

impl IntType {
    /// `value << count` in this type, for a count below its width.
    fn wrap_shl(self, value: i128, count: u32) -> Option<i128> {
        // In 128 bits the shift itself drops the high bits, as the type does.
        self.wrap(value << count)
    }
}
