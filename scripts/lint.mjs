// `npm run lint`: what can be said of the sources without running them: code, types of examples where they are
// copied, format, rooms, dead code, the shape of the package, words. Ends in one line: N passed, N failed.
import { join } from 'node:path';
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally({ atOnce: true });
const bin = (name) => join(root, 'node_modules', '.bin', name);
const cache = join(root, 'node_modules', '.cache');
// What the format remembers depends on the contents of files only. ESLint's rules look into other files: it starts from scratch.
const format = ['--cache', '--cache-strategy=content', '--cache-location', join(cache, 'format')];
/** The longest first. */
const linters = [
  // The projects in examples have a configuration of their own, for who copies them.
  ['code', bin('eslint'), '--config', 'eslint.config.js', '.'],
  ['types of examples', bin('tsc'), '--noEmit', '-p', 'examples/tsconfig.copied.json'],
  ['format', bin('prettier'), '--check', '--log-level=warn', ...format, '.'],
  ['dead code', bin('knip'), '--no-progress'],
  ['rooms', bin('depcruise'), 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
  ['package shape', bin('publint'), '--strict'],
  ['words', process.execPath, 'scripts/lint-words.mjs'],
];

try {
  await ensureDependencies();
  await ensureBuild();
  await Promise.all([lint(), lint()]);
} catch (error) {
  tally.fail(error.message);
}
tally.close();

/** Runs what is left of the linters, one after the other. */
async function lint() {
  for (let next = linters.shift(); next !== undefined; next = linters.shift()) {
    const [title, program, ...args] = next;
    await tally.check(title, program, args);
  }
}
