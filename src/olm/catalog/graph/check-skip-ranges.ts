import type { CatalogFindings } from '../findings.ts';
import type { Interval } from '../versions/range.ts';
import type { ChannelGraph, VersionedEntry } from './channel-graph.ts';
import { entryPlace, nameList } from './entry-words.ts';

/**
 * Finds effects of a skipRange that a list of entries does not show: it updates newer versions to an older one, or leads past a version
 * that it does not name. OLM offers the newest of all updates. opm takes both.
 */
export function checkSkipRanges(graph: ChannelGraph, head: VersionedEntry, findings: CatalogFindings): void {
  const { sorted } = graph;
  const order = new Map(sorted.map(({ name }, index) => [name, index]));
  const ranges = sorted.map((entry) => graph.covered(entry));
  /** By the place of a version: that of the newest one whose skipRange it is in. */
  const targets = new Int32Array(sorted.length).fill(-1);
  for (const [index, entry] of sorted.entries()) {
    const newer: string[] = [];
    for (const [from, to] of ranges[index] ?? []) {
      targets.fill(index, from, Math.min(to, index));
      for (let at = Math.max(from, index + 1); at < to; at++) newer.push(sorted[at]?.name ?? '');
    }
    if (newer.length > 0)
      findings.add(
        'catalog/update-loop',
        entryPlace(graph, entry, 'skipRange'),
        `the skipRange ${JSON.stringify(entry.skipRange)} of ${entry.name} covers versions that are newer, so that they are updated to it: ${nameList(newer)}`,
        `let the range end before the version of ${entry.name}`,
      );
  }
  const hidden = new Map<VersionedEntry, string[]>();
  for (const [index, entry] of sorted.entries()) {
    if (entry.name === head.name || graph.entries.get(entry.name) === undefined) continue;
    const past = leadsPast(graph, entry, index, { order, targets, ranges });
    if (past === undefined) continue;
    const names = hidden.get(past) ?? [];
    names.push(entry.name);
    hidden.set(past, names);
  }
  for (const [entry, names] of hidden)
    findings.add(
      'catalog/hidden-version',
      entryPlace(graph, entry, 'skipRange'),
      `the skipRange ${JSON.stringify(entry.skipRange)} of ${entry.name} hides ${nameList(names)}: all versions that would be updated there go to ${entry.name}`,
      `extend the range over ${nameList(names)}, if it is to be skipped, or end the range before the version that it replaces`,
    );
}

/** The entry to which all versions are updated that an entry is an update of; undefined if one of them is updated to the entry. */
function leadsPast(
  graph: ChannelGraph,
  entry: VersionedEntry,
  index: number,
  {
    order,
    targets,
    ranges,
  }: {
    readonly order: ReadonlyMap<string, number>;
    readonly targets: Int32Array;
    readonly ranges: readonly (readonly Interval[])[];
  },
): VersionedEntry | undefined {
  const isPast = (at: number): boolean => (targets[at] ?? -1) > index;
  const named = [entry.replaces, ...entry.skips].flatMap((name) => order.get(name) ?? []);
  if (!named.every(isPast)) return undefined;
  let first = named[0];
  for (const [start, end] of ranges[index] ?? []) {
    first ??= start < index ? start : undefined;
    for (let at = start; at < Math.min(end, index); at++) if (!isPast(at)) return undefined;
  }
  if (first === undefined) return undefined;
  const to = targets[first] ?? -1;
  const target = graph.sorted[to];
  if (target === undefined) return undefined;
  const isNamed =
    target.skips.includes(entry.name) ||
    (ranges[to] ?? []).some(([start, end]) => start <= index && index < end);
  return isNamed ? undefined : target;
}
