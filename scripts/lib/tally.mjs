// Counts what the runners say, and ends a script with the one line that says it all.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { step } from './provision.mjs';
import { isRerunWanted, runAgainWhereUnstable } from './run-again.mjs';
import { run, since } from './run.mjs';
import { readTestReport } from './test-report.mjs';

const recordTests = fileURLToPath(new URL('./record-tests.mjs', import.meta.url));

/** Seconds that a program may take: three times what the slowest took on a busy machine. */
const slowestLimit = 1800;

/**
 * @param {{ atOnce?: boolean }} [options] `atOnce`: several checks run at once, so the output of each is shown when it has ended
 */
export function createTally({ atOnce = false } = {}) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const notes = [];
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

  /** Runs one of the programs, and adds its seconds to the file of `RUNG_TIMES`, for scripts/rung-minutes.mjs. */
  async function watched(title, ...rest) {
    const start = performance.now();
    const result = await watchedUntimed(title, ...rest);
    const script = process.env.npm_lifecycle_event;
    if (process.env.RUNG_TIMES)
      appendFileSync(process.env.RUNG_TIMES, `${JSON.stringify({ script, title, seconds: since(start) })}\n`);
    return result;
  }

  /** The output of a program is kept apart from that of others. */
  async function watchedUntimed(title, command, args, options) {
    if (!atOnce) return step(title, () => run(command, args, { limit: slowestLimit, ...options }));
    const start = performance.now();
    console.log(`==> ${title}: started`);
    const said = { output: '' };
    running.set(title, said);
    const onOutput = (text) => (said.output += stripVTControlCharacters(text));
    const result = await run(command, args, { limit: slowestLimit, ...options, capture: 'all', onOutput });
    running.delete(title);
    console.log(`==> ${title}\n${result.output}    ${since(start)} s`);
    return result;
  }

  return {
    fail,
    skip(reason) {
      console.log(`==> skipped: ${reason}`);
      count.skipped += 1;
    },
    /** A whole program, such as the linter, as one pass or fail; with TEST_RERUN=1 one that fails is run once more. */
    async check(title, command, args, options) {
      const { isEnded, ...result } = await watched(title, command, args, options);
      let { code } = result;
      if (code !== 0 && !isEnded && isRerunWanted()) {
        const first = code;
        ({ code } = await watched(`${title}, again`, command, args, options));
        if (code === 0)
          notes.push(`UNSTABLE ${title}: ended with exit code ${first} once, passed when it was run again`);
      }
      if (code === 0) count.passed += 1;
      else fail(`${title}: ${[command, ...args].join(' ')} ended with exit code ${code}`);
    },
    /**
     * The tests of rungs of the ladder, run by `node` in `workers` processes; each test counts. A runner that fails though no test
     * failed is run once more; so are, with TEST_RERUN=1, the files of failed tests, if they are few. The end names what passed only
     * then as UNSTABLE: it is to be mended. With TEST_RERUN=1 that holds for files that hung, too: `limit` seconds end a run.
     * `folders` are those with the files to run, all of them by default. `inside` is a command that runs the command after it in an
     * environment of its own.
     */
    async rungs(
      projects,
      {
        node = process.execPath,
        label = '',
        folders = [],
        env = {},
        workers = 2,
        inside = [],
        limit = slowestLimit,
      } = {},
    ) {
      const name = projects.join(' and ');
      const title = `${name} tests${label === '' ? '' : ` on ${label}`}`;
      const [command, ...args] = [...inside, node];
      const runOnce = async (title, again) => {
        const record = join(mkdtempSync(join(scratch, 'report-')), 'tests.jsonl');
        const files = again?.files ?? folders;
        const runner = ['node_modules/vitest/vitest.mjs', 'run', ...files, `--maxWorkers=${workers}`];
        const reporters = ['default', recordTests].map((reporter) => `--reporter=${reporter}`);
        const only = projects.map((project) => `--project=${project}`);
        const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
        const { code, output, isEnded } = await watched(
          title,
          command,
          [...args, ...runner, ...only, ...reporters],
          {
            env: { ...process.env, PATH: path, TEST_RECORD: record, ...env },
            // What hung once shall not take as long again.
            limit: again === undefined ? limit : Math.round(limit / 3),
          },
        );
        return readTestReport({ record, code, output, isEnded });
      };
      const { passed, skipped, failures, unstable } = await runAgainWhereUnstable(title, runOnce);
      count.passed += passed;
      count.skipped += skipped;
      for (const failure of failures) fail(`${title}: ${failure}`);
      notes.push(...unstable.map((text) => `UNSTABLE ${title}: ${text}`));
    },
    /** Prints what failed and the closing line, and sets the exit code. */
    close() {
      clearInterval(progress);
      rmSync(scratch, { recursive: true, force: true });
      for (const note of notes) console.log(note);
      for (const failure of failures) console.log(`FAILED ${failure}`);
      process.exitCode = count.failed === 0 ? 0 : 1;
      console.log(
        `${count.passed} passed, ${count.failed} failed${count.skipped === 0 ? '' : `, ${count.skipped} skipped`}`,
      );
    },
  };
}
