import type { Pod } from 'opsdk/k8s/core/v1';
import { readResult, type Result } from './result.ts';

/** Returns the outcome that the program has written in one of the Pods of a Job; of several, that of the newest Pod. */
export function resultOfPods(pods: readonly Pod[]): Result | undefined {
  const newestFirst = [...pods].sort((a, b) => createdAt(b) - createdAt(a));
  for (const { status } of newestFirst) {
    for (const { state, lastState } of [
      ...(status?.initContainerStatuses ?? []),
      ...(status?.containerStatuses ?? []),
    ]) {
      const result = readResult(state?.terminated?.message ?? lastState?.terminated?.message);
      if (result !== undefined) return result;
    }
  }
  return undefined;
}

/** Returns true if a Pod of a Job has succeeded and none has a result. */
export function areSilent(pods: readonly Pod[]): boolean {
  return resultOfPods(pods) === undefined && pods.some(({ status }) => status?.phase === 'Succeeded');
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}
