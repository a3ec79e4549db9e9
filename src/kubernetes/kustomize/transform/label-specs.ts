import type { FindingList } from '../../../base/errors/index.ts';
import { isObject } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import type { Holder, Resource } from '../resource.ts';
import { shareText, spreadText } from '../shared-texts.ts';
import { isForKind, type FieldSpec, describe, ShapeError, visitFields, reportShape } from './field-spec.ts';

/**
 * The following constants list the fields that get labels and annotations. Source: kustomize `api/internal/konfig/builtinpluginconsts`:
 * metadatalabels.go, commonlabels.go, commonannotations.go.
 */

const workloads = ['Deployment', 'ReplicaSet', 'DaemonSet'] as const;

const batchTemplates = (leaf: string): readonly FieldSpec[] => [
  { path: `spec/template/metadata/${leaf}`, create: true, group: 'batch', kind: 'Job' },
  { path: `spec/jobTemplate/metadata/${leaf}`, create: true, group: 'batch', kind: 'CronJob' },
  { path: `spec/jobTemplate/spec/template/metadata/${leaf}`, create: true, group: 'batch', kind: 'CronJob' },
];

const plainTemplates = (leaf: string): readonly FieldSpec[] => [
  { path: `metadata/${leaf}`, create: true },
  { path: `spec/template/metadata/${leaf}`, create: true, version: 'v1', kind: 'ReplicationController' },
  ...workloads.map((kind) => ({ path: `spec/template/metadata/${leaf}`, create: true, kind })),
];

/** Field with the labels of the object itself. */
export const ownLabels: FieldSpec = { path: 'metadata/labels', create: true };

/** Fields with the labels of the object, and of templates for other objects that it contains. */
export const templateLabels: readonly FieldSpec[] = [
  ...plainTemplates('labels'),
  { path: 'spec/template/metadata/labels', create: true, group: 'apps', kind: 'StatefulSet' },
  { path: 'spec/volumeClaimTemplates[]/metadata/labels', create: true, group: 'apps', kind: 'StatefulSet' },
  ...batchTemplates('labels'),
];

const affinityTerms = ['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
  `affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm`,
  `affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution`,
]);

const ofPods = (kind: string): readonly FieldSpec[] =>
  [...affinityTerms, 'topologySpreadConstraints'].map((term) => ({
    path: `spec/template/spec/${term}/labelSelector/matchLabels`,
    group: 'apps',
    kind,
  }));

const networkPolicy = { group: 'networking.k8s.io', kind: 'NetworkPolicy' } as const;

/** Fields of {@link templateLabels}, and the fields of all selectors. */
export const selectorLabels: readonly FieldSpec[] = [
  { path: 'spec/selector', create: true, version: 'v1', kind: 'Service' },
  { path: 'spec/selector', create: true, version: 'v1', kind: 'ReplicationController' },
  ...workloads.map((kind) => ({ path: 'spec/selector/matchLabels', create: true, kind })),
  { path: 'spec/selector/matchLabels', create: true, group: 'apps', kind: 'StatefulSet' },
  ...ofPods('Deployment'),
  ...ofPods('StatefulSet'),
  { path: 'spec/selector/matchLabels', group: 'batch', kind: 'Job' },
  { path: 'spec/jobTemplate/spec/selector/matchLabels', group: 'batch', kind: 'CronJob' },
  { path: 'spec/selector/matchLabels', group: 'policy', kind: 'PodDisruptionBudget' },
  { path: 'spec/podSelector/matchLabels', ...networkPolicy },
  { path: 'spec/ingress/from/podSelector/matchLabels', ...networkPolicy },
  { path: 'spec/egress/to/podSelector/matchLabels', ...networkPolicy },
  ...templateLabels,
];

/** Fields to which the entries of `commonAnnotations` are added. */
export const annotationSpecs: readonly FieldSpec[] = [
  ...plainTemplates('annotations'),
  { path: 'spec/template/metadata/annotations', create: true, kind: 'StatefulSet' },
  ...batchTemplates('annotations'),
];

/**
 * Adds field specs to a list like kustomize. A new spec is skipped if the list has a spec with the same path for a kind that the new spec
 * covers, even if the new spec covers further kinds.
 *
 * @returns the list; undefined if two specs differ in `create`, which kustomize refuses
 */
export function mergeSpecs(
  specs: readonly FieldSpec[],
  more: readonly FieldSpec[],
): readonly FieldSpec[] | undefined {
  const result = [...specs];
  const byPath = new Map<string, FieldSpec[]>();
  for (const spec of specs) addTo(byPath, spec);
  for (const spec of more) {
    const known = byPath
      .get(spec.path)
      ?.find(({ group = '', version = '', kind = '' }) => isForKind(spec, { group, version, kind }));
    if (known === undefined) {
      result.push(spec);
      addTo(byPath, spec);
    } else if ((known.create ?? false) !== (spec.create ?? false)) return undefined;
  }
  return result;
}

function addTo(byPath: Map<string, FieldSpec[]>, spec: FieldSpec): void {
  const same = byPath.get(spec.path);
  if (same === undefined) byPath.set(spec.path, [spec]);
  else same.push(spec);
}

/**
 * Sets labels or annotations in all fields that the specs select, and in all fields that share values with these fields.
 *
 * @param what noun for messages, such as `labels`
 */
export function setPairs(
  resources: readonly Resource[],
  pairs: Readonly<Record<string, string>>,
  specs: readonly FieldSpec[],
  what: string,
  findings: FindingList,
): void {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return;
  const dollars = entries.filter(([, text]) => text.includes('$'));
  for (const resource of resources) {
    const added = new Map<string, Holder[]>(entries.map(([key]) => [key, []]));
    reportShape(resource, what, findings, () => {
      for (const spec of specs) {
        let isSet = false;
        visitFields(resource, spec, 'mapping', (slot) => {
          const value = slot.get();
          // As in kustomize, null is kept if the spec does not allow to create the field.
          if (value === null) return;
          if (!isObject(value)) throw new ShapeError(spec.path, `expected a mapping, got ${describe(value)}`);
          for (const [key, text] of entries) {
            const holder = { mapping: value, key };
            if (Object.hasOwn(value, key)) spreadText(resource, holder, text);
            else added.get(key)?.push(holder);
            setOwnField(value, key, text);
          }
          isSet = true;
        });
        for (const [key, text] of isSet ? dollars : []) resource.dollars.push({ path: spec.path, key, text });
      }
    });
    for (const holders of added.values()) shareText(resource, holders);
  }
}
