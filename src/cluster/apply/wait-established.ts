import type { KubeObject } from '../../api/index.ts';
import { OpSdkError } from '../../errors/index.ts';
import { ApiError, resourcePath, type KubeClient } from '../../kube/index.ts';
import { durationText, poll } from '../poll.ts';
import { crdTypes } from '../objects/crd-types.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';

interface Crd extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

/** Milliseconds; a healthy API server needs well under one second. */
const defaultTimeout = 30_000;

/**
 * Waits until a CustomResourceDefinition is accepted and established, and the API server answers for all its served versions.
 *
 * @throws OpSdkError `cluster/crd-not-accepted`, `cluster/crd-not-served`
 */
export async function waitEstablished(
  client: KubeClient,
  crd: ClusterObject,
  options: { readonly signal?: AbortSignal | undefined; readonly timeout?: number | undefined },
): Promise<void> {
  const { signal, timeout = defaultTimeout } = options;
  const { title, where } = crd;
  const served = await poll(
    async () => {
      const live = (await client.get(crd.resource, crd.key, { signal })) as Crd;
      const conditions = live.status?.conditions ?? [];
      const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
      if (refused !== undefined) {
        throw new OpSdkError({
          code: 'cluster/crd-not-accepted',
          message: `${title}: ${refused.message ?? 'its names are taken'}`,
          where,
          fix: ['choose other names, or remove the CustomResourceDefinition that has them'],
        });
      }
      const isTrue = (wanted: string): boolean =>
        conditions.some(({ type, status }) => type === wanted && status === 'True');
      const ready = isTrue('NamesAccepted') && isTrue('Established') && (await isServed(client, crd, signal));
      return ready ? true : undefined;
    },
    { timeout, interval: 100, signal },
  );
  if (served !== undefined) return;
  throw new OpSdkError({
    code: 'cluster/crd-not-served',
    message: `${title}: the API server does not answer for its kinds after ${durationText(timeout)}`,
    where,
    fix: [`look at its conditions: kubectl describe crd ${crd.key.name}`, 'then run it again'],
  });
}

/** The condition is true a moment before the handler answers. */
async function isServed(
  client: KubeClient,
  { object }: ClusterObject,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const type of crdTypes(object)) {
    try {
      await client.raw.request({ path: resourcePath(type, {}), query: { limit: 1 }, signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Who may not list is told so by a handler that answers; anything else than 404 is another matter than this one.
      if (error.status === 404 || error.status === 503) return false;
    }
  }
  return true;
}
