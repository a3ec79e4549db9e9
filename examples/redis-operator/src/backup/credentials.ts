import type { ObjectKey, ReconcileContext } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';

/** Keys of the Secret with the credentials of a store. */
export const credentialKeys = {
  accessKeyId: 'accessKeyId',
  secretAccessKey: 'secretAccessKey',
  /** Of credentials that end; may be missing. */
  sessionToken: 'sessionToken',
} as const;

/** Returns what is missing of the credentials that the Pods of a Job need: they would wait for it without an end. */
export async function missingCredentials(
  { client }: Pick<ReconcileContext, 'client'>,
  name: ObjectKey,
): Promise<string | undefined> {
  const secret = await client.live.find(Secret, name);
  if (secret === undefined) return `Secret ${name.name} does not exist`;
  const missing = [credentialKeys.accessKeyId, credentialKeys.secretAccessKey].filter(
    (key) => (secret.data?.[key] ?? '') === '',
  );
  if (missing.length === 0) return undefined;
  return `Secret ${name.name}: expected the keys accessKeyId and secretAccessKey, missing or empty: ${missing.join(', ')}`;
}
