import {
  conversionNote,
  diffCrds,
  isDocumentation,
  readDefinitions,
  renderMarkdown,
  renderText,
  summarize,
  summaryText,
  waiveChanges,
  type CrdChange,
} from '../../kubernetes/crd/diff/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { printableLine } from '../../base/util/printable.ts';
import type { Action, CliContext, CommandOutcome } from '../command.ts';
import type { ClusterOptions } from '../flags/cluster-flags.ts';
import { github, markdown, projectWord, sarif } from '../flags/words.ts';
import { connect } from './cluster/connect.ts';
import { crdDiffSettings, type CrdDiffFlags } from './diff/crd-diff-settings.ts';
import { definitionsOnCluster } from './diff/definitions-on-cluster.ts';
import { placedChanges, type PlacedChange } from './diff/placed-changes.ts';
import { changesAsAnnotations, changesAsSarif } from './diff/report-changes.ts';
import { readSide, type Side } from './diff/read-side.ts';
import { stdinTwice } from './diff/stdin-twice.ts';

interface Options extends ClusterOptions, CrdDiffFlags {
  readonly all: boolean;
  readonly fromCluster?: boolean;
  readonly failOn: 'breaking' | 'any' | 'none';
  readonly output?: string;
}

/** `op-sdk crd diff`. */
export const run: Action = async (context, parsed, [first = '', second]) => {
  const options = parsed as unknown as Options;
  const names = namesOf(first, second, options.fromCluster === true);
  const settings = await crdDiffSettings(context, options);
  const now = await readSide(context, names.now, 'new');
  const old =
    names.old === undefined
      ? await readCluster(context, options, now)
      : await readSide(context, names.old, 'old');
  const findings = [...old.findings, ...now.findings];
  if (findings.length > 0) throw new OpSdkError(findings);
  const found = diffCrds(old.definitions, now.definitions, settings.severities);
  const today = new Date().toISOString().slice(0, 10);
  const { changes, warnings } = waiveChanges(found, settings.waivers, today);
  const note = conversionNote(changes, now.definitions);
  const sides = { old, now, names: [names.old ?? '', names.now] };
  return outcomeOf(changes, options, {
    note,
    warnings: [...old.warnings, ...now.warnings, ...warnings],
    place: (listed) => placedChanges(listed, sides, context),
  });
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

/** Reads the definitions of the other side from the cluster. */
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

interface Said {
  readonly note: string | undefined;
  readonly warnings: readonly Finding[];
  readonly place: (changes: readonly CrdChange[]) => readonly PlacedChange[];
}

function outcomeOf(
  changes: readonly CrdChange[],
  options: Options,
  { note, warnings, place }: Said,
): CommandOutcome {
  const { failOn, all, output } = options;
  const summary = summarize(changes);
  const failing = { breaking: summary.breaking, any: changes.length - summary.waived, none: 0 }[failOn];
  const listed = changes.filter((change) => all || !isDocumentation(change));
  return {
    result: { ...summary, changes: listed, ...(note === undefined ? {} : { note }) },
    // A place is looked for where it is printed: of what the sources generate it costs another look at them.
    text:
      output === sarif
        ? JSON.stringify(changesAsSarif(place(listed), note), null, 2)
        : output === github
          ? changesAsAnnotations(place(listed), note, summaryText(summary, all))
          : textOf(changes, note, options),
    warnings,
    exitCode: failing > 0 ? 1 : 0,
  };
}

function textOf(
  changes: readonly CrdChange[],
  note: string | undefined,
  { output, all }: Pick<Options, 'output' | 'all'>,
): string {
  const text = output === markdown ? renderMarkdown(changes, { all }) : renderText(changes, { all });
  return note === undefined ? text : `${text}\n${printableLine(note)}\n`;
}
