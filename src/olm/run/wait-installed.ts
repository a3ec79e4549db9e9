import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { isConflict } from '../../sdk/kube/index.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { approvePlan } from './approve-plan.ts';
import type { Installation } from './installation.ts';
import { clockAhead, judgeInstallation } from './judge-installation.ts';
import type { Judgement } from './judgement.ts';
import { observeDefinitions, observeInstallation } from './observe-installation.ts';
import type { Observed } from './observed.ts';
import { waitJudged, type JudgedWait } from './wait-judged.ts';

export interface InstalledRequest extends JudgedWait {
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
    let observed = await observeInstallation(client, installation, signal);
    // What was read before says that it needs an approval.
    if (installation.olm === 'v0' && (await approve(request, observed)))
      observed = await observeInstallation(client, installation, signal);
    ahead ??= await clockAhead(client, signal);
    const now = new Date(Date.now() + ahead);
    const judgement = judgeInstallation(observed, installation, now);
    if (judgement.state !== 'failed' || judgement.finding.code !== 'olm/api-conflict') return judgement;
    // Only definitions say who is in the way, and they are large.
    const definitions = await observeDefinitions(client, installation, signal);
    return judgeInstallation(observed.with(definitions), installation, now);
  };
  const line = await waitJudged(look, request);
  if (line !== undefined) throw new OpSdkError(timeoutFinding(request, line, durationText(timeout)));
}

/** @returns whether it has approved an InstallPlan */
async function approve(
  { client, installation, signal, onProgress }: InstalledRequest,
  observed: Observed,
): Promise<boolean> {
  try {
    const approved = await approvePlan(client, observed, installation, signal);
    if (approved !== undefined) onProgress(`approved the InstallPlan ${approved}`);
    return approved !== undefined;
  } catch (error) {
    // OLM was writing it: the next look sees the new one.
    if (!isConflict(error)) throw error;
    return false;
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
      'run the same command again, with a longer --timeout: it continues where this one stopped',
      olm === 'v0'
        ? `see kubectl describe subscription/${names.subscription} -n ${namespace}`
        : `see kubectl describe clusterextension/${names.extension}`,
    ],
  };
}
