// The dashboard in a real browser, from a disk and from a server.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { browserPath, launch, open, serve } from "./browser.mjs";
import { publish, small } from "./history.mjs";

const binary = process.env.LCMBENCH;
const skip = !binary ? "LCMBENCH names no binary" : !browserPath() ? "no Chromium is installed" : false;

describe("the dashboard", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "lcmbench-page-"));
  const site = join(folder, "site");
  const disk = `file://${site}/index.html`;
  let browser;
  let server;
  let made;
  let ids;

  before(async () => {
    made = small(join(folder, "project"));
    publish(binary, join(folder, "project"), site);
    assert.ok(existsSync(join(site, "app.js")), "the binary has no page");
    browser = await launch();
    server = await serve(site);
    ids = Object.fromEntries(Object.entries(made.names).map(([key, name]) => [key, readdirSync(join(site, "data")).find((id) => id.startsWith(`${name.replaceAll(".", "-")}-`.slice(0, 40)))]));
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens, does something, and sees that nothing went wrong and nothing left the place. */
  async function visit(address, act, options) {
    const opened = await open(browser, address, options);
    try {
      await act(opened.page, opened);
      assert.deepEqual(opened.wrong, []);
      const place = address.startsWith("file:") ? `file://${site}/` : server.address;
      const elsewhere = opened.requests.filter((url) => !url.startsWith(place) && !url.startsWith("data:") && !url.startsWith("blob:"));
      assert.deepEqual(elsewhere, []);
    } finally {
      await opened.close();
    }
  }

  const places = [["a disk", () => disk], ["a server", () => server.address]];
  for (const [name, address] of places) {
    test(`the front page says what changed, from ${name}`, () =>
      visit(address(), async (page) => {
        const heading = await page.textContent("h1");
        assert.match(heading, /^1 benchmark changed in the last 10 measured commits: 1 became worse\.$/);
        assert.match(await page.textContent(".change.accepted"), /iterations.*accepted: a finer policy takes more of them/);
        await page.waitForSelector("table.overview tbody tr:not(.group)");
        const groups = await page.$$eval("tr.group th", (all) => all.map((one) => one.textContent));
        assert.deepEqual(groups, ["Solve the model", "Simulate agents", "bench_paths.Throughput", "bench_paths"]);
        const first = await page.$$eval("tbody:nth-of-type(1) tr:not(.group) th a", (all) => all.map((one) => one.textContent));
        assert.deepEqual(first, ["execution time", "peak GPU memory", "compilation time"]);
        assert.equal(await page.locator("svg.spark path").count() > 8, true);
        assert.match(await page.textContent(".runs"), /gpu-box · env: newest run [0-9a-f]{8}/);
      }));
  }

  test("search and chips narrow the table, and the address keeps them", () =>
    visit(disk, async (page) => {
      await page.waitForSelector("table.overview");
      const shown = () => page.$$eval("table.overview tbody tr:not(.group)", (all) => all.filter((one) => one.offsetParent).length);
      assert.equal(await shown(), 8);
      await page.keyboard.press("/");
      await page.keyboard.type("simulate peak");
      assert.equal(await shown(), 1);
      assert.match(page.url(), /q=simulate\+peak/);
      await page.reload();
      await page.waitForSelector("table.overview");
      assert.equal(await shown(), 1);
      await page.fill("input[type=search]", "");
      await page.click("a.chip:text-is('compile')");
      await page.waitForFunction(() => [...document.querySelectorAll("table.overview tbody tr:not(.group)")].filter((one) => one.offsetParent).length === 1);
      await page.click("a.chip:text-is('compile')");
      await page.click("a.chip:text-is('changed lately')");
      await page.waitForFunction(() => [...document.querySelectorAll("table.overview tbody tr:not(.group)")].filter((one) => one.offsetParent).length === 2);
      await page.click("a.chip:text-is('laptop · env')");
      await page.waitForFunction(() => location.hash.includes("on=laptop"));
    }));

  test("a benchmark opens, and the back button returns", () =>
    visit(server.address, async (page) => {
      await page.click("a:text-is('execution time')");
      await page.waitForSelector(".main-chart canvas");
      assert.match(await page.textContent("h1"), /^Solve the model — execution time$/);
      await page.goBack();
      await page.waitForSelector("table.overview");
      await page.goForward();
      await page.waitForSelector(".main-chart canvas");
      await page.click("text=Overview >> nth=0");
      await page.waitForSelector("table.overview");
    }));

  test("details are loaded when they are asked for", () =>
    visit(server.address, async (page, { requests }) => {
      await page.waitForSelector("table.overview");
      const early = requests.filter((url) => /\/(data|runs|commits|changes)/.test(url));
      assert.deepEqual(early, []);
      await page.goto(`${server.address}#/benchmark/${ids.simulate}`);
      await page.waitForSelector(".main-chart canvas");
      const late = requests.filter((url) => url.includes("/data/"));
      assert.ok(late.some((url) => url.includes(ids.simulate)), late.join());
      assert.ok(!late.some((url) => url.includes(ids.flaky)), late.join());
    }));

  test("hovering names value, interval, commit, author, driver and jaxlib", () =>
    visit(`${disk}#/benchmark/${ids.simulate}`, async (page) => {
      await page.waitForSelector(".main-chart .u-over");
      const box = await page.locator(".main-chart .u-over").boundingBox();
      await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
      await page.waitForSelector(".main-chart .tip:not([hidden])");
      const text = await page.textContent(".main-chart .tip");
      assert.match(text, /12\.\d ms/);
      assert.match(text, /99 % interval 12\.\d to 12\.\d ms/);
      assert.match(text, /[0-9a-f]{8} \w+/);
      assert.match(text, /(Ada Lovelace|Grace Hopper|Emmy Noether|Maryam Mirzakhani), 2025-\d\d-\d\d/);
      assert.match(text, /driver 550\.54, jaxlib 0\.4\.30/);
      // The single rounds follow when the pointer rests.
      await page.waitForSelector(".main-chart .tip .dots circle");
      assert.equal(await page.locator(".main-chart .tip .dots circle").count(), 12);
      const [tip, plot] = await page.evaluate(() => [".main-chart .tip", ".main-chart"].map((name) => document.querySelector(name).getBoundingClientRect().toJSON()));
      assert.ok(tip.left >= plot.left && tip.right <= plot.right && tip.bottom <= plot.bottom, JSON.stringify([tip, plot]));
      // A long subject does not cut the box off or blow it up.
      const at = made.commits.findIndex((commit) => commit.subject.length > 100);
      await page.mouse.move(box.x + (box.width * (at + 2)) / (made.commits.length + 3), box.y + 20);
      assert.ok((await page.locator(".main-chart .tip").boundingBox()).width <= 330);
    }));

  test("dragging zooms all charts of the group, and the address keeps it", () =>
    visit(`${disk}#/benchmark/${ids.solve}?x=commit`, async (page) => {
      await page.waitForSelector(".main-chart .u-over");
      await page.locator(".sibling").first().scrollIntoViewIfNeeded();
      await page.waitForSelector(".sibling .u-over");
      await page.locator(".main-chart").scrollIntoViewIfNeeded();
      const labels = () => page.evaluate(() => document.querySelectorAll(".u-over").length);
      assert.ok((await labels()) >= 2);
      const box = await page.locator(".main-chart .u-over").boundingBox();
      await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 6 });
      await page.mouse.up();
      await page.waitForFunction(() => /from=\d+&to=\d+/.test(location.hash));
      const [, from, to] = /from=(\d+)&to=(\d+)/.exec(page.url()).map(Number);
      assert.ok(from > 40 && from < 55 && to > 65 && to < 80, `${from} to ${to}`);
      const address = page.url();
      await page.reload();
      await page.waitForSelector(".main-chart .u-over");
      assert.equal(page.url(), address);
      await page.click("text=Reset zoom");
      await page.waitForFunction(() => !location.hash.includes("from="));
    }));

  test("a click keeps a commit with its rounds, reasons and the command for it", () =>
    visit(`${disk}#/benchmark/${ids.simulate}?x=commit`, async (page) => {
      await page.waitForSelector(".main-chart .u-over");
      const box = await page.locator(".main-chart .u-over").boundingBox();
      await page.mouse.click(box.x + box.width * 0.5, box.y + 100);
      await page.waitForSelector(".pinned .dots");
      assert.match(page.url(), /pin=\d+/);
      assert.equal(await page.locator(".pinned .dots circle").count(), 12);
      assert.match(await page.textContent(".pinned .reproduce code"), /^git checkout [0-9a-f]{40} && lcmbench run --bench '\^bench_model\\\.Simulate\\\.time_simulate\(\\\(\|\$\)'$/);
      await page.click("text=Compare with the one before");
      await page.waitForSelector("table.compare");
      assert.match(page.url(), /base=[0-9a-f]{8}&head=[0-9a-f]{8}/);
      // Two commits before it were not measured and have no position.
      const failed = 5 + 17 * 3 - 2;
      await page.goto(`${disk}#/benchmark/${ids.flaky}?pin=${failed}`);
      await page.waitForSelector("text=ValueError: the grid is empty");
      assert.match(await page.textContent(".values"), /failed/);
    }));

  test("gaps have reasons, and marks are told", () =>
    visit(`${disk}#/benchmark/${ids.flaky}`, async (page) => {
      await page.waitForSelector(".main-chart .u-over");
      const text = await page.textContent("main");
      assert.match(text, /driver: 550\.54 → 570\.12/);
      assert.match(text, /jaxlib: 0\.4\.30 → 0\.4\.35/);
      assert.match(text, /the benchmark itself changed \(version 2\)/);
      const download = page.waitForEvent("download");
      await page.click(".controls .downloads button:text-is('CSV')");
      const rows = readFileSync(await (await download).path(), "utf8").split("\r\n");
      const states = new Set(rows.slice(1, -1).map((row) => row.split(",").pop()));
      assert.deepEqual([...states].sort(), ["failed", "measured", "skipped"]);
      assert.equal(rows.length - 2, 118);
    }));

  test("a parameter goes along the axis, and combinations are switched", () =>
    visit(`${disk}#/benchmark/${ids.solve}`, async (page) => {
      await page.click(".chips a:text-is('n_points')");
      await page.waitForSelector(".param-lines");
      assert.equal(await page.locator(".param-lines li").count(), 2);
      await page.click(".chips a:text-is('commit')");
      await page.waitForSelector(".combinations a.series");
      const colour = () => page.$eval(".combinations li:nth-child(3) line", (line) => line.getAttribute("class"));
      const earlier = await colour();
      await page.click(".combinations li:nth-child(1) a.series");
      await page.waitForFunction(() => document.querySelector(".combinations li a.series").getAttribute("aria-pressed") === "false");
      assert.equal(await colour(), earlier);
      assert.match(page.url(), /show=1\.2\.3\.4\.5/);
      await page.click(".combinations >> text=none");
      await page.waitForSelector("text=Nothing is chosen below.");
    }));

  test("any two commits are compared", () =>
    visit(server.address, async (page) => {
      await page.click("nav >> text=Compare");
      await page.waitForSelector("table.compare");
      const [base, head] = [made.hashes[82], made.hashes[119]].map((hash) => hash.slice(0, 8));
      await page.selectOption("select[name=base]", base);
      await page.waitForFunction((wanted) => location.hash.includes(`base=${wanted}`), base);
      await page.waitForFunction(() => /got slower/.test(document.querySelector(".sentence")?.textContent ?? ""));
      const sentence = await page.textContent(".sentence");
      assert.match(sentence, /^\d+ of 18 results got slower: /);
      await page.click("tr:has(a:text-is('iterations')) button.word");
      assert.match(await page.textContent("tr.reason:not([hidden])"), /exactly 15 % higher/);
      assert.match(await page.textContent(".accepted-rows"), /iterations 1\.15: a finer policy takes more of them \(up to 20 %, until 2030-12-31\)/);
      await page.click("text=changed only");
      await page.waitForFunction(() => /changed=1/.test(location.hash));
      await page.waitForSelector("table.compare");
      await page.click("text=swap");
      await page.waitForFunction((wanted) => location.hash.includes(`base=${wanted}`), head);
      await page.goBack();
    }));

  test("all changes are listed and searched", () =>
    visit(`${disk}#/changes`, async (page) => {
      await page.waitForSelector(".change");
      const all = await page.locator(".change").count();
      await page.fill("input[type=search]", "compilation");
      const some = await page.locator(".change").count();
      assert.ok(some > 0 && some < all, `${some} of ${all}`);
      await page.fill("input[type=search]", "");
      await page.click("a.chip:text-is('better')");
      await page.waitForFunction(() => document.querySelectorAll(".verdict.slower").length === 0);
      assert.match(await page.textContent(".borders"), /driver/);
    }));

  test("the keyboard is enough", () =>
    visit(disk, async (page) => {
      await page.waitForSelector("table.overview");
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      const focused = await page.evaluate(() => document.activeElement.textContent);
      assert.match(focused, /Solve the model — execution time/);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".main-chart .u-over");
      await page.focus(".main-chart .plot");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector(".tip:not([hidden])");
      assert.match(await page.textContent(".main-chart .sr"), /ms\. .*[0-9a-f]{8}/);
      await page.keyboard.press("+");
      await page.waitForFunction(() => location.hash.includes("from="));
      await page.keyboard.press("0");
      await page.waitForFunction(() => !location.hash.includes("from="));
      await page.keyboard.press("Enter");
      await page.waitForSelector(".pinned");
      await page.focus(".main-chart .plot");
      await page.keyboard.press("l");
      await page.waitForFunction(() => location.hash.includes("log="));
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
      await page.keyboard.press("Escape");
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      await page.waitForSelector("table.compare");
      await page.keyboard.press("Escape");
      await page.waitForSelector("table.overview");
      // Everything that is pressed has a name and can be reached.
      const nameless = await page.$$eval("a, button, input, select", (all) => all.filter((one) => !(one.textContent || one.getAttribute("aria-label"))).length);
      assert.equal(nameless, 0);
    }));

  test("dark and light follow the reader's choice", async () => {
    const colours = async (scheme) => {
      let found;
      await visit(`${disk}#/benchmark/${ids.simulate}`, async (page) => {
        await page.waitForSelector(".main-chart canvas");
        found = await page.evaluate(() => ["backgroundColor", "color"].map((key) => getComputedStyle(document.documentElement)[key]));
        if (scheme === "light") {
          const pixels = () => page.$eval(".main-chart canvas", (canvas) => [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data].reduce((sum, value) => sum + value, 0));
          const before = await pixels();
          await page.emulateMedia({ colorScheme: "dark" });
          await page.waitForTimeout(200);
          assert.notEqual(await pixels(), before);
        }
      }, { colorScheme: scheme });
      return found;
    };
    const contrast = ([back, front]) => {
      const light = (text) => {
        const [r, g, b] = text.match(/\d+/g).map((value) => (Number(value) / 255) ** 2.2);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const [low, high] = [light(back), light(front)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const [light, dark] = [await colours("light"), await colours("dark")];
    assert.notEqual(light[0], dark[0]);
    assert.ok(contrast(light) > 7 && contrast(dark) > 7, `${contrast(light)} ${contrast(dark)}`);
  });

  test("paper is white", () =>
    visit(`${disk}#/benchmark/${ids.simulate}`, async (page) => {
      await page.waitForSelector(".main-chart canvas");
      const ink = () => page.evaluate(() => getComputedStyle(document.documentElement).color.match(/\d+/g).map(Number));
      assert.ok((await ink())[0] > 200);
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await page.emulateMedia({ media: "print" });
      assert.ok((await ink())[0] < 60);
      assert.equal(await page.locator("nav").isVisible(), false);
      const pdf = await page.pdf({ format: "A4" });
      assert.ok(pdf.length > 10_000);
    }, { colorScheme: "dark" }));

  test("nothing is wider than a phone", async () => {
    for (const hash of ["", "#/changes", "#/compare", `#/benchmark/${ids.solve}?pin=100`]) {
      await visit(`${disk}${hash}`, async (page) => {
        await page.waitForSelector(".change, table.compare, .main-chart canvas");
        // Names of real suites are long.
        await page.$$eval(".sentence", (all) => all.forEach((one) => one.append("bench_interpolation.Bench_interp_hybrid_to_pressure_extrapolated")));
        const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide[0] <= wide[1], `${hash}: ${wide}`);
      }, { viewport: { width: 390, height: 844 } });
    }
  });

  test("an unknown benchmark and a lost file are said", () =>
    visit(`${disk}#/benchmark/nothing`, async (page) => {
      assert.match(await page.textContent("main"), /There is no such benchmark/);
      await page.goto(`${disk}#/nowhere`);
      await page.waitForSelector("text=There is no such page");
    }));

  test("feed and badge are well formed", () =>
    visit(disk, async (page) => {
      for (const name of ["feed.xml", "badge.svg"]) {
        const text = readFileSync(join(site, name), "utf8");
        const error = await page.evaluate((xml) => new DOMParser().parseFromString(xml, "text/xml").querySelector("parsererror")?.textContent ?? null, text);
        assert.equal(error, null, name);
      }
      assert.match(readFileSync(join(site, "badge.svg"), "utf8"), /benchmarks: 1 worse/);
      assert.ok(readFileSync(join(site, "feed.xml"), "utf8").match(/<entry>/g).length >= 10);
    }));

  test("hostile names in every field do nothing", async () => {
    const texts = [
      (place) => `<img src=x onerror=alert('${place}')>`,
      (place) => `"'></script><script>alert('${place}')</script>`,
      (place) => `javascript:alert('${place}')//${"${alert(1)}"}`,
    ];
    for (const [which, hostile] of texts.entries()) {
      const project = join(folder, `hostile-${which}`);
      const out = join(folder, `hostile-site-${which}`);
      small(project, { count: 30, hostile });
      publish(binary, project, out);
      const opened = await open(browser, `file://${out}/index.html`);
      const { page, wrong, requests } = opened;
      await page.waitForSelector("table.overview");
      for (const id of readdirSync(join(out, "data"))) {
        await page.goto(`file://${out}/index.html#/benchmark/${id}?pin=5`);
        await page.waitForSelector(".main-chart");
        await page.waitForSelector(".pinned .extra *");
        const box = await page.locator(".main-chart").boundingBox();
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      }
      for (const hash of ["#/changes", "#/compare", `#/benchmark/${encodeURIComponent(hostile("address"))}`, `#/?q=${encodeURIComponent(hostile("search"))}&on=${encodeURIComponent(hostile("on"))}`]) {
        await page.goto(`file://${out}/index.html${hash}`);
        await page.waitForTimeout(150);
      }
      assert.deepEqual(wrong, []);
      assert.equal(await page.locator("main img, main script, a[href^='javascript:']").count(), 0);
      assert.deepEqual(requests.filter((url) => !url.startsWith(`file://${out}/`) && !url.startsWith("data:")), []);
      await opened.close();
    }
  });

  test("a key `__proto__` is a key as any", async () => {
    const project = join(folder, "proto");
    const out = join(folder, "proto-site");
    small(project, { count: 30 });
    const results = join(project, "results/gpu-box");
    for (const name of readdirSync(results).filter((one) => one.endsWith("-env.json"))) {
      const text = readFileSync(join(results, name), "utf8");
      const row = JSON.stringify([[0.5], [], "1", 1735689600000, 1]);
      writeFileSync(join(results, name), text.replace('"results":{', `"results":{"__proto__":${row},`).replace('"params":{', '"params":{"__proto__":"x",').replace('"packages":{', '"packages":{"__proto__":"1.0",'));
    }
    publish(binary, project, out);
    const opened = await open(browser, `file://${out}/index.html`);
    await opened.page.waitForSelector("table.overview");
    const address = `file://${out}/index.html#/benchmark/`;
    const all = readdirSync(join(out, "data"));
    assert.equal(all.some((id) => id.includes("proto")), true);
    for (const id of all) {
      await opened.page.goto(`${address}${id}?pin=5`);
      await opened.page.waitForSelector(".pinned .extra *");
    }
    await opened.page.goto(`file://${out}/index.html#/compare`);
    await opened.page.waitForSelector("main table");
    assert.match(await opened.page.textContent("main"), /__proto__/);
    assert.deepEqual(opened.wrong, []);
    await opened.close();
  });
});
