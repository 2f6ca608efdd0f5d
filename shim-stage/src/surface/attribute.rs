//! Helper attributes inside a kernel, and the options of the kernel's own attribute.

use syn::{Attribute, Path};

use super::method::{MethodKind, TensorMethod};
use super::table::names;

names! {
    /// An attribute inside a kernel.
    HelperAttribute;
    Unroll "unroll" "#[unroll] for k in 0..4 { .. }"
        "a loop of static bounds, its body written once for each value; before a `let` or an assignment, the reductions in it";
    Tabulate "tabulate" "#[tabulate] for [y, x] in out.indices() { out[[y, x]] = ..; }"
        "a block of a few expressions at many places, each computed once for each place";
    Order "order" "#[order(antidiagonal)] for [y, x] in t.indices() { .. }"
        "a nest in the order of a layout";
    Tile "tile" "#[tile([32, 256])] for [y, x] in t.indices() { .. }"
        "a nest tile by tile";
    Reorder "reorder" "#[reorder(x, y)] for [y, x] in t.indices() { .. }"
        "a nest with its variables in this order, the outermost first";
    Wavefront "wavefront" "#[wavefront(2 * y + x)] for [y, x] in t.indices() { .. }"
        "a nest in fronts of one value of the sum";
    Lanes "lanes" "#[lanes(16)] for [y, x] in t.indices() { .. }"
        "so many iterations of the innermost loop at a time, which LLVM makes vectors of";
    Parallel "parallel" "#[parallel] for [y, x] in t.indices() { .. }"
        "the iterations of the outermost loop, or the rows of a wavefront, on threads";
    Copies "copies" "#[copies(4)] for x in 0..n { table[[key[[x]]]] += 1; }"
        "tables of integers that the loop only updates, in so many copies that are added up after it";
    Fuse "fuse" "#[fuse] for [y, x] in t.indices() { .. }"
        "a loop and the next one, of the same length, as one; `#[fuse(lag = 2)]`: the next one, two iterations behind";
    Distribute "distribute" "#[distribute] for [y, x] in t.indices() { .. }"
        "the innermost loop once for each statement of its body, the inverse of `fuse`";
    ComputeAt "compute_at" "#[compute_at('tile)] let s = stage(|[y, x]| ..);"
        "a stage, computed in each iteration of the loop with this label, as far as it is read there; `root` is where the stage is defined";
    StoreAt "store_at" "#[store_at(root)] #[compute_at('row)] let s = stage(|[y, x]| ..);"
        "a stage whose elements stay in memory from one iteration of the loop that computes it to the next";
    StoreIn "store_in" "#[store_in(memory)] #[compute_at(root)] let s = stage(|[y, x]| ..);"
        "a stage whose elements are in a `&mut Vec` of the caller's, which grows where it has fewer";
    Schedule "schedule" "#[schedule(tiled, compute_at('tile), lanes(8))] let s = stage(|[y, x]| ..);"
        "words in the schedule of this name alone, which is one of `#[shim::kernel(schedules(tiled))]`";
    Pure "pure" "#[pure(f, g)] for [y, x] in t.indices() { .. }"
        "functions and methods that only compute: an ordered loop may call them in any order";
    Specialize "specialize" "#[specialize(1 | 2 | 4 | _)] n: usize"
        "a parameter that is static in one version of the kernel for each value; `_` is a version for all others";
    Shape "shape" "#[shape(h, w)] image: &[u8]"
        "a parameter that is a block of these extents";
    Staged "staged" "#[staged] use crate::scan::ZIGZAG;"
        "an import of a `#[shim::constant]` or a `#[shim::layout]`, which is static in the kernel, or of a template without a tensor among its parameters";
    Located "located" "#[located] picture: &Picture"
        "a parameter or a field that is a located struct: its fields with a shape are tensors";
}

names! {
    /// An option of `#[shim::kernel(..)]`.
    KernelOption;
    Simd "simd" "#[shim::kernel(simd(v2, v3, v4))]"
        "versions for instruction sets beside the baseline, of which one is chosen at run time; `simd` alone is `simd(v3, v4)`";
    Checks "checks" "#[shim::kernel(checks = \"hoisted\")]"
        "an access that keeps a bounds check in a loop is an error; `checks = \"every\"` has one at each access, for debugging";
    Schedules "schedules" "#[shim::kernel(schedules(tiled, by_rows))]"
        "functions of the kernel in other schedules, in a module of its name: `blur::tiled`";
    Crate "crate" "#[shim::kernel(crate = path)]"
        "the path of the crate `shim` where it is renamed";
}

impl HelperAttribute {
    /// Whether it stands before a loop.
    pub const fn is_of_loop(self) -> bool {
        matches!(self, HelperAttribute::Unroll | HelperAttribute::Tabulate) || self.is_schedule()
    }

    /// Whether it gives a loop another order.
    pub const fn is_schedule(self) -> bool {
        matches!(
            self,
            HelperAttribute::Order
                | HelperAttribute::Tile
                | HelperAttribute::Reorder
                | HelperAttribute::Wavefront
                | HelperAttribute::Lanes
                | HelperAttribute::Parallel
                | HelperAttribute::Copies
                | HelperAttribute::Fuse
                | HelperAttribute::Distribute
                | HelperAttribute::Pure
                | HelperAttribute::ComputeAt
                | HelperAttribute::StoreAt
                | HelperAttribute::StoreIn
        )
    }

    /// Whether it says when a stage is computed, and where it is stored.
    pub const fn is_of_stage(self) -> bool {
        matches!(self, HelperAttribute::ComputeAt | HelperAttribute::StoreAt | HelperAttribute::StoreIn)
    }

    /// Whether `attribute` gives a loop another order, or unrolls it in part.
    pub fn orders(attribute: &Attribute) -> bool {
        Self::named(attribute).is_some_and(|helper| {
            helper.is_schedule()
                || helper == HelperAttribute::Unroll && !matches!(attribute.meta, syn::Meta::Path(_))
        })
    }

    /// The one that `attribute` is.
    pub fn named(attribute: &Attribute) -> Option<Self> {
        Self::of(attribute.path().get_ident()?)
    }

    /// Whether `attribute` is this one.
    pub fn is(self, attribute: &Attribute) -> bool {
        attribute.path().is_ident(self.name())
    }
}

/// The placement that an attribute of a parameter spells: `#[coarsened(2, 2)]` is `.coarsened([2, 2])`.
pub fn placement(path: &Path) -> Option<TensorMethod> {
    TensorMethod::of(path.get_ident()?).filter(|method| method.kind() == MethodKind::Placement)
}

/// Whether an attribute of this path has a meaning in kernels alone.
pub fn is_helper(path: &Path) -> bool {
    path.get_ident().is_some_and(|name| HelperAttribute::of(name).is_some()) || placement(path).is_some()
}
