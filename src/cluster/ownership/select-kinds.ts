import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { ApiDirectory, ServedType } from '../../sdk/kube/index.ts';
import { closestName } from '../../base/util/terminal-words.ts';
import { kindText } from './ownership-access.ts';

/** A kind by its group and one of its names: the kind itself, or the plural that URLs and RBAC use. */
export type KindSelection =
  | { readonly group: string; readonly kind: string; readonly text: string }
  | { readonly group: string; readonly plural: string; readonly text: string };

/**
 * Reads a kind as the user writes it: `apps/Deployment`, `deployments.apps`, or without a group, for the core group, `Secret` or `secrets`.
 * @returns undefined if the text has another form
 */
export function readKindSelection(text: string): KindSelection | undefined {
  const [, group, kind] = /^(?:([a-z0-9][a-z0-9.-]*)\/)?([A-Z][A-Za-z0-9]*)$/.exec(text) ?? [];
  if (kind !== undefined) return { group: group ?? '', kind, text };
  const [, plural, rest] = /^([a-z0-9]+)(?:\.([a-z0-9][a-z0-9.-]*))?$/.exec(text) ?? [];
  return plural === undefined ? undefined : { group: rest ?? '', plural, text };
}

/** Formats a kind so that {@link readKindSelection} reads it: `apps/Deployment`. */
export function selectionText({ group, kind }: Pick<Resource, 'group' | 'kind'>): string {
  return group === '' ? kind : `${group}/${kind}`;
}

/** Requests that the API server must support for a kind whose objects are migrated. */
const needed = ['get', 'list', 'patch'];

/**
 * Finds the served types of selected kinds, each in the version that the server prefers. The version does not matter, because managed fields
 * name their own versions.
 * @returns types without duplicates, and a finding `cluster/unknown-kind` or `cluster/kind-not-writable` for each kind without a usable type
 */
export function selectKinds(
  { types, unavailable }: ApiDirectory,
  selections: readonly KindSelection[],
): { readonly resources: readonly Resource<KubeObject>[]; readonly findings: readonly Finding[] } {
  const found = new Map<string, Resource<KubeObject>>();
  const findings: Finding[] = [];
  for (const selection of selections) {
    const type = types.find(({ resource }) => isMeant(resource, selection));
    if (type === undefined) findings.push(unknownKind(selection, types, unavailable));
    else if (needed.some((verb) => !type.verbs.includes(verb))) findings.push(notWritable(selection, type));
    else found.set(kindText(type.resource), type.resource);
  }
  return { resources: [...found.values()], findings };
}

function isMeant({ group, kind, plural }: Resource, selection: KindSelection): boolean {
  if (group !== selection.group) return false;
  return 'kind' in selection ? kind === selection.kind : plural === selection.plural;
}

function unknownKind(
  selection: KindSelection,
  types: readonly ServedType[],
  unavailable: readonly string[],
): Finding {
  const { group, text } = selection;
  const lost = unavailable.filter((each) => each.startsWith(`${group}/`));
  const name = 'kind' in selection ? selection.kind : selection.plural;
  const others = types
    .filter(({ resource }) => name === ('kind' in selection ? resource.kind : resource.plural))
    .map(({ resource }) => kindText(resource));
  const names = types.flatMap(({ resource }) => [kindText(resource), selectionText(resource)]);
  const closest = others[0] ?? closestName(text, names);
  return {
    code: 'cluster/unknown-kind',
    message:
      lost.length > 0
        ? `the API server cannot reach ${lost.join(', ')}, so the kind '${text}' is not known`
        : `expected a kind that the API server serves, got '${text}'`,
    where: { flag: '--kind' },
    fix: [
      closest === undefined || lost.length > 0
        ? 'run `kubectl api-resources` to see what the cluster serves'
        : `did you mean '${closest}'?`,
    ],
  };
}

function notWritable({ text }: KindSelection, { verbs }: ServedType): Finding {
  const missing = needed.filter((verb) => !verbs.includes(verb));
  return {
    code: 'cluster/kind-not-writable',
    message: `expected a kind whose objects can be read and patched, got '${text}', which does not support ${missing.join(', ')}`,
    where: { flag: '--kind' },
    fix: ['leave out the kind: its objects have no managed fields to move'],
  };
}
