// An operator that says in one condition how its last reconcile went.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  conditionsOf,
  defineController,
  isForbidden,
  isInvalid,
  isNotFound,
  type Condition,
  type ControllerClient,
  type ReconcileContext,
  type Stored,
} from '../../../../src/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ClusterRole, ClusterRoleBinding } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import type { KubeClient, ObjectKey } from '../../../../src/sdk/kube/index.ts';
import { eventually, type ControlPlane } from '../../../../src/testing/index.ts';
import { uniqueName, uniqueNamespace } from '../../../helpers/control-plane.ts';
import { runManager } from './running-manager.ts';
import { Site, startSitePlane } from './site.ts';
import { deploymentOf, slow } from './site-controller.ts';

let plane: ControlPlane;
let client: KubeClient;
beforeAll(async () => {
  ({ plane, client } = await startSitePlane());
});
afterAll(async () => {
  await client.close();
  await plane.stop();
});

type GetOperand = (own: ControllerClient, key: ObjectKey) => Promise<unknown>;

/** Keeps a Deployment for each Site. Whatever fails is in the condition and in what is thrown. */
function nginxController(name: string, getOperand: GetOperand = (own, key) => own.find(Deployment, key)) {
  const errors: unknown[] = [];
  const controller = defineController({
    name,
    for: Site,
    owns: [Deployment],
    backoff: { base: '10ms', cap: '500ms' },
    async reconcile(site, context) {
      try {
        await reconcile(site, context, getOperand);
      } catch (error) {
        errors.push(error);
        throw error;
      }
    },
  });
  return { controller, errors };
}

