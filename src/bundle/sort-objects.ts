import { isDeepStrictEqual } from 'node:util';
import type { FindingList } from '../errors/index.ts';
import { formatWhere } from '../errors/format.ts';
import { describeObject, groupOf, type ManifestObject, type PlacedObject } from '../util/manifest-object.ts';
import { compareText } from './json.ts';

/** The objects of a bundle's input by what becomes of them. Each list is in the order of group, kind, namespace, name. */
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
  /** Issuers and Certificates: OLM makes the certificates of webhooks itself. */
  readonly certManager: readonly PlacedObject[];
  /** All others but Namespaces: OLM's user chooses the namespace. */
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

/**
 * Sorts objects by what becomes of them in a bundle. The order in which they come does not matter; equal objects count once.
 * Notes `bundle/duplicate-object` for different objects of one name.
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
  for (const placed of withoutDuplicates(findings, objects)) {
    const { apiVersion, kind } = placed.object;
    const isCertManager = /(?:^|\.)cert-manager\.io$/.test(groupOf(apiVersion));
    const part = isCertManager ? 'certManager' : (partOf[`${apiVersion} ${kind}`] ?? 'others');
    if (part !== 'namespace') parts[part].push(placed);
  }
  return parts;
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
        message: `${describeObject(placed.object)} is there twice, with different contents; the other one is at ${formatWhere(first.where)}`,
        where: placed.where,
        fix: ['remove or rename one of the two'],
      });
    }
  }
  return [...kept.values()];
}

/** With the version: samples of two versions of a kind may have one name. */
function identity({ apiVersion, kind, metadata }: ManifestObject): string {
  return JSON.stringify([groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name, apiVersion]);
}

/** Also equal names get an order, of their contents, so that findings do not hang on the order of the input. */
function comparePlaced(a: PlacedObject, b: PlacedObject): number {
  return (
    compareText(identity(a.object), identity(b.object)) ||
    compareText(JSON.stringify(a.object), JSON.stringify(b.object)) ||
    compareText(formatWhere(a.where), formatWhere(b.where))
  );
}
