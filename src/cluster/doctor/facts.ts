import { discover, type ApiDirectory, type KubeClient } from '../../sdk/kube/index.ts';
import { renderKustomization } from '../../kubernetes/kustomize/index.ts';
import { projectKinds, type ProjectKinds } from '../../compiler/manifests/index.ts';
import { layout, loadProject, type LoadedProject } from '../../project/project/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';

/** Environment of the checks, provided by the command. */
export interface DoctorWorld {
  /** The folder in which the command runs. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of the running op-sdk. */
  readonly sdkVersion: string;
  /** The version of the running Node, without the `v`. */
  readonly nodeVersion: string;
  readonly signal: AbortSignal;
  /** A client of the cluster that was asked for; it is closed at the end. @throws OpSdkError as `loadCluster` */
  connect(): Promise<KubeClient>;
  /** The generated manifests that are missing or differ from what the sources give. @throws OpSdkError */
  outdatedManifests(): Promise<readonly string[]>;
  /** The registry of an image, and whether there are credentials for it. @throws OpSdkError */
  registryOf(image: string): Promise<{ readonly registry: string; readonly hasCredentials: boolean }>;
  /** True if a registry asks for credentials; undefined if it does not answer. */
  asksForCredentials(registry: string): Promise<boolean | undefined>;
}

/** The cluster, once it has answered. */
interface ClusterFacts {
  readonly client: KubeClient;
  /** Such as `v1.36.3`. */
  readonly gitVersion: string;
  readonly directory: ApiDirectory;
}

/** Facts for checks. Each is found out once, when the first check asks for it. */
export interface Facts {
  readonly project: LoadedProject;
  /** Kinds of the sources. */
  readonly kinds: ProjectKinds;
  /** The objects of config/default. */
  readonly objects: readonly PlacedObject[];
  readonly cluster: ClusterFacts;
}

export type FactName = keyof Facts;

/** A fact, or why it cannot be determined. */
export type Attempt = <N extends FactName>(
  name: N,
) => Promise<{ readonly value: Facts[N] } | { readonly error: unknown }>;

/** Determines facts about an environment; `close` closes the client that was opened for them. */
export function createFacts(world: DoctorWorld): { readonly attempt: Attempt; close(): Promise<void> } {
  let opened: KubeClient | undefined;
  const project = once(() => loadProject(world.cwd));
  const loaders: { readonly [N in FactName]: () => Promise<Facts[N]> } = {
    project,
    kinds: once(async () => projectKinds((await project()).root)),
    objects: once(async () => renderKustomization(layout.defaultConfig, { cwd: (await project()).root })),
    cluster: once(async () => {
      const client = await world.connect();
      opened = client;
      const { signal } = world;
      const [version, directory] = await Promise.all([
        client.raw.request({ path: '/version', signal }),
        discover(client.connection, { signal }),
      ]);
      return { client, gitVersion: version.json<{ readonly gitVersion: string }>().gitVersion, directory };
    }),
  };
  return {
    attempt: async (name) => {
      try {
        return { value: await loaders[name]() };
      } catch (error) {
        world.signal.throwIfAborted();
        return { error };
      }
    },
    close: async () => opened?.close(),
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
