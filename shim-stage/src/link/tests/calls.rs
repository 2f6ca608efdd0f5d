//! Which calls the scan takes for calls of templates.

use syn::{ItemFn, Pat, parse_quote, parse_str};

use crate::link::interface::Interfaces;
use crate::link::{calls, text};
use crate::surface::std_macro;

/// The paths of the template calls in a function of this signature and body.
fn called(source: &str) -> Vec<String> {
    let function: ItemFn = parse_str(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    calls::calls(&function, &Interfaces::new()).others.iter().map(|callee| text(&callee.path)).collect()
}

/// The same, for a body over a tensor `t`, a block `b` and a number `n`.
fn within(body: &str) -> String {
    called(&format!("fn f(t: &Block<u8, 2>, n: usize) {{ let b = Block::stack::<i32>([4, 4]); {body} }}"))
        .join(" ")
}

#[test]
fn parameters_that_are_tensors() {
    for parameter in [
        "t: impl Tensor<u8, 2>",
        "t: &impl shim::Tensor<u8, 2>",
        "t: &mut impl Tensor<u8, 2>",
        "t: &shim::Block<u8, 2>",
        "t: &mut Block<u8, 2>",
        "t: View<'_, u8, 2>",
        "t: shim::ViewMut<'_, u8, 2>",
        "#[shape(h, w)] t: &[u8]",
        "mut t: &'a mut Block<u8, 2>",
    ] {
        assert_eq!(called(&format!("fn f({parameter}) {{ g(t) }}")), ["g"], "{parameter}");
    }
    for parameter in
        ["t: &[u8]", "t: impl Fn()", "t: Viewer", "[t]: &Block<u8, 1>", "t: Option<Block<u8, 1>>"]
    {
        assert!(called(&format!("fn f({parameter}) {{ g(t) }}")).is_empty(), "{parameter}");
    }
}

#[test]
fn arguments_that_are_tensors() {
    for argument in [
        "t",
        "b",
        "&t",
        "&mut b",
        "(t)",
        "t.permute([1, 0])",
        "t.slice(0, n)",
        "b.cast::<i32>().boundary(Clamp).footprint(t)",
        "t[b]",
        "t[[.., 3]]",
        "t[[n..n + 4, 0..4]]",
        "t[[(0..16).step_by(2), ..]].slice(0, 0)",
        "t.coverage([n, n], b)",
        "Block::external(x, [4])",
        "shim::Block::heap::<u8>([n]).at([3])",
        "if N == 3 { t } else { b }",
        "match N { 0 => t, _ => b }",
    ] {
        assert_eq!(within(&format!("g({argument});")), "g", "{argument}");
    }
    for argument in [
        "n",
        "t[[0]]",
        "t[[n, n - 1]]",
        "t[[n, n]].abs()",
        "&t[[0, 0]]",
        "t.extent(0)",
        "t.origin(1)",
        "t.contains([n, n])",
        "t.indices().map(|[y, x]| t[[y, x]]).sum::<i32>()",
        "t[i]",
        "n.slice(0, 0)",
        "|| t",
        "[t, t]",
        "x.t",
    ] {
        assert_eq!(within(&format!("g({argument});")), "", "{argument}");
    }
}

#[test]
fn names_are_followed_scope_by_scope() {
    for (body, expected) in [
        ("let v = t.permute([1, 0]); let w = v; g(w);", "g"),
        ("let v: _ = t; g(v);", "g"),
        ("let (v, w) = (t.slice(0, 0), n); g(w); h(v);", "h"),
        ("let t = t[[0, 0]]; g(t);", ""),
        ("{ let t = 3; g(t); } h(t);", "h"),
        ("for t in 0..3 { g(t); } h(t);", "h"),
        ("let f = |t: i32| g(t); h(t);", "h"),
        ("let f = |x| g(t, x);", "g"),
        ("match n { t => g(t), } h(t);", "h"),
        ("match n { 3 if g(t) => {} _ => {} }", "g"),
        ("if let Some(t) = x { g(t) } else { h(t) }", "h"),
        ("while let t = n { g(t) } h(t);", "h"),
        ("let Some(x) = y else { g(t); return }; h(t);", "g h"),
        ("let t; t = 3; g(t);", ""),
        ("fn inner(t: u8) { g(t) } h(t);", "h"),
        ("g(t); loop { m::g(t); g(b); if g(t) {} }", "g m::g"),
        ("let x = 1 + g(h(t), t) as i32;", "g h"),
        ("let x = [g(t); 3]; y[h(t)] = *k(t)?;", "g h k"),
        ("return g(t);", "g"),
        ("unsafe { g(t) }", "g"),
    ] {
        assert_eq!(within(body), expected, "{body}");
    }
}

#[test]
fn paths_that_cannot_be_templates() {
    for body in [
        "Some(t);",
        "S::g(t);",
        "Self::g(t);",
        "std::mem::drop(t);",
        "core::hint::black_box(t);",
        "<u8 as X>::g(t);",
        "x.g(t);",
        "(x.g)(t);",
        "let g = |v| v; g(t);",
        "g(t); fn g(v: u8) {}",
    ] {
        assert_eq!(within(body), "", "{body}");
    }
    assert_eq!(
        within("g::<4>(t); a::b::<u8>::g(t); ::c::g(t); crate::g(t); super::g(t); self::g(t);"),
        "g a::b::g ::c::g crate::g super::g self::g"
    );

    assert_eq!(within("r#match(t);"), "r#match");
}

#[test]
fn calls_in_macros_of_std() {
    for (body, expected) in [
        ("assert!(g(t) > 3, \"{}\", h(t));", "g h"),
        ("println!(\"{x}\", x = g(t));", "g"),
        ("let v = vec![g(t); 3]; let w = vec![h(t), 1];", "g h"),
        ("let v = matches!(g(t), 1 | 2 if h(t));", "g h"),
        ("let v = matches!(n, t if g(t));", ""),
        ("std::assert_eq!(g(t), 1);", "g"),
        ("log::debug!(\"{}\", g(t)); custom!(g(t));", ""),
        ("println!(x => g(t));", ""),
    ] {
        assert_eq!(within(body), expected, "{body}");
    }
    let repeat = std_macro::arguments(&parse_quote!(vec![1; 3]));
    assert!(matches!(repeat, Some(std_macro::MacroArguments::Repeat(..))));
    match std_macro::arguments(&parse_quote!(matches!(x, Some(y) if y > 1,))) {
        Some(std_macro::MacroArguments::Matches(_, pattern)) => assert!(matches!(*pattern, Pat::Guard(_))),
        other => panic!("{other:?}"),
    }
}

#[test]
fn imports_in_the_body_are_followed() {
    let mut function: ItemFn = parse_quote! {
        fn f(t: impl Tensor<u8, 1>) {
            g(t); m::h(t); i(t); near(t); column(t); k::l(t);
            use a::{b::g, c::d as m, e::{self as k, f as i}};
            { use ::z::near; near::<2>(t) }
        }
    };
    let calls = calls::calls(&function, &Interfaces::new());
    let links: Vec<_> = calls.others.iter().map(|callee| text(&callee.link)).collect();
    assert_eq!(links, ["a::b::g", "a::c::d::h", "a::e::f", "near", "self::column", "a::e::l", "::z::near"]);
    // One path that means two templates is told apart by its import.
    assert!(calls.ambiguous.is_empty() && calls.tell_apart(&mut function));
    let [.., syn::Stmt::Expr(syn::Expr::Block(block), _)] = &function.block.stmts[..] else { panic!() };
    let [_, syn::Stmt::Expr(call, _)] = &block.block.stmts[..] else { panic!() };
    assert_eq!(*call, parse_quote!(::z::near::<2>(t)));
}

#[test]
fn a_template_is_its_own_callee() {
    let template: ItemFn = parse_quote!(
        fn f(t: impl Tensor<u8, 1>) {
            f::<3>(t);
            self::f(t);
            m::f(t)
        }
    );
    let found = calls::calls(&template, &Interfaces::new());
    assert_eq!(found.recursive.iter().map(text).collect::<Vec<_>>(), ["f", "self::f"]);
    assert_eq!(found.others.iter().map(|callee| text(&callee.path)).collect::<Vec<_>>(), ["m::f"]);
    // A method over a function of its name does not call itself.
    assert_eq!(called("fn f(&self, t: &Block<u8, 1>) { f(t) }"), ["f"]);
}
