import type { KubeObject } from '../../../sdk/api/index.ts';
import { applyObjects, removeObjects, type ObjectOutcome, type PodLike } from '../../../cluster/index.ts';
import { FindingList, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { ConfigMap, Pod } from '../../../sdk/k8s/generated/core/v1.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/index.ts';
import { placedObject } from '../run-names.ts';
import { nameTaken } from '../check-run.ts';
import { waitJudged, type JudgedWait } from '../wait-installed.ts';
import { textOf, fieldAt } from '../../bundle/index.ts';
import { done, failedBy, pendingStep, type Judgement } from '../judgement.ts';
import { podCause, podProgress, registryPods } from '../judge-deployments.ts';
import { catalogConfigMaps, ownConfigMaps, contentKey } from './catalog-config-maps.ts';
import { servedByPod, type PodCatalog, podAnnotations } from './pod-catalog.ts';

/** Port on which opm serves the catalogue. */
const registryPort = 50051;

interface ServeByPod extends JudgedWait {
  readonly catalog: PodCatalog;
  /** CatalogSource of the existing installation, or of an interrupted run. Its former Pod keeps serving until the new Pod runs. */
  readonly existing: KubeObject | undefined;
  /** Objects that the caller applies afterwards. They are checked by a dry run before anything is created. */
  readonly next: readonly ManifestObject[];
  readonly onOutcome: (outcome: ObjectOutcome, title: string) => void;
  readonly onWarning: (warning: Finding) => void;
}

/**
 * Serves a catalogue by a Pod, and sets the address of the Pod in a CatalogSource. The CatalogSource owns all other objects, so that they
 * are deleted together with it. The former Pod and its ConfigMaps are kept until the new Pod serves the catalogue, so that a failure
 * changes nothing.
 *
 * @throws OpSdkError with everything that the API server refuses, before anything is created; `olm/name-taken`; the cause why the Pod does
 * not run; `olm/timeout`
 */
export async function serveByPod(request: ServeByPod): Promise<void> {
  const { catalog, existing, timeout } = request;
  const serving = servedByPod(existing)?.pod;
  const usual = registryPodName(catalog.bundles.at(-1)?.imageTag ?? '');
  const name = usual === serving ? otherPodName(usual, '2') : usual;
  const configMaps = catalogConfigMaps(
    {
      catalog: catalog.names.catalog,
      namespace: catalog.namespace,
      pod: serving === undefined ? undefined : name,
    },
    catalog.documents,
  );
  const pod = registryPod(catalog, configMaps, name);
  const present = await podInPlace(request, name);
  await checkConfigMaps(request, configMaps);
  // An existing Pod cannot be changed. Therefore, the dry run uses another Pod name, which does not affect the result.
  const checked = present === undefined ? pod : registryPod(catalog, configMaps, otherPodName(name, 'check'));
  await checkAll(request, [...configMaps, checked]);
  const [source = existing] =
    existing === undefined ? await apply(request, [waitingCatalogSource(catalog)]) : [];
  if (source === undefined) throw new TypeError('a CatalogSource that was applied has been read');
  await apply(
    request,
    configMaps.map((each) => ownedBy(each, source)),
  );
  if (present !== undefined) await remove(request, [present]);
  await apply(request, [ownedBy(pod, source)]);
  const ip = await waitServing(request, name, durationText(timeout));
  await apply(request, [servingCatalogSource(catalog, { name, ip }, existing)]);
  await remove(request, await outdated(request, source, { pod, configMaps }));
}

/**
 * Returns the existing Pod with this name. An interrupted run has left it, and it will be replaced.
 * @throws OpSdkError `olm/name-taken` if the Pod does not belong to the catalogue
 */
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

/**
 * Checks that the names of the ConfigMaps are not used by ConfigMaps that do not belong to the catalogue.
 * @throws OpSdkError `olm/name-taken`
 */
async function checkConfigMaps(
  { client, catalog, existing, signal }: ServeByPod,
  configMaps: readonly ManifestObject[],
): Promise<void> {
  const { namespace, names, packageName } = catalog;
  const findings = new FindingList();
  for (const { metadata } of configMaps) {
    const live = await client.find(ConfigMap, { name: metadata.name, namespace }, { signal });
    if (live === undefined || isOwnedBy(live, existing)) continue;
    // A ConfigMap left by a deleted CatalogSource is not an error, because the garbage collector is about to delete it.
    const isLeft = (live.metadata.ownerReferences ?? []).some(
      ({ kind, name }) => kind === 'CatalogSource' && name === names.catalog,
    );
    if (!isLeft) findings.add(...nameTaken(live, packageName).findings);
  }
  findings.throwIfAny();
}

function isOwnedBy({ metadata }: KubeObject, owner: KubeObject | undefined): boolean {
  return (
    owner !== undefined && (metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid)
  );
}

/** Checks all objects by a dry run. Only the owner of the objects and the address of the Pod are still missing from their final form. */
async function checkAll(
  { client, catalog, existing, next, signal }: ServeByPod,
  objects: readonly ManifestObject[],
): Promise<void> {
  const source = servingCatalogSource(catalog, { name: 'pod', ip: '127.0.0.1' }, existing);
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

/** Sets the owner of an object in the same way as operator-sdk, without `controller` and `blockOwnerDeletion`. */
function ownedBy(object: ManifestObject, { metadata: { name, uid } }: KubeObject): ManifestObject {
  const owner = { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'CatalogSource', name, uid };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}

/**
 * Waits until the Pod serves the catalogue.
 * @returns the IP address of the Pod
 */
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

/** Returns the Pods and ConfigMaps of the catalogue that are no longer used: those of the former Pod, and those of failed runs. */
async function outdated(
  { client, catalog: { namespace }, signal }: ServeByPod,
  source: KubeObject,
  now: { readonly pod: ManifestObject; readonly configMaps: readonly ManifestObject[] },
): Promise<readonly KubeObject[]> {
  const pods = await client.list(Pod, { namespace, signal });
  const former = pods.items.filter(
    (pod) =>
      isOwnedBy(pod, source) &&
      pod.metadata.name !== now.pod.metadata.name &&
      pod.metadata.deletionTimestamp === undefined,
  );
  const filled = new Set(now.configMaps.map(({ metadata }) => metadata.name));
  const { items } = await client.list(ConfigMap, { namespace, signal });
  const left = ownConfigMaps(items, source).filter(({ metadata }) => !filled.has(metadata.name ?? ''));
  return [
    ...former.map((pod) => ({ ...pod, apiVersion: 'v1', kind: 'Pod' })),
    ...left.map((item) => ({ ...item, apiVersion: 'v1', kind: 'ConfigMap' })),
  ];
}

type RegistryPod = PodLike & { readonly status?: { readonly podIP?: string } };

/** Returns the IP address of the Pod; `''` as long as the Pod has none. */
function addressOf(pod: PodLike | undefined): string {
  return textOf((pod as RegistryPod | undefined)?.status?.podIP);
}

/** Judges the progress of the Pod that serves a catalogue: `done` when the Pod runs and has an IP address. */
function judgeRegistryPod(pod: PodLike | undefined, name: string): Judgement {
  if (pod === undefined) return pendingStep('catalog', `Pod ${name}: it does not exist yet`);
  if (pod.metadata.deletionTimestamp !== undefined)
    return pendingStep('catalog', `Pod ${name}: it is being deleted`);
  const cause = podCause([pod], registryPods);
  if (cause !== undefined) return cause;
  const { phase, reason, message } = pod.status ?? {};
  // The phase Failed is final: kubelet restarts the containers of a Pod, and the Pod fails only if it is evicted.
  if (phase === 'Failed')
    return failedBy({
      ...registryPods.crash,
      message: `${registryPods.crash.message}: Pod ${name}: ${[reason, message].filter(Boolean).join(': ') || phase}`,
      object: pod,
      terminal: true,
    });
  const progress = podProgress([pod]);
  if (progress !== undefined) return pendingStep('catalog', `the catalogue: ${progress}`);
  return phase === 'Running' && addressOf(pod) !== ''
    ? done
    : pendingStep('catalog', `the catalogue: Pod ${name} is ${phase ?? 'new'}`);
}

/**
 * Returns the CatalogSource of a catalogue, as it is created before its Pod. It must be created first, because it owns the Pod and the
 * ConfigMaps.
 */
function waitingCatalogSource({
  names,
  packageName,
  namespace,
  securityContext,
  pullSecret,
}: PodCatalog): ManifestObject {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name: names.catalog, namespace },
    spec: {
      sourceType: 'grpc',
      displayName: packageName,
      // Marks the object as an installation of operator-sdk.
      publisher: 'operator-sdk',
      grpcPodConfig: { securityContextConfig: securityContext },
      ...(pullSecret === undefined ? {} : { secrets: [pullSecret] }),
    },
  };
}

