// What the operator of the tutorial says of itself, from the packed tarball: conditions, OLM's OperatorCondition, metrics and probes; and two
// replicas of it, of which one works.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { apiOf, until } from '../../scripts/lib/api.mjs';
import { root, run } from '../../scripts/lib/run.mjs';
import { startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { startOperator, statusOf, type OperatorProcess } from '../helpers/operator-process.ts';
import { copyNginxProject } from '../helpers/shared-projects.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** The definitions of OLM v0. */
const olmCrds = join(root, '../shared/data/olm/v0-crds.yaml');
const role = 'manager-role';
const apiVersion = 'operator.example.com/v1alpha1';
const crdFile = 'config/crd/bases/operator.example.com_nginxoperators.yaml';
const typesFile = 'src/api/operator/v1alpha1/nginx-operator.ts';

let scratch: string;
let project: string;
let plane: ControlPlane;
let api: ReturnType<typeof apiOf>;
let kubeconfig: string;
let first: OperatorProcess;
/** The one that works on after the first was killed. */
let operator: OperatorProcess;

const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const edit = (path: string, from: string | RegExp, to: string): void => {
  const before = read(path);
  expect(before).toMatch(from);
  writeFileSync(
    join(project, path),
    before.replace(from, () => to),
  );
};
async function must(file: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(file, args, { cwd: project, capture: 'all' });
  expect(code, output).toBe(0);
}
const generate = () => must('node_modules/.bin/op-sdk', 'generate', 'manifests');

const nginx = (name: string, spec: object) =>
  api.apply({ apiVersion, kind: 'NginxOperator', metadata: { name, namespace: 'default' }, spec });
const conditionsOf = async (name: string): Promise<readonly Condition[]> =>
  (await api.get('NginxOperator', name))?.status?.conditions ?? [];
/** Waits for the condition OperatorDegraded of an object. */
const degraded = (name: string, expected: Partial<Condition>): Promise<Condition> =>
  until(`${JSON.stringify(expected)} of ${name}`, async () => {
    const [condition] = await conditionsOf(name);
    const isSo = Object.entries(expected).every(([key, value]) =>
      condition?.[key as keyof Condition].startsWith(value),
    );
    return condition !== undefined && isSo ? condition : undefined;
  });
/** Waits until a transition would have another time, which is in whole seconds. */
const secondAfter = ({ lastTransitionTime }: Condition): Promise<unknown> =>
  until('the next second', () => Date.now() >= Date.parse(lastTransitionTime) + 1000, { interval: 20 });

const succeeded = {
  status: 'False',
  reason: 'OperatorSucceeded',
  message: 'operator successfully reconciling',
};
const failures = (of: OperatorProcess, name: string) =>
  of.log().filter((line) => line['msg'] === 'Reconciler error' && line['name'] === name);
const errorOf = (line: Record<string, unknown> | undefined) => line?.['error'] as Record<string, unknown>;

/** Takes a verb of a resource out of the operator's role. @returns what puts it back */
async function withoutVerb(resource: string, verb: string): Promise<() => Promise<unknown>> {
  const { rules } = (await api.get('ClusterRole', role)) as { readonly rules: readonly Rule[] };
  const less = rules.map((rule) =>
    rule.resources.includes(resource) ? { ...rule, verbs: rule.verbs.filter((each) => each !== verb) } : rule,
  );
  expect(less).not.toEqual(rules);
  // A rule without verbs is none.
  await api.patch('ClusterRole', role, { rules: less.filter(({ verbs }) => verbs.length > 0) });
  return () => api.patch('ClusterRole', role, { rules });
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-nginx-status-'));
  project = join(scratch, 'nginx-operator');
  await copyNginxProject(project);
  cpSync(join(root, 'test/fixtures/nginx-tutorial'), project, { recursive: true });
  edit(
    'src/main.ts',
    "import { nginxOperatorController } from './controllers/operator/nginx-operator.ts'",
    "import { checkFile, nginxOperatorController } from './controllers/operator/tutorial.ts'",
  );
  edit(
    'src/main.ts',
    '  await manager.run(',
    `  manager.addHealthzCheck('file', checkFile);
  manager.addReadyzCheck('file', checkFile);
  await manager.run(`,
  );
  await generate();
  await must('npm', 'run', '--silent', 'build');
  plane = await startControlPlane({ crds: [join(project, 'config/crd/bases')] });
  api = apiOf(plane);
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'system' } });
  const files = ['service_account', 'role', 'role_binding', 'leader_election_role'];
  for (const file of [...files, 'leader_election_role_binding'])
    await api.applyFile(join(project, `config/rbac/${file}.yaml`));
  kubeconfig = (await plane.serviceAccountKubeconfig('system', 'controller-manager')).path;
});

