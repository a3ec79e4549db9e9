import type { Invocation, Log } from 'sarif';
import { changeCodes, ratchetingNote, reasonOf, type ChangeCode } from '../../../kubernetes/crd/index.ts';
import { sarifLog } from '../../ui/sarif.ts';
import type { Where } from '../../../base/errors/index.ts';
import type { PlacedChange } from './read-side.ts';

/** Changes as SARIF: breaking ones are errors, accepted ones are suppressed with their reason. The note is a notification of the run. */
export function changesAsSarif(placed: readonly PlacedChange[], note: string | undefined): Log {
  const findings = placed.map(({ change, where }) => {
    const { code, severity, affects, crd, version, path, waived } = change;
    return {
      code,
      level: severity === 'breaking' ? ('error' as const) : ('note' as const),
      text: textOf({ change, where }),
      where,
      properties: { crd, ...(version === undefined ? {} : { version }), path, affects },
      ...(waived === undefined
        ? {}
        : { suppressions: [{ kind: 'external' as const, justification: reasonOf(change) }] }),
    };
  });
  const log = sarifLog<(typeof findings)[number] & { readonly code: ChangeCode }>(findings, (code) => ({
    shortDescription: { text: code.replaceAll('-', ' ') },
    fullDescription: { text: changeCodes[code].explain },
  }));
  if (note === undefined) return log;
  const invocation: Invocation = {
    executionSuccessful: true,
    toolExecutionNotifications: [{ level: 'note', message: { text: note } }],
  };
  return { ...log, runs: log.runs.map((run) => ({ ...run, invocations: [invocation] })) };
}

/** Changes as annotations of GitHub, with the note that belongs to all of them, and a line that sums them up. */
export function changesAsAnnotations(
  placed: readonly PlacedChange[],
  note: string | undefined,
  summary: string,
): string {
  const annotations = placed.map(({ change, where }) => ({
    level:
      change.severity === 'breaking' && change.waived === undefined
        ? ('error' as const)
        : ('notice' as const),
    title: change.waived === undefined ? `${change.severity}: ${change.code}` : `waived: ${change.code}`,
    text: textOf({ change, where }),
    where,
  }));
  const notes =
    note === undefined
      ? []
      : [{ level: 'notice' as const, title: 'conversion', text: note, where: undefined }];
  return `${githubAnnotations([...annotations, ...notes])}${summary}\n`;
}

function textOf({ change }: PlacedChange): string {
  const { crd, version, path, message, ratcheted, waived } = change;
  return [
    `${crd}${version === undefined ? '' : ` ${version}`} ${path}: ${message}`,
    reasonOf(change),
    ...(ratcheted && waived === undefined ? [`(*) ${ratchetingNote}`] : []),
  ].join('\n');
}

/** Note beside a line of a pull request. */
interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly text: string;
  readonly where: Where | undefined;
}

/**
 * Annotations as workflow commands of GitHub Actions, one a line.
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
function githubAnnotations(annotations: readonly Annotation[]): string {
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
