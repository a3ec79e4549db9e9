import {
  defineController,
  defineIndex,
  labelsChanged,
  metadataOnly,
  owned,
  terminalError,
  watch,
  type KubeObject,
  type MapContext,
  type ObjectKey,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Namespace, Secret, Service } from 'opsdk/k8s/core/v1';
import { Alertmanager, type AlertmanagerStatus } from '../../api/monitoring/v1/alertmanager.ts';
import { AlertmanagerConfig } from '../../api/monitoring/v1alpha1/alertmanager-config.ts';
import {
  alertmanagerConfig,
  configFile,
  configFolder,
  emptyConfig,
} from '../../config/alertmanager-config.ts';
import type { LeftOut } from '../../config/prometheus-config.ts';
import { encodeData } from '../../config/render.ts';
import { thoseWhoSelect, type SelectorsOf } from '../../selection/concerned.ts';
import { renderWithAssets } from '../../selection/load-assets.ts';
import { referencesOf } from '../../selection/references.ts';
import { selectOrRefuse } from '../../selection/select.ts';
import {
  alertmanagerLabels,
  alertmanagerName,
  configSecretName,
  desiredSecret,
  desiredService,
  desiredStatefulSet,
  generatedSecretName,
} from '../../workload/alertmanager.ts';
import { warnAuthors, type Outcome } from '../../workload/conditions.ts';
import { countResources, forgetResources } from '../../workload/metrics.ts';
import { refuseForeign, selectorOf } from '../../workload/own-objects.ts';
import { singleStatus } from '../../workload/single-status.ts';

const configsByReference = defineIndex(AlertmanagerConfig, 'reference', ({ metadata, spec }) =>
  referencesOf(spec, metadata.namespace ?? ''),
);
const alertmanagersBySecret = defineIndex(Alertmanager, 'configSecret', (alertmanager): string => {
  const { namespace = '' } = alertmanager.metadata;
  return `${namespace}/${configSecretName(alertmanager)}`;
});

const selectors: SelectorsOf<Alertmanager> = ({ spec }) => ({
  selector: spec.alertmanagerConfigSelector,
  namespaceSelector: spec.alertmanagerConfigNamespaceSelector,
});

/**
 * Keeps for each Alertmanager a StatefulSet whose Pods form a cluster, and a configuration with the AlertmanagerConfigs that it selects.
 *
 * @allow manifests/reads-all-secrets AlertmanagerConfigs refer to Secrets in any namespace. Their metadata is watched, and their data read when a configuration needs it.
 */
export const alertmanagerController = defineController({
  for: Alertmanager,
  owns: [StatefulSet, Service, owned(metadataOnly(Secret))],
  watches: [
    watch(AlertmanagerConfig, { map: selecting }),
    watch(metadataOnly(Namespace), {
      predicates: [labelsChanged],
      map: async (_namespace, { client }) =>
        (await client.list(Alertmanager)).items.map(({ metadata }) => metadata),
    }),
    watch(metadataOnly(Secret), { map: referringTo }),
    watch(metadataOnly(ConfigMap), { map: referringTo }),
  ],
  indexes: [configsByReference, alertmanagersBySecret],
  concurrency: 4,
  async reconcile(alertmanager, context) {
    const isPaused = alertmanager.spec.paused === true;
    const leftOut = isPaused ? [] : await applyObjects(alertmanager, context);
    await writeStatus(alertmanager, context, { leftOut });
  },
  async onError(alertmanager, error, context) {
    await writeStatus(alertmanager, context, { error });
  },
  forget(key) {
    forgetResources('alertmanager', key, ['AlertmanagerConfig']);
  },
});

/**
 * Writes everything that an Alertmanager consists of.
 *
 * @returns the objects that its configuration does not have
 * @allow manifests/reads-all-secrets The owner of a Secret is read from its metadata.
 */
