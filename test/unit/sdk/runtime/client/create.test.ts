import { expect, test } from 'vitest';
import { defineController, type ControllerClient } from '../../../../../src/index.ts';
import { SubjectAccessReview } from '../../../../../src/sdk/k8s/generated/authorization/v1.ts';
import { ConfigMap } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi } from '../../../../../src/testing.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };

/** Calls the client of a reconcile, as code without types may. */
async function reconcileWith(call: (client: ControllerClient) => Promise<unknown>): Promise<void> {
  await using api = await createTestApi({ kinds: [ConfigMap], objects: [object] });
  api.add(
    defineController({
      for: ConfigMap,
      predicates: [({ object: { metadata } }) => metadata.name === 'a'],
      reconcile: async (_, { client }) => void (await call(client)),
    }),
  );
  await api.settle();
}

test.each([
  [ConfigMap, { data: {} }, ['set metadata.name', 'set the namespace: ConfigMap is namespaced']],
  [SubjectAccessReview, { spec: {} }, ['send it with raw.request: a review has no name']],
])('an object without metadata is refused, with what to do: %o', async (resource, body, fixes) => {
  const running = reconcileWith((client) => client.create(resource, body as never));
  await expect(running).rejects.toMatchObject({
    cause: { code: 'kube/invalid-request', findings: fixes.map((fix) => ({ fix: [fix] })) },
  });
});
