import { Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { DrillCluster } from '../start-drill.ts';

/** Last characters of the log of a container. */
const tail = 3000;

/** Describes Pods for whoever reads the output of a failed test: their states, and the ends of their logs. */
export async function describePods(
  cluster: DrillCluster,
  namespace: string,
  labelSelector: string,
): Promise<string> {
  const { items } = await cluster.client.list(Pod, { namespace, labelSelector });
  const texts = await Promise.all(
    items.map(async ({ metadata, spec, status }) => {
      const { name, deletionTimestamp } = metadata;
      const states = JSON.stringify(
        status?.containerStatuses?.map(({ ready, restartCount, state, lastState }) => ({
          ...{ ready, restartCount, state, lastState },
        })),
      );
      const [container] = spec?.containers ?? [];
      const log = await cluster.log({ name, namespace }, container?.name ?? '').catch(String);
      const head = `${name} on ${spec?.nodeName} at ${status?.podIP}, ${status?.phase}${deletionTimestamp === undefined ? '' : `, deleted at ${deletionTimestamp}`}`;
      const waits = status?.conditions?.find(
        ({ type, status: is }) => type === 'PodScheduled' && is === 'False',
      );
      return `${head}: ${states ?? waits?.message}\n${(container?.command ?? []).join(' ')}\n${log.slice(-tail)}`;
    }),
  );
  return texts.join('\n\n');
}
