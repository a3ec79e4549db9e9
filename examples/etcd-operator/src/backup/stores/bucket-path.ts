import { StoreError } from './store-error.ts';

/** Path of an object: `bucket/key`. */
export interface BucketPath {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Splits the path of a spec, `bucket/key`.
 *
 * @throws StoreError `PathInvalid` for a path without a bucket or a key, and for keys that URLs cannot name, such as `a/../b`
 */
export function bucketPath(path: string): BucketPath {
  const [, bucket, key] = /^([a-z0-9][a-z0-9._-]+)\/(.+)$/s.exec(path) ?? [];
  if (bucket === undefined || key === undefined)
    throw new StoreError('PathInvalid', `path: expected BUCKET/KEY, got ${JSON.stringify(path)}`);
  if (key.split('/').some((step) => step === '' || step === '.' || step === '..'))
    throw new StoreError(
      'PathInvalid',
      `path: expected a key without empty steps, . and .., got ${JSON.stringify(path)}`,
    );
  return { bucket, key };
}

/** Encodes text for a URL as RFC 3986 has it: AWS signs `!'()*` encoded, too. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes the parameters of a URL, with `%20` for spaces. */
export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(value)}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}
