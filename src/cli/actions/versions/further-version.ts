import { FindingList, type Finding } from '../../../base/errors/index.ts';
import {
  addToVersionOrder,
  copyVersion,
  FileEdits,
  importersOf,
  moveController,
  moveStorage,
  readVersionSources,
  stateStorage,
  storedVersion,
  versionsOfKind,
  type EditedFile,
  type VersionSource,
  type VersionSources,
} from '../../../compiler/manifests/index.ts';
import {
  fullGroup,
  hasController,
  isSameKind,
  layout,
  readFileOf,
  type ControllerId,
  type LoadedProject,
} from '../../../project/project/index.ts';
import { contentHash, type ApiInput } from '../../../project/scaffold/index.ts';
import { newerFirst } from '../../../base/util/kube-version.ts';
import type { WantedApi } from '../input/decide-api.ts';
import { copySample } from './copy-sample.ts';
import { planFurtherSpoke } from './further-spoke.ts';
import { controllerFilesOf } from './removed-files.ts';
import { sourcesOfProject } from './sources-of-project.ts';

/** A file by its path relative to the project. */
interface RenderedText {
  readonly path: string;
  readonly content: string;
}

/** Changes of a further version, or of a move between versions, beside what `create api` scaffolds for every kind. */
export interface VersionPlan {
  /** The types and the sample of the version, in the place of those of the templates. Undefined: the templates'. */
  readonly copied: readonly RenderedText[] | undefined;
  /** Sources of the user, spliced. */
  readonly edited: readonly EditedFile[];
  /** True if the controller that the kind has goes to this version, instead of a new one. */
  readonly movesController: boolean;
  /** From which version the storage goes to this one; undefined if it does not. */
  readonly storageFrom: string | undefined;
  /** The text of PROJECT with what else changes of the kind: the version among those that are converted. */
  readonly enter: (text: string) => string;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

const nothing: VersionPlan = {
  copied: undefined,
  edited: [],
  movesController: false,
  storageFrom: undefined,
  enter: (text) => text,
  notes: [],
};

/**
 * Plans what belongs to versions of a kind: a new one begins as a copy of the newest, exactly one is stored, and the controller of the
 * kind may move to another.
 * @param options.storage whether objects are to be stored in this version
 * @throws OpSdkError with every place in the sources that cannot be edited
 */
export async function planVersion(
  project: LoadedProject,
  input: ApiInput,
  { storage }: { readonly storage: boolean },
): Promise<VersionPlan> {
  const { resource } = input;
  const siblings = project.resources.filter(
    (known) => isSameKind(known, resource) && known.version !== resource.version,
  );
  if (siblings.every(({ api }) => api === undefined)) return nothing;
  const id = { group: resource.group, kind: resource.kind, controllerName: input.controllerName };
  const controlled = input.withController
    ? siblings.find((known) => hasController(known, input.controllerName))
    : undefined;
  if (!input.withResource && !storage && controlled === undefined) return nothing;
  const sources = readVersionSources(project.root);
  const versions = versionsOfKind(sources, { group: fullGroup(resource), kind: resource.kind });
  const findings = new FindingList();
  const edits = new FileEdits();
  const others = versions.filter(({ version }) => version !== resource.version);
  const stored = storedVersion(versions);
  const copied = input.withResource
    ? await copyOf(findings, sources, { input, others, stored, storage, root: project.root })
    : undefined;
  if (storage) {
    const own = copied === undefined ? versions : others;
    moveStorage(findings, edits, own, resource.version);
  } else if (copied !== undefined && stored?.version !== resource.version)
    stateStorage(findings, edits, others);
  if (copied !== undefined) addToVersionOrder(findings, edits, others, resource.version);
  const notes: string[] = [];
  const moved = controlled === undefined ? undefined : await controllerFiles(project.root, id);
  if (controlled !== undefined && moved !== undefined) {
    const former = controlled.path ?? layout.types(controlled);
    const left = moveController(edits, sources, moved, {
      group: fullGroup(resource),
      kind: resource.kind,
      from: { version: controlled.version, file: former },
      to: { version: resource.version, file: resource.path },
    });
    const controller = layout.controller(id);
    const text = edits.files.find(({ path }) => path === controller)?.content ?? moved.get(controller) ?? '';
    if (importersOf(sources, new Map([[controller, text]]), resource.path).length === 0)
      findings.add({
        code: 'project/cannot-splice',
        message: `${controller} does not import ${former}, so that it cannot be moved to ${resource.version}`,
        where: { file: controller },
        fix: [`import the types of ${resource.path} there, and run the command again`],
      });
    notes.push(...left.map((place) => `${place} still names ${fullGroup(resource)}/${controlled.version}`));
    // What converts between the versions rightly imports all of them.
    const converting = [layout.conversion(resource), layout.conversionTest(resource)];
    const isOther = (file: string): boolean =>
      !moved.has(file) && !converting.includes(file) && !file.startsWith(`${layout.apis}/`);
    const texts = [...(await sourcesOfProject(project.root))].filter(([file]) => isOther(file));
    notes.push(
      ...importersOf(sources, new Map(texts), former).map(
        (place) => `${place} still imports the types of ${controlled.version}`,
      ),
    );
  }
  const spoke = copied === undefined ? undefined : await planFurtherSpoke(findings, sources, project, input);
  findings.throwIfAny();
  return {
    copied,
    edited: [...edits.files, ...(spoke === undefined ? [] : [spoke.edited])],
    movesController: moved !== undefined,
    storageFrom: storage && stored?.version !== resource.version ? stored?.version : undefined,
    enter: spoke?.enter ?? nothing.enter,
    notes: [...notes, ...(spoke === undefined ? [] : [spoke.note])],
  };
}

interface CopyInput {
  readonly input: ApiInput;
  readonly others: readonly VersionSource[];
  readonly stored: VersionSource | undefined;
  readonly storage: boolean;
  readonly root: string;
}

/** The types and the sample of the newest other version, as those of the new one. */
async function copyOf(
  findings: FindingList,
  sources: VersionSources,
  { input: { resource }, others, stored, storage, root }: CopyInput,
): Promise<readonly RenderedText[] | undefined> {
  const [newest] = [...others].sort((a, b) => newerFirst(a.version, b.version));
  if (newest === undefined) return undefined;
  const types = copyVersion(findings, sources, {
    from: newest,
    version: resource.version,
    file: resource.path,
    // The version that is stored stays that if it is scaffolded again.
    storage: storage || stored?.version === resource.version,
  });
  const samples = `${layout.samples}/`;
  const sampleOf = (version: string): Promise<string | undefined> =>
    readFileOf(root, samples + layout.sampleFile({ ...resource, version }));
  const sample = await sampleOf(newest.version);
  const known = await Promise.all(others.map(({ version }) => sampleOf(version)));
  const files = [...(types === undefined ? [] : [{ path: resource.path, content: types }])];
  const group = fullGroup(resource);
  const content =
    sample === undefined
      ? undefined
      : copySample(
          sample,
          { apiVersion: `${group}/${newest.version}`, version: newest.version },
          { apiVersion: `${group}/${resource.version}`, version: resource.version },
          known.filter((text) => text !== undefined),
        );
  return content === undefined ? files : [...files, { path: samples + layout.sampleFile(resource), content }];
}

/** The sources of a controller that may import the types of its kind, and their texts; undefined if it does not exist. */
async function controllerFiles(
  root: string,
  id: ControllerId,
): Promise<ReadonlyMap<string, string> | undefined> {
  const own = [...controllerFilesOf(id), layout.main];
  const texts = await sourcesOfProject(root);
  if (!texts.has(layout.controller(id))) return undefined;
  return new Map([...texts].filter(([path]) => own.includes(path)));
}

/** Request where `--storage` names a version that the project has: nothing else, unless it is asked for, too. */
export function onlyStorage(project: LoadedProject, wanted: WantedApi): WantedApi {
  const { group, version, kind } = wanted;
  const isPresent = project.resources.some(
    (known) =>
      known.group === group &&
      known.domain === project.domain &&
      known.version === version &&
      known.kind === kind,
  );
  return isPresent ? { ...wanted, resource: false, controller: wanted.controller ?? false } : wanted;
}

/** Scaffolded files, those that were copied in the place of the templates'. */
export function withCopies(
  files: readonly RenderedText[],
  copied: readonly RenderedText[] | undefined,
): readonly RenderedText[] {
  return files.map((file) => copied?.find(({ path }) => path === file.path) ?? file);
}

/** The hashes to record for spliced files: one that nobody had edited still counts as that. */
export function hashesOfEdited(
  edited: readonly EditedFile[],
  recorded: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const untouched = edited.filter(({ path, before }) => recorded[path] === contentHash(before));
  return Object.fromEntries(untouched.map(({ path, content }) => [path, contentHash(content)]));
}

/** True for a finding about a version that was copied a moment ago, and that nobody can have changed yet. */
export function isAboutFreshCopy({ code }: Finding): boolean {
  return code === 'manifests/identical-versions';
}
