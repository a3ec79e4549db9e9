import type { Finding, FindingList } from '../../../base/errors/index.ts';
import type { Evaluated, SourcePlace, TokenInfo } from '../../schema/index.ts';
import { partAt, resourceJson } from '../../source/index.ts';
import { unchecked, list, object } from '../../../base/util/json-reader.ts';
import { describeJson, type JsonPath, type JsonReader } from '../../../base/util/read-json.ts';
import { invalidDeclaration, readDeclaration, type ManifestDocument } from '../declaration.ts';
import type { CustomKind } from '../crd/check-group.ts';
import type { NeededRule } from './needed-rule.ts';
import { readRules, type ReadRules } from './read-rule.ts';

const fix =
  'name a `const` of defineResource, a kind of opsdk/k8s/<group>/<version>, or externalResource({ group, version, kind, plural, scope }) with literals';

/** Checks that a value is a resource, and returns its path in the argument. */
const resource: JsonReader<JsonPath> = (value, { path, label, report }) => {
  if (value === resourceJson) return path;
  const message = `${label}: expected a resource of defineResource or opsdk/k8s/*, got ${describeJson(value)}`;
  report({ code: 'manifests/unresolved-resource', path, message, fix });
  return undefined;
};

/** Checks that a value is a resource, or a source of keys that is not a kind, and returns its path in the argument. */
const watched: JsonReader<JsonPath> = (value, context) => {
  const isSource = typeof value === 'object' && value !== null && 'source' in value;
  return isSource ? context.path : resource(value, context);
};

const controllerReader = object(
  { for: resource, owns: list(resource), watches: list(watched), rbac: unchecked },
  { required: { for: 'add the resource that it reconciles' }, others: 'ignore' },
);

/** The permission rules of a controller, and the kinds that its cache contains. */
interface ControllerRules extends ReadRules {
  readonly cached: readonly TokenInfo[];
  /** Rules for the Events about failures, which the manager may have switched off. */
  readonly failureEvents: readonly NeededRule[];
}

/**
 * Derives the permissions of a controller from its declaration. Its informers list and watch the kinds of `for`, `owns` and `watches`;
 * `finalize` patches finalizers into the objects; `rbac` adds further rules. A controller that owns objects also gets `update` on the
 * finalizers of its own kind: owner references with blockOwnerDeletion need this permission if the admission plugin
 * OwnerReferencesPermissionEnforcement is on.  A controller without `onError` records Events
 * about failures, unless the manager records none.
 */
export function controllerRules(
  findings: FindingList,
  options: Evaluated | undefined,
  call: SourcePlace,
): ControllerRules {
  const none: ControllerRules = { rules: [], written: [], warnings: [], cached: [], failureEvents: [] };
  if (options === undefined) {
    const message = 'defineController: expected an object';
    findings.add(invalidDeclaration(message, call, 'write { for, reconcile } with their values'));
    return none;
  }
  findings.add(...unknownResources(options));
  const { value: read } = readDeclaration(findings, controllerReader, options, 'defineController');
  if (read === undefined) return none;
  const tokens = (paths: readonly JsonPath[] = []): readonly UsedToken[] =>
    paths.flatMap((path) => {
      const part = partAt(options, path);
      return part.type === 'token' ? [{ ...part.token, place: part.place }] : [];
    });
  const primary = tokens(read.for && [read.for]);
  const owned = tokens(read.owns);
  const explicit = readRules(findings, partOf(options, 'rbac'));
  const cached = (by: string, kinds: readonly UsedToken[]): readonly NeededRule[] =>
    kinds.map((token) => rule(token, by, token.plural, ['list', 'watch']));
  const [firstOwned] = owned;
  const finalizers =
    firstOwned === undefined
      ? []
      : primary.map((token) =>
          rule({ ...token, place: firstOwned.place }, 'owns', `${token.plural}/finalizers`, ['update']),
        );
  const patched = ['finalize', 'retiredFinalizers'].flatMap((name) => {
    const part = options.type === 'object' ? options.properties.get(name) : undefined;
    if (part === undefined) return [];
    // `get` is needed to read the object again if it has changed before the patch.
    return primary.map((token) =>
      rule({ ...token, place: part.place }, name, token.plural, ['get', 'patch']),
    );
  });
  const declared = [
    ...cached('for', primary),
    ...cached('owns', owned),
    ...cached('watches', tokens(read.watches)),
  ];
  const rules = [...declared, ...patched, ...finalizers, ...explicit.rules].map((each) => ({
    ...each,
    controller: call,
  }));
  const failureEvents = recordsFailures(options) ? [{ ...eventsRule(call), controller: call }] : [];
  return { ...explicit, rules, failureEvents, cached: [...primary, ...owned, ...tokens(read.watches)] };
}

