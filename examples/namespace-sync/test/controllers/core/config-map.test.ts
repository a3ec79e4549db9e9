import type { ConfigMap } from 'opsdk/k8s/core/v1';
import { expect, it } from 'vitest';
import { COPY, COPY_OF, desiredCopy, SELECTOR, SOURCE } from '../../../src/controllers/core/config-map.ts';

const source: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'ca',
    namespace: 'platform',
    uid: 'b1b5ce3a-0b7c-4d4c-9a39-0d1f3a1a3c11',
    labels: { [SOURCE]: 'true', team: 'platform' },
    annotations: { [SELECTOR]: 'ca=yes' },
  },
  data: { 'ca.crt': 'A' },
};

it('gives a copy the data of its source', () => {
  expect(desiredCopy(source, 'web').data).toEqual({ 'ca.crt': 'A' });
});

it('says of a copy where it comes from, and makes no source of it', () => {
  expect(desiredCopy(source, 'web').metadata).toEqual({
    namespace: 'web',
    name: 'ca',
    labels: { [COPY]: 'true' },
    annotations: { [COPY_OF]: 'platform/ca' },
  });
});
