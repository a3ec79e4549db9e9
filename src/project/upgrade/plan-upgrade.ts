import type { Finding } from '../../base/errors/index.ts';
import { isSameText, mergeText, type FileChange, type MergedText, type ReadFile } from '../scaffold/index.ts';
import { renamedFiles, type RenamedFile } from './renamed-files.ts';

/** Scaffolded files by their paths. */
export type ScaffoldedFiles = ReadonlyMap<string, string>;

/** Input for planning how the scaffolded files of a project follow a new version of op-sdk. */
export interface UpgradeRequest {
  /** Files as the old version scaffolds them. */
  readonly base: ScaffoldedFiles;
  /** Files as the new version scaffolds them. */
  readonly next: ScaffoldedFiles;
  /** Returns the text of a file of the project. */
  readonly read: ReadFile;
  /**
   * Returns true if the project's file was made from `base`, so that the differences to it are edits. Files of which this is unknown are
   * replaced only if they equal `base`.
   */
  readonly isKnown: (path: string, base: string) => boolean;
  /** Rewrites names that the new version has renamed. Default: changes nothing. */
  readonly rewrite?: (path: string, text: string) => string;
  /** Further files of the project in which names are rewritten. Default: none. */
  readonly sources?: ReadonlyMap<string, string>;
}

/** Changes of scaffolded files, and what the user has to look at. */
export interface PlannedUpgrade {
  readonly changes: readonly FileChange[];
  /** Files with places that both sides have changed. */
  readonly conflicts: readonly Finding[];
  /** Files that stay as they are although the new version has others. */
  readonly warnings: readonly Finding[];
  readonly notes: readonly string[];
  /** Paths of the files that now come from the new version, with edits or without. */
  readonly followed: ReadonlySet<string>;
}

/**
 * Plans how the scaffolded files of a project follow a new version. Unedited files are replaced or deleted, edits are merged line by line,
 * deleted files stay deleted, and new files are created where the path is free. No edited line is lost: what both versions have changed is
 * kept twice between marks.
 */
export async function planUpgrade(request: UpgradeRequest): Promise<PlannedUpgrade> {
  const planner = new UpgradePlanner(request);
  const renamed = await renamedIn(request);
  for (const { from, to, present } of renamed) planner.renamed(from, to, present);
  const done = new Set(renamed.flatMap(({ from, to }) => [from, to]));
  for (const path of [...new Set([...request.base.keys(), ...request.next.keys()])].sort())
    if (!done.has(path)) await planner.file(path);
  planner.renames();
  return planner.plan;
}

/**
 * Returns the files that the new version scaffolds under another name, with their texts in the project. A file stays out of it if its new
 * path is taken, or if edits of it cannot be distinguished from scaffolds.
 */
async function renamedIn({
  base,
  next,
  read,
  isKnown,
}: UpgradeRequest): Promise<readonly (RenamedFile & { readonly present: string })[]> {
  const removed = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const [path, text] of base) {
    const present = next.has(path) ? undefined : await read(path);
    if (present === undefined || !(isSameText(present, text) || isKnown(path, text))) continue;
    removed.set(path, text);
    texts.set(path, present);
  }
  const added = new Map<string, string>();
  for (const [path, text] of next)
    if (!base.has(path) && (await read(path)) === undefined) added.set(path, text);
  return renamedFiles(removed, added).map((file) => ({ ...file, present: texts.get(file.from) ?? '' }));
}

class UpgradePlanner {
  readonly #request: UpgradeRequest;
  readonly #changes: FileChange[] = [];
  readonly #conflicts: Finding[] = [];
  readonly #warnings: Finding[] = [];
  readonly #notes: string[] = [];
  readonly #followed = new Set<string>();

  constructor(request: UpgradeRequest) {
    this.#request = request;
  }

  get plan(): PlannedUpgrade {
    return {
      changes: this.#changes.sort((a, b) => (a.path < b.path ? -1 : 1)),
      conflicts: this.#conflicts,
      warnings: this.#warnings,
      notes: this.#notes,
      followed: this.#followed,
    };
  }

  async file(path: string): Promise<void> {
    const present = await this.#request.read(path);
    const base = this.#request.base.get(path);
    const next = this.#request.next.get(path);
    if (present === undefined) this.#absent(path, base, next);
    else if (next === undefined) this.#removed(path, present, base ?? '');
    else if (isSameText(present, next)) this.#unchanged(path);
    else if (base === undefined) this.#taken(path);
    else this.#changed(path, { base, present, next });
  }

