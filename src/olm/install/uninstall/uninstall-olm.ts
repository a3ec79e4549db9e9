import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import {
  impactFinding,
  removeObjects,
  type ObjectOutcome,
  isCopiedByOlm,
  isFoundation,
  resolveObjects,
  rolloutStatus,
  type RemoveRequest,
} from '../../../cluster/index.ts';
import { isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import { CatalogSource, ClusterCatalog, ClusterServiceVersion, OperatorGroup } from '../../run/index.ts';
import { type OlmRelease, olmFacts } from '../release/check-release.ts';
import { Deployment } from '../../../sdk/k8s/generated/apps/v1.ts';
import { createRestMapper, isNotFound, isTypeNotServed, type KubeClient } from '../../../sdk/kube/index.ts';
import {
  apiServices,
  issuedSecrets,
  outsideObjects,
  placedLive,
  unlabelNamespaces,
  inUseFinding,
  listAll,
  managedObjects,
  type ManagedObjects,
} from './leftovers.ts';

/** Milliseconds to wait until objects are deleted if the operators that must remove their finalizers do not run. */
const shortTimeout = 2_000;

/**
 * Removes an OLM installation and everything it has created for itself. Order: objects with finalizers, while OLM's operators run; webhooks
 * before their Services; the APIService before its server; CustomResourceDefinitions, operators and namespaces; objects that the operators
 * have left behind outside of these namespaces. Missing objects of the release are reported as `not-found`. Objects outside of the release
 * that have vanished before their turn were deleted with their owner, and are not reported.
 * @throws OpSdkError `olm/in-use` before anything is deleted; `cluster/not-deleted`, …
 */
export async function uninstallOlm(request: UninstallRequest): Promise<void> {
  const { client, release, force, dryRun, signal } = request;
  const managed = await managedObjects(client, release, signal);
  const inUse = inUseFinding(release.olm, managed, { refused: force !== true });
  if (inUse !== undefined && force !== true) throw new OpSdkError(inUse);
  await request.onConfirm([...(inUse === undefined ? [] : [inUse]), ...(await lossesOf(request))]);

  const done = new Set<string>();
  const step = async (objects: readonly PlacedObject[], options: StepOptions): Promise<void> => {
    const next = objects.filter((each) => !done.has(idOf(each)));
    for (const each of next) done.add(idOf(each));
    await removeStep(request, next, options);
  };
  const found = { wasFound: true };
  const byOperators = { wasFound: true, byOperators: true };
  for (const { type, objects } of managed)
    await step(
      objects.map((each) => placedLive(type, each)),
      byOperators,
    );
  for (const type of finishedByOperators[release.olm]) {
    const live = (await listAll(client, type, { signal })).filter((each) => !isCopiedByOlm(each));
    await step(
      live.map((each) => placedLive(type, each)),
      byOperators,
    );
  }
  if (release.olm === 'v0') await step(await apiServices(client, signal), found);
  const secrets = await issuedSecrets(client, release, signal);
  // All objects of the kinds in `finishedByOperators` have already been deleted. In a dry run, they count as deleted.
  const isDone = ({ object }: PlacedObject): boolean =>
    [...finishedByOperators[release.olm]].some(
      ({ apiVersion, kind }) => object.apiVersion === apiVersion && object.kind === kind,
    );
  await step(
    release.objects.filter((each) => !isDone(each)),
    {},
  );
  await step(secrets, found);
  if (release.olm === 'v0') {
    await step(await outsideObjects(client, namespacesOf(release, managed), signal), found);
    if (dryRun !== true) await unlabelNamespaces(client, signal);
  }
}

/** Returns the namespaces of a release, and of the operators that OLM manages. */
function namespacesOf({ objects }: OlmRelease, managed: readonly ManagedObjects[]): ReadonlySet<string> {
  const places = [
    ...objects.map(({ object }) => object.metadata.namespace),
    ...managed.flatMap(({ objects: own }) => own.map(({ metadata }) => metadata.namespace)),
  ];
  return new Set(places.filter((place) => place !== undefined));
}

/**
 * Kinds whose objects have finalizers that OLM's operators remove, in the order of deletion. Deleting a CSV also deletes its Deployments.
 */
const finishedByOperators: Readonly<Record<OlmRelease['olm'], readonly Resource<KubeObject>[]>> = {
  v0: [ClusterServiceVersion, CatalogSource, OperatorGroup],
  v1: [ClusterCatalog],
};

/**
 * Name of the CRD OperatorCondition, of which OLM keeps one object for each ClusterServiceVersion. Only OLM uses these objects, so their
 * deletion is not reported as a loss.
 */
const operatorConditions = 'operatorconditions.operators.coreos.com';

/**
 * Returns findings for objects outside of the release that are deleted together with the release, as `undeploy` does. Also checks that the
 * user may delete the objects of the release.
 */
async function lossesOf({ client, release, timeout, signal }: UninstallRequest): Promise<readonly Finding[]> {
  const losses: Finding[] = [];
  await removeObjects({
    client,
    objects: release.objects,
    dryRun: true,
    // Do not report finalizers as obstacles, because OLM's operators run until the objects whose finalizers they remove are deleted.
    force: true,
    timeout,
    signal,
    onImpact: (impacts) => {
      const lost = impacts.filter(({ cause }) => cause.key.name !== operatorConditions);
      losses.push(...lost.map((impact) => impactFinding(impact)));
      return Promise.resolve();
    },
  });
  return losses;
}

function idOf({ object }: PlacedObject): string {
  const { kind, metadata } = object;
  return [kind, metadata.namespace ?? '', metadata.name].join(' ');
}

interface StepOptions {
  /** True if the objects were found on the cluster and do not belong to the release. Default: false. */
  readonly wasFound?: boolean;
  /** True if OLM's operators have to remove the finalizers of the objects. Default: false. */
  readonly byOperators?: boolean;
}

/** Deletes objects and waits until they no longer exist. With `force`, also removes finalizers that OLM's operators have not removed. */
async function removeStep(
  request: UninstallRequest,
  objects: readonly PlacedObject[],
  { wasFound, byOperators }: StepOptions,
): Promise<void> {
  if (objects.length === 0) return;
  const { client, release, force, dryRun, timeout, signal, onProgress } = request;
  const outcomes = new Set<string>();
  const remove = (limit: number): Promise<void> =>
    removeObjects({
      ...request,
      objects,
      timeout: limit,
      // Do not ask again, because the user has confirmed the losses before the first step.
      onImpact: () => Promise.resolve(),
      onOutcome: (outcome: ObjectOutcome, title: string) => {
        if (outcomes.has(title)) return;
        outcomes.add(title);
        if (wasFound === true && outcome.action === 'not-found') return;
        request.onOutcome?.(outcome, title);
      },
    });
  const forced = byOperators === true && force === true && dryRun !== true;
  const runs = !forced || (await operatorsRun(client, release, signal));
  try {
    await remove(runs ? timeout : shortTimeout);
  } catch (error) {
    if (
      !forced ||
      !isOpSdkError(error) ||
      !error.findings.every(({ code }) => code === 'cluster/not-deleted')
    )
      throw error;
    onProgress?.(
      `removing the finalizers of what is left: ${error.findings.map(({ message }) => message).join('; ')}`,
    );
    await releaseFinalizers(request, objects);
    await remove(timeout);
  }
}

/** Returns true if OLM's operators run, so that they can remove the finalizers that they have set. */
async function operatorsRun(
  client: KubeClient,
  { olm, namespace }: OlmRelease,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const name of olmFacts[olm].deployments) {
    const live = await client.find(Deployment, { name, namespace }, { signal });
    if (live === undefined || rolloutStatus({ ...live, kind: Deployment.kind }).state !== 'done')
      return false;
  }
  return true;
}

