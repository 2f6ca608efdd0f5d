//! What the body of a loop with an order may do, statement by statement. Where the compiler leaves it to rustc to
//! confirm a type, the statement counts as accepted here; `tests/ui/order_effects.rs` shows what rustc refuses then.

use crate::common::world::expand_file;

/// The error of a kernel whose reversed loop has this body, if it has one.
fn error(body: &str) -> Option<String> {
    let source = format!(
        "#[shim::kernel]
         fn kernel(#[shape(16)] a: &[i32], #[shape(16)] u: &[u8], #[shape(16)] o: &mut [i32], q: Option<i32>, p: Point,
                   t: (i32, [i32; 3]), r: &mut i32, s: &mut [i32], f: f32, k: u32) -> i32 {{
             let mut sum: i32 = 0;
             let mut last = 0;
             let (mut pair, mut list) = ((1, 2), [3, 4]);
             let pure = |v: i32| v * 2 + k as i32;
             let mut count = 0;
             let mut note = |v: i32| count += v;
             let made = make();
             let t2 = (1, [2, 3]);
             #[order(row_major.reversed())]
             for [i] in o.indices() {{ {body} }}
             sum + last
         }}"
    );
    let (_, expansion) = expand_file(&source).expect("Rust").pop().expect("a kernel");
    let text = expansion.expect("no templates").to_string();
    text.contains("compile_error").then(|| text.chars().take(300).collect())
}

const ACCEPTED: &[&str] = &[
    // Numbers, and what rustc confirms to be one.
    "o[[i]] = a[[i]] + 1;",
    "o[[i]] = -a[[i]] * 3 % 5 - (a[[i]] << 2 | 7 & 9 ^ a[[i]] >> 1);",
    "o[[i]] = if a[[i]] > 3 && a[[i]] != 9 || !(a[[i]] <= 1) { 2 } else { 3 };",
    "o[[i]] = i as i32 + u[[i]] as i32;",
    "o[[i]] = a[[i]].min(3).max(1).clamp(-5, 5).abs().rem_euclid(7).wrapping_add(2).pow(2);",
    "o[[i]] = i32::from(u[[i]]) + i32::from(a[[i]] > 3);",
    "let x: f32 = f; o[[i]] = (x.sqrt() * 2.0).floor() as i32;",
    "o[[i]] = made + 1;",
    "o[[i]] = t.0 + t.1[2] + p.x;",
    "o[[i]] = u32::from(u[[i]]).leading_zeros() as i32;",
    "let x = a[[i]]; let y: i32 = x; o[[i]] = y.signum();",
    "let (x, y) = (a[[i]], 3_u32); o[[i]] = x.pow(y);",
    "let [x, y] = [a[[i]], 3]; o[[i]] = x.max(y);",
    "o[[i]] = a.get([i + 1]).unwrap_or(5).abs();",
    "o[[i]] = i32::from(a.contains([i + 1]));",
    "if let Some(x) = q { o[[i]] = x; }",
    "match q { Some(x) => o[[i]] = x, None => {} }",
    "o[[i]] = pure(a[[i]]);",
    "o[[i]] = { let x = a[[i]]; x + 1 };",
    "for x in 0..3 { o[[i]] += x; }",
    // A name of the iteration's own.
    "let mut x = 0; x += a[[i]]; x = x * 2; o[[i]] = x;",
    "let mut x = [0, 1]; x[1] = a[[i]]; o[[i]] = x[1];",
    "let mut x = (0, 1); x.1 = a[[i]]; o[[i]] = x.1;",
    "let mut x = [0; 3]; x[1] = a[[i]]; o[[i]] = x[1];",
    "let mut x = [-1, a[[i]] as i32]; x[0] = 2; o[[i]] = x[0];",
    "let mut x: (i32, [i32; 2]) = t2; x.1[0] = a[[i]]; o[[i]] = x.1[0];",
    // Reductions.
    "last *= a[[i]];",
    "sum += a[[i]];",
    "sum |= a[[i]];",
    "sum &= a[[i]];",
    "sum ^= a[[i]];",
    "sum = sum.max(a[[i]]);",
    "sum = sum.min(a[[i]]);",
    "if a[[i]] > 3 { sum += 1; }",
];

