import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { FindingList, type Finding, OpSdkError } from '../../../base/errors/index.ts';
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
  recordedTemplates,
  setWebhooks,
} from '../../../project/project/index.ts';
import { contentHash, type ApiInput, conversionFiles, spokeText } from '../../../project/scaffold/index.ts';
import { newerFirst } from '../../../base/util/kube-version.ts';
import type { WantedApi } from '../input/decide-api.ts';
import { isJsonMap } from '../../../base/util/json-map.ts';
import { parseYaml, setInYamlMap, YamlSpliceError } from '../../../kubernetes/yaml/index.ts';
import { addSpokes } from '../../../compiler/source/index.ts';
import { conversionSpoke, withLineEndsOf } from '../webhooks/plan-webhook-code.ts';
import { controllerFilesOf } from './removed-files.ts';

/** Rendered text of a file. The path is relative to the project. */
interface RenderedText {
  readonly path: string;
  readonly content: string;
}

/**
 * Changes to make when a kind gets a further version or a controller moves between versions. These changes are in addition to the files
 * that `create api` scaffolds for every kind.
 */
interface VersionPlan {
  /**
   * Types and sample of the new version, copied from another version. The copies replace the files rendered from templates. Undefined: the
   * files rendered from templates are used.
   */
  readonly copied: readonly RenderedText[] | undefined;
  /** Source files of the user in which op-sdk edits only a part. */
  readonly edited: readonly EditedFile[];
  /** True if the kind's existing controller moves to this version, so that no new controller is created. */
  readonly movesController: boolean;
  /** Previous storage version of the kind. Undefined if this version does not become the storage version. */
  readonly storageFrom: string | undefined;
  /** Returns the text of PROJECT with the further changes for the kind: the version is added to the list of converted versions. */
  readonly enter: (text: string) => string;
  /** Notes that are shown to the user. */
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
 * Plans the changes for versions of a kind. A new version starts as a copy of the newest version, exactly one version is the storage
 * version, and the controller of the kind may move to another version.
 * @param options.storage true if objects are to be stored in this version
 * @throws OpSdkError with every source position that op-sdk cannot edit
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
        message: `the controller cannot be moved to ${resource.version}: expected an import of ${former} in ${controller}, found none`,
        where: { file: controller },
        fix: [`import the types of ${resource.path} there, and run the command again`],
      });
    notes.push(...left.map((place) => `${place} still names ${fullGroup(resource)}/${controlled.version}`));
    // The conversion and its test import the types of all versions, so these files are not treated as files of another version.
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

/** Returns the types and the sample of the newest other version, copied and adapted to the new version. */
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
    // If the current storage version is scaffolded again, it remains the storage version.
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

/** Returns the texts of the controller's source files that may import the types of its kind; undefined if the controller does not exist. */
async function controllerFiles(
  root: string,
  id: ControllerId,
): Promise<ReadonlyMap<string, string> | undefined> {
  const own = [...controllerFilesOf(id), layout.main];
  const texts = await sourcesOfProject(root);
  if (!texts.has(layout.controller(id))) return undefined;
  return new Map([...texts].filter(([path]) => own.includes(path)));
}

/**
 * Adapts a request whose `--storage` names an existing version: only the storage version changes. Nothing is scaffolded, except a
 * controller if requested.
 */
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

/** Returns the scaffolded files. Files that were copied from another version replace the files from the templates. */
export function withCopies(
  files: readonly RenderedText[],
  copied: readonly RenderedText[] | undefined,
): readonly RenderedText[] {
  return files.map((file) => copied?.find(({ path }) => path === file.path) ?? file);
}

/**
 * Returns the hashes to record for files in which op-sdk edited a part. If the user had not edited the file before, it is still recorded as
 * unedited.
 */
export function hashesOfEdited(
  edited: readonly EditedFile[],
  recorded: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const untouched = edited.filter(({ path, before }) => recorded[path] === contentHash(before));
  return Object.fromEntries(untouched.map(({ path, content }) => [path, contentHash(content)]));
}

/**
 * Returns true for a finding that a new version equals the version it was copied from. The copy has only just been made, so nobody can have
 * changed it yet.
 */
export function isAboutFreshCopy({ code }: Finding): boolean {
  return code === 'manifests/identical-versions';
}

/** Version of a kind, as it appears in `apiVersion` and in names. */
interface SampleVersion {
  readonly apiVersion: string;
  readonly version: string;
}

/**
 * Converts the sample of one version to a sample of another version. Objects of the kind get new names, since objects of two versions with
 * the same kind and name are one and the same object in Kubernetes. Objects of other kinds are not copied. Comments, quotes and everything
 * else are preserved.
 * @param others samples of all versions except the new one; the object names in these samples are taken
 * @returns undefined if the sample has no object of the version, or is not YAML
 */
