import { isJsonMap, type JsonMap } from '../../../base/util/json-map.ts';
import { describeObject } from '../../../kubernetes/yaml/index.ts';
import {
  labelValueProblem,
  qualifiedNameProblem,
  subdomainProblem,
} from '../../../kubernetes/objects/index.ts';
import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import type { BundleObject, FieldPath } from './types.ts';

/** A kind in one version, with the location that declares it. */
export interface PlacedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly object: BundleObject;
  readonly path: FieldPath;
}

/** Path of the list in a ClusterServiceVersion that names the operator's own kinds. */
export const ownedPath = ['spec', 'customresourcedefinitions', 'owned'] as const;

/** Returns the entries of `spec.customresourcedefinitions.owned`. */
export function ownedEntriesIn(csv: BundleObject): readonly Readonly<Record<string, unknown>>[] {
  return listOf(fieldAt(csv.value, ...ownedPath)).map(mapOf);
}

/** Returns the group in the name of a CRD, `<plural>.<group>`; `''` if the name has no group. */
export function groupInName(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

/** Examples of custom resources, or the reason why they cannot be read. */
export type ParsedExamples = { readonly examples: readonly JsonMap[] } | { readonly problem: string };

/** Parses the objects in the annotation `alm-examples` like Go: an empty text and `null` give an empty list. */
export function parseExamples(text: string): ParsedExamples {
  if (text === '') return { examples: [] };
  let examples: unknown;
  try {
    examples = JSON.parse(text);
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem;
    return { problem: `is not JSON: ${problem.message}` };
  }
  if (examples === null) return { examples: [] };
  if (!Array.isArray(examples) || !examples.every(isExample))
    return { problem: 'is not a list of objects that have a kind' };
  return { examples };
}

function isExample(value: unknown): value is JsonMap {
  return isJsonMap(value) && textOf(value['kind']) !== '';
}

/**
 * Maximum size of all annotations of an object together, in bytes. Source: apimachinery `pkg/api/validation/objectmeta.go`
 * `TotalAnnotationSizeLimitB`.
 */
const MOST_ANNOTATIONS = 256 * 1024;

/** A problem in the `metadata` of an object. */
interface MetadataProblem {
  /** Path of the field, relative to `metadata`. */
  readonly path: FieldPath;
  readonly message: string;
  readonly fix: string;
  /** True if the problem is a value of the wrong type. operator-framework's tools ignore such values. */
  readonly ofType?: boolean;
}

/**
 * Yields the problems of labels, annotations and finalizers by the rules of the API server. This function is a generator, because an object
 * may have very many problems. Source: apimachinery `ValidateObjectMeta`.
 */
export function* metadataProblems(object: BundleObject): Generator<MetadataProblem> {
  const metadata = mapOf(object.value['metadata']);
  yield* entryProblems(metadata['labels'], 'labels');
  yield* entryProblems(metadata['annotations'], 'annotations');
  yield* sizeProblems(object);
  for (const [index, finalizer] of listOf(metadata['finalizers']).entries()) {
    const problem = typeof finalizer === 'string' ? qualifiedNameProblem(finalizer) : 'it is not a text';
    if (problem === undefined) continue;
    const message = `metadata.finalizers: ${JSON.stringify(finalizer)} is not valid: ${problem}`;
    const ofType = typeof finalizer !== 'string';
    yield { path: ['finalizers', index], message, fix: 'remove the finalizer', ofType };
  }
}

function* entryProblems(values: unknown, field: 'labels' | 'annotations'): Generator<MetadataProblem> {
  if (values === undefined || values === null) return;
  if (!isJsonMap(values)) {
    const message = `metadata.${field} is not a mapping`;
    yield { path: [field], message, fix: 'write keys and values', ofType: true };
    return;
  }
  for (const key of Object.keys(values)) {
    const problem = entryProblem(key, values[key], field);
    if (problem !== undefined) yield { path: [field, key], fix: 'correct it, or remove it', ...problem };
  }
}

function entryProblem(
  key: string,
  value: unknown,
  field: 'labels' | 'annotations',
): (Partial<MetadataProblem> & Pick<MetadataProblem, 'message'>) | undefined {
  // The API server converts the keys of annotations to lower case before it checks them.
  const problem = qualifiedNameProblem(field === 'annotations' ? key.toLowerCase() : key);
  if (problem !== undefined)
    return { message: `metadata.${field}: the key ${JSON.stringify(key)} is not valid: ${problem}` };
  // Kubernetes reads null as an empty text.
  if (value === null) return undefined;
  if (typeof value !== 'string') {
    const message = `metadata.${field}: ${key}: expected a text, got ${JSON.stringify(value)}`;
    return { message, fix: 'write a text, or remove it', ofType: true };
  }
  const wrong = field === 'labels' ? labelValueProblem(value) : undefined;
  if (wrong === undefined) return undefined;
  return { message: `metadata.${field}: ${key}: ${JSON.stringify(value)} is not valid: ${wrong}` };
}

function sizeProblems(object: BundleObject): readonly MetadataProblem[] {
  const size = Object.entries(mapOf(mapOf(object.value['metadata'])['annotations'])).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)),
    0,
  );
  if (size <= MOST_ANNOTATIONS) return [];
  const message = `the annotations of ${bundleObjectName(object)} have ${size} bytes; ${MOST_ANNOTATIONS} are allowed`;
  return [{ path: ['annotations'], message, fix: 'shorten them' }];
}

/** Kinds that have validators of their own. */
export const ownKinds: readonly string[] = ['ClusterServiceVersion', 'CustomResourceDefinition'];

/** Returns the name of an object for messages. */
export function bundleObjectName({ apiVersion, kind, name }: BundleObject): string {
  return describeObject({ apiVersion, kind, metadata: { name } });
}

/**
 * Returns the problem with the name of a ClusterServiceVersion; undefined if the name is valid. OLM also uses the name as the value of a
 * label, so it must be valid as one.
 */
export function csvNameProblem(name: string): string | undefined {
  return subdomainProblem(name) ?? labelValueProblem(name);
}

/**
 * Returns the problem with an apiVersion; undefined if it is valid. An apiVersion must be valid in a URL path, because it becomes part of
 * paths of the API server.
 */
export function apiVersionProblem(apiVersion: string): string | undefined {
  if (/^(?:[^/]+\/)?[a-z\d](?:[-a-z\d]*[a-z\d])?$/.test(apiVersion)) return undefined;
  return `expected <group>/<version>, got ${JSON.stringify(apiVersion.slice(0, 100))}`;
}
