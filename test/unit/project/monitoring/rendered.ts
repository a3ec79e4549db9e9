import type { DashboardInput } from '../../../../src/project/monitoring/dashboard.ts';
import {
  renderMonitoring,
  type MonitoringInput,
} from '../../../../src/project/monitoring/render-monitoring.ts';

/** An operator with everything that has a part in its monitoring. */
export const everything: MonitoringInput & DashboardInput = {
  projectName: 'cache-operator',
  job: 'cache-operator-controller-manager-metrics-service',
  controllers: ['memcached', 'memcached-backup'],
  admission: true,
  conversion: true,
  metrics: [
    { name: 'cache_evictions_total', type: 'counter', help: 'Evictions', labels: ['kind', 'result'] },
    { name: 'cache_age_seconds', type: 'summary', help: 'Age', labels: [] },
    { name: 'cache_backup_seconds', type: 'histogram', help: 'Duration', labels: ['kind'] },
    { name: 'cache_size_bytes', type: 'gauge', help: 'Size', labels: ['kind'] },
  ],
  runbooks: 'https://example.com/docs/alerts.md',
};

/** An operator right after `init`. */
export const nothing: MonitoringInput = {
  ...everything,
  controllers: [],
  admission: false,
  conversion: false,
  metrics: [],
};

export const rendered = (input: MonitoringInput = everything) => renderMonitoring(input, undefined);

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface RuleFile {
  readonly spec: { readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] };
}

export interface Place {
  readonly h: number;
  readonly w: number;
  readonly x: number;
  readonly y: number;
}

export interface DashboardFile {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: Place;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
    readonly options?: unknown;
    readonly fieldConfig?: { readonly defaults: { readonly custom?: unknown } };
  }[];
}
