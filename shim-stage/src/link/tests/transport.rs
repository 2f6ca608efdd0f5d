//! The way through the macros, with rustc's part of it played by the test.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use proptest::prelude::*;
use quote::{ToTokens, quote};
use syn::{Item, parse_quote};

use crate::link::{Callees, Library, Stager, Unit, resume, shim_path, start, text, tokens};

#[test]
fn invisible_groups_keep_their_binding() {
    let none = |tokens| TokenTree::Group(Group::new(Delimiter::None, tokens));
    let check = |inner: TokenStream, expected: &str| {
        let group = none(none(inner).into());
        let tokens = tokens::ungroup(quote!(#group * 3));
        assert_eq!(tokens.to_string(), expected);
    };
    check(quote!(1 + 2), "(1 + 2) * 3");
    check(quote!(x), "x * 3");
    check(quote!(f(x).y), "f (x) . y * 3");
    check(quote!(-1), "(- 1) * 3");
    check(quote!(Vec<u8>), "Vec < u8 > * 3");
    check(quote!(), "* 3");
}

#[test]
fn shim_can_be_renamed() {
    let path = |attribute: TokenStream| shim_path(&attribute).to_string();
    assert_eq!(path(quote!()), ":: shim");
    assert_eq!(path(quote!(simd, checks = "every")), ":: shim");
    assert_eq!(path(quote!(simd, crate = a::b, checks = "every")), "a :: b");
    assert_eq!(path(quote!(crate = ::a)), ":: a");
    assert_eq!(path(quote!(crate = 3)), ":: shim");
}

/// What rustc does between the expansions: names to macros, and their chain.
#[derive(Default)]
struct World {
    /// By the template's name: the bundle its macro appends.
    bundles: RefCell<BTreeMap<String, TokenStream>>,
}

impl World {
    /// Expands an annotated function to its end: an export is remembered, a kernel is returned.
    fn expand(&self, item: TokenStream) -> TokenStream {
        let mut tokens = start(TokenStream::new(), item, &Describe);
        loop {
            let file: syn::File = syn::parse2(tokens.clone()).unwrap();
            match &file.items[..] {
                [Item::Macro(call)] if call.ident.is_none() && !call.mac.path.is_ident("compile_error") => {
                    tokens = self.step(&call.mac.path, call.mac.tokens.clone());
                }
                [Item::Macro(definition), Item::Use(import), Item::Fn(_), ..] => {
                    let name = import.to_token_stream().to_string();
                    let name = name.trim_end_matches([' ', ';']).rsplit(' ').next().unwrap().to_owned();
                    self.bundles.borrow_mut().insert(name, bundle(definition.mac.tokens.clone()));
                    return tokens;
                }
                _ => return tokens,
            }
        }
    }

    fn step(&self, path: &syn::Path, input: TokenStream) -> TokenStream {
        let path = text(path);
        if path == "::shim::__private::resume" {
            return resume(input, &Describe);
        }
        let name = path.rsplit("::").next().unwrap();
        let bundle = self.bundles.borrow().get(name).unwrap_or_else(|| panic!("no macro {path}")).clone();
        let trees: Vec<_> = input.into_iter().collect();
        let [TokenTree::Punct(sigil), TokenTree::Group(list), state @ ..] = &trees[..] else {
            panic!("{trees:?}")
        };
        let mut paths = list.stream().into_iter();
        let Some(TokenTree::Group(next)) = paths.next() else { panic!("no end of the chain") };
        let next = next.stream();
        quote!(#next ! { #sigil [ #(#paths)* ] #(#state)* #bundle })
    }
}

/// What the first rule of an exported macro appends, as it arrives in a crate that is not the template's.
fn bundle(definition: TokenStream) -> TokenStream {
    fn last_group(tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .filter_map(|tree| if let TokenTree::Group(g) = tree { Some(g.stream()) } else { None })
            .last()
            .unwrap()
    }
    fn transcribe(tokens: TokenStream) -> TokenStream {
        let mut trees = tokens.into_iter().peekable();
        let mut out = TokenStream::new();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Punct(punct) if punct.as_char() == '$' => match trees.next() {
                    Some(TokenTree::Ident(ident)) if ident == "shim_dollar" => {
                        out.extend([TokenTree::Punct(punct)]);
                    }
                    Some(TokenTree::Ident(ident)) if ident == "crate" => {
                        out.extend([TokenTree::Ident(Ident::new("dollar_crate", Span::call_site()))]);
                    }
                    other => panic!("a `$` that macro_rules would take for its own: {other:?}"),
                },
                TokenTree::Group(group) => {
                    out.extend([TokenTree::Group(Group::new(group.delimiter(), transcribe(group.stream())))]);
                }
                other => out.extend([other]),
            }
        }
        out
    }
    let rules: Vec<_> = definition.into_iter().collect();
    // matcher `=` `>` transcriber `;` ..
    let TokenTree::Group(transcriber) = &rules[3] else { panic!("{rules:?}") };
    let bundle = transcribe(last_group(last_group(transcriber.stream())));
    quote!({ #bundle })
}

/// A stage that writes down what it was given.
struct Describe;

impl Stager for Describe {
    fn kernel(&self, unit: &Unit, library: &Library) -> TokenStream {
        describe(unit, library)
    }

    fn definition(&self, _: &Unit, _: &Library) -> syn::Result<TokenStream> {
        Ok(TokenStream::new())
    }

    fn home_names(&self, _: &syn::ItemFn, _: &Callees) -> Vec<Ident> {
        Vec::new()
    }
}

fn describe(unit: &Unit, library: &Library) -> TokenStream {
    let callees = |callees: &Callees| {
        callees
            .iter()
            .map(|(path, key)| {
                format!(
                    "{path}={}",
                    library.get(&key.key).map_or_else(String::new, |t| t.function.sig.ident.to_string())
                )
            })
            .collect::<Vec<_>>()
    };
    let own = callees(&unit.callees).join(", ");
    let templates = library.templates().map(|template| {
        let function = &template.function;
        assert!(template.location.ends_with(char::is_numeric), "{}", template.location);
        format!("{} [{}]", function.to_token_stream(), callees(&template.callees).join(", "))
    });
    let mut templates: Vec<_> = templates.collect();
    templates.sort();
    let item = unit.item.to_string();
    quote!(const DESCRIPTION: &[&str] = &[#item, #own, #(#templates),*];)
}

fn description(tokens: &TokenStream) -> Vec<String> {
    let constant: syn::ItemConst = syn::parse2(tokens.clone()).unwrap_or_else(|_| panic!("{tokens}"));
    let syn::Expr::Reference(list) = *constant.expr else { panic!("{tokens}") };
    let syn::Expr::Array(list) = *list.expr else { panic!("{tokens}") };
    let strings = list.elems.into_iter().map(|element| match element {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => text.value(),
        other => panic!("{other:?}"),
    });
    strings.collect()
}

#[test]
fn a_kernel_without_calls_is_staged_at_once() {
    let world = World::default();
    let item = quote!(
        pub fn k(x: &[u8]) -> u8 {
            plain(x)
        }
    );
    assert_eq!(description(&world.expand(item.clone())), [item.to_string(), String::new()]);
}

#[test]
fn bundles_arrive_closed_and_once() {
    let world = World::default();
    let exported = world.expand(quote! {
        /// Text.
        #[inline]
        pub fn low(v: impl Tensor<i32, 1>) {
            macro_rules! m { ($x:expr) => { $crate::plain($x) }; }
            let x: &'static str = "a $b"; 'l: loop { break 'l; } let y = -1.5e3 + crate::K; pub(crate) fn z() {}
        }
    });
    let exported = exported.to_string();
    assert!(
        exported.contains("# [macro_export]") && exported.contains("# [doc = r\" Text.\"]"),
        "{exported}"
    );
    world.expand(quote!(
        fn one(v: impl Tensor<i32, 1>) {
            crate::m::low(v);
            one(v);
        }
    ));
    let private = world.expand(quote!(
        pub(super) fn two(v: impl Tensor<i32, 1>) {
            low(v)
        }
    ));
    assert!(!private.to_string().contains("macro_export"));
    let kernel = quote!(
        fn k(&self, t: &Block<i32, 1>) {
            one(t);
            b::two::<3>(t);
            one(t);
        }
    );
    let low = "# [inline] fn low (v : impl Tensor < i32 , 1 >) { \
               macro_rules ! m { ($ x : expr) => { dollar_crate :: plain ($ x) } ; } \
               let x : & 'static str = \"a $b\" ; 'l : loop { break 'l ; } \
               let y = - 1.5e3 + dollar_crate :: K ; pub (crate) fn z () { } } []";
    assert_eq!(
        description(&world.expand(kernel.clone())),
        [
            &kernel.to_string(),
            "b::two=two, one=one",
            low,
            "fn one (v : impl Tensor < i32 , 1 >) { dollar_crate :: m :: low (v) ; one (v) ; } \
             [dollar_crate::m::low=low, one=one]",
            "fn two (v : impl Tensor < i32 , 1 >) { low (v) } [low=low]",
        ]
    );
}

/// The function that stands beside the macro of a template.
fn beside(item: TokenStream) -> String {
    let file: syn::File = syn::parse2(World::default().expand(item)).unwrap();
    let mut functions = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    let function = functions.next().expect("a placeholder");
    let function = syn::ItemFn { attrs: Vec::new(), ..function };
    function.to_token_stream().to_string()
}

#[test]
fn a_placeholder_shows_the_signature() {
    // What is called `Tensor` is verified to be shim's.
    let tensor = "fn is_tensor < T : :: shim :: prelude :: Tensor < () , 1 > > () { } \
                  fn named_so < T : Tensor < () , 1 > > () { is_tensor :: < T > () ; }";
    let template = quote! {
        #[deprecated]
        pub const unsafe extern "C" fn f<const N: usize>(
            #[shape(3)] mut v: &mut impl Tensor<i32, N>, (a, b): (u8, u8),
        ) -> [u8; N] where [(); N]: {
            let x = shim::Block::stack::<i32>([4]).boundary(Boundary::Clamp); let [i] = iters(); x
        }
    };
    assert_eq!(
        beside(template),
        format!(
            "pub unsafe fn f < const N : usize > (v : & mut impl Tensor < i32 , N > , _ : (u8 , u8) ,) \
             -> [u8 ; N] where [() ; N] : {{ \
             use Boundary as _ ; use iters as _ ; use shim :: Block as _ ; {tensor} :: core :: unreachable ! () }}"
        )
    );
    // What the body imports itself is not known outside of it; and a hidden type needs a body that returns.
    let template = quote! {
        fn f(v: impl Tensor<i32, 1>) -> impl Fn() { use shim::Block; Block::heap::<u8>([1]) }
    };
    let expected = format!("fn f (v : impl Tensor < i32 , 1 >) {{ {tensor} :: core :: unreachable ! () }}");
    assert_eq!(beside(template), expected);
}

/// A stage that resolves a path among the callees.
struct Resolve(RefCell<Option<String>>);
impl Stager for Resolve {
    fn kernel(&self, unit: &Unit, library: &Library) -> TokenStream {
        let template = library.resolve(&unit.callees, &parse_quote!(one::<3>)).map(|t| t.key.clone());
        assert!(library.resolve(&unit.callees, &parse_quote!(other)).is_none());
        *self.0.borrow_mut() = template;
        TokenStream::new()
    }

    fn definition(&self, _: &Unit, _: &Library) -> syn::Result<TokenStream> {
        unreachable!("templates are defined elsewhere")
    }

    fn home_names(&self, _: &syn::ItemFn, _: &Callees) -> Vec<Ident> {
        unreachable!("templates are defined elsewhere")
    }
}

#[test]
fn resolution_ignores_generic_arguments() {
    let world = World::default();
    world.expand(quote!(
        fn one<const N: usize>(v: impl Tensor<i32, 1>) {}
    ));
    let stage = Resolve(RefCell::new(None));
    let call = start(
        TokenStream::new(),
        quote!(
            fn k(t: &Block<i32, 1>) {
                one::<3>(t)
            }
        ),
        &stage,
    );
    let call: syn::ItemMacro = syn::parse2(call).unwrap();
    let last: syn::ItemMacro = syn::parse2(world.step(&call.mac.path, call.mac.tokens)).unwrap();
    resume(last.mac.tokens, &stage);
    assert!(stage.0.into_inner().unwrap().starts_with("__shim_one_"));
}

/// The message of an expansion that is an error, and what follows it.
fn refused(item: &str) -> (String, String) {
    let tokens = start(TokenStream::new(), item.parse().unwrap(), &Describe);
    let text = tokens.to_string();
    let (error, rest) = text.split_once('}').unwrap();
    (error.to_owned(), rest.trim().to_owned())
}

#[test]
fn other_items_are_refused_and_kept() {
    for (item, message) in [
        ("struct S { x : u8 }", "goes on a function"),
        ("impl S { }", "goes on a function"),
        ("mod m { }", "goes on a function"),
        ("fn f (& self) ;", "needs a body"),
        ("default fn f () { }", "`default` method"),
        ("not an item", ""),
    ] {
        let (error, rest) = refused(item);
        assert!(error.contains("compile_error") && error.contains(message), "{error}");
        assert_eq!(rest, item);
    }
    let (error, rest) = refused("fn f(&self, #[shape(3)] v: impl Tensor<u8, 1>) -> u8 { v[[0]] }");
    assert!(error.contains("free function"), "{error}");
    assert!(rest.contains("unreachable") && !rest.contains("shape"), "{rest}");
}

/// A valid input of `resume!`.
fn valid() -> TokenStream {
    let world = World::default();
    world.expand(quote!(
        fn low(v: impl Tensor<i32, 1>) {}
    ));
    world.expand(quote!(
        fn one(v: impl Tensor<i32, 1>) {
            low(v)
        }
    ));
    let call = start(
        TokenStream::new(),
        quote!(
            fn k(t: &Block<i32, 1>) {
                one(t)
            }
        ),
        &Describe,
    );
    let call: syn::ItemMacro = syn::parse2(call).unwrap();
    syn::parse2::<syn::ItemMacro>(world.step(&call.mac.path, call.mac.tokens)).unwrap().mac.tokens
}

#[test]
fn other_versions_are_named() {
    let text = valid().to_string();
    let at = text.rfind("{ 2 __shim_one").unwrap();
    let newer = format!("{}{{ 3 {}", &text[..at], &text[at + 4..]);
    let output = resume(newer.parse().unwrap(), &Describe).to_string();
    assert!(output.contains("incompatible version") && output.contains("fn k"), "{output}");
}

/// Removes, doubles or replaces the `at`-th token tree.
fn mutate(tokens: TokenStream, at: &mut usize, how: u8) -> TokenStream {
    let mut out = TokenStream::new();
    for tree in tokens {
        let hit = *at == 0;
        *at = at.wrapping_sub(1);
        let tree = match tree {
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), mutate(group.stream(), at, how)))
            }
            other => other,
        };
        match how {
            0 if hit => {}
            1 if hit => out.extend([tree.clone(), tree]),
            2 if hit => out.extend(quote!(7)),
            3 if hit => out.extend(quote!({ x })),
            _ => out.extend([tree]),
        }
    }
    out
}

proptest! {
    #[test]
    fn malformed_input_is_an_error_and_no_panic(mut at in 0..120usize, how in 0..4u8) {
        let mutated = mutate(valid(), &mut at, how);
        resume(mutated, &Describe);
    }

    #[test]
    fn any_tokens_are_survived(text in "[a-z$!(){}\\[\\]; 0-9'\"&,<>:=#]{0,40}") {
        if let Ok(tokens) = text.parse::<TokenStream>() {
            resume(tokens.clone(), &Describe);
            start(tokens.clone(), tokens.clone(), &Describe);
            start(tokens.clone(), quote!(fn f(t: &Block<u8, 1>) { g(t); #tokens }), &Describe);
        }
    }
}
