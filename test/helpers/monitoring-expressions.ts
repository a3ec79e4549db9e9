import { parser } from '@prometheus-io/lezer-promql';
import { parseYaml } from '../../src/kubernetes/yaml/index.ts';
import { isJsonMap } from '../../src/base/util/json-map.ts';

/** A query of a dashboard or of an alert. */
export interface Expression {
  /** `alert OperatorDown`, `panel Memory`, or `variable job`. */
  readonly name: string;
  /** PromQL, with values in place of Grafana's variables. */
  readonly expr: string;
}

/** Values of Grafana's variables. */
export interface Variables {
  /** Value of the label `job`. */
  readonly job: string;
  /** Regular expressions. Default: `.*` */
  readonly namespace?: string;
  readonly pod?: string;
  /** Default: `5m` */
  readonly rateInterval?: string;
}

interface Rules {
  readonly spec: {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string }[];
    }[];
  };
}

interface Panels {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query?: unknown }[] };
}

/** The expressions of all alerts in the text of a PrometheusRule. */
export function alertExpressions(rules: string): readonly Expression[] {
  const { groups } = (parseYaml(rules, 'rules.yaml').value as Rules).spec;
  return groups.flatMap((group) => group.rules.map(({ alert, expr }) => ({ name: `alert ${alert}`, expr })));
}

/** The expressions of all panels and variables in the text of a dashboard. */
export function dashboardExpressions(dashboard: string, variables: Variables): readonly Expression[] {
  const { panels, templating } = JSON.parse(dashboard) as Panels;
  const values = { job: variables.job, namespace: variables.namespace ?? '.*', pod: variables.pod ?? '.*' };
  const filledIn = (expr: string): string =>
    Object.entries(values)
      .reduce((text, [name, value]) => text.replaceAll(`$${name}`, value), expr)
      .replaceAll('$__rate_interval', variables.rateInterval ?? '5m');
  return [
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ name: `panel ${title}`, expr: filledIn(expr) })),
    ),
    // label_values(selector, label) is a function of Grafana, not of Prometheus.
    ...templating.list.flatMap(({ name, query }) => {
      const selector = /^label_values\((.*), \w+\)$/.exec(
        isJsonMap(query) ? String(query['query']) : '',
      )?.[1];
      return selector === undefined ? [] : [{ name: `variable ${name}`, expr: filledIn(selector) }];
    }),
  ];
}

/** A series that an expression names: the metric, and all labels by which it selects or groups. */
export interface UsedSeries {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** The series that a PromQL expression names. @throws Error for an expression that Prometheus' own grammar does not accept */
export function seriesOf(expr: string): readonly UsedSeries[] {
  const found: { metric: string; labels: Set<string> }[] = [];
  // Labels of the groupings around the current node belong to all series inside.
  const groupings: { readonly end: number; readonly labels: readonly string[] }[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      const text = expr.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`invalid PromQL at ${node.from}: ${expr}`);
      if (node.name === 'AggregateExpr') {
        const modifier = node.node.getChild('AggregateModifier');
        const labels = modifier?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
        groupings.push({ end: node.to, labels: labels.map(({ from, to }) => expr.slice(from, to)) });
      }
      if (node.name === 'VectorSelector') {
        const metric = /^[A-Za-z_:][\w:]*/.exec(text)?.[0] ?? '';
        const around = groupings.filter(({ end }) => end >= node.to).flatMap(({ labels }) => labels);
        found.push({ metric, labels: new Set(around) });
      }
      if (node.name === 'LabelName' && node.node.parent?.name.endsWith('LabelMatcher') === true)
        found.at(-1)?.labels.add(text);
    },
  });
  return found.map(({ metric, labels }) => ({ metric, labels: [...labels] }));
}

/** The rules of a PrometheusRule as a file of Prometheus, which promtool reads. */
export function prometheusRules(rules: string): unknown {
  const document = parseYaml(rules, 'rules.yaml').value;
  return isJsonMap(document) ? document['spec'] : {};
}
