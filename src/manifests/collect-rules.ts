import type { Finding, FindingList } from '../errors/index.ts';
import type { ProjectDeclarations, SourceProgram, TokenInfo } from '../schema/index.ts';
import { closestName } from '../util/closest-name.ts';
import type { CustomKind } from './crd/check-group.ts';
import { declaredApis } from './declared-apis.ts';
import { scopesOf, unknownScopes, withScopes } from './rbac/cluster-scoped.ts';
import { conversionRules } from './rbac/conversion-rules.ts';
import { controllerRules } from './rbac/controller-rules.ts';
import { inferRules, type InferredRules } from './rbac/infer/index.ts';
import { lintPermissions } from './rbac/lint-permissions.ts';
import type { NeededRule } from './rbac/needed-rule.ts';
import { readRules, type WrittenRule } from './rbac/read-rule.ts';

/** All permissions that the code of a project needs and that it declares, not yet normalised. */
export interface CollectedRules {
  readonly rules: readonly NeededRule[];
  /** The kinds that calls of the client ask for, each in its version. */
  readonly used: InferredRules['used'];
  readonly warnings: readonly Finding[];
}

/**
 * The rules of all controllers, of `rbac` calls, and of the calls in the code.
 * @param namespaced whether the operator works in its own namespaces only
 */
export function collectRules(
  findings: FindingList,
  source: SourceProgram,
  { controllers, permissions }: Pick<ProjectDeclarations, 'controllers' | 'permissions'>,
  kinds: readonly CustomKind[],
  namespaced = false,
): CollectedRules {
  const ofControllers = controllers.map(({ argument, place }) => controllerRules(findings, argument, place));
  const tokens = ofControllers.flatMap(({ cached }) => cached);
  const cached = new Set(tokens.map(keyOf));
  const inferred = inferRules(findings, source, (token) => cached.has(keyOf(token)));
  const explicit = permissions.map(({ argument }) => readRules(findings, argument));
  const read = [...ofControllers, ...explicit, ...inferred.permitted];
  const scopeOf = scopesOf(declaredApis(kinds), tokens);
  const byHand = read.flatMap(({ rules }) => rules);
  const rules = [...withScopes([...byHand, ...inferred.rules], scopeOf), ...conversionRules(kinds)];
  return {
    rules,
    used: inferred.used,
    warnings: [
      ...lintPermissions(rules, namespaced),
      ...(namespaced ? unknownScopes(byHand, scopeOf) : []),
      ...read.flatMap(({ warnings }) => warnings),
      ...read.flatMap(({ written }) => unknownResources(written, kinds)),
    ],
  };
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
