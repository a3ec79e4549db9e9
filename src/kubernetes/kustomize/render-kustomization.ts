import { realpath } from 'node:fs/promises';
import { resolve, posix } from 'node:path';
import { FindingList, OpSdkError, type Finding, formatWhere, type Where } from '../../base/errors/index.ts';
import { statsAt } from '../../base/util/fs.ts';
import type { ManifestObject, PlacedObject } from '../yaml/index.ts';
import { isObject, type JsonObject } from '../objects/index.ts';
import {
  idOf,
  type Resource,
  describeId,
  refuseInternalAnnotations,
  findDuplicates,
  newResource,
  idKey,
} from './resource.ts';
import { hashNames, absorb } from './generators/absorb.ts';
import { loadFolder } from './load/load-folder.ts';
import { updateReferences } from './references/update-references.ts';
import { refuseDiverged } from './shared-texts.ts';
import { resolveVariables, addVariables, bindVariables } from './vars/resolve-variables.ts';
import { legacyOrder, sortResources } from './sort-resources.ts';
import type { BuildMetadata, Folder, Generated, Template, LoadedTransformer } from './load/kustomization.ts';
import { isBare, printBare } from './written-values.ts';
import {
  originMark,
  transformationsMark,
  copyJson,
  noOrigins,
  noteOrigins,
  type Origins,
} from './build/copies.ts';
import { emptyConfig, type TransformerConfig } from './config/transformer-config.ts';
import { mergeReported } from './load/load-config.ts';
import { limits } from './load/build-files.ts';
import type { Variable } from './vars/variables.ts';
import type { LabelRule, PatchField } from './entries.ts';
import { applyPatches } from './patches/apply-patches.ts';
import { applyReplacements } from './replacements/apply-replacements.ts';
import { setNamespace, addPrefix, addSuffix } from './transform/set-namespace.ts';
import type { FieldSpec } from './transform/field-spec.ts';
import { mergeSpecs, ownLabels, setPairs } from './transform/label-specs.ts';
import { replaceImages, setReplicas } from './transform/set-images.ts';

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

const budgetNames = {
  values: 'values',
  folders: 'folders, each use counted',
  generatedBytes: 'bytes that generators and buildMetadata make, each use counted',
} as const;

/** Resources, configuration and variables gathered from a folder and the folders that it includes. */
interface Accumulated {
  readonly resources: Resource[];
  config: TransformerConfig;
  readonly variables: Map<string, Variable>;
}

const nothing = (): Accumulated => ({ resources: [], config: emptyConfig, variables: new Map() });

