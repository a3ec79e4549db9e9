import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { isSameText, keepLineEnds, mergeText, type FileChange, type MergedText } from '../scaffold/index.ts';
import { earlierMarks, markedPlaces } from './conflict-marks.ts';
import type { ProjectEntry, TextEntry } from './project-entry.ts';
import { renamedFiles, type RenamedFile } from './renamed-files.ts';

/** Scaffolded files by their paths. */
export type ScaffoldedFiles = ReadonlyMap<string, string>;

/** Input for planning how the scaffolded files of a project follow a new version of op-sdk. */
export interface UpgradeRequest {
  /** Files as the old version scaffolds them. */
  readonly base: ScaffoldedFiles;
  /** Files as the new version scaffolds them. */
  readonly next: ScaffoldedFiles;
  /** Reads the entry at a path of the project. */
  readonly look: (path: string) => Promise<ProjectEntry>;
  /**
   * Returns true if the project's file was scaffolded as `base`, so that its differences are edits. If this is not known, the file is
   * replaced only if it equals `base`.
   */
  readonly isKnown: (path: string, base: string) => boolean;
  /** Rewrites names that the new version has renamed. Default: changes nothing. */
  readonly rewrite?: (path: string, text: string) => string;
  /** Further files of the project in which names are rewritten. Default: none. */
  readonly sources?: ReadonlyMap<string, string>;
}

/** Changes of scaffolded files, and findings for the user. */
export interface PlannedUpgrade {
  readonly changes: readonly FileChange[];
  /** Findings about files with places that both sides have changed. */
  readonly conflicts: readonly Finding[];
  /** Findings about files that are kept unchanged although the new version scaffolds other content. */
  readonly warnings: readonly Finding[];
  readonly notes: readonly string[];
  /** Paths of the files that are now based on the new version, with or without edits. */
  readonly followed: ReadonlySet<string>;
}

/**
 * Plans how the scaffolded files of a project follow a new version. Unedited files are replaced or deleted, edits are merged line by line,
 * deleted files stay deleted, and new files are created where the path is free. No edited line is lost: where both sides have changed the
 * same lines, the result has both between conflict markers.
 * @throws OpSdkError `upgrade/conflict` for each file to merge that already has conflict markers
 */
export async function planUpgrade(request: UpgradeRequest): Promise<PlannedUpgrade> {
  const planner = new UpgradePlanner(request);
  const entries = new Map<string, ProjectEntry>();
  for (const path of [...new Set([...request.base.keys(), ...request.next.keys()])].sort())
    entries.set(path, await request.look(path));
  const renamed = renamedFiles(request, entries);
  for (const file of renamed) planner.renamed(file);
  for (const path of renamed.flatMap(({ from, to }) => [from, to])) entries.delete(path);
  for (const [path, entry] of entries) if (!isLink(entry)) planner.file(path, entry);
  // A link may lead to a file that was planned above by its own path.
  for (const [path, entry] of entries) if (isLink(entry)) planner.file(path, entry);
  await planner.renames();
  return planner.plan;
}

function isLink(entry: ProjectEntry): boolean {
  return entry.kind === 'text' && entry.isLinked;
}

class UpgradePlanner {
  readonly #request: UpgradeRequest;
  readonly #marked: Finding[] = [];
  readonly #changes: FileChange[] = [];
  readonly #conflicts: Finding[] = [];
  readonly #warnings: Finding[] = [];
  readonly #notes: string[] = [];
  readonly #followed = new Set<string>();
  /** Paths of the planned files of the project, by the identities of the files. */
  readonly #names = new Map<string, string>();

  constructor(request: UpgradeRequest) {
    this.#request = request;
  }

