// The operator's own Pod, as it is scaffolded: where it may run, and how fast it is replaced and ready.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const golden = new URL('../../../golden/projects/basic/', import.meta.url);
const text = readFileSync(new URL('config/manager/manager.yaml', golden), 'utf8');
const deployment = parseAllDocuments(text)
  .map((document) => document.toJS())
  .find(({ kind }) => kind === 'Deployment');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

describe('the user', () => {
  test('is left to the image and the cluster: OpenShift refuses a Pod that fixes its number', () => {
    expect(text).not.toMatch(/runAsUser:|runAsGroup:|fsGroup:/);
    expect(pod.securityContext.runAsNonRoot).toBe(true);
  });

  test('of the image is a number, without which runAsNonRoot cannot be checked', () => {
    expect(readFileSync(new URL('Dockerfile', golden), 'utf8')).toMatch(/^USER 65532:65532$/m);
  });
});

test('a rolling update may run two operators for a while, of which one leads', () => {
  expect(deployment.spec.strategy).toBeUndefined();
  expect(deployment.spec.replicas).toBe(1);
  expect(container.args).toContain('--leader-elect');
});

describe('probes', () => {
  test('an operator that answers is ready within three seconds more', () => {
    const { startupProbe, readinessProbe } = container;
    expect(startupProbe.initialDelaySeconds ?? 0).toBe(0);
    expect(readinessProbe.initialDelaySeconds ?? 0).toBe(0);
    expect(startupProbe.periodSeconds + readinessProbe.periodSeconds).toBeLessThanOrEqual(4);
  });

  test('a slow node has a minute to start it', () => {
    const { periodSeconds, failureThreshold } = container.startupProbe;
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(60);
  });

  test('while it waits for its caches it is not ready, but not killed either', () => {
    expect(container.startupProbe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  });
});
