// A reporter of vitest: errors that no test waited for go into the file named by UNHANDLED_ERRORS, a line each. Vitest's JSON report leaves
// them out, though they fail a run.
import { writeFileSync } from 'node:fs';

export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    const file = process.env['UNHANDLED_ERRORS'];
    if (file === undefined || errors.length === 0) return;
    writeFileSync(file, errors.map(inOneLine).join('\n'));
  }
}

function inOneLine({ name = 'Error', message = '', stack = '', VITEST_TEST_PATH, VITEST_TEST_NAME }) {
  const place = stack.split('\n').find((line) => line.trimStart().startsWith('at '));
  const test = [VITEST_TEST_PATH, VITEST_TEST_NAME].filter((part) => part !== undefined).join(' > ');
  return [`${name}: ${message}`, place, test && `seen in ${test}`]
    .filter(Boolean)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .join(', ');
}
