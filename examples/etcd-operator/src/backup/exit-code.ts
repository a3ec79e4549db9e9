import type { FailureReason } from './backup-error.ts';
import type { Result } from './result.ts';

/** Exit code of a failure that another attempt would repeat. */
export const permanentFailure = 3;

const permanent: ReadonlySet<FailureReason> = new Set([
  'AccessDenied',
  'BackupNotFound',
  'BucketNotFound',
  'ChecksumMismatch',
  'CredentialsInvalid',
  'InvalidRequest',
  'PathInvalid',
  'TooLarge',
]);

/** Returns the exit code of the program: 0, 1 for a failure that another attempt may mend, or {@link permanentFailure}. */
export function exitCodeOf(result: Result): number {
  if (!('failed' in result)) return 0;
  return permanent.has(result.failed.reason) ? permanentFailure : 1;
}
