//! Orders of a nest, and the file with one of them.

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ItemFn, Pat, Stmt};

/// The words that order a loop.
const WORDS: [&str; 5] = ["order", "tile", "reorder", "wavefront", "unroll"];

/// The nest of a file that is tuned.
pub(crate) struct Nest {
    file: syn::File,
    variables: Vec<String>,
}

/// An order.
#[derive(Clone, Default)]
pub(crate) struct Candidate {
    /// The axes from the outermost to the innermost; none in the order of the source.
    order: Vec<usize>,
    /// Tiles for the caches.
    tiles: Option<Vec<Option<usize>>>,
    /// Small tiles whose loops are unrolled.
    unrolled: Option<Vec<Option<usize>>>,
}

impl Nest {
    /// The first nest of a file with an order attribute.
    pub(crate) fn find(mut file: syn::File) -> Result<Self, String> {
        let mut order = Order { attributes: &[], variables: Vec::new() };
        order.visit_file_mut(&mut file);
        if order.variables.is_empty() {
            return Err("no loop with an order attribute, `#[reorder(y, x)]` for example".to_owned());
        }
        Ok(Self { file, variables: order.variables })
    }

    /// The variables of the loops, the outermost first.
    pub(crate) fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The file with an order of the nest.
    pub(crate) fn with(&self, candidate: &Candidate) -> syn::File {
        let attributes = attributes(&candidate.attributes(self));
        let mut file = self.file.clone();
        // The marker is still there: it is what the order replaces.
        Order { attributes: &attributes, variables: Vec::new() }.visit_file_mut(&mut file);
        file
    }
}

impl Candidate {
    /// Every order of the loops.
    pub(crate) fn orders(&self, nest: &Nest) -> Vec<Self> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in nest.variables() {
            let longer = |axes: &Vec<usize>| {
                let free = (0..nest.variables().len()).filter(|axis| !axes.contains(axis));
                free.map(|axis| [&axes[..], &[axis]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(|order| Self { order, ..self.clone() }).collect()
    }

    /// The order in tiles of several extents.
    pub(crate) fn tiled(&self, nest: &Nest) -> Vec<Self> {
        let tiles = lists(nest.variables().len(), |_| vec![None, Some(16), Some(64), Some(256)]);
        tiles.into_iter().map(|tiles| Self { tiles: Some(tiles), ..self.clone() }).collect()
    }

    /// The order in small tiles, of which all loops but the innermost one are unrolled.
    pub(crate) fn unrolled(&self, nest: &Nest) -> Vec<Self> {
        let rank = nest.variables().len();
        let innermost = self.order.last().copied().unwrap_or(rank - 1);
        let tiles = lists(rank, |axis| {
            if axis == innermost { vec![None] } else { vec![Some(1), Some(2), Some(4), Some(8)] }
        });
        tiles.into_iter().map(|tiles| Self { unrolled: Some(tiles), ..self.clone() }).collect()
    }

    /// The attributes of the order.
    pub(crate) fn attributes(&self, nest: &Nest) -> String {
        let names = |axes: &[usize]| -> String {
            let names: Vec<&str> = axes.iter().map(|axis| nest.variables()[*axis].as_str()).collect();
            names.join(", ")
        };
        let list = |tiles: &[Option<usize>]| -> String {
            let entries: Vec<String> = tiles
                .iter()
                .map(|tile| tile.map_or_else(|| "_".to_owned(), |tile| tile.to_string()))
                .collect();
            entries.join(", ")
        };
        let mut words = Vec::new();
        if let Some(tiles) = &self.tiles {
            words.push(format!("#[tile([{}])]", list(tiles)));
        }
        let rank = nest.variables().len();
        let order = if self.order.is_empty() { (0..rank).collect() } else { self.order.clone() };
        match &self.unrolled {
            None => words.push(format!("#[reorder({})]", names(&order))),
            Some(tiles) => {
                // The loop that is not unrolled runs around the others.
                let (inner, outer): (Vec<usize>, Vec<usize>) =
                    order.into_iter().partition(|axis| tiles[*axis].is_some());
                let copied: Vec<usize> =
                    inner.iter().copied().filter(|axis| tiles[*axis].is_some_and(|tile| tile > 1)).collect();
                words.push(format!("#[tile([{}], peel)]", list(tiles)));
                words.push(format!("#[reorder({})]", names(&[outer, inner].concat())));
                if !copied.is_empty() {
                    words.push(format!("#[unroll({})]", names(&copied)));
                }
            }
        }
        words.join(" ")
    }
}

/// Every list with one of the entries of each axis.
fn lists(rank: usize, entries: impl Fn(usize) -> Vec<Option<usize>>) -> Vec<Vec<Option<usize>>> {
    (0..rank).fold(vec![Vec::new()], |lists, axis| {
        let longer = |list: &Vec<Option<usize>>| {
            entries(axis).into_iter().map(|entry| [&list[..], &[entry]].concat()).collect::<Vec<_>>()
        };
        lists.iter().flat_map(longer).collect()
    })
}

/// Attributes, as they are written.
pub(crate) fn attributes(text: &str) -> Vec<Attribute> {
    syn::parse_str::<Attributes>(text).map(|all| all.0).unwrap_or_default()
}

/// Attributes as a type that can be parsed.
struct Attributes(Vec<Attribute>);

impl syn::parse::Parse for Attributes {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        input.call(Attribute::parse_outer).map(Attributes)
    }
}

/// Gives the first loop with an order attribute others, if there are any, and notes the variables of its nest.
struct Order<'a> {
    attributes: &'a [Attribute],
    variables: Vec<String>,
}

impl Order<'_> {
    fn replace(&mut self, attributes: &mut Vec<Attribute>) -> bool {
        let is_word = |attribute: &Attribute| {
            WORDS.iter().any(|word| attribute.path().is_ident(word))
                && !matches!(attribute.meta, syn::Meta::Path(_))
        };
        if !self.variables.is_empty() || !attributes.iter().any(is_word) {
            return false;
        }
        if !self.attributes.is_empty() {
            attributes.retain(|attribute| !is_word(attribute));
            attributes.extend(self.attributes.iter().cloned());
        }
        true
    }
}

impl VisitMut for Order<'_> {
    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_expr_for_loop_mut(&mut self, for_loop: &mut syn::ExprForLoop) {
        if self.replace(&mut for_loop.attrs) {
            let mut inner = &*for_loop;
            loop {
                variables(&inner.pat, &mut self.variables);
                match &inner.body.stmts[..] {
                    [Stmt::Expr(Expr::ForLoop(next), _)] => inner = next,
                    _ => break,
                }
            }
        }
        visit_mut::visit_expr_for_loop_mut(self, for_loop);
    }

    fn visit_expr_assign_mut(&mut self, assign: &mut syn::ExprAssign) {
        if let Expr::Index(index) = &mut *assign.left
            && self.replace(&mut index.attrs)
            && let Expr::Array(list) = &*index.index
            && let [Expr::Array(entries)] = &list.elems.iter().collect::<Vec<_>>()[..]
        {
            let names = entries.elems.iter().map(|entry| entry.to_token_stream().to_string());
            self.variables = names.collect();
        }
        visit_mut::visit_expr_assign_mut(self, assign);
    }
}

/// The names that a pattern of a loop binds.
pub(crate) fn variables(pattern: &Pat, names: &mut Vec<String>) {
    match pattern {
        Pat::Ident(name) => names.push(name.ident.to_string()),
        Pat::Slice(list) => list.elems.iter().for_each(|entry| variables(entry, names)),
        _ => {}
    }
}
