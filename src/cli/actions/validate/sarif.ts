import type { Log } from 'sarif';
import { joinResults } from '../../../olm/bundle/index.ts';
import { explanations } from '../../explanations/explanations.ts';
import { sarifLog } from '../../ui/sarif.ts';
import type { JudgedBundle } from './documents.ts';

/** Converts findings to a SARIF document. */
export function sarifDocument(judged: readonly JudgedBundle[]): Log {
  const findings = judged
    .flatMap(({ verdict }) => joinResults(verdict.results))
    .map(({ code, level, message, where, fix = [], validators }) => ({
      code,
      level,
      text: [message, ...fix.map((each) => `Fix: ${each}`)].join('\n'),
      where,
      properties: { validators },
    }));
  return sarifLog(findings, (code) => {
    const { title, explain } = explanations[code];
    return { shortDescription: { text: title }, fullDescription: { text: explain } };
  });
}
