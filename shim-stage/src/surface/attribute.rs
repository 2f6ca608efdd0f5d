//! Helper attributes inside a kernel, and the options of the kernel's own attribute.

use syn::Attribute;

use super::table::names;

names! {
    /// An attribute inside a kernel.
    HelperAttribute;
    Unroll "unroll" "#[unroll] for k in 0..4 { .. }"
        "a loop of static bounds, its body written once for each value";
    Shape "shape" "#[shape(h, w)] image: &[u8]"
        "a parameter that is a block of these extents";
}

names! {
    /// An option of `#[shim::kernel(..)]`.
    KernelOption;
    Simd "simd" "#[shim::kernel(simd)]"
        "versions for instruction sets beside the baseline, of which one is chosen at run time";
    Checks "checks" "#[shim::kernel(checks = \"every\")]"
        "a bounds check at each access, also where none is needed";
    Crate "crate" "#[shim::kernel(crate = path)]"
        "the path of the crate `shim` where it is renamed";
}

impl HelperAttribute {
    /// Whether `attribute` is this one.
    pub fn is(self, attribute: &Attribute) -> bool {
        attribute.path().is_ident(self.name())
    }
}
