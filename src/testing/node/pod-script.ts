import type { Container, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import type { ContainerExit } from './container-runtime.ts';

/** Demands of tests on Pods. Read again at every step, so that a change takes effect with the next step. */
export interface PodScript {
  /** True to keep the containers in `ContainerCreating`. */
  isHeld(pod: Pod): boolean;
  /** Reason for which an image cannot be pulled; undefined if it can. */
  pullFailure(pod: Pod, container: Container): string | undefined;
  /** True if the readiness probe fails. */
  isNotReady(pod: Pod, container: Container): boolean;
  /** Returns the exit with which a container ends as soon as it starts; undefined if it runs. */
  endsAtStart(pod: Pod, container: Container): ContainerExit | undefined;
}

/** Checks of the objects that a Pod needs before its containers can be created. */
export interface PodNeeds {
  /** Returns the reason for which a volume cannot be mounted; undefined if all can. */
  volumeProblem(pod: Pod): string | undefined;
  /** Returns the reason for which the environment of a container cannot be created; undefined if it can. */
  environmentProblem(pod: Pod, container: Container): string | undefined;
}
