import { join, relative, resolve } from 'node:path';
import { stat, readdir } from 'node:fs/promises';
import { OpSdkError, isOpSdkError, FindingList } from '../../../base/errors/index.ts';
import { renderKustomization, type RenderOptions } from '../../../kubernetes/kustomize/index.ts';
import {
  type PlacedObject,
  YamlBudget,
  readManifest,
  readRegularYamlFile,
  readYamlFile,
} from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { ManifestOptions } from '../../flags/cluster-flags.ts';
import { layout, loadProject } from '../../../project/project/index.ts';
import { pathExists, errnoText } from '../../../base/util/fs.ts';
import { operatorAccess, type OperatorAccess } from '../../../cluster/index.ts';
import { readWebhookFiles, isWebhookConfiguration } from '../../../testing/index.ts';
import { diskView, type FileView } from '../../../base/util/observe-files.ts';

/**
 * The objects that a command works on: those of `--filename`, else those of a kustomization of the project.
 *
 * @param folder relative to the folder of the command
 * @param options.pipeInto the command that takes the output of the real kustomize
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

/** An empty pipe means that what was to fill it has failed. */
function notEmpty(objects: readonly PlacedObject[], flag: string): readonly PlacedObject[] {
  if (objects.length > 0) return objects;
  throw new OpSdkError({
    code: 'cluster/no-objects',
    message: `${flag} gives no objects`,
    where: { flag },
    fix: ['look at what the command before the pipe says, or name another file'],
  });
}

/**
 * The objects of `op-sdk install` and `uninstall`: those of config/crd.
 *
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
 * The folder whose kustomization has the operator's ServiceAccount and roles: config/default, else config/rbac; undefined in a project
 * that has neither.
 */
export async function accessFolder({ cwd }: Pick<CliContext, 'cwd'>): Promise<string | undefined> {
  for (const folder of [layout.defaultConfig, layout.rbac]) {
    const found = await stat(join(cwd, layout.kustomization(folder))).catch(() => undefined);
    if (found?.isFile() === true) return folder;
  }
  return undefined;
}

/**
 * Finds the account of the project's operator and its permissions in the rendered manifests.
 * @param isOptional the command has `--no-as-service-account`
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
    // What cannot be rendered need not keep anybody from running the operator.
    if (!isOpSdkError(error) || !isOptional) throw error;
    const findings = error.findings.map((finding) => ({
      ...finding,
      fix: [...(finding.fix ?? []), 'or run the operator as yourself: --no-as-service-account'],
    }));
    throw new OpSdkError(findings, { cause: error });
  }
}

/**
 * The webhook configurations of config/webhook: those of its kustomization, or of its files if it has none.
 * @returns none for a project without webhooks
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

/** Limit of files in a folder; whoever has more named a wrong one. */
const MOST_FILES = 5000;

/**
 * The objects of files, of folders (all YAML and JSON files below them) and of standard input, for `-f`.
 * @param names relative to the folder of the command, or absolute; `-` is standard input
 * @throws OpSdkError with what is wrong in all of them
 */
export async function readObjects(
  context: CliContext,
  flag: string,
  names: readonly string[],
): Promise<readonly PlacedObject[]> {
  const findings = new FindingList();
  const objects: PlacedObject[] = [];
  const budget = new YamlBudget();
  const collect = async (read: () => Promise<readonly PlacedObject[]>): Promise<void> => {
    // Not as arguments of `push`, whose number the stack bounds.
    for (const object of (await findings.gather(read)) ?? []) objects.push(object);
  };
  for (const name of [...new Set(names)]) {
    if (name === '-') {
      await collect(async () => readManifest(await context.readStdin(), '-', { budget }));
      continue;
    }
    await collect(async () => {
      const files = await filesOf(context.cwd, flag, name);
      if (files.length > MOST_FILES)
        throw new OpSdkError({
          code: 'io/too-large',
          message: `${name} holds ${files.length} files; up to ${MOST_FILES} are read`,
          where: { flag },
          fix: ['name the folder of the manifests'],
        });
      for (const file of files) {
        await collect(async () => {
          // A pipe that is named is what `<(command)` of a shell gives; one in a folder would be waited for without end.
          const read = file === name ? readYamlFile : readRegularYamlFile;
          const text = await read(resolve(context.cwd, file), file, budget.left('bytes'));
          return readManifest(text, file, { budget });
        });
      }
      return [];
    });
  }
  findings.throwIfAny();
  return objects;
}

async function filesOf(cwd: string, flag: string, name: string): Promise<readonly string[]> {
  try {
    if (!(await stat(resolve(cwd, name))).isDirectory()) return [name];
    const entries = await readdir(resolve(cwd, name), { withFileTypes: true });
    const nested = await Promise.all(
      entries
        .map((entry) => ({ entry, path: join(name, entry.name) }))
        .map(async ({ entry, path }) => {
          if (entry.isDirectory()) return filesOf(cwd, flag, path);
          return /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [];
        }),
    );
    return nested.flat().sort();
  } catch (error) {
    if (isOpSdkError(error)) throw error;
    throw new OpSdkError(
      {
        code: 'io/not-found',
        message: `${flag} ${name} cannot be read: ${errnoText(error)}`,
        where: { flag },
        fix: ['name a file, a folder, or - for standard input'],
      },
      { cause: error },
    );
  }
}
