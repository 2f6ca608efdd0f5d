//! The statistics of `--stats`.

use std::fmt;

use serde::Serialize;
use shim_picture::Picture;
use shim_picture::jpeg::{self, Anatomy};
use shim_picture::metrics::{self, Metrics, Raster};

use crate::table;

/// Where the bits of a file go, and how near it is to its source.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stats {
    /// In bits.
    pub(crate) bits: Option<Anatomy>,
    pub(crate) quality: Option<Metrics>,
}

impl Stats {
    /// Takes a file apart and decodes it.
    pub(crate) fn new(picture: &Picture, file: &[u8]) -> Self {
        Self { bits: jpeg::dissect(file), quality: measure(picture, file) }
    }
}

/// Decodes a file and compares it with its source; none if the decoder does not read such files.
pub(crate) fn measure(picture: &Picture, file: &[u8]) -> Option<Metrics> {
    let source = Raster { samples: picture.bytes()?, width: picture.width, gray: picture.kind.is_gray() };
    let decoded = jpeg::samples(file).ok()?;
    if [decoded.width, decoded.height] != [picture.width, picture.height] {
        return None;
    }
    let samples = decoded.bytes()?;
    let gray = decoded.channels.is_gray();
    Some(metrics::compare(source, Raster { samples, width: picture.width, gray }))
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bits {
            Some(bits) => write_bits(f, bits)?,
            None => writeln!(f, "bits per component are not available for this kind of file")?,
        }
        match &self.quality {
            Some(quality) => write_quality(f, quality, self.bits.as_ref()),
            None => {
                writeln!(f, "PSNR and SSIM are not available: the file does not decode to 8-bit samples")
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "files have fewer than 2^52 bits")]
fn write_bits(f: &mut fmt::Formatter<'_>, bits: &Anatomy) -> fmt::Result {
    let all = bits.total() as f64;
    let mut rows = vec![
        ("headers".to_owned(), bits.headers),
        ("metadata".to_owned(), bits.metadata),
        ("quantization tables".to_owned(), bits.quantization_tables),
        ("Huffman tables".to_owned(), bits.huffman_tables),
    ];
    for component in &bits.components {
        if bits.process == "lossless" {
            rows.push((component.name.clone(), component.dc));
        } else {
            rows.push((format!("{} DC", component.name), component.dc));
            rows.push((format!("{} AC", component.name), component.ac));
        }
    }
    rows.push(("padding".to_owned(), bits.padding));
    rows.push(("all".to_owned(), bits.total()));
    let mut table = table::new(&["where", "bits", "share"]);
    for (name, bits) in rows {
        table.add_row([name, bits.to_string(), format!("{:.1} %", 100.0 * bits as f64 / all)]);
    }
    writeln!(f, "{}", table.trim_fmt())?;
    if bits.scans.len() > 1 {
        let mut table = table::new(&["scan", "components", "band", "bits", "bytes"]);
        for (number, scan) in (1..).zip(&bits.scans) {
            let components: Vec<_> =
                scan.components.iter().map(|&c| bits.components[c].name.as_str()).collect();
            let ([ss, se], [ah, al]) = (scan.band, scan.bits);
            let range = if ah > 0 { format!("{al}") } else { format!("{al} up") };
            table.add_row([
                number.to_string(),
                components.join(" "),
                format!("{ss}-{se}"),
                range,
                scan.bytes.to_string(),
            ]);
        }
        writeln!(f, "{}", table.trim_fmt())?;
    }
    Ok(())
}

fn write_quality(f: &mut fmt::Formatter<'_>, quality: &Metrics, bits: Option<&Anatomy>) -> fmt::Result {
    write!(f, "PSNR {:.2} dB", quality.psnr)?;
    if let [y, cb, cr] = quality.component_psnr[..] {
        write!(f, " (Y {y:.2}, Cb {cb:.2}, Cr {cr:.2})")?;
    } else if bits.is_some_and(|bits| bits.components.len() == 1) {
        write!(f, " (Y)")?;
    }
    match quality.ssim {
        Some(ssim) => writeln!(f, ", SSIM {ssim:.4}"),
        None => writeln!(f),
    }
}
