// Unit tests on an API server in memory; they need no cluster and no binaries.
import { createTestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { Widget } from '../../../src/api/shop/v1/widget.ts';
import { widgetController, observedStatus } from '../../../src/controllers/shop/widget.ts';

expect.extend(kubernetesMatchers);

const widget: Widget = {
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'widget-sample', namespace: 'default' },
  spec: {},
};

it('reports that the object is ready, and for which generation', async () => {
  await using api = await createTestApi({ kinds: [Widget], objects: [widget] });
  api.add(widgetController);
  await api.settle();
  const observed = await api.client.get(Widget, widget.metadata);
  expect(observed).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
  expect(observed.status?.conditions).toMatchObject([{ observedGeneration: 1 }]);
});

it('keeps the time of the last transition as long as nothing changes', () => {
  const first = observedStatus(widget);
  const second = observedStatus({ ...widget, status: first });
  expect(second).toEqual(first);
});
