import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { FindingList, type Finding, type Where } from '../../base/errors/index.ts';
import { type ApiDirectory, type RestMapper, type ServedType, keyText } from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import { closestName } from '../../base/util/terminal-words.ts';
import { titleOf, type ClusterObject, crdTypes, isCrd } from './cluster-object.ts';

interface ResolveOptions {
  readonly mapper: RestMapper;
  /** Namespace for namespaced objects that do not name one: from `--namespace`, or the namespace of the kubeconfig's context. */
  readonly namespace: string;
  /** True if objects must not name another namespace, because `--namespace` is given. */
  readonly onlyNamespace?: boolean | undefined;
  /**
   * Purpose for which the objects are looked up. `apply` refuses kinds that neither the server serves nor a CRD of the manifest defines.
   * `delete` skips such kinds. If the server does not serve the version of the manifest, `delete` uses another served version, because all
   * versions show the same objects.
   */
  readonly purpose: 'apply' | 'delete';
  readonly signal?: AbortSignal | undefined;
}

/** Objects of a manifest that could be resolved, and the findings for all objects that could not. */
interface LocatedObjects {
  readonly objects: readonly ClusterObject[];
  readonly findings: readonly Finding[];
}

/**
 * Determines the API path, the scope and the namespace of each object of a manifest. If an object of a cluster-scoped kind has a namespace,
 * the namespace is dropped, as the API server does, because kustomize sets a namespace on every custom kind.
 *
 * @throws OpSdkError with all findings at once: `cluster/unknown-kind`, `cluster/duplicate-object`, `cluster/other-namespace`
 */
export async function resolveObjects(
  objects: readonly PlacedObject[],
  options: ResolveOptions,
): Promise<readonly ClusterObject[]> {
  const located = await locateObjects(objects, options);
  const findings = new FindingList();
  findings.add(...located.findings);
  findings.throwIfAny();
  return located.objects;
}

/**
 * Works like {@link resolveObjects}, but returns the findings together with the resolved objects instead of throwing them. For callers that
 * add further findings.
 */
export async function locateObjects(
  objects: readonly PlacedObject[],
  { mapper, namespace, onlyNamespace = false, purpose, signal }: ResolveOptions,
): Promise<LocatedObjects> {
  const findings = new FindingList();
  const defined = objects.filter(({ object }) => isCrd(object)).flatMap(({ object }) => crdTypes(object));
  const resolved: ClusterObject[] = [];
  for (const placed of objects) {
    const { apiVersion, kind } = placed.object;
    const isMeant = (type: Resource): boolean => type.apiVersion === apiVersion && type.kind === kind;
    const directory = await mapper.directory({ signal });
    const exact = await mapper.find(apiVersion, kind, { signal });
    const served = exact ?? (purpose === 'delete' ? otherVersion(directory, apiVersion, kind) : undefined);
    // The path and scope that the server reports take precedence over those in a CRD of the manifest.
    const resource = served?.resource ?? defined.find(isMeant);
    if (resource !== undefined) {
      const object = place(placed, resource, namespace, { served: served !== undefined });
      const given = object.key.namespace;
      if (onlyNamespace && given !== undefined && given !== namespace)
        findings.add(otherNamespace(object, given, namespace));
      else resolved.push(object);
    }
    // Of a kind whose server is away nobody knows whether there are objects.
    else if (purpose === 'apply' || directory.unavailable.includes(apiVersion))
      findings.add(unknownKind(placed, directory));
  }
  refuseDuplicates(resolved, findings);
  return { objects: resolved, findings: findings.all };
}

function otherNamespace({ title, where }: ClusterObject, given: string, wanted: string): Finding {
  return {
    code: 'cluster/other-namespace',
    message: `${title}: expected the namespace ${wanted} that --namespace names, got metadata.namespace ${given}`,
    where,
    fix: [
      `remove metadata.namespace from the manifest, or write --namespace=${given}`,
      `of a kustomization: op-sdk kustomize edit set namespace ${wanted}`,
    ],
  };
}

