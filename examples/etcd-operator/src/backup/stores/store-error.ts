/** Causes for which a call of a store fails. They are reasons of conditions. */
export type StoreReason =
  | 'AccessDenied'
  | 'BackupNotFound'
  | 'BucketNotFound'
  | 'ChecksumMismatch'
  | 'CredentialsInvalid'
  | 'PathInvalid'
  | 'StoreFailed'
  | 'StoreUnreachable'
  | 'TooLarge';

/** Error of a store. The message names the object and what the server said, and no secret. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly reason: StoreReason;
  /** True if the same call may succeed later, such as after an answer 503. */
  readonly retryable: boolean;

  constructor(
    reason: StoreReason,
    message: string,
    { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.retryable = retryable;
  }
}

/** Returns the reason for an answer with an HTTP status other than the expected ones. */
export function reasonOfStatus(status: number): StoreReason {
  if (status === 401 || status === 403) return 'AccessDenied';
  if (status === 404 || status === 410) return 'BackupNotFound';
  return 'StoreFailed';
}

/** Returns true for HTTP statuses after which the same request may succeed. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
