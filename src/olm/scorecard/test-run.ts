import { randomBytes } from 'node:crypto';
import { testNameOf, type ConfiguredTest, type TestResult } from '../bundle/index.ts';
import { isOpSdkError, type Finding, FindingList } from '../../base/errors/index.ts';
import { ConfigMap, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { isNotFound, type CreateObject, type KubeClient, ApiError, ownAccess } from '../../sdk/kube/index.ts';
import { refusal } from '../../cluster/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { runTestPod } from './run-test-pod.ts';
import { bundleKey, scorecardLabels, testPod, type TestPodSettings } from './test-pod.ts';

interface TestRunOptions extends Omit<TestPodSettings, 'configMap'> {
  readonly client: KubeClient;
  /** The bundle as a gzipped tar archive. */
  readonly archive: Uint8Array;
  /** All tests that the run may execute. */
  readonly tests: readonly ConfiguredTest[];
  /** Milliseconds that each test's Pod may take. */
  readonly waitTime: number;
  readonly signal: AbortSignal;
  /** Called with a message when a test starts. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** A test run on a cluster: a ConfigMap that contains a bundle, and the Pods that read it. */
export interface TestRun {
  /** Runs a test and returns its results. @throws the abort reason of the signal, OpSdkError if the ConfigMap cannot be created */
  run(spec: ConfiguredTest): Promise<readonly TestResult[]>;
  /** Returns the names of the objects that were created and not yet deleted, such as `configmap/x` or `pod/y`. */
  created(): readonly string[];
  /**
   * Deletes the created objects, also after the signal was aborted. Call this function only when all tests have ended.
   * @returns a warning if some objects could not be deleted
   */
  cleanUp(): Promise<readonly Finding[]>;
}

/** Returns a unique name for an object. Four random bytes make a clash of names unlikely; operator-sdk uses four letters. */
const uniqueName = (): string => `scorecard-test-${randomBytes(4).toString('hex')}`;

/**
 * Checks with the API server that the tests can be run, by dry runs of all objects that will be created. Does not create any object yet.
 *
 * @throws OpSdkError with all problems: `bundle/scorecard-too-large`, `bundle/scorecard-service-account`, `cluster/namespace-missing`,
 * `cluster/forbidden`, `cluster/denied` and similar; TransportError
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
    // Record the object before the request, because a request that fails may nevertheless have created the object.
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
  // Delete the Pods before the ConfigMap that they read.
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

/** Returns the kubectl command that deletes the objects that a test run has left on the cluster. */
export function deleteCommand(titles: readonly string[], namespace: string): string {
  return `kubectl delete -n ${namespace} ${titles.join(' ')}`;
}

interface CheckedRun {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly archive: Uint8Array;
  readonly configMap: CreateObject<ConfigMap>;
  readonly pods: readonly { readonly pod: CreateObject<Pod>; readonly spec: ConfiguredTest }[];
  readonly signal: AbortSignal;
}

/** Maximum size of a ConfigMap in bytes. Source: Kubernetes `pkg/apis/core`, `MaxSecretSize`, which also limits ConfigMaps. */
const mostOfConfigMap = 1024 * 1024;

/** Permissions that a run needs in addition to creating objects. The dry runs check the permission to create. */
const otherAccess = [
  { resource: 'pods', verb: 'get' },
  { resource: 'pods', verb: 'delete' },
  { resource: 'pods', subresource: 'log', verb: 'get' },
  { resource: 'configmaps', verb: 'delete' },
] as const;

/**
 * Sends all objects that a run creates as dry-run requests, and checks the other permissions that it needs.
 *
 * @throws OpSdkError with everything that prevents the run; TransportError
 */
async function checkTestRun(run: CheckedRun): Promise<void> {
  const { client, archive, configMap, pods, signal } = run;
  const findings = new FindingList();
  if (archive.length > mostOfConfigMap) findings.add(tooLarge(archive.length));
  else {
    const title = `configmap/${String(configMap.metadata.name)}`;
    const refused = await refusalOf(() => client.create(ConfigMap, configMap, { dryRun: true, signal }), {
      ...run,
      title,
      where: { object: title },
    });
    for (const finding of refused) findings.add(finding);
    // Stop here, because all further checks would fail for the same cause.
    if (refused.some(({ code }) => code === 'cluster/namespace-missing')) findings.throwIfAny();
  }
  const refusals = await inParallel(pods, ({ pod, spec }) =>
    refusalOf(() => client.create(Pod, pod, { dryRun: true, signal }), {
      ...run,
      title: `the Pod of the test ${testNameOf(spec)}`,
      where: spec.where,
    }),
  );
  for (const finding of refusals.flat()) findings.add(finding);
  for (const finding of await missingAccess(run)) findings.add(finding);
  findings.throwIfAny();
}

async function refusalOf(
  create: () => Promise<unknown>,
  object: {
    readonly title: string;
    readonly where: NonNullable<Finding['where']>;
    readonly namespace: string;
  },
): Promise<readonly Finding[]> {
  try {
    await create();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return explained(error, object);
  }
}

function explained(
  error: ApiError,
  object: {
    readonly title: string;
    readonly where: NonNullable<Finding['where']>;
    readonly namespace: string;
  },
): readonly Finding[] {
  const { title, where, namespace } = object;
  const said = error.serverMessage;
  // An admission webhook with side effects does not support dry runs. Only when the object is really created does it decide if it admits
  // the object.
  if (/does not support dry run/.test(said)) return [];
  if (error.status === 404)
    return [
      {
        code: 'cluster/namespace-missing',
        message: `the namespace ${namespace} does not exist`,
        fix: [`create it: kubectl create namespace ${namespace}`, 'or name another one: --namespace'],
      },
    ];
  if (/error looking up service account/.test(said))
    return [
      {
        code: 'bundle/scorecard-service-account',
        message: `${title}: ${said}`,
        where,
        fix: ['create the ServiceAccount, or name another one: --service-account'],
      },
    ];
  if (/violates PodSecurity/.test(said))
    return [
      {
        code: 'cluster/denied',
        message: `${title}: ${said}`,
        where,
        fix: ['run the tests with --pod-security restricted, or in another namespace'],
      },
    ];
  return refusal(error, object);
}

async function missingAccess({ client, namespace, signal }: CheckedRun): Promise<readonly Finding[]> {
  const answers = await inParallel(otherAccess, async (access): Promise<readonly Finding[]> => {
    const attributes = { group: '', namespace, ...access };
    if (await ownAccess(client.connection, attributes, { signal })) return [];
    const subresource = 'subresource' in access ? `/${access.subresource}` : '';
    return [
      {
        code: 'cluster/forbidden',
        message: `${access.verb} ${access.resource}${subresource} in the namespace ${namespace} is not permitted`,
        fix: ['use a kubeconfig context whose user may do this'],
      },
    ];
  });
  return answers.flat();
}

function tooLarge(bytes: number): Finding {
  return {
    code: 'bundle/scorecard-too-large',
    message: `the files of the bundle have ${bytes} bytes once compressed, expected at most ${mostOfConfigMap}`,
    fix: ['remove files that do not belong to the bundle'],
  };
}