async function reconcile(
  site: Stored<Site>,
  { client: own, key }: ReconcileContext,
  getOperand: GetOperand,
): Promise<void> {
  const failures: unknown[] = [];
  const conditions = conditionsOf(site, ['OperatorDegraded']);
  const degraded = (reason: string, what: string, error: unknown): void => {
    failures.push(error);
    conditions.true('OperatorDegraded', reason, `${what}: ${(error as Error).message}`);
  };
  try {
    await getOperand(own, key);
    try {
      await own.apply(Deployment, deploymentOf(site));
      conditions.false('OperatorDegraded', 'OperatorSucceeded', 'operator successfully reconciling');
    } catch (error) {
      degraded('OperandDeploymentFailed', 'unable to update operand deployment', error);
    }
  } catch (error) {
    degraded('OperandDeploymentNotAvailable', 'unable to get operand deployment', error);
  }
  try {
    await own.applyStatus(Site, key, { conditions: conditions.toJSON() });
  } catch (error) {
    failures.push(error);
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} steps failed`);
}

const succeeded = {
  type: 'OperatorDegraded',
  status: 'False',
  reason: 'OperatorSucceeded',
  message: 'operator successfully reconciling',
};

async function conditionOf(key: ObjectKey): Promise<Condition> {
  const { status } = await client.get(Site, key);
  expect(status?.conditions).toHaveLength(1);
  return status?.conditions?.[0] as Condition;
}

/** Waits until the condition is so. */
function becomes(key: ObjectKey, expected: object): Promise<Condition> {
  return eventually(async () => {
    const condition = await conditionOf(key);
    expect(condition).toMatchObject(expected);
    return condition;
  }, slow);
}

/** Waits until a transition would have another time, which is in whole seconds. */
async function secondAfter({ lastTransitionTime }: Condition): Promise<void> {
  await eventually(() => Date.now() >= Date.parse(lastTransitionTime) + 1000, { interval: 20 });
}

async function setReplicas(key: ObjectKey, replicas: number): Promise<void> {
  await client.patch(Site, key, { type: 'merge', body: { spec: { replicas } } });
}

/** A user who may do this, and no more. */
async function userWith(
  rules: Rules,
): Promise<{ readonly kubeconfig: string; allow(rules: Rules): Promise<void> }> {
  const name = uniqueName('operator');
  const allow = async (now: Rules): Promise<void> => {
    await client.apply(ClusterRole, { metadata: { name }, rules: now });
  };
  await allow(rules);
  await client.apply(ClusterRoleBinding, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  });
  const { path } = await plane.userKubeconfig(name);
  return { kubeconfig: path, allow };
}

type Rules = { apiGroups: string[]; resources: string[]; verbs: string[] }[];
const mayReadSites = { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['list', 'watch'] };
const mayWriteStatus = { apiGroups: ['web.example.com'], resources: ['sites/status'], verbs: ['patch'] };
const mayOwnSites = { apiGroups: ['web.example.com'], resources: ['sites/finalizers'], verbs: ['update'] };
const mayUseDeployments = (...verbs: string[]) => ({
  apiGroups: ['apps'],
  resources: ['deployments'],
  verbs: ['list', 'watch', 'create', 'patch', ...verbs],
});

describe('the condition of an operator', () => {
  test('AS4.2: says that all is well, with all fields of a condition', async () => {
    const namespace = await uniqueNamespace(plane);
    const { controller, errors } = nginxController('healthy');
    await using running = await runManager(
      { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
      controller,
    );
    const key = { name: 'cluster', namespace };
    const before = Date.now() - 1000;
    await client.create(Site, { metadata: key, spec: { replicas: 1 } });
    await becomes(key, succeeded);
    const { status } = await client.get(Site, key);
    expect(status).toEqual({
      conditions: [
        {
          ...succeeded,
          observedGeneration: 1,
          lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
      ],
    });
    const since = Date.parse((await conditionOf(key)).lastTransitionTime);
    expect(since).toBeGreaterThanOrEqual(before);
    expect(since).toBeLessThanOrEqual(Date.now());
    expect(errors).toEqual([]);
    await running.stop();
  });

  test('AS4.3: says which operand write the API server refuses, and since when; its time changes with its status only', async () => {
    const namespace = await uniqueNamespace(plane);
    const { controller, errors } = nginxController('refused');
    await using running = await runManager(
      { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
      controller,
    );
    const key = { name: 'cluster', namespace };
    await client.create(Site, { metadata: key, spec: { replicas: 1 } });
    const well = await becomes(key, succeeded);

    await secondAfter(well);
    await setReplicas(key, -1);
    const failed = await becomes(key, { status: 'True', observedGeneration: 2 });
    const [error] = errors as AggregateError[];
    expect(error).toBeInstanceOf(AggregateError);
    expect(error?.errors).toEqual([expect.objectContaining({ status: 422 })]);
    const [refusal] = (error?.errors ?? []) as Error[];
    expect(refusal).toSatisfy(isInvalid);
    expect(refusal?.message).toMatch(/spec\.replicas: Invalid value: -1: must be greater than or equal to 0/);
    expect(failed).toMatchObject({
      reason: 'OperandDeploymentFailed',
      message: `unable to update operand deployment: ${refusal?.message}`,
    });
    expect(failed.lastTransitionTime > well.lastTransitionTime).toBe(true);

    // Still refused, for another value: news, but no transition.
    await secondAfter(failed);
    await setReplicas(key, -2);
    const still = await becomes(key, { observedGeneration: 3 });
    expect(still).toEqual({
      ...failed,
      observedGeneration: 3,
      message: expect.stringMatching(/Invalid value: -2: must be/),
    });

    await setReplicas(key, 2);
    const again = await becomes(key, { ...succeeded, observedGeneration: 4 });
    expect(again.lastTransitionTime > failed.lastTransitionTime).toBe(true);
    expect((await client.get(Deployment, key)).spec?.replicas).toBe(2);

    await secondAfter(again);
    await setReplicas(key, 3);
    expect(await becomes(key, { observedGeneration: 5 })).toEqual({ ...again, observedGeneration: 5 });
    await running.stop();
  });

  test('AS4.3: says that the API server forbids to get the operand, until it is permitted', async () => {
    const namespace = await uniqueNamespace(plane);
    const rules = [mayReadSites, mayWriteStatus, mayOwnSites];
    const user = await userWith([...rules, mayUseDeployments()]);
    const { controller, errors } = nginxController('forbidden', (own, key) => own.live.find(Deployment, key));
    await using running = await runManager(
      { kubeconfig: user.kubeconfig, namespaces: [namespace] },
      controller,
    );
    const key = { name: 'cluster', namespace };
    await client.create(Site, { metadata: key, spec: { replicas: 1 } });
    const failed = await becomes(key, { status: 'True' });
    const [refusal] = (errors[0] as AggregateError).errors as Error[];
    expect(refusal).toSatisfy(isForbidden);
    expect(refusal?.message).toMatch(/cannot get resource "deployments" in API group "apps"/);
    expect(failed).toMatchObject({
      reason: 'OperandDeploymentNotAvailable',
      message: `unable to get operand deployment: ${refusal?.message}`,
    });
    expect(await client.find(Deployment, key)).toBeUndefined();

    await secondAfter(failed);
    await user.allow([...rules, mayUseDeployments('get')]);
    // Nothing has changed but the permission: it is the retry that finds out.
    const well = await becomes(key, succeeded);
    expect(well.observedGeneration).toBe(1);
    expect(well.lastTransitionTime > failed.lastTransitionTime).toBe(true);
    expect((await client.get(Deployment, key)).spec?.replicas).toBe(1);
    await running.stop();
  });

  test('AS4.3: says that the operand is missing, until it is there', async () => {
    const namespace = await uniqueNamespace(plane);
    const { controller, errors } = nginxController('missing', (own, key) => own.get(Deployment, key));
    await using running = await runManager(
      { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
      controller,
    );
    const key = { name: 'cluster', namespace };
    const site = await client.create(Site, { metadata: key, spec: { replicas: 1 } });
    const failed = await becomes(key, { status: 'True' });
    const [absence] = (errors[0] as AggregateError).errors as Error[];
    expect(absence).toSatisfy(isNotFound);
    expect(failed).toMatchObject({
      reason: 'OperandDeploymentNotAvailable',
      message: `unable to get operand deployment: ${absence?.message}`,
    });
    expect(absence?.message).toMatch(/cluster.* not found/);

    await secondAfter(failed);
    await client.create(Deployment, deploymentOf(site));
    const well = await becomes(key, succeeded);
    expect(well.lastTransitionTime > failed.lastTransitionTime).toBe(true);
    await running.stop();
  });
});

test('AS4.4: a reconcile fails with the errors of the operand and of the status both, and is tried again', async () => {
  const namespace = await uniqueNamespace(plane);
  const rules = [mayReadSites, mayOwnSites, mayUseDeployments()];
  const user = await userWith(rules);
  const { controller, errors } = nginxController('both');
  await using running = await runManager(
    { kubeconfig: user.kubeconfig, namespaces: [namespace] },
    controller,
  );
  const key = { name: 'cluster', namespace };
  await client.create(Site, { metadata: key, spec: { replicas: -1 } });
  await eventually(() => errors.length >= 2, slow);
  for (const error of errors) {
    expect(error).toBeInstanceOf(AggregateError);
    const [operand, status, ...more] = (error as AggregateError).errors as Error[];
    expect(operand).toSatisfy(isInvalid);
    expect(status).toSatisfy(isForbidden);
    expect(status?.message).toMatch(/cannot patch resource "sites\/status"/);
    expect(more).toEqual([]);
  }
  const failures = running.lines.filter(({ level }) => level === 'error');
  expect(failures.slice(0, 2)).toMatchObject(
    [1, 2].map((attempt) => ({
      msg: 'Reconciler error',
      controller: 'both',
      namespace,
      name: 'cluster',
      attempt,
      retryAfter: expect.stringMatching(/^\d+m?s$/),
      error: {
        type: 'AggregateError',
        aggregateErrors: [
          { message: expect.stringContaining('spec.replicas: Invalid value: -1') },
          { message: expect.stringContaining('cannot patch resource "sites/status"') },
        ],
      },
    })),
  );
  expect((await client.get(Site, key)).status).toBeUndefined();

  // Nothing has changed but the permission: it is a retry that writes the status.
  await user.allow([...rules, mayWriteStatus]);
  await becomes(key, { status: 'True', reason: 'OperandDeploymentFailed', observedGeneration: 1 });
  await setReplicas(key, 1);
  await becomes(key, { ...succeeded, observedGeneration: 2 });
  await running.stop();
});

test.each([
  ['with spaces', 'Operand deployment failed'],
  ['that is empty', ''],
])('AS4.6: a reason %s is refused before anything is sent', async (_, reason) => {
  const namespace = await uniqueNamespace(plane);
  const controller = defineController({
    name: 'invalid-reason',
    for: Site,
    backoff: { base: '10ms', cap: '500ms' },
    async reconcile(site, { client: own, key }) {
      const conditions = conditionsOf(site, ['OperatorDegraded']).true(
        'OperatorDegraded',
        reason,
        'sentence',
      );
      await own.applyStatus(Site, key, { conditions: conditions.toJSON() });
    },
  });
  await using running = await runManager(
    { kubeconfig: plane.kubeconfig, namespaces: [namespace] },
    controller,
  );
  const key = { name: 'cluster', namespace };
  const { metadata } = await client.create(Site, { metadata: key, spec: {} });
  await eventually(() => {
    const failures = running.lines.filter(({ level }) => level === 'error');
    expect(failures.length).toBeGreaterThanOrEqual(2);
    for (const failure of failures) {
      expect(failure).toMatchObject({
        msg: 'Reconciler error',
        error: {
          findings: [
            {
              code: 'runtime/invalid-condition',
              message: `reason: expected CamelCase of 1 to 1024 characters, got ${JSON.stringify(reason)}`,
              where: { object: 'condition "OperatorDegraded"' },
            },
          ],
        },
      });
    }
  }, slow);
  // The server would have stored it: the CRD of this kind has no rules for it.
  const stored = await client.get(Site, key);
  expect(stored.status).toBeUndefined();
  expect(stored.metadata.resourceVersion).toBe(metadata.resourceVersion);
  await running.stop();
});
