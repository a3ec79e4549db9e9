import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { ManifestObject, PlacedObject } from '../yaml/index.ts';
import { isObject, type JsonObject } from '../objects/index.ts';
import { accumulate } from './build/accumulate.ts';
import { idOf, type Resource, describeId, refuseInternalAnnotations, findDuplicates } from './resource.ts';
import { hashNames } from './generators/absorb.ts';
import { loadFolder } from './load/load-folder.ts';
import { updateReferences } from './references/update-references.ts';
import { refuseDiverged } from './shared-texts.ts';
import { resolveVariables } from './vars/resolve-variables.ts';
import { legacyOrder, sortResources } from './sort-resources.ts';
import type { BuildMetadata } from './load/kustomization.ts';
import { isBare, printBare } from './written-values.ts';
import { originMark, transformationsMark } from './build/copies.ts';

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

/** Annotations with which tools of kustomize's family mark what they work on; it takes them out at the end. */
const always = ['config.kubernetes.io/index', 'config.kubernetes.io/path', 'config.k8s.io/id'] as const;

const local = 'config.kubernetes.io/local-config';

/** Takes out resources that are for tools only, and annotations of tools; empty annotations go, too, as in kustomize. */
function finish(
  resources: readonly Resource[],
  buildMetadata: readonly BuildMetadata[],
): readonly Resource[] {
  const marks = [
    ...always,
    ...(buildMetadata.includes('originAnnotations') ? [] : [originMark]),
    ...(buildMetadata.includes('transformerAnnotations') ? [] : [transformationsMark]),
  ];
  const kept = resources.filter((resource) => {
    const mark = annotationsOf(resource)?.[local];
    return mark === undefined || mark === 'false';
  });
  for (const resource of kept) {
    const { metadata } = resource.object;
    const annotations = annotationsOf(resource) ?? {};
    for (const mark of marks) delete annotations[mark];
    for (const [key, value] of Object.entries(annotations)) {
      // Replacements copy numbers, too, but an annotation is text.
      if (value === null) annotations[key] = isBare(annotations, key) ? '' : 'null';
      else if (typeof value === 'number' || typeof value === 'boolean') annotations[key] = String(value);
    }
    if (isObject(metadata) && Object.keys(annotations).length === 0) delete metadata['annotations'];
    printBare(resource.object);
  }
  return kept;
}

function annotationsOf({ object: { metadata } }: Resource): JsonObject | undefined {
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return isObject(annotations) ? annotations : undefined;
}
