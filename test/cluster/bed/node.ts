import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstNode, type BedNode } from './addresses.ts';
import type { ProgramFolders } from './control-plane-programs.ts';
import type { Credentials } from './credentials.ts';
import { writeNodeFiles } from './node-files.ts';
import { supervise, type Supervised } from './supervised.ts';

/**
 * Starts containerd and the kubelet of the first node, in mounts and cgroups of their own. The registry must have the pause image.
 * @param cgroup name of the cgroups, unlike that of every other bed on this machine
 */
export function startNode(folders: ProgramFolders, credentials: Credentials, cgroup: string): Supervised {
  const { folder } = folders;
  const args = nodeArguments({ folder, programs: folders.node, node: firstNode, cgroup, credentials });
  return supervise({ folder, name: 'node', command: 'sh', args });
}

interface NodeArguments {
  /** The node's own. */
  readonly folder: string;
  readonly programs: string;
  readonly node: BedNode;
  readonly cgroup: string;
  readonly credentials: Pick<Credentials, 'file'>;
}

/** The arguments with which `sh` runs containerd and a kubelet as on a node. Writes their configuration. */
export function nodeArguments(options: NodeArguments): readonly string[] {
  const { folder, programs, node, cgroup, credentials } = options;
  const files = writeNodeFiles(folder, node, credentials);
  const kubelet = [
    join(programs, 'kubelet'),
    `--config=${files.kubelet}`,
    `--kubeconfig=${credentials.file(`kubelet-${node.name}.kubeconfig`)}`,
    `--root-dir=${join(folder, 'kubelet')}`,
    `--cert-dir=${join(folder, 'pki')}`,
    `--node-ip=${node.address}`,
    `--hostname-override=${node.name}`,
  ];
  const run = [bedScript('node.sh'), folder, files.containerd, files.containerdSocket, ...kubelet];
  return [bedScript('enter-node.sh'), cgroup, folder, 'sh', ...run];
}

/** The path of a shell script of the bed. */
export function bedScript(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
