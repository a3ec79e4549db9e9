import type { HeaderValues } from '../transport/transport.ts';
import { invalidKubeconfig, isEntry, type NamedEntry } from './kubeconfig-file.ts';

/** The headers of `as`, `as-groups`, `as-uid` and `as-user-extra`. Source: Kubernetes documentation, user impersonation. */
export function impersonationHeaders(user: NamedEntry): HeaderValues {
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user.value;
  const headers: Record<string, string | readonly string[]> = {};
  if (isText(as)) headers['impersonate-user'] = as;
  if (isText(uid)) headers['impersonate-uid'] = uid;
  if (Array.isArray(groups) && groups.length > 0) headers['impersonate-group'] = groups.map(String);
  if (isEntry(extra)) {
    for (const [key, values] of Object.entries(extra)) {
      // Keys may hold characters that header names may not.
      if (Array.isArray(values))
        headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = values.map(String);
    }
  }
  if (Object.keys(headers).length > 0 && headers['impersonate-user'] === undefined) {
    throw invalidKubeconfig(
      user.file,
      `user ${user.name} impersonates groups, a uid or extra fields without a user (as)`,
    );
  }
  return headers;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
