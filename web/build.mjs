// Bundles the page into dist/, from where `cargo build` embeds it.
import { build } from "esbuild";

await build({
  entryPoints: { app: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome100", "firefox100", "safari15"],
  charset: "utf8",
  legalComments: "inline",
  outdir: "dist",
  logLevel: "warning",
});
