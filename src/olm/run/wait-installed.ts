import { OpSdkError, type Finding } from '../../errors/index.ts';
import { isConflict, type KubeClient } from '../../kube/index.ts';
import { durationText } from '../../util/duration-text.ts';
import { approvePlan } from './approve-plan.ts';
import type { Installation } from './installation.ts';
import type { Judgement } from './judgement.ts';
import { judgeV0 } from './judge-v0.ts';
import { judgeV1 } from './judge-v1.ts';
import { observeDefinitions, observeInstallation } from './observe-installation.ts';
import type { Observed } from './observed.ts';
import { runChannel } from './run-names.ts';
import { waitJudged, type JudgedWait } from './wait-judged.ts';

export interface InstalledRequest extends JudgedWait {
  readonly client: KubeClient;
  readonly installation: Installation;
}

/**
 * Waits until OLM has installed an operator and its Deployments run; approves its InstallPlan on the way. An API server that is away for
 * a while does not end the wait.
 *
 * @throws OpSdkError with the cause, `olm/…`; `olm/timeout` with what was waited for last; the signal's reason
 */
export async function waitInstalled(request: InstalledRequest): Promise<void> {
  const { client, installation, timeout, signal } = request;
  // Some failures show by nothing but the time since an object changed, which the cluster tells by its own clock.
  let ahead: number | undefined;
  const look = async (): Promise<Judgement> => {
    const observed = await observeInstallation(client, installation, signal);
    if (installation.olm === 'v0') await approve(request, observed);
    ahead ??= await clockAhead(client, signal);
    const now = new Date(Date.now() + ahead);
    const judgement = judge(observed, installation, now);
    if (judgement.state !== 'failed' || judgement.finding.code !== 'olm/api-conflict') return judgement;
    // Only definitions say who is in the way, and they are large.
    const definitions = await observeDefinitions(client, installation, signal);
    return judge(observed.with(definitions), installation, now);
  };
  const line = await waitJudged(look, request);
  if (line !== undefined) throw new OpSdkError(timeoutFinding(request, line, durationText(timeout)));
}

function judge(observed: Observed, installation: Installation, now: Date): Judgement {
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

/** Milliseconds by which the clock of the API server is ahead of ours, to the second. */
async function clockAhead(client: KubeClient, signal: AbortSignal): Promise<number> {
  const { headers } = await client.raw.request({ method: 'GET', path: '/version', signal });
  const theirs = Date.parse(headers['date'] ?? '');
  return Number.isNaN(theirs) ? 0 : theirs - Date.now();
}

async function approve({ client, installation, signal, onProgress }: InstalledRequest, observed: Observed) {
  try {
    const approved = await approvePlan(client, observed, installation, signal);
    if (approved !== undefined) onProgress(`approved the InstallPlan ${approved}`);
  } catch (error) {
    // OLM was writing it: the next look sees the new one.
    if (!isConflict(error)) throw error;
  }
}

function timeoutFinding(
  { installation: { olm, names, namespace, csv } }: InstalledRequest,
  line: string,
  after: string,
): Finding {
  return {
    code: 'olm/timeout',
    message: `${csv} does not run after ${after}: ${line}`,
    where: { object: csv },
    fix: [
      'wait longer with --timeout: OLM goes on meanwhile',
      olm === 'v0'
        ? `see kubectl describe subscription/${names.subscription} -n ${namespace}`
        : `see kubectl describe clusterextension/${names.extension}`,
    ],
  };
}
