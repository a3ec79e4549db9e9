import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** A program of the control plane. kubectl is not in this list, because it is never required; only the published archives contain it. */
export type Binary = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

/**
 * A program of a Kubernetes node. A control plane does not need these programs, and the published archives do not contain them. The tests
 * of op-sdk itself build and run them.
 */
export type NodeBinary = 'kubelet' | 'kube-scheduler' | 'kube-proxy';

/** The binaries that a control plane needs. */
export function requiredBinaries(controllerManager: boolean): readonly Binary[] {
  return controllerManager
    ? ['etcd', 'kube-apiserver', 'kube-controller-manager']
    : ['etcd', 'kube-apiserver'];
}

/** The file name of a program on the current operating system. */
export function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

/** Returns the binaries that do not exist in `folder` or are not executable. */
export async function missingBinaries<B extends string>(
  folder: string,
  binaries: readonly B[],
): Promise<readonly B[]> {
  const missing: B[] = [];
  for (const binary of binaries) {
    await access(join(folder, executable(binary)), constants.X_OK).catch(() => missing.push(binary));
  }
  return missing;
}

/** Returns the path of the lock file for a Kubernetes version. */
export function lockFile(cache: string, version: string): string {
  return join(cache, `${version}.lock`);
}
