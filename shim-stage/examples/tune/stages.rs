//! Schedules of stages: where each is computed, and the tiles of the loop that reads them.

use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Meta};

use super::candidate::{attributes, variables};

/// The words that say where a stage is computed.
const WORDS: [&str; 2] = ["compute_at", "store_at"];

/// A pipeline whose schedule is tuned: a file, the names of its stages with a word, and the loop with a labeled tile.
pub(crate) struct Pipeline {
    file: syn::File,
    stages: Vec<String>,
    label: String,
    rank: usize,
}

/// Where a stage is computed.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    /// Where it is read.
    Inline,
    /// At its definition.
    Root,
    /// In each tile.
    Tile,
    /// In each tile what no tile before computed.
    Sliding,
}

const LEVELS: [Level; 4] = [Level::Inline, Level::Root, Level::Tile, Level::Sliding];

/// The tiles of the loop.
#[derive(Clone, PartialEq)]
enum Tiles {
    /// Of these extents; none is the whole axis.
    One(Vec<Option<usize>>),
    /// Rows, in parts of so many elements: those of all rows at one place follow one another.
    Chunks(usize),
}

/// A schedule.
#[derive(Clone)]
pub(crate) struct Schedule {
    levels: Vec<Level>,
    tiles: Tiles,
}

impl Pipeline {
    /// The pipeline of a file, if it has a stage with a word and a loop with a labeled tile.
    pub(crate) fn find(file: &syn::File) -> Option<Self> {
        let mut search = Words { schedule: None, label: "", stages: Vec::new(), found: None };
        search.visit_file_mut(&mut file.clone());
        let (label, rank) = search.found?;
        let stages = search.stages;
        (!stages.is_empty()).then(|| Self { file: file.clone(), stages, label, rank })
    }

    /// The stages and the label, for the first line of the output.
    pub(crate) fn shown(&self) -> String {
        format!("stages {}, computed at {}", self.stages.join(", "), self.label)
    }

    /// The schedule that a search begins with.
    pub(crate) fn first(&self) -> Schedule {
        Schedule { levels: vec![Level::Inline; self.stages.len()], tiles: self.rows(1) }
    }

    fn rows(&self, extent: usize) -> Tiles {
        let mut tile = vec![None; self.rank];
        tile[self.rank.saturating_sub(2)] = Some(extent);
        Tiles::One(tile)
    }

    /// All stages at one level, in a few tiles.
    pub(crate) fn levels(&self, _: &Schedule) -> Vec<Schedule> {
        let tiles = [self.rows(1), self.rows(8), self.tile(32, 256)];
        let mut all = Vec::new();
        // The search begins with the first one.
        for level in &LEVELS[1..] {
            let tiles = if *level == Level::Root { &tiles[..1] } else { &tiles };
            all.extend(
                tiles
                    .iter()
                    .map(|tiles| Schedule { levels: vec![*level; self.stages.len()], tiles: tiles.clone() }),
            );
        }
        all
    }

    fn tile(&self, rows: usize, columns: usize) -> Tiles {
        let Tiles::One(mut tile) = self.rows(rows) else { unreachable!("rows are one tile") };
        tile[self.rank - 1] = Some(columns);
        Tiles::One(tile)
    }

    /// The same levels in many tiles.
    pub(crate) fn tiles(&self, best: &Schedule) -> Vec<Schedule> {
        let mut tiles: Vec<Tiles> = [1, 2, 4, 8, 16, 32, 64].map(|extent| self.rows(extent)).into();
        if self.rank > 1 {
            for rows in [8, 32, 128] {
                tiles.extend([64, 256, 1024].map(|columns| self.tile(rows, columns)));
            }
            tiles.extend([256, 512, 1024, 2048].map(Tiles::Chunks));
        }
        tiles.into_iter().map(|tiles| Schedule { tiles, ..best.clone() }).collect()
    }

    /// Each stage at each of the other levels, the rest as it is.
    pub(crate) fn each(&self, best: &Schedule) -> Vec<Schedule> {
        let mut all = Vec::new();
        for stage in 0..self.stages.len() {
            for level in LEVELS.into_iter().filter(|level| *level != best.levels[stage]) {
                let mut schedule = best.clone();
                schedule.levels[stage] = level;
                all.push(schedule);
            }
        }
        all
    }

