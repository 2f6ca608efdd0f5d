import { EncodeError, H264, type H264Settings, type Image, Jpeg, type JpegSettings } from "shim-codecs";

/** A file to make. */
export type Order = { number: number } & (
  | { kind: "jpeg"; image: Image; settings: JpegSettings }
  | { kind: "open"; settings: H264Settings }
  | { kind: "frame"; data: Uint8ClampedArray }
  | { kind: "finish" }
);

const encoders = Promise.all([Jpeg.load(), H264.load()]);
let stream: ReturnType<H264["encoder"]> | undefined;
let spent = 0;

// One after the other, since all of them wait for the modules first.
onmessage = async ({ data: order }: MessageEvent<Order>) => {
  try {
    const [jpeg, h264] = await encoders;
    const began = performance.now();
    let file: Uint8Array | undefined;
    if (order.kind === "jpeg") {
      file = jpeg.encode(order.image, order.settings);
    } else if (order.kind === "open") {
      stream?.close();
      stream = h264.encoder(order.settings);
      spent = 0;
    } else if (order.kind === "frame") {
      stream?.encode({ data: order.data });
    } else {
      file = stream?.finish().file;
      stream = undefined;
    }
    const taken = performance.now() - began;
    spent += taken;
    postMessage({ number: order.number, file, milliseconds: order.kind === "finish" ? spent : taken });
  } catch (error) {
    postMessage({ number: order.number, error: error instanceof EncodeError ? error.message : String(error) });
  }
};
