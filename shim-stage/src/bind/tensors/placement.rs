//! Where blocks and runtime tensors lie in the root space.

use quote::ToTokens;
use shim_core::{DeclaredAxis, Link, LocationError, Space};
use syn::{Expr, ExprMethodCall};

use crate::diagnostics::counted;
use crate::surface::{self, TensorMethod};
use crate::symbolic::SymInt;

use crate::bind::{Binder, MAX_RANK};

/// The place of a block in the root space, as far as it was given.
pub(in crate::bind) struct Placement {
    pub(in crate::bind) rank: usize,
    pub(in crate::bind) at: Option<Vec<SymInt>>,
    axes: Option<Vec<usize>>,
    permutation: Option<Vec<usize>>,
    refinement: Option<Vec<i64>>,
    coarsening: Option<Vec<i64>>,
}

impl Placement {
    /// At the origin of the root space, in its density.
    pub(in crate::bind) fn new(rank: usize) -> Self {
        Self { rank, at: None, axes: None, permutation: None, refinement: None, coarsening: None }
    }

    /// The placement of the location algebra.
    pub(in crate::bind) fn in_root(&self) -> shim_core::Placement<SymInt> {
        let mut placement = shim_core::Placement::new(self.rank);
        if let Some(axes) = &self.axes {
            placement = placement.on_axes(axes);
        }
        if let Some(permutation) = &self.permutation {
            placement = placement.permuted(permutation);
        }
        if let Some(factors) = &self.refinement {
            placement = placement.refined(factors);
        }
        if let Some(factors) = &self.coarsening {
            placement = placement.coarsened(factors);
        }
        if let Some(origin) = &self.at {
            placement = placement.at(origin);
        }
        placement
    }

    /// The space of a tensor that begins at `origin`, a coordinate for each of its axes, and how these lie in the root
    /// space.
    pub(in crate::bind) fn with_origin(
        &self,
        root: &Space<SymInt>,
        origin: &[SymInt],
    ) -> Result<(Space<SymInt>, Vec<DeclaredAxis>), LocationError> {
        let Link { permutation, refinement, coarsening, .. } = self.in_root().link_in(root)?;
        let placement = shim_core::Placement::new(self.rank).on_axes(&permutation).at(origin);
        let space = placement.refined(&refinement).coarsened(&coarsening).place_in(root)?;
        let factors = refinement.into_iter().zip(coarsening);
        let declared = permutation.into_iter().zip(factors).map(|(axis, (r, c))| (axis, r, c)).collect();
        Ok((space, declared))
    }
}