type UsedToken = TokenInfo & { readonly place: SourcePlace };

function rule(token: UsedToken, by: string, resource: string, verbs: readonly string[]): NeededRule {
  const { group, namespaced, place } = token;
  return {
    apiGroups: [group],
    resources: [resource],
    verbs,
    namespaced,
    places: [place],
    origin: 'declaration',
    by,
  };
}

/**
 * Returns true if the runtime records Events about failures of the controller. An option with an unknown value does not count as `false`.
 */
function recordsFailures(options: Evaluated): boolean {
  const failureEvents = partOf(options, 'failureEvents');
  if (failureEvents === undefined) return partOf(options, 'onError') === undefined;
  return !(failureEvents.type === 'scalar' && failureEvents.value === false);
}

function eventsRule(place: SourcePlace): NeededRule {
  return {
    apiGroups: ['events.k8s.io'],
    resources: ['events'],
    verbs: ['create', 'patch'],
    namespaced: true,
    places: [place],
    origin: 'declaration',
    by: 'defineController',
  };
}

function partOf(options: Evaluated, name: string): Evaluated | undefined {
  return options.type === 'object' ? options.properties.get(name)?.value : undefined;
}

/** Reports resources that cannot be evaluated. All other options of the controller are ignored. */
function unknownResources(options: Evaluated): readonly Finding[] {
  if (options.type === 'opaque') return [options.finding];
  const holes = options.type === 'object' ? options.holes.map(({ finding }) => finding) : [];
  const parts = ['for', 'owns', 'watches'].flatMap((name): readonly Finding[] => {
    const value = partOf(options, name);
    if (value?.type === 'opaque' && name !== 'for') return [value.finding];
    const resources = value?.type === 'array' ? value.items : [value];
    return resources.flatMap((each) =>
      each?.type === 'opaque' ? [{ ...each.finding, fix: [...(each.finding.fix ?? []), fix] }] : [],
    );
  });
  return [...holes, ...parts];
}

/**
 * Returns the rules that conversions need. A conversion reads the stored object, because its status replaces the status that a client
 * sends.
 * @param kinds the kinds of the project
 */
export function conversionRules(kinds: readonly CustomKind[]): readonly NeededRule[] {
  return kinds.flatMap(({ conversion, storage }) =>
    conversion?.isDeclared !== true
      ? []
      : [
          {
            apiGroups: [storage.group.value],
            resources: [storage.plural.value],
            verbs: ['get'],
            namespaced: storage.scope.value !== 'Cluster',
            places: [conversion.place],
            origin: 'declaration' as const,
            by: 'defineConversion',
          },
        ],
  );
}

/**
 * Creates the Role for the Secret with the key that signs the data of conversions, and the binding of this Role to the operator's
 * ServiceAccount. The Secret is in the namespace of the operator, which kustomize or OLM chooses, and has the name that the operator gives
 * it.
 */
export function conversionKeyRole(projectName: string): readonly ManifestDocument[] {
  const name = 'conversion-key-role';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const secrets = { apiGroups: [''], resources: ['secrets'] };
  return [
    {
      apiVersion,
      kind: 'Role',
      metadata: { name },
      rules: [
        { ...secrets, verbs: ['create'] },
        {
          ...secrets,
          resourceNames: [`${projectName}-conversion-key`],
          verbs: ['get', 'list', 'update', 'watch'],
        },
      ],
    },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: 'conversion-key-rolebinding' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: 'controller-manager', namespace: 'system' }],
    },
  ];
}
