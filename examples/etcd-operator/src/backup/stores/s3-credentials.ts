import { invalidSecret, type SecretData } from './secret-files.ts';

/** Credentials of an account of S3. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Token of temporary credentials. */
  readonly sessionToken: string | undefined;
  /** Region that the Secret names. */
  readonly region: string | undefined;
}

/** Keys of a Secret that are read: AWS's own files, or its environment variables. */
export const s3SecretKeys = [
  'credentials',
  'config',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
] as const;

/**
 * Reads credentials from a Secret with AWS's file `credentials`, and perhaps `config` for the region, or with the names of AWS's
 * environment variables as keys. Of the files, the profile `default` counts.
 *
 * @throws StoreError `CredentialsInvalid` that says which keys or settings are missing
 */
export function s3Credentials(secret: SecretData): S3Credentials {
  const file = secret['credentials'];
  const config = profileOf(secret['config'] ?? '');
  const profile = file === undefined ? undefined : profileOf(file);
  if (file !== undefined && profile === undefined)
    throw invalidSecret(
      'key `credentials` of the Secret: expected a section [default], as in ~/.aws/credentials',
    );
  const value = (setting: string, variable: string): string | undefined =>
    textOrNone(profile === undefined ? secret[variable] : profile[setting]);
  const accessKeyId = value('aws_access_key_id', 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = value('aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const [id, key] =
      profile === undefined
        ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
        : ['aws_access_key_id', 'aws_secret_access_key'];
    const missing = [accessKeyId === undefined ? id : '', secretAccessKey === undefined ? key : '']
      .filter((name) => name !== '')
      .join(' and ');
    throw invalidSecret(
      profile === undefined
        ? `the Secret: expected the key \`credentials\`, or ${id} and ${key}; ${missing} missing`
        : `key \`credentials\` of the Secret: expected ${id} and ${key} in [default]; ${missing} missing`,
    );
  }
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: value('aws_session_token', 'AWS_SESSION_TOKEN'),
    region:
      textOrNone(config?.['region']) ?? textOrNone(profile?.['region']) ?? textOrNone(secret['AWS_REGION']),
  };
}

const textOrNone = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** Returns the settings of the profile `default` of a file in AWS's INI format, or undefined if it has none. */
function profileOf(text: string): Readonly<Record<string, string>> | undefined {
  let isDefault = false;
  let settings: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/.exec(line)?.[1];
    if (section !== undefined) {
      isDefault = section === 'default';
      if (isDefault) settings ??= {};
      continue;
    }
    const [, name, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isDefault && settings !== undefined && name !== undefined) settings[name] = value ?? '';
  }
  return settings;
}
