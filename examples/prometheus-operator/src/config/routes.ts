import type { AlertmanagerConfig, Matcher, Route } from '../api/monitoring/v1alpha1/alertmanager-config.ts';
import { parseDuration } from './duration.ts';
import { matcherText } from './matchers.ts';
import type { Problems } from './problems.ts';
import type { ConfigObject } from './render.ts';

/** Names that the routes of an AlertmanagerConfig may refer to, and what is added to all of its alerts. */
export interface RouteContext {
  /** Returns the name of a receiver or interval among those of all AlertmanagerConfigs. */
  readonly nameOf: (own: string) => string;
  readonly receivers: ReadonlySet<string>;
  readonly intervals: ReadonlySet<string>;
  readonly problems: Problems;
}

const fields = new Set([
  ...[
    'receiver',
    'groupBy',
    'groupWait',
    'groupInterval',
    'repeatInterval',
    'matchers',
    'continue',
    'routes',
  ],
  ...['muteTimeIntervals', 'activeTimeIntervals'],
]);
const labelForm = /^[a-zA-Z_]\w*$/;

/**
 * Returns the route of an AlertmanagerConfig.
 *
 * @param matchers that the route has in addition, such as that of the namespace
 */
export function topRoute(
  { spec }: AlertmanagerConfig,
  matchers: readonly string[],
  context: RouteContext,
): ConfigObject | undefined {
  if (spec.route === undefined) return undefined;
  if (!spec.route.receiver) context.problems.add('spec.route.receiver', 'is required');
  // Alerts of the namespace may concern the routes of others, too.
  const route = routeConfig(spec.route, 'spec.route', context);
  return {
    ...route,
    matchers: [...((route['matchers'] ?? []) as readonly string[]), ...matchers],
    continue: true,
  };
}

function routeConfig(route: Route, path: string, context: RouteContext): ConfigObject {
  const { intervals, nameOf, problems, receivers } = context;
  if (route.receiver && !receivers.has(route.receiver))
    problems.add(`${path}.receiver`, `expected one of the receivers, got "${route.receiver}"`);
  for (const field of ['groupWait', 'groupInterval', 'repeatInterval'] as const) {
    const text = route[field];
    if (text === undefined) continue;
    const duration = parseDuration(text);
    if (duration === undefined)
      problems.add(`${path}.${field}`, `expected a duration such as 5m, got "${text}"`);
    else if (duration === 0 && field !== 'groupWait')
      problems.add(`${path}.${field}`, 'expected more than 0');
  }
  const seen = new Set<string>();
  for (const [index, label] of (route.groupBy ?? []).entries()) {
    const place = `${path}.groupBy[${index}]`;
    if (label === '...' && route.groupBy?.length !== 1)
      problems.add(place, '"..." is all labels: remove the others');
    else if (label !== '...' && !labelForm.test(label))
      problems.add(place, `expected the name of a label, got "${label}"`);
    if (seen.has(label)) problems.add(place, `"${label}" is there twice`);
    seen.add(label);
  }
  const named = (field: 'muteTimeIntervals' | 'activeTimeIntervals'): readonly string[] | undefined =>
    route[field]?.map((name, index) => {
      if (!intervals.has(name))
        problems.add(`${path}.${field}[${index}]`, `expected one of muteTimeIntervals, got "${name}"`);
      return nameOf(name);
    });
  return {
    receiver: route.receiver ? nameOf(route.receiver) : undefined,
    group_by: route.groupBy,
    group_wait: route.groupWait,
    group_interval: route.groupInterval,
    repeat_interval: route.repeatInterval,
    matchers: route.matchers?.map((matcher, index) =>
      matcherText(matcher, `${path}.matchers[${index}]`, problems),
    ),
    continue: route.continue,
    mute_time_intervals: named('muteTimeIntervals'),
    active_time_intervals: named('activeTimeIntervals'),
    routes: route.routes?.map((child, index) => {
      const place = `${path}.routes[${index}]`;
      const read = readRoute(child, place, problems);
      return read === undefined ? {} : routeConfig(read, place, context);
    }),
  };
}

/** Reads a route that the schema does not check, since schemas of Kubernetes cannot refer to themselves. */
function readRoute(value: unknown, path: string, problems: Problems): Route | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.add(path, 'expected a route');
    return undefined;
  }
  const before = problems.list.length;
  const expect = (isValid: boolean, place: string, what: string): void => {
    if (!isValid) problems.add(place, `expected ${what}`);
  };
  const isTexts = (each: unknown): boolean =>
    Array.isArray(each) && each.every((one) => typeof one === 'string');
  for (const [field, each] of Object.entries(value)) {
    const place = `${path}.${field}`;
    if (!fields.has(field)) problems.add(place, 'is unknown');
    else if (field === 'continue') expect(typeof each === 'boolean', place, 'true or false');
    else if (field === 'routes') expect(Array.isArray(each), place, 'a list of routes');
    else if (field === 'matchers')
      expect(isMatchers(each), place, 'a list of matchers with name, value and matchType');
    else if (field === 'groupBy' || field.endsWith('TimeIntervals'))
      expect(isTexts(each), place, 'a list of texts');
    else expect(typeof each === 'string', place, 'a text');
  }
  return problems.list.length > before ? undefined : value;
}

function isMatchers(value: unknown): value is Matcher[] {
  if (!Array.isArray(value)) return false;
  return value.every((each: unknown) => {
    if (typeof each !== 'object' || each === null) return false;
    const { name, value: text, matchType, regex, ...rest } = each as Readonly<Record<string, unknown>>;
    return (
      typeof name === 'string' &&
      ['undefined', 'string'].includes(typeof text) &&
      ['undefined', 'boolean'].includes(typeof regex) &&
      [undefined, '=', '!=', '=~', '!~'].includes(matchType as string | undefined) &&
      Object.keys(rest).length === 0
    );
  });
}
