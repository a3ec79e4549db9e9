import { describe, expect, test } from 'vitest';
import {
  channelGraph,
  drawGraph,
  judgeCatalog,
  packagesOf,
  type PictureFormat,
} from '../../../../src/olm/catalog/index.ts';
import { foundIn, inCatalog, withEntries, type Json } from './catalog-files.ts';

const v = (version: string, fields: Json = {}): Json => ({ name: `demo.v${version}`, ...fields });
const replaces = (version: string): Json => ({ replaces: `demo.v${version}` });
const skips = (...versions: readonly string[]): Json => ({ skips: versions.map((each) => `demo.v${each}`) });

describe('the updates of a channel', () => {
  test.each<readonly [string, readonly Json[]]>([
    ['a chain', [v('1.0.0'), v('1.1.0', replaces('1.0.0')), v('1.2.0', replaces('1.1.0'))]],
    ['a chain that begins outside of the channel', [v('1.1.0', replaces('1.0.0'))]],
    ['a skipped version', [v('1.0.0'), v('1.1.0'), v('1.2.0', { ...replaces('1.0.0'), ...skips('1.1.0') })]],
    [
      'a chain that ends at a skipped version',
      [v('1.0.0', replaces('0.9.0')), v('1.1.0', { ...replaces('1.0.0'), ...skips('1.0.0') })],
    ],
    [
      'a skipRange over all that is replaced',
      [
        v('1.0.0'),
        v('1.1.0', { ...replaces('1.0.0'), skipRange: '<1.1.0' }),
        v('1.2.0', { ...replaces('1.1.0'), skipRange: '<1.2.0' }),
      ],
    ],
  ])('%s is right', async (_what, entries) => {
    expect(await foundIn(withEntries(...entries))).toEqual({ found: [], messages: [] });
  });

  test.each<readonly [string, readonly Json[], readonly string[], readonly RegExp[]]>([
    [
      'several newest versions',
      [v('1.0.0'), v('1.1.0', replaces('1.0.0')), v('1.2.0', replaces('1.0.0'))],
      ['catalog/several-heads > - name: demo.v1.1.0'],
      [/no other version updates: demo\.v1\.2\.0, demo\.v1\.1\.0$/],
    ],
    [
      'no newest version',
      [v('1.0.0', replaces('1.1.0')), v('1.1.0', replaces('1.0.0'))],
      ['catalog/no-head > - name: demo.v1.0.0'],
      [/demo\.v1\.0\.0 replaces or skips demo\.v1\.1\.0 replaces or skips demo\.v1\.0\.0$/],
    ],
    [
      'a cycle below the newest version',
      [v('1.0.0', replaces('1.1.0')), v('1.1.0', replaces('1.0.0')), v('1.2.0', replaces('1.1.0'))],
      ['catalog/update-cycle > replaces: demo.v1.0.0'],
      [/demo\.v1\.1\.0 replaces demo\.v1\.0\.0 replaces demo\.v1\.1\.0$/],
    ],
    [
      'a version beside the chain',
      [
        v('1.0.0'),
        v('1.1.0', replaces('1.2.0')),
        v('1.2.0', replaces('1.1.0')),
        v('1.3.0', replaces('1.0.0')),
      ],
      ['catalog/unreachable-version > - name: demo.v1.1.0', 'catalog/update-loop > - name: demo.v1.1.0'],
      [
        /neither replaces nor skips: demo\.v1\.1\.0, demo\.v1\.2\.0$/,
        /in which versions are updated back to themselves/,
      ],
    ],
    [
      'skips in a circle, beside the chain',
      [v('1.0.0', skips('1.1.0')), v('1.1.0', skips('1.0.0')), v('1.2.0')],
      ['catalog/update-loop > - name: demo.v1.0.0'],
      [/demo\.v1\.0\.0 replaces or skips demo\.v1\.1\.0/],
    ],
    [
      'a skipRange that hides a version',
      [
        v('1.0.0'),
        v('1.1.0', replaces('1.0.0')),
        v('1.2.0', { ...replaces('1.1.0'), skipRange: '>=1.0.0 <1.1.0' }),
      ],
      ["catalog/hidden-version > skipRange: '>=1.0.0 <1.1.0'"],
      [/of demo\.v1\.2\.0 makes demo\.v1\.1\.0 unreachable/],
    ],
    [
      'a skipRange over a newer version',
      [v('1.0.0'), v('1.1.0', { ...replaces('1.0.0'), skipRange: '<2.0.0' }), v('1.2.0', replaces('1.1.0'))],
      ['catalog/update-loop > skipRange: <2.0.0'],
      [
        /of demo\.v1\.1\.0 includes newer versions, which would be updated back to this older one: demo\.v1\.2\.0/,
      ],
    ],
  ])('%s is named', async (_what, entries, expected, words) => {
    const { found, messages } = await foundIn(withEntries(...entries));
    expect(found).toEqual(expected);
    for (const [index, word] of words.entries()) expect(messages[index]).toMatch(word);
  });

  const pictures: Readonly<Record<PictureFormat, string>> = {
    mermaid: `flowchart LR
  classDef newest stroke-width:3px
  subgraph c0["demo stable"]
    c0v0["demo.v1.0.0"]
    c0v1["demo.v1.1.0"]
    c0v2["demo.v1.2.0"]:::newest
    c0v3["a#34;#93;"]
    c0v0 -- replaces --> c0v1
    c0v1 -- replaces --> c0v2
    c0v3 -- skips --> c0v2
    c0v0 -- skipRange --> c0v2
  end
`,
    dot: `digraph catalog {
  rankdir=LR
  node [shape=box]
  subgraph cluster_c0 {
    label="demo stable"
    c0v0 [label="demo.v1.0.0"]
    c0v1 [label="demo.v1.1.0"]
    c0v2 [label="demo.v1.2.0" penwidth=3]
    c0v3 [label="a\\"]"]
    c0v0 -> c0v1 [label=replaces]
    c0v1 -> c0v2 [label=replaces]
    c0v3 -> c0v2 [label=skips]
    c0v0 -> c0v2 [label=skipRange]
  }
}
`,
  };

  test.each(['mermaid', 'dot'] as const)('are drawn for %s', async (format) => {
    const files = withEntries(
      v('1.0.0'),
      v('1.1.0', replaces('1.0.0')),
      v('1.2.0', { ...replaces('1.1.0'), skips: ['a"]'], skipRange: '<1.2.0' }),
    );
    await inCatalog(files, async (folder) => {
      const { catalog } = await judgeCatalog({ path: folder, shown: 'catalog' });
      const graphs = [...packagesOf(catalog).values()].flatMap(({ channels, bundles }) =>
        [...channels.values()].map((channel) => channelGraph(channel, bundles)),
      );
      expect(drawGraph(graphs, format)).toBe(pictures[format]);
    });
  });
});
