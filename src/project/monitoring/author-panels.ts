import { panel, quantiles, rate, selector, type Panel, type Target } from './panels.ts';

/** A metric of the project itself, as its sources declare it. */
export interface OwnMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** Text of the panel's description. */
  readonly help: string;
  readonly labels: readonly string[];
}

/**
 * Labels that Prometheus gives each series of a target of a ServiceMonitor. If a metric has a label with one of these names, Prometheus
 * renames the metric's label, because `honorLabels` is false. Source: `generateServiceMonitorConfig` of the Prometheus Operator.
 */
const targetLabels: ReadonlySet<string> = new Set([
  'container',
  'endpoint',
  'instance',
  'job',
  'namespace',
  'pod',
  'service',
]);

/** Returns the panel of a metric: the rate of a counter, the value of a gauge, the quantiles of a histogram or a summary. */
export function metricPanel(metric: OwnMetric, id: number): Panel {
  const { name, type, help } = metric;
  const unit = unitOf(name);
  return panel({
    id,
    title: type === 'counter' ? `${name}, per second` : name,
    description: help,
    unit: type === 'counter' ? (unit === 'short' ? 'ops' : unit === 'bytes' ? 'Bps' : 'short') : unit,
    targets: targetsOf(metric),
  });
}

function targetsOf({ name, type, labels: declared }: OwnMetric): readonly Target[] {
  const labels = declared.map((label) => (targetLabels.has(label) ? `exported_${label}` : label));
  const legend = labels.map((label) => `{{${label}}}`).join(' ');
  switch (type) {
    case 'counter':
      return [{ expr: rate(name, labels), legend: legend === '' ? name : legend }];
    case 'histogram':
      return quantiles(name, labels, legend);
    case 'gauge':
      return [
        {
          expr: `max by (${[...labels, 'pod'].join(', ')}) (${name}${selector()})`,
          legend: `${legend} {{pod}}`.trim(),
        },
      ];
    case 'summary':
      return [
        {
          expr: `max by (${[...labels, 'quantile'].join(', ')}) (${name}${selector('quantile!=""')})`,
          legend: `{{quantile}} ${legend}`.trim(),
        },
      ];
  }
}

/** Returns the unit of a metric, determined from the suffix of its name by the conventions of Prometheus. */
function unitOf(name: string): string {
  const plain = name.replace(/_total$/, '');
  if (plain.endsWith('_seconds')) return 's';
  if (plain.endsWith('_bytes')) return 'bytes';
  if (plain.endsWith('_ratio')) return 'percentunit';
  if (plain.endsWith('_celsius')) return 'celsius';
  return 'short';
}
