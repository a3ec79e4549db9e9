import type { OlmVersion } from '../../../olm/catalog/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import { servedOlms } from '../../../olm/install/index.ts';

/**
 * The version of OLM that a command works with: the one that is named, or the only one that is there.
 *
 * @throws OpSdkError `olm/absent`, `olm/choose-version`
 */
export async function chooseOlm(
  client: KubeClient,
  wanted: OlmVersion | 'auto',
  signal: AbortSignal,
): Promise<OlmVersion> {
  const present = await servedOlms(client, { signal });
  const [first, second] = present;
  if (wanted !== 'auto') {
    if (present.includes(wanted)) return wanted;
    throw absent(`OLM ${wanted} is not on the cluster`, wanted);
  }
  if (first === undefined) throw absent('OLM is not on the cluster', 'v0');
  if (second === undefined) return first;
  throw new OpSdkError({
    code: 'olm/choose-version',
    message: 'OLM v0 and OLM v1 are both on the cluster',
    where: { flag: '--olm' },
    fix: ['name one: --olm v0', 'or --olm v1'],
  });
}

function absent(message: string, version: OlmVersion): OpSdkError {
  return new OpSdkError({
    code: 'olm/absent',
    message,
    where: { flag: '--olm' },
    fix: [
      `install it: op-sdk olm install --olm ${version}`,
      'see what is there: op-sdk olm status',
      'or name another cluster: --context NAME',
    ],
  });
}
