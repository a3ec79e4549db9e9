/** Parts of a project on which its alerts depend. */
export interface AlertInput {
  /** Value of the label `job`: the name of the Service that the ServiceMonitor selects. */
  readonly job: string;
  /** True if the project has admission webhooks. */
  readonly admission: boolean;
  /** True if the project converts versions of a kind. */
  readonly conversion: boolean;
}

/** An alerting rule of Prometheus. */
export interface Alert {
  readonly name: string;
  /** Reason for the threshold, for the comment above the rule. */
  readonly reason: string;
  readonly severity: 'warning' | 'critical';
  readonly expr: string;
  /** Time for which the expression must hold, as Prometheus writes durations: `15m`. */
  readonly for: string;
  /** True to set the label `job`, for an expression whose result has no labels. */
  readonly setsJob: boolean;
  readonly summary: string;
  /** Text with variables of Prometheus' templates: `{{ $labels.controller }}`. */
  readonly description: string;
  /** Id of the panel that shows the expression. */
  readonly panel: number;
}

/** Panels to which alerts lead. The ids are part of dashboards that users have edited, so they never change. */
export const alertPanels = {
  up: 2,
  failures: 6,
  queue: 7,
  longest: 8,
  webhookLatency: 32,
  webhookFailures: 33,
  webhookDenials: 34,
  cacheSynced: 53,
  watchInterrupted: 54,
  memory: 61,
  certificates: 66,
  leader: 67,
  restarts: 68,
} as const;

const operatorLabels = 'namespace, job';
const perPod = `${operatorLabels}, pod`;

/** Returns the selector of a series with the operator's label `job`. `labels` are further conditions, each after a comma. */
type Series = (labels?: string) => string;

/**
 * Returns the alerts of a project. They select series by `job` alone: the manifests may be applied to any namespace, as OLM does, and each
 * namespace gets alerts of its own. Alerts about leader election need no setting: without `--leader-elect` an operator has no such series.
 */
export function alertsOf({ job, admission, conversion }: AlertInput): readonly Alert[] {
  const of: Series = (labels = '') => `{job=${JSON.stringify(job)}${labels}}`;
  return [
    down(of),
    ...reconcileAlerts(of),
    ...leaderAlerts(of),
    restarting(of),
    ...cacheAlerts(of),
    ...(admission || conversion ? webhookAlerts(of) : []),
    ...(admission ? [denying(of)] : []),
    certificateExpiring(of),
    memoryNearLimit(of),
  ];
}

function alert(name: string, rest: Partial<Alert> & Omit<Alert, 'name' | 'severity' | 'setsJob'>): Alert {
  return { name, severity: 'warning', setsJob: false, ...rest };
}

function down(of: Series): Alert {
  return alert('OperatorDown', {
    severity: 'critical',
    reason:
      'A rollout, or a restart of the only Pod, takes less than a minute. absent, because an operator without Pods has no series, in whatever namespace.',
    expr: `max by (${operatorLabels}) (up${of()})
  == 0
or
absent(up${of()})`,
    for: '5m',
    setsJob: true,
    summary: 'Prometheus reads no metrics of the operator.',
    description:
      'No Pod of the operator runs, or Prometheus may not read its metrics. Nothing reconciles, or nobody would notice.',
    panel: alertPanels.up,
  });
}

