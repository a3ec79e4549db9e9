import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  defineConversion,
  defineResource,
  type CustomResource,
  type ConversionOf,
  type HubConversion,
} from '../../../../../src/index.ts';
import { NginxV1, NginxV2, NginxV3 } from './versions.ts';

interface ListV1 extends CustomResource<'lists.example.com/v1', 'Servers'> {
  spec: { servers: { name: string; port: number }[]; mode?: 'fast' | 'safe'; old?: string };
}
interface ListV2 extends CustomResource<'lists.example.com/v2', 'Servers'> {
  spec: {
    servers: { name: string; port: number; weight?: number }[];
    mode?: 'fast' | 'safe' | 'off';
    tls?: { secret: string; versions?: string[] };
  };
}
const names = { group: 'lists.example.com', kind: 'Servers', plural: 'servers' } as const;
const ListV1 = defineResource<ListV1>({ ...names, version: 'v1' });
const ListV2 = defineResource<ListV2>({ ...names, version: 'v2' });

const nginx = defineConversion(NginxV2).spoke(NginxV1, {
  to: ({ spec, status }) => ({
    spec: {
      ports: spec.port === undefined ? undefined : [{ containerPort: spec.port, protocol: 'TCP' }],
      replicas: spec.replicas,
      template: spec.template,
    },
    status,
  }),
  from: ({ spec, status }) => ({
    spec: { port: spec.ports?.[0]?.containerPort, replicas: spec.replicas, template: spec.template },
    status,
  }),
});

describe('the types of a conversion', () => {
  it('take parts of equal type whole, literals and absent optional fields without casts', () => {
    expectTypeOf(nginx).toEqualTypeOf<ConversionOf<NginxV2>>();
    const any: readonly HubConversion[] = [nginx];
    expect(any).toHaveLength(1);
    const lists = defineConversion(ListV2).spoke(ListV1, {
      to: ({ spec }) => ({
        spec: {
          servers: spec.servers.map(({ name, port }) => ({ name, port, weight: undefined })),
          mode: spec.mode,
          tls: spec.old === undefined ? undefined : { secret: spec.old },
        },
      }),
      from: ({ spec }) => ({
        spec: {
          servers: spec.servers.map(({ name, port }) => ({ name, port })),
          mode: spec.mode === 'off' ? undefined : spec.mode,
          old: spec.tls?.secret,
        },
      }),
    });
    const all: readonly HubConversion[] = [nginx, lists];
    expect(all).toHaveLength(2);
    defineConversion(ListV2).spoke(ListV1, {
      to: ({ spec }) => ({ spec: { servers: [], mode: spec.mode, tls: undefined } }),
      // A value of the spoke's own type: no field of it is forgotten.
      from: ({ spec: { servers } }) => ({ spec: { servers, mode: undefined, old: undefined } }),
    });
  });

  it('miss each field of a part that differs, optional ones too, and of its items', () => {
    const conversion = defineConversion(ListV2);
    conversion.spoke(ListV1, {
      to: ({ spec: { servers, mode } }) => ({
        // @ts-expect-error: Property 'tls' is missing
        spec: { servers: servers.map((server) => ({ ...server, weight: undefined })), mode },
      }),
      // @ts-expect-error: Property 'old' is missing
      from: ({ spec: { servers } }) => ({ spec: { servers, mode: undefined } }),
    });
    conversion.spoke(ListV1, {
      to: ({ spec: { servers, mode } }) => ({
        // @ts-expect-error: Property 'weight' is missing in the items
        spec: { servers, mode, tls: undefined },
      }),
      from: ({ spec: { servers } }) => ({ spec: { servers, mode: undefined, old: undefined } }),
    });
    defineConversion(NginxV2).spoke(NginxV1, {
      // @ts-expect-error: Property 'status' is missing
      to: ({ spec }) => ({ spec: { ports: undefined, replicas: spec.replicas, template: spec.template } }),
      // @ts-expect-error: Property 'ports' is missing in the hub's spec, which is not the spoke's
      from: ({ spec, status }) => ({ spec, status }),
    });
  });

  it('take a rest of the source for the fields that both have, optional ones too', () => {
    const lists = defineConversion(ListV2);
    lists.spoke(ListV1, {
      to: ({ spec: { old, servers, ...rest } }) => ({
        spec: {
          ...rest,
          servers: servers.map((server) => ({ ...server, weight: undefined })),
          tls: old === undefined ? undefined : { secret: old },
        },
      }),
      from: ({ spec: { tls, mode, ...rest } }) => ({
        spec: { ...rest, mode: mode === 'off' ? undefined : mode, old: tls?.secret },
      }),
    });
    defineConversion(NginxV2).spoke(NginxV1, {
      to: ({ spec: { port, ...rest }, ...others }) => ({
        spec: { ...rest, ports: port === undefined ? undefined : [{ containerPort: port, protocol: 'TCP' }] },
        ...others,
      }),
      from: ({ spec: { ports, ...rest }, ...others }) => ({
        spec: { ...rest, port: ports?.[0]?.containerPort },
        ...others,
      }),
    });
    lists.spoke(ListV1, {
      to: ({ spec: { servers, ...rest } }) => ({
        // @ts-expect-error: the rest has `old`, which the hub does not have
        spec: { ...rest, servers: servers.map((each) => ({ ...each, weight: 1 })), tls: undefined },
      }),
      // @ts-expect-error: the rest does not have `old`
      from: ({ spec: { tls: _tls, mode: _mode, ...rest } }) => ({ spec: { ...rest, mode: undefined } }),
    });
    lists.spoke(ListV1, {
      to: ({ spec: { old: _old, servers, ...rest } }) => ({
        spec: {
          ...rest,
          // @ts-expect-error: the rest of an item has no `weight`
          servers: servers.map(({ name, ...more }) => ({ ...more, name })),
          tls: undefined,
        },
      }),
      // @ts-expect-error: the hub's mode has another value more
      from: ({ spec: { tls: _tls, ...rest } }) => ({ spec: { ...rest, old: undefined } }),
    });
    lists.spoke(ListV1, {
      to: ({ spec: { servers } }) => ({
        // @ts-expect-error: `other` is no field of the hub
        spec: { servers: [], mode: undefined, tls: undefined, other: servers.length },
      }),
      from: () => ({ spec: { servers: [], mode: undefined, old: undefined } }),
    });
    lists.spoke(ListV1, {
      to: () => ({ spec: { servers: [], mode: undefined, tls: undefined } }),
      // @ts-expect-error: metadata is not the author's
      from: () => ({ spec: { servers: [], mode: undefined, old: undefined }, metadata: {} }),
    });
  });

  it('refuse values of other types, other literals, and the metadata', () => {
    defineConversion(NginxV2).spoke(NginxV1, {
      to: ({ spec, status }) => ({
        spec: {
          // @ts-expect-error: a literal that the hub does not have
          ports: [{ containerPort: 1, protocol: 'SCTP' }],
          // @ts-expect-error: text
          replicas: '1',
          template: spec.template,
        },
        status,
      }),
      from: (hub) => {
        // @ts-expect-error: metadata is not the author's
        expectTypeOf(hub.metadata);
        // @ts-expect-error: the body is frozen
        hub.spec.replicas = 1;
        return { spec: { port: 1, replicas: 1, template: undefined }, status: hub.status };
      },
      lossy: ['.spec.ports[*].name', '.spec.replicas'],
    });
    defineConversion(NginxV2).spoke(NginxV1, {
      to: () => ({ spec: { ports: undefined, replicas: 1, template: undefined }, status: undefined }),
      from: () => ({ spec: { port: 1, replicas: 1, template: undefined }, status: undefined }),
      // @ts-expect-error: a path that the hub does not have
      lossy: ['.spec.port'],
    });
  });
});

