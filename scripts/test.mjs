// `npm test`: the tests and linters that a change must pass, from a fresh clone on, on the Node that runs this. Ends in one line: N passed,
// N failed. What users install is tested by `npm run test:nodes`.
import { join } from 'node:path';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally({ atOnce: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const cache = join(root, 'node_modules', '.cache');

try {
  await ensureDependencies();
  await ensureBuild();
  const assets = await ensureControlPlane();
  // One lane computes, the other waits much of its time, for servers that were killed or for a watch: two processors have enough to do
  // with both of them. Whichever is through with its tests goes on with the linters.
  const linters = allLinters();
  await Promise.all([
    tally.rungs(['unit', 'golden'], { workers: 1 }).then(() => lint(linters)),
    tally
      .rungs(['control-plane'], { env: { KUBEBUILDER_ASSETS: assets }, workers: 4 })
      .then(() => lint(linters)),
  ]);
} catch (error) {
  tally.fail(error.message);
}
tally.close();

/** The longest first. */
function allLinters() {
  // What types and format remember depends on the contents of files only. ESLint's rules look into other files: it starts from scratch.
  const types = ['--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')];
  const format = ['--cache', '--cache-strategy=content', '--cache-location', join(cache, 'format')];
  return [
    ['lint', 'eslint', '.'],
    ['types', 'tsc', ...types],
    ['format', 'prettier', '--check', '--log-level=warn', ...format, '.'],
    ['dead code', 'knip', '--no-progress'],
    ['rooms', 'depcruise', 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
    ['package shape', 'publint', '--strict'],
  ];
}

/** Runs what is left of some linters, one after the other. */
async function lint(linters) {
  for (let next = linters.shift(); next !== undefined; next = linters.shift()) {
    const [title, program, ...args] = next;
    await tally.check(title, bin(program), args);
  }
}
