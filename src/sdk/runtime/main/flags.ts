import { parseArgs } from 'node:util';
import { FindingList, isOpSdkError } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { parseListenAddress } from '../../net/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';
import type { CertificateFiles } from '../certificate/index.ts';
import type { WebhooksOptions } from '../manager/index.ts';
import type { MetricsOptions } from '../metrics/index.ts';
import { selfSignedSettings } from '../webhook/self-signed/settings.ts';
import type { FlagName, FlagSpec } from './flags-help.ts';
import { logFormats, logLevels, type LogFormat, type LogLevel } from '../create-logger.ts';

/** Flags of an operator's command line, as options of `createManager`. */
export interface OperatorFlags {
  /** `--health-probe-bind-address`: host:port, :port, or `0` to disable. Default: `:8081`. */
  readonly health: string;
  /**
   * `--metrics-bind-address` (host:port, :port, or `0` to disable; default: `0`), `--metrics-secure` and `--metrics-node` (default: true),
   * `--metrics-cert-path`, `--metrics-cert-name` and `--metrics-cert-key`.
   */
  readonly metrics: MetricsOptions;
  /**
   * `--webhook-port` (default: 9443), `--webhook-cert-path`, `--webhook-cert-name` and `--webhook-cert-key`. The environment variable
   * ENABLE_WEBHOOKS=`false` disables webhooks. If WEBHOOK_SECRET_NAME and related variables are set, the operator uses a self-signed
   * certificate. CONVERSION_SECRET_NAME names the Secret with the key that signs conversion data.
   */
  readonly webhooks: WebhooksOptions;
  /** `--enable-http2`: offer HTTP/2. Default: false. */
  readonly http2: boolean;
  /** `--kubeconfig`: a kubeconfig file. Default: KUBECONFIG, then the pod's ServiceAccount, then ~/.kube/config. */
  readonly kubeconfig: string | undefined;
  /** `--leader-elect`: only one of several replicas works. Default: false. If it is true, pass the id of the Lease to `createManager`. */
  readonly leaderElect: boolean;
  /** `--namespace`, or the environment variable WATCH_NAMESPACE: the namespaces to watch. Default: all. */
  readonly namespaces: readonly string[] | undefined;
  /** `--log-level`: the least important level to log. Default: info. */
  readonly logLevel: LogLevel;
  /** `--log-format`: `json` or `text`. Default: `text` on a terminal, otherwise `json`. */
  readonly logFormat: LogFormat | undefined;
}

/** Flags of a scaffolded kubebuilder project, with their defaults, and additional flags for Node operators. */
export const flagSpecs: Readonly<Record<FlagName, FlagSpec>> = {
  'health-probe-bind-address': {
    value: 'address',
    fallback: ':8081',
    check: checkAddress,
  },
  'metrics-bind-address': {
    value: 'address',
    fallback: '0',
    check: checkAddress,
  },
  kubeconfig: {
    value: 'file',
    check: (value) => (value === '' ? 'name a file' : undefined),
  },
  namespace: {
    value: 'name',
    check: checkNamespaceNames,
  },
  'log-level': {
    value: 'level',
    fallback: 'info',
    choices: logLevels,
  },
  'leader-elect': {
    fallback: 'false',
  },
  'log-format': {
    value: 'format',
    choices: logFormats,
  },
  'metrics-secure': {
    fallback: 'true',
  },
  'metrics-node': { fallback: 'true' },
  'enable-http2': { fallback: 'false' },
  'metrics-cert-path': {
    value: 'folder',
  },
  'metrics-cert-name': { value: 'file', fallback: 'tls.crt' },
  'metrics-cert-key': { value: 'file', fallback: 'tls.key' },
  'webhook-port': {
    value: 'port',
    fallback: '9443',
    check: (value) => (isPort(value) ? undefined : 'give a number from 1 to 65535; 0 for any free port'),
  },
  'webhook-cert-path': {
    value: 'folder',
  },
  'webhook-cert-name': { value: 'file', fallback: 'tls.crt' },
  'webhook-cert-key': { value: 'file', fallback: 'tls.key' },
};

/** Replacements for the log flags of kubebuilder projects, shown if such a flag is passed. */
const zapFlags: Readonly<Record<string, string>> = {
  'zap-encoder': '--log-format=json or --log-format=text',
  'zap-devel': '--log-format=text --log-level=debug',
  'zap-log-level': '--log-level',
};

/**
 * Parses the command line of an operator: `--x=value`, `--x value`, and for booleans `--x`, `--x=false`, `--no-x`. The last occurrence of a
 * flag takes precedence. A single dash (`-x`, as allowed for Go's own flags) and a bare `--` are refused.
 *
 * WATCH_NAMESPACE has the semantics of the Operator SDK: names separated by commas. If it is unset, or empty (as OLM sets it for all
 * namespaces), all namespaces are watched. ENABLE_WEBHOOKS is `true` or `false`, as in kubebuilder projects.
 *
 * @param env the environment. Default: empty
 * @returns undefined if help was requested, with `-h` or `--help`
 * @throws OpSdkError with all findings (exit code 2)
 */
