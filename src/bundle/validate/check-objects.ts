import { groupOf } from '../../util/api-version.ts';
import { describeObject } from '../../yaml/index.ts';
import { installableKinds, isInstallable } from '../supported-kinds.ts';
import { isJsonMap } from '../../util/json-map.ts';
import { listOf, mapOf, textOf } from './fields.ts';
import { labelValueProblem, qualifiedNameProblem, subdomainProblem } from './name-rules.ts';
import type { BundleObject, Check, FieldPath, Report } from './types.ts';

/** Source: apimachinery `pkg/api/validation/objectmeta.go` `TotalAnnotationSizeLimitB`. */
const MOST_ANNOTATIONS = 256 * 1024;

/**
 * Every object: a kind that OLM installs, and metadata that the API server takes.
 * Source: operator-registry `pkg/lib/bundle/validate.go` `validateKubectlable`; apimachinery `ValidateObjectMeta`.
 */
export const checkBundleObjects: Check = ({ objects }, report) => {
  const seen = new Map<string, BundleObject>();
  for (const object of objects) {
    if (!checkKind(object, report)) continue;
    checkMetadata(object, report);
    const id = JSON.stringify([groupOf(object.apiVersion), object.kind, object.name]);
    const first = seen.get(id);
    seen.set(id, first ?? object);
    const isReportedElsewhere = ['ClusterServiceVersion', 'CustomResourceDefinition'].includes(object.kind);
    if (first === undefined || object.name === '' || isReportedElsewhere) continue;
    report.warn(
      'bundle/duplicate-object',
      [object, ['metadata', 'name']],
      `${bundleObjectName(object)} is in ${first.file}, too; OLM installs one of them and loses the other`,
      'remove or rename one of the two',
    );
  }
};

/** OLM tells objects apart by their kind alone: the group is not looked at. */
function checkKind(object: BundleObject, { error, warn }: Report): boolean {
  const { apiVersion, kind } = object;
  if (kind === '') {
    error(
      'io/not-an-object',
      [object, []],
      'the object has no kind',
      'complete the object, or remove the file',
    );
    return false;
  }
  if (apiVersion === '') {
    const message = `the ${kind} ${object.name} has no apiVersion, so the API server will refuse it`;
    warn('io/not-an-object', [object, []], message, 'write its apiVersion');
    return true;
  }
  if (isInstallable({ apiVersion, kind })) return true;
  if (kind !== 'CustomResourceDefinition' && installableKinds.includes(kind)) {
    const message = `${apiVersion} ${kind} has the name of a kind that OLM installs, but another group`;
    const fix = 'let the operator create the object when it runs, or correct the apiVersion';
    warn('bundle/kind-not-supported', [object, ['apiVersion']], message, fix);
    return true;
  }
  error(
    'bundle/kind-not-supported',
    [object, ['kind']],
    `OLM does not install ${apiVersion} ${kind} from a bundle`,
    kind === 'Deployment'
      ? 'put the Deployment into spec.install.spec.deployments of the ClusterServiceVersion'
      : `let the operator create it when it runs; a bundle may hold ${installableKinds.join(', ')}`,
  );
  return false;
}

function checkMetadata(object: BundleObject, { error }: Report): void {
  const { metadata } = object.value;
  const at = (...path: FieldPath): readonly [BundleObject, FieldPath] => [object, ['metadata', ...path]];
  if (!isJsonMap(metadata)) {
    error('io/not-an-object', [object, []], 'the object has no metadata', 'give it a metadata.name');
    return;
  }
  if (object.name === '' && textOf(metadata['generateName']) === '')
    error('io/not-an-object', at('name'), 'the object has no metadata.name', 'give it a name');
  else if (object.name !== '') checkName(object, error);
  // OLM chooses the namespace; in a ClusterServiceVersion it is a placeholder by custom.
  if (object.kind !== 'ClusterServiceVersion' && textOf(metadata['namespace']) !== '') {
    error(
      'bundle/namespaced-object',
      at('namespace'),
      `${bundleObjectName(object)} has the namespace ${textOf(metadata['namespace'])}; OLM installs it where the operator is installed`,
      'remove metadata.namespace',
    );
  }
  for (const field of ['labels', 'annotations'] as const) {
    const values = metadata[field];
    if (values === undefined || values === null) continue;
    if (!isJsonMap(values)) {
      error(
        'bundle/invalid-metadata',
        at(field),
        `metadata.${field} is not a mapping`,
        'write keys and values',
      );
      continue;
    }
    for (const [key, value] of Object.entries(values)) {
      const problem = entryProblem(field, key, value);
      if (problem !== undefined)
        error(
          'bundle/invalid-metadata',
          at(field, key),
          `metadata.${field}: ${problem}`,
          'correct it, or remove it',
        );
    }
  }
  const size = Object.entries(mapOf(metadata['annotations'])).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)),
    0,
  );
  if (size > MOST_ANNOTATIONS) {
    const message = `the annotations of ${bundleObjectName(object)} have ${size} bytes; ${MOST_ANNOTATIONS} are allowed`;
    error('bundle/invalid-metadata', at('annotations'), message, 'shorten them');
  }
  for (const [index, finalizer] of listOf(metadata['finalizers']).entries()) {
    const problem = typeof finalizer === 'string' ? qualifiedNameProblem(finalizer) : 'it is not a text';
    if (problem === undefined) continue;
    const message = `metadata.finalizers: ${JSON.stringify(finalizer)} is not valid: ${problem}`;
    error('bundle/invalid-metadata', at('finalizers', index), message, 'remove the finalizer');
  }
}

/** CSVs and CRDs have rules of their own for names. */
function checkName(object: BundleObject, error: Report['error']): void {
  if (['ClusterServiceVersion', 'CustomResourceDefinition'].includes(object.kind)) return;
  // Names of roles and their bindings may hold anything but what a path cannot. Source: rbac `ValidateRBACName`.
  const isRole = groupOf(object.apiVersion) === 'rbac.authorization.k8s.io';
  const problem = isRole ? segmentProblem(object.name) : subdomainProblem(object.name);
  if (problem === undefined) return;
  const message = `the name of ${bundleObjectName(object)} is not valid: ${problem}`;
  error('bundle/invalid-metadata', [object, ['metadata', 'name']], message, 'choose another name');
}

function segmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `it is ${name}`;
  return /[/%]/.test(name) ? 'it holds "/" or "%"' : undefined;
}

function entryProblem(field: 'labels' | 'annotations', key: string, value: unknown): string | undefined {
  // The API server compares the keys of annotations in lower case.
  const problem = qualifiedNameProblem(field === 'annotations' ? key.toLowerCase() : key);
  if (problem !== undefined) return `the key ${JSON.stringify(key)} is not valid: ${problem}`;
  // Kubernetes reads null as an empty text.
  if (value === null) return undefined;
  if (typeof value !== 'string') return `${key}: expected a text, got ${JSON.stringify(value)}`;
  const wrong = field === 'labels' ? labelValueProblem(value) : undefined;
  return wrong === undefined ? undefined : `${key}: ${JSON.stringify(value)} is not valid: ${wrong}`;
}

/** What an object is called in messages. */
export function bundleObjectName({ apiVersion, kind, name }: BundleObject): string {
  return describeObject({ apiVersion, kind, metadata: { name } });
}
