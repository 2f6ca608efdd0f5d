//! The methods of tensors.

use super::table::names;

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
    /// Changes the number of elements in a list, or reads it.
    List,
}

names! {
    /// A method of tensors.
    TensorMethod;
    Permute "permute" "write `t.permute([1, 0])`, an axis of `t` for each axis of the view"
        "axes in another order";
    Refine "refine" "write `t.refine([2, 2])`, a factor per axis"
        "n indices for one element along each axis";
    Coarsen "coarsen" "write `t.coarsen([2, 2])`, a factor per axis"
        "one index for n elements along each axis, of which it accesses the first";
    Slice "slice" "write `t.slice(axis, index)`"
        "the elements of one index of an axis, which the view lacks";
    Footprint "footprint" "write `t.footprint(u)`"
        "the place of `u`, in the indices of `t`";
    Coverage "coverage" "write `t.coverage([y, x], u)`"
        "the elements of `t` that share one element of `u` with the element at a point of `t`";
    Shifted "shifted" "write `t.shifted([0, 4])`, a number of indices of `t` for each axis"
        "a view of the same extents at another place";
    Clamped "clamped" "write `place.clamped(t)`"
        "the place moved as little as possible to lie within what `t` covers";
    Dense "dense" "write `t.dense()`"
        "the box around a shape, whose other elements are outside";
    Shaped "shaped" "write `t.shaped([n, |i| i + 1])`, the extent of each axis"
        "so many indices along each axis, in the place of its own";
    Or "or" "write `t.or(u)`"
        "the elements of `t`, and outside of it those of `u` in the same place";
    Reshape "reshape" "write `t.reshape([16, 4])`, the extents of the new tensor"
        "the elements of a block in row-major order, as a tensor of other extents in the root space";
    Ravel "ravel" "write `t.ravel()`"
        "the elements in row-major order, as a tensor of one axis in the root space";
    Rev "rev" "write `t.rev(axis)`"
        "the elements from the last one to the first along an axis, as a tensor in the root space";
    Rotate "rotate" "write `t.rotate([2, 1])`, a number of elements for each axis"
        "the elements moved that far towards the first index of each axis, those at the front to the end, in the root space";
    Cat "cat" "write `a.cat(axis, b)`"
        "the elements of `a`, and behind them along an axis those of `b`, in the root space";
    Gather "gather" "write `t.gather(axis, &list)`, a slice of indices of the axis"
        "the elements at the indices in a list along an axis, as a tensor in the root space";
    Cycled "cycled" "write `t.cycled([h, w])`, the extents of the new tensor"
        "the elements in row-major order, again and again, as a tensor of other extents in the root space";
    Windows "windows" "write `t.windows([3, 3])`, the extents of a window"
        "for each index the box of elements that begins there, as further axes, in the root space";
    Take "take" "write `t.take([2, -1])`, a number of elements for each of the first axes"
        "so many elements from the first one along each axis, or the last ones where the number is negative";
    Drop "drop" "write `t.drop([1, 0])`, a number of elements for each of the first axes"
        "the elements behind so many along each axis, or before the last ones where the number is negative";
    Psi "psi" "write `t.psi([i])` or `t.psi(p)`, an index on each of the first axes"
        "the elements at an index of the first axes, which the view lacks";
    Place "place" "write `t.place()`"
        "the box of the root space that `t` covers, a `Place<N>` without elements";
    Cast "cast" "write `t.cast::<i32>()`"
        "elements converted by `as` when they are read and when they are written";
    Boundary "boundary" "write `t.boundary(Clamp)`"
        "a rule for reads outside every block";
    Within "within" "write `t.within(|p| condition)`"
        "the elements for which the condition holds; any other element is outside the tensor";
    ToBlock "to_block" "write `t.to_block()`; for elements of another type, `t.cast::<T>().to_block()`"
        "a zeroed heap block in the place of `t`";
    ToStack "to_stack" "write `t.to_stack()`; for elements of another type, `t.cast::<T>().to_stack()`"
        "a zeroed stack block in the place of `t`, whose extents are static";
    Copied "copied" "write `t.to_block().copied()`"
        "the new block with the elements of `t`";
    Select "select" "write `t.select([4, 4], |[y, x]| [x, y])`, extents and the index in `t` of each element"
        "a stack block of the elements of `t` at static places";
    At "at" "write `.at([y, x])`, where the block stands in the root space"
        "the origin in the root space";
    Refined "refined" "write `.refined([2, 2])`, a factor per axis"
        "a density higher than the root's";
    Coarsened "coarsened" "write `.coarsened([2, 2])`, a factor per axis"
        "a density lower than the root's";
    Permuted "permuted" "write `.permuted([1, 0])`, a root axis for each axis of the block"
        "axes in another order than the root's";
    OnAxes "on_axes" "write `.on_axes([0, 1])`, a root axis for each axis of the block"
        "the axes of the root that the block has";
    Strided "strided" "write `.strided([stride, 3, 1])`, for each axis the elements from one index to the next"
        "elements at given distances in memory";
    Stored "stored" "write `.stored(tile([8, 8]))`, an order of elements"
        "elements in another order than row-major";
    Extent "extent" "write `t.extent(axis)`"
        "the number of indices of an axis, a `usize`";
    Origin "origin" "write `t.origin(axis)`"
        "the root coordinate of the first index, an `isize`";
    OriginIn "origin_in" "write `t.origin_in(u, axis)`"
        "the index in `u` of the first element of `t`, an `isize`";
    Contains "contains" "write `t.contains([y, x])`"
        "whether a read there finds memory";
    Get "get" "write `t.get([y, x])`"
        "the element there, or `None` where a read would find no memory";
    Offset "offset" "write `t.offset([y, x])`"
        "the number of the element in the memory of its block, a `usize`";
    Prefetch "prefetch" "write `t.prefetch([y, x])`"
        "a hint that the element is needed soon";
    Indices "indices" "write `t.indices()`"
        "the points of the index space, row by row";
    Scan "scan" "write `for [y, x] in t.scan(tile([2, 2]))`, an order of the indices"
        "the points of the index space in an order that is part of the meaning";
    Tiles "tiles" "write `for b in t.tiles([4, 4])`, the extents of a tile"
        "the tiles of a tensor, whose extents are multiples of theirs, each a view";
    List "list" "write `let out = Block::external(memory, [capacity]).list();`"
        "an empty list over a block of rank 1, whose extent is the capacity";
    ListFrom "list_from" "write `let out = Block::external(memory, [capacity]).list_from(n);`"
        "a list of the first n elements of a block of rank 1";
    Push "push" "write `list.push(value)`"
        "appends an element to a list";
    PushIf "push_if" "write `list.push_if(condition, value)`"
        "writes an element after the last one of a list, and keeps it if the condition holds";
    Extend "extend" "write `list.extend((0..n).map(|i| value))`, over a range that starts at a constant"
        "appends an element to a list for each number of a range";
    Truncate "truncate" "write `list.truncate(n)`"
        "keeps the first n elements of a list, or all if there are fewer";
    Len "len" "write `list.len()`"
        "the number of elements in a list, a `usize`";
}

