import { OpSdkError, type FindingList, type Where } from '../../../base/errors/index.ts';
import { formatWhere } from '../../../base/errors/format.ts';
import type { GeneratorRule } from '../generators/generator-rule.ts';
import { checkPair } from '../generators/check-pair.ts';
import { parseEnv, SourceError, type KeyValue } from '../generators/key-values.ts';
import { makeObject } from '../generators/make-object.ts';
import type { BuildFiles } from './build-files.ts';
import type { Generated } from './kustomization.ts';
import { limits } from './limits.ts';

/** Reads the files that generators name, and makes their objects; what is wrong with them becomes a finding. */
export class GeneratedLoader {
  readonly #files: BuildFiles;
  readonly #findings: FindingList;
  /** Bytes and values of all generators so far, to stop before the memory is exhausted. */
  readonly #spent = { generatedBytes: 0, values: 0 };

  constructor(files: BuildFiles, findings: FindingList) {
    this.#files = files;
    this.#findings = findings;
  }

  /** @throws OpSdkError `kustomize/too-large` once all generators together have read too much */
  async load(
    root: string,
    rules: readonly GeneratorRule[],
    isPlugin: boolean,
  ): Promise<readonly Generated[]> {
    const generated: Generated[] = [];
    for (const rule of rules) {
      const pairs = checkedPairs(rule, await this.#readPairs(root, rule), this.#findings);
      generated.push({
        object: makeObject(rule, pairs),
        where: rule.where,
        behavior: rule.behavior,
        isHashed: rule.isHashed,
        isPlugin,
        bytes: pairs.reduce((sum, pair) => sum + bytesOf(pair), 0),
      });
    }
    return generated;
  }

  /** In kustomize's order. */
  async #readPairs(
    root: string,
    { envs, literals, files: sources }: GeneratorRule,
  ): Promise<readonly KeyValue[]> {
    const pairs: KeyValue[] = [];
    const add = (pair: KeyValue): void => {
      this.#spend('generatedBytes', bytesOf(pair), pair.where);
      this.#spend('values', 1, pair.where);
      pairs.push(pair);
    };
    for (const env of envs) {
      const read = await this.#files.readBytes(root, env);
      if (read === undefined) continue;
      try {
        for (const { key, value } of parseEnv(read.bytes))
          add({ key, value: Buffer.from(value), where: env.where });
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        this.#findings.add({
          code: error.code,
          message: error.message,
          where: { file: read.file, ...(error.line === undefined ? {} : { line: error.line }) },
          fix: [error.fix],
        });
      }
    }
    for (const { key, value, where } of literals) add({ key, value: Buffer.from(value), where });
    for (const { key, file } of sources) {
      const read = await this.#files.readBytes(root, file);
      if (read !== undefined) add({ key, value: read.bytes, where: file.where });
    }
    return pairs;
  }

  #spend(what: 'generatedBytes' | 'values', amount: number, where: Where): void {
    this.#spent[what] += amount;
    if (this.#spent[what] <= limits[what]) return;
    throw new OpSdkError([
      ...this.#findings.all,
      {
        code: 'kustomize/too-large',
        message: `the generators of the build read more than ${limits[what]} ${what === 'values' ? 'keys' : 'bytes'}`,
        where,
        fix: ['name fewer or smaller files in the generators'],
      },
    ]);
  }
}

const bytesOf = ({ key, value }: KeyValue): number => key.length + value.length;

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
