/**
 * The walk through an unchecked value, and the wording of its problems; the readers themselves are in `json-reader`.
 */
import type { Finding, FindingCode, Where } from '../errors/index.ts';

/** The keys and indices that lead from a value to a part of it. */
export type JsonPath = readonly (string | number)[];

/** Something that is not as expected. */
export interface JsonProblem {
  /** Path of the value that is wrong; of the object around it, if something is missing. */
  readonly path: JsonPath;
  /** The name of a field is wrong, rather than its value. */
  readonly isKey: boolean;
  /** Subject, what was expected, what was found. */
  readonly message: string;
  readonly fix: string;
  /** Only where it is another one than its neighbours have. */
  readonly code?: FindingCode;
}

/** Rules by which the values of a format are read and named. */
interface JsonStyle {
  /** A field that is null is not there. */
  readonly nullIsMissing: boolean;
  /** The name of a part in messages. */
  readonly labelOf: (whole: Pick<JsonPlace, 'path' | 'label'>, step: string | number) => string;
  /** Fixes for values of another type, in the words of the format. */
  readonly fixes: {
    readonly list: string;
    readonly map: string;
    /** For a string. */
    readonly quotes: (value: number | boolean) => string;
  };
}

/** Where a reader is. */
export interface JsonPlace {
  readonly path: JsonPath;
  /** For messages: `` `size` of a column ``. */
  readonly label: string;
  readonly style: JsonStyle;
  readonly report: (problem: Omit<JsonProblem, 'isKey'> & { readonly isKey?: boolean }) => void;
}

/** Gives the typed value; undefined, and a report, if it is another one. Never called for what is not there. */
export type JsonReader<T> = (value: unknown, place: JsonPlace) => T | undefined;

/** The type that a reader gives. */
export type ReadOf<R> = R extends JsonReader<infer T> ? T : never;

/** Stands for a value that cannot be known, which has been reported by whoever made it: readers pass over it. */
export const unknownJson = Symbol('a value that cannot be known');
/** The key under which an object says that it may have fields that are not known: none of them counts as missing. */
export const unknownFields = Symbol('fields that cannot be known');

/** Style of values in TypeScript: null is a value, and parts are named from the inside: `` `size` of a column ``. */
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

/** Style of YAML and JSON files: null counts as missing, and parts are named by their paths: `columns[0].size`. */
export const documentStyle: JsonStyle = {
  nullIsMissing: true,
  labelOf: ({ path }, step) => pathText([...path, step]),
  fixes: {
    list: 'write a list',
    map: 'write a map',
    // The value is not what was written: in YAML 1.20 is 1.2, and 0x1f is 31.
    quotes: () => 'put it into quotes',
  },
};

interface ReadJsonOptions {
  /** Default: {@link sourceStyle}. */
  readonly style?: JsonStyle;
  /** The path of the value itself. Default: that of the whole. */
  readonly path?: JsonPath;
}

/**
 * Reads a value.
 * @param label the value, for messages
 * @returns what could be read, and all that could not
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

/** Reads a part of a value. */
export function readAt<T>(reader: JsonReader<T>, value: unknown, place: JsonPlace): T | undefined {
  return value === unknownJson ? undefined : reader(value, place);
}

/** The place of a field or an item. */
export function placeInside(place: JsonPlace, step: string | number): JsonPlace {
  return { ...place, path: [...place.path, step], label: place.style.labelOf(place, step) };
}

/**
 * Turns problems into findings.
 * @param codeOf the code of a problem that has none of its own
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

/** Reports that a value is not what it should be. */
export function unexpected(value: unknown, place: JsonPlace, expected: string, fix: string): undefined {
  return invalid(place, `expected ${expected}, got ${describeJson(value)}`, fix);
}

/** Reports what is wrong with a value. */
export function invalid({ path, label, report }: JsonPlace, problem: string, fix: string): undefined {
  report({ path, message: `${label}: ${problem}`, fix });
}

/** A path as Kubernetes writes it: `spec.template.spec.containers[0].image`, `metadata.labels["example.com/tier"]`. */
export function pathText(path: JsonPath): string {
  const steps = path.map((step, index) => {
    const isName = typeof step === 'string' && /^[A-Za-z_$][\w$-]*$/.test(step);
    return isName ? `${index === 0 ? '' : '.'}${step}` : `[${JSON.stringify(step)}]`;
  });
  return steps.join('');
}
