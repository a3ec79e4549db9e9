import { join, relative } from 'node:path';
import { OpSdkError, isOpSdkError } from '../../../base/errors/index.ts';
import { renderKustomization, type RenderOptions } from '../../../kubernetes/kustomize/index.ts';
import { type PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { ManifestOptions } from '../../flags/cluster-flags.ts';
import { layout, loadProject } from '../../../project/project/index.ts';
import { pathExists, statsAt } from '../../../base/util/fs.ts';
import { operatorAccess, type OperatorAccess } from '../../../cluster/index.ts';
import { readWebhookFiles, isWebhookConfiguration } from '../../../testing/index.ts';
import { diskView, type FileView } from '../../../base/util/observe-files.ts';
import { exclusiveFlags } from './flag-values.ts';
import { readObjects } from './read-objects.ts';

/**
 * Returns the objects that a command works on: the objects of `--filename` if given, otherwise the objects of a kustomization of the
 * project.
 * @param folder folder of the kustomization, relative to the working directory
 * @param options.pipeInto command into which the user can pipe the output of the original kustomize
 * @throws OpSdkError with all findings
 */
export async function manifestInput(
  context: CliContext,
  { filename }: ManifestOptions,
  {
    folder,
    ...options
  }: { readonly folder: string; readonly pipeInto: string } & Pick<RenderOptions, 'onWarning'>,
): Promise<readonly PlacedObject[]> {
  if (filename !== undefined) {
    return notEmpty(await readObjects(context, '--filename', filename), '--filename');
  }
  return renderKustomization(folder, { cwd: context.cwd, ...options });
}

/** Refuses an empty list of objects, because an empty pipe means that the command before it failed. */
function notEmpty(objects: readonly PlacedObject[], flag: string): readonly PlacedObject[] {
  if (objects.length > 0) return objects;
  throw new OpSdkError({
    code: 'cluster/no-objects',
    message: `${flag} gives no objects`,
    where: { flag },
    fix: ['check the output of the command before the pipe, or name another file'],
  });
}

/**
 * Returns the objects of config/crd, which `op-sdk install` and `op-sdk uninstall` work on.
 * @returns undefined for a project that has no kinds yet
 * @throws OpSdkError with all findings
 */
export async function crdInput(
  context: CliContext,
  options: ManifestOptions,
  command: 'install' | 'uninstall',
): Promise<readonly PlacedObject[] | undefined> {
  if (options.filename === undefined) {
    await loadProject(context.cwd);
    if (!(await pathExists(join(context.cwd, layout.kustomization(layout.crd))))) return undefined;
  }
  return manifestInput(context, options, { folder: layout.crd, pipeInto: `op-sdk ${command} -f -` });
}

/**
 * Returns the folder whose kustomization contains the operator's ServiceAccount and roles: config/default if it exists, otherwise
 * config/rbac; undefined in a project that has neither folder.
 */
export async function accessFolder({ cwd }: Pick<CliContext, 'cwd'>): Promise<string | undefined> {
  for (const folder of [layout.defaultConfig, layout.rbac]) {
    const found = await statsAt(join(cwd, layout.kustomization(folder)));
    if (found?.isFile() === true) return folder;
  }
  return undefined;
}

/**
 * Finds the ServiceAccount of the project's operator and its permissions in the rendered manifests.
 * @param isOptional true if the command has `--no-as-service-account`
 * @throws OpSdkError `kustomize/…`, `cluster/no-service-account`
 */
export async function accessInput(
  context: Pick<CliContext, 'cwd'>,
  { isOptional }: { readonly isOptional: boolean },
): Promise<OperatorAccess> {
  const { cwd } = context;
  const folder = (await accessFolder(context)) ?? layout.defaultConfig;
  try {
    return operatorAccess(await renderKustomization(folder, { cwd }), folder);
  } catch (error) {
    // If the use of the ServiceAccount is optional, the operator can run even though the manifests cannot be rendered. So the error
    // suggests `--no-as-service-account`.
    if (!isOpSdkError(error) || !isOptional) throw error;
    const findings = error.findings.map((finding) => ({
      ...finding,
      fix: [...(finding.fix ?? []), 'or run the operator as yourself: --no-as-service-account'],
    }));
    throw new OpSdkError(findings, { cause: error });
  }
}

/**
 * Returns the webhook configurations of config/webhook: the objects of its kustomization, or of its files if the folder has no
 * kustomization.
 * @returns an empty list for a project without webhooks
 * @throws OpSdkError with all findings
 */
export async function webhookInput(
  { cwd }: Pick<CliContext, 'cwd'>,
  files: FileView = diskView,
): Promise<readonly PlacedObject[]> {
  const folder = join(cwd, layout.webhookConfig);
  if (!files.directoryExists(folder)) return [];
  if (!files.fileExists(join(cwd, layout.kustomization(layout.webhookConfig)))) {
    const read = await readWebhookFiles([folder]);
    return read.map(({ object, where }) => ({
      object,
      where: !('file' in where) ? where : { ...where, file: relative(cwd, where.file) },
    }));
  }
  const objects = await renderKustomization(layout.webhookConfig, { cwd });
  return objects.filter(({ object }) => isWebhookConfiguration(object));
}

/**
 * Returns the folder of the kustomization that `deploy`, `undeploy` and `build-installer` work on. With `--filename`, callers do not use
 * the result.
 *
 * @throws OpSdkError `project/not-found` if the default folder is needed outside a project, `cli/invalid-value`
 */
export async function deployedFolder(
  { cwd }: CliContext,
  { dir, filename }: { readonly dir?: string | undefined; readonly filename?: readonly string[] | undefined },
): Promise<string> {
  if (dir !== undefined && filename !== undefined) {
    throw new OpSdkError(exclusiveFlags('--dir', '--filename'));
  }
  if (dir === undefined && filename === undefined) await loadProject(cwd);
  return dir ?? layout.defaultConfig;
}
