// Every link of the built book leads somewhere: `node check.mjs` behind `mdbook build`.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("html/", import.meta.url));
const files = readdirSync(root, { recursive: true }).map((name) => join(root, name));
const pages = files.filter((name) => name.endsWith(".html") && !/(print|404|toc)\.html$/.test(name));
const text = new Map(pages.map((page) => [page, readFileSync(page, "utf8")]));
const ids = new Map(pages.map((page) => [page, new Set([...text.get(page).matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))]));

const broken = [];
let [links, kernels] = [0, 0];
for (const page of pages) {
  for (const [, target] of text.get(page).matchAll(/\b(?:href|src)="([^"]+)"/g)) {
    if (/^(\w+:|javascript)/.test(target)) continue;
    // The playground is another site.
    if (target.includes("playground/index.html#")) {
      kernels += 1;
      continue;
    }
    links += 1;
    const [path, anchor] = target.replaceAll("&amp;", "&").split("#");
    const file = path === "" ? page : join(dirname(page), decodeURIComponent(path.split("?")[0]));
    if (!existsSync(file) || statSync(file).isDirectory()) broken.push(`${relative(root, page)}: ${target}`);
    else if (anchor && ids.has(file) && !ids.get(file).has(decodeURIComponent(anchor))) broken.push(`${relative(root, page)}: ${target}`);
  }
}
console.log(`${pages.length} pages, ${links} links, ${kernels} kernels with a link to the playground`);
for (const link of broken) console.error(`broken: ${link}`);
// Pages that rustdoc's links were not translated in would show them.
for (const page of pages) if (text.get(page).includes("crate::language::")) broken.push(`${relative(root, page)} has a path of rustdoc`);
process.exit(broken.length > 0 ? 1 : 0);
