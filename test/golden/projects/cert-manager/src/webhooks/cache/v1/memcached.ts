import { defineWebhook } from 'opsdk';
import { Memcached } from '../../../api/cache/v1/memcached.ts';

// The API server asks these functions before it stores a Memcached. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date.

export const memcachedWebhook = defineWebhook(Memcached, {
  // Fills in what the user left out, on create and update. The function gets the object, and changes it. If spec has a field `size`:
  //   default(memcached) {
  //     memcached.spec.size ??= 3;
  //   },
  // Nobody has validated the object yet: fields may be missing.
  default() {},
  // Each function returns what is wrong with an object that fits its schema; an empty list allows the request. If spec has a field `size`:
  //   create({ spec }) {
  //     return spec.size % 2 === 1 ? [] : [{ path: '.spec.size', message: 'must be odd', value: spec.size }];
  //   },
  // `update` gets the new object and the old one. Add `delete` to be asked before objects are deleted.
  validate: {
    create: () => [],
    update: () => [],
  },
});
