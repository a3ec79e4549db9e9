/**
 * Handles operators on a cluster: applies the objects of a project and deletes them, waits for the rollout, runs the operator outside of
 * the cluster, and checks for missing prerequisites. Reports errors of the API server and the state of the Pods together with the positions
 * in the project's files.
 */
export { clusterCodes } from './codes.ts';
export { applyObjects, type AppliedObject, type ApplyRequest } from './apply/apply-objects.ts';
export { type ShownChange, shortJson } from './changes/compare-objects.ts';
export { diffObjects, type DiffAction, type ObjectDiff, diffPruned } from './changes/diff-objects.ts';
export { refusal, refusalAfter, installableCrds } from './apply/installable-crds.ts';
export {
  outcomeOf,
  titleOf,
  type ClusterObject,
  type ObjectAction,
  type ObjectOutcome,
  isCrd,
  isCopiedByOlm,
  notCopied,
  isFoundation,
} from './objects/cluster-object.ts';
export { patientClient } from './patient-client.ts';
export { pollCluster, quietClient } from './clients.ts';
export { defaultImageWarnings, imageNotUsed, replaceImage } from './operator-image.ts';
export { readableType } from './remove/namespace-objects.ts';
export { removeObjects, type RemoveRequest } from './remove/remove-objects.ts';
export { impactFinding, type DeletionImpact } from './remove/deletion-impact.ts';
export { verifyCrds, type VerifyRequest } from './verify/verify-crds.ts';
export { podProblems, type PodLike, type PodProblem, imageFixes, podFixes } from './rollout/pod-problems.ts';
export { rolloutStatus } from './rollout/rollout-status.ts';
export { waitRollout, type RolloutRequest } from './rollout/wait-rollout.ts';
export { lastLogLines, lastWarning, describePods, problemsOf, readLog } from './rollout/describe-pods.ts';
export { judgeAudit, type AuditReport, type Forbidden } from './audit/judge-audit.ts';
export { runAudit } from './audit/run-audit.ts';
export { OperatorProcesses } from './dev/operator-processes.ts';
export { OperatorRestarter } from './dev/restarter.ts';
export { ObjectWatch, watchedTypes } from './dev/watch-objects.ts';
export { diagnose, type CheckResult } from './doctor/diagnose.ts';
export type { DoctorWorld } from './doctor/facts.ts';
export { bringAccess, OperatorIdentity } from './identity/operator-identity.ts';
export { accountUser, type OperatorAccess, operatorAccess } from './identity/operator-access.ts';
export { findParent, type Inventory, openInventory } from './inventory/inventory.ts';
export { formerOperatorFinding } from './inventory/former-operators.ts';
export { leftOverFinding, keptFinding, unreadFinding, type Leftovers } from './inventory/leftovers.ts';
export type { Member } from './inventory/members.ts';
export { pruneMembers } from './inventory/prune-members.ts';
export { openRemoval } from './inventory/removal.ts';
export type { OperatorSettings } from './live/feed/feed-server.ts';
export {
  moveOwnership,
  surveyOwnership,
  type OwnedObject,
  type OwnershipRequest,
  type OwnershipResult,
  type OwnershipSurvey,
  type OwnershipTarget,
} from './ownership/migrate-ownership.ts';
export { checkOwnershipAccess, kindText } from './ownership/ownership-access.ts';
export type { OwnershipMove, Takers } from './ownership/plan-ownership.ts';
export {
  readKindSelection,
  selectKinds,
  selectionText,
  type KindSelection,
} from './ownership/select-kinds.ts';
export { LiveSession } from './live/live-session.ts';
export { serveLive } from './live/serve-live.ts';
export { withoutUnservedMonitoring } from './objects/left-out-kinds.ts';
export { resolveObjects } from './objects/resolve-objects.ts';
export { checkDefinitions, exitCodeOfProcess, runOperator, type Inspection } from './run/run-operator.ts';
export { checkKinds } from './run/check-kinds.ts';
export {
  checkStorage,
  type ProjectDefinition,
  type VersionUse,
  readStoredDefinition,
  type StoredDefinition,
} from './storage/check-storage.ts';
export { migrateStorage, type Migration } from './storage/migrate-storage.ts';
export { LocalWebhooks } from './webhooks/local-webhooks.ts';
export { removeLeftovers } from './webhooks/remove-leftovers.ts';
export { runWebhookGuard } from './webhooks/webhook-guard.ts';
