import { isSeq, parseDocument, type Document } from 'yaml';
import type { Alertmanager } from '../api/monitoring/v1/alertmanager.ts';
import type { AlertmanagerConfig, InhibitRule } from '../api/monitoring/v1alpha1/alertmanager-config.ts';
import type { Assets } from './assets.ts';
import { matcherText, quote } from './matchers.ts';
import { Problems } from './problems.ts';
import { byName, type LeftOut } from './prometheus-config.ts';
import { receiverConfig } from './receivers.ts';
import type { ConfigObject } from './render.ts';
import { topRoute } from './routes.ts';
import { intervalConfig } from './time-intervals.ts';
import { ProgramVersion } from './version.ts';

/** Configuration of Alertmanagers without one of their own: nobody is notified. */
export const emptyConfig = 'route:\n  receiver: "null"\nreceivers:\n  - name: "null"\n';
/** The oldest version that understands what is written. */
const oldest = '0.25.0';
export const configFolder = '/etc/alertmanager/config';
export const configFile = 'alertmanager.yaml';

/** Configuration of Alertmanagers. */
export interface GeneratedConfig {
  readonly text: string;
  /** Certificates that it refers to. */
  readonly files: ReadonlyMap<string, string>;
  readonly leftOut: readonly LeftOut[];
  /** What is wrong with the configuration that the others are added to. With any of it, nothing can be generated. */
  readonly problems: readonly string[];
}

/** Parts of the configuration that come from one AlertmanagerConfig. */
interface Part {
  readonly route: ConfigObject | undefined;
  readonly receivers: readonly ConfigObject[];
  readonly inhibitRules: readonly ConfigObject[];
  readonly intervals: readonly ConfigObject[];
}

/**
 * Adds AlertmanagerConfigs to a configuration, whose own text, comments included, stays as it is. Their routes come before its own, and all go on
 * to the next one.
 *
 * @param base text of the key `alertmanager.yaml` of the Secret
 */
export function alertmanagerConfig(
  alertmanager: Alertmanager,
  base: string,
  configs: readonly AlertmanagerConfig[],
  assets: Assets,
): GeneratedConfig {
  const document = parseDocument(base, { uniqueKeys: true });
  const version = new ProgramVersion('Alertmanager', alertmanager.spec.version ?? '');
  const problems = [...baseProblems(document)];
  if (!version.isAtLeast(oldest))
    problems.push(`spec.version: expected at least ${oldest}, got ${alertmanager.spec.version}`);
  if (problems.length > 0) return { text: '', files: new Map(), leftOut: [], problems };
  const globals = new Set(Object.keys((document.toJS() as { global?: object | null }).global ?? {}));
  const files = new Map<string, string>();
  const leftOut: LeftOut[] = [];
  const parts: Part[] = [];
  for (const config of [...configs].sort(byName)) {
    const found = new Problems();
    const own = assets.in(config.metadata.namespace ?? '', found);
    const context = { assets: own, problems: found, version, allowFiles: false, globals };
    const part = partOf(config, alertmanager, context);
    if (found.list.length > 0) leftOut.push({ object: config, problems: found.list });
    else {
      parts.push(part);
      for (const [name, text] of own.files) files.set(name, text);
    }
  }
  // What nobody adds to is given on byte for byte.
  const text = parts.length === 0 ? base : addParts(document, parts);
  return { text, files, leftOut, problems: [] };
}

function baseProblems(document: Document): readonly string[] {
  const path = `the key ${configFile} of the Secret`;
  const [error] = document.errors;
  if (error !== undefined) return [`${path}: expected YAML: ${error.message.split('\n')[0] ?? ''}`];
  const value = document.toJS() as { readonly route?: unknown; readonly receivers?: unknown } | null;
  if (typeof value !== 'object' || value === null)
    return [`${path}: expected a configuration of Alertmanager`];
  const problems: string[] = [];
  if (typeof value.route !== 'object' || value.route === null) problems.push(`${path}: route: is required`);
  if (!Array.isArray(value.receivers)) problems.push(`${path}: receivers: is required`);
  for (const list of [['route', 'routes'], ['receivers'], ['inhibit_rules'], ['time_intervals']]) {
    const node = problems.length > 0 ? undefined : document.getIn(list, true);
    const isEmpty = node === undefined || document.getIn(list) === null;
    // An alias of YAML would have to be written out.
    if (!isEmpty && !isSeq(node)) problems.push(`${path}: ${list.join('.')}: expected a list`);
  }
  return problems;
}

