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

type Deletion = Extract<FileChange, { action: 'delete' }>;

/**
 * Returns the controllers to remove with their versions: those that no other version has. A kind that the project defines keeps its
 * controllers until its last version is removed; before, they have to move.
 */
export function controllersThatGo({ removed, rest }: ChosenRemoval): readonly ControllerId[] {
  if (rest.some(({ api }) => api !== undefined)) return [];
  const staying = rest.flatMap(controllerNames);
  // Sources that stayed behind are those of a controller that PROJECT no longer lists.
  const names = removed.flatMap(({ controllers, kind }) => controllers ?? [defaultControllerName(kind)]);
  const [first] = removed;
  return first === undefined
    ? []
    : [...new Set(names)]
        .filter((name) => !staying.includes(name))
        .map((controllerName) => ({ group: first.group, kind: first.kind, controllerName }));
}

/**
 * The sources of an API: the types of its versions, and its controllers with their tests. Of an external kind, the types and the
 * definition for tests that were made with its controller.
 * @param recorded the files that PROJECT records
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
  return [...new Set([...types, ...external, ...controllersThatGo(chosen).flatMap(controllerFilesOf)])];
}

/** A controller and its tests. */
export function controllerFilesOf(id: ControllerId): readonly string[] {
  return [layout.controller(id), layout.controllerTest(id), layout.controllerIntegrationTest(id)];
}

/** The deletion of each of these files that exists. */
export async function deletionsOf(root: string, paths: readonly string[]): Promise<readonly Deletion[]> {
  const texts = await Promise.all(paths.map((path) => readFileOf(root, path)));
  return paths.flatMap((path, index) => {
    const before = texts[index];
    return before === undefined ? [] : [{ action: 'delete', path, before }];
  });
}

/** Returns a finding for each of these files that differs from its scaffolded or generated version. */
export async function editedFiles(
  deletions: readonly Deletion[],
  recorded: Readonly<Record<string, unknown>>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { path, before } of deletions) {
    const isGenerated = path.startsWith(`${layout.crd}/bases/`);
    const isUntouched = isGenerated
      ? await isGeneratedCrd(path, before)
      : // A kustomization that is not recorded is only deleted when it is as scaffolded.
        (basename(path) === 'kustomization.yaml' && recorded[path] === undefined) ||
        path === `${layout.webhookConfig}/${layout.webhookManifests}` ||
        recorded[path] === contentHash(before);
    if (isUntouched) continue;
    findings.push({
      code: 'scaffold/file-edited',
      message: `${path} was edited since it was scaffolded, and would be deleted`,
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

/** Main without the registrations of controllers, webhooks and conversions; findings for uses that op-sdk cannot remove. */
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
        message: `${layout.main} uses what ${path} exports in another way than manager.add`,
        where: { file: layout.main, line },
        fix: ['remove the use, and run the command again'],
      });
  const content = applyTextEdits(
    main,
    found.flatMap(({ edits }) => edits),
  );
  return content === main ? undefined : { path: layout.main, before: main, content };
}

/** The files that stay and import one that is deleted. */
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
        fix: ['remove the import and what it is used for, and run the command again'],
      };
    }),
  );
}
