/**
 * Operators on a cluster: applies the objects of a project and deletes them, waits for the rollout, runs the operator against
 * a cluster from outside, and checks what is missing. Reports the answers of the API server and the state of the Pods with
 * the places in the project's files.
 */
export { applyObjects, type AppliedObject, type ApplyRequest } from './apply/apply-objects.ts';
export type { ShownChange } from './changes/compare-objects.ts';
export { diffObjects, type DiffAction, type ObjectDiff } from './changes/diff-objects.ts';
export { diffPruned } from './changes/diff-pruned.ts';
export { shortJson } from './changes/short-json.ts';
export { refusal } from './apply/refusal.ts';
export { installableCrds } from './apply/installable-crds.ts';
export {
  outcomeOf,
  titleOf,
  type ClusterObject,
  type ObjectAction,
  type ObjectOutcome,
} from './objects/cluster-object.ts';
export { isCopiedByOlm, notCopied } from './objects/copied-by-olm.ts';
export { patientClient } from './patient-client.ts';
export { pollCluster } from './poll-cluster.ts';
export { defaultImageWarnings, imageNotUsed, replaceImage } from './operator-image.ts';
export { readableType } from './remove/custom-objects.ts';
export { quietClient } from './quiet-client.ts';
export { removeObjects, type RemoveRequest } from './remove/remove-objects.ts';
export { impactFinding, type DeletionImpact } from './remove/deletion-impact.ts';
export { verifyCrds, type VerifyRequest } from './verify/verify-crds.ts';
export { podProblems, type PodLike, type PodProblem } from './rollout/pod-problems.ts';
export { imageFixes, podFixes } from './rollout/pod-fixes.ts';
export { rolloutStatus } from './rollout/rollout-status.ts';
export { waitRollout, type RolloutRequest } from './rollout/wait-rollout.ts';
export { lastLogLines, lastWarning } from './rollout/describe-pods.ts';
