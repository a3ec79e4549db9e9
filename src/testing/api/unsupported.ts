import { OpSdkError } from '../../errors/index.ts';

/** What this server does not do as the real one would. It must not guess. */
export function unsupportedHere(what: string, ...fix: readonly string[]): OpSdkError {
  return new OpSdkError({
    code: 'testapi/unsupported',
    message: `the test API does not support ${what}`,
    fix: [...fix, 'or test it against a real API server: startControlPlane of opsdk/testing'],
  });
}
