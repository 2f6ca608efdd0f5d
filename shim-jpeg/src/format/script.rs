//! Scan scripts (T.81 B.2.3 and G.1.1).

use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::format::frame::MAX_COMPONENTS;
use crate::input::color::ColorSpace;

/// One scan of a scan script: components, spectral band and successive approximation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScanSpec {
    /// Components by index in the frame, in increasing order.
    pub components: Vec<u8>,
    /// Ss: first coefficient in zigzag order.
    pub ss: u8,
    /// Se: last coefficient in zigzag order.
    pub se: u8,
    /// Ah: Al of the previous scan of these coefficients; 0 if there is none.
    pub ah: u8,
    /// Al: number of low bits left to later scans.
    pub al: u8,
}

impl ScanSpec {
    /// Coefficients `ss` to `se` of `components`: all bits from bit `al` up, or only bit `al` if `ah` is not 0.
    pub fn new(components: &[u8], [ss, se]: [u8; 2], [ah, al]: [u8; 2]) -> Self {
        Self { components: components.to_vec(), ss, se, ah, al }
    }

    /// A scan of whole coefficients, as in sequential files.
    pub(crate) fn whole(components: Vec<u8>) -> Self {
        Self { components, ss: 0, se: 63, ah: 0, al: 0 }
    }

    /// Whether the scan has whole coefficients, as in sequential files.
    pub(crate) fn is_whole(&self) -> bool {
        (self.ss, self.se, self.ah, self.al) == (0, 63, 0, 0)
    }

    /// Whether the scan is a refinement scan.
    pub(crate) fn refines(&self) -> bool {
        self.ah > 0
    }
}

/// The default progressive scan script of libjpeg, which most encoders use: DC without its lowest bit, the first AC
/// coefficients of luminance, the other coefficients without one or two bits, and refinement scans.
pub(crate) fn default_script(space: ColorSpace) -> Vec<ScanSpec> {
    let scan = ScanSpec::new;
    let all: Vec<u8> = (0..space.identifiers().len() as u8).collect();
    if space == ColorSpace::YCbCr {
        return vec![
            scan(&all, [0, 0], [0, 1]),
            scan(&[0], [1, 5], [0, 2]),
            scan(&[2], [1, 63], [0, 1]),
            scan(&[1], [1, 63], [0, 1]),
            scan(&[0], [6, 63], [0, 2]),
            scan(&[0], [1, 63], [2, 1]),
            scan(&all, [0, 0], [1, 0]),
            scan(&[2], [1, 63], [1, 0]),
            scan(&[1], [1, 63], [1, 0]),
            scan(&[0], [1, 63], [1, 0]),
        ];
    }
    let each = |band, bits| all.iter().map(move |&c| ScanSpec::new(&[c], band, bits));
    let mut scans = vec![scan(&all, [0, 0], [0, 1])];
    scans.extend(each([1, 5], [0, 2]));
    scans.extend(each([6, 63], [0, 2]));
    scans.extend(each([1, 63], [2, 1]));
    scans.push(scan(&all, [0, 0], [1, 0]));
    scans.extend(each([1, 63], [1, 0]));
    scans
}

/// Whether the scans are those of a progressive file of so many components, whose blocks in an MCU are given.
///
/// # Errors
///
/// [`Error::Script`], with the scan at fault, counted from 0: a scan has one to four components in the order of the
/// frame, AC has one; DC is by itself; of each coefficient all bits down to 0 are sent in turn, DC first (G.1.1.1.1);
/// an MCU has at most ten blocks (B.2.3).
pub(crate) fn validate(scans: &[ScanSpec], blocks: &[usize]) -> Result<(), Error> {
    // Al of the last scan of each coefficient.
    let mut sent = [[None; 64]; MAX_COMPONENTS];
    for (index, scan) in scans.iter().enumerate() {
        let refused = |reason| Err(Error::Script { scan: index, reason });
        let ScanSpec { components, ss, se, ah, al } = scan;
        if let Some(reason) = components_fault(components, blocks) {
            return refused(reason);
        }
        if *se > 63 || ss > se || (*ss == 0 && *se != 0) {
            return refused("its band is neither DC alone nor AC coefficients of 1 to 63");
        }
        if *ss > 0 && components.len() > 1 {
            return refused("AC coefficients of more than one component stand in one scan");
        }
        if *al > 13 || (*ah > 0 && *ah != al + 1) {
            return refused("Ah is neither 0 nor one more than Al, or Al is above 13");
        }
        for &c in components {
            let sent = &mut sent[usize::from(c)];
            if *ss > 0 && sent[0].is_none() {
                return refused("AC coefficients come before DC of their component");
            }
            for coefficient in &mut sent[usize::from(*ss)..=usize::from(*se)] {
                let expected = coefficient.unwrap_or(0);
                if expected != *ah || (coefficient.is_some() && *ah == 0) {
                    return refused("Ah is not Al of the scan before it of these coefficients");
                }
                *coefficient = Some(*al);
            }
        }
    }
    let complete = |sent: &[Option<u8>; 64]| sent.iter().all(|&al| al == Some(0));
    if !sent[..blocks.len()].iter().all(complete) {
        return Err(Error::Script { scan: scans.len(), reason: "some bits of coefficients are in no scan" });
    }
    Ok(())
}

