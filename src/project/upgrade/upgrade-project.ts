import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../base/errors/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import { editYaml, parseYaml, removeFromYamlMap, setInYamlMap, toYaml } from '../../kubernetes/yaml/index.ts';
import {
  forgetTemplates,
  layout,
  readFileOf,
  recordedCommands,
  recordedTemplates,
  recordLeftOut,
  recordTemplates,
  type LoadedProject,
  type RecordedCommand,
} from '../project/index.ts';
import { contentHash, isSameText, type FileChange } from '../scaffold/index.ts';
import { guessedCommands } from './guess-commands.ts';
import { dependencyIn, mergePackageJson, packedArchive, withDependency } from './merge-package-json.ts';
import { unknownOverrides } from './overrides.ts';
import type { OpsdkPackage } from './packages.ts';
import { planUpgrade, type PlannedUpgrade, type UpgradeRequest } from './plan-upgrade.ts';
import { expectTextFiles, projectEntry } from './project-entry.ts';
import { notRepeated, replay, stillLeftOut, type Replay, type ReplayOptions } from './replay.ts';

/** The version of op-sdk to which a project is upgraded. */
export interface UpgradeTarget extends OpsdkPackage {
  /** Dependency on this version: `^1.3.0`, `file:.op-sdk/opsdk-1.3.0-dev.tgz`. */
  readonly spec: string;
  /** Archive of the package, if the dependency names a file of the project. */
  readonly archive?: { readonly path: string; readonly content: Uint8Array } | undefined;
}

