import type { Finding, Where } from './finding.ts';

export interface FormatOptions {
  readonly severity?: 'error' | 'warning';
  /** Paints a part of the text; the identity by default. */
  readonly paint?: (style: 'severity' | 'code' | 'place' | 'fix', text: string) => string;
}

/** The place as one line: `src/api/x.ts:3:7`, `--domain`, `Deployment default/web .spec.replicas`. */
export function formatWhere(where: Where): string {
  if ('file' in where) {
    const line =
      where.line === undefined ? '' : `:${where.line}${where.column === undefined ? '' : `:${where.column}`}`;
    return `${where.file}${line}`;
  }
  if ('flag' in where) return where.flag;
  if ('object' in where) return where.path === undefined ? where.object : `${where.object} ${where.path}`;
  return where.exitCode === undefined ? where.command : `${where.command} (exit code ${where.exitCode})`;
}

/**
 * A finding as text for people:
 *
 *     error[schema/plain-number]: MemcachedSpec.size is a plain `number`
 *       at src/api/cache/v1alpha1/memcached.ts:14:3
 *       fix: use Int32 or Int64 from 'opsdk'
 */
export function formatFinding(finding: Finding, options: FormatOptions = {}): string {
  const severity = options.severity ?? 'error';
  const paint = options.paint ?? ((_style: string, text: string) => text);
  const [firstLine = '', ...moreLines] = finding.message.split('\n');
  const lines = [`${paint('severity', `${severity}[${finding.code}]`)}: ${firstLine}`];
  lines.push(...moreLines.map((line) => `  ${line}`));
  const remedy = formatRemedy(finding, options);
  return remedy === '' ? lines.join('\n') : `${lines.join('\n')}\n${remedy}`;
}

/** The lines of a finding's place and fixes; `''` if it has none. */
export function formatRemedy(finding: Finding, options: FormatOptions = {}): string {
  const paint = options.paint ?? ((_style: string, text: string) => text);
  const lines = finding.where === undefined ? [] : [`  at ${paint('place', formatWhere(finding.where))}`];
  for (const fix of finding.fix ?? []) lines.push(`  ${paint('fix', 'fix')}: ${fix}`);
  return lines.join('\n');
}

/** Several findings, a blank line between two. */
export function formatFindings(findings: readonly Finding[], options: FormatOptions = {}): string {
  return findings.map((finding) => formatFinding(finding, options)).join('\n\n');
}