  get plan(): PlannedUpgrade {
    if (this.#marked.length > 0) throw new OpSdkError(this.#marked);
    return {
      changes: this.#changes.sort((a, b) => (a.path < b.path ? -1 : 1)),
      conflicts: this.#conflicts,
      warnings: this.#warnings,
      notes: this.#notes,
      followed: this.#followed,
    };
  }

  /** Plans a path that at least one of the versions scaffolds. */
  file(path: string, entry: ProjectEntry): void {
    const base = this.#request.base.get(path);
    const next = this.#request.next.get(path);
    if (entry.kind === 'absent') this.#absent(path, base, next);
    else if (entry.kind === 'obstacle') this.#blocked(path, entry.reason, { base, next });
    else if (next === undefined) this.#removed(path, entry, base ?? '');
    else if (isSameText(entry.text, next)) this.#unchanged(path);
    else if (base === undefined) this.#taken(path, 'exists');
    else {
      const other = this.#names.get(entry.id);
      if (entry.isLinked && other !== undefined) this.#blocked(path, `is a link to ${other}`, { base, next });
      else this.#changed(path, { base, present: entry.text, next });
    }
    if (entry.kind === 'text' && !this.#names.has(entry.id)) this.#names.set(entry.id, path);
  }

  /** Moves a file with its edits to the path at which the new version scaffolds it. */
  renamed({ from, to, entry, isOneFile }: RenamedFile): void {
    if (entry === undefined) {
      this.#notes.push(`${from} was deleted and stays so; the new version scaffolds it as ${to}.`);
      return;
    }
    const { text: present, isExecutable } = entry;
    const base = this.#request.base.get(from) ?? '';
    const next = this.#request.next.get(to) ?? '';
    const { text: content, conflicts } = isSameText(present, base)
      ? { text: keepLineEnds(present, next), conflicts: 0 }
      : this.#merge(from, { base, present, next });
    if (isOneFile) {
      // Deleting the old name would delete the file.
      if (isSameText(content, present)) this.#unchanged(to);
      else this.#update(to, present, content);
      this.#notes.push(`${from} is now scaffolded as ${to}, which is the same name on your disk.`);
    } else {
      this.#changes.push({ action: 'delete', path: from, before: present });
      this.#changes.push({ action: 'create', path: to, content, executable: isExecutable });
      this.#followed.add(to);
      this.#notes.push(`renamed ${from} → ${to}`);
    }
    if (conflicts > 0) this.#conflicts.push(markedPlaces(to, conflicts));
  }

  /** Rewrites renamed exports in files that do not change otherwise. */
  async renames(): Promise<void> {
    const { look, rewrite, sources = new Map<string, string>() } = this.#request;
    if (rewrite === undefined) return;
    for (const [path, before] of sources) {
      const index = this.#changes.findIndex((change) => change.path === path);
      const { action = 'unchanged' } = this.#changes[index] ?? {};
      const content = rewrite(path, before);
      if (action !== 'unchanged' || content === before) continue;
      const entry = await look(path);
      if (entry.kind === 'obstacle') {
        this.#cannotMerge(path, entry.reason);
        continue;
      }
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

  /** Handles a path whose entry cannot be merged. */
  #blocked(
    path: string,
    reason: string,
    { base, next }: Readonly<Record<'base' | 'next', string | undefined>>,
  ): void {
    if (next === undefined) this.#stays(path, reason);
    else if (base === undefined) this.#taken(path, reason);
    else if (!isSameText(base, next)) this.#cannotMerge(path, reason);
  }

  #removed(path: string, { text, isLinked }: TextEntry, base: string): void {
    if (isLinked) this.#stays(path, 'is or passes through a symbolic link');
    else if (isSameText(text, base)) this.#changes.push({ action: 'delete', path, before: text });
    else this.#stays(path, 'was edited');
  }

  #stays(path: string, reason: string): void {
    this.#warnings.push({
      code: 'upgrade/no-longer-scaffolded',
      message: `${path} ${reason}, and the new version no longer scaffolds it`,
      where: { file: path },
      fix: ['move your changes to where they belong now, and delete it', 'keep it as yours'],
    });
  }

  #taken(path: string, reason: string): void {
    this.#warnings.push({
      code: 'upgrade/path-taken',
      message: `${path} ${reason}, and the new version scaffolds another file of this name`,
      where: { file: path },
      fix: ['compare it with the file of a new project, and take over what you need', 'keep yours'],
    });
  }

  #cannotMerge(path: string, reason: string): void {
    this.#warnings.push({
      code: 'upgrade/cannot-merge',
      message: `${path} ${reason}, so that what the new version has changed cannot be merged into it`,
      where: { file: path },
      fix: ['compare it with the file of a new project, and take over by hand what you need'],
    });
  }

  #changed(
    path: string,
    { base, present, next }: Readonly<Record<'base' | 'present' | 'next', string>>,
  ): void {
    const { isKnown } = this.#request;
    if (isSameText(base, next)) this.#unchanged(path);
    else if (isSameText(present, base)) this.#update(path, present, keepLineEnds(present, next));
    else if (!isKnown(path, base)) this.#unknown(path);
    else {
      const merged = this.#merge(path, { base, present, next });
      if (isSameText(merged.text, present)) this.#unchanged(path);
      else this.#update(path, present, merged.text);
      if (merged.conflicts > 0) this.#conflicts.push(markedPlaces(path, merged.conflicts));
    }
  }

  #merge(
    path: string,
    { base, present, next }: Readonly<Record<'base' | 'present' | 'next', string>>,
  ): MergedText {
    const { rewrite = (_path, text) => text } = this.#request;
    const marks = earlierMarks(path, present);
    if (marks !== undefined) this.#marked.push(marks);
    // Renamed exports are rewritten on all three sides, so that they do not cause conflicts.
    return mergeText({ base: rewrite(path, base), edited: rewrite(path, present), generated: next });
  }

  #update(path: string, before: string, content: string): void {
    this.#changes.push({ action: 'update', path, content, before });
    this.#followed.add(path);
  }

  #unknown(path: string): void {
    this.#warnings.push({
      code: 'upgrade/unknown-origin',
      message: `${path} cannot be merged, because it is unknown how it was scaffolded; the new version has changed it`,
      where: { file: path },
      fix: ['compare it with the file of a new project, and take over by hand what you need'],
    });
  }
}
