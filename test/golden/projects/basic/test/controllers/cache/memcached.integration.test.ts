// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

// The controller on a real API server: etcd and kube-apiserver, without a cluster behind them.
import { createClusterClient, createManager, loadCluster, type ClusterClient } from 'opsdk';
import { eventually, startControlPlane, type ControlPlane } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Memcached } from '../../../src/api/cache/v1alpha1/memcached.ts';
import { memcachedController } from '../../../src/controllers/cache/memcached.ts';

expect.extend(kubernetesMatchers);

const key = { name: 'memcached-sample', namespace: 'default' };
const stop = new AbortController();
let controlPlane: ControlPlane | undefined;
/** The administrator, who does what users of the operator do. */
let client: ClusterClient;
let running: Promise<void> | undefined;

// The first start downloads or builds the control plane.
beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: ['config/crd/bases'] });
  client = createClusterClient({
    cluster: await loadCluster({ kubeconfig: controlPlane.kubeconfig }),
    fieldManager: 'test',
  });
  // Under `op-sdk rbac audit` the operator has the rights of its own role here.
  const kubeconfig = controlPlane.operatorKubeconfig;
  const manager = await createManager({ name: 'basic', kubeconfig, health: '0', logLevel: 'error' });
  manager.add(memcachedController);
  running = manager.run({ signal: stop.signal });
}, 900_000);

afterAll(async () => {
  stop.abort();
  await running;
  await client?.close();
  await controlPlane?.stop();
});

it('reports that the object is ready', async () => {
  await client.create(Memcached, { metadata: key, spec: {} });
  await eventually(async () => {
    expect(await client.get(Memcached, key)).toHaveCondition('Ready', 'True');
  });
});
