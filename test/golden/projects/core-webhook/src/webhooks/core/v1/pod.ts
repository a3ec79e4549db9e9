import { defineWebhook } from 'opsdk';
import { Pod } from 'opsdk/k8s/core/v1';

// The API server asks these functions before it stores a Pod. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date.
// Nobody can write such an object while the operator does not answer; with `failurePolicy: 'Ignore'` they can.

export const podWebhook = defineWebhook(Pod, {
  // Fills in what the user left out, on create and update. The function gets the object, and changes it:
  //   default(pod) {
  //     pod.metadata.labels = { team: 'unknown', ...pod.metadata.labels };
  //   },
  // Nobody has validated the object yet: fields may be missing.
  default() {},
});
