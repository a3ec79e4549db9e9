import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { statsAt } from '../../base/util/fs.ts';
import { isObject, type JsonObject } from '../objects/index.ts';
import type { ManifestObject, PlacedObject } from '../yaml/index.ts';
import { accumulate } from './build/accumulate.ts';
import { originMark, transformationsMark } from './build/copies.ts';
import { hashNames } from './generators/absorb.ts';
import type { BuildMetadata } from './load/kustomization.ts';
import { loadFolder } from './load/load-folder.ts';
import { updateReferences } from './references/update-references.ts';
import { describeId, findDuplicates, idOf, refuseInternalAnnotations, type Resource } from './resource.ts';
import { refuseDiverged } from './shared-texts.ts';
import { legacyOrder, sortResources } from './sort-resources.ts';
import { resolveVariables } from './vars/resolve-variables.ts';
import { isBare, printBare } from './written-values.ts';

export interface RenderOptions {
  /** Folder in which the command runs. `folder` and the paths in findings are relative to it. */
  readonly cwd: string;
  /**
   * Command to which the suggested `kustomize build` is piped, such as `op-sdk deploy -f -`. Default: none, so the fix contains only
   * `kustomize build`.
   */
  readonly pipeInto?: string;
  /** Called for each text that kustomize prints differently. Default: such texts are not reported. */
  readonly onWarning?: ((warning: Finding) => void) | undefined;
}

/**
 * Renders the kustomization of a folder like kustomize 5. All files are read and checked before the build starts, so that all problems with
 * the files are reported at once.
 *
 * @param folder relative to `cwd`, or absolute
 * @returns the objects in kustomize's order, with the source location of each
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
  // This check is skipped if earlier findings refuse the build anyway.
  if (findings.all.length === 0) refuseDiverged(resources, findings);
  findDuplicates(resources, (first, duplicate) =>
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `after renaming, two resources are the same object ${describeId(idOf(duplicate))}; the other one is at ${first}`,
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
  const stats = await statsAt(path);
  if (stats?.isDirectory() === true) return realpath(path);
  throw new OpSdkError({
    code: 'kustomize/missing-file',
    message: stats === undefined ? `the folder ${folder} does not exist` : `${folder} is not a folder`,
    where: { file: folder },
    fix: ['name a folder that holds a kustomization.yaml'],
  });
}

/** Annotations that kustomize's tools use internally. kustomize removes these annotations at the end of a build. */
const always = ['config.kubernetes.io/index', 'config.kubernetes.io/path', 'config.k8s.io/id'] as const;

const local = 'config.kubernetes.io/local-config';

/** Removes resources that are only meant for tools, and the annotations of tools. Like in kustomize, empty annotations are removed, too. */
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
      // A replacement may have copied a number into an annotation, but annotations must be texts.
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