/** Builds the resources of a folder and of all folders that it includes, with all changes except the update of references. */
function accumulate(folder: Folder, findings: FindingList): Accumulated {
  const budget = { values: 0, folders: 0, generatedBytes: 0 };
  const isNoted = folder.fields.buildMetadata.length > 0;
  return accumulateInto(nothing(), folder, '');

  /**
   * Builds a folder and adds its resources to the accumulated ones. A component starts with the resources of its parent and changes them; a
   * kustomization starts without any resources.
   */
  function accumulateInto(accumulated: Accumulated, current: Folder, path: string): Accumulated {
    const origins = isNoted ? originsOf(current, path) : noOrigins;
    const { resources, variables } = accumulated;
    spend('folders', current);
    const known = new Map(resources.map((resource) => [idKey(resource), resource]));
    const add = (resource: Resource): void => {
      const first = known.get(idKey(resource));
      if (first === undefined) {
        known.set(idKey(resource), resource);
        resources.push(resource);
      } else reportDuplicate(formatWhere(first.where), resource);
    };
    for (const [index, part] of current.resources.entries()) {
      const entry = current.fields.resources[index]?.path ?? '';
      if ('root' in part) {
        const inner = accumulateInto(nothing(), part, posix.join(path, entry));
        inner.resources.forEach(add);
        addConfig(accumulated, inner.config, part);
        addVariables(variables, inner.variables.values(), findings);
      } else {
        for (const template of part) {
          const resource = instantiate(template, current);
          origins.ofFile(resource, entry);
          add(resource);
        }
      }
    }
    addConfig(accumulated, current.config, current);
    for (const generated of current.generated)
      absorb(resources, generate(generated, current, origins), generated.behavior, findings);
    for (const [index, component] of current.components.entries())
      accumulateInto(accumulated, component, posix.join(path, current.fields.components[index]?.path ?? ''));
    const [transformer] = current.fields.transformerPlugins;
    if (isNoted && transformer !== undefined)
      findings.add({
        code: 'kustomize/unsupported-field',
        message: 'buildMetadata: op-sdk cannot record in annotations what `transformers` change',
        where: transformer.where,
        fix: ['use the fields of the kustomization instead, or leave buildMetadata out'],
      });
    if (current.components.length > 0) findDuplicates(resources, reportDuplicate);
    transform(resources, current, accumulated.config, origins, findings);
    bindVariables(resources, current.fields.vars, findings);
    addVariables(variables, current.fields.vars, findings);
    return accumulated;
  }

  function addConfig(accumulated: Accumulated, config: TransformerConfig, { file }: Folder): void {
    accumulated.config = mergeReported(accumulated.config, config, { where: { file } }, findings);
  }

  function instantiate({ object, where }: Template, current: Folder): Resource {
    return newResource(
      copyJson(object, () => spend('values', current)),
      where,
    );
  }

  function generate(generated: Generated, current: Folder, origins: Origins): Resource {
    spend('generatedBytes', current, generated.bytes);
    const resource = { ...instantiate(generated, current), isHashed: generated.isHashed };
    if (generated.isPlugin && isNoted)
      findings.add({
        code: 'kustomize/unsupported-field',
        message: 'buildMetadata: op-sdk cannot record in annotations the origin of what `generators` make',
        where: generated.where,
        fix: ['move the generator to configMapGenerator or secretGenerator, or leave buildMetadata out'],
      });
    origins.ofGenerator(resource);
    return resource;
  }

  function originsOf(current: Folder, path: string): Origins {
    const refuse = (shown: string, where: Where): void =>
      findings.add({
        code: 'kustomize/unsupported-field',
        message: `buildMetadata: op-sdk does not write the path ${shown} into an annotation`,
        where,
        fix: ['name files and folders by letters, digits, - and _ only, or leave buildMetadata out'],
      });
    const kustomization = posix.basename(current.file);
    return noteOrigins(path, kustomization, refuse, (bytes) => spend('generatedBytes', current, bytes));
  }

  function spend(what: keyof typeof budgetNames, { file }: Folder, amount = 1): void {
    budget[what] += amount;
    if (budget[what] <= limits[what]) return;
    throw new OpSdkError([
      ...findings.all,
      {
        code: 'kustomize/too-large',
        message: `the build has more than ${limits[what]} ${budgetNames[what]}`,
        where: { file },
        fix: ['look for aliases or folders that multiply each other'],
      },
    ]);
  }

  function reportDuplicate(first: string, resource: Resource): void {
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `the resource ${describeId(idOf(resource))} appears twice; the other one is at ${first}`,
      where: resource.where,
      fix: ['remove one of them, or give it another name or namespace'],
    });
  }
}

/**
 * Applies the transformations of a kustomization to its resources, in kustomize's order. Source: kustomize
 * `api/internal/target/kusttarget_configplugin.go`, configureBuiltinTransformers.
 *
 * @param origins records each transformer that has run
 * @param resources changed in place; patches may remove some of the resources
 */
