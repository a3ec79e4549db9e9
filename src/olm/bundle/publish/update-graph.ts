import semver from 'semver';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { nameParts, type CatalogueVersion } from './catalogue-version.ts';

/** For each version of a channel those that it is updated to, the oldest version first. */
export type UpdateGraph = ReadonlyMap<CatalogueVersion, ReadonlySet<CatalogueVersion>>;

/**
 * The updates within a channel: by `replaces`, `skips` and `olm.skipRange`. Those to versions that are not in the channel are left out.
 * Source: operator-pipelines `operatorcert/operator_repo/core.py`, `_replaces_graph`; ranges are npm's there.
 */
export function updateGraph(versions: readonly CatalogueVersion[], channel: string): UpdateGraph {
  const inChannel = versions.filter(({ channels }) => channels.has(channel)).sort(compareVersion);
  const graph = new Map(inChannel.map((version) => [version, new Set<CatalogueVersion>()] as const));
  for (const version of inChannel) {
    const replaced = new Set([version.replaces, ...version.skips].map((name) => nameParts(name)[1]));
    for (const [other, updates] of graph)
      if (replaced.has(other.version) || isInRange(other.version, version.skipRange)) updates.add(version);
  }
  return graph;
}

/** The newest version is last. */
function compareVersion({ version: a }: CatalogueVersion, { version: b }: CatalogueVersion): number {
  return isVersion(a) && isVersion(b) ? semver.compareBuild(a, b) : compareCodeUnits(a, b);
}

function isVersion(text: string): boolean {
  return semver.valid(text) !== null;
}

function isInRange(version: string, range: string): boolean {
  if (range === '' || semver.validRange(range) === null) return false;
  return isVersion(version) && semver.satisfies(version, range);
}

/** The versions that are not the newest of the channel and from which no update leads on. */
export function danglingVersions(graph: UpdateGraph): readonly CatalogueVersion[] {
  const head = [...graph.keys()].at(-1);
  return [...graph]
    .filter(([version, updates]) => updates.size === 0 && version !== head)
    .map(([version]) => version);
}
