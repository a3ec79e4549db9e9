import { OpSdkError } from '../../base/errors/index.ts';

/** Error for a request that this server cannot answer as the real one would. Throw it instead of guessing. */
export function unsupportedHere(what: string, ...fix: readonly string[]): OpSdkError {
  return new OpSdkError({
    code: 'testapi/unsupported',
    message: `the test API does not support ${what}`,
    fix: [...fix, 'or test it against a real API server: startControlPlane of opsdk/testing'],
  });
}
