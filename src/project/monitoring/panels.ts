import { alertPanels } from './alerts.ts';

/** A query of a panel. */
export interface Target {
  readonly expr: string;
  /** Name of the series in the legend, with labels as `{{pod}}`. */
  readonly legend: string;
}

/** A panel of the dashboard. Its position is determined by its row. */
export interface Panel {
  /** Id that is unique in the dashboard, and the same in every run, because users edit panels and alerts link to them. */
  readonly id: number;
  readonly type: 'stat' | 'timeseries' | 'state-timeline';
  readonly title: string;
  /** Text of the panel's information icon; empty for no icon. */
  readonly description: string;
  /** Unit of the values, as Grafana names it. */
  readonly unit: string;
  readonly targets: readonly Target[];
  /** True to stack the series. */
  readonly stacked: boolean;
  /** Value above or below which a stat is red; undefined for none. */
  readonly limit: { readonly value: number; readonly bad: 'above' | 'below' } | undefined;
  /** True for a stat that shows the name of its series instead of the value. */
  readonly named: boolean;
}

/** A row of the dashboard with its panels. */
export interface Row {
  readonly id: number;
  readonly title: string;
  /** Width of each panel, of 24 columns: 6 gives four panels a line, 8 gives three. */
  readonly width: 6 | 8;
  readonly height: number;
  readonly panels: readonly Panel[];
}

/** Labels by which all queries select the operator's series. The values are the dashboard's variables. */
export function selector(...labels: readonly string[]): string {
  return `{${['job="$job"', 'namespace=~"$namespace"', 'pod=~"$pod"', ...labels].join(', ')}}`;
}

type PanelInput = Pick<Panel, 'id' | 'title' | 'unit' | 'targets'> &
  Partial<Pick<Panel, 'type' | 'description' | 'stacked' | 'limit' | 'named'>>;

export function panel(input: PanelInput): Panel {
  return { type: 'timeseries', description: '', stacked: false, limit: undefined, named: false, ...input };
}

/** Returns the rate of a counter, summed up by labels. */
export function rate(counter: string, by: readonly string[], ...labels: readonly string[]): string {
  const sum = by.length === 0 ? 'sum' : `sum by (${by.join(', ')})`;
  return `${sum} (rate(${counter}${selector(...labels)}[$__rate_interval]))`;
}

