import { unsupportedHere } from '../status-error.ts';
import {
  type FieldError,
  invalidType,
  invalidValue,
  wholeObject,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
  embeddedErrors,
  listTypeErrors,
  schemaErrors,
  metadataErrors,
  metadataUpdateErrors,
  pathSegmentProblems,
} from '../../../kubernetes/objects/index.ts';
import { hasCelRules, isUnsupportedRule, type RuleVerdict } from '../../../kubernetes/crd/index.ts';
import { isEqualJson, jsonTextOf } from '../../../base/util/json-map.ts';
import { plainFinalizerErrors } from '../kinds/rules/checks.ts';
import { valueAt, type ServedKind } from '../kinds/served-kind.ts';

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
      : (builtIn.generationFields ?? ['spec']).some(
          (path) => !isEqualJson(valueAt(result, path) ?? null, valueAt(before, path) ?? null),
        );
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
  const whole = { ...result, metadata: own };
  kind.builtIn?.prepareStatus?.(whole, before);
  return whole;
}

/** The schema of a CRD says nothing of lists in the metadata. */
function withoutMetadata({ metadata: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

/**
 * Validates a new object.
 * @throws OpSdkError `testapi/unsupported` if the result depends on a CEL rule that cannot be evaluated
 */
export function createErrors(kind: ServedKind, object: JsonObject): readonly FieldError[] {
  const metadata = objectOf(object['metadata']);
  const { builtIn, schema } = kind;
  const wrongType = typeErrors(kind, object);
  if (wrongType.length > 0) return wrongType;
  const names = metadataErrors(metadata, kind.namespaced, kind.nameRule);
  if (builtIn !== undefined) {
    const own = builtIn.validate?.(object) ?? [];
    if (builtIn.checksMetadataLast === true && own.length > 0) return unique(own);
    return unique([...names, ...finalizerErrors(kind, metadata), ...own]);
  }
  const errors = [
    ...names,
    ...schemaErrors(object, schema, ''),
    ...scaleErrors(kind, object, ['spec', 'status']),
    ...embeddedErrors(object, schema),
    ...listTypeErrors(withoutMetadata(object), schema),
  ];
  const all = withRules(kind, errors, object);
  return all.length > 0 ? all : metadataErrors(metadata, kind.namespaced, pathSegmentProblems);
}

/**
 * Validates a change of an object.
 * @param endpoint the endpoint to which the change was sent
 * @param warn called with the violations of CEL rules by values that do not change
 */
export function updateErrors(
  kind: ServedKind,
  now: JsonObject,
  before: JsonObject,
  endpoint: 'main' | 'status',
  warn?: (text: string) => void,
): readonly FieldError[] {
  const metadata = objectOf(now['metadata']);
  const common = [
    ...metadataErrors(metadata, kind.namespaced, pathSegmentProblems),
    ...metadataUpdateErrors(metadata, objectOf(before['metadata'])),
  ];
  const { builtIn, schema } = kind;
  if (builtIn !== undefined)
    return unique([
      ...common,
      ...finalizerErrors(kind, metadata),
      ...((endpoint === 'main' ? builtIn.validateUpdate : builtIn.validateStatus)?.(now, before) ?? []),
    ]);
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
    ...(listTypeErrors(withoutMetadata(before), schema).length === 0
      ? listTypeErrors(withoutMetadata(now), schema)
      : []),
  ];
  return withRules(kind, errors, now, before, warn);
}

/** Removes errors that are equal to earlier ones, as the server does for built-in kinds. */
function unique(errors: readonly FieldError[]): readonly FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field}: ${error.body}`, error])).values()];
}

/** Returns the errors of finalizers of a built-in kind that need a domain. */
function finalizerErrors({ builtIn }: ServedKind, { finalizers }: JsonObject): readonly FieldError[] {
  if (builtIn?.hasRules !== true || builtIn.allowsPlainFinalizers === true) return [];
  return listOf(finalizers).flatMap((name, index) =>
    plainFinalizerErrors(jsonTextOf(name), `metadata.finalizers[${index}]`),
  );
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

/**
 * Returns the errors of the CEL rules of a kind, in addition to other errors. As on the server, rules are skipped if an error shows that the
 * object does not have the form that rules expect.
 * @param warn called with the violations of values that an update does not change
 * @throws OpSdkError `testapi/unsupported` if a rule cannot be evaluated
 */
function withRules(
  kind: ServedKind,
  errors: readonly FieldError[],
  now: JsonObject,
  before?: JsonObject,
  warn?: (text: string) => void,
): readonly FieldError[] {
  if (errors.some(({ type }) => blocking.has(type)))
    return withSkippedRules(errors, hasCelRules(kind.schema));
  const { errors: broken, warnings } = verdict(kind, now, before);
  for (const text of warnings) warn?.(text);
  return [...errors, ...broken];
}

const noVerdict: RuleVerdict = { errors: [], warnings: [] };

function verdict(kind: ServedKind, now: JsonObject, before?: JsonObject): RuleVerdict {
  try {
    return kind.rules?.check(now, before) ?? noVerdict;
  } catch (error) {
    if (!isUnsupportedRule(error)) throw error;
    const place = error.path === '' ? kind.kind : `${kind.kind} .${error.path}`;
    throw unsupportedHere(
      `${error.construct} in CEL rules, and this write depends on one: ${place}: ${error.rule}`,
      "pass cel: 'assume-valid' to createTestApi, if the objects of the test meet the rules",
    );
  }
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
