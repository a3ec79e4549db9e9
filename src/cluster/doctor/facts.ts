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
  /** Creates a client of the cluster that the user selected. The client is closed after all checks. @throws OpSdkError as `loadCluster` */
  connect(): Promise<KubeClient>;
  /** Returns the generated manifests that are missing or not up to date with the sources. @throws OpSdkError */
  outdatedManifests(): Promise<readonly string[]>;
  /** Returns the registry of an image, and true in `hasCredentials` if credentials for the registry exist. @throws OpSdkError */
  registryOf(image: string): Promise<{ readonly registry: string; readonly hasCredentials: boolean }>;
  /** Returns true if a registry requires credentials, false if it does not; undefined if it does not answer. */
  asksForCredentials(registry: string): Promise<boolean | undefined>;
}

/** Facts about the cluster. They are available only if its API server answers. */
interface ClusterFacts {
  readonly client: KubeClient;
  /** Version of Kubernetes, such as `v1.36.3`. */
  readonly gitVersion: string;
  readonly directory: ApiDirectory;
}

/** Facts that checks use. Each fact is determined only once, when the first check requests it. */
export interface Facts {
  readonly project: LoadedProject;
  /** The kinds that the project's sources declare or use. */
  readonly kinds: ProjectKinds;
  /** The objects that config/default renders to. */
  readonly objects: readonly PlacedObject[];
  readonly cluster: ClusterFacts;
}

export type FactName = keyof Facts;

/** Determines a fact. Returns the fact, or the error because of which it cannot be determined. */
export type Attempt = <N extends FactName>(
  name: N,
) => Promise<{ readonly value: Facts[N] } | { readonly error: unknown }>;

/** Creates the function that determines facts about an environment. `close` closes the cluster client if one was opened. */
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
