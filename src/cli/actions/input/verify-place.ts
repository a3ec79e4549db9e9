import { OpSdkError } from '../../../errors/index.ts';
import type { VerifyOptions } from '../../flags/verify-flag.ts';

const places = ['testenv', 'cluster'] as const;
/** Who checks the CRDs. */
export type VerifyPlace = (typeof places)[number];

/**
 * The server that the flag names; undefined if nothing is to be verified.
 * @throws OpSdkError `cli/invalid-value`
 */
export function verifyPlace(options: VerifyOptions): VerifyPlace | undefined {
  const place = namedPlace(options);
  const invalid = (flag: string, message: string, fix: string): OpSdkError =>
    new OpSdkError({ code: 'cli/invalid-value', message, where: { flag }, fix: [fix] });
  for (const name of ['kubeconfig', 'context'] as const) {
    // Whoever names a cluster must not believe that it was asked.
    if (options[name] === undefined || place === 'cluster') continue;
    const message = `--${name} says which cluster is asked, but none is`;
    throw invalid(`--${name}`, message, 'write --verify=cluster, or leave it out');
  }
  if (place !== undefined && options.only === 'rbac')
    throw invalid('--verify', '--verify and --only=rbac exclude each other', 'leave one of them out');
  return place;
}

function namedPlace({ verify }: VerifyOptions): VerifyPlace | undefined {
  if (verify === undefined || verify === false || verify === 'false') return undefined;
  if (verify === true || verify === 'true') return 'testenv';
  const place = places.find((known) => known === verify);
  if (place !== undefined) return place;
  throw new OpSdkError({
    code: 'cli/invalid-value',
    message: `--verify is '${verify}'; it is testenv or cluster`,
    where: { flag: '--verify' },
    fix: ['write --verify=testenv or --verify=cluster'],
  });
}
