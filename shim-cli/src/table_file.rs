//! Quantization tables in the syntax of cjpeg's -qtables (libjpeg's wizard.txt).
//!
//! Tables are 64 numbers each, row by row, with spaces between them; `#` begins a comment.

use crate::failure::Reason;

/// Elements of a table, row by row.
type Table = [u16; 64];

/// The quality that cjpeg has if it is not told another.
pub(crate) const CJPEG_QUALITY: u8 = 75;

/// Table K.2 of the standard, which chrominance has where a file has one table.
#[rustfmt::skip]
pub(crate) const CHROMINANCE: Table = [
    17, 18, 24, 47, 99, 99, 99, 99,
    18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99,
    47, 66, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
];

/// The tables of luminance and of chrominance, if there are two.
pub(crate) fn parse(text: &str) -> Result<(Table, Option<Table>), Reason> {
    let mut numbers = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        for token in text.split('#').next().unwrap_or_default().split_whitespace() {
            let number = token.parse().ok().filter(|&number: &u16| number > 0);
            let fault =
                || Reason::Syntax(format!("line {line}: expected a number from 1 to 65535, found `{token}`"));
            numbers.push(number.ok_or_else(fault)?);
        }
    }
    match numbers.as_chunks() {
        (&[luminance], []) => Ok((luminance, None)),
        (&[luminance, chrominance], []) => Ok((luminance, Some(chrominance))),
        _ => {
            Err(Reason::Syntax(format!("expected one or two tables of 64 numbers, found {}", numbers.len())))
        }
    }
}

/// A table at a quality: multiplied by `50 / quality` up to 50, and by `2 - quality / 50` above, within 1 to `most`.
pub(crate) fn scaled(table: Table, quality: u8, most: u16) -> Table {
    let quality = u32::from(quality);
    let percent = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
    table.map(|q| ((u32::from(q) * percent + 50) / 100).clamp(1, u32::from(most)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tables: usize) -> String {
        let number = |i: usize| [(i + 1).to_string(), if i % 8 == 7 { " # row\n" } else { " " }.to_owned()];
        (0..tables * 64).flat_map(number).collect()
    }

    #[test]
    fn one_or_two_tables() {
        let table = |first: u16| std::array::from_fn(|i| first + i as u16);
        assert_eq!(parse(&text(1)).unwrap(), (table(1), None));
        assert_eq!(parse(&text(2)).unwrap(), (table(1), Some(table(65))));
    }

    #[test]
    fn faults() {
        let refused = |text: &str| parse(text).unwrap_err().to_string();
        for (text, numbers) in [(text(3), 192), (String::new(), 0), ("1 2 3".to_owned(), 3)] {
            let wanted = format!("expected one or two tables of 64 numbers, found {numbers}");
            assert_eq!(refused(&text), wanted);
        }
        assert_eq!(refused("1\n2 0"), "line 2: expected a number from 1 to 65535, found `0`");
        assert_eq!(refused("16, 11"), "line 1: expected a number from 1 to 65535, found `16,`");
    }

    #[test]
    fn a_quality_scales_them_as_those_of_the_standard() {
        let of = |q, quality, most| scaled([q; 64], quality, most)[0];
        assert_eq!((of(16, 50, 255), of(99, 50, 255)), (16, 99));
        assert_eq!((of(16, 75, 255), of(99, 75, 255)), (8, 50));
        assert_eq!((of(16, 100, 255), of(99, 100, 255)), (1, 1));
        assert_eq!((of(16, 10, 255), of(99, 10, 255)), (80, 255));
        assert_eq!(of(99, 10, 65_535), 495);
    }
}
