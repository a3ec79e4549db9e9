import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { olmFlag } from '../flags/olm-flags.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import type { OlmVersion } from '../../olm/catalog/index.ts';
import { patientClient, removeObjects } from '../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { countText } from '../../base/util/words.ts';
import { customResourcesOf, packageObjects, placedObject, type PackageObjects } from '../../olm/run/index.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { objectLog } from '../ui/object-lines.ts';
import { askYesOrNo } from '../ui/prompts.ts';
import { Interrupted } from '../ui/interrupted.ts';
import { connect } from '../actions/cluster/connect.ts';
import { durationFlag } from '../actions/input/flag-values.ts';
import { chooseOlm } from '../actions/olm/olm-release.ts';

const flags = {
  ...olmFlag,
  namespace: flag.text('name', 'where the operator runs (default: the namespace of the context)', {
    short: 'n',
  }),
  'delete-crds': flag.boolean('OLM v0: delete its CustomResourceDefinitions too'),
  'delete-operator-groups': flag.boolean(
    'OLM v0: delete the OperatorGroup of `run bundle` too, if no other operator needs it',
  ),
  'delete-all': flag.boolean('both'),
  yes: flag.boolean('delete custom resources without asking'),
  force: flag.boolean('continue although custom resources have finalizers'),
  timeout: flag.text('duration', 'how long to wait for each step (default: 2m)'),
  ...clusterFlags,
  ...serverDryRunFlag,
};

export const command = defineCommand({
  arguments: [['<package>', "the name of the operator's package, as its bundle has it"]],
  flags,
  help: `
Deletes an operator that op-sdk run bundle or operator-sdk run bundle has installed, in order: the Subscription, the
operator and what OLM v0 leaves of it (ClusterRoles), the catalogue. OLM v0 keeps the CustomResourceDefinitions and their
objects; OLM v1 deletes them with the operator. Custom resources go first, while the operator still runs. If there are
any, op-sdk lists them and asks on a terminal; without a terminal it needs --yes.`,
  async run(context, options, [packageName = '']) {
    const { signal } = context;
    const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
    const dryRun = options.dryRun === true;
    const connected = await connect(context, options);
    const client = patientClient(connected, { onProgress: (line) => context.report.step(line) });
    const log = objectLog(context, { dryRun, json: options.output === 'json' });
    const result = { package: packageName, dryRun, objects: log.outcomes };
    try {
      const olm = await chooseOlm(client, options.olm, signal);
      const namespace = options.namespace ?? client.connection.cluster.namespace;
      const query = { client, olm, packageName, namespace, signal };
      const found = await packageObjects(query);
      if (isEmpty(found)) throw notInstalled(packageName, olm, namespace);
      const deletesCrds = olm === 'v1' || options.deleteCrds || options.deleteAll;
      const confirmed = new Set<string | undefined>();
      // Custom resources may be created at any time, and a later query may find more kinds. So the user is asked again, but only about new
      // custom resources.
      const confirmedResources = async (crds: readonly KubeObject[]): Promise<readonly KubeObject[]> => {
        const lost = deletesCrds ? await customResourcesOf(client, crds, signal) : [];
        const news = lost.filter(({ metadata }) => !confirmed.has(metadata.uid));
        for (const warning of await confirmLoss(context, { olm, options }, news)) log.warning(warning);
        for (const { metadata } of news) confirmed.add(metadata.uid);
        return lost;
      };
      await confirmedResources(found.crds);
      const remove = async (objects: readonly KubeObject[]): Promise<void> => {
        if (objects.length === 0) return;
        await removeObjects({
          client,
          objects: objects.map((object) => placedObject(object as unknown as ManifestObject)),
          dryRun,
          force: options.force === true,
          timeout,
          signal,
          // The user has already confirmed the loss of the objects, so the effects of the deletion are not shown again.
          onImpact: async () => undefined,
          // All objects existed when the cleanup began. An object that is missing by now was deleted by OLM or with its owner, so it is not
          // reported.
          onOutcome: (outcome, title) => {
            if (outcome.action !== 'not-found') log.outcome(outcome, title);
          },
        });
      };
      await remove(found.subscriptions);
      // Query the objects of the package again, because OLM may still have been creating some.
      let rest = dryRun ? found : await packageObjects({ ...query, known: found });
      for (let round = 0; round < mostRounds; round++) {
        const steps = stepsOf(rest, { olm, options });
        if (steps.length === 0) break;
        await remove(await confirmedResources(rest.crds));
        for (const step of steps) await remove(step);
        if (dryRun) break;
        rest = await packageObjects({ ...query, known: rest });
      }
      const kept = keptOf(found, { olm, options });
      for (const line of kept.lines) context.report.info(line);
      for (const name of found.unread)
        context.report.info(`may be left  ${name} (reading it is forbidden; OLM v0 leaves it behind)`);
      return { result: { ...result, kept: kept.names }, warnings: log.warnings };
    } catch (error) {
      return log.failed(error, result);
    } finally {
      await connected.close();
    }
  },
});

