import type { PodLike } from './pod-problems.ts';

/** Reasons that no repetition mends. Source: pkg/kubelet/images/types.go */
const finalReasons: ReadonlySet<string> = new Set(['InvalidImageName', 'ErrImageNeverPull']);

/** `ImagePullBackOff` quotes the answer to the last pull. */
const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

/** The answers of registries, in the words of containerd, CRI-O and docker, that are the same the next time. */
const finalAnswers =
  /not found|manifest unknown|name unknown|does not exist|access denied|unauthorized|authentication required|authorization failed|forbidden|no match for platform/i;

/** Answers that pass: a node does not reach its registry for a while. */
const passingAnswers =
  /\blookup\b|dial tcp|timeout|timed out|connection re(?:fused|set)|too ?many ?requests|rate limit|\b(?:429|50\d)\b/i;

/** The image that a Pod cannot have and will not get by itself; undefined if there is none. */
export function imageNotToBePulled({ status }: PodLike): string | undefined {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const failed = containers.find(({ state }) => {
    const { reason = '', message = '' } = state?.waiting ?? {};
    if (finalReasons.has(reason)) return true;
    return pullReasons.has(reason) && finalAnswers.test(message) && !passingAnswers.test(message);
  });
  return failed && (failed.image ?? `that of container ${failed.name}`);
}
