// `op-sdk run --as-service-account`: the operator here has the rights that it has in the cluster. It runs dist/: build it first.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../src/sdk/api/index.ts';
import { OperatorIdentity, bringAccess } from '../../src/cluster/identity/operator-identity.ts';
import { operatorAccess } from '../../src/cluster/identity/operator-access.ts';
import { ConfigMap, Namespace, Secret } from '../../src/sdk/k8s/generated/core/v1.ts';
import { ClusterRole } from '../../src/sdk/k8s/generated/rbac/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../src/sdk/kube/index.ts';
import { eventually } from '../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../helpers/control-plane.ts';
import { edit, scaffoldProject, startDev } from '../helpers/dev-process.ts';
import { runCli } from '../helpers/run-cli.ts';
import { clientOf, findingsOf, manifest } from '../control-plane/cluster/helpers.ts';

const quiet = ['--', '--metrics-bind-address=0', '--health-probe-bind-address=0'];

let plane: SharedControlPlane;
let client: KubeClient;
let scratch: string;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-account-'));
});
afterAll(async () => {
  await client.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('op-sdk run --as-service-account', () => {
  test('a missing rule is forbidden, with the rule as the fix; with the rule the operator works', async () => {
    const name = uniqueName('sa');
    const project = join(scratch, name);
    await scaffoldProject(project, { group: name, name });
    const controller = `src/controllers/${name}/memcached.ts`;
    edit(
      project,
      controller,
      "from 'opsdk';",
      "from 'opsdk';\nimport { permitted } from 'opsdk';\nimport { Secret } from 'opsdk/k8s/core/v1';",
    );
    edit(
      project,
      controller,
      '    // Create what',
      // What the call needs is said by hand there, and wrong.
      "    const wrong = permitted(client, [{ groups: [''], resources: ['secrets'], verbs: ['get'] }]);\n" +
        "    await wrong.live.list(Secret, { namespace: 'default' });\n    // Create what",
    );
    const flags = ['--kubeconfig', plane.kubeconfig];
    const install = await runCli(['install', ...flags], { cwd: project, env: process.env });
    expect(install.code, install.stderr).toBe(0);
    const Memcached = externalResource<KubeObject>({
      group: `${name}.example.com`,
      version: 'v1alpha1',
      kind: 'Memcached',
      plural: 'memcacheds',
      scope: 'Namespaced',
    });
    const key = { name, namespace: 'default' };
    await client.apply(Memcached, { metadata: key, spec: {} } as never);

    await using run = startDev(project, ['run', '--watch', '--as-service-account', ...flags, ...quiet]);
    const user = `system:serviceaccount:${name}-system:${name}-controller-manager`;
    await run.next(`the operator runs as ${user}`);
    await run.next('started the operator');
    await run.next(`cannot list resource`);
    await run.next("give the identity the rule { apiGroups: [''], resources: ['secrets'], verbs: ['list'] }");
    // The rest of its rules it has.
    expect(run.output()).not.toContain('runtime/missing-permission');

    edit(project, controller, "verbs: ['get'] }]);", "verbs: ['get', 'list'] }]);");
    await run.next('restarted the operator');
    await eventually(
      async () =>
        expect(await client.get(Memcached, key)).toMatchObject({
          status: { conditions: [{ status: 'True' }] },
        }),
      { timeout: 45_000 },
    );
    expect(await run.stop()).toBe(0);
    const { rules = [] } = await client.get(ClusterRole, { name: `${name}-manager-role` });
    expect(rules).toContainEqual({ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] });
    // Roles of people are not the operator's.
    expect(await client.find(ClusterRole, { name: `${name}-${name}-memcached-viewer-role` })).toBeUndefined();
  });

  test('--dry-run says who it would be, and writes nothing', async () => {
    const name = uniqueName('sa');
    const project = join(scratch, name);
    await scaffoldProject(project, { group: name, name });
    const flags = ['--kubeconfig', plane.kubeconfig];
    await runCli(['install', ...flags], { cwd: project, env: process.env });
    const run = await runCli(['run', '--as-service-account', '--dry-run', ...flags], { cwd: project });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(` as system:serviceaccount:${name}-system:${name}-controller-manager`);
    expect(await client.find(Namespace, { name: `${name}-system` })).toBeUndefined();
  });
});

describe('the identity of an operator', () => {
  /** An account that may read the Secrets of its namespace. */
  function account(name: string) {
    const subject = { kind: 'ServiceAccount', name: 'operator', namespace: name };
    return operatorAccess(
      manifest(
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'operator', namespace: name } },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'reader', namespace: name },
          rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: 'reader', namespace: name },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
          subjects: [subject],
        },
      ),
      'all.yaml',
    );
  }

  test('may at once what its roles permit, and nothing else; no file of it remains', async () => {
    const namespace = uniqueName('identity');
    const identity = await OperatorIdentity.open({
      client,
      onProblem: (error) => expect.fail(error.message),
    });
    await bringAccess({ client, access: account(namespace), identity });
    const cluster = await loadCluster({ kubeconfig: identity.kubeconfig });
    expect(cluster.namespace).toBe(namespace);
    const operator = createClient({ cluster, fieldManager: 'test' });
    expect((await operator.list(Secret, { namespace })).items).toEqual([]);
    await expect(operator.list(ConfigMap, { namespace })).rejects.toMatchObject({ code: 'kube/forbidden' });
    await expect(operator.list(Secret, { namespace: 'default' })).rejects.toMatchObject({
      code: 'kube/forbidden',
    });
    await operator.close();
    await identity.close();
    expect(existsSync(dirname(identity.kubeconfig))).toBe(false);
  });

  test('who may not request tokens is refused with the rule', async () => {
    const namespace = uniqueName('identity');
    const identity = await OperatorIdentity.open({ client, onProblem: () => undefined });
    await bringAccess({ client, access: account(namespace), identity });
    await identity.close();
    await using nobody = await clientOf(plane, { as: 'nobody' }).then((it) => ({
      it,
      [Symbol.asyncDispose]: () => it.close(),
    }));
    const other = await OperatorIdentity.open({ client: nobody.it, onProblem: () => undefined });
    const [finding] = await findingsOf(other.assume({ namespace, name: 'operator' }));
    expect(finding).toMatchObject({ code: 'cluster/no-token' });
    expect(finding?.message).toContain('cannot create resource "serviceaccounts/token"');
    await other.close();
  });
});
