// Other runtimes of JavaScript run the operator that `op-sdk build` bundles: it becomes ready, reconciles, and ends in order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { apiOf, until } from '../../scripts/lib/api.mjs';
import { startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { startOperator, statusOf } from '../helpers/operator-process.ts';
import { copyNginxProject } from '../helpers/shared-projects.ts';

let scratch: string;
let project: string;
let plane: ControlPlane;
let api: ReturnType<typeof apiOf>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-runtimes-'));
  project = join(scratch, 'nginx-operator');
  await copyNginxProject(project);
  plane = await startControlPlane();
  api = apiOf(plane);
  await plane.installCrds([join(project, 'config/crd/bases')]);
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'system' } });
  for (const file of ['service_account.yaml', 'role.yaml', 'role_binding.yaml'])
    await api.applyFile(join(project, 'config/rbac', file));
});

afterAll(async () => {
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const runtimes = [
  { name: 'bun', args: [] },
  { name: 'deno', args: ['run', '--allow-all', '--no-config', '--node-modules-dir=none'] },
];

test.each(runtimes)('$name', { timeout: 180_000 }, async ({ name, args }) => {
  const { tools } = inject('managers') ?? expect.fail('run with --project managers');
  const { path } = await plane.serviceAccountKubeconfig('system', 'controller-manager');
  const runtime = [join(tools, name), ...args] as const;
  await using operator = await startOperator(project, path, [], { HOME: scratch }, runtime);
  const ready = async () => (await statusOf(`${operator.health}/readyz`)) === 200;
  await until('readyz', async () => (await ready()) || operator.process.exitCode !== null);
  expect(operator.process.exitCode, operator.output()).toBeNull();
  await api.apply({
    apiVersion: 'operator.example.com/v1alpha1',
    kind: 'NginxOperator',
    metadata: { name, namespace: 'default' },
    spec: { replicas: 1 },
  });
  await until('the Deployment', () => api.get('Deployment', name));
  await api.patch('NginxOperator', name, { spec: { replicas: 2 } });
  await until('2 replicas', async () => (await api.get('Deployment', name))?.spec.replicas === 2);
  expect(await fetch(`${operator.metrics}/metrics`).then((response) => response.status)).toBe(200);
  expect(await operator.stop(), operator.output()).toBe(0);
});
