import type { Finding, Where } from '../../../base/errors/index.ts';
import {
  canonicalJson,
  isJsonMap,
  jsonListOf,
  jsonTextOf,
  type JsonMap,
} from '../../../base/util/json-map.ts';
import { list, object, string, unchecked } from '../../../base/util/json-reader.ts';
import {
  documentStyle,
  problemFindings,
  readJson,
  type JsonPath,
  type JsonReader,
} from '../../../base/util/read-json.ts';
import type { PolicyRule } from '../rbac/needed-rule.ts';
import { simplify, type Grant, grantsOf } from './grant.ts';

/** A manifest document. Documents that are not RBAC objects are skipped. */
interface AccessDocument {
  readonly value: unknown;
  readonly locate: (path: JsonPath) => Where;
}

/** An RBAC object that grants permissions. */
export interface AccessObject {
  readonly kind: 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';
  readonly name: string;
  /** Undefined for cluster-scoped objects, and if the manifest does not set a namespace. */
  readonly namespace?: string;
  /** Grants of the object, sorted, without duplicates or grants that another grant includes. */
  readonly grants: readonly Grant[];
  readonly where: Where;
}

const texts = list(string);
const rules = list(
  object(
    { apiGroups: texts, resources: texts, resourceNames: texts, nonResourceURLs: texts, verbs: texts },
    { others: 'ignore', required: { verbs: 'add the verbs, such as [get]' } },
  ),
);
const roleReader = object(
  { rules, aggregationRule: object({ clusterRoleSelectors: list(unchecked) }, { others: 'ignore' }) },
  { others: 'ignore' },
);
const bindingReader = object(
  {
    roleRef: object(
      { kind: string, name: string },
      {
        others: 'ignore',
        required: { kind: 'write Role or ClusterRole', name: 'write the name of the role' },
      },
    ),
    subjects: list(
      object(
        { kind: string, name: string, namespace: string },
        {
          others: 'ignore',
          required: { kind: 'write ServiceAccount, User or Group', name: 'write the name' },
        },
      ),
    ),
  },
  { others: 'ignore', required: { roleRef: 'name the role: roleRef' } },
);

const kinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'] as const;

/**
 * Reads the roles and bindings in the documents, also inside of lists. Source of the fields: `rbac.authorization.k8s.io/v1`.
 * @returns the objects, and the findings `diff/invalid-object` and `diff/duplicate` for objects that cannot be compared
 */
export function readAccess(documents: readonly AccessDocument[]): {
  readonly objects: readonly AccessObject[];
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const found = new Map<string, AccessObject>();
  for (const { value, locate } of documents.flatMap(itemsOf)) {
    const read = readObject(value, locate, findings);
    if (read === undefined) continue;
    const key = accessKey(read);
    const first = found.get(key);
    if (first === undefined) found.set(key, read);
    else findings.push(duplicate(read));
  }
  return { objects: [...found.values()], findings };
}

/** Returns a key that is unique among the objects of one side of a comparison. */
export function accessKey({ kind, namespace, name }: Omit<AccessObject, 'grants' | 'where'>): string {
  return [kind, namespace ?? '', name].join('\u0000');
}

/** Formats the title of an RBAC object, for example `ClusterRole manager-role` or `Role system/leader-election-role`. */
export function accessTitle({ kind, namespace, name }: Omit<AccessObject, 'grants' | 'where'>): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function itemsOf({
  value,
  locate,
}: AccessDocument): readonly { value: JsonMap; locate: AccessDocument['locate'] }[] {
  if (!isJsonMap(value)) return [];
  const items = value['items'];
  if (!jsonTextOf(value['kind']).endsWith('List') || !Array.isArray(items)) return [{ value, locate }];
  return (items as readonly unknown[]).flatMap((item, index) =>
    itemsOf({ value: item, locate: (path) => locate(['items', index, ...path]) }),
  );
}

function readObject(
  value: JsonMap,
  locate: AccessDocument['locate'],
  findings: Finding[],
): AccessObject | undefined {
  const kind = kinds.find((each) => each === value['kind']);
  if (kind === undefined || !jsonTextOf(value['apiVersion']).startsWith('rbac.authorization.k8s.io/'))
    return undefined;
  const metadata = isJsonMap(value['metadata']) ? value['metadata'] : {};
  const name = jsonTextOf(metadata['name']);
  if (name === '') {
    const message = `${kind}: missing metadata.name`;
    findings.push({ code: 'diff/invalid-object', message, where: locate([]), fix: ['give it a name'] });
    return undefined;
  }
  const isNamespaced = kind === 'Role' || kind === 'RoleBinding';
  const namespace = jsonTextOf(metadata['namespace']);
  const identity = { kind, name, ...(isNamespaced && namespace !== '' ? { namespace } : {}) };
  const read = <T>(reader: JsonReader<T>): T | undefined => {
    const result = readJson(reader, value, accessTitle(identity), { style: documentStyle });
    const problems = result.problems.map((problem) => ({
      ...problem,
      message: `${accessTitle(identity)}: ${problem.message}`,
      path: problem.path,
    }));
    findings.push(...problemFindings(problems, locate, () => 'diff/invalid-object'));
    return result.problems.length === 0 ? result.value : undefined;
  };
  const grants =
    kind === 'Role' || kind === 'ClusterRole' ? roleGrants(kind, read) : bindingGrants(identity, read);
  return { ...identity, grants: simplify(grants), where: locate([]) };
}

type Read = <T>(reader: JsonReader<T>) => T | undefined;

function roleGrants(kind: 'Role' | 'ClusterRole', read: Read): readonly Grant[] {
  const role = read(roleReader);
  const granted = (role?.rules ?? []).map((rule): PolicyRule => ({ ...rule, verbs: rule.verbs ?? [] }));
  const selectors = kind === 'Role' ? [] : jsonListOf(role?.aggregationRule?.clusterRoleSelectors);
  return [
    ...grantsOf(granted, { withUrls: kind === 'ClusterRole' }),
    ...selectors.map((selector) => ({ type: 'aggregate', selector: canonicalJson(selector) }) as const),
  ];
}

function bindingGrants(binding: Pick<AccessObject, 'namespace'>, read: Read): readonly Grant[] {
  const { roleRef, subjects = [] } = read(bindingReader) ?? {};
  const role = `${roleRef?.kind ?? ''} ${roleRef?.name ?? ''}`;
  return subjects.map(({ kind = '', name = '', namespace }) => {
    const place = kind === 'ServiceAccount' ? (namespace ?? binding.namespace) : undefined;
    return { type: 'subject', role, subject: `${kind} ${place === undefined ? '' : `${place}/`}${name}` };
  });
}

function duplicate(object: AccessObject): Finding {
  return {
    code: 'diff/duplicate',
    message: `${accessTitle(object)} appears twice`,
    where: object.where,
    fix: ['name a file or a folder that has it once'],
  };
}
