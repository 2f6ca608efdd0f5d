//! Layouts of blocks: strides, and orders of elements.

use shim_core::{Curve, Integer, Order};
use syn::{Expr, ExprMethodCall};

use crate::diagnostics::counted;
use crate::ir::Memory;
use crate::static_eval::Value;
use crate::surface::{self, LayoutWord};
use crate::symbolic::SymInt;

use crate::bind::Binder;
use crate::bind::tensors::block::NewBlock;

/// Where a block has its elements, if they are not in row-major order.
pub(in crate::bind) enum BlockLayout {
    /// Neighbors along each axis are so many elements apart.
    Strided(Vec<SymInt>),
    /// The elements follow one another in this order, which was written like this.
    Stored(Order, Box<Expr>),
}

impl Binder<'_> {
    /// `.strided([stride, 3, 1])`: memory with gaps, or in another order.
    pub(in crate::bind) fn strides(
        &mut self,
        block: &mut NewBlock,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<()> {
        let [argument] = self.arguments::<1>(call)?;
        match &block.memory {
            Memory::Slice | Memory::Pointer => {}
            Memory::Rows => {
                self.diagnostics.error(
                    &call.method,
                    "a slice of rows has no strides",
                    "each row is found by itself; what lies behind its columns is never looked at",
                );
                return None;
            }
            _ => {
                self.diagnostics.error(
                    &call.method,
                    "`strided` applies only to memory that exists",
                    "the elements of heap and stack blocks are contiguous; use `Block::external(..)` for memory with gaps",
                );
                return None;
            }
        }
        let Some(list) = surface::list(argument) else {
            self.diagnostics.error(argument, "`strided` takes a list", "write `.strided([stride, 3, 1])`");
            return None;
        };
        if list.len() != block.placement.rank {
            let (strides, axes) =
                (counted(list.len(), "stride", "strides"), counted(block.placement.rank, "axis", "axes"));
            self.diagnostics.error(
                argument,
                format!("{strides} for a block of {axes}"),
                "give one per axis of the block",
            );
            return None;
        }
        let mut strides = Vec::new();
        for (axis, entry) in list.into_iter().enumerate() {
            let stride = self.snapshot(entry, &format!("{hint}_stride{axis}"), true);
            if stride.as_constant().is_some_and(|stride| stride < 0) {
                self.diagnostics.error(
                    entry,
                    "a stride is negative",
                    "a block's first element is the first in memory; to run backwards, count the index down",
                );
                return None;
            }
            strides.push(stride);
        }
        self.lay_out(block, BlockLayout::Strided(strides), call)
    }

    /// `.stored(tile([8, 8]))`: elements in another order.
    pub(in crate::bind) fn stored(&mut self, block: &mut NewBlock, call: &ExprMethodCall) -> Option<()> {
        let [argument] = self.arguments::<1>(call)?;
        if matches!(block.memory, Memory::Rows) {
            self.diagnostics.error(
                &call.method,
                "a slice of rows has no order of elements",
                "each row is a slice of its own; use `Block::external(..)` over contiguous memory",
            );
            return None;
        }
        let extents: Vec<Option<i64>> = block.extents.iter().map(SymInt::as_constant).collect();
        let order = self.order(argument, &extents)?;
        self.lay_out(block, BlockLayout::Stored(order, Box::new(argument.clone())), call)
    }

    fn lay_out(&mut self, block: &mut NewBlock, layout: BlockLayout, call: &ExprMethodCall) -> Option<()> {
        match (block.layout.replace(layout), &block.layout) {
            (Some(BlockLayout::Strided(_)), Some(BlockLayout::Stored(..)))
            | (Some(BlockLayout::Stored(..)), Some(BlockLayout::Strided(_))) => {
                self.diagnostics.error(
                    &call.method,
                    "a block has both strides and an order",
                    "keep `strided` for memory with gaps, or `stored` for elements in another order",
                );
                None
            }
            (earlier, _) => self.once(earlier.is_some(), call),
        }
    }

    /// An order of the elements of a box, whose extents are given where they are static: `tile([8,
    /// 8]).inner(column_major)` and the like.
    pub(in crate::bind) fn order(&mut self, expr: &Expr, extents: &[Option<i64>]) -> Option<Order> {
        let order = self.order_term(expr, extents)?;
        self.report_location_error(order.validate(extents.len()), expr)?;
        Some(order)
    }

    /// The same, before it is known to be one.
    ///
    /// Long: one arm for each word and method of an order.
    fn order_term(&mut self, expr: &Expr, extents: &[Option<i64>]) -> Option<Order> {
        let rank = extents.len();
        match surface::strip_parens(expr) {
            Expr::Path(path) => {
                let word = path.path.get_ident().and_then(LayoutWord::of);
                Some(match word {
                    Some(LayoutWord::RowMajor) => Order::RowMajor,
                    Some(LayoutWord::ColumnMajor) => Order::ColumnMajor,
                    Some(LayoutWord::Morton) => Order::Morton,
                    Some(LayoutWord::Antidiagonal) => Order::Curve(Curve::Antidiagonal),
                    Some(LayoutWord::Zigzag) => Order::Curve(Curve::Zigzag),
                    Some(LayoutWord::Hilbert) => Order::Curve(Curve::Hilbert),
                    _ => return self.no_order(expr, word),
                })
            }
            Expr::Call(call) => {
                let Expr::Path(path) = surface::strip_parens(&call.func) else {
                    return self.no_order(expr, None);
                };
                let word = path.path.get_ident().and_then(LayoutWord::of);
                let [argument] = &call.args.iter().collect::<Vec<_>>()[..] else {
                    return self.no_order(expr, word);
                };
                match word {
                    Some(LayoutWord::Axes) => {
                        let axes = self.order_list(argument, rank, LayoutWord::Axes)?;
                        let mut order = Vec::new();
                        for axis in axes {
                            let Ok(axis) = usize::try_from(axis) else {
                                self.diagnostics.error(
                                    argument,
                                    format!("axis {axis} is out of range for a block of rank {rank}"),
                                    "axes are counted from 0",
                                );
                                return None;
                            };
                            order.push(axis);
                        }
                        Some(Order::Axes(order))
                    }
                    Some(LayoutWord::Tile) => self.tile_order(argument, rank),
                    Some(LayoutWord::Lanes) => {
                        Some(Order::Lanes(self.static_integer(argument, "a number of lanes")?))
                    }
                    Some(LayoutWord::Swizzle) => {
                        Some(Order::Swizzle(self.static_integer(argument, "the modulus of a swizzle")?))
                    }
                    Some(LayoutWord::By) => self.order_by(argument, extents),
                    _ => self.no_order(expr, word),
                }
            }
            Expr::MethodCall(call) => {
                let word = LayoutWord::of(&call.method);
                let given: Vec<&Expr> = call.args.iter().collect();
                match (word, &given[..]) {
                    (Some(LayoutWord::Reversed), []) => {
                        Some(Order::Reversed(Box::new(self.order_term(&call.receiver, extents)?)))
                    }
                    (Some(LayoutWord::Then), [of_box, second]) => {
                        let first = Box::new(self.order_term(&call.receiver, extents)?);
                        let of_box = self.order_extents(of_box)?;
                        let known: Vec<Option<i64>> = of_box.iter().copied().map(Some).collect();
                        let second = Box::new(self.order_term(second, &known)?);
                        Some(Order::Then { first, extents: of_box, second })
                    }
                    (Some(word @ (LayoutWord::Outer | LayoutWord::Inner)), [order]) => {
                        let Order::Tile { extents: tile, mut outer, mut inner } =
                            self.order_term(&call.receiver, extents)?
                        else {
                            self.diagnostics.error(
                                &call.method,
                                format!("`{}` of an order without tiles", word.name()),
                                word.usage(),
                            );
                            return None;
                        };
                        if word == LayoutWord::Inner {
                            let own: Vec<Option<i64>> = tile.iter().copied().map(Some).collect();
                            *inner = self.order_term(order, &own)?;
                        } else {
                            let tiles = |(extent, tile): (&Option<i64>, &i64)| {
                                extent.and_then(|extent| extent.ceil_div(*tile).ok())
                            };
                            let tiles: Vec<Option<i64>> = extents.iter().zip(&tile).map(tiles).collect();
                            *outer = self.order_term(order, &tiles)?;
                        }
                        Some(Order::Tile { extents: tile, outer, inner })
                    }
                    _ => self.no_order(expr, word),
                }
            }
            _ => self.no_order(expr, None),
        }
    }

    /// The order in which a closure gives each element its position.
    fn order_by(&mut self, closure: &Expr, extents: &[Option<i64>]) -> Option<Order> {
        let Expr::Closure(written) = surface::strip_parens(closure) else {
            return self.no_order(closure, Some(LayoutWord::By));
        };
        let Some(extents) = extents.iter().copied().collect::<Option<Vec<i64>>>() else {
            self.diagnostics.error(
                closure,
                "`by` is an order of a box of static extents",
                "unroll the loop, or write it as the order of the elements of a tile: `tile([4, 4]).inner(by(..))`",
            );
            return None;
        };
        let positions = self.values_at(&extents, written, "by")?;
        let mut next = positions.into_iter().map(|value| match value {
            Value::Int(int) => i64::try_from(int.value).unwrap_or(-1),
            _ => -1,
        });
        let order = Order::from_fn(&extents, |_| next.next().unwrap_or(-1));
        self.report_location_error(order, &written.body)
    }

    /// Tiles of the extents in a list.
    fn tile_order(&mut self, list: &Expr, rank: usize) -> Option<Order> {
        Some(Order::tile(&self.order_list(list, rank, LayoutWord::Tile)?))
    }

    /// A list with an entry for each axis.
    fn order_list(&mut self, list: &Expr, rank: usize, word: LayoutWord) -> Option<Vec<i64>> {
        let entries = self.order_extents(list)?;
        if entries.len() != rank {
            let (given, axes) = (counted(entries.len(), "entry", "entries"), counted(rank, "axis", "axes"));
            self.diagnostics.error(
                list,
                format!("{given} in `{}` for a box of {axes}", word.name()),
                "give one per axis",
            );
            return None;
        }
        Some(entries)
    }

    fn order_extents(&mut self, list: &Expr) -> Option<Vec<i64>> {
        let Some(entries) = surface::list(list) else {
            self.diagnostics.error(
                list,
                "an order takes a list that is written out",
                LayoutWord::Tile.usage(),
            );
            return None;
        };
        entries.into_iter().map(|entry| self.static_integer(entry, "an entry of an order")).collect()
    }

    fn no_order(&mut self, expr: &Expr, word: Option<LayoutWord>) -> Option<Order> {
        match word {
            Some(word) => {
                let message = format!("malformed arguments of `{}`", word.name());
                self.diagnostics.error(expr, message, word.usage());
            }
            None => {
                let orders = LayoutWord::ALL.iter().filter(|word| word.is_order());
                let orders: Vec<String> = orders.map(|word| format!("`{}`", word.name())).collect();
                let help = format!("the orders are {}", orders.join(", "));
                self.diagnostics.error(expr, "expected an order of elements", help);
            }
        }
        None
    }
}