names! {
    /// A word of an order of elements: `tile([8, 8]).inner(column_major)`.
    LayoutWord;
    RowMajor "row_major" "write `row_major`"
        "the last axis is contiguous";
    ColumnMajor "column_major" "write `column_major`"
        "the first axis is contiguous";
    Axes "axes" "write `axes([1, 0])`, the axes from the outermost one to the contiguous one"
        "axes in another order";
    Tile "tile" "write `tile([8, 8])`, the extents of a tile"
        "tiles one after another";
    Lanes "lanes" "write `lanes(16)`"
        "n indices of the first axis next to one another, for each index of the others";
    Morton "morton" "write `morton`"
        "the bits of the indices in turn";
    Antidiagonal "antidiagonal" "write `antidiagonal`"
        "one antidiagonal after another";
    Zigzag "zigzag" "write `zigzag`"
        "one antidiagonal after another, in alternating directions";
    Hilbert "hilbert" "write `hilbert`"
        "Hilbert's curve through a square";
    Swizzle "swizzle" "write `swizzle(8)`, a power of two"
        "rows in which the bits of the index along the last axis are changed by those of the row's index modulo n";
    By "by" "write `by(|[y, x]| 4 * x + y)`, the position of each element of a box of static extents"
        "any other order of a box of static extents";
    Outer "outer" "write `tile([8, 8]).outer(column_major)`"
        "the order of the tiles";
    Inner "inner" "write `tile([8, 8]).inner(column_major)`"
        "the order of the elements of a tile";
    Reversed "reversed" "write `row_major.reversed()`"
        "an order backwards";
    Then "then" "write `row_major.then([2, 3, 2, 3], axes([0, 2, 1, 3]))`, the extents of a box and the order of its elements"
        "an order of the positions that another order gives";
}

