// Commands, logs and ports of Pods: our client, a real API server, a real kubelet and containerd.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createClient, loadCluster, type KubeClient } from '../../src/sdk/kube/index.ts';
import { ConfigMap, Pod, ServiceAccount } from '../../src/sdk/k8s/generated/core/v1.ts';
import { clientWithToken, podStreamCases } from '../helpers/pod-streams.ts';
import { serviceAccountToken } from '../helpers/service-account.ts';
import { namespace, shell, startShell, type PodStreams } from '../helpers/shell-pod.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { busyboxFiles, pushLayerImage } from './bed/layer-image.ts';

const bed = inject('cluster') as ClusterBed;

describe.skipIf(bed === undefined)('streams of real Pods', () => {
  let client: KubeClient;
  const streams = (): PodStreams => ({
    client,
    kubeconfig: bed.kubeconfig,
    image: `${bed.registry}/team/shell:v1`,
    address: '0.0.0.0',
  });

  beforeAll(async () => {
    const cluster = await loadCluster({ kubeconfig: bed.kubeconfig });
    client = createClient({ cluster, fieldManager: 'test' });
    await pushLayerImage({
      reference: streams().image,
      base: bed.base,
      files: busyboxFiles(),
      config: { User: '65532:65532', Env: ['PATH=/usr/local/bin:/bin'] },
    });
    await startShell(streams(), shell.name);
  });
  afterAll(async () => {
    await client?.delete(Pod, shell, { gracePeriodSeconds: 0, ignoreNotFound: true });
    await client?.delete(ConfigMap, { name: 'settings', namespace }, { ignoreNotFound: true });
    await client?.close();
  });

  // Four connections, one behind the other, have buffers.
  podStreamCases(streams, { onItsWay: 64 * 1024 * 1024 });

  test('a token that has expired is refused', async () => {
    const account = { name: 'late', namespace };
    const token = await serviceAccountToken(client, namespace, [], account.name);
    const guest = await clientWithToken(bed.kubeconfig, expired(token));
    await expect(guest.exec(shell, { command: ['true'] })).rejects.toMatchObject({
      code: 'kube/unauthorized',
    });
    await Promise.all([guest.close(), client.delete(ServiceAccount, account)]);
  });
});

/** Returns a token as it was a day ago, signed by the cluster's key, so that it has expired. */
function expired(token: string): string {
  const [head = '', body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Readonly<Record<string, number>>;
  const { iat = 0, nbf = 0, exp = 0 } = claims;
  const day = 86_400;
  const old = JSON.stringify({ ...claims, iat: iat - day, nbf: nbf - day, exp: exp - day });
  const signed = `${head}.${Buffer.from(old).toString('base64url')}`;
  const key = createPrivateKey(readFileSync(join(bed.folder, 'pki', 'service-account.key')));
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
