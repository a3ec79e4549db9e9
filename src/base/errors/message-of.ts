import { inspect } from 'node:util';
import { isOpSdkError } from './op-sdk-error.ts';

/** Returns the text of a thrown value in one line, for a log field or another message. */
export function messageOf(error: unknown): string {
  if (isOpSdkError(error)) return error.summary;
  if (!(error instanceof Error)) return inspect(error);
  // Code without types may have set anything.
  const text: unknown = error.message || error.name;
  return typeof text === 'string' ? text : inspect(text);
}
