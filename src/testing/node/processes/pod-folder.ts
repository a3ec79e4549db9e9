import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type {
  Container,
  DownwardAPIVolumeFile,
  KeyToPath,
  Pod,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from '../../../sdk/k8s/generated/core/v1.ts';
import type { PodOnNode } from '../container-runtime.ts';
import type { ConfigSources } from '../pod-references.ts';
import { ConfigFiles, type VolumeFile } from './config-files.ts';
import { expandVariables, fieldValue, resourceValue } from './pod-environment.ts';

/** A token of a ServiceAccount, bound to a Pod. */
export interface PodToken {
  readonly token: string;
  /** Milliseconds until it should be replaced. */
  readonly renewAfter: number;
}

export interface PodFolderOptions {
  /** Folder for the Pods and volumes of all nodes. */
  readonly root: string;
  readonly sources: ConfigSources;
  /** Returns the name of the PersistentVolume of a claim. */
  readonly volumeOf: (namespace: string | undefined, claim: string) => string | undefined;
  /** Requests a token for the ServiceAccount of a Pod. */
  readonly token: (pod: Pod, projection: ServiceAccountTokenProjection) => Promise<PodToken>;
  /** Returns a kubeconfig whose user has the token in a file. */
  readonly kubeconfig: (pod: Pod, tokenFile: string) => string;
  /** Certificate of the API server, in PEM. */
  readonly caCertificate: string;
}

/** A path, a content, and permissions. Default: those of the volume. */
type SourceFile = readonly [path: string, content: Uint8Array | string, mode?: number | undefined];

/** Where the ServiceAccount admission plug-in mounts the token of a Pod. */
const tokenMount = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Folder of one Pod: its volumes, and files for its processes. */
export class PodFolder {
  readonly path: string;
  readonly #place: PodOnNode;
  readonly #options: PodFolderOptions;
  readonly #files = new Map<string, ConfigFiles>();
  readonly #tokens = new Map<string, { readonly token: string; readonly renewAt: number }>();
  #updating: Promise<void> = Promise.resolve();

  constructor(place: PodOnNode, options: PodFolderOptions) {
    this.#place = place;
    this.#options = options;
    this.path = join(options.root, 'pods', place.pod.metadata.uid ?? '');
  }

  /** Creates the volumes. Resolves when their files are written. */
  async make(): Promise<void> {
    const { pod } = this.#place;
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    for (const volume of pod.spec?.volumes ?? []) {
      const folder = this.#folderOf(volume);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (sourcesOf(volume) !== undefined) this.#files.set(volume.name, new ConfigFiles(folder));
    }
    await this.update();
  }

  /** Writes ConfigMaps, Secrets and tokens again, if they have changed. */
  async update(): Promise<void> {
    const next = this.#updating.then(() => this.#update());
    this.#updating = next.catch(() => undefined);
    return next;
  }

  /** Returns the folders of the mounts of a container by mount path. Makes those of `subPath`. */
  async mounts(container: Container, env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const folders: Record<string, string> = {};
    for (const { name, mountPath, subPath, subPathExpr } of container.volumeMounts ?? []) {
      const volume = this.#place.pod.spec?.volumes?.find((each) => each.name === name);
      if (volume === undefined) continue;
      const folder = this.#folderOf(volume);
      const sub = subPathExpr === undefined ? (subPath ?? '') : expandVariables(subPathExpr, env);
      // The API server cannot check what comes from variables. Source: kubelet, `makeMounts`.
      if (isAbsolute(sub) || sub.split('/').includes('..'))
        throw new Error(
          `the subPath of ${mountPath} must be relative and without "..", got ${JSON.stringify(sub)}`,
        );
      folders[mountPath] = sub === '' ? folder : await this.#subPath(container, volume, folder, sub);
    }
    return folders;
  }

  /** Returns the path of a kubeconfig for the ServiceAccount of the Pod; undefined if the container has no token. */
  async kubeconfig(mounts: Readonly<Record<string, string>>): Promise<string | undefined> {
    const folder = mounts[tokenMount];
    if (folder === undefined) return undefined;
    const file = join(this.path, 'kubeconfig');
    await writeFile(file, this.#options.kubeconfig(this.#place.pod, join(folder, 'token')), { mode: 0o600 });
    return file;
  }

  /** Removes the folder. PersistentVolumes stay. */
  async remove(): Promise<void> {
    await this.#updating;
    await rm(this.path, { recursive: true, force: true });
  }

  #folderOf({ name, persistentVolumeClaim, ephemeral }: Volume): string {
    const { metadata } = this.#place.pod;
    const claim = ephemeral === undefined ? persistentVolumeClaim?.claimName : `${metadata.name}-${name}`;
    const bound = claim === undefined ? undefined : this.#options.volumeOf(metadata.namespace, claim);
    return bound === undefined
      ? join(this.path, 'volumes', name)
      : join(this.#options.root, 'volumes', bound);
  }

  /** A file of a ConfigMap under `subPath` is a copy that does not change, as in a cluster. */
  async #subPath(container: Container, volume: Volume, folder: string, path: string): Promise<string> {
    if (!this.#files.has(volume.name)) {
      await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
      return join(folder, path);
    }
    const copy = join(this.path, 'copies', container.name, volume.name, path);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    // The copy of a former run may be read-only.
    await rm(copy, { recursive: true, force: true });
    await copyFile(join(folder, path), copy);
    return copy;
  }

  async #update(): Promise<void> {
    for (const volume of this.#place.pod.spec?.volumes ?? []) {
      const sources = sourcesOf(volume);
      if (sources === undefined) continue;
      const files = new Map<string, VolumeFile>();
      const common = defaultMode(volume);
      for (const source of sources)
        for (const [path, content, mode = common] of await this.#contentsOf(source))
          files.set(path, { content, mode });
      await this.#files.get(volume.name)?.write(files);
    }
  }

  async #contentsOf(source: VolumeProjection): Promise<readonly SourceFile[]> {
    const { configMap, secret, downwardAPI, serviceAccountToken } = source;
    const { sources, caCertificate } = this.#options;
    const { namespace } = this.#place.pod.metadata;
    if (configMap !== undefined) {
      const found = sources.configMap(namespace, configMap.name ?? '');
      // The controller manager may not have written this ConfigMap yet.
      const data = found?.data ?? (configMap.name === 'kube-root-ca.crt' ? { 'ca.crt': caCertificate } : {});
      return pick({ ...fromBase64(found?.binaryData), ...data }, configMap.items);
    }
    if (secret !== undefined)
      return pick(fromBase64(sources.secret(namespace, secret.name ?? '')?.data), secret.items);
    if (downwardAPI !== undefined)
      return (downwardAPI.items ?? []).map((item) => [item.path, this.#downward(item), item.mode]);
    if (serviceAccountToken !== undefined)
      return [[serviceAccountToken.path, await this.#token(serviceAccountToken), 0o600]];
    return [];
  }

  #downward({ fieldRef, resourceFieldRef }: DownwardAPIVolumeFile): string {
    if (fieldRef !== undefined) return fieldValue(this.#place, fieldRef);
    return resourceFieldRef === undefined ? '' : resourceValue(this.#place, undefined, resourceFieldRef);
  }

  async #token(projection: ServiceAccountTokenProjection): Promise<string> {
    const key = `${projection.audience} ${projection.path}`;
    const known = this.#tokens.get(key);
    if (known !== undefined && performance.now() < known.renewAt) return known.token;
    const { token, renewAfter } = await this.#options.token(this.#place.pod, projection);
    this.#tokens.set(key, { token, renewAt: performance.now() + renewAfter });
    return token;
  }
}

/** Returns the sources of the files of a volume; undefined for volumes that are not made of files. */
function sourcesOf({
  configMap,
  secret,
  downwardAPI,
  projected,
}: Volume): readonly VolumeProjection[] | undefined {
  if (projected !== undefined) return projected.sources ?? [];
  if (configMap !== undefined) return [{ configMap }];
  if (secret !== undefined)
    return [{ secret: { name: secret.secretName, items: secret.items, optional: secret.optional } }];
  return downwardAPI === undefined ? undefined : [{ downwardAPI }];
}

/** Returns the permissions of files without permissions of their own. */
function defaultMode({ configMap, secret, downwardAPI, projected }: Volume): number {
  return (configMap ?? secret ?? downwardAPI ?? projected)?.defaultMode ?? 0o644;
}

function fromBase64(data: Readonly<Record<string, string>> | undefined): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  );
}

function pick(
  data: Readonly<Record<string, Uint8Array | string>>,
  items: readonly KeyToPath[] | undefined,
): readonly SourceFile[] {
  if (items === undefined) return Object.entries(data);
  return items.flatMap(({ key, path, mode }): SourceFile[] => {
    const content = data[key];
    return content === undefined ? [] : [[path, content, mode]];
  });
}
