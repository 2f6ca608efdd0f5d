//! From coefficients to bytes.

use std::ops::Range;

use shim_benches::ablation::headers::Headers;
use shim_jpeg::kernels::bits::{BitPosition, GROUP, LENGTH_BITS, SLACK, put_words, stuff};
use shim_jpeg::kernels::huffman::{MAX_BLOCK_BYTES, STANDARD_CODES, encode_mcus};
use shim_jpeg::kernels::mcu::{Columns, McuBlock, Mcus, Predictions, ScanComponent, find_blocks};
use shim_jpeg::kernels::progressive::{EndOfBand, SpectralBand, ac_first, ac_refine, end_of_band};
use shim_jpeg::kernels::tile::Blocks;
use shim_jpeg::kernels::tokens::{
    Assigned, VALUES, count, dc_tokens_of_mcus, pack, put_tokens, tokens_of_mcus,
};

use crate::clock::Clock;
use crate::frame::{Frame, McuRun, RUN};

/// Tokens that are coded at a time, and the bytes that one takes at most.
const CHUNK: usize = 1 << 14;
const TOKEN_BYTES: usize = 4;

/// Calls that the words of a run take: one for eight MCUs.
const CALLS: usize = 8;

/// Memory for the coded data.
struct Bytes {
    raw: Vec<u8>,
    stuffed: Vec<u8>,
    position: BitPosition,
}

impl Bytes {
    fn new(longest: usize) -> Self {
        let longest = longest + SLACK;
        Self { raw: vec![0; longest], stuffed: vec![0; 2 * longest], position: BitPosition::default() }
    }

    fn flush(&mut self) -> usize {
        let length = stuff(&self.raw, self.position.bytes, &mut self.stuffed);
        self.position.bytes = 0;
        length
    }
}

/// The entropy coder's stages at one density.
pub(crate) struct Coder {
    frame: Frame,
    /// The codes of all values of all tables, with their lengths.
    codes: Box<[u32; VALUES]>,
    components: Vec<ScanComponent>,
    blocks: Vec<McuBlock>,
    predictions: Predictions,
    /// Those of the tokens.
    tokenized: Predictions,
    bytes: Bytes,
    /// The words of a run, and how many each call takes.
    calls: [(Vec<u32>, usize); CALLS],
    calls_bytes: Bytes,
    tokens: Vec<u32>,
    end: usize,
    chunk: Bytes,
    /// The rows of MCUs of the picture, once they are known.
    stored: Vec<Vec<McuRun>>,
}

impl Coder {
    pub(crate) fn new(frame: Frame, headers: &Headers) -> Self {
        let mut codes = Box::new([0; VALUES]);
        for (number, own) in codes[..4 * 256].chunks_exact_mut(256).enumerate() {
            let tables = &headers.codes[number % 2];
            let table = if number < 2 { &tables.differences } else { &tables.symbols };
            for (own, value) in own.iter_mut().zip(0..) {
                let (code, length) = table.code(value);
                *own = code << LENGTH_BITS | length;
            }
        }
        let blocks: usize = frame.factors().iter().map(|factor| factor * factor).sum();
        let row = frame.mcus_wide() * blocks;
        Self {
            frame,
            codes,
            components: components(&frame),
            blocks: Vec::new(),
            predictions: Predictions::default(),
            tokenized: Predictions::default(),
            bytes: Bytes::new(row * MAX_BLOCK_BYTES),
            calls: Default::default(),
            calls_bytes: Bytes::new(row * MAX_BLOCK_BYTES),
            tokens: Vec::new(),
            end: 0,
            chunk: Bytes::new(CHUNK * TOKEN_BYTES),
            stored: Vec::new(),
        }
    }

    /// Begins a scan of all components.
    pub(crate) fn begin(&mut self) {
        (self.predictions, self.tokenized) = Default::default();
        self.bytes.position = BitPosition::default();
        self.calls_bytes.position = BitPosition::default();
        self.end = 0;
    }

    /// Codes a run that begins with `mcu`.
    pub(crate) fn code(&mut self, mcu: usize, run: &McuRun, clock: &mut Clock) {
        let McuRun { mcus, blocks, coefficients } = run;
        for (component, &own) in self.components.iter_mut().zip(blocks) {
            component.blocks = own;
        }
        let Bytes { raw, position, .. } = &mut self.bytes;
        let columns = Columns { before: mcu, wide: usize::MAX };
        find_blocks(&self.components, columns, coefficients, &mut self.blocks);
        let own = Mcus { blocks: &self.blocks, coefficients, range: 0..*mcus, columns };
        clock.time("words and bits", || {
            encode_mcus(&own, &mut self.predictions, &STANDARD_CODES, raw, position);
        });
        if mcu + mcus == self.frame.mcus_wide() {
            clock.time("stuffing", || self.bytes.flush());
        }
    }

    /// Finds the tokens of a run that was coded, and puts its words by themselves.
    pub(crate) fn find(&mut self, mcu: usize, run: &McuRun, clock: &mut Clock) {
        let McuRun { mcus, coefficients, .. } = run;
        let columns = Columns { before: mcu, wide: usize::MAX };
        let own = Mcus { blocks: &self.blocks, coefficients, range: 0..*mcus, columns };
        let (predictions, out, start) = (&mut self.tokenized, &mut self.tokens, self.end);
        self.end = clock.time("optimized: tokens", || tokens_of_mcus(&own, predictions, out, start));
        self.words_of(start..self.end);
        let (calls, Bytes { raw, position, .. }) = (&mut self.calls, &mut self.calls_bytes);
        clock.time("bits of words alone", || {
            for (words, count) in calls.iter_mut().filter(|(_, count)| *count > 0) {
                put_words(words, *count, raw, position);
            }
        });
        if mcu + mcus == self.frame.mcus_wide() {
            position.bytes = 0;
        }
        assert_eq!(*position, self.bytes.position, "the same bits by both ways");
    }

