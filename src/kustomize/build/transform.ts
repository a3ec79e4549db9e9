import type { FindingList } from '../../errors/index.ts';
import type { TransformerConfig } from '../config/transformer-config.ts';
import type { PatchField } from '../entries.ts';
import type { Folder, LabelRule } from '../load/kustomization.ts';
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

/**
 * Carries out what a kustomization says about its resources, in kustomize's order.
 * Source: kustomize `api/internal/target/kusttarget_configplugin.go`, configureBuiltinTransformers.
 *
 * @param resources changed in place; patches may take some out
 */
export function transform(
  resources: Resource[],
  folder: Folder,
  config: TransformerConfig,
  findings: FindingList,
): void {
  const { fields } = folder;
  const patch = (field: PatchField): void =>
    applyPatches(
      resources,
      folder.patches.filter(({ from }) => from === field),
      { findings },
    );
  patch('patchesStrategicMerge');
  patch('patches');
  if (fields.namespace !== '') setNamespace(resources, fields.namespace, config.namespace, findings);
  if (fields.namePrefix !== '') addPrefix(resources, fields.namePrefix, config.namePrefix, findings);
  if (fields.nameSuffix !== '') addSuffix(resources, fields.nameSuffix, config.nameSuffix, findings);
  for (const rule of fields.labels) {
    const specs = specsOf(rule, config, findings);
    if (specs !== undefined) setPairs(resources, rule.pairs, specs, 'labels', findings);
  }
  setPairs(resources, fields.commonLabels, config.commonLabels, 'labels', findings);
  setPairs(resources, fields.commonAnnotations, config.commonAnnotations, 'annotations', findings);
  patch('patchesJson6902');
  for (const rule of fields.replicas) setReplicas(resources, rule, config.replicas, findings);
  for (const rule of fields.images) replaceImages(resources, rule, config.images, findings);
  applyReplacements(resources, folder.replacements, { findings });
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
