import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';

/**
 * The text of a file of the project, byte for byte.
 * @param path relative to `root`, with forward slashes
 * @returns undefined if the file does not exist
 * @throws OpSdkError `io/cannot-read`
 */
export async function readFileOf(root: string, path: string): Promise<string | undefined> {
  try {
    const entry = await stat(join(root, path));
    // A reader would wait for a pipe, and come to no end of a device.
    if (!entry.isFile() && !entry.isDirectory())
      throw new OpSdkError({
        code: 'io/cannot-read',
        message: `${path} cannot be read: it is not a regular file`,
        where: { file: path },
        fix: ['write the file itself'],
      });
    return await readFile(join(root, path), 'utf8');
  } catch (error) {
    if (error instanceof OpSdkError) throw error;
    // ENOTDIR: a folder of the path is a file.
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

/** One entry of `resources` in PROJECT. Source: kubebuilder `pkg/model/resource`, in the words of the file. */
export interface ProjectResource {
  /** Without the domain: `cache`. */
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /**
   * Where the types are: a file relative to the project, with forward slashes; of an external kind also a module of a package, of a
   * built-in one the path that kubebuilder writes.
   */
  readonly path?: string;
  /** Present if the project defines the kind's CRD. */
  readonly api?: { readonly crdVersion: string; readonly namespaced: boolean };
  /** True if it has a controller of any name. */
  readonly controller: boolean;
  /** The names of its controllers, where PROJECT lists them; absent: at most one, named as the kind. */
  readonly controllers?: readonly string[];
  /** The kind is defined elsewhere. */
  readonly external?: boolean;
  /** The kind is built into Kubernetes. */
  readonly core?: boolean;
  /** Webhooks that `create webhook` created for this version; absent without any. */
  readonly webhooks?: ProjectWebhooks;
}

/** The webhooks of a version of a kind. Source: kubebuilder `pkg/model/resource/webhooks.go`. */
export interface ProjectWebhooks {
  /** API version of the webhook configurations: `v1`. */
  readonly webhookVersion: string;
  readonly defaulting: boolean;
  readonly validation: boolean;
  /** True if other versions are converted to this one and back. */
  readonly conversion: boolean;
  /** The versions that are converted; empty without a conversion. */
  readonly spoke: readonly string[];
  /** Where defaulting is served, if not at the default path. */
  readonly defaultingPath?: string;
  readonly validationPath?: string;
}

/** The API group as Kubernetes knows it: group and domain, `cache.example.com`; empty for the core group. */
export function fullGroup({
  group,
  domain,
  core,
}: Pick<ProjectResource, 'group' | 'domain' | 'core'>): string {
  if (core === true && group === CORE_GROUP) return '';
  return [group, domain].filter((part) => part !== '').join('.');
}

/** Name of the core group, whose real name is empty, in PROJECT and in folders. */
export const CORE_GROUP = 'core';

/** Name of a controller that was given none. Source: kubebuilder `GetControllerNames`. */
export function defaultControllerName(kind: string): string {
  return kind.toLowerCase();
}

/** The names of all controllers of a resource. */
export function controllerNames({
  kind,
  controller,
  controllers,
}: Pick<ProjectResource, 'kind' | 'controller' | 'controllers'>): readonly string[] {
  return controllers ?? (controller ? [defaultControllerName(kind)] : []);
}

/**
 * Returns true if a resource has the controller of a name.
 * @param name absent: that of the kind
 */
export function hasController(resource: ProjectResource, name?: string): boolean {
  return controllerNames(resource).includes(name ?? defaultControllerName(resource.kind));
}

/** Returns true if two resources are of one kind, perhaps in different versions. */
export function isSameKind(a: ProjectResource, b: ProjectResource): boolean {
  return a.kind === b.kind && fullGroup(a) === fullGroup(b);
}
