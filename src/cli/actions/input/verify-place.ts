import { OpSdkError } from '../../../base/errors/index.ts';
import type { VerifyOptions } from '../../flags/project-flags.ts';
import { exclusiveFlags, invalidFlag } from './flag-values.ts';

const places = ['testenv', 'cluster'] as const;
/** API server that checks the CRDs: a local test environment or a cluster. */
export type VerifyPlace = (typeof places)[number];

/**
 * Returns the API server that `--verify` names; undefined if the CRDs are not to be verified.
 * @throws OpSdkError `cli/invalid-value`
 */
export function verifyPlace(options: VerifyOptions): VerifyPlace | undefined {
  const place = namedPlace(options);
  for (const name of ['kubeconfig', 'context'] as const) {
    // A flag that selects a cluster has no effect without `--verify=cluster`, so such a flag is refused.
    if (options[name] === undefined || place === 'cluster') continue;
    const message = `--${name} needs --verify=cluster: otherwise no cluster is contacted`;
    throw new OpSdkError(invalidFlag(`--${name}`, message, `write --verify=cluster, or leave --${name} out`));
  }
  const { only = 'crd' } = options;
  if (place !== undefined && only !== 'crd')
    throw new OpSdkError(exclusiveFlags('--verify', `--only=${only}`));
  return place;
}

function namedPlace({ verify }: VerifyOptions): VerifyPlace | undefined {
  if (verify === undefined || verify === false || verify === 'false') return undefined;
  if (verify === true || verify === 'true') return 'testenv';
  const place = places.find((known) => known === verify);
  if (place !== undefined) return place;
  throw new OpSdkError(
    invalidFlag(
      '--verify',
      `--verify: expected testenv or cluster, got '${verify}'`,
      'write --verify=testenv or --verify=cluster',
    ),
  );
}
