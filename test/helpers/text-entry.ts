import type { ProjectEntry } from '../../src/project/upgrade/project-entry.ts';

/** The entry of a plain file with a text; of a path at which nothing is if the text is undefined. */
export function textEntry(path: string, text: string | undefined): ProjectEntry {
  if (text === undefined) return { kind: 'absent' };
  return { kind: 'text', text, id: path, isLinked: false, isExecutable: false };
}
