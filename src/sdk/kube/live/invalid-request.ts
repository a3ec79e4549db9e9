import type { KubeObject } from '../../api/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { ObjectKey } from '../types.ts';

/** Returns the error of a request that would be wrong for every server. */
export function invalidRequest(
  { kind }: Pick<KubeObject, 'kind'>,
  { namespace, name }: ObjectKey,
  message: string,
  fix: string,
): OpSdkError {
  const object = `${kind} ${[namespace, name].filter(Boolean).join('/')}`;
  return new OpSdkError({
    code: 'kube/invalid-request',
    message: `${object}: ${message}`,
    where: { object },
    fix: [fix],
  });
}
