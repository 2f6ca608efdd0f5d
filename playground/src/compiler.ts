import type { Outcome } from "./results";
import type { Request } from "./run";

/** What the compiler says of a file: `Expansions` of compiler/src/lib.rs. */
export interface Expansions {
  kernels: Kernel[];
  errors: CompileError[];
}

export interface Kernel {
  name: string;
  /** The kernel itself and its named schedules; none if it needs an item of another file. */
  schedules: Schedule[];
}

export interface Schedule {
  name: string;
  loops: string;
  expansion: string;
  accesses: Access[];
}

/** Lines count from 1, columns from 0, in characters. */
export interface TextRange {
  from: [line: number, column: number];
  to: [line: number, column: number];
}

export interface Access extends TextRange {
  tensor: string;
  kept: string[];
  /** Its loads, stores and tests in the expansion. */
  emitted: TextRange[];
  /** The assertions about its tensor in the expansion. */
  asserted: TextRange[];
}

export interface CompileError extends TextRange {
  message: string;
}

interface Exports {
  memory: WebAssembly.Memory;
  source(length: number): number;
  expand(): number;
  run(): number;
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
    return this.ask("expand", source);
  }

  run(request: Request): Outcome {
    return this.ask("run", JSON.stringify(request));
  }

  private ask<Answer>(call: "expand" | "run", text: string): Answer {
    const { memory, ...calls } = this.exports;
    const bytes = new TextEncoder().encode(text);
    const at = calls.source(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const length = calls[call]();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, calls.answer(), length)));
  }
}
