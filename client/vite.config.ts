import { defineConfig } from "vite";

// One script and one style with fixed names: the same sources give the same files, byte for byte.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../web/static",
    emptyOutDir: true,
    modulePreload: false,
    target: "es2022",
    rollupOptions: {
      output: {
        entryFileNames: "assets/page.js",
        assetFileNames: "assets/page[extname]",
      },
    },
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8080", ws: true } } },
});
