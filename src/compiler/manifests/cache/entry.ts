import { createHash } from 'node:crypto';
import type { Observations } from '../../../base/util/observe-files.ts';

/** Record of one run. */
export interface CacheEntry {
  /** Identity of the generator that ran. */
  readonly identity: string;
  /** Key of the request. */
  readonly key: string;
  /** Everything that it saw of the file system. */
  readonly observations: Observations;
  /** Its result: plain JSON. */
  readonly value: unknown;
}

const signature = 'op-sdk-manifests 1';

/** The text of a file that holds an entry. */
export function writeEntry(entry: CacheEntry): string {
  const body = JSON.stringify(entry);
  return `${signature} ${checksum(body)}\n${body}`;
}

/** The entry that a text holds; undefined if a single character differs from what was written, or another version wrote it. */
export function readEntry(text: string): CacheEntry | undefined {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== `${signature} ${checksum(body)}`) return undefined;
  return JSON.parse(body) as CacheEntry;
}

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('base64url');
}
