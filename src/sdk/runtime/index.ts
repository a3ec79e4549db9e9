/**
 * The parts that run inside an operator: manager, controllers, cache, queue, health, metrics, logs, and helpers for reconciles. All parts
 * are level-triggered: a reconcile gets the object, never the event that occurred. No part exits the process, watches an undeclared kind,
 * or changes an object that it receives.
 */
export { conditionsOf, type ConditionList } from './conditions.ts';
export {
  allOf,
  annotationsChanged,
  anyOf,
  defaultPredicate,
  generationChanged,
  labelsChanged,
  matchesLabels,
  not,
  resourceVersionChanged,
  defineController,
  every,
  from,
  owned,
  readSchedule,
  requeueAfter,
  terminalError,
  waitingFor,
  watch,
  type Controller,
  type ControllerOptions,
  type CronSchedule,
  type ScheduleTimes,
  type ErrorContext,
  type ForgetContext,
  type KeySource,
  type MapContext,
  type ObjectKeys,
  type ObjectWatch,
  type OwnedKind,
  type OwnedOptions,
  type Predicate,
  type ReconcileContext,
  type ReconcileObservation,
  type ReconcileObserver,
  type ReconcileTrigger,
  type ReconcileResult,
  type Reconciled,
  type RetryBackoff,
  type SourceContext,
  type ClusterHandle,
  type WatchOptions,
} from './controller/index.ts';
export {
  cached,
  defineIndex,
  type CachedKind,
  type CachedReader,
  type Index,
  type IndexOptions,
  type ObjectEvent,
  type Selection,
} from './cache/index.ts';
export { certificateAuthority, type CertificateAuthorityOptions } from './certificate-authority.ts';
export type {
  CertificateAuthority,
  CertificateRequest,
  CertificateUsage,
  KeyPair,
  Validity,
} from '../x509/certificate-authority.ts';
export { hashOf } from './hash-of.ts';
export { programHost } from './program-host.ts';
export { milliValue } from '../../base/util/quantity.ts';
export { matchesSelector } from './matches-selector.ts';
export { isReady, ownerThrough } from './workloads.ts';
export { mutableCopy } from './deep-freeze.ts';
export type {
  ControllerClient,
  CreateOrUpdateResult,
  Operation,
  OtherClusterClient,
} from './client/index.ts';
export type { EventOptions, EventRecorder } from './events/index.ts';
export type { HealthCheck, HealthReport } from './http/index.ts';
export { durationMs, type DurationLike } from './duration.ts';
export {
  createLogger,
  type LogFormat,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from './create-logger.ts';
export {
  operatorMain,
  type CommandContext,
  type OperatorContext,
  type OperatorFlags,
  type OperatorMainOptions,
} from './main/index.ts';
export {
  createManager,
  type AddClusterOptions,
  type Manager,
  type ManagerOptions,
  type Runnable,
  type RunnableContext,
  type WebhooksOptions,
} from './manager/index.ts';
export type { LeaderElectionOptions } from './election/index.ts';
export { loadManifest } from './load-manifest.ts';
export { metricsRegistry, type MetricsOptions, type ReconcileOutcome } from './metrics/index.ts';
export {
  operatorCondition,
  type OperatorCondition,
  type OperatorConditionOptions,
  type ReportedCondition,
} from './operator-condition.ts';
export type { CertificateFiles } from './certificate/index.ts';
export {
  defineConversion,
  type Body,
  type ConvertedBody,
  type ConversionOf,
  type HubConversion,
  type SpokeConversion,
  type UntypedConversion,
} from './conversion/index.ts';
export {
  defineWebhook,
  type SelfSignedOptions,
  type SelfSignedSettings,
  type AdmissionContext,
  type AdmissionOperation,
  type AdmissionRequest,
  type AdmissionSettings,
  type AnyWebhook,
  type FieldError,
  type Submitted,
  type Validated,
  type Webhook,
  type WebhookOptions,
} from './webhook/index.ts';
export { permitted, type Permitted } from './permitted.ts';
export { ownedBy, ownerReference, setControllerReference } from './owner/index.ts';
export { Cache } from './cache/cache.ts';
export { OwnWrites, StoreReader } from './cache/store-reader.ts';
export { CacheBackedClient } from './client/cache-backed-client.ts';
export { convertObject } from './conversion/convert-object.ts';
export { parseLossyPath, withoutPaths } from './conversion/lossy-paths.ts';
export { EventWriter } from './events/event-writer.ts';
export { recorderFor } from './events/event-recorder.ts';
export { microTime } from './events/series.ts';
export { isTerminalError, unwrapTerminalError } from './controller/result.ts';
export type { RunEnd, RunMessage } from './diagnostics.ts';
export type { WebhookMessage } from './webhook/server/serve-webhooks.ts';
export { prepareController, type PreparedController } from './manager/prepare-controller.ts';
export {
  answerAdmission,
  type AdmissionEnvironment,
  type AdmissionResponse,
  type Door,
} from './webhook/admission/answer-admission.ts';
