/** A case in which an alert fires, and one in which it does not. Series are written as promtool reads them, a value each minute. */
export interface AlertCase {
  readonly alert: string;
  readonly fires: Case;
  /** Close to the limit, or with something else that may look like the fault. */
  readonly silent: Case;
}

export interface Case {
  /** Selectors without the labels of the target, and their values. */
  readonly series: Readonly<Record<string, string>>;
  /** Minute at which the alert is looked at. Default: 60 */
  readonly minute?: number;
  /** Labels of the alert beside those of the target and `severity`. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A counter that grows by `step` a minute. */
const growing = (step: number): string => `0+${step}x120`;
const constant = (value: number): string => `${value}+0x120`;

const requests = (webhook: string, code: string): string =>
  `controller_runtime_webhook_requests_total{webhook="${webhook}", code="${code}"}`;
const bucket = (webhook: string, le: string): string =>
  `controller_runtime_webhook_latency_seconds_bucket{webhook="${webhook}", le="${le}"}`;

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'OperatorDown',
    fires: { series: { up: `1+0x30 0+0x60` } },
    silent: { series: { up: `1+0x30 0 0 0 1+0x60` } },
  },
  {
    alert: 'OperatorReconcilesFailing',
    fires: {
      series: {
        'controller_runtime_reconcile_errors_total{controller="redis"}': growing(1),
        'controller_runtime_reconcile_total{controller="redis", result="error"}': growing(1),
        'controller_runtime_reconcile_total{controller="redis", result="success"}': growing(8),
      },
      labels: { controller: 'redis' },
    },
    // Five of a hundred fail, and a controller that does nothing has no part that fails.
    silent: {
      series: {
        'controller_runtime_reconcile_errors_total{controller="redis"}': growing(1),
        'controller_runtime_reconcile_total{controller="redis", result="error"}': growing(1),
        'controller_runtime_reconcile_total{controller="redis", result="success"}': growing(19),
        'controller_runtime_reconcile_errors_total{controller="idle"}': constant(3),
        'controller_runtime_reconcile_total{controller="idle", result="error"}': constant(3),
      },
    },
  },
  {
    alert: 'OperatorQueueGrowing',
    fires: {
      series: {
        'workqueue_depth{controller="redis", name="redis", priority="0"}': '0+1x120',
        'workqueue_depth{controller="redis", name="redis", priority="-100"}': constant(10),
      },
      labels: { controller: 'redis' },
    },
    // A long queue that shrinks, and one that is emptied now and then.
    silent: {
      series: {
        'workqueue_depth{controller="redis", name="redis", priority="0"}': '1000-10x90',
        'workqueue_depth{controller="backup", name="backup", priority="0"}':
          `${'50+1x9 0 '.repeat(10)}`.trim(),
      },
    },
  },
  {
    alert: 'OperatorReconcileStuck',
    fires: {
      series: { 'workqueue_longest_running_processor_seconds{controller="redis", name="redis"}': '0+60x120' },
      minute: 13,
      labels: { controller: 'redis' },
    },
    silent: {
      series: {
        'workqueue_longest_running_processor_seconds{controller="redis", name="redis"}': constant(590),
      },
    },
  },
  {
    alert: 'OperatorWithoutLeader',
    fires: {
      series: { 'leader_election_master_status{name="lease"}': constant(0) },
      labels: { name: 'lease' },
    },
    // The lead moves within two minutes; an operator without election has no such series.
    silent: { series: { 'leader_election_master_status{name="lease"}': '1+0x57 0 0 1+0x60' } },
  },
  {
    alert: 'OperatorLeaderFlapping',
    fires: {
      series: { 'leader_election_master_status{name="lease"}': '0 0 0 0 1 1 1 1 '.repeat(15).trim() },
      minute: 90,
      labels: { name: 'lease' },
    },
    silent: {
      series: { 'leader_election_master_status{name="lease"}': '0+0x30 1+0x20 0+0x10 1+0x60' },
      minute: 90,
    },
  },
  {
    alert: 'OperatorRestarting',
    fires: {
      series: { process_start_time_seconds: '0+0x9 600+0x9 1200+0x9 1800+0x9 2400+0x9 3000+0x60' },
      minute: 70,
    },
    silent: { series: { process_start_time_seconds: '0+0x19 1200+0x19 2400+0x80' }, minute: 70 },
  },
  {
    alert: 'OperatorCacheUnsynced',
    fires: {
      series: { 'opsdk_cache_synced{kind="pods.v1."}': constant(0) },
      labels: { kind: 'pods.v1.' },
    },
    silent: { series: { 'opsdk_cache_synced{kind="pods.v1."}': '0+0x8 1+0x100' } },
  },
  {
    alert: 'OperatorWatchInterrupted',
    fires: {
      series: { 'opsdk_watch_interrupted_seconds{kind="pods.v1."}': '0+60x120' },
      minute: 8,
      labels: { kind: 'pods.v1.' },
    },
    silent: { series: { 'opsdk_watch_interrupted_seconds{kind="pods.v1."}': '0 60 120 180 240 0+0x100' } },
  },
  {
    alert: 'OperatorWebhookSlow',
    fires: {
      series: {
        [bucket('/validate', '1')]: growing(90),
        [bucket('/validate', '10')]: growing(100),
        [bucket('/validate', '+Inf')]: growing(100),
      },
      labels: { webhook: '/validate' },
    },
    // One of a thousand is slow, and a webhook without requests has no latency.
    silent: {
      series: {
        [bucket('/validate', '1')]: growing(999),
        [bucket('/validate', '10')]: growing(1000),
        [bucket('/validate', '+Inf')]: growing(1000),
        [bucket('/idle', '1')]: constant(0),
        [bucket('/idle', '10')]: constant(5),
        [bucket('/idle', '+Inf')]: constant(5),
      },
    },
  },
  {
    alert: 'OperatorWebhookFailing',
    fires: {
      series: { [requests('/validate', '200')]: growing(90), [requests('/validate', '500')]: growing(10) },
      labels: { webhook: '/validate' },
    },
    silent: {
      series: { [requests('/validate', '200')]: growing(98), [requests('/validate', '500')]: growing(2) },
    },
  },
  {
    alert: 'OperatorWebhookDenying',
    fires: {
      series: {
        [requests('/validate', '200')]: growing(10),
        'opsdk_webhook_denials_total{webhook="/validate"}': growing(9),
      },
      labels: { webhook: '/validate' },
    },
    // Some requests are refused, and of few requests even all.
    silent: {
      series: {
        [requests('/validate', '200')]: growing(10),
        'opsdk_webhook_denials_total{webhook="/validate"}': growing(3),
        [requests('/rare', '200')]: '0+0x40 1 2 3 3+0x60',
        'opsdk_webhook_denials_total{webhook="/rare"}': '0+0x40 1 2 3 3+0x60',
      },
    },
  },
  {
    alert: 'OperatorCertificateExpiring',
    // Time begins at 0 in these cases: six days left after an hour.
    fires: {
      series: { 'opsdk_certificate_expiration_timestamp_seconds{server="webhook"}': constant(522_000) },
      labels: { server: 'webhook' },
    },
    silent: {
      series: { 'opsdk_certificate_expiration_timestamp_seconds{server="webhook"}': constant(2_592_000) },
    },
  },
  {
    alert: 'OperatorMemoryNearLimit',
    fires: {
      series: { process_resident_memory_bytes: constant(500e6), opsdk_memory_limit_bytes: constant(512e6) },
    },
    // Most of the limit, and a process that has none.
    silent: {
      series: { process_resident_memory_bytes: constant(450e6), opsdk_memory_limit_bytes: constant(512e6) },
    },
  },
];
