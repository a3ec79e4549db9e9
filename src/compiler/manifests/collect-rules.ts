import type { ErrorCode, Finding, FindingList } from '../../base/errors/index.ts';
import {
  codeAllows,
  type ProjectDeclarations,
  type SourcePlace,
  type SourceProgram,
  type TokenInfo,
} from '../schema/index.ts';
import { closestName } from '../../base/util/terminal-words.ts';
import type { CustomKind } from './crd/check-group.ts';
import { declaredApis } from './declarations.ts';
import { controllerRules, conversionRules } from './rbac/controller-rules.ts';
import { inferRules, type InferredRules } from './rbac/infer/infer-rules.ts';
import type { NeededRule } from './rbac/needed-rule.ts';
import type { WrittenRule } from './rbac/written-rule.ts';
import { readRules, type ReadRules } from './rbac/read-rule.ts';
import { lintReasons } from './reasons/lint-reasons.ts';
import { builtInResources } from './rbac/generated/built-in-resources.ts';

/** All permissions of a project, both those that its code needs and those that it declares, not yet normalised. */
export interface CollectedRules {
  readonly rules: readonly NeededRule[];
  /** The kinds that calls of the Kubernetes client use, each in the version used. */
  readonly used: InferredRules['used'];
  readonly managerNames: InferredRules['managerNames'];
  readonly warnings: readonly Finding[];
  /** Warnings about the reasons and messages of Events and conditions, which the same calls contain. */
  readonly reasons: readonly Finding[];
}

/** Warnings about permissions. An `@allow` at the code that needs the permission silences them. */
const permissionWarnings: readonly ErrorCode[] = [
  'manifests/grants-permissions',
  'manifests/reads-all-secrets',
  'manifests/role-namespace',
  'manifests/unknown-scope',
  'manifests/useless-rbac-rule',
  'manifests/wide-permission',
];

/** Warnings about Events and conditions. An `@allow` at the text or at its use silences them. */
const reasonWarnings: readonly ErrorCode[] = [
  'manifests/changing-message',
  'manifests/reason-format',
  'manifests/varying-condition-type',
  'manifests/varying-reason',
];

/**
 * Collects the rules of all controllers, of `rbac` calls, and of the client calls in the code.
 * @param namespaced true if the operator works only in its own namespaces
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
  const events = inferred.failureEvents ? ofControllers.flatMap(({ failureEvents }) => failureEvents) : [];
  const rules = [
    ...withScopes([...byHand, ...inferred.rules], scopeOf),
    ...events,
    ...conversionRules(kinds),
  ];
  const reasons = lintReasons(inferred.context, inferred.calls);
  const allows = codeAllows(source, {
    codes: [...permissionWarnings, ...reasonWarnings],
    resources: resources.map(({ call }) => call),
    places: [...rules, ...reasons].flatMap(({ places }) => places),
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
  const openReasons = reasons.filter(
    ({ finding, places }) => places.filter((place) => allows.covers(finding.code, place)).length === 0,
  );
  findings.add(...allows.findings);
  return {
    rules,
    used: inferred.used,
    managerNames: inferred.managerNames,
    reasons: openReasons.map(({ finding }) => finding),
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

/**
 * Reports rules that name a group of the project and a resource that no kind of the group has. RBAC would accept such a typo, and the rule
 * would permit nothing.
 */
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

/**
 * Scope of a resource: `both` for a `*` that covers resources of both scopes, `unknown` for a resource that neither Kubernetes nor the
 * project declares.
 */
type Scope = 'namespaced' | 'cluster' | 'both' | 'unknown';

/** Returns the scope of a resource. The group and the plural may be `*`. */
type ScopeOf = (group: string, plural: string) => Scope;

type Known = Pick<TokenInfo, 'group' | 'plural' | 'namespaced'>;

/**
 * Resources that exist only for RBAC: rules may name them, but no API serves them. Source: Kubernetes docs "User impersonation" and
 * "Certificates and Certificate Signing Requests".
 */
const virtual: readonly Known[] = [
  { group: '', plural: 'users', namespaced: false },
  { group: '', plural: 'groups', namespaced: false },
  { group: 'authentication.k8s.io', plural: 'uids', namespaced: false },
  { group: 'authentication.k8s.io', plural: 'userextras', namespaced: false },
  { group: 'certificates.k8s.io', plural: 'signers', namespaced: false },
];