export function parseFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): OperatorFlags | undefined {
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
    const objection = objectionTo(name, value);
    if (objection !== undefined) {
      refuse(`--${name}`, `--${name} cannot be ${JSON.stringify(value)}`, objection);
    }
  }
  const watched = env['WATCH_NAMESPACE'] ?? '';
  if (!values.has('namespace') && watched !== '') {
    const objection = checkNamespaceNames(watched);
    if (objection !== undefined)
      refuse('WATCH_NAMESPACE', `WATCH_NAMESPACE cannot be ${JSON.stringify(watched)}`, objection);
    values.set('namespace', watched);
  }
  const enabled = env['ENABLE_WEBHOOKS'] ?? '';
  if (!['', 'true', 'false'].includes(enabled))
    refuse(
      'ENABLE_WEBHOOKS',
      `ENABLE_WEBHOOKS cannot be ${JSON.stringify(enabled)}`,
      'set it to true or false',
    );
  const selfSigned = findings.gatherSync(() => selfSignedSettings(env));
  const delay = env['WEBHOOK_SHUTDOWN_DELAY']?.trim() ?? '';
  findings.gatherSync(() => delay !== '' && durationMs(delay as DurationLike));
  const secret = env['CONVERSION_SECRET_NAME']?.trim() ?? '';
  findings.throwIfAny();
  const shutdownDelay = delay === '' ? undefined : (delay as DurationLike);
  const conversionKey = secret === '' ? undefined : { secret };
  return toFlags(values, { enabled: enabled !== 'false', selfSigned, conversionKey, shutdownDelay });
}

function didYouMean(name: string): string[] {
  const ours = Object.hasOwn(zapFlags, name) ? zapFlags[name] : undefined;
  if (ours !== undefined) return [`use ${ours}`];
  const negations = Object.entries<FlagSpec>(flagSpecs).flatMap(([flag, { value }]) =>
    value === undefined ? [`no-${flag}`] : [],
  );
  const closest = closestName(name, [...Object.keys(flagSpecs), ...negations, 'help']);
  return closest === undefined ? [] : [`did you mean --${closest}?`];
}

/** Returns the flags as options of `parseArgs`. The options are lenient, so that all mistakes of a command line can be reported at once. */
function parserOptions(): Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }> {
  const types = Object.entries<FlagSpec>(flagSpecs).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  return { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } };
}

/**
 * Replaces an argument that `parseArgs` would misinterpret by a plain word. `parseArgs` would split `-abc` into letters, and read no flags
 * after `--`. The tokens that `parseArgs` returns keep the index of the original argument.
 */
function asParsed(arg: string): string {
  return arg === '--' || (arg !== '-h' && /^-[^-]/.test(arg)) ? 'word' : arg;
}

/** Returns the original value of a flag, because `asParsed` may have replaced the argument after the flag. */
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

/** Returns the name in `-name` and `-name=value`; empty for any other argument. */
function singleDashName(arg: string): string {
  return /^-([^-=][^=]*)/.exec(arg)?.[1] ?? '';
}

function specOf(name: string): FlagSpec | undefined {
  return Object.hasOwn(flagSpecs, name) ? flagSpecs[name as FlagName] : undefined;
}

/** Returns the reason why the value of a flag is refused; undefined if it is accepted. */
function objectionTo(name: string, value: string): string | undefined {
  const spec = specOf(name);
  const choices = spec?.choices;
  if (choices === undefined) return spec?.check?.(value, `--${name}`);
  return choices.includes(value) ? undefined : `give one of ${choices.join(', ')}`;
}

/** @param webhooks the webhook options from the environment */
function toFlags(values: ReadonlyMap<string, string>, webhooks: WebhooksOptions): OperatorFlags {
  const text = (name: string): string => values.get(name) ?? specOf(name)?.fallback ?? '';
  const filesOf = (purpose: string): CertificateFiles | undefined => {
    const folder = text(`${purpose}-cert-path`);
    if (folder === '') return undefined;
    return { folder, certificate: text(`${purpose}-cert-name`), key: text(`${purpose}-cert-key`) };
  };
  const level = text('log-level');
  const format = text('log-format');
  return {
    health: text('health-probe-bind-address'),
    metrics: {
      address: text('metrics-bind-address'),
      secure: text('metrics-secure') === 'true',
      node: text('metrics-node') === 'true',
      certificate: filesOf('metrics'),
    },
    webhooks: { ...webhooks, port: Number(text('webhook-port')), certificate: filesOf('webhook') },
    http2: text('enable-http2') === 'true',
    kubeconfig: values.get('kubeconfig'),
    leaderElect: text('leader-elect') === 'true',
    namespaces: values.get('namespace')?.split(','),
    logLevel: isLogLevel(level) ? level : 'info',
    logFormat: isLogFormat(format) ? format : undefined,
  };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

function isLogFormat(text: string): text is LogFormat {
  return (logFormats as readonly string[]).includes(text);
}

function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text);
}

function checkNamespaceNames(value: string): string | undefined {
  return value.split(',').every((name) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    ? undefined
    : 'give names of namespaces separated by commas';
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
