import type { KubeClient } from '../../sdk/kube/index.ts';
import type { Installation } from './installation.ts';
import type { Judgement } from './judgement.ts';
import { judgeV0 } from './judge-v0.ts';
import { judgeV1 } from './judge-v1.ts';
import { observeInstallation } from './observe-installation.ts';
import type { Observed } from './observed.ts';
import { runChannel } from './run-names.ts';
import { judgeRunning } from './running-containers.ts';

/** An installation whose bundle may not have been pushed yet. */
export type PlannedInstallation = Omit<Installation, 'bundleImage'> & Partial<Installation>;

/**
 * Judges an installation of either version of OLM: `done` once OLM says so, and the containers of the operator keep running.
 *
 * @param now the clock of the cluster
 */
export function judgeInstallation(
  observed: Observed,
  installation: PlannedInstallation,
  now: Date,
): Judgement {
  const judgement = judgeByOlm(observed, installation, now);
  if (judgement.state !== 'done') return judgement;
  const { deployments: names, namespace } = installation;
  return judgeRunning(observed, { names, namespace, now }) ?? judgement;
}

function judgeByOlm(observed: Observed, installation: PlannedInstallation, now: Date): Judgement {
  const { olm, names, packageName, namespace, csv, version, deployments } = installation;
  if (olm === 'v1') {
    const { catalog, extension } = names;
    return judgeV1(observed, { catalog, extension, package: packageName, version, namespace, deployments });
  }
  const expected = {
    ...{ namespace, csv, package: packageName, channel: runChannel },
    catalogSource: { name: names.catalog, namespace },
    subscription: names.subscription,
    bundleImage: installation.bundleImage,
  };
  return judgeV0(observed, expected, now);
}

/** Reads whether OLM has installed what is expected, and its Deployments run. */
export async function isInstalled(
  client: KubeClient,
  installation: PlannedInstallation,
  signal: AbortSignal,
): Promise<boolean> {
  const observed = await observeInstallation(client, installation, signal);
  const now = new Date(Date.now() + (await clockAhead(client, signal)));
  return judgeInstallation(observed, installation, now).state === 'done';
}

/** Milliseconds by which the clock of the API server is ahead of ours, to the second. */
export async function clockAhead(client: KubeClient, signal: AbortSignal): Promise<number> {
  const { headers } = await client.raw.request({ method: 'GET', path: '/version', signal });
  const theirs = Date.parse(headers['date'] ?? '');
  return Number.isNaN(theirs) ? 0 : theirs - Date.now();
}
