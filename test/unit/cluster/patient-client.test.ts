import { describe, expect, test } from 'vitest';
import { patientClient } from '../../../src/cluster/patient-client.ts';
import { ConfigMap } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { ApiError, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { TransportError } from '../../../src/sdk/kube/transport/transport-error.ts';

const lost = new TransportError('kube/connection-lost', 'ECONNRESET');
const answer = (status: number): ApiError => new ApiError({ verb: 'test' }, status, `HTTP ${status}`);
const key = { name: 'a', namespace: 'default' };

/** A patient client of a server that answers one read, and then these one after the other; undefined: as it should. */
async function clientOf(answers: readonly (Error | undefined)[], timeout = 30_000) {
  const left: (Error | undefined)[] = [undefined, ...answers];
  const sent: string[] = [];
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: key });
  const response = {
    status: 200,
    headers: {},
    body: Buffer.from(text),
    text: () => text,
    json: () => JSON.parse(text),
  };
  const connection = {
    request: ({ method }: { readonly method: string }) => {
      sent.push(method);
      const next = left.shift();
      return next === undefined ? Promise.resolve(response) : Promise.reject(next);
    },
  };
  const client = { connection, fieldManager: 'test' } as unknown as KubeClient;
  const patient = patientClient(client, { interval: 1, timeout });
  await patient.get(ConfigMap, key);
  sent.length = 0;
  return { patient, sent };
}

const deletion = {
  method: 'DELETE',
  path: '/api/v1/namespaces/default/configmaps/a',
  body: { preconditions: { uid: 'u' } },
} as const;

describe('a patient client', () => {
  test.each([
    ['a read', (client: KubeClient) => client.get(ConfigMap, key)],
    ['server-side apply', (client: KubeClient) => client.apply(ConfigMap, { metadata: key })],
    ['the deletion of one certain object', (client: KubeClient) => client.raw.request(deletion)],
  ])('repeats %s', async (_, act) => {
    const { patient, sent } = await clientOf([lost, answer(503)]);
    await act(patient);
    expect(sent).toHaveLength(3);
  });

  test.each([
    ['a new object', (client: KubeClient) => client.create(ConfigMap, { metadata: key })],
    ['a patch', (client: KubeClient) => client.patch(ConfigMap, key, { type: 'merge', body: {} })],
    ['the deletion of whatever has the name', (client: KubeClient) => client.delete(ConfigMap, key)],
  ])('does not repeat %s, of which nobody knows whether it was written', async (_, act) => {
    const { patient, sent } = await clientOf([lost]);
    await expect(act(patient)).rejects.toBe(lost);
    expect(sent).toHaveLength(1);
  });

  test.each([400, 403, 404, 409, 422, 500])('does not repeat what is answered with %i', async (status) => {
    const failure = answer(status);
    const { patient, sent } = await clientOf([failure]);
    await expect(patient.get(ConfigMap, key)).rejects.toBe(failure);
    expect(sent).toHaveLength(1);
  });

  test('takes what is gone after a deletion whose answer was lost for deleted', async () => {
    const { patient } = await clientOf([lost, answer(404)]);
    expect((await patient.raw.request(deletion)).status).toBe(200);
    const other = await clientOf([answer(404)]);
    await expect(other.patient.raw.request(deletion)).rejects.toMatchObject({ status: 404 });
  });

  test('does so too if another object has the name by then', async () => {
    const { patient } = await clientOf([lost, answer(409)]);
    expect((await patient.raw.request(deletion)).status).toBe(200);
    const other = await clientOf([answer(409)]);
    await expect(other.patient.raw.request(deletion)).rejects.toMatchObject({ status: 409 });
  });

  test('gives the answer back that one API group is away, to who asks for answers at once', async () => {
    const call = { method: 'GET', path: '/apis/metrics.k8s.io/v1beta1', honourRetryAfter: false } as const;
    const request = (client: KubeClient) =>
      client.connection.request({ ...call, target: { verb: `GET ${call.path}` } });
    const away = await clientOf([answer(503)]);
    await expect(request(away.patient)).rejects.toMatchObject({ status: 503 });
    expect(away.sent).toHaveLength(1);
    const { patient, sent } = await clientOf([lost]);
    expect((await request(patient)).status).toBe(200);
    expect(sent).toHaveLength(2);
  });

  test('gives up in the end, with the last failure', async () => {
    const { patient, sent } = await clientOf(
      Array.from({ length: 1000 }, () => lost),
      30,
    );
    await expect(patient.get(ConfigMap, key)).rejects.toBe(lost);
    expect(sent.length).toBeGreaterThan(1);
  });
});
