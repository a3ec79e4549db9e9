import { CelFault, noOverload, type CelValue } from './values.ts';

/** Functions by name; the name of a function of a value begins with a dot. Each throws a CelFault for arguments that it does not take. */
export type CelFunctions = Readonly<Record<string, (args: readonly CelValue[]) => CelValue>>;

/** Joins libraries. If several have a function, the first is called that takes the arguments. */
export function overloads(...libraries: readonly CelFunctions[]): CelFunctions {
  const joined: Record<string, (args: readonly CelValue[]) => CelValue> = {};
  for (const library of libraries)
    for (const [name, run] of Object.entries(library)) {
      const before = joined[name];
      joined[name] = before === undefined ? run : (args) => either(before, run, args);
    }
  return joined;
}

type Run = (args: readonly CelValue[]) => CelValue;

function either(first: Run, second: Run, args: readonly CelValue[]): CelValue {
  try {
    return first(args);
  } catch (error) {
    if (error instanceof CelFault && error.message === noOverload().message) return second(args);
    throw error;
  }
}

/** Returns an argument as a text. */
export function textArg(args: readonly CelValue[], index: number): string {
  const value = args[index];
  if (typeof value !== 'string') throw noOverload();
  return value;
}

/** Returns an argument as an integer; undefined if it is left out. */
export function intArg(args: readonly CelValue[], index: number): number | undefined {
  const value = args[index];
  if (value === undefined) return undefined;
  if (typeof value !== 'bigint') throw noOverload();
  return Number(value);
}
