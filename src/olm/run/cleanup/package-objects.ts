import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, listOf, textOf, textsOf } from '../../bundle/index.ts';
import { type OlmVersion, compareSemver, parseSemver } from '../../catalog/index.ts';
import { notCopied } from '../../../cluster/index.ts';
import { CustomResourceDefinition } from '../../../sdk/k8s/generated/apiextensions/v1.ts';
import { ClusterRole, ClusterRoleBinding } from '../../../sdk/k8s/generated/rbac/v1.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import {
  runGroup,
  runNames,
  isRunCatalog,
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from '../run-names.ts';
import { installedByV0, installedByV1 } from '../installed-operators.ts';
import { subscribersOfOthers } from '../run-objects.ts';
import { authReadersOf, packageLabel, isOfOtherPackage } from './auth-readers.ts';

/** Objects of an installation, in the order in which they are deleted. */
export interface PackageObjects {
  /** Objects that could make OLM install the operator again, or a later version of it: Subscriptions and their InstallPlans. */
  readonly subscriptions: readonly KubeObject[];
  /** Names of the package's ClusterServiceVersions, including those that an InstallPlan has not created yet. */
  readonly csvs: ReadonlySet<string>;
  /**
   * Names of former versions, which the package's ClusterServiceVersions replace or skip. Only ClusterRoles of these versions can still
   * exist.
   */
  readonly formerCsvs: ReadonlySet<string>;
  /** The CustomResourceDefinitions of the operator's kinds. */
  readonly crds: readonly KubeObject[];
  /** Objects whose deletion makes OLM delete the operator. */
  readonly operators: readonly KubeObject[];
  /** Objects of the operator that OLM v0 leaves on the cluster when it deletes the operator. */
  readonly leftovers: readonly KubeObject[];
  /** Names of objects that OLM v0 may leave behind but that the user may not read, in the form `RoleBinding NAMESPACE/NAME`. */
  readonly unread: readonly string[];
  readonly catalogs: readonly KubeObject[];
  /** The OperatorGroup that `run bundle` created; empty if something else in its namespace needs it. */
  readonly groups: readonly KubeObject[];
}

interface PackageQuery {
  readonly client: KubeClient;
  readonly olm: OlmVersion;
  readonly packageName: string;
  /** Namespace of the operator; ignored for OLM v1. */
  readonly namespace: string;
  /** Names of ClusterServiceVersions found by an earlier query. Default: none. */
  readonly known?: Pick<PackageObjects, 'csvs' | 'formerCsvs'> | undefined;
  readonly signal: AbortSignal;
}

/** Finds the objects of a package, including those of an unfinished installation. */
export function packageObjects(query: PackageQuery): Promise<PackageObjects> {
  return query.olm === 'v0' ? objectsOfPackageV0(query) : objectsOfPackageV1(query);
}

async function objectsOfPackageV0(query: PackageQuery): Promise<PackageObjects> {
  const { client, packageName, namespace, signal } = query;
  const installed = await installedByV0(client, packageName, namespace, signal);
  const subscriptions = installed.map(({ subscription }) => subscription);
  const plans = await plansOf(query, subscriptions);
  const { items: all } = await client.list(ClusterServiceVersion, { labelSelector: notCopied, signal });
  const here = all.filter(({ metadata }) => metadata.namespace === namespace);
  const { items: subscribed } = await client.list(Subscription, { namespace, signal });
  const others = subscribed.filter(
    ({ metadata }) => !subscriptions.some((own) => own.metadata.uid === metadata.uid),
  );
  const names = versionsOfPackage({
    label: packageLabel(packageName, namespace),
    subscriptions,
    planned: [
      ...(query.known?.csvs ?? []),
      ...plans.flatMap((plan) => textsOf(fieldAt(plan, 'spec', 'clusterServiceVersionNames'))),
    ],
    others,
    operators: here,
  });
  const operators = here.filter(({ metadata: { name = '' } }) => names.has(name));
  const formerCsvs = new Set([...(query.known?.formerCsvs ?? []), ...replacedVersions(operators)]);
  const sources = await client.list(CatalogSource, { namespace, signal });
  const { catalog } = runNames(packageName, '');
  const isShared = subscribersOfOthers(others, { catalog, packageName, namespace }).length > 0;
  const catalogs = sources.items
    .filter(({ metadata }) => metadata.name === catalog && !isShared)
    .filter(isRunCatalog);
  const isAlone = here.length === operators.length && others.length === 0;
  const staying = here.filter((csv) => !operators.includes(csv));
  const readers = await authReadersOf(client, { operators, staying }, signal);
  const groups = isAlone ? (await client.list(OperatorGroup, { namespace, signal })).items : [];
  return {
    subscriptions: [...subscriptions, ...plans],
    csvs: names,
    formerCsvs,
    crds: await definitionsOf(query, operators),
    operators,
    leftovers: [
      ...(await clusterRolesOf(query, { packageName, namespace, csvs: names, formerCsvs, all })),
      ...readers.found,
    ],
    unread: readers.unread,
    catalogs,
    groups: groups.filter(({ metadata }) => metadata.name === runGroup),
  };
}