impl LayoutWord {
    /// Whether it begins an order, and does not change one.
    pub const fn is_order(self) -> bool {
        !matches!(self, LayoutWord::Outer | LayoutWord::Inner | LayoutWord::Reversed | LayoutWord::Then)
    }
}

names! {
    /// A method that ends a chain over indices or a range: std's, and `mask`.
    Consumer;
    Sum "sum" "write `.sum::<i32>()`"
        "the sum of the items";
    SumIn "sum_in" "write `.sum_in::<f32, 8>()`"
        "the sums of every n-th item, added up as a tree: an order that floats keep in vectors";
    Product "product" "write `.product::<i32>()`"
        "the product of the items";
    Min "min" "write `.min()`"
        "the least item, if there is one";
    Max "max" "write `.max()`"
        "the greatest item, if there is one";
    MinByKey "min_by_key" "write `.min_by_key(|item| key)`"
        "the item of the least key, if there is one";
    MaxByKey "max_by_key" "write `.max_by_key(|item| key)`"
        "the item of the greatest key, if there is one";
    Any "any" "write `.any(|item| condition)`"
        "whether the condition is true of an item";
    All "all" "write `.all(|item| condition)`"
        "whether the condition is true of all items";
    Mask "mask" "write `.mask::<u16>(|k| condition)`"
        "an integer whose bit `k` is set where the condition is true of `k`";
    Count "count" "write `.count()`"
        "the number of items";
    ForEach "for_each" "write `.for_each(|item| statement)`"
        "runs a closure for each item";
    Fold "fold" "write `.fold(start, |state, item| next)`"
        "what a closure makes of a state and each item in turn";
}

impl Consumer {
    /// The number of its arguments.
    pub const fn arguments(self) -> usize {
        match self {
            Consumer::Sum
            | Consumer::SumIn
            | Consumer::Product
            | Consumer::Min
            | Consumer::Max
            | Consumer::Count => 0,
            Consumer::MinByKey
            | Consumer::MaxByKey
            | Consumer::Any
            | Consumer::All
            | Consumer::Mask
            | Consumer::ForEach => 1,
            Consumer::Fold => 2,
        }
    }

    /// Whether it takes the type of its result, as in `sum::<i32>()`.
    pub const fn is_typed(self) -> bool {
        matches!(self, Consumer::Sum | Consumer::SumIn | Consumer::Product | Consumer::Mask)
    }
}

names! {
    /// A method of points, which are whole indices: `for p in t.indices()`.
    PointMethod;
    Back "back" "write `p.back(axis, n)`"
        "the point n indices before `p` on an axis";
    Ahead "ahead" "write `p.ahead(axis, n)`"
        "the point n indices behind `p` on an axis";
    Insert "insert" "write `p.insert(axis, k)`"
        "the point with a further axis, on which its index is k";
    Remove "remove" "write `p.remove(axis)`"
        "the point without an axis";
    With "with" "write `p.with(axis, k)`"
        "the point whose index on an axis is k";
    Join "join" "write `p.join(q)`"
        "the point with the axes of `p`, and behind them those of `q`";
    First "first" "write `p.first(n)`"
        "the point on the first n axes";
    Last "last" "write `p.last(n)`"
        "the point on the last n axes";
}

