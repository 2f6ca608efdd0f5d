//! Scan scripts in the syntax of cjpeg's -scans (libjpeg's wizard.txt).
//!
//! A scan is `components: Ss-Se, Ah, Al;`, the components numbered from 0, or `components;` for all of their
//! coefficients, as sequential files have them. Commas may be spaces, `#` begins a comment, and the last semicolon may
//! be missing. Whether the scans make up a file is for the encoder to say.

use shim_jpeg::{Error, ScanSpec};

use crate::failure::Reason;

/// The scans of a script.
pub(crate) fn parse(script: &str) -> Result<Vec<ScanSpec>, Reason> {
    let uncommented: Vec<_> = script.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let uncommented = uncommented.join("\n");
    let mut scans = Vec::new();
    let mut line = 1;
    for text in uncommented.split(';') {
        let began = line + text.chars().take_while(|c| c.is_whitespace()).filter(|&c| c == '\n').count();
        line += text.matches('\n').count();
        if !text.trim().is_empty() {
            let scan =
                text.parse().map_err(|error| Reason::Syntax(format!("line {began}: {}", fault(error))))?;
            scans.push(scan);
        }
    }
    if scans.is_empty() { Err(Reason::Syntax("no scans in the script".to_owned())) } else { Ok(scans) }
}

/// An error about a scan, without the name of the setting.
fn fault(error: Error) -> String {
    match error {
        Error::Syntax { text, expected, .. } => format!("expected {expected}, found `{text}`"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(script: &str) -> String {
        parse(script).unwrap_err().to_string()
    }

    #[test]
    fn the_example_of_the_manual() {
        let script = "\
# Initial DC scan for Y,Cb,Cr (lowest bit not sent)
0,1,2: 0-0, 0, 1 ;
# First AC scan: send first 5 Y AC coefficients, minus 2 lowest bits:
0: 1-5, 0, 2 ;
2 1:0-0,1,0";
        let scan = ScanSpec::new;
        assert_eq!(
            parse(script).unwrap(),
            [scan(&[0, 1, 2], [0, 0], [0, 1]), scan(&[0], [1, 5], [0, 2]), scan(&[2, 1], [0, 0], [1, 0])]
        );
    }

    #[test]
    fn scans_of_whole_coefficients() {
        let scan = |components: &[u8]| ScanSpec::new(components, [0, 63], [0, 0]);
        assert_eq!(parse("0;\n1 2;").unwrap(), [scan(&[0]), scan(&[1, 2])]);
    }

    #[test]
    fn faults_are_found_with_their_line() {
        assert_eq!(refused("# nothing\n"), "no scans in the script");
        assert_eq!(
            refused("0: 0-0, 0, 0;\n\n0: 1-63, 0;"),
            "line 3: expected four numbers after the colon (Ss-Se, Ah, Al), found `0: 1-63, 0`"
        );
        assert_eq!(refused("\n0: 0-x, 0, 0;"), "line 2: expected a number from 0 to 255, found `x`");
        assert_eq!(refused("0: 0-256, 0, 0"), "line 1: expected a number from 0 to 255, found `256`");
    }
}
