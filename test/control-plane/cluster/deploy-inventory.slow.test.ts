// What has left the manifests is found again and deleted, and nothing else ever is.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applySetId, partOfLabel } from '../../../src/cluster/inventory/apply-set.ts';
import { packageInfo } from '../../../src/cli/package-info.ts';
import { PersistentVolumeClaim, Secret, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { ClusterRole } from '../../../src/sdk/k8s/generated/rbac/v1.ts';
import { EndpointSlice } from '../../../src/sdk/k8s/generated/discovery/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { clientOf, widget } from './helpers.ts';
import {
  clusterRole,
  codesIn,
  deployedFolder,
  operator,
  recorded,
  settings,
  type DeployedFolder,
} from './inventory-helpers.ts';
import { ConfigMap, Crd, Deployment, Namespace } from './kinds.ts';

let client: KubeClient;
let namespace: string;
let elsewhere: string;
let folder: DeployedFolder;
/** The prefix of the operator of a test. */
let name: string;
let main: object;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'inventory');
  elsewhere = await uniqueNamespace(plane, 'elsewhere');
});
afterAll(() => client.close());
beforeEach(async () => {
  folder = await deployedFolder((await sharedControlPlane()).kubeconfig);
  name = uniqueName('op');
  main = operator(name, namespace);
  return () => folder[Symbol.asyncDispose]();
});

const inventory = (): Promise<Secret> => client.get(Secret, { name: `${name}-applyset`, namespace });
const configMap = (which: string, where = namespace): Promise<ConfigMap | undefined> =>
  client.find(ConfigMap, { name: which, namespace: where });

