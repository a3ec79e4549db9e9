import { randomBytes } from 'node:crypto';
import { testNameOf, type ConfiguredTest, type TestResult } from '../bundle/index.ts';
import { isOpSdkError, type Finding } from '../../base/errors/index.ts';
import { ConfigMap, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { isNotFound, type CreateObject, type KubeClient } from '../../sdk/kube/index.ts';
import { checkTestRun } from './check-test-run.ts';
import { runTestPod } from './run-test-pod.ts';
import { bundleKey, scorecardLabels, testPod, type TestPodSettings } from './test-pod.ts';

export interface TestRunOptions extends Omit<TestPodSettings, 'configMap'> {
  readonly client: KubeClient;
  /** The bundle, a tar archive in gzip. */
  readonly archive: Uint8Array;
  /** All tests that will be run. */
  readonly tests: readonly ConfiguredTest[];
  /** Milliseconds that each Pod has. */
  readonly waitTime: number;
  readonly signal: AbortSignal;
  /** Called with what begins. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** A ConfigMap with a bundle, and the Pods that read it. */
export interface TestRun {
  /** Runs a test. @throws the signal's reason, OpSdkError if the ConfigMap cannot be created */
  run(spec: ConfiguredTest): Promise<readonly TestResult[]>;
  /** Returns the objects that were created and not deleted: `configmap/x`, `pod/y`. */
  created(): readonly string[];
  /** Deletes what was created, also after an abort. Call it once no test runs. @returns a warning if something remains */
  cleanUp(): Promise<readonly Finding[]>;
}

/** A clash of names is improbable with so many bytes; operator-sdk has four letters. */
const uniqueName = (): string => `scorecard-test-${randomBytes(4).toString('hex')}`;

/**
 * Checks with the API server that the tests can be run, by dry runs of all that will be created. Nothing is created yet.
 *
 * @throws OpSdkError `bundle/scorecard-too-large`, `bundle/scorecard-service-account`, `cluster/namespace-missing`, `cluster/forbidden`,
 *   `cluster/denied` and the like, all of them together; TransportError
 */
export async function openTestRun(options: TestRunOptions): Promise<TestRun> {
  const { client, namespace, tests, archive, waitTime, signal, onProgress } = options;
  const configMap: CreateObject<ConfigMap> & { metadata: { name: string } } = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: uniqueName(), namespace, labels: scorecardLabels },
    binaryData: { [bundleKey]: Buffer.from(archive).toString('base64') },
  };
  const settings = { ...options, configMap: configMap.metadata.name };
  const pods = new Map(
    tests.map((spec) => {
      const name = uniqueName();
      return [spec, { name, pod: testPod(name, spec, settings) }];
    }),
  );
  await checkTestRun({ client, archive, configMap, namespace, signal, pods: [...pods].map(podToCheck) });
  const created = new Map<string, () => Promise<unknown>>();
  const create = async (): Promise<void> => {
    signal.throwIfAborted();
    const { name } = configMap.metadata;
    // Noted first: a request that fails may have created it all the same.
    created.set(`configmap/${name}`, () => client.delete(ConfigMap, { name, namespace }));
    await client.create(ConfigMap, configMap);
  };
  let ready: Promise<void> | undefined;
  return {
    created: () => [...created.keys()],
    cleanUp: () => cleanUp(created, namespace),
    async run(spec) {
      const planned = pods.get(spec);
      if (planned === undefined) throw new TypeError(`the test ${testNameOf(spec)} is not one of the run`);
      await (ready ??= create());
      const { name, pod } = planned;
      created.set(`pod/${name}`, () => client.delete(Pod, { name, namespace }));
      onProgress?.(`running the test ${testNameOf(spec)} in the Pod ${namespace}/${name}`);
      return runTestPod({ client, spec, pod, waitTime, signal });
    },
  };
}

function podToCheck([spec, { pod }]: readonly [ConfiguredTest, { readonly pod: CreateObject<Pod> }]): {
  readonly pod: CreateObject<Pod>;
  readonly spec: ConfiguredTest;
} {
  return { spec, pod };
}

async function cleanUp(
  created: Map<string, () => Promise<unknown>>,
  namespace: string,
): Promise<readonly Finding[]> {
  const problems: string[] = [];
  // The Pods before what they read.
  for (const [title, remove] of [...created].reverse()) {
    try {
      await remove();
      created.delete(title);
    } catch (error) {
      if (isNotFound(error)) created.delete(title);
      else if (isOpSdkError(error)) problems.push(...error.findings.map(({ message }) => message));
      else throw error;
    }
  }
  if (problems.length === 0) return [];
  const left = [...created.keys()];
  return [
    {
      code: 'bundle/scorecard-leftovers',
      message: [`${left.join(', ')} in the namespace ${namespace} cannot be deleted`, ...problems].join('\n'),
      fix: [deleteCommand(left, namespace)],
    },
  ];
}

/** The command that deletes what a run has left. */
export function deleteCommand(titles: readonly string[], namespace: string): string {
  return `kubectl delete -n ${namespace} ${titles.join(' ')}`;
}