    /// The file with a schedule.
    pub(crate) fn with(&self, schedule: &Schedule) -> syn::File {
        let mut file = self.file.clone();
        let mut words =
            Words { schedule: Some(schedule), label: &self.label, stages: Vec::new(), found: None };
        words.visit_file_mut(&mut file);
        file
    }

    /// The attributes of a schedule, those of each stage and those of the loop.
    pub(crate) fn attributes(&self, schedule: &Schedule) -> String {
        let mut lines: Vec<String> = self
            .stages
            .iter()
            .zip(&schedule.levels)
            .map(|(stage, level)| match level {
                Level::Inline => format!("{stage}: no word"),
                level => format!("{stage}: {}", level.attributes(&self.label)),
            })
            .collect();
        lines.push(format!("loop: {}", schedule.tiles.attributes(&self.label, self.rank)));
        lines.join("  ")
    }
}

impl Level {
    fn attributes(self, label: &str) -> String {
        match self {
            Level::Inline => String::new(),
            Level::Root => "#[compute_at(root)]".to_owned(),
            Level::Tile => format!("#[compute_at({label})]"),
            Level::Sliding => format!("#[store_at(root)] #[compute_at({label})]"),
        }
    }
}

impl Tiles {
    fn attributes(&self, label: &str, rank: usize) -> String {
        let tile = |extents: &[Option<usize>], label: &str| {
            let entries: Vec<String> =
                extents.iter().map(|own| own.map_or_else(|| "_".to_owned(), |own| own.to_string())).collect();
            format!("#[tile([{}], {label})]", entries.join(", "))
        };
        match self {
            Tiles::One(extents) => tile(extents, label),
            Tiles::Chunks(count) => {
                let (mut row, mut chunk) = (vec![None; rank], vec![None; rank]);
                row[rank - 2] = Some(1);
                chunk[rank - 1] = Some(*count);
                format!("{} {}", tile(&row, &format!("{label}_row")), tile(&chunk, label))
            }
        }
    }
}

/// Gives stages and their loop the words of a schedule, if there is one, and notes what they are.
struct Words<'a> {
    schedule: Option<&'a Schedule>,
    label: &'a str,
    stages: Vec<String>,
    /// The label and the rank of the loop.
    found: Option<(String, usize)>,
}

impl VisitMut for Words<'_> {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let is_word = |attribute: &Attribute| WORDS.iter().any(|word| attribute.path().is_ident(word));
        let mut name = &local.pat;
        if let syn::Pat::Type(typed) = name {
            name = &typed.pat;
        }
        if let syn::Pat::Ident(name) = name
            && local.attrs.iter().any(is_word)
        {
            if let Some(schedule) = self.schedule {
                let level = schedule.levels[self.stages.len()];
                local.attrs.retain(|attribute| !is_word(attribute));
                local.attrs.extend(attributes(&level.attributes(self.label)));
            }
            self.stages.push(name.ident.to_string());
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_for_loop_mut(&mut self, for_loop: &mut syn::ExprForLoop) {
        if self.found.is_none()
            && let Some(label) = for_loop.attrs.iter().find_map(label_of_tile)
        {
            let mut names = Vec::new();
            variables(&for_loop.pat, &mut names);
            self.found = Some((label, names.len()));
            if let Some(schedule) = self.schedule {
                for_loop.attrs.retain(|attribute| label_of_tile(attribute).is_none());
                // The outermost tile is the first.
                let tiles = attributes(&schedule.tiles.attributes(self.label, names.len()));
                for_loop.attrs.splice(0..0, tiles);
            }
        }
        visit_mut::visit_expr_for_loop_mut(self, for_loop);
    }
}

/// `'l` of `#[tile([..], 'l)]`.
fn label_of_tile(attribute: &Attribute) -> Option<String> {
    let Meta::List(list) = &attribute.meta else { return None };
    if !list.path.is_ident("tile") {
        return None;
    }
    let text = list.tokens.to_string();
    let label: String =
        text.split_once('\'')?.1.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(format!("'{label}"))
}
