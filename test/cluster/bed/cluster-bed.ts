import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiOf, until } from '../../../scripts/lib/api.mjs';
import { addresses, firstNode } from './addresses.ts';
import { clusterApi } from './cluster-api.ts';
import { startApiServer, startControllers, type ProgramFolders } from './control-plane-programs.ts';
import { createCredentials } from './credentials.ts';
import { createDnsService, isDnsReady, startDns } from './dns.ts';
import { setUpNetwork } from './network.ts';
import { startNode } from './node.ts';
import { pushNodeBaseImage } from './node-base-image.ts';
import { pauseImage } from './node-files.ts';
import { startBedRegistry } from './registry.ts';
import { pushScriptImage } from './script-image.ts';
import type { Supervised } from './supervised.ts';
import { startVolumes } from './volumes.ts';

/** What tests are given of the cluster, as plain data. */
export interface ClusterBed {
  readonly url: string;
  readonly caCertificate: string;
  readonly credentials: { readonly certificate: string; readonly key: string };
  /** The path of the administrator's. */
  readonly kubeconfig: string;
  /** `host:port` of the registry that the node pulls from, whatever registry a Pod names. */
  readonly registry: string;
  /** An image with Node for operators to be built on. */
  readonly base: string;
  /** With `<program>.log` and `<program>.pid`; a program that is killed starts again. */
  readonly folder: string;
  readonly programs: ProgramFolders;
  /** Name of the cgroups of its nodes. */
  readonly cgroup: string;
}

/** A running cluster. */
export interface RunningBed {
  readonly bed: ClusterBed;
  readonly stop: () => Promise<void>;
}

interface NodeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/**
 * Starts a Kubernetes of one node, with cluster DNS and a default StorageClass, in the network, mounts and processes of this process, which
 * `npm run test:cluster` has made for it. What is not stopped here ends with them.
 * @param cgroup name of the cgroups of its nodes
 * @throws Error with the end of the log of the program that failed
 */
export async function startClusterBed(folders: ProgramFolders, cgroup: string): Promise<RunningBed> {
  const { folder } = folders;
  const programs: Supervised[] = [];
  let stopVolumes = async (): Promise<void> => undefined;
  const stop = async (): Promise<void> => {
    await stopVolumes();
    for (const program of programs.reverse()) await program.end();
  };
  const seen = async (what: string, question: () => Promise<unknown>): Promise<void> => {
    await until(
      what,
      async () => {
        for (const program of programs) program.assertRunning();
        return question().catch(() => false);
      },
      { timeout: 180_000, interval: 50 },
    );
  };
  try {
    mkdirSync(folder, { recursive: true });
    setUpNetwork();
    const credentials = createCredentials(folder);
    programs.push(startBedRegistry(folder), ...startApiServer(folders, credentials));
    const bed: ClusterBed = {
      url: addresses.api,
      caCertificate: credentials.caCertificate,
      credentials: credentials.admin,
      kubeconfig: credentials.file('admin.kubeconfig'),
      registry: addresses.registry,
      base: `${addresses.registry}/bed/node:base`,
      folder,
      programs: folders,
      cgroup,
    };
    await seen('the registry', async () => (await fetch(`http://${addresses.registry}/v2/`)).ok);
    await pushScriptImage({ reference: pauseImage, script: 'exec sleep 2147483647' });
    await pushNodeBaseImage(bed.base);
    const api = apiOf(bed);
    await seen('the API server', async () => (await api.request('GET', '/readyz')).status === 200);
    const begun = performance.now();
    programs.push(...startControllers(folders, credentials), startNode(folders, credentials, cgroup));
    programs.push(startDns(folders, credentials));
    stopVolumes = await startVolumes(bed.kubeconfig, join(folder, 'volumes'));
    await seen(`node ${firstNode.name}`, async () => {
      const { body } = await api.request('GET', `/api/v1/nodes/${firstNode.name}`);
      const { conditions = [] } = (body as NodeObject).status ?? {};
      return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
    });
    console.log(
      `node ready ${((performance.now() - begun) / 1000).toFixed(1)} s after the start of containerd and kubelet (target: 10)`,
    );
    await labelNode(api);
    await createDnsService(clusterApi(bed));
    await seen('the name server', isDnsReady);
    return { bed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Releases of others want to run beside the control plane. A kubelet may not give itself this label. */
async function labelNode(api: ReturnType<typeof apiOf>): Promise<void> {
  const patch = JSON.stringify({ metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } });
  const type = 'application/merge-patch+json';
  const { status, body } = await api.request('PATCH', `/api/v1/nodes/${firstNode.name}`, patch, type);
  if (status !== 200) throw new Error(`the node got no label: ${status} ${JSON.stringify(body)}`);
}
