/**
 * The live page of `op-sdk dev --ui`: what the operator tells about its reconciles over a socket of its own, and what the cluster says
 * about the objects, for the pages that are open. Nothing of it is in operators but the channels that `runtime` publishes on.
 */
export type { OperatorSettings } from './feed/feed-server.ts';
export { LiveSession } from './live-session.ts';
export { serveLive } from './serve-live.ts';
