// The operator of the tutorial, bundled: it runs as the ServiceAccount of its generated role, and an independent client watches
// what it does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf, until } from '../../scripts/lib/api.mjs';
import { startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { copyNginxProject } from '../helpers/shared-projects.ts';
import { startOperator, statusOf, type OperatorProcess } from '../helpers/operator-process.ts';

let scratch: string;
let project: string;
let plane: ControlPlane;
let api: ReturnType<typeof apiOf>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-nginx-'));
  project = join(scratch, 'nginx-operator');
  await copyNginxProject(project);
  plane = await startControlPlane({ controllerManager: true });
  api = apiOf(plane);
});

afterAll(async () => {
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('AS3: the reconcile loop', () => {
  let operator: OperatorProcess;
  const apply = (spec: object) =>
    api.apply({
      apiVersion: 'operator.example.com/v1alpha1',
      kind: 'NginxOperator',
      metadata: { name: 'cluster', namespace: 'default' },
      spec,
    });
  const deployment = () => api.get('Deployment', 'cluster');
  const replicas = async () => (await deployment())?.spec.replicas;

  beforeAll(async () => {
    await plane.installCrds([join(project, 'config/crd/bases')]);
    await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'system' } });
    for (const file of ['service_account.yaml', 'role.yaml', 'role_binding.yaml'])
      await api.applyFile(join(project, 'config/rbac', file));
    const { path } = await plane.serviceAccountKubeconfig('system', 'controller-manager');
    operator = await startOperator(project, path);
    await until('readyz', async () => (await statusOf(`${operator.health}/readyz`)) === 200);
  });

  afterAll(async () => {
    await operator?.stop();
  });

  test('AS3.a: a resource with replicas: 1 gets its Deployment, owned by it', async () => {
    const nginx = await apply({ replicas: 1 });
    const made = await until('the Deployment', deployment);
    expect(made.spec.replicas).toBe(1);
    expect(made.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'operator.example.com/v1alpha1',
        kind: 'NginxOperator',
        name: 'cluster',
        uid: nginx.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  test('AS3.b: a deleted Deployment comes back', async () => {
    const { uid } = (await deployment()).metadata;
    await api.delete('Deployment', 'cluster');
    const made = await until('another Deployment', async () => {
      const found = await deployment();
      return found !== undefined && found.metadata.uid !== uid ? found : undefined;
    });
    expect(made.spec.replicas).toBe(1);
  });

  test("AS3.c: a Deployment scaled by hand returns to the resource's value", async () => {
    await api.patch('Deployment', 'cluster', { spec: { replicas: 5 } });
    await until('1 replica again', async () => (await replicas()) === 1);
  });

  test('AS3.d: zero is a value, absent is not', async () => {
    await apply({ replicas: 0 });
    await until('0 replicas', async () => (await replicas()) === 0);
    await api.patch('NginxOperator', 'cluster', { spec: { replicas: null } });
    await until("the asset's 1 replica", async () => (await replicas()) === 1);
  });

  test('AS3.e: the port reaches the container', async () => {
    await apply({ replicas: 1, port: 8080 });
    await until(
      'port 8080',
      async () => (await deployment())?.spec.template.spec.containers[0].ports?.[0]?.containerPort === 8080,
    );
  });

  test('AS3.h: no hot loop: what is stable stays untouched, and the counter of reconciles stops', async () => {
    const total = async (): Promise<number> => {
      const text = await (await fetch(`${operator.metrics}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith('controller_runtime_reconcile_total{'));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    // The controller manager needs a moment to write the status of the last change.
    let [before, count] = [await deployment(), await total()];
    await until('two seconds without a change', async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const [now, counted] = [await deployment(), await total()];
      const quiet = now.metadata.resourceVersion === before.metadata.resourceVersion && counted === count;
      [before, count] = [now, counted];
      return quiet;
    });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(await total()).toBe(count);
    expect((await deployment()).metadata).toMatchObject({
      resourceVersion: before.metadata.resourceVersion,
      generation: before.metadata.generation,
    });
    expect(count).toBeGreaterThan(0);
  });

  test('AS3.g: the API server is killed and comes back: the operator goes on', async () => {
    const { pid } = operator.process;
    await plane.killApiServer('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await plane.restartApiServer();
    await apply({ replicas: 2 });
    await until('2 replicas', async () => (await replicas()) === 2, { timeout: 90_000 });
    expect(operator.process.exitCode).toBeNull();
    expect(operator.process.pid).toBe(pid);
  });

  test('AS3.g: a transient error is retried with back-off until it passes', async () => {
    const binding = await api.get('ClusterRoleBinding', 'manager-rolebinding');
    await api.delete('ClusterRoleBinding', 'manager-rolebinding');
    await apply({ replicas: 4 });
    const failures = () => operator.log().filter((line) => line['msg'] === 'Reconciler error');
    const earlier = failures().length;
    await until('a failed reconcile', () => failures().length > earlier + 1);
    delete binding.metadata.resourceVersion;
    delete binding.metadata.uid;
    delete binding.metadata.managedFields;
    delete binding.metadata.creationTimestamp;
    await api.apply(binding);
    await until('4 replicas', async () => (await replicas()) === 4, { timeout: 90_000 });
  });

  test('AS3.f: a deleted resource: reconcile is not called, the Deployment is garbage-collected', async () => {
    await api.delete('NginxOperator', 'cluster');
    await until('no Deployment', async () => (await deployment()) === undefined, { timeout: 90_000 });
    const applied = operator.log().filter((line) => line['msg'] === 'Deployment applied').length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(operator.log().filter((line) => line['msg'] === 'Deployment applied')).toHaveLength(applied);
  });

  test('SIGTERM drains and exits 0', async () => {
    expect(await operator.stop()).toBe(0);
  });
});

describe('development against a test control plane', () => {
  test('testenv run serves until it is interrupted, and leaves nothing', async () => {
    const file = join(scratch, 'kubeconfig');
    const child = spawn(
      process.execPath,
      ['node_modules/opsdk/bin/op-sdk.js', 'testenv', 'run', '--kubeconfig', file],
      {
        cwd: project,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let talk = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (talk += part));
    await until(
      'the control plane',
      () => talk.includes(`export KUBECONFIG=${file}`) || child.exitCode !== null,
    );
    expect(child.exitCode, talk).toBeNull();
    await using operator = await startOperator(project, file);
    await until('a live operator', async () => (await statusOf(`${operator.health}/healthz`)) === 200);
    await operator.stop();
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(file)).toBe(false);
  });
});
