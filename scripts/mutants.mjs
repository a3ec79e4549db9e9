// `npm run test:mutants`: disables one rule of the permissions' inference after the other (test/mutants) and looks whether a golden shape
// notices. Ends in one line: N killed, M survived. With an argument, only the mutants whose name contains it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDependencies } from './lib/provision.mjs';
import { run } from './lib/run.mjs';

const [only] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-mutants-'));
const report = join(scratch, 'report.json');
try {
  await ensureDependencies();
  await run(process.execPath, [
    ...['node_modules/vitest/vitest.mjs', 'run', '--project=mutants'],
    ...['--reporter=json', `--outputFile=${report}`],
    ...(only === undefined ? [] : ['-t', only]),
  ]);
  const { testResults, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
  const survived = [];
  for (const { message, assertionResults } of testResults) {
    if (assertionResults.length === 0) throw new Error(message);
    for (const { status, title, failureMessages } of assertionResults)
      if (status === 'failed') survived.push(`${title}\n  ${failureMessages[0]?.split('\n', 1)[0] ?? ''}`);
  }
  for (const each of survived) console.log(`SURVIVED ${each}`);
  console.log(`${numPassedTests} killed, ${survived.length} survived`);
  process.exitCode = survived.length === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
