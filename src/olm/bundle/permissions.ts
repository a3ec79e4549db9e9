import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type PlacedObject, type ManifestObject } from '../../kubernetes/yaml/index.ts';
import {
  type JsonMap,
  compareCodeUnits,
  asText,
  isJsonMap,
  jsonListOf,
  jsonMapOf,
} from '../../base/util/json-map.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import type { ObjectReader } from './object-reader.ts';
import type { SortedObjects } from './sort-objects.ts';

/** The rules of one ServiceAccount, in the form of a ClusterServiceVersion. */
interface Permission {
  readonly serviceAccountName: string;
  readonly rules: readonly unknown[];
}

/** The RBAC of the operator, split into parts of the bundle. */
export interface Permissions {
  /** Rules from RoleBindings. OLM grants them in the namespaces that the operator watches. */
  readonly permissions: readonly Permission[];
  /** Rules from ClusterRoleBindings. */
  readonly clusterPermissions: readonly Permission[];
  /** Roles, bindings and ServiceAccounts that are not for the operator's own accounts. They become files of the bundle. */
  readonly loose: readonly PlacedObject[];
}

interface PermissionsInput extends OwnAccounts {
  readonly objects: SortedObjects;
  /** ServiceAccounts used by Deployments. Each maps to a Deployment that uses it, so that findings can name the Deployment. */
  readonly usedBy: ReadonlyMap<string, PlacedObject>;
}

/**
 * Collects the rules of the operator's ServiceAccounts from the Roles and ClusterRoles that are bound to them. Reports ServiceAccounts that
 * are not among the objects or have no rules, bindings to missing roles, and fields that OLM would lose.
 */
export function collectPermissions(
  findings: FindingList,
  warnings: FindingList,
  read: ObjectReader,
  input: PermissionsInput,
): Permissions {
  const { objects, namespace } = input;
  const rules = {
    permissions: new Map<string, unknown[]>(),
    clusterPermissions: new Map<string, unknown[]>(),
  };
  const consumed = new Set<PlacedObject>();
  const shared = new Set<PlacedObject>();
  const looseBindings: PlacedObject[] = [];
  for (const binding of objects.bindings) {
    const subjects = read.maps(binding, 'subjects');
    const own = subjects.filter((subject) => ownAccountOf(subject, binding, input) !== undefined);
    const rest = subjects.filter((subject) => !own.includes(subject));
    const role = roleOf(read, binding, objects.roles);
    if (rest.length > 0 || own.length === 0) {
      if (role !== undefined) shared.add(role);
      looseBindings.push(own.length === 0 ? binding : withSubjects(binding, rest));
      noteLooseSubjects(warnings, binding, rest);
    }
    if (own.length === 0) continue;
    noteForeignNamespace(findings, binding, namespace);
    if (role === undefined) {
      noteMissingRole(findings, read, binding);
      continue;
    }
    noteAggregation(findings, read, role);
    consumed.add(role);
    if (isAggregated(read, role)) shared.add(role);
    const isNamespaced = binding.object.kind === 'RoleBinding';
    const target = rules[isNamespaced ? 'permissions' : 'clusterPermissions'];
    const granted = isNamespaced ? rulesInNamespace(warnings, read, binding, role) : read.maps(role, 'rules');
    for (const name of new Set(own.flatMap((subject) => ownAccountOf(subject, binding, input) ?? []))) {
      target.set(name, [...(target.get(name) ?? []), ...granted]);
    }
  }
  checkAccounts(
    findings,
    warnings,
    input,
    read,
    new Set([...rules.permissions.keys(), ...rules.clusterPermissions.keys()]),
  );
  return {
    permissions: listOf(rules.permissions),
    clusterPermissions: listOf(rules.clusterPermissions),
    loose: [
      ...objects.roles.filter((role) => !consumed.has(role) || shared.has(role)),
      ...looseBindings,
      ...objects.serviceAccounts.filter(({ object }) => !isOwnAccount(object.metadata, input)),
    ],
  };
}