const REFUSED: &[&str] = &[
    // Assignments that keep the last value, or that read what another iteration left.
    "last = a[[i]];",
    "last += a[[i]]; o[[i]] = last;",
    "last -= a[[i]];",
    "last -= a[[i]];",
    "last <<= a[[i]];",
    "last <<= 1;",
    "last = last + a[[i]];",
    "last = last.max(a[[i]]).min(3);",
    "last = sum.max(a[[i]]);",
    "last = last.saturating_add(a[[i]]);",
    "sum += a[[i]]; sum ^= 1;",
    "pair.0 = a[[i]];",
    "list[1] = a[[i]];",
    "(last, _) = (a[[i]], 1);",
    "[last] = [a[[i]]];",
    "Point { x: last } = p;",
    "{ last = a[[i]]; }",
    "if a[[i]] > 3 { last = 1; }",
    "let x = { last = a[[i]]; 1 };",
    "(|| last = a[[i]])();",
    "o[[i]] = i32::from(matches!({ last = a[[i]]; 1 }, 1));",
    "assert!({ last = a[[i]]; true });",
    // Destructuring is not looked into.
    "let (mut x, mut y) = (1, 2); (x, y) = (y, a[[i]]); o[[i]] = x + y;",
    "let mut x = 1; (x, _) = (a[[i]], 3); o[[i]] = x;",
    "let mut x = 1; [x, ..] = [a[[i]], 3]; o[[i]] = x;",
    // Through references.
    "*r = a[[i]];",
    "*r += a[[i]];",
    "let x = &mut last; *x = a[[i]];",
    "let ref mut x = last; *x = a[[i]];",
    "let (x, _) = (&mut last, 1); *x = a[[i]];",
    "if let Some(ref mut x) = q { *x = a[[i]]; }",
    "for x in [&mut last] { *x = a[[i]]; }",
    "let mut x = [r]; *x[0] = 1;",
    "let x = &mut pair; x.0 = a[[i]];",
    "let x = &mut list; x[1] = a[[i]];",
    "let (x, _) = (&mut pair, 1); x.1 = a[[i]];",
    "let [x] = [&mut list]; x[0] = a[[i]];",
    "let x = s; x[0] = a[[i]];",
    "let mut x = (s, 1); x.0[1] = a[[i]];",
    "s[1] = a[[i]];",
    "let x: &mut (i32, i32) = &mut pair; x.0 = a[[i]];",
    "let mut x: (&mut [i32], i32) = (s, 1); x.0[1] = a[[i]];",
    "sum = last.max(a[[i]]);",
    "p.y[1] = a[[i]];",
    // Calls.
    "run(a[[i]]);",
    "o[[i]] = run(a[[i]]);",
    "note(a[[i]]);",
    "o[[i]] = made.abs();",
    "o[[i]] = a[[i]].own();",
    "o[[i]] = t.1.len() as i32;",
    "o[[i]] = i32::try_from(a[[i]]).unwrap();",
    "o[[i]] = <i32 as Own>::abs(a[[i]]);",
    "drop(a[[i]]);",
    "println!(\"{}\", a[[i]]);",
    "o[[i]] = own!(a[[i]]);",
    "o[[i]] = unsafe { run(1) };",
    // What leaves an iteration.
    "if a[[i]] > 3 { return 1; }",
    "if a[[i]] > 3 { break; }",
    "if a[[i]] > 3 { continue; }",
    "o[[i]] = if a[[i]] > 3 { continue } else { 1 };",
];

#[test]
fn statements_of_loops_with_an_order() {
    let refused: Vec<_> = ACCEPTED.iter().filter_map(|body| Some((body, error(body)?))).collect();
    assert!(refused.is_empty(), "refused: {refused:#?}");
    let accepted: Vec<_> = REFUSED.iter().filter(|body| error(body).is_none()).collect();
    assert!(accepted.is_empty(), "accepted: {accepted:#?}");
}
