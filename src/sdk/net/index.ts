/**
 * Networking that is independent of Kubernetes and registries: proxies and tunnels, waits, timeouts and retries, downloads, redaction of
 * secrets. A leaf module that imports only `errors`. Bundled into operators. The HTTP client must be imported from `wire.ts`: if this
 * module exported it, every operator would load it at start-up.
 */
export {
  giveUpOn,
  isAbort,
  onAbort,
  toError,
  untilAborted,
  waitFor,
  pause,
  systemClock,
  currentClock,
  withClock,
  inContext,
  type Clock,
} from './waits.ts';
export { reachOf, unbracketed, type Reach, parseProxy, proxyFor, openTunnel, TunnelError } from './proxy.ts';
export { Backoff, type BackoffSettings, SharedWait, type SharedRun } from './shared-wait.ts';
export { download, DownloadError, type DownloadOptions } from './download.ts';
export { poll, type PollOptions } from './poll.ts';
export { parseListenAddress, type ListenAddress } from './listen-address.ts';
export { outsideWaits, type OutsideWait, type SlowWait } from './outside-waits.ts';
export { createRedactor, redactValue, renewedSecret, secrets, type Redactor } from './redact.ts';
export { parseRetryAfter } from './retry-after.ts';
export { WireError, type WireErrorKind } from './wire-error.ts';
export { createWire, type Wire, type WireResponse } from './wire.ts';
