import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Replaces a text in a file of a project, as its README tells the reader to.
 * @throws Error if the text is not there
 */
export function edit(project, file, pattern, replacement) {
  const path = join(project, file);
  const before = readFileSync(path, 'utf8');
  if (!pattern.test(before)) throw new Error(`${file}: ${pattern} is not there`);
  writeFileSync(path, before.replace(pattern, replacement));
}
