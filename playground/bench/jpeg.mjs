// JPEG in WebAssembly and by the browser, in turn in one process each: `node bench/jpeg.mjs [PAIRS]`. It prints the time of
// each beside that of shim-codecs (median of the ratios), the bytes and the PSNR as Chromium decodes them.
import { readFile } from "node:fs/promises";
import encode, { init } from "@jsquash/jpeg/encode.js";
import { chromium } from "playwright-core";
import { Jpeg } from "shim-codecs";

const pairs = Number(process.argv[2] ?? 15);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
const photograph = await readFile(new URL("../../media/coffee.png", import.meta.url), "base64");

/** The pixels of the photograph, `times` as wide and high. */
const { data, width, height } = await page.evaluate(async (photograph) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${photograph}`)).blob());
  const canvas = new OffscreenCanvas(2 * image.width, 2 * image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  globalThis.original = data;
  return { data: Array.from(data), width, height };
}, photograph);
const image = { data: Uint8ClampedArray.from(data), width, height };

const module = new URL("../node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm", import.meta.url);
await init(await WebAssembly.compile(await readFile(module)));
const shim = await Jpeg.load();

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function timed(work) {
  const began = performance.now();
  const file = await work();
  return [performance.now() - began, new Uint8Array(file)];
}

/** PSNR of the file as the browser decodes it. */
const psnr = (file) =>
  page.evaluate(async (file) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(file)]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const shown = context.getImageData(0, 0, image.width, image.height).data;
    let squares = 0;
    for (let at = 0; at < shown.length; at += 1) if (at % 4 < 3) squares += (shown[at] - globalThis.original[at]) ** 2;
    return 10 * Math.log10((255 * 255 * 0.75 * shown.length) / squares);
  }, Array.from(file));

const common = { smoothing: 0, auto_subsample: true, chroma_subsample: 2 };
const mozjpeg = { ...common, quality: 75, progressive: true, optimize_coding: true, trellis_multipass: false };
const plain = { ...common, quality: 75, baseline: true, progressive: false, optimize_coding: false, quant_table: 0 };
console.log(`${width}x${height}, quality 75, 4:2:0, ${pairs} pairs`);
for (const [name, own, other] of [
  ["mozjpeg's wasm, baseline", { quality: 75 }, () => encode(image, plain)],
  ["mozjpeg's wasm, progressive", { quality: 75, progressive: true }, () => encode(image, mozjpeg)],
  ["mozjpeg's wasm, progressive, beside trellis", { quality: 75, progressive: true, trellis: true }, () => encode(image, mozjpeg)],
]) {
  const ratios = [];
  let files;
  for (let pair = 0; pair < pairs; pair += 1) {
    const [time, file] = await timed(() => shim.encode(image, own));
    const [others, othersFile] = await timed(other);
    ratios.push(others / time);
    files = [file, othersFile];
  }
  const [mine, theirs] = files;
  console.log(
    `${name}: ${median(ratios).toFixed(2)} times the time; ${theirs.length} bytes and ${(await psnr(theirs)).toFixed(2)} dB ` +
      `beside ${mine.length} and ${(await psnr(mine)).toFixed(2)}`,
  );
}

// The browser's encoder, in a page, where the module runs as well.
const bytes = await readFile(new URL("../../shim-js/dist/jpeg.wasm", import.meta.url));
const found = await page.evaluate(
  async ({ bytes, width, height, pairs }) => {
    const { instance } = await WebAssembly.instantiate(Uint8Array.from(bytes));
    const { memory, input, encode, answer_length } = instance.exports;
    const pixels = globalThis.original;
    const text = new TextEncoder().encode(`width=${width}\nheight=${height}\nquality=75\nDATA=${pixels.length}`);
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
    const ratios = [];
    let sizes;
    for (let pair = 0; pair < pairs; pair += 1) {
      let began = performance.now();
      const at = input(text.length + pixels.length);
      new Uint8Array(memory.buffer).set(text, at);
      new Uint8Array(memory.buffer).set(pixels, at + text.length);
      encode(text.length);
      const time = performance.now() - began;
      began = performance.now();
      const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.75 });
      ratios.push((performance.now() - began) / time);
      sizes = [blob.size, answer_length()];
    }
    return { ratios, sizes };
  },
  { bytes: Array.from(bytes), width, height, pairs },
);
console.log(
  `the browser's convertToBlob: ${median(found.ratios).toFixed(2)} times the time; ${found.sizes[0]} bytes beside ${found.sizes[1]}`,
);
await browser.close();