/// Whether the scans, which are [whole](ScanSpec::is_whole), are those of a sequential file of so many components.
///
/// # Errors
///
/// [`Error::Script`]: each component is in one scan, and a scan has components as a progressive one has.
pub(crate) fn validate_sequential(scans: &[ScanSpec], blocks: &[usize]) -> Result<(), Error> {
    let mut sent = [false; MAX_COMPONENTS];
    for (index, ScanSpec { components, .. }) in scans.iter().enumerate() {
        let refused = |reason| Err(Error::Script { scan: index, reason });
        if let Some(reason) = components_fault(components, blocks) {
            return refused(reason);
        }
        for &c in components {
            if core::mem::replace(&mut sent[usize::from(c)], true) {
                return refused("a component was in a scan before it");
            }
        }
    }
    if sent[..blocks.len()].contains(&false) {
        return Err(Error::Script { scan: scans.len(), reason: "a component is in no scan" });
    }
    Ok(())
}

/// The rule that the components of a scan violate, if any.
fn components_fault(components: &[u8], blocks: &[usize]) -> Option<&'static str> {
    let in_order = components.windows(2).all(|pair| pair[0] < pair[1]);
    if components.is_empty() || !in_order || components.iter().any(|&c| usize::from(c) >= blocks.len()) {
        return Some("its components are not some of the frame's, each once and in their order");
    }
    let too_many =
        components.len() > 1 && components.iter().map(|&c| blocks[usize::from(c)]).sum::<usize>() > 10;
    too_many.then_some("an MCU of its components has more than ten blocks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_scans_have_each_component_once() {
        let scans = |each: &[&[u8]]| each.iter().map(|c| ScanSpec::whole(c.to_vec())).collect::<Vec<_>>();
        for fine in [&[&[0, 1, 2][..]][..], &[&[1], &[0, 2]], &[&[2], &[1], &[0]]] {
            validate_sequential(&scans(fine), &[4, 1, 1]).unwrap();
        }
        for (refused, wanted) in
            [(&[&[0, 1][..]][..], 1), (&[&[0, 1], &[1, 2]], 1), (&[&[1, 0], &[2]], 0), (&[&[0], &[3]], 1)]
        {
            let refused = validate_sequential(&scans(refused), &[4, 1, 1]);
            assert!(matches!(refused, Err(Error::Script { scan, .. }) if scan == wanted), "{refused:?}");
        }
        assert!(validate_sequential(&scans(&[&[0, 1], &[2]]), &[8, 4, 1]).is_err());
    }

    #[test]
    fn the_usual_scans_are_valid() {
        for space in
            [ColorSpace::Gray, ColorSpace::YCbCr, ColorSpace::Rgb, ColorSpace::Cmyk, ColorSpace::Ycck]
        {
            validate(&default_script(space), &vec![1; space.identifiers().len()]).unwrap();
        }
    }

    #[test]
    fn what_breaks_a_script() {
        let scan = ScanSpec::new;
        let dc = scan(&[0, 1, 2], [0, 0], [0, 0]);
        let ac = |c| scan(&[c], [1, 63], [0, 0]);
        let whole = vec![dc.clone(), ac(0), ac(1), ac(2)];
        validate(&whole, &[1; 3]).unwrap();
        let cases: [(Vec<ScanSpec>, usize); 10] = [
            (vec![], 0),
            (vec![dc.clone(), ac(0), ac(1)], 3),
            (vec![ac(0)], 0),
            (vec![dc.clone(), dc.clone()], 1),
            (vec![dc.clone(), scan(&[0, 1], [1, 63], [0, 0])], 1),
            (vec![dc.clone(), scan(&[0], [1, 64], [0, 0])], 1),
            (vec![dc.clone(), scan(&[3], [1, 63], [0, 0])], 1),
            (vec![dc.clone(), scan(&[0], [1, 63], [1, 0])], 1),
            (vec![dc.clone(), scan(&[0], [1, 63], [0, 2]), scan(&[0], [1, 63], [3, 1])], 2),
            (vec![scan(&[1, 0], [0, 0], [0, 0])], 0),
        ];
        for (scans, wanted) in cases {
            let refused = validate(&scans, &[1; 3]);
            assert!(
                matches!(refused, Err(Error::Script { scan, .. }) if scan == wanted),
                "{scans:?}: {refused:?}"
            );
        }
        assert!(validate(&whole, &[8, 2, 1]).is_err());
    }
}
