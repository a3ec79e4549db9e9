import { Option, type Command } from 'commander';
import { OpSdkError, type Finding } from '../../../../errors/index.ts';
import type { KubeClient } from '../../../../kube/index.ts';
import type { CliContext } from '../../../command.ts';
import { connect, type ClusterOptions } from '../../shared/cluster-flags.ts';
import type { MadeManifest, MadeOptions } from './made-manifests.ts';

/** What {@link verifyFlag} parses. */
export interface VerifyOptions extends ClusterOptions {
  /** `true` and `'true'` mean `testenv`. */
  readonly verify?: boolean | string;
  readonly only?: 'crd' | 'rbac';
}

const places = ['testenv', 'cluster'] as const;
type Place = (typeof places)[number];

/** Declares `--verify`, with or without a value, and `--no-verify`. */
export function verifyFlag(command: Command): void {
  const positive = new Option(
    '--verify [server]',
    'have an API server check the CRDs without storing them: testenv (the default), a test control plane, or cluster',
  );
  command.addOption(positive).addOption(new Option('--no-verify').hideHelp());
  // commander gives a lone negative option the default `true`.
  command.setOptionValueWithSource(positive.attributeName(), undefined, 'default');
}

/**
 * The server that the flag names; undefined if nothing is to be verified.
 * @throws OpSdkError `cli/invalid-value`
 */
export function verifyPlace(options: VerifyOptions): Place | undefined {
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

function namedPlace({ verify }: VerifyOptions): Place | undefined {
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

/**
 * Has an API server check the generated CRDs.
 * @param options those with which they were generated
 * @throws OpSdkError with everything that it objects to, at the places in the sources
 */
export async function verifyManifests(
  context: CliContext,
  place: Place,
  {
    options,
    flags,
    files,
  }: {
    readonly options: MadeOptions;
    readonly flags: ClusterOptions;
    readonly files: readonly MadeManifest[];
  },
): Promise<void> {
  const crds = files.filter(({ template }) => template === 'crd').map(({ document }) => document);
  if (crds.length === 0) return context.report.info('there is no CRD to verify');
  const { crdFieldLocator } = await import('../../../../manifests/index.ts');
  const { verifyCrds } = await import('../../../../cluster/index.ts');
  const placeOf = crdFieldLocator(options);
  const verify = (client: KubeClient): Promise<readonly Finding[]> =>
    verifyCrds({ client, crds, placeOf, signal: context.signal });
  const findings =
    place === 'cluster' ? await onCluster(context, flags, verify) : await onTestControlPlane(context, verify);
  if (findings.length > 0) throw new OpSdkError(findings);
  const where = place === 'cluster' ? 'the cluster' : 'the test control plane';
  context.report.info(`${where} accepts ${crds.length === 1 ? 'the CRD' : `all ${crds.length} CRDs`}`);
}

type Verify = (client: KubeClient) => Promise<readonly Finding[]>;

async function onCluster(
  context: CliContext,
  flags: ClusterOptions,
  verify: Verify,
): Promise<readonly Finding[]> {
  const client = await connect(context, flags);
  try {
    return await verify(client);
  } finally {
    await client.close();
  }
}

async function onTestControlPlane(context: CliContext, verify: Verify): Promise<readonly Finding[]> {
  const { startControlPlane } = await import('../../../../testing/index.ts');
  context.report.step('starting a test control plane');
  const controlPlane = await startControlPlane({
    progress: (line) => context.report.step(line),
    signal: context.signal,
  });
  try {
    return await onCluster(context, { kubeconfig: controlPlane.kubeconfig }, verify);
  } finally {
    await controlPlane.stop();
  }
}
