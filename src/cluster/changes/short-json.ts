import { printableLine } from '../../base/util/printable.ts';

/** A value in one line that is not too long. */
export function shortJson(value: unknown, length: number): string {
  return cutLine(printableLine(JSON.stringify(value)), length);
}

/** One line, and not too long. */
export function cutLine(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
