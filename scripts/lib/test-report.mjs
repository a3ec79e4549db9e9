// Reads what a run of vitest left in the record of ./record-tests.mjs.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './run.mjs';

/**
 * The counts of a run by file of tests, and why it failed as a whole, if it did beside its tests.
 *
 * @param {{ record: string, code: number, output: string, isEnded: boolean }} run `record`: path of the record; `isEnded`: it was killed as it
 *   took too long
 * @returns {{ files: { name: string, passed: number, skipped: number, failures: string[] }[], crash?: string, unfinished?: string[] }}
 *   `unfinished`: the files that a run which was killed had not ended
 */
export function readTestReport({ record, code, output, isEnded }) {
  const lines = existsSync(record) ? readFileSync(record, 'utf8').split('\n').filter(Boolean) : [];
  const said = lines.map((line) => JSON.parse(line));
  const files = said.flatMap(({ ended }) => ended ?? []);
  const errors = said.find(({ errors }) => errors !== undefined)?.errors;
  if (errors === undefined) return { files, ...unfinishedOf(said, files, { code, isEnded }) };
  if (errors.length > 0) return { files, crash: `errors that no test waited for: ${errors.join('\n')}` };
  if (code === 0 || files.some(({ failures }) => failures.length > 0)) return { files };
  // Vitest can also fail after its report, when it closes; then only its output says why.
  return {
    files,
    crash: `the runner ended with exit code ${code} though no test failed: ${lastLines(output)}`,
  };
}

/** A run that did not come to its end. */
function unfinishedOf(said, ended, { code, isEnded }) {
  const all = said.flatMap(({ files }) => files ?? []);
  const begun = new Set(said.flatMap(({ begun }) => begun ?? []));
  const unfinished = all.filter((file) => !ended.some(({ name }) => name === file));
  const inWork = unfinished.filter((file) => begun.has(file)).map((file) => stateOf(file, said));
  const rest = unfinished.length - inWork.length;
  const counts = `${ended.length} of ${all.length} files ended, ${rest} had not begun`;
  const crash = `the runner ended with exit code ${code} before its tests: ${[counts, ...inWork].join('; ')}`;
  return isEnded ? { crash, unfinished } : { crash };
}

/** The tests of a file that were at work, by the counts of what began and of what ended: a test may run more than once. */
function stateOf(file, said) {
  const count = new Map();
  for (const { running, done, test } of said) {
    if (running === file) count.set(test, (count.get(test) ?? 0) + 1);
    if (done === file) count.set(test, (count.get(test) ?? 0) - 1);
  }
  const atWork = [...count].filter(([, number]) => number > 0).map(([test]) => `'${test}'`);
  const done = said.filter((line) => line.done === file).length;
  const where = atWork.length === 0 ? 'between tests' : `in ${atWork.slice(0, 5).join(', ')}`;
  return `${relative(root, file)} after ${done} tests ${where}`;
}

/** The end of an output that nobody has read yet, in one line. */
function lastLines(output) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.length === 0 ? 'see its output' : lines.slice(-12).join(' | ').replaceAll(/\s+/g, ' ');
}
