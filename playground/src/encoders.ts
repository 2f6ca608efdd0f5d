import chelsea from "../../media/chelsea.png";
import coffee from "../../media/coffee.png";
import type { Order } from "./codec-worker";
import { byId } from "./dom";

const [status, numbers, streamed] = [byId("status"), byId("numbers"), byId("stream")];
const [encoded, difference] = [byId<HTMLImageElement>("encoded"), byId<HTMLCanvasElement>("difference")];
const input = (id: string) => byId<HTMLInputElement>(id);

interface Made {
  file?: Uint8Array<ArrayBuffer>;
  milliseconds: number;
}

const worker = new Worker(new URL("./codec-worker.ts", import.meta.url), { type: "module" });
const waiting = new Map<number, { resolve: (made: Made) => void; reject: (error: Error) => void }>();
let last = 0;

worker.onmessage = ({ data }) => {
  const own = waiting.get(data.number);
  waiting.delete(data.number);
  if (data.error) own?.reject(new Error(data.error));
  else own?.resolve(data);
};

type Unnumbered<O> = O extends unknown ? Omit<O, "number"> : never;

function order(own: Unnumbered<Order>): Promise<Made> {
  const number = (last += 1);
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject });
    worker.postMessage({ number, ...own });
  });
}

/** The pixels of an image. */
function pixelsOf(image: CanvasImageSource, width: number, height: number): ImageData {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("the browser has no 2D canvas");
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

async function decoded(source: Blob): Promise<ImageData> {
  const image = await createImageBitmap(source);
  return pixelsOf(image, image.width, image.height);
}

let picture: ImageData | undefined;
/** One file is made at a time; the last settings win. */
let busy = false;
let stale = false;

async function encodePicture(): Promise<void> {
  if (busy || !picture) {
    stale = busy;
    return;
  }
  busy = true;
  try {
    const quality = Number(input("quality").value);
    const subsampling = byId<HTMLSelectElement>("subsampling").value as "4:2:0";
    const settings = { quality, subsampling, progressive: input("progressive").checked, trellis: input("trellis").checked };
    const { file, milliseconds } = await order({ kind: "jpeg", image: imageOf(picture), settings });
    if (file) await showPicture(picture, file, milliseconds);
  } catch (error) {
    numbers.textContent = `Not encoded: ${(error as Error).message}`;
  }
  busy = false;
  if (stale) {
    stale = false;
    await encodePicture();
  }
}

const imageOf = ({ width, height, data }: ImageData) => ({ width, height, data: data as Uint8ClampedArray });

async function showPicture(original: ImageData, file: Uint8Array<ArrayBuffer>, milliseconds: number): Promise<void> {
  const blob = new Blob([file], { type: "image/jpeg" });
  URL.revokeObjectURL(encoded.src);
  encoded.src = URL.createObjectURL(blob);
  byId<HTMLAnchorElement>("download").href = encoded.src;
  const shown = await decoded(blob);
  const { width, height } = original;
  const image = new ImageData(width, height);
  let squares = 0;
  for (let at = 0; at < original.data.length; at += 1) {
    if (at % 4 === 3) {
      image.data[at] = 255;
      continue;
    }
    const apart = shown.data[at] - original.data[at];
    squares += apart * apart;
    image.data[at] = 128 + 8 * apart;
  }
  [difference.width, difference.height] = [width, height];
  difference.getContext("2d")?.putImageData(image, 0, 0);
  const psnr = squares > 0 ? 10 * Math.log10((255 * 255 * 3 * width * height) / squares) : Infinity;
  numbers.textContent =
    `${width}x${height}: ${file.length} bytes, ${((8 * file.length) / (width * height)).toFixed(2)} bits per pixel, ` +
    `${psnr.toFixed(2)} dB (PSNR), ${milliseconds.toFixed(1)} ms`;
}

const PICTURES: Record<string, string> = { "A cat": chelsea, "A cup of coffee": coffee };
const choice = byId<HTMLSelectElement>("picture");
choice.replaceChildren(...Object.keys(PICTURES).map((name) => new Option(name)));

async function take(source: Blob): Promise<void> {
  try {
    picture = await decoded(source);
    await encodePicture();
  } catch (error) {
    numbers.textContent = `The picture cannot be read: ${(error as Error).message}`;
  }
}

choice.onchange = async () => take(await (await fetch(PICTURES[choice.value])).blob());
input("file").onchange = () => {
  const chosen = input("file").files?.[0];
  if (chosen) void take(chosen);
};
for (const id of ["quality", "subsampling", "progressive", "trellis"]) {
  byId(id).oninput = () => {
    byId("level").textContent = input("quality").value;
    void encodePicture();
  };
}

const [WIDTH, HEIGHT, FRAMES, RATE] = [320, 180, 90, 30];

/** A frame of an animation: circles that move, over a gradient. */
function drawn(context: OffscreenCanvasRenderingContext2D, time: number): ImageData {
  const sky = context.createLinearGradient(0, 0, WIDTH, HEIGHT);
  sky.addColorStop(0, "#20304f");
  sky.addColorStop(1, "#d08a50");
  context.fillStyle = sky;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  for (let ball = 0; ball < 7; ball += 1) {
    context.fillStyle = `hsl(${50 * ball} 70% 60%)`;
    context.beginPath();
    const angle = time / 20 + ball;
    context.arc(WIDTH / 2 + 90 * Math.cos(angle), HEIGHT / 2 + 60 * Math.sin(1.3 * angle), 8 + 3 * ball, 0, 7);
    context.fill();
  }
  context.fillStyle = "white";
  context.font = "16px sans-serif";
  context.fillText(`frame ${time}`, 8, 20);
  return context.getImageData(0, 0, WIDTH, HEIGHT);
}

/** Encodes frames to an MP4 file and plays it. */
async function film(width: number, height: number, frame: (number: number) => Promise<ImageData> | ImageData): Promise<void> {
  const settings = {
    width,
    height,
    frameRate: RATE,
    crf: Number(input("crf").value),
    preset: byId<HTMLSelectElement>("preset").value as "medium",
    container: "mp4",
  } as const;
  try {
    await order({ kind: "open", settings });
    for (let number = 0; number < FRAMES; number += 1) {
      await order({ kind: "frame", data: imageOf(await frame(number)).data });
      streamed.textContent = `${number + 1} of ${FRAMES} frames`;
    }
    const { file, milliseconds } = await order({ kind: "finish" });
    if (!file) return;
    const video = byId<HTMLVideoElement>("video");
    URL.revokeObjectURL(video.src);
    video.src = URL.createObjectURL(new Blob([file], { type: "video/mp4" }));
    const seconds = FRAMES / RATE;
    streamed.textContent =
      `${FRAMES} frames of ${width}x${height}: ${file.length} bytes, ${((8 * file.length) / seconds / 1000).toFixed(0)} kbit/s, ` +
      `${(milliseconds / FRAMES).toFixed(1)} ms a frame`;
  } catch (error) {
    streamed.textContent = `Not encoded: ${(error as Error).message}`;
  }
}

byId("animate").onclick = () => {
  const context = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d", { willReadFrequently: true });
  if (context) void film(WIDTH, HEIGHT, (number) => drawn(context, number));
};

byId("camera").onclick = async () => {
  let media: MediaStream;
  try {
    media = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480, frameRate: RATE } });
  } catch (error) {
    streamed.textContent = `No camera: ${(error as Error).message}`;
    return;
  }
  const view = document.createElement("video");
  view.muted = true;
  view.srcObject = media;
  await view.play();
  const { videoWidth: width, videoHeight: height } = view;
  await film(width, height, async () => {
    await new Promise((resolve) => view.requestVideoFrameCallback(resolve));
    return pixelsOf(view, width, height);
  });
  for (const track of media.getTracks()) track.stop();
};

input("crf").oninput = () => {
  byId("rate").textContent = input("crf").value;
};
const preset = byId<HTMLSelectElement>("preset");
const presets = ["ultrafast", "superfast", "veryfast", "fast", "medium", "slow", "slower", "veryslow"];
preset.replaceChildren(...presets.map((name) => new Option(name, name, name === "medium", name === "medium")));

await take(await (await fetch(chelsea)).blob());
status.textContent = "Ready";
