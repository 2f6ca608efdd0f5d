import { rust } from "@codemirror/lang-rust";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { oneDark } from "@codemirror/theme-one-dark";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "codemirror";
import type { CompileError, Expansions } from "./compiler";
import { EXAMPLES } from "./examples";
import { fromFragment, toFragment } from "./link";

/** How long the page waits behind the last key, in milliseconds. */
const PAUSE = 250;

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const [status, tabs, list] = [byId("status"), byId("kernels"), byId<HTMLUListElement>("errors")];

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = new Compartment();
const themed = () => (dark.matches ? oneDark : []);
const common = [basicSetup, rust(), theme.of(themed())];

const expansion = new EditorView({
  parent: byId("expansion"),
  state: EditorState.create({
    extensions: [
      ...common,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": "Expansion" }),
    ],
  }),
});

const source = new EditorView({
  parent: byId("source"),
  state: EditorState.create({
    extensions: [
      ...common,
      lintGutter(),
      EditorView.contentAttributes.of({ "aria-label": "Rust source" }),
      EditorView.updateListener.of((update) => update.docChanged && schedule()),
    ],
  }),
});

dark.onchange = () => {
  for (const view of [source, expansion]) view.dispatch({ effects: theme.reconfigure(themed()) });
};

let worker = start();
let last = 0;
let timer: ReturnType<typeof setTimeout>;
let chosen = "";

/** A worker with a compiler of its own; what it answers is shown if it is about the text that is there now. */
function start(): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), {
    type: "module",
    name: new URL("compiler.wasm", document.baseURI).href,
  });
  started.onmessage = ({ data }) => {
    if (data.ready) {
      status.textContent = "Ready";
    } else if (data.failed) {
      status.textContent = `The compiler does not load: ${data.failed}`;
    } else if (data.trapped) {
      status.textContent = `The compiler ended: ${data.trapped}`;
      started.terminate();
      worker = start();
    } else if (data.number === last) {
      status.textContent = `${Math.round(data.milliseconds)} ms`;
      show(data.found);
    }
  };
  return started;
}

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    last += 1;
    worker.postMessage({ number: last, source: source.state.doc.toString() });
  }, PAUSE);
}

function show({ kernels, errors }: Expansions): void {
  if (!kernels.some((kernel) => kernel.name === chosen)) {
    chosen = kernels[0]?.name ?? "";
  }
  tabs.replaceChildren(
    ...kernels.map(({ name }) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.role = "tab";
      tab.textContent = name;
      tab.ariaSelected = String(name === chosen);
      tab.onclick = () => {
        chosen = name;
        show({ kernels, errors });
      };
      return tab;
    }),
  );
  const kernel = kernels.find(({ name }) => name === chosen);
  const text = kernel?.expansion ?? (kernel ? "// It needs a template or a struct of another file." : "");
  if (text !== expansion.state.doc.toString()) {
    expansion.dispatch({ changes: { from: 0, to: expansion.state.doc.length, insert: text } });
  }
  const diagnostics = errors.map(diagnosed);
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

/** An error at its tokens; the compiler counts characters, the editor UTF-16 units. */
function diagnosed({ message, from, to }: CompileError): Diagnostic {
  const { doc } = source.state;
  const offset = ([line, column]: [number, number]): number => {
    if (line < 1 || line > doc.lines) return doc.length;
    const { from: start, text } = doc.line(line);
    return start + Array.from(text).slice(0, column).join("").length;
  };
  const start = offset(from);
  return { from: start, to: Math.max(start, offset(to)), severity: "error", message };
}

function replace(text: string): void {
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
