//! Orders of loops that the compiler accepts keep every dependence, by brute force over the points of a box.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;
use shim_core::{Curve, Layout, Order, orders};

const EXTENTS: [i64; 2] = [9, 11];

/// An order as an attribute, and the position at which it visits a point. Points of one front have one position.
struct Schedule {
    attribute: TokenStream,
    position: Box<dyn Fn([i64; 2]) -> i64>,
}

fn schedules() -> Vec<Schedule> {
    let tile = |extents: [i64; 2], outer: Order, inner: Order| Order::Tile {
        extents: extents.to_vec(),
        outer: Box::new(outer),
        inner: Box::new(inner),
    };
    let antidiagonal = || Order::Curve(Curve::Antidiagonal);
    let orders = [
        (quote!(#[order(row_major)]), Order::RowMajor),
        (quote!(#[reorder(x, y)]), Order::ColumnMajor),
        (quote!(#[tile([2, 3])]), Order::tile(&[2, 3])),
        (quote!(#[tile([1, 4])]), Order::tile(&[1, 4])),
        (
            quote!(#[order(tile([4, 4]).outer(column_major).inner(antidiagonal))]),
            tile([4, 4], Order::ColumnMajor, antidiagonal()),
        ),
        (quote!(#[order(row_major.reversed())]), Order::Reversed(Box::new(Order::RowMajor))),
        (
            quote!(#[order(tile([3, 3]).inner(row_major.reversed()))]),
            tile([3, 3], Order::RowMajor, Order::Reversed(Box::new(Order::RowMajor))),
        ),
        (quote!(#[order(antidiagonal)]), antidiagonal()),
    ];
    let orders = orders.into_iter().map(|(attribute, order)| {
        let layout = order.layout(&EXTENTS).expect("an order of this box");
        Schedule { attribute, position: Box::new(move |at| layout.offset(&at).expect("a point of the box")) }
    });
    let fronts = (1..4_i64).map(|slope| {
        let factor = proc_macro2::Literal::i64_unsuffixed(slope);
        let attribute = quote!(#[wavefront(#factor * y + x)]);
        Schedule { attribute, position: Box::new(move |[y, x]| slope * y + x) }
    });
    orders.chain(fronts).collect()
}

/// Whether each two points at a distance are visited in the sequence of their source, and not in one front.
fn keeps(schedule: &Schedule, [dy, dx]: [i64; 2]) -> bool {
    let inside = |[y, x]: [i64; 2]| (0..EXTENTS[0]).contains(&y) && (0..EXTENTS[1]).contains(&x);
    let points = (0..EXTENTS[0]).flat_map(|y| (0..EXTENTS[1]).map(move |x| [y, x]));
    points.map(|[y, x]| ([y, x], [y + dy, x + dx])).filter(|(_, to)| inside(*to)).all(|(from, to)| {
        let [before, after] = [from, to].map(|at| (schedule.position)(at));
        (dy, dx) == (0, 0) || before.cmp(&after) == from.cmp(&to)
    })
}

fn accepts(attribute: &TokenStream, body: &TokenStream) -> bool {
    let kernel = quote! {
        fn k(#[shape(h, w)] t: &mut [u32], h: usize, w: usize) {
            let zero = t.boundary(Fill(0));
            #attribute
            for [y, x] in t.indices() { #body }
        }
    };
    !shim_stage::kernel(TokenStream::new(), kernel).to_string().contains("compile_error")
}

#[test]
fn accepted_orders_keep_every_dependence() {
    let (mut accepted, mut rejected, mut careful) = (0, 0, 0);
    for schedule in schedules() {
        for [dy, dx] in (-2..3_i64).flat_map(|dy| (-2..3_i64).map(move |dx| [dy, dx])) {
            let [y, x] = [dy, dx].map(proc_macro2::Literal::i64_unsuffixed);
            // The element that is read is written `[-dy, -dx]` iterations later, or was that long before.
            let bodies = [
                quote!(t[[y, x]] = zero[[y + #y, x + #x]];),
                quote!(t[[y, x]] += 1; t[[y, x]] ^= zero.get([y + #y, x + #x]).unwrap_or(3);),
                quote!(t[[y + 2, x + 2]] = zero[[y + 2 + #y, x + 2 + #x]];),
            ];
            let kept = keeps(&schedule, [-dy, -dx]);
            for body in bodies {
                let accepts = accepts(&schedule.attribute, &body);
                assert!(!accepts || kept, "{} over {body} of [{dy}, {dx}]", schedule.attribute);
                accepted += usize::from(accepts);
                rejected += usize::from(!accepts && !kept);
                careful += usize::from(!accepts && kept);
            }
        }
    }
    println!("{accepted} accepted, {rejected} rejected, {careful} rejected though the box keeps them");
    assert!(accepted > 300 && rejected > 150 && careful == 0, "{accepted}, {rejected}, {careful}");
}

/// What `wavefront` of each slope is for.
#[test]
fn slopes_of_wavefronts() {
    let left_and_top = quote!(t[[y, x]] = zero[[y, x - 1]] ^ zero[[y - 1, x]];);
    let top_right = quote!(t[[y, x]] = zero[[y, x - 1]] ^ zero[[y - 1, x + 1]];);
    let one = quote!(#[wavefront(y + x)]);
    let two = quote!(#[wavefront(2 * y + x)]);
    assert!(accepts(&one, &left_and_top) && accepts(&two, &left_and_top));
    assert!(!accepts(&one, &top_right) && accepts(&two, &top_right));
    let two_to_the_right = quote!(t[[y, x]] = zero[[y - 1, x + 2]];);
    assert!(
        !accepts(&two, &two_to_the_right) && accepts(&quote!(#[wavefront(3 * y + x)]), &two_to_the_right)
    );
}

/// Pseudorandom numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

type Point = Vec<i64>;

/// A word, and the sequence in which it visits a box. Points with one key are in any order.
enum Words {
    Reorder(Vec<usize>),
    Reversed,
    Wavefront(i64),
    Tile(Vec<Option<i64>>, &'static str, Option<Vec<usize>>, Option<Vec<usize>>),
    /// An order of a box of constant extents, as it is written, and its layout.
    Listed(String, Layout<i64>),
    /// Others, and so many lanes of their innermost loop.
    Lanes(Box<Words>, i64),
    /// Others, their outermost loop or the points of their fronts in tasks.
    Parallel(Box<Words>),
    /// Tiles in tasks, the outermost loop over the points of each in tasks as well.
    Nested(Box<Words>),
}

const NAMES: [&str; 3] = ["i", "j", "k"];

impl Words {
    fn order(random: &mut Random, extents: &[i64]) -> Words {
        let rank = extents.len();
        let permutation = |random: &mut Random| {
            let mut axes: Vec<usize> = (0..rank).collect();
            (0..rank).for_each(|at| axes.swap(at, at + random.below(rank - at)));
            axes
        };
        match random.below(10) {
            8 | 9 if rank == 2 => {
                let (text, order) = match random.below(4) {
                    0 => ("zigzag".to_owned(), orders::zigzag),
                    1 => ("zigzag.reversed()".to_owned(), orders::zigzag.reversed()),
                    2 => {
                        let tile = format!("tile([1, {}]).outer(zigzag)", extents[1]);
                        (tile, orders::tile([1, extents[1] as usize]).outer(orders::zigzag))
                    }
                    _ => {
                        let [h, w] = [extents[0] as usize, extents[1] as usize];
                        let then = format!("axes([1, 0]).then([{h}, {w}], zigzag.reversed())");
                        (then, orders::axes([1, 0]).then([h, w], orders::zigzag.reversed()))
                    }
                };
                Words::Listed(
                    format!("#[order({text})]"),
                    order.layout(extents).expect("an order of this box"),
                )
            }
            0 | 1 => Words::Reorder(permutation(random)),
            2 => Words::Reversed,
            3 if rank == 2 => Words::Wavefront(random.pick(&[1, 2, 3])),
            _ => {
                let tiles = extents.iter().map(|_| random.pick(&[None, Some(1), Some(2), Some(3)])).collect();
                let outer = (random.below(3) == 0).then(|| permutation(random));
                let inner = (random.below(3) == 0).then(|| permutation(random));
                Words::Tile(tiles, random.pick(&["clip", "peel"]), outer, inner)
            }
        }
    }

    fn random(random: &mut Random, extents: &[i64]) -> Words {
        let words = Words::order(random, extents);
        match (random.below(4), &words) {
            (_, Words::Reversed | Words::Listed(..)) => words,
            (0, _) => Words::Lanes(Box::new(words), random.pick(&[2, 3, 4])),
            (1, Words::Tile(..)) if random.below(3) == 0 => Words::Nested(Box::new(words)),
            (1, _) => Words::Parallel(Box::new(words)),
            _ => words,
        }
    }

    fn is_of_box(&self) -> bool {
        match self {
            Words::Wavefront(_) | Words::Listed(..) => true,
            Words::Lanes(words, _) | Words::Parallel(words) | Words::Nested(words) => words.is_of_box(),
            _ => false,
        }
    }

    fn attributes(&self) -> String {
        let names = |axes: &[usize]| axes.iter().map(|axis| NAMES[*axis]).collect::<Vec<_>>().join(", ");
        let reorder = |axes: &Option<Vec<usize>>| {
            axes.as_ref().map_or_else(String::new, |axes| format!("#[reorder({})]", names(axes)))
        };
        match self {
            Words::Reorder(axes) => reorder(&Some(axes.clone())),
            Words::Reversed => "#[order(row_major.reversed())]".to_owned(),
            Words::Wavefront(slope) => format!("#[wavefront({slope} * i + j)]"),
            Words::Listed(text, _) => text.clone(),
            Words::Parallel(words) => format!("#[parallel]{}", words.attributes()),
            Words::Nested(words) => format!("#[parallel]{}#[parallel]", words.attributes()),
            Words::Lanes(words, count) => format!("{}#[lanes({count})]", words.attributes()),
            Words::Tile(tiles, tail, outer, inner) => {
                let tile =
                    |extent: &Option<i64>| extent.map_or_else(|| "_".to_owned(), |extent| extent.to_string());
                let tiles: Vec<String> = tiles.iter().map(tile).collect();
                format!("{}#[tile([{}], {tail})]{}", reorder(outer), tiles.join(", "), reorder(inner))
            }
        }
    }

    /// The key by which points are visited.
    fn key(&self, point: &Point) -> Vec<i64> {
        let in_order = |axes: &Option<Vec<usize>>, point: &[i64]| match axes {
            Some(axes) => axes.iter().map(|axis| point[*axis]).collect(),
            None => point.to_vec(),
        };
        match self {
            Words::Reorder(axes) => in_order(&Some(axes.clone()), point),
            // Of the outermost loop alone: the others are nested in it.
            Words::Reversed => [&[-point[0]], &point[1..]].concat(),
            Words::Wavefront(slope) => vec![slope * point[0] + point[1]],
            Words::Listed(_, layout) => vec![layout.offset(point).expect("a point of the box")],
            Words::Lanes(words, _) | Words::Parallel(words) | Words::Nested(words) => words.key(point),
            Words::Tile(tiles, _, outer, inner) => {
                let tile: Vec<i64> =
                    point.iter().zip(tiles).map(|(at, tile)| tile.map_or(0, |tile| at / tile)).collect();
                [in_order(outer, &tile), in_order(inner, point)].concat()
            }
        }
    }

    /// The place of a point in the innermost loop, and the length of that loop, where nothing is cut off.
    fn innermost(&self, point: &Point, extents: &[i64]) -> (i64, i64) {
        let last =
            |axes: &Option<Vec<usize>>| axes.as_ref().map_or(point.len() - 1, |axes| axes[axes.len() - 1]);
        match self {
            Words::Reorder(axes) => {
                let axis = last(&Some(axes.clone()));
                (point[axis], extents[axis])
            }
            Words::Wavefront(slope) => {
                let front = slope * point[0] + point[1];
                let rows = (0..extents[0]).filter(|row| (0..extents[1]).contains(&(front - slope * row)));
                let rows: Vec<i64> = rows.collect();
                (point[0] - rows[0], rows.len() as i64)
            }
            Words::Tile(tiles, _, _, inner) => {
                let axis = last(inner);
                let Some(tile) = tiles[axis] else { return (point[axis], extents[axis]) };
                let start = point[axis] / tile * tile;
                (point[axis] - start, tile.min(extents[axis] - start))
            }
            _ => unreachable!("lanes of another order"),
        }
    }

    /// Whether two points may run at the same time.
    fn are_concurrent(&self, p: &Point, q: &Point) -> bool {
        let words = match self {
            Words::Parallel(words) => words,
            Words::Nested(words) => {
                let Words::Tile(tiles, _, _, inner) = &**words else {
                    unreachable!("tasks of another order")
                };
                let tile = |point: &Point| -> Vec<i64> {
                    point.iter().zip(tiles).map(|(at, tile)| tile.map_or(0, |tile| at / tile)).collect()
                };
                let axis = inner.as_ref().map_or(0, |axes| axes[0]);
                if tile(p) == tile(q) && p[axis] != q[axis] {
                    return true;
                }
                words
            }
            _ => return false,
        };
        match &**words {
            Words::Reorder(axes) => p[axes[0]] != q[axes[0]],
            Words::Wavefront(_) => words.key(p) == words.key(q) && p != q,
            Words::Tile(tiles, _, outer, _) => {
                // The outermost loop over tiles, of those that there are.
                let axes = outer.clone().unwrap_or_else(|| (0..p.len()).collect());
                let axis = axes.into_iter().find(|axis| tiles[*axis].is_some());
                axis.zip(axis.and_then(|axis| tiles[axis]))
                    .is_some_and(|(axis, tile)| p[axis] / tile != q[axis] / tile)
            }
            _ => unreachable!("tasks of another order"),
        }
    }

    /// The key by which accesses run: of a whole group of lanes, each event runs in all of them.
    fn key_of_access(&self, point: &Point, extents: &[i64], cut: Option<Cut>, event: usize) -> Vec<i64> {
        let Words::Lanes(words, count) = self else { return self.key(point) };
        let event = event as i64;
        let (at, length) = words.innermost(point, extents);
        let outer = match &**words {
            // The front alone: lanes are of its points.
            Words::Wavefront(_) => words.key(point),
            words => {
                let key = words.key(point);
                key[..key.len() - 1].to_vec()
            }
        };
        let group = at / count;
        let moved = |by: i64| {
            let axis = match &**words {
                Words::Reorder(axes) | Words::Tile(_, _, _, Some(axes)) => axes[axes.len() - 1],
                _ => point.len() - 1,
            };
            let mut other = point.clone();
            other[axis] += by;
            other
        };
        let is_inside =
            |lane: i64| cut.is_none_or(|cut| cut.keeps(&moved(group * count + lane - at), extents));
        let whole = (group + 1) * count <= length && (0..*count).all(is_inside);
        let rest = if whole { [event, at] } else { [at, event] };
        [&outer[..], &[group], &rest].concat()
    }
}

/// A bound of a loop that mentions the variable of an outer one.
#[derive(Clone, Copy)]
struct Cut {
    outer: usize,
    inner: usize,
    kind: usize,
}

impl Cut {
    fn random(random: &mut Random, rank: usize) -> Option<Cut> {
        if random.below(3) > 0 {
            return None;
        }
        let inner = 1 + random.below(rank - 1);
        Some(Cut { outer: random.below(inner), inner, kind: random.below(4) })
    }

    /// The first value of the inner loop in the box around the nest, from which its iterations are counted.
    fn first(self) -> i64 {
        i64::from(self.kind == 2)
    }

    /// Whether a point of the box is one of the nest.
    fn keeps(self, point: &Point, extents: &[i64]) -> bool {
        let [i, j] = [self.outer, self.inner].map(|axis| point[axis]);
        match self.kind {
            0 => j <= i,
            1 | 2 => j >= i,
            _ => j < extents[self.outer] - i,
        }
    }

    /// The range of the inner loop; the ends of both are written like this.
    fn range(self, ends: &[String]) -> String {
        let (i, last, around) = (NAMES[self.outer], &ends[self.inner], &ends[self.outer]);
        match self.kind {
            0 => format!("0..={i}"),
            1 => format!("{i}..{last}"),
            2 => format!("{i} + 1..{last}"),
            _ => format!("0..{around} - {i}"),
        }
    }

    /// The extents of the box.
    fn cut_off(self, extents: &mut [i64]) {
        match self.kind {
            0 | 3 => extents[self.inner] = extents[self.outer],
            _ => {}
        }
    }
}

/// A subscript: `coefficients * point + constant`, halved if it is of a coarse view.
#[derive(Clone)]
struct Subscript {
    coefficients: Vec<i64>,
    constant: i64,
    /// The remainder of the sum by this is taken.
    modulus: Option<i64>,
}

impl Subscript {
    fn at(&self, point: &Point) -> i64 {
        let sum =
            self.coefficients.iter().zip(point).map(|(factor, at)| factor * at).sum::<i64>() + self.constant;
        self.modulus.map_or(sum, |modulus| sum % modulus)
    }

    fn text(&self) -> String {
        let terms = self.coefficients.iter().zip(NAMES).map(|(factor, name)| format!("{factor} * {name}"));
        let sum = format!("{} + {}", terms.collect::<Vec<_>>().join(" + "), self.constant);
        self.modulus.map_or(sum.clone(), |modulus| format!("({sum}) % {modulus}"))
    }
}

/// Random nests of two and three loops with up to five accesses of one block, subscripts in `let`s and remainders,
/// reductions, updates and inclusive ranges: each order that is accepted keeps every conflicting pair of points, and nearly all orders that do
/// are accepted where distances are constant.
#[test]
fn random_nests_against_brute_force() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut forms = Random(0x6a09_e667_f3bc_c908);
    let (mut uniform, mut coupled, mut triangular) = ([0, 0], [0, 0], [0, 0]);
    let (mut rejected, mut any_length) = (0, 0);
    // More of them on request, as a search.
    let count = std::env::var("SHIM_NESTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1400);
    for _ in 0..count {
        let rank = 2 + random.below(2);
        let mut extents: Vec<i64> = (0..rank).map(|_| random.pick(&[1, 2, 3, 4, 5])).collect();
        let cut = Cut::random(&mut random, rank);
        if let Some(cut) = cut {
            cut.cut_off(&mut extents);
        }
        let axes = random.pick(&[1, 2, 2, rank]);
        // The same coefficients in each access, or others.
        let is_uniform = random.below(4) > 0;
        // Remainders on one axis, and updates by one operator, whose sequence does not matter.
        let modulus = (forms.below(5) == 0).then(|| (forms.below(axes), forms.pick(&[2, 3, 4, 8])));
        let updates = forms.below(5) == 0;
        let shapes: Vec<Vec<i64>> = (0..axes)
            .map(|axis| {
                let plain = random.below(3) > 0;
                let own = |at: usize| i64::from(at == axis % rank);
                (0..rank).map(|at| if plain { own(at) } else { random.pick(&[-1, 0, 1, 2]) }).collect()
            })
            .collect();
        let access = |random: &mut Random| {
            let subscript = |random: &mut Random, (axis, shape): (usize, &Vec<i64>)| {
                let other = (0..rank).map(|_| random.pick(&[-1, 0, 1, 2])).collect();
                let coefficients = if is_uniform { shape.clone() } else { other };
                let modulus = modulus.filter(|(own, _)| *own == axis).map(|(_, modulus)| modulus);
                Subscript { coefficients, constant: 20 + random.pick(&[-2, -1, 0, 0, 1, 2]), modulus }
            };
            shapes.iter().enumerate().map(|shape| subscript(random, shape)).collect::<Vec<_>>()
        };
        let mut accesses: Vec<Vec<Subscript>> =
            (0..2 + random.below(3)).map(|_| access(&mut random)).collect();
        // The last statement may be a reduction, which reads.
        let reduction = (random.below(4) == 0)
            .then(|| random.pick(&["s ^= #;", "s = s.max(#);", "s = s.min(#); n += 1;"]));
        if reduction.is_some() {
            accesses.truncate(accesses.len() / 2 * 2);
            accesses.push(access(&mut random));
        }
        // Statements write one element and read the next: `t[[..]] = t[[..]]`.
        let reduced = reduction.map(|_| accesses.len() - 1);
        let writes = |at: usize| at.is_multiple_of(2) && Some(at) != reduced;
        // Subscripts are those of `let`s, where the loops have constant lengths: these cannot overflow.
        let has_lets = random.below(3) == 0;
        let inclusive: Vec<bool> = (0..rank).map(|_| random.below(3) == 0).collect();
        let mut words = Words::random(&mut random, &extents);
        // Fronts and listed points are those of a box.
        while cut.is_some() && words.is_of_box() {
            words = Words::random(&mut random, &extents);
        }
        let mut points: Vec<Point> = vec![Vec::new()];
        for extent in &extents {
            let longer =
                |point: &Point| (0..*extent).map(|at| [&point[..], &[at]].concat()).collect::<Vec<_>>();
            points = points.iter().flat_map(longer).collect();
        }
        points.retain(|point| cut.is_none_or(|cut| cut.keeps(point, &extents)));
        let element = |access: &Vec<Subscript>, point: &Point| -> Vec<i64> {
            let mut values = point.clone();
            if let Some(cut) = cut {
                values[cut.inner] += cut.first();
            }
            access.iter().map(|subscript| subscript.at(&values)).collect()
        };
        let legal = points.iter().enumerate().all(|(first, p)| {
            points[first + 1..].iter().all(|q| {
                let conflicts = accesses.iter().enumerate().any(|(a, one)| {
                    accesses.iter().enumerate().any(|(b, other)| {
                        let conflict = (writes(a) || writes(b)) && element(one, p) == element(other, q);
                        let [first, second] = [(p, a), (q, b)]
                            .map(|(point, access)| words.key_of_access(point, &extents, cut, access ^ 1));
                        let commute = updates && writes(a) && writes(b);
                        conflict && (!commute && first >= second || words.are_concurrent(p, q))
                    })
                });
                !conflicts
            })
        });
        let statements = |lets: bool| -> String {
            let mut text = String::new();
            let list = |access: &Vec<Subscript>, text: &mut String| {
                let subscripts = access.iter().map(Subscript::text).map(|subscript| {
                    if !lets {
                        return subscript;
                    }
                    let name = format!("v{}", text.len());
                    let _ = write!(text, "let {name} = {subscript};");
                    name
                });
                subscripts.collect::<Vec<_>>().join(", ")
            };
            for (at, pair) in accesses.chunks(2).enumerate() {
                let first = list(&pair[0], &mut text);
                let statement = match (pair, reduction) {
                    (_, Some(reduction)) if Some(2 * at) == reduced => {
                        reduction.replace('#', &format!("t[[{first}]]"))
                    }
                    ([_, read], _) => {
                        let operator = if updates { "+=" } else { "=" };
                        format!("t[[{first}]] {operator} t[[{}]];", list(read, &mut text))
                    }
                    _ if updates => format!("t[[{first}]] += 7;"),
                    _ => format!("t[[{first}]] = 7;"),
                };
                text += &statement;
            }
            text
        };
        let shape = vec!["60"; axes].join(", ");
        let accepts = |ends: &[String], lets: bool| {
            let mut nest = statements(lets);
            for (axis, (end, name)) in ends.iter().zip(NAMES).enumerate().rev() {
                // Arithmetic in a type that the kernel does not show may overflow.
                let ty = if lets { "i32" } else { "" };
                let typed = |end: &String| format!("{end}{ty}");
                let range = match (cut, end.parse::<i64>()) {
                    (Some(cut), _) if cut.inner == axis => {
                        cut.range(&ends.iter().map(typed).collect::<Vec<_>>())
                    }
                    (_, Ok(end)) if inclusive[axis] => format!("0..={}{ty}", end - 1),
                    // `end - 1` may wrap, and a bound that adds to the variable with it.
                    (None, Err(_)) if inclusive[axis] => format!("0..={end} - 1"),
                    _ => format!("0..{end}{ty}"),
                };
                nest = format!("for {name} in {range} {{ {nest} }}");
            }
            let words = words.attributes();
            let kernel = format!(
                "fn k(#[shape({shape})] t: &mut [u32], a: usize, b: usize, c: usize) -> (u32, u32) {{ \
                 let (mut s, mut n): (u32, u32) = (9, 0); {words} {nest} (s, n) }}"
            );
            let expansion =
                shim_stage::kernel(TokenStream::new(), kernel.parse().expect("tokens")).to_string();
            let accepted = !expansion.contains("compile_error");
            assert!(accepted || expansion.contains("this order does not keep"), "{kernel}: {expansion}");
            assert!(!accepted || legal, "accepted, though it changes the result: {kernel}, {extents:?}");
            accepted
        };
        // Of constant lengths the points are looked at one by one, of others only distances.
        let ends = extents.iter().enumerate().map(|(axis, extent)| match cut {
            Some(cut) if cut.inner == axis => extent + cut.first(),
            _ => *extent,
        });
        let constant: Vec<String> = ends.map(|end| end.to_string()).collect();
        let accepted = accepts(&constant, has_lets);
        if !matches!(words, Words::Listed(..)) {
            any_length += usize::from(accepts(&["a", "b", "c"].map(str::to_owned)[..rank], false));
        }
        let counts = match (is_uniform, cut) {
            (true, None) if modulus.is_none() => &mut uniform,
            (true, Some(_)) if modulus.is_none() => &mut triangular,
            _ => &mut coupled,
        };
        if legal {
            counts[usize::from(accepted)] += 1;
        } else {
            rejected += 1;
        }
    }
    println!(
        "legal and [rejected, accepted]: {uniform:?} uniform, {triangular:?} triangular, {coupled:?} others; {rejected} illegal; {any_length} accepted for any lengths"
    );
    assert!(
        uniform[1] >= 50 * uniform[0]
            && uniform[1] > 300
            && triangular[1] >= 19 * triangular[0]
            && triangular[1] > 100
            && rejected > 300
            && any_length > 250,
        "{uniform:?}, {triangular:?}, {rejected}"
    );
}

/// A loop nest of a random program, which is fused with the one before it.
struct Fused {
    /// The accesses, in pairs: a statement writes the first one and reads the second one.
    accesses: Vec<Vec<Subscript>>,
    /// How many iterations of the first nest it is behind.
    lag: i64,
}

/// An access of a random program at a point.
struct Instance<'p> {
    nest: usize,
    /// The number of the access among all.
    number: usize,
    /// The point of the source, and that of the fused loops.
    source: &'p Point,
    point: Point,
    element: Vec<i64>,
}

impl Instance<'_> {
    /// The statement among all.
    const fn statement(&self) -> usize {
        self.number / 2
    }

    const fn writes(&self) -> bool {
        self.number.is_multiple_of(2)
    }
}

/// Random programs of up to three nests with `fuse`, `lag`, `distribute`, `shift`, labeled tiles and stages in these, over ranges,
/// inclusive ranges and indices: as above, what is accepted keeps each conflicting pair of accesses, and nearly all that does is
/// accepted.
#[test]
fn random_programs_against_brute_force() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let count = std::env::var("SHIM_NESTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for _ in 0..count {
        let kind = random.pick(&["fuse", "lag", "distribute", "shift", "stage"]);
        let rank = if kind == "lag" { 1 + random.below(2) } else { 2 };
        let extents: Vec<i64> = (0..rank).map(|_| random.pick(&[1, 2, 3, 4, 5])).collect();
        let nests = if matches!(kind, "fuse" | "lag") { 2 + random.below(2) } else { 1 };
        let access = |random: &mut Random| -> Vec<Subscript> {
            let own = |axis: usize| (0..rank).map(|at| i64::from(at == axis)).collect();
            let constant = |random: &mut Random| 20 + random.pick(&[-2, -1, 0, 0, 0, 1, 2]);
            (0..rank)
                .map(|axis| Subscript { coefficients: own(axis), constant: constant(random), modulus: None })
                .collect()
        };
        let mut lag = 0;
        let program: Vec<Fused> = (0..nests)
            .map(|nest| {
                if nest > 0 && kind == "lag" {
                    lag += random.pick(&[1, 2, 3]);
                }
                let statements = 1 + random.below(if kind == "distribute" { 3 } else { 2 });
                Fused { accesses: (0..2 * statements).map(|_| access(&mut random)).collect(), lag }
            })
            .collect();
        // The outermost loop runs over the points of all nests.
        let mut all = extents.clone();
        all[0] += lag;
        let words = loop {
            let words = match kind {
                "lag" if rank == 1 => Words::Reorder(vec![0]),
                "fuse" | "lag" => Words::random(&mut random, &all),
                _ => Words::order(&mut random, &all),
            };
            match (kind, &words) {
                ("distribute", Words::Wavefront(_) | Words::Listed(..)) => {}
                ("stage" | "shift", words) if !matches!(words, Words::Tile(..)) => {}
                _ => break words,
            }
        };
        let words = match words {
            Words::Tile(tiles, _, outer, inner) if kind == "shift" => {
                Words::Tile(tiles, "shift", outer, inner)
            }
            words => words,
        };
        let mut points: Vec<Point> = vec![Vec::new()];
        for extent in &extents {
            let longer =
                |point: &Point| (0..*extent).map(|at| [&point[..], &[at]].concat()).collect::<Vec<_>>();
            points = points.iter().flat_map(longer).collect();
        }
        // In the sequence of the source.
        let mut instances: Vec<Instance<'_>> = Vec::new();
        let mut first = 0;
        for (nest, Fused { accesses, lag }) in program.iter().enumerate() {
            for source in &points {
                // A statement reads before it writes.
                for at in (0..accesses.len()).map(|at| at ^ 1) {
                    let mut point = source.clone();
                    point[0] += lag;
                    let element = accesses[at].iter().map(|subscript| subscript.at(source)).collect();
                    instances.push(Instance { nest, number: first + at, source, point, element });
                }
            }
            first += accesses.len();
        }
        let form = random.below(3);
        let key = |own: &Instance<'_>, event: usize| -> Vec<i64> {
            let mut key = words.key_of_access(&own.point, &all, None, event);
            match (&words, form) {
                // Over indices all loops are one nest.
                (Words::Reversed, 2) => key.iter_mut().skip(1).for_each(|at| *at = -*at),
                // The outermost loop alone is fused.
                (Words::Reversed, _) => key.insert(1, own.nest as i64),
                _ => {}
            }
            if kind == "distribute" {
                key.insert(key.len() - 1, own.statement() as i64);
            }
            key
        };
        let conflicts = |one: &Instance<'_>, other: &Instance<'_>| {
            (one.writes() || other.writes()) && one.element == other.element
        };
        let is_apart =
            |one: &Instance<'_>, other: &Instance<'_>| one.nest != other.nest || one.source != other.source;
        let keeps = |event: &dyn Fn(&Instance<'_>) -> usize| {
            instances.iter().enumerate().all(|(at, one)| {
                instances[at + 1..].iter().filter(|other| conflicts(one, other) && is_apart(one, other)).all(
                    |other| {
                        if kind == "shift" {
                            // Points may run twice, so none may find what another one left.
                            return false;
                        }
                        let is_kept = if one.point == other.point {
                            one.nest < other.nest
                        } else {
                            key(one, event(one)) < key(other, event(other))
                        };
                        is_kept && !words.are_concurrent(&one.point, &other.point)
                    },
                )
            })
        };
        // Lanes run the bodies of fused nests one after another, and may run each statement of these in all lanes at once.
        let by_statement = keeps(&|own| own.number ^ 1);
        let legal =
            if matches!(words, Words::Lanes(..)) { keeps(&|own| own.nest.min(1)) } else { by_statement };
        let repeats = |accesses: &[Vec<Subscript>]| {
            let shapes: Vec<Vec<i64>> =
                accesses.iter().map(|own| own.iter().map(|sub| sub.constant).collect()).collect();
            (0..shapes.len())
                .all(|at| at % 2 == 0 || !shapes.iter().step_by(2).any(|write| *write == shapes[at]))
        };
        let legal = legal && (kind != "shift" || repeats(&program[0].accesses));
        // A stage is read at its own index and around it.
        let (stage, read) = match kind {
            "stage" => {
                let level = random.pick(&["compute_at('tile)", "compute_at(root)"]);
                let (dy, dx) = (random.pick(&[-1, 0, 1]), random.pick(&[-1, 0, 2]));
                let stage = format!(
                    "#[{level}] let s = stage::<u32>(|[p, q]| (p as u32).wrapping_mul(3) ^ (q as u32)); "
                );
                (stage, format!(" ^ s[[i as i32 + {dy}, j as i32 + {dx}]] ^ s[[i as i32, j as i32]]"))
            }
            _ => (String::new(), String::new()),
        };
        let mut text = stage;
        for (nest, Fused { accesses, lag }) in program.iter().enumerate() {
            if nest == 0 {
                let mut attributes = words.attributes();
                if kind == "stage" {
                    attributes = attributes.replacen("], ", "], 'tile, ", 1);
                }
                text += if kind == "lag" && rank == 1 { "" } else { &attributes };
                text += if kind == "distribute" { "#[distribute]" } else { "" };
            }
            if let Some(next) = program.get(nest + 1) {
                let _ = match next.lag - lag {
                    0 => write!(text, "#[fuse]"),
                    lag => write!(text, "#[fuse(lag = {lag})]"),
                };
            }
            let list = |own: &Vec<Subscript>| own.iter().map(Subscript::text).collect::<Vec<_>>().join(", ");
            let mut body = String::new();
            for pair in accesses.chunks(2) {
                let _ = write!(body, "t[[{}]] = t[[{}]]{read};", list(&pair[0]), list(&pair[1]));
            }
            let range = |axis: usize| match form {
                0 => format!("0..{}i32", extents[axis]),
                _ => format!("0..={}i32", extents[axis] - 1),
            };
            let _ = match (rank, form) {
                (1, 2) => write!(text, "for [i] in d.indices() {{ {body} }} "),
                (2, 2) => write!(text, "for [i, j] in d.indices() {{ {body} }} "),
                (1, _) => write!(text, "for i in {} {{ {body} }} ", range(0)),
                _ => write!(text, "for i in {} {{ for j in {} {{ {body} }} }} ", range(0), range(1)),
            };
        }
        let shape = vec!["60"; rank].join(", ");
        let own = extents.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let kernel = format!("fn k(#[shape({shape})] t: &mut [u32], #[shape({own})] d: &[u32]) {{ {text} }}");
        let expansion = shim_stage::kernel(TokenStream::new(), kernel.parse().expect("tokens")).to_string();
        let accepted = !expansion.contains("compile_error");
        let known =
            ["this order does not keep", "`#[distribute]` changes nothing", "`shift` runs iterations twice"];
        assert!(accepted || known.iter().any(|known| expansion.contains(known)), "{kernel}: {expansion}");
        assert!(!accepted || legal, "accepted, though it changes the result: {kernel}");
        if !accepted && expansion.contains("changes nothing") {
            continue;
        }
        let counted = counts.entry(kind).or_default();
        counted[if legal && by_statement { usize::from(accepted) } else { 2 }] += 1;
    }
    println!("[legal and rejected, legal and accepted, illegal]: {counts:?}");
    for (kind, [rejected, accepted, _]) in counts {
        assert!(
            accepted > 40 && accepted >= 33 * rejected,
            "{kind}: {rejected} of {accepted} legal ones are rejected"
        );
    }
}
