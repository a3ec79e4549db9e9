import type { CodesOf } from '../../../base/errors/index.ts';
import { jsonMapOf, type JsonMap } from '../../../base/util/json-map.ts';

/** The keys and indices that lead from a document to a part of it. */
export type FieldPath = readonly (string | number)[];

/**
 * Violation of a rule by a CustomResourceDefinition. Call `severityOf` with the code to learn if the violation is an error or a warning.
 */
export interface Violation {
  /**
   * Path from the root of the document. A missing part is reported either at the path of its parent, or at the path where it is missing.
   */
  readonly path: FieldPath;
  readonly code: CodesOf<'crd'>;
  /** Message with the subject, the expected value and the found value, in this order. */
  readonly message: string;
  readonly fix: string;
}

/** Adds a violation of the rule that is being checked. */
export type Add = (path: FieldPath, message: string, fix: string) => void;

/** Runs a check, and returns all violations that the check adds, each with the given code. */
export function collect(code: CodesOf<'crd'>, check: (add: Add) => void): readonly Violation[] {
  const found: Violation[] = [];
  check((path, message, fix) => void found.push({ path, code, message, fix }));
  return found;
}

/** Maximum size of a request to etcd, in bytes: the default of `--max-request-bytes`. */
const ETCD_LIMIT = 1_572_864;
/**
 * Size in bytes above which a definition gets a warning. A larger definition may exceed the limit of etcd when the API server adds managed
 * fields and the status, or when the next release adds fields.
 */
const WARN_FROM = 0.85 * ETCD_LIMIT;

/** Returns the size of a definition as stored JSON, in bytes. Fields that the API server adds are not counted. */
export function sizeOf({ apiVersion, kind, metadata, spec }: JsonMap): number {
  const { name, labels, annotations } = jsonMapOf(metadata);
  const document = { apiVersion, kind, metadata: { name, labels, annotations }, spec };
  return Buffer.byteLength(JSON.stringify(document));
}

/** Checks that a definition is small enough to be stored in etcd. */
export function checkSize(document: JsonMap): readonly Violation[] {
  const bytes = sizeOf(document);
  if (bytes <= WARN_FROM) return [];
  const isTooLarge = bytes > ETCD_LIMIT;
  return [
    {
      path: [],
      code: isTooLarge ? 'crd/too-large' : 'crd/nearly-too-large',
      message: `the definition has ${bytes} bytes as JSON; etcd accepts at most ${ETCD_LIMIT} in one request`,
      fix: 'remove descriptions, or keep unknown fields (x-kubernetes-preserve-unknown-fields) where the schema is deepest',
    },
  ];
}
