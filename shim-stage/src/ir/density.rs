//! Indices of one tensor that are used for another of another density.

use shim_core::Space;

use super::{Access, Over, Program, SymbolSource};
use crate::symbolic::SymInt;

/// Tensor name for the panic message: the block, the view through which it is accessed, and the tensor of the indices
/// if its density differs.
pub(crate) fn reached(program: &Program, access: &Access) -> String {
    let (block, view) = (&program.buffers[access.view.buffer].name, &access.view.name);
    let tensor = if block == view { block.clone() } else { format!("{block}` through `{view}") };
    match mismatch(program, access) {
        Some(Mismatch { over, elements }) => {
            let (own, other) = (&access.view.name, &over.tensor);
            format!(
                "{tensor}` by indices of `{other}`, which has {elements}; they are those of `{own}[{other}]"
            )
        }
        None => tensor,
    }
}

/// An index that is that of a tensor of another density.
pub(crate) struct Mismatch<'p> {
    /// The tensor.
    pub(crate) over: &'p Over,
    /// Its elements, counted in those of the accessed tensor.
    pub(crate) elements: String,
}

/// The tensor whose indices `access` uses as they are, if its elements are larger or smaller than those of the accessed
/// one.
pub(crate) fn mismatch<'p>(program: &'p Program, access: &Access) -> Option<Mismatch<'p>> {
    let own = &access.view.space.space;
    for (axis, index) in access.index.iter().enumerate() {
        for symbol in index.symbols() {
            let SymbolSource::Loop(id) = program.symbol(&symbol).source else { continue };
            let Some(over) = &program.loops[id].over else { continue };
            // As it is, plus what does not change with it.
            let plain = index.sub(&SymInt::symbol(&symbol));
            if !plain.is_ok_and(|rest| !rest.mentions(&symbol)) {
                continue;
            }
            let Ok(densities) = Space::density(&over.space, own) else { continue };
            let differs =
                |found: &Option<_>| matches!(found, Some((of, num, den)) if *of == over.axis && num != den);
            if !differs(&densities[axis]) {
                continue;
            }
            let factors = |of: fn(&(usize, i64, i64)) -> i64| {
                let factors: Vec<String> =
                    densities.iter().flatten().map(|one| of(one).to_string()).collect();
                factors.join("x")
            };
            let elements = if densities.iter().flatten().all(|(_, num, _)| *num == 1) {
                format!("{} elements for each of its own", factors(|(_, _, den)| *den))
            } else if densities.iter().flatten().all(|(_, _, den)| *den == 1) {
                format!("one element for {} of its own", factors(|(_, num, _)| *num))
            } else {
                "elements of another size".to_owned()
            };
            return Some(Mismatch { over, elements });
        }
    }
    None
}
