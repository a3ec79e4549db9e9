// Channels with their updates, as drawings and as sentences.
import { expect, test } from 'vitest';
import { renderChannels } from '../../../../../src/olm/bundle/preview/render-channels.ts';
import type { CatalogueVersion } from '../../../../../src/olm/bundle/publish/catalogue-version.ts';

function version(number: string, change: Partial<CatalogueVersion> = {}): CatalogueVersion {
  return {
    shown: number,
    csv: { name: `web.v${number}` } as CatalogueVersion['csv'],
    packageName: 'web',
    operator: 'web',
    version: number,
    channels: new Set(['stable']),
    defaultChannel: '',
    replaces: '',
    skips: [],
    skipRange: '',
    ...change,
  };
}

async function sentences(
  versions: readonly CatalogueVersion[],
  here?: CatalogueVersion,
): Promise<readonly string[]> {
  const drawn = await renderChannels(versions, here);
  return drawn.flatMap(({ markup }) =>
    [...markup.matchAll(/<(?:h3|li)>(.*?)<\/(?:h3|li)>/g)].map(([, text = '']) => text),
  );
}

test('each update is a sentence with the field that permits it', async () => {
  const versions = [
    version('0.1.0'),
    version('0.2.0', { replaces: 'web.v0.1.0' }),
    version('0.3.0', { replaces: 'web.v0.2.0', skips: ['web.v0.1.0', 'web.v0.2.1'] }),
  ];
  expect(await sentences(versions)).toEqual([
    'stable (default channel)',
    'web.v0.2.0 updates web.v0.1.0 (replaces)',
    'web.v0.3.0 updates web.v0.1.0 (skips)',
    'web.v0.3.0 updates web.v0.2.0 (replaces)',
    'web.v0.3.0 updates web.v0.2.1 (skips), which is not among the bundles of this channel',
  ]);
});

test('a range is said once, and nothing updates itself', async () => {
  const versions = [version('0.1.0'), version('0.2.0', { skipRange: '<=0.2.0' })];
  expect(await sentences(versions)).toEqual([
    'stable (default channel)',
    'web.v0.2.0 updates web.v0.1.0 (skipRange)',
    'web.v0.2.0 updates every version in &lt;=0.2.0 (skipRange)',
  ]);
});

test('a page has the channels of its own version', async () => {
  const other = version('0.1.0', { channels: new Set(['old']) });
  const here = version('0.2.0', { channels: new Set(['fast', 'stable']), defaultChannel: 'fast' });
  expect(await sentences([other, here], here)).toEqual(['fast (default channel)', 'stable']);
});

test('the newest version is on top, and every point and line is within the drawing', async () => {
  const versions = Array.from({ length: 30 }, (_, index) =>
    version(`0.${index}.0`, {
      replaces: index === 0 ? '' : `web.v0.${index - 1}.0`,
      skips: ['web.v0.0.0', 'web.v0.0.1'],
    }),
  );
  const [drawn] = await renderChannels(versions);
  const markup = drawn?.markup ?? '';
  expect(/<text [^>]*>(.*?)<\/text>/.exec(markup)?.[1]).toBe('web.v0.29.0');
  const [, width = 0, height = 0] = (/viewBox="0 0 (\S+) (\S+)"/.exec(markup) ?? []).map(Number);
  const circles = [...markup.matchAll(/cx="(\S+)" cy="(\S+)"/g)];
  expect(circles).toHaveLength(31);
  for (const [, x, y] of circles) {
    expect(Number(x)).toBeLessThan(width);
    expect(Number(y)).toBeLessThan(height);
  }
  // Half of the way to its control point is as far as a curve gets.
  for (const [, x, control] of markup.matchAll(/d="M(\S+) \S+?Q(\S+) /g))
    expect((Number(x) + Number(control)) / 2).toBeGreaterThan(0);
});

test('a name of any length leaves the drawing readable', async () => {
  const [drawn] = await renderChannels([version('0.1.0', { replaces: 'x'.repeat(100_000) })]);
  expect(Number(/viewBox="0 0 (\S+) /.exec(drawn?.markup ?? '')?.[1])).toBeLessThan(1000);
});
