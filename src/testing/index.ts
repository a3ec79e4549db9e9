/**
 * Tools for the tests of operators: an in-memory API server (`api/`), a real control plane (etcd and kube-apiserver as child processes, see
 * `control-plane/`), its binaries (`assets/`), matchers, round trips of conversions, and waiting for eventual conditions. The public part
 * is exported by `src/testing.ts`. `process/` ensures that no process outlives the test, and `x509/` creates certificates. `http/`, `crds/`
 * and `webhooks/` set up a control plane; `webhooks/` (calls from the API server to an operator on this machine) is also used by `op-sdk
 * dev` and `run`.
 */
export { startControlPlane, bootControlPlane } from './control-plane/start-control-plane.ts';
export type {
  AuditEvent,
  AuditLevel,
  AuditPolicy,
  AuditStage,
  ControlPlane,
  ControlPlaneOptions,
  KubeconfigFile,
} from './control-plane/types.ts';
export type {
  ContainerExit,
  ContainerProcess,
  ContainerToRun,
  DrainOptions,
  NodeOptions,
  PodDemand,
  PodSelector,
  Processes,
  ProcessFor,
  ProgramSettings,
  TestNode,
  TestNodes,
  TestPods,
} from './node/index.ts';
export type { ControlPlaneWebhookOptions, ControlPlaneWebhooks } from './webhooks/control-plane-webhooks.ts';
export { callWebhook, type WebhookCall, type WebhookOutcome } from './webhooks/call-webhook.ts';
export { type ServingCertificate, makeServingCertificate } from './webhooks/serving-certificate.ts';
export { createTestApi } from './api/create-test-api.ts';
export type {
  InterceptAnswer,
  InterceptMatch,
  Refusal,
  TestApi,
  TestApiOptions,
  TestEvent,
  TestRequest,
  TestVerb,
} from './api/types.ts';
export { expectRoundTrip, type RoundTripOptions } from './round-trip/expect-round-trip.ts';
export { eventually, type EventuallyOptions } from './eventually.ts';
export {
  kubernetesMatchers,
  type ConditionStatus,
  type ExpectedCondition,
  type MatcherResult,
} from './matchers.ts';
export { defaultVersion, parseVersion } from './assets/version.ts';
export {
  installAllAssets,
  installAssets,
  type AssetsRequest,
  missingAssets,
  removeAssets,
  resolveAssets,
  type ResolvedAssets,
} from './assets/install-assets.ts';
export { listAssets, type AssetSource, type CachedAssets, type Env } from './assets/cache.ts';
export { missingBinaries } from './assets/binaries.ts';
export { shareControlPlane, sharedVariable } from './control-plane/join-control-plane.ts';
export { NodeTurns } from './control-plane/node-turns.ts';
export { isTestenvKubeconfig } from './control-plane/controller-manager.ts';
export { freePort, listenError } from './control-plane/ports.ts';
export {
  leftConversion,
  restoringCommand,
  restoreConversion,
  serviceConversions,
  takeConversion,
  type TakenConversion,
} from './webhooks/conversions.ts';
export {
  localOwner,
  type LocalMarks,
  localLabel,
  asksService,
  withWebhookUrls,
  type WebhookServer,
  isWebhookConfiguration,
} from './webhooks/with-webhook-urls.ts';
export { readCrdDefinitions, readCrdFiles, readWebhookFiles } from './manifest-files.ts';
export { waitUntilAsked } from './webhooks/wait-until-asked.ts';
export { writingTo } from './writing-to.ts';
export { casesReader, readCases, unknownKinds, type CrdCase } from './crds/read-cases.ts';
export {
  caseKinds,
  notRun,
  runCase,
  type CaseKind,
  type CaseResult,
  type Cause,
  type KindCases,
} from './crds/run-cases.ts';
export { runInMemory } from './crds/run-in-memory.ts';
