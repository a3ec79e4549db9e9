/**
 * Leader election by a Lease, and the fence that keeps a process which does not lead from writing. The elector knows Leases and a
 * monotonic clock, the fence knows requests; what leads is the manager's business.
 */
export { connectElection, type Election } from './connect-election.ts';
export { resolveElection, type ElectionSettings, type LeaderElectionOptions } from './election-settings.ts';