const builtIn: readonly Known[] = Object.entries(builtInResources).flatMap(([group, plurals]) =>
  Object.entries(plurals).map(([plural, namespaced]) => ({ group, plural, namespaced })),
);

/**
 * Creates a function that determines the scope of resources from the given kinds and the built-in ones.
 * @param declared the kinds of the project; their groups have no further kinds
 * @param others other known kinds; their groups may have further kinds
 */
export function scopesOf(declared: readonly Known[], others: readonly Known[]): ScopeOf {
  const known = [...declared, ...others, ...builtIn];
  const whole = new Set([...declared.map(({ group }) => group), ...Object.keys(builtInResources)]);
  const ofProject = new Set(declared.map(({ group }) => group));
  return (group, plural) => {
    if (plural === '*') {
      const scopes = new Set(known.filter((each) => each.group === group).map((each) => each.namespaced));
      if (!whole.has(group) || scopes.size > 1) return 'both';
      return scopes.has(true) ? 'namespaced' : 'cluster';
    }
    const found = [...known, ...virtual].filter(
      (each) => each.plural === plural && (group === '*' || each.group === group),
    );
    if (found.some(({ namespaced }) => !namespaced)) return 'cluster';
    // An unknown plural in a group of the project is reported by another check, so it counts as namespaced.
    return found.length > 0 || ofProject.has(group) ? 'namespaced' : 'unknown';
  };
}

/**
 * Splits each rule without a scope into rules for namespaced resources, for cluster-scoped resources, and for a `*` that covers both. Rules
 * written by hand do not state the scope. Unknown resources count as namespaced, as most resources are.
 */
export function withScopes(rules: readonly NeededRule[], scopeOf: ScopeOf): readonly NeededRule[] {
  return rules.flatMap((rule): readonly NeededRule[] => {
    const { apiGroups, resources } = rule;
    if (rule.namespaced !== undefined || apiGroups === undefined || resources === undefined) return [rule];
    // Split by scope, because a Role cannot grant cluster-scoped resources and a ClusterRole would grant namespaced ones in all namespaces.
    return apiGroups.flatMap((group) =>
      resources.map((resource) => {
        const scope = scopeOf(group, pluralOf(resource));
        const only = { ...rule, apiGroups: [group], resources: [resource] };
        return scope === 'both' ? only : { ...only, namespaced: scope !== 'cluster' };
      }),
    );
  });
}

/**
 * Reports `manifests/unknown-scope` for hand-written rules whose resource has an unknown scope. In a namespaced operator, the scope decides
 * whether a rule goes into the Role or the ClusterRole.
 */
function unknownScopes(rules: readonly NeededRule[], scopeOf: ScopeOf): readonly Finding[] {
  const byHand = rules.filter(
    ({ namespaced, namespace }) => namespaced === undefined && namespace === undefined,
  );
  return byHand.flatMap(({ apiGroups = [], resources = [], places: [where] }) =>
    apiGroups.flatMap((group) =>
      resources
        .filter((resource) => scopeOf(group, pluralOf(resource)) === 'unknown')
        .map((resource): Finding => {
          const name = group === '' ? resource : `${resource} of ${group}`;
          return {
            code: 'manifests/unknown-scope',
            message: `expected a resource that Kubernetes or the project declares, got ${name}, whose scope is unknown: op-sdk assumes that it is namespaced, and grants it in the operator's Role`,
            ...(where === undefined ? {} : { where }),
            fix: [
              'if the resource is cluster-scoped, write its rule into a ClusterRole of your own in config/rbac, with a ClusterRoleBinding',
            ],
          };
        }),
    ),
  );
}

function pluralOf(resource: string): string {
  return resource.split('/', 1)[0] ?? '';
}

const writes = ['create', 'update', 'patch', '*'];

/**
 * Verb that writing each RBAC kind needs, unless the operator has all permissions that it grants. `on` lists the resources that the verb
 * applies to. Source: Kubernetes "Privilege escalation prevention and bootstrapping".
 */
const grants: Readonly<Record<string, { readonly verb: string; readonly on: readonly string[] }>> = {
  roles: { verb: 'escalate', on: ['roles'] },
  clusterroles: { verb: 'escalate', on: ['clusterroles'] },
  rolebindings: { verb: 'bind', on: ['roles', 'clusterroles'] },
  clusterrolebindings: { verb: 'bind', on: ['clusterroles'] },
};

