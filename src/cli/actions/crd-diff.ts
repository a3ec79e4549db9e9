import {
  conversionNote,
  diffCrds,
  readDefinitions,
  renderMarkdown,
  renderText,
  summarize,
  type CrdChange,
} from '../../crd/diff/index.ts';
import { OpSdkError, type Finding } from '../../errors/index.ts';
import type { Action, CliContext, CommandOutcome } from '../command.ts';
import type { ClusterOptions } from '../flags/cluster-flags.ts';
import { markdown, projectWord } from '../flags/words.ts';
import { connect } from './cluster/connect.ts';
import { definitionsOnCluster } from './diff/definitions-on-cluster.ts';
import { readSide, type Side } from './diff/read-side.ts';
import { stdinTwice } from './diff/stdin-twice.ts';

interface Options extends ClusterOptions {
  readonly fromCluster?: boolean;
  readonly failOn: 'breaking' | 'any' | 'none';
  readonly output?: string;
}

/** `op-sdk crd diff`. */
export const run: Action = async (context, parsed, [first = '', second]) => {
  const options = parsed as unknown as Options;
  const names = namesOf(first, second, options.fromCluster === true);
  const now = await readSide(context, names.now, 'new');
  const old =
    names.old === undefined
      ? await readCluster(context, options, now)
      : await readSide(context, names.old, 'old');
  const findings = [...old.findings, ...now.findings];
  if (findings.length > 0) throw new OpSdkError(findings);
  const changes = diffCrds(old.definitions, now.definitions);
  const note = conversionNote(changes, now.definitions);
  return outcomeOf(changes, options, { note, warnings: [...old.warnings, ...now.warnings] });
};

function namesOf(
  first: string,
  second: string | undefined,
  fromCluster: boolean,
): { readonly old: string | undefined; readonly now: string } {
  if (fromCluster && second === undefined) return { old: undefined, now: first };
  if (fromCluster)
    throw new OpSdkError({
      code: 'cli/unexpected-argument',
      message: 'with --from-cluster there is one argument: NEW',
      fix: [`write op-sdk crd diff --from-cluster ${second ?? ''}`],
    });
  if (second === undefined)
    throw new OpSdkError({
      code: 'cli/missing-value',
      message: 'NEW is missing',
      fix: [`write op-sdk crd diff ${first} ${projectWord}, or name a file or a folder`],
    });
  if (first === '-' && second === '-') throw new OpSdkError(stdinTwice());
  return { old: first, now: second };
}

/** What the cluster has of the definitions of the other side. */
async function readCluster(context: CliContext, options: Options, now: Side): Promise<Side> {
  // Whoever cannot read the new side need not ask a cluster about it.
  if (now.findings.length > 0) return { definitions: [], findings: [], warnings: [] };
  const client = await connect(context, options);
  try {
    const names = now.definitions.map(({ name }) => name);
    return readDefinitions(await definitionsOnCluster(client, names, context.signal), 'old');
  } finally {
    await client.close();
  }
}

function outcomeOf(
  changes: readonly CrdChange[],
  { failOn, output }: Options,
  { note, warnings }: { readonly note: string | undefined; readonly warnings: readonly Finding[] },
): CommandOutcome {
  const summary = summarize(changes);
  const changed = output === markdown ? renderMarkdown(changes) : renderText(changes);
  const text = note === undefined ? changed : `${changed}\n${note}\n`;
  const failing = { breaking: summary.breaking, any: changes.length, none: 0 }[failOn];
  return {
    result: { ...summary, changes, ...(note === undefined ? {} : { note }) },
    text,
    warnings,
    exitCode: failing > 0 ? 1 : 0,
  };
}
