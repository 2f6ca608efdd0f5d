// The kernels that the book opens in the page: `mdbook build ../book && npm run compiler && npm test`.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";

const book = new URL("../../book/html/", import.meta.url).pathname;

test("each kernel of the book expands in the page", { skip: existsSync(book) ? false : "the book is not built" }, async () => {
  const { instance } = await WebAssembly.instantiate(await readFile(new URL("../public/compiler.wasm", import.meta.url)));
  const { memory, source, expand, answer } = instance.exports;
  const expanded = (text) => {
    const bytes = Buffer.from(text);
    // The memory may grow: its buffer is another one then.
    const at = source(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, at);
    const length = expand();
    return JSON.parse(Buffer.from(memory.buffer, answer(), length).toString());
  };
  const pages = (await readdir(book, { recursive: true })).filter((name) => /language.*\.html$/.test(name));
  let kernels = 0;
  for (const page of pages) {
    const links = (await readFile(join(book, page), "utf8")).matchAll(/playground\/index\.html#([\w-]+)"/g);
    for (const [, fragment] of links) {
      const text = inflateRawSync(Buffer.from(fragment, "base64url")).toString();
      const { kernels: found, errors } = expanded(text);
      kernels += found.length;
      // The one that is refused on its page.
      const wanted = text.includes('checks = "hoisted"') ? 1 : 0;
      assert.equal(errors.length, wanted, `${page}: ${errors[0]?.message}\n${text}`);
    }
  }
  assert.ok(kernels > 50, `${kernels} kernels`);
});
