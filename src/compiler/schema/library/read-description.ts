import type { JsonValue } from '../../../kubernetes/crd/json-schema-props.ts';
import type { SchemaDescription } from './inside/describe-schema.ts';
import type { Loss } from './inside/losses.ts';

/** Levels of lists and objects in the JSON Schema of a library: every field takes two. */
const deepest = 256;
/** Characters of a text that is part of a message. */
const longestText = 2000;
/** Losses of a schema; nobody reads more. */
const mostLosses = 1000;

const unreadable = { failed: 'it gives something that is not the description of a schema' };

/**
 * Reads a line of the process that ran a schema module. Code of the module has run beside the code that wrote it, so nothing in it is certain.
 * @param failures texts for reasons that the process gives
 */
export function readDescription(
  line: string,
  failures: Readonly<Record<string, string>>,
): SchemaDescription | { readonly failed: string } {
  const outcome = fieldsOf(parsed(line));
  const { failed, description } = outcome ?? {};
  if (typeof failed === 'string')
    return {
      failed: (Object.hasOwn(failures, failed) ? failures[failed] : undefined) ?? asInOtherEngines(failed),
    };
  if (description === undefined) return { failed: 'it ends without a schema' };
  if (typeof description !== 'string') return unreadable;
  const value = parsed(description);
  if (!isAtMostDeep(value, deepest))
    return { failed: `its JSON Schema has more than ${deepest} levels of lists and objects` };
  return descriptionOf(value) ?? unreadable;
}

function descriptionOf(value: unknown): SchemaDescription | undefined {
  const { schema, losses, missing, vendor, refused } = fieldsOf(value) ?? {};
  if (missing === 'schema') return { missing };
  if (missing === 'json-schema')
    return { missing, ...(typeof vendor === 'string' ? { vendor: shortened(vendor) } : {}) };
  const known = lossesOf(losses);
  if (known === undefined) return undefined;
  if (typeof refused === 'string') return { refused: shortened(refused), losses: known };
  return { schema: schema as JsonValue, losses: known };
}

function lossesOf(value: unknown): readonly Loss[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const losses = (value as readonly unknown[]).slice(0, mostLosses).map((each): Loss | undefined => {
    const { path, what, fix } = fieldsOf(each) ?? {};
    if (typeof what !== 'string' || typeof fix !== 'string' || !isTexts(path)) return undefined;
    return { path: path.map(shortened), what: shortened(what), fix: shortened(fix) };
  });
  return losses.every((each) => each !== undefined) ? losses : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Not by recursion, of which there may be too much. */
function isAtMostDeep(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return false;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as readonly unknown[]) : [],
    );
  }
  return true;
}

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/** QuickJS puts the name in quotes. */
function asInOtherEngines(failed: string): string {
  return shortened(failed).replace(
    /^ReferenceError: '(.+)' is not defined$/,
    'ReferenceError: $1 is not defined',
  );
}
