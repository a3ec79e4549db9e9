import { basename } from 'node:path';
import type { Finding, FindingList } from '../../../base/errors/index.ts';
import { importersOf, type EditedFile, type VersionSources } from '../../../compiler/manifests/index.ts';
import {
  controllerNames,
  defaultControllerName,
  fullGroup,
  layout,
  readFileOf,
  type ControllerId,
} from '../../../project/project/index.ts';
import { contentHash, isMachineDocument, type FileChange } from '../../../project/scaffold/index.ts';
import { registrationsOf, applyTextEdits } from '../../../compiler/source/index.ts';
import { parseYaml } from '../../../kubernetes/yaml/index.ts';
import type { ChosenRemoval } from './choose-removal.ts';

/** Deletion of a file of the project. */
export type Deletion = Extract<FileChange, { action: 'delete' }>;

/**
 * Returns the controllers to remove together with the removed versions: the controllers that no remaining version uses. A kind that the
 * project defines keeps its controllers until its last version is removed; until then, the controllers have to move to a remaining version.
 */
export function controllersThatGo({ removed, rest }: ChosenRemoval): readonly ControllerId[] {
  if (rest.some(({ api }) => api !== undefined)) return [];
  const staying = rest.flatMap(controllerNames);
  // If PROJECT no longer lists the controllers of a removed resource, the sources left behind belong to a controller with the default name.
  const names = removed.flatMap(({ controllers, kind }) => controllers ?? [defaultControllerName(kind)]);
  const [first] = removed;
  return first === undefined
    ? []
    : [...new Set(names)]
        .filter((name) => !staying.includes(name))
        .map((controllerName) => ({ group: first.group, kind: first.kind, controllerName }));
}

/**
 * Returns the paths of the sources of an API: the types of its versions, its cases, and its controllers with their tests. For an external kind, these
 * are the types and the CRD for tests that were created with its controller.
 * @param recorded files that PROJECT records
 */
export function sourcesOf(
  chosen: ChosenRemoval,
  recorded: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { removed, rest } = chosen;
  const types = removed.flatMap(({ api, path }) => (api === undefined || path === undefined ? [] : [path]));
  const external = removed
    .filter((resource) => resource.external === true)
    .flatMap((resource) => [
      ...(resource.path === undefined ? [] : [resource.path]),
      ...(rest.length === 0 ? [layout.externalCrd(fullGroup(resource), resource.plural)] : []),
    ])
    .filter((path) => Object.hasOwn(recorded, path));
  const [first] = removed;
  const isGone = first?.api !== undefined && rest.every(({ api }) => api === undefined);
  const cases = isGone ? [layout.crdCases(first)].filter((path) => Object.hasOwn(recorded, path)) : [];
  return [
    ...new Set([...types, ...external, ...cases, ...controllersThatGo(chosen).flatMap(controllerFilesOf)]),
  ];
}

/** Returns the paths of a controller and its tests. */
export function controllerFilesOf(id: ControllerId): readonly string[] {
  return [layout.controller(id), layout.controllerTest(id), layout.controllerIntegrationTest(id)];
}

/** Returns a deletion for each of the given files that exists. */
export async function deletionsOf(root: string, paths: readonly string[]): Promise<readonly Deletion[]> {
  const texts = await Promise.all(paths.map((path) => readFileOf(root, path)));
  return paths.flatMap((path, index) => {
    const before = texts[index];
    return before === undefined ? [] : [{ action: 'delete', path, before }];
  });
}

/** Returns a finding for each file to delete that differs from its scaffolded or generated version. */
export async function editedFiles(
  deletions: readonly Deletion[],
  recorded: Readonly<Record<string, unknown>>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { path, before } of deletions) {
    const isGenerated = path.startsWith(`${layout.crd}/bases/`);
    const isUntouched = isGenerated
      ? await isGeneratedCrd(path, before)
      : // A kustomization that PROJECT does not record is in the list of deletions only if it equals the scaffolded one.
        (basename(path) === 'kustomization.yaml' && recorded[path] === undefined) ||
        path === `${layout.webhookConfig}/${layout.webhookManifests}` ||
        recorded[path] === contentHash(before);
    if (isUntouched) continue;
    findings.push({
      code: 'scaffold/file-edited',
      message: `${path} would be deleted, but was edited since it was scaffolded`,
      where: { file: path },
      fix: ['keep what you need of it elsewhere, then delete it with --force'],
    });
  }
  return findings;
}

async function isGeneratedCrd(path: string, text: string): Promise<boolean> {
  const { value } = parseYaml(text, path);
  return typeof value === 'object' && value !== null && isMachineDocument(text, 'crd', { ...value });
}

/**
 * Returns main without the registrations of controllers, webhooks and conversions. Adds a finding for each use that op-sdk cannot remove.
 */
export function unregister(
  findings: FindingList,
  { program }: VersionSources,
  main: string | undefined,
  controllers: readonly string[],
): EditedFile | undefined {
  if (main === undefined) return undefined;
  const found = controllers.map((path) => ({
    path,
    ...registrationsOf(program, layout.main, main, path),
  }));
  for (const { path, others } of found)
    for (const line of others)
      findings.add({
        code: 'project/still-imported',
        message: `${layout.main}: expected only manager.add to use what ${path} exports, found another use`,
        where: { file: layout.main, line },
        fix: ['remove the use, and run the command again'],
      });
  const content = applyTextEdits(
    main,
    found.flatMap(({ edits }) => edits),
  );
  return content === main ? undefined : { path: layout.main, before: main, content };
}

/** Returns the files that stay in the project but import a file which is to be deleted. */
export function stillImported(
  sources: VersionSources,
  texts: ReadonlyMap<string, string>,
  deleted: readonly string[],
): readonly Finding[] {
  const staying = new Map([...texts].filter(([path]) => !deleted.includes(path)));
  return deleted.flatMap((path) =>
    importersOf(sources, staying, path).map((place): Finding => {
      const [file = '', line = ''] = place.split(/:(?=\d+$)/);
      return {
        code: 'project/still-imported',
        message: `${file} imports ${path}, which would be deleted`,
        where: { file, line: Number(line) },
        fix: ['remove the import and the code that uses it, and run the command again'],
      };
    }),
  );
}
