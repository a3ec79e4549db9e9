import { findLoop } from '../../bundle/index.ts';
import type { CatalogFindings } from '../findings.ts';
import type { Interval } from '../versions/range.ts';
import type { CatalogPlace } from '../types.ts';
import { headsOf, type ChannelGraph, type VersionedEntry } from './channel-graph.ts';

/**
 * Checks that every version of a channel can be updated to a single newest version. Each version must be on the chain of `replaces` that
 * starts at the newest version, or be skipped. Source: operator-registry `alpha/model/model.go`, `Channel.validateReplacesChain`.
 */
export function checkUpdates(graph: ChannelGraph, findings: CatalogFindings): void {
  const heads = headsOf(graph);
  const [head, ...others] = heads;
  if (head === undefined) {
    reportCycle(graph, 'catalog/no-head', findings);
    return;
  }
  if (others.length > 0) {
    reportHeads(graph, heads, findings);
    return;
  }
  const chain = chainFrom(graph, head);
  if (chain.cycle !== undefined) {
    const [first] = chain.cycle;
    findings.add(
      'catalog/update-cycle',
      entryPlace(graph, graph.entries.get(first ?? ''), 'replaces'),
      `the channel ${graph.channel.name} has a cycle of updates: ${nameList([...chain.cycle, first ?? ''], ' replaces ')}`,
      'correct replaces of one of them',
    );
    return;
  }
  reportUnreachable(graph, chain.names, head, findings);
  reportCycle(graph, 'catalog/update-loop', findings);
  checkSkipRanges(graph, head, findings);
}

interface Chain {
  readonly names: ReadonlySet<string>;
  /** Names of entries that replace one another in a cycle, each listed once; undefined if the chain has no cycle. */
  readonly cycle: readonly string[] | undefined;
}

/** Follows `replaces` from the newest version (the head) to older versions, and stops at a skipped version. */
function chainFrom({ entries }: ChannelGraph, head: VersionedEntry): Chain {
  const skipped = skippedBy(entries);
  const names = new Set([head.name]);
  for (
    let current: VersionedEntry | undefined = head;
    current !== undefined && current.replaces !== '' && !skipped.has(current.replaces);
    current = entries.get(current.replaces)
  ) {
    const next: string = current.replaces;
    if (names.has(next)) return { names, cycle: [...names].slice([...names].indexOf(next)) };
    names.add(next);
  }
  return { names, cycle: undefined };
}

function skippedBy(entries: ChannelGraph['entries']): ReadonlySet<string> {
  return new Set([...entries.values()].flatMap(({ skips }) => skips));
}

function reportHeads(graph: ChannelGraph, heads: readonly VersionedEntry[], findings: CatalogFindings): void {
  const order = new Map(graph.sorted.map(({ name }, index) => [name, index]));
  const sorted = [...heads].sort((a, b) => (order.get(b.name) ?? -1) - (order.get(a.name) ?? -1));
  const [newest, ...others] = sorted.map(({ name }) => name);
  findings.add(
    'catalog/several-heads',
    entryPlace(graph, sorted[1]),
    `the channel ${graph.channel.name} has several heads, versions that no other version updates: ${nameList(sorted.map(({ name }) => name))}`,
    `let one version replace or skip the others: add \`skips: [${nameList(others)}]\` to ${newest}`,
  );
}

function reportUnreachable(
  graph: ChannelGraph,
  chain: ReadonlySet<string>,
  head: VersionedEntry,
  findings: CatalogFindings,
): void {
  const skipped = skippedBy(graph.entries);
  const stranded = [...graph.entries.values()].filter(({ name }) => !chain.has(name) && !skipped.has(name));
  if (stranded.length === 0) return;
  const names = nameList(stranded.map(({ name }) => name));
  findings.add(
    'catalog/unreachable-version',
    entryPlace(graph, stranded[0]),
    `the channel ${graph.channel.name} has versions that the newest one, ${head.name}, neither replaces nor skips: ${names}`,
    `add them to the chain of replaces, or add \`skips: [${names}]\` to ${head.name}`,
  );
}

/** Reports a cycle of `replaces` and `skips`. OLM accepts cycles that are not on the chain of the newest version. */
function reportCycle(
  graph: ChannelGraph,
  code: 'catalog/no-head' | 'catalog/update-loop',
  findings: CatalogFindings,
): void {
  const { entries, channel } = graph;
  const known = (name: string): boolean => entries.has(name);
  const updates = new Map(
    [...entries.values()].map(({ name, replaces, skips }) => [
      name,
      new Set([replaces, ...skips].filter(known)),
    ]),
  );
  const loop = findLoop(updates);
  if (loop === undefined) return;
  const [first = ''] = loop;
  const names = nameList([...loop, first], ' replaces or skips ');
  findings.add(
    code,
    entryPlace(graph, entries.get(first)),
    code === 'catalog/no-head'
      ? `the channel ${channel.name} has no newest version, as each of its versions is updated to another one: ${names}`
      : `the channel ${channel.name} has a loop of updates, in which versions are updated back to themselves: ${names}`,
    'correct replaces or skips of one of them',
  );
}

/**
 * Reports effects of a skipRange that a user would not see in the entries. A skipRange may update newer versions to an older one. A
 * skipRange may also make updates bypass a version that it neither covers nor skips, because OLM offers only the newest update. The tool
 * opm accepts both faults.
 */
function checkSkipRanges(graph: ChannelGraph, head: VersionedEntry, findings: CatalogFindings): void {
  const { sorted } = graph;
  const order = new Map(sorted.map(({ name }, index) => [name, index]));
  const ranges = sorted.map((entry) => graph.covered(entry));
  /** For each version, the index in `sorted` of the newest version whose skipRange covers it; -1 if none does. */
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
        `the skipRange ${JSON.stringify(entry.skipRange)} of ${entry.name} includes newer versions, which would be updated back to this older one: ${nameList(newer)}`,
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
      `the skipRange ${JSON.stringify(entry.skipRange)} of ${entry.name} makes ${nameList(names)} unreachable: all versions that would be updated to those are updated to ${entry.name} instead`,
      `extend the range over ${nameList(names)}, if it is to be skipped, or end the range before the version that it replaces`,
    );
}

/**
 * Returns the entry because of which OLM never updates to `entry`: OLM updates every version that could be updated to `entry` to the
 * returned entry instead. Returns undefined if at least one version is updated to `entry`.
 */
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

/** Returns the location of an entry in the channel document, or of a field of the entry. */
function entryPlace(
  { channel }: ChannelGraph,
  entry: VersionedEntry | undefined,
  ...field: readonly string[]
): CatalogPlace {
  return [channel.source, entry === undefined ? ['entries'] : ['entries', entry.index, ...field]];
}

/** Lists up to 10 names. If more are given, the text ends with their total number. */
function nameList(names: readonly string[], separator = ', '): string {
  const shown = names.slice(0, 10).join(separator);
  return names.length > 10 ? `${shown}${separator}… (${names.length} in all)` : shown;
}
