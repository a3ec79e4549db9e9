import type { BundleObject } from '../types.ts';
import { allRemoved } from '../removed-apis.ts';
import { bundleObjectName, metadataProblems, ownKinds, apiVersionProblem } from '../owned-kinds.ts';
import { groupOf } from '../../../../base/util/kubernetes-words.ts';
import { installableKinds, isInstallable } from '../../examples.ts';
import { subdomainProblem } from '../../../../kubernetes/objects/index.ts';
import { fieldAt, mapOf } from '../fields.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/duplicate-object': {
    validators: { opsdk: 'warning' },
    title: 'Two objects would have the same name',
    explain:
      'Different objects have the same kind and name, or will have once OLM installs them into one namespace. One of them would silently overwrite the other.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/**
 * Reports objects whose API version was removed from all supported Kubernetes versions. Skips CRDs, because the checks of CRDs report CRDs
 * of v1beta1.
 */
const checkRemovedApis: Check<Rules, 'opsdk'> = ({ objects }, { error }) => {
  for (const object of objects) {
    const minor =
      object.kind === 'CustomResourceDefinition' ? undefined : allRemoved(object.apiVersion, object.kind);
    if (minor === undefined) continue;
    error(
      'bundle/removed-api',
      [object, ['apiVersion']],
      `${bundleObjectName(object)} is of ${object.apiVersion}, which Kubernetes 1.${minor} removed`,
      `use the version that follows: https://kubernetes.io/docs/reference/using-api/deprecation-guide/#v1-${minor}`,
    );
  }
};

/** Refuses documents of `manifests/` that cannot be read as Kubernetes objects. Source: apimachinery `Unstructured.UnmarshalJSON`. */
const checkSupportedKinds: Check<Rules, 'format'> = ({ objects }, { error }) => {
  for (const object of objects) {
    if (object.kind === '')
      error(
        'io/not-an-object',
        [object, []],
        'the object has no kind',
        'complete the object, or remove the file',
      );
  }
};

/**
 * Reports problems of objects that the API server refuses but operator-framework's validators ignore. Also reports duplicate objects,
 * because one of the duplicates would be lost.
 */
const checkObjectsFurther: Check<Rules, 'opsdk'> = ({ objects }, report) => {
  const seen = new Map<string, BundleObject>();
  for (const object of objects) {
    if (object.kind === '') continue;
    checkApiVersion(object, report);
    checkMetadata(object, report);
    const id = JSON.stringify([groupOf(object.apiVersion), object.kind, object.name]);
    const first = seen.get(id);
    seen.set(id, first ?? object);
    if (first === undefined || object.name === '' || ownKinds.includes(object.kind)) continue;
    report.warn(
      'bundle/duplicate-object',
      [object, ['metadata', 'name']],
      `${bundleObjectName(object)} is in ${first.file}, too; OLM installs one of them and loses the other`,
      'remove or rename one of the two',
    );
  }
};

function checkApiVersion(object: BundleObject, { error, warn }: Report<Rules, 'opsdk'>): void {
  const { apiVersion, kind, name } = object;
  if (ownKinds.includes(kind)) return;
  if (apiVersion === '') {
    const message = `the ${kind} ${name} has no apiVersion, so the API server will refuse it`;
    error('io/not-an-object', [object, []], message, 'write its apiVersion');
    return;
  }
  const problem = apiVersionProblem(apiVersion);
  if (problem !== undefined)
    error('bundle/invalid-metadata', [object, ['apiVersion']], `apiVersion: ${problem}`, 'correct it');
  else if (installableKinds.includes(kind) && !isInstallable({ apiVersion, kind })) {
    const message = `OLM does not install ${apiVersion} ${kind}: it has the name of a kind that OLM installs, but another apiVersion`;
    const fix = 'let the operator create the object when it runs, or correct the apiVersion';
    warn('bundle/kind-not-supported', [object, ['apiVersion']], message, fix);
  }
}

function checkMetadata(object: BundleObject, { error }: Report<Rules, 'opsdk'>): void {
  const isOwn = ownKinds.includes(object.kind);
  const problem = isOwn || object.name === '' ? undefined : objectNameProblem(object);
  if (problem !== undefined) {
    const message = `the name of ${bundleObjectName(object)} is not valid: ${problem}`;
    error('bundle/invalid-metadata', [object, ['metadata', 'name']], message, 'choose another name');
  }
  // Skip CRDs, because the checks of CRDs also judge the labels and annotations of CRDs.
  if (object.kind === 'CustomResourceDefinition') return;
  for (const { path, message, fix, ofType } of metadataProblems(object))
    if (isOwn || ofType === true)
      error('bundle/invalid-metadata', [object, ['metadata', ...path]], message, fix);
}

/**
 * Returns the problem with an object's name; undefined if the name is valid. Not used for CRDs and ClusterServiceVersions, because other
 * rules apply to their names.
 */
function objectNameProblem({ apiVersion, name }: BundleObject): string | undefined {
  // Names of roles and of role bindings may contain anything that is valid in a URL path segment. Source: rbac `ValidateRBACName`.
  const isRole = groupOf(apiVersion) === 'rbac.authorization.k8s.io';
  return isRole ? segmentProblem(name) : subdomainProblem(name);
}

function segmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `it is ${name}`;
  return /[/%]/.test(name) ? 'it holds "/" or "%"' : undefined;
}

/**
 * Checks the percentages in PodDisruptionBudgets. Reports percentages that the API server refuses, and percentages that make it impossible
 * to drain a node. Source: kubernetes `pkg/apis/policy/validation`; OLM's limitations on budgets.
 */
const checkBudgets: Check<Rules, 'opsdk'> = ({ objects }, report) => {
  for (const object of objects) if (object.kind === 'PodDisruptionBudget') checkBudget(object, report);
};

function checkBudget(object: BundleObject, { error }: Report<Rules, 'opsdk'>): void {
  const spec = mapOf(fieldAt(object.value, 'spec'));
  const name = bundleObjectName(object);
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const problem = problemOf(spec[field], field);
    if (problem === undefined) continue;
    const message = `${name} has the ${field} ${JSON.stringify(spec[field])}: ${problem}`;
    error(
      'bundle/disruption-budget',
      [object, ['spec', field]],
      message,
      'write a number of Pods, or a percentage such as 50%',
    );
  }
  if (isGiven(spec['minAvailable']) && isGiven(spec['maxUnavailable']))
    error(
      'bundle/disruption-budget',
      [object, ['spec']],
      `${name} has both minAvailable and maxUnavailable; the API server takes one of them`,
      'remove one of the two',
    );
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function problemOf(value: unknown, field: 'minAvailable' | 'maxUnavailable'): string | undefined {
  if (!isGiven(value)) return undefined;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined && (typeof value !== 'number' || !Number.isInteger(value) || value < 0))
    return 'expected a number from 0, or a percentage';
  const number = Number(percent ?? value);
  if (percent !== undefined && number > 100) return 'expected 100% at most';
  const blocks = field === 'maxUnavailable' ? number === 0 : percent !== undefined && number === 100;
  return blocks ? 'no Pod can be evicted then, so that nodes cannot be drained' : undefined;
}

export const objectRules = ruleModule<typeof rules, Rules>(rules, {
  format: [checkSupportedKinds],
  opsdk: [checkObjectsFurther, checkRemovedApis, checkBudgets],
});
