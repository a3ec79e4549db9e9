import { defineWebhook } from 'opsdk';
import { Memcached } from '../../../api/cache/v2/memcached.ts';

// The API server asks these functions before it stores a Memcached. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date.

export const memcachedWebhook = defineWebhook(Memcached, {
  // Fills in what the user left out, on create and update. The function gets the object, and changes it. If spec has a field `size`:
  //   default(memcached) {
  //     memcached.spec.size ??= 3;
  //   },
  // Nobody has validated the object yet: fields may be missing.
  default() {},
  defaulting: { path: '/default-memcached' },
});
