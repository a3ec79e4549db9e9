import { formatWhere, type Finding } from '../../base/errors/index.ts';
import { closestName } from '../../base/util/terminal-words.ts';
import { listText } from '../../base/util/words.ts';
import { fullGroup, layout, type Project } from '../../project/project/index.ts';
import type { SourcePlace } from '../schema/index.ts';
import type { DeclaredApi } from './check-registration.ts';

/** A kind that a declaration or a client call names by its kind, by its plural, or by both. */
export type NamedKind = {
  readonly group: string;
  readonly version: string;
  /** Place of the declaration or call that uses the kind. */
  readonly place: SourcePlace;
} & (
  { readonly kind: string; readonly plural?: string } | { readonly kind?: undefined; readonly plural: string }
);

/** Known kinds and versions, against which each use of a kind is checked. */
export interface KnownApis {
  /** Every version of every kind that the sources declare. */
  readonly declared: readonly DeclaredApi[];
  /** Returns true if these sources declare all kinds of a group, so that an undeclared kind of the group cannot exist. */
  readonly ownsGroup: (group: string) => boolean;
  /** Returns true if the file PROJECT lists the kind as defined by another project. */
  readonly isForeign: (group: string, kind: string | undefined, plural: string | undefined) => boolean;
}

/**
 * Collects the kinds of a project for {@link judgeUsedKind}.
 * @param project content of the file PROJECT. If undefined, the project owns the groups of all kinds that it declares.
 */
export function knownApis(declared: readonly DeclaredApi[], project: Project | undefined): KnownApis {
  const groups = new Set(declared.map(({ group }) => group));
  if (project === undefined)
    return { declared, ownsGroup: (group) => groups.has(group), isForeign: () => false };
  const { domain, resources } = project;
  const own = new Set(resources.filter(({ api }) => api !== undefined).map(fullGroup));
  const isOwn = (group: string): boolean =>
    own.has(group) || group === domain || group.endsWith(`.${domain}`);
  const foreign = resources.filter(({ api }) => api === undefined);
  return {
    declared,
    ownsGroup: (group) => groups.has(group) && isOwn(group),
    isForeign: (group, kind, plural) =>
      foreign.some(
        (each) =>
          fullGroup(each) === group && (kind === undefined ? each.plural === plural : each.kind === kind),
      ),
  };
}

/**
 * Checks that the API server serves a kind, which a controller or a client call uses, in that version. The API server answers 404 for a
 * version that is not served, and for a kind or version that does not exist. Kinds of groups outside of the project are not checked.
 *
 * Source: apiextensions `pkg/apiserver/customresource_handler.go`, ServeHTTP.
 *
 * @returns `manifests/version-not-served` or `manifests/undeclared-kind`, with the places of the use and of the declaration; undefined if
 * nothing is wrong
 */
export function judgeUsedKind(
  used: NamedKind,
  { declared, ownsGroup, isForeign }: KnownApis,
): Finding | undefined {
  const { group, version, kind, plural, place } = used;
  const family = declared.filter((api) => api.group === group);
  const versions = family.filter((api) => (kind === undefined ? api.plural === plural : api.kind === kind));
  const name = `${group}/${version}, ${kind === undefined ? `resource ${plural}` : `Kind=${kind}`}`;
  const same = versions.find((api) => api.version === version);
  if (same !== undefined) return same.served ? undefined : notServed(name, same, versions, place);
  if (!ownsGroup(group) || isForeign(group, kind, plural)) return undefined;
  const [first] = versions;
  if (first !== undefined) {
    const known = versions.map((api) => api.version);
    return {
      code: 'manifests/undeclared-kind',
      message: `${name}: the project declares ${listText(known, 'and')} of this kind (${formatWhere(first.place)}), not ${version}`,
      where: place,
      fix: [`use ${known.join(' or ')}`, `or declare ${version} with op-sdk create api`],
    };
  }
  const [neighbour] = family;
  if (neighbour === undefined) return undefined;
  const names = family.map((api) => (kind === undefined ? api.plural : api.kind));
  const closest = closestName(kind ?? plural, names);
  const meant = family.find((api) => (kind === undefined ? api.plural : api.kind) === closest) ?? neighbour;
  return {
    code: 'manifests/undeclared-kind',
    message: `${name}: no such kind in this project, which owns the group and declares ${listText([...new Set(names)], 'and')} in it (${formatWhere(meant.place)})`,
    where: place,
    fix: [
      ...(closest === undefined ? [] : [`did you mean '${closest}'?`]),
      `declare it with op-sdk create api, or, if another project defines it, list it with \`external: true\` in ${layout.projectFile}`,
    ],
  };
}

function notServed(
  name: string,
  api: DeclaredApi,
  versions: readonly DeclaredApi[],
  place: SourcePlace,
): Finding {
  const served = versions.filter((each) => each.served).map((each) => each.version);
  return {
    code: 'manifests/version-not-served',
    message: `${name} is used, but declared with \`served: false\` (${formatWhere(api.place)}): the API server answers 404`,
    where: place,
    fix: [
      ...(served.length === 0 ? [] : [`use ${served.join(' or ')}`]),
      `remove \`served: false\` at ${formatWhere(api.place)}`,
    ],
  };
}
