// Captures of terminals in docs/examples.md: real output of `npm run example`, shortened.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

/** The page with the captures. */
export const gallery = 'docs/examples.md';

/** Returns the captures of the gallery, by the example that their section is about. */
export function readCaptures(): ReadonlyMap<string, string> {
  const text = readFileSync(join(repositoryRoot, gallery), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  return new Map(
    sections.flatMap((section): readonly (readonly [string, string])[] => {
      const name = section.slice(0, section.indexOf('\n')).trim();
      const capture = /^```console\n([\s\S]*?)^```$/m.exec(section)?.[1];
      return capture === undefined ? [] : [[name, capture]];
    }),
  );
}

/**
 * Compares a capture with an output, line by line: `…` stands for anything, on a line of its own for any number of lines. The widths of
 * columns follow from names and are not compared.
 *
 * @returns the first line of the capture that is not in the output where it should be, or undefined
 */
export function captureDifference(capture: string, output: string): string | undefined {
  const printed = linesOf(output);
  let next = 0;
  let isAnywhere = false;
  for (const line of linesOf(capture)) {
    if (line === '…') {
      isAnywhere = true;
      continue;
    }
    const pattern = new RegExp(`^${line.split('…').map(escapeRegExp).join('.*')}$`);
    const found = printed.findIndex((each, index) => index >= next && pattern.test(each));
    if (found === -1 || (!isAnywhere && found !== next)) return line;
    next = found + 1;
    isAnywhere = false;
  }
  return isAnywhere || next === printed.length ? undefined : printed[next];
}

/** Returns the lines of a text without empty ones, which a page leaves out as it likes. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .filter((line) => line !== '');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
