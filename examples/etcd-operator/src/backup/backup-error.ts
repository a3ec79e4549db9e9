import { StoreError, type StoreReason } from './stores/store-error.ts';

/** Causes for which a backup or a restore fails. They are reasons of conditions. */
export type FailureReason =
  | StoreReason
  | 'DeadlineExceeded'
  | 'EtcdUnreachable'
  | 'InvalidRequest'
  | 'SnapshotIncomplete'
  | 'UnexpectedError';

/** Error with the reason for which a backup or a restore fails. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** Returns the reason of any error of the program. */
export function reasonOf(error: unknown): FailureReason {
  return error instanceof BackupError || error instanceof StoreError ? error.reason : 'UnexpectedError';
}
