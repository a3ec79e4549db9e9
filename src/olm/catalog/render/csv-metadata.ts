import {
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  sortKeys,
  type JsonMap,
} from '../../../base/util/json-map.ts';

/** Encoding of a field of one of OLM's types as JSON: left out when it is empty, unless it is `always` there. */
interface Field {
  readonly form: 'text' | 'flag' | 'number' | 'any' | 'texts' | 'text map' | Struct | readonly [Struct];
  readonly always?: true;
}

/** The fields in the order in which Go writes them. */
type Struct = ReadonlyMap<string, Field>;

function struct(fields: Readonly<Record<string, Field['form'] | Field>>): Struct {
  const isField = (value: Field['form'] | Field): value is Field =>
    typeof value === 'object' && 'form' in value && !(value instanceof Map);
  return new Map(
    Object.entries(fields).map(([name, field]) => [name, isField(field) ? field : { form: field }]),
  );
}

const text: Field = { form: 'text', always: true };

const descriptor = struct({
  path: text,
  displayName: 'text',
  description: 'text',
  'x-descriptors': 'texts',
  value: 'any',
});
const described = {
  displayName: 'text',
  description: 'text',
  resources: [struct({ name: text, kind: text, version: text })],
  statusDescriptors: [descriptor],
  specDescriptors: [descriptor],
  actionDescriptors: [descriptor],
} as const;
const definition = struct({ name: text, version: text, kind: text, ...described });
const service = struct({
  name: text,
  group: text,
  version: text,
  kind: text,
  deploymentName: 'text',
  containerPort: 'number',
  ...described,
});
const link = struct({ name: 'text', url: 'text' });

/** Source: operator-registry `alpha/property/property.go`, operator-framework/api `pkg/operators/v1alpha1`. */
const metadata = struct({
  annotations: 'text map',
  apiServiceDefinitions: struct({ owned: [service], required: [service] }),
  crdDescriptions: struct({ owned: [definition], required: [definition] }),
  description: 'text',
  displayName: 'text',
  installModes: [struct({ type: text, supported: { form: 'flag', always: true } })],
  keywords: 'texts',
  labels: 'text map',
  links: [link],
  maintainers: [struct({ name: 'text', email: 'text' })],
  maturity: 'text',
  minKubeVersion: 'text',
  nativeAPIs: [struct({ group: text, version: text, kind: text })],
  provider: link,
});

/**
 * The value of the property `olm.csv.metadata`: what catalogues show of a ClusterServiceVersion, with fields in the order in which opm
 * writes them. What OLM's types do not have is left out.
 * @param csv whose fields have the types that OLM reads
 */
export function csvMetadata(csv: JsonMap): JsonMap {
  const own = jsonMapOf(csv['metadata']);
  const spec = jsonMapOf(csv['spec']);
  return written(metadata, {
    ...spec,
    annotations: own['annotations'],
    labels: own['labels'],
    apiServiceDefinitions: spec['apiservicedefinitions'],
    crdDescriptions: spec['customresourcedefinitions'],
  });
}

function written(fields: Struct, value: JsonMap): JsonMap {
  const result: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const item = writtenField(field, value[name]);
    if (item !== undefined) result[name] = item;
  }
  return result;
}

function writtenField({ form, always }: Field, value: unknown): unknown {
  if (form instanceof Map) return written(form as Struct, jsonMapOf(value));
  if (Array.isArray(form)) {
    const [items] = form as readonly [Struct];
    const list = jsonListOf(value).map((item) => written(items, jsonMapOf(item)));
    return list.length === 0 ? undefined : list;
  }
  switch (form) {
    case 'text':
      return always === true || jsonTextOf(value) !== '' ? jsonTextOf(value) : undefined;
    case 'flag':
      return value === true;
    case 'number':
      return typeof value === 'number' && value !== 0 ? value : undefined;
    case 'texts':
      return jsonListOf(value).length === 0 ? undefined : value;
    case 'text map':
      return isJsonMap(value) && Object.keys(value).length > 0 ? sortKeys(value) : undefined;
    case 'any':
      return value === undefined || value === null ? undefined : sortKeys(value);
  }
}
