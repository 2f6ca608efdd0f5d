import { rust } from "@codemirror/lang-rust";
import { lintGutter } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { Compartment, EditorState, type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import { oneDark } from "@codemirror/theme-one-dark";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { basicSetup } from "codemirror";
import type { TextRange } from "./compiler";

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = new Compartment();
const themed = (): Extension => (dark.matches ? oneDark : []);
const comparison = new Compartment();

/** Ranges of a document, each with the class that shows it. */
export type Marks = { from: number; to: number; class: string }[];

const setMarks = StateEffect.define<Marks>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        const ranges = effect.value.filter(({ from, to }) => from < to);
        shown = Decoration.set(ranges.map((own) => Decoration.mark({ class: own.class }).range(own.from, own.to)), true);
      }
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function editor(parent: HTMLElement, label: string, extensions: Extension[]): EditorView {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        basicSetup,
        rust(),
        theme.of(themed()),
        marks,
        EditorView.contentAttributes.of({ "aria-label": label }),
        ...extensions,
      ],
    }),
  });
  dark.addEventListener("change", () => view.dispatch({ effects: theme.reconfigure(themed()) }));
  return view;
}

/** The editor of the source. `at` hears of the position that the pointer or the cursor is at. */
export function sourceEditor(parent: HTMLElement, changed: () => void, at: (position: number | null) => void): EditorView {
  return editor(parent, "Rust source", [
    lintGutter(),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed();
      else if (update.selectionSet) at(update.state.selection.main.head);
    }),
    pointer(at),
  ]);
}

/** The editor that shows an expansion. */
export function expansionEditor(parent: HTMLElement, at: (position: number | null) => void): EditorView {
  return editor(parent, "Expansion", [EditorState.readOnly.of(true), comparison.of([]), pointer(at)]);
}

function pointer(at: (position: number | null) => void): Extension {
  return EditorView.domEventHandlers({
    mousemove: (event, view) => at(view.posAtCoords({ x: event.clientX, y: event.clientY })),
    mouseleave: () => at(null),
  });
}

export function mark(view: EditorView, ranges: Marks): void {
  view.dispatch({ effects: setMarks.of(ranges) });
}

/** Shows a text, and where it differs from `original` if there is one. */
export function showText(view: EditorView, text: string, original?: string): void {
  const shown = original === undefined ? [] : unifiedMergeView({ original, mergeControls: false, gutter: true });
  view.dispatch({
    changes: text === view.state.doc.toString() ? [] : { from: 0, to: view.state.doc.length, insert: text },
    effects: comparison.reconfigure(shown),
  });
}

/** The offset of a line and a column: the compiler counts characters, the editor UTF-16 units. */
export function offset(doc: Text, [line, column]: [number, number]): number {
  if (line < 1 || line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  return from + Array.from(text).slice(0, column).join("").length;
}

export function offsets(doc: Text, { from, to }: TextRange): { from: number; to: number } {
  const start = offset(doc, from);
  return { from: start, to: Math.max(start, offset(doc, to)) };
}
