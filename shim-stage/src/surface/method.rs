//! The methods of tensors.

use proc_macro2::Ident;

/// What a method of a tensor gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodKind {
    /// Another view of the same elements.
    View,
    /// A block with memory of its own.
    Copy,
    /// The block that is being made, at another place or in another layout.
    Placement,
    /// A number, or nothing.
    Query,
    /// The points of its index space, under `for` or at the head of a chain.
    Indices,
}

/// One enum and its table: a row is `Variant "name" Kind "usage" "meaning"`.
macro_rules! methods {
    ($($variant:ident $name:literal $kind:ident $usage:literal $meaning:literal;)+) => {
        /// A method of tensors.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum TensorMethod {
            $(#[doc = $meaning] $variant,)+
        }

        impl TensorMethod {
            /// All methods, in the order of the documentation.
            pub const ALL: &'static [TensorMethod] = &[$(TensorMethod::$variant,)+];

            /// The name in Rust.
            pub const fn name(self) -> &'static str {
                match self { $(TensorMethod::$variant => $name,)+ }
            }

            /// What it gives.
            pub const fn kind(self) -> MethodKind {
                match self { $(TensorMethod::$variant => MethodKind::$kind,)+ }
            }

            /// How it is written, for the help of an error.
            pub const fn usage(self) -> &'static str {
                match self { $(TensorMethod::$variant => $usage,)+ }
            }

            /// What it means, in one line.
            pub const fn meaning(self) -> &'static str {
                match self { $(TensorMethod::$variant => $meaning,)+ }
            }
        }
    };
}

methods! {
    Permute "permute" View "write `t.permute([1, 0])`, an axis of `t` for each axis of the view"
        "axes in another order";
    Refine "refine" View "write `t.refine([2, 2])`, a factor per axis"
        "n indices for one element along each axis";
    Coarsen "coarsen" View "write `t.coarsen([2, 2])`, a factor per axis"
        "one index for n elements along each axis, of which it accesses the first";
    Slice "slice" View "write `t.slice(axis, index)`"
        "the elements of one index of an axis, which the view lacks";
    Footprint "footprint" View "write `t.footprint(u)`"
        "the place of `u`, in the indices of `t`";
    Coverage "coverage" View "write `t.coverage([y, x], u)`"
        "the elements of `t` that share one element of `u` with the element at a point of `t`";
    Cast "cast" View "write `t.cast::<i32>()`"
        "elements converted by `as` when they are read and when they are written";
    Boundary "boundary" View "write `t.boundary(Clamp)`"
        "a rule for reads outside every block";
    ToBlock "to_block" Copy "write `t.to_block()`; for elements of another type, `t.cast::<T>().to_block()`"
        "a zeroed heap block in the place of `t`";
    ToStack "to_stack" Copy "write `t.to_stack()`; for elements of another type, `t.cast::<T>().to_stack()`"
        "a zeroed stack block in the place of `t`, whose extents are static";
    Copied "copied" Copy "write `t.to_block().copied()`"
        "the new block with the elements of `t`";
    At "at" Placement "write `.at([y, x])`, where the block stands in the root space"
        "the origin in the root space";
    Refined "refined" Placement "write `.refined([2, 2])`, a factor per axis"
        "a density higher than the root's";
    Coarsened "coarsened" Placement "write `.coarsened([2, 2])`, a factor per axis"
        "a density lower than the root's";
    Permuted "permuted" Placement "write `.permuted([1, 0])`, a root axis for each axis of the block"
        "axes in another order than the root's";
    OnAxes "on_axes" Placement "write `.on_axes([0, 1])`, a root axis for each axis of the block"
        "the axes of the root that the block has";
    Strided "strided" Placement "write `.strided([stride, 3, 1])`, for each axis the elements from one index to the next"
        "elements at given distances in memory";
    Extent "extent" Query "write `t.extent(axis)`"
        "the number of indices of an axis, a `usize`";
    Origin "origin" Query "write `t.origin(axis)`"
        "the root coordinate of the first index, an `isize`";
    OriginIn "origin_in" Query "write `t.origin_in(u, axis)`"
        "the index in `u` of the first element of `t`, an `isize`";
    Contains "contains" Query "write `t.contains([y, x])`"
        "whether a read there finds memory";
    Prefetch "prefetch" Query "write `t.prefetch([y, x])`"
        "a hint that the element is needed soon";
    Indices "indices" Indices "write `t.indices()`"
        "the points of the index space, row by row";
}

impl TensorMethod {
    /// The method of this name.
    pub fn of(name: &Ident) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| name == method.name())
    }

    /// Whether it gives a tensor.
    pub const fn makes_tensor(self) -> bool {
        matches!(self.kind(), MethodKind::View | MethodKind::Copy | MethodKind::Placement)
    }

    /// Whether it gives a view of which an element is one of the tensor's as it is, cast to nothing and with no rule.
    pub const fn keeps_elements(self) -> bool {
        matches!(self.kind(), MethodKind::View)
            && !matches!(self, TensorMethod::Cast | TensorMethod::Boundary)
    }

    /// The names of the methods of some kinds, for the help of an error.
    pub fn listed(kinds: &[MethodKind]) -> String {
        let names = Self::ALL.iter().filter(|method| kinds.contains(&method.kind()));
        names.map(|method| format!("`{}`", method.name())).collect::<Vec<_>>().join(", ")
    }
}
