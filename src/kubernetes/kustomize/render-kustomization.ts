import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { ManifestObject, PlacedObject } from '../yaml/index.ts';
import { accumulate } from './build/accumulate.ts';
import { finish } from './build/finish.ts';
import { findDuplicates } from './find-duplicates.ts';
import { hashNames } from './generators/hash-names.ts';
import { describeId } from './ids.ts';
import { refuseInternalAnnotations } from './internal-annotations.ts';
import { loadFolder } from './load/load-folder.ts';
import { updateReferences } from './references/update-references.ts';
import { idOf } from './resource.ts';
import { refuseDiverged } from './shared-texts.ts';
import { resolveVariables } from './vars/resolve-variables.ts';
import { legacyOrder, sortResources } from './sort-resources.ts';

export interface RenderOptions {
  /** The folder in which the command runs: `folder` is relative to it, and so are the places in findings. */
  readonly cwd: string;
  /**
   * The command that a refusal pipes the real kustomize into, such as `op-sdk deploy -f -`. Without it the refusal names
   * `kustomize build` alone.
   */
  readonly pipeInto?: string;
  /** Called for texts that kustomize prints in another way. Default: they are not reported. */
  readonly onWarning?: ((warning: Finding) => void) | undefined;
}

/**
 * Renders the kustomization of a folder as kustomize 5 does. Everything is read and checked before anything is built, so
 * that everything wrong with the files is reported at once.
 *
 * @param folder relative to `cwd`, or absolute
 * @returns the objects in kustomize's order, and the places that they come from
 * @throws OpSdkError with all findings
 */
export async function renderKustomization(
  folder: string,
  { cwd, pipeInto, onWarning }: RenderOptions,
): Promise<readonly PlacedObject[]> {
  const findings = new FindingList();
  const root = await rootOf(folder, cwd);
  const command = `kustomize build ${folder}${pipeInto === undefined ? '' : ` | ${pipeInto}`}`;
  const entry = { path: folder, where: { file: folder } };
  const realCwd = await realpath(cwd);
  const workaround = `use kustomize itself: \`${command}\``;
  const warn = (warning: Finding): void => onWarning?.(warning);
  const loaded = await loadFolder(root, entry, { realCwd, workaround, findings, warn });
  findings.throwIfAny();
  if (loaded === undefined)
    throw new TypeError(`nothing was loaded from ${folder}, and nothing was found wrong`);

  const { resources, config, variables } = accumulate(loaded, findings);
  refuseInternalAnnotations(resources, findings);
  findings.throwIfAny();
  hashNames(resources, findings);
  findings.throwIfAny();
  updateReferences(resources, config.nameReference, findings);
  findings.throwIfAny();
  resolveVariables(resources, variables.values(), config.varReference, findings);
  // What is refused already need not be compared.
  if (findings.all.length === 0) refuseDiverged(resources, findings);
  findDuplicates(resources, (first, duplicate) =>
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `the new names make two resources ${describeId(idOf(duplicate))}; the other one is at ${first}`,
      where: duplicate.where,
      fix: ['rename one of them'],
    }),
  );
  findings.throwIfAny();
  const order = loaded.fields.sortOrder ?? { order: 'legacy', ...legacyOrder };
  return sortResources(finish(resources, loaded.fields.buildMetadata), order).map(({ object, where }) => ({
    object: object as unknown as ManifestObject,
    where,
  }));
}

async function rootOf(folder: string, cwd: string): Promise<string> {
  const path = resolve(cwd, folder);
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory() === true) return realpath(path);
  throw new OpSdkError({
    code: 'kustomize/missing-file',
    message: stats === undefined ? `the folder ${folder} does not exist` : `${folder} is not a folder`,
    where: { file: folder },
    fix: ['name a folder that holds a kustomization.yaml'],
  });
}
