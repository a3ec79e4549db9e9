// Whatever the schema of a chart's values accepts renders to objects that the API server accepts, or fails with the path of a value.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { renderChart } from '../../../src/project/chart/index.ts';
import { apiRequest } from '../../../src/testing/http/api-request.ts';
import { sharedControlPlane, uniqueNamespace, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { createRandom } from '../../helpers/random.ts';
import { RandomValues, type Schema } from '../../helpers/random-values.ts';
import { isThorough } from '../../helpers/thorough.ts';
import { collectionPath } from './collection-path.ts';
import { ChartFolder, missing } from './helm.ts';
import { deployedProjects } from './projects.ts';

const ofOthers = ['ServiceMonitor', 'PodMonitor', 'PrometheusRule'];

/** Scaffolds whose charts have what no example has: all parts and webhooks, conversions, an operator that watches its own namespace. */
const scaffolds = [
  'all-webhooks config/default, with line 9 and PROMETHEUS and METRICS',
  'conversion config/default',
  'namespaced config/default',
];
const projects = (await deployedProjects()).filter(
  ({ title }) => title.startsWith('example ') || scaffolds.includes(title),
);
/** Sets of values for each project: each is a run of Helm. The types of Kubernetes have a quicker test among those of the control plane. */
const count = Math.ceil((isThorough ? 500 : 40) / projects.length);
const first = Number(process.env['SEED'] ?? 1);

describe.skipIf(missing !== undefined)('random values of a chart', () => {
  let plane: SharedControlPlane;
  let namespace: string;

  beforeAll(async () => {
    plane = await sharedControlPlane();
    namespace = await uniqueNamespace(plane, 'chart');
  });

  /** Returns why the API server refuses an object; undefined if it does not. */
  async function refusal(object: ManifestObject): Promise<string | undefined> {
    if (ofOthers.includes(object.kind)) return undefined;
    const path = `${collectionPath(object, namespace)}?dryRun=All&fieldValidation=Strict`;
    const response = await apiRequest(plane, { method: 'POST', path, body: object });
    return response.status === 201 ? undefined : (response.json() as { message: string }).message;
  }

  test('are those of every example, and of scaffolds', () => {
    expect(projects.length).toBeGreaterThanOrEqual(6 + scaffolds.length);
  });

  test.each(projects.map((project, index) => [project.title, project, first + index * count] as const))(
    'render to objects that the API server accepts: %s',
    { timeout: 1_200_000 },
    async (_title, { name, objects: deployed }, seedOfProject) => {
      const about = { version: '0.1.0', description: 'An operator', root: undefined };
      using chart = new ChartFolder(await renderChart({ name, objects: deployed, ...about }));
      const schema = JSON.parse(readFileSync(join(chart.chart, 'values.schema.json'), 'utf8')) as Schema;
      // Definitions do not depend on values, and are most of the text. The API server has no kinds of cert-manager.
      const fixed = {
        ...(schema.properties?.['crds'] ? { crds: { install: false } } : {}),
        ...(schema.properties?.['webhooks'] ? { webhooks: { certProvider: 'self-signed' } } : {}),
      };
      const refused: unknown[] = [];
      let rendered = 0;
      for (let seed = seedOfProject; seed < seedOfProject + count; seed++) {
        const random = new RandomValues(createRandom(seed)).of(schema) as Readonly<Record<string, unknown>>;
        const values = { ...random, ...fixed };
        let objects: readonly ManifestObject[];
        try {
          objects = chart.template('helm4', { name, namespace, values });
        } catch (error) {
          // Rules about several values: the template names their paths. The schema also sees values beside defaults.
          if (!/values of the chart:\n[a-zA-Z]+[.[]|- at '\//.test(String(error)))
            refused.push({ seed, values: JSON.stringify(values), error: String(error).slice(-800) });
          continue;
        }
        rendered++;
        const messages = (await Promise.all(objects.map(refusal))).filter((each) => each !== undefined);
        if (messages.length > 0) refused.push({ seed, messages, values: JSON.stringify(values) });
      }
      expect(refused).toEqual([]);
      expect(rendered).toBeGreaterThan(count / 3);
    },
  );
});