impl Binder<'_> {
    /// One of the methods that place a block along axes of the root space.
    pub(in crate::bind) fn place_along(
        &mut self,
        block: &mut Placement,
        call: &ExprMethodCall,
        method: TensorMethod,
        hint: &str,
    ) -> Option<()> {
        match method {
            TensorMethod::At => self.placed_at(block, call, hint),
            TensorMethod::Permuted | TensorMethod::OnAxes => self.placed_on_axes(block, call, method),
            _ => self.placed_by_factors(block, call, method),
        }
    }

    /// `.at([y, x])` or `.at(place)`.
    fn placed_at(&mut self, block: &mut Placement, call: &ExprMethodCall, hint: &str) -> Option<()> {
        let rank = block.rank;
        let [argument] = self.arguments::<1>(call)?;
        if self.is_place_expr(argument) {
            let at = self.origin_of_place(argument, rank)?;
            return self.once(block.at.replace(at).is_some(), call);
        }
        let Some(list) = surface::list(argument) else {
            self.diagnostics.error(
                argument,
                "`at` takes a list or a place",
                "write `.at([y, x])`, or `.at(place)` with a `Place<N>` of the block's rank",
            );
            return None;
        };
        self.entry_per_axis((list.len(), "coordinate", "coordinates"), rank, argument)?;
        let names = ["row", "col"];
        let mut at = Vec::new();
        for (axis, entry) in list.into_iter().enumerate() {
            let axis_name = if rank == 2 { names.get(axis).copied().unwrap_or("at") } else { "at" };
            at.push(self.snapshot(entry, &format!("{hint}_{axis_name}"), false));
        }
        self.once(block.at.replace(at).is_some(), call)
    }

    /// Reports a list that does not have one entry per axis of a block.
    fn entry_per_axis(
        &mut self,
        (found, one, many): (usize, &str, &str),
        rank: usize,
        list: &impl ToTokens,
    ) -> Option<()> {
        if found != rank {
            self.diagnostics.error(
                list,
                format!("{} for a block of {}", counted(found, one, many), counted(rank, "axis", "axes")),
                "give one per axis of the block",
            );
        }
        (found == rank).then_some(())
    }

    /// The entries of a list of constants, one per axis.
    fn per_axis<'c>(
        &mut self,
        call: &'c ExprMethodCall,
        method: TensorMethod,
        rank: usize,
    ) -> Option<Vec<(i64, &'c Expr)>> {
        let values = self.integers(call, &format!("an entry of `{}`", method.name()))?;
        self.entry_per_axis((values.len(), "entry", "entries"), rank, &call.args)?;
        Some(values)
    }

    /// `.permuted([1, 0])` or `.on_axes([1, 2])`.
    fn placed_on_axes(
        &mut self,
        block: &mut Placement,
        call: &ExprMethodCall,
        method: TensorMethod,
    ) -> Option<()> {
        let (name, rank) = (method.name(), block.rank);
        let permuted = method == TensorMethod::Permuted;
        let limit = if permuted { rank } else { MAX_RANK };
        let mut axes = Vec::new();
        for (value, entry) in self.per_axis(call, method, rank)? {
            match usize::try_from(value) {
                Ok(axis) if axis < limit && !axes.contains(&axis) => axes.push(axis),
                Ok(axis) if axis < limit => {
                    let message = format!("`{name}` names axis {axis} twice");
                    self.diagnostics.error(entry, message, "name each axis once");
                    return None;
                }
                _ => {
                    let message = if permuted {
                        format!("axis {value} is out of range for a block of rank {limit}")
                    } else {
                        format!("axis {value} is out of range: the root space has at most {limit} axes")
                    };
                    self.diagnostics.error(entry, message, "axes are counted from 0");
                    return None;
                }
            }
        }
        if !permuted && let Some(greatest) = axes.iter().max() {
            let calls = self.diagnostics.calls().to_vec();
            self.tensors.root_axes.push((*greatest, call.args.to_token_stream(), calls));
        }
        let slot = if permuted { &mut block.permutation } else { &mut block.axes };
        let again = slot.replace(axes).is_some();
        self.once(again, call)
    }

    /// `.refined([2, 2])` or `.coarsened([2, 2])`.
    fn placed_by_factors(
        &mut self,
        block: &mut Placement,
        call: &ExprMethodCall,
        method: TensorMethod,
    ) -> Option<()> {
        let values = self.per_axis(call, method, block.rank)?;
        self.positive(&values)?;
        let other = if method == TensorMethod::Refined { &block.coarsening } else { &block.refinement };
        if let Some(other) = other
            && let Some(((value, entry), other)) =
                values.iter().zip(other).find(|((value, _), other)| *value > 1 && **other > 1)
        {
            let (refined, coarsened) =
                if method == TensorMethod::Refined { (value, other) } else { (other, value) };
            self.diagnostics.error(
                entry,
                format!("one axis is refined by {refined} and coarsened by {coarsened} at once"),
                "a block has one density: keep the factor that tells it, or coarsen the block and refine a view of it",
            );
            return None;
        }
        let values: Vec<i64> = values.into_iter().map(|(value, _)| value).collect();
        let slot =
            if method == TensorMethod::Refined { &mut block.refinement } else { &mut block.coarsening };
        let again = slot.replace(values).is_some();
        self.once(again, call)
    }

    pub(in crate::bind) fn once(&mut self, again: bool, call: &ExprMethodCall) -> Option<()> {
        if again {
            self.diagnostics.error(
                &call.method,
                format!("`{}` is given twice for one block", call.method),
                "a block is placed once; what is composed of several steps is a view",
            );
            return None;
        }
        Some(())
    }
}