    /// The words of tokens, for so many calls as there are for a run.
    fn words_of(&mut self, tokens: Range<usize>) {
        let tokens = &self.tokens[tokens];
        for (_, count) in &mut self.calls {
            *count = 0;
        }
        let each = tokens.len().div_ceil(CALLS).max(1);
        for ((words, count), tokens) in self.calls.iter_mut().zip(tokens.chunks(each)) {
            *count = tokens.len();
            words.resize((*count + 3).next_multiple_of(GROUP), 0);
            for (word, &token) in words.iter_mut().zip(tokens) {
                let code = self.codes[token as usize & 0x7ff];
                let (own, length) = (code >> LENGTH_BITS, code & ((1 << LENGTH_BITS) - 1));
                let additional = token >> 11 & 31;
                *word = (own << additional | token >> 16) << LENGTH_BITS | (length + additional);
            }
        }
    }

    /// Keeps a run for the scans of a progressive file.
    pub(crate) fn store(&mut self, mcu: usize, run: &McuRun) {
        if mcu == 0 {
            self.stored.push(Vec::new());
        }
        self.stored.last_mut().expect("a row has begun").push(run.clone());
    }

    /// Whether all rows are stored.
    pub(crate) fn is_complete(&self) -> bool {
        self.stored.len() == self.frame.mcus_high()
    }

    /// The work for tables that fit the picture: counts, packed tokens and their bits.
    pub(crate) fn tokens(&mut self, clock: &mut Clock) {
        let mut assigned = Assigned::default();
        for (table, codes) in (0..4).zip(self.codes.as_chunks::<256>().0) {
            let lengths = codes.map(|code| (code & ((1 << LENGTH_BITS) - 1)) as u8);
            assigned.assign(table, &codes.map(|code| (code >> LENGTH_BITS) as u16), &lengths);
        }
        let mut counts = Box::new([0; 2 * VALUES]);
        let (mut packed, mut apart) = (Vec::new(), Vec::new());
        self.chunk.position = BitPosition::default();
        for tokens in self.tokens[..self.end].chunks(CHUNK) {
            clock.time("optimized: counts of tokens", || count(tokens, &mut counts));
            packed.clear();
            apart.truncate(1);
            clock.time("optimized: packing of tokens", || pack(tokens, &mut packed, &mut apart));
            let Bytes { raw, position, .. } = &mut self.chunk;
            clock.time("optimized: bits of tokens", || put_tokens(&packed, &apart, &assigned, raw, position));
            self.chunk.flush();
        }
    }

    /// The tokens of the default scan script.
    pub(crate) fn progressive(&mut self, clock: &mut Clock) {
        let (first, refined) = ("progressive: AC, first bits", "progressive: AC, later bits");
        clock.time("progressive: DC, first bits", || self.dc(1, false));
        for (c, [ss, se], al) in [(0, [1, 5], 2), (2, [1, 63], 1), (1, [1, 63], 1), (0, [6, 63], 2)] {
            clock.time(first, || self.ac(c, SpectralBand { ss, se, al }, false));
        }
        clock.time(refined, || self.ac(0, SpectralBand { ss: 1, se: 63, al: 1 }, true));
        clock.time("progressive: DC, last bit", || self.dc(0, true));
        for c in [2, 1, 0] {
            clock.time(refined, || self.ac(c, SpectralBand { ss: 1, se: 63, al: 0 }, true));
        }
    }

    /// A scan of DC of all components.
    fn dc(&mut self, al: u32, refines: bool) {
        let mut components = components(&self.frame);
        let (mut found, mut predictions) = (Vec::new(), Predictions::default());
        let (mut end, wide) = (0, self.frame.mcus_wide());
        for (run, before) in self.stored.iter().flatten().zip((0..wide).step_by(RUN).cycle()) {
            let McuRun { mcus, blocks, coefficients } = run;
            for (component, &own) in components.iter_mut().zip(blocks) {
                component.blocks = own;
            }
            let columns = Columns { before, wide };
            find_blocks(&components, columns, coefficients, &mut found);
            let own = Mcus { blocks: &found, coefficients, range: 0..*mcus, columns };
            end = dc_tokens_of_mcus(&own, &mut predictions, al, refines, &mut self.tokens, end);
        }
    }

    /// A scan of AC of one component.
    fn ac(&mut self, c: usize, band: SpectralBand, refines: bool) {
        let table = 2 + u32::from(c > 0);
        let (mut eob, mut end) = (EndOfBand::default(), 0);
        for row in &self.stored {
            for number in 0..row[0].blocks[c].high {
                for McuRun { blocks, coefficients, .. } in row {
                    let own = Blocks { row: number, high: 1, ..blocks[c] };
                    let kernel = if refines { ac_refine } else { ac_first };
                    let (columns, out) = (0..own.wide, &mut self.tokens);
                    end = kernel(own, columns, coefficients, band, table, &mut eob, out, end);
                }
            }
        }
        end_of_band(&mut eob, table, &mut self.tokens);
    }
}

/// The components of a scan of all.
fn components(frame: &Frame) -> Vec<ScanComponent> {
    let component = |(c, factor): (usize, usize)| {
        let blocks_wide = frame.blocks(frame.width, factor);
        ScanComponent {
            h: factor,
            v: factor,
            blocks_wide,
            table: usize::from(c > 0),
            ..ScanComponent::default()
        }
    };
    frame.factors().into_iter().enumerate().map(component).collect()
}
