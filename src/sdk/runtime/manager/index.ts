/** The manager owns the cluster's connection, cache, servers and controllers, and defines the order in which they start and stop. */
export type { AddClusterOptions } from './clusters.ts';
export { createManager, type ManagerOptions } from './create-manager.ts';
export type { Manager } from './manager.ts';
export type { Runnable, RunnableContext } from './runnables.ts';
export type { WebhooksOptions } from './manager-settings.ts';
export { StopRequest, processEnd, type ProcessEnd } from './run-life.ts';
