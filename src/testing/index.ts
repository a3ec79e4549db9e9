/**
 * Tools for the tests of operators: an API server in memory (`api/`), a real control plane (etcd and kube-apiserver as child
 * processes, see `control-plane/`), the binaries for it (`assets/`), matchers, round trips of conversions, and waiting for what becomes true later. Public
 * as `opsdk/testing`; the types of the matchers, which need vitest, as `opsdk/testing/vitest`.
 * `process/` makes sure that nothing outlives the test, `x509/` makes certificates, `http/`, `crds/` and `webhooks/`
 * (the API server asks an operator on this machine; `op-sdk dev` and `run` use it too) set things up.
 */
export { startControlPlane } from './control-plane/start-control-plane.ts';
export type {
  AuditEvent,
  AuditLevel,
  AuditPolicy,
  AuditStage,
  ControlPlane,
  ControlPlaneOptions,
  KubeconfigFile,
} from './control-plane/types.ts';
export type { ControlPlaneWebhookOptions, ControlPlaneWebhooks } from './webhooks/control-plane-webhooks.ts';
export { callWebhook, type WebhookCall, type WebhookOutcome } from './webhooks/call-webhook.ts';
export type { ServingCertificate } from './webhooks/serving-certificate.ts';
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
export { defaultVersion } from './assets/version.ts';
export { installAssets, type AssetsRequest } from './assets/install-assets.ts';
export { resolveAssets, type ResolvedAssets } from './assets/resolve-assets.ts';
export { listAssets, type AssetSource, type CachedAssets, type Env } from './assets/cache.ts';
export { removeAssets } from './assets/remove-assets.ts';
