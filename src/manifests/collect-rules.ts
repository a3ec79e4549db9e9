import type { Finding, FindingList } from '../errors/index.ts';
import type { SimpleDeclaration } from '../schema/index.ts';
import { closestName } from '../util/closest-name.ts';
import type { CustomKind } from './crd/check-group.ts';
import { controllerRules } from './rbac/controller-rules.ts';
import type { PolicyRule } from './rbac/policy-rule.ts';
import { readRules, type WrittenRule } from './rbac/read-rule.ts';

/** All permissions that controllers and `rbac([...])` declare, not yet normalised. */
export interface CollectedRules {
  readonly rules: readonly PolicyRule[];
  readonly warnings: readonly Finding[];
}

/** Reads the rules of all controllers and `rbac` calls. */
export function collectRules(
  findings: FindingList,
  controllers: readonly SimpleDeclaration[],
  permissions: readonly SimpleDeclaration[],
  kinds: readonly CustomKind[],
): CollectedRules {
  const read = [
    ...controllers.map(({ argument, place }) => controllerRules(findings, argument, place)),
    ...permissions.map(({ argument }) => readRules(findings, argument)),
  ];
  return {
    rules: read.flatMap(({ rules }) => rules),
    warnings: [
      ...read.flatMap(({ warnings }) => warnings),
      ...read.flatMap(({ written }) => unknownResources(written, kinds)),
    ],
  };
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
