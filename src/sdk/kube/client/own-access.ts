import type { Connection } from './connection.ts';

/** An action whose permission is checked: on a resource, or on another path. Source: `authorization.k8s.io/v1`. */
export type AccessAttributes =
  | {
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly verb: string;
      /** Absent: all namespaces, or none for a kind without them. */
      readonly namespace?: string;
      /** Absent: all objects. */
      readonly name?: string;
    }
  | { readonly path: string; readonly verb: string };

/**
 * Asks the API server whether whoever asks may do something, by a SelfSubjectAccessReview: it is not stored, and everybody who is known
 * may create it.
 *
 * @throws like a request
 */
export async function ownAccess(
  connection: Pick<Connection, 'request'>,
  attributes: AccessAttributes,
  options: { readonly signal?: AbortSignal | undefined; readonly timeout?: number } = {},
): Promise<boolean> {
  const group = 'authorization.k8s.io';
  const plural = 'selfsubjectaccessreviews';
  const answer = await connection.request({
    target: { verb: 'create', resource: { group, plural } },
    method: 'POST',
    path: `/apis/${group}/v1/${plural}`,
    body: {
      apiVersion: `${group}/v1`,
      kind: 'SelfSubjectAccessReview',
      spec: 'path' in attributes ? { nonResourceAttributes: attributes } : { resourceAttributes: attributes },
    },
    ...options,
  });
  return answer.json<{ readonly status?: { readonly allowed?: boolean } }>().status?.allowed === true;
}
