import { Compiler } from "./compiler";
import type { Request } from "./run";

/** The name of the worker is the address of the compiler, since the worker's own is in another folder. */
const compiler = Compiler.load(fetch(self.name));

compiler.catch((error) => postMessage({ failed: String(error) }));

// Sources and requests arrive with a number, by which the page knows the answer to the last one.
onmessage = async ({ data }: MessageEvent<{ number: number; source?: string; request?: Request }>) => {
  const loaded = await compiler;
  const { number, source, request } = data;
  const began = performance.now();
  try {
    const answer = request ? { outcome: loaded.run(request) } : { found: loaded.expand(source ?? "") };
    postMessage({ number, ...answer, milliseconds: performance.now() - began });
  } catch (error) {
    // A trap leaves its memory as it is: the page starts another worker.
    postMessage({ number, trapped: String(error) });
  }
};
