import { FindingList } from '../../base/errors/index.ts';
import { jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';
import { parseYaml } from '../../kubernetes/yaml/index.ts';
import {
  commandRecord,
  layout,
  recordCommand,
  recordedParts,
  recordedTemplates,
  recordParts,
  recordTemplates,
} from '../project/index.ts';
import { contentHash, renderSet, type ReadFile } from '../scaffold/index.ts';
import type { OwnMetric } from './author-panels.ts';
import { dashboardHashes, mergeDashboard } from './merge-dashboard.ts';
import type { RecordedHashes } from './merge-parts.ts';
import { mergeRules, ruleHashes, type MergedFile } from './merge-rules.ts';
import { monitoringPaths, renderMonitoring } from './render-monitoring.ts';
import { wiringOf } from './wire-monitoring.ts';

/** Input for planning the monitoring files of a project. */
export interface MonitoringRequest {
  readonly projectName: string;
  /** Text of PROJECT. */
  readonly projectText: string;
  /** Absolute path of the project, which may contain template overrides; undefined for a project that does not exist yet. */
  readonly root: string | undefined;
  /** Returns the text of a file of the project. */
  readonly read: ReadFile;
  /** Names of the controllers. */
  readonly controllers: readonly string[];
  readonly admission: boolean;
  readonly conversion: boolean;
  readonly metrics: readonly OwnMetric[];
  /** Address of the page with the runbooks, without an anchor; undefined for alerts without `runbook_url`. */
  readonly runbooks: string | undefined;
  /** True to overwrite rules and dashboard, and with them all edits. */
  readonly force: boolean;
}

interface PlannedFile {
  readonly path: string;
  readonly content: string;
}

/** Files to write, and notes for the user. */
export interface PlannedMonitoring {
  /** Files that must not exist yet, unless `force` is true. */
  readonly fresh: readonly PlannedFile[];
  /** Files that may have edits, and PROJECT. */
  readonly maintained: readonly PlannedFile[];
  readonly notes: readonly string[];
  /** True if the project had no rules of op-sdk before. */
  readonly isFirst: boolean;
  /** Returns the name that kustomize gives an object of the project. */
  readonly nameOf: (object: string) => string;
}

/** Name of the Service of the metrics before kustomize changes it. It becomes the label `job` of all series. */
const metricsService = 'controller-manager-metrics-service';

/**
 * Plans the ServiceMonitor, the alerts and the dashboard of a project. Parts that users have edited stay; see `mergeParts`.
 * @throws OpSdkError `project/cannot-edit` for each file that cannot be edited, `scaffold/bad-template`
 */
export async function planMonitoring(request: MonitoringRequest): Promise<PlannedMonitoring> {
  const { projectName, root, read, force } = request;
  const paths = monitoringPaths(projectName);
  const defaults = (await read(layout.kustomization(layout.defaultConfig))) ?? '';
  const { namePrefix, nameSuffix } = jsonMapOf(
    parseYaml(defaults, layout.kustomization(layout.defaultConfig)).value,
  );
  const nameOf = (object: string): string => `${jsonTextOf(namePrefix)}${object}${jsonTextOf(nameSuffix)}`;
  const job = nameOf(metricsService);
  const rendered = await renderMonitoring({ ...request, job }, root);
  const files = new FilePlanner(request);
  const findings = new FindingList();
  await findings.gather(() => files.merge(paths.rules, rendered.rules, ruleHashes, mergeRules));
  await findings.gather(() =>
    files.merge(paths.dashboard, rendered.dashboard, dashboardHashes, mergeDashboard),
  );
  await files.scaffold(paths.grafana, rendered.grafana);
  if (files.isNew(paths.dashboard)) await files.noteUnnamed(paths.grafana, `${projectName}.json`);
  for (const { path, content } of await renderSet('service-monitor', { projectName }, {}, root))
    await files.scaffold(path, content);
  const isFirst = files.isNew(paths.rules);
  await findings.gather(async () => {
    const wired = await wiringOf((path) => files.read(path), {
      alerts: isFirst,
      dashboard: files.isNew(paths.dashboard),
    });
    for (const { path, content } of wired) files.edit(path, content);
  });
  findings.throwIfAny();
  return { ...files.result(force, isFirst), isFirst, nameOf };
}

/** Returns true if `create monitoring` has written the alerts of a project before. */
export function hasMonitoring({ projectName, text }: { projectName: string; text: string }): boolean {
  return recordedParts(text, monitoringPaths(projectName).rules) !== undefined;
}

/** Collects the files of a plan, and what PROJECT records about them. */
class FilePlanner {
  readonly #request: MonitoringRequest;
  readonly #templates: Readonly<Record<string, unknown>>;
  readonly #fresh = new Map<string, string>();
  readonly #edited = new Map<string, string>();
  readonly #parts = new Map<string, RecordedHashes>();
  readonly #new = new Set<string>();
  readonly #notes: string[] = [];

  constructor(request: MonitoringRequest) {
    this.#request = request;
    this.#templates = recordedTemplates(request.projectText);
  }

  /** Returns the planned text of a file. */
  async read(path: string): Promise<string | undefined> {
    return this.#edited.get(path) ?? this.#fresh.get(path) ?? (await this.#request.read(path));
  }

  isNew(path: string): boolean {
    return this.#new.has(path);
  }

  edit(path: string, content: string): void {
    if (this.#fresh.has(path)) this.#fresh.set(path, content);
    else this.#edited.set(path, content);
  }

  /** Plans a file whose parts users may edit. */
  async merge(
    path: string,
    rendered: string,
    hashes: (rendered: string) => RecordedHashes,
    merge: (file: string, text: string, rendered: string, recorded: RecordedHashes) => MergedFile,
  ): Promise<void> {
    const { read, projectText, force } = this.#request;
    const recorded = recordedParts(projectText, path);
    const text = await read(path);
    if (recorded === undefined || force) {
      this.#fresh.set(path, rendered);
      this.#parts.set(path, hashes(rendered));
      if (recorded === undefined) this.#new.add(path);
    } else if (text === undefined) {
      this.#notes.push(`${path} was deleted and stays so; --force writes it again.`);
    } else {
      const merged = merge(path, text, rendered, recorded);
      this.#edited.set(path, merged.content);
      this.#parts.set(path, merged.recorded);
      if (merged.outdated.length > 0)
        this.#notes.push(
          `${path} keeps your version of ${merged.outdated.join(', ')}, of which op-sdk has another one now.`,
        );
    }
  }

  /** Plans a file that is written once, and belongs to the user from then on. */
  async scaffold(path: string, content: string): Promise<void> {
    const isThere = (await this.#request.read(path)) !== undefined;
    if (!isThere && !Object.hasOwn(this.#templates, path)) this.#fresh.set(path, content);
  }

  /**
   * Adds a note if an existing kustomization does not name a new dashboard, because the project was renamed after the kustomization was
   * written.
   */
  async noteUnnamed(path: string, dashboard: string): Promise<void> {
    const text = await this.#request.read(path);
    if (text !== undefined && !text.includes(dashboard))
      this.#notes.push(
        `${path} does not name ${dashboard}: add it to \`files\`, in place of a dashboard with a former name.`,
      );
  }

  result(force: boolean, isFirst: boolean): Pick<PlannedMonitoring, 'fresh' | 'maintained' | 'notes'> {
    const filesOf = (texts: ReadonlyMap<string, string>): readonly PlannedFile[] =>
      [...texts].map(([path, content]) => ({ path, content }));
    let { projectText } = this.#request;
    for (const [path, hashes] of this.#parts) projectText = recordParts(projectText, path, hashes);
    if (isFirst) projectText = recordCommand(projectText, commandRecord('create monitoring', {}));
    // The hash of an unedited file is recorded, so that --force keeps copies of edited files only.
    const written = [...this.#fresh].map(([path, content]) => [path, contentHash(content)] as const);
    if (written.length > 0) projectText = recordTemplates(projectText, Object.fromEntries(written));
    const fresh = filesOf(this.#fresh);
    return {
      fresh,
      maintained: [...filesOf(this.#edited), { path: layout.projectFile, content: projectText }],
      notes: force ? [] : this.#notes,
    };
  }
}
