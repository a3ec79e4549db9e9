import type { ChannelGraph } from './channel-graph.ts';
import { headsOf } from './channel-graph.ts';

/** Format of a picture: https://mermaid.js.org, https://graphviz.org. */
export type PictureFormat = 'mermaid' | 'dot';

/** A way from one version to another. */
interface Update {
  readonly from: string;
  readonly to: string;
  readonly by: 'replaces' | 'skips' | 'skipRange';
}

/**
 * Draws the updates of channels: an arrow leads from each version to one that it is updated to, and the newest version is marked.
 * What is replaced or skipped without being in the channel is drawn as well.
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

/** Quotes and markup in names of others must not end the text. */
function mermaidText(text: string): string {
  const safe = text.replace(/[^\w .+/-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
  return `"${safe}"`;
}

function dotText(text: string): string {
  return JSON.stringify(text.replace(/\p{Cc}/gu, ' '));
}
