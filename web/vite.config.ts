// Builds the window: one page, one script, one style sheet, under names that never change, because the daemon serves exactly these.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [svelte({ configFile: false })],
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    cssCodeSplit: false,
    // Nothing is written into the page itself: a strict content policy refuses it.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: "app.js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "app.css" : "[name][extname]"),
      },
    },
  },
});