function roleOf(
  read: ObjectReader,
  binding: PlacedObject,
  roles: readonly PlacedObject[],
): PlacedObject | undefined {
  const kind = read.text(binding, 'roleRef', 'kind');
  const name = read.text(binding, 'roleRef', 'name');
  return roles.find(
    ({ object }) =>
      object.kind === kind &&
      object.metadata.name === name &&
      (kind === 'ClusterRole' || object.metadata.namespace === binding.object.metadata.namespace),
  );
}

function withSubjects(binding: PlacedObject, subjects: readonly JsonMap[]): PlacedObject {
  return { object: { ...binding.object, subjects }, where: binding.where };
}

function noteMissingRole(findings: FindingList, read: ObjectReader, binding: PlacedObject): void {
  const kind = read.text(binding, 'roleRef', 'kind') ?? 'role';
  const name = read.text(binding, 'roleRef', 'name') ?? '';
  findings.add({
    code: 'bundle/missing-role',
    message: `${describeObject(binding.object)} gives the operator the ${kind} ${name}, which is not among the objects, so its rules cannot be written into the ClusterServiceVersion`,
    where: binding.where,
    fix: [
      `add the ${kind} ${name} to the kustomization`,
      'for a role that comes with the cluster, write the rules that the operator needs into a role of its own, and bind that role',
    ],
  });
}

/** Reports an aggregated role. Its file contains no rules, because the controller manager adds the rules in the cluster. */
function noteAggregation(findings: FindingList, read: ObjectReader, role: PlacedObject): void {
  if (Object.keys(read.map(role, 'aggregationRule')).length === 0) return;
  findings.add({
    code: 'bundle/missing-role',
    message: `${describeObject(role.object)} is aggregated from other roles, so its rules are known only on a cluster and cannot be written into the ClusterServiceVersion`,
    where: role.where,
    fix: ['bind a role of the operator that holds the rules itself'],
  });
}

/**
 * Returns true if Kubernetes aggregates the rules of a role into another role, such as `admin`. The bundle needs the file of such a role.
 */
function isAggregated(read: ObjectReader, role: PlacedObject): boolean {
  const labels = Object.keys(read.map(role, 'metadata', 'labels'));
  return labels.some((key) => key.startsWith('rbac.authorization.k8s.io/aggregate-to-'));
}

/**
 * Returns the rules that a role grants in a namespace. Leaves out rules for URLs, because OLM turns the rules into Roles, and the API
 * server refuses Roles that have rules for URLs. Source: `rbac.authorization.k8s.io/v1` `PolicyRule.nonResourceURLs`.
 */
function rulesInNamespace(
  warnings: FindingList,
  read: ObjectReader,
  binding: PlacedObject,
  role: PlacedObject,
): readonly JsonMap[] {
  const rules = read.maps(role, 'rules');
  const isForUrls = ({ nonResourceURLs }: JsonMap): boolean =>
    Array.isArray(nonResourceURLs) && nonResourceURLs.length > 0;
  if (rules.some(isForUrls)) {
    warnings.add({
      code: 'bundle/rule-without-effect',
      message: `${describeObject(role.object)} has rules for nonResourceURLs, which have no effect through ${describeObject(binding.object)}, as only a ClusterRoleBinding can grant them; they are left out`,
      where: role.where,
      fix: ['grant them by a ClusterRoleBinding if the operator needs them, or remove them'],
    });
  }
  return rules.filter((rule) => !isForUrls(rule));
}

function noteForeignNamespace(
  findings: FindingList,
  { object, where }: PlacedObject,
  namespace: string | undefined,
): void {
  const own = object.metadata.namespace;
  if (own === undefined || namespace === undefined || own === namespace) return;
  findings.add({
    code: 'bundle/foreign-namespace',
    message: `${describeObject(object)} is in the namespace ${own}, the operator in ${namespace}; OLM would grant the rules in the operator's namespace instead`,
    where,
    fix: ['use a ClusterRole and a ClusterRoleBinding for what the operator needs in other namespaces'],
  });
}

