//! Options as other programs spell them, which would be taken for something else.

use std::ffi::OsString;

/// The options of cjpeg, which begin with one dash and may be cut short, and what they are called here.
const CJPEG: [(&str, &str); 25] = [
    ("-arithmetic", "use --arithmetic"),
    ("-baseline", "use --baseline"),
    ("-dct", "use --libjpeg-compatible for cjpeg's -dct int"),
    ("-grayscale", "use --grayscale"),
    ("-greyscale", "use --grayscale"),
    ("-icc", "use --icc FILE"),
    ("-lossless", "use --lossless P[,PT]"),
    ("-maxmemory", "there is no such option; see --max-pixels"),
    ("-memdst", "there is no such option"),
    ("-optimize", "use --optimize"),
    ("-optimise", "use --optimize"),
    ("-outfile", "name the output after the input: shim jpeg IN OUT"),
    ("-precision", "use --bits N"),
    ("-progressive", "use --progressive"),
    ("-qslots", "use --qtables FILE"),
    ("-qtables", "use --qtables FILE"),
    ("-quality", "use --quality N"),
    ("-quant-table", "use --qtables FILE"),
    ("-restart", "use --restart N"),
    ("-rgb", "use --rgb"),
    ("-sample", "use --subsampling HxV,.."),
    ("-scans", "use --scans FILE"),
    ("-smooth", "smoothing is not supported"),
    ("-targa", "Targa input is not supported: convert it to PNG or PPM first"),
    ("-verbose", "use --stats"),
];

/// The options of ffmpeg, whose first letters mean something here.
const FFMPEG: [(&str, &str); 7] = [
    ("-bufsize", "use --bufsize BITS"),
    ("-preset", "use --preset PRESET"),
    ("-profile", "use --profile PROFILE"),
    ("-pix_fmt", "use --pix-fmt FORMAT"),
    ("-pass", "there is no such option"),
    ("-qp", "use --qp QP"),
    ("-keyint_min", "use --min-keyint N"),
];

/// The fewest characters of an option of cjpeg's that are taken for it: short options are shorter or have values of
/// their own.
const LEAST: usize = 4;

/// The message for an argument that another program would accept.
pub(crate) fn fault(arguments: &[OsString]) -> Option<(&'static str, String)> {
    let command = arguments.get(1)?.to_str()?;
    let (command, options, cut) = match command {
        "jpeg" => ("jpeg", &CJPEG[..], true),
        "h264" => ("h264", &FFMPEG[..], false),
        _ => return None,
    };
    let mut before = "";
    for argument in &arguments[2..] {
        let argument = argument.to_str().unwrap_or_default();
        if argument == "--" {
            break;
        }
        let value = matches!(before, "--suffix" | "--setting" | "--comment");
        before = argument;
        if value {
            continue;
        }
        let is = |option: &str| {
            argument == option || cut && argument.len() >= LEAST && option.starts_with(argument)
        };
        if let Some((option, instead)) = options.iter().find(|(option, _)| is(option)) {
            let whose = if command == "jpeg" { "cjpeg" } else { "ffmpeg" };
            return Some((command, format!("'{argument}' is {whose}'s {option}: {instead}")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(arguments: &[&str]) -> Option<String> {
        let arguments: Vec<_> = ["shim"].iter().chain(arguments).map(OsString::from).collect();
        fault(&arguments).map(|(_, message)| message)
    }

    #[test]
    fn options_of_other_programs_are_told_from_short_ones() {
        let wanted = "'-outfile' is cjpeg's -outfile: name the output after the input: shim jpeg IN OUT";
        assert_eq!(found(&["jpeg", "a.ppm", "-outfile", "z.jpg"]).as_deref(), Some(wanted));
        for option in ["-opt", "-prog", "-quality", "-qua", "-sample", "-gray"] {
            assert!(found(&["jpeg", option]).is_some(), "{option}");
        }
        assert!(found(&["h264", "-preset", "slow"]).is_some());
        for own in ["-o", "-opt2", "-q", "-q90", "-pO", "-Oe", "-g", "-j4", "-odir", "--quality"] {
            assert_eq!(found(&["jpeg", own]), None, "{own}");
        }
        assert_eq!(found(&["jpeg", "--suffix", "-progressive"]), None);
        assert_eq!(found(&["jpeg", "--", "-outfile"]), None);
        assert_eq!(found(&["--help"]), None);
    }
}
