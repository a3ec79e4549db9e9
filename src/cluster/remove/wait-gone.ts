import type { KubeObject } from '../../sdk/api/index.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { pollCluster, type ClusterPollOptions } from '../poll-cluster.ts';
import { durationText } from '../../base/util/duration-text.ts';

/** An object that was deleted, by its identity: another one may get its name. */
export interface Deleted {
  readonly object: ClusterObject;
  readonly uid: string;
}

interface Conditioned extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

/**
 * Waits until deleted objects are gone, all of them together.
 *
 * @throws OpSdkError `cluster/not-deleted`, one finding for each that stays, with what holds it
 */
export async function waitGone(
  client: KubeClient,
  deleted: readonly Deleted[],
  options: ClusterPollOptions,
): Promise<void> {
  const findings = new FindingList();
  const left = new Map(deleted.map((each) => [each, undefined as KubeObject | undefined]));
  const look = async (): Promise<true | undefined> => {
    await inParallel([...left.keys()], async (each) => {
      const { object, uid } = each;
      const live = await client.find(object.resource, object.key, { signal: options.signal });
      if (live === undefined || live.metadata.uid !== uid) left.delete(each);
      else left.set(each, live);
    });
    return left.size === 0 ? true : undefined;
  };
  await pollCluster(look, options);
  for (const [{ object }, live] of left)
    findings.add(notDeleted(object, live as Conditioned, options.timeout));
  findings.throwIfAny();
}

function notDeleted({ title, where }: ClusterObject, live: Conditioned, timeout: number): Finding {
  const finalizers = (live.metadata.finalizers ?? []).filter(
    // The server's own; what it waits for is in the conditions.
    (each) => each !== 'customresourcecleanup.apiextensions.k8s.io',
  );
  const conditions = (live.status?.conditions ?? []).filter(
    ({ type, status }) => status === 'True' && /^(?:Namespace|Terminating)/.test(type),
  );
  const reasons = [
    ...(finalizers.length === 0 ? [] : [`it has the finalizers ${finalizers.join(', ')}`]),
    ...conditions.flatMap(({ message = '' }) => (message === '' ? [] : [message])),
  ];
  return {
    code: 'cluster/not-deleted',
    message: [`${title} is not gone after ${durationText(timeout)}`, ...reasons].join('; '),
    where,
    fix: ['start the operator that owns the finalizers, and run it again', 'or wait longer with --timeout'],
  };
}
