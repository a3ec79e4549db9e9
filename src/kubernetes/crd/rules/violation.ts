import type { CodesOf } from '../../../base/errors/index.ts';
import { jsonMapOf, type JsonMap } from '../../../base/util/json-map.ts';

/** The keys and indices that lead from a document to a part of it. */
export type FieldPath = readonly (string | number)[];

/** One way in which a CustomResourceDefinition breaks a rule. Whether it is an error or a warning says `severityOf` of its code. */
export interface Violation {
  /** From the document down. What is missing has the path of what it is missing from, or its own. */
  readonly path: FieldPath;
  readonly code: CodesOf<'crd'>;
  /** Subject, what was expected, what was found. */
  readonly message: string;
  readonly fix: string;
}

/** Takes a violation of the rule that is being checked. */
export type Add = (path: FieldPath, message: string, fix: string) => void;

/** Collects what a check finds under one code. */
export function collect(code: CodesOf<'crd'>, check: (add: Add) => void): readonly Violation[] {
  const found: Violation[] = [];
  check((path, message, fix) => void found.push({ path, code, message, fix }));
  return found;
}

/** Limit of etcd for one request, in bytes, if its `--max-request-bytes` is left alone. */
const ETCD_LIMIT = 1_572_864;
/** From here on the API server's own additions (managed fields, status) and the next release may reach the limit. */
const WARN_FROM = 0.85 * ETCD_LIMIT;

/** The size of a definition as the API server stores it: JSON, without what servers add. */
export function sizeOf({ apiVersion, kind, metadata, spec }: JsonMap): number {
  const { name, labels, annotations } = jsonMapOf(metadata);
  const document = { apiVersion, kind, metadata: { name, labels, annotations }, spec };
  return Buffer.byteLength(JSON.stringify(document));
}

/** Checks that a definition can be stored. */
export function checkSize(document: JsonMap): readonly Violation[] {
  const bytes = sizeOf(document);
  if (bytes <= WARN_FROM) return [];
  const isTooLarge = bytes > ETCD_LIMIT;
  return [
    {
      path: [],
      code: isTooLarge ? 'crd/too-large' : 'crd/nearly-too-large',
      message: `the definition has ${bytes} bytes as JSON; etcd takes ${ETCD_LIMIT} in one request`,
      fix: 'remove descriptions, or keep unknown fields (x-kubernetes-preserve-unknown-fields) where the schema is deepest',
    },
  ];
}
