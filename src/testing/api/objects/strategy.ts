import { unsupportedHere } from '../status-error.ts';
import {
  type FieldError,
  invalidType,
  invalidValue,
  wholeObject,
  objectOf,
  type Json,
  type JsonObject,
  embeddedErrors,
  listTypeErrors,
  schemaErrors,
  metadataErrors,
  metadataUpdateErrors,
  pathSegmentProblems,
  fieldSchema,
  isObject,
  valueSchema,
  type Schema,
} from '../../../kubernetes/objects/index.ts';
import { isEqualJson } from '../../../base/util/json-map.ts';
import { valueAt, type ServedKind } from '../kinds/served-kind.ts';

/** Treatment of a write that depends on a CEL rule, which this server cannot evaluate: `refuse` it, or `assume-valid`. */
export type CelMode = 'refuse' | 'assume-valid';

/**
 * Prepares a new object for storage. Sets the generation of the object, and drops `status` if it is a subresource. Built-in kinds have
 * rules of their own. Source: apiextensions-apiserver `registry/customresource/strategy.go`.
 */
export function prepareCreate(kind: ServedKind, object: JsonObject): JsonObject {
  const { builtIn } = kind;
  if (builtIn !== undefined) {
    builtIn.prepareCreate?.(object);
    const { generation: _, ...metadata } = objectOf(object['metadata']);
    return { ...object, metadata: builtIn.hasGeneration ? { ...metadata, generation: 1 } : metadata };
  }
  const metadata = { ...objectOf(object['metadata']), generation: 1 };
  const { status: _, ...rest } = object;
  return kind.hasStatus ? { ...rest, metadata } : { ...object, metadata };
}

/**
 * Returns the object to store for an update through the main endpoint. The status is unchanged, and `metadata.generation` is new if more
 * than metadata has changed.
 */
export function prepareUpdate(kind: ServedKind, now: JsonObject, before: JsonObject): JsonObject {
  const result = { ...now };
  if (kind.hasStatus) {
    if (before['status'] === undefined) delete result['status'];
    else result['status'] = before['status'];
  }
  const { builtIn } = kind;
  builtIn?.prepareUpdate?.(result, before);
  const generation = objectOf(before['metadata'])['generation'];
  const metadata = { ...objectOf(result['metadata']) };
  delete metadata['generation'];
  if (typeof generation !== 'number') return { ...result, metadata };
  const isChanged =
    builtIn === undefined
      ? !isEqualJson(withoutMetadata(result), withoutMetadata(before))
      : !isEqualJson(result['spec'], before['spec']);
  return { ...result, metadata: { ...metadata, generation: isChanged ? generation + 1 : generation } };
}

/** Returns the object to store for an update through the status endpoint. */
export function prepareStatusUpdate(kind: ServedKind, now: JsonObject, before: JsonObject): JsonObject {
  const result = { ...before };
  if (now['status'] === undefined) delete result['status'];
  else result['status'] = now['status'];
  const { managedFields: _, ...metadata } = objectOf(before['metadata']);
  const { managedFields, labels, annotations, finalizers, ownerReferences } = objectOf(now['metadata']);
  const own: JsonObject = { ...metadata };
  if (managedFields !== undefined) own['managedFields'] = managedFields;
  if (kind.builtIn !== undefined) {
    // On the status endpoint, only built-in kinds accept these fields of metadata. Custom resources keep the former values of these fields.
    for (const [name, value] of Object.entries({ labels, annotations, finalizers, ownerReferences })) {
      if (kind.builtIn.statusIgnores?.children.get('f:metadata')?.members.has(`f:${name}`) === true) continue;
      if (value === undefined) delete own[name];
      else own[name] = value;
    }
  }
  return { ...result, metadata: own };
}

