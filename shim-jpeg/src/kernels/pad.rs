//! The completion of partial blocks at the right and bottom edge (T.81 A.2.4).

/// Repeats the last column and the last row of a plane until it is `padded_rows` by `padded_columns` samples.
///
/// The plane has rows `stride` samples apart, of which the first `columns` samples of the first `rows` rows
/// hold the image. Every other sample of the padded rectangle becomes the nearest one of the image:
/// `s[y, x] = s[min(y, rows - 1), min(x, columns - 1)]`, the boundary rule "clamp".
///
/// # Panics
///
/// When the image is empty, reaches beyond the padded rectangle, or that lies outside `plane`.
pub fn pad(
    plane: &mut [u8],
    stride: usize,
    rows: usize,
    columns: usize,
    padded_rows: usize,
    padded_columns: usize,
) {
    assert!((1..=padded_rows).contains(&rows) && (1..=padded_columns).contains(&columns));
    assert!(padded_columns <= stride && padded_rows * stride <= plane.len());
    for y in 0..rows {
        let row = &mut plane[y * stride..][..padded_columns];
        let last = row[columns - 1];
        row[columns..].fill(last);
    }
    let last = (rows - 1) * stride;
    for y in rows..padded_rows {
        plane.copy_within(last..last + padded_columns, y * stride);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_the_nearest_of_the_image() {
        for (rows, columns, padded_rows, padded_columns) in
            [(1, 1, 8, 8), (3, 5, 8, 8), (8, 8, 8, 8), (7, 8, 8, 8), (8, 1, 8, 16), (2, 9, 2, 9)]
        {
            let stride = padded_columns + 3;
            let source: Vec<u8> = (0..padded_rows * stride).map(|i| (i * 31 % 251) as u8).collect();
            let mut plane = source.clone();
            pad(&mut plane, stride, rows, columns, padded_rows, padded_columns);
            for (i, &sample) in plane.iter().enumerate() {
                let (y, x) = (i / stride, i % stride);
                let nearest = y.min(rows - 1) * stride + x.min(columns - 1);
                let wanted = if x < padded_columns { nearest } else { i };
                assert_eq!(sample, source[wanted], "{rows}x{columns} at {y}, {x}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "assertion failed")]
    fn an_image_of_nothing_has_no_edge() {
        pad(&mut [0; 64], 8, 0, 8, 8, 8);
    }
}
