// Whatever the schema of a chart's values accepts renders to objects that the API server accepts, or fails with the path of a value.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderKustomization } from '../../../src/kubernetes/kustomize/index.ts';
import type { ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { renderChart } from '../../../src/project/chart/index.ts';
import { apiRequest } from '../../../src/testing/http/api-request.ts';
import { sharedControlPlane, uniqueNamespace, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { createRandom } from '../../helpers/random.ts';
import { RandomValues, type Schema } from '../../helpers/random-values.ts';
import { isThorough } from '../../helpers/thorough.ts';
import { collectionPath } from './collection-path.ts';
import { ChartFolder, missing } from './helm.ts';

const ofOthers = ['ServiceMonitor', 'PodMonitor', 'PrometheusRule'];

describe.skipIf(missing !== undefined)('random values of a chart', () => {
  let chart: ChartFolder;
  let plane: SharedControlPlane;
  let namespace: string;

  beforeAll(async () => {
    plane = await sharedControlPlane();
    namespace = await uniqueNamespace(plane, 'chart');
    const cwd = join(import.meta.dirname, '../../../examples/etcd-operator');
    const objects = (await renderKustomization('config/default', { cwd })).map(({ object }) => object);
    const about = { version: '0.1.0', description: 'An operator', root: undefined };
    chart = new ChartFolder(await renderChart({ name: 'etcd-operator', objects, ...about }));
  });
  afterAll(() => {
    chart[Symbol.dispose]();
  });

  /** Returns why the API server refuses an object; undefined if it does not. */
  async function refusal(object: ManifestObject): Promise<string | undefined> {
    if (ofOthers.includes(object.kind)) return undefined;
    const path = `${collectionPath(object, namespace)}?dryRun=All&fieldValidation=Strict`;
    const response = await apiRequest(plane, { method: 'POST', path, body: object });
    return response.status === 201 ? undefined : (response.json() as { message: string }).message;
  }

  test('render to objects that the API server accepts', { timeout: 1_200_000 }, async () => {
    const schema = JSON.parse(readFileSync(join(chart.chart, 'values.schema.json'), 'utf8')) as Schema;
    const first = Number(process.env['SEED'] ?? 1);
    // Each set of values is a run of Helm; the types of Kubernetes have a quicker test among those of the control plane.
    const count = isThorough ? 500 : 40;
    const refused: unknown[] = [];
    let rendered = 0;
    for (let seed = first; seed < first + count; seed++) {
      const random = new RandomValues(createRandom(seed)).of(schema) as Readonly<Record<string, unknown>>;
      // Definitions do not depend on values, and are most of the text. The API server has no kinds of cert-manager.
      const values = { ...random, crds: { install: false }, webhooks: { certProvider: 'self-signed' } };
      let objects: readonly ManifestObject[];
      try {
        objects = chart.template('helm4', { name: 'etcd-operator', namespace, values });
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
    expect(rendered).toBeGreaterThan(count / 2);
  });
});
