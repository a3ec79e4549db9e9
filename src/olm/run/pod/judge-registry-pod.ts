import type { PodLike } from '../../../cluster/index.ts';
import { textOf } from '../../bundle/validate/fields.ts';
import { done, failedBy, waitingFor, type Judgement } from '../judgement.ts';
import { podCause, podProgress, registryPods } from '../workload-causes.ts';

type RegistryPod = PodLike & { readonly status?: { readonly podIP?: string } };

/** The address of the Pod; `''` as long as it does not have one. */
export function addressOf(pod: PodLike | undefined): string {
  return textOf((pod as RegistryPod | undefined)?.status?.podIP);
}

/** Judges the progress of the Pod that serves a catalogue: `done` when it runs and can be reached. */
export function judgeRegistryPod(pod: PodLike | undefined, name: string): Judgement {
  if (pod === undefined) return waitingFor('catalog', `Pod ${name}: it does not exist yet`);
  if (pod.metadata.deletionTimestamp !== undefined)
    return waitingFor('catalog', `Pod ${name}: it is being deleted`);
  const cause = podCause([pod], registryPods);
  if (cause !== undefined) return cause;
  const { phase, reason, message } = pod.status ?? {};
  // It is restarted whenever it ends, unless its node has given it up.
  if (phase === 'Failed')
    return failedBy({
      ...registryPods.crash,
      message: `${registryPods.crash.message}: Pod ${name}: ${[reason, message].filter(Boolean).join(': ') || phase}`,
      object: pod,
      terminal: true,
    });
  const progress = podProgress([pod]);
  if (progress !== undefined) return waitingFor('catalog', `the catalogue: ${progress}`);
  return phase === 'Running' && addressOf(pod) !== ''
    ? done
    : waitingFor('catalog', `the catalogue: Pod ${name} is ${phase ?? 'new'}`);
}
