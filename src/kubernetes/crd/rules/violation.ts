import type { CrdCode } from '../../../base/errors/index.ts';

/** The keys and indices that lead from a document to a part of it. */
export type FieldPath = readonly (string | number)[];

/** One way in which a CustomResourceDefinition breaks a rule. Whether it is an error or a warning says `severityOf` of its code. */
export interface Violation {
  /** From the document down. What is missing has the path of what it is missing from, or its own. */
  readonly path: FieldPath;
  readonly code: CrdCode;
  /** Subject, what was expected, what was found. */
  readonly message: string;
  readonly fix: string;
}

/** Takes a violation of the rule that is being checked. */
export type Add = (path: FieldPath, message: string, fix: string) => void;

/** Collects what a check finds under one code. */
export function collect(code: CrdCode, check: (add: Add) => void): readonly Violation[] {
  const found: Violation[] = [];
  check((path, message, fix) => void found.push({ path, code, message, fix }));
  return found;
}
