import { parseArgs } from 'node:util';
import { cancel, confirm, isCancel, select, text } from '@clack/prompts';

/** What a person wants to create. Absent answers are decided by op-sdk, or left out. */
export interface Answers {
  /** The project's folder, as it was typed. */
  readonly folder: string;
  readonly domain: string;
  /** The first kind; absent if the project starts without one. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  readonly packageManager: string;
  /** Flags that are passed to `opsdk init`. */
  readonly initFlags: readonly string[];
  readonly isInstalled: boolean;
  /** True if `op-sdk dev` is started at the end; undefined if the person is asked then. */
  readonly dev: boolean | undefined;
}

/** A command line that cannot be carried out; the message says what to change. */
export class UsageError extends Error {}

/** The person ended a prompt. */
export class Cancelled extends Error {}

export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;

export const usage = `Usage: create-opsdk [folder] [options]

Creates a Kubernetes operator in TypeScript. On a terminal it asks for what is missing.

Options:
  --domain <domain>            domain of the API groups, such as example.com
  --kind <Kind>                the first kind, such as Memcached
  --no-kind                    create no kind
  --group <group>              API group of the kind, without the domain (default: the folder's name without -operator)
  --api-version <version>      API version of the kind (default: v1alpha1)
  --package-manager <name>     npm, pnpm, yarn or bun (default: the one that runs this)
  --project-name <name>        name of the project (default: the folder's name)
  --repo <repository>          repository of the sources; recorded in PROJECT
  --owner <name>               owner named in the copyright
  --license <licence>          licence of the source files: apache2 or none (default: apache2)
  --opsdk <spec>               the project's dependency on opsdk (default: this version)
  --namespaced                 the operator works in its own namespace
  --skip-install               do not install the dependencies
  --dev, --no-dev              start \`op-sdk dev --samples\` at the end, or do not ask
  -h, --help                   show this help
`;

const initOptions = ['project-name', 'repo', 'owner', 'license', 'opsdk'] as const;

interface World {
  /** True if a person can be asked. */
  readonly interactive: boolean;
  /** The package manager that runs this, according to its user agent. */
  readonly runningManager: string;
  /** Returns the error in a domain; undefined if there is none. */
  readonly checkDomain: (domain: string) => string | undefined;
}

/**
 * Reads the command line, and asks for what is missing if a person can be asked.
 * @returns undefined if help is requested
 * @throws UsageError for wrong flags, and for missing ones where nobody can be asked
 * @throws Cancelled
 */
export async function answersFrom(argv: readonly string[], world: World): Promise<Answers | undefined> {
  const { values, positionals } = parse(argv);
  if (values.help === true) return undefined;
  if (positionals.length > 1)
    throw new UsageError(
      `expected one folder, got ${positionals.map((word) => JSON.stringify(word)).join(' ')}`,
    );
  const problems: string[] = [];
  const manager = values['package-manager'];
  if (manager !== undefined && !packageManagers.some((known) => known === manager))
    problems.push(
      `--package-manager must be one of ${packageManagers.join(', ')}; got ${JSON.stringify(manager)}`,
    );
  if (values.kind !== undefined && values['no-kind'] === true)
    problems.push('--kind and --no-kind exclude each other');
  if (values.dev === true && values['no-dev'] === true)
    problems.push('--dev and --no-dev exclude each other');
  if (values.dev === true && values['skip-install'] === true)
    problems.push('--dev needs the dependencies; leave --skip-install out');
  if (!world.interactive) {
    if (positionals.length === 0) problems.push('the folder of the project is missing, such as my-operator');
    if (values.domain === undefined) problems.push('--domain is missing, such as --domain example.com');
    if (values.kind === undefined && values['no-kind'] !== true)
      problems.push('--kind is missing, such as --kind Memcached; --no-kind creates none');
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));

  const folder =
    positionals[0] ?? (await ask('Folder of the project', { placeholder: 'my-operator', check: required }));
  const domain =
    values.domain ??
    (await ask('Domain of your API groups', { placeholder: 'example.com', check: world.checkDomain }));
  const kind =
    values.kind ??
    (values['no-kind'] === true
      ? ''
      : await ask('First kind; leave it empty to create none', {
          placeholder: 'Memcached',
          check: () => undefined,
        }));
  const defaultGroup = (folder.split(/[\\/]/).at(-1) ?? '').replace(/-?operator$/, '');
  const group =
    kind === ''
      ? ''
      : (values.group ??
        (world.interactive
          ? await ask(`Group of ${kind}`, { placeholder: 'cache', initial: defaultGroup, check: required })
          : defaultGroup));
  const packageManager =
    manager ?? (world.interactive ? await askManager(world.runningManager) : world.runningManager);
  return {
    folder,
    domain,
    ...(kind === '' ? {} : { kind: { kind, group, version: values['api-version'] ?? 'v1alpha1' } }),
    packageManager,
    initFlags: [
      ...initOptions.flatMap((name) => {
        const value = values[name];
        return value === undefined ? [] : [`--${name}`, value];
      }),
      ...(values.namespaced === true ? ['--namespaced'] : []),
      ...(values['skip-install'] === true ? ['--skip-install'] : []),
    ],
    isInstalled: values['skip-install'] !== true,
    dev: values.dev === true ? true : values['no-dev'] === true ? false : undefined,
  };
}

/** Asks whether to go on to `op-sdk dev`. @throws Cancelled */
export async function askDev(): Promise<boolean> {
  const answer = await confirm({
    message: 'Start the operator against a control plane of its own (op-sdk dev)?',
  });
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        domain: { type: 'string' },
        kind: { type: 'string' },
        'no-kind': { type: 'boolean' },
        group: { type: 'string' },
        'api-version': { type: 'string' },
        'package-manager': { type: 'string' },
        'project-name': { type: 'string' },
        repo: { type: 'string' },
        owner: { type: 'string' },
        license: { type: 'string' },
        opsdk: { type: 'string' },
        namespaced: { type: 'boolean' },
        'skip-install': { type: 'boolean' },
        dev: { type: 'boolean' },
        'no-dev': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const required = (answer: string): string | undefined =>
  answer.trim() === '' ? 'expected a name' : undefined;

async function ask(
  message: string,
  {
    placeholder,
    initial,
    check,
  }: {
    readonly placeholder: string;
    readonly initial?: string;
    readonly check: (answer: string) => string | undefined;
  },
): Promise<string> {
  const answer = await text({
    message,
    placeholder,
    ...(initial === undefined ? {} : { initialValue: initial }),
    validate: (value = '') => check(value),
  });
  if (isCancel(answer)) throw new Cancelled();
  return answer.trim();
}

async function askManager(running: string): Promise<string> {
  const answer = await select({
    message: 'Package manager',
    options: packageManagers.map((value) => ({ value: value as string, label: value })),
    initialValue: running,
  });
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}

/** Ends the prompts with a line that says so. */
export function showCancelled(): void {
  cancel('nothing was created');
}
