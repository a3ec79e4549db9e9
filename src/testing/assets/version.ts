import { OpSdkError } from '../../base/errors/index.ts';
import { supportedKubernetes } from '../../base/util/kubernetes-releases.ts';

/** Default Kubernetes version of a test control plane. */
export const defaultVersion: string = supportedKubernetes.release;

/**
 * Parses `1.36.3` or `v1.36.3`.
 * @param flag flag that set the version, for the message
 * @returns the version without the `v`
 * @throws OpSdkError testenv/invalid-version
 */
export function parseVersion(text: string, flag = '--version'): string {
  const match = /^v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))$/.exec(text);
  if (match?.[1] !== undefined) return match[1];
  throw new OpSdkError({
    code: 'testenv/invalid-version',
    message: `${JSON.stringify(text)} is not a Kubernetes release`,
    where: { flag },
    fix: [`give major, minor and patch, such as ${defaultVersion}`],
  });
}
