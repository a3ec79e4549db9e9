import type { ErrorCode, Finding, FindingList } from '../../base/errors/index.ts';
import {
  codeAllows,
  type ProjectDeclarations,
  type SourcePlace,
  type SourceProgram,
  type TokenInfo,
} from '../schema/index.ts';
import { closestName } from '../../base/util/closest-name.ts';
import type { CustomKind } from './crd/check-group.ts';
import { declaredApis } from './declared-apis.ts';
import { scopesOf, unknownScopes, withScopes } from './rbac/cluster-scoped.ts';
import { conversionRules } from './rbac/conversion-rules.ts';
import { controllerRules } from './rbac/controller-rules.ts';
import { inferRules, type InferredRules } from './rbac/infer/index.ts';
import { lintPermissions } from './rbac/lint-permissions.ts';
import type { NeededRule } from './rbac/needed-rule.ts';
import type { WrittenRule } from './rbac/written-rule.ts';
import { readRules, type ReadRules } from './rbac/read-rule.ts';

/** All permissions that the code of a project needs and that it declares, not yet normalised. */
export interface CollectedRules {
  readonly rules: readonly NeededRule[];
  /** The kinds that calls of the client ask for, each in its version. */
  readonly used: InferredRules['used'];
  readonly warnings: readonly Finding[];
}

/** The warnings about permissions, which `@allow` silences where the permission is needed. */
const permissionWarnings: readonly ErrorCode[] = [
  'manifests/grants-permissions',
  'manifests/reads-all-secrets',
  'manifests/role-namespace',
  'manifests/unknown-scope',
  'manifests/useless-rbac-rule',
  'manifests/wide-permission',
];

/**
 * The rules of all controllers, of `rbac` calls, and of the calls in the code.
 * @param namespaced whether the operator works in its own namespaces only
 */
export function collectRules(
  findings: FindingList,
  source: SourceProgram,
  declared: Pick<ProjectDeclarations, 'controllers' | 'permissions' | 'resources'>,
  kinds: readonly CustomKind[],
  namespaced = false,
): CollectedRules {
  const { controllers, permissions, resources } = declared;
  const ofControllers = controllers.map(({ argument, place }) => ({
    ...controllerRules(findings, argument, place),
    controller: place,
  }));
  const tokens = ofControllers.flatMap(({ cached }) => cached);
  const cached = new Set(tokens.map(keyOf));
  const inferred = inferRules(findings, source, (token) => cached.has(keyOf(token)));
  const explicit = permissions.map(({ argument }) => readRules(findings, argument));
  const read: readonly (ReadRules & { readonly controller?: SourcePlace })[] = [
    ...ofControllers,
    ...explicit,
    ...inferred.permitted,
  ];
  const scopeOf = scopesOf(declaredApis(kinds), tokens);
  const byHand = read.flatMap(({ rules }) => rules);
  const rules = [...withScopes([...byHand, ...inferred.rules], scopeOf), ...conversionRules(kinds)];
  const allows = codeAllows(source, {
    codes: permissionWarnings,
    resources: resources.map(({ call }) => call),
    places: rules.flatMap(({ places }) => places),
  });
  const isAllowed = (
    code: string,
    places: readonly SourcePlace[],
    controller: SourcePlace | undefined,
  ): boolean => {
    const uncovered = places.filter((place) => !allows.covers(code, place));
    const byController = controller !== undefined && allows.covers(code, controller);
    return byController || (places.length > 0 && uncovered.length === 0);
  };
  const ofRules = (warnings: readonly Finding[], controller?: SourcePlace): readonly Finding[] =>
    warnings.filter(({ code, where }) => !isAllowed(code, placesOf(where), controller));
  const warnings = [
    ...lintPermissions(rules, namespaced, (code, { places, controller }) =>
      isAllowed(code, places, controller),
    ),
    ...(namespaced ? ofRules(unknownScopes(byHand, scopeOf)) : []),
    ...read.flatMap((each) => ofRules(each.warnings, each.controller)),
    ...read.flatMap((each) => ofRules(unknownResources(each.written, kinds), each.controller)),
  ];
  findings.add(...allows.findings);
  return {
    rules,
    used: inferred.used,
    warnings: findings.isEmpty ? [...warnings, ...allows.unused()] : warnings,
  };
}

function placesOf(where: Finding['where']): readonly SourcePlace[] {
  if (where === undefined || !('file' in where)) return [];
  const { file, line, column } = where;
  return line === undefined || column === undefined ? [] : [{ file, line, column }];
}

function keyOf({ group, version, kind }: TokenInfo): string {
  return `${group}/${version} ${kind}`;
}

/** Rules for a group of the project that name a resource which none of its kinds has: RBAC would accept the typo and permit nothing. */
function unknownResources(rules: readonly WrittenRule[], kinds: readonly CustomKind[]): readonly Finding[] {
  const groups = new Map<string, string[]>();
  for (const {
    versions: [kind],
  } of kinds) {
    groups.set(kind.group.value, [...(groups.get(kind.group.value) ?? []), kind.plural.value]);
  }
  return rules.flatMap((rule) =>
    (rule.groups ?? []).flatMap((group) => {
      const plurals = groups.get(group.value);
      return (rule.resources ?? []).flatMap((resource): readonly Finding[] => {
        const [plural = '', subresource] = resource.value.split('/');
        if (plurals === undefined || plural === '*' || plurals.includes(plural)) return [];
        const closest = closestName(plural, plurals) ?? plurals[0] ?? '';
        return [
          {
            code: 'manifests/useless-rbac-rule',
            message: `the group ${group.value} of this project has no resource '${plural}'`,
            where: resource.place,
            fix: [`did you mean '${subresource === undefined ? closest : `${closest}/${subresource}`}'?`],
          },
        ];
      });
    }),
  );
}
