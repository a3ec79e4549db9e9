import { inspect } from 'node:util';
import { isOpSdkError } from './op-sdk-error.ts';

/** Returns the text of a thrown value in one line, for a log field or another message. */
export function messageOf(error: unknown): string {
  if (isOpSdkError(error)) return error.summary;
  return error instanceof Error ? error.message || error.name : inspect(error);
}
