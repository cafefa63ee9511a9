// Chromium and a small server for the tests of the page.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".xml": "application/atom+xml", ".json": "application/json" };

/** A Chromium that is installed; null if there is none. */
export function browserPath() {
  for (const name of [process.env.LCMBENCH_TEST_CHROMIUM, "chromium", "chromium-browser", "google-chrome"]) {
    if (!name) continue;
    try {
      return execFileSync("sh", ["-c", 'command -v "$1"', "sh", name]).toString().trim();
    } catch {
      // Not this one.
    }
  }
  return null;
}

export function launch() {
  // In a container there is no sandbox for root, and the shared memory is small.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"];
  return chromium.launch({ executablePath: browserPath(), args });
}

/** Serves a folder on loopback; counts the bytes as they would be sent, with gzip. */
export async function serve(root) {
  const sent = new Map();
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)).replace(/^(\.\.[/\\])+/, "");
    try {
      const body = readFileSync(join(root, path === "/" ? "index.html" : path));
      const zipped = gzipSync(body);
      sent.set(path, zipped.length);
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? TYPES[".html"], "content-encoding": "gzip" });
      response.end(zipped);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, sent, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** A page that remembers everything that must not happen. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: "America/New_York", ...options });
  const page = await context.newPage();
  const wrong = [];
  const requests = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  return { page, wrong, requests, close: () => context.close() };
}