function copySample(
  text: string,
  from: SampleVersion,
  to: SampleVersion,
  others: readonly string[],
): string | undefined {
  const taken = new Set(
    others.flatMap((other) => [...other.matchAll(/^\s+name:\s*["']?([^\s"'#]+)/gm)].map(([, name]) => name)),
  );
  const parts = text.split(/^(---(?:[ \t].*)?\r?\n)/m);
  const copies: string[] = [];
  try {
    for (const part of parts.filter((_, at) => at % 2 === 0)) {
      const { value } = parseYaml(part, 'sample');
      if (!isJsonMap(value) || value['apiVersion'] !== from.apiVersion) continue;
      const moved = setInYamlMap(part, [], { apiVersion: to.apiVersion });
      const name = isJsonMap(value['metadata']) ? value['metadata']['name'] : undefined;
      copies.push(
        typeof name === 'string'
          ? setInYamlMap(moved, ['metadata'], { name: nameOf(name, from.version, to.version, taken) })
          : moved,
      );
    }
  } catch (error) {
    if (error instanceof YamlSpliceError || error instanceof OpSdkError) return undefined;
    throw error;
  }
  return copies.length === 0 ? undefined : copies.join('---\n');
}

/**
 * Returns the name of a copied object. For example, the copy of `redis-sample` for v2 is `redis-sample-v2`, and the copy of
 * `redis-sample-v2` for v3 is `redis-sample-v3`.
 */
function nameOf(name: string, from: string, to: string, taken: ReadonlySet<string | undefined>): string {
  const plain = name.endsWith(`-${from}`) ? name.slice(0, -from.length - 1) : name;
  return taken.has(plain) ? `${plain}-${to}` : plain;
}

/** Changes that add a further version to the existing conversion of its kind. */
interface SpokePlan {
  /** File that declares the conversion, edited so that the conversion includes the new version. */
  readonly edited: EditedFile;
  /** Returns the text of PROJECT with the version added to the spokes. */
  readonly enter: (text: string) => string;
  /** Note that is shown to the user. */
  readonly note: string;
}

/**
 * Plans the spoke for a further version of a kind that has a conversion. Without the spoke, objects of the version could not be converted.
 * The types of the new version are a copy, so the spoke copies each part unchanged. If these types differ from the types of the hub, the
 * type checker reports an error.
 * @param findings gets `project/cannot-splice` with the lines to write by hand
 * @returns undefined if the kind has no conversion, or this version is not new
 */
async function planFurtherSpoke(
  findings: FindingList,
  sources: VersionSources,
  project: LoadedProject,
  { resource, header }: ApiInput,
): Promise<SpokePlan | undefined> {
  const siblings = project.resources.filter((known) => isSameKind(known, resource));
  const hub = siblings.find(({ webhooks }) => webhooks?.conversion === true);
  if (hub?.webhooks === undefined || siblings.some(({ version }) => version === resource.version))
    return undefined;
  const { webhooks } = hub;
  const path = layout.conversion(hub);
  const before = await readFileOf(project.root, path);
  if (before === undefined) return undefined;
  const newest = siblings.toSorted((a, b) => newerFirst(a.version, b.version))[0] ?? hub;
  const added = conversionSpoke(sources, hub, resource, newest);

  let content = before;
  if (recordedTemplates(project.text)[path] === contentHash(before)) {
    const others = webhooks.spoke.flatMap((version) => siblings.filter((each) => each.version === version));
    const spokes = [...others.map((each) => conversionSpoke(sources, hub, each)), added];
    const input = { hub: { ...hub, path: hub.path ?? layout.types(hub) }, spokes, header };
    const scaffolded = (await conversionFiles(input, project.root)).find((file) => file.path === path);
    content = withLineEndsOf(before, scaffolded?.content ?? before);
  } else {
    const text = spokeText(resource.kind, path, added);
    const spliced = addSpokes(sources.program.ts, path, before, [text]);
    if ('content' in spliced) content = spliced.content;
    else
      findings.add({
        code: 'project/cannot-splice',
        message: `${path} cannot be edited: the file ${spliced.problem}`,
        where: { file: path },
        fix: [`write this there, and run the command again:\n${text.importLine}\n${text.call}`],
      });
  }
  const entry = { ...webhooks, spoke: [...webhooks.spoke, resource.version] };
  return {
    edited: { path, before, content },
    enter: (text) => setWebhooks(text, hub, project.resources.indexOf(hub), entry),
    note: `${path} has a spoke for ${resource.version}: edit it where the types differ from ${hub.version}`,
  };
}

/** Returns the texts of all TypeScript files in a project's sources and tests. The keys are relative paths with forward slashes. */
export async function sourcesOfProject(root: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const folder of ['src', 'test']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const paths = entries
      .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !path.split('/').includes('node_modules'));
    for (const path of paths.sort()) texts.set(path, (await readFileOf(root, path)) ?? '');
  }
  return texts;
}
