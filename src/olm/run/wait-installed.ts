import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { isConflict, type KubeClient } from '../../sdk/kube/index.ts';
import { durationText } from '../../base/util/duration-text.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { lastLogLines, pollCluster } from '../../cluster/index.ts';
import { type Observed, type Installation, observeDefinitions, observeInstallation } from './observed.ts';
import { clockAhead, judgeInstallation } from './judge-installation.ts';
import type { Judgement, Cause } from './judgement.ts';
import { InstallPlan } from './run-names.ts';
import { installPlanOf, type SubscriptionState } from './v0/judge-resolution.ts';
import { bundleImageOf, otherBundle } from './unfinished-run.ts';

interface InstalledRequest extends JudgedWait {
  readonly installation: Installation;
}

/**
 * Waits until OLM has installed an operator and its Deployments run. Approves the InstallPlan of OLM v0 when needed. The wait continues
 * while the API server is temporarily unavailable.
 *
 * @throws OpSdkError with the cause, `olm/…`; `olm/timeout` with the last progress; the abort reason of the signal
 */
export async function waitInstalled(request: InstalledRequest): Promise<void> {
  const { client, installation, timeout, signal } = request;
  // Difference to the clock of the cluster. Needed because some failures are recognised only by the age of an object, measured by that
  // clock.
  let ahead: number | undefined;
  const look = async (): Promise<Judgement> => {
    let observed = await observeInstallation(client, installation, signal);
    // Read the objects again, because those read before the approval still show that an approval is needed.
    if (installation.olm === 'v0' && (await approve(request, observed)))
      observed = await observeInstallation(client, installation, signal);
    ahead ??= await clockAhead(client, signal);
    const now = new Date(Date.now() + ahead);
    const judgement = judgeInstallation(observed, installation, now);
    if (judgement.state !== 'failed' || judgement.finding.code !== 'olm/api-conflict') return judgement;
    // Only the labels of CustomResourceDefinitions name the other owners of a kind. CustomResourceDefinitions are large, so they are read
    // only for this error.
    const definitions = await observeDefinitions(client, installation, signal);
    return judgeInstallation(observed.with(definitions), installation, now);
  };
  const line = await waitJudged(look, request);
  if (line !== undefined) throw new OpSdkError(timeoutFinding(request, line, durationText(timeout)));
}

/**
 * Approves the InstallPlan of OLM v0 if it needs an approval.
 *
 * @returns true if an InstallPlan has been approved
 */
async function approve(
  { client, installation, signal, onProgress }: InstalledRequest,
  observed: Observed,
): Promise<boolean> {
  try {
    const approved = await approvePlan(client, observed, installation, signal);
    if (approved !== undefined) onProgress(`approved the InstallPlan ${approved}`);
    return approved !== undefined;
  } catch (error) {
    // OLM has changed the InstallPlan in the meantime. The next poll reads the changed plan.
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
    message: `${csv} is not running after a wait of ${after}: ${line}`,
    where: { object: csv },
    fix: [
      'run the same command again, with a longer --timeout: it continues where this one stopped',
      olm === 'v0'
        ? `see kubectl describe subscription/${names.subscription} -n ${namespace}`
        : `see kubectl describe clusterextension/${names.extension}`,
    ],
  };
}

/**
 * Approves the InstallPlan of the Subscription, if it installs only the expected version.
 *
 * @returns name of the InstallPlan that was approved; undefined if no plan needs approval
 * @throws OpSdkError `olm/plan-with-others`, `olm/other-bundle`
 */
