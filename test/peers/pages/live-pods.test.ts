// Pods on the page of `op-sdk dev --ui` in a browser, and the buttons that make them fail. It runs dist/: build it first.
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, noBrowser, openBrowser, openPage } from '../../helpers/browser.ts';
import { scaffoldProject, startDev } from '../../helpers/dev-process.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';

const quiet = ['--', '--metrics-bind-address=0', '--health-probe-bind-address=0'];

describe.skipIf(noBrowser !== undefined)('Pods on the live page', () => {
  let browser: Browser;
  let scratch: string;
  beforeAll(async () => {
    browser = await openBrowser();
    scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-live-pods-'));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  test('are shown below their owners, fail when a button says so, and recover', async () => {
    const project = join(scratch, 'memcached-operator');
    await scaffoldProject(project, { group: 'cache', name: 'memcached-operator' });
    cpSync(join(repositoryRoot, 'examples/memcached-operator'), project, { recursive: true });
    await using dev = startDev(project, ['dev', '--ui', '--samples', ...quiet]);
    const url = (await dev.next(/http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//)).trim();
    await dev.next('Available=True (PodsReady)');

    const { page, incidents } = await openPage(browser, url, { viewport: { width: 1280, height: 800 } });
    const levels = ['Memcached', 'Deployment', 'ReplicaSet', 'Pod'];
    const chain = levels.map((kind) => `li:has(> div > .title:text-matches("^${kind} "))`).join(' > ul > ');
    const pods = page.locator(chain);
    await expect.poll(() => pods.count()).toBe(2);
    await expect.poll(() => pods.nth(1).textContent()).toContain('Running1/1 ready');
    await expect.poll(() => page.locator('#nodes').textContent()).toContain('Node node-1Ready');
    await expect.poll(() => page.locator('#objects-count').textContent()).toBe('5');
    await expectAccessible(page);

    // By keyboard. The row is written anew, and the button keeps the focus.
    const [first, second] = [pods.nth(0), pods.nth(1)];
    const loop = first.getByRole('button', { name: 'Crash loop' });
    await loop.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => first.textContent()).toContain('CrashLoopBackOff');
    await expect.poll(() => loop.getAttribute('aria-pressed')).toBe('true');
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe('action crash-loop');
    const pull = second.getByRole('button', { name: 'Fail image pull' });
    await pull.click();
    await expect.poll(() => second.textContent()).toContain('ImagePullBackOff');
    await expect.poll(() => pull.getAttribute('aria-pressed')).toBe('true');
    await dev.next('Available=False (PodsNotReady): 0 of 2 Pods are ready');
    await expectAccessible(page);
    if (process.env['UPDATE_SCREENSHOTS'] === '1') {
      await page.setViewportSize({ width: 1280, height: 1000 });
      await page.evaluate("document.querySelector('#objects').scrollTo({ top: 0 })");
      await page.screenshot({ path: join(repositoryRoot, 'docs/images/live-pods.png') });
    }

    // A Pod's own words: none, as nothing runs.
    await first.locator('.title').click();
    await page.getByText('Nothing has been written.').waitFor();
    expect(await page.getByLabel('Container').inputValue()).toBe('memcached');
    await page.getByLabel('Before the last restart').check();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await pull.click();
    await loop.click();
    await dev.next('Available=True (PodsReady): 2 of 2 Pods are ready');
    await first.getByRole('button', { name: 'Evict' }).click();
    await expect.poll(() => pods.count()).toBe(3);
    await expect.poll(() => first.textContent()).toContain('Evicted');
    expect(await first.getByRole('group').count()).toBe(0);

    // The filter shows what matches with its owners, and all that it owns.
    await page.getByLabel('Filter').fill('replicaset');
    expect(await page.locator('#objects .title:visible').count()).toBe(6);
    await page.getByLabel('Filter').fill('absent');
    expect(await page.locator('#objects .title:visible').count()).toBe(0);
    await page.getByLabel('Filter').fill('');

    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(() => page.locator('#nodes').textContent(), { timeout: 60_000 }).toContain('NotReady');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(() => page.locator('#nodes').textContent()).toContain('node-1Ready');
    await page.setViewportSize({ width: 380, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(incidents).toEqual([]);
    await page.close();
  });
});
