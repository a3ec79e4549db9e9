// What an operator tells OLM, with OLM's own CustomResourceDefinition and the permissions that OLM grants.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createClusterClient,
  createManager,
  defineController,
  externalResource,
  loadCluster,
  operatorCondition,
  type ClusterClient,
  type Condition,
  type KubeObject,
  type Manager,
} from '../../../../src/index.ts';
import { Role, RoleBinding } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { applyCrds } from '../../../../src/testing/crds/apply-crds.ts';
import { readCrdFiles } from '../../../../src/testing/manifest-files.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { uniqueName, uniqueNamespace } from '../../../helpers/control-plane.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { memoryLog } from '../../../unit/sdk/runtime/memory-log.ts';

const crds = fileURLToPath(new URL('../../../../../shared/data/olm/v0-crds.yaml', import.meta.url));

interface OperatorCondition extends KubeObject<'operators.coreos.com/v2', 'OperatorCondition'> {
  spec?: {
    conditions?: Condition[];
    overrides?: Omit<Condition, 'lastTransitionTime'>[];
    deployments?: string[];
  };
}
const OperatorCondition = externalResource<OperatorCondition>({
  group: 'operators.coreos.com',
  version: 'v2',
  kind: 'OperatorCondition',
  plural: 'operatorconditions',
  scope: 'Namespaced',
});
const ConfigMap = externalResource({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});

const old = '2020-01-02T03:04:05Z';
const success = { reason: 'OperatorUpgradeable', message: 'The operator is upgradeable' };

describe.skipIf(!existsSync(crds))('AS5: the OperatorCondition of an operator under OLM', () => {
  let plane: ControlPlane;
  let client: ClusterClient;
  let folder: string;
  let namespace: string;
  let name: string;
  let kubeconfig: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'opsdk-condition-'));
    plane = await startControlPlane({ controllerManager: true });
    const all = await readCrdFiles([crds]);
    await applyCrds(
      plane,
      all.filter(({ crd }) => crd.metadata.name === 'operatorconditions.operators.coreos.com'),
    );
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    client = createClusterClient({ cluster, fieldManager: 'olm' });
  }, 120_000);
  afterAll(async () => {
    await client.close();
    await plane.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    namespace = await uniqueNamespace(plane);
    name = uniqueName('nginx-operator.v');
    kubeconfig = join(folder, name);
    const account = 'operator';
    // The Role and its binding as OLM creates them for the accounts of an operator.
    await client.create(Role, {
      metadata: { name, namespace },
      rules: [
        {
          apiGroups: ['operators.coreos.com'],
          resources: ['operatorconditions'],
          resourceNames: [name],
          verbs: ['get', 'update', 'patch'],
        },
      ],
    });
    await client.create(RoleBinding, {
      metadata: { name, namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    });
    const token = await serviceAccountToken(client, namespace, [], account);
    writeFileSync(kubeconfig, tokenKubeconfig(plane, token));
    vi.stubEnv('OPERATOR_CONDITION_NAME', name);
    vi.stubEnv('POD_NAMESPACE', namespace);
  });
  afterEach(() => vi.unstubAllEnvs());

  const createCondition = async (spec: NonNullable<OperatorCondition['spec']> = {}): Promise<void> =>
    void (await client.create(OperatorCondition, { metadata: { name, namespace }, spec }));
  const specNow = async () => (await client.get(OperatorCondition, { name, namespace })).spec;
  const startManager = async (): Promise<Manager> =>
    createManager({ name: 'condition-test', kubeconfig, log: memoryLog().log, health: '0' });

  test('a condition is set beside others; its time moves with its status only, and nothing is written twice', async () => {
    const other: Condition = {
      type: 'Other',
      status: 'True',
      reason: 'R',
      message: 'm',
      lastTransitionTime: old,
    };
    await createCondition({
      conditions: [{ ...other, type: 'Upgradeable', status: 'True' }, other],
      deployments: ['nginx'],
    });
    await using manager = await startManager();
    const condition = operatorCondition(manager.client);
    expect(condition.available).toBe(true);
    await condition.set('Upgradeable', 'True', success.reason, success.message);
    const first = { type: 'Upgradeable', status: 'True', ...success };
    expect(await specNow()).toEqual({
      conditions: [{ ...first, lastTransitionTime: old }, other],
      deployments: ['nginx'],
    });
    const { metadata } = await client.get(OperatorCondition, { name, namespace });
    await condition.set('Upgradeable', 'True', success.reason, success.message);
    const unchanged = await client.get(OperatorCondition, { name, namespace });
    expect(unchanged.metadata.resourceVersion).toBe(metadata.resourceVersion);

    await condition.set('Upgradeable', 'False', 'OperatorBusy', 'a migration is under way');
    const changed = (await specNow())?.conditions?.[0];
    expect(changed).toMatchObject({
      status: 'False',
      reason: 'OperatorBusy',
      message: 'a migration is under way',
    });
    expect(Date.parse(changed?.lastTransitionTime ?? '')).toBeGreaterThan(Date.parse(old));
    expect(await condition.get('Upgradeable')).toEqual({ ...changed, overridden: false });
    expect((await specNow())?.conditions?.[1]).toEqual(other);
  });

  test('what an administrator has overridden is what counts; the operator leaves it alone', async () => {
    const override = { type: 'Upgradeable', status: 'True', reason: 'Forced', message: 'by hand' } as const;
    await createCondition({ overrides: [override] });
    await using manager = await startManager();
    const condition = operatorCondition(manager.client);
    expect(await condition.get('Other')).toBeUndefined();
    await condition.set('Upgradeable', 'False', 'OperatorBusy');
    expect(await condition.get('Upgradeable')).toEqual({ ...override, overridden: true });
    expect(await specNow()).toMatchObject({
      overrides: [override],
      conditions: [{ type: 'Upgradeable', status: 'False', reason: 'OperatorBusy', message: '' }],
    });
  });

  test('a reconcile sets it, while another writes the object too', async () => {
    await createCondition();
    const { log } = memoryLog();
    const manager = await createManager({
      name: 'condition-test',
      kubeconfig: plane.kubeconfig,
      namespaces: [namespace],
      log,
      health: '0',
    });
    manager.add(
      defineController({
        name: 'upgradeable',
        for: ConfigMap,
        concurrency: 4,
        reconcile: ({ metadata }, ctx) => {
          const type = metadata.name.startsWith('x') ? metadata.name.toUpperCase() : 'Upgradeable';
          return operatorCondition(ctx.client).set(type, 'True', success.reason, success.message);
        },
      }),
    );
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    for (const each of ['a', 'x1', 'x2', 'x3'])
      await client.create(ConfigMap, { metadata: { name: each, namespace } });
    await eventually(
      async () => {
        const types = (await specNow())?.conditions?.map(({ type }) => type).sort();
        expect(types).toEqual(['Upgradeable', 'X1', 'X2', 'X3']);
      },
      { timeout: 60_000 },
    );
    expect((await specNow())?.conditions?.find(({ type }) => type === 'Upgradeable')).toMatchObject(success);
    stop.abort();
    await ended;
  });

  test('an object that OLM has not created yet is an error of the API server', async () => {
    await using manager = await startManager();
    const condition = operatorCondition(manager.client);
    await expect(condition.set('Upgradeable', 'True', 'R')).rejects.toThrow(
      `operatorconditions.operators.coreos.com`,
    );
    await expect(condition.get('Upgradeable')).rejects.toMatchObject({ reason: 'NotFound' });
  });
});
