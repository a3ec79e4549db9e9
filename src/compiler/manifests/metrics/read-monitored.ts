import path from 'node:path';
import { FindingList, type Finding } from '../../../base/errors/index.ts';
import { loadProgram, readDeclarations, type Evaluated, type SourceTexts } from '../../schema/index.ts';
import {
  readMetricDeclarations,
  type MetricDeclaration,
  type MetricType,
  type SimpleDeclaration,
} from '../../source/index.ts';
import { layout } from '../../../project/project/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { controllerName, uniqueFindings } from '../declarations.ts';
import { sourceFiles } from '../source-files.ts';

/** A metric that the sources of a project declare and its operator serves. */
export interface AuthorMetric {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  /** Names of the labels, in the order of the declaration. */
  readonly labels: readonly string[];
}

/** Everything in a project's sources on which the operator's metrics depend. */
export interface MonitoredProject {
  /** Names of the controllers, sorted; they are the values of the label `controller`. */
  readonly controllers: readonly string[];
  /** True if the project has admission webhooks. */
  readonly admission: boolean;
  /** True if the project converts versions of a kind. */
  readonly conversion: boolean;
  /** Metrics of the project itself, sorted by name. */
  readonly metrics: readonly AuthorMetric[];
  /** Warnings about controllers and metrics that are left out, because they cannot be read. */
  readonly warnings: readonly Finding[];
}

/**
 * Reads which metrics the operator of a project will serve. Reads the sources and never runs them.
 * @param projectDir absolute path; places are relative to it
 * @param texts texts of project files that replace those on disk. Default: none
 * @throws OpSdkError if a source cannot be read
 */
export function readMonitored(projectDir: string, texts?: SourceTexts): MonitoredProject {
  const planned = [...(texts?.keys() ?? [])].map((name) => path.resolve(projectDir, name));
  const rootFiles = [...sourceFiles(path.join(projectDir, 'src'), planned)].sort();
  // The file of permissions is generated, so a new project does not have it yet.
  const all = new Map([
    ...(texts ?? []),
    [layout.permissions, 'export const permissions: readonly unknown[] = [];\n'],
  ]);
  const program = loadProgram({ projectDir, rootFiles, texts: all });
  const findings = new FindingList();
  findings.add(...program.diagnostics);
  findings.throwIfAny();
  const { controllers, webhooks, conversions } = readDeclarations(program);
  const declared = readMetricDeclarations(program);
  const warnings: Finding[] = [...declared.findings];
  const names = controllers.flatMap((each) => nameFor(each, warnings) ?? []);
  const metrics = declared.metrics.flatMap((each) => readMetric(each, warnings) ?? []);
  return {
    controllers: [...new Set(names)].sort(compareCodeUnits),
    admission: webhooks.length > 0,
    conversion: conversions.length > 0,
    metrics: withoutRepetitions(metrics, warnings).sort((a, b) => compareCodeUnits(a.name, b.name)),
    warnings: uniqueFindings(warnings),
  };
}

/** Returns the name of a controller; undefined, with a warning, for one that cannot be read. */
function nameFor(controller: SimpleDeclaration, warnings: Finding[]): string | undefined {
  const read = controllerName(controller);
  if (typeof read === 'string') return read;
  warnings.push({
    code: 'manifests/unread-metric',
    message: `${read.message}, so the dashboard has no row for the controller`,
    where: read.where,
    fix: ['write the name of the controller, or the kind in `for`, as a constant'],
  });
  return undefined;
}

interface PlacedMetric extends AuthorMetric {
  readonly place: MetricDeclaration['place'];
}

function readMetric(declaration: MetricDeclaration, warnings: Finding[]): PlacedMetric | undefined {
  const { className, type, place, options } = declaration;
  const leftOut = (part: Evaluated | undefined, message: string, ...fix: readonly string[]): undefined => {
    warnings.push({
      code: 'manifests/unread-metric',
      message: `new ${className}: ${message}, so the metric is left out`,
      where: part?.place ?? place,
      fix,
    });
    return undefined;
  };
  const unreadable = (part: Evaluated | undefined, what: string): undefined => {
    const reason = part?.type === 'opaque' ? `: ${part.finding.message}` : '';
    return leftOut(
      part,
      `${what} cannot be read from the sources${reason}`,
      ...(part?.type === 'opaque' ? (part.finding.fix ?? []) : [`write ${what} as a literal`]),
    );
  };
  if (options?.type !== 'object') return unreadable(options, 'its options');
  const [hole] = options.holes;
  if (hole !== undefined) return unreadable(hole, 'its options');
  const [name, help, labelNames] = ['name', 'help', 'labelNames'].map(
    (key) => options.properties.get(key)?.value,
  );
  if (name?.type !== 'scalar' || typeof name.value !== 'string') return unreadable(name, 'its name');
  if (!/^[A-Za-z_:][\w:]*$/.test(name.value))
    return leftOut(
      name,
      `expected a name of letters, digits, "_" and ":", got ${JSON.stringify(name.value)}`,
      'correct the name: prom-client refuses it at the start of the operator',
    );
  const labels = labelNames === undefined ? [] : labelsOf(labelNames);
  if (labels === undefined) return unreadable(labelNames, 'its labels');
  const refused = labels.find((label) => !/^[A-Za-z_]\w*$/.test(label) || label === reservedLabels[type]);
  if (refused !== undefined)
    return leftOut(
      labelNames,
      `expected labels of letters, digits and "_"${reservedText(type)}, got ${JSON.stringify(refused)}`,
      'correct the label: prom-client refuses it at the start of the operator',
    );
  // The help text is only shown, so a metric is not left out because of it.
  const text = help?.type === 'scalar' && typeof help.value === 'string' ? help.value : '';
  return { name: name.value, type, help: text, labels, place };
}

/** Labels that prom-client sets itself. */
const reservedLabels: Partial<Record<MetricType, string>> = { histogram: 'le', summary: 'quantile' };

function reservedText(type: MetricType): string {
  const label = reservedLabels[type];
  return label === undefined ? '' : ` other than "${label}"`;
}

function labelsOf(value: Evaluated): readonly string[] | undefined {
  if (value.type === 'scalar' && value.value === undefined) return [];
  if (value.type !== 'array') return undefined;
  const names = value.items.flatMap((item) =>
    item.type === 'scalar' && typeof item.value === 'string' ? [item.value] : [],
  );
  return names.length === value.items.length ? names : undefined;
}

function withoutRepetitions(metrics: readonly PlacedMetric[], warnings: Finding[]): AuthorMetric[] {
  const known = new Map<string, PlacedMetric>();
  for (const metric of metrics) {
    const { name, place } = metric;
    const first = known.get(name);
    if (first === undefined) known.set(name, metric);
    else
      warnings.push({
        code: 'manifests/unread-metric',
        message: `the metric ${name} is declared twice, also in ${first.place.file}:${first.place.line}; the first declaration is taken`,
        where: place,
        fix: ['declare it once, and import it: a registry refuses a second metric of the same name'],
      });
  }
  return [...known.values()].map(({ name, type, help, labels }) => ({ name, type, help, labels }));
}
