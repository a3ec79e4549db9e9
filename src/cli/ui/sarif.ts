import type { Location, Log, ReportingDescriptor, Result } from 'sarif';
import type { Where } from '../../base/errors/index.ts';
import { packageInfo } from '../package-info.ts';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Result before its conversion to the SARIF format. */
interface SarifFinding extends Pick<Result, 'properties' | 'suppressions'> {
  readonly code: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  readonly where: Where | undefined;
}

/**
 * Converts findings to SARIF 2.1.0: one run, a rule for each code, a result for each finding. @see
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0
 */
export function sarifLog<F extends SarifFinding>(
  findings: readonly F[],
  ruleOf: (code: F['code']) => Omit<ReportingDescriptor, 'id'>,
): Log {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const results = findings.map(({ code, level, text, where, properties, suppressions }): Result => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level,
    message: { text },
    ...(where !== undefined && 'file' in where ? { locations: [locationOf(where)] } : {}),
    ...(suppressions === undefined ? {} : { suppressions }),
    ...(properties === undefined ? {} : { properties }),
  }));
  const rules = codes.map((code) => ({ id: code, ...ruleOf(code) }));
  const driver = { name: 'op-sdk', semanticVersion: packageInfo().version, rules };
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

function locationOf({ file, line, column }: { file: string; line?: number; column?: number }): Location {
  const uri = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  const region =
    line === undefined
      ? {}
      : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } };
  return { physicalLocation: { artifactLocation: { uri }, ...region } };
}
