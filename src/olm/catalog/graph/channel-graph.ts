import type { CatalogBundle, CatalogChannel, ChannelEntry } from '../types.ts';
import { intervalsOf, parseVersionRange, type Interval } from '../versions/range.ts';
import { compareIdentifiers, compareSemver, parseSemver, type SemanticVersion } from '../versions/version.ts';

/** An entry of a channel with the version of its bundle. */
export interface VersionedEntry extends ChannelEntry {
  /** In the list of entries. */
  readonly index: number;
  /** Undefined if the bundle is missing, or its version is not one. */
  readonly version: SemanticVersion | undefined;
}

/** The entries of a channel, and how they are updated. Their names are unique. */
export interface ChannelGraph {
  readonly channel: CatalogChannel;
  /** In the order of the document. */
  readonly entries: ReadonlyMap<string, VersionedEntry>;
  /** Entries with a version, the lowest first. */
  readonly sorted: readonly VersionedEntry[];
  /** Which of {@link ChannelGraph.sorted} are in the skipRange of an entry; the entry itself may be. */
  readonly covered: (entry: ChannelEntry) => readonly Interval[];
}

/** Gives the entries of a channel their versions. */
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

/** The entries to which no other is updated away from: the newest version, if the channel is right. Source: operator-registry `Channel.Head`. */
export function headsOf({ entries }: ChannelGraph): readonly VersionedEntry[] {
  const replaced = new Set<string>();
  for (const { replaces, skips } of entries.values()) {
    if (replaces !== '') replaced.add(replaces);
    for (const name of skips) replaced.add(name);
  }
  return [...entries.values()].filter(({ name }) => !replaced.has(name));
}
