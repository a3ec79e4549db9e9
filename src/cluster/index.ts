/**
 * Operators on a cluster: puts the objects of a project there and takes them away again, waits for what they become, runs the
 * operator against a cluster from outside, and looks for what is missing. Says what the API server and the Pods say in terms
 * of the project's files.
 */
export { applyObjects, type AppliedObject, type ApplyRequest } from './apply/apply-objects.ts';
export {
  titleOf,
  type ClusterObject,
  type ObjectAction,
  type ObjectOutcome,
} from './objects/cluster-object.ts';
export { defaultImageWarnings, imageNotUsed, replaceImage } from './operator-image.ts';
export { removeObjects, type RemoveRequest } from './remove/remove-objects.ts';
export { impactFinding, type DeletionImpact } from './remove/deletion-impact.ts';
export { verifyCrds, type VerifyRequest } from './verify/verify-crds.ts';
export { waitRollout, type RolloutRequest } from './rollout/wait-rollout.ts';
