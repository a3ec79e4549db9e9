import { parseArgs } from 'node:util';
import { FindingList, isOpSdkError } from '../../errors/index.ts';
import { closestName } from '../../util/closest-name.ts';
import { parseListenAddress } from '../http/index.ts';
import { logLevels, type LogLevel } from '../create-logger.ts';

/** What the command line of an operator says, in the words of `createManager`. */
export interface OperatorFlags {
  /** `--health-probe-bind-address`: host:port, :port, or `0` for none. Default: `:8081`. */
  readonly health: string;
  /** `--metrics-bind-address`: host:port, :port, or `0` (the default) for none. */
  readonly metrics: string;
  /** `--kubeconfig`: a file. Default: KUBECONFIG, then the pod's ServiceAccount, then ~/.kube/config. */
  readonly kubeconfig: string | undefined;
  /** `--namespace`: the namespaces to watch. Default: all. */
  readonly namespaces: readonly string[] | undefined;
  /** `--log-level`. Default: info. */
  readonly logLevel: LogLevel;
}

interface FlagSpec {
  readonly help: string;
  /** How the value is called in the help text; absent for a boolean. */
  readonly value?: string;
  readonly fallback?: string;
  /** A flag of kubebuilder's projects that is not supported yet: only its default is accepted. */
  readonly unsupported?: true;
  /** @returns why the value is refused */
  check?(value: string, flag: string): string | undefined;
}

// The flags of a scaffolded kubebuilder project, with their defaults, and those that Node operators need besides.
const specs: Readonly<Record<string, FlagSpec>> = {
  'health-probe-bind-address': {
    help: 'Where /healthz and /readyz are served; 0 for nowhere.',
    value: 'address',
    fallback: ':8081',
    check: checkAddress,
  },
  'metrics-bind-address': {
    help: 'Where /metrics is served, such as :8080; 0 for nowhere.',
    value: 'address',
    fallback: '0',
    check: checkAddress,
  },
  kubeconfig: {
    help: "A kubeconfig file. Default: KUBECONFIG, then the pod's ServiceAccount, then ~/.kube/config.",
    value: 'file',
    check: (value) => (value === '' ? 'name a file' : undefined),
  },
  namespace: {
    help: 'Watch this namespace only; several separated by commas. Default: all.',
    value: 'name',
    check: (value) =>
      value.split(',').every((name) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
        ? undefined
        : 'give names of namespaces separated by commas',
  },
  'log-level': {
    help: `One of ${logLevels.join(', ')}.`,
    value: 'level',
    fallback: 'info',
    check: (value) => (isLogLevel(value) ? undefined : `give one of ${logLevels.join(', ')}`),
  },
  'leader-elect': { help: 'Let only one of several replicas work.', unsupported: true },
  'metrics-secure': { help: 'Serve metrics over HTTPS to those who may read them.', unsupported: true },
  'enable-http2': { help: 'Offer HTTP/2 on the servers for metrics and webhooks.', unsupported: true },
  'metrics-cert-path': {
    help: 'The folder with the certificate for metrics.',
    value: 'folder',
    unsupported: true,
  },
  'metrics-cert-name': { help: 'The certificate in it.', value: 'file', unsupported: true },
  'metrics-cert-key': { help: 'The key in it.', value: 'file', unsupported: true },
  'webhook-cert-path': {
    help: 'The folder with the certificate for webhooks.',
    value: 'folder',
    unsupported: true,
  },
  'webhook-cert-name': { help: 'The certificate in it.', value: 'file', unsupported: true },
  'webhook-cert-key': { help: 'The key in it.', value: 'file', unsupported: true },
};

/**
 * Reads the command line of an operator: `--x=value`, `--x value`, and for booleans `--x`, `--x=false`, `--no-x`. The last of
 * several counts. One dash (`-x`, as Go's own flags may have it) and a bare `--` are refused.
 *
 * @returns undefined if help was asked for, with `-h` or `--help`
 * @throws OpSdkError with everything that is wrong (exit code 2)
 */
export function parseFlags(args: readonly string[]): OperatorFlags | undefined {
  const values = new Map<string, string>();
  const findings = new FindingList();
  const refuse = (flag: string, message: string, fix: string): void =>
    findings.add({ code: 'runtime/invalid-flag-value', message, where: { flag }, fix: [fix] });

  const options = parserOptions();
  const { tokens } = parseArgs({ args: args.map(asParsed), options, strict: false, tokens: true });
  if (tokens.some((token) => token.kind === 'option' && token.name === 'help' && token.value === undefined))
    return undefined;
  for (const token of tokens) {
    const arg = args[token.index] ?? '';
    const name = token.kind === 'option' && token.name !== 'help' ? token.name : '';
    const value = token.kind === 'option' ? valueOf(token, args) : undefined;
    const spec = specOf(name);
    const negated = name.startsWith('no-') ? name.slice(3) : '';
    if (spec?.value !== undefined) {
      if (value === undefined)
        refuse(`--${name}`, `--${name} needs a value`, `write --${name}=<${spec.value}>`);
      else values.set(name, value);
    } else if (spec !== undefined) {
      if (value === undefined || value === 'true' || value === 'false') values.set(name, value ?? 'true');
      else
        refuse(
          `--${name}`,
          `--${name}: expected true or false, got ${JSON.stringify(value)}`,
          `write --${name} or --${name}=false`,
        );
    } else if (specOf(negated) !== undefined && specOf(negated)?.value === undefined) {
      if (value === undefined) values.set(negated, 'false');
      else
        refuse(
          `--${name}`,
          `--${name} takes no value`,
          `write --${negated}=${value === 'true' ? 'false' : 'true'}`,
        );
    } else {
      findings.add({
        code: 'runtime/unknown-flag',
        message: name === '' ? `expected a flag, got ${JSON.stringify(arg)}` : `unknown flag --${name}`,
        where: { flag: arg },
        fix: [...didYouMean(name === '' ? singleDashName(arg) : name), '--help lists the flags'],
      });
    }
  }
  for (const [name, value] of values) {
    const spec = specOf(name);
    if (spec?.unsupported === true && value !== (spec.value === undefined ? 'false' : '')) {
      findings.add({
        code: 'runtime/flag-not-built',
        message: `--${name} is not supported in this version`,
        where: { flag: `--${name}` },
        fix: [`leave --${name} out`],
      });
    }
    const objection = spec?.check?.(value, `--${name}`);
    if (objection !== undefined) {
      refuse(`--${name}`, `--${name} cannot be ${JSON.stringify(value)}`, objection);
    }
  }
  findings.throwIfAny();
  return toFlags(values);
}

/** The help text of an operator's binary. */
export function flagsHelp(): string {
  const rows = [...Object.entries(specs), ['help', { help: 'Show this text.' }] as const];
  const lines = rows.map(([name, { value, help, fallback, unsupported }]: readonly [string, FlagSpec]) => {
    const notes = [
      fallback === undefined ? '' : ` Default: ${fallback}.`,
      unsupported === true ? ' Not supported in this version.' : '',
    ];
    return `  ${`--${name}${value === undefined ? '' : `=<${value}>`}`.padEnd(40)} ${help}${notes.join('')}`;
  });
  return `Flags:\n${lines.join('\n')}\n`;
}

function didYouMean(name: string): string[] {
  const negations = Object.entries(specs).flatMap(([flag, { value }]) =>
    value === undefined ? [`no-${flag}`] : [],
  );
  const closest = closestName(name, [...Object.keys(specs), ...negations, 'help']);
  return closest === undefined ? [] : [`did you mean --${closest}?`];
}

/** The flags in the words of `parseArgs`. It is lenient, so that all that is wrong can be reported at once. */
function parserOptions(): Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }> {
  const types = Object.entries(specs).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  return { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } };
}

