// The life of a scaffolded operator as a Pod: deployed by op-sdk, killed, without an API server for a while, undeployed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { eventually } from '../../src/testing/index.ts';
import { clusterApi, eventuallyTrue, isReady, type ClusterApi } from './bed/cluster-api.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { residentMegabytes } from './bed/container-memory.ts';
import { createNginxProject, type OperatorProject } from './bed/operator-project.ts';
import { pushScriptImage } from './bed/script-image.ts';

const bed = inject('cluster') as ClusterBed;
const slow = { timeout: 150_000 };
const managers = 'control-plane=controller-manager';

describe.skipIf(bed === undefined)('a deployed operator', () => {
  let api: ClusterApi;
  let project: OperatorProject;
  let before: readonly string[];

  beforeAll(async () => {
    api = clusterApi(bed);
    project = await createNginxProject(bed);
    // What the operands run.
    await pushScriptImage({
      reference: `${bed.registry}/library/nginx:latest`,
      script: 'exec sleep 2147483647',
    });
    before = await api.inventory();
  });
  afterAll(() => project?.[Symbol.dispose]());

  /** Waits for the Deployment of an NginxOperator until all of its Pods are ready. */
  const operandReady = (name: string, replicas: number): Promise<unknown> =>
    eventuallyTrue(`${replicas} ready Pods of ${name}`, async () => {
      const deployment = await api.get('Deployment', name);
      return deployment?.status?.readyReplicas === replicas;
    });
  const createNginx = (name: string, replicas: number): Promise<unknown> =>
    api.apply({
      apiVersion: 'operator.example.com/v1alpha1',
      kind: 'NginxOperator',
      metadata: { name, namespace: 'default' },
      spec: { replicas, port: 8080 },
    });
  const leaseHolder = async (): Promise<string> => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${project.namespace}/leases`;
    const { items } = await api.call<{ items: readonly { spec: { holderIdentity?: string } }[] }>(
      'GET',
      path,
    );
    return items[0]?.spec.holderIdentity ?? '';
  };

  test('AS8.4: is ready when deploy returns, and runs as its image and its Pod say', async () => {
    const image = await project.pushImage('v1');
    await project.opSdk('deploy', '--image', image, '--timeout', '3m');
    const pods = await api.pods(project.namespace, managers);
    expect(pods.map(isReady)).toEqual([true]);
    expect(pods[0]?.status.containerStatuses?.[0]?.restartCount).toBe(0);
    await eventuallyTrue('the lease', async () =>
      (await leaseHolder()).includes(pods[0]?.metadata.name ?? '-'),
    );
  });

  test('AS8.5: makes a Deployment with ready Pods of a custom resource', async () => {
    await createNginx('web', 2);
    await operandReady('web', 2);
  });

  test('AS7.a: is replaced when its Pod is killed: another Pod takes the lease and reconciles', async () => {
    const [memory] = residentMegabytes('/app/main.mjs');
    console.log(`idle memory of the operator: ${memory?.toFixed(1)} MB (target: 60)`);
    const [old] = await api.pods(project.namespace, managers);
    const name = old?.metadata.name ?? '';
    await api.call('DELETE', `/api/v1/namespaces/${project.namespace}/pods/${name}`, {
      gracePeriodSeconds: 0,
    });
    const successor = await eventuallyTrue('another Pod that runs', async () =>
      (await api.pods(project.namespace, managers)).find(
        ({ metadata, status }) =>
          metadata.name !== name && status.containerStatuses?.[0]?.state.running !== undefined,
      ),
    );
    const begun = performance.now();
    await eventuallyTrue('a ready Pod', async () =>
      (await api.pods(project.namespace, managers)).some(
        (pod) => pod.metadata.name === successor.metadata.name && isReady(pod),
      ),
    );
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`the operator's Pod is ready ${seconds} s after its start (target: 4)`);
    await eventuallyTrue('the lease', async () => (await leaseHolder()).includes(successor.metadata.name));
    await api.patch('NginxOperator', 'web', JSON.stringify({ spec: { replicas: 1 } }));
    await operandReady('web', 1);
  });

  test('works on after the API server was killed', async () => {
    process.kill(Number(readFileSync(join(bed.folder, 'kube-apiserver.pid'), 'utf8')), 'SIGKILL');
    await eventuallyTrue('the API server', () =>
      api.request('GET', '/readyz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    await createNginx('late', 1);
    await operandReady('late', 1);
  });

  test('AS8.7: leaves nothing when it is undeployed after its custom resources', async () => {
    for (const name of ['web', 'late']) {
      await api.delete('NginxOperator', name);
      // Kubernetes' garbage collector looks for new kinds twice a minute.
      await eventuallyTrue(`the Deployment ${name} to be gone`, async () => {
        return (await api.get('Deployment', name)) === undefined;
      });
    }
    await project.opSdk('undeploy', '--yes');
    await eventually(async () => {
      const left = (await api.inventory()).filter((object) => !before.includes(object));
      expect(left).toEqual([]);
    }, slow);
  });

  test('is accepted by a namespace that enforces the restricted Pod Security Standard', async () => {
    const { namespace } = project;
    await api.call('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
    await project.opSdk('deploy', '--timeout', '3m');
    expect((await api.pods(namespace, managers)).map(isReady)).toEqual([true]);
    const careless = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'careless' },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    };
    const { status, body } = await api.request(
      'POST',
      `/api/v1/namespaces/${namespace}/pods`,
      JSON.stringify(careless),
    );
    expect(status).toBe(403);
    expect(JSON.stringify(body)).toContain('violates PodSecurity \\"restricted');
    await project.opSdk('undeploy', '--yes');
  });
});
