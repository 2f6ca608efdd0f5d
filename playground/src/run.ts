import type { Kernel } from "./compiler";
import { byId } from "./dom";
import { type Outcome, forgetResults, showResults } from "./results";

export interface Request {
  source: string;
  kernel: string;
  schedule: number;
  arguments: Record<string, unknown>;
}

const [given, end] = [byId<HTMLTextAreaElement>("arguments"), byId("end")];

/** The arguments that are written, if they are JSON. */
export function argumentsGiven(): Record<string, unknown> | undefined {
  if (given.value.trim() === "") return {};
  try {
    const read: unknown = JSON.parse(given.value);
    if (read !== null && typeof read === "object" && !Array.isArray(read)) return read as Record<string, unknown>;
    end.textContent = "The arguments are an object in JSON, by the names of the parameters.";
  } catch (error) {
    end.textContent = `The arguments are no JSON: ${(error as Error).message}`;
  }
  return undefined;
}

/** Forgets the arguments and the results of another kernel. */
export function forget(): void {
  given.value = "";
  end.textContent = "";
  forgetResults();
}

export function showOutcome(found: Outcome): void {
  if (given.value.trim() === "") {
    // Those that were made up, without tensors that are zero: a reader changes them.
    const entries = found.arguments.filter(({ before, after }) => !(after && (before as number[]).every((v) => v === 0)));
    given.value = `{ ${entries.map(({ name, before }) => `"${name}": ${JSON.stringify(before)}`).join(",\n  ")} }`;
  }
  end.textContent = found.error
    ? `Not run: ${found.error.replace(/^the page does not run/, "the page cannot run")}`
    : found.panic
      ? `Panicked: ${found.panic}`
      : found.result !== null
        ? `Returned ${found.result}`
        : "Done";
  end.className = found.error || found.panic ? "failed" : "";
  showResults(found);
}

/** The size of the photograph that kernels are given. */
const [WIDTH, HEIGHT] = [192, 126];

/**
 * The photograph as the arguments of a kernel over bytes: its first tensor is the luma, or the pixels if that has three
 * axes. None if the kernel has no such parameter.
 */
export async function photograph(address: string, source: string, kernel: Kernel): Promise<Record<string, unknown> | undefined> {
  const signature = new RegExp(`fn\\s+${kernel.name}\\b[^{]*`).exec(source)?.[0] ?? "";
  const tensor = /#\[shape\(\s*(\w+)\s*,\s*(\w+)\s*(,\s*3\s*)?\)\]\s*(\w+)\s*:\s*&\s*\[u8\]/.exec(signature);
  if (!tensor) return undefined;
  const [, h, w, three, name] = tensor;
  const image = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(image, 0, 0, WIDTH, HEIGHT);
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, at) => Array.from(data.subarray(4 * at, 4 * at + 3)));
  const values = three
    ? pixels.flat()
    : pixels.map(([red, green, blue]) => Math.round(0.299 * red + 0.587 * green + 0.114 * blue));
  const together = new RegExp(`\\[\\s*${h}\\s*,\\s*${w}\\s*\\]\\s*:\\s*\\[\\s*usize`).test(signature);
  return { ...(together ? { [`${h}_${w}`]: [HEIGHT, WIDTH] } : { [h]: HEIGHT, [w]: WIDTH }), [name]: values };
}

/** Writes arguments for the reader to change. */
export function writeArguments(made: Record<string, unknown>): void {
  given.value = JSON.stringify(made);
}
