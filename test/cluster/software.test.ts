// The software that operators of the examples run, as their images: etcd, Redis and object stores.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ensureEtcd, ensureObjectStores, ensureRedis, reasonOf } from '../../scripts/lib/test-programs.mjs';
import { StatefulSet } from '../../src/sdk/k8s/generated/apps/v1.ts';
import { PersistentVolumeClaim, Pod, Service } from '../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../src/sdk/kube/index.ts';
import { eventually } from '../../src/testing/index.ts';
import { googleToken, s3Request } from '../helpers/object-store-requests.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { startObjectStores } from './bed/object-stores.ts';
import { pushEtcdImage, pushRedisImage } from './bed/software-images.ts';

const bed = inject('cluster') as ClusterBed;
const slow = { timeout: 200_000, interval: 250 };
const namespace = 'default';
/** Nothing can be downloaded in the cluster's network: what is not there was reported before. */
const reasons =
  bed === undefined
    ? []
    : await Promise.all([
        reasonOf(ensureEtcd('3.4.23')),
        reasonOf(ensureEtcd('3.5.21')),
        reasonOf(ensureEtcd('3.6.8')),
      ]);
const hasEtcd = reasons.every((reason) => reason === undefined);
const hasRedis = bed !== undefined && (await reasonOf(ensureRedis())) === undefined;
const hasStores = bed !== undefined && (await reasonOf(ensureObjectStores())) === undefined;

