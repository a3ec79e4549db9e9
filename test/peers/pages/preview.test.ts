// The pages of `op-sdk bundle preview` in a browser.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { servePreview } from '../../../src/cli/commands/bundle-preview.ts';
import { createReporter } from '../../../src/cli/ui/reporter.ts';
import { expectAccessible, noBrowser, openBrowser, openPage } from '../../helpers/browser.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { hostileTexts, withTexts } from '../../unit/olm/bundle/preview/hostile-texts.ts';
import { twoVersions } from '../../unit/olm/bundle/preview/shown-bundle.ts';
import { hubFolder } from '../../unit/olm/bundle/publish/hub-bundle.ts';

const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const realBundles = fileURLToPath(new URL('../../../../shared/data/bundles', import.meta.url));
const narrow = { width: 360, height: 700 };

describe.skipIf(noBrowser !== undefined)('the pages of bundles', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test.skipIf(!existsSync(realBundles))(
    'of 24 operators load nothing from elsewhere, fit the window and are accessible (needs ../shared/data/bundles)',
    async () => {
      const url = await serve(realBundles, bundlesIn(realBundles));
      const { page, incidents } = await openPage(browser, url);
      const links = await page.locator('.cards a').all();
      const names = await Promise.all(links.map((link) => link.getAttribute('href')));
      expect(names).toHaveLength(24);
      for (const name of ['', ...names]) {
        await page.goto(url + name);
        await openAll(page);
        await expectAccessible(page);
        await expectFits(page);
      }
      expect(incidents).toEqual([]);
      await page.close();
    },
    600_000,
  );

  test('run no text of a bundle, served or as files', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-hostile-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    for (const [index, text] of hostileTexts.entries())
      cpSync(join(hostileFolder(text), 'bundle'), join(cwd, String(index)), { recursive: true });
    const dirs = hostileTexts.map((_text, index) => String(index));
    expect(await runCli(['bundle', 'preview', ...dirs, '--output-dir', 'site'], { cwd })).toMatchObject({
      code: 0,
    });
    const served = await serve(cwd, dirs);
    const site = `${pathToFileURL(join(cwd, 'site')).href}/`;
    for (const [base, names] of [
      [served, ['', ...readdirSync(join(cwd, 'site'))]],
      [site, readdirSync(join(cwd, 'site'))],
    ] as const) {
      const page = await browser.newPage();
      const incidents: string[] = [];
      page.on('dialog', (dialog) => void incidents.push(`dialog ${dialog.message()}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(base) && !request.url().startsWith('data:'))
          incidents.push(request.url());
      });
      for (const name of names.filter((each) => !each.endsWith('.css'))) {
        await page.goto(base + name);
        await openAll(page);
        expect(await page.title()).not.toBe('');
        expect(await page.evaluate('window.hit')).toBeUndefined();
        expect(await page.locator('script, iframe, object, embed, form, style, base').count()).toBe(
          base === served ? 1 : 0,
        );
      }
      // The pages are drawn: their own style is allowed.
      expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('1280px');
      expect(incidents).toEqual([]);
      await page.close();
    }
  });

  test('can be used by keyboard, and reload with what is open left open', async () => {
    const cwd = twoVersions();
    const url = await serve(cwd, ['v1', 'v2']);
    const { page, incidents } = await openPage(browser, url);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/web-operator.v0.2.0.html');
    await page.locator('#kind-1-specDescriptors summary').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Its name.').waitFor();

    const file = join(cwd, 'v2/manifests/csv.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Its name.', 'Its new name.'));
    await page.getByText('Its new name.').waitFor();
    await expectAccessible(page);
    expect(incidents).toEqual([]);
    await page.close();
  });

  test('cannot be read by another site', async () => {
    const url = await serve(twoVersions(), ['v1']);
    const other = await serve(twoVersions(), ['v2']);
    const { page } = await openPage(browser, other);
    // The content security policy of our own page would stop this as well; that of another site would not.
    await page.route('**/elsewhere', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>elsewhere' }),
    );
    await page.goto(`${other}elsewhere`);
    const read = `fetch(${JSON.stringify(url)}).then((answer) => answer.text(), (error) => error.name)`;
    expect(await page.evaluate(read)).toBe('TypeError');
    await page.evaluate(`location.href = ${JSON.stringify(url)}`);
    await page.waitForURL(url);
    expect(await page.locator('body').textContent()).toBe('403\n');
    await page.close();
  });

  test('are what the documents show', async () => {
    const cwd = twoVersions();
    const url = await serve(cwd, ['v1', 'v2']);
    const { page } = await openPage(browser, `${url}web-operator.v0.2.0.html`, {
      viewport: { width: 1100, height: 1000 },
    });
    await page.locator('#kind-1-specDescriptors summary').click();
    const picture = await page.screenshot();
    const file = join(images, 'bundle-preview.png');
    if (process.env['UPDATE_SCREENSHOTS'] === '1') writeFileSync(file, picture);
    expect(existsSync(file)).toBe(true);
    await page.close();
  });
});

function bundlesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((operator) =>
    operator.isDirectory()
      ? readdirSync(join(folder, operator.name)).map((version) => `${operator.name}/${version}`)
      : [],
  );
}

/** A bundle all of whose texts are hostile, and its icon. */
function hostileFolder(text: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hit=1"><script>parent.hit=1</script><image href="https://evil.example/i.png"/></svg>`;
  return hubFolder((bundle) => {
    const csv = withTexts(bundle.csv, text) as typeof bundle.csv;
    csv.spec.icon = [{ base64data: Buffer.from(svg).toString('base64'), mediatype: 'image/svg+xml' }];
    bundle.csv = csv;
  });
}

/** Serves a preview until the end of the test. @returns its address */
async function serve(cwd: string, dirs: readonly string[]): Promise<string> {
  const ended = new AbortController();
  let log = '';
  const report = createReporter({ write: (text) => (log += text), colors: false }, { quiet: false });
  const served = servePreview({ cwd, report, signal: ended.signal }, dirs);
  onTestFinished(async () => {
    ended.abort();
    await served;
  });
  return vi.waitFor(
    () => {
      const [found] = /http:\S+/.exec(log) ?? [];
      if (found === undefined) throw new Error('no address yet');
      return found;
    },
    { timeout: 60_000 },
  );
}

async function openAll(page: Page): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((each) => (each.open = true))');
}

/** That nothing is wider than a telephone. */
async function expectFits(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(narrow);
  expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBeLessThanOrEqual(
    narrow.width,
  );
  if (before !== null) await page.setViewportSize(before);
}
