import type { FindingList } from '../../errors/index.ts';
import { formatWhere } from '../../errors/format.ts';
import type { GeneratorRule } from '../generators/generator-rule.ts';
import { checkPair } from '../generators/check-pair.ts';
import { parseEnv, SourceError, type KeyValue } from '../generators/key-values.ts';
import { makeObject } from '../generators/make-object.ts';
import type { BuildFiles } from './build-files.ts';
import type { Generated } from './kustomization.ts';

/** Reads the files that generators name, and makes their objects; what is wrong with them becomes a finding. */
export async function loadGenerated(
  root: string,
  rules: readonly GeneratorRule[],
  isPlugin: boolean,
  files: BuildFiles,
  findings: FindingList,
): Promise<readonly Generated[]> {
  const generated: Generated[] = [];
  for (const rule of rules) {
    const pairs = checkedPairs(rule, await readPairs(root, rule, files, findings), findings);
    generated.push({
      object: makeObject(rule, pairs),
      where: rule.where,
      behavior: rule.behavior,
      isHashed: rule.isHashed,
      isPlugin,
      bytes: pairs.reduce((sum, { key, value }) => sum + key.length + value.length, 0),
    });
  }
  return generated;
}

/** In kustomize's order. */
async function readPairs(
  root: string,
  { envs, literals, files: sources }: GeneratorRule,
  files: BuildFiles,
  findings: FindingList,
): Promise<readonly KeyValue[]> {
  const pairs: KeyValue[] = [];
  for (const env of envs) {
    const read = await files.readBytes(root, env);
    if (read === undefined) continue;
    try {
      for (const { key, value } of parseEnv(read.bytes))
        pairs.push({ key, value: Buffer.from(value), where: env.where });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      findings.add({
        code: error.code,
        message: error.message,
        where: { file: read.file, ...(error.line === undefined ? {} : { line: error.line }) },
        fix: [error.fix],
      });
    }
  }
  for (const { key, value, where } of literals) pairs.push({ key, value: Buffer.from(value), where });
  for (const { key, file } of sources) {
    const read = await files.readBytes(root, file);
    if (read !== undefined) pairs.push({ key, value: read.bytes, where: file.where });
  }
  return pairs;
}

function checkedPairs(
  rule: GeneratorRule,
  pairs: readonly KeyValue[],
  findings: FindingList,
): readonly KeyValue[] {
  const byKey = new Map<string, KeyValue>();
  for (const pair of pairs) {
    const problem = checkPair(rule, pair);
    if (problem !== undefined)
      findings.add({
        code: 'kustomize/invalid-value',
        message: problem.message,
        where: pair.where,
        fix: [problem.fix],
      });
    const first = byKey.get(pair.key);
    if (first === undefined) byKey.set(pair.key, pair);
    else
      findings.add({
        code: 'kustomize/invalid-value',
        message: `the ${rule.kind} ${rule.name} has the key \`${pair.key}\` twice; the other one is at ${formatWhere(first.where)}`,
        where: pair.where,
        fix: ['remove one of them'],
      });
  }
  return [...byKey.values()];
}
