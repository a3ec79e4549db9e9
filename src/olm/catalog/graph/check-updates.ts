import { findLoop } from '../../../base/util/find-loop.ts';
import type { CatalogFindings } from '../findings.ts';
import { headsOf, type ChannelGraph, type VersionedEntry } from './channel-graph.ts';
import { checkSkipRanges } from './check-skip-ranges.ts';
import { entryPlace, nameList } from './entry-words.ts';

/**
 * Checks that every version of a channel is updated to one newest version: by one chain of `replaces`, beside which there are skipped versions
 * only. Source: operator-registry `alpha/model/model.go`, `Channel.validateReplacesChain`.
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
  /** Names that replace one another, the first of them once. */
  readonly cycle: readonly string[] | undefined;
}

/** Follows `replaces` from the head up to a skipped version. */
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
    `the channel ${graph.channel.name} has several newest versions, of which no other is an update: ${nameList(sorted.map(({ name }) => name))}`,
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

/** A loop by `replaces` and `skips`. OLM takes those that the chain of the newest version does not meet. */
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
      ? `the channel ${channel.name} has no newest version, as each is updated to another: ${names}`
      : `the channel ${channel.name} has updates that lead back to where they began: ${names}`,
    'correct replaces or skips of one of them',
  );
}
