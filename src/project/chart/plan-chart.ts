import { FindingList, type Finding } from '../../base/errors/index.ts';
import {
  contentHash,
  isSameText,
  mergeText,
  type FileChange,
  type ReadFile,
  type TextVersions,
} from '../scaffold/index.ts';
import type { ChartFile } from './chart.ts';
import { readLastOutput, recordPath, recordText } from './last-output.ts';
import { mergeValues } from './merge-values.ts';

/** Input for planning the files of a chart. */
export interface ChartRequest {
  /** Files as op-sdk writes them now. */
  readonly files: readonly ChartFile[];
  /** Path of the chart's folder, for file changes: `chart`. */
  readonly folder: string;
  /** Returns the text of a file. The path begins with {@link ChartRequest.folder}. */
  readonly read: ReadFile;
  /** True to overwrite all files, including edited ones. */
  readonly force: boolean;
}

/** Changes of files, and findings for the user. */
export interface PlannedChart {
  readonly changes: readonly FileChange[];
  /** Findings about files with places that both sides have changed. */
  readonly conflicts: readonly Finding[];
  readonly notes: readonly string[];
  /** Hashes of the files as the last run has written them, by path. */
  readonly recorded: Readonly<Record<string, string>>;
}

const valuesFile = 'values.yaml';

/**
 * Plans the files of a chart. Files without edits since the last run are replaced or deleted; edits are merged with the newly generated
 * files.
 *
 * @throws OpSdkError `scaffold/file-exists` for files that no run of op-sdk has written; `chart/bad-record`, `project/cannot-edit`
 */
export async function planChart(request: ChartRequest): Promise<PlannedChart> {
  const { files, folder, read, force } = request;
  const record = `${folder}/${recordPath}`;
  const former = await read(record);
  const base = former === undefined ? new Map<string, string>() : recorded(former, record, force);
  const generated = new Map(files.map(({ path, content }) => [path, content]));
  const planner = new ChartPlanner(request, { base, generated, isFirst: former === undefined });
  for (const path of new Set([...generated.keys(), ...base.keys()])) await planner.file(path);
  return {
    ...planner.result(record, former, recordText(generated, former)),
    recorded: Object.fromEntries([...base].map(([path, text]) => [`${folder}/${path}`, contentHash(text)])),
  };
}

/** Returns the recorded files. If all files are overwritten anyway, an unreadable record counts as missing. */
function recorded(text: string, file: string, force: boolean): ReadonlyMap<string, string> {
  try {
    return readLastOutput(text, file);
  } catch (error) {
    if (force) return new Map();
    throw error;
  }
}

class ChartPlanner {
  readonly #request: ChartRequest;
  readonly #base: ReadonlyMap<string, string>;
  readonly #generated: ReadonlyMap<string, string>;
  readonly #isFirst: boolean;
  readonly #changes: FileChange[] = [];
  readonly #conflicts: Finding[] = [];
  readonly #notes: string[] = [];
  readonly #findings = new FindingList();

  constructor(
    request: ChartRequest,
    state: {
      readonly base: ReadonlyMap<string, string>;
      readonly generated: ReadonlyMap<string, string>;
      readonly isFirst: boolean;
    },
  ) {
    this.#request = request;
    this.#base = state.base;
    this.#generated = state.generated;
    this.#isFirst = state.isFirst;
  }

  async file(path: string): Promise<void> {
    const { folder, read, force } = this.#request;
    const whole = `${folder}/${path}`;
    const base = this.#base.get(path);
    const generated = this.#generated.get(path);
    const present = await read(whole);
    if (present === undefined) {
      if (generated === undefined) return;
      if (base === undefined || force)
        this.#changes.push({ action: 'create', path: whole, content: generated });
      else this.#notes.push(`${whole} was deleted and stays so; --force writes it again.`);
    } else if (generated !== undefined && isSameText(present, generated)) {
      this.#changes.push({ action: 'unchanged', path: whole });
    } else if (generated === undefined) {
      this.#removed(whole, present, base);
    } else if (force || (base !== undefined && isSameText(present, base))) {
      this.#changes.push({ action: 'update', path: whole, content: generated, before: present });
    } else if (base === undefined) {
      this.#foreign(whole);
    } else {
      await this.#merged(path, { base, edited: present, generated });
    }
  }

  #removed(path: string, present: string, base: string | undefined): void {
    if (base !== undefined && isSameText(present, base))
      this.#changes.push({ action: 'delete', path, before: present });
    else
      this.#notes.push(
        `${path} was edited, but deploy no longer has its object: delete it, or keep it as yours.`,
      );
  }

  #foreign(path: string): void {
    this.#findings.add({
      code: 'scaffold/file-exists',
      message: `${path} exists already and ${this.#isFirst ? 'would be overwritten' : 'is not from op-sdk'}`,
      where: { file: path },
      fix: [
        'move it elsewhere',
        'write the chart into another folder with --output-dir',
        'overwrite it with --force',
      ],
    });
  }

  async #merged(path: string, versions: TextVersions): Promise<void> {
    const whole = `${this.#request.folder}/${path}`;
    await this.#findings.gather(() => {
      const { text, message } = this.#merge(path, whole, versions);
      this.#changes.push(
        isSameText(text, versions.edited)
          ? { action: 'unchanged', path: whole }
          : { action: 'update', path: whole, content: text, before: versions.edited },
      );
      if (message !== undefined) this.#conflicts.push(message);
    });
  }

  #merge(
    path: string,
    whole: string,
    versions: TextVersions,
  ): { readonly text: string; readonly message: Finding | undefined } {
    if (path === valuesFile) {
      const { text, kept } = mergeValues(whole, versions);
      for (const value of kept)
        this.#notes.push(`${whole} keeps your ${value}, for which op-sdk has another value now.`);
      return { text, message: undefined };
    }
    const { text } = mergeText(versions);
    const conflicts = text.match(/^<<<<<<< edited\r?$/gm)?.length ?? 0;
    if (conflicts === 0) return { text, message: undefined };
    return {
      text,
      message: {
        code: 'chart/conflict',
        message: `${whole} has ${conflicts} ${conflicts === 1 ? 'place that was' : 'places that were'} edited, and that op-sdk writes differently now`,
        where: { file: whole },
        fix: ['choose between the lines at its marks <<<<<<<, and remove the marks'],
      },
    };
  }

  result(record: string, former: string | undefined, text: string): Omit<PlannedChart, 'recorded'> {
    this.#findings.throwIfAny();
    if (former === undefined) this.#changes.push({ action: 'create', path: record, content: text });
    else if (former === text) this.#changes.push({ action: 'unchanged', path: record });
    else this.#changes.push({ action: 'update', path: record, content: text, before: former });
    return {
      changes: this.#changes.sort((a, b) => (a.path < b.path ? -1 : 1)),
      conflicts: this.#conflicts,
      notes: this.#notes,
    };
  }
}
