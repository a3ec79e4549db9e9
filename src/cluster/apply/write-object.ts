import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { resourcePath, type KubeClient, ApiError } from '../../sdk/kube/index.ts';
import { type ClusterObject, crdTypes } from '../objects/cluster-object.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { pollCluster, quietClient } from '../clients.ts';

interface WriteRequest {
  readonly signal?: AbortSignal | undefined;
  readonly dryRun?: boolean | undefined;
  /** True to take over fields that other managers own. */
  readonly force: boolean;
}

/** Writes a complete object of a manifest by server-side apply. As with kubectl, the object may have a status. @throws ApiError */
export async function writeObject(
  client: KubeClient,
  { resource, key, object }: ClusterObject,
  { signal, dryRun, force }: WriteRequest,
): Promise<{ readonly live: KubeObject; readonly created: boolean }> {
  const response = await client.connection.request({
    target: { verb: 'apply', resource, ...key },
    method: 'PATCH',
    path: resourcePath(resource, key),
    query: {
      fieldManager: client.fieldManager,
      fieldValidation: 'Strict',
      force,
      dryRun: dryRun === true ? 'All' : undefined,
    },
    // The body is sent as JSON, which is valid YAML.
    contentType: 'application/apply-patch+yaml',
    body: object,
    signal,
  });
  return { live: response.json<KubeObject>(), created: response.status === 201 };
}

/**
 * Validates a new object on the server without storing it. Unlike server-side apply, this request is decoded strictly first, so the error
 * names all unknown fields at once.
 *
 * @param namespace namespace in which to validate the object, instead of its own namespace
 * @throws ApiError; `AlreadyExists` means that the object is valid and exists
 */
export async function checkNewObject(
  client: KubeClient,
  { resource, key, object }: ClusterObject,
  {
    signal,
    namespace,
  }: { readonly signal?: AbortSignal | undefined; readonly namespace?: string | undefined },
): Promise<void> {
  const place = resource.namespaced ? { namespace: namespace ?? key.namespace } : {};
  await client.connection.request({
    target: { verb: 'create', resource, ...key },
    method: 'POST',
    path: resourcePath(resource, place),
    query: { fieldManager: client.fieldManager, fieldValidation: 'Strict', dryRun: 'All' },
    body: { ...object, metadata: { ...object.metadata, ...place } },
    signal,
  });
}

interface Crd extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

/** Default maximum wait in milliseconds. A healthy API server needs well under one second. */
const defaultTimeout = 30_000;

/**
 * Waits until a CustomResourceDefinition is accepted and established, and the API server serves all its served versions.
 *
 * @throws OpSdkError `cluster/crd-not-accepted`, `cluster/crd-not-served`
 */
export async function waitEstablished(
  client: KubeClient,
  crd: ClusterObject,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly timeout?: number | undefined;
    /** Called with a progress message when the API server stops answering, and when it answers again. */
    readonly onProgress?: ((line: string) => void) | undefined;
  },
): Promise<void> {
  const { signal, timeout = defaultTimeout, onProgress } = options;
  const { title, where } = crd;
  const served = await pollCluster(
    async () => {
      const live = (await client.get(crd.resource, crd.key, { signal })) as Crd;
      const conditions = live.status?.conditions ?? [];
      const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
      if (refused !== undefined) {
        throw new OpSdkError({
          code: 'cluster/crd-not-accepted',
          message: `${title}: ${refused.message ?? 'its names are taken'}`,
          where,
          fix: ['choose other names, or remove the other CustomResourceDefinition, which has these names'],
        });
      }
      const isTrue = (wanted: string): boolean =>
        conditions.some(({ type, status }) => type === wanted && status === 'True');
      const ready = isTrue('NamesAccepted') && isTrue('Established') && (await isServed(client, crd, signal));
      return ready ? true : undefined;
    },
    { timeout, interval: 100, signal, onProgress },
  );
  if (served !== undefined) return;
  throw new OpSdkError({
    code: 'cluster/crd-not-served',
    message: `${title}: the API server does not serve its kinds after ${durationText(timeout)}`,
    where,
    fix: [
      `look at its conditions: kubectl describe crd ${crd.key.name}`,
      'run the command again, or wait longer: --timeout 2m',
    ],
  });
}

/**
 * Returns true if the API server answers requests for all served versions of a definition. This may happen slightly after the condition
 * `Established` becomes true.
 */
async function isServed(
  client: KubeClient,
  { object }: ClusterObject,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const quiet = quietClient(client);
  for (const type of crdTypes(object)) {
    try {
      await quiet.raw.request({ path: resourcePath(type, {}), query: { limit: 1 }, signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404 || error.status === 503) return false;
      // A user who may not list objects gets 403 even for a type that is not served, so discovery is checked instead.
      if (error.status === 403 && !(await isDiscovered(client, type, signal))) return false;
      // Anything else is another matter: the handler answers.
    }
  }
  return true;
}

/** Returns true if API discovery lists the type. Every user may read API discovery. */
async function isDiscovered(
  client: KubeClient,
  { group, version, plural }: Resource<KubeObject>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const answer = await client.raw.request({ path: `/apis/${group}/${version}`, signal });
    const { resources = [] } = answer.json<{ readonly resources?: readonly { readonly name: string }[] }>();
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 503)) return false;
    throw error;
  }
}
