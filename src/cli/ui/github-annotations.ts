import type { Where } from '../../base/errors/index.ts';

/** Note beside a line of a pull request. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly text: string;
  readonly where: Where | undefined;
}

/**
 * Annotations as workflow commands of GitHub Actions, one a line.
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

/** Text that ends neither the line nor the command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
