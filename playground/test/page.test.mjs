// The built page in Chromium: `npm run compiler && npm run build && npm test`. CHROMIUM is its path, `chromium` unless given.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const folder = new URL("../dist/", import.meta.url).pathname;

let server, browser, address;

before(async () => {
  server = createServer(async (request, response) => {
    const path = request.url === "/" ? "index.html" : request.url.split(/[?#]/)[0];
    try {
      const body = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A page, and the addresses of what it fetched from elsewhere. */
async function open(fragment = "", viewport = { width: 1440, height: 900 }) {
  const page = await browser.newPage({ viewport });
  const foreign = [];
  page.on("request", (request) => request.url().startsWith(address) || foreign.push(request.url()));
  page.on("pageerror", (error) => assert.fail(error));
  await page.goto(address + fragment);
  return { page, foreign };
}

const write = async (page, text) => {
  await page.getByRole("textbox", { name: "Rust source" }).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
};

test("a kernel expands, and an error is at its token", { timeout: 60_000 }, async () => {
  const { page, foreign } = await open();
  await page.locator("#expansion").getByText("fn blur(").waitFor({ timeout: 20_000 });
  assert.equal(await page.locator("#errors li").count(), 0);
  await write(page, "#[shim::kernel]\nfn first(v: &[u8; 1]) -> u8 {\n    let v = Block::external(v, [1]);\n    v[[2]]\n}\n");
  const error = page.locator("#errors button");
  await error.waitFor();
  assert.match(await error.innerText(), /^4:5: this element is outside of `v`/);
  await error.click();
  assert.equal(await page.evaluate(() => getSelection().toString()), "v[[2]]");
  assert.deepEqual(foreign, []);
});

test("a link restores the text", { timeout: 60_000 }, async () => {
  const { page } = await open();
  await page.locator("#expansion").getByText("fn blur(").waitFor({ timeout: 20_000 });
  const text = "#[shim::kernel]\nfn umlaut() -> &'static str {\n    \"äöü\"\n}\n";
  await write(page, text);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash.length > 1);
  const { page: other } = await open(await page.evaluate(() => location.hash));
  await other.locator("#expansion").getByText("fn umlaut(").waitFor({ timeout: 20_000 });
  // The last line is an empty one, which `innerText` has twice.
  assert.equal((await other.locator("#source .cm-content").innerText()).trimEnd(), text.trimEnd());
});

test("schedules are tabs, and two of them are compared", { timeout: 60_000 }, async () => {
  const { page } = await open();
  await page.getByLabel("Example").selectOption("A pipeline with schedules");
  const schedules = page.getByRole("tablist", { name: "Schedules" });
  await schedules.getByRole("tab").nth(1).waitFor({ timeout: 20_000 });
  const text = () => page.locator("#expansion .cm-content").innerText();
  const first = await text();
  await schedules.getByRole("tab").nth(0).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await schedules.getByRole("tab").nth(1).getAttribute("aria-selected"), "true");
  assert.notEqual(await text(), first);
  assert.equal(await page.locator("#expansion .cm-changedLine").count(), 0);
  await page.getByLabel("Compare with").selectOption({ index: 1 });
  await page.locator("#expansion .cm-changedLine").first().waitFor();
});

test("an access is marked with what it became", { timeout: 60_000 }, async () => {
  const { page } = await open();
  await page.locator("#expansion").getByText("fn blur(").waitFor({ timeout: 20_000 });
  assert.match(await page.locator("#counts").innerText(), /accesses in loops: 2 proven/);
  assert.match(await page.locator("#loops").innerText(), /for x in 0..w, with an interior/);
  const [x, y] = await page.locator("#source .cm-line", { hasText: "src[[y + dy, x + dx]]" }).evaluate((line) => {
    const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const at = nodes.currentNode.data.indexOf("src");
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(nodes.currentNode, at);
      range.setEnd(nodes.currentNode, at + 3);
      const box = range.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }
  });
  await page.mouse.move(x, y);
  await page.locator("#source .marked").waitFor();
  assert.equal(await page.locator("#source .marked").first().evaluate((own) => own.textContent.slice(0, 3)), "src");
  assert.match(await page.locator("#access").innerText(), /^src\[\[y \+ dy, x \+ dx\]\]: tested or folded at the ends/);
  await page.locator("#expansion .marked").first().waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "marked.png") });
  assert.match(await page.locator("#expansion .marked").first().evaluate((own) => own.textContent), /unsafe|\(/);
});

test("each example is as it says, in narrow pages and dark ones", { timeout: 120_000 }, async () => {
  for (const width of [360, 768, 1440]) {
    const { page } = await open("", { width, height: 800 });
    await page.emulateMedia({ colorScheme: width === 768 ? "dark" : "light" });
    for (const [name, wanted] of [["Tiles and lanes", "fn product("], ["An access that is tested", "checks = \"hoisted\""]]) {
      await page.getByLabel("Example").selectOption(name);
      const place = name.startsWith("An") ? "#errors" : "#expansion";
      await page.locator(place).getByText(wanted).first().waitFor({ timeout: 20_000 });
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} pixels`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${width}.png`) });
  }
});
