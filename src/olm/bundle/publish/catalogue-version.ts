import semver from 'semver';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isOpSdkError } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { errnoOf } from '../../../base/util/fs.ts';
import { annotationKeys, annotationOf, annotationText } from '../validate/annotations.ts';
import { fieldAt, textOf, textsOf } from '../validate/fields.ts';
import { collectFindings } from '../validate/findings/collect-findings.ts';
import { loadBundle } from '../validate/load-bundle.ts';
import type { BundleObject, LoadedBundle } from '../validate/types.ts';

/** The fields of a published version that determine its names and its updates. */
export interface CatalogueVersion {
  /** Path of the version's folder as shown in findings. */
  readonly shown: string;
  readonly csv: BundleObject;
  readonly packageName: string;
  /**
   * Name of the operator in the ClusterServiceVersion's name, such as `web-operator` in `web-operator.v0.1.0`. In this example, `version`
   * is `0.1.0`.
   */
  readonly operator: string;
  readonly version: string;
  readonly channels: ReadonlySet<string>;
  /** Default channel; `''` if there is none. */
  readonly defaultChannel: string;
  /** Name of the ClusterServiceVersion in `spec.replaces`; `''` without one. `skips` contains the names in `spec.skips`. */
  readonly replaces: string;
  readonly skips: readonly string[];
  /** Value of the annotation `olm.skipRange`; `''` without one. */
  readonly skipRange: string;
}

/** Reads the fields of a bundle that determine its updates. @returns undefined for a bundle without a ClusterServiceVersion */
export function catalogueVersion(bundle: LoadedBundle, shown: string): CatalogueVersion | undefined {
  const { csv } = bundle;
  if (csv === undefined) return undefined;
  const [operator, version] = nameParts(csv.name);
  const channels = (annotationOf(bundle, annotationKeys.channels) ?? '').split(',');
  return {
    ...{ shown, csv, operator, version },
    packageName: annotationOf(bundle, annotationKeys.package) ?? '',
    channels: new Set(channels.map((channel) => channel.trim()).filter((channel) => channel !== '')),
    defaultChannel: (annotationOf(bundle, annotationKeys.defaultChannel) ?? '').trim(),
    replaces: textOf(fieldAt(csv.value, 'spec', 'replaces')),
    skips: textsOf(fieldAt(csv.value, 'spec', 'skips')),
    skipRange: annotationText(fieldAt(csv.value, 'metadata', 'annotations', 'olm.skipRange')) ?? '',
  };
}

/** Splits the name of a ClusterServiceVersion into operator and version, in the same way as the checks of the catalogue. */
export function nameParts(name: string): readonly [operator: string, version: string] {
  const [operator = '', ...rest] = name.split('.');
  return [operator, rest.join('.').replace(/^v+/, '')];
}

/** The versions of an operator in a local checkout of the catalogue. */
export interface PublishedVersions {
  readonly versions: readonly CatalogueVersion[];
  /** Folders that look like a bundle but cannot be read as one. */
  readonly unreadable: readonly string[];
}

/**
 * Reads the published versions in the catalogue folder of an operator.
 * @param except name of the folder of a version to skip
 */
export async function publishedVersions(operator: Place, except: string): Promise<PublishedVersions> {
  const versions: CatalogueVersion[] = [];
  const unreadable: string[] = [];
  for (const name of await folderNames(operator.path)) {
    if (name === except) continue;
    const shown = posix.join(operator.shown, name);
    const path = join(operator.path, name);
    const parts = await folderNames(path);
    if (!['manifests', 'metadata'].every((part) => parts.includes(part))) continue;
    // Discard the findings of a published version, because the bundle to publish did not cause them.
    const bundle = await loadBundle(path, shown, collectFindings()).catch(unreadableBundle);
    const version = bundle === undefined ? undefined : catalogueVersion(bundle, shown);
    if (version === undefined) unreadable.push(shown);
    else versions.push(version);
  }
  return { versions, unreadable };
}

function unreadableBundle(error: unknown): undefined {
  if (!isOpSdkError(error)) throw error;
}

async function folderNames(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory());
    return folders.map(({ name }) => name).sort(compareCodeUnits);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

/** Maps each version of a channel to the versions to which it can be updated. The keys are sorted, oldest version first. */
type UpdateGraph = ReadonlyMap<CatalogueVersion, ReadonlySet<CatalogueVersion>>;

/**
 * Returns the updates within a channel, computed from `replaces`, `skips` and `olm.skipRange`. Updates to versions outside the channel are
 * omitted. Source: operator-pipelines `operatorcert/operator_repo/core.py`, `_replaces_graph`, which uses npm's version ranges.
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

/** Compares versions so that the newest version is sorted last. */
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

/** Returns the versions from which no update exists, except the newest version of the channel. */
export function danglingVersions(graph: UpdateGraph): readonly CatalogueVersion[] {
  const head = [...graph.keys()].at(-1);
  return [...graph]
    .filter(([version, updates]) => updates.size === 0 && version !== head)
    .map(([version]) => version);
}

/** Returns the nodes of a cycle in order, each listed once; undefined if the graph has no cycle. */
export function findLoop<T>(graph: ReadonlyMap<T, ReadonlySet<T>>): readonly T[] | undefined {
  const done = new Set<T>();
  for (const start of graph.keys()) {
    // Stack of the nodes on the current path, each with its unvisited successors. Replaces recursion, because graphs may be deep.
    const way = [{ node: start, rest: [...(graph.get(start) ?? [])] }];
    const places = new Map([[start, 0]]);
    while (!done.has(start)) {
      const last = way.at(-1);
      if (last === undefined) break;
      const next = last.rest.pop();
      const place = next === undefined ? undefined : places.get(next);
      if (next === undefined) {
        done.add(last.node);
        places.delete(last.node);
        way.pop();
      } else if (place !== undefined) return way.slice(place).map(({ node }) => node);
      else if (!done.has(next)) {
        places.set(next, way.length);
        way.push({ node: next, rest: [...(graph.get(next) ?? [])] });
      }
    }
  }
  return undefined;
}