function reconcileAlerts(of: Series): readonly Alert[] {
  return [
    alert('OperatorReconcilesFailing', {
      reason:
        'A failed reconcile is tried again after at most 16 minutes 40 seconds, so that 30 minutes have at least one try of an object that always fails.',
      expr: `sum by (${operatorLabels}, controller) (rate(controller_runtime_reconcile_errors_total${of()}[30m]))
  /
(sum by (${operatorLabels}, controller) (rate(controller_runtime_reconcile_total${of()}[30m])) > 0)
  > 0.1`,
      for: '15m',
      summary: 'Reconciles fail.',
      description:
        '{{ $value | humanizePercentage }} of the reconciles of the controller {{ $labels.controller }} fail.',
      panel: alertPanels.failures,
    }),
    alert('OperatorQueueGrowing', {
      reason:
        'A start, or a change of many objects, fills the queue for minutes. This queue has had more than 10 objects for 15 minutes, and does not shrink.',
      expr: `min_over_time(sum by (${perPod}, controller) (workqueue_depth${of()})[15m:1m])
  > 10
and
sum by (${perPod}, controller) (workqueue_depth${of()})
  >=
sum by (${perPod}, controller) (workqueue_depth${of()} offset 15m)`,
      for: '5m',
      summary: 'Objects wait longer and longer for a reconcile.',
      description:
        '{{ $value }} objects or more have waited for the controller {{ $labels.controller }} for 15 minutes, and the queue does not shrink.',
      panel: alertPanels.queue,
    }),
    alert('OperatorReconcileStuck', {
      reason:
        'A reconcile should take seconds: what takes long is better awaited by requeueAfter. 10 minutes exceed every timeout of a request.',
      expr: `max by (${perPod}, controller) (workqueue_longest_running_processor_seconds${of()})
  > 600`,
      for: '1m',
      summary: 'A reconcile does not end.',
      description:
        'A reconcile of the controller {{ $labels.controller }} has run for {{ $value | humanizeDuration }}. Its object is not reconciled meanwhile, and a worker is lost.',
      panel: alertPanels.longest,
    }),
  ];
}

function leaderAlerts(of: Series): readonly Alert[] {
  return [
    alert('OperatorWithoutLeader', {
      severity: 'critical',
      reason: 'A Lease expires after 15 s, and a replica that has ended needs up to a minute to start again.',
      expr: `sum by (${operatorLabels}, name) (leader_election_master_status${of()})
  == 0`,
      for: '3m',
      summary: 'No replica of the operator leads.',
      description: 'No replica holds the Lease {{ $labels.name }}, so nothing reconciles.',
      panel: alertPanels.leader,
    }),
    alert('OperatorLeaderFlapping', {
      reason:
        'A rollout moves the lead once or twice, and each move counts for the old and the new leader. More than 3 moves an hour have another reason.',
      expr: `sum by (${operatorLabels}, name) (changes(leader_election_master_status${of()}[1h]))
  > 6`,
      for: '5m',
      summary: 'The lead moves often.',
      description:
        'Replicas have won or lost the Lease {{ $labels.name }} {{ $value }} times within an hour. Each move delays reconciles.',
      panel: alertPanels.leader,
    }),
  ];
}

function restarting(of: Series): Alert {
  return alert('OperatorRestarting', {
    reason:
      'A process ends when it loses the lead, when it runs out of memory, and by an error. With one replica this is how a lost Lease shows. A rollout makes new Pods, which do not count.',
    expr: `max by (${perPod}) (changes(process_start_time_seconds${of()}[1h]))
  > 3`,
    for: '5m',
    summary: 'A Pod of the operator restarts often.',
    description: 'The operator in the Pod {{ $labels.pod }} has started {{ $value }} times within an hour.',
    panel: alertPanels.restarts,
  });
}

function cacheAlerts(of: Series): readonly Alert[] {
  return [
    alert('OperatorCacheUnsynced', {
      reason: 'The first list of a kind takes seconds, of many objects a minute.',
      expr: `min by (${perPod}, kind) (opsdk_cache_synced${of()})
  == 0`,
      for: '10m',
      summary: 'A cache of the operator is not synced.',
      description:
        'The operator cannot list {{ $labels.kind }}. Controllers that need the kind do not start, or work with old objects.',
      panel: alertPanels.cacheSynced,
    }),
    alert('OperatorWatchInterrupted', {
      reason:
        'The API server ends each watch after some minutes, and it is there again within a second. While an API server restarts it may take a minute.',
      expr: `max by (${perPod}, kind) (opsdk_watch_interrupted_seconds${of()})
  > 300`,
      for: '1m',
      summary: 'A cache of the operator is stale.',
      description:
        'The watch of {{ $labels.kind }} has been interrupted for {{ $value | humanizeDuration }}. The operator does not see changes meanwhile.',
      panel: alertPanels.watchInterrupted,
    }),
  ];
}

