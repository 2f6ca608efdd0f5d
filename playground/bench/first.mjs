// The time to the first expansion and to later ones: `npm run compiler && npm run build && node bench/first.mjs [LOADS]`.
// Each load has an empty cache; its expansion is that of the README's kernel.
import { stat } from "node:fs/promises";
import { served } from "../served.mjs";

const loads = Number(process.argv[2] ?? 9);
const { address, browser, close } = await served();
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const [first, later] = [[], []];
for (let load = 0; load < loads; load += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.locator("#expansion").getByText("fn blur(").waitFor();
  first.push(performance.now() - began);
  await page.locator("#source .cm-content").click();
  await page.keyboard.press("Control+End");
  for (let key = 0; key < 5; key += 1) {
    await page.locator("#status").evaluate((status) => (status.textContent = ""));
    await page.keyboard.type("\n");
    await page.waitForFunction(() => document.querySelector("#status").textContent !== "");
    later.push(parseInt(await page.locator("#status").innerText(), 10));
  }
  await context.close();
}
await close();
const { size } = await stat(new URL("../dist/compiler.wasm", import.meta.url));
console.log(`a compiler of ${size} bytes, ${loads} loads`);
for (const [name, values] of [["from navigation to the first expansion", first], ["later expansions", later]]) {
  console.log(`${name}: median ${Math.round(median(values))} ms, most ${Math.round(Math.max(...values))} ms`);
}