/** Returns the queries of the median and of the slowest hundredth of a histogram. @param legend legend of the other labels */
export function quantiles(
  histogram: string,
  by: readonly string[],
  legend: string,
  ...labels: readonly string[]
): readonly Target[] {
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, ${rate(`${histogram}_bucket`, [...by, 'le'], ...labels)})`,
    legend: `p${quantile * 100}${legend === '' ? '' : ` ${legend}`}`,
  }));
}

/** Returns a query for a ratio. Its result is 0 while the divisor is 0, because a panel without data looks broken. */
function ratio(part: string, whole: string): string {
  return `${part}\n  /\nclamp_min(${whole}, 1e-9)`;
}

const errors = 'controller_runtime_reconcile_errors_total';
const reconciles = 'controller_runtime_reconcile_total';

/** First row: the state of the operator. */
export const overview: Row = {
  id: 1,
  title: 'Overview',
  width: 6,
  height: 5,
  panels: [
    panel({
      id: alertPanels.up,
      type: 'stat',
      title: 'Pods scraped',
      description: 'Pods whose metrics Prometheus can read.',
      unit: 'short',
      targets: [{ expr: `sum(up${selector()})`, legend: 'Pods' }],
      limit: { value: 1, bad: 'below' },
    }),
    panel({
      id: 3,
      type: 'stat',
      title: 'Leader',
      description: 'Pod that holds the Lease. Without --leader-elect there is none, and every Pod works.',
      unit: 'short',
      targets: [
        { expr: `max by (pod) (leader_election_master_status${selector()}) == 1`, legend: '{{pod}}' },
      ],
      named: true,
    }),
    panel({
      id: 4,
      type: 'stat',
      title: 'Failed reconciles',
      description: 'Part of the reconciles that fail.',
      unit: 'percentunit',
      targets: [{ expr: ratio(rate(errors, []), rate(reconciles, [])), legend: 'failed' }],
      limit: { value: 0.1, bad: 'above' },
    }),
    panel({
      id: 5,
      type: 'stat',
      title: 'Objects that wait',
      description: 'Objects that wait for a reconcile, in the queues of all controllers.',
      unit: 'short',
      targets: [{ expr: `sum(workqueue_depth${selector()})`, legend: 'objects' }],
    }),
  ],
};

/** Second row: the values on which alerts depend, for all controllers together. */
export const controllers: Row = {
  id: 9,
  title: 'All controllers',
  width: 8,
  height: 8,
  panels: [
    panel({
      id: alertPanels.failures,
      title: 'Failed reconciles by controller',
      unit: 'percentunit',
      targets: [
        {
          expr: ratio(rate(errors, ['controller']), rate(reconciles, ['controller'])),
          legend: '{{controller}}',
        },
      ],
    }),
    panel({
      id: alertPanels.queue,
      title: 'Objects that wait by controller',
      unit: 'short',
      targets: [{ expr: `sum by (controller) (workqueue_depth${selector()})`, legend: '{{controller}}' }],
    }),
    panel({
      id: alertPanels.longest,
      title: 'Longest running reconcile by controller',
      unit: 's',
      targets: [
        {
          expr: `max by (controller) (workqueue_longest_running_processor_seconds${selector()})`,
          legend: '{{controller}}',
        },
      ],
    }),
  ],
};

/** @param first id of the row; the ids of its panels follow */
export function controllerRow(name: string, first: number): Row {
  const controller = `controller=${JSON.stringify(name)}`;
  return {
    id: first,
    title: `Controller ${name}`,
    width: 8,
    height: 7,
    panels: [
      panel({
        id: first + 1,
        title: 'Reconciles by result',
        unit: 'ops',
        targets: [{ expr: rate(reconciles, ['result'], controller), legend: '{{result}}' }],
        stacked: true,
      }),
      panel({
        id: first + 2,
        title: 'Failures by kind',
        description:
          'Terminal errors are not tried again. Panics are mistakes in the code, such as a TypeError.',
        unit: 'ops',
        targets: [
          { expr: rate(errors, [], controller), legend: 'errors' },
          {
            expr: rate('controller_runtime_terminal_reconcile_errors_total', [], controller),
            legend: 'terminal errors',
          },
          { expr: rate('controller_runtime_reconcile_panics_total', [], controller), legend: 'panics' },
          { expr: rate('controller_runtime_reconcile_timeouts_total', [], controller), legend: 'timeouts' },
        ],
      }),
      panel({
        id: first + 3,
        title: 'Duration of reconciles',
        unit: 's',
        targets: quantiles('controller_runtime_reconcile_time_seconds', [], '', controller),
      }),
      panel({
        id: first + 4,
        title: 'Objects that wait by priority',
        description: 'Priority -100 is for objects of the first list.',
        unit: 'short',
        targets: [
          {
            expr: `sum by (priority) (workqueue_depth${selector(controller)})`,
            legend: 'priority {{priority}}',
          },
        ],
      }),
      panel({
        id: first + 5,
        title: 'Time in the queue',
        unit: 's',
        targets: quantiles('workqueue_queue_duration_seconds', [], '', controller),
      }),
      panel({
        id: first + 6,
        title: 'Workers',
        unit: 'short',
        targets: [
          { expr: `sum(controller_runtime_active_workers${selector(controller)})`, legend: 'busy' },
          {
            expr: `max(controller_runtime_max_concurrent_reconciles${selector(controller)})`,
            legend: 'most of a Pod',
          },
        ],
      }),
    ],
  };
}

/** @param admission true if the project has admission webhooks, which may refuse requests */
export function webhookRow(admission: boolean): Row {
  const requests = 'controller_runtime_webhook_requests_total';
  return {
    id: 30,
    title: 'Webhooks',
    width: 8,
    height: 8,
    panels: [
      panel({
        id: 31,
        title: 'Requests by webhook and code',
        unit: 'reqps',
        targets: [{ expr: rate(requests, ['webhook', 'code']), legend: '{{webhook}} {{code}}' }],
        stacked: true,
      }),
      panel({
        id: alertPanels.webhookLatency,
        title: 'Latency of webhooks',
        unit: 's',
        targets: quantiles('controller_runtime_webhook_latency_seconds', ['webhook'], '{{webhook}}'),
      }),
      panel({
        id: alertPanels.webhookFailures,
        title: 'Failed requests by webhook',
        description: 'Answers with another code than 200. A refusal is an answer with 200.',
        unit: 'percentunit',
        targets: [
          {
            expr: `1 - ${ratio(rate(requests, ['webhook'], 'code="200"'), rate(requests, ['webhook']))}`,
            legend: '{{webhook}}',
          },
        ],
      }),
      ...(admission
        ? [
            panel({
              id: alertPanels.webhookDenials,
              title: 'Refused requests by webhook',
              unit: 'reqps',
              targets: [{ expr: rate('opsdk_webhook_denials_total', ['webhook']), legend: '{{webhook}}' }],
            }),
          ]
        : []),
    ],
  };
}