function webhookAlerts(of: Series): readonly Alert[] {
  return [
    alert('OperatorWebhookSlow', {
      reason:
        'The API server gives up after 10 s by default, and every request to write an object waits meanwhile. 1 s is a bucket of the histogram, so that the quantile is exact there.',
      expr: `histogram_quantile(0.99, sum by (${operatorLabels}, webhook, le) (rate(controller_runtime_webhook_latency_seconds_bucket${of()}[5m])))
  > 1`,
      for: '10m',
      summary: 'A webhook of the operator is slow.',
      description:
        'The webhook {{ $labels.webhook }} needs {{ $value | humanizeDuration }} for the slowest 1 % of its requests. The API server waits for it.',
      panel: alertPanels.webhookLatency,
    }),
    alert('OperatorWebhookFailing', {
      severity: 'critical',
      reason:
        'A refusal is an answer with code 200. Any other code is a failure, and with the failure policy Fail the API server then refuses to write the object.',
      expr: `sum by (${operatorLabels}, webhook) (rate(controller_runtime_webhook_requests_total${of(',code!="200"')}[5m]))
  /
(sum by (${operatorLabels}, webhook) (rate(controller_runtime_webhook_requests_total${of()}[5m])) > 0)
  > 0.05`,
      for: '5m',
      summary: 'A webhook of the operator fails.',
      description:
        'The webhook {{ $labels.webhook }} fails for {{ $value | humanizePercentage }} of its requests. The API server may refuse to write objects.',
      panel: alertPanels.webhookFailures,
    }),
  ];
}

function denying(of: Series): Alert {
  return alert('OperatorWebhookDenying', {
    reason:
      'Users make mistakes, so a refusal is normal. More than half of at least 10 requests are refused when a rule of the webhook is wrong, or a client repeats a wrong request.',
    expr: `sum by (${operatorLabels}, webhook) (rate(opsdk_webhook_denials_total${of()}[15m]))
  /
(sum by (${operatorLabels}, webhook) (rate(controller_runtime_webhook_requests_total${of()}[15m])) > 0)
  > 0.5
and
sum by (${operatorLabels}, webhook) (increase(opsdk_webhook_denials_total${of()}[15m])) > 5`,
    for: '15m',
    summary: 'A webhook of the operator refuses most requests.',
    description:
      'The webhook {{ $labels.webhook }} refuses {{ $value | humanizePercentage }} of its requests.',
    panel: alertPanels.webhookDenials,
  });
}

function certificateExpiring(of: Series): Alert {
  return alert('OperatorCertificateExpiring', {
    reason:
      'Certificates of cert-manager are renewed when a third of their time is left, 30 days by default, and those of the operator as well. One with 7 days left was not renewed.',
    expr: `min by (${perPod}, server) (opsdk_certificate_expiration_timestamp_seconds${of()})
  - time()
  < 604800`,
    for: '15m',
    summary: 'A certificate of the operator ends soon.',
    description:
      'The certificate of the server for {{ $labels.server }} ends in {{ $value | humanizeDuration }}, and was not renewed.',
    panel: alertPanels.certificates,
  });
}

function memoryNearLimit(of: Series): Alert {
  return alert('OperatorMemoryNearLimit', {
    reason:
      'The heap of Node may take three quarters of the limit. At 90 % there is little left for the rest, and the kernel kills what exceeds the limit.',
    expr: `max by (${perPod}) (
  process_resident_memory_bytes${of()}
    /
  (opsdk_memory_limit_bytes${of()} > 0)
)
  > 0.9`,
    for: '10m',
    summary: 'The operator is near its memory limit.',
    description:
      'The operator in the Pod {{ $labels.pod }} uses {{ $value | humanizePercentage }} of its memory limit, and is killed if it exceeds the limit.',
    panel: alertPanels.memory,
  });
}
