// What the first view of a large history costs: bytes with gzip, and time until it can be used.
//
//   LCMBENCH=target/release/lcmbench node web/bench.mjs [COMMITS [BENCHMARKS]]
//
// 1,500 commits and 300 benchmarks by default. Times depend on the machine; each is the median of nine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, serve } from "./tests/browser.mjs";
import { large, publish } from "./tests/history.mjs";

const [count = 1500, many = 300] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "lcmbench-figures-"));
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

try {
  const { names } = large(join(folder, "project"), { count, many });
  publish(process.env.LCMBENCH, join(folder, "project"), join(folder, "site"));
  const server = await serve(join(folder, "site"));
  const browser = await launch();
  const first = [];
  const detail = [];
  let sizes;
  let more;
  for (let round = 0; round < 9; round++) {
    server.sent.clear();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(server.address, { waitUntil: "commit" });
    await page.waitForFunction((rows) => document.querySelectorAll("table.overview tbody tr:not(.group)").length === rows, names.length, { polling: "raf" });
    // Drawn, and idle: a reader can type.
    first.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))));
    await page.waitForLoadState("networkidle");
    sizes = new Map(server.sent);
    const start = Date.now();
    await page.click("table.overview tbody tr:not(.group) a");
    await page.waitForSelector(".main-chart canvas");
    detail.push(Date.now() - start);
    more = [...server.sent].filter(([path]) => !sizes.has(path));
    await context.close();
  }
  await browser.close();
  await server.close();
  const sum = (all) => [...all].reduce((total, [, bytes]) => total + bytes, 0);
  console.log(`first view, ${many} benchmarks, ${count} commits: ${kilobytes(sum(sizes))} with gzip, usable after ${Math.round(median(first))} ms`);
  for (const [path, bytes] of sizes) console.log(`  ${path} ${kilobytes(bytes)}`);
  console.log(`one benchmark: ${kilobytes(sum(more))} more in ${more.length} files, drawn after ${median(detail)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