function otherVersion({ types }: ApiDirectory, apiVersion: string, kind: string): ServedType | undefined {
  const group = groupOf(apiVersion);
  return types.find(({ resource }) => resource.group === group && resource.kind === kind);
}

function place(
  { object, where }: PlacedObject,
  resource: Resource<KubeObject>,
  defaultNamespace: string,
  { served }: { readonly served: boolean },
): ClusterObject {
  const { namespace: given, ...metadata } = object.metadata;
  const { name } = metadata;
  const title = titleOf(resource, name);
  if (!resource.namespaced)
    return { object: { ...object, metadata }, where, resource, key: { name }, served, title };
  const namespace = given === undefined || given === '' ? defaultNamespace : given;
  const placed: ManifestObject = { ...object, metadata: { ...metadata, namespace } };
  return { object: placed, where, resource, key: { name, namespace }, served, title };
}

function refuseDuplicates(objects: readonly ClusterObject[], findings: FindingList): void {
  const seen = new Map<string, Where>();
  for (const { resource, key, title, where } of objects) {
    // All versions of a kind show the same object, so the version is not part of the id.
    const id = `${resource.group}/${resource.kind}/${keyText(key)}`;
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, where);
      continue;
    }
    const other =
      'file' in first ? `, also in ${first.file}${first.line === undefined ? '' : `:${first.line}`}` : '';
    findings.add({
      code: 'cluster/duplicate-object',
      message: `${title} appears twice${other}`,
      where,
      fix: ['leave one of them out: the second would overwrite the first'],
    });
  }
}

/**
 * API groups of other operators that scaffolded manifests use, each with fixes for the case that the cluster does not serve the group's
 * kinds.
 */
const hints: Readonly<Record<string, readonly string[]>> = {
  'monitoring.coreos.com': [
    'install the Prometheus Operator, or its CustomResourceDefinitions alone, first',
    'or comment out ../prometheus in config/default/kustomization.yaml',
  ],
  'cert-manager.io': [
    'install cert-manager first, and wait until it runs',
    'or let the operator make the certificate of its webhooks itself: `op-sdk explain project/cert-provider`',
  ],
};

/** Returns a finding that explains why the server does not serve the kind of an object, and how to fix that. */
function unknownKind({ object, where }: PlacedObject, directory: ApiDirectory): Finding {
  const { apiVersion, kind, metadata } = object;
  const group = groupOf(apiVersion);
  return {
    code: 'cluster/unknown-kind',
    message: `${kind} ${metadata.name}: no matches for kind "${kind}" in version "${apiVersion}"`,
    where,
    fix: fixes(apiVersion, kind, group, directory),
  };
}

function fixes(
  apiVersion: string,
  kind: string,
  group: string,
  { types, unavailable }: ApiDirectory,
): readonly string[] {
  if (unavailable.includes(apiVersion)) {
    return [`the API server of ${apiVersion} does not answer: \`kubectl get apiservices\` says why`];
  }
  const otherVersions = types
    .filter(({ resource }) => resource.group === group && resource.kind === kind)
    .map(({ resource }) => resource.apiVersion);
  if (otherVersions.length > 0) return [`the cluster serves it as ${otherVersions.join(' and ')}`];
  const known = hints[group];
  if (known !== undefined) return known;
  const inVersion = types.filter(({ resource }) => resource.apiVersion === apiVersion);
  const elsewhere = types.filter(({ resource }) => resource.kind === kind);
  if (inVersion.length === 0 || group === '') {
    const versions = elsewhere.map(({ resource }) => resource.apiVersion);
    if (versions.length > 0) return [`write apiVersion ${versions.join(' or ')}, if that is what you mean`];
  }
  const suggestion = closestName(
    kind,
    inVersion.map(({ resource }) => resource.kind),
  );
  if (suggestion !== undefined) return [`write ${suggestion}, if that is what you mean`];
  return [
    'check the spelling of apiVersion and kind',
    'install the CustomResourceDefinition first, or put it into the same manifest',
  ];
}
