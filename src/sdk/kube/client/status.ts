/** Answer of the API server in place of an object. Source: apimachinery `metav1.Status`. */
export interface Status {
  /** Tells it from other objects. */
  readonly kind: 'Status';
  /** `Success` or `Failure`. */
  readonly status?: string;
  /** For people. */
  readonly message?: string;
  /** For machines: `NotFound`, `Conflict`, `Invalid`, … */
  readonly reason?: string;
  /** The HTTP status. */
  readonly code?: number;
  /** Which object it is about, and why; `retryAfterSeconds`: when to ask again. */
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly {
      readonly reason?: string;
      readonly message?: string;
      readonly field?: string;
    }[];
    readonly retryAfterSeconds?: number;
  };
}

export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'Status';
}
