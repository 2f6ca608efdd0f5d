/** What the compiler says of a file: `Expansions` of compiler/src/lib.rs. */
export interface Expansions {
  kernels: { name: string; expansion: string | null }[];
  errors: CompileError[];
}

/** Lines count from 1, columns from 0. */
export interface CompileError {
  message: string;
  from: [line: number, column: number];
  to: [line: number, column: number];
}

interface Exports {
  memory: WebAssembly.Memory;
  source(length: number): number;
  expand(): number;
  answer(): number;
}

/** The compiler, which has no imports: it reaches neither the page nor the network. */
export class Compiler {
  private constructor(private readonly exports: Exports) {}

  static async load(module: Response | Promise<Response>): Promise<Compiler> {
    const { instance } = await WebAssembly.instantiateStreaming(module, {});
    return new Compiler(instance.exports as unknown as Exports);
  }

  expand(source: string): Expansions {
    const { memory, ...calls } = this.exports;
    const bytes = new TextEncoder().encode(source);
    const at = calls.source(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const length = calls.expand();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, calls.answer(), length)));
  }
}
