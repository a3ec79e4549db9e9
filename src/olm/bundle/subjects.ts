import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type ManifestObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, asText } from '../../base/util/json-map.ts';

/** Which ServiceAccounts are the operator's own. */
export interface OwnAccounts {
  /** The accounts whose rules go into the ClusterServiceVersion; OLM creates these accounts itself. */
  readonly accounts: ReadonlySet<string>;
  /** The namespace of the Deployments; undefined if they name none. */
  readonly namespace: string | undefined;
}

/** Prefixes of the user and group names of ServiceAccounts. Source: Kubernetes' documentation, "Authenticating", service account tokens. */
const userPrefix = 'system:serviceaccount:';
const groupPrefix = 'system:serviceaccounts:';

/** The ServiceAccount of the operator that a subject of a binding is; undefined if it is somebody else. */
export function ownAccountOf(subject: JsonMap, binding: PlacedObject, own: OwnAccounts): string | undefined {
  const account = accountIn(subject, binding.object.metadata.namespace);
  return account !== undefined && isOwnAccount(account, own) ? account.name : undefined;
}

/** Returns true if an account, an object or one that a binding names, is the operator's own. */
export function isOwnAccount(
  { name, namespace }: Pick<ManifestObject['metadata'], 'name' | 'namespace'>,
  own: OwnAccounts,
): boolean {
  if (!own.accounts.has(name)) return false;
  return namespace === undefined || own.namespace === undefined || namespace === own.namespace;
}

/** Notes, as warnings, subjects of a loose binding that are accounts of a namespace which OLM may not install into. */
export function noteLooseSubjects(
  warnings: FindingList,
  binding: PlacedObject,
  subjects: readonly JsonMap[],
): void {
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
          ? `${of} all ServiceAccounts of the namespace ${name.slice(groupPrefix.length)}; the binding goes into the bundle as it is, and OLM may install into another namespace`
          : `${of} the ServiceAccount ${account.name} in ${place}; no Deployment uses it, so the binding goes into the bundle as it is, and OLM may install into another namespace`,
      where: binding.where,
      fix: [
        account === undefined
          ? "bind the operator's own ServiceAccount, so that its rules enter the ClusterServiceVersion"
          : `add \`--extra-service-accounts ${account.name}\`, so that its rules enter the ClusterServiceVersion`,
      ],
    });
  }
}

/** The account that a subject is, as a ServiceAccount or by the name of its user. */
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
