// Flags are values: each declares itself to commander, and its type is the type of the command's option.
import { Option, type Command } from 'commander';

/** A flag without its name, which is its key in the flags of a command. */
export interface Flag<Value> {
  declare(command: Command, name: string): void;
  /** Carries the type; never there. */
  readonly value?: Value;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Options that commander parses for flags: `dryRun` for `dry-run`. All are required, so that an option without a flag cannot be named. */
export type OptionsOf<F extends Flags> = {
  readonly [Name in keyof F & string as Camel<Name>]: F[Name] extends Flag<infer Value> ? Value : never;
};

interface Looks {
  /** Its letter: `n` for `-n`. */
  readonly short?: string;
  /** Hides the flag from help: an alias, or a flag that is declared only so that its use can be explained. */
  readonly hidden?: true;
}

interface Unset {
  /** Undefined if the flag is not given. */
  readonly unset: true;
}

/** A flag with a value: `--name <value>`. */
function text(value: string, help: string, looks: Looks & { readonly default: string }): Flag<string>;
function text(value: string, help: string, looks?: Looks): Flag<string | undefined>;
function text(
  value: string,
  help: string,
  looks: Looks & { readonly default?: string } = {},
): Flag<string | undefined> {
  return {
    declare(command, name) {
      const option = optionOf(name, `<${value}>`, help, looks);
      if (looks.default !== undefined) option.default(looks.default);
      command.addOption(option);
    },
  };
}

/** A flag that may be repeated. */
function list(
  value: string,
  help: string,
  looks: Looks & { readonly default: readonly [] },
): Flag<readonly string[]>;
function list(value: string, help: string, looks?: Looks): Flag<readonly string[] | undefined>;
function list(
  value: string,
  help: string,
  looks: Looks & { readonly default?: readonly [] } = {},
): Flag<readonly string[] | undefined> {
  return repeated(value, help, looks, (one) => [one]);
}

/** A flag whose values are separated by commas, and which may be repeated. */
function commas(value: string, help: string, looks: Looks = {}): Flag<readonly string[] | undefined> {
  return repeated(value, help, looks, (some) => some.split(','));
}

function repeated(
  value: string,
  help: string,
  looks: Looks & { readonly default?: readonly [] },
  split: (given: string) => readonly string[],
): Flag<readonly string[] | undefined> {
  return {
    declare(command, name) {
      const option = optionOf(name, `<${value}>`, help, looks);
      if (looks.default !== undefined) option.default(looks.default);
      option.argParser((given: string, before: readonly string[] = []) => [...before, ...split(given)]);
      command.addOption(option);
    },
  };
}

/** A flag with one of some values. */
function choice<const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  help: string,
  looks: { readonly default: NoInfer<Choice> },
): Flag<Choice>;
function choice<const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  help: string,
): Flag<Choice | undefined>;
function choice(
  value: string,
  choices: readonly string[],
  help: string,
  looks: { readonly default?: string } = {},
): Flag<string | undefined> {
  return {
    declare(command, name) {
      const option = optionOf(name, `<${value}>`, help, {}).choices(choices);
      if (looks.default !== undefined) option.default(looks.default);
      command.addOption(option);
    },
  };
}

/**
 * A flag that is off by default, in all the forms that people type: `--x`, `--x=true`, `--x=false`, `--no-x`. Help shows `--x`. A value
 * needs the `=` (as in Go tools), so that a following argument is never taken for it.
 */
function boolean(help: string, looks: Looks & Unset): Flag<boolean | undefined>;
function boolean(help: string, looks?: Looks): Flag<boolean>;
function boolean(help: string, looks: Looks & Partial<Unset> = {}): Flag<boolean | undefined> {
  return {
    declare(command, name) {
      const negative = new Option(`--no-${name}`).hideHelp();
      addForms(command, [optionOf(name, '', help, looks), negative], looks.unset ? undefined : false);
    },
  };
}

/**
 * A flag that is on by default, in the same forms. Help shows `--no-x`.
 * @param help what the negation does
 */
function negated(help: string, looks: Unset): Flag<boolean | undefined>;
function negated(help: string): Flag<boolean>;
function negated(help: string, looks: Partial<Unset> = {}): Flag<boolean | undefined> {
  return {
    declare(command, name) {
      const forms = [new Option(`--${name}`).hideHelp(), new Option(`--no-${name}`, help)] as const;
      addForms(command, forms, looks.unset ? undefined : true);
    },
  };
}

/** A flag whose value may be left out, which gives `true`: `--name [value]`. */
function optional(value: string, help: string, looks: Looks = {}): Flag<string | true | undefined> {
  return { declare: (command, name) => void command.addOption(optionOf(name, `[${value}]`, help, looks)) };
}

/** A flag whose negation has a meaning of its own, and gives `false`; help shows only the flag itself. */
function refusable<Value>(flag: Flag<Value>): Flag<Value | false> {
  return {
    declare(command, name) {
      flag.declare(command, name);
      const negative = new Option(`--no-${name}`).hideHelp();
      command.addOption(negative);
      // commander gives a lone negative option the default `true`.
      command.setOptionValueWithSource(negative.attributeName(), undefined, 'default');
    },
  };
}

/** Factories of flags. The first argument of those with a value is the value's name in help. */
export const flag = { text, list, commas, choice, boolean, negated, optional, refusable };

function optionOf(name: string, value: string, help: string, { short, hidden }: Looks): Option {
  const long = value === '' ? `--${name}` : `--${name} ${value}`;
  return new Option(short === undefined ? long : `-${short}, ${long}`, help).hideHelp(hidden === true);
}

function addForms(
  command: Command,
  [positive, negative]: readonly [Option, Option],
  initial: boolean | undefined,
): void {
  command.addOption(positive).addOption(negative);
  // commander sets a lone negative option to `true` by default; here the caller sets it.
  command.setOptionValueWithSource(positive.attributeName(), initial, 'default');
}
