import { FindingList, type Finding } from '../../base/errors/index.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { ApiError, type ApiDirectory, type KubeClient } from '../../sdk/kube/index.ts';
import { isCrd, isFoundation, type ClusterObject } from '../objects/cluster-object.ts';
import { keptFinalizersFinding, keptNamespaceFinding } from './deletion-impact.ts';
import { customObjects, namespaceObjects } from './namespace-objects.ts';

interface KeepOptions {
  /** All types that the API server serves. */
  readonly directory: ApiDirectory;
  readonly signal?: AbortSignal | undefined;
}

/** Objects of a manifest that a removal leaves on the cluster. */
interface KeptObjects {
  readonly objects: ReadonlySet<ClusterObject>;
  /** One warning for each thing that does not work, or is left behind, because objects are kept. */
  readonly warnings: readonly Finding[];
}

/**
 * Finds the objects that stay if CustomResourceDefinitions are kept: the definitions themselves, the custom resources of the manifest, and
 * the Namespaces that hold anything that the manifest does not name, because custom resources and what belongs to them would be deleted
 * with their Namespace. Namespaces whose contents cannot be listed stay too. Writes nothing.
 *
 * @throws OpSdkError `cluster/being-deleted` if a definition is being deleted already, and its custom resources with it; TransportError
 */
export async function keepCrds(
  client: KubeClient,
  objects: readonly ClusterObject[],
  { directory, signal }: KeepOptions,
): Promise<KeptObjects> {
  const crds = objects.filter(({ object }) => isCrd(object));
  const kept = new Set(
    objects.filter((each) => isCrd(each.object) || crds.some((crd) => isDefinedBy(crd, each.resource))),
  );
  const named = objects.filter((each) => !kept.has(each));
  const findings = new FindingList();
  const warnings: Finding[] = [];
  for (const crd of crds) {
    const live = await client.find(crd.resource, crd.key, { signal });
    if (live === undefined) continue;
    if (live.metadata.deletionTimestamp !== undefined) findings.add(beingDeleted(crd));
    else
      warnings.push(
        ...(await finalizerWarning(client, crd, live, signal)),
        ...conversionWarning(crd, live, named),
      );
  }
  findings.throwIfAny();
  for (const space of named.filter(isFoundation)) {
    const live = await client.find(space.resource, space.key, { signal });
    if (live === undefined || live.metadata.deletionTimestamp !== undefined) continue;
    const impact = await namespaceObjects(client, space, { named, directory, signal });
    if (impact.objects.length + impact.unread.length === 0) continue;
    kept.add(space);
    warnings.push(keptNamespaceFinding(impact));
  }
  return { objects: kept, warnings };
}

/** Returns true if the CustomResourceDefinition defines the type. */
export function isDefinedBy({ object }: ClusterObject, { group, kind }: ClusterObject['resource']): boolean {
  const { group: definedGroup, names } = (object['spec'] ?? {}) as {
    readonly group?: unknown;
    readonly names?: { readonly kind?: unknown };
  };
  return definedGroup === group && names?.kind === kind;
}

function beingDeleted({ title, where }: ClusterObject): Finding {
  return {
    code: 'cluster/being-deleted',
    message: `${title} is being deleted already, and its custom resources with it: --keep-crds cannot keep them`,
    where,
    fix: ['wait until it is gone, then run it again'],
  };
}

async function finalizerWarning(
  client: KubeClient,
  crd: ClusterObject,
  live: KubeObject,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  try {
    const { blocked } = await customObjects(client, crd, live, { apart: [], waitsForApart: true, signal });
    return blocked.objects.length === 0 ? [] : [keptFinalizersFinding(blocked)];
  } catch (error) {
    // A user who may remove the operator is not necessarily allowed to read its custom resources, which are kept in any case.
    if (error instanceof ApiError && error.status !== 401) return [];
    throw error;
  }
}

/** Warns of a definition whose conversion webhook is a Service that is deleted. */
function conversionWarning(
  { title, where }: ClusterObject,
  live: KubeObject,
  named: readonly ClusterObject[],
): readonly Finding[] {
  const { conversion } = jsonMapOf((live as { readonly spec?: unknown }).spec);
  const { clientConfig } = jsonMapOf(jsonMapOf(conversion)['webhook']);
  const { service } = jsonMapOf(clientConfig);
  const { name, namespace } = jsonMapOf(service);
  const isDeleted = named.some(
    ({ resource, key }) =>
      resource.group === '' &&
      resource.kind === 'Service' &&
      key.name === name &&
      key.namespace === namespace,
  );
  if (!isDeleted) return [];
  return [
    {
      code: 'cluster/conversion-kept',
      message: `${title} is kept, and the webhook that converts its objects is deleted: until the next deploy, requests fail that need another version than the stored one`,
      where,
      fix: ['use the stored version until then, or deploy the operator again: op-sdk deploy'],
    },
  ];
}