async function objectsOfPackageV1({ client, packageName, signal }: PackageQuery): Promise<PackageObjects> {
  const installed = await installedByV1(client, packageName, signal);
  const { catalog } = runNames(packageName, '');
  const { items } = await client.list(ClusterCatalog, { signal });
  // Package names that differ only by a dot result in the same ClusterExtension name, so the object with this name may install another
  // package.
  const namesake = await client.find(
    ClusterExtension,
    { name: runNames(packageName, '').extension },
    { signal },
  );
  const isShared =
    namesake !== undefined &&
    !installed.some(({ extension }) => extension.metadata.uid === namesake.metadata.uid);
  const crds = await Promise.all(
    installed.map(({ extension }) =>
      client.list(CustomResourceDefinition, {
        labelSelector: `olm.operatorframework.io/owner-name=${extension.metadata.name}`,
        signal,
      }),
    ),
  );
  return {
    subscriptions: [],
    csvs: new Set(),
    formerCsvs: new Set(),
    crds: crds.flatMap((list) => list.items),
    operators: installed.map(({ extension }) => extension),
    leftovers: [],
    unread: [],
    catalogs: items.filter(({ metadata }) => metadata.name === catalog && !isShared).filter(isRunCatalog),
    groups: [],
  };
}

/**
 * Returns the InstallPlans that install only this package. They must be deleted, because OLM would carry out an approved InstallPlan even
 * without its Subscription.
 */
async function plansOf(
  { client, namespace, signal }: PackageQuery,
  subscriptions: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  const uids = new Set(subscriptions.map(({ metadata }) => metadata.uid));
  const { items } = await client.list(InstallPlan, { namespace, signal });
  return items.filter(({ metadata: { ownerReferences = [] } }) => {
    const owners = ownerReferences.filter(({ kind }) => kind === 'Subscription');
    return owners.length > 0 && owners.every(({ uid }) => uids.has(uid));
  });
}

/** Returns the CustomResourceDefinitions that the ClusterServiceVersions own and that exist on the cluster. */
async function definitionsOf(
  { client, signal }: PackageQuery,
  operators: readonly KubeObject[],
): Promise<readonly KubeObject[]> {
  const names = new Set(
    operators.flatMap((csv) =>
      listOf(fieldAt(csv, 'spec', 'customresourcedefinitions', 'owned')).map((owned) =>
        textOf(fieldAt(owned, 'name')),
      ),
    ),
  );
  const found = await Promise.all(
    [...names].sort().map((name) => client.find(CustomResourceDefinition, { name }, { signal })),
  );
  return found.filter((crd) => crd !== undefined);
}

/**
 * Returns the ClusterRoles that OLM v0 leaves behind. OLM v0 deletes the roles that it created for the operator, but not those contained in
 * the bundle.
 */
async function clusterRolesOf(
  { client, signal }: PackageQuery,
  own: OwnVersions,
): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(
    [ClusterRole, ClusterRoleBinding].map((kind) =>
      client.list(kind, { labelSelector: 'olm.managed=true', signal }),
    ),
  );
  return lists
    .flatMap(({ items }) => items as readonly KubeObject[])
    .filter((object) => isLeftOf(object, own));
}

/** Objects from which op-sdk infers the ClusterServiceVersions of a namespace that belong to one package. */
interface VersionClues {
  /** Label that OLM v0 sets on objects of the package. */
  readonly label: string;
  /** Subscriptions to the package. */
  readonly subscriptions: readonly KubeObject[];
  /** Names of ClusterServiceVersions in the package's InstallPlans, including those of its dependencies. */
  readonly planned: readonly string[];
  /** Subscriptions of the namespace to other packages. OLM creates one for each dependency. */
  readonly others: readonly KubeObject[];
  /** All ClusterServiceVersions of the namespace. */
  readonly operators: readonly KubeObject[];
}

/**
 * Returns the names of a package's own ClusterServiceVersions, including planned ones. ClusterServiceVersions of its dependencies are
 * excluded.
 */
