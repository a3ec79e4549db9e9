import { Counter, Gauge } from 'prom-client';
import { metricsRegistry } from './registry.ts';

// Names and labels are those of client-go, as controller-runtime `pkg/metrics/leaderelection.go` registers them.
const registers = [metricsRegistry];
const labelNames = ['name'] as const;

const masterStatus = new Gauge({
  name: 'leader_election_master_status',
  help: 'Whether this process holds the lease of that name: 1 for the leader, 0 for the others',
  labelNames,
  registers,
});
const slowPath = new Counter({
  name: 'leader_election_slowpath_total',
  help: 'Total number of renewals that had to read the lease first, per lease',
  labelNames,
  registers,
});
const fenced = new Counter({
  name: 'opsdk_leader_election_fenced_writes_total',
  help: 'Total number of writes that were not sent (refused) or not waited for (aborted), because the lease was not held',
  labelNames: ['name', 'outcome'] as const,
  registers,
});

/** Effect of the fence on a write: it was refused before it started, or aborted while it was running. */
export type FencedWrites = 'refused' | 'aborted';

/** The metrics of one election. */
export interface ElectionMetrics {
  leads(leads: boolean): void;
  slowPath(): void;
  fenced(outcome: FencedWrites): void;
}

/** Creates all metric series of an election, with value 0. @param name name of the Lease */
export function electionMetrics(name: string): ElectionMetrics {
  masterStatus.set({ name }, 0);
  slowPath.inc({ name }, 0);
  for (const outcome of ['refused', 'aborted']) fenced.inc({ name, outcome }, 0);
  return {
    leads: (leads) => masterStatus.set({ name }, leads ? 1 : 0),
    slowPath: () => slowPath.inc({ name }),
    fenced: (outcome) => fenced.inc({ name, outcome }),
  };
}
