import {
  defineResource,
  defineWebhook,
  externalResource,
  type CustomResource,
  type KubeObject,
  type WebhookOptions,
} from '../../../../../src/index.ts';
import type { ControllerClient } from '../../../../../src/sdk/runtime/client/index.ts';
import {
  answerAdmission,
  type AdmissionEnvironment,
  type AdmissionReviewAnswer,
  type Door,
} from '../../../../../src/sdk/runtime/webhook/admission/answer-admission.ts';
import { memoryLog } from '../memory-log.ts';

export interface Memcached extends CustomResource<'cache.example.com/v1alpha1', 'Memcached'> {
  spec: { size: number; image?: string; labels?: Record<string, string>; ports?: { name: string }[] };
  status?: { ready?: boolean };
}

export const Memcached = defineResource<Memcached>({
  group: 'cache.example.com',
  version: 'v1alpha1',
  kind: 'Memcached',
});

export interface Pod extends KubeObject<'v1', 'Pod'> {
  spec: { nodeName?: string };
}

export const Pod = externalResource<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});

export type Json = Readonly<Record<string, unknown>>;

export function memcached(spec: Json = { size: 3 }, metadata: Json = { name: 'x' }): Json {
  return {
    apiVersion: 'cache.example.com/v1alpha1',
    kind: 'Memcached',
    metadata: { namespace: 'default', ...metadata },
    spec,
  };
}

/** A review as the API server sends it, as JSON. */
export function reviewOf(request: Json = {}): Json {
  const { operation = 'CREATE' } = request;
  const objects = {
    CREATE: { object: memcached(), oldObject: null },
    UPDATE: { object: memcached(), oldObject: memcached() },
    DELETE: { object: null, oldObject: memcached() },
  };
  return JSON.parse(
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: 'abc',
        kind: { group: 'cache.example.com', version: 'v1alpha1', kind: 'Memcached' },
        resource: { group: 'cache.example.com', version: 'v1alpha1', resource: 'memcacheds' },
        name: 'x',
        namespace: 'default',
        operation,
        userInfo: { username: 'ann', groups: ['g'] },
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
        ...objects[operation as 'CREATE'],
        ...request,
      },
    }),
  ) as Json;
}

/** What a webhook answers, without an API server around it. */
export async function answer(
  options: WebhookOptions<Memcached>,
  door: Door,
  review: unknown = reviewOf(),
  environment: Partial<AdmissionEnvironment> = {},
): Promise<AdmissionReviewAnswer['response'] & { readonly lines: ReturnType<typeof memoryLog>['lines'] }> {
  const { log, lines } = memoryLog();
  const webhook = defineWebhook(Memcached, options);
  const { response } = await answerAdmission(webhook, door, review, {
    log,
    client: () => ({}) as ControllerClient,
    signal: () => new AbortController().signal,
    typeFault: () => Promise.resolve(undefined),
    ...environment,
  });
  return { ...response, lines };
}

/** The operations of an answer's patch. */
export function patchOf({ patch }: { readonly patch?: string }): unknown {
  return patch === undefined ? undefined : JSON.parse(Buffer.from(patch, 'base64').toString());
}
