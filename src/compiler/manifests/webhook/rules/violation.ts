import type { FieldPath } from '../../../../kubernetes/crd/index.ts';

/** One way in which a webhook breaks a rule of the API server. */
export interface WebhookViolation {
  /** From the document down, or from the webhook. */
  readonly path: FieldPath;
  /** Subject, what was expected, what was found. */
  readonly message: string;
  readonly fix: string;
}

/** Takes a violation. */
export type AddViolation = (path: FieldPath, message: string, fix: string) => void;
