// `op-sdk doctor` on a real API server, along the life of an operator: before it is deployed, while it fails, when it works.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../src/sdk/api/index.ts';
import type { CheckResult } from '../../../src/cluster/doctor/diagnose.ts';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { treeOf } from '../../helpers/tree.ts';
import { clientOf } from './helpers.ts';

let plane: SharedControlPlane;
let client: KubeClient;
let scratch: string;
let project: string;
/** Every name on the cluster is made of these two. */
const name = uniqueName('doctor');
const group = `cache.${name}.example.com`;
const namespace = `${name}-system`;
const image = 'registry.example.com/cache:v1';

beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'opsdk-doctor-')));
  project = join(scratch, name);
  mkdirSync(project);
  await opSdk('init', '--domain', `${name}.example.com`, '--skip-install', '--opsdk', '^0.1.0');
  await opSdk('create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Redis');
  await opSdk('kustomize', 'edit', 'set', 'image', `controller=${image}`, '--dir', 'config/manager');
});
afterAll(async () => {
  await opSdk('undeploy', '--kubeconfig', plane.kubeconfig, '--yes');
  await client.close();
  rmSync(scratch, { recursive: true });
});

async function opSdk(...argv: readonly string[]): Promise<void> {
  const run = await runCli(argv, { cwd: project, env: process.env });
  expect(run.code, `${argv.join(' ')}\n${run.stdout}${run.stderr}`).toBe(0);
}

/** The results by check. */
async function doctor(
  kubeconfig = plane.kubeconfig,
): Promise<{ readonly code: number; readonly checks: Record<string, CheckResult> }> {
  const run = await runCli(['doctor', '-o', 'json', '--kubeconfig', kubeconfig], {
    cwd: project,
    env: { ...process.env, HOME: scratch },
  });
  const { result } = JSON.parse(run.stdout) as { result: { checks: CheckResult[] } };
  return { code: run.code, checks: Object.fromEntries(result.checks.map((check) => [check.name, check])) };
}

/** The administrator's kubeconfig, in which somebody else is impersonated. */
function kubeconfigAs(user: string, groups: readonly string[] = []): string {
  const config = load(plane.kubeconfigText) as { users: { user: Record<string, unknown> }[] };
  for (const entry of config.users) Object.assign(entry.user, { as: user, 'as-groups': groups });
  const file = join(scratch, `as-${user}`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}

async function operatorPod(): Promise<Pod> {
  return eventually(
    async () => {
      const { items } = await client.list(Pod, { namespace });
      return items.find(({ metadata }) => metadata.deletionTimestamp === undefined) ?? false;
    },
    { timeout: 60_000 },
  );
}

/** What a kubelet would write. */
async function setPodStatus(status: Record<string, unknown>): Promise<void> {
  const { metadata } = await operatorPod();
  const key = { name: metadata.name ?? '', namespace };
  await client.patch(Pod, key, { type: 'merge', body: { status } }, { subresource: 'status' });
}

const container = (status: Record<string, unknown>): Record<string, unknown> => ({
  containerStatuses: [
    { name: 'manager', image, imageID: '', ready: false, restartCount: 0, lastState: {}, ...status },
  ],
});

// One operator, whose tests are stages of its life: each begins where the one before ended.
describe.sequential('an operator', () => {
  test('that is not there yet', async () => {
    const { code, checks } = await doctor();
    expect(code).toBe(1);
    expect(checks).toMatchObject({
      cluster: { status: 'ok', message: expect.stringContaining(plane.url) },
      'server-version': { status: 'ok', message: `Kubernetes v${plane.version}` },
      permissions: { status: 'ok', message: expect.stringContaining('customresourcedefinitions') },
      image: { status: 'ok', message: image },
      crds: { status: 'problem', code: 'cluster/crd-not-installed', fix: ['run `op-sdk install`'] },
      monitoring: { status: 'ok' },
      'cert-manager': { status: 'ok' },
      kinds: { status: 'ok' },
      operator: { status: 'warning', code: 'cluster/not-deployed' },
      'custom-resources': { status: 'skipped' },
      olm: { status: 'ok', message: expect.stringContaining('not installed') },
    });
  });

  test('that is deployed, but finds no node', async () => {
    await opSdk('deploy', '--no-wait', '--kubeconfig', plane.kubeconfig);
    await operatorPod();
    const { checks } = await doctor();
    expect(checks).toMatchObject({
      crds: { status: 'ok', message: expect.stringContaining(`redises.${group}`) },
      operator: { status: 'problem', code: 'cluster/operator-not-ready' },
      'custom-resources': { status: 'warning', code: 'cluster/no-custom-resource' },
    });
    expect(checks['operator']?.message).toContain('waits to be scheduled on a node');
  });

  test('whose image cannot be pulled', async () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image' };
    await setPodStatus(container({ state: { waiting } }));
    const { code, checks } = await doctor();
    expect(code).toBe(1);
    expect(checks['operator']).toMatchObject({
      status: 'problem',
      code: 'cluster/image-not-pulled',
      message: expect.stringContaining(`ImagePullBackOff of ${image}: Back-off pulling image`),
    });
    expect(checks['operator']?.fix?.join()).toContain('docker-push');
  });

  test('that crashes, with its last words', async () => {
    const terminated = { exitCode: 1, reason: 'Error', message: 'the Secret api-key does not exist\n' };
    await setPodStatus(
      container({
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated },
        restartCount: 4,
      }),
    );
    expect((await doctor()).checks['operator']).toMatchObject({
      status: 'problem',
      code: 'cluster/operator-crashes',
      message: expect.stringContaining('exit code 1: the Secret api-key does not exist'),
      fix: [expect.stringMatching(`^kubectl logs -n ${namespace} .* --previous$`)],
    });
  });

  test('that runs and has something to do', async () => {
    const now = new Date().toISOString();
    const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: now });
    await setPodStatus({
      phase: 'Running',
      conditions: [condition('Ready'), condition('ContainersReady')],
      ...container({ ready: true, state: { running: { startedAt: now } } }),
    });
    const key = { name: `${name}-controller-manager`, namespace };
    await eventually(async () => (await client.get(Deployment, key)).status?.availableReplicas === 1, {
      timeout: 60_000,
    });
    const redis = externalResource<KubeObject & { spec: object }>({
      group,
      version: 'v1',
      kind: 'Redis',
      plural: 'redises',
      scope: 'Namespaced',
    });
    await client.create(redis, { metadata: { name: 'sample', namespace }, spec: {} });
    const { checks } = await doctor();
    expect(checks).toMatchObject({
      crds: { status: 'ok' },
      operator: { status: 'ok', message: `Deployment ${namespace}/${name}-controller-manager is ready` },
      'custom-resources': { status: 'ok', message: 'there are objects of Redis' },
    });
    await client.delete(redis, { name: 'sample', namespace });
  });

  test('whose controller uses a version that is not served any more', async () => {
    const key = { name: `redises.${group}` };
    const { spec } = await client.get(CustomResourceDefinition, key);
    const [v1] = spec.versions;
    if (v1 === undefined) throw new Error('the CRD has no version');
    const versions = [
      { ...v1, name: 'v2', storage: false },
      { ...v1, served: false },
    ];
    await client.patch(CustomResourceDefinition, key, { type: 'merge', body: { spec: { versions } } });
    expect((await doctor()).checks['crds']).toMatchObject({
      status: 'problem',
      code: 'cluster/version-not-served',
      message: expect.stringContaining(`reconciles ${group}/v1 Redis, but the cluster serves only v2`),
    });
    await opSdk('install', '--kubeconfig', plane.kubeconfig);
    expect((await doctor()).checks['crds']).toMatchObject({ status: 'ok' });
  });
});