/**
 * Removes the finalizers of objects that are being deleted, because OLM's operators have not removed them. Deletes the webhooks of the
 * release first. Otherwise, the API server would call these webhooks for the change, and get no response.
 *
 * @throws OpSdkError `cluster/forbidden`, …; ApiError
 */
async function releaseFinalizers(
  { client, release, timeout, interval, signal, onOutcome }: UninstallRequest,
  objects: readonly PlacedObject[],
): Promise<void> {
  await removeObjects({
    client,
    objects: release.objects.filter(({ object }) => object.kind.endsWith('WebhookConfiguration')),
    force: true,
    timeout,
    interval,
    signal,
    onImpact: () => Promise.resolve(),
    onOutcome: (outcome, title) => {
      if (outcome.action === 'deleted') onOutcome?.(outcome, title);
    },
  });
  const mapper = createRestMapper(client.connection);
  const { namespace } = client.connection.cluster;
  const resolved = await resolveObjects(objects, { mapper, namespace, purpose: 'delete', signal });
  // Skip Namespaces and CustomResourceDefinitions, because the API server itself removes their finalizers.
  for (const { resource, key } of resolved.filter((each) => !isFoundation(each))) {
    try {
      const live = await client.find(resource, key, { signal });
      if (live?.metadata.deletionTimestamp === undefined) continue;
      const body = { metadata: { finalizers: null } };
      await client.patch(resource, key, { type: 'merge', body }, { signal });
    } catch (error) {
      if (!isNotFound(error) && !isTypeNotServed(error)) throw error;
    }
  }
}

interface UninstallRequest extends Pick<RemoveRequest, 'onOutcome' | 'onProgress'> {
  readonly client: KubeClient;
  readonly release: OlmRelease;
  /** Send all requests as a server-side dry run; delete nothing. */
  readonly dryRun?: boolean | undefined;
  /** Also delete the operators that OLM manages, and remove finalizers that OLM's operators do not remove. */
  readonly force?: boolean | undefined;
  /** Milliseconds to wait for each step of the removal. */
  readonly timeout: number;
  /** Milliseconds between two polls. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once before anything is deleted, with findings for objects outside of the release that are lost. Throws an error to cancel the
   * removal.
   */
  readonly onConfirm: (losses: readonly Finding[]) => Promise<void>;
}
