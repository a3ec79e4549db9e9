import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { github, markdown, projectWord, sarif } from '../flags/words.ts';
import { resolve } from 'node:path';
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
  type PlacedDocument,
  codeFix,
  isChangeCode,
  readWaivers,
  severities,
  crdDiffReader,
  type ChangeCode,
  type Severities,
  type Severity,
  type Waiver,
  changeCodes,
  ratchetingNote,
  reasonOf,
} from '../../kubernetes/crd/index.ts';
import { OpSdkError, type Finding, FindingList } from '../../base/errors/index.ts';
import { printableLine } from '../../base/util/terminal-words.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { layout, readFileOf } from '../../project/project/index.ts';
import { isJsonMap } from '../../base/util/json-map.ts';
import { documentStyle, problemFindings, readJson } from '../../base/util/read-json.ts';
import { placeInJson, readYamlFile } from '../../kubernetes/yaml/index.ts';
import { connect } from '../actions/cluster/connect.ts';
import { readSide, type Side, placedChanges, type PlacedChange } from '../actions/diff/read-side.ts';
import { stdinTwice } from '../actions/diff/read-documents.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';
import type { Invocation, Log } from 'sarif';
import { githubAnnotations } from '../ui/github.ts';
import { sarifLog } from '../ui/sarif.ts';

const flags = {
  'from-cluster': flag.boolean("OLD are the cluster's CRDs of the same names as in NEW"),
  ...clusterFlags,
  'fail-on': flag.choice(
    'changes',
    ['breaking', 'any', 'none'],
    'exit 1 for breaking changes, for any change, or for none',
    { default: 'breaking' },
  ),
  severity: flag.list(
    'code=severity',
    'count changes of this code as breaking or compatible, such as enum-value-added=breaking; may be repeated',
  ),
  waivers: flag.refusable(flag.text('file', 'changes that are accepted until a date, each with its reason')),
  all: flag.boolean('list changes of documentation, too'),
};

export const command = defineCommand({
  formats: [markdown, github, sarif],
  arguments: [
    [
      '<old>',
      `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}; with --from-cluster this is NEW`,
    ],
    ['[new]', `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}`],
  ],
  flags,
  help: `
Compares CustomResourceDefinitions and says for each change whether it is breaking, for whom
(stored objects, clients that write, clients that read) and why. ${projectWord} stands for the definitions
that the project's sources generate now; git:REF reads config/crd/bases of a commit, without a checkout. What cannot be
decided counts as breaking.

  op-sdk crd diff config/crd/bases ${projectWord}
  op-sdk crd diff --from-cluster config/crd/bases
  op-sdk crd diff git:main ${projectWord}

package.json may say what the project counts otherwise (opsdk.crdDiff.severity), and name a file of
waivers (opsdk.crdDiff.waivers); flags override it.

  -o json       every change, with its stable code
  -o ${markdown}   tables for a comment on a pull request
  -o ${github}     annotations of GitHub Actions, at the lines of NEW
  -o ${sarif}      SARIF 2.1.0, for tools that annotate code

The exit code is 0 without breaking changes (see --fail-on), 1 with one or if something cannot
be read, and 2 for wrong usage.`,
  async run(context, options, [first = '', second]) {
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
  },
});

/** Flags of `crd diff`. */
export interface CrdDiffFlags {
  /** Values of `--severity`, each in the form `CODE=SEVERITY`. */
  readonly severity: readonly string[] | undefined;
  /** Path of the waivers file; false if `--no-waivers` is given. */
  readonly waivers: string | false | undefined;
}

/** Severities and waivers that `crd diff` applies, from a project or a caller. */
export interface CrdDiffSettings {
  readonly severities: Severities;
  readonly waivers: readonly Waiver[];
}

/**
 * Reads the settings `opsdk.crdDiff` of package.json, which flags override, and the file of waivers.
 * @throws OpSdkError with all errors: `cli/invalid-value`, `diff/invalid-settings`, `diff/invalid-waiver`, `io/…`
 */
export async function crdDiffSettings(
  { cwd }: Pick<CliContext, 'cwd'>,
  flags: CrdDiffFlags,
): Promise<CrdDiffSettings> {
  const findings = new FindingList();
  const declared = await findings.gather(() => readDeclared(cwd, findings));
  const own = { ...declared?.severity, ...readSeverities(flags.severity ?? [], findings) };
  const file = flags.waivers === false ? undefined : (flags.waivers ?? declared?.waivers);
  const waivers =
    file === undefined
      ? []
      : await findings.gather(async () => readWaivers(await readYamlFile(resolve(cwd, file), file), file));
  findings.throwIfAny();
  return { severities: own, waivers: waivers ?? [] };
}

