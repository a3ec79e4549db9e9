import type { Invocation, Log } from 'sarif';
import {
  changeCodes,
  ratchetingNote,
  reasonOf,
  type ChangeCode,
} from '../../../kubernetes/crd/diff/index.ts';
import { githubAnnotations } from '../../ui/github-annotations.ts';
import { sarifLog } from '../../ui/sarif.ts';
import type { PlacedChange } from './placed-changes.ts';

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