/**
 * Warns of permissions that deserve a second look.
 * @param namespaced true if the operator works only in its own namespaces
 * @param allows returns true if an `@allow` in the sources covers the rule
 */
function lintPermissions(
  rules: readonly NeededRule[],
  namespaced: boolean,
  allows: (code: ErrorCode, rule: NeededRule) => boolean,
): readonly Finding[] {
  const secrets = namespaced
    ? []
    : rules.filter((rule) => readsAllSecrets(rule) && !allows('manifests/reads-all-secrets', rule));
  return [
    ...secrets.slice(0, 1).map(allSecrets),
    ...[...new Set(rules.flatMap(({ namespace }) => namespace ?? []))].flatMap((name) =>
      ofNamespace(rules, name, allows),
    ),
    ...Object.keys(grants).flatMap((resource) => granted(rules, resource, allows)),
  ];
}

type Allows = Parameters<typeof lintPermissions>[2];

function readsAllSecrets({ apiGroups, resources, resourceNames, namespace, verbs }: NeededRule): boolean {
  return (
    namespace === undefined &&
    resourceNames === undefined &&
    (apiGroups ?? []).includes('') &&
    (resources ?? []).includes('secrets') &&
    verbs.some((verb) => ['list', 'watch', '*'].includes(verb))
  );
}

function allSecrets({ places: [where] }: NeededRule): Finding {
  return {
    code: 'manifests/reads-all-secrets',
    message: 'the operator is permitted to read the Secrets of all namespaces',
    ...(where === undefined ? {} : { where }),
    fix: [
      'read single Secrets: client.live.get(Secret, key), with `get` alone',
      'or limit the operator to its own namespaces',
      'or, if this is intended, write the reason above this line or above its controller: /** @allow manifests/reads-all-secrets … */',
    ],
  };
}

/**
 * Warns of a Role for one fixed namespace. The generated `config/default` cannot put this Role into that namespace and does not bind it.
 */
function ofNamespace(rules: readonly NeededRule[], namespace: string, allows: Allows): readonly Finding[] {
  const ofRole = rules.filter((rule) => rule.namespace === namespace);
  // All rules for the namespace form one Role, so an `@allow` above any of the rules covers the entire Role.
  if (ofRole.filter((rule) => allows('manifests/role-namespace', rule)).length > 0) return [];
  const where = ofRole[0]?.places[0];
  return [
    {
      code: 'manifests/role-namespace',
      message: `the Role manager-role-${namespace} has no effect: it is for the namespace ${namespace}, but config/default puts it into the operator's namespace, and no RoleBinding refers to it`,
      ...(where === undefined ? {} : { where }),
      fix: [
        `apply this Role and a RoleBinding in ${namespace} by a kustomization of its own`,
        'or remove `namespace` from the rule: the rule then holds wherever the operator works',
      ],
    },
  ];
}

/**
 * Warns if the operator writes roles or bindings without the verb `escalate` or `bind`. Only this verb lets it grant permissions that it
 * does not have itself.
 */
function granted(rules: readonly NeededRule[], resource: string, allows: Allows): readonly Finding[] {
  const group = 'rbac.authorization.k8s.io';
  const of = (rule: NeededRule, name: string, verbs: readonly string[]): boolean =>
    (rule.apiGroups ?? []).some((each) => each === group || each === '*') &&
    (rule.resources ?? []).some((each) => each === name || each === '*') &&
    rule.verbs.some((verb) => verbs.includes(verb));
  const needed = grants[resource];
  const writers = rules.filter((rule) => of(rule, resource, writes));
  if (writers.length === 0 || needed === undefined) return [];
  const { verb, on } = needed;
  if (rules.some((rule) => on.some((name) => of(rule, name, [verb, '*'])))) return [];
  const [writer] = writers.filter((rule) => !allows('manifests/grants-permissions', rule));
  if (writer === undefined) return [];
  const [where] = writer.places;
  const names = on.map((name) => `'${name}'`).join(', ');
  return [
    {
      code: 'manifests/grants-permissions',
      message: `the operator creates or updates ${resource}, but the API server lets the operator grant only permissions that the operator has itself`,
      ...(where === undefined ? {} : { where }),
      fix: [
        'add to `rbac` all permissions that the operator grants',
        `or add to \`rbac\` the rule that lets the operator grant any permission: { groups: ['${group}'], resources: [${names}], verbs: ['${verb}'] }`,
      ],
    },
  ];
}
