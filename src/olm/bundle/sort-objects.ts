import { isDeepStrictEqual } from 'node:util';
import { type FindingList, formatWhere } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import { apiVersionProblem } from './validate/owned-kinds.ts';
import { hasHidden } from '../../base/util/terminal-words.ts';
import { describeObject, type ManifestObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { asText, compareCodeUnits, isJsonMap } from '../../base/util/json-map.ts';

/** The input objects of a bundle, grouped by their use in the bundle. Each list is sorted by group, kind, namespace and name. */
export interface SortedObjects {
  readonly deployments: readonly PlacedObject[];
  readonly crds: readonly PlacedObject[];
  readonly serviceAccounts: readonly PlacedObject[];
  readonly roles: readonly PlacedObject[];
  readonly bindings: readonly PlacedObject[];
  readonly services: readonly PlacedObject[];
  readonly webhookConfigurations: readonly PlacedObject[];
  readonly csvs: readonly PlacedObject[];
  readonly scorecards: readonly PlacedObject[];
  /** Issuers and Certificates. The bundle does not need them, because OLM creates the certificates of webhooks itself. */
  readonly certManager: readonly PlacedObject[];
  /** All remaining objects. Namespaces are dropped, because OLM's user chooses the namespace. */
  readonly others: readonly PlacedObject[];
}

type Part = keyof SortedObjects;

const partOf: Readonly<Record<string, Part | 'namespace'>> = {
  'apps/v1 Deployment': 'deployments',
  'apiextensions.k8s.io/v1 CustomResourceDefinition': 'crds',
  'v1 ServiceAccount': 'serviceAccounts',
  'rbac.authorization.k8s.io/v1 Role': 'roles',
  'rbac.authorization.k8s.io/v1 ClusterRole': 'roles',
  'rbac.authorization.k8s.io/v1 RoleBinding': 'bindings',
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': 'bindings',
  'v1 Service': 'services',
  'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration': 'webhookConfigurations',
  'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration': 'webhookConfigurations',
  'operators.coreos.com/v1alpha1 ClusterServiceVersion': 'csvs',
  'scorecard.operatorframework.io/v1alpha3 Configuration': 'scorecards',
  'v1 Namespace': 'namespace',
};

/** Kinds that request certificates from cert-manager. */
const certManagerKinds = ['Certificate', 'ClusterIssuer', 'Issuer'].map((kind) => `cert-manager.io ${kind}`);

/**
 * Groups objects by their use in a bundle. Input order does not matter, and identical objects are merged. Reports `bundle/duplicate-object`
 * for different objects that have the same name.
 */
export function sortObjects(findings: FindingList, objects: readonly PlacedObject[]): SortedObjects {
  const parts: Record<Part, PlacedObject[]> = {
    deployments: [],
    crds: [],
    serviceAccounts: [],
    roles: [],
    bindings: [],
    services: [],
    webhookConfigurations: [],
    csvs: [],
    scorecards: [],
    certManager: [],
    others: [],
  };
  const kept = withoutDuplicates(findings, objects);
  const own = new Set(kept.flatMap(({ object }) => declaredKind(object)));
  for (const placed of kept) {
    const { apiVersion, kind } = placed.object;
    checkName(findings, placed);
    if (!hasKnownVersion(findings, placed)) continue;
    const id = `${groupOf(apiVersion)} ${kind}`;
    // If the bundle defines the kinds of cert-manager itself, as cert-manager's own operator does, objects of these kinds are samples.
    const isCertManager = certManagerKinds.includes(id) && !own.has(id);
    const part = isCertManager ? 'certManager' : (partOf[`${apiVersion} ${kind}`] ?? 'others');
    if (part !== 'namespace') parts[part].push(placed);
  }
  return parts;
}

/** Returns the group and kind that a CustomResourceDefinition declares; empty for other objects. */
function declaredKind(object: ManifestObject): readonly string[] {
  const spec = isJsonMap(object['spec']) ? object['spec'] : {};
  const names = isJsonMap(spec['names']) ? spec['names'] : {};
  return object.kind === 'CustomResourceDefinition'
    ? [`${asText(spec['group'])} ${asText(names['kind'])}`]
    : [];
}

/**
 * Reports object names that cannot be file names. Source: apimachinery `pkg/api/validation/path`, and the rule for names of
 * CustomResourceDefinitions.
 */
function checkName(findings: FindingList, { object, where }: PlacedObject): void {
  const { name } = object.metadata;
  const { apiVersion } = object;
  const invalid = (problem: string, fix: string): void =>
    findings.add({
      code: 'bundle/invalid-object',
      message: `${describeObject(object)}: metadata.name ${problem}`,
      where,
      fix: [fix],
    });
  const problem = apiVersionProblem(apiVersion);
  if (problem !== undefined)
    findings.add({
      code: 'bundle/invalid-object',
      message: `apiVersion: ${problem}`,
      where,
      fix: ['correct the apiVersion'],
    });
  if (name === '.' || name === '..' || /[/\\%\n\t]/.test(name) || hasHidden(name))
    return invalid('is not a valid name for the API server', 'correct the name');
  if (object.kind !== 'CustomResourceDefinition') return;
  const spec = isJsonMap(object['spec']) ? object['spec'] : {};
  const names = isJsonMap(spec['names']) ? spec['names'] : {};
  const wanted = `${asText(names['plural'])}.${asText(spec['group'])}`;
  if (name !== wanted) invalid(`is not <spec.names.plural>.<spec.group>, ${wanted}`, `write ${wanted}`);
}

/** Refuses an object whose kind op-sdk supports only in another version. Otherwise, the object would be added to the bundle unread. */
function hasKnownVersion(findings: FindingList, { object, where }: PlacedObject): boolean {
  const { apiVersion, kind } = object;
  const served = Object.keys(partOf).find((id) => {
    const [known = '', knownKind] = id.split(' ');
    return knownKind === kind && groupOf(known) === groupOf(apiVersion) && known !== apiVersion;
  });
  if (served === undefined) return true;
  findings.add({
    code: 'bundle/kind-not-supported',
    message: `${describeObject(object)}: expected ${served}, got ${apiVersion}`,
    where,
    fix: [`write it as ${served.split(' ')[0] ?? ''}`],
  });
  return false;
}

function withoutDuplicates(findings: FindingList, objects: readonly PlacedObject[]): readonly PlacedObject[] {
  const kept = new Map<string, PlacedObject>();
  for (const placed of [...objects].sort(comparePlaced)) {
    const id = identity(placed.object);
    const first = kept.get(id);
    if (first === undefined) {
      kept.set(id, placed);
    } else if (!isDeepStrictEqual(first.object, placed.object)) {
      findings.add({
        code: 'bundle/duplicate-object',
        message: `${describeObject(placed.object)} appears twice, with different contents; the other one is at ${formatWhere(first.where)}`,
        where: placed.where,
        fix: ['remove or rename one of the two'],
      });
    }
  }
  return [...kept.values()];
}

/** Returns a text that identifies an object. It includes the version, because samples of two versions of a kind may have the same name. */
function identity({ apiVersion, kind, metadata }: ManifestObject): string {
  return JSON.stringify([groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name, apiVersion]);
}

/**
 * Compares objects for sorting. Objects with the same name are ordered by their contents, so that findings do not depend on the order of
 * the input.
 */
function comparePlaced(a: PlacedObject, b: PlacedObject): number {
  return (
    compareCodeUnits(identity(a.object), identity(b.object)) ||
    compareCodeUnits(JSON.stringify(a.object), JSON.stringify(b.object)) ||
    compareCodeUnits(formatWhere(a.where), formatWhere(b.where))
  );
}
