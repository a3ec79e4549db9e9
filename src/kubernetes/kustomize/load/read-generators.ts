import type { Where } from '../../../base/errors/index.ts';
import { flag, list, mapped, object, record, string } from '../../../base/util/json-reader.ts';
import { invalid, type JsonReader } from '../../../base/util/read-json.ts';
import type { PathEntry } from '../entries.ts';
import type { Behavior, FileSource, GeneratorRule, Literal } from '../generators/generator-rule.ts';
import { parseFileSource, parseLiteral, SourceError } from '../generators/key-values.ts';
import { filledText, optionalText, type Locate } from './read-value.ts';

const pairs = record(string);

/** `generatorOptions`, and `options` of a generator. */
export const generatorOptions = object({
  labels: pairs,
  annotations: pairs,
  disableNameSuffixHash: flag,
  immutable: flag,
});
type Options = NonNullable<ReturnType<typeof generatorOptions>>;

/** A generator without the options that the kustomization gives to all of them. */
export type OwnRule = Omit<GeneratorRule, 'labels' | 'annotations' | 'immutable' | 'isHashed'> & {
  readonly options: Options;
};

/** Reads `configMapGenerator` or `secretGenerator`. */
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

/** To kustomize every other word, such as `add`, says nothing: the object is new. */
function behaviorOf(word: string | undefined): Behavior {
  return word === 'merge' || word === 'replace' ? word : 'create';
}

/** A text that a function takes apart. */
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

/** Adds the options of the kustomization; those of the generator win. */
export function withOptions({ options, ...rule }: OwnRule, all: Options): GeneratorRule {
  return {
    ...rule,
    labels: { ...all.labels, ...options.labels },
    annotations: { ...all.annotations, ...options.annotations },
    immutable: (options.immutable ?? false) || (all.immutable ?? false),
    isHashed: !((options.disableNameSuffixHash ?? false) || (all.disableNameSuffixHash ?? false)),
  };
}
