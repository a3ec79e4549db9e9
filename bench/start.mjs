// `npm run bench:start`: CPU of the nginx example from its start until it is ready, bundled, on a real API server.
//   npm run bench:start -- --rounds 9
// NODE_FLAGS goes to the operator, such as --cpu-prof.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureControlPlane, ensureDependencies, step } from '../scripts/lib/provision.mjs';
import { root } from '../scripts/lib/run.mjs';
import { machine, median } from './lib/measure.mjs';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const target = 250;

await ensureDependencies();
await ensureBuild();
process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
const { buildOperator } = await import('../dist/compiler/build/index.js');
const { startControlPlane } = await import('../dist/testing/index.js');

const main = `import { createManager, operatorMain } from 'opsdk';
import { nginxOperatorController } from './controllers/operator/nginx-operator.ts';
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ name: 'nginx-operator', ...flags });
  manager.add(nginxOperatorController);
  await manager.run({ signal });
});
`;

/** The operator watches objects of this kind; there are none. */
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'nginxoperators.operator.example.com' },
  spec: {
    group: 'operator.example.com',
    names: { kind: 'NginxOperator', plural: 'nginxoperators' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {} },
      },
    ],
  },
};

/** @returns {Promise<string>} the bundled operator */
async function bundle(folder) {
  cpSync(join(root, 'examples', 'nginx-operator'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'opsdk'));
  writeFileSync(join(folder, 'src', 'main.ts'), main);
  const { files } = await buildOperator({ projectDir: folder });
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return join(folder, 'dist', 'main.mjs');
}

/** Milliseconds that all threads of a process have run. */
function cpuOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + nanoseconds(pid, thread), 0) / 1e6;
}

function nanoseconds(pid, thread) {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
}

/** One start. @returns milliseconds of CPU until the workers begin */
async function measure(entry, kubeconfig) {
  const nodeFlags = (process.env.NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const operator = ['--health-probe-bind-address=127.0.0.1:0', '--metrics-bind-address=127.0.0.1:0'];
  const child = spawn(
    process.execPath,
    // As the scaffolded Deployment starts it.
    [
      '--enable-source-maps',
      '--max-semi-space-size=4',
      ...nodeFlags,
      entry,
      `--kubeconfig=${kubeconfig}`,
      ...operator,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  let cpu;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('Starting workers')) continue;
    cpu = cpuOf(child.pid);
    child.kill('SIGTERM');
  }
  await ended;
  if (cpu === undefined) throw new Error('the operator ended before it was ready');
  return cpu;
}

console.log(`before: ${machine()}`);
const folder = mkdtempSync(join(tmpdir(), 'op-sdk-bench-'));
const plane = await step('start a control plane', () => startControlPlane());
try {
  const entry = await bundle(folder);
  writeFileSync(join(folder, 'crd.yaml'), JSON.stringify(crd));
  await plane.installCrds([join(folder, 'crd.yaml')]);
  const samples = [];
  for (let i = 0; i < Number(flags.rounds); i += 1) samples.push(await measure(entry, plane.kubeconfig));
  const [least, middle, most] = [Math.min(...samples), median(samples), Math.max(...samples)];
  console.log(
    `\n  start to ready: ${middle.toFixed(0)} ms CPU (${least.toFixed(0)} to ${most.toFixed(0)} in ${flags.rounds} rounds)   target ≤ ${target} ms${middle <= target ? '' : ', missed'}`,
  );
} finally {
  await plane.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\nafter:  ${machine()}`);
