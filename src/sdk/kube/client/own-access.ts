import type { Connection } from './connection.ts';

/** An action on a resource or on a non-resource path whose permission is checked. Source: `authorization.k8s.io/v1`. */
export type AccessAttributes =
  | {
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly verb: string;
      /** Namespace of the action. If absent, the action covers all namespaces; for a cluster-scoped kind, omit the namespace. */
      readonly namespace?: string;
      /** Name of the object. If absent, the action covers all objects. */
      readonly name?: string;
    }
  | { readonly path: string; readonly verb: string };

/**
 * Asks the API server whether the current identity is allowed to perform an action. Sends a SelfSubjectAccessReview, which is not stored
 * and which every authenticated user may create.
 * @throws the errors of a request
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
