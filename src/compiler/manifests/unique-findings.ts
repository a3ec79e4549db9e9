import type { Finding } from '../../base/errors/index.ts';

/** Each finding once: a shared constant is evaluated wherever it is used. Sorted by file, line and column, then as found. */
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
