import { alertPanels } from './alerts.ts';
import { panel, quantiles, rate, selector, type Row } from './panels.ts';

const requests = 'rest_client_requests_total';

/** Requests of the operator to the API server. */
export const apiRow: Row = {
  id: 40,
  title: 'Requests to the API server',
  width: 8,
  height: 8,
  panels: [
    panel({
      id: 41,
      title: 'Requests by code',
      description: 'Code <error> is a request without an answer.',
      unit: 'reqps',
      targets: [{ expr: rate(requests, ['code']), legend: '{{code}}' }],
      stacked: true,
    }),
    panel({
      id: 42,
      title: 'Requests by method',
      unit: 'reqps',
      targets: [{ expr: rate(requests, ['method']), legend: '{{method}}' }],
      stacked: true,
    }),
    panel({
      id: 43,
      title: 'Duration of requests by verb',
      unit: 's',
      targets: quantiles('rest_client_request_duration_seconds', ['verb'], '{{verb}}'),
    }),
  ],
};

/** Caches of the kinds that the operator watches. */
export const cacheRow: Row = {
  id: 50,
  title: 'Caches',
  width: 8,
  height: 8,
  panels: [
    panel({
      id: 51,
      title: 'Objects in the cache by kind',
      unit: 'short',
      targets: [{ expr: `max by (kind) (opsdk_cache_objects${selector()})`, legend: '{{kind}}' }],
    }),
    panel({
      id: 52,
      title: 'Size of the cache by kind',
      unit: 'bytes',
      targets: [{ expr: `max by (kind) (opsdk_cache_bytes${selector()})`, legend: '{{kind}}' }],
    }),
    panel({
      id: alertPanels.cacheSynced,
      type: 'state-timeline',
      title: 'Synced by kind',
      unit: 'short',
      targets: [{ expr: `min by (kind) (opsdk_cache_synced${selector()})`, legend: '{{kind}}' }],
    }),
    panel({
      id: alertPanels.watchInterrupted,
      title: 'Time since a watch was lost by kind',
      unit: 's',
      targets: [{ expr: `max by (kind) (opsdk_watch_interrupted_seconds${selector()})`, legend: '{{kind}}' }],
    }),
    panel({
      id: 55,
      title: 'Restarts of watches by kind',
      unit: 'ops',
      targets: [{ expr: rate('opsdk_watch_restarts_total', ['kind']), legend: '{{kind}}' }],
    }),
  ],
};

/** The processes of the operator. */
export const processRow: Row = {
  id: 60,
  title: 'Process',
  width: 8,
  height: 8,
  panels: [
    panel({
      id: alertPanels.memory,
      title: 'Memory',
      unit: 'bytes',
      targets: [
        { expr: `max by (pod) (process_resident_memory_bytes${selector()})`, legend: 'resident {{pod}}' },
        { expr: `max by (pod) (opsdk_memory_limit_bytes${selector()})`, legend: 'limit {{pod}}' },
      ],
    }),
    panel({
      id: 62,
      title: 'Heap of Node',
      unit: 'bytes',
      targets: [
        { expr: `max by (pod) (nodejs_heap_size_used_bytes${selector()})`, legend: 'used {{pod}}' },
        { expr: `max by (pod) (nodejs_heap_size_total_bytes${selector()})`, legend: 'total {{pod}}' },
      ],
    }),
    panel({
      id: 63,
      title: 'CPU',
      description: 'Seconds of CPU time a second.',
      unit: 'short',
      targets: [{ expr: rate('process_cpu_seconds_total', ['pod']), legend: '{{pod}}' }],
    }),
    panel({
      id: 64,
      title: 'Event loop lag',
      description: 'A reconcile that computes for long delays all others, and the probes.',
      unit: 's',
      targets: [
        { expr: `max by (pod) (nodejs_eventloop_lag_p99_seconds${selector()})`, legend: 'p99 {{pod}}' },
      ],
    }),
    panel({
      id: 65,
      title: 'Time in garbage collection by kind',
      unit: 'percentunit',
      targets: [{ expr: rate('nodejs_gc_duration_seconds_sum', ['kind']), legend: '{{kind}}' }],
    }),
    panel({
      id: alertPanels.certificates,
      title: 'Time left of certificates',
      unit: 's',
      targets: [
        {
          expr: `min by (server) (opsdk_certificate_expiration_timestamp_seconds${selector()}) - time()`,
          legend: '{{server}}',
        },
      ],
    }),
    panel({
      id: alertPanels.leader,
      type: 'state-timeline',
      title: 'Lead by Pod',
      description: 'Without --leader-elect nobody leads, and every Pod works.',
      unit: 'short',
      targets: [{ expr: `max by (pod) (leader_election_master_status${selector()})`, legend: '{{pod}}' }],
    }),
    panel({
      id: alertPanels.restarts,
      title: 'Starts of the process within an hour',
      description: 'Starts in the same Pod after the first one.',
      unit: 'short',
      targets: [
        { expr: `max by (pod) (changes(process_start_time_seconds${selector()}[1h]))`, legend: '{{pod}}' },
      ],
    }),
  ],
};
