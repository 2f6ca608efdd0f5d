import type { Access } from "./compiler";
import { byId } from "./dom";

/** How a kernel ended: `Outcome` of compiler/src/run/mod.rs. */
export interface Outcome {
  arguments: Argument[];
  result: string | null;
  panic: string | null;
  error: string | null;
  /** The elements that each access reached. */
  reached: { from: [number, number]; argument: number; offsets: number[] }[];
  /** The stores to arguments, each with the loads since the one before, as pairs of an access and an offset. */
  steps: Step[];
}

interface Argument {
  name: string;
  shape: number[];
  before: number | number[];
  after: number[] | null;
}

/** The store comes first. */
type Step = [access: number, offset: number][];

/** A tensor as it is shown. */
interface Shown {
  mark(offset: number, mark: Mark): void;
  clear(): void;
}

/** That the access in question reached an element, or that one step of the kernel touched it. */
type Mark = "reached" | "touched";

const [results, element] = [byId("results"), byId("element")];

/** A table of more numbers is a picture. */
const CELLS = 400;

let outcome: Outcome | undefined;
/** The tensors that are shown, by the number of the argument. */
let shown = new Map<number, Shown>();
/** The last step that stored an element, by the argument and the offset. */
let stored = new Map<string, Step>();
/** The access that the reader is at. */
let followed: Access | undefined;
/** The step of the element that the pointer is at. */
let pointed: Step | undefined;

export function forgetResults(): void {
  results.replaceChildren();
  element.textContent = "";
  outcome = pointed = undefined;
  shown = new Map();
  stored = new Map();
}

export function showResults(found: Outcome): void {
  forgetResults();
  outcome = found;
  for (const step of found.steps) {
    const [access, offset] = step[0];
    stored.set(`${found.reached[access].argument} ${offset}`, step);
  }
  results.replaceChildren(
    ...found.arguments.flatMap((argument, number) => {
      const { before, after } = argument;
      return Array.isArray(before) && before.length > 0 ? [figure(argument, after ?? before, number)] : [];
    }),
  );
  markAccess(followed);
}

/** Marks the elements that an access reached, and those that the kernel touched in one step with it. */
export function markAccess(access: Access | undefined): void {
  followed = access;
  pointed = undefined;
  for (const tensor of shown.values()) tensor.clear();
  element.textContent = "";
  if (!access || !outcome) return;
  const { reached, steps } = outcome;
  const own = reached.map(({ from }) => from[0] === access.from[0] && from[1] === access.from[1]);
  for (const [number, { argument, offsets }] of reached.entries()) {
    if (own[number]) for (const offset of offsets) shown.get(argument)?.mark(offset, "reached");
  }
  const within = steps.filter((step) => step.some(([access]) => own[access]));
  // At the edges, a step may touch fewer elements.
  const counts = within.map((step) => new Set(step.map(([access, offset]) => `${access} ${offset}`)).size);
  const most = counts.reduce((most, count) => Math.max(most, count), 0);
  const inner = within.filter((_, number) => counts[number] === most);
  if (inner.length > 0) markStep(inner[inner.length >> 1]);
}

/** Marks the element that a step stored and those that it loaded, and says which they are. */
function markStep(step: Step): void {
  if (!outcome) return;
  const offsets = new Map<number, Set<number>>();
  for (const [access, offset] of step) {
    const { argument } = outcome.reached[access];
    shown.get(argument)?.mark(offset, "touched");
    if (!offsets.has(argument)) offsets.set(argument, new Set());
    offsets.get(argument)?.add(offset);
  }
  const texts = Array.from(offsets, ([argument, all]) => described(outcome!.arguments[argument], [...all]));
  element.textContent = `One step: ${texts.join("; ")}`;
}

/** The elements of an argument in words: `src[[0, 1]] to [[2, 3]], 9 elements`. */
function described({ name, shape }: Argument, offsets: number[]): string {
  const indices = offsets.map((offset) => {
    const index: number[] = [];
    for (const extent of [...shape].reverse()) {
      index.unshift(offset % extent);
      offset = Math.floor(offset / extent);
    }
    return index;
  });
  const end = (of: (...all: number[]) => number) => shape.map((_, axis) => of(...indices.map((index) => index[axis])));
  const [least, greatest] = [end(Math.min).join(", "), end(Math.max).join(", ")];
  return least === greatest
    ? `${name}[[${least}]]`
    : `${name}[[${least}]] to [[${greatest}]], ${offsets.length} elements`;
}

