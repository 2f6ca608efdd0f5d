import type { Access, Kernel } from "./compiler";
import { byId } from "./dom";

/** How a kernel ended: `Outcome` of compiler/src/run/mod.rs. */
export interface Outcome {
  arguments: Argument[];
  result: string | null;
  panic: string | null;
  error: string | null;
  reached: { from: [number, number]; argument: number; offsets: number[] }[];
}

interface Argument {
  name: string;
  shape: number[];
  before: number | number[];
  after: number[] | null;
}

export interface Request {
  source: string;
  kernel: string;
  schedule: number;
  arguments: Record<string, unknown>;
}

const [given, results, end] = [byId<HTMLTextAreaElement>("arguments"), byId("results"), byId("end")];

/** A table of more numbers is a picture. */
const CELLS = 400;

let outcome: Outcome | undefined;
/** The tables of the tensors that were shown, by the number of the argument: their cells by offset. */
let tables = new Map<number, HTMLTableCellElement[]>();

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
  results.replaceChildren();
  end.textContent = "";
  outcome = undefined;
  tables = new Map();
}

export function showOutcome(found: Outcome): void {
  outcome = found;
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
  tables = new Map();
  results.replaceChildren(
    ...found.arguments.flatMap((argument, number) => {
      const { before, after } = argument;
      if (!Array.isArray(before) || before.length === 0) return [];
      return [figure(argument, after ?? before, number)];
    }),
  );
}

/** Marks the elements that an access reached. */
export function markReached(access: Access | undefined): void {
  for (const cells of tables.values()) for (const cell of cells) cell.classList.remove("reached");
  if (!access || !outcome) return;
  for (const { from, argument, offsets } of outcome.reached) {
    if (from[0] !== access.from[0] || from[1] !== access.from[1]) continue;
    for (const at of offsets) tables.get(argument)?.[at]?.classList.add("reached");
  }
}

/** The rows and columns that a tensor is shown in; three samples of a pixel are one column of a picture. */
function extents(shape: number[], count: number): [rows: number, columns: number] {
  const columns = shape.at(-1) ?? count;
  return columns > 0 ? [Math.ceil(count / columns), columns] : [0, 0];
}

function figure(argument: Argument, values: number[], number: number): HTMLElement {
  const shown = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = `${argument.name} [${argument.shape.join(", ")}]${argument.after ? ", after the kernel" : ""}`;
  const body = values.length > CELLS ? picture(argument, values) : table(argument, values, number);
  shown.append(caption, body);
  return shown;
}

function table({ shape, name }: Argument, values: number[], number: number): HTMLElement {
  const [rows, columns] = extents(shape, values.length);
  const body = document.createElement("table");
  body.setAttribute("aria-label", name);
  const cells: HTMLTableCellElement[] = [];
  for (let row = 0; row < rows; row += 1) {
    const line = body.insertRow();
    for (let column = 0; column < columns && cells.length < values.length; column += 1) {
      const cell = line.insertCell();
      const value = values[cells.length];
      cell.textContent = Number.isInteger(value) ? String(value) : value.toFixed(3);
      cells.push(cell);
    }
  }
  tables.set(number, cells);
  return body;
}

function picture({ shape, name }: Argument, values: number[]): HTMLCanvasElement {
  const samples = shape.length === 3 && shape[2] === 3 ? 3 : 1;
  const [rows, columns] = extents(samples === 3 ? shape.slice(0, 2) : shape, values.length / samples);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  canvas.role = "img";
  canvas.ariaLabel = `${name} as a picture`;
  const context = canvas.getContext("2d");
  const [least, greatest] = values.reduce(([least, greatest], v) => [Math.min(least, v), Math.max(greatest, v)], [0, 255]);
  const level = (value: number) => ((value - least) * 255) / (greatest - least);
  const image = new ImageData(columns, rows);
  for (let at = 0; at < values.length / samples; at += 1) {
    for (let sample = 0; sample < 3; sample += 1) {
      image.data[4 * at + sample] = level(values[at * samples + (samples === 3 ? sample : 0)]);
    }
    image.data[4 * at + 3] = 255;
  }
  context?.putImageData(image, 0, 0);
  return canvas;
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
