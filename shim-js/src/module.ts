/** Where a module of WebAssembly comes from. By default it lies beside the file that loads it. */
export type Source = URL | string | Response | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** What each module exports besides its own functions. */
interface Memory {
  memory: WebAssembly.Memory;
  input(length: number): number;
  answer(): number;
  answer_length(): number;
}

/** An error that an encoder reports: settings or samples that it cannot take. */
export class EncodeError extends Error {
  override name = "EncodeError";
}

/** Settings by their names; bytes have names in capitals. */
export type Entries = Record<string, string | number | boolean | Uint8Array | Uint8ClampedArray | undefined>;

/** A module and its memory. */
export class Module<Functions> {
  private constructor(readonly functions: Functions & Memory) {}

  static async load<Functions>(source: Source): Promise<Module<Functions>> {
    const { exports } = await instance(source);
    return new Module(exports as unknown as Functions & Memory);
  }

  /** Calls a function with a request; a copy of its answer. */
  ask(call: (length: number) => number, entries: Entries): Uint8Array<ArrayBuffer> {
    const present = Object.entries(entries).filter(([, value]) => value !== undefined && value !== false);
    const bytes = present.flatMap(([, value]) => (typeof value === "object" ? [value] : []));
    const lines = present.map(([name, value]) => {
      const text = typeof value === "object" ? String(value.length) : String(value);
      if (/[\n\r]/.test(text)) throw new EncodeError(`${name} has more than one line`);
      return `${name}=${text}`;
    });
    const text = new TextEncoder().encode(lines.join("\n"));
    const { memory, input } = this.functions;
    const length = bytes.reduce((sum, part) => sum + part.length, text.length);
    let at = input(length) >>> 0;
    // The memory may have grown: its buffer is another one.
    const target = new Uint8Array(memory.buffer);
    for (const part of [text, ...bytes]) {
      target.set(part, at);
      at += part.length;
    }
    const failed = call(text.length);
    const start = this.functions.answer() >>> 0;
    const answer = new Uint8Array(memory.buffer, start, this.functions.answer_length()).slice();
    if (failed) throw new EncodeError(new TextDecoder().decode(answer));
    return answer;
  }
}

async function instance(source: Source): Promise<WebAssembly.Instance> {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source);
  if (source instanceof ArrayBuffer || source instanceof Uint8Array) {
    return (await WebAssembly.instantiate(source as BufferSource)).instance;
  }
  if (source instanceof Response) {
    const typed = source.headers.get("content-type")?.startsWith("application/wasm");
    if (typed) return (await WebAssembly.instantiateStreaming(source)).instance;
    return instance(await source.arrayBuffer());
  }
  const url = new URL(source, import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
    return instance(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return instance(response);
}