async function applyObjects(
  alertmanager: Stored<Alertmanager>,
  context: ReconcileContext,
): Promise<readonly LeftOut[]> {
  const { client, key } = context;
  const base = await baseConfig(alertmanager, context);
  const configs = selectOrRefuse(
    (await client.list(AlertmanagerConfig)).items,
    (await client.list(metadataOnly(Namespace))).items,
    { ...selectors(alertmanager), ownNamespace: key.namespace ?? '' },
  );
  const text = Buffer.from(base[configFile] ?? '', 'base64').toString('utf8');
  const { files, leftOut, problems, ...config } = await renderWithAssets(client, configFolder, (assets) =>
    alertmanagerConfig(alertmanager, text, configs, assets),
  );
  countResources('alertmanager', key, [
    { resource: 'AlertmanagerConfig', selected: configs.length, rejected: leftOut.length },
  ]);
  warnAuthors(context, leftOut, alertmanager);
  if (problems.length > 0) throw terminalError(new Error(problems.join('; ')));
  // Templates of the user are files beside the configuration.
  const data = { ...base, ...encodeData(files), ...encodeData(new Map([[configFile, config.text]])) };
  const own = { namespace: key.namespace, name: alertmanagerName(alertmanager) };
  const generated = { namespace: key.namespace, name: generatedSecretName(alertmanager) };
  refuseForeign(await client.find(metadataOnly(Secret), generated), alertmanager);
  refuseForeign(await client.find(Service, own), alertmanager);
  refuseForeign(await client.find(StatefulSet, own), alertmanager);
  await client.apply(Secret, desiredSecret(alertmanager, data));
  await client.apply(Service, desiredService(alertmanager));
  await client.apply(StatefulSet, desiredStatefulSet(alertmanager));
  return leftOut;
}

/**
 * Returns the data of the Secret with the configuration, as base64. Without one, nobody is notified.
 *
 * @throws a terminal error if the spec names a Secret that does not exist, or the Secret has no configuration
 */
async function baseConfig(
  alertmanager: Stored<Alertmanager>,
  { client, key: { namespace } }: ReconcileContext,
): Promise<Readonly<Record<string, string>>> {
  const name = configSecretName(alertmanager);
  const secret = await client.live.find(Secret, { namespace, name });
  if (secret?.data?.[configFile] !== undefined) return secret.data;
  if (secret !== undefined)
    throw terminalError(new Error(`Secret ${name}: the key ${configFile} is missing`));
  // The watch of Secrets starts the next try.
  if (alertmanager.spec.configSecret) throw terminalError(new Error(`Secret ${name} does not exist`));
  return encodeData(new Map([[configFile, emptyConfig]]));
}

async function writeStatus(
  alertmanager: Stored<Alertmanager>,
  { client, key }: Pick<ReconcileContext, 'client' | 'key'>,
  outcome: Outcome,
): Promise<void> {
  const statefulSet = await client.find(StatefulSet, { ...key, name: alertmanagerName(alertmanager) });
  const status: AlertmanagerStatus = {
    ...singleStatus(alertmanager, statefulSet, outcome),
    selector: selectorOf(alertmanagerLabels(alertmanager)),
  };
  await client.applyStatus(Alertmanager, key, status);
}

/** Returns the Alertmanagers that select an AlertmanagerConfig. */
async function selecting(config: KubeObject, context: MapContext): Promise<readonly ObjectKey[]> {
  return thoseWhoSelect(config, (await context.client.list(Alertmanager)).items, selectors, context);
}

/** Returns the Alertmanagers whose configuration has something of a Secret or ConfigMap. */
async function referringTo(
  { metadata: { namespace = '', name = '' } }: KubeObject,
  context: MapContext,
): Promise<readonly ObjectKey[]> {
  const { client } = context;
  const reference = `${namespace}/${name}`;
  const keys: ObjectKey[] = (await client.byIndex(alertmanagersBySecret, reference)).items.map(
    ({ metadata }) => metadata,
  );
  for (const config of (await client.byIndex(configsByReference, reference)).items)
    keys.push(...(await selecting(config, context)));
  return keys;
}
