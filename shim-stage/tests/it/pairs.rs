//! Each pair of words on each form of loop: what is accepted, and why the others are refused, as tables. A cause names only
//! what the user wrote.

use std::fmt::Write as _;

use proc_macro2::{TokenStream, TokenTree};

/// Words with the stage that they are about, if they are.
const WORDS: [(&str, &str); 15] = [
    ("#[order(column_major)]", ""),
    ("#[reorder(x, y)]", ""),
    ("#[tile([4, 4])]", ""),
    ("#[tile([4, 4], peel)]", ""),
    ("#[tile([4, 4], shift)]", ""),
    ("#[tile([4, 4], 't)]", "#[compute_at('t)]"),
    ("#[tile([4, _], 'u)]", "#[store_at(root)] #[compute_at('u)]"),
    ("#[wavefront(y + x)]", ""),
    ("#[lanes(4)]", ""),
    ("#[parallel]", ""),
    ("#[unroll(4)]", ""),
    ("#[distribute]", ""),
    ("#[copies(2)]", ""),
    ("#[fuse]", ""),
    ("#[fuse(lag = 1)]", ""),
];

/// A form of loop, by its parameters and by the loop; the second one has no words.
struct Form {
    name: &'static str,
    parameters: &'static str,
    loops: [&'static str; 2],
}

const FORMS: [Form; 8] = [
    Form {
        name: "ranges",
        parameters: "#[shape(h, w)] src: &[u32], h: usize, w: usize, #[shape(h, w)] a: &mut [u32], #[shape(h, w)] b: &mut [u32]",
        loops: [
            "for y in 0..h { for x in 0..w { a[[y, x]] = READ; b[[y, x]] = src[[y, x]] / 5; } }",
            "for y in 0..h { for x in 0..w { b[[y, x]] ^= 1; } }",
        ],
    },
    Form {
        name: "updates of tables",
        parameters: "#[shape(h, w)] src: &[u32], h: usize, w: usize, #[shape(256)] a: &mut [u32], #[shape(256)] b: &mut [u32]",
        loops: [
            "for y in 0..h { for x in 0..w { a[[READ % 256]] += 1; } }",
            "for y in 0..h { for x in 0..w { b[[src[[y, x]] % 256]] ^= 1; } }",
        ],
    },
    Form {
        name: "inclusive ranges",
        parameters: "#[shape(9, 9)] src: &[u32], #[shape(9, 9)] a: &mut [u32], #[shape(9, 9)] b: &mut [u32]",
        loops: [
            "for y in 0..=8 { for x in 0..=8 { a[[y, x]] = READ; b[[y, x]] = src[[y, x]] / 5; } }",
            "for y in 0..=8 { for x in 0..=8 { b[[y, x]] ^= 1; } }",
        ],
    },
    Form {
        name: "a triangle",
        parameters: "#[shape(h, h)] src: &[u32], h: usize, #[shape(h, h)] a: &mut [u32], #[shape(h, h)] b: &mut [u32]",
        loops: [
            "for y in 0..h { for x in 0..y { a[[y, x]] = READ; b[[y, x]] = src[[y, x]] / 5; } }",
            "for y in 0..h { for x in 0..y { b[[y, x]] ^= 1; } }",
        ],
    },
    Form {
        name: "indices",
        parameters: "#[shape(h, w)] src: &[u32], h: usize, w: usize, #[shape(h, w)] a: &mut [u32], #[shape(h, w)] b: &mut [u32]",
        loops: [
            "for [y, x] in a.indices() { a[[y, x]] = READ; b[[y, x]] = src[[y, x]] / 5; }",
            "for [y, x] in b.indices() { b[[y, x]] ^= 1; }",
        ],
    },
    Form {
        name: "indices of a shape",
        parameters: "#[shape(n, |i| i + 1)] src: &[u32], n: usize, #[shape(n, |i| i + 1)] a: &mut [u32], #[shape(n, |i| i + 1)] b: &mut [u32]",
        loops: [
            "for [y, x] in a.indices() { a[[y, x]] = READ; b[[y, x]] = src[[y, x]] / 5; }",
            "for [y, x] in b.indices() { b[[y, x]] ^= 1; }",
        ],
    },
    Form {
        name: "elementwise assignments",
        parameters: "#[shape(h, w)] src: &[u32], h: usize, w: usize, #[shape(h, w)] a: &mut [u32], #[shape(h, w)] b: &mut [u32]",
        loops: ["a[[y, x]] = READ;", "b[[y, x]] = src[[y, x]] / 5;"],
    },
    Form {
        name: "chains",
        parameters: "#[shape(h, w)] src: &[u32], h: usize, w: usize, #[shape(h, w)] a: &mut [u32], #[shape(h, w)] b: &mut [u32]",
        loops: ["let sum: u32 = src.indices().map(|[y, x]| READ).sum::<u32>();", "a[[0, 0]] = sum;"],
    },
];

impl Form {
    fn kernel(&self, [first, second]: [&(&str, &str); 2]) -> String {
        let own = [first, second].map(|(word, stage)| (*word, *stage));
        let stages: Vec<(&str, &str)> = own.into_iter().filter(|(_, stage)| !stage.is_empty()).collect();
        let mut text = "let [y, x] = iters(); ".to_owned();
        let mut read = "src[[y, x]] / 3".to_owned();
        if self.name != "elementwise assignments" {
            text.clear();
        }
        for (number, (_, words)) in stages.iter().enumerate() {
            let _ = write!(
                text,
                "{words} let s{number} = stage::<u32>(|[p, q]| (p as u32).wrapping_mul(q as u32)); "
            );
            // A range of another type than `i32` is no index of a stage as it is.
            let _ = write!(read, " ^ s{number}[[y, x]]");
        }
        let [one, other] = self.loops.map(|own| own.replace("READ", &read));
        format!("fn k({}) {{ {text} {} {} {one} {other} }}", self.parameters, own[0].0, own[1].0)
    }
}

/// The errors of an expansion.
fn errors(expansion: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![expansion];
    while let Some(tokens) = open.pop() {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Ident(name) if name == "compile_error" => {
                    if let Some(TokenTree::Group(group)) = tokens.get(at + 2) {
                        let text: syn::LitStr = syn::parse2(group.stream()).expect("a message");
                        found.push(text.value());
                    }
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Whether each name that a message quotes is one of the source, or a word of the language.
fn names_the_source(message: &str, source: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_owned)
            .filter(|word| !word.is_empty())
            .collect()
    };
    let mut known = words(source);
    known.extend(
        [
            "tile",
            "lanes",
            "parallel",
            "fuse",
            "distribute",
            "shift",
            "peel",
            "clip",
            "wavefront",
            "order",
            "unroll",
        ]
        .map(str::to_owned),
    );
    message.split('`').skip(1).step_by(2).flat_map(words).all(|word| known.contains(&word))
}

#[test]
fn pairs_of_words() {
    let mut shown = String::new();
    let mut causes: Vec<String> = Vec::new();
    for form in FORMS {
        let _ = writeln!(shown, "{}", form.name);
        for first in &WORDS {
            let mut row = String::new();
            for second in &WORDS {
                let kernel = form.kernel([first, second]);
                let expansion = shim_stage::kernel(TokenStream::new(), kernel.parse().expect("tokens"));
                let errors = errors(expansion);
                let Some(error) = errors.first() else {
                    row.push_str("  .");
                    continue;
                };
                let (message, _) = error.split_once("\nhelp: ").expect("a message with help");
                assert!(names_the_source(message, &kernel), "{kernel}: {message}");
                let number = causes.iter().position(|own| own == message).unwrap_or_else(|| {
                    causes.push(message.to_owned());
                    causes.len() - 1
                });
                let _ = write!(row, " {:>2}", number + 1);
            }
            let _ = writeln!(shown, "  {:34}{row}", first.0);
        }
    }
    for (number, cause) in causes.iter().enumerate() {
        let _ = writeln!(shown, "{:>2}: {cause}", number + 1);
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../passes");
    settings.bind(|| insta::assert_snapshot!("pairs", shown));
}