/**
 * Returns the CatalogSource as it is applied once its Pod runs, with the address of the Pod.
 *
 * @param existing the CatalogSource on the cluster
 */
export function servingCatalogSource(
  catalog: PodCatalog,
  pod: { readonly name: string; readonly ip: string },
  existing?: KubeObject,
): ManifestObject {
  const { metadata, spec, ...object } = waitingCatalogSource(catalog) as ManifestObject & {
    readonly spec: object;
  };
  const host = pod.ip.includes(':') ? `[${pod.ip}]` : pod.ip;
  return {
    ...object,
    metadata: { ...metadata, annotations: podAnnotations(catalog, pod.name) },
    spec: {
      ...spec,
      address: `${host}:${registryPort}`,
      // Remove the image explicitly. If the field were omitted, a value set by another field manager would be kept.
      ...(textOf(fieldAt(existing, 'spec', 'image')) === '' ? {} : { image: '' }),
    },
  };
}

/** Maximum length of a DNS label in characters. */
const labelLength = 63;

/**
 * Returns the name of the Pod that serves the catalogue of a bundle. The name is the same as in operator-sdk.
 *
 * @param image image of the bundle
 */
export function registryPodName(image: string): string {
  const name = image
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return lastOfLabel(name);
}

/** Returns an alternative name for a Pod, for use while another Pod has the given name. */
function otherPodName(name: string, purpose: string): string {
  return lastOfLabel(`${name}-${purpose}`);
}