function withoutMetadata({ metadata: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

/**
 * Validates a new object.
 * @throws OpSdkError `testapi/unsupported` if the result depends on a CEL rule
 */
export function createErrors(kind: ServedKind, object: JsonObject, cel: CelMode): readonly FieldError[] {
  const metadata = objectOf(object['metadata']);
  const { builtIn, schema } = kind;
  const wrongType = typeErrors(kind, object);
  if (wrongType.length > 0) return wrongType;
  const names = metadataErrors(metadata, kind.namespaced, kind.nameRule);
  if (builtIn !== undefined) return [...names, ...(builtIn.validate?.(object) ?? [])];
  const errors = [
    ...names,
    ...schemaErrors(object, schema, ''),
    ...scaleErrors(kind, object, ['spec', 'status']),
    ...embeddedErrors(object, schema),
    ...listTypeErrors(object, schema),
  ];
  if (errors.length > 0) return withSkippedRules(errors, hasRules(schema));
  checkRules(kind, object, undefined, cel);
  return metadataErrors(metadata, kind.namespaced, pathSegmentProblems);
}

/**
 * Validates a change of an object.
 * @param endpoint the endpoint to which the change was sent
 */
export function updateErrors(
  kind: ServedKind,
  now: JsonObject,
  before: JsonObject,
  endpoint: 'main' | 'status',
  cel: CelMode,
): readonly FieldError[] {
  const metadata = objectOf(now['metadata']);
  const common = [
    ...metadataErrors(metadata, kind.namespaced, pathSegmentProblems),
    ...metadataUpdateErrors(metadata, objectOf(before['metadata'])),
  ];
  const { builtIn, schema } = kind;
  if (builtIn !== undefined)
    return [...common, ...(endpoint === 'main' ? (builtIn.validateUpdate?.(now, before) ?? []) : [])];
  const wrongType = typeErrors(kind, now);
  if (wrongType.length > 0) return [...common, ...wrongType];
  const status = now['status'];
  const ratchet = { before: endpoint === 'main' ? before : before['status'] };
  const errors = [
    ...common,
    // On an update, a real API server validates metadata twice, so errors of metadata appear twice in the response.
    ...metadataUpdateErrors(metadata, objectOf(before['metadata'])),
    ...(endpoint === 'main'
      ? schemaErrors(now, schema, '', ratchet)
      : status === undefined
        ? []
        : schemaErrors(status, schema.properties?.['status'] ?? {}, 'status', ratchet)),
    ...scaleErrors(kind, now, endpoint === 'main' ? ['spec', 'status'] : ['status']),
    ...(endpoint === 'main' ? embeddedErrors(now, schema) : []),
    ...(listTypeErrors(before, schema).length === 0 ? listTypeErrors(now, schema) : []),
  ];
  if (errors.length > 0) return withSkippedRules(errors, hasRules(schema));
  checkRules(kind, now, before, cel);
  return [];
}

function typeErrors({ kind, apiVersion }: ServedKind, object: JsonObject): readonly FieldError[] {
  return Object.entries({ kind, apiVersion }).flatMap(([name, expected]) =>
    object[name] === expected ? [] : [invalidValue(name, object[name] ?? '', `must be ${expected}`)],
  );
}

const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Adds the server's note that CEL rules were not evaluated, because the object does not match its schema. */
function withSkippedRules(errors: readonly FieldError[], rules: boolean): readonly FieldError[] {
  if (!rules || !errors.some(({ type }) => blocking.has(type))) return errors;
  const text =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return [...errors, invalidValue(wholeObject, null, text)];
}

function hasRules(schema: ServedKind['schema']): boolean {
  const parts = [schema.items, ...Object.values(schema.properties ?? {}), schema.additionalProperties];
  return (
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    parts.some((part) => typeof part === 'object' && hasRules(part))
  );
}

function checkRules(kind: ServedKind, now: JsonObject, before: JsonObject | undefined, cel: CelMode): void {
  if (cel === 'assume-valid') return;
  const [first, ...more] = neededRules(now, before, kind.schema);
  if (first === undefined) return;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  const place = first.path === '' ? kind.kind : `${kind.kind} .${first.path}`;
  throw unsupportedHere(
    `CEL rules, and this write depends on one: ${place}: ${first.rule}${others}`,
    "pass cel: 'assume-valid' to createTestApi, if the objects of the test meet the rules",
  );
}

const mostReplicas = 2 ** 31 - 1;

function scaleErrors(
  { scale }: ServedKind,
  object: JsonObject,
  parts: readonly ('spec' | 'status')[],
): readonly FieldError[] {
  if (scale === undefined) return [];
  const errors = parts.flatMap((part) => replicaErrors(`.${scale[part]}`, valueAt(object, scale[part])));
  const selector = scale.selector === undefined ? undefined : valueAt(object, scale.selector);
  if (parts.includes('status') && selector !== undefined && typeof selector !== 'string')
    errors.push(invalidType(`.${scale.selector ?? ''}`, '', 'accessor error'));
  return errors;
}

function replicaErrors(path: string, value: Json | undefined): FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== 'number')
    return [
      invalidValue(
        path,
        0,
        `${path} accessor error: ${JSON.stringify(value)} is of the type ${typeof value}, expected int64`,
      ),
    ];
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  return value > mostReplicas
    ? [invalidValue(path, value, `should be less than or equal to ${mostReplicas}`)]
    : [];
}

const mentionsOldSelf = /\boldSelf\b/;

/** A CEL rule on which the result of a write depends. */
interface NeededRule {
  readonly path: string;
  readonly rule: string;
}

/**
 * Returns the CEL rules that the server would evaluate for a write. When an object is created, these are the rules of all present values.
 * When it is updated, these are only the rules of changed values, and the rules that compare a value with its former value. Source:
 * apiextensions-apiserver `pkg/apiserver/schema/cel/validation.go`; KEP-4008.
 */
function neededRules(
  value: Json | undefined,
  before: Json | undefined,
  schema: Schema,
  path = '',
): readonly NeededRule[] {
  if (value === undefined || value === null) return [];
  const found: NeededRule[] = [];
  const isSame = before !== undefined && isEqualJson(value, before);
  for (const { rule, optionalOldSelf } of schema['x-kubernetes-validations'] ?? []) {
    const isTransition = mentionsOldSelf.test(rule);
    const isRun = isTransition ? before !== undefined || optionalOldSelf === true : true;
    if (isRun && (isTransition || !isSame)) found.push({ path, rule });
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return found;
    const old = itemsBefore(before, schema);
    for (const [index, item] of value.entries())
      found.push(...neededRules(item, old(item, index), items, `${path}[${index}]`));
    return found;
  }
  if (!isObject(value)) return found;
  const values = valueSchema(schema);
  const old = isObject(before) ? before : {};
  for (const [name, item] of Object.entries(value)) {
    const inner = fieldSchema(schema, name) ?? values;
    if (inner !== undefined)
      found.push(...neededRules(item, old[name], inner, path === '' ? name : `${path}.${name}`));
  }
  return found;
}

function itemsBefore(
  before: Json | undefined,
  schema: Schema,
): (item: Json, index: number) => Json | undefined {
  if (!Array.isArray(before)) return () => undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map')
    return (item) => before.find((other) => isEqualJson(other, item));
  return (item) =>
    before.find(
      (other) => isObject(other) && isObject(item) && keys.every((key) => isEqualJson(other[key], item[key])),
    );
}
