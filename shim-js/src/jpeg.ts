import { type Entries, Module, type Source } from "./module.js";

/** An image: `ImageData` is one. */
export interface Image {
  width: number;
  height: number;
  /** Rows of pixels without padding. */
  data: Uint8Array | Uint8ClampedArray;
  /** The samples of a pixel. RGBA by default, without its alpha. */
  format?: "rgba" | "rgb" | "bgr" | "bgra" | "gray";
}

export interface JpegSettings {
  /** 1 to 100, on the scale of libjpeg; 90 by default. */
  quality?: number;
  /** 4:2:0 by default. */
  subsampling?: "4:4:4" | "4:2:2" | "4:2:0" | "4:4:0" | "4:1:1";
  /** Whether the file is progressive: smaller, and a viewer can show a coarse image early. */
  progressive?: boolean;
  /** Whether the Huffman tables are made for the image. Progressive files always have such tables. */
  optimized?: boolean;
  /** Arithmetic coding, which browsers do not decode. */
  arithmetic?: boolean;
  /** Trellis quantization: smaller files, slower. */
  trellis?: boolean;
  /** A restart marker behind so many rows of MCUs. */
  restartRows?: number;
  /** A comment of one line. */
  comment?: string;
  icc?: Uint8Array;
  exif?: Uint8Array;
  xmp?: Uint8Array;
}

interface Functions {
  encode(length: number): number;
}

/** The JPEG encoder. */
export class Jpeg {
  private constructor(private readonly module: Module<Functions>) {}

  /** Loads the module, which lies beside this file unless `source` says otherwise. */
  static async load(source: Source = new URL("./jpeg.wasm", import.meta.url)): Promise<Jpeg> {
    return new Jpeg(await Module.load(source));
  }

  /**
   * Encodes an image.
   *
   * @throws EncodeError if a setting is out of range, or the image has too few samples.
   */
  encode(image: Image, settings: JpegSettings = {}): Uint8Array<ArrayBuffer> {
    const { width, height, data, format = "rgba" } = image;
    const { icc: ICC, exif: EXIF, xmp: XMP, ...rest } = settings;
    const entries: Entries = { width, height, format, ...rest, ICC, EXIF, XMP, DATA: data };
    return this.module.ask(this.module.functions.encode, entries);
  }
}
