import type { Secret } from 'opsdk/k8s/core/v1';

/** Keys of a Secret's data under which a certificate and what belongs to it are found. */
export interface SecretKeys {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Uses of a Secret, with the keys that the etcd operator has always had for them. */
const ownKeys = {
  peer: { ca: 'peer-ca.crt', cert: 'peer.crt', key: 'peer.key' },
  server: { ca: 'server-ca.crt', cert: 'server.crt', key: 'server.key' },
  client: { ca: 'etcd-client-ca.crt', cert: 'etcd-client.crt', key: 'etcd-client.key' },
} as const;

/** Keys of Secrets of the type kubernetes.io/tls, as cert-manager writes them. */
const commonKeys: SecretKeys = { ca: 'ca.crt', cert: 'tls.crt', key: 'tls.key' };

export type SecretUse = keyof typeof ownKeys;

/** Returns all keys that a Secret may have for a use. */
export function possibleKeys(use: SecretUse): readonly string[] {
  return [ownKeys[use], commonKeys].flatMap((keys) => Object.values(keys) as string[]);
}

/**
 * Chooses the keys that hold CA, certificate and key.
 *
 * @param data of the Secret, by its keys
 * @param subject the Secret, for the message of the error
 * @throws Error that names what is missing, never what is there
 */
export function chooseKeys(
  data: Readonly<Record<string, string>>,
  use: SecretUse,
  subject: string,
): SecretKeys {
  const has = (keys: SecretKeys): boolean =>
    Object.values(keys).every((key: string) => (data[key] ?? '') !== '');
  if (has(ownKeys[use])) return ownKeys[use];
  if (has(commonKeys)) return commonKeys;
  const wanted = [ownKeys[use], commonKeys].map((keys) => Object.values(keys).join(', '));
  throw new Error(
    `${subject}: expected the keys ${wanted.join(', or ')}, got ${Object.keys(data).join(', ') || 'none'}`,
  );
}

/** Returns the keys of a Secret that hold CA, certificate and key. @throws Error like {@link chooseKeys} */
export function keysOf({ metadata, data = {} }: Secret, use: SecretUse): SecretKeys {
  return chooseKeys(data, use, `Secret ${metadata.name}`);
}

/** Returns the PEM texts of a Secret. @throws Error if one is missing */
export function pemsOf(secret: Secret, use: SecretUse): SecretKeys {
  const keys = keysOf(secret, use);
  const text = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
  return { ca: text(keys.ca), cert: text(keys.cert), key: text(keys.key) };
}
