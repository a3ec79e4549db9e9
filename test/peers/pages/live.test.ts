// The page of `op-sdk dev --ui` in a browser. It runs dist/: build it first.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../src/sdk/api/index.ts';
import type { LiveNews } from '../../../src/cluster/live/live-session.ts';
import type { ObjectRow } from '../../../src/cluster/live/objects/object-row.ts';
import { pageFiles, PageServer } from '../../../src/base/pages/index.ts';
import { expectAccessible, noBrowser, openBrowser, openPage } from '../../helpers/browser.ts';
import { edit, scaffoldProject, startDev } from '../../helpers/dev-process.ts';
import { Clients } from '../../sessions/clients.ts';

const group = 'cache';
const controller = `src/controllers/${group}/memcached.ts`;
const quiet = ['--', '--metrics-bind-address=0', '--health-probe-bind-address=0'];
const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/** What would show that a text of the cluster became more than text. */
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script><svg onload=alert(3)>[x](javascript:alert(4))`;

const Memcached = externalResource<KubeObject>({
  ...{ group: `${group}.example.com`, version: 'v1alpha1', kind: 'Memcached', plural: 'memcacheds' },
  scope: 'Namespaced',
});

describe.skipIf(noBrowser !== undefined)('the live page', () => {
  let browser: Browser;
  let scratch: string;
  const clients = new Clients();
  beforeAll(async () => {
    browser = await openBrowser();
    scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-live-page-'));
  });
  afterAll(async () => {
    await clients.close();
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Lines of a list that contain a text. */
  const lines = (page: Page, list: string, text: string) => page.locator(`#${list} > li`, { hasText: text });

  test('shows what an operator does, as it happens', async () => {
    const project = join(scratch, 'memo');
    await scaffoldProject(project, { group });
    await using dev = startDev(project, ['dev', '--ui', '--samples', ...quiet]);
    const [, kubeconfig = ''] =
      /^export KUBECONFIG=(.*)$/m.exec(await dev.next(/export KUBECONFIG=.*\n/)) ?? [];
    const client = await clients.of(kubeconfig);
    const url = (await dev.next(/http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//)).trim();
    await dev.next('Ready=True (Reconciled)');

    const { page, incidents } = await openPage(browser, url, { viewport: { width: 1280, height: 800 } });
    // What happened before the page was opened.
    await lines(page, 'objects', 'Memcached default/memcached-sample').getByText('Ready=True').waitFor();
    await lines(page, 'runs', 'after create of Memcached default/memcached-sample').waitFor();
    await expect.poll(() => page.locator('#operator').textContent()).toContain('operator runs');
    await expect.poll(() => page.locator('#controllers').textContent()).toContain('memcached queue 0');

    // A change of the object: a run, and the difference.
    const sample = { name: 'memcached-sample', namespace: 'default' };
    await client.patch(Memcached, sample, { type: 'merge', body: { spec: { foo: hostile } } });
    await lines(page, 'runs', 'after update of Memcached default/memcached-sample').first().waitFor();
    await page.locator('#objects button').click();
    await expect.poll(() => page.locator('#details-changes').innerText()).toMatch(/^-\s+foo: bar$/m);
    await expect.poll(() => page.locator('#details-yaml').textContent()).toContain('<img src=x onerror=');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.locator('#details').waitFor({ state: 'hidden' });

    // A run that fails, and a request that is refused: the error, the next try, the rule.
    edit(
      project,
      controller,
      "from 'opsdk';",
      "from 'opsdk';\nimport { permitted } from 'opsdk';\nimport { Secret } from 'opsdk/k8s/core/v1';",
    );
    edit(
      project,
      controller,
      '    // Create what',
      // What the call needs is said by hand there, and wrong.
      "    const wrong = permitted(client, [{ groups: [''], resources: ['secrets'], verbs: ['get'] }]);\n" +
        "    await wrong.live.list(Secret, { namespace: 'default' });\n    // Create what",
    );
    await dev.next('restarted the operator');
    const failed = lines(page, 'runs', 'list secrets in namespace default').first();
    await failed.waitFor();
    const text = (await failed.textContent()) ?? '';
    expect(text).toContain('error');
    expect(text).toMatch(/next try at \d/);
    const rule = "{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }";
    await lines(page, 'refusals', rule).waitFor();
    await expectAccessible(page);

    // Another object, whose name the filter finds.
    await client.create(Memcached, { metadata: { name: 'second', namespace: 'default' }, spec: {} } as never);
    await lines(page, 'objects', 'default/second').waitFor();
    if (process.env['UPDATE_SCREENSHOTS'] === '1')
      await page.screenshot({ path: join(images, 'live-page.png') });
    await page.getByLabel('Filter').fill('SECOND');
    await expect.poll(() => page.locator('#objects > li:visible').count()).toBe(1);
    await page.getByLabel('Filter').fill('');
    await client.delete(Memcached, { name: 'second', namespace: 'default' });
    await expect.poll(() => lines(page, 'objects', 'default/second').count()).toBe(0);

    await page.setViewportSize({ width: 380, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(incidents).toEqual([]);

    // The page says when there is nothing to show any more.
    await dev.stop();
    await expect.poll(() => page.locator('#operator').textContent()).toBe('op-sdk dev has ended');
    await page.close();
  });

  /** The page with news of our own: what no operator does at will. */
  async function openScripted(...all: readonly LiveNews[]) {
    const files = await pageFiles('live');
    const server = await PageServer.open({
      answer: ({ path }) => {
        const json = { type: 'application/json' };
        if (path === 'object')
          return {
            ...json,
            body: JSON.stringify({
              yaml: hostile,
              changes: [{ time: 0, text: hostile }],
              containers: [hostile],
            }),
          };
        if (path === 'log')
          return { ...json, body: JSON.stringify({ text: `${hostile}\n`, problem: hostile }) };
        if (path !== 'stream') return files.get(path);
        return {
          stream: (stream) => {
            for (const news of all) stream.send(news);
            return () => undefined;
          },
        };
      },
    });
    const opened = await openPage(browser, server.url);
    return {
      ...opened,
      [Symbol.asyncDispose]: async () => {
        await opened.page.close();
        await server.close();
      },
    };
  }

  const row = (index: number): ObjectRow => ({
    ...{
      id: `v1 sites shop/site-${index}`,
      apiVersion: 'v1',
      kind: 'Site',
      namespace: 'shop',
      name: `site-${index}`,
    },
    ...{ created: '2026-01-01T00:00:00Z', deleting: false },
    conditions: [{ type: 'Ready', status: 'True', reason: 'Served', message: '' }],
  });

  test('5,000 objects scroll, and only those in sight are laid out', async () => {
    await using scripted = await openScripted({
      objects: Array.from({ length: 5000 }, (_, index) => row(index)),
    });
    const { page, incidents } = scripted;
    await expect.poll(() => page.locator('#objects-count').textContent()).toBe('5000');
    const last = lines(page, 'objects', 'shop/site-4999');
    await last.scrollIntoViewIfNeeded();
    await expect.poll(() => last.isVisible()).toBe(true);
    await page.getByLabel('Filter').fill('site-4998');
    await expect.poll(() => page.locator('#objects > li:visible').count()).toBe(1);
    expect(incidents).toEqual([]);
  });

  test('scripts in every text of the cluster and the operator do nothing', async () => {
    const condition = { type: hostile, status: hostile, reason: hostile, message: hostile };
    const names = { kind: hostile, namespace: hostile, name: hostile };
    const pod = {
      ...{ ...names, apiVersion: 'v1', created: hostile, deleting: false, conditions: [] },
      words: [{ text: hostile, tone: 'bad' as const }],
      actions: [{ name: hostile, label: hostile, title: hostile, pressed: true }],
    };
    await using scripted = await openScripted({
      project: hostile,
      running: true,
      controllers: [
        {
          name: hostile,
          for: { ...names, group: hostile, version: hostile, plural: hostile, namespaced: true },
          owns: [],
        },
      ],
      depths: { [hostile]: 1 },
      objects: [
        {
          ...names,
          id: hostile,
          apiVersion: hostile,
          created: hostile,
          deleting: true,
          conditions: [condition],
        },
        { ...pod, id: 'pod', kind: 'Pod', owner: hostile },
        { ...pod, id: 'node', kind: 'Node' },
      ],
      runs: [
        {
          ...{ ...names, controller: hostile, reconcileID: hostile, trigger: hostile, result: hostile },
          ...{ attempt: 2, start: 0, duration: 1, requests: 1, nextTry: 1 },
          error: { message: hostile, code: hostile, fix: [hostile] },
        },
      ],
      events: [{ ...names, id: hostile, time: 0, type: hostile, reason: hostile, note: hostile, count: 2 }],
      refusals: [{ message: hostile, fix: [hostile], last: 0, count: 1 }],
      forbidden: [hostile],
    });
    const { page, incidents } = scripted;
    await lines(page, 'events', hostile).waitFor();
    await page.locator('#objects .owned .title').click();
    await expect.poll(() => page.locator('#details-log').textContent()).toBe(`${hostile}\n`);
    expect(await page.locator('#details-log *').count()).toBe(0);
    expect(await page.locator('#log-container').inputValue()).toBe(hostile);
    expect(await page.locator('#details-log-problem').textContent()).toBe(hostile);
    await page.keyboard.press('Escape');
    expect(await page.locator('body img, body svg, body script, body a').count()).toBe(0);
    expect(incidents).toEqual([]);
  });
});
