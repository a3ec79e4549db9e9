// Counts the lines of the examples, for the table of docs/examples.md.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/**
 * Counts the lines of an example that are not empty: those of its sources without generated ones, and those of its tests.
 * @returns {{ code: number, tests: number }}
 */
export function countLines(name) {
  const folder = join(root, 'examples', name);
  const isGenerated = (path) => path.includes('src/generated/');
  return {
    code: linesBelow(join(folder, 'src'), (path) => path.endsWith('.ts') && !isGenerated(path)),
    tests: linesBelow(join(folder, 'test'), (path) => /\.(?:ts|yaml)$/.test(path)),
  };
}

function linesBelow(folder, isCounted) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isCounted(path))
    .reduce(
      (sum, path) =>
        sum +
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== '').length,
      0,
    );
}
