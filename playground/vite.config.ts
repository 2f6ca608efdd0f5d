import { defineConfig } from "vite";

// Paths are relative, so that the page may lie in any folder of a server of static files. The examples, the photographs
// and the encoders are in the folder above.
export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, rolldownOptions: { input: ["index.html", "encoders.html"] } },
  server: { fs: { allow: [".."] } },
  worker: { format: "es" },
});
