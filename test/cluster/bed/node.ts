import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addresses } from './addresses.ts';
import type { ProgramFolders } from './control-plane-programs.ts';
import { nodeName, type Credentials } from './credentials.ts';
import { writeNodeFiles } from './node-files.ts';
import { supervise, type Supervised } from './supervised.ts';

/**
 * Starts containerd and the kubelet, in mounts and cgroups of their own. The registry must have the pause image.
 * @param name of the cgroups, unlike that of every other bed on this machine
 */
export function startNode(folders: ProgramFolders, credentials: Credentials, name: string): Supervised {
  const { folder, node } = folders;
  const files = writeNodeFiles(folder, credentials);
  const kubelet = [
    join(node, 'kubelet'),
    `--config=${files.kubelet}`,
    `--kubeconfig=${credentials.file('kubelet.kubeconfig')}`,
    `--root-dir=${join(folder, 'kubelet')}`,
    `--cert-dir=${join(folder, 'pki')}`,
    `--node-ip=${addresses.node}`,
    `--hostname-override=${nodeName}`,
  ];
  const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const enter = [script('enter-node.sh'), name, folder];
  return supervise({
    folder,
    name: 'node',
    command: 'sh',
    args: [...enter, 'sh', script('node.sh'), folder, files.containerd, files.containerdSocket, ...kubelet],
  });
}
