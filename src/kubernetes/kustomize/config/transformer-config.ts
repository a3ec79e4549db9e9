import { compareBytes } from '../../../base/util/bytes.ts';
import { referenceTable, type ReferenceRule } from '../references/reference-table.ts';
import { legacyOrder } from '../sort-resources.ts';
import type { FieldSpec } from '../transform/field-spec.ts';
import { annotationSpecs, mergeSpecs, selectorLabels, templateLabels } from '../transform/label-specs.ts';
import { imageSpecs, replicaSpecs } from '../transform/set-images.ts';
import { namespaceSpecs } from '../transform/set-namespace.ts';
import { variableSpecs } from '../vars/variables.ts';

/** Names of the lists of fields in a configuration of transformers. */
export const specLists = [
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonLabels',
  'labels',
  'templateLabels',
  'commonAnnotations',
  'varReference',
  'images',
  'replicas',
] as const;
export type SpecList = (typeof specLists)[number];

/** Configuration of transformers: the fields that the transformers change, and the fields that refer to other resources by name. */
export type TransformerConfig = Readonly<Record<SpecList, readonly FieldSpec[]>> & {
  readonly nameReference: readonly ReferenceRule[];
};

export const emptyConfig: TransformerConfig = {
  namePrefix: [],
  nameSuffix: [],
  namespace: [],
  commonLabels: [],
  labels: [],
  templateLabels: [],
  commonAnnotations: [],
  varReference: [],
  images: [],
  replicas: [],
  nameReference: [],
};

const { first, last } = legacyOrder;
const ranks: ReadonlyMap<string, number> = new Map([
  ...first.map((kind, index) => [kind, index - first.length] as const),
  ...last.map((kind, index) => [kind, index + 1] as const),
]);

/** Configuration of transformers that is built into kustomize. */
export const defaultConfig: TransformerConfig = sorted({
  ...emptyConfig,
  namePrefix: [{ path: 'metadata/name' }],
  nameSuffix: [{ path: 'metadata/name' }],
  namespace: namespaceSpecs,
  commonLabels: selectorLabels,
  templateLabels,
  commonAnnotations: annotationSpecs,
  varReference: variableSpecs,
  images: imageSpecs,
  replicas: replicaSpecs,
  nameReference: referenceTable,
});

/** Thrown if two configurations have different values of `create` for the same field. */
export class ConfigConflict extends Error {}

/**
 * Merges two configurations of transformers.
 * Source: kustomize `api/internal/plugins/builtinconfig/transformerconfig.go`.
 *
 * @throws ConfigConflict if the configurations have different values of `create` for the same field
 */
export function mergeConfigs(config: TransformerConfig, more: TransformerConfig): TransformerConfig {
  // Most folders have no configuration, so skip the merge in this case. Merge any other configuration, even into an empty one, because the
  // merge drops entries: if a field is listed both for some kinds and for all kinds, it keeps only the entry for some kinds.
  if (more === emptyConfig) return config;
  if (more === defaultConfig && (config === emptyConfig || config === defaultConfig)) return more;
  const lists = specLists.map((list) => [list, merged(list, config[list], more[list])] as const);
  const rules = [...config.nameReference];
  const places = new Map<string, number>();
  for (const [index, { target }] of rules.entries())
    if (!places.has(kindText(target))) places.set(kindText(target), index);
  for (const { target, fields } of more.nameReference) {
    const index = places.get(kindText(target)) ?? rules.length;
    const known = rules[index];
    places.set(kindText(target), index);
    if (known === undefined) rules.push({ target, fields });
    else rules[index] = { target, fields: merged('nameReference', known.fields, fields) };
  }
  return sorted({
    ...(Object.fromEntries(lists) as Record<SpecList, readonly FieldSpec[]>),
    nameReference: rules,
  });
}

function merged(list: string, specs: readonly FieldSpec[], more: readonly FieldSpec[]): readonly FieldSpec[] {
  const result = mergeSpecs(specs, more);
  if (result === undefined) throw new ConfigConflict(`${list}: \`create\` of a field differs`);
  return result;
}

/** Sorts each list of fields by the kinds of resources, in kustomize's order. */
export function sorted(config: TransformerConfig): TransformerConfig {
  const lists = specLists.map((list): readonly [string, readonly FieldSpec[]] => [
    list,
    config[list].toSorted(byKind),
  ]);
  return {
    ...(Object.fromEntries(lists) as Record<SpecList, readonly FieldSpec[]>),
    nameReference: config.nameReference.toSorted((a, b) => byKind(a.target, b.target)),
  };
}

type Kind = Pick<FieldSpec, 'group' | 'version' | 'kind'>;

function byKind(a: Kind, b: Kind): number {
  return rankOf(a) - rankOf(b) || compareBytes(kindText(a), kindText(b));
}

function rankOf({ kind = '' }: Kind): number {
  return ranks.get(kind) ?? 0;
}

function kindText({ group = '', version = '', kind = '' }: Kind): string {
  return `${group || '~G'}_${version || '~V'}_${kind || '~K'}`;
}
