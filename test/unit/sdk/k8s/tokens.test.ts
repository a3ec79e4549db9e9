import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ObjectOf, Resource } from '../../../../src/sdk/api/index.ts';
import { Deployment, StatefulSet } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import {
  Namespace,
  Service,
  type ContainerPort,
  type PodTemplateSpec,
} from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { Event } from '../../../../src/sdk/k8s/generated/events/v1.ts';

const generated = join(import.meta.dirname, '../../../../src/sdk/k8s/generated');

describe('built-in tokens', () => {
  it('know group, version, plural and scope', () => {
    expect(Deployment).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
      apiVersion: 'apps/v1',
    });
    expect(Service).toMatchObject({ group: '', apiVersion: 'v1', plural: 'services' });
    expect(Namespace.namespaced).toBe(false);
    expect(Event.apiVersion).toBe('events.k8s.io/v1');
  });

  it('stand in the file of their group and version, under the name of their kind', async () => {
    let count = 0;
    for (const group of readdirSync(generated)) {
      for (const file of readdirSync(join(generated, group))) {
        const module = (await import(join(generated, group, file))) as Record<string, Resource>;
        for (const [name, token] of Object.entries(module)) {
          count++;
          expect(token.kind).toBe(name);
          expect(file).toBe(`${token.version}.ts`);
          expect(token.group === '' ? 'core' : token.group.split('.')[0]).toBe(group);
        }
      }
    }
    expect(count).toBeGreaterThan(60);
  });

  it('carry their type', () => {
    expectTypeOf<ObjectOf<typeof Deployment>>().toEqualTypeOf<Deployment>();
    expectTypeOf<ContainerPort['containerPort']>().toEqualTypeOf<number>();
    expectTypeOf<ContainerPort['protocol']>().toEqualTypeOf<'SCTP' | 'TCP' | 'UDP' | undefined>();
    expectTypeOf<NonNullable<Deployment['spec']>['template']>().toEqualTypeOf<PodTemplateSpec>();
    const claim: NonNullable<NonNullable<StatefulSet['spec']>['volumeClaimTemplates']>[number] = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    expect(StatefulSet.kind).toBe('StatefulSet');
    expect(claim.metadata?.name).toBe('data');
  });

  it('cost a bundle nothing but themselves', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { Deployment } from './apps/v1.ts'; import { Service } from './core/v1.ts'; console.log(Deployment, Service);`,
        resolveDir: generated,
        loader: 'ts',
      },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    const text = outputFiles[0]?.text ?? '';
    expect(text).toContain('deployments');
    expect(text).not.toContain('statefulsets');
    expect(text.length).toBeLessThan(600);
  });
});
