import { expect, test } from 'vitest';
import { defaultPlural } from '../../../../src/base/util/kubernetes-words.ts';

test.each([
  ['Memcached', 'memcacheds'],
  ['Ingress', 'ingresses'],
  ['Proxy', 'proxies'],
  ['Gateway', 'gateways'],
  ['Box', 'boxes'],
  ['Watch', 'watches'],
  ['Mesh', 'meshes'],
  ['Quiz', 'quizes'],
])('the plural of %s is %s', (kind, plural) => expect(defaultPlural(kind)).toBe(plural));
