// A preprocessor of mdBook: pages that rustdoc reads become pages of the book.
//
// - Links to pages of `shim::language` lead to their files, and those to other items to their documentation, whose
//   address is the variable RUSTDOC.
// - Links to files that are no pages become their text.
// - Code without a language is Rust, of which lines that begin with `# ` are hidden.
// - A kernel gets a link that opens it in the playground, whose address is the variable PLAYGROUND.
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { deflateRawSync } from "node:zlib";

const RUSTDOC = process.env.RUSTDOC ?? "https://docs.rs/shim-dsl/latest/shim";
const PLAYGROUND = process.env.PLAYGROUND ?? "../playground";

if (process.argv[2] === "supports") process.exit(process.argv[3] === "html" ? 0 : 1);

/** Where an item of the crate is documented: its kind is the module's, unless the link says it. */
function item(path, kind) {
  const parts = path.split("::");
  const name = parts.pop();
  const upper = /^[A-Z]/.test(name);
  const page = kind === "macro" ? `attr.${name}` : upper ? `index` : parts[0] === "algebra" ? `fn.${name}` : `${name}/index`;
  return `${RUSTDOC}/${parts.map((part) => `${part}/`).join("")}${page}.html`;
}

/** The address of a link of rustdoc, as it is seen from a page in `folder`. */
function address(target, folder) {
  const [, kind, path, anchor = ""] = /^(?:(\w+)@)?crate::([\w:]+)(#.*)?$/.exec(target) ?? [];
  if (!path) return target;
  const page = /^language::(\w+)$/.exec(path);
  if (page) return `${folder === "language" ? "" : "language/"}${page[1]}.md${anchor}`;
  return item(path, kind) + anchor;
}

/** Pages that include a file of the repository's root, whose links start there. */
const INCLUDED = ["inside.md", "soundness.md"];

/** The same link in the book, or its text. */
function relative(whole, text, target, path) {
  if (/^(\w+:|#)/.test(target)) return whole;
  const [file, anchor = ""] = target.split(/(?=#)/);
  const root = INCLUDED.includes(path) ? "." : posix.dirname(posix.join("docs", path));
  const found = posix.relative("docs", posix.join(root, file));
  const page = { "../SOUNDNESS.md": "soundness.md", "../CONTRIBUTING.md": "inside.md" }[found] ?? found;
  const isThere = page.endsWith(".md") ? pages.has(page) : !page.startsWith("..") && existsSync(`../docs/${page}`);
  if (!isThere) return text;
  return `[${text}](${posix.relative(posix.dirname(path), page)}${anchor})`;
}

/** The pages of the book. */
const pages = new Set();

/** The link of a kernel in the playground; that page unpacks the fragment. */
function playground(code) {
  const lines = code.split("\n").map((line) => line.replace(/^# ?(?!\[)/, ""));
  // rustdoc puts examples into a `main`; the playground wants items.
  const first = lines.findIndex((line) => /^(?!(pub|fn|use|const|static|struct|enum|type|impl|mod|trait|unsafe|extern|macro_rules)\b)[a-z_]/.test(line));
  if (first >= 0 && !/^fn main\b/m.test(lines.join("\n"))) {
    const body = lines.splice(first).map((line) => (line === "" ? line : `    ${line}`));
    lines.push("fn main() {", ...body, "}");
  }
  const shown = `${lines.join("\n")}\n`;
  return `${PLAYGROUND}/index.html#${deflateRawSync(shown).toString("base64url")}`;
}

function page(content, path) {
  const folder = path?.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  const depth = "../".repeat(folder ? folder.split("/").length : 0);
  let fence;
  const lines = [];
  let code = [];
  for (const line of content.split("\n")) {
    const opening = /^```(.*)$/.exec(line);
    if (opening && fence === undefined) {
      fence = opening[1].trim();
      // rustdoc takes code without a language for Rust.
      lines.push(fence === "" || fence === "compile_fail" ? "```rust" : line);
      code = [];
    } else if (line === "```") {
      lines.push(line);
      const text = code.join("\n");
      if (/^$|^rust|^compile_fail/.test(fence) && text.includes("#[shim::kernel")) {
        const link = playground(text);
        lines.push("", `[Open in the playground](${/^\w+:/.test(link) ? "" : depth}${link})`);
      }
      fence = undefined;
    } else if (fence !== undefined) {
      lines.push(line);
      code.push(line);
    } else {
      const resolved = line.replace(/\]\(((?:\w+@)?crate::[^)]+)\)/g, (_, target) => `](${address(target, folder)})`);
      const local = (whole, image, text, target) => (image ? whole : relative(whole, text, target, path));
      lines.push(resolved.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, local));
    }
  }
  return lines.join("\n");
}

/** A page of rustdoc has no heading of its own, and its parts begin with the first level. */
function headed(content, name) {
  if (/^# /.test(content) && content.slice(2, content.indexOf("\n")) === name) return content;
  let inside = false;
  const lower = content.split("\n").map((line) => {
    if (/^```/.test(line)) inside = !inside;
    return !inside && /^#+ /.test(line) ? `#${line}` : line;
  });
  return `# ${name}\n\n${lower.join("\n")}`;
}

function name(entry) {
  if (!entry.Chapter) return;
  pages.add(entry.Chapter.path);
  entry.Chapter.sub_items.forEach(name);
}

function visit(entry) {
  const chapter = entry.Chapter;
  if (!chapter) return;
  const own = chapter.path?.startsWith("language/") ? headed(chapter.content, chapter.name) : chapter.content;
  chapter.content = page(own, chapter.path);
  chapter.sub_items.forEach(visit);
}

let input = "";
for await (const chunk of process.stdin) input += chunk;
const [, book] = JSON.parse(input);
const entries = book.items ?? book.sections;
entries.forEach(name);
entries.forEach(visit);
process.stdout.write(JSON.stringify(book));
