// The built page behind a server of its own, and Chromium. CHROMIUM is its path, /usr/bin/chromium unless given.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const folder = new URL("dist/", import.meta.url).pathname;

/** The address of the page and a browser. `close` ends both. */
export async function served() {
  const server = createServer(async (request, response) => {
    const path = request.url === "/" ? "index.html" : request.url.split(/[?#]/)[0];
    try {
      const body = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, browser, close };
}
