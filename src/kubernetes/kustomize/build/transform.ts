import type { FindingList } from '../../../base/errors/index.ts';
import type { TransformerConfig } from '../config/transformer-config.ts';
import type { LabelRule, PatchField } from '../entries.ts';
import type { Folder } from '../load/kustomization.ts';
import { applyPatches } from '../patches/index.ts';
import { applyReplacements } from '../replacements/index.ts';
import type { Resource } from '../resource.ts';
import { addPrefix, addSuffix } from '../transform/add-affixes.ts';
import type { FieldSpec } from '../transform/field-spec.ts';
import { mergeSpecs, ownLabels } from '../transform/label-specs.ts';
import { replaceImages } from '../transform/set-images.ts';
import { setNamespace } from '../transform/set-namespace.ts';
import { setPairs } from '../transform/set-pairs.ts';
import { setReplicas } from '../transform/set-replicas.ts';

import { runTransformer } from './run-transformer.ts';
import type { Origins } from './origins.ts';

/**
 * Carries out what a kustomization says about its resources, in kustomize's order.
 * Source: kustomize `api/internal/target/kusttarget_configplugin.go`, configureBuiltinTransformers.
 *
 * @param origins where each transformer that has run is noted
 * @param resources changed in place; patches may take some out
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
  // One for both ways to write them.
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
      message: "labels: the `create` of a field differs from kustomize's own list",
      where: rule.where,
      fix: ['remove the field, or change its `create`'],
    });
  }
  return specs;
}
