//! The language of the descriptions.

/// Makes of a table of 7.3 a structure with a field for each element, its `Default`, and a walk over the elements.
///
/// ```text
/// syntax! {
///     /// What it is.
///     pub struct Name as s, argument: Type {
///         /// An element, with its descriptor, the values that it may have, and what is inferred where it is absent.
///         name: u8 = ue in 0..=3, else 1;
///         /// All values that the bits can have are legal.
///         flag: bool = u(1);
///         if (s.flag && argument.x) {
///             /// A structure within; it is given the arguments in brackets.
///             inner: Inner = structure(argument);
///             /// An element in a loop of so many rounds.
///             items: Vec<u8> = list (s.name + 1) of u(8) in 0..=9;
///             /// A structure in a loop; `i` is the number of the round.
///             parts: [Part; 4] = structures i in (2) with (s.items[i]);
///             /// A loop that ends with an item of which a condition holds.
///             operations: Vec<Operation> = until (|x| x.kind == 0) with ();
///             /// As many bytes as the field has.
///             bytes: Vec<u8> = bytes (s.count);
///         }
///         // An element of one value has no field.
///         fixed reserved_zero_2bits = u(2), 0;
///         let number = s.items.len();
///         require items: number > 1, "there are two or more";
///         // Whatever a walk has to do besides.
///         perform argument.count(number);
///         /// Whether there is more before the trailing bits.
///         extended: bool = more();
///     }
/// }
/// ```
///
/// `else` is also the field's default; `inferred` may be computed from arguments. `s` is the name that the structure
/// has in conditions and ranges. Values are compared as `i64`.
macro_rules! syntax {
    (
        $(#[$meta:meta])*
        pub struct $name:ident as $s:ident $(, $argument:ident : $type:ty)* { $($body:tt)* }
    ) => {
        syntax!(@fields [$(#[$meta])*] $name [] [] $($body)*);

        impl $name {
            /// Tells the coder of each element, in the order of the syntax.
            ///
            /// # Errors
            ///
            /// Those of the coder.
            #[inline]
            #[allow(
                unused_variables,
                clippy::too_many_arguments,
                clippy::cast_lossless,
                clippy::redundant_closure_call,
                clippy::unnecessary_fallible_conversions,
                clippy::unnecessary_cast,
                reason = "what is derived serves every type of field and every argument"
            )]
            pub fn walk<C: $crate::syntax::Coder>(
                &mut self,
                coder: &mut C,
                $($argument: $type,)*
            ) -> Result<(), C::Error> {
                let $s = self;
                coder.structure(stringify!($name));
                syntax!(@walk $s coder $($body)*);
                Ok(())
            }
        }
    };

    // The fields, one after the other, and what each is by default.
    (@fields [$($meta:tt)*] $name:ident [$($field:tt)*] [$($default:tt)*]) => {
        $($meta)*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name { $($field)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($default)* }
            }
        }
    };
    (@fields $m:tt $n:ident $f:tt $d:tt if ($($c:tt)*) { $($then:tt)* } else { $($other:tt)* } $($rest:tt)*) => {
        syntax!(@fields $m $n $f $d $($then)* $($other)* $($rest)*);
    };
    (@fields $m:tt $n:ident $f:tt $d:tt if ($($c:tt)*) { $($then:tt)* } $($rest:tt)*) => {
        syntax!(@fields $m $n $f $d $($then)* $($rest)*);
    };
    (@fields $m:tt $n:ident $f:tt $d:tt while ($($c:tt)*) { $($then:tt)* } $($rest:tt)*) => {
        syntax!(@fields $m $n $f $d $($then)* $($rest)*);
    };
    (@fields $m:tt $n:ident $f:tt $d:tt let $i:ident = $e:expr; $($rest:tt)*) => {
        syntax!(@fields $m $n $f $d $($rest)*);
    };
    (@fields $m:tt $n:ident $f:tt $d:tt perform $e:expr; $($rest:tt)*) => {
        syntax!(@fields $m $n $f $d $($rest)*);
    };
    (@fields $m:tt $n:ident $f:tt $d:tt fixed $i:ident = u($e:expr), $v:expr; $($rest:tt)*) => {
        syntax!(@fields $m $n $f $d $($rest)*);
    };
    (@fields $m:tt $n:ident $f:tt $d:tt require $i:ident : $e:expr, $why:literal; $($rest:tt)*) => {
        syntax!(@fields $m $n $f $d $($rest)*);
    };
    (
        @fields $m:tt $n:ident [$($field:tt)*] [$($default:tt)*]
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))? in $range:expr, inferred $value:expr;
        $($rest:tt)*
    ) => {
        syntax!(@fields $m $n [$($field)* $(#[$meta])* pub $i: $type,] [$($default)* $i: Default::default(),] $($rest)*);
    };
    (
        @fields $m:tt $n:ident [$($field:tt)*] [$($default:tt)*]
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))? in $range:expr, else $value:expr;
        $($rest:tt)*
    ) => {
        syntax!(@fields $m $n [$($field)* $(#[$meta])* pub $i: $type,] [$($default)* $i: $value,] $($rest)*);
    };
    (
        @fields $m:tt $n:ident [$($field:tt)*] [$($default:tt)*]
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))?, else $value:expr;
        $($rest:tt)*
    ) => {
        syntax!(@fields $m $n [$($field)* $(#[$meta])* pub $i: $type,] [$($default)* $i: $value,] $($rest)*);
    };
    (
        @fields $m:tt $n:ident [$($field:tt)*] [$($default:tt)*]
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))? $(in $range:expr)?;
        $($rest:tt)*
    ) => {
        syntax!(@fields $m $n [$($field)* $(#[$meta])* pub $i: $type,] [$($default)* $i: Default::default(),] $($rest)*);
    };
    (
        @fields $m:tt $n:ident [$($field:tt)*] [$($default:tt)*]
        $(#[$meta:meta])* $i:ident : $type:ty = list ($($count:tt)*) of $kind:ident $(($($argument:tt)*))? $(in $range:expr)?;
        $($rest:tt)*
    ) => {
        syntax!(@fields $m $n [$($field)* $(#[$meta])* pub $i: $type,] [$($default)* $i: Default::default(),] $($rest)*);
    };
    (
        @fields $m:tt $n:ident [$($field:tt)*] [$($default:tt)*]
        $(#[$meta:meta])* $i:ident : $type:ty = structures $index:ident in ($($count:tt)*) with ($($argument:tt)*);
        $($rest:tt)*
    ) => {
        syntax!(@fields $m $n [$($field)* $(#[$meta])* pub $i: $type,] [$($default)* $i: Default::default(),] $($rest)*);
    };
    (
        @fields $m:tt $n:ident [$($field:tt)*] [$($default:tt)*]
        $(#[$meta:meta])* $i:ident : $type:ty = until ($($end:tt)*) with ($($argument:tt)*);
        $($rest:tt)*
    ) => {
        syntax!(@fields $m $n [$($field)* $(#[$meta])* pub $i: $type,] [$($default)* $i: Default::default(),] $($rest)*);
    };

    // The walk.
    (@walk $s:ident $coder:ident) => {};
    (@walk $s:ident $coder:ident if ($($c:tt)*) { $($then:tt)* } else { $($other:tt)* } $($rest:tt)*) => {
        if $($c)* {
            syntax!(@walk $s $coder $($then)*);
            syntax!(@absent $s $coder $($other)*);
        } else {
            syntax!(@absent $s $coder $($then)*);
            syntax!(@walk $s $coder $($other)*);
        }
        syntax!(@walk $s $coder $($rest)*);
    };
    (@walk $s:ident $coder:ident if ($($c:tt)*) { $($then:tt)* } $($rest:tt)*) => {
        if $($c)* {
            syntax!(@walk $s $coder $($then)*);
        } else {
            syntax!(@absent $s $coder $($then)*);
        }
        syntax!(@walk $s $coder $($rest)*);
    };
    (@walk $s:ident $coder:ident while (not aligned) { $($then:tt)* } $($rest:tt)*) => {
        while !$coder.byte_aligned() {
            syntax!(@walk $s $coder $($then)*);
        }
        syntax!(@walk $s $coder $($rest)*);
    };
    (@walk $s:ident $coder:ident let $i:ident = $e:expr; $($rest:tt)*) => {
        let $i = $e;
        syntax!(@walk $s $coder $($rest)*);
    };
    (@walk $s:ident $coder:ident perform $e:expr; $($rest:tt)*) => {
        $e;
        syntax!(@walk $s $coder $($rest)*);
    };
    (@walk $s:ident $coder:ident fixed $i:ident = u($bits:expr), $value:expr; $($rest:tt)*) => {
        {
            let value = $value;
            let range = i64::from(value)..=i64::from(value);
            let element = syntax!(@element $i, None, u($bits), range);
            $coder.element(&element, &mut { value })?;
        }
        syntax!(@walk $s $coder $($rest)*);
    };
    (@walk $s:ident $coder:ident require $i:ident : $e:expr, $why:literal; $($rest:tt)*) => {
        $coder.require(stringify!($i), $e, $why)?;
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = structure($($argument:expr),*);
        $($rest:tt)*
    ) => {
        $s.$i.walk($coder, $($argument),*)?;
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = bytes($count:expr);
        $($rest:tt)*
    ) => {
        $coder.length(stringify!($i), &mut $s.$i, usize::try_from($count).unwrap_or(usize::MAX))?;
        $coder.bytes(stringify!($i), $crate::syntax::List::items(&mut $s.$i))?;
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = residual($shape:expr, $neighbors:expr);
        $($rest:tt)*
    ) => {
        $crate::syntax::residual::walk_residual($coder, &mut $s.$i, $shape, $neighbors)?;
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = more() $(, else $value:expr)?;
        $($rest:tt)*
    ) => {
        $s.$i = $coder.more_rbsp_data($s.$i)?;
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))? $(in $range:expr)? $(, else $value:expr)? $(, inferred $inferred:expr)?;
        $($rest:tt)*
    ) => {
        {
            let element = syntax!(@element $i, None, $kind $(($($argument)*))? $(, $range)?);
            $coder.element(&element, &mut $s.$i)?;
        }
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = list ($($count:tt)*) of $kind:ident $(($($argument:tt)*))? $(in $range:expr)?;
        $($rest:tt)*
    ) => {
        {
            let count = usize::try_from($($count)*).unwrap_or(usize::MAX);
            $coder.length(stringify!($i), &mut $s.$i, count)?;
            for index in 0..count {
                let element = syntax!(@element $i, Some(index), $kind $(($($argument)*))? $(, $range)?);
                $coder.element(&element, &mut $s.$i[index])?;
            }
        }
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = structures $index:ident in ($($count:tt)*) with ($($argument:expr),*);
        $($rest:tt)*
    ) => {
        {
            let count = usize::try_from($($count)*).unwrap_or(usize::MAX);
            $coder.length(stringify!($i), &mut $s.$i, count)?;
            for $index in 0..count {
                $s.$i[$index].walk($coder, $($argument),*)?;
            }
        }
        syntax!(@walk $s $coder $($rest)*);
    };
    (
        @walk $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = until ($end:expr) with ($($argument:expr),*);
        $($rest:tt)*
    ) => {
        {
            let (mut index, mut ended) = (0, false);
            while $coder.another(stringify!($i), &mut $s.$i, index, ended)? {
                let item = &mut $s.$i[index];
                item.walk($coder, $($argument),*)?;
                ended = ($end)(&*item);
                index += 1;
            }
        }
        syntax!(@walk $s $coder $($rest)*);
    };

    // The descriptor of an element and its range, which is that of its bits where none is given.
    (@element $i:ident, $index:expr, $kind:ident $(($($argument:tt)*))?) => {{
        let descriptor = syntax!(@descriptor $kind $(($($argument)*))?);
        let range = descriptor.range();
        $crate::syntax::Element { name: stringify!($i), index: $index, descriptor, range }
    }};
    (@element $i:ident, $index:expr, $kind:ident $(($($argument:tt)*))?, $range:expr) => {
        $crate::syntax::Element {
            name: stringify!($i),
            index: $index,
            descriptor: syntax!(@descriptor $kind $(($($argument)*))?),
            range: $crate::syntax::wide($range),
        }
    };
    (@descriptor u($bits:expr)) => { $crate::syntax::Descriptor::U($bits as u32) };
    (@descriptor i($bits:expr)) => { $crate::syntax::Descriptor::I($bits as u32) };
    (@descriptor ue) => { $crate::syntax::Descriptor::Ue };
    (@descriptor se) => { $crate::syntax::Descriptor::Se };
    (@descriptor te($most:expr)) => { $crate::syntax::Descriptor::Te($most as u32) };
    (@descriptor me($intra:expr)) => { $crate::syntax::Descriptor::Me($intra) };
    (@descriptor ce($table:expr)) => { $crate::syntax::Descriptor::Ce($table) };
    (@descriptor prefix) => { $crate::syntax::Descriptor::Prefix };

    // What is inferred for elements that are not there.
    (@absent $s:ident $coder:ident) => {};
    (@absent $s:ident $coder:ident if ($($c:tt)*) { $($then:tt)* } else { $($other:tt)* } $($rest:tt)*) => {
        syntax!(@absent $s $coder $($then)* $($other)* $($rest)*);
    };
    (@absent $s:ident $coder:ident if ($($c:tt)*) { $($then:tt)* } $($rest:tt)*) => {
        syntax!(@absent $s $coder $($then)* $($rest)*);
    };
    (@absent $s:ident $coder:ident while ($($c:tt)*) { $($then:tt)* } $($rest:tt)*) => {
        syntax!(@absent $s $coder $($then)* $($rest)*);
    };
    (@absent $s:ident $coder:ident let $i:ident = $e:expr; $($rest:tt)*) => {
        syntax!(@absent $s $coder $($rest)*);
    };
    (@absent $s:ident $coder:ident perform $e:expr; $($rest:tt)*) => {
        syntax!(@absent $s $coder $($rest)*);
    };
    (@absent $s:ident $coder:ident fixed $i:ident = u($bits:expr), $value:expr; $($rest:tt)*) => {
        syntax!(@absent $s $coder $($rest)*);
    };
    (@absent $s:ident $coder:ident require $i:ident : $e:expr, $why:literal; $($rest:tt)*) => {
        syntax!(@absent $s $coder $($rest)*);
    };
    (
        @absent $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))? $(in $range:expr)?, inferred $value:expr;
        $($rest:tt)*
    ) => {
        $coder.absent(stringify!($i), &mut $s.$i, || $value)?;
        syntax!(@absent $s $coder $($rest)*);
    };
    (
        @absent $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))? $(in $range:expr)?, else $value:expr;
        $($rest:tt)*
    ) => {
        $coder.absent(stringify!($i), &mut $s.$i, || $value)?;
        syntax!(@absent $s $coder $($rest)*);
    };
    (
        @absent $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = $kind:ident $(($($argument:tt)*))? $(in $range:expr)?;
        $($rest:tt)*
    ) => {
        $coder.absent(stringify!($i), &mut $s.$i, Default::default)?;
        syntax!(@absent $s $coder $($rest)*);
    };
    (
        @absent $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = list ($($count:tt)*) of $kind:ident $(($($argument:tt)*))? $(in $range:expr)?;
        $($rest:tt)*
    ) => {
        $coder.absent(stringify!($i), &mut $s.$i, Default::default)?;
        syntax!(@absent $s $coder $($rest)*);
    };
    (
        @absent $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = structures $index:ident in ($($count:tt)*) with ($($argument:tt)*);
        $($rest:tt)*
    ) => {
        $coder.absent(stringify!($i), &mut $s.$i, Default::default)?;
        syntax!(@absent $s $coder $($rest)*);
    };
    (
        @absent $s:ident $coder:ident
        $(#[$meta:meta])* $i:ident : $type:ty = until ($($end:tt)*) with ($($argument:tt)*);
        $($rest:tt)*
    ) => {
        $coder.absent(stringify!($i), &mut $s.$i, Default::default)?;
        syntax!(@absent $s $coder $($rest)*);
    };
}
