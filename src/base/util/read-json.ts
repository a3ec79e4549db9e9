/** Functions that traverse unchecked values and describe their problems; the readers themselves are in `json-reader`. */
import type { Finding, FindingCode, Where } from '../errors/index.ts';
import type { JsonMap } from './json-map.ts';

/** Keys and indices on the path from a value to one of its parts. */
export type JsonPath = readonly (string | number)[];

/** A part of a value that is not as expected. */
export interface JsonProblem {
  /** Path of the wrong value, or of the object that lacks a field. */
  readonly path: JsonPath;
  /** True if the name of a field is wrong, rather than its value. */
  readonly isKey: boolean;
  /** Message with the subject, the expected value and the actual value. */
  readonly message: string;
  readonly fix: string;
  /** Code of this problem, only if it differs from the code that the caller assigns to the other problems. */
  readonly code?: FindingCode;
}

/** Rules for reading the values of a format (TypeScript, YAML, JSON) and naming them in messages. */
interface JsonStyle {
  /** True if a field that is null counts as missing. */
  readonly nullIsMissing: boolean;
  /** Returns the name of a field or an item for messages. */
  readonly labelOf: (whole: Pick<JsonPlace, 'path' | 'label'>, step: string | number) => string;
  /** Fixes to suggest for values of a wrong type, in the terms of the format. */
  readonly fixes: {
    readonly list: string;
    readonly map: string;
    /** Returns the fix for a number or boolean where a string is expected. */
    readonly quotes: (value: number | boolean) => string;
  };
}

/** The place of a value that a reader reads: its path, its name and its format. */
export interface JsonPlace {
  readonly path: JsonPath;
  /** Name of the value in messages, such as `` `size` of a column ``. */
  readonly label: string;
  readonly style: JsonStyle;
  readonly report: (problem: Omit<JsonProblem, 'isKey'> & { readonly isKey?: boolean }) => void;
}

/** Returns the typed value, or reports a problem and returns undefined. Never called for missing values. */
export interface JsonReader<T> {
  (value: unknown, place: JsonPlace): T | undefined;
  /** Returns the JSON Schema of the accepted values. Readers made by `json-reader` have it, and others if `withSchema` adds it. */
  readonly schema?: SchemaOf | undefined;
}

/** Returns a JSON Schema (draft-07). It may accept more than the reader, but never less. */
export type SchemaOf = (style: Pick<JsonStyle, 'nullIsMissing'>) => JsonMap;

/** The type of the values that a reader returns. */
export type ReadOf<R> = R extends JsonReader<infer T> ? T : never;

/** Placeholder for a value that cannot be known and has already been reported. Readers skip such a value. */
export const unknownJson = Symbol('a value that cannot be known');
/** Key that marks an object with further, unknown fields, so that none of its fields counts as missing. */
export const unknownFields = Symbol('fields that cannot be known');

/** Style of values in TypeScript: null is a value, and the name of a part begins with the innermost field: `` `size` of a column ``. */
export const sourceStyle: JsonStyle = {
  nullIsMissing: false,
  labelOf: ({ path, label }, step) => {
    if (typeof step === 'number') return `an item of ${label}`;
    return path.length === 0 ? `\`${step}\`` : `\`${step}\` of ${label}`;
  },
  fixes: {
    list: 'write an array: [ … ]',
    map: 'write an object: { … }',
    quotes: (value) => `put it into quotes: "${value}"`,
  },
};

/** Style of YAML and JSON files: null counts as missing, and the name of a part is its path: `columns[0].size`. */
export const documentStyle: JsonStyle = {
  nullIsMissing: true,
  labelOf: ({ path }, step) => pathText([...path, step]),
  fixes: {
    list: 'write a list',
    map: 'write a map',
    // The fix does not quote the value, because the parsed value does not show the original text: in YAML 1.20 is 1.2, and 0x1f is 31.
    quotes: () => 'put it into quotes',
  },
};

interface ReadJsonOptions {
  /** Style in which problems are described. Default: {@link sourceStyle}. */
  readonly style?: JsonStyle;
  /** The path of the value itself. Default: the root. */
  readonly path?: JsonPath;
}

/**
 * Reads a value with a reader.
 * @param label name of the value in messages
 * @returns the parts that could be read, and all problems
 */
export function readJson<T>(
  reader: JsonReader<T>,
  value: unknown,
  label: string,
  { style = sourceStyle, path = [] }: ReadJsonOptions = {},
): { readonly value: T | undefined; readonly problems: readonly JsonProblem[] } {
  const problems: JsonProblem[] = [];
  const report: JsonPlace['report'] = (problem) => void problems.push({ isKey: false, ...problem });
  return { value: readAt(reader, value, { path, label, style, report }), problems };
}

/** Reads a part of a value. Returns undefined for the placeholder `unknownJson`. */
export function readAt<T>(reader: JsonReader<T>, value: unknown, place: JsonPlace): T | undefined {
  return value === unknownJson ? undefined : reader(value, place);
}

/** Returns the place of a field or an item inside another place. */
export function placeInside(place: JsonPlace, step: string | number): JsonPlace {
  return { ...place, path: [...place.path, step], label: place.style.labelOf(place, step) };
}

/**
 * Turns problems into findings.
 * @param codeOf returns the code of a problem that has no code of its own
 */
export function problemFindings(
  problems: readonly JsonProblem[],
  locate: (path: JsonPath) => Where,
  codeOf: (problem: JsonProblem) => FindingCode,
): Finding[] {
  return problems.map((problem) => {
    const { message, path, fix, code = codeOf(problem) } = problem;
    return { code, message, where: locate(path), fix: [fix] };
  });
}

/** Describes the type of a value for messages: `a string`, `an array`, `null`. */
export function describeJson(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'symbol') return value.description ?? 'another value';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Reports that a value has another type than expected. */
export function unexpected(value: unknown, place: JsonPlace, expected: string, fix: string): undefined {
  return invalid(place, `expected ${expected}, got ${describeJson(value)}`, fix);
}

/** Reports a problem of a value. */
export function invalid({ path, label, report }: JsonPlace, problem: string, fix: string): undefined {
  report({ path, message: `${label}: ${problem}`, fix });
}

/** Formats a path as Kubernetes writes it: `spec.template.spec.containers[0].image`, `metadata.labels["example.com/tier"]`. */
export function pathText(path: JsonPath): string {
  const steps = path.map((step, index) => {
    const isName = typeof step === 'string' && /^[A-Za-z_$][\w$-]*$/.test(step);
    return isName ? `${index === 0 ? '' : '.'}${step}` : `[${JSON.stringify(step)}]`;
  });
  return steps.join('');
}