describe('the inventory', () => {
  test('is the parent of an ApplySet, and a second deploy changes nothing', async () => {
    const objects = [main, settings(name, elsewhere), clusterRole(name)];
    await folder.deploy(objects);
    const id = applySetId({ name: `${name}-applyset`, namespace });
    const secret = await inventory();
    expect(secret.metadata.labels).toEqual({ 'applyset.kubernetes.io/id': id });
    expect(secret.metadata.annotations).toEqual({
      'applyset.kubernetes.io/tooling': `op-sdk/${packageInfo().version}`,
      'applyset.kubernetes.io/contains-group-kinds':
        'ClusterRole.rbac.authorization.k8s.io,ConfigMap,Deployment.apps',
      'applyset.kubernetes.io/additional-namespaces': elsewhere,
    });
    expect((await configMap(name, elsewhere))?.metadata.labels).toEqual({ [partOfLabel]: id });
    const deployed = await client.get(Deployment, { name: `${name}-controller-manager`, namespace });
    expect(deployed.metadata.labels).toEqual({ [partOfLabel]: id });
    // It would end up in a selector, which is immutable.
    expect(JSON.stringify(deployed.spec)).not.toContain('applyset');

    const again = await folder.run('deploy', [settings(name, elsewhere), clusterRole(name)], '--dry-run');
    expect(codesIn(again.stderr)).toEqual(['cluster/no-inventory']);
    expect((await folder.deploy(objects)).filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
    expect((await inventory()).metadata.resourceVersion).toBe(secret.metadata.resourceVersion);
  });

  test('lies in the namespace that comes with the manifest, and goes with the operator', async () => {
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const objects = [space, operator(name, name)];
    expect(await folder.deploy(objects, '--dry-run')).toHaveLength(2);
    await folder.deploy(objects);
    const { metadata } = await client.get(Secret, { name: `${name}-applyset`, namespace: name });
    expect(metadata.annotations).toMatchObject({
      'applyset.kubernetes.io/contains-group-kinds': 'Deployment.apps,Namespace',
      'applyset.kubernetes.io/additional-namespaces': '',
    });
    // It is no loss: nobody has to say yes.
    const { code, stdout, stderr } = await folder.run('undeploy', objects);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(`deployment.apps/${name}-controller-manager deleted\nnamespace/${name} deleted\n`);
    expect(await client.find(Namespace, { name })).toBeUndefined();
  });

  test('takes part in no apply that knows nothing of it, such as that of one file', async () => {
    const objects = [main, settings(name, namespace)];
    await folder.deploy(objects);
    const before = await configMap(name);
    const { kubeconfig } = await sharedControlPlane();
    const stdin = JSON.stringify(settings(name, namespace));
    const { stdout, stderr } = await runCli(['deploy', '-f', '-', '--kubeconfig', kubeconfig], { stdin });
    expect([stdout, stderr]).toEqual([`configmap/${name} unchanged\n`, '']);
    expect(await configMap(name)).toEqual(before);
  });

  test('that is lost is made again', async () => {
    await folder.deploy([
      main,
      settings(name, namespace),
      clusterRole(name),
      settings(`${name}-old`, namespace),
    ]);
    await client.delete(Secret, { name: `${name}-applyset`, namespace });
    // Of kinds that are in the manifests, the rest is found again.
    const lines = await folder.deploy([main, settings(name, namespace)], '--prune');
    expect(lines.filter((line) => !line.endsWith(' unchanged'))).toEqual([`configmap/${name}-old pruned`]);
    expect(recorded(await inventory())).toEqual({ kinds: 'ConfigMap,Deployment.apps', namespaces: '' });
    expect(await client.find(ClusterRole, { name })).toBeDefined();
    await client.delete(ClusterRole, { name });
  });
});

describe('what has left the manifests', () => {
  test('is named in a script, and deleted with --prune', async () => {
    const objects = [main, settings(name, namespace), clusterRole(name)];
    await folder.deploy(objects);
    for (const flags of [[], ['--dry-run']]) {
      const kept = await folder.run('deploy', [main], ...flags);
      expect(kept.code).toBe(0);
      expect(codesIn(kept.stderr)).toEqual(['cluster/left-over']);
      expect(kept.stderr).toContain(`clusterrole.rbac.authorization.k8s.io/${name}`);
      expect(kept.stderr).toContain(`configmap/${name} (namespace ${namespace})`);
      expect(kept.stderr).toMatch(/op-sdk deploy --dir \. --kubeconfig \S+ --prune/);
      expect(kept.stdout.includes(`configmap/${name} would be pruned`)).toBe(flags.length > 0);
    }
    expect(await folder.deploy([main], '--no-prune')).toHaveLength(1);
    expect(recorded(await inventory()).kinds).toBe(
      'ClusterRole.rbac.authorization.k8s.io,ConfigMap,Deployment.apps',
    );
    const planned = await folder.deploy([main], '--prune', '--dry-run');
    expect(planned).toContain(`configmap/${name} would be pruned`);
    expect(await configMap(name)).toBeDefined();

    const { code, stdout } = await folder.run('deploy', [main], '--prune', '-o', 'json');
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { result: object }).result).toMatchObject({
      objects: [
        { kind: 'Deployment', action: 'unchanged' },
        { apiVersion: 'v1', kind: 'ConfigMap', name, namespace, action: 'pruned' },
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name, action: 'pruned' },
      ],
    });
    expect(await configMap(name)).toBeUndefined();
    expect(await client.find(ClusterRole, { name })).toBeUndefined();
    expect(recorded(await inventory())).toEqual({ kinds: 'Deployment.apps', namespaces: '' });
  });

  test('may have been renamed, or moved to another namespace', async () => {
    await folder.deploy([main, settings(`${name}-a`, namespace), settings(name, namespace)]);
    const lines = await folder.deploy(
      [main, settings(`${name}-b`, namespace), settings(name, elsewhere)],
      '--prune',
    );
    expect(lines.filter((line) => line.endsWith(' pruned')).sort()).toEqual([
      `configmap/${name} pruned`,
      `configmap/${name}-a pruned`,
    ]);
    expect(await configMap(name)).toBeUndefined();
    expect(await configMap(name, elsewhere)).toBeDefined();
    expect(recorded(await inventory()).namespaces).toBe(elsewhere);
  });

  test('is only named if it is a Namespace, a definition or a claim', async () => {
    const { crd, name: crdName } = widget(name, namespace);
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await folder.deploy([main, space, crd, claim]);
    const { code, stdout, stderr } = await folder.run('deploy', [main], '--prune');
    expect(code).toBe(0);
    expect(stdout).not.toContain('pruned');
    expect(codesIn(stderr)).toEqual(['cluster/not-pruned']);
    for (const each of [`namespace/${name}`, crdName, `persistentvolumeclaim/${name}`])
      expect(stderr).toContain(each);
    const live = [
      await client.get(Namespace, { name }),
      await client.get(Crd, { name: crdName }),
      await client.get(PersistentVolumeClaim, { name, namespace }),
    ];
    expect(live.map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined, undefined, undefined]);
    await client.delete(Crd, { name: crdName });
    await client.delete(Namespace, { name });
  });

  test('may be of a kind that is no longer served', async () => {
    const { crd, object, name: crdName, group } = widget(name, namespace);
    await folder.deploy([main, crd, object]);
    await client.delete(Crd, { name: crdName });
    await expect.poll(() => client.find(Crd, { name: crdName }), { timeout: 60_000 }).toBeUndefined();
    expect(recorded(await inventory()).kinds).toContain(`Widget.${group}`);
    expect(await folder.deploy([main])).toEqual([`deployment.apps/${name}-controller-manager unchanged`]);
    expect(recorded(await inventory())).toEqual({ kinds: 'Deployment.apps', namespaces: '' });
  });

  test('is deleted by undeploy too, with --prune, and remembered without', async () => {
    await folder.deploy([main, settings(name, namespace)]);
    const first = await folder.run('undeploy', [main]);
    expect([first.code, codesIn(first.stderr)]).toEqual([0, ['cluster/left-over']]);
    expect(first.stdout).toBe(`deployment.apps/${name}-controller-manager deleted\n`);
    const { stdout } = await folder.run('undeploy', [main], '--prune');
    expect(stdout).toBe(`configmap/${name} deleted\n`);
    expect(await client.find(Secret, { name: `${name}-applyset`, namespace })).toBeUndefined();
  });
});

