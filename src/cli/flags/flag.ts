// Each flag is an object that declares itself to commander. The type of the object determines the type of the command's option.
import { Option, type Command } from 'commander';

/** Flag without its name. The name is the key of the flag in the flags of a command. */
export interface Flag<Value> {
  declare(command: Command, name: string): void;
  /** Carries the type of the value for the type checker. This field is never set. */
  readonly value?: Value;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/**
 * Type of the options that commander parses for flags, with names such as `dryRun` for `dry-run`. All options are required, so that code
 * can only use options for which a flag exists.
 */
export type OptionsOf<F extends Flags> = {
  readonly [Name in keyof F & string as Camel<Name>]: F[Name] extends Flag<infer Value> ? Value : never;
};

interface Looks {
  /** Single-letter name of the flag, such as `n` for `-n`. */
  readonly short?: string;
  /** Hides the flag from help. Used for aliases, and for flags that are declared only so that their use leads to an explanation. */
  readonly hidden?: true;
}

interface Unset {
  /** Leaves the option undefined if the flag is not given. */
  readonly unset: true;
}

/** Returns a flag with a required value: `--name <value>`. */
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

/** Returns a flag with a value that may be given several times. */
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

/** Returns a flag whose values are separated by commas, and which may be given several times. */
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

/** Returns a flag whose value must be one of the given choices. */
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
 * Returns a boolean flag that is off by default. The user can write `--x`, `--x=true`, `--x=false` or `--no-x`. Help shows `--x`. A value
 * needs the `=` (as in Go tools), so that the next argument is never parsed as the value.
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
 * Returns a boolean flag that is on by default, with the same forms as {@link boolean}. Help shows `--no-x`.
 * @param help effect of the negated flag
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

/** Returns a flag with an optional value: `--name [value]`. Without a value, the option is `true`. */
function optional(value: string, help: string, looks: Looks = {}): Flag<string | true | undefined> {
  return { declare: (command, name) => void command.addOption(optionOf(name, `[${value}]`, help, looks)) };
}

/** Adds the negation `--no-x` to a flag. With the negation, the option is `false`. Help shows only the flag itself. */
function refusable<Value>(flag: Flag<Value>): Flag<Value | false> {
  return {
    declare(command, name) {
      flag.declare(command, name);
      const negative = new Option(`--no-${name}`).hideHelp();
      command.addOption(negative);
      // commander sets a negative option to `true` by default, but this option must be undefined if it is not given.
      command.setOptionValueWithSource(negative.attributeName(), undefined, 'default');
    },
  };
}

/** Functions that create flags. For a flag with a value, the first argument is the name of the value in help. */
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
  // commander sets a negative option to `true` by default; the default that the caller wants is set instead.
  command.setOptionValueWithSource(positive.attributeName(), initial, 'default');
}
