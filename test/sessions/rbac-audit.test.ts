// `op-sdk rbac audit` of a small operator, and tests that join its control plane. What they import is dist/: build it first.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, scaffoldProject } from '../helpers/dev-process.ts';
import { runCli } from '../helpers/run-cli.ts';

let scratch: string;
let project: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-audit-'));
  project = join(scratch, 'cache');
  await scaffoldProject(project, { group: 'cache', name: 'audited' });
  writeFileSync(
    join(project, 'src/permissions.ts'),
    `import { rbac } from 'opsdk';
export const extra = rbac([{ groups: [''], resources: ['pods'], verbs: ['delete'] }]);
`,
  );
  const { code, stderr } = await runCli(['generate', 'manifests'], { cwd: project });
  expect(code, stderr).toBe(0);
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The operator as the sources have it, in JavaScript, and a test of it: it reads Secrets without a rule. */
const operatorTest = `
import { writeFileSync } from 'node:fs';
import { createClusterClient, createManager, defineController, externalResource, loadCluster } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
import { eventually, startControlPlane } from 'opsdk/testing';
const Memcached = externalResource({ group: 'cache.example.com', version: 'v1alpha1', kind: 'Memcached', plural: 'memcacheds', scope: 'Namespaced' });
const plane = await startControlPlane({ crds: ['config/crd/bases'] });
writeFileSync('paths.json', JSON.stringify([plane.kubeconfig, plane.operatorKubeconfig, process.env.KUBECONFIG, process.env.OPSDK_ADMIN_KUBECONFIG]));
const admin = await createClusterClient({ cluster: await loadCluster({ kubeconfig: plane.kubeconfig }), fieldManager: 'test' });
const stop = new AbortController();
const manager = await createManager({ name: 'audited', kubeconfig: plane.operatorKubeconfig, health: '0', logLevel: 'fatal' });
manager.add(defineController({
  for: Memcached,
  async reconcile(memcached, { client, key }) {
    const secrets = await client.live.list(Secret, { namespace: 'default' }).catch(({ code }) => code);
    await client.applyStatus(Memcached, key, { conditions: [{ type: 'Ready', status: 'True', reason: 'Seen', message: String(secrets), lastTransitionTime: '2026-01-01T00:00:00Z' }] });
  },
}));
const running = manager.run({ signal: stop.signal });
const key = { namespace: 'default', name: 'one' };
await admin.create(Memcached, { metadata: key, spec: {} });
await eventually(async () => (await admin.get(Memcached, key)).status?.conditions?.[0]?.message === 'kube/forbidden');
stop.abort();
await running;
await plane.stop();
// It is not ours to stop.
await admin.get(Memcached, key);
await admin.close();
process.exit(Number(process.env.EXIT ?? 0));
`;

const audit = (flags: readonly string[], command: readonly string[], env: Record<string, string> = {}) =>
  runCli(['rbac', 'audit', ...flags, '--', ...command], {
    cwd: project,
    env: { ...process.env, OPSDK_NO_CACHE: '1', ...env },
  });

interface Report {
  ok: boolean;
  result: {
    user: string;
    requests: number;
    forbidden: object[];
    unused: object[];
    command: { exitCode: number };
  };
  warnings: { code: string }[];
  errors: { code: string; message: string; fix: string[] }[];
}

test('a missing and an unused rule are reported, and nothing else', async () => {
  writeFileSync(join(project, 'operator.test.mjs'), operatorTest);
  const run = await audit(['-o', 'json'], [process.execPath, 'operator.test.mjs']);
  expect(run.code, run.stderr + run.stdout).toBe(1);
  const { ok, result, warnings, errors } = JSON.parse(run.stdout) as Report;
  expect(ok).toBe(false);
  expect(result).toMatchObject({
    user: 'system:serviceaccount:audited-system:audited-controller-manager',
    command: { exitCode: 0 },
    openEnded: [],
  });
  expect(result.forbidden).toMatchObject([
    { group: '', resource: 'secrets', verb: 'list', namespaces: ['default'] },
  ]);
  expect(result.unused).toEqual([{ group: '', resource: 'pods', verb: 'delete' }]);
  expect(errors).toMatchObject([
    {
      code: 'cluster/audit-forbidden',
      fix: [
        "add the rule { groups: [''], resources: ['secrets'], verbs: ['list'] } to the `rbac` of the controller, and run `op-sdk generate manifests`",
      ],
    },
  ]);
  expect(warnings).toMatchObject([
    {
      code: 'cluster/audit-unused',
      message: 'never used: delete pods',
      where: { file: 'src/permissions.ts', line: 2 },
    },
  ]);
  const [admin, operator, ...variables] = JSON.parse(
    readFileSync(join(project, 'paths.json'), 'utf8'),
  ) as string[];
  expect(variables).toEqual([operator, admin]);
  expect(operator).not.toBe(admin);
});

test('a command that fails fails the audit, and so do unused permissions with --fail-on unused', async () => {
  writeFileSync(
    join(project, 'operator.test.mjs'),
    operatorTest.replace('reconcile(memcached', 'reconcile(_'),
  );
  const run = await audit(['--fail-on', 'unused'], [process.execPath, 'operator.test.mjs'], { EXIT: '3' });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('error[cluster/audit-command-failed]: the command ended with exit code 3');
  expect(run.stderr).toContain('error[cluster/audit-unused]: never used: delete pods');
  expect(run.stdout).toContain('1 permission missing, 1 permission unused');
});

test('an operator that never spoke was not audited, and tests cannot bend the control plane', async () => {
  writeFileSync(
    join(project, 'nothing.mjs'),
    `import { startControlPlane } from 'opsdk/testing';
const refused = await startControlPlane({ version: '1.30.0', featureGates: { X: true } }).catch(({ findings }) => findings);
console.error(refused.map(({ code, message }) => code + ' ' + message).join('\\n'));
const plane = await startControlPlane();
await plane.restartApiServer().catch(({ code }) => console.error('restart', code));
const alice = await plane.userKubeconfig('alice');
console.error('alice', alice.path.startsWith(plane.folder));
`,
  );
  const script = join(project, 'nothing.mjs');
  const run = await audit(['-o', 'json'], ['sh', '-c', `"${process.execPath}" "${script}" 2> said.txt`]);
  expect(run.code).toBe(1);
  const { errors, result } = JSON.parse(run.stdout) as Report;
  expect(result.requests).toBe(0);
  expect(errors.map(({ code }) => code)).toEqual(['cluster/audit-saw-nothing']);
  const lines = readFileSync(join(project, 'said.txt'), 'utf8').trim().split('\n');
  expect(lines.slice(0, 2).map((line) => line.split(' ')[0])).toEqual(Array(2).fill('testenv/cannot-join'));
  expect(lines.slice(2)).toEqual(['restart testenv/cannot-join', 'alice true']);
});

test('a role that is not what the sources generate is not audited', async () => {
  edit(project, 'config/rbac/role.yaml', '- delete', '- deletecollection');
  const run = await audit([], ['true']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(
    'error[manifests/out-of-date]: config/rbac/role.yaml does not grant what the sources generate',
  );
});