type Options = ParsedOptions<typeof flags>;

/** Default of `--timeout`, in milliseconds. */
const defaultTimeout = 120_000;

/**
 * Maximum number of rounds of deletion. OLM stops installing once its InstallPlan is deleted. Objects that still appear after this many
 * rounds were created by somebody else.
 */
const mostRounds = 5;

interface Choice {
  readonly olm: OlmVersion;
  readonly options: Options;
}

/** Returns the steps of the cleanup in order: the operator must finish its custom resources before the operator itself is deleted. */
function stepsOf(
  { crds, operators, leftovers, catalogs, groups }: PackageObjects,
  { olm, options }: Choice,
): readonly (readonly KubeObject[])[] {
  return [
    olm === 'v0' && (options.deleteCrds || options.deleteAll) ? crds : [],
    operators,
    leftovers,
    catalogs,
    options.deleteOperatorGroups || options.deleteAll ? groups : [],
  ].filter(({ length }) => length > 0);
}

function isEmpty({ subscriptions, crds, operators, leftovers, catalogs }: PackageObjects): boolean {
  return [subscriptions, crds, operators, leftovers, catalogs].every(({ length }) => length === 0);
}

/** Returns the objects that the cleanup does not delete, with the command that deletes them. */
function keptOf(
  { crds, groups }: PackageObjects,
  { olm, options }: Choice,
): { readonly names: readonly string[]; readonly lines: readonly string[] } {
  const kept: [KubeObject, string][] = [];
  if (olm === 'v0' && !options.deleteAll) {
    if (!options.deleteCrds) kept.push(...crds.map((crd): [KubeObject, string] => [crd, '--delete-crds']));
    if (!options.deleteOperatorGroups)
      kept.push(...groups.map((group): [KubeObject, string] => [group, '--delete-operator-groups']));
  }
  const titled = kept.map(([{ kind, metadata }, flag]) => [`${kind}/${metadata.name}`, flag] as const);
  return {
    names: titled.map(([title]) => title),
    lines: titled.map(([title, flag]) => `kept  ${title} (${flag} deletes it)`),
  };
}

/**
 * Asks the user to confirm that objects will be lost by the cleanup. @throws OpSdkError `olm/objects-lost` if `--yes` is not given and the
 * user cannot be prompted
 */
async function confirmLoss(
  context: CliContext,
  { olm, options: { yes, dryRun } }: Choice,
  objects: readonly KubeObject[],
): Promise<readonly Finding[]> {
  if (objects.length === 0) return [];
  const names = objects.map(({ kind, metadata: { name, namespace } }) =>
    namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
  );
  const some = `${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`;
  const finding: Finding = {
    code: 'olm/objects-lost',
    message: `this deletes ${countText(names.length, 'custom resource')}: ${some}`,
  };
  if (yes === true || dryRun === true) return [finding];
  if (!context.interactive)
    throw new OpSdkError({
      ...finding,
      fix: [
        'delete them with the operator: --yes',
        olm === 'v0'
          ? 'or keep them: leave --delete-crds and --delete-all out'
          : 'or keep the operator: OLM v1 deletes its definitions with it, and their objects with these',
      ],
    });
  context.report.warn(finding);
  if ((await askYesOrNo(context, 'Delete these objects? This cannot be undone.', false)) !== true)
    throw new Interrupted();
  return [];
}

function notInstalled(packageName: string, olm: OlmVersion, namespace: string): OpSdkError {
  const where = olm === 'v0' ? ` in the namespace ${namespace}` : '';
  return new OpSdkError({
    code: 'olm/package-not-installed',
    message: `the package ${packageName} is not installed by OLM ${olm}${where}`,
    where: { object: packageName },
    fix:
      olm === 'v0'
        ? [
            'name the namespace in which it is installed: --namespace NAME',
            'see all Subscriptions: kubectl get subscriptions -A',
          ]
        : ['see all ClusterExtensions: kubectl get clusterextensions'],
  });
}
