/** The manager: owns the cluster's connection, cache, servers and controllers, and the order in which they start and stop. */
export type { AddClusterOptions } from './add-cluster.ts';
export { createManager, type ManagerOptions } from './create-manager.ts';
export type { Manager } from './manager.ts';
export type { Runnable, RunnableContext } from './runnable.ts';
export type { WebhooksOptions } from './webhooks-options.ts';
export { StopRequest } from './stop-request.ts';
export { processEnd, type ProcessEnd } from './process-end.ts';
