import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../sdk/k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { ApiError, isForbidden, type KubeClient } from '../../sdk/kube/index.ts';
import { leftConversion, restoreConversion, restoringCommand, localLabel } from '../../testing/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { asSeen, hostText, isLocal, urlsOf, useOf } from './other-configurations.ts';

/** Result of the removal, as messages for people. */
interface Leftovers {
  readonly done: readonly string[];
  /** Messages about objects that could not be removed, each with advice. */
  readonly problems: readonly string[];
}

/** Object through which the API server calls an operator outside of the cluster. */
interface Asker {
  readonly live: KubeObject;
  readonly urls: readonly string[];
  /** Message for the case that the object was removed. */
  readonly done: string;
  /** Name of the object for the message that it could not be removed. */
  readonly title: string;
  /** Message for the case that the object may still be in use. */
  readonly unknown: string;
  /** Removes the object. @returns false if somebody else has changed the object */
  readonly remove: () => Promise<boolean>;
}

/**
 * Removes the webhooks that a killed `op-sdk run` or `dev` of a project has left on a cluster: deletes webhook configurations and restores
 * conversions. Finds these objects by their op-sdk labels and annotations, even if the project no longer has their kinds and webhooks.
 * CustomResourceDefinitions and their custom objects are not deleted. Objects of a process that runs, or may run on another machine, are
 * not changed.
 *
 * If the user may not list such objects, nothing is removed. This is harmless, because a user who may not write such objects cannot have
 * left any.
 *
 * @throws ApiError; the reason of the signal
 */
export async function removeLeftovers(
  client: KubeClient,
  project: string,
  signal?: AbortSignal,
): Promise<Leftovers> {
  const options = { labelSelector: `${localLabel}=${project}`, signal };
  const list = <T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]> =>
    readable(() => client.list<Resource<T>>(resource, options));
  const [mutating, validating, definitions] = await Promise.all([
    list(MutatingWebhookConfiguration),
    list(ValidatingWebhookConfiguration),
    list(CustomResourceDefinition),
  ]);
  const askers = [
    ...mutating.flatMap((live) => configurationAsker(client, MutatingWebhookConfiguration, live, signal)),
    ...validating.flatMap((live) =>
      configurationAsker(
        client,
        ValidatingWebhookConfiguration,
        live as typeof live & MutatingWebhookConfiguration,
        signal,
      ),
    ),
    ...definitions.flatMap((live) => conversionAsker(client, live, signal)),
  ];
  // The objects are checked in parallel, because a connection attempt to an address that does not answer takes a while.
  const found = await inParallel(askers, (asker) => removeLeftover(asker, signal));
  return {
    done: found.flatMap(({ done }) => done),
    problems: found.flatMap(({ problems }) => problems),
  };
}

async function removeLeftover(
  { live, urls, done, title, unknown, remove }: Asker,
  signal: AbortSignal | undefined,
): Promise<Leftovers> {
  const nothing = { done: [], problems: [] };
  const use = await useOf(live, urls, signal);
  if (use === 'unknown') return { done: [], problems: [unknown] };
  if (use === 'used') return nothing;
  try {
    return (await remove())
      ? { done: [`${done}, which a killed op-sdk run or dev had left`], problems: [] }
      : nothing;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Another process has removed or changed the object meanwhile.
    if (error.status === 404 || error.status === 409) return nothing;
    return { done: [], problems: [`${title} is left: ${error.message}`] };
  }
}

function configurationAsker(
  client: KubeClient,
  resource: Resource<KubeObject>,
  live: MutatingWebhookConfiguration,
  signal: AbortSignal | undefined,
): readonly Asker[] {
  if (!isLocal(live)) return [];
  const { name } = live.metadata;
  const title = `${resource.kind} ${name}`;
  const remove = async (): Promise<boolean> => {
    await client.delete(resource, { name }, { preconditions: asSeen(live), signal });
    return true;
  };
  const unknown = `${title} is there of an op-sdk run or dev${hostText(live)}, and its operator does not answer; if it was killed: kubectl delete ${resource.plural} ${name}`;
  return [{ live, urls: urlsOf(live), title, done: `deleted ${title}`, unknown, remove }];
}

function conversionAsker(
  client: KubeClient,
  live: CustomResourceDefinition,
  signal: AbortSignal | undefined,
): readonly Asker[] {
  const left = leftConversion(live);
  if (left === undefined) return [];
  const title = `the conversion of ${left.name}`;
  const unknown = `the conversions of ${left.name} are asked of an op-sdk run or dev${hostText(live)}, which does not answer; if it was killed: ${restoringCommand(live, left)}`;
  const remove = (): Promise<boolean> => restoreConversion(client, left, signal);
  return [{ live, urls: [left.url], title, done: `put back ${title}`, unknown, remove }];
}

async function readable<T>(list: () => Promise<{ readonly items: readonly T[] }>): Promise<readonly T[]> {
  try {
    return (await list()).items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
