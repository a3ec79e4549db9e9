// `npm test`: everything a change must pass, from a fresh clone on. Ends in one line: N passed, N failed.
import { delimiter, dirname, join } from 'node:path';
import { nodeBinary, supportedNodes } from './lib/nodes.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { root } from './lib/run.mjs';
import { createTally } from './lib/tally.mjs';

const tally = createTally();
const bin = (name) => join(root, 'node_modules', '.bin', name);

try {
  await ensureDependencies();
  await ensureBuild();
  await tally.check('types', bin('tsc'), ['--noEmit']);
  await tally.check('lint', bin('eslint'), ['.']);
  await tally.check('format', bin('prettier'), ['--check', '--log-level=warn', '.']);
  await tally.check('rooms', bin('depcruise'), [
    'src',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err',
  ]);
  await tally.check('dead code', bin('knip'), ['--no-progress']);
  await tally.check('package shape', bin('publint'), ['--strict']);
  await tally.rung('unit');
  await tally.rung('golden');
  const assets = await ensureControlPlane();
  await tally.rung('control-plane', { env: { KUBEBUILDER_ASSETS: assets } });
  await tally.rung('e2e', { env: { KUBEBUILDER_ASSETS: assets } });
  for (const version of supportedNodes) {
    const node = await nodeBinary(version);
    if (node === undefined) {
      tally.skip(`node ${version}: its package is for linux on x64 only`);
      continue;
    }
    await tally.rung('unit', { node, label: version });
    await tally.rung('golden', { node, label: version });
    await tally.check(`quickstart on node ${version}`, node, ['scripts/quickstart.mjs'], {
      env: {
        ...process.env,
        KUBEBUILDER_ASSETS: assets,
        PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
      },
    });
  }
} catch (error) {
  tally.fail(error.message);
}
tally.close();
