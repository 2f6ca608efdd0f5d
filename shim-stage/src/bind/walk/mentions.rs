//! Names of the surface language that were used, whose imports are then no unused ones.

use syn::{ExprPath, Path};

use crate::ir::Surface;

use crate::bind::Binder;

impl Binder<'_> {
    /// Notes that `Block` was used under this path, so that its import is no unused one.
    pub(in crate::bind) fn mention(&mut self, path: &ExprPath) {
        // `Block` itself, without `::external`; inside a template the path is the template's.
        if self.templates.in_template {
            return;
        }
        let mut block = path.path.clone();
        block.segments.pop();
        // What is left ends in the separator, which no path does.
        block.segments.pop_punct();
        let mention = Path { leading_colon: block.leading_colon, segments: block.segments };
        self.mention_path(mention, Surface::Block);
    }

    /// Notes that `iters` or a boundary rule was used.
    pub(in crate::bind) fn mention_item(&mut self, path: &ExprPath, surface: Surface) {
        if !self.templates.in_template {
            self.mention_path(path.path.clone(), surface);
        }
    }

    fn mention_path(&mut self, mut path: Path, surface: Surface) {
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        let text = crate::link::text(&path);
        if !self.program.mentions.iter().any(|(known, _)| crate::link::text(known) == text) {
            self.program.mentions.push((path, surface));
        }
    }
}