function transform(
  resources: Resource[],
  folder: Folder,
  config: TransformerConfig,
  origins: Origins,
  findings: FindingList,
): void {
  const { fields } = folder;
  const done = (transformer: string): void => origins.transformed(resources, transformer);
  const patch = (field: PatchField, applied?: () => void): void =>
    applyPatches(
      resources,
      folder.patches.filter(({ from }) => from === field),
      { findings, ...(applied === undefined ? {} : { applied }) },
    );
  patch('patchesStrategicMerge');
  if (folder.patches.some(({ from }) => from === 'patchesStrategicMerge'))
    done('PatchStrategicMergeTransformer');
  patch('patches', () => done('PatchTransformer'));
  if (fields.namespace !== '') {
    setNamespace(resources, fields.namespace, config.namespace, findings);
    done('NamespaceTransformer');
  }
  if (fields.namePrefix !== '') {
    addPrefix(resources, fields.namePrefix, config.namePrefix, findings);
    done('PrefixTransformer');
  }
  if (fields.nameSuffix !== '') {
    addSuffix(resources, fields.nameSuffix, config.nameSuffix, findings);
    done('SuffixTransformer');
  }
  for (const rule of fields.labels) {
    const specs = specsOf(rule, config, findings);
    if (specs !== undefined) setPairs(resources, rule.pairs, specs, 'labels', findings);
    done('LabelTransformer');
  }
  setPairs(resources, fields.commonLabels, config.commonLabels, 'labels', findings);
  // The transformer is recorded only once for `labels` and `commonLabels` together.
  if (fields.labels.length > 0 || Object.keys(fields.commonLabels).length > 0) done('LabelTransformer');
  setPairs(resources, fields.commonAnnotations, config.commonAnnotations, 'annotations', findings);
  if (Object.keys(fields.commonAnnotations).length > 0) done('AnnotationsTransformer');
  patch('patchesJson6902', () => done('PatchJson6902Transformer'));
  for (const rule of fields.replicas) {
    setReplicas(resources, rule, config.replicas, findings);
    done('ReplicaCountTransformer');
  }
  for (const rule of fields.images) {
    replaceImages(resources, rule, config.images, findings);
    done('ImageTagTransformer');
  }
  applyReplacements(resources, folder.replacements, { findings });
  if (fields.replacements.length > 0) done('ReplacementTransformer');
  for (const transformer of folder.transformers) runTransformer(transformer, resources, findings);
}

function specsOf(
  rule: LabelRule,
  config: TransformerConfig,
  findings: FindingList,
): readonly FieldSpec[] | undefined {
  const ownOnly = [ownLabels];
  const more = rule.includeSelectors
    ? config.commonLabels
    : [...(rule.includeTemplates ? config.templateLabels : []), ...ownOnly];
  const specs = mergeSpecs(rule.fields, [...config.labels, ...more]);
  if (specs === undefined) {
    findings.add({
      code: 'kustomize/invalid-value',
      message: "labels: the `create` of a field contradicts the one in kustomize's own list of fields",
      where: rule.where,
      fix: ['remove the field from `labels`, or change its `create` there'],
    });
  }
  return specs;
}

/** Runs a transformer that is listed under `transformers`. It changes only the fields that its own configuration lists. */
function runTransformer(transformer: LoadedTransformer, resources: Resource[], findings: FindingList): void {
  switch (transformer.type) {
    case 'labels':
    case 'annotations':
      return setPairs(resources, transformer.pairs, transformer.specs, transformer.type, findings);
    case 'namespace': {
      const { namespace, specs, ...options } = transformer;
      if (namespace !== '') setNamespace(resources, namespace, specs, findings, options);
      return;
    }
    case 'affixes': {
      const { prefix = '', suffix = '', specs } = transformer;
      if (prefix !== '') addPrefix(resources, prefix, specs, findings);
      if (suffix !== '') addSuffix(resources, suffix, specs, findings);
      return;
    }
    case 'patches':
      return applyPatches(resources, transformer.patches, { findings });
    case 'image':
      return replaceImages(resources, transformer.rule, transformer.specs, findings);
    case 'replicas':
      return setReplicas(resources, transformer.rule, transformer.specs, findings);
    case 'replacements':
      return applyReplacements(resources, transformer.replacements, { findings });
    case 'hash':
      return hashNames(resources, findings);
  }
}
