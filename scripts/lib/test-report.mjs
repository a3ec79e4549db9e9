// Reads what a run of vitest reported.
import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * The counts of a run by file of tests, and why it failed as a whole, if it did beside its tests. `isFinal`: another run
 * would not help, as it took too long or was interrupted.
 *
 * @returns {{ files: { name: string, passed: number, skipped: number, failures: string[] }[], crash?: string, isFinal?: boolean }}
 */
export function readTestReport({ file, errorsFile, code, output, isEnded }) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const crash = `the runner ended with exit code ${code} and wrote no report`;
    return { files: [], crash, isFinal: isEnded };
  }
  const files = report.testResults.map(countFile);
  const errors = existsSync(errorsFile) ? readFileSync(errorsFile, 'utf8') : undefined;
  if (errors !== undefined) return { files, crash: `errors that no test waited for: ${errors}` };
  if (code === 0 || files.some(({ failures }) => failures.length > 0)) return { files };
  // Vitest can also fail after its report, when it closes; then only its output says why.
  return {
    files,
    crash: `the runner ended with exit code ${code} though no test failed: ${lastLines(output)}`,
  };
}

function countFile({ name, status, message, assertionResults }) {
  const tests = (...statuses) => assertionResults.filter((test) => statuses.includes(test.status));
  const failures = tests('failed').map(({ fullName }) => fullName);
  // A file that could not even be loaded has no tests to count.
  if (status === 'failed' && failures.length === 0) failures.push(`${name}: ${message}`);
  return {
    name,
    passed: tests('passed').length,
    skipped: tests('pending', 'skipped', 'todo').length,
    failures,
  };
}

/** The end of an output that nobody has read yet, in one line. */
function lastLines(output) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.length === 0 ? 'see its output' : lines.slice(-12).join(' | ').replaceAll(/\s+/g, ' ');
}