function partOf(
  config: AlertmanagerConfig,
  alertmanager: Alertmanager,
  context: Parameters<typeof receiverConfig>[3],
): Part {
  const { metadata, spec } = config;
  const { problems } = context;
  const nameOf = (own: string): string => `${metadata.namespace}/${metadata.name}/${own}`;
  const namespace = namespaceMatchers(config, alertmanager);
  return {
    route: topRoute(config, namespace, {
      nameOf,
      receivers: new Set(spec.receivers?.map(({ name }) => name)),
      intervals: new Set(spec.muteTimeIntervals?.map(({ name }) => name)),
      problems,
    }),
    receivers: (spec.receivers ?? []).map((receiver, index) =>
      receiverConfig(receiver, `spec.receivers[${index}]`, nameOf(receiver.name), context),
    ),
    inhibitRules: (spec.inhibitRules ?? []).map((rule, index) =>
      inhibitConfig(rule, `spec.inhibitRules[${index}]`, namespace, problems),
    ),
    intervals: (spec.muteTimeIntervals ?? []).map((interval, index) =>
      intervalConfig(interval, `spec.muteTimeIntervals[${index}]`, nameOf(interval.name), problems),
    ),
  };
}

/** Returns the matcher that keeps an AlertmanagerConfig to the alerts of its namespace. */
function namespaceMatchers(config: AlertmanagerConfig, { metadata, spec }: Alertmanager): readonly string[] {
  const strategy = spec.alertmanagerConfigMatcherStrategy?.type ?? 'OnNamespace';
  const { namespace = '' } = config.metadata;
  if (strategy === 'None') return [];
  if (strategy === 'OnNamespaceExceptForAlertmanagerNamespace' && namespace === metadata.namespace) return [];
  return [`namespace=${quote(namespace)}`];
}

function inhibitConfig(
  rule: InhibitRule,
  path: string,
  namespace: readonly string[],
  problems: Problems,
): ConfigObject {
  const matchers = (field: 'sourceMatch' | 'targetMatch'): readonly string[] => [
    ...(rule[field] ?? []).map((each, index) => matcherText(each, `${path}.${field}[${index}]`, problems)),
    ...namespace,
  ];
  if ((rule.targetMatch ?? []).length === 0)
    problems.add(`${path}.targetMatch`, 'expected at least one matcher');
  if ((rule.sourceMatch ?? []).length === 0)
    problems.add(`${path}.sourceMatch`, 'expected at least one matcher');
  return {
    source_matchers: matchers('sourceMatch'),
    target_matchers: matchers('targetMatch'),
    equal: rule.equal,
  };
}

function addParts(document: Document, parts: readonly Part[]): string {
  const routes = parts.flatMap(({ route }) => (route === undefined ? [] : [route]));
  prepend(document, ['route', 'routes'], routes);
  append(
    document,
    ['receivers'],
    parts.flatMap(({ receivers }) => receivers),
  );
  append(
    document,
    ['inhibit_rules'],
    parts.flatMap(({ inhibitRules }) => inhibitRules),
  );
  append(
    document,
    ['time_intervals'],
    parts.flatMap(({ intervals }) => intervals),
  );
  // Texts that are added are in double quotes: Go's YAML takes a plain `on` for true. Those of the base keep their form.
  return document.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}

function prepend(document: Document, path: readonly string[], items: readonly ConfigObject[]): void {
  for (const item of [...items].reverse())
    change(document, path, (list) =>
      list.items.unshift(document.createNode(JSON.parse(JSON.stringify(item)))),
    );
}

function append(document: Document, path: readonly string[], items: readonly ConfigObject[]): void {
  for (const item of items)
    change(document, path, (list) => list.items.push(document.createNode(JSON.parse(JSON.stringify(item)))));
}

interface ItemList {
  readonly items: unknown[];
}

function change(document: Document, path: readonly string[], add: (list: ItemList) => void): void {
  if (document.getIn(path) === undefined || document.getIn(path) === null)
    document.setIn(path, document.createNode([]));
  add(document.getIn(path) as ItemList);
}
