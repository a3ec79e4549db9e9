import { verifyCrds } from '../../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import { crdFieldLocator } from '../../../compiler/manifests/index.ts';
import { bootControlPlane } from '../../../testing/index.ts';
import type { CliContext } from '../../command.ts';
import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import { connect } from '../cluster/connect.ts';
import type { VerifyPlace } from '../input/verify-place.ts';
import type { MadeManifest, MadeOptions } from './made-manifests.ts';

/**
 * Sends the generated CRDs to an API server, which checks them.
 * @param options options with which the CRDs were generated
 * @throws OpSdkError with every objection of the API server, located in the sources
 */
export async function verifyManifests(
  context: CliContext,
  place: VerifyPlace,
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
  if (crds.length === 0) return context.report.info('no CRD to verify');
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
  context.report.step('starting a test control plane');
  const controlPlane = await bootControlPlane({
    progress: (line) => context.report.step(line),
    signal: context.signal,
  });
  try {
    return await onCluster(context, { kubeconfig: controlPlane.kubeconfig }, verify);
  } finally {
    await controlPlane.stop();
  }
}
