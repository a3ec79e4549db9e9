import type { KubeObject } from '../../sdk/api/index.ts';
import { ApiError, type KubeClient } from '../../sdk/kube/index.ts';

interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** A cluster with more of them has one that can be used. */
const looked = 50;

/**
 * Finds whether nodes can take Pods: `none` at all, `unready` if not one of them is ready and takes Pods.
 *
 * @returns `usable` also if the nodes may not be read
 */
export async function nodesOf(
  client: KubeClient,
  signal: AbortSignal | undefined,
): Promise<'none' | 'unready' | 'usable'> {
  try {
    const answer = await client.raw.request({ path: '/api/v1/nodes', query: { limit: looked }, signal });
    const { metadata, items } = answer.json<{
      readonly metadata?: { readonly continue?: string };
      readonly items?: readonly Node[] | null;
    }>();
    const nodes = items ?? [];
    if (nodes.length === 0) return 'none';
    return (metadata?.continue ?? '') !== '' || nodes.some(isUsable) ? 'usable' : 'unready';
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return 'usable';
    throw error;
  }
}

function isUsable({ spec, status }: Node): boolean {
  const isReady = (status?.conditions ?? []).some((each) => each.type === 'Ready' && each.status === 'True');
  return isReady && spec?.unschedulable !== true;
}
