import type { KubeObject } from '../../../api/index.ts';
import { applyObjects, removeObjects, type ObjectOutcome, type PodLike } from '../../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../../errors/index.ts';
import { ConfigMap, Pod } from '../../../k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../kube/index.ts';
import { durationText } from '../../../util/duration-text.ts';
import type { ManifestObject } from '../../../yaml/manifest-object.ts';
import { placedObject } from '../../placed-object.ts';
import { nameTaken } from '../check-run.ts';
import { waitJudged, type JudgedWait } from '../wait-judged.ts';
import { catalogConfigMaps, ownConfigMaps } from './catalog-config-maps.ts';
import { addressOf, judgeRegistryPod } from './judge-registry-pod.ts';
import { servedByPod, type PodCatalog } from './pod-catalog.ts';
import { servingCatalogSource, waitingCatalogSource } from './pod-catalog-source.ts';
import { registryPod } from './registry-pod.ts';

export interface ServeByPod extends JudgedWait {
  readonly client: KubeClient;
  readonly catalog: PodCatalog;
  /** The CatalogSource that is there, of the installation or of a run that was interrupted; it serves as before until the Pod runs. */
  readonly existing: KubeObject | undefined;
  /** What is applied afterwards: checked before anything is created. */
  readonly next: readonly ManifestObject[];
  readonly onOutcome: (outcome: ObjectOutcome, title: string) => void;
  readonly onWarning: (warning: Finding) => void;
}

/**
 * Has a Pod serve a catalogue, and a CatalogSource name its address. All of it belongs to the CatalogSource and goes with it. The Pod that
 * served the catalogue before is deleted when the new one does.
 *
 * @throws OpSdkError with what the API server refuses, before anything is created; `olm/name-taken`; why the Pod does not run; `olm/timeout`
 */
export async function serveByPod(request: ServeByPod): Promise<void> {
  const { catalog, existing, timeout } = request;
  const configMaps = catalogConfigMaps(
    { catalog: catalog.names.catalog, namespace: catalog.namespace },
    catalog.documents,
  );
  const pod = registryPod(catalog, configMaps);
  const present = await podInPlace(request, pod.metadata.name);
  await checkAll(request, [...configMaps, ...(present === undefined ? [pod] : [])]);
  const [source = existing] =
    existing === undefined ? await apply(request, [waitingCatalogSource(catalog)]) : [];
  if (source === undefined) throw new TypeError('a CatalogSource that was applied has been read');
  await apply(
    request,
    configMaps.map((each) => ownedBy(each, source)),
  );
  if (present !== undefined) await remove(request, [present]);
  await apply(request, [ownedBy(pod, source)]);
  const ip = await waitServing(request, pod.metadata.name, durationText(timeout));
  await apply(request, [servingCatalogSource(catalog, { name: pod.metadata.name, ip })]);
  await remove(request, await outdated(request, source, { pod, configMaps }));
}

/** The Pod of the name, which is replaced: it has read its ConfigMaps already. @throws OpSdkError `olm/name-taken` if it is not the catalogue's */
async function podInPlace(
  { client, catalog, existing, signal }: ServeByPod,
  name: string,
): Promise<KubeObject | undefined> {
  const { namespace, packageName } = catalog;
  const pod = await client.find(Pod, { name, namespace }, { signal });
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || isOwnedBy(pod, existing))
    return pod;
  throw nameTaken(pod, packageName);
}

function isOwnedBy({ metadata }: KubeObject, owner: KubeObject | undefined): boolean {
  return (
    owner !== undefined && (metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid)
  );
}

/** As it will be, but for the owner and the address, which are not there yet. */
async function checkAll(
  { client, catalog, next, signal }: ServeByPod,
  objects: readonly ManifestObject[],
): Promise<void> {
  const source = servingCatalogSource(catalog, { name: 'pod', ip: '127.0.0.1' });
  const all = [source, ...objects, ...next.filter(({ kind }) => kind !== source.kind)];
  await applyObjects({ client, objects: all.map(placedObject), dryRun: true, signal });
}

async function apply(
  { client, signal, onOutcome, onWarning }: ServeByPod,
  objects: readonly ManifestObject[],
): Promise<readonly (KubeObject | undefined)[]> {
  const applied = await applyObjects({
    client,
    objects: objects.map(placedObject),
    signal,
    onOutcome: (outcome, { title }) => onOutcome(outcome, title),
    onWarning,
  });
  return applied.map(({ live }) => live);
}

async function remove(request: ServeByPod, objects: readonly KubeObject[]): Promise<void> {
  const { client, timeout, signal, onOutcome, onProgress } = request;
  if (objects.length === 0) return;
  await removeObjects({
    client,
    objects: objects.map((object) => placedObject(object as unknown as ManifestObject)),
    ...{ timeout, signal, onOutcome, onProgress },
    onImpact: async () => undefined,
  });
}

/** As operator-sdk writes it: without `controller` and `blockOwnerDeletion`. */
function ownedBy(object: ManifestObject, { metadata: { name, uid } }: KubeObject): ManifestObject {
  const owner = { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'CatalogSource', name, uid };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}

/** @returns the address of the Pod */
async function waitServing(request: ServeByPod, name: string, after: string): Promise<string> {
  const { client, catalog, signal } = request;
  const { namespace } = catalog;
  let pod: PodLike | undefined;
  const line = await waitJudged(async () => {
    pod = (await client.find(Pod, { name, namespace }, { signal })) as PodLike | undefined;
    return judgeRegistryPod(pod, name);
  }, request);
  if (line === undefined) return addressOf(pod);
  throw new OpSdkError({
    code: 'olm/timeout',
    message: `the catalogue is not served after ${after}: ${line}`,
    where: { object: `pod/${name} -n ${namespace}` },
    fix: ['wait longer with --timeout', `see kubectl describe pod/${name} -n ${namespace}`],
  });
}

/** What served the catalogue before: another Pod, and ConfigMaps that it no longer fills. */
async function outdated(
  { client, catalog, existing, signal }: ServeByPod,
  source: KubeObject,
  now: { readonly pod: ManifestObject; readonly configMaps: readonly ManifestObject[] },
): Promise<readonly KubeObject[]> {
  const { namespace } = catalog;
  const former = servedByPod(existing)?.pod ?? now.pod.metadata.name;
  const pod =
    former === now.pod.metadata.name
      ? undefined
      : await client.find(Pod, { name: former, namespace }, { signal });
  const filled = new Set(now.configMaps.map(({ metadata }) => metadata.name));
  const { items } = await client.list(ConfigMap, { namespace, signal });
  const left = ownConfigMaps(items, source).filter(({ metadata }) => !filled.has(metadata.name ?? ''));
  return [
    ...(pod === undefined ? [] : [{ ...pod, apiVersion: 'v1', kind: 'Pod' }]),
    ...left.map((item) => ({ ...item, apiVersion: 'v1', kind: 'ConfigMap' })),
  ];
}