function checkAccounts(
  findings: FindingList,
  warnings: FindingList,
  { objects, accounts, usedBy, namespace }: PermissionsInput,
  read: ObjectReader,
  bound: ReadonlySet<string>,
): void {
  for (const name of [...accounts].sort(compareCodeUnits)) {
    const user = usedBy.get(name);
    const account = objects.serviceAccounts.find(
      ({ object }) => object.metadata.name === name && isOwnAccount(object.metadata, { accounts, namespace }),
    );
    const by =
      user === undefined
        ? 'asked for with --extra-service-accounts'
        : `used by ${describeObject(user.object)}`;
    const where = user === undefined ? { flag: '--extra-service-accounts' } : user.where;
    if (account !== undefined) noteLostFields(warnings, read, account);
    // The account `default` exists in every namespace.
    if (name === 'default') continue;
    if (account === undefined) {
      findings.add({
        code: 'bundle/missing-service-account',
        message: `the ServiceAccount ${name}, ${by}, is not among the objects`,
        where,
        fix: [`add the ServiceAccount ${name}, or correct the name`],
      });
    }
    if (!bound.has(name)) {
      findings.add({
        code: 'bundle/unbound-service-account',
        message: `the ServiceAccount ${name}, ${by}, is bound to no role; OLM creates only accounts that have rules, so its pods would never start`,
        where,
        fix: [`add a RoleBinding or ClusterRoleBinding for ${name}, and the role it binds`],
      });
    }
  }
}

/** Warns of the fields of a ServiceAccount that are lost, because OLM creates the ServiceAccount from its name alone. */
function noteLostFields(warnings: FindingList, read: ObjectReader, account: PlacedObject): void {
  const lost = [
    ...Object.keys(read.map(account, 'metadata', 'annotations')).map((key) => `the annotation ${key}`),
    ...['imagePullSecrets', 'secrets', 'automountServiceAccountToken'].filter(
      (field) => account.object[field] !== undefined,
    ),
  ];
  if (lost.length === 0) return;
  warnings.add({
    code: 'bundle/lost-field',
    message: `${describeObject(account.object)} has ${lost.join(', ')}; OLM creates the account itself, without them`,
    where: account.where,
    fix: ['set what the pods need in the Deployment, such as imagePullSecrets'],
  });
}

function listOf(rules: ReadonlyMap<string, readonly unknown[]>): readonly Permission[] {
  return [...rules.keys()]
    .sort(compareCodeUnits)
    .map((serviceAccountName) => ({ serviceAccountName, rules: rules.get(serviceAccountName) ?? [] }));
}

/**
 * Separates roles for the operator's users from all other objects. Roles for users are ClusterRoles that are neither bound nor aggregated
 * into a role, and that grant access only to kinds of the bundle or to URLs of the operator. OLM creates roles for these kinds itself, and
 * removes them with the operator. If the bundle contained such roles, they would remain after an uninstall and keep OLM 1 from installing
 * the operator again. Source: operator-lifecycle-manager `pkg/controller/operators/olm`, `<kind>-<version>-admin|edit|view`.
 * @param loose the roles, bindings and ServiceAccounts of the bundle that are not the operator's own
 */
export function withoutUserRoles(
  loose: readonly PlacedObject[],
  crds: readonly PlacedObject[],
): { readonly kept: readonly PlacedObject[]; readonly left: readonly PlacedObject[] } {
  const bound = new Set(loose.map(({ object }) => asText(jsonMapOf(object['roleRef'])['name'])));
  const groups = new Set(crds.map(({ object }) => asText(jsonMapOf(object['spec'])['group'])));
  const aggregated = aggregatingLabels(loose);
  const left = loose.filter(
    ({ object }) =>
      object.kind === 'ClusterRole' &&
      groupOf(object.apiVersion) === 'rbac.authorization.k8s.io' &&
      !bound.has(object.metadata.name) &&
      object['aggregationRule'] === undefined &&
      !Object.keys(object.metadata.labels ?? {}).some((label) => aggregated.has(label)) &&
      jsonListOf(object['rules']).every((rule) => isForUsers(rule, groups)),
  );
  return { kept: loose.filter((placed) => !left.includes(placed)), left };
}

function isForUsers(rule: unknown, groups: ReadonlySet<string>): boolean {
  if (!isJsonMap(rule)) return false;
  const apiGroups = jsonListOf(rule['apiGroups']);
  return apiGroups.every((group) => typeof group === 'string' && groups.has(group));
}

/**
 * Returns the keys of the labels by which roles of the bundle aggregate other roles. Label values are ignored, because keeping an unneeded
 * role does no harm.
 */
