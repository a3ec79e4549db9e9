import type { FindingList } from '../../../base/errors/index.ts';
import type { Origins } from '../build/copies.ts';
import type { TransformerConfig } from '../config/transformer-config.ts';
import type { LabelRule, PatchField } from '../entries.ts';
import { hashNames } from '../generators/absorb.ts';
import type { Folder, LoadedTransformer } from '../load/kustomization.ts';
import { applyPatches } from '../patches/apply-patches.ts';
import { applyReplacements } from '../replacements/apply-replacements.ts';
import type { Resource } from '../resource.ts';
import type { FieldSpec } from './field-spec.ts';
import { mergeSpecs, ownLabels, setPairs } from './label-specs.ts';
import { replaceImages, setReplicas } from './set-images.ts';
import { addPrefix, addSuffix, setNamespace } from './set-namespace.ts';

/**
 * Applies the transformations of a kustomization to its resources, in kustomize's order. Source: kustomize
 * `api/internal/target/kusttarget_configplugin.go`, configureBuiltinTransformers.
 *
 * @param origins records each transformer that has run
 * @param resources changed in place; patches may remove some of the resources
 */
export function transform(
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
