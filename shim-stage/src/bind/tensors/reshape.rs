//! `t.reshape([16, 4])`: the elements of a block under other indices.

use std::rc::Rc;

use quote::ToTokens;
use shim_core::{Layout, TensorSpace};
use syn::ExprMethodCall;

use crate::diagnostics::counted;
use crate::ir::{Addressing, Memory, View};
use crate::surface::{self, TensorMethod};
use crate::symbolic::SymInt;

use crate::bind::tensors::placement::Placement;
use crate::bind::{Binder, MAX_RANK};

impl Binder<'_> {
    /// Whether the indices of a view are those of its block.
    pub(in crate::bind) fn is_whole(&self, view: &View) -> bool {
        let own = &self.program.buffers[view.buffer].space;
        own.space.same(&view.space.space) && own.extents == view.space.extents
    }

    /// The tensor that a call of `reshape` makes.
    ///
    /// Long: the conditions of a reshape in the order in which they are reported.
    pub(in crate::bind) fn reshape(
        &mut self,
        base: &Rc<View>,
        call: &ExprMethodCall,
        hint: &str,
    ) -> Option<Rc<View>> {
        let [list] = self.arguments::<1>(call)?;
        if self.is_place(base) {
            self.reject_place(base, &call.receiver);
            return None;
        }
        if base.boundary.is_some() || base.within.is_some() {
            let rule = if base.within.is_some() { "within" } else { "boundary" };
            self.diagnostics.error(
                &call.method,
                format!("`reshape` of a tensor with `{rule}`"),
                format!("it is about indices that the new tensor does not have: write `.{rule}(..)` behind `.reshape(..)`"),
            );
            return None;
        }
        let buffer = &self.program.buffers[base.buffer];
        let own = buffer.space.clone();
        let owned = buffer.memory.is_owned();
        let layout = match &buffer.addressing {
            Addressing::Flat(layout) => Some(layout.clone()),
            Addressing::Rows => None,
        };
        let whole = self.is_whole(base);
        let Some(layout) = layout.filter(|_| whole) else {
            let message = if whole {
                "`reshape` of a slice of rows".to_owned()
            } else {
                format!(
                    "`reshape` of a part of a block, or of other indices of it than its own: `{}`",
                    base.name
                )
            };
            let help = "copy it, as in `t[[0..4, 0..4]].to_block().copied()`, and reshape the copy";
            self.diagnostics.error_in_call(&call.method, message, help);
            return None;
        };
        let Some(entries) = surface::list(list) else {
            self.diagnostics.error(
                list,
                "`reshape` takes a list of extents that is written out",
                TensorMethod::Reshape.usage(),
            );
            return None;
        };
        if entries.is_empty() || entries.len() > MAX_RANK {
            let axes = counted(entries.len(), "axis", "axes");
            self.diagnostics.error(list, format!("`reshape` to {axes}"), "a tensor has 1 to 8 axes");
            return None;
        }
        let extents: Vec<SymInt> = entries
            .into_iter()
            .enumerate()
            .map(|(axis, entry)| self.snapshot(entry, &format!("{hint}_extent{axis}"), true))
            .collect();
        if extents.iter().any(|extent| extent.as_constant().is_some_and(|extent| extent < 0)) {
            let help = "an extent is the number of indices of an axis";
            self.diagnostics.error_in_call(list, "an extent is negative", help);
            return None;
        }
        let count = |extents: &[SymInt]| {
            extents.iter().try_fold(1_i64, |count, extent| count.checked_mul(extent.as_constant()?))
        };
        if let (Some(from), Some(to)) = (count(&own.extents), count(&extents))
            && from != to
        {
            let (elements, wanted) = (counted(from as usize, "element", "elements"), to);
            self.diagnostics.error_in_call(
                list,
                format!("`{}` has {elements}, a tensor of these extents {wanted}", base.name),
                "`reshape` keeps the number of elements",
            );
            return None;
        }
        let Ok(layout) = Layout::reshaped(&layout, &own.extents, &extents) else {
            self.diagnostics.error_in_call(
                call,
                format!("`reshape` of `{}`, whose elements are not in row-major order", base.name),
                "give it and the new tensor static extents, or copy it: `t.to_block().copied().reshape(..)`",
            );
            return None;
        };
        let space = Placement::new(extents.len()).in_root().place_in(&self.tensors.root_space);
        let space =
            TensorSpace { space: self.report_location_error(space, call.to_token_stream())?, extents };
        self.assume_extents(&space);
        let memory = Memory::Reshaped { of: base.buffer, owned };
        let made = self.store_with(hint, memory, None, space, Addressing::Flat(layout), None);
        Some(Rc::new(View { casts: base.casts.clone(), ..(*made).clone() }))
    }
}
