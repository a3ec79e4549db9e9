import { defineCommand, type CliContext, type CommandOutcome } from '../command.ts';
import type { GlobalOptions } from '../flags/common.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import {
  checkOwnershipAccess,
  moveOwnership,
  surveyOwnership,
  type OwnershipRequest,
  type OwnershipResult,
  type OwnershipSurvey,
} from '../../cluster/index.ts';
import { FindingList, isOpSdkError, type Finding } from '../../base/errors/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { countText } from '../../base/util/words.ts';
import { interruptedCode } from '../ui/object-lines.ts';
import { connect } from '../actions/cluster/connect.ts';
import { ownershipInput } from '../actions/ownership/ownership-input.ts';
import { ownershipTargets } from '../actions/ownership/ownership-targets.ts';
import { ownershipResult, ownershipText } from '../actions/ownership/ownership-text.ts';

export const command = defineCommand({
  flags: {
    from: flag.list('manager', 'a field manager of the former operator; may be repeated'),
    to: flag.text(
      'manager',
      "the field manager that takes over (default: <manager>/<controller> of the project's operator)",
    ),
    kind: flag.list(
      'kind',
      "a kind: apps/Deployment or deployments.apps; may be repeated (default: those that the project's operator writes)",
    ),
    namespace: flag.text('name', 'the namespace of the objects (default: that of the context)', {
      short: 'n',
    }),
    'all-namespaces': flag.boolean('the objects of all namespaces', { short: 'A' }),
    selector: flag.text('selector', 'only objects with these labels: app=web, tier in (a,b)', { short: 'l' }),
    'all-objects': flag.boolean(
      "in a project, of kinds of others also the objects that no object of the project's kinds controls",
    ),
    yes: flag.boolean('move the fields; without it, they are only shown'),
    ...clusterFlags,
  },
  help: `
For operators that come from Go: moves the fields that the former operator owns by update to the field manager with
which the new one applies. Without this they stay, since an apply removes only what its own manager owned.

Shows for each object the fields that would move, and those that the next apply removes unless the operator sets them.
Defaults of the API server come back after it. Nothing is written without --yes, and only metadata.managedFields is
written then. Finalizers stay with their manager. It may be interrupted and run again at any time. Stop the former
operator before, and restart the new one afterwards if it runs: it does not repeat an apply that changes no value.

Many operators have the same field manager, usually manager. In a project, objects of kinds that it neither declares
nor reconciles are therefore left out unless an object of a kind that it reconciles is their controller.

  op-sdk migrate-ownership --from manager --all-namespaces
  op-sdk migrate-ownership --from manager --all-namespaces --yes
  op-sdk migrate-ownership --from manager --to my-operator/web --kind apps/Deployment -n shop

Needed permissions: get, list and patch of the objects.`,
  async run(context, options) {
    const { from = [], to, yes } = options;
    const { report, signal, print } = context;
    const input = await ownershipInput(context, options);
    const client = await connect(context, options);
    try {
      const { targets, warnings } = ownershipTargets(
        await client.discover({ signal }),
        input,
        to,
        options.allObjects,
      );
      const request: OwnershipRequest = {
        client,
        targets,
        from,
        namespace: options.allNamespaces
          ? undefined
          : (options.namespace ?? client.connection.cluster.namespace),
        labelSelector: options.selector,
        signal,
        onProgress: ({ plural }, done) => report.step(`${plural}: ${countText(done, 'object')}`),
      };
      const findings = new FindingList();
      if (yes) findings.add(...(await checkOwnershipAccess(client.connection, request)));
      findings.throwIfAny();
      const survey = await surveyOwnership(request);
      if (yes) findings.add(...survey.findings);
      findings.throwIfAny();
      const moved = yes ? await moveAll(request, survey, print) : undefined;
      if (moved === undefined) for (const each of survey.objects) print(ownershipText(each, 'would move'));
      for (const line of leftOutTexts(survey)) print(line);
      print(summaryText(survey, moved?.results));
      const outcome: CommandOutcome = {
        result: {
          dryRun: !yes,
          read: survey.read,
          leftOut: Object.fromEntries(survey.leftOut),
          objects: survey.objects.map((planned, index) => {
            const done = moved?.results[index];
            return done === undefined
              ? ownershipResult(planned, 'planned')
              : ownershipResult(done, done.action);
          }),
        },
        warnings: [
          ...warnings,
          ...unusedManagers(from, survey),
          ...leftManagers(survey),
          ...unmanaged(survey),
        ],
        errors: moved === undefined ? survey.findings : failuresOf(moved.results),
      };
      return moved?.isEnded === false ? interrupted(outcome, moved.failure, context, options) : outcome;
    } finally {
      await client.close();
    }
  },
});

/** Results of the objects that were tried, at the positions of the objects. */
type Results = readonly (OwnershipResult | undefined)[];

