import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isOpSdkError, type OpSdkError } from '../../../../src/base/errors/index.ts';
import { imageParts } from '../../../../src/images/index.ts';
import {
  quickOptions,
  sha256,
  type ScriptedRegistry,
  type TestImage,
} from '../../../helpers/scripted-registry.ts';

export const secret = 'pa55-of-alice';

/** Makes options with a login for a registry; the login is in a file of the folder. */
export function loginsIn(folder: () => string) {
  return (host: string, login: object = { username: 'alice', password: secret }) => {
    const authFile = join(folder(), 'auth.json');
    writeFileSync(authFile, JSON.stringify({ auths: { [host]: login } }));
    return quickOptions({ authFile });
  };
}

/** What the registry holds under a name is the image, blob for blob. */
export async function expectPushed(registry: ScriptedRegistry, image: TestImage): Promise<void> {
  const { blobs, manifests } = await imageParts(image);
  expect(registry.tags.get('team/app:v1')).toBe(image.root.digest);
  for (const { digest } of blobs)
    expect(sha256(registry.blobs.get(`team/app@${digest}`) ?? Buffer.alloc(0))).toBe(digest);
  for (const { digest } of manifests) expect(registry.manifests.has(`team/app@${digest}`)).toBe(true);
}

export async function failure(promise: Promise<unknown>): Promise<OpSdkError> {
  const error: unknown = await promise.then(
    () => new Error('it went well'),
    (reason: unknown) => reason,
  );
  if (!isOpSdkError(error)) throw error;
  return error;
}
