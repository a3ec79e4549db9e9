/**
 * Requests that few operators make: logs, commands and ports of Pods, evictions, scales and other subresources, collections. Loaded when the
 * first one is made, so that the others do not load it.
 */
export { exec } from './exec.ts';
export { podLog } from './pod-log.ts';
export { portForward } from './port-forward.ts';
export { deleteCollection, evict, setScale, subresourceClient } from './requests.ts';
