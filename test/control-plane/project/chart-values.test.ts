// The schema of a chart's values beside the API server: both accept and refuse the same values of Kubernetes' types.
import { beforeAll, describe, expect, test } from 'vitest';
import { renderChart } from '../../../src/project/chart/index.ts';
import { apiRequest } from '../../../src/testing/http/api-request.ts';
import { sharedControlPlane, uniqueNamespace, type SharedControlPlane } from '../../helpers/control-plane.ts';
import { createRandom } from '../../helpers/random.ts';
import { RandomValues, type Schema } from '../../helpers/random-values.ts';
import { isServerOlderThan } from '../../helpers/server-version.ts';
import { runs } from '../../helpers/thorough.ts';

type Json = Readonly<Record<string, unknown>>;

/** Where a value of the chart is in a Pod; the others are fields of the Pod with the name of the value. */
const ofContainer: Readonly<Record<string, string>> = {
  resources: 'resources',
  securityContext: 'securityContext',
  extraEnv: 'env',
};
const ofPod: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['affinity', 'tolerations', 'topologySpreadConstraints', 'nodeSelector'].map((name) => [name, name]),
  ),
  podSecurityContext: 'securityContext',
};
/** Rules about several values, which the template checks.yaml has: Helm fails there. */
const ofSeveral = [
  ...['must be less than or equal to', 'must be equal to', 'Limit must be set for non overcommitable'],
  ...["doesn't follow extended resource name standard", 'Duplicate value'],
];
/** Values that the newest Kubernetes accepts, and older ones behind a feature gate (SELinuxMount). */
const ofNewest = isServerOlderThan('1.37') ? ['Unsupported value: "MountOption"'] : [];
const tolerated = [...ofSeveral, ...ofNewest];
const labels = { app: 'chart' };

function deployment(namespace: string, value: string, content: unknown): Json {
  const container = { name: 'manager', image: 'example.com/chart' };
  const part = ofContainer[value];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'chart', namespace },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [part === undefined ? container : { ...container, [part]: content }],
          ...(part === undefined ? { [ofPod[value] ?? '']: content } : {}),
        },
      },
    },
  };
}

/** Returns the reasons for which the API server refuses an object; none for an object that it accepts. */
function problemsOf(answer: unknown): readonly string[] {
  const { kind, message, details } = answer as {
    readonly kind: string;
    readonly message: string;
    readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message: string }[] };
  };
  if (kind !== 'Status') return [];
  return details?.causes?.map((cause) => `${cause.field ?? ''}: ${cause.message}`) ?? [message];
}

describe('the schema of a value of a chart', () => {
  let schemas: Readonly<Record<string, Schema>>;
  let plane: SharedControlPlane;
  let namespace: string;

  beforeAll(async () => {
    plane = await sharedControlPlane();
    namespace = await uniqueNamespace(plane, 'chart');
    const objects = [{ ...deployment(namespace, '', undefined) }] as never;
    const files = await renderChart({
      name: 'chart',
      version: '1.0.0',
      description: '',
      objects,
      root: undefined,
    });
    const text = files.find(({ path }) => path === 'values.schema.json')?.content ?? '';
    schemas = (JSON.parse(text) as { properties: Readonly<Record<string, Schema>> }).properties;
  });

  test.each([...Object.keys(ofContainer), ...Object.keys(ofPod)])(
    '%s: accepts what the API server accepts',
    async (name) => {
      const different: unknown[] = [];
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments?dryRun=All&fieldValidation=Strict`;
      const schema = schemas[name] ?? {};
      const first = Number(process.env['SEED'] ?? 1);
      const verdicts = { accepted: 0, refused: 0 };
      for (let seed = first; seed < first + runs(500); seed++) {
        const random = createRandom(seed);
        const values = new RandomValues(random);
        const made = values.of(schema, 1);
        const value = random.chance(0.6) ? values.mutated(made) : made;
        const body = deployment(namespace, name, value);
        const response = await apiRequest(plane, { method: 'POST', path, body });
        const problems = problemsOf(response.json());
        const isAccepted = problems.every((problem) => tolerated.some((part) => problem.includes(part)));
        verdicts[isAccepted ? 'accepted' : 'refused']++;
        if (isAccepted === values.accepts(schema, value)) continue;
        different.push({ seed, value: JSON.stringify(value), problems });
      }
      expect(different).toEqual([]);
      expect(verdicts.accepted).toBeGreaterThan(verdicts.refused / 10);
    },
  );
});