async function readDeclared(
  cwd: string,
  findings: FindingList,
): Promise<{ readonly severity?: Severities; readonly waivers?: string } | undefined> {
  const text = (await readFileOf(cwd, layout.packageJson)) ?? '{}';
  const invalid: Finding['code'] = 'diff/invalid-settings';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const message = `${layout.packageJson} is not JSON: ${problem}`;
    findings.add({ code: invalid, message, where: { file: layout.packageJson }, fix: ['correct the file'] });
    return undefined;
  }
  const opsdk = isJsonMap(json) ? json['opsdk'] : undefined;
  const declared = isJsonMap(opsdk) ? opsdk['crdDiff'] : undefined;
  if (declared === undefined) return undefined;
  const { value, problems } = readJson(crdDiffReader, declared, 'opsdk.crdDiff', {
    style: { ...documentStyle, nullIsMissing: false },
    path: ['opsdk', 'crdDiff'],
  });
  const locate = (path: readonly (string | number)[]) => placeInJson(text, layout.packageJson, path);
  findings.add(...problemFindings(problems, locate, () => invalid));
  return value;
}

const severityFlag = '--severity';

function readSeverities(given: readonly string[], findings: FindingList): Severities {
  const read: Partial<Record<ChangeCode, Severity>> = {};
  for (const pair of given) {
    const [, code = '', severity] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    const known = severities.find((each) => each === severity);
    if (known === undefined) {
      const message = `${severityFlag}: expected CODE=${severities.join(' or CODE=')}, got ${JSON.stringify(pair)}`;
      findings.add(invalidFlag(severityFlag, message, 'write enum-value-added=breaking'));
    } else if (isChangeCode(code)) read[code] = known;
    else {
      const message = `${severityFlag}: unknown code of a change ${JSON.stringify(code)}`;
      findings.add(invalidFlag(severityFlag, message, codeFix(code)));
    }
  }
  return read;
}

/**
 * Returns the CustomResourceDefinitions with the given names that exist on the cluster.
 * @throws OpSdkError `kube/…`
 */
export async function definitionsOnCluster(
  client: KubeClient,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly PlacedDocument[]> {
  const found = await Promise.all(
    names.map((name) => client.find(CustomResourceDefinition, { name }, { signal })),
  );
  return found.flatMap((value) => {
    if (value === undefined) return [];
    const object = `CustomResourceDefinition ${value.metadata.name ?? ''} on the cluster`;
    return [
      {
        value,
        locate: (path: readonly (string | number)[]) => ({ object, path: `.${path.map(String).join('.')}` }),
      },
    ];
  });
}

type Options = ParsedOptions<typeof flags>;

function namesOf(
  first: string,
  second: string | undefined,
  fromCluster: boolean,
): { readonly old: string | undefined; readonly now: string } {
  if (fromCluster && second === undefined) return { old: undefined, now: first };
  if (fromCluster)
    throw new OpSdkError({
      code: 'cli/unexpected-argument',
      message: '--from-cluster: expected one argument, NEW, got two: OLD and NEW',
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

/** Reads the old side of the comparison from the cluster: the definitions that the new side also has. */
async function readCluster(context: CliContext, options: Options, now: Side): Promise<Side> {
  // If the new side has errors, the cluster need not be queried.
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
    // Source locations are resolved only for formats that print them, because this reads the project's sources a second time.
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

/**
 * Converts changes to SARIF. Breaking changes become errors; accepted changes are suppressed, with the reason for accepting them. The note,
 * which applies to all changes, becomes a notification of the SARIF run.
 */
function changesAsSarif(placed: readonly PlacedChange[], note: string | undefined): Log {
  const findings = placed.map(({ change, where }) => {
    const { code, severity, affects, crd, version, path, waived } = change;
    return {
      code,
      level: severity === 'breaking' ? ('error' as const) : ('note' as const),
      text: changeText({ change, where }),
      where,
      properties: { crd, ...(version === undefined ? {} : { version }), path, affects },
      ...(waived === undefined
        ? {}
        : { suppressions: [{ kind: 'external' as const, justification: reasonOf(change) }] }),
    };
  });
  const log = sarifLog<(typeof findings)[number] & { readonly code: ChangeCode }>(findings, (code) => ({
    shortDescription: { text: code.replaceAll('-', ' ') },
    fullDescription: { text: changeCodes[code].explain },
  }));
  if (note === undefined) return log;
  const invocation: Invocation = {
    executionSuccessful: true,
    toolExecutionNotifications: [{ level: 'note', message: { text: note } }],
  };
  return { ...log, runs: log.runs.map((run) => ({ ...run, invocations: [invocation] })) };
}

/** Returns the changes as GitHub annotations, with the note that applies to all changes, and a summary line. */
function changesAsAnnotations(
  placed: readonly PlacedChange[],
  note: string | undefined,
  summary: string,
): string {
  const annotations = placed.map(({ change, where }) => ({
    level:
      change.severity === 'breaking' && change.waived === undefined
        ? ('error' as const)
        : ('notice' as const),
    title: change.waived === undefined ? `${change.severity}: ${change.code}` : `waived: ${change.code}`,
    text: changeText({ change, where }),
    where,
  }));
  const notes =
    note === undefined
      ? []
      : [{ level: 'notice' as const, title: 'conversion', text: note, where: undefined }];
  return `${githubAnnotations([...annotations, ...notes])}${summary}\n`;
}

function changeText({ change }: PlacedChange): string {
  const { crd, version, path, message, ratcheted, waived } = change;
  return [
    `${crd}${version === undefined ? '' : ` ${version}`} ${path}: ${message}`,
    reasonOf(change),
    ...(ratcheted && waived === undefined ? [`(*) ${ratchetingNote}`] : []),
  ].join('\n');
}
