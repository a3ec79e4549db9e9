// Webhooks that a real API server asks: what it sends, and what it makes of the answers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defineWebhook,
  isForbidden,
  isInvalid,
  type ApiError,
  type Resource,
} from '../../../../../src/index.ts';
import { Deployment } from '../../../../../src/sdk/k8s/generated/apps/v1.ts';
import { Pod } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../../helpers/control-plane.ts';
import { installMemcached, installWebhooks, type Kinds, type Memcached } from './installed-webhooks.ts';

const slow = { timeout: 60_000 };

let plane: SharedControlPlane;
let client: KubeClient;
let kinds: Kinds;
const warnings: string[] = [];
beforeAll(async () => {
  plane = await sharedControlPlane();
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  client = createClient({ cluster, fieldManager: 'test', onWarning: (text) => warnings.push(text) });
  kinds = await installMemcached(client);
}, 120_000);
afterAll(async () => {
  await client.close();
});

/** What the API server says of a request that is refused. */
async function refusal(request: Promise<unknown>): Promise<ApiError> {
  return request.then(
    () => expect.unreachable('the request was not refused'),
    (error: unknown) => error as ApiError,
  );
}

/** The API server asks new webhooks a moment after it was told of them. */
async function untilAsked(attempt: () => Promise<boolean>): Promise<void> {
  await eventually(attempt, slow);
}

const isRefused = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => false,
    () => true,
  );