afterAll(async () => {
  await first?.stop();
  await operator?.stop();
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('AS7: leader election and health', () => {
  const env = { POD_NAMESPACE: 'default' };
  const leads = (of: OperatorProcess) => of.log().some(({ msg }) => msg === 'Became the leader');
  let killed: Promise<unknown> = Promise.resolve();

  test('AS7.a: of two replicas one works, with the Lease that main.ts names', async () => {
    first = await startOperator(project, kubeconfig, ['--leader-elect'], env);
    await until('the leader', () => leads(first));
    operator = await startOperator(project, kubeconfig, ['--leader-elect'], env);
    await until('readyz', async () => (await statusOf(`${operator.health}/readyz`)) === 200);
    await nginx('cluster', { replicas: 1 });
    await degraded('cluster', succeeded);
    expect(leads(operator)).toBe(false);
    const [, id = ''] = /flags\.leaderElect && \{ id: '([^']+)'/.exec(read('src/main.ts')) ?? [];
    expect((await api.get('Lease', id)).spec).toMatchObject({ leaseDurationSeconds: 15 });
    killed = new Promise((resolve) => first.process.once('exit', resolve));
    first.process.kill('SIGKILL');
  });

  test('AS7.c: /healthz and /readyz answer 200, 500 while a check fails, and 200 again', async () => {
    const answers = () =>
      Promise.all(['healthz', 'readyz'].map((path) => statusOf(`${operator.health}/${path}`)));
    expect(await answers()).toEqual([200, 200]);
    writeFileSync(join(project, 'unhealthy'), '');
    expect(await answers()).toEqual([500, 500]);
    rmSync(join(project, 'unhealthy'));
    expect(await answers()).toEqual([200, 200]);
  });

  test('AS4.1: conditions become a list of metav1.Condition in the status, required where the type says so', async () => {
    const statusNow = () => {
      const { versions } = parse(read(crdFile)).spec;
      return versions[0].schema.openAPIV3Schema.properties.status;
    };
    const { properties, required } = statusNow();
    expect(properties.conditions).toMatchObject({
      description: 'Conditions is the list of status condition updates',
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'] },
    });
    expect(required).toBeUndefined();
    edit(typesFile, 'conditions?: ListMap', 'conditions: ListMap');
    await generate();
    expect(statusNow().required).toEqual(['conditions']);
  });

  test('AS7.a: the other one takes over after the first was killed', async () => {
    await killed;
    await nginx('cluster', { replicas: 2 });
    await until('the other leader', () => leads(operator));
    await until('its reconcile', async () => (await api.get('Deployment', 'cluster')).spec.replicas === 2);
  });
});

describe('AS4: status conditions', () => {
  test('AS4.2: a healthy object has OperatorDegraded, False, with the sentence of the tutorial', async () => {
    await nginx('healthy', { replicas: 1 });
    await degraded('healthy', succeeded);
    expect(await conditionsOf('healthy')).toEqual([
      {
        type: 'OperatorDegraded',
        ...succeeded,
        observedGeneration: 1,
        lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
  });

  test('AS4.3: a Deployment that cannot be read, then one that cannot be updated, and the recovery', async () => {
    const well = await degraded('healthy', succeeded);
    await secondAfter(well);
    const putBack = await withoutVerb('deployments', 'get');
    await nginx('healthy', { replicas: -1 });
    const unread = await degraded('healthy', {
      status: 'True',
      reason: 'OperandDeploymentNotAvailable',
      message: 'unable to get operand deployment: ',
    });
    expect(unread.message).toContain('cannot get resource "deployments"');
    expect(unread.lastTransitionTime > well.lastTransitionTime).toBe(true);
    await secondAfter(unread);
    await putBack();
    const failed = await degraded('healthy', {
      status: 'True',
      reason: 'OperandDeploymentFailed',
      message: 'unable to update operand deployment: ',
    });
    expect(failed.message).toContain('spec.replicas: Invalid value: -1: must be greater than or equal to 0');
    expect(failed.lastTransitionTime).toBe(unread.lastTransitionTime);
    await nginx('healthy', { replicas: 1, port: 99_999 });
    await degraded('healthy', { reason: 'OperandDeploymentFailed' });
    await until('the refused port', async () =>
      (await conditionsOf('healthy'))[0]?.message.includes('must be between 1 and 65535, inclusive'),
    );
    await nginx('healthy', { replicas: 1, port: 8080 });
    const recovered = await degraded('healthy', succeeded);
    expect(recovered.lastTransitionTime > failed.lastTransitionTime).toBe(true);
  });

  test('AS4.4: both errors are thrown as one, and the object is reconciled again', async () => {
    const putBack = await withoutVerb('nginxoperators/status', 'patch');
    await nginx('both', { replicas: -1 });
    await until('two attempts', () => failures(operator, 'both').length >= 2);
    expect(failures(operator, 'both').slice(0, 2)).toMatchObject(
      [1, 2].map((attempt) => ({
        attempt,
        error: {
          type: 'AggregateError',
          aggregateErrors: [
            { message: expect.stringContaining('spec.replicas: Invalid value: -1') },
            { message: expect.stringContaining('cannot patch resource "nginxoperators/status"') },
          ],
        },
      })),
    );
    await putBack();
    await degraded('both', { status: 'True', reason: 'OperandDeploymentFailed' });
  });

  test('AS4.5: no status is written for an object that was deleted meanwhile, and no error is logged', async () => {
    await nginx('gone', { forceRedploy: 'deleted meanwhile' });
    await until('the end of the object', async () => (await api.get('NginxOperator', 'gone')) === undefined);
    // Objects are reconciled one after the other: what this one has to say comes after the other.
    await nginx('after', {});
    await degraded('after', succeeded);
    expect(failures(operator, 'gone')).toEqual([]);
    expect(operator.log().filter(({ level, name }) => level === 'error' && name === 'gone')).toEqual([]);
  });

  test('AS4.6: a reason with spaces is refused before it is sent', async () => {
    await nginx('spaces', { forceRedploy: 'an invalid reason' });
    await until('the refusal', () => failures(operator, 'spaces').length > 0);
    const refused = 'reason: expected CamelCase of 1 to 1024 characters, got "Operator Succeeded"';
    expect(await degraded('spaces', { status: 'True', reason: 'OperandDeploymentFailed' })).toMatchObject({
      message: expect.stringContaining(refused),
    });
  });
});

describe('AS3.i: a stale update', () => {
  test('AS3.i: of the Deployment is a conflict, which is tried again', async () => {
    const conflicts = () => operator.log().filter(({ msg }) => msg === 'Conflict; reconciling again');
    let count = 0;
    await until(
      'a conflict',
      async () => {
        // Each is a change between the operator's read and its update, or one that makes it reconcile.
        const annotations = { touched: String((count += 1)) };
        await api.patch('Deployment', 'cluster', { metadata: { annotations } });
        return conflicts().length > 0;
      },
      { interval: 0 },
    );
    expect(conflicts()[0]).toMatchObject({
      level: 'info',
      reason: expect.stringContaining('the object has been modified'),
    });
    await nginx('cluster', { replicas: 3 });
    await until('3 replicas', async () => (await api.get('Deployment', 'cluster')).spec.replicas === 3);
  });
});

describe('AS6: metrics', () => {
  const metrics = async (): Promise<string> => (await fetch(`${operator.metrics}/metrics`)).text();
  const sum = (text: string, name: string): number =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);

  test("AS6.1: the tutorial's counter is served, and counts what the runtime counts", async () => {
    const before = sum(await metrics(), 'reconciles_total');
    await nginx('counted', {});
    await degraded('counted', succeeded);
    const text = await until('a moment without a reconcile', async () => {
      const now = await metrics();
      const isSame = sum(now, 'reconciles_total') === sum(now, 'controller_runtime_reconcile_total');
      return isSame ? now : undefined;
    });
    expect(text).toContain(
      '# HELP reconciles_total Number of total reconciliation attempts\n# TYPE reconciles_total counter\n',
    );
    expect(sum(text, 'reconciles_total')).toBeGreaterThan(before);
  });

  test('AS6.2: rate, errors and duration; a reconcile that fails is an error', async () => {
    const before = await metrics();
    for (const [name, type] of Object.entries({
      controller_runtime_reconcile_total: 'counter',
      controller_runtime_reconcile_errors_total: 'counter',
      controller_runtime_reconcile_time_seconds: 'histogram',
    }))
      expect(before).toContain(`# TYPE ${name} ${type}\n`);
    const errors = (text: string) => sum(text, 'controller_runtime_reconcile_errors_total');
    // That of AS4.6 fails again and again, with a second between.
    await until('another error', async () => errors(await metrics()) > errors(before));
  });
});

describe('AS5: the OperatorCondition', () => {
  const name = 'nginx-operator.v0.0.1';
  const env = { OPERATOR_CONDITION_NAME: name, POD_NAMESPACE: 'default' };
  const reports = (of: OperatorProcess) =>
    of.log().flatMap((line) => (line['msg'] === 'Reported to OLM' ? [line['upgradeable']] : []));

  test('AS5: without OLM it is a clear error, and no crash', async () => {
    await nginx('alone', { forceRedploy: 'without OLM' });
    const error = await until('the error', () => errorOf(failures(operator, 'alone')[0]));
    expect(JSON.stringify(error)).toContain('runtime/no-operator-condition');
    expect(JSON.stringify(error)).toContain('OPERATOR_CONDITION_NAME');
    expect(await statusOf(`${operator.health}/healthz`)).toBe(200);
    await api.delete('NginxOperator', 'alone');
  });

  test.skipIf(!existsSync(olmCrds))(
    'AS5: under OLM Upgradeable is True, and what an administrator sets overrides it',
    async () => {
      const crd = parseAllDocuments(readFileSync(olmCrds, 'utf8'))
        .map((document) => document.toJS())
        .find(({ metadata }) => metadata.name === 'operatorconditions.operators.coreos.com');
      await api.apply(crd);
      const key = { name, namespace: 'default' };
      await until('the OperatorCondition', () =>
        api
          .apply({
            apiVersion: 'operators.coreos.com/v2',
            kind: 'OperatorCondition',
            metadata: key,
            spec: {},
          })
          .catch(() => undefined),
      );
      // As OLM grants it.
      const rule = { apiGroups: ['operators.coreos.com'], resources: ['operatorconditions'] };
      const { rules } = await api.get('ClusterRole', role);
      const more = { ...rule, resourceNames: [name], verbs: ['get', 'update', 'patch'] };
      await api.patch('ClusterRole', role, { rules: [...rules, more] });
      expect(await operator.stop()).toBe(0);
      await using underOlm = await startOperator(project, kubeconfig, [], env);
      const own = await until('the report', () => reports(underOlm)[0]);
      const upgradeable = {
        ...{ type: 'Upgradeable', status: 'True', reason: 'OperatorUpgradeable' },
        message: 'The operator is upgradeable',
      };
      expect(own).toMatchObject({ ...upgradeable, overridden: false });
      expect((await api.get('OperatorCondition', name)).spec.conditions).toMatchObject([upgradeable]);

      const overrides = [{ type: 'Upgradeable', status: 'False', reason: 'Frozen', message: 'by hand' }];
      await api.patch('OperatorCondition', name, { spec: { overrides } });
      await nginx('cluster', { replicas: 1 });
      await until('the override', () =>
        reports(underOlm).some((each) => (each as { readonly overridden: boolean }).overridden),
      );
      expect(reports(underOlm).at(-1)).toMatchObject({ ...overrides[0], overridden: true });
      expect(await underOlm.stop()).toBe(0);
    },
  );
});
