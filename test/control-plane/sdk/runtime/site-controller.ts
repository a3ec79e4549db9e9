import { setTimeout as sleep } from 'node:timers/promises';
import {
  conditionsOf,
  defineController,
  metricsRegistry,
  ownedBy,
  type Controller,
} from '../../../../src/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { Site } from './site.ts';

export const slow = { timeout: 60_000 };

export function deploymentOf(site: Readonly<Site>) {
  const labels = { app: site.metadata.name };
  return {
    metadata: { name: site.metadata.name, ...ownedBy(site) },
    spec: {
      replicas: site.spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
  };
}

/** Keeps a Deployment for each Site and says so in the status. */
export function siteController(name: string): Controller {
  return defineController({
    name,
    for: Site,
    owns: [Deployment],
    async reconcile(site, { client, key }) {
      const deployment = await client.apply(Deployment, deploymentOf(site));
      const conditions = conditionsOf(site, ['Available']);
      const message = `of ${site.spec.replicas ?? 1}`;
      if (deployment.status?.readyReplicas === site.spec.replicas)
        conditions.true('Available', 'Counted', message);
      else conditions.false('Available', 'Counted', message);
      await client.applyStatus(Site, key, { conditions: conditions.toJSON() });
    },
  });
}

export async function reconciles(controller: string): Promise<number> {
  const { values } = (await metricsRegistry.getSingleMetric('controller_runtime_reconcile_total')?.get()) ?? {
    values: [],
  };
  return values.filter((v) => v.labels['controller'] === controller).reduce((sum, v) => sum + v.value, 0);
}

/** Waits until the controller has rested for a while; gives its number of reconciles. */
export async function untilQuiet(controller: string): Promise<number> {
  return eventually(async () => {
    const before = await reconciles(controller);
    await sleep(1500);
    return (await reconciles(controller)) === before && before;
  }, slow);
}
