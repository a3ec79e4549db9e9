import type { Clock } from '../../sdk/net/index.ts';
import { ContainerLog } from './container-log.ts';
import type { ContainerRuntime } from './container-runtime.ts';

/** Time in milliseconds after which a container that should complete, such as that of a Job, ends with exit code 0. */
const workTime = 1000;

/**
 * Returns a runtime that starts nothing. Init containers, and containers of Pods that are not always restarted, such as those of Jobs, end
 * with exit code 0 after a second. Others run until they are stopped, and then end at once.
 */
export function pretendingRuntime(clock: Clock, now: () => Date): ContainerRuntime {
  return {
    start({ pod }, container, { exited }) {
      const isInit = pod.spec?.initContainers?.some(({ name }) => name === container.name) === true;
      const isSidecar = isInit && container.restartPolicy === 'Always';
      const ends = !isSidecar && (isInit || (pod.spec?.restartPolicy ?? 'Always') !== 'Always');
      const cancel = ends ? clock.after(workTime, () => exited({ exitCode: 0 })) : () => undefined;
      return {
        log: new ContainerLog(now),
        stop() {
          cancel();
          exited({ exitCode: 0 });
        },
      };
    },
    forget: () => undefined,
  };
}
