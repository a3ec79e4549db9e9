// `npm run bench:rbac`: what reading permissions from the code adds to generating manifests: with the controllers that `create api` writes,
// and with controllers of 150 lines. In turn, in one run.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { must, root } from '../scripts/lib/run.mjs';
import { machine, median, usageOf } from './lib/measure.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const count = 13;
const targets = { scaffolded: 0.4, long: 0.8 };
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-rbac-'));
const opSdk = [process.execPath, join(root, 'bin', 'op-sdk.js')];
const kinds = Array.from({ length: count }, (_, index) => `Bench${String.fromCharCode(65 + index)}`);

/** A project as `init` and `create api` leave it. */
async function scaffolded(name) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const options = { cwd: folder, quiet: true, env: { ...process.env, OPSDK_SPEC: 'file:opsdk.tgz' } };
  const run = (...args) => must(opSdk[0], [opSdk[1], ...args, '--quiet'], options);
  await run('init', '--domain', 'example.com', '--skip-install');
  for (const kind of kinds) await run('create', 'api', '--group', 'bench', '--version', 'v1', '--kind', kind);
  return folder;
}

/** The same, with controllers of 150 lines that read and write in several ways. */
async function withLongControllers() {
  const folder = await scaffolded('long');
  for (const kind of kinds) {
    const file = join(folder, 'src', 'controllers', 'bench', `${fileOf(kind)}.ts`);
    const text = longController(kind);
    const lines = text.split('\n').length;
    if (lines < 140 || lines > 160) throw new Error(`expected a controller of about 150 lines, got ${lines}`);
    // It must be there, or something else is measured.
    readFileSync(file);
    writeFileSync(file, text);
  }
  return folder;
}

function fileOf(kind) {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

function longController(kind) {
  const name = `${kind[0].toLowerCase()}${kind.slice(1)}`;
  const parts = ['web', 'worker', 'cache', 'cron', 'queue', 'proxy'];
  return `import { defineController, ownedBy, requeueAfter, watch, type ControllerClient, type ObjectKey } from 'opsdk';
import { Deployment, StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Secret, Service, ServiceAccount } from 'opsdk/k8s/core/v1';
import { ${kind} } from '../../api/bench/v1/${fileOf(kind)}.ts';

type Part = { readonly name: string; readonly replicas: number };

const workloads = [Deployment, StatefulSet] as const;

async function remove<K extends typeof ConfigMap | typeof Service>(client: ControllerClient, kind: K, key: ObjectKey) {
  const found = await client.find(kind, key);
  if (found !== undefined) await client.delete(kind, key);
}
${parts
  .map(
    (part) => `
async function ${part}(client: ControllerClient, owner: ${kind}, { name, replicas }: Part): Promise<void> {
  const labels = { app: name, part: '${part}' };
  const meta = { name: \`\${name}-${part}\`, ...ownedBy(owner) };
  await client.apply(ConfigMap, {
    metadata: meta,
    data: { replicas: String(replicas), owner: owner.metadata.name ?? '' },
  });
  await client.apply(Deployment, {
    metadata: meta,
    spec: { replicas, selector: { matchLabels: labels } },
  });
  const service = await client.find(Service, { name: meta.name, namespace: owner.metadata.namespace });
  if (service === undefined) {
    await client.create(Service, { metadata: meta, spec: { selector: labels, ports: [{ port: 80 }] } });
  }
}
`,
  )
  .join('')}
export const ${name}Controller = defineController({
  for: ${kind},
  owns: [...workloads, ConfigMap, Service],
  watches: [watch(Secret, { map: ({ metadata }) => [metadata] })],
  async reconcile(${name}, { client, events, key }) {
    const part = { name: key.name, replicas: 1 };
${parts.map((part) => `    await ${part}(client, ${name}, part);`).join('\n')}
    const secret = await client.find(Secret, key);
    if (secret === undefined) {
      events.warning('NoSecret', \`Secret \${key.name} does not exist\`);
      await client.applyStatus(${kind}, key, {});
      return requeueAfter('30s');
    }
    for (const kind of workloads) {
      const list = await client.list(kind, { namespace: key.namespace });
      for (const { metadata } of list.items) {
        if (metadata.labels?.['retired'] === 'true') await client.delete(kind, metadata);
      }
    }
    await client.modify(ServiceAccount, key, (account) => {
      account.automountServiceAccountToken = false;
    });
    const now = await client.live.get(ConfigMap, key);
    if (now.data?.['stop'] === 'true') await remove(client, ConfigMap, key);
    await remove(client, Service, { ...key, name: \`\${key.name}-former\` });
  },
  async finalize(_, { client, key }) {
    await client.delete(Secret, { ...key, name: \`\${key.name}-certificate\` });
  },
});
`;
}

async function measure(folder) {
  const way = (name, ...flags) => ({
    name,
    argv: [...opSdk, 'generate', 'manifests', '--stdout', ...flags],
    cwd: folder,
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const ways = [way('CRDs', '--only', 'crd', '--no-cache'), way('CRDs and RBAC', '--no-cache')];
  const samples = new Map(ways.map((each) => [each, []]));
  // The first round fills the caches of the machine and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of ways) {
      const { cpu } = await usageOf(each.argv, each);
      if (round > 0) samples.get(each).push(cpu);
    }
  }
  return ways.map((each) => ({ name: each.name, cpu: median(samples.get(each)) }));
}

await ensureDependencies();
await ensureBuild();
try {
  const folders = { scaffolded: await scaffolded('scaffolded'), long: await withLongControllers() };
  console.log(`before: ${machine()}`);
  for (const [name, folder] of Object.entries(folders)) {
    const [crds, all] = await measure(folder);
    console.log(`\n${count} kinds, ${name} controllers (medians of ${rounds})`);
    for (const each of [crds, all]) console.log(`${each.name.padEnd(16)} ${each.cpu.toFixed(3)} CPU s`);
    console.log(`RBAC adds        ${(all.cpu - crds.cpu).toFixed(3)} CPU s (target ≤ ${targets[name]})`);
  }
  console.log(`\nafter:  ${machine()}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
