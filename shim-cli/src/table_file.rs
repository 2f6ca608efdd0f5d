//! Quantisation tables in the syntax of cjpeg's -qtables (libjpeg's wizard.txt).
//!
//! Tables are 64 numbers each, row by row, with spaces between them; `#` begins a comment.

use crate::failure::Reason;

/// Elements of a table, row by row.
type Table = [u16; 64];

/// The tables of luminance and of chrominance; a single table is both.
pub(crate) fn parse(text: &str) -> Result<[Table; 2], Reason> {
    let mut numbers = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        for token in text.split('#').next().unwrap_or_default().split_whitespace() {
            let number = token.parse().ok().filter(|&number: &u16| number > 0);
            let fault = || Reason::Syntax(format!("line {line}: `{token}` is no number from 1 to 65535"));
            numbers.push(number.ok_or_else(fault)?);
        }
    }
    match numbers.as_chunks() {
        (&[both], []) => Ok([both, both]),
        (&[luminance, chrominance], []) => Ok([luminance, chrominance]),
        _ => Err(Reason::Syntax(format!(
            "there are {} numbers in it, and not 64 or 128: one or two tables",
            numbers.len()
        ))),
    }
}

/// The tables at a quality: multiplied by `50 / quality` up to 50, and by `2 - quality / 50` above, within 1 to `most`.
pub(crate) fn scaled(tables: [Table; 2], quality: u8, most: u16) -> [Table; 2] {
    let quality = u32::from(quality);
    let percent = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
    tables.map(|table| table.map(|q| ((u32::from(q) * percent + 50) / 100).clamp(1, u32::from(most)) as u16))
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
        assert_eq!(parse(&text(1)).unwrap(), [table(1); 2]);
        assert_eq!(parse(&text(2)).unwrap(), [table(1), table(65)]);
    }

    #[test]
    fn faults() {
        let refused = |text: &str| parse(text).unwrap_err().to_string();
        for (text, numbers) in [(text(3), 192), (String::new(), 0), ("1 2 3".to_owned(), 3)] {
            let wanted = format!("there are {numbers} numbers in it, and not 64 or 128: one or two tables");
            assert_eq!(refused(&text), wanted);
        }
        assert_eq!(refused("1\n2 0"), "line 2: `0` is no number from 1 to 65535");
        assert_eq!(refused("16, 11"), "line 1: `16,` is no number from 1 to 65535");
    }

    #[test]
    fn a_quality_scales_them_as_those_of_the_standard() {
        let tables = [[16; 64], [99; 64]];
        assert_eq!(scaled(tables, 50, 255), tables);
        assert_eq!(scaled(tables, 75, 255), [[8; 64], [50; 64]]);
        assert_eq!(scaled(tables, 100, 255), [[1; 64]; 2]);
        assert_eq!(scaled(tables, 10, 255), [[80; 64], [255; 64]]);
        assert_eq!(scaled(tables, 10, 65_535), [[80; 64], [495; 64]]);
    }
}
