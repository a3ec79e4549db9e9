import type { CatalogPlace } from '../types.ts';
import type { ChannelGraph, VersionedEntry } from './channel-graph.ts';

/** The place of an entry, or of one of its fields. */
export function entryPlace(
  { channel }: ChannelGraph,
  entry: VersionedEntry | undefined,
  ...field: readonly string[]
): CatalogPlace {
  return [channel.source, entry === undefined ? ['entries'] : ['entries', entry.index, ...field]];
}

/** More names than people would read are counted. */
export function nameList(names: readonly string[], separator = ', '): string {
  const shown = names.slice(0, 10).join(separator);
  return names.length > 10 ? `${shown}${separator}… (${names.length} in all)` : shown;
}
