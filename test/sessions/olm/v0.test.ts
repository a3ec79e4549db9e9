// `op-sdk olm` with the release of OLM v0 on a real API server; what OLM's operators do is done by stand-ins.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Namespace } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { ClusterServiceVersion, Subscription } from '../../../src/olm/run/run-names.ts';
import { checkRelease, findOlms, installOlm } from '../../../src/olm/install/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';
import { readManifest } from '../../../src/kubernetes/yaml/index.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { allObjects, settledObjects } from './all-objects.ts';
import { releaseFiles } from './manifests.ts';
import { bringAuthReader, csvCleanup, operatorsOfV0 } from './operators-v0.ts';
import { ensure, runPods, StandIn } from './stand-in.ts';

const files = releaseFiles('v0-crds.yaml', 'v0-olm.yaml');
const flags = (files ?? []).flatMap((file) => ['--manifests', file]);
const csvNamed = (name: string, namespace: string, labels: object = {}) => ({
  metadata: { name, namespace, labels },
  spec: {
    displayName: name,
    version: '0.0.1',
    install: { strategy: 'deployment', spec: { deployments: [] } },
    installModes: [{ type: 'AllNamespaces', supported: true }],
  },
});

describe.skipIf(files === undefined)('OLM v0', () => {
  let plane: ControlPlane;
  let client: KubeClient;
  beforeAll(async () => {
    plane = await startControlPlane({ controllerManager: true });
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig, env: {} });
    client = createClient({ cluster, fieldManager: 'stand-in', onWarning: () => undefined });
    await client.create(Namespace, { metadata: { name: 'users' } });
  });
  afterAll(async () => {
    await client.close();
    await plane.stop();
  });
  const olm = (...argv: readonly string[]): Promise<CliRun> =>
    runCli(['olm', ...argv, '--kubeconfig', plane.kubeconfig]);
  const playOlm = (): StandIn => operatorsOfV0(client, () => runPods(client, 'olm'));

  test('AS9.1: is installed twice, watched and removed, and leaves nothing behind', async () => {
    // That of an operator whose namespace has nothing to do with this OLM.
    await bringAuthReader(client, 'elsewhere-service-auth-reader', 'elsewhere');
    const before = await settledObjects(client);
    expect(await findOlms(client)).toEqual([]);
    const absent = await olm('status');
    expect([absent.code, absent.stdout]).toEqual([1, '']);
    expect(absent.stderr).toContain('error[olm/not-installed]: OLM is not on the cluster');

    await using _operators = playOlm();
    const first = await olm('install', ...flags);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toContain('namespace/olm created\n');
    expect(first.stdout).toContain('clusterserviceversion.operators.coreos.com/packageserver created\n');
    expect(first.stderr).toContain('deployment.apps/olm-operator');
    expect(first.stderr).toContain('ClusterServiceVersion olm/packageserver has succeeded');
    expect(await findOlms(client)).toEqual([{ olm: 'v0', version: '0.46.0', namespace: 'olm' }]);

    const again = await olm('install', ...flags, '-o', 'json');
    expect(again.code, again.stdout).toBe(0);
    const { result } = JSON.parse(again.stdout) as { result: { objects: readonly { action: string }[] } };
    expect(new Set(result.objects.map(({ action }) => action))).toEqual(new Set(['unchanged']));

    // Before the API server forgets the ServiceAccounts that it has not seen yet.
    await eventually(async () => expect((await olm('status', ...flags)).code).toBe(0), { timeout: 60_000 });
    const healthy = await olm('status', ...flags);
    expect(healthy.stdout).toContain('OLM v0 0.46.0 in namespace olm\n');
    expect(healthy.stdout).toMatch(/^olm\/operatorhubio-catalog +served +READY$/m);
    expect(healthy.stdout).not.toMatch(/Missing|Unhealthy/);

    await client.delete(Deployment, { name: 'catalog-operator', namespace: 'olm' });
    const groups = { name: 'operatorgroups.operators.coreos.com' };
    await client.delete(CustomResourceDefinition, groups);
    await eventually(
      async () => expect(await client.find(CustomResourceDefinition, groups)).toBeUndefined(),
      {
        timeout: 60_000,
      },
    );
    const broken = await olm('status', ...flags, '-o', 'json');
    expect(broken.code).toBe(1);
    const state = JSON.parse(broken.stdout) as {
      result: { olms: readonly { objects: readonly { kind: string; name: string; status: string }[] }[] };
      errors: readonly { code: string; message: string }[];
    };
    const reason = 'no matches for kind "OperatorGroup" in version "operators.coreos.com/v1"';
    const missing = state.result.olms[0]?.objects.filter(({ status }) => status !== 'Installed');
    expect(missing?.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { kind: 'Deployment', name: 'catalog-operator', status: 'Missing' },
      { kind: 'OperatorGroup', name: 'global-operators', status: 'Missing', reason },
      { kind: 'OperatorGroup', name: 'olm-operators', status: 'Missing', reason },
      { kind: 'CustomResourceDefinition', name: groups.name, status: 'Missing' },
    ]);
    expect(state.errors.map(({ code }) => code)).toEqual(['olm/unhealthy']);
    const repaired = await olm('install', ...flags);
    expect(repaired.code, repaired.stderr).toBe(0);
    expect(repaired.stdout).toContain('deployment.apps/catalog-operator created\n');
    expect(repaired.stdout).toContain('operatorgroup.operators.coreos.com/global-operators created\n');

    // An operator of a user, its copy in another namespace, and one that OLM does not manage.
    const users = 'users';
    await ensure(client, Subscription, {
      metadata: { name: 'web', namespace: users },
      spec: { name: 'web', channel: 'stable', source: 'operatorhubio-catalog', sourceNamespace: 'olm' },
    });
    await ensure(client, ClusterServiceVersion, csvNamed('web.v0.0.1', users));
    await ensure(
      client,
      ClusterServiceVersion,
      csvNamed('web.v0.0.1', 'default', { 'olm.copiedFrom': users }),
    );
    await bringAuthReader(client, 'web-service-auth-reader', users);
    const label = { metadata: { labels: { 'olm.operatorgroup.uid/123': '' } } };
    await client.patch(Namespace, { name: users }, { type: 'merge', body: label });

    const used = await olm('uninstall', ...flags, '--yes');
    expect([used.code, used.stdout]).toEqual([1, '']);
    expect(used.stderr).toContain(
      'error[olm/in-use]: OLM v0 is in use: the cluster has 1 Subscription (users/web) and 1 ClusterServiceVersion (users/web.v0.0.1)',
    );
    const unasked = await olm('uninstall', ...flags, '--force');
    expect([unasked.code, unasked.stdout]).toEqual([1, '']);
    expect(unasked.stderr).toContain('error[olm/not-confirmed]: OLM v0 0.46.0 would be removed');
    expect(await client.find(Subscription, { name: 'web', namespace: users })).toBeDefined();

    const planned = await olm('uninstall', ...flags, '--force', '--dry-run');
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stdout).toContain('subscription.operators.coreos.com/web deleted (server dry run)\n');
    expect(planned.stdout).toContain('namespace/olm deleted (server dry run)\n');
    expect(await client.find(Subscription, { name: 'web', namespace: users })).toBeDefined();

    const removed = await olm('uninstall', ...flags, '--force', '--yes');
    expect(removed.code, removed.stderr).toBe(0);
    const order = [
      'subscription.operators.coreos.com/web',
      'clusterserviceversion.operators.coreos.com/web.v0.0.1',
      'clusterserviceversion.operators.coreos.com/packageserver',
      'apiservice.apiregistration.k8s.io/v1.packages.operators.coreos.com',
      'customresourcedefinition.apiextensions.k8s.io/clusterserviceversions.operators.coreos.com',
      'deployment.apps/olm-operator',
      'namespace/olm',
      'clusterrole.rbac.authorization.k8s.io/olm.og.global-operators.admin-abc',
    ].map((title) => removed.stdout.indexOf(`${title} deleted\n`));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    await eventually(async () => expect(await allObjects(client)).toEqual(before), { timeout: 60_000 });

    const nothing = await olm('uninstall');
    expect(nothing.code).toBe(0);
    expect(nothing.stderr).toContain('OLM is not on the cluster');
  });

  test('is installed across a restart of the API server, and removed though its operators do not run', async () => {
    const before = await settledObjects(client);
    {
      const objects = (files ?? []).flatMap((file) => readManifest(readFileSync(file, 'utf8'), file));
      const lines: string[] = [];
      const installing = installOlm({
        client,
        release: checkRelease('v0', objects),
        timeout: 240_000,
        onProgress: (line) => lines.push(line),
      });
      await eventually(() => lines.some((line) => line.startsWith('waiting for deployment.apps/')), {
        timeout: 120_000,
      });
      await plane.killApiServer('SIGKILL');
      await eventually(() => lines.some((line) => line.startsWith('waiting for the API server: ')), {
        timeout: 60_000,
      });
      await plane.restartApiServer();
      await using _operators = playOlm();
      await installing;
      await eventually(
        async () =>
          (await client.get(ClusterServiceVersion, { name: 'packageserver', namespace: 'olm' })).metadata
            .finalizers?.[0] === csvCleanup,
        { timeout: 60_000 },
      );
    }
    await client.delete(Deployment, { name: 'olm-operator', namespace: 'olm' });
    const stuck = await olm('uninstall', ...flags, '--yes', '--timeout', '2s');
    expect(stuck.code).toBe(1);
    expect(stuck.stderr).toContain('error[cluster/not-deleted]');
    expect(stuck.stderr).toContain(csvCleanup);
    const forced = await olm('uninstall', ...flags, '--yes', '--force');
    expect(forced.code, forced.stderr).toBe(0);
    await eventually(async () => expect(await allObjects(client)).toEqual(before), { timeout: 60_000 });
  });

  test('that does not come up in time says why, and goes on with the next install', async () => {
    // On a busy machine this may take another run: an earlier step may need the time.
    const fails = (timeout: string, message: string): Promise<void> =>
      eventually(
        async () => {
          const late = await olm('install', ...flags, '--timeout', timeout);
          expect(late.code).toBe(1);
          expect(late.stderr).toContain(message);
        },
        { timeout: 120_000 },
      );
    await fails('5s', 'error[cluster/rollout-timeout]: deployment.apps/olm-operator');
    const pods = new StandIn(() => runPods(client, 'olm'));
    await fails(
      '15s',
      'error[olm/package-server-timeout]: ClusterServiceVersion olm/packageserver has not succeeded after 15s: OLM has not seen it yet',
    );
    await pods[Symbol.asyncDispose]();
    const unhealthy = await olm('status', ...flags);
    expect(unhealthy.code).toBe(1);
    expect(unhealthy.stdout).toMatch(
      /^packageserver +olm +ClusterServiceVersion +Unhealthy: OLM has not seen it yet$/m,
    );
    expect(unhealthy.stderr).toContain('warning[olm/catalog-not-serving]');
  });
});
