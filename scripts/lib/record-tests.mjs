// A reporter of vitest that writes down at once what it hears, so that a run which is killed leaves who did not end. Lines of JSON in the file
// named by TEST_RECORD, for ./test-report.mjs.
import { appendFileSync } from 'node:fs';

export default class TestRecord {
  onTestRunStart(specifications) {
    write({ files: specifications.map(({ moduleId }) => moduleId) });
  }

  onTestModuleQueued({ moduleId }) {
    write({ begun: moduleId });
  }

  onTestCaseReady(test) {
    write({ running: test.module.moduleId, test: test.fullName });
  }

  onTestCaseResult(test) {
    write({ done: test.module.moduleId, test: test.fullName });
  }

  onTestModuleEnd(module) {
    write({ ended: countModule(module) });
  }

  onTestRunEnd(_modules, errors) {
    write({ errors: errors.map(inOneLine) });
  }
}

function write(line) {
  appendFileSync(process.env['TEST_RECORD'], `${JSON.stringify(line)}\n`);
}

function countModule(module) {
  const tests = [...module.children.allTests()];
  const inState = (...states) => tests.filter((test) => states.includes(test.result().state));
  const failures = inState('failed').map(({ fullName }) => fullName);
  // A file that could not even be loaded has no tests to count, and one whose hook failed has none that failed.
  if (!module.ok() && failures.length === 0) {
    const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
    failures.push(`${module.moduleId}: ${errors.map(({ message }) => message).join('; ')}`);
  }
  return {
    name: module.moduleId,
    passed: inState('passed').length,
    skipped: inState('skipped', 'pending').length,
    failures,
  };
}

/** An error that no test waited for. */
function inOneLine({ name = 'Error', message = '', stack = '', VITEST_TEST_PATH, VITEST_TEST_NAME }) {
  const place = stack.split('\n').find((line) => line.trimStart().startsWith('at '));
  const test = [VITEST_TEST_PATH, VITEST_TEST_NAME].filter((part) => part !== undefined).join(' > ');
  return [`${name}: ${message}`, place, test && `seen in ${test}`]
    .filter(Boolean)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .join(', ');
}
