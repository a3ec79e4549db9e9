import { jsonMapOf, type JsonMap } from '../../../base/util/json-map.ts';
import type { Violation } from './violation.ts';

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
