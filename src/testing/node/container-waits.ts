// States and Events of containers that cannot be started now. Source: kubelet, `pkg/kubelet/kuberuntime` and `pkg/kubelet/images`.
import type { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { EventRecorder } from '../../sdk/runtime/index.ts';
import { waiting, type Slot } from './container-slot.ts';

/** Lets a container that has ended wait before it is started again. */
export function backOff(
  { metadata: { name, namespace, uid } }: Pod,
  slot: Slot,
  events: EventRecorder,
): void {
  const { container, delay, state } = slot;
  const pod = `${name}_${namespace}(${uid})`;
  if (state.waiting?.reason !== 'CrashLoopBackOff')
    events.warning('BackOff', `Back-off restarting failed container ${container.name} in pod ${pod}`);
  const time = duration(Math.max(Math.round(delay / 1000), 1));
  const message = `back-off ${time} restarting failed container=${container.name} pod=${pod}`;
  slot.state = waiting('CrashLoopBackOff', message);
}

/** Records that the image of a container cannot be pulled. @returns true the first time, before the kubelet backs off */
export function refuseImage(slot: Slot, failure: string, events: EventRecorder): boolean {
  const image = `image "${slot.container.image}"`;
  const reason = slot.state.waiting?.reason;
  const isFirst = reason !== 'ErrImagePull' && reason !== 'ImagePullBackOff';
  if (isFirst) {
    events.warning('Failed', `Failed to pull ${image}: ${failure}`);
    events.warning('Failed', 'Error: ErrImagePull');
    slot.state = waiting('ErrImagePull', failure);
    return true;
  }
  if (reason === 'ErrImagePull') {
    events.normal('BackOff', `Back-off pulling ${image}`);
    events.warning('Failed', 'Error: ImagePullBackOff');
  }
  slot.state = waiting('ImagePullBackOff', `Back-off pulling ${image}: ErrImagePull: ${failure}`);
  return false;
}

/** Records that the environment of a container cannot be created. */
export function refuseEnvironment(slot: Slot, problem: string, events: EventRecorder): void {
  if (slot.state.waiting?.message !== problem) events.warning('Failed', `Error: ${problem}`);
  slot.state = waiting('CreateContainerConfigError', problem);
}

/** Writes seconds as Go does: `10s`, `1m20s`. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}
