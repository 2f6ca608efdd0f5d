import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { Access, CompileError, Expansions, Schedule } from "./compiler";
import { byId } from "./dom";
import { expansionEditor, mark, offsets, showText, sourceEditor } from "./editors";
import { EXAMPLES } from "./examples";
import { fromFragment, toFragment } from "./link";
import { markAccess } from "./results";
import { argumentsGiven, forget, photograph, showOutcome, writeArguments } from "./run";
import { tabs } from "./tabs";
import photo from "../../media/chelsea.png";

/** How long the page waits behind the last key, in milliseconds. */
const PAUSE = 250;

const [status, list] = [byId("status"), byId<HTMLUListElement>("errors")];
const [comparison, other] = [byId("comparison"), byId<HTMLSelectElement>("other")];

const expansion = expansionEditor(byId("expansion"), (position) => follow(position, "expansion"));
const source = sourceEditor(byId("source"), schedule, (position) => follow(position, "source"));

let worker = start();
let last = 0;
/** Whether the worker runs a kernel, which may take seconds. */
let running = false;
let timer: ReturnType<typeof setTimeout>;
/** What is shown: the answer, and the names of the kernel, of its schedule and of the one that it is compared with. */
let found: Expansions = { kernels: [], errors: [] };
let chosen = { kernel: "", schedule: "", other: "" };
/** The access that is marked. */
let followed: Access | undefined;

/** A worker with a compiler of its own; what it answers is shown if it is about the text that is there now. */
function start(): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name: new URL("compiler.wasm", document.baseURI).href,
  });
  started.onmessage = ({ data }) => {
    running = false;
    if (data.failed) {
      status.textContent = `The compiler does not load: ${data.failed}`;
    } else if (data.trapped) {
      status.textContent = `The compiler ended: ${data.trapped}`;
      started.terminate();
      worker = start();
    } else if (data.number === last) {
      status.textContent = `${Math.round(data.milliseconds)} ms`;
      if (data.outcome) {
        showOutcome(data.outcome);
      } else {
        found = data.found;
        showErrors(found.errors);
        show();
      }
    }
  };
  return started;
}

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    last += 1;
    if (running) {
      // The answer would be about another text.
      worker.terminate();
      worker = start();
      running = false;
    }
    worker.postMessage({ number: last, source: source.state.doc.toString() });
  }, PAUSE);
}

/** Runs the kernel that is shown. */
function run(): void {
  const given = argumentsGiven();
  const kernel = found.kernels.find(({ name }) => name === chosen.kernel);
  if (!given || !kernel) return;
  const { schedule } = shown();
  const number = Math.max(0, kernel.schedules.findIndex((own) => own === schedule));
  last += 1;
  const request = { source: source.state.doc.toString(), kernel: kernel.name, schedule: number, arguments: given };
  running = true;
  worker.postMessage({ number: last, request });
}

byId("start").onclick = run;

byId("photograph").onclick = async () => {
  const kernel = found.kernels.find(({ name }) => name === chosen.kernel);
  const made = kernel && (await photograph(photo, source.state.doc.toString(), kernel));
  if (made) {
    writeArguments(made);
    run();
  } else {
    byId("end").textContent = "A photograph needs a parameter like `#[shape(h, w)] src: &[u8]`.";
  }
};

/** The schedule that is shown, and the one that it is compared with. */
function shown(): { schedule?: Schedule; original?: Schedule } {
  const schedules = found.kernels.find(({ name }) => name === chosen.kernel)?.schedules ?? [];
  const schedule = schedules.find(({ name }) => name === chosen.schedule) ?? schedules[0];
  return { schedule, original: schedules.find(({ name }) => name === chosen.other && name !== schedule?.name) };
}