describe.skipIf(bed === undefined)('software in images', () => {
  let client: KubeClient;
  beforeAll(async () => {
    client = createClient({
      cluster: await loadCluster({ kubeconfig: bed.kubeconfig }),
      fieldManager: 'test',
    });
  });
  afterAll(() => client?.close());

  const run = async (name: string, ...command: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await client.exec({ name, namespace }, { command });
    if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const clusterIP = async (name: string): Promise<string> =>
    (await client.get(Service, { name, namespace })).spec?.clusterIP ?? '';

  test.skipIf(!hasEtcd)(
    'three members of etcd are updated from 3.4 to 3.6 with their data',
    { timeout: 700_000 },
    async () => {
      const key = { name: 'etcd', namespace };
      const labels = { app: 'etcd' };
      const names = ['etcd-0', 'etcd-1', 'etcd-2'];
      const peer = (name: string): string => `http://${name}.etcd.default.svc:2380`;
      try {
        await client.create(Service, {
          metadata: key,
          spec: {
            clusterIP: 'None',
            publishNotReadyAddresses: true,
            selector: labels,
            ports: [{ port: 2380 }],
          },
        });
        await client.create(StatefulSet, {
          metadata: key,
          spec: {
            replicas: 3,
            serviceName: 'etcd',
            podManagementPolicy: 'Parallel',
            selector: { matchLabels: labels },
            template: {
              metadata: { labels },
              spec: {
                securityContext: { runAsNonRoot: true, fsGroup: 65_532 },
                containers: [
                  {
                    name: 'etcd',
                    image: await pushEtcdImage(bed, '3.4.23'),
                    command: [
                      ...['etcd', '--name=$(NAME)', '--data-dir=/data/member'],
                      // A busy machine is no reason for elections.
                      ...['--heartbeat-interval=500', '--election-timeout=5000'],
                      '--initial-advertise-peer-urls=http://$(NAME).etcd.default.svc:2380',
                      '--listen-peer-urls=http://0.0.0.0:2380',
                      '--listen-client-urls=http://0.0.0.0:2379',
                      '--advertise-client-urls=http://$(NAME).etcd.default.svc:2379',
                      `--initial-cluster=${names.map((name) => `${name}=${peer(name)}`).join(',')}`,
                    ],
                    env: [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
                    // Not GET /health: 3.4 writes a request of the v2 API to its log for it, and 3.6 ends when it reads one.
                    readinessProbe: {
                      exec: { command: ['etcdctl', 'endpoint', 'health'] },
                      periodSeconds: 3,
                    },
                    volumeMounts: [{ name: 'data', mountPath: '/data' }],
                  },
                ],
              },
            },
            volumeClaimTemplates: [
              {
                metadata: { name: 'data' },
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              },
            ],
          },
        });
        const becomes = (version: string): Promise<void> =>
          eventually(async () => {
            const { status, metadata } = await client.get(StatefulSet, key);
            expect(status).toMatchObject({ readyReplicas: 3, updatedReplicas: 3 });
            expect(status?.observedGeneration).toBe(metadata.generation);
            expect(await run('etcd-2', 'etcdctl', 'version')).toContain(`etcdctl version: ${version}`);
            // Some seconds after its members. Those of the next minor version need it.
            const { status: pod } = await client.get(Pod, { name: 'etcd-0', namespace });
            const answer = await fetch(`http://${pod?.podIP}:2379/version`);
            const etcdcluster = version.replace(/\d+$/, '0');
            expect(await answer.json()).toMatchObject({ etcdserver: version, etcdcluster });
          }, slow);
        await becomes('3.4.23');
        await run('etcd-0', 'etcdctl', 'put', 'kept', 'since 3.4');
        for (const version of ['3.5.21', '3.6.8'] as const) {
          const image = await pushEtcdImage(bed, version);
          const body = { spec: { template: { spec: { containers: [{ name: 'etcd', image }] } } } };
          await client.patch(StatefulSet, key, { type: 'strategic', body });
          await becomes(version);
          expect(await run('etcd-1', 'etcdctl', 'get', 'kept', '--print-value-only')).toBe('since 3.4');
          expect(await run('etcd-1', 'etcdutl', 'version')).toContain(`etcdutl version: ${version}`);
        }
        expect(await run('etcd-1', 'etcdctl', 'endpoint', 'status', '--cluster')).toMatch(
          /^(.*3\.6\.8.*\n?){3}$/,
        );
      } finally {
        await client.delete(StatefulSet, key, { ignoreNotFound: true });
        await client.delete(Service, key, { ignoreNotFound: true });
        await eventually(
          async () =>
            expect((await client.list(Pod, { namespace, labelSelector: 'app=etcd' })).items).toEqual([]),
          slow,
        );
        for (const name of names)
          await client.delete(
            PersistentVolumeClaim,
            { name: `data-${name}`, namespace },
            { ignoreNotFound: true },
          );
      }
    },
  );

  test.skipIf(!hasRedis)('Redis runs as a user without rights', async () => {
    const key = { name: 'redis', namespace };
    const image = await pushRedisImage(bed);
    await client.create(Pod, {
      metadata: key,
      spec: { containers: [{ name: 'redis', image }], securityContext: { runAsNonRoot: true } },
    });
    try {
      await eventually(
        async () => expect(await run('redis', 'redis-cli', 'SET', 'key', 'value')).toBe('OK'),
        slow,
      );
      expect(await run('redis', 'sh', '-c', 'redis-cli GET key')).toBe('value');
    } finally {
      await client.delete(Pod, key, { gracePeriodSeconds: 0 });
    }
  });

  test.skipIf(!hasStores)('object stores hold what they are given, and ask for credentials', async () => {
    await using stores = await startObjectStores(bed, client, namespace, ['backups']);
    const [s3, gcs] = [`http://${await clusterIP('s3')}:8080`, `http://${await clusterIP('gcs')}:8080`];
    const path = '/backups/first.db';
    await eventually(async () => {
      const put = await s3Request({ ...stores.s3, endpoint: s3 }, 'PUT', path, 'snapshot');
      expect(put.status, await put.text()).toBe(200);
    }, slow);
    const other = { ...stores.s3, endpoint: s3, secretAccessKey: 'other' };
    expect((await s3Request(other, 'GET', path)).status).toBe(403);
    expect(await (await s3Request({ ...stores.s3, endpoint: s3 }, 'GET', path)).text()).toBe('snapshot');

    await eventually(async () => {
      const { status, body } = await googleToken(stores.gcs.serviceAccount, {}, `${gcs}/token`);
      expect(status, JSON.stringify(body)).toBe(200);
      const headers = { authorization: `Bearer ${String(body['access_token'])}` };
      const url = `${gcs}/upload/storage/v1/b/backups/o?uploadType=media&name=first.db`;
      expect((await fetch(url, { method: 'POST', headers, body: 'snapshot' })).status).toBe(200);
      const got = await fetch(`${gcs}/storage/v1/b/backups/o/first.db?alt=media`, { headers });
      expect(await got.text()).toBe('snapshot');
    }, slow);
    expect((await fetch(`${gcs}/storage/v1/b/backups/o/first.db?alt=media`)).status).toBe(401);
  });
});
