import { formatWhere } from '../../../base/errors/format.ts';
import { renderPreview, type Markup } from '../../../project/scaffold/sets/preview.ts';
import type { JoinedFinding } from '../validate/findings/join-results.ts';

/** Findings as a list, errors first; nothing at all without any. */
export function renderFindings(findings: readonly JoinedFinding[]): Promise<Markup> {
  const errors = findings.filter(({ level }) => level === 'error');
  const ordered = [...errors, ...findings.filter(({ level }) => level !== 'error')];
  return renderPreview('findings.html', {
    findings: ordered.map(({ level, message, code, where, fix = [], validators }) => ({
      ...{ level, message, code },
      place: `${where === undefined ? '' : formatWhere(where)} (${validators.join(', ')})`,
      fixes: fix,
    })),
  });
}
