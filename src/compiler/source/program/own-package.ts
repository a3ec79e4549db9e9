import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extname, posix, resolve } from 'node:path';

const here = fileURLToPath(import.meta.url);
// `.ts` when the package runs from its sources, `.d.ts` when it runs from dist.
const extension = extname(here) === '.ts' ? '.ts' : '.d.ts';

/** The folder of the running package's declarations, with forward slashes and a slash at the end: `…/src/` or `…/dist/`. */
export const ownRoot = `${resolve(here, '../../../..').replaceAll('\\', '/')}/`;

/**
 * The declaration file of the running package for an import of `opsdk`; a project need not have it installed.
 * Undefined for a specifier that the package does not export.
 * @param exists whether there is a file of that name
 */
export function ownModule(
  specifier: string,
  exists: (file: string) => boolean = existsSync,
): string | undefined {
  const path = pathOf(specifier);
  const file = path === undefined ? undefined : `${ownRoot}${path}${extension}`;
  return file !== undefined && exists(file) ? file : undefined;
}

/**
 * The declaration file behind an import in a declaration file of the running package; undefined for what is not needed to read
 * the user's types, and costs more than everything else: the packages it builds upon, and its errors.
 */
export function ownImport(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(file), specifier).replace(/\.[jt]s$/, extension);
  return path.startsWith(`${ownRoot}base/errors/`) ? undefined : path;
}

/** True if `specifier` names this package or one of its entries. */
export function isOwnSpecifier(specifier: string): boolean {
  return specifier === 'opsdk' || specifier.startsWith('opsdk/');
}

/** The path of a declaration file inside the running package (`sdk/api/types`, `sdk/k8s/generated/core/v1`), without its extension. */
export function ownPath(fileName: string): string | undefined {
  if (!fileName.startsWith(ownRoot)) return undefined;
  return fileName.slice(ownRoot.length).replace(/(?:\.d)?\.ts$/, '');
}

function pathOf(specifier: string): string | undefined {
  if (specifier === 'opsdk') return 'index';
  if (specifier === 'opsdk/testing') return 'testing/index';
  const builtIn = /^opsdk\/k8s\/([\w.-]+\/[\w.-]+)$/.exec(specifier)?.[1];
  return builtIn === undefined ? undefined : `sdk/k8s/generated/${builtIn}`;
}
