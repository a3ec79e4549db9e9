import {
  covers,
  describeGrant,
  describeVerbs,
  grantsOf,
  isOpenEnded,
  simplify,
  targetKey,
  type Permission,
} from '../../../compiler/manifests/permissions/index.ts';
import type { PolicyRule } from '../../../compiler/manifests/rbac/policy-rule.ts';
import { fieldAt, listOf, mapOf, textOf, textsOf } from '../validate/fields.ts';
import type { BundleObject } from '../validate/types.ts';

/** Access of an account to one kind of resource. */
export interface AccessRow {
  /** In words: `read, create and change`. */
  readonly may: string;
  readonly what: string;
  readonly verbs: string;
  /** Note for reviewers; `''` without. */
  readonly note: string;
}

export interface AccountAccess {
  readonly title: string;
  readonly rows: readonly AccessRow[];
}

/** Describes the permissions of an operator's accounts in words: once for the whole cluster, once for the namespaces that it is installed for. */
export function accessOf(csv: BundleObject): readonly AccountAccess[] {
  const scopes = [
    ['clusterPermissions', 'in the whole cluster'],
    ['permissions', 'in the namespaces that it is installed for'],
  ] as const;
  return scopes.flatMap(([field, scope]) => {
    const rules = new Map<string, PolicyRule[]>();
    for (const entry of listOf(fieldAt(csv.value, 'spec', 'install', 'spec', field)).map(mapOf)) {
      const account = textOf(entry['serviceAccountName']);
      rules.set(account, [...(rules.get(account) ?? []), ...listOf(entry['rules']).map(ruleOf)]);
    }
    return [...rules].map(([account, own]) => ({
      title: `As ${account}, ${scope}`,
      rows: rowsOf(simplify(grantsOf(own, { withUrls: field === 'clusterPermissions' }))),
    }));
  });
}

function ruleOf(value: unknown): PolicyRule {
  const texts = (field: string): readonly string[] => textsOf(mapOf(value)[field]);
  return {
    verbs: texts('verbs'),
    apiGroups: texts('apiGroups'),
    resources: texts('resources'),
    resourceNames: texts('resourceNames'),
    nonResourceURLs: texts('nonResourceURLs'),
  };
}

function rowsOf(grants: readonly Permission[]): readonly AccessRow[] {
  const targets = new Map<string, Permission[]>();
  for (const grant of grants) {
    const key = targetKey(grant);
    targets.set(key, [...(targets.get(key) ?? []), grant]);
  }
  return [...targets.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const verbs = group.map(({ verb }) => verb);
    return [
      {
        may: verbsInWords(verbs),
        what: describeGrant(first),
        verbs: describeVerbs(verbs),
        note: noteOn(group),
      },
    ];
  });
}

/** Words for several verbs; those of the first entry count only together. */
const reading = ['get', 'list', 'watch'];
const words: Readonly<Record<string, string>> = {
  '*': 'do everything with',
  create: 'create',
  update: 'change',
  patch: 'change',
  delete: 'delete',
  deletecollection: 'delete',
};

/** `get, list, watch, update, patch` is `read and change`. */
export function verbsInWords(verbs: readonly string[]): string {
  const reads = reading.every((verb) => verbs.includes(verb));
  const named = verbs.filter((verb) => !reads || !reading.includes(verb)).map((verb) => words[verb] ?? verb);
  const all = [...new Set([...(reads ? ['read'] : []), ...named])];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

const powers = ['escalate', 'bind', 'impersonate'];

function noteOn(grants: readonly Permission[]): string {
  const notes = [
    ...(grants.some(isOpenEnded) ? ['also what is added to the cluster later'] : []),
    ...(grants.some(({ verb }) => powers.includes(verb)) ? ['can gain further permissions'] : []),
    ...(grants.some(readsSecrets) ? ['all Secrets'] : []),
  ];
  return notes.join('; ');
}

const allSecrets = { type: 'resource', group: '', resource: 'secrets' } as const;

function readsSecrets(grant: Permission): boolean {
  return reading.some((verb) => covers(grant, { ...allSecrets, verb }));
}
