import { Compiler } from "./compiler";

/** The name of the worker is the address of the compiler, since the worker's own is in another folder. */
const compiler = Compiler.load(fetch(self.name));

compiler.catch((error) => postMessage({ failed: String(error) }));

// Sources arrive with a number, by which the page knows the answer to the last one.
onmessage = async ({ data: { number, source } }: MessageEvent<{ number: number; source: string }>) => {
  const loaded = await compiler;
  const began = performance.now();
  try {
    postMessage({ number, found: loaded.expand(source), milliseconds: performance.now() - began });
  } catch (error) {
    // A trap leaves its memory as it is: the page starts another worker.
    postMessage({ number, trapped: String(error) });
  }
};