function aggregatingLabels(roles: readonly PlacedObject[]): ReadonlySet<string> {
  const selectors = roles.flatMap(({ object }) =>
    jsonListOf(jsonMapOf(object['aggregationRule'])['clusterRoleSelectors']).map(jsonMapOf),
  );
  return new Set(
    selectors.flatMap((selector) => [
      ...Object.keys(jsonMapOf(selector['matchLabels'])),
      ...jsonListOf(selector['matchExpressions']).map((each) => asText(jsonMapOf(each)['key'])),
    ]),
  );
}

/** Data by which the operator's own ServiceAccounts are recognised. */
interface OwnAccounts {
  /** Names of the ServiceAccounts whose rules go into the ClusterServiceVersion. OLM creates these ServiceAccounts itself. */
  readonly accounts: ReadonlySet<string>;
  /** Namespace of the Deployments; undefined if the Deployments name none. */
  readonly namespace: string | undefined;
}

/**
 * Prefixes of the user names and group names that Kubernetes gives to ServiceAccounts. Source: Kubernetes' documentation, "Authenticating",
 * service account tokens.
 */
const userPrefix = 'system:serviceaccount:';
const groupPrefix = 'system:serviceaccounts:';

/** Returns the name of the operator's ServiceAccount to which a subject of a binding refers; undefined for any other subject. */
function ownAccountOf(subject: JsonMap, binding: PlacedObject, own: OwnAccounts): string | undefined {
  const account = accountIn(subject, binding.object.metadata.namespace);
  return account !== undefined && isOwnAccount(account, own) ? account.name : undefined;
}

/** Returns true if a ServiceAccount belongs to the operator. The ServiceAccount is given as an object or as a subject of a binding. */
function isOwnAccount(
  { name, namespace }: Pick<ManifestObject['metadata'], 'name' | 'namespace'>,
  own: OwnAccounts,
): boolean {
  if (!own.accounts.has(name)) return false;
  return namespace === undefined || own.namespace === undefined || namespace === own.namespace;
}

/**
 * Warns of subjects of a binding that are ServiceAccounts in a fixed namespace, because OLM may install the operator into another
 * namespace. The binding is one that becomes a file of the bundle.
 */
function noteLooseSubjects(warnings: FindingList, binding: PlacedObject, subjects: readonly JsonMap[]): void {
  for (const subject of subjects) {
    const account = accountIn(subject, undefined);
    const name = asText(subject['name']);
    const isGroup = subject['kind'] === 'Group' && name.startsWith(groupPrefix);
    if (account === undefined && !isGroup) continue;
    const of = `${describeObject(binding.object)} binds`;
    const place = account?.namespace === undefined ? 'no namespace' : `the namespace ${account.namespace}`;
    warnings.add({
      code: 'bundle/loose-service-account',
      message:
        account === undefined
          ? `${of} all ServiceAccounts of the namespace ${name.slice(groupPrefix.length)}; the binding is written into the bundle unchanged, but OLM may install into another namespace`
          : `${of} the ServiceAccount ${account.name} in ${place}; no Deployment uses this account, so the binding is written into the bundle unchanged, but OLM may install into another namespace`,
      where: binding.where,
      fix: [
        account === undefined
          ? "bind the operator's own ServiceAccount, so that its rules enter the ClusterServiceVersion"
          : `add \`--extra-service-accounts ${account.name}\`, so that its rules enter the ClusterServiceVersion`,
      ],
    });
  }
}

/** Returns the ServiceAccount to which a subject refers, either by the kind ServiceAccount or by the user name of a ServiceAccount. */
function accountIn(
  { kind, name, namespace }: JsonMap,
  ofBinding: string | undefined,
): { readonly name: string; readonly namespace?: string } | undefined {
  if (typeof name !== 'string') return undefined;
  if (kind === 'User' && name.startsWith(userPrefix)) {
    const [place = '', account = ''] = name.slice(userPrefix.length).split(':');
    return { name: account, namespace: place };
  }
  if (kind !== 'ServiceAccount') return undefined;
  const own = typeof namespace === 'string' ? namespace : ofBinding;
  return { name, ...(own === undefined ? {} : { namespace: own }) };
}
