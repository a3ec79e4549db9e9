import type { Location, Log, ReportingDescriptor, Result } from 'sarif';
import { joinResults } from '../../../bundle/validate/findings/join-results.ts';
import { explanations } from '../../../errors-docs/index.ts';
import type { ErrorCode } from '../../../errors/index.ts';
import { packageInfo } from '../../package-info.ts';
import type { JudgedBundle } from './documents.ts';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** What was found as SARIF 2.1.0: one run, a rule for each code, a result for each finding. @see https://docs.oasis-open.org/sarif/sarif/v2.1.0 */
export function sarifDocument(judged: readonly JudgedBundle[]): Log {
  const findings = judged.flatMap(({ verdict }) => joinResults(verdict.results));
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const results = findings.map(({ code, level, message, where, fix = [], validators }): Result => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level,
    message: { text: [message, ...fix.map((each) => `Fix: ${each}`)].join('\n') },
    ...(where !== undefined && 'file' in where ? { locations: [locationOf(where)] } : {}),
    properties: { validators },
  }));
  const driver = { name: 'op-sdk', semanticVersion: packageInfo().version, rules: codes.map(ruleOf) };
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

function ruleOf(code: ErrorCode): ReportingDescriptor {
  const { title, explain } = explanations[code];
  return { id: code, shortDescription: { text: title }, fullDescription: { text: explain } };
}

function locationOf({ file, line, column }: { file: string; line?: number; column?: number }): Location {
  const uri = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  const region =
    line === undefined
      ? {}
      : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } };
  return { physicalLocation: { artifactLocation: { uri }, ...region } };
}