describe('nothing foreign is removed', () => {
  test('an object without the label, with that of another, or that a controller owns', async () => {
    const other = uniqueName('other');
    const left = ['removed', 'relabelled', 'unlabelled', 'owned'].map((each) => `${name}-${each}`);
    await folder.deploy([main, ...left.map((each) => settings(each, namespace))]);
    await client.create(ConfigMap, { metadata: { name: `${name}-foreign`, namespace } });
    const owner = await client.get(Deployment, { name: `${name}-controller-manager`, namespace });
    const patch = (which: string, metadata: object): Promise<unknown> =>
      client.patch(ConfigMap, { name: `${name}-${which}`, namespace }, { type: 'merge', body: { metadata } });
    await patch('relabelled', { labels: { [partOfLabel]: other } });
    await patch('unlabelled', { labels: { [partOfLabel]: null } });
    const { uid } = owner.metadata;
    await patch('owned', {
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: owner.metadata.name, uid, controller: true },
      ],
    });
    const lines = await folder.deploy([main], '--prune');
    expect(lines.filter((line) => line.endsWith('pruned'))).toEqual([`configmap/${name}-removed pruned`]);
    for (const each of ['relabelled', 'unlabelled', 'owned', 'foreign'])
      expect(await configMap(`${name}-${each}`), each).toBeDefined();
  });

  test('EndpointSlices, which have copies of the labels of their Service', async () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: { app: name }, ports: [{ port: 80 }] },
    };
    const slice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: `${name}-own`, namespace },
      addressType: 'IPv4',
      endpoints: [],
    };
    await folder.deploy([main, service, slice]);
    const slices = async (): Promise<number> =>
      (
        await client.list(EndpointSlice, {
          namespace,
          labelSelector: `${partOfLabel}=${applySetId({ name: `${name}-applyset`, namespace })}`,
        })
      ).items.length;
    await expect.poll(slices, { timeout: 60_000 }).toBe(2);
    expect(await folder.deploy([main, service, slice], '--prune')).toHaveLength(3);
    expect(await slices()).toBe(2);
    expect(await client.find(Service, { name, namespace })).toBeDefined();
  });

  test('objects of another operator are not taken without --take-over', async () => {
    await folder.deploy([main, clusterRole(name)]);
    // Its operator was moved to another namespace.
    const moved = operator(name, elsewhere);
    await using second = await deployedFolder((await sharedControlPlane()).kubeconfig);
    const refused = await second.run('deploy', [moved, clusterRole(name)]);
    expect([refused.code, refused.stdout, codesIn(refused.stderr)]).toEqual([
      1,
      '',
      ['cluster/other-applyset'],
    ]);
    expect(refused.stderr).toContain(`that of the Secret ${namespace}/${name}-applyset`);
    expect(await client.find(Deployment, { name: `${name}-controller-manager`, namespace: elsewhere })).toBe(
      undefined,
    );
    const role = await client.get(ClusterRole, { name });
    const warned = await second.run('deploy', [moved, clusterRole(name)], '--take-over');
    expect([warned.code, codesIn(warned.stderr)]).toEqual([0, ['cluster/former-operator']]);
    expect(warned.stderr).toContain(
      `Deployment ${name}-controller-manager (namespace ${namespace}) still runs`,
    );
    const taken = await client.get(ClusterRole, { name });
    expect(taken.metadata.uid).toBe(role.metadata.uid);
    expect(taken.metadata.labels?.[partOfLabel]).toBe(
      applySetId({ name: `${name}-applyset`, namespace: elsewhere }),
    );

    // What is left of the former one can go: the role stays.
    const gone = await folder.run('undeploy', [main, clusterRole(name)]);
    expect([gone.code, codesIn(gone.stderr)]).toEqual([0, ['cluster/other-applyset']]);
    expect(gone.stdout).toBe(`deployment.apps/${name}-controller-manager deleted\n`);
    expect(await client.find(ClusterRole, { name })).toBeDefined();
    expect(await client.find(Secret, { name: `${name}-applyset`, namespace })).toBeUndefined();
    await second.run('undeploy', [moved, clusterRole(name)]);
    expect(await client.find(ClusterRole, { name })).toBeUndefined();
  });

  test('an inventory of kubectl, or a Secret that is none, is refused before anything is written', async () => {
    const key = { name: `${name}-applyset`, namespace };
    await client.create(Secret, { metadata: key });
    const own = await folder.run('deploy', [main]);
    expect([own.code, codesIn(own.stderr)]).toEqual([1, ['cluster/inventory-of-others']]);
    const labels = { 'applyset.kubernetes.io/id': applySetId(key) };
    const annotations = {
      'applyset.kubernetes.io/tooling': 'kubectl/v1.36',
      'applyset.kubernetes.io/contains-group-kinds': '',
    };
    await client.patch(Secret, key, { type: 'merge', body: { metadata: { labels, annotations } } });
    const kubectl = await folder.run('deploy', [main]);
    expect([kubectl.code, codesIn(kubectl.stderr)]).toEqual([1, ['cluster/inventory-of-others']]);
    expect(kubectl.stderr).toContain('kubectl/v1.36');
    expect(await client.find(Deployment, { name: `${name}-controller-manager`, namespace })).toBeUndefined();
    // Another version of op-sdk is the same tool.
    annotations['applyset.kubernetes.io/tooling'] = 'op-sdk/0.0.1';
    await client.patch(Secret, key, { type: 'merge', body: { metadata: { annotations } } });
    await folder.deploy([main]);
  });

  test('labels and the Secret of the inventory do not belong into manifests', async () => {
    const labelled = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: { [partOfLabel]: 'applyset-x-v1' } },
    };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-applyset`, namespace } };
    const { code, stderr } = await folder.run('deploy', [main, labelled, secret]);
    expect([code, codesIn(stderr)]).toEqual([1, ['cluster/part-of-given', 'cluster/part-of-given']]);
    expect(await configMap(name)).toBeUndefined();
  });
});