describe('defineConversion', () => {
  const conversion = { to: () => ({}), from: () => ({}) } as never;
  const message = (declare: () => unknown) => {
    try {
      declare();
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('keeps hub and spokes, and does not change what it extends', () => {
    const both = nginx.spoke(NginxV3, conversion);
    expect(nginx.spokes.map(({ resource }) => resource.version)).toEqual(['v1alpha1']);
    expect(both.spokes.map(({ resource }) => resource.version)).toEqual(['v1alpha1', 'v1']);
    expect(both).toMatchObject({ role: 'conversion', hub: NginxV2 });
  });

  it('refuses a version twice, the hub itself, another kind, and what is not a function or path', () => {
    const hub = defineConversion(NginxV2);
    expect(message(() => nginx.spoke(NginxV1, conversion))).toMatchObject({
      code: 'runtime/invalid-conversion',
      message: expect.stringContaining('operator.example.com/v1alpha1 Nginx has a conversion already'),
    });
    expect(message(() => hub.spoke(NginxV2, conversion))).toMatchObject({
      message: expect.stringContaining('operator.example.com/v1alpha2 Nginx is the hub itself'),
    });
    expect(message(() => hub.spoke(ListV1, conversion))).toMatchObject({
      message: expect.stringContaining(
        'expected a version of Nginx in operator.example.com, got lists.example.com/v1 Servers',
      ),
    });
    expect(
      message(() => hub.spoke(NginxV1, { to: 1, lossy: ['spec', '.spec.a[0]', '.spec.a[*].b'] } as never)),
    ).toMatchObject({
      findings: [
        { message: expect.stringContaining('to: expected a function, got number') },
        { message: expect.stringContaining('from: expected a function, got undefined') },
        { message: expect.stringContaining('got "spec"') },
        { message: expect.stringContaining('got ".spec.a[0]"') },
      ],
    });
  });
});
