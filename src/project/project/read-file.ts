import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';

/**
 * Reads a text file of the project, without any change of line ends.
 * @param path path relative to `root`, with forward slashes
 * @returns undefined if the file does not exist
 * @throws OpSdkError `io/cannot-read`
 */
export async function readFileOf(root: string, path: string): Promise<string | undefined> {
  return (await readBytesOf(root, path))?.toString('utf8');
}

/** Reads a file of the project like {@link readFileOf}, as bytes. */
export async function readBytesOf(root: string, path: string): Promise<Buffer | undefined> {
  try {
    const entry = await stat(join(root, path));
    // Pipes and devices are refused, because reading a pipe would block, and reading a device might never end.
    if (!entry.isFile() && !entry.isDirectory())
      throw new OpSdkError({
        code: 'io/cannot-read',
        message: `${path} cannot be read: it is not a regular file`,
        where: { file: path },
        fix: ['replace it by a regular file'],
      });
    return await readFile(join(root, path));
  } catch (error) {
    if (error instanceof OpSdkError) throw error;
    // ENOTDIR means that a parent of the path is a file, so the requested file does not exist.
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw new OpSdkError(
      {
        code: 'io/cannot-read',
        message: `${path} cannot be read: ${errnoText(error)}`,
        where: { file: path },
      },
      { cause: error },
    );
  }
}

/** An entry of `resources` in PROJECT, with the keys of the file. Source: kubebuilder `pkg/model/resource`. */
export interface ProjectResource {
  /** The group without the domain: `cache`. */
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /**
   * Location of the kind's types. It is usually a file relative to the project, with forward slashes. For an external kind it may be a
   * module of a package. For a built-in kind it is the path that kubebuilder writes.
   */
  readonly path?: string;
  /** Present if the project defines the kind's CRD. */
  readonly api?: { readonly crdVersion: string; readonly namespaced: boolean };
  /** True if the resource has at least one controller. */
  readonly controller: boolean;
  /**
   * The names of the controllers, if PROJECT lists them. If absent, the resource has at most one controller, which is named after the kind.
   */
  readonly controllers?: readonly string[];
  /** True if another project defines the kind. */
  readonly external?: boolean;
  /** True if the kind is built into Kubernetes. */
  readonly core?: boolean;
  /** Webhooks that `create webhook` created for this version; absent if it created none. */
  readonly webhooks?: ProjectWebhooks;
}

/** The webhooks of a version of a kind. Source: kubebuilder `pkg/model/resource/webhooks.go`. */
export interface ProjectWebhooks {
  /** API version of the webhook configurations: `v1`. */
  readonly webhookVersion: string;
  readonly defaulting: boolean;
  readonly validation: boolean;
  /** True if this version is the hub, so that the other versions are converted to it and back. */
  readonly conversion: boolean;
  /** The versions that are converted to the hub and back; empty if the kind has no conversion. */
  readonly spoke: readonly string[];
  /** Path of the defaulting webhook if it differs from the default. */
  readonly defaultingPath?: string;
  readonly validationPath?: string;
}

/** Returns the full API group, which joins group and domain: `cache.example.com`. Empty for the core group. */
export function fullGroup({
  group,
  domain,
  core,
}: Pick<ProjectResource, 'group' | 'domain' | 'core'>): string {
  if (core === true && group === CORE_GROUP) return '';
  return [group, domain].filter((part) => part !== '').join('.');
}

/** Name of the core group in PROJECT and in folder names. Its real name in Kubernetes is empty. */
export const CORE_GROUP = 'core';

/** Returns the default name of a controller. Source: kubebuilder `GetControllerNames`. */
export function defaultControllerName(kind: string): string {
  return kind.toLowerCase();
}

/** Returns the names of all controllers of a resource. */
export function controllerNames({
  kind,
  controller,
  controllers,
}: Pick<ProjectResource, 'kind' | 'controller' | 'controllers'>): readonly string[] {
  return controllers ?? (controller ? [defaultControllerName(kind)] : []);
}

/**
 * Returns true if a resource has a controller of this name.
 * @param name name of the controller; default: the name of the kind
 */
export function hasController(resource: ProjectResource, name?: string): boolean {
  return controllerNames(resource).includes(name ?? defaultControllerName(resource.kind));
}

/** Returns true if two resources have the same group and kind, regardless of the version. */
export function isSameKind(a: ProjectResource, b: ProjectResource): boolean {
  return a.kind === b.kind && fullGroup(a) === fullGroup(b);
}
