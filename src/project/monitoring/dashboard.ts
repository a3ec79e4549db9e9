import { createHash } from 'node:crypto';
import type { TemplateModel } from '../scaffold/index.ts';
import { metricPanel, type OwnMetric } from './author-panels.ts';
import { controllerRow, controllers, overview, webhookRow, type Panel, type Row } from './panels.ts';
import { apiRow, cacheRow, processRow } from './process-rows.ts';

/** Parts of a project on which its dashboard depends. */
export interface DashboardInput {
  readonly projectName: string;
  /** Value of the label `job`: the name of the Service that the ServiceMonitor selects. */
  readonly job: string;
  /** Names of the controllers. */
  readonly controllers: readonly string[];
  readonly admission: boolean;
  readonly conversion: boolean;
  readonly metrics: readonly OwnMetric[];
}

/** Version of the schema of dashboards. Source: `defaultDashboard` of @grafana/schema 13. */
const schemaVersion = 42;

/** Returns the rows of a project's dashboard in their order. */
function rowsOf({ controllers: names, admission, conversion, metrics }: DashboardInput): readonly Row[] {
  const first = freeIds(1_000, 10);
  const own = freeIds(200_000_000, 1);
  return [
    overview,
    controllers,
    ...names.map((name) => controllerRow(name, first(name))),
    ...(admission || conversion ? [webhookRow(admission)] : []),
    apiRow,
    cacheRow,
    processRow,
    ...(metrics.length === 0
      ? []
      : [
          {
            id: 70,
            title: 'Metrics of this operator',
            width: 8,
            height: 8,
            panels: metrics.map((metric) => metricPanel(metric, own(metric.name))),
          } as const,
        ]),
  ];
}

/**
 * Returns a function that assigns a unique id to each name. Ids depend on the names themselves, so that adding or removing a controller or
 * metric does not change the ids of others.
 * @param base first id
 * @param size number of ids that each name needs
 */
function freeIds(base: number, size: number): (name: string) => number {
  const taken = new Set<number>();
  return (name) => {
    let place = createHash('sha256').update(name).digest().readUInt32BE() % 10_000_000;
    while (taken.has(place)) place++;
    taken.add(place);
    return base + place * size;
  };
}

/** Returns the uid of a project's dashboard. Grafana allows 40 characters. */
export function dashboardUid(projectName: string): string {
  const plain = projectName.replaceAll(/[^a-zA-Z0-9_-]/g, '-');
  if (plain === projectName && plain.length <= 40) return plain;
  return `${plain.slice(0, 31)}-${createHash('sha256').update(projectName).digest('hex').slice(0, 8)}`;
}

/** Returns the variables for the template of the dashboard. */
export function dashboardModel(input: DashboardInput): TemplateModel {
  let y = 0;
  const panels = rowsOf(input).flatMap(({ id, title, width, height, panels: inner }) => {
    const row = { ...panelModel(), id, title, isRow: true, x: 0, y: y++, w: 24, h: 1 };
    const perLine = 24 / width;
    const placed = inner.map((each, index) => ({
      ...panelModel(each),
      x: (index % perLine) * width,
      y: y + Math.floor(index / perLine) * height,
      w: width,
      h: height,
    }));
    y += Math.ceil(inner.length / perLine) * height;
    return [row, ...placed];
  });
  return {
    uid: dashboardUid(input.projectName),
    title: input.projectName,
    job: input.job,
    schemaVersion,
    panels: panels.map((each, index) => ({ ...each, last: index === panels.length - 1 })),
  };
}

/** Returns the variables of a panel; without an argument, those of a row. */
function panelModel(panel?: Panel) {
  const { id = 0, type = 'row', title = '', description = '', unit = '', targets = [] } = panel ?? {};
  const { stacked = false, limit, named = false } = panel ?? {};
  return {
    ...{ id, type, title, description, unit },
    isRow: false,
    isStat: type === 'stat',
    isTimeseries: type === 'timeseries',
    isTimeline: type === 'state-timeline',
    hasDescription: description !== '',
    stacking: stacked ? 'normal' : 'none',
    fillOpacity: stacked ? 30 : 10,
    isNamed: named,
    textMode: named ? 'name' : 'auto',
    graphMode: named ? 'none' : 'area',
    hasLimit: limit !== undefined,
    limit: limit?.value ?? 0,
    below: limit?.bad === 'below' ? 'red' : 'green',
    above: limit?.bad === 'above' ? 'red' : 'green',
    targets: targets.map(({ expr, legend }, index) => ({
      expr,
      legend,
      refId: String.fromCharCode(65 + index),
      instant: type === 'stat' && named,
      range: !(type === 'stat' && named),
      last: index === targets.length - 1,
    })),
  };
}
