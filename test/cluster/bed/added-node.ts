import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addresses, secondNode } from './addresses.ts';
import { clusterApi, eventuallyTrue } from './cluster-api.ts';
import type { ClusterBed } from './cluster-bed.ts';
import { proxyArguments } from './control-plane-programs.ts';
import { bedScript, nodeArguments } from './node.ts';
import { supervise, type Supervised } from './supervised.ts';

/** A second node of the cluster, with network, processes, containerd, kubelet and kube-proxy of its own. */
export interface AddedNode extends AsyncDisposable {
  readonly name: string;
  /** Pulls the plug of its network: the node and its Pods run on, and nobody reaches them. */
  disconnect(): void;
  connect(): void;
}

interface NodeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Adds a node to the cluster, until it is disposed of. Resolves when it is ready and its Pods reach Services. */
export async function addNode(bed: ClusterBed): Promise<AddedNode> {
  const { name, address, pods } = secondNode;
  const api = clusterApi(bed);
  const folder = mkdtempSync(join(bed.folder, `${name}-`));
  const credentials = { file: (file: string) => join(bed.folder, 'pki', file) };
  const programs: Supervised[] = [];
  const end = async (): Promise<void> => {
    for (const program of programs.reverse()) await program.end();
    await api.request('DELETE', `/api/v1/nodes/${name}`);
    // Nobody else ends Pods of a node that is gone before long.
    const { items } = await api.call<{ items: readonly BoundPod[] }>(
      'GET',
      `/api/v1/pods?fieldSelector=spec.nodeName=${name}`,
    );
    for (const { metadata } of items)
      await api.request('DELETE', `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`, {
        gracePeriodSeconds: 0,
      });
  };
  try {
    const { node: nodePrograms } = bed.programs;
    const cgroup = join(bed.cgroup, name);
    const run = nodeArguments({ folder, programs: nodePrograms, node: secondNode, cgroup, credentials });
    const script = [bedScript('added-node.sh'), name, address, addresses.node, pods];
    programs.push(
      supervise({ folder, name: 'node', command: 'unshare', args: ['--net', 'sh', ...script, 'sh', ...run] }),
    );
    await eventuallyTrue(`node ${name}`, async () => {
      programs[0]?.assertRunning();
      const { body } = await api.request('GET', `/api/v1/nodes/${name}`);
      const { conditions = [] } = (body as NodeObject).status ?? {};
      return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
    });
    const pid = readFileSync(join(folder, 'node.pid'), 'utf8');
    const proxy = [join(nodePrograms, 'kube-proxy'), ...proxyArguments(credentials, secondNode)];
    programs.push(
      supervise({
        ...{ folder, name: 'kube-proxy' },
        command: 'nsenter',
        args: ['--target', pid, '--net', ...proxy],
      }),
    );
    await eventuallyTrue(`Services on node ${name}`, () => reachesApiService(pid));
  } catch (error) {
    await end();
    throw error;
  }
  const setLink = (state: 'up' | 'down'): void => void execFileSync('ip', ['link', 'set', name, state]);
  return {
    name,
    disconnect: () => setLink('down'),
    connect: () => setLink('up'),
    [Symbol.asyncDispose]: end,
  };
}

interface BoundPod {
  readonly metadata: { readonly name: string; readonly namespace: string };
}

/** Connects to the API server by its Service from the network of a process. */
async function reachesApiService(pid: string): Promise<boolean> {
  try {
    const connect = ['busybox', 'nc', '-w', '1', addresses.apiService, '443'];
    execFileSync('nsenter', ['--target', pid, '--net', ...connect], { input: '', stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
