// The built page in Chromium: `npm run compiler && npm run build && npm test`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Jpeg } from "shim-codecs";
import { served } from "../served.mjs";

let browser, address, close;

before(async () => {
  ({ browser, address, close } = await served());
});

after(() => close?.());

/** A page, and the addresses of what it fetched from elsewhere. */
async function open(path = "", viewport = { width: 1440, height: 900 }, colorScheme = "light") {
  const page = await browser.newPage({ viewport, colorScheme });
  const foreign = [];
  page.on("request", (request) => request.url().startsWith(address) || foreign.push(request.url()));
  page.on("pageerror", (error) => assert.fail(error));
  await page.goto(address + path);
  return { page, foreign };
}

const write = async (page, text) => {
  await page.getByRole("textbox", { name: "Rust source" }).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
};

/** The middle of a word in a line of the source. */
const middle = (page, text, word) =>
  page.locator("#source .cm-line", { hasText: text }).evaluate((line, word) => {
    const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const at = nodes.currentNode.data.indexOf(word);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(nodes.currentNode, at);
      range.setEnd(nodes.currentNode, at + word.length);
      const box = range.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }
  }, word);

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
  const [x, y] = await middle(page, "src[[y + dy, x + dx]]", "src");
  await page.mouse.move(x, y);
  await page.locator("#source .marked").waitFor();
  assert.equal(await page.locator("#source .marked").first().evaluate((own) => own.textContent.slice(0, 3)), "src");
  assert.match(await page.locator("#access").innerText(), /^src\[\[y \+ dy, x \+ dx\]\]: tested or folded at the ends/);
  await page.locator("#expansion .marked").first().waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "marked.png") });
  assert.match(await page.locator("#expansion .marked").first().evaluate((own) => own.textContent), /unsafe|\(/);
});

test("a kernel runs, and an access marks the elements that it reached", { timeout: 60_000 }, async () => {
  const { page } = await open();
  const source = "#[shim::kernel]\nfn sum(#[shape(n)] v: &[u32], n: usize, to: usize) -> u32 {\n    let mut sum = 0;\n    for i in 0..to {\n        sum += v[[i]];\n    }\n    sum\n}\n";
  await write(page, source);
  await page.locator("#expansion").getByText("fn sum(").waitFor({ timeout: 20_000 });
  await page.getByLabel("Arguments").fill('{ "n": 3, "to": 2, "v": [4, 5, 6] }');
  await page.getByRole("button", { name: "Run the kernel" }).click();
  await page.locator("#end").getByText("Returned 9").waitFor();
  await page.mouse.click(...(await middle(page, "sum += v[[i]]", "v[[")));
  await page.locator("#results td.reached").first().waitFor();
  assert.deepEqual(await page.locator("#results td.reached").allInnerTexts(), ["4", "5"]);
  await page.getByLabel("Arguments").fill('{ "n": 3, "to": 4, "v": [4, 5, 6] }');
  await page.getByRole("button", { name: "Run the kernel" }).click();
  await page.locator("#end").getByText("Panicked: shim: `sum` reaches outside of `v`: index 3 on axis 0").waitFor();
  // Another text does not wait for a kernel that runs on.
  await write(page, "#[shim::kernel]\nfn endless(n: usize) -> usize {\n    let mut m = n;\n    loop {\n        m = n;\n    }\n}\n");
  await page.locator("#expansion").getByText("fn endless(").waitFor();
  await page.getByRole("button", { name: "Run the kernel" }).click();
  await write(page, source);
  await page.locator("#expansion").getByText("fn sum(").waitFor({ timeout: 5_000 });
});

test("a result shows the elements that it was computed of", { timeout: 60_000 }, async () => {
  const { page } = await open();
  await page.locator("#expansion").getByText("fn blur(").waitFor({ timeout: 20_000 });
  await page.getByLabel("Arguments").fill(JSON.stringify({ h: 3, w: 4, src: Array.from({ length: 12 }, (_, at) => at), dst: Array(12).fill(0) }));
  await page.getByRole("button", { name: "Run the kernel" }).click();
  const [src, dst] = [page.getByLabel("src", { exact: true }), page.getByLabel("dst", { exact: true })];
  await dst.getByRole("cell").first().hover();
  assert.deepEqual(await src.locator(".touched").allInnerTexts(), ["0", "1", "4", "5"]);
  assert.equal(await page.locator("#element").innerText(), "One step: dst[[0, 0]]; src[[0, 0]] to [[1, 1]], 4 elements");
  // At an access, all elements that it reached, and one step with it.
  await page.mouse.click(...(await middle(page, "src[[y + dy, x + dx]]", "src")));
  await src.locator(".reached").first().waitFor();
  assert.equal(await src.locator(".reached").count(), 12);
  assert.equal(await dst.locator(".touched").count(), 1);
  assert.match(await page.locator("#element").innerText(), /^One step: dst\[\[1, 2\]\]; src\[\[0, 1\]\] to \[\[2, 3\]\], 9 elements$/);
  // In a picture as well.
  await page.getByRole("button", { name: "On a photograph" }).click();
  await page.locator("#results canvas[role=img]").first().waitFor();
  const marked = () =>
    page.locator("#results .marks").first().evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value === 255).length;
    });
  assert.equal(await marked(), 9);
  await page.locator("#results .picture").last().hover({ position: { x: 1, y: 1 } });
  assert.equal(await marked(), 4);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "step.png"), fullPage: true });
});

