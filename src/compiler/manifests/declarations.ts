import path from 'node:path';
import type { Finding } from '../../base/errors/index.ts';
import type { Evaluated, SimpleDeclaration, SourcePlace, TokenInfo } from '../schema/index.ts';
import { diskView, type FileView } from '../../base/util/observe-files.ts';
import type { DeclaredApi } from './check-registration.ts';
import type { CustomKind } from './crd/check-group.ts';
import type { KindVersion } from './crd/kind-version.ts';
import { otherScripts } from './source-files.ts';

/** Lists every version of every kind, with the place of its declaration. */
export function declaredApis(kinds: readonly CustomKind<KindVersion>[]): readonly DeclaredApi[] {
  return kinds.flatMap(({ versions }) =>
    versions.map(({ group, version, kind, plural, scope, served, place }) => ({
      group: group.value,
      version: version.value,
      kind: kind.value,
      plural: plural.value,
      namespaced: scope.value === 'Namespaced',
      served,
      place,
    })),
  );
}

/**
 * Removes duplicate findings. They occur because a shared constant is evaluated at every use. Sorts the findings by file, line and column,
 * then by order of occurrence.
 */
export function uniqueFindings(findings: readonly Finding[]): readonly Finding[] {
  const unique = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.code, finding.message, finding.where]);
    if (!unique.has(key)) unique.set(key, finding);
  }
  return [...unique.values()].sort(comparePlaces);
}

function comparePlaces(a: Finding, b: Finding): number {
  const [one, other] = [a.where, b.where];
  if (one === undefined || other === undefined || !('file' in one) || !('file' in other)) return 0;
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

/** A kind that a controller of the project reads, in the version that the controller uses. */
export interface UsedKind extends TokenInfo {
  readonly role: 'for' | 'owns' | 'watches';
  readonly place: SourcePlace;
}

const roles = ['for', 'owns', 'watches'] as const;

/**
 * Returns the kinds that a controller declares, with the place of each use. Parts that cannot be evaluated are skipped: `generate
 * manifests` rejects them when it reads the rules of the controller.
 * @param options the argument of `defineController`
 */
export function usedKinds(options: Evaluated | undefined): readonly UsedKind[] {
  if (options?.type !== 'object') return [];
  return roles.flatMap((role) => {
    const value = options.properties.get(role)?.value;
    const values = value?.type === 'array' ? value.items : value === undefined ? [] : [value];
    return values.flatMap((item) =>
      item.type === 'token' ? [{ ...item.token, role, place: item.place }] : [],
    );
  });
}

/** Returns the name of a controller as `defineController` forms it; if it cannot be read from the sources, the reason and its place. */
export function controllerName({
  argument,
  place,
}: SimpleDeclaration): string | { readonly message: string; readonly where: SourcePlace } {
  const unread = (where: SourcePlace, what: string) => ({
    message: `${what} cannot be read from the sources`,
    where,
  });
  if (argument?.type !== 'object') return unread(place, 'the argument of defineController');
  const given = argument.properties.get('name')?.value;
  if (given?.type === 'scalar' && typeof given.value === 'string') return given.value;
  if (given !== undefined && !(given.type === 'scalar' && given.value === undefined))
    return unread(given.place, 'the name of the controller');
  const kind = argument.properties.get('for')?.value;
  return kind?.type === 'token'
    ? kind.token.kind.toLowerCase()
    : unread(kind?.place ?? place, 'the kind of the controller');
}

/**
 * Reports declarations in JavaScript or JSX files. These files are not read, so the manifests would lack their permissions or kinds without
 * any error.
 */
export function unreadDeclarations(
  projectDir: string,
  folder: string,
  files: FileView = diskView,
): readonly Finding[] {
  return otherScripts(path.join(projectDir, folder), files).flatMap((file): readonly Finding[] => {
    const text = files.readFile(file) ?? '';
    const name = /\b(?:defineResource|defineController|defineWebhook|defineConversion|rbac)\b/.exec(
      text,
    )?.[0];
    if (name === undefined || !/['"]opsdk['"]/.test(text)) return [];
    return [
      {
        code: 'manifests/unread-file',
        message: `the file uses ${name}, but declarations are read in .ts files only`,
        where: { file: path.relative(projectDir, file).split(path.sep).join('/') },
        fix: ['move the declaration into a .ts file'],
      },
    ];
  });
}
