import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A version of a kind as PROJECT names it. */
export interface ProjectWord {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const entryStart = /^( *)- +/;
const field = /^ *(?:- +)?(group|version|kind): *["']?([A-Za-z0-9][A-Za-z0-9.-]*)["']? *(?:#.*)?$/;

/**
 * A glance at the resources of PROJECT, for a shell that waits: without the YAML reader, which costs more than all the rest of a completion.
 * Entries in another form than op-sdk writes are passed over; every value is a word that no shell would expand.
 * @param folder absolute
 */
export function projectWords(folder: string): readonly ProjectWord[] {
  let text: string;
  try {
    text = readFileSync(join(folder, 'PROJECT'), 'utf8');
  } catch {
    // A completion has nobody to tell.
    return [];
  }
  const [, resources = ''] = /^resources:[ \t]*\r?\n((?:(?:[ -].*)?\r?\n?)*)/m.exec(text) ?? [];
  const words: Record<string, string>[] = [];
  let margin: number | undefined;
  for (const line of resources.split(/\r?\n/)) {
    const start = entryStart.exec(line);
    if (start !== null && start[1] !== undefined && start[1].length === (margin ??= start[1].length))
      words.push({});
    const [, name, value] = field.exec(line) ?? [];
    const last = words.at(-1);
    if (last !== undefined && name !== undefined && value !== undefined) last[name] = value;
  }
  return words.flatMap(({ group, version, kind }) =>
    group === undefined || version === undefined || kind === undefined ? [] : [{ group, version, kind }],
  );
}
