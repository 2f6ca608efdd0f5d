import { Module, type Source } from "./module.js";

export interface H264Settings {
  width: number;
  height: number;
  /** Frames per second, or a fraction such as `[30000, 1001]`; 30 by default. */
  frameRate?: number | [frames: number, seconds: number];
  /** Speed against compression; `medium` by default. */
  preset?: "ultrafast" | "superfast" | "veryfast" | "fast" | "medium" | "slow" | "slower" | "veryslow";
  tune?: "psnr" | "ssim" | "film" | "animation" | "grain" | "stillimage" | "fastdecode";
  /** Constant quality, 0 to 51, lower is better; 23 by default. */
  crf?: number;
  /** A constant QP, 0 to 51, in place of `crf`. */
  qp?: number;
  /** An average bit rate in bits per second, in place of `crf`. */
  bitrate?: number;
  /** The greatest distance of keyframes in frames; 250 by default. */
  keyint?: number;
  /** How many frames the encoder takes before it returns the first; 0 has no latency. By default that of the preset. */
  lookahead?: number;
  slices?: number;
  /** `annexb` (the default) and `avc` give packets; `mp4` gives a file at the end. */
  container?: "annexb" | "avc" | "mp4";
}

/** A frame: `ImageData` is one. */
export interface Frame {
  data: Uint8Array | Uint8ClampedArray;
  /** RGBA by default. */
  format?: "rgba" | "rgb" | "bgr" | "bgra" | "gray" | "i420" | "nv12";
  /** A time stamp, which its packet has as well. */
  timestamp?: number;
  /** Whether it becomes a keyframe. */
  keyframe?: boolean;
}

/** A coded picture. */
export interface Packet {
  data: Uint8Array<ArrayBuffer>;
  keyframe: boolean;
  timestamp: number;
}

/** The parts of WebCodecs' `VideoFrame` that are used. */
export interface VideoFrameLike {
  readonly format: string | null;
  readonly timestamp: number;
  readonly codedWidth: number;
  readonly codedHeight: number;
  allocationSize(options?: object): number;
  copyTo(destination: Uint8Array, options?: object): Promise<unknown>;
}

interface Functions {
  open(length: number): number;
  encode(number: number, length: number): number;
  flush(number: number): number;
  close(number: number): number;
}

/** The H.264 encoder: Constrained Baseline, I and P pictures. */
export class H264 {
  private constructor(private readonly module: Module<Functions>) {}

  /** Loads the module, which lies beside this file unless `source` says otherwise. */
  static async load(source: Source = new URL("./h264.wasm", import.meta.url)): Promise<H264> {
    return new H264(await Module.load(source));
  }

  /**
   * An encoder of a stream. It holds memory of the module until it is closed.
   *
   * @throws EncodeError if a setting is out of range.
   */
  encoder(settings: H264Settings): Encoder {
    const { frameRate = 30, ...rest } = settings;
    const [frames, seconds] = typeof frameRate === "number" ? fraction(frameRate) : frameRate;
    const answer = this.module.ask(this.module.functions.open, { frames, seconds, ...rest });
    return new Encoder(this.module, Number(new TextDecoder().decode(answer)));
  }
}

/** A rate as a fraction: 29.97 is 2997/100. */
function fraction(rate: number): [number, number] {
  for (const seconds of [1, 100, 1000]) {
    if (Number.isInteger(rate * seconds)) return [rate * seconds, seconds];
  }
  return [Math.round(rate * 1000), 1000];
}

/** An encoder of a stream. */
export class Encoder {
  /** @internal */
  constructor(
    private readonly module: Module<Functions>,
    private readonly number: number,
  ) {}

  /** Encodes a frame, and returns the packets that are ready; none for an MP4 file. */
  encode({ data, format = "rgba", timestamp, keyframe }: Frame): Packet[] {
    const entries = { format, timestamp, keyframe, DATA: data };
    return packets(this.module.ask((length) => this.module.functions.encode(this.number, length), entries));
  }

  /** Encodes a `VideoFrame` of WebCodecs, which its owner closes. */
  async encodeVideoFrame(frame: VideoFrameLike): Promise<Packet[]> {
    const own = { I420: "i420", NV12: "nv12", RGBA: "rgba", RGBX: "rgba", BGRA: "bgra", BGRX: "bgra" } as const;
    const format = own[frame.format as keyof typeof own];
    // Others are converted by the browser.
    const options = format ? {} : { format: "RGBA" };
    const data = new Uint8Array(frame.allocationSize(options));
    await frame.copyTo(data, options);
    return this.encode({ data, format: format ?? "rgba", timestamp: frame.timestamp });
  }

  /** Encodes the frames that the encoder still has. */
  flush(): Packet[] {
    return packets(this.module.ask(() => this.module.functions.flush(this.number), {}));
  }

  /** Encodes the frames that are left and ends the encoder: the MP4 file, if it writes one, or the last packets. */
  finish(): { file: Uint8Array<ArrayBuffer>; packets: Packet[] } {
    const packets = this.flush();
    return { file: this.close(), packets };
  }

  /** Ends the encoder and frees its memory. */
  close(): Uint8Array<ArrayBuffer> {
    return this.module.ask(() => this.module.functions.close(this.number), {});
  }
}

/** The packets of an answer: their length, whether they are keyframes, their time stamp, their bytes. */
function packets(answer: Uint8Array<ArrayBuffer>): Packet[] {
  const view = new DataView(answer.buffer);
  const found: Packet[] = [];
  for (let at = 0; at < answer.length; ) {
    const length = view.getUint32(at, true);
    const data = answer.slice(at + 16, at + 16 + length);
    const timestamp = Number(view.getBigInt64(at + 8, true));
    found.push({ data, keyframe: view.getUint32(at + 4, true) !== 0, timestamp });
    at += 16 + length;
  }
  return found;
}