function show(): void {
  const { kernels } = found;
  const kernel = kernels.find(({ name }) => name === chosen.kernel) ?? kernels[0];
  if (chosen.kernel !== (kernel?.name ?? "")) forget();
  chosen.kernel = kernel?.name ?? "";
  const names = kernel?.schedules.map(({ name }) => name) ?? [];
  tabs(byId("kernels"), kernels.map(({ name }) => name), chosen.kernel, (name) => {
    chosen = { kernel: name, schedule: "", other: "" };
    forget();
    show();
  });
  const { schedule, original } = shown();
  tabs(byId("schedules"), names.length > 1 ? names : [], schedule?.name ?? "", (name) => {
    chosen.schedule = name;
    show();
  });
  comparison.hidden = names.length < 2;
  other.replaceChildren(
    new Option("nothing", ""),
    ...names.filter((name) => name !== schedule?.name).map((name) => new Option(name)),
  );
  other.value = original?.name ?? "";
  const needs = kernel ? "// It needs a template or a struct of another file." : "";
  showText(expansion, schedule?.expansion ?? needs, original?.expansion);
  const lines = (schedule?.loops ?? "").split("\n");
  const counts = lines.filter((line) => line.startsWith("accesses "));
  byId("counts").textContent = counts.join("; ") || "no accesses";
  const loops = lines.slice(counts.length).join("\n").trim().split("\n");
  byId("loops").replaceChildren(
    ...loops.map((line) => {
      const shown = document.createElement("span");
      shown.textContent = `${line}\n`;
      // What costs time in a loop.
      if (/, (tested|asserted in each iteration)$|^ *--/.test(line)) shown.className = "costly";
      else if (line.endsWith(", folded")) shown.className = "folded";
      return shown;
    }),
  );
  byId("nest").hidden = !schedule?.loops;
  follow(null, "source");
}

other.onchange = () => {
  chosen.other = other.value;
  show();
};

/**
 * Marks the access at a position of an editor in both, with the assertions that keep it inside. Without the pointer, the
 * cursor in the source is the position.
 */
function follow(position: number | null, where: "source" | "expansion"): void {
  if (position === null) [position, where] = [source.state.selection.main.head, "source"];
  const accesses = shown().schedule?.accesses ?? [];
  const [from, to] = [source.state.doc, expansion.state.doc];
  const covers = (range: { from: number; to: number }) => range.from <= position && position < range.to;
  const access = accesses.find((own) =>
    where === "source" ? covers(offsets(from, own)) : own.emitted.some((range) => covers(offsets(to, range))),
  );
  // The pointer moves more often than it comes to another access.
  if (access === followed) return;
  followed = access;
  mark(source, access ? [{ ...offsets(from, access), class: "marked" }] : []);
  mark(expansion, [
    ...(access?.emitted ?? []).map((range) => ({ ...offsets(to, range), class: "marked" })),
    ...(access?.asserted ?? []).map((range) => ({ ...offsets(to, range), class: "asserted" })),
  ]);
  const times = access && access.emitted.length > 1 ? `, ${access.emitted.length} times in the expansion` : "";
  const text = access && source.state.sliceDoc(offsets(from, access).from, offsets(from, access).to);
  markAccess(access);
  byId("access").textContent = access ? `${text}: ${access.kept.join("; ")}${times}` : "";
}

function showErrors(errors: CompileError[]): void {
  const diagnostics = errors.map(
    (error): Diagnostic => ({ ...offsets(source.state.doc, error), severity: "error", message: error.message }),
  );
  source.dispatch(setDiagnostics(source.state, diagnostics));
  list.replaceChildren(
    ...errors.map((error, number) => {
      const entry = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${error.from[0]}:${error.from[1] + 1}: ${error.message}`;
      button.onclick = () => {
        const { from, to } = diagnostics[number];
        source.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
        source.focus();
      };
      entry.append(button);
      return entry;
    }),
  );
}

function replace(text: string): void {
  forget();
  source.dispatch({ changes: { from: 0, to: source.state.doc.length, insert: text } });
}

const example = byId<HTMLSelectElement>("example");
example.replaceChildren(...Object.keys(EXAMPLES).map((name) => new Option(name)));
example.onchange = () => replace(EXAMPLES[example.value]);

byId("link").onclick = async () => {
  location.hash = await toFragment(source.state.doc.toString());
  try {
    await navigator.clipboard.writeText(location.href);
    status.textContent = "The link is copied";
  } catch {
    status.textContent = "The address of the page is the link";
  }
};

const linked = location.hash.length > 1 ? await fromFragment(location.hash.slice(1)) : undefined;
replace(linked ?? Object.values(EXAMPLES)[0]);
