import { defineCommand } from '../command.ts';
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
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
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
      const { targets, warnings } = ownershipTargets(await client.discover({ signal }), input, to);
      const request: OwnershipRequest = {
        client,
        targets,
        from,
        namespace: options.allNamespaces
          ? undefined
          : (options.namespace ?? client.connection.cluster.namespace),
        labelSelector: options.selector,
        signal,
        onProgress: ({ plural }, done) => report.step(`${plural}: ${done} objects`),
      };
      const findings = new FindingList();
      if (yes) findings.add(...(await checkOwnershipAccess(client.connection, request)));
      findings.throwIfAny();
      const survey = await surveyOwnership(request);
      findings.add(...survey.findings);
      findings.throwIfAny();
      const results = yes ? await moveAll(request, survey, print) : undefined;
      if (results === undefined) for (const each of survey.objects) print(ownershipText(each, 'would move'));
      print(summaryText(survey, results));
      return {
        result: {
          dryRun: !yes,
          read: survey.read,
          objects: results
            ? results.map((each) => ownershipResult(each, each.action))
            : survey.objects.map((each) => ownershipResult(each, 'planned')),
        },
        warnings: [...warnings, ...unusedManagers(from, survey), ...leftManagers(survey)],
        errors: (results ?? []).flatMap((each) => (each.action === 'failed' ? each.findings : [])),
      };
    } finally {
      await client.close();
    }
  },
});

function moveAll(
  request: OwnershipRequest,
  { objects }: OwnershipSurvey,
  print: (line: string) => void,
): Promise<readonly OwnershipResult[]> {
  return inParallel(objects, async (planned) => {
    const result = await moveOwnership(request, planned);
    print(ownershipText(result, result.action));
    return result;
  });
}

function summaryText(
  { objects, read }: OwnershipSurvey,
  results: readonly OwnershipResult[] | undefined,
): string {
  if (objects.length === 0) return `nothing to move in ${read} objects`;
  if (results === undefined)
    return `fields of ${objects.length} of ${read} objects would move; nothing was written, --yes moves them`;
  const count = (wanted: OwnershipResult['action']): number =>
    results.filter(({ action }) => action === wanted).length;
  const failed = count('failed');
  return `fields of ${count('moved')} of ${read} objects moved${failed === 0 ? '' : `, ${failed} objects not moved`}`;
}

/** Warns of fields that stay with a former manager. */
function leftManagers({ left }: OwnershipSurvey): readonly Finding[] {
  return [...left].map(([owner, count]) => ({
    code: 'cluster/ownership-left',
    message: `fields of ${count} objects stay owned by ${owner}: only fields of updates of the object or its status move`,
    fix: ['remove these fields by hand if the operator does not set them'],
  }));
}

/** Maximum number of managers that a warning lists. */
const shownManagers = 10;

/** Warns of each former manager that owns nothing, which may be misspelt, and names those that own something. */
function unusedManagers(from: readonly string[], { updaters, read }: OwnershipSurvey): readonly Finding[] {
  const present = [...updaters]
    .sort(([, left], [, right]) => right - left)
    .slice(0, shownManagers)
    .map(([name, count]) => `${name} (${count})`);
  return from
    .filter((name) => !updaters.has(name))
    .map((name) => ({
      code: 'cluster/field-manager-not-found',
      message: `no field of ${read} objects is owned by '${name}' by update`,
      where: { flag: '--from' },
      fix: [
        present.length === 0
          ? 'nothing is left to do, or the namespace or the kinds are others'
          : `nothing is left to do, or it is one of these, with the number of their objects: ${present.join(', ')}`,
      ],
    }));
}
