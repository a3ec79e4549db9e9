/**
 * Leader election by a Lease, and the fence that prevents a process that does not lead from writing. The elector handles Leases and a
 * monotonic clock, and the fence handles requests; the manager decides which work requires the lead.
 */
export { connectElection, type Election } from './connect-election.ts';
export { resolveElection, type ElectionSettings, type LeaderElectionOptions } from './election-settings.ts';
