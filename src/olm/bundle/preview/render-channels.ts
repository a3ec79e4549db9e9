import { renderPreview, type Markup } from '../../../project/scaffold/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { nameParts, type CatalogueVersion, updateGraph } from '../publish/catalogue-version.ts';

/**
 * A version in the drawing of a channel: either one of the bundles, or a version that occurs only in the `replaces` or `skips` of a bundle.
 */
interface Node {
  readonly name: string;
  readonly version: CatalogueVersion | undefined;
}

interface Update {
  readonly from: Node;
  readonly to: Node;
  /** Field of the newer version that permits the update. */
  readonly by: 'replaces' | 'skips' | 'skipRange';
}

/**
 * Draws each channel of a package with its versions and updates, the newest version on top, and lists the updates as sentences.
 * @param here the version that the page describes
 */
export async function renderChannels(
  versions: readonly CatalogueVersion[],
  here?: CatalogueVersion,
): Promise<readonly Markup[]> {
  const shown = here === undefined ? versions : [here];
  const channels = [...new Set(shown.flatMap((version) => [...version.channels]))].sort(compareCodeUnits);
  const defaults = new Set(shown.map(({ defaultChannel }) => defaultChannel));
  const drawings: Markup[] = [];
  for (const channel of channels) {
    const { nodes, updates } = channelOf(versions, channel);
    const isDefault = defaults.has(channel) || (channels.length === 1 && defaults.has(''));
    drawings.push(
      await renderPreview('channel.html', {
        title: isDefault ? `${channel} (default channel)` : channel,
        label: `Versions and updates of the channel ${channel}`,
        ...drawing(nodes, updates, here),
        updates: [
          ...updates.map(updateInWords),
          ...versions.flatMap((version) => rangeInWords(version, channel)),
        ],
      }),
    );
  }
  return drawings;
}

function channelOf(
  versions: readonly CatalogueVersion[],
  channel: string,
): { readonly nodes: readonly Node[]; readonly updates: readonly Update[] } {
  const graph = updateGraph(versions, channel);
  const known = new Map(
    [...graph.keys()].map((version) => [version, { name: version.csv.name, version }] as const),
  );
  const missing = new Map<string, Node>();
  const updates: Update[] = [];
  for (const [from, targets] of graph)
    for (const to of targets) {
      const [source, target] = [known.get(from), known.get(to)];
      // A range may include the version that declares it.
      if (source !== undefined && target !== undefined && source !== target)
        updates.push({ from: source, to: target, by: reasonOf(from, to) });
    }
  const versionsKnown = new Set([...graph.keys()].map(({ version }) => version));
  for (const [version, to] of known)
    for (const [name, by] of namedBy(version)) {
      if (versionsKnown.has(nameParts(name)[1])) continue;
      const from = missing.get(name) ?? { name, version: undefined };
      missing.set(name, from);
      updates.push({ from, to, by });
    }
  return { nodes: [...missing.values(), ...known.values()].reverse(), updates };
}

/** Returns the names of earlier versions in the `replaces` and `skips` of a version. */
function namedBy({
  replaces,
  skips,
}: CatalogueVersion): readonly (readonly [string, 'replaces' | 'skips'])[] {
  const skipped = skips.filter((name) => name !== replaces).map((name) => [name, 'skips'] as const);
  return [...(replaces === '' ? [] : [[replaces, 'replaces'] as const]), ...skipped];
}

function reasonOf(from: CatalogueVersion, to: CatalogueVersion): Update['by'] {
  const named = namedBy(to).find(([name]) => nameParts(name)[1] === from.version);
  return named?.[1] ?? 'skipRange';
}

function updateInWords({ from, to, by }: Update): string {
  const missing = from.version === undefined ? ', which is not among the bundles of this channel' : '';
  return `${to.name} updates ${from.name} (${by})${missing}`;
}

function rangeInWords({ csv, channels, skipRange }: CatalogueVersion, channel: string): readonly string[] {
  if (skipRange === '' || !channels.has(channel)) return [];
  return [`${csv.name} updates every version in ${skipRange} (skipRange)`];
}

/** Sizes in the drawing, in pixels. */
const row = 36;
const bulge = 9;
const widestCharacter = 9;
const mostCharacters = 60;

function drawing(nodes: readonly Node[], updates: readonly Update[], here: CatalogueVersion | undefined) {
  const rows = new Map(nodes.map((node, index) => [node, index]));
  const spans = updates.map(({ from, to }) => {
    const [a, b] = [rows.get(from) ?? 0, rows.get(to) ?? 0];
    return {
      a: centre(a),
      b: centre(b),
      reach: Math.abs(a - b) < 2 ? 0 : Math.min(Math.abs(a - b), 12) * bulge,
    };
  });
  const x = Math.max(0, ...spans.map(({ reach }) => reach / 2)) + 12;
  const names = nodes.map(({ name }) =>
    name.length > mostCharacters ? `${name.slice(0, mostCharacters)}…` : name,
  );
  const longest = Math.max(0, ...names.map(({ length }) => length));
  return {
    width: x + 20 + longest * widestCharacter,
    height: nodes.length * row,
    nodes: nodes.map(({ version }, index) => ({
      ...{ name: names[index] ?? '', x, y: centre(index), textX: x + 16, textY: centre(index) + 5 },
      state: version === undefined ? 'missing' : version === here ? 'here' : 'known',
    })),
    edges: spans.map(({ a, b, reach }) => ({ path: `M${x} ${a}Q${x - reach} ${(a + b) / 2} ${x} ${b}` })),
  };
}

function centre(index: number): number {
  return index * row + row / 2;
}
