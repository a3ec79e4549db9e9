import type { Affected, ChangeCode, Severity } from './change-codes.ts';

/** One difference between two CustomResourceDefinitions. Plain JSON. */
export interface CrdChange {
  /** Stable. See {@link changeCodes} for what each means. */
  readonly code: ChangeCode;
  readonly severity: Severity;
  readonly affects: readonly Affected[];
  /** The name of the CustomResourceDefinition. */
  readonly crd: string;
  /** The version; absent for what belongs to all of them. */
  readonly version?: string;
  /**
   * A field of the objects (`.spec.ports[].name`; `.*` is every value of a map), or of the definition where the change is about
   * the definition itself (`spec.names.kind`). `.` is the object itself.
   */
  readonly path: string;
  /** The change, as a part of a sentence. */
  readonly message: string;
  /** Why it is breaking, or what to know. */
  readonly explanation: string;
  /** True if validation ratcheting softens it: an update that leaves an invalid value as it is passes. */
  readonly ratcheted: boolean;
  /** Somebody accepts it: it does not count. */
  readonly waived?: { readonly reason: string; readonly until: string };
}

/** A change as a rule reports it; the rest follows from the code and the place. */
export interface ReportedChange {
  readonly code: ChangeCode;
  readonly message: string;
  /** Put behind the explanation of the code. */
  readonly note?: string;
  /** Default: whom the code says. */
  readonly affects?: readonly Affected[];
  /** Default: what the code says. */
  readonly ratcheted?: boolean;
}

/** Takes what a rule has found. */
export type Report = (change: ReportedChange) => void;
