// Pages in Chromium, as people see them: Debian's, or the one that CHROMIUM names. Without one these tests are skipped visibly.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect } from 'vitest';
import { chromium, type Browser, type Page } from 'playwright-core';

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why there is no browser; undefined if there is one. */
export const noBrowser = existsSync(program) ? undefined : `${program} is missing (Debian package chromium)`;
if (noBrowser !== undefined) console.log(`skipped: pages in a browser: ${noBrowser}`);

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export function openBrowser(): Promise<Browser> {
  // Root, as in containers, has no sandbox.
  return chromium.launch({ executablePath: program, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** A page, and what happens there that should not: errors, dialogs, requests to others than `origin`. */
export interface WatchedPage {
  readonly page: Page;
  readonly incidents: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<WatchedPage> {
  const page = await browser.newPage(options);
  const incidents: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', ({ message }) => incidents.push(`error ${message}`));
  page.on('console', (entry) => {
    if (entry.type() === 'error') incidents.push(`console ${entry.text()}`);
  });
  page.on('dialog', (dialog) => {
    incidents.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${origin}/`) && !address.startsWith('data:'))
      incidents.push(`request ${address}`);
  });
  await page.goto(url);
  return { page, incidents };
}

/** That axe-core finds nothing serious, in the light and in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(readFileSync(axe, 'utf8'));
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const shown = serious.map(
      ({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    );
    expect(shown).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
