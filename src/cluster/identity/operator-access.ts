import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { readAccess, type AccessObject, type Permission } from '../../compiler/manifests/index.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Permissions that a role grants, either in one namespace or in all namespaces. */
interface Granted {
  /** The Role or ClusterRole that grants the permissions. */
  readonly role: AccessObject;
  /** Namespace in which the permissions apply. If absent, they apply in all namespaces. */
  readonly namespace?: string;
  readonly permissions: readonly Permission[];
}

/** The ServiceAccount of a project's operator, and its permissions. */
export interface OperatorAccess {
  readonly account: ServiceAccountName;
  /**
   * Objects that must exist on the cluster for the account, as written in the manifests: the Namespace, the ServiceAccount, its roles and
   * bindings.
   */
  readonly objects: readonly PlacedObject[];
  readonly granted: readonly Granted[];
  /** Value of WATCH_NAMESPACE in the operator's Deployment; undefined if the operator watches all namespaces. */
  readonly watchNamespace?: string | undefined;
  /** Image of the operator's Deployment; undefined if there is none, or several. */
  readonly image?: string | undefined;
  /** Variables `RELATED_IMAGE_…` of the operator's Deployment, which name images for its operands. */
  readonly relatedImages?: Readonly<Record<string, string>>;
}

/** Returns the user name of a ServiceAccount. Source: apiserver `pkg/authentication/serviceaccount`. */
export function accountUser({ namespace, name }: ServiceAccountName): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/**
 * Finds the ServiceAccount of the operator's Deployment among the rendered objects of a project, and the objects that belong to the
 * account. Roles that are bound only to other subjects than the account are omitted.
 *
 * @param source origin of the objects, such as `config/default`, for messages
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
    ...imagesOf(objects),
  };
}

function imagesOf(objects: readonly PlacedObject[]): Pick<OperatorAccess, 'image' | 'relatedImages'> {
  const images = new Set(containersOf(objects).map(({ image }) => jsonTextOf(image)));
  const related = variablesOf(objects).flatMap(({ name, value }) => {
    const isRelated = typeof name === 'string' && name.startsWith('RELATED_IMAGE_');
    return isRelated && typeof value === 'string' ? [[name, value] as const] : [];
  });
  return {
    image: images.size === 1 ? [...images][0] : undefined,
    relatedImages: Object.fromEntries(related),
  };
}

function containersOf(objects: readonly PlacedObject[]): readonly JsonMap[] {
  return objects
    .filter(({ object }) => object.kind === 'Deployment')
    .flatMap(({ object }) => jsonListOf(podSpecOf(object)['containers']).map(jsonMapOf));
}

function variablesOf(objects: readonly PlacedObject[]): readonly JsonMap[] {
  return containersOf(objects).flatMap(({ env }) => jsonListOf(env).map(jsonMapOf));
}

/**
 * Returns the value of WATCH_NAMESPACE in the Deployments of an account. If the downward API sets the variable, the value is the namespace
 * of the Pod. Source: `core/v1` EnvVar.
 */
function watchNamespaceOf(objects: readonly PlacedObject[], account: ServiceAccountName): string | undefined {
  const variable = variablesOf(objects).find(({ name }) => name === 'WATCH_NAMESPACE');
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
  // If the objects contain no Deployment, for example only roles, the ServiceAccounts among the objects are used.
  const named = (deployments.length === 0 ? accounts : deployments).map(({ object }) => ({
    namespace: object.metadata.namespace ?? 'default',
    name: deployments.length === 0 ? object.metadata.name : accountOf(object),
  }));
  const unique = new Map(named.map((each) => [accountUser(each), each]));
  const [account] = unique.values();
  if (account !== undefined && unique.size === 1) return account;
  throw new OpSdkError(noAccount([...unique.keys()], source));
}

/** Returns the name of the ServiceAccount of a Deployment. Without a name, the Pods run as `default`. Source: `core/v1` PodSpec. */
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
    fix: ['add config/rbac and config/manager to the resources of the kustomization, as op-sdk init does'],
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

/**
 * Returns true if a subject of a role binding includes the ServiceAccount: as account, as user, or by one of its groups. Source: apiserver
 * `pkg/authentication/serviceaccount` and kube-apiserver `rbac` `appliesToUser`.
 */
function isSubject(subject: string, account: ServiceAccountName): boolean {
  return [
    `ServiceAccount ${account.namespace}/${account.name}`,
    `User ${accountUser(account)}`,
    `Group system:serviceaccounts:${account.namespace}`,
    'Group system:serviceaccounts',
    'Group system:authenticated',
  ].includes(subject);
}

/** Returns true if an object is the ServiceAccount itself or its Namespace. */
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