export function versionsOfPackage(clues: VersionClues): ReadonlySet<string> {
  const { label, planned, operators } = clues;
  const subscribed = clues.subscriptions.flatMap((each) => [
    textOf(fieldAt(each, 'status', 'installedCSV')),
    textOf(fieldAt(each, 'status', 'currentCSV')),
  ]);
  const labelled = operators.filter(({ metadata }) => metadata.labels?.[label] !== undefined);
  const foreign = [
    ...clues.others.flatMap((each) => [
      textOf(fieldAt(each, 'status', 'installedCSV')),
      textOf(fieldAt(each, 'status', 'currentCSV')),
      textOf(fieldAt(each, 'spec', 'startingCSV')),
    ]),
    ...operators
      .filter(
        ({ metadata }) => metadata.labels?.[label] === undefined && isOfOtherPackage(metadata.labels, label),
      )
      .map(({ metadata }) => metadata.name ?? ''),
  ].filter((name) => name !== '');
  const names = new Set([
    ...subscribed,
    ...labelled.map(({ metadata }) => metadata.name ?? ''),
    // If a dependency has been upgraded since the plan was made, the plan names an earlier version of it. Therefore, exclude all versions
    // of a dependency.
    ...planned.filter((name) => !foreign.some((other) => isSameOperator(other, name))),
  ]);
  names.delete('');
  return names;
}

/** Versions of a package, whose ClusterRoles OLM v0 may have left behind. */
interface OwnVersions {
  readonly packageName: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Names of the package's known ClusterServiceVersions. */
  readonly csvs: ReadonlySet<string>;
  /**
   * Names of former versions, according to the package's ClusterServiceVersions. An existing object with such a name may belong to another
   * package.
   */
  readonly formerCsvs: ReadonlySet<string>;
  /** The ClusterServiceVersions of all namespaces, without the copies that OLM creates. */
  readonly all: readonly KubeObject[];
}

/**
 * Returns the names of versions that ClusterServiceVersions replace or skip. These versions have been deleted; their InstallPlans may have
 * been deleted, too.
 */
export function replacedVersions(operators: readonly KubeObject[]): readonly string[] {
  return operators
    .flatMap((csv) => [textOf(fieldAt(csv, 'spec', 'replaces')), ...textsOf(fieldAt(csv, 'spec', 'skips'))])
    .filter((name) => name !== '');
}

/**
 * Returns true if a ClusterRole or ClusterRoleBinding was left behind by OLM v0 and belongs to a version of this package: the installed
 * version, or a former version whose roles later versions no longer have. The labels that OLM sets on objects from the bundle name only the
 * version as the owner. The same operator in another namespace, in any version, shares a ClusterRole of the same name. Therefore, objects
 * that may belong to another installation are excluded.
 */
export function isLeftOf({ metadata: { labels = {} } }: KubeObject, own: OwnVersions): boolean {
  const { 'olm.owner': owner, 'olm.owner.kind': kind, 'olm.owner.namespace': from } = labels;
  if (labels['olm.managed'] !== 'true' || owner === undefined) return false;
  if (kind !== undefined && kind !== 'ClusterServiceVersion') return false;
  if (from !== undefined && from !== own.namespace) return false;
  const label = packageLabel(own.packageName, own.namespace);
  const isLabelled = labels[label] !== undefined;
  if (from !== undefined && (isLabelled || own.csvs.has(owner))) return true;
  const others = own.all.filter(
    ({ metadata: { name = '', namespace } }) => namespace !== own.namespace || !own.csvs.has(name),
  );
  if (others.some(({ metadata }) => isSameOperator(metadata.name ?? '', owner))) return false;
  if (isOfOtherPackage(labels, label)) return false;
  const known = [...own.csvs, ...own.formerCsvs];
  return isLabelled || known.includes(owner) || known.some((csv) => isFormer(owner, csv));
}

/** Returns true if two names are equal, or name versions of the same operator. */
function isSameOperator(a: string, b: string): boolean {
  const operator = versionIn(a)?.operator;
  return a === b || (operator !== undefined && operator === versionIn(b)?.operator);
}

/** Returns true if a name is that of an earlier version: `web.v0.1.0` is earlier than `web.v0.2.0`. */
function isFormer(name: string, later: string): boolean {
  const [before, after] = [versionIn(name), versionIn(later)];
  return (
    before !== undefined &&
    before.operator === after?.operator &&
    compareSemver(before.version, after.version) < 0
  );
}

function versionIn(csv: string) {
  const [, operator, text = ''] = /^(.+)\.v(\d.*)$/.exec(csv) ?? [];
  const version = parseSemver(text);
  return operator === undefined || version === undefined ? undefined : { operator, version };
}