type Moved =
  | { readonly isEnded: true; readonly results: Results }
  | { readonly isEnded: false; readonly results: Results; readonly failure: unknown };

/** Moves the fields of all objects. After an interruption or an error that concerns all objects, waits for the running patches. */
async function moveAll(
  request: OwnershipRequest,
  { objects }: OwnershipSurvey,
  print: (line: string) => void,
): Promise<Moved> {
  const results: (OwnershipResult | undefined)[] = [];
  try {
    await inParallel([...objects.entries()], async ([index, planned]) => {
      const result = await moveOwnership(request, planned);
      results[index] = result;
      print(ownershipText(result, result.action));
    });
    return { isEnded: true, results };
  } catch (failure) {
    if (results.length === 0) throw failure;
    return { isEnded: false, results, failure };
  }
}

/**
 * Returns the outcome of a migration that ended early, with what was done.
 *
 * @throws the failure, if the outcome cannot express it and all results are printed
 */
function interrupted(
  outcome: CommandOutcome,
  failure: unknown,
  { signal }: CliContext,
  { output }: GlobalOptions,
): CommandOutcome {
  const { errors = [] } = outcome;
  if (!signal.aborted && isOpSdkError(failure))
    return { ...outcome, errors: [...errors, ...failure.findings] };
  if (!signal.aborted || output !== 'json') throw failure;
  const finding: Finding = { code: 'cli/interrupted', message: 'interrupted' };
  return { ...outcome, errors: [...errors, finding], exitCode: interruptedCode };
}

function failuresOf(results: Results): readonly Finding[] {
  return results.flatMap((each) => (each?.action === 'failed' ? each.findings : []));
}

function summaryText({ objects, read }: OwnershipSurvey, results: Results | undefined): string {
  const ofRead = `of ${countText(read, 'object')}`;
  if (objects.length === 0) return `nothing to move in ${countText(read, 'object')}`;
  if (results === undefined)
    return `fields of ${objects.length} ${ofRead} would move; nothing was written, --yes moves them`;
  const count = (wanted: OwnershipResult['action']): number =>
    results.filter((each) => each?.action === wanted).length;
  const failed = count('failed');
  const untried = objects.length - results.filter((each) => each !== undefined).length;
  const parts = [
    `fields of ${count('moved')} ${ofRead} moved`,
    failed === 0 ? [] : `${countText(failed, 'object')} not moved`,
    untried === 0 ? [] : `${countText(untried, 'object')} not tried`,
  ];
  return parts.flat().join(', ');
}

function leftOutTexts({ leftOut }: OwnershipSurvey): readonly string[] {
  return [...leftOut].map(
    ([kind, count]) =>
      `${kind}: ${countText(count, 'object')} left out: not controlled by an object of a kind that the project reconciles; --all-objects includes them`,
  );
}

/** Warns of objects without managed fields. Their fields have no owner until the next apply. */
function unmanaged({ unmanaged: count }: OwnershipSurvey): readonly Finding[] {
  if (count === 0) return [];
  return [
    {
      code: 'cluster/no-managed-fields',
      message: `${countText(count, 'object')} without managed fields: their fields cannot be moved before the first apply`,
      fix: ['let the operator apply them once, and run the command again with --from=before-first-apply'],
    },
  ];
}

/** Warns of fields that stay with a former manager. */
function leftManagers({ left }: OwnershipSurvey): readonly Finding[] {
  return [...left].map(([owner, { count }]) => ({
    code: 'cluster/ownership-left',
    message: `fields of ${countText(count, 'object')} keep their owner ${owner}: only fields that an update of the object or its status has written are moved`,
    fix: ['remove these fields by hand if the operator does not set them'],
  }));
}

/** Maximum number of managers that a warning lists. */
const shownManagers = 10;

/**
 * Warns of each former manager that owns nothing, which may be misspelt, and names those that own something. A manager whose fields stay
 * has its own warning.
 */
function unusedManagers(
  from: readonly string[],
  { updaters, left, read }: OwnershipSurvey,
): readonly Finding[] {
  const present = [...updaters]
    .sort(([, left], [, right]) => right - left)
    .slice(0, shownManagers)
    .map(([name, count]) => `${name} (${count})`);
  const staying = new Set([...left.values()].map(({ manager }) => manager));
  return from
    .filter((name) => !updaters.has(name) && !staying.has(name))
    .map((name) => ({
      code: 'cluster/field-manager-not-found',
      message: `no field of ${countText(read, 'object')} is owned by '${name}' by update`,
      where: { flag: '--from' },
      fix: [
        present.length === 0
          ? 'nothing is left to do, or the namespace or the kinds are others'
          : `nothing is left to do, or it is one of these, with the number of their objects: ${present.join(', ')}`,
      ],
    }));
}