/**
 * An argument as `parseArgs` gets it: a plain word for `-abc`, which it would split into letters, and for `--`, behind which it
 * would read no flags. Its tokens have the index of the argument that was written.
 */
function asParsed(arg: string): string {
  return arg === '--' || (arg !== '-h' && /^-[^-]/.test(arg)) ? 'word' : arg;
}

/** The value as it was written: the next argument may be one that `asParsed` replaced. */
function valueOf(
  token: {
    readonly index: number;
    readonly value?: string | undefined;
    readonly inlineValue?: boolean | undefined;
  },
  args: readonly string[],
): string | undefined {
  return token.inlineValue === false ? args[token.index + 1] : token.value;
}

/** What `-name` and `-name=value` would be called with two dashes; empty for another argument. */
function singleDashName(arg: string): string {
  return /^-([^-=][^=]*)/.exec(arg)?.[1] ?? '';
}

function specOf(name: string): FlagSpec | undefined {
  return Object.hasOwn(specs, name) ? specs[name] : undefined;
}

function toFlags(values: ReadonlyMap<string, string>): OperatorFlags {
  const text = (name: string): string => values.get(name) ?? specOf(name)?.fallback ?? '';
  const level = text('log-level');
  return {
    health: text('health-probe-bind-address'),
    metrics: text('metrics-bind-address'),
    kubeconfig: values.get('kubeconfig'),
    namespaces: values.get('namespace')?.split(','),
    logLevel: isLogLevel(level) ? level : 'info',
  };
}

function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text);
}

function checkAddress(value: string, flag: string): string | undefined {
  try {
    parseListenAddress(value, flag);
    return undefined;
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings[0].fix?.[0] ?? error.message;
  }
}
