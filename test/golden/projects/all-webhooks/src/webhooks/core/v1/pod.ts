import { defineWebhook } from 'opsdk';
import { Pod } from 'opsdk/k8s/core/v1';

// The API server asks these functions before it stores a Pod. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date.
// Nobody can write such an object while the operator does not answer; with `failurePolicy: 'Ignore'` they can.

export const podWebhook = defineWebhook(Pod, {
  // Each function returns what is wrong with an object that fits its schema; an empty list allows the request:
  //   create({ metadata: { labels } }) {
  //     return labels?.team ? [] : [{ path: '.metadata.labels', message: 'must name a team' }];
  //   },
  // `update` gets the new object and the old one. Add `delete` to be asked before objects are deleted.
  validate: {
    create: () => [],
    update: () => [],
  },
});
