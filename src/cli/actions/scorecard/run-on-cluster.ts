import { resolve } from 'node:path';
import {
  customTestsOf,
  runScorecard,
  type planScorecard,
  type ScorecardTest,
} from '../../../olm/bundle/index.ts';
import { bundleArchive, deleteCommand, openTestRun, type TestRun } from '../../../olm/scorecard/index.ts';
import { parseReference } from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import { connect } from '../cluster/connect.ts';
import { durationFlag } from '../input/flag-values.ts';

/** Flags for the Pods in which scorecard tests run. */
export interface PodFlags extends ClusterOptions {
  readonly namespace: string | undefined;
  readonly serviceAccount: string | undefined;
  readonly waitTime: string | undefined;
  readonly skipCleanup: boolean;
  readonly untarImage: string | undefined;
  readonly podSecurity: 'legacy' | 'restricted';
}

/** Default image that unpacks the bundle in Pods: operator-sdk's default image, pinned by its digest. */
const defaultUntarImage =
  'quay.io/operator-framework/scorecard-untar@sha256:2e728c5e67a7f4dec0df157a322dd5671212e8ae60f69137463bd4fdfbff8747';

/** Default time to wait for the scorecard tests, in milliseconds. */
const defaultWaitTime = 30_000;

/** Bundle together with the plan of the scorecard tests to run on it. */
export interface PlannedBundle {
  readonly plan: Awaited<ReturnType<typeof planScorecard>>;
  /** Folder of the bundle, absolute or relative to the working directory. */
  readonly dir: string;
}

/**
 * Runs the tests of a plan, and deletes the objects that this run created. Tests that come from custom images run in Pods.
 * @throws OpSdkError `cli/invalid-value`, and if the tests cannot be run at all
 */
export async function runOnCluster(
  context: CliContext,
  flags: PodFlags,
  { plan, dir }: PlannedBundle,
): Promise<readonly ScorecardTest[]> {
  const { report, signal } = context;
  const waitTime = durationFlag('--wait-time', flags.waitTime, defaultWaitTime);
  const { untarImage = defaultUntarImage } = flags;
  parseReference(untarImage, '--untar-image');
  const archive = await bundleArchive({ path: resolve(context.cwd, dir), shown: plan.verdict.dir });
  const client = await connect(context, flags);
  try {
    const namespace = flags.namespace ?? client.connection.cluster.namespace;
    const testRun = await openTestRun({
      client,
      namespace,
      archive,
      waitTime,
      signal,
      tests: customTestsOf(plan),
      serviceAccount: flags.serviceAccount ?? plan.serviceAccount ?? 'default',
      untarImage,
      podSecurity: flags.podSecurity,
      onProgress: (line) => report.step(line),
    });
    try {
      return await runScorecard(plan, (spec) => testRun.run(spec));
    } finally {
      await finish(context, testRun, { ...flags, namespace });
    }
  } finally {
    await client.close();
  }
}

/** Deletes the objects that the tests created, or reports that these objects stay on the cluster. */
async function finish(
  { report }: CliContext,
  testRun: TestRun,
  { skipCleanup, namespace }: Pick<PodFlags, 'skipCleanup'> & { readonly namespace: string },
): Promise<void> {
  const created = testRun.created();
  if (!skipCleanup) for (const warning of await testRun.cleanUp()) report.warn(warning);
  else if (created.length > 0) {
    report.info(`not deleted, as --skip-cleanup says: ${created.join(', ')} in the namespace ${namespace}`);
    report.info(`delete them: ${deleteCommand(created, namespace)}`);
  }
}
