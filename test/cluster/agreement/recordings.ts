import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from './recorder.ts';

/** Recordings of the real kubelet by the names of the scenarios: `UPDATE_GOLDEN=1 npm run test:cluster` writes them anew. */
export const recordingsFile = join(import.meta.dirname, 'recordings.json');

/** Reads the recordings of the real kubelet. */
export function readRecordings(): Readonly<Record<string, Recording>> {
  return JSON.parse(readFileSync(recordingsFile, 'utf8')) as Record<string, Recording>;
}