test("a photograph is blurred", { timeout: 60_000 }, async () => {
  const { page } = await open();
  await page.locator("#expansion").getByText("fn blur(").waitFor({ timeout: 20_000 });
  await page.getByRole("button", { name: "On a photograph" }).click();
  await page.locator("#end").getByText("Done").waitFor({ timeout: 30_000 });
  const { src, h, w } = JSON.parse(await page.getByLabel("Arguments").inputValue());
  const shown = await page.locator("#results canvas[role=img]").last().evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: canvas.width * canvas.height }, (_, at) => data[4 * at]);
  });
  const near = (at, extent) => Math.min(Math.max(at, 0), extent - 1);
  const expected = Array.from({ length: h * w }, (_, at) => {
    let sum = 4;
    for (const dy of [-1, 0, 1]) {
      for (const dx of [-1, 0, 1]) sum += src[near(Math.floor(at / w) + dy, h) * w + near((at % w) + dx, w)];
    }
    return Math.floor(sum / 9);
  });
  assert.deepEqual(shown, expected);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "run.png"), fullPage: true });
});

test("assistive technology finds its way, in both pages and both color schemes", { timeout: 120_000 }, async () => {
  for (const path of ["", "encoders.html"]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page } = await open(path, { width: 768, height: 800 }, colorScheme);
      const loaded = path === "" ? page.locator("#expansion").getByText("fn blur(") : page.getByText("Ready");
      await loaded.waitFor({ timeout: 20_000 });
      await page.addScriptTag({ path: fileURLToPath(import.meta.resolve("axe-core/axe.min.js")) });
      // CodeMirror's text can be focused, inside of what scrolls; the colors of its themes are theirs.
      const rules = { "scrollable-region-focusable": { enabled: false }, "color-contrast": { enabled: false } };
      const { violations } = await page.evaluate((rules) => axe.run({ rules }), rules);
      const contrast = await page.evaluate(() => axe.run({ exclude: [[".cm-editor"]] }, { runOnly: ["color-contrast"] }));
      violations.push(...contrast.violations);
      const shown = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
      assert.deepEqual(shown, [], `${path} ${colorScheme}`);
    }
  }
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

test("a picture becomes the JPEG file of the native encoder", { timeout: 60_000 }, async () => {
  const { page, foreign } = await open("encoders.html");
  await page.locator("#numbers").getByText("dB (PSNR)").waitFor({ timeout: 30_000 });
  const psnr = async () => Number(/([\d.]+) dB/.exec(await page.locator("#numbers").innerText())[1]);
  const coarse = await psnr();
  assert.ok(coarse > 30, `${coarse} dB`);
  await page.getByRole("slider", { name: "Quality", exact: true }).fill("95");
  await page.waitForFunction((before) => Number(/([\d.]+) dB/.exec(document.getElementById("numbers").textContent)[1]) > before, coarse);
  const [pixels, width, height, file] = await page.evaluate(async () => {
    const photograph = performance.getEntriesByType("resource").find(({ name }) => name.endsWith(".png")).name;
    const image = await createImageBitmap(await (await fetch(photograph)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const file = new Uint8Array(await (await fetch(document.getElementById("encoded").src)).arrayBuffer());
    return [Array.from(data), image.width, image.height, Array.from(file)];
  });
  const jpeg = await Jpeg.load();
  const expected = jpeg.encode({ width, height, data: Uint8Array.from(pixels) }, { quality: 95 });
  assert.deepEqual(Uint8Array.from(file), expected);
  assert.deepEqual(foreign.filter((url) => !url.startsWith("blob:")), []);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "jpeg.png"), fullPage: true });
});

test("an animation becomes an MP4 file that plays", { timeout: 120_000 }, async () => {
  const { page } = await open("encoders.html");
  await page.getByText("Ready").waitFor({ timeout: 30_000 });
  await page.getByRole("button", { name: "Encode an animation" }).click();
  await page.locator("#stream").getByText("ms a frame").waitFor({ timeout: 60_000 });
  const found = await page.locator("#video").evaluate(async (video) => {
    if (!video.canPlayType('video/mp4; codecs="avc1.42C01E"')) return "unknown";
    if (video.readyState < 1) await new Promise((resolve) => video.addEventListener("loadedmetadata", resolve, { once: true }));
    await video.play();
    await new Promise((resolve) => video.addEventListener("ended", resolve, { once: true }));
    return [video.videoWidth, video.videoHeight, Math.round(10 * video.duration)];
  });
  if (found === "unknown") {
    // The browser has no decoder of H.264: ffmpeg has one.
    const file = await page.evaluate(async () => Array.from(new Uint8Array(await (await fetch(document.getElementById("video").src)).arrayBuffer())));
    const decoded = spawnSync("ffmpeg", ["-v", "error", "-i", "-", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"], { input: Buffer.from(file), maxBuffer: 1 << 28 });
    assert.equal(decoded.stderr.toString(), "");
    assert.equal(decoded.stdout.length, 90 * 320 * 180 * 1.5);
  } else {
    assert.deepEqual(found, [320, 180, 30]);
  }
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, "h264.png"), fullPage: true });
});
