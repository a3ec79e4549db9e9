import { Option } from 'commander';
import { OpSdkError, type Finding } from '../../../errors/index.ts';
import type { CrdChange } from '../../../crd/diff/index.ts';
import type { CliContext, CommandModule, CommandOutcome } from '../../command.ts';
import { booleanFlag } from '../../flags.ts';
import { clusterFlags, connect, type ClusterOptions } from '../shared/cluster-flags.ts';
import { projectWord, readSide, type Side } from './shared/read-side.ts';

interface Options extends ClusterOptions {
  readonly fromCluster?: boolean;
  readonly failOn: 'breaking' | 'any' | 'none';
  readonly output?: string;
}

/** For comments of pull requests. */
const markdown = 'markdown';

/** `op-sdk crd diff`. */
export const command: CommandModule = {
  formats: [markdown],
  configure(command) {
    command.argument('<old>', `a file, a folder, - or ${projectWord}; with --from-cluster this is NEW`);
    command.argument('[new]', `a file, a folder, - or ${projectWord}`);
    booleanFlag(command, 'from-cluster', 'OLD is what the cluster has of the definitions of NEW', false);
    clusterFlags(command);
    command.addOption(
      new Option('--fail-on <changes>', 'exit 1 for breaking changes, for any change, or for none')
        .choices(['breaking', 'any', 'none'])
        .default('breaking'),
    );
    command.addHelpText(
      'after',
      `
Compares CustomResourceDefinitions and says of each change whether it is breaking, for whom
(stored objects, clients that write, clients that read) and why. ${projectWord} stands for what the
sources of the project generate now. What cannot be decided is breaking.

  op-sdk crd diff config/crd/bases ${projectWord}
  op-sdk crd diff --from-cluster config/crd/bases
  git show main:config/crd/bases/g_plural.yaml | op-sdk crd diff - ${projectWord}

  -o json       every change, with its stable code
  -o ${markdown}   tables for a comment of a pull request

Exit code 0 without breaking changes (see --fail-on), 1 with one, or if something cannot be
read, 2 for wrong usage.`,
    );
  },
  async run(context, given, [first = '', second]) {
    const options = given as unknown as Options;
    const names = namesOf(first, second, options.fromCluster === true);
    const now = await readSide(context, names.now, 'new');
    const old =
      names.old === undefined
        ? await readCluster(context, options, now)
        : await readSide(context, names.old, 'old');
    const findings = [...old.findings, ...now.findings];
    if (findings.length > 0) throw new OpSdkError(findings);
    const { diffCrds } = await import('../../../crd/diff/index.ts');
    const changes = diffCrds(old.definitions, now.definitions);
    return outcomeOf(changes, options, [...old.warnings, ...now.warnings]);
  },
};

function namesOf(
  first: string,
  second: string | undefined,
  fromCluster: boolean,
): { readonly old: string | undefined; readonly now: string } {
  if (fromCluster && second === undefined) return { old: undefined, now: first };
  if (fromCluster)
    throw usage('cli/unexpected-argument', 'with --from-cluster there is one argument: NEW', [
      `write op-sdk crd diff --from-cluster ${second ?? ''}`,
    ]);
  if (second === undefined)
    throw usage('cli/missing-value', 'NEW is missing', [
      `write op-sdk crd diff ${first} ${projectWord}, or name a file or a folder`,
    ]);
  if (first === '-' && second === '-')
    throw usage('diff/stdin-twice', 'OLD and NEW are both standard input', [
      'write one of them to a file, or use process substitution: <(…)',
    ]);
  return { old: first, now: second };
}

function usage(code: Finding['code'], message: string, fix: readonly string[]): OpSdkError {
  return new OpSdkError({ code, message, fix });
}

/** What the cluster has of the definitions of the other side. */
async function readCluster(context: CliContext, options: Options, now: Side): Promise<Side> {
  // Whoever cannot read the new side need not ask a cluster about it.
  if (now.findings.length > 0) return { definitions: [], findings: [], warnings: [] };
  const { readDefinitions } = await import('../../../crd/diff/index.ts');
  const { definitionsOnCluster } = await import('./shared/definitions-on-cluster.ts');
  const client = await connect(context, options);
  try {
    const names = now.definitions.map(({ name }) => name);
    return readDefinitions(await definitionsOnCluster(client, names, context.signal), 'old');
  } finally {
    await client.close();
  }
}

async function outcomeOf(
  changes: readonly CrdChange[],
  { failOn, output }: Options,
  warnings: readonly Finding[],
): Promise<CommandOutcome> {
  const { renderMarkdown, renderText, summarize } = await import('../../../crd/diff/index.ts');
  const summary = summarize(changes);
  const text = output === markdown ? renderMarkdown(changes) : renderText(changes);
  const failing = { breaking: summary.breaking, any: changes.length, none: 0 }[failOn];
  return {
    result: { ...summary, changes },
    text,
    warnings,
    exitCode: failing > 0 ? 1 : 0,
  };
}