/** Input for upgrading a project. */
export interface ProjectUpgrade extends Pick<UpgradeRequest, 'rewrite' | 'sources'> {
  readonly project: LoadedProject;
  readonly base: OpsdkPackage;
  /** True if `base` is the version that scaffolded the project. */
  readonly isExact: boolean;
  readonly target: UpgradeTarget;
  /** Absolute path of an empty folder for the copies. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Plans the upgrade of a project: scaffolds it with both versions in temporary folders, merges the differences into its files, and updates
 * its dependency and PROJECT to the new version. Writes nothing into the project.
 * @throws OpSdkError `upgrade/cannot-merge`, `upgrade/cannot-repeat-init`, `project/cannot-edit`, `project/invalid`
 */
export async function planProjectUpgrade(input: ProjectUpgrade): Promise<Omit<PlannedUpgrade, 'followed'>> {
  const { project, target } = input;
  const { root } = project;
  const read = (path: string): Promise<string | undefined> => readFileOf(root, path);
  await expectTextFiles(root, [layout.packageJson, layout.projectFile]);
  const packageJson = await read(layout.packageJson);
  const specs = specsOf(packageJson, target.spec);
  const recorded = recordedCommands(project.text);
  const runs = recorded ?? (await guessedCommands(project, read, input.env));
  const overrides = await unknownOverrides(root, input);
  const isOlder = ({ cliVersion = project.cliVersion }: RecordedCommand): boolean =>
    cliVersion !== project.cliVersion;
  const older = runs.slice(1).filter(isOlder);
  const present = runs.filter((run) => !older.includes(run));
  const { base, next, warnings, leftOut } = await bothReplays(input, present, specs);
  const hashes = recordedTemplates(project.text);
  const plan = await planUpgrade({
    base: without(base.files, layout.packageJson),
    next: without(next.files, layout.packageJson),
    look: (path) => projectEntry(root, path),
    isKnown: (path, text) => (recorded !== undefined && input.isExact) || hashes[path] === contentHash(text),
    ...(input.rewrite === undefined ? {} : { rewrite: input.rewrite, sources: input.sources }),
  });
  const description = describePackage(packageJson, { base, next, spec: target.spec });
  const archives = await archiveChanges(root, specs, target);
  const edited = editProject(project.text, { base, next, plan, version: target.version });
  const projectText =
    recorded === undefined || project.cliVersion === undefined
      ? edited
      : recordLeftOut(
          edited,
          leftOut.map((run) => runs.indexOf(run)),
          project.cliVersion,
        );
  return {
    ...plan,
    changes: [
      ...plan.changes,
      ...archives,
      ...(packageJson === undefined ? [] : [changeOf(layout.packageJson, packageJson, description.text)]),
      changeOf(layout.projectFile, project.text, projectText),
    ].sort((a, b) => (a.path < b.path ? -1 : 1)),
    warnings: [
      ...overrides,
      ...older.map(stillLeftOut),
      ...warnings,
      ...plan.warnings,
      ...description.warnings,
    ],
    notes: [...plan.notes, ...description.notes],
  };
}

interface Specs {
  readonly present: string;
  readonly wanted: string;
}

/** Returns the dependency before and after the upgrade. A path also affects other files, such as the Dockerfile. */
function specsOf(packageJson: string | undefined, spec: string): Specs {
  const dependency = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : dependencyIn(text)?.value;
  const present = dependency(packageJson) ?? spec;
  const changed = packageJson === undefined ? undefined : withDependency(packageJson, spec);
  return { present, wanted: dependency(changed) ?? present };
}

/** Scaffolds with both versions. A run that one version cannot repeat is left out with both, so that its files do not differ. */
async function bothReplays(
  { project, base, target, folder, env, signal }: ProjectUpgrade,
  runs: readonly RecordedCommand[],
  { present, wanted }: Specs,
): Promise<{
  readonly base: Replay;
  readonly next: Replay;
  readonly warnings: readonly Finding[];
  readonly leftOut: readonly RecordedCommand[];
}> {
  const warnings: Finding[] = [];
  const leftOut: RecordedCommand[] = [];
  let left = runs;
  for (let attempt = 1; ; attempt++) {
    const options = (name: string, spec: string): ReplayOptions => ({
      ...{ runs: left, project: project.root, spec, env, signal },
      folder: join(folder, `${name}-${attempt}`),
    });
    // Wait for both, because the folders are removed afterwards.
    const ends = await Promise.allSettled([
      replay(base, options('base', present)),
      replay(target, options('next', wanted)),
    ]);
    const [old, next] = ends.map(resultOf) as [Replay, Replay];
    const repeated: RecordedCommand[] = [];
    for (const [index, run] of left.entries()) {
      const failure = failureOf(old, base, index) ?? failureOf(next, target, index);
      if (failure === undefined) repeated.push(run);
      else {
        leftOut.push(run);
        const paths = old.created.get(index) ?? next.created.get(index) ?? [];
        warnings.push(notRepeated({ run, ...failure, paths }));
      }
    }
    const isSame = [...old.failed.keys()].join() === [...next.failed.keys()].join();
    if (isSame) return { base: old, next, warnings, leftOut };
    left = repeated;
  }
}

/** @throws the reason for which the promise was rejected */
function resultOf<T>(end: PromiseSettledResult<T>): T {
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

function failureOf(
  { failed }: Replay,
  { version }: OpsdkPackage,
  index: number,
): { readonly reason: string; readonly version: string } | undefined {
  const reason = failed.get(index);
  return reason === undefined ? undefined : { reason, version };
}

function without(files: ReadonlyMap<string, string>, path: string): ReadonlyMap<string, string> {
  return new Map([...files].filter(([each]) => each !== path));
}

function changeOf(path: string, before: string, content: string): FileChange {
  return isSameText(before, content)
    ? { action: 'unchanged', path }
    : { action: 'update', path, content, before };
}

interface Description {
  readonly text: string;
  readonly warnings: readonly Finding[];
  readonly notes: readonly string[];
}

/** Merges package.json, and updates its dependency on opsdk. */
function describePackage(
  edited: string | undefined,
  { base, next, spec }: { readonly base: Replay; readonly next: Replay; readonly spec: string },
): Description {
  if (edited === undefined) return { text: '', warnings: [], notes: [] };
  const { text, notes } = mergePackageJson({
    base: base.files.get(layout.packageJson) ?? '{}',
    edited,
    generated: next.files.get(layout.packageJson) ?? '{}',
  });
  const moved = withDependency(text, spec);
  const present = dependencyIn(text)?.value;
  return {
    text: moved ?? text,
    warnings: moved === undefined && present !== spec ? [dependencyKept(present, spec)] : [],
    notes,
  };
}

function dependencyKept(present: string | undefined, spec: string): Finding {
  return {
    code: 'upgrade/dependency-kept',
    message:
      present === undefined
        ? `${layout.packageJson} does not list opsdk`
        : `${layout.packageJson} keeps "opsdk": ${JSON.stringify(present)}, which is neither a version nor an archive below .op-sdk`,
    where: { file: layout.packageJson },
    fix: [`make it lead to the new version, such as "opsdk": ${JSON.stringify(spec)}`],
  };
}

/** Replaces the archive of op-sdk in the project. */
async function archiveChanges(
  root: string,
  { present, wanted }: Specs,
  { archive }: UpgradeTarget,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  if (archive !== undefined && wanted.endsWith(archive.path) && !(await pathExists(join(root, archive.path))))
    changes.push({ action: 'create', ...archive });
  const former = packedArchive(present)?.path;
  const before = former === undefined || present === wanted ? undefined : await readFileOf(root, former);
  if (former !== undefined && before !== undefined) changes.push({ action: 'delete', path: former, before });
  return changes;
}

/** Returns the text of PROJECT with the new version, the hashes of the files that are based on it, and the records that it changes. */
function editProject(
  text: string,
  {
    base,
    next,
    plan,
    version,
  }: {
    readonly base: Replay;
    readonly next: Replay;
    readonly plan: PlannedUpgrade;
    readonly version: string;
  },
): string {
  const [from, to, present] = [base.projectText, next.projectText, text].map((each) =>
    jsonMapOf(parseYaml(each, layout.projectFile).value),
  );
  const set: Record<string, unknown> = {};
  const removed: string[] = [];
  for (const key of new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])) {
    if (['cliVersion', 'plugins'].includes(key) || isDeepStrictEqual(from?.[key], to?.[key])) continue;
    if (!isDeepStrictEqual(present?.[key], from?.[key])) continue;
    if (to?.[key] === undefined) removed.push(key);
    else set[key] = to[key];
  }
  const entries = { ...set, cliVersion: version };
  const edited = editYaml(layout.projectFile, toYaml(entries), () =>
    removed.reduce((rest, key) => removeFromYamlMap(rest, [], key), setInYamlMap(text, [], entries)),
  );
  const hashes = Object.entries(recordedTemplates(next.projectText)).flatMap(([path, hash]) =>
    plan.followed.has(path) || path === layout.packageJson ? [[path, String(hash)] as const] : [],
  );
  const deleted = plan.changes.filter(({ action }) => action === 'delete').map(({ path }) => path);
  const known = recordedTemplates(edited);
  return recordTemplates(
    forgetTemplates(
      edited,
      deleted.filter((path) => Object.hasOwn(known, path)),
    ),
    Object.fromEntries(hashes),
  );
}
