import type { CatalogBundle, CatalogChannel, ChannelEntry } from '../types.ts';
import {
  intervalsOf,
  parseVersionRange,
  type Interval,
  compareIdentifiers,
  compareSemver,
  parseSemver,
  type SemanticVersion,
} from '../versions/range.ts';

/** An entry of a channel, together with the version of its bundle. */
export interface VersionedEntry extends ChannelEntry {
  /** Zero-based index of the entry in the `entries` list of the channel document. */
  readonly index: number;
  /** Version of the entry's bundle; undefined if the bundle is missing or its version is invalid. */
  readonly version: SemanticVersion | undefined;
}

/** The entries of a channel and the updates between them. Each entry has a unique name. */
export interface ChannelGraph {
  readonly channel: CatalogChannel;
  /** The entries of the channel by name, in the order of the channel document. */
  readonly entries: ReadonlyMap<string, VersionedEntry>;
  /** Entries whose bundle has a valid version, lowest version first. */
  readonly sorted: readonly VersionedEntry[];
  /**
   * Returns the versions that the skipRange of an entry covers, as intervals of indices in {@link ChannelGraph.sorted}. The intervals may
   * include the entry itself.
   */
  readonly covered: (entry: ChannelEntry) => readonly Interval[];
}

/** Returns the graph of a channel, with the version of each entry's bundle. */
export function channelGraph(
  channel: CatalogChannel,
  bundles: ReadonlyMap<string, CatalogBundle>,
): ChannelGraph {
  const entries = channel.entries.map((entry, index): VersionedEntry => {
    const version = parseSemver(bundles.get(entry.name)?.version ?? '');
    return { ...entry, index, version };
  });
  const releaseOf = ({ name }: ChannelEntry): readonly string[] => {
    const release = bundles.get(name)?.release ?? '';
    return release === '' ? [] : release.split('.');
  };
  const versioned = entries.flatMap((entry) =>
    entry.version === undefined ? [] : [{ entry, version: entry.version, release: releaseOf(entry) }],
  );
  versioned.sort((a, b) => compareSemver(a.version, b.version) || compareIdentifiers(a.release, b.release));
  const versions = versioned.map(({ version }) => version);
  return {
    channel,
    entries: new Map(entries.map((entry) => [entry.name, entry])),
    sorted: versioned.map(({ entry }) => entry),
    covered({ skipRange }) {
      const range = skipRange === '' ? undefined : parseVersionRange(skipRange);
      return range === undefined ? [] : intervalsOf(range, versions);
    },
  };
}

/**
 * Returns the entries that no other entry replaces or skips. If the channel is valid, this is only the newest version. Source:
 * operator-registry `Channel.Head`.
 */
export function headsOf({ entries }: ChannelGraph): readonly VersionedEntry[] {
  const replaced = new Set<string>();
  for (const { replaces, skips } of entries.values()) {
    if (replaces !== '') replaced.add(replaces);
    for (const name of skips) replaced.add(name);
  }
  return [...entries.values()].filter(({ name }) => !replaced.has(name));
}

/** Graph language in which the updates of channels are drawn: Mermaid (https://mermaid.js.org) or DOT (https://graphviz.org). */
export type PictureFormat = 'mermaid' | 'dot';

/** An update from one version to another. */
interface Update {
  readonly from: string;
  readonly to: string;
  readonly by: 'replaces' | 'skips' | 'skipRange';
}

/**
 * Draws the updates of channels. An arrow leads from each version to every version to which it can be updated, and the newest version is
 * marked. A version outside of the channel that an entry replaces or skips is drawn as well.
 */
export function drawGraph(graphs: readonly ChannelGraph[], format: PictureFormat): string {
  const lines = graphs.flatMap((graph, index) => drawChannel(graph, index, format));
  return format === 'mermaid'
    ? ['flowchart LR', '  classDef newest stroke-width:3px', ...lines, ''].join('\n')
    : ['digraph catalog {', '  rankdir=LR', '  node [shape=box]', ...lines, '}', ''].join('\n');
}

function drawChannel(graph: ChannelGraph, index: number, format: PictureFormat): readonly string[] {
  const { channel, entries } = graph;
  const updates = updatesOf(graph);
  const names = new Set([...entries.keys(), ...updates.map(({ from }) => from)]);
  const heads = new Set(headsOf(graph).map(({ name }) => name));
  const ids = new Map([...names].map((name, at) => [name, `c${index}v${at}`]));
  const title = `${channel.packageName} ${channel.name}`;
  const nodes = [...ids].map(([name, id]) => {
    const isNewest = heads.has(name);
    if (format === 'mermaid') return `    ${id}[${mermaidText(name)}]${isNewest ? ':::newest' : ''}`;
    return `    ${id} [label=${dotText(name)}${isNewest ? ' penwidth=3' : ''}]`;
  });
  const arrows = updates.map(({ from, to, by }) => {
    const [start = '', end = ''] = [ids.get(from), ids.get(to)];
    return format === 'mermaid' ? `    ${start} -- ${by} --> ${end}` : `    ${start} -> ${end} [label=${by}]`;
  });
  if (format === 'mermaid')
    return [`  subgraph c${index}[${mermaidText(title)}]`, ...nodes, ...arrows, '  end'];
  return [`  subgraph cluster_c${index} {`, `    label=${dotText(title)}`, ...nodes, ...arrows, '  }'];
}

function updatesOf({ entries, sorted, covered }: ChannelGraph): readonly Update[] {
  return [...entries.values()].flatMap((entry): readonly Update[] => {
    const { name: to, replaces, skips } = entry;
    const known = new Set([replaces, ...skips]);
    const inRange = covered(entry)
      .flatMap(([start, end]) => sorted.slice(start, end))
      .filter(({ name }) => name !== to && !known.has(name));
    return [
      ...(replaces === '' ? [] : [{ from: replaces, to, by: 'replaces' as const }]),
      ...skips.map((from) => ({ from, to, by: 'skips' as const })),
      ...inRange.map(({ name: from }) => ({ from, to, by: 'skipRange' as const })),
    ];
  });
}

/**
 * Returns a text in quotes, with quotes and markup escaped. Names from a catalogue could contain such characters and end the quoted text
 * early.
 */
function mermaidText(text: string): string {
  const safe = text.replace(/[^\w .+/-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
  return `"${safe}"`;
}

function dotText(text: string): string {
  return JSON.stringify(text.replace(/\p{Cc}/gu, ' '));
}
