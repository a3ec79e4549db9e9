import type { Log } from 'sarif';
import { changeCodes, ratchetingNote, reasonOf, type ChangeCode } from '../../../crd/diff/index.ts';
import { githubAnnotations } from '../../ui/github-annotations.ts';
import { sarifLog } from '../../ui/sarif.ts';
import type { PlacedChange } from './placed-changes.ts';

/** Changes as SARIF: breaking ones are errors, accepted ones are suppressed with their reason. */
export function changesAsSarif(placed: readonly PlacedChange[]): Log {
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
  return sarifLog<(typeof findings)[number] & { readonly code: ChangeCode }>(findings, (code) => ({
    shortDescription: { text: code.replaceAll('-', ' ') },
    fullDescription: { text: changeCodes[code].explain },
  }));
}

/** Changes as annotations of GitHub, and a line that sums them up. */
export function changesAsAnnotations(placed: readonly PlacedChange[], summary: string): string {
  const annotations = placed.map(({ change, where }) => ({
    level:
      change.severity === 'breaking' && change.waived === undefined
        ? ('error' as const)
        : ('notice' as const),
    title: change.waived === undefined ? `${change.severity}: ${change.code}` : `waived: ${change.code}`,
    text: textOf({ change, where }),
    where,
  }));
  return `${githubAnnotations(annotations)}${summary}\n`;
}

function textOf({ change }: PlacedChange): string {
  const { crd, version, path, message, ratcheted, waived } = change;
  return [
    `${crd}${version === undefined ? '' : ` ${version}`} ${path}: ${message}`,
    reasonOf(change),
    ...(ratcheted && waived === undefined ? [`(*) ${ratchetingNote}`] : []),
  ].join('\n');
}