/** Returns the end of a text, cut to the maximum length of a DNS label. */
function lastOfLabel(text: string): string {
  return text.length > labelLength ? text.slice(-labelLength).replace(/^-+|-+$/g, '') : text;
}

/**
 * Returns the Pod that serves a catalogue. Its init container unpacks the ConfigMaps; opm from the index image serves the files. All fields
 * are the same as in operator-sdk, except that a pull secret is set in the Pod, whereas operator-sdk expects it in the ServiceAccount.
 *
 * @param configMaps ConfigMaps that contain the catalogue
 * @param name name of the Pod. Default: the name that operator-sdk uses
 */
export function registryPod(
  catalog: PodCatalog,
  configMaps: readonly ManifestObject[],
  name = registryPodName(catalog.bundles.at(-1)?.imageTag ?? ''),
): ManifestObject {
  const { names, namespace, indexImage, decompressionImage, imagePullPolicy } = catalog;
  const { serviceAccount, securityContext, pullSecret } = catalog;
  const folder = `/${names.catalog}-configs`;
  const parts = configMaps.map(({ metadata: { name: part } }) => ({
    part,
    volume: lastOfLabel(`${part}-volume`),
    unzip: lastOfLabel(`${part}-unzip`),
  }));
  const unzipped = parts.map(({ part, unzip }) => mount(unzip, `${folder}/${part}`, part));
  const compressed = parts.map(({ part, volume }) => mount(volume, `/compressed${folder}/${part}`, part));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: {
      ...(securityContext === 'restricted'
        ? { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }
        : {}),
      initContainers: [
        {
          name: 'registry-grpc-init',
          image: decompressionImage,
          command: ['sh', '-c', unpackScript(folder)],
          volumeMounts: [...unzipped, ...compressed],
        },
      ],
      containers: [
        {
          name: 'registry-grpc',
          image: indexImage,
          imagePullPolicy,
          command: ['sh', '-c', `opm serve ${folder} -p ${registryPort}`],
          ports: [{ name: 'grpc', containerPort: registryPort }],
          ...(securityContext === 'restricted' ? { securityContext: restricted } : {}),
          volumeMounts: unzipped,
        },
      ],
      volumes: parts.flatMap(({ part, volume, unzip }) => [
        {
          name: volume,
          configMap: { name: part, items: [{ key: contentKey, path: `${part}/${contentKey}.yaml.gz` }] },
        },
        { name: unzip, emptyDir: {} },
      ]),
      ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
      ...(pullSecret === undefined ? {} : { imagePullSecrets: [{ name: pullSecret }] }),
    },
  };
}

const restricted = {
  privileged: false,
  readOnlyRootFilesystem: false,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};

function mount(name: string, mountPath: string, subPath: string) {
  return { name, mountPath, subPath };
}

function unpackScript(folder: string): string {
  return [
    `for dir in /compressed${folder}/*configmap-partition*; do `,
    'for f in ${dir}/*; do ',
    'file="${f%.*}";',
    'file="${file#/compressed}";',
    'cat ${f} | gzip -d -c > "${file}";',
    'done;done;',
  ].join('');
}
