// The modules of the encoders: `dist/jpeg.wasm` and `dist/h264.wasm`.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";

const target = "wasm32-unknown-unknown";
mkdirSync("dist", { recursive: true });
for (const codec of ["jpeg", "h264"]) {
  const flags = ["build", "--locked", "--release", "--target", target, "--features", codec];
  execFileSync("cargo", flags, {
    cwd: "codecs",
    stdio: "inherit",
    env: { ...process.env, RUSTFLAGS: "-C target-feature=+simd128" },
  });
  copyFileSync(`codecs/target/${target}/release/shim_js.wasm`, `dist/${codec}.wasm`);
}