async function approvePlan(
  client: KubeClient,
  observed: Observed,
  { names, namespace, packageName, csv, bundleImage }: Installation,
  signal: AbortSignal,
): Promise<string | undefined> {
  const subscription = observed.get<SubscriptionState>('Subscription', names.subscription, namespace);
  const plan = subscription === undefined ? undefined : installPlanOf(observed, subscription, csv);
  if (plan === undefined || plan.spec?.approved === true) return undefined;
  const { name } = plan.metadata;
  const installs = plan.spec?.clusterServiceVersionNames ?? [];
  const others = installs.filter((each) => each !== csv);
  if (others.length > 0) throw planWithOthers(plan, others);
  // Another run may have begun to install the same version from another image.
  const image = bundleImageOf(plan, csv);
  if (image !== undefined && image !== bundleImage)
    throw otherBundle({ csv, packageName, object: `installplan/${name} -n ${namespace}` }, image, {
      bundle: bundleImage,
    });
  await client.patch(
    InstallPlan,
    { name, namespace },
    // The resourceVersion makes the request fail if the plan has changed after it was checked.
    {
      type: 'merge',
      body: { metadata: { resourceVersion: plan.metadata.resourceVersion }, spec: { approved: true } },
    },
    { signal },
  );
  return name;
}

function planWithOthers({ metadata }: KubeObject, others: readonly string[]): OpSdkError {
  const { name, namespace } = metadata;
  return new OpSdkError({
    code: 'olm/plan-with-others',
    message: `op-sdk did not approve the InstallPlan ${name}: it would also install ${others.join(', ')}, which was not requested`,
    where: { object: `installplan/${name} -n ${namespace}` },
    fix: [
      `look at it: kubectl get installplan ${name} -n ${namespace} -o yaml`,
      `approve it yourself: kubectl patch installplan ${name} -n ${namespace} --type merge -p '{"spec":{"approved":true}}'`,
      'or install into another namespace: --namespace NAME',
    ],
  });
}

export interface JudgedWait {
  readonly client: KubeClient;
  /** Maximum number of milliseconds to wait. */
  readonly timeout: number;
  /** Milliseconds between two polls. Default: 500. */
  readonly interval?: number | undefined;
  /**
   * Milliseconds for which a failure must persist before it is reported as the cause, because OLM and nodes retry all operations. Default:
   * 5 s.
   */
  readonly grace?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with a progress message whenever the message changes. */
  readonly onProgress: (line: string) => void;
}

/**
 * Polls until the judgement is `done`. The wait continues while the API server is temporarily unavailable.
 *
 * @returns undefined when done; on timeout, the last progress message
 * @throws OpSdkError with the cause and the last lines of the log that explains it, or the abort reason of the signal
 */
export async function waitJudged(
  look: () => Promise<Judgement>,
  { client, timeout, interval, grace = 5_000, signal, onProgress }: JudgedWait,
): Promise<string | undefined> {
  const seen: { line?: string; cause?: Cause; since?: number } = {};
  const tell = (line: string): void => {
    if (line !== seen.line) onProgress(line);
    seen.line = line;
  };
  const lookOnce = async (): Promise<'done' | undefined> => {
    const judgement = await look();
    if (judgement.state === 'done') return 'done';
    if (judgement.state === 'waiting') {
      delete seen.cause;
      tell(judgement.line);
      return undefined;
    }
    const { finding, terminal } = judgement;
    // Do not show a problem that may disappear as progress. Report it as the cause if it persists.
    if (seen.cause?.code !== finding.code) seen.since = performance.now();
    seen.cause = finding;
    if (terminal || performance.now() - (seen.since ?? 0) >= grace)
      throw new OpSdkError(await withLog(client, finding, signal));
    return undefined;
  };
  const end = await pollCluster(lookOnce, { timeout, interval, signal, onProgress: tell });
  if (end === 'done') return undefined;
  if (seen.cause !== undefined) throw new OpSdkError(await withLog(client, seen.cause, signal));
  return seen.line ?? '';
}

/** Returns the finding for a cause. Its message includes the last lines of the log that explains the cause. */
async function withLog(client: KubeClient, cause: Cause, signal: AbortSignal): Promise<Finding> {
  const { code, message, where, fix, log } = cause;
  const { pod = '', namespace, container = '', previous = false } = log ?? {};
  const lines =
    log === undefined
      ? []
      : await lastLogLines(client, { name: pod, namespace }, { container, previous }, signal);
  return {
    ...{ code, fix },
    message: [message, ...lines.map((line) => `  ${line}`)].join('\n'),
    ...(where === undefined ? {} : { where }),
  };
}
