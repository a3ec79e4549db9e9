// The operators of examples are removed and come back; the databases of their users stay all the time.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DistributedRedisCluster } from '../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { EtcdCluster } from '../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import type { KubeObject, Resource } from '../../../src/sdk/api/index.ts';
import { PersistentVolumeClaim } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { ownedBy } from '../../../src/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';
import { clientOf } from './helpers.ts';
import { codesIn } from './inventory-helpers.ts';
import { Namespace } from './kinds.ts';

let client: KubeClient;
let kubeconfig: string;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  ({ kubeconfig } = plane);
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'databases');
});
afterAll(() => client.close());

interface Example {
  readonly name: string;
  readonly kind: Resource<KubeObject>;
  readonly crds: readonly string[];
  /** Finalizers that the operator gives its objects. */
  readonly finalizers?: readonly string[];
}

const examples: readonly Example[] = [
  {
    name: 'etcd-operator',
    kind: EtcdCluster,
    crds: ['etcdbackups', 'etcdclusters', 'etcdrestores'].map(
      (plural) => `${plural}.etcd.database.coreos.com`,
    ),
  },
  {
    name: 'redis-operator',
    kind: DistributedRedisCluster,
    crds: ['distributedredisclusters', 'redisclusterbackups'].map((plural) => `${plural}.redis.kun`),
    finalizers: ['redis.kun/redis-operator'],
  },
];

test.each(examples)('$name goes and comes back, and its clusters stay', async (example) => {
  const { name, kind, crds, finalizers } = example;
  const cwd = join(repositoryRoot, 'examples', name);
  const run = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await runCli([...argv, '--kubeconfig', kubeconfig], { cwd });
    expect(code, `${argv.join(' ')}\n${stderr}`).toBe(0);
    return { lines: stdout.trimEnd().split('\n'), codes: codesIn(stderr) };
  };
  const titles = crds.map((crd) => `customresourcedefinition.apiextensions.k8s.io/${crd}`);
  const key = { name: 'example', namespace };
  const claim = { name: `data-${name}`, namespace };

  // Nobody answers the webhooks that a deploy brings.
  await run('install');
  const custom = await client.create(kind, {
    metadata: { ...key, ...(finalizers && { finalizers: [...finalizers] }) },
    ...{ spec: {} },
  });
  const { ownerReferences = [] } = ownedBy(custom);
  await client.create(PersistentVolumeClaim, {
    metadata: { ...claim, ownerReferences },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  await run('deploy', '--no-wait');

  const gone = await run('undeploy', '--keep-crds');
  expect(gone.lines.filter((line) => line.endsWith(' kept')).sort()).toEqual(
    titles.map((title) => `${title} kept`),
  );
  expect(gone.lines).toContain(`deployment.apps/${name}-controller-manager deleted`);
  expect(gone.codes.filter((code) => code.endsWith('-kept'))).toEqual(
    finalizers === undefined ? [] : ['cluster/finalizers-kept'],
  );
  expect(await client.find(Namespace, { name: `${name}-system` })).toBeUndefined();
  expect(await client.get(kind, key)).toEqual(custom);
  const { deletionTimestamp } = (await client.get(PersistentVolumeClaim, claim)).metadata;
  expect(deletionTimestamp).toBeUndefined();
  // No webhook is left that would have to be asked.
  await client.patch(kind, key, { type: 'merge', body: { spec: { paused: true } } });

  const { lines } = await run('deploy', '--no-wait');
  for (const title of titles) expect(lines).toContain(`${title} unchanged`);
  expect(lines).toContain(`deployment.apps/${name}-controller-manager created`);
  expect((await client.get(kind, key)).metadata.uid).toBe(custom.metadata.uid);

  // What the operator would do.
  await run('undeploy', '--keep-crds', '--no-wait');
  if (finalizers !== undefined)
    await client.patch(kind, key, { type: 'merge', body: { metadata: { finalizers: null } } });
  await run('uninstall', '--yes');
});
