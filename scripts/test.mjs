// `npm test`: everything a change must pass, from a fresh clone on. Ends in one line: N passed, N failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary, supportedNodes } from './lib/nodes.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies, step } from './lib/provision.mjs';
import { root, run } from './lib/run.mjs';

const count = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-test-'));

/** One pass or fail: a whole program, such as the linter. */
async function check(title, command, args, options) {
  await step(title, async () => {
    const { code } = await run(command, args, options);
    if (code === 0) count.passed += 1;
    else {
      count.failed += 1;
      failures.push(`${title}: ${[command, ...args].join(' ')} ended with exit code ${code}`);
    }
  });
}

/** The tests of one rung of the ladder, run by `node`; each test counts. */
async function rung(project, { node = process.execPath, label = '', env = {} } = {}) {
  const report = join(scratch, `${project}-${label || 'own'}.json`);
  await step(`${project} tests${label === '' ? '' : ` on node ${label}`}`, async () => {
    const { code } = await run(
      node,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      { env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, ...env } },
    );
    let result;
    try {
      result = JSON.parse(readFileSync(report, 'utf8'));
    } catch {
      count.failed += 1;
      failures.push(`${project}: the runner ended with exit code ${code} and wrote no report`);
      return;
    }
    count.passed += result.numPassedTests;
    count.failed += result.numFailedTests;
    count.skipped += result.numPendingTests + result.numTodoTests;
    const broken = result.testResults.filter((file) => file.status === 'failed');
    for (const file of broken) {
      const failed = file.assertionResults.filter((test) => test.status === 'failed');
      if (failed.length === 0) count.failed += 1;
      failures.push(
        ...(failed.length === 0
          ? [`${file.name}: ${file.message}`]
          : failed.map((test) => `${project}: ${test.fullName}`)),
      );
    }
    if (code !== 0 && broken.length === 0) {
      count.failed += 1;
      failures.push(`${project}: the runner ended with exit code ${code} though every test passed`);
    }
  });
}

const bin = (name) => join(root, 'node_modules', '.bin', name);

try {
  await ensureDependencies();
  await ensureBuild();
  await check('types', bin('tsc'), ['--noEmit']);
  await check('lint', bin('eslint'), ['.']);
  await check('format', bin('prettier'), ['--check', '--log-level=warn', '.']);
  await check('rooms', bin('depcruise'), [
    'src',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
  ]);
  await check('dead code', bin('knip'), ['--no-progress']);
  await check('package shape', bin('publint'), ['--strict']);
  await rung('unit');
  await rung('golden');
  const assets = await ensureControlPlane();
  await rung('control-plane', { env: { KUBEBUILDER_ASSETS: assets } });
  await rung('e2e', { env: { KUBEBUILDER_ASSETS: assets } });
  for (const version of supportedNodes) {
    const node = await nodeBinary(version);
    if (node === undefined) {
      console.log(`==> skipped: node ${version}, for which only linux/x64 has a package`);
      count.skipped += 1;
      continue;
    }
    await rung('unit', { node, label: version });
    await rung('golden', { node, label: version });
    await check(`quickstart on node ${version}`, node, ['scripts/quickstart.mjs'], {
      env: {
        ...process.env,
        KUBEBUILDER_ASSETS: assets,
        PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
      },
    });
  }
} catch (error) {
  count.failed += 1;
  failures.push(error.message);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

for (const failure of failures) console.log(`FAILED ${failure}`);
process.exitCode = count.failed === 0 ? 0 : 1;
console.log(
  `${count.passed} passed, ${count.failed} failed${count.skipped === 0 ? '' : `, ${count.skipped} skipped`}`,
);
