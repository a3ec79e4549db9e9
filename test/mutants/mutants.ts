import { fileURLToPath } from 'node:url';
import { filesBelow } from '../helpers/source-files.ts';

/** A rule of the sources, disabled: some test must notice. */
export interface Mutant {
  /** The path of the source file. */
  readonly file: string;
  /** What the rule says. */
  readonly rule: string;
  /** A text of one place of the file, without the white space around it. */
  readonly find: string;
  readonly replace: string;
}

const lists = 'test/mutants/rbac/';
export const mutatedFolder = fileURLToPath(new URL('../../src/compiler/manifests/rbac/', import.meta.url));

/**
 * The mutants of the permissions' inference. The list of a source file has the same name, and for each mutant a paragraph: `# rule`, the lines
 * of the text with `-`, and those in their place, if there are any, with `+`.
 */
export const mutants: readonly Mutant[] = filesBelow(lists, (path) => path.endsWith('.txt')).flatMap(
  ({ path, text }) =>
    text
      .trim()
      .split('\n\n')
      .map((paragraph): Mutant => {
        const lines = paragraph.split('\n');
        const linesWith = (mark: string): string =>
          lines
            .filter((line) => line.startsWith(mark))
            .map((line) => line.slice(1))
            .join('\n');
        return {
          file: `${mutatedFolder}${path.slice(lists.length).replace(/txt$/, 'ts')}`,
          rule: linesWith('#').trim(),
          find: linesWith('-'),
          replace: linesWith('+'),
        };
      }),
);
