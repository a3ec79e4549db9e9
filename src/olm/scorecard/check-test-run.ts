import { testNameOf, type ConfiguredTest } from '../bundle/index.ts';
import { refusal } from '../../cluster/index.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { ConfigMap, Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { ApiError, ownAccess, type CreateObject, type KubeClient } from '../../sdk/kube/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';

interface CheckedRun {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly archive: Uint8Array;
  readonly configMap: CreateObject<ConfigMap>;
  readonly pods: readonly { readonly pod: CreateObject<Pod>; readonly spec: ConfiguredTest }[];
  readonly signal: AbortSignal;
}

/** Source: Kubernetes `pkg/apis/core`, `MaxSecretSize`, which also bounds ConfigMaps. */
const mostOfConfigMap = 1024 * 1024;

/** Access that a run needs beside creating objects, which the dry runs check. */
const otherAccess = [
  { resource: 'pods', verb: 'get' },
  { resource: 'pods', verb: 'delete' },
  { resource: 'pods', subresource: 'log', verb: 'get' },
  { resource: 'configmaps', verb: 'delete' },
] as const;

/**
 * Sends everything that a run creates as a dry run, and asks for the permissions that the rest needs.
 *
 * @throws OpSdkError with everything that prevents the run; TransportError
 */
export async function checkTestRun(run: CheckedRun): Promise<void> {
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
    // The rest would fail for the same cause.
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
  // A webhook with side effects: whether it admits the object is known once it is created.
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
