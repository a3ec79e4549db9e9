import type { DeepReadonly } from 'opsdk';
import type { Pod } from 'opsdk/k8s/core/v1';

/** Causes for which a backup or a restore fails. They are reasons of conditions. After `RetentionFailed`, the backup itself is stored. */
export type FailureReason =
  | 'AccessDenied'
  | 'BackupDamaged'
  | 'BackupNotFound'
  | 'BucketNotFound'
  | 'JobFailed'
  | 'RetentionFailed'
  | 'UnexpectedError';

export interface Failure {
  readonly reason: FailureReason;
  readonly message: string;
}

/** Error with a reason that another attempt would not mend. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Exit code of a failure that another attempt would repeat. */
export const permanentFailure = 3;

/** Bytes of a termination message that the kubelet keeps. */
const longestMessage = 4096;

/** Returns the termination message of a program that has failed. The message of the error is cut so that all of it is valid JSON. */
export function failureText(error: unknown): string {
  const reason = error instanceof PermanentError ? error.reason : 'UnexpectedError';
  let message = error instanceof Error ? error.message : String(error);
  let text = JSON.stringify({ reason, message });
  while (Buffer.byteLength(text) > longestMessage) {
    message = message.slice(0, Math.floor(message.length * 0.75));
    text = JSON.stringify({ reason, message: `${message}…` });
  }
  return text;
}

/** Returns the failure that the program has written in the newest of its Pods. */
export function failureOfPods(pods: readonly DeepReadonly<Pod>[]): Failure | undefined {
  const timeOf = ({ metadata }: DeepReadonly<Pod>): number =>
    Date.parse(metadata.creationTimestamp ?? '') || 0;
  for (const { status } of [...pods].sort((a, b) => timeOf(b) - timeOf(a))) {
    const failure = readFailure(status?.containerStatuses?.[0]?.state?.terminated?.message);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Reads a termination message. One of another form, such as lines of a log, gives undefined: it comes from another process. */
export function readFailure(text: string | undefined): Failure | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { reason, message } = value as Readonly<Record<string, unknown>>;
  const isReason = typeof reason === 'string' && /^[A-Z][A-Za-z]{0,99}$/.test(reason);
  return isReason && typeof message === 'string' ? { reason: reason as FailureReason, message } : undefined;
}
