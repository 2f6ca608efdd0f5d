import { defineConfig } from "vite";

// Paths are relative, so that the page may lie in any folder of a server of static files.
export default defineConfig({ base: "./", build: { target: "es2022" } });
