import type { Container, Pod } from '../../../sdk/k8s/generated/core/v1.ts';

/** A container that is to run as a process of this machine. */
export interface ContainerToRun {
  /** The Pod, as it was when the container was started. */
  readonly pod: Pod;
  /** The container, as the Pod has it. */
  readonly container: Container;
  /** Command of the container (default: none, since images are not read), with paths and names as in `args`. */
  readonly command: readonly string[];
  /** Arguments of the container. `$(VAR)` is expanded, mount paths are replaced by folders, and names of Pods and Services by addresses. */
  readonly args: readonly string[];
  /** Environment of the container, with the same replacements. It has KUBECONFIG if the Pod has a token of its ServiceAccount. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of this machine by mount path. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Folder of the Pod, in which the process runs. */
  readonly folder: string;
  /** Address of the Pod, of 127.0.0.0/8. */
  readonly address: string;
  /**
   * Returns the address of `POD.SUBDOMAIN.NAMESPACE.svc` or `SERVICE.NAMESPACE.svc`, with or without `.cluster.local`.
   * @throws OpSdkError testenv/unknown-name
   */
  readonly resolve: (name: string) => string;
}

/** A process that runs a container. */
export interface ContainerProcess {
  /** Path of the program, or its name in PATH. */
  readonly file: string;
  /** Default: none. */
  readonly args?: readonly string[];
  /** Environment in addition to that of the container. Default: none. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the process that runs a container. If it throws, the error is the reason why the container cannot be started. */
export type ProcessFor = (container: ContainerToRun) => ContainerProcess | Promise<ContainerProcess>;

/**
 * Processes by image: the whole name of an image, its name without tag and digest, or the last part of that name: `etcd` for
 * `quay.io/coreos/etcd:v3.6.8`. The more exact name wins.
 */
export type Processes = Readonly<Record<string, ProcessFor>>;

/** Returns the process of a container by its image; undefined if there is none, so that the container pretends to run. */
export function processFor(processes: Processes, image: string): ProcessFor | undefined {
  const [plain = ''] = image.split('@');
  const slash = plain.lastIndexOf('/');
  const colon = plain.indexOf(':', slash + 1);
  const repository = colon === -1 ? plain : plain.slice(0, colon);
  for (const name of [image, repository, repository.slice(repository.lastIndexOf('/') + 1)])
    if (Object.hasOwn(processes, name)) return processes[name];
  return undefined;
}
