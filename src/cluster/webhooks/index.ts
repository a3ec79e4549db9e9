/**
 * The webhooks of an operator that runs outside of the cluster, for `op-sdk run` and `dev`: a certificate for this machine, configurations and
 * conversions with URLs in place of the Service, and all of it put back in the end.
 */
export { LocalWebhooks, type LocalWebhooksOptions } from './local-webhooks.ts';
export { removeLeftovers, type Leftovers } from './remove-leftovers.ts';
export { runWebhookGuard } from './webhook-guard.ts';