  /** Moves a file with its edits to the path at which the new version scaffolds it. */
  renamed(from: string, to: string, present: string): void {
    const base = this.#request.base.get(from) ?? '';
    const next = this.#request.next.get(to) ?? '';
    const merged = isSameText(present, base)
      ? { text: withLineEndsOf(present, next), conflicts: 0 }
      : this.#merge(from, { base, present, next });
    this.#changes.push({ action: 'delete', path: from, before: present });
    this.#changes.push({ action: 'create', path: to, content: merged.text });
    this.#followed.add(to);
    this.#notes.push(`renamed ${from} → ${to}`);
    if (merged.conflicts > 0) this.#conflicts.push(conflict(to, merged.conflicts));
  }

  /** Rewrites names in the files that stay otherwise as they are. */
  renames(): void {
    const { rewrite, sources = new Map<string, string>() } = this.#request;
    if (rewrite === undefined) return;
    for (const [path, before] of sources) {
      const index = this.#changes.findIndex((change) => change.path === path);
      const { action = 'unchanged' } = this.#changes[index] ?? {};
      const content = rewrite(path, before);
      if (action !== 'unchanged' || content === before) continue;
      const change = { action: 'update', path, content, before } as const;
      if (index === -1) this.#changes.push(change);
      else this.#changes[index] = change;
    }
  }

  #unchanged(path: string): void {
    this.#changes.push({ action: 'unchanged', path });
    this.#followed.add(path);
  }

  #absent(path: string, base: string | undefined, next: string | undefined): void {
    if (next === undefined) return;
    if (base === undefined) {
      this.#changes.push({ action: 'create', path, content: next });
      this.#followed.add(path);
    } else if (!isSameText(base, next))
      this.#notes.push(`${path} was deleted and stays so; the new version has changed it.`);
  }

  #removed(path: string, present: string, base: string): void {
    if (isSameText(present, base)) this.#changes.push({ action: 'delete', path, before: present });
    else
      this.#warnings.push({
        code: 'upgrade/no-longer-scaffolded',
        message: `${path} was edited, and the new version no longer scaffolds it`,
        where: { file: path },
        fix: ['move your changes to where they belong now, and delete it', 'keep it as yours'],
      });
  }

  #taken(path: string): void {
    this.#warnings.push({
      code: 'upgrade/path-taken',
      message: `${path} exists, and the new version scaffolds another file of this name`,
      where: { file: path },
      fix: ['compare it with the file of a new project, and take over what you need', 'keep yours'],
    });
  }

  #changed(
    path: string,
    { base, present, next }: Readonly<Record<'base' | 'present' | 'next', string>>,
  ): void {
    const { isKnown } = this.#request;
    if (isSameText(base, next)) this.#unchanged(path);
    else if (isSameText(present, base)) this.#update(path, present, withLineEndsOf(present, next));
    else if (!isKnown(path, base)) this.#unknown(path);
    else {
      const merged = this.#merge(path, { base, present, next });
      if (isSameText(merged.text, present)) this.#unchanged(path);
      else this.#update(path, present, merged.text);
      if (merged.conflicts > 0) this.#conflicts.push(conflict(path, merged.conflicts));
    }
  }

  #merge(
    path: string,
    { base, present, next }: Readonly<Record<'base' | 'present' | 'next', string>>,
  ): MergedText {
    const { rewrite = (_path, text) => text } = this.#request;
    // Renamed names differ on all three sides alike, so that they are no conflict.
    return mergeText({ base: rewrite(path, base), edited: rewrite(path, present), generated: next });
  }

  #update(path: string, before: string, content: string): void {
    this.#changes.push({ action: 'update', path, content, before });
    this.#followed.add(path);
  }

  #unknown(path: string): void {
    this.#warnings.push({
      code: 'upgrade/unknown-origin',
      message: `${path} is not known how it was made, so that edits cannot be distinguished from scaffolds; the new version has changed it`,
      where: { file: path },
      fix: ['compare it with the file of a new project, and take over by hand what you need'],
    });
  }
}

/** Returns the findings for those of the files that still have marks of conflicts. */
export async function conflictsLeft(paths: readonly string[], read: ReadFile): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const path of paths) {
    const count = (await read(path))?.match(/^<<<<<<< edited\r?$/gm)?.length ?? 0;
    if (count > 0) findings.push(conflict(path, count));
  }
  return findings;
}

function conflict(path: string, count: number): Finding {
  return {
    code: 'upgrade/conflict',
    message: `${path} has ${count} ${count === 1 ? 'place that was' : 'places that were'} edited, and that the new version has changed`,
    where: { file: path },
    fix: ['choose between the lines at its marks <<<<<<<, and remove the marks'],
  };
}

function withLineEndsOf(model: string, text: string): string {
  const unified = text.replaceAll('\r\n', '\n');
  return model.includes('\r\n') ? unified.replaceAll('\n', '\r\n') : unified;
}
