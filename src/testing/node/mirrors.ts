import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import type { Connection } from '../../sdk/kube/index.ts';
import {
  ConfigMap,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Secret,
  Service,
} from '../../sdk/k8s/generated/core/v1.ts';
import { Ingress } from '../../sdk/k8s/generated/networking/v1.ts';
import { StorageClass } from '../../sdk/k8s/generated/storage/v1.ts';
import { startMirror, type Mirror, type MirrorChange } from './mirror.ts';

export interface MirrorsOptions {
  readonly connection: Connection;
  readonly signal: AbortSignal;
  /** Called if a listener has thrown, which ends the mirror. */
  readonly onDefect: (error: unknown) => void;
}

/** Listeners for changes. They are called before the mirrors are complete, too. */
interface MirrorListeners {
  readonly service: (change: MirrorChange<Service>) => void;
  readonly ingress: (ingress: Ingress) => void;
  /** Called after changes of ConfigMaps and Secrets. */
  readonly config: () => void;
  /** Called after changes of claims, volumes and StorageClasses. */
  readonly storage: () => void;
  /** Called after changes of nodes and namespaces. */
  readonly placement: () => void;
}

/** All objects except Pods that the scheduler and the kubelets read. */
export interface Mirrors {
  readonly nodes: Mirror<Node>;
  readonly namespaces: Mirror<Namespace>;
  readonly services: Mirror<Service>;
  readonly configMaps: Mirror<ConfigMap>;
  readonly secrets: Mirror<Secret>;
  readonly claims: Mirror<PersistentVolumeClaim>;
  readonly volumes: Mirror<PersistentVolume>;
  readonly classes: Mirror<StorageClass>;
}

/** Starts the mirrors. Resolves when they have all objects. */
export async function startMirrors(options: MirrorsOptions, on: MirrorListeners): Promise<Mirrors> {
  const start = <T extends KubeObject>(
    resource: Resource<T>,
    onChange: (change: MirrorChange<T>) => void,
  ): Promise<Mirror<T>> => startMirror({ ...options, resource, onChange });
  const { config, storage, placement } = on;
  const [nodes, namespaces, services, configMaps, secrets, claims, volumes, classes] = await Promise.all([
    start(Node, placement),
    start(Namespace, placement),
    start(Service, on.service),
    start(ConfigMap, config),
    start(Secret, config),
    start(PersistentVolumeClaim, storage),
    start(PersistentVolume, storage),
    start(StorageClass, storage),
    start(Ingress, ({ after }) => after && on.ingress(after)),
  ]);
  return { nodes, namespaces, services, configMaps, secrets, claims, volumes, classes };
}