impl PointMethod {
    /// The number of its arguments.
    pub const fn arguments(self) -> usize {
        match self {
            PointMethod::Remove | PointMethod::Join | PointMethod::First | PointMethod::Last => 1,
            PointMethod::Back | PointMethod::Ahead | PointMethod::Insert | PointMethod::With => 2,
        }
    }
}

impl TensorMethod {
    /// What it gives.
    pub const fn kind(self) -> MethodKind {
        match self {
            TensorMethod::Permute
            | TensorMethod::Refine
            | TensorMethod::Coarsen
            | TensorMethod::Slice
            | TensorMethod::Footprint
            | TensorMethod::Coverage
            | TensorMethod::Shifted
            | TensorMethod::Clamped
            | TensorMethod::Dense
            | TensorMethod::Shaped
            | TensorMethod::Or
            | TensorMethod::Reshape
            | TensorMethod::Ravel
            | TensorMethod::Rev
            | TensorMethod::Rotate
            | TensorMethod::Cat
            | TensorMethod::Gather
            | TensorMethod::Cycled
            | TensorMethod::Windows
            | TensorMethod::Take
            | TensorMethod::Drop
            | TensorMethod::Psi
            | TensorMethod::Place
            | TensorMethod::Cast
            | TensorMethod::Boundary
            | TensorMethod::Within
            | TensorMethod::List
            | TensorMethod::ListFrom => MethodKind::View,
            TensorMethod::ToBlock | TensorMethod::ToStack | TensorMethod::Copied | TensorMethod::Select => {
                MethodKind::Copy
            }
            TensorMethod::At
            | TensorMethod::Refined
            | TensorMethod::Coarsened
            | TensorMethod::Permuted
            | TensorMethod::OnAxes
            | TensorMethod::Strided
            | TensorMethod::Stored => MethodKind::Placement,
            TensorMethod::Extent
            | TensorMethod::Origin
            | TensorMethod::OriginIn
            | TensorMethod::Contains
            | TensorMethod::Get
            | TensorMethod::Offset
            | TensorMethod::Prefetch => MethodKind::Query,
            TensorMethod::Indices | TensorMethod::Scan | TensorMethod::Tiles => MethodKind::Indices,
            TensorMethod::Push
            | TensorMethod::PushIf
            | TensorMethod::Extend
            | TensorMethod::Truncate
            | TensorMethod::Len => MethodKind::List,
        }
    }

    /// Whether it changes the number of elements in a list.
    pub const fn changes_length(self) -> bool {
        matches!(self.kind(), MethodKind::List) && !matches!(self, TensorMethod::Len)
    }

    /// Whether it gives a tensor.
    pub const fn makes_tensor(self) -> bool {
        matches!(self.kind(), MethodKind::View | MethodKind::Copy | MethodKind::Placement)
    }

    /// Whether it gives a block over the memory of a tensor, which takes statements to make.
    pub const fn is_over_memory(self) -> bool {
        matches!(
            self,
            TensorMethod::Reshape
                | TensorMethod::Ravel
                | TensorMethod::Rev
                | TensorMethod::Rotate
                | TensorMethod::Cat
                | TensorMethod::Cycled
                | TensorMethod::Windows
        )
    }

    /// Whether it gives a view whose elements have the type of the tensor's.
    pub const fn keeps_type(self) -> bool {
        matches!(self.kind(), MethodKind::View) && !matches!(self, TensorMethod::Cast | TensorMethod::Place)
    }

    /// The names of the methods of some kinds, for the help of an error.
    pub fn listed(kinds: &[MethodKind]) -> String {
        let names = Self::ALL.iter().filter(|method| kinds.contains(&method.kind()));
        names.map(|method| format!("`{}`", method.name())).collect::<Vec<_>>().join(", ")
    }
}
