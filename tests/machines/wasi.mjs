// Runs a program for wasm32-wasip1 in Node.js, as cargo's runner for that target.
import { readFile } from "node:fs/promises";
import { argv } from "node:process";
import { WASI } from "node:wasi";

const [, , program, ...args] = argv;
const wasi = new WASI({ version: "preview1", args: [program, ...args], returnOnExit: false });
const module = await WebAssembly.compile(await readFile(program));
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