test('objects are defaulted before they are validated; errors of fields, warnings, old objects, deletions and dry runs', async () => {
  const namespace = await uniqueNamespace(plane);
  const { beta: kind } = kinds;
  const dryRuns: unknown[] = [];
  await using installed = await installWebhooks(
    plane.kubeconfig,
    client,
    namespace,
    defineWebhook(kind, {
      default(memcached, { request }) {
        memcached.spec.image ??= 'memcached:1.6';
        if (request.operation === 'CREATE')
          memcached.metadata.annotations = { by: request.userInfo.username ?? '' };
      },
      validate: {
        create({ spec, metadata }, { warn, request }) {
          dryRuns.push(`${metadata.name} ${request.dryRun} ${spec.image}`);
          if (spec.note === 'old') warn('spec.note: old is deprecated');
          return [
            ...(spec.size % 2 === 1
              ? []
              : [{ path: '.spec.size', message: 'must be odd', value: spec.size } as const]),
            ...(spec.tags ?? []).map(
              (tag, index) => ({ path: `.spec.tags[${index}]`, message: 'not allowed', value: tag }) as const,
            ),
          ];
        },
        update({ spec }, old) {
          if (spec.size < old.spec.size)
            throw new Error(`cannot shrink from ${old.spec.size} to ${spec.size}`);
        },
        delete({ spec }) {
          if (spec.note === 'keep') throw new Error('asked to be kept');
        },
      },
    }),
  );
  const create = (name: string, spec: Partial<Memcached['spec']>, dryRun = false) =>
    client.create(kind, { metadata: { name, namespace }, spec: { size: 3, ...spec } }, { dryRun });
  await untilAsked(async () => {
    const [isMutated, isValidated] = await Promise.all([
      create('probe', {}, true).then(({ spec }) => spec.image !== undefined),
      isRefused(create('probe', { size: 2 }, true)),
    ]);
    return isMutated && isValidated;
  });

  const created = await create('a', { note: 'keep' });
  expect(created.spec).toEqual({ size: 3, image: 'memcached:1.6', note: 'keep' });
  expect(created.metadata.annotations?.['by']).toMatch(/\w/);
  expect(dryRuns).toContain('a false memcached:1.6');

  const invalid = await refusal(create('b', { size: 4, tags: ['x', 'y'] }));
  expect(isInvalid(invalid)).toBe(true);
  expect(invalid.serverMessage).toMatch(
    /^admission webhook "w0\..*" denied the request: Memcached\.cache-\w+\.example\.com "b" is invalid: \[spec\.size: Invalid value: 4: must be odd, spec\.tags\[0\]: Invalid value: "x": not allowed, spec\.tags\[1\]: Invalid value: "y": not allowed\]$/,
  );
  expect(invalid.details?.causes).toEqual([
    { field: 'spec.size', reason: 'FieldValueInvalid', message: 'Invalid value: 4: must be odd' },
    { field: 'spec.tags[0]', reason: 'FieldValueInvalid', message: 'Invalid value: "x": not allowed' },
    { field: 'spec.tags[1]', reason: 'FieldValueInvalid', message: 'Invalid value: "y": not allowed' },
  ]);

  await create('c', { note: 'old' }, true);
  expect(warnings).toContain('spec.note: old is deprecated');
  expect(dryRuns).toContain('c true memcached:1.6');

  const shrunk = await refusal(client.update(kind, { ...created, spec: { ...created.spec, size: 1 } }));
  expect(isForbidden(shrunk)).toBe(true);
  expect(shrunk.serverMessage).toMatch(/denied the request: cannot shrink from 3 to 1$/);
  const updated = await client.update(kind, { ...created, spec: { size: 5 } });
  expect(updated.spec).toEqual({ size: 5, image: 'memcached:1.6' });

  const kept = await client.update(kind, { ...updated, spec: { ...updated.spec, note: 'keep' } });
  const denied = await refusal(client.delete(kind, { name: 'a', namespace }));
  expect(denied.serverMessage).toContain('asked to be kept');
  await client.update(kind, { ...kept, spec: { size: 5 } });
  await client.delete(kind, { name: 'a', namespace });
  expect(installed.running.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a field of the wrong type is refused by the API server in its own words; a mistake in `default` is an internal error', async () => {
  const namespace = await uniqueNamespace(plane);
  const { beta: kind } = kinds;
  await using installed = await installWebhooks(
    plane.kubeconfig,
    client,
    namespace,
    defineWebhook(kind, {
      default({ spec }) {
        spec.note = `${spec.image?.trim()} ${spec.tags?.map((tag) => tag.length).join()}`;
        if (spec.note.startsWith('broken')) (spec as unknown as { none: { deep: number } }).none.deep = 1;
      },
    }),
  );
  const create = (spec: object) =>
    client.create(kind, { metadata: { name: 'x', namespace }, spec }, { dryRun: true });
  await untilAsked(async () => (await create({ size: 1 })).spec.note !== undefined);
  const wrong = await refusal(create({ size: 1, image: 7, tags: 'many' }));
  expect(wrong.status).toBe(422);
  expect(wrong.serverMessage).not.toContain('admission webhook');
  expect(wrong.serverMessage).toMatch(
    /spec\.image: Invalid value: "integer": spec\.image in body must be of type string/,
  );
  expect(wrong.serverMessage).toMatch(
    /spec\.tags: Invalid value: "string": spec\.tags in body must be of type array/,
  );
  expect(installed.running.lines).toContainEqual(
    expect.objectContaining({
      level: 'info',
      fault: '.spec.image',
      msg: expect.stringContaining('not defaulted'),
    }),
  );
  // A required field that is missing has no type that could be wrong.
  for (const spec of [{ size: 1, image: 'broken' }, { image: 'broken' }]) {
    const failed = await refusal(create(spec));
    expect(failed.status).toBe(500);
    expect(failed.reason).toBe('InternalError');
    expect(failed.serverMessage).toMatch(
      /denied the request: the webhook failed: Cannot set properties of undefined/,
    );
  }
});

test('a subresource that carries the kind is asked about if the webhook names it', async () => {
  const namespace = await uniqueNamespace(plane);
  const { beta: kind } = kinds;
  await using _installed = await installWebhooks(
    plane.kubeconfig,
    client,
    namespace,
    defineWebhook(kind, {
      subresources: ['status'],
      validate: {
        update: ({ status }, old, { request }) => {
          if (request.subResource === 'status' && old.status?.ready === true && status?.ready === false)
            throw new Error('once ready, always ready');
        },
      },
    }),
  );
  const created = await client.create(kind, { metadata: { name: 's', namespace }, spec: { size: 1 } });
  const ready = await client.updateStatus(kind, { ...created, status: { ready: true } });
  const options = { dryRun: true };
  await untilAsked(() =>
    isRefused(client.updateStatus(kind, { ...ready, status: { ready: false } }, options)),
  );
  const denied = await refusal(client.updateStatus(kind, { ...ready, status: { ready: false } }));
  expect(denied.serverMessage).toContain('once ready, always ready');
  await client.update(kind, { ...ready, spec: { size: 2 } });
});

test('a webhook that does not answer in time fails the request, or is passed over, as its failurePolicy says', async () => {
  const { alpha, beta } = kinds;
  const never = async (): Promise<undefined> => new Promise(() => undefined);
  for (const failurePolicy of ['Fail', 'Ignore'] as const) {
    const namespace = await uniqueNamespace(plane);
    let asked = 0;
    const aborted: string[] = [];
    await using installed = await installWebhooks(
      plane.kubeconfig,
      client,
      namespace,
      defineWebhook(failurePolicy === 'Fail' ? beta : alpha, {
        ...{ failurePolicy, timeoutSeconds: 1, matchPolicy: 'Exact' },
        validate: {
          create: (_, { signal }) => {
            asked += 1;
            signal.addEventListener('abort', () => aborted.push(String(signal.reason)));
            return never();
          },
        },
      }),
    );
    const kind: Resource<Memcached> = failurePolicy === 'Fail' ? beta : alpha;
    const create = () =>
      client.create(kind, { metadata: { name: 't', namespace }, spec: { size: 1 } }, { dryRun: true });
    await untilAsked(async () => {
      await create().catch(() => undefined);
      return asked > 0;
    });
    if (failurePolicy === 'Fail')
      expect((await refusal(create())).serverMessage).toMatch(/failed calling webhook .*(deadline|timeout)/i);
    else expect((await create()).spec.size).toBe(1);
    await eventually(() => aborted.length > 0, slow);
    expect(installed.running.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('not answered') }),
    );
  }
});

