import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Where } from '../../base/errors/index.ts';

/** Message that GitHub shows beside a line of a pull request. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly text: string;
  /** Place in the checkout, as {@link placeInCheckout} returns it. */
  readonly where: Where | undefined;
}

/**
 * Formats annotations as workflow commands of GitHub Actions, one per line.
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export function githubAnnotations(annotations: readonly Annotation[]): string {
  return annotations.map((annotation) => `${lineOf(annotation)}\n`).join('');
}

function lineOf({ level, title, text, where }: Annotation): string {
  const place = where !== undefined && 'file' in where ? where : undefined;
  const properties = Object.entries({
    file: place?.file.replaceAll('\\', '/'),
    line: place?.line,
    col: place?.column,
    title,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]));
  return `::${level} ${properties.join(',')}::${data(text)}`;
}

/** Escapes a text so that it ends neither the line nor the workflow command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Returns a text in which GitHub Actions finds no workflow command, neither `::name::` at the beginning of a line nor `##[name]` anywhere.
 * Messages quote files of strangers, and GitHub reads commands from standard error, too.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/**
 * Returns a place with its file named from the root of the checkout, as GitHub identifies files. Files outside of the checkout and standard
 * input have no place there.
 */
export function placeInCheckout(
  where: Where | undefined,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Where | undefined {
  if (where === undefined || !('file' in where)) return where;
  if (where.file === '-') return undefined;
  const path = relative(env['GITHUB_WORKSPACE'] ?? cwd, resolve(cwd, where.file));
  const isOutside = isAbsolute(path) || path.split(sep)[0] === '..';
  return isOutside ? undefined : { ...where, file: path };
}
