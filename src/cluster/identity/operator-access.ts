import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { readAccess, type AccessObject, type Permission } from '../../compiler/manifests/index.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Permissions that a role grants in one scope. */
interface Granted {
  /** The role's own object. */
  readonly role: AccessObject;
  /** Namespace in which they apply. Absent: all namespaces. */
  readonly namespace?: string;
  readonly permissions: readonly Permission[];
}

/** Account of the operator of a project, and its permissions. */
export interface OperatorAccess {
  readonly account: ServiceAccountName;
  /** Objects that a cluster must have for it: the Namespace, the ServiceAccount, its roles and bindings, as they are in the manifests. */
  readonly objects: readonly PlacedObject[];
  readonly granted: readonly Granted[];
  /** The value of WATCH_NAMESPACE in its Deployment; undefined if it watches all namespaces. */
  readonly watchNamespace?: string | undefined;
}

/** User name of a ServiceAccount. Source: apiserver `pkg/authentication/serviceaccount`. */
export function accountUser({ namespace, name }: ServiceAccountName): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/**
 * Finds the ServiceAccount of the operator's Deployment among the rendered objects of a project, and the objects that belong to it. Roles
 * that are bound only to other subjects are omitted.
 *
 * @param source of the objects, for messages: `config/default`
 * @throws OpSdkError `cluster/no-service-account`, `diff/…` for roles that are invalid
 */
export function operatorAccess(objects: readonly PlacedObject[], source: string): OperatorAccess {
  const account = findAccount(objects, source);
  const read = readAccess(objects.map(({ object, where }) => ({ value: object, locate: () => where })));
  if (read.findings.length > 0) throw new OpSdkError(read.findings);
  const bindings = read.objects.filter(
    ({ kind, grants }) =>
      kind.endsWith('Binding') &&
      grants.some((grant) => grant.type === 'subject' && isSubject(grant.subject, account)),
  );
  const granted = bindings.flatMap((binding) => rolesOf(binding, read.objects));
  const kept = new Set([...bindings, ...granted.map(({ role }) => role)].map(identityOf));
  return {
    account,
    objects: objects.filter((each) => isPart(each, account) || kept.has(identityOf(asAccess(each)))),
    granted,
    watchNamespace: watchNamespaceOf(objects, account),
  };
}

/** Source: `core/v1` EnvVar; the downward API gives the namespace of the Pod. */
function watchNamespaceOf(objects: readonly PlacedObject[], account: ServiceAccountName): string | undefined {
  const deployments = objects.filter(({ object }) => object.kind === 'Deployment');
  const variables = deployments.flatMap(({ object }) => {
    const containers = jsonListOf(podSpecOf(object)['containers']);
    return containers.flatMap((each) => jsonListOf(jsonMapOf(each)['env']));
  });
  const variable = variables.map(jsonMapOf).find(({ name }) => name === 'WATCH_NAMESPACE');
  if (variable === undefined) return undefined;
  const { fieldPath } = jsonMapOf(jsonMapOf(variable['valueFrom'])['fieldRef']);
  const value = fieldPath === 'metadata.namespace' ? account.namespace : jsonTextOf(variable['value']);
  return value === '' ? undefined : value;
}

function findAccount(objects: readonly PlacedObject[], source: string): ServiceAccountName {
  const deployments = objects.filter(
    ({ object: { apiVersion, kind } }) => apiVersion === 'apps/v1' && kind === 'Deployment',
  );
  const accounts = objects.filter(
    ({ object: { apiVersion, kind } }) => apiVersion === 'v1' && kind === 'ServiceAccount',
  );
  // A folder of roles alone has no Deployment.
  const named = (deployments.length === 0 ? accounts : deployments).map(({ object }) => ({
    namespace: object.metadata.namespace ?? 'default',
    name: deployments.length === 0 ? object.metadata.name : accountOf(object),
  }));
  const unique = new Map(named.map((each) => [accountUser(each), each]));
  const [account] = unique.values();
  if (account !== undefined && unique.size === 1) return account;
  throw new OpSdkError(noAccount([...unique.keys()], source));
}

/** Source: `core/v1` PodSpec; without a name the Pods run as `default`. */
function accountOf(deployment: PlacedObject['object']): string {
  const name = jsonTextOf(podSpecOf(deployment)['serviceAccountName']);
  return name === '' ? 'default' : name;
}

function podSpecOf(deployment: PlacedObject['object']): JsonMap {
  return jsonMapOf(jsonMapOf(jsonMapOf(deployment['spec'])['template'])['spec']);
}

function noAccount(found: readonly string[], source: string): Finding {
  const number = found.length === 0 ? 'none' : `${found.length}: ${found.join(', ')}`;
  return {
    code: 'cluster/no-service-account',
    message: `${source}: expected the Deployment of one operator, or one ServiceAccount, got ${number}`,
    where: { file: source },
    fix: ['add config/rbac and config/manager to its resources, as op-sdk init does'],
  };
}

function rolesOf(binding: AccessObject, objects: readonly AccessObject[]): readonly Granted[] {
  const names = new Set(binding.grants.map((grant) => (grant.type === 'subject' ? grant.role : '')));
  return objects.flatMap((role): readonly Granted[] => {
    if (role.kind !== 'Role' && role.kind !== 'ClusterRole') return [];
    if (!names.has(`${role.kind} ${role.name}`)) return [];
    if (role.kind === 'Role' && role.namespace !== binding.namespace) return [];
    const permissions = role.grants.filter((grant) => grant.type === 'resource' || grant.type === 'url');
    const place = binding.kind === 'RoleBinding' ? { namespace: binding.namespace ?? 'default' } : {};
    return [{ role, permissions, ...place }];
  });
}

/** Source: apiserver `pkg/authentication/serviceaccount` and kube-apiserver `rbac` `appliesToUser`. */
function isSubject(subject: string, account: ServiceAccountName): boolean {
  return [
    `ServiceAccount ${account.namespace}/${account.name}`,
    `User ${accountUser(account)}`,
    `Group system:serviceaccounts:${account.namespace}`,
    'Group system:serviceaccounts',
    'Group system:authenticated',
  ].includes(subject);
}

/** The account itself, and its namespace. */
function isPart(
  { object: { apiVersion, kind, metadata } }: PlacedObject,
  account: ServiceAccountName,
): boolean {
  if (apiVersion !== 'v1') return false;
  if (kind === 'Namespace') return metadata.name === account.namespace;
  return (
    kind === 'ServiceAccount' &&
    metadata.name === account.name &&
    (metadata.namespace ?? 'default') === account.namespace
  );
}

function asAccess({ object: { kind, metadata } }: PlacedObject) {
  return {
    kind,
    name: metadata.name,
    namespace: kind.startsWith('Cluster') ? undefined : metadata.namespace,
  };
}

function identityOf({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}): string {
  return [kind, namespace ?? '', name].join('\u0000');
}