/** Marks the step that stored the element at the pointer; without one, the access that the reader is at. */
function point(step: Step | undefined): void {
  // The pointer moves more often than it comes to another element.
  if (step === pointed) return;
  if (!step) return markAccess(followed);
  pointed = step;
  for (const tensor of shown.values()) tensor.clear();
  markStep(step);
}

/** The rows and columns that a tensor is shown in; three samples of a pixel are one column of a picture. */
function extents(shape: number[], count: number): [rows: number, columns: number] {
  const columns = shape.at(-1) ?? count;
  return columns > 0 ? [Math.ceil(count / columns), columns] : [0, 0];
}

function figure(argument: Argument, values: number[], number: number): HTMLElement {
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = `${argument.name} [${argument.shape.join(", ")}]${argument.after ? ", after the kernel" : ""}`;
  const body = values.length > CELLS ? picture(argument, values, number) : table(argument, values, number);
  figure.append(caption, body);
  figure.onpointerleave = () => point(undefined);
  return figure;
}

function table({ shape, name }: Argument, values: number[], number: number): HTMLElement {
  const [rows, columns] = extents(shape, values.length);
  const body = document.createElement("table");
  body.setAttribute("aria-label", name);
  const cells: HTMLTableCellElement[] = [];
  for (let row = 0; row < rows; row += 1) {
    const line = body.insertRow();
    for (let column = 0; column < columns && cells.length < values.length; column += 1) {
      const [cell, offset] = [line.insertCell(), cells.length];
      const value = values[offset];
      cell.textContent = Number.isInteger(value) ? String(value) : value.toFixed(3);
      cell.onpointerenter = () => point(stored.get(`${number} ${offset}`));
      cells.push(cell);
    }
  }
  shown.set(number, {
    mark: (offset, mark) => cells[offset]?.classList.add(mark),
    clear: () => cells.forEach((cell) => cell.classList.remove("reached", "touched")),
  });
  return body;
}

/** A tensor as a picture, with its marks in another one above it. */
function picture({ shape, name }: Argument, values: number[], number: number): HTMLElement {
  const samples = shape.length === 3 && shape[2] === 3 ? 3 : 1;
  const [rows, columns] = extents(samples === 3 ? shape.slice(0, 2) : shape, values.length / samples);
  const [canvas, marks] = [document.createElement("canvas"), document.createElement("canvas")];
  for (const own of [canvas, marks]) [own.width, own.height] = [columns, rows];
  canvas.role = "img";
  canvas.ariaLabel = `${name} as a picture`;
  const [least, greatest] = values.reduce(([least, greatest], v) => [Math.min(least, v), Math.max(greatest, v)], [0, 255]);
  const level = (value: number) => ((value - least) * 255) / (greatest - least);
  const image = new ImageData(columns, rows);
  for (let at = 0; at < values.length / samples; at += 1) {
    for (let sample = 0; sample < 3; sample += 1) {
      image.data[4 * at + sample] = level(values[at * samples + (samples === 3 ? sample : 0)]);
    }
    image.data[4 * at + 3] = 255;
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  marks.className = "marks";
  marks.ariaHidden = "true";
  const ink = marks.getContext("2d");
  shown.set(number, {
    mark(offset, mark) {
      if (!ink) return;
      const pixel = Math.floor(offset / samples);
      const [x, y] = [pixel % columns, Math.floor(pixel / columns)];
      ink.fillStyle = mark === "reached" ? "#ffc40066" : "#e00040";
      ink.clearRect(x, y, 1, 1);
      ink.fillRect(x, y, 1, 1);
    },
    clear: () => ink?.clearRect(0, 0, columns, rows),
  });
  const both = document.createElement("div");
  both.className = "picture";
  both.append(canvas, marks);
  both.onpointermove = ({ clientX, clientY }) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const [x, y] = [Math.floor(((clientX - left) / width) * columns), Math.floor(((clientY - top) / height) * rows)];
    point(stored.get(`${number} ${(y * columns + x) * samples}`));
  };
  return both;
}
