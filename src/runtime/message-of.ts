import { inspect } from 'node:util';

/** What was thrown, for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : inspect(error);
}
