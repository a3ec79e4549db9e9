// Runs `op-sdk scorecard` on the control plane of the test run, and says what becomes of Pods.
import { ConfigMap, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';
import { configuration, siteFolder } from '../../../unit/olm/bundle/scorecard/site-bundle.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import type { Fate } from './stand-in-node.ts';

export const untarImage = 'example.com/untar:v1';
/** A test of an image of its own. */
export const custom = (name: string): Loose => ({
  image: `example.com/${name}:v1`,
  entrypoint: [`/${name}`],
  labels: { suite: 'mine', test: name },
});

interface ScorecardRun {
  readonly namespace: string;
  readonly stages: readonly Loose[];
  readonly more?: Loose;
  readonly flags?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Runs the tests of these stages in a namespace. */
export async function scorecard({
  namespace,
  stages,
  more,
  flags = [],
  signal,
}: ScorecardRun): Promise<CliRun> {
  const { kubeconfig } = await sharedControlPlane();
  const cwd = siteFolder((bundle) => {
    bundle.files['tests/scorecard/config.yaml'] = { ...configuration(), stages, ...more };
  });
  return runCli(
    ['scorecard', '--kubeconfig', kubeconfig, '-n', namespace, '-u', untarImage, '-w', '90s', ...flags],
    { cwd, ...(signal === undefined ? {} : { signal }) },
  );
}

/** The results of `-o json`. */
export function resultsOf({ stdout }: CliRun): readonly Loose[] {
  const { items } = JSON.parse(stdout) as { items: Loose[] };
  return items.flatMap(({ status }) => status.results);
}

/** The name of the test that a Pod runs. */
export const nameOf = (pod: Pod): string =>
  pod.spec?.containers[0]?.image?.replace(/^.*\/(.*):.*$/, '$1') ?? '';
export const stageOf = (parallel: boolean, ...names: readonly string[]): Loose => ({
  parallel,
  tests: names.map(custom),
});

/** The Pod has ended with this log. */
export function ended(log: string | undefined, exitCode = 0): Fate {
  return {
    status: {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [
        container('scorecard-test', {
          terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' },
        }),
      ],
    },
    ...(log === undefined ? {} : { logs: { 'scorecard-test': log } }),
  };
}

/** The status of a container. */
export function container(
  name: string,
  state: object,
): NonNullable<NonNullable<Pod['status']>['containerStatuses']>[0] {
  return { name, state, ready: false, restartCount: 0, image: `example.com/${name}:v1`, imageID: '' };
}

export const passed = (name: string): string => `${JSON.stringify({ results: [{ name, state: 'pass' }] })}\n`;
export const pass = (pod: Pod): Fate => ended(passed(nameOf(pod)));

/** What a run has left, apart from Pods that are being deleted. */
export async function leftIn(client: KubeClient, namespace: string): Promise<readonly string[]> {
  const pods = await client.list(Pod, { namespace });
  const maps = await client.list(ConfigMap, { namespace, labelSelector: 'app=scorecard-test' });
  return [...pods.items, ...maps.items]
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name);
}
