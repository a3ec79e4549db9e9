import { describe, expect, test } from 'vitest';
import { s3Credentials } from '../../../src/backup/stores/s3-credentials.ts';

const none = { sessionToken: undefined, region: undefined };

describe('a Secret for S3', () => {
  test('has the files of AWS', () => {
    const credentials =
      '# mine\r\n[other]\naws_access_key_id = no\n[default]\naws_access_key_id=ID\r\n aws_secret_access_key = a=b/c+d \n[last]\naws_access_key_id = no';
    expect(s3Credentials({ credentials, config: '[profile default]\nregion = eu-central-1\n' })).toEqual({
      accessKeyId: 'ID',
      secretAccessKey: 'a=b/c+d',
      sessionToken: undefined,
      region: 'eu-central-1',
    });
  });

  test('has the variables of AWS', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'ID\n', AWS_SECRET_ACCESS_KEY: 'KEY\n', AWS_SESSION_TOKEN: 'TOKEN' };
    expect(s3Credentials(keys)).toEqual({
      ...none,
      accessKeyId: 'ID',
      secretAccessKey: 'KEY',
      sessionToken: 'TOKEN',
    });
    expect(s3Credentials({ ...keys, AWS_REGION: 'us-west-2' }).region).toBe('us-west-2');
  });

  test.each([
    [{}, 'expected the key `credentials`, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [{ AWS_ACCESS_KEY_ID: 'ID' }, 'AWS_SECRET_ACCESS_KEY missing'],
    [{ AWS_ACCESS_KEY_ID: 'ID', AWS_SECRET_ACCESS_KEY: ' ' }, 'AWS_SECRET_ACCESS_KEY missing'],
    [{ credentials: 'aws_access_key_id = HIDDEN' }, 'expected a section [default]'],
    [{ credentials: '[default]\naws_access_key_id = HIDDEN' }, 'aws_secret_access_key missing'],
  ])('lacks something: %j', (secret, message) => {
    expect(() => s3Credentials(secret as Record<string, string>)).toThrow(message);
    expect(() => s3Credentials(secret as Record<string, string>)).not.toThrow(/HIDDEN/);
  });
});
