// Counts what the runners say, and ends a script with the one line that says it all.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { step } from './provision.mjs';
import { run, since } from './run.mjs';

const unhandledErrors = fileURLToPath(new URL('./unhandled-errors.mjs', import.meta.url));

/** Seconds that a program may take: three times what the slowest took on a busy machine. */
const limit = 1800;

/**
 * @param {{ atOnce?: boolean }} [options] `atOnce`: several checks run at once, so the output of each is shown when it has ended
 */
export function createTally({ atOnce = false } = {}) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-test-'));
  const start = performance.now();
  /** What runs now, with what it has said so far. */
  const running = new Map();
  const progress = atOnce ? setInterval(showProgress, 15_000) : undefined;
  progress?.unref();

  /** A sign of life: what runs, and how many files of tests each runner is through with. */
  function showProgress() {
    const lines = [...running].map(([title, { output }]) => {
      const files = output.match(/^ *(?:\S+ )?(?:✓|❯|×|↓) .*\.test\.ts/gm)?.length ?? 0;
      return files === 0 ? title : `${title} (${files} files done)`;
    });
    if (lines.length > 0) console.log(`    ${Math.round(since(start))} s: ${lines.join(', ')}`);
  }

  const fail = (text) => {
    count.failed += 1;
    failures.push(text);
  };

  /** Runs one of the programs; its output is kept apart from that of others. */
  async function watched(title, command, args, options) {
    if (!atOnce) return step(title, () => run(command, args, { limit, ...options }));
    const start = performance.now();
    console.log(`==> ${title}: started`);
    const said = { output: '' };
    running.set(title, said);
    const onOutput = (text) => (said.output += stripVTControlCharacters(text));
    const result = await run(command, args, { limit, ...options, capture: 'all', onOutput });
    running.delete(title);
    console.log(`==> ${title}\n${result.output}    ${since(start)} s`);
    return result;
  }

  function addReport(project, file, errorsFile, code) {
    let report;
    try {
      report = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      fail(`${project}: the runner ended with exit code ${code} and wrote no report`);
      return;
    }
    count.passed += report.numPassedTests;
    count.skipped += report.numPendingTests + report.numTodoTests;
    const before = count.failed;
    for (const result of report.testResults) {
      const failed = result.assertionResults.filter((test) => test.status === 'failed');
      for (const test of failed) fail(`${project}: ${test.fullName}`);
      // A file that could not even be loaded has no tests to count.
      if (result.status === 'failed' && failed.length === 0) fail(`${result.name}: ${result.message}`);
    }
    const errors = existsSync(errorsFile) ? readFileSync(errorsFile, 'utf8').split('\n') : [];
    for (const error of errors) fail(`${project}: ${error}`);
    if (code !== 0 && count.failed === before)
      fail(`${project}: the runner ended with exit code ${code} though no test failed`);
  }

  return {
    fail,
    skip(reason) {
      console.log(`==> skipped: ${reason}`);
      count.skipped += 1;
    },
    /** A whole program, such as the linter, as one pass or fail. */
    async check(title, command, args, options) {
      const { code } = await watched(title, command, args, options);
      if (code === 0) count.passed += 1;
      else fail(`${title}: ${[command, ...args].join(' ')} ended with exit code ${code}`);
    },
    /**
     * The tests of rungs of the ladder, run by `node` in `workers` processes; each test counts.
     * `inside` is a command that runs the command after it in an environment of its own.
     */
    async rungs(projects, { node = process.execPath, label = '', env = {}, workers = 2, inside = [] } = {}) {
      const name = projects.join(' and ');
      const [command, ...args] = [...inside, node];
      const report = join(scratch, `${projects.join('-')}-${label || 'own'}.json`);
      const errors = `${report}.errors`;
      const { code } = await watched(
        `${name} tests${label === '' ? '' : ` on node ${label}`}`,
        command,
        [
          ...args,
          ...['node_modules/vitest/vitest.mjs', 'run', `--maxWorkers=${workers}`],
          ...projects.map((project) => `--project=${project}`),
          ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
          `--reporter=${unhandledErrors}`,
        ],
        {
          env: {
            ...process.env,
            PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
            UNHANDLED_ERRORS: errors,
            ...env,
          },
        },
      );
      addReport(name, report, errors, code);
    },
    /** Prints what failed and the closing line, and sets the exit code. */
    close() {
      clearInterval(progress);
      rmSync(scratch, { recursive: true, force: true });
      for (const failure of failures) console.log(`FAILED ${failure}`);
      process.exitCode = count.failed === 0 ? 0 : 1;
      console.log(
        `${count.passed} passed, ${count.failed} failed${count.skipped === 0 ? '' : `, ${count.skipped} skipped`}`,
      );
    },
  };
}