test('kinds of Kubernetes, in one manager', async () => {
  const namespace = await uniqueNamespace(plane);
  await using _installed = await installWebhooks(
    plane.kubeconfig,
    client,
    namespace,
    defineWebhook(Pod, {
      default(pod) {
        (pod.metadata.labels ??= {})['team'] ??= 'none';
      },
    }),
    defineWebhook(Deployment, {
      validate: {
        create: ({ spec }) =>
          (spec?.replicas ?? 1) > 3
            ? [{ path: '.spec.replicas', message: 'at most 3', value: spec?.replicas }]
            : [],
      },
    }),
  );
  const dry = { dryRun: true };
  const containers = [{ name: 'c', image: 'nginx' }];
  const pod = () => client.create(Pod, { metadata: { name: 'p', namespace }, spec: { containers } }, dry);
  await untilAsked(async () => (await pod()).metadata.labels?.['team'] === 'none');
  const labels = { app: 'd' };
  const deployment = (replicas: number) =>
    client.create(
      Deployment,
      {
        metadata: { name: 'd', namespace },
        spec: {
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      },
      dry,
    );
  await untilAsked(() => isRefused(deployment(4)));
  expect((await refusal(deployment(4))).serverMessage).toContain(
    'Deployment.apps "d" is invalid: spec.replicas: Invalid value: 4: at most 3',
  );
  expect((await deployment(3)).spec?.replicas).toBe(3);
});

test('two versions of one kind have webhooks of their own', async () => {
  const namespace = await uniqueNamespace(plane);
  const { alpha, beta } = kinds;
  const noting = (kind: Resource<Memcached>) =>
    defineWebhook(kind, {
      matchPolicy: 'Exact',
      default(object) {
        object.spec.note = kind.version;
      },
    });
  await using _installed = await installWebhooks(
    plane.kubeconfig,
    client,
    namespace,
    noting(alpha),
    noting(beta),
  );
  const noteOf = async (kind: Resource<Memcached>): Promise<string | undefined> =>
    (await client.create(kind, { metadata: { name: 'v', namespace }, spec: { size: 1 } }, { dryRun: true }))
      .spec.note;
  await untilAsked(async () => (await noteOf(alpha)) !== undefined && (await noteOf(beta)) !== undefined);
  expect([await noteOf(alpha), await noteOf(beta)]).toEqual(['v1alpha1', 'v1beta1']);
});
