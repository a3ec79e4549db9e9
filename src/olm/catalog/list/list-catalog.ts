import { channelGraph, headsOf, type ChannelGraph, type VersionedEntry } from '../graph/channel-graph.ts';
import type { CatalogBundle } from '../types.ts';
import { intervalsOf, parseVersionRange, compareSemver, parseSemver } from '../versions/range.ts';
import type { WholePackage } from '../rules/check-deprecations.ts';

/** Summary of a package of a catalogue. */
export interface PackageSummary {
  readonly name: string;
  readonly defaultChannel: string;
  readonly channels: readonly {
    readonly name: string;
    /** Names of the channel's newest bundles (the heads); exactly one name if the catalogue is valid. */
    readonly heads: readonly string[];
    readonly versions: number;
  }[];
  readonly bundles: number;
}

/** A version of a channel, and the versions that OLM updates to it. */
interface ListedVersion {
  readonly name: string;
  /** Version of the bundle; `''` if the bundle is missing. */
  readonly version: string;
  /** Names of the bundles that OLM updates to this one, newest first. */
  readonly updatesFrom: readonly string[];
  /**
   * Names of bundles in other channels that OLM updates to this one because of the skipRange of this version, newest first. OLM v0 updates
   * them if the Subscription is changed to this channel. OLM v1 updates them unless the ClusterExtension names other channels.
   */
  readonly updatesFromOtherChannels: readonly string[];
}

/** A channel with its versions, the newest first. */
export interface ListedChannel {
  readonly name: string;
  readonly isDefault: boolean;
  readonly versions: readonly ListedVersion[];
}

/** Summarizes a package, without its versions. */
export function summaryOf({ definition, channels, bundles }: WholePackage): PackageSummary {
  return {
    name: definition.name,
    defaultChannel: definition.defaultChannel,
    channels: [...channels.values()].map((channel) => ({
      name: channel.name,
      heads: headsOf(channelGraph(channel, bundles)).map(({ name }) => name),
      versions: channel.entries.length,
    })),
    bundles: bundles.size,
  };
}

/** Returns the channels of a package, each with all of its versions. */
export function listedChannels({ definition, channels, bundles }: WholePackage): readonly ListedChannel[] {
  return [...channels.values()].map((channel) => {
    const graph = channelGraph(channel, bundles);
    const unknown = [...graph.entries.values()].filter(({ version }) => version === undefined);
    return {
      name: channel.name,
      isDefault: channel.name === definition.defaultChannel,
      versions: [...graph.sorted]
        .reverse()
        .concat(unknown)
        .map((entry) => listedVersion(graph, entry, bundles)),
    };
  });
}

function listedVersion(
  graph: ChannelGraph,
  entry: VersionedEntry,
  bundles: ReadonlyMap<string, CatalogBundle>,
): ListedVersion {
  const inRange = graph
    .covered(entry)
    .flatMap(([from, to]) => graph.sorted.slice(from, to))
    .map(({ name }) => name);
  const named = new Set([...inRange, entry.replaces, ...entry.skips]);
  const order = new Map(graph.sorted.map(({ name }, index) => [name, index]));
  const from = [...named].filter((name) => name !== '' && name !== entry.name);
  return {
    name: entry.name,
    version: entry.version?.text ?? '',
    updatesFrom: from.sort((a, b) => (order.get(b) ?? -1) - (order.get(a) ?? -1)),
    updatesFromOtherChannels: outside(graph, entry, bundles).filter((name) => !named.has(name)),
  };
}

/** Returns the bundles of the package that are not in the channel but that the skipRange of the entry covers, newest first. */
function outside(
  { entries }: ChannelGraph,
  { skipRange }: VersionedEntry,
  bundles: ReadonlyMap<string, CatalogBundle>,
): readonly string[] {
  const range = skipRange === '' ? undefined : parseVersionRange(skipRange);
  if (range === undefined) return [];
  const versioned = [...bundles.values()]
    .filter(({ name }) => !entries.has(name))
    .flatMap(({ name, version }) => {
      const parsed = parseSemver(version);
      return parsed === undefined ? [] : [{ name, version: parsed }];
    })
    .sort((a, b) => compareSemver(a.version, b.version));
  const versions = versioned.map(({ version }) => version);
  return intervalsOf(range, versions)
    .flatMap(([from, to]) => versioned.slice(from, to))
    .map(({ name }) => name)
    .toReversed();
}