describe('what the cluster lacks', () => {
  function withResource(
    line: string,
    file?: { readonly path: string; readonly content: string },
  ): () => void {
    const path = join(project, 'config/default/kustomization.yaml');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace('- ../manager\n', `- ../manager\n${line}\n`));
    if (file !== undefined) writeFileSync(join(project, file.path), file.content);
    return () => {
      writeFileSync(path, before);
      if (file !== undefined) rmSync(join(project, file.path));
    };
  }

  test('the Prometheus Operator', async () => {
    const undo = withResource('- ../prometheus');
    const { checks } = await doctor();
    undo();
    expect(checks['monitoring']).toMatchObject({
      status: 'warning',
      code: 'cluster/monitoring-left-out',
      message: expect.stringContaining('ServiceMonitor'),
    });
    expect(checks['kinds']).toMatchObject({ status: 'ok' });
  });

  test.each([
    ['cert-manager.io/v1', 'Certificate', 'cert-manager'],
    ['example.org/v7', 'Gadget', 'kinds'],
  ])('%s %s', async (apiVersion, kind, check) => {
    const content = JSON.stringify({ apiVersion, kind, metadata: { name: 'x' } });
    const undo = withResource('- more.yaml', { path: 'config/default/more.yaml', content });
    const { checks } = await doctor();
    undo();
    expect(checks[check]).toMatchObject({ status: 'problem', code: 'cluster/kind-not-served' });
    expect(checks[check]?.message).toContain(kind);
  });
});

describe('who asks', () => {
  test('may lack permissions: every one is named, and the rest is still looked at', async () => {
    const { code, checks } = await doctor(kubeconfigAs(uniqueName('nobody')));
    expect(code).toBe(1);
    expect(checks['permissions']).toMatchObject({ status: 'problem', code: 'cluster/not-permitted' });
    expect(checks['permissions']?.message).toContain('create customresourcedefinitions.apiextensions.k8s.io');
    expect(checks['permissions']?.message).toContain(`patch deployments.apps in ${namespace}`);
    expect(checks['server-version']).toMatchObject({ status: 'ok' });
    expect(checks['custom-resources']).toMatchObject({ status: 'skipped' });
  });

  test('changes nothing by asking, here or there', async () => {
    const user = uniqueName('reader');
    const before = treeOf(project);
    await doctor(kubeconfigAs(user, ['system:masters']));
    expect(treeOf(project)).toEqual(before);
    interface AuditEvent {
      readonly verb: string;
      readonly impersonatedUser?: { readonly username: string };
      readonly objectRef?: { readonly resource?: string };
    }
    const events = await eventually(() => {
      const lines = readFileSync(plane.auditLog ?? '', 'utf8').split('\n');
      const own = lines.filter((line) => line.includes(user)).map((line) => JSON.parse(line) as AuditEvent);
      const of = own.filter(({ impersonatedUser }) => impersonatedUser?.username === user);
      return of.length > 10 && of;
    });
    const changing = events.filter(
      ({ verb, objectRef }) =>
        !['get', 'list', 'watch'].includes(verb) && objectRef?.resource !== 'selfsubjectaccessreviews',
    );
    expect(changing).toEqual([]);
  });
});
