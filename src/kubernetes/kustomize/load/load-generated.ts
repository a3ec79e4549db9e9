import {
  OpSdkError,
  type FindingList,
  type Where,
  formatWhere,
  type Finding,
} from '../../../base/errors/index.ts';
import {
  makeObject,
  type GeneratorRule,
  checkPair,
  parseEnv,
  SourceError,
  type KeyValue,
  type Behavior,
  type FileSource,
  type Literal,
  parseFileSource,
  parseLiteral,
} from '../generators/make-object.ts';
import { bool, list, mapped, object, record, string } from '../../../base/util/json-reader.ts';
import { invalid, type JsonReader } from '../../../base/util/read-json.ts';
import type { PathEntry } from '../entries.ts';
import { foldedTexts } from '../../yaml/index.ts';
import { type BuildFiles, limits } from './build-files.ts';
import { type Generated, filledText, optionalText, type Locate } from './kustomization.ts';

/** Reads the files of generators and creates the generated objects. Problems are reported as findings. */
export class GeneratedLoader {
  readonly #files: BuildFiles;
  readonly #findings: FindingList;
  /** Bytes and values that all generators have read so far. They are counted to stop a build before it exhausts the memory. */
  readonly #spent = { generatedBytes: 0, values: 0 };

  constructor(files: BuildFiles, findings: FindingList) {
    this.#files = files;
    this.#findings = findings;
  }

  /**
   * Creates the objects of generators.
   * @throws OpSdkError `kustomize/too-large` once all generators together have read too much
   */
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

  /** Reads the keys and values of a generator, in the order in which kustomize reads them. */
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

const pairs = record(string);

/** Reads `generatorOptions` of a kustomization, or `options` of a single generator. */
export const generatorOptions = object({
  labels: pairs,
  annotations: pairs,
  disableNameSuffixHash: bool,
  immutable: bool,
});
type Options = NonNullable<ReturnType<typeof generatorOptions>>;

/** Generator with the options of its own entry, but without `generatorOptions`, which the kustomization sets for all generators. */
type OwnRule = Omit<GeneratorRule, 'labels' | 'annotations' | 'immutable' | 'isHashed'> & {
  readonly options: Options;
};

/** Returns a reader for `configMapGenerator` or `secretGenerator`. */
export function generatorsReader(
  kind: GeneratorRule['kind'],
  locate: Locate,
): JsonReader<readonly OwnRule[]> {
  const path: JsonReader<PathEntry> = mapped(filledText, (given, place) => ({
    path: given,
    where: locate(place.path),
  }));
  const literal = source((text, where): Literal => ({ ...parseLiteral(text), where }), locate);
  const file = source((text, where): FileSource => {
    const { key, path: named } = parseFileSource(text);
    return { key, file: { path: named, where } };
  }, locate);
  const fields = {
    name: filledText,
    namespace: optionalText,
    behavior: string,
    literals: list(literal),
    files: list(file),
    envs: list(path),
    env: path,
    options: generatorOptions,
    ...(kind === 'Secret' ? { type: optionalText } : {}),
  };
  const rule = object(fields, {
    required: { name: 'name the object' },
    hints: kind === 'Secret' ? {} : { type: 'only a Secret has a type: remove it' },
  });
  return list(
    mapped(rule, ({ name, ...read }, place): OwnRule | undefined =>
      name === undefined
        ? undefined
        : {
            kind,
            name,
            namespace: read.namespace ?? '',
            behavior: behaviorOf(read.behavior),
            type: read.type ?? '',
            literals: read.literals ?? [],
            files: read.files ?? [],
            envs: [...(read.envs ?? []), ...(read.env === undefined ? [] : [read.env])],
            options: read.options ?? {},
            where: locate(place.path),
          },
    ),
  );
}

/** Converts the text of `behavior`. For an unknown or absent text, such as `add`, kustomize creates a new object. */
function behaviorOf(word: string | undefined): Behavior {
  return word === 'merge' || word === 'replace' ? word : 'create';
}

/** Returns a reader that parses a text with the given function. */
function source<T>(parse: (text: string, where: Where) => T, locate: Locate): JsonReader<T> {
  return mapped(string, (text, place) => {
    try {
      return parse(text, locate(place.path));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return invalid(place, error.message, error.fix);
    }
  });
}

/** Combines a generator with `generatorOptions` of the kustomization. Options in the entry of the generator take precedence. */
export function withOptions({ options, ...rule }: OwnRule, all: Options): GeneratorRule {
  return {
    ...rule,
    labels: { ...all.labels, ...options.labels },
    annotations: { ...all.annotations, ...options.annotations },
    immutable: (options.immutable ?? false) || (all.immutable ?? false),
    isHashed: !((options.disableNameSuffixHash ?? false) || (all.disableNameSuffixHash ?? false)),
  };
}

/** Warns about each folded text (`>`) in a file or patch that kustomize would print with other line breaks. */
export type NoteFolded = (text: string, file: string, inlineAt?: Where) => void;

/**
 * Returns a function that warns about folded YAML texts that kustomize would print differently.
 * @param warn called once for each source location of a folded text
 */
export function folding(warn: (warning: Finding) => void): NoteFolded {
  const noted = new Set<string>();
  return (text, file, inlineAt) => {
    for (const { value, where: found } of foldedTexts(text, file)) {
      // Line numbers within an inline text would be misleading, because the text is part of another file. So the location of the inline
      // text is reported.
      const where = inlineAt ?? found;
      const place = JSON.stringify(where);
      if (noted.has(place) || !isMisprinted(value)) continue;
      noted.add(place);
      warn({
        code: 'kustomize/folded-text',
        message:
          'kustomize would print this folded text (>) with other line breaks; op-sdk keeps the line breaks that the text has',
        where,
        fix: [
          'write it as a literal text (|), with the line breaks that it should have: op-sdk and kustomize then print the same',
        ],
      });
    }
  };
}

/**
 * Returns true if kustomize prints a folded text with line breaks that change the text when it is read again. kustomize's printer doubles
 * the line breaks that a YAML reader folds. However, it also doubles line breaks before more indented lines and at the end of the text,
 * which a YAML reader does not fold. In a text that begins with a blank, it doubles none. Source: go.yaml.in/yaml/v3 `emitterc.go`,
 * `yaml_emitter_write_folded_scalar`.
 */
function isMisprinted(value: string): boolean {
  // kustomize prints such texts in double quotes instead of folding them.
  if (inQuotes.test(value)) return false;
  const text = value.replace(/^\n+/, '');
  if (/^[ \t]/.test(text)) return /^[^ \t\n].*\n+[^ \t\n]/m.test(text);
  return /^[^ \t\n].*\n+[ \t]/m.test(text) || /(?:^|\n)[^ \t\n].*\n\n+$/.test(text);
}

/**
 * Matches texts that kustomize prints in double quotes: texts with blanks at the end of a line, or with characters that the printer treats
 * as not printable.
 */
const inQuotes = / (?:\n|$)|[^\t\n\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/;
