import fc from 'fast-check';
import {
  defineConversion,
  defineResource,
  type CustomResource,
  type HubConversion,
} from '../../../../../src/index.ts';
import { NginxV1, NginxV2, NginxV3 } from './versions.ts';

/** Two versions of a kind, and bodies of both. */
export interface VersionPair {
  readonly conversion: HubConversion;
  readonly hub: fc.Arbitrary<object>;
  readonly spoke: fc.Arbitrary<object>;
}

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });
const word = fc.constantFrom('a', 'b', 'c', 'web', 'name', '__proto__', 'toString', 'é', '');
const port = fc.integer({ min: 1, max: 5 });
const status = maybe(fc.record({ ready: fc.boolean() }));
const template = maybe(
  fc.record({ image: word, labels: fc.dictionary(word, word, { maxKeys: 3 }) }, { requiredKeys: ['image'] }),
);
const replicas = maybe(fc.integer({ min: 0, max: 3 }));
const body = <T>(spec: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.record({ spec, status }).map((value) => JSON.parse(JSON.stringify(value)) as object);

const nginxPort = fc.record({
  name: maybe(word),
  containerPort: port,
  protocol: maybe(fc.constantFrom('TCP', 'UDP')),
});

export const nginx = defineConversion(NginxV2)
  .spoke(NginxV1, {
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
  })
  .spoke(NginxV3, {
    // Strings for structures, one field for two, and defaults that the other version does not know.
    to: ({ spec, status }) => ({
      spec: {
        ports: spec.listen.map((text) => {
          const [number = '', protocol] = text.split('/');
          return {
            containerPort: Number.parseInt(number, 10) || 0,
            protocol: protocol === 'UDP' ? 'UDP' : 'TCP',
          };
        }),
        replicas: spec.scale.replicas,
        template: spec.image === undefined ? undefined : { image: spec.image },
      },
      status,
    }),
    from: ({ spec, status }) => ({
      spec: {
        listen: (spec.ports ?? []).map(
          ({ containerPort, protocol = 'TCP' }) => `${containerPort}/${protocol}`,
        ),
        scale: { replicas: spec.replicas, min: undefined },
        image: spec.template?.image,
      },
      status,
    }),
  });

const nginxV1 = body(fc.record({ port: maybe(port), replicas, template }));
const nginxV2 = body(fc.record({ ports: maybe(fc.array(nginxPort, { maxLength: 4 })), replicas, template }));
const nginxV3 = body(
  fc.record({
    listen: fc.array(
      fc.oneof(
        fc.tuple(port, fc.constantFrom('', '/TCP', '/UDP')).map((parts) => parts.join('')),
        word,
      ),
      { maxLength: 4 },
    ),
    scale: fc.record({ replicas, min: replicas }),
    image: maybe(word),
  }),
);

interface AppV1 extends CustomResource<'apps.example.com/v1', 'App'> {
  spec: { size: number; address: string; servers: { name: string; port: number }[]; logLevel?: string };
}
interface AppV2 extends CustomResource<'apps.example.com/v2', 'App'> {
  spec: {
    replicas: number;
    host: string;
    port?: number;
    servers: { name: string; port: number; weight?: number; tags?: string[] }[];
    logging?: { level?: string; format?: string; sinks?: { type: string }[] };
  };
}
const app = { group: 'apps.example.com', kind: 'App', plural: 'apps' } as const;
const AppV1 = defineResource<AppV1>({ ...app, version: 'v1' });
const AppV2 = defineResource<AppV2>({ ...app, version: 'v2' });

/** A rename, a split, a list of maps and a nested optional field. */
export const apps = defineConversion(AppV2).spoke(AppV1, {
  to: ({ spec }) => {
    const [host = '', port] = spec.address.split(':');
    return {
      spec: {
        replicas: spec.size,
        host,
        port: port === undefined ? undefined : Number.parseInt(port, 10) || 0,
        servers: spec.servers.map((server) => ({ ...server, weight: undefined, tags: undefined })),
        logging: spec.logLevel === undefined ? undefined : { level: spec.logLevel },
      },
    };
  },
  from: ({ spec }) => ({
    spec: {
      size: spec.replicas,
      address: spec.port === undefined ? spec.host : `${spec.host}:${spec.port}`,
      servers: spec.servers.filter(({ weight }) => weight !== 0).map(({ name, port }) => ({ name, port })),
      logLevel: spec.logging?.level,
    },
  }),
});
const appV1 = body(
  fc.record({
    size: port,
    address: fc.oneof(
      word,
      fc.tuple(word, port).map((parts) => parts.join(':')),
      fc.constant('a:b:c'),
    ),
    servers: fc.uniqueArray(fc.record({ name: word, port }), { maxLength: 4, selector: ({ name }) => name }),
    logLevel: maybe(word),
  }),
);
const appV2 = body(
  fc.record({
    replicas: port,
    host: word,
    port: maybe(port),
    servers: fc.uniqueArray(
      fc.record({
        name: word,
        port,
        weight: maybe(fc.integer({ min: 0, max: 2 })),
        tags: maybe(fc.array(word, { maxLength: 2 })),
      }),
      { maxLength: 4, selector: ({ name }) => name },
    ),
    logging: maybe(
      fc.record({
        level: maybe(word),
        format: maybe(word),
        sinks: maybe(fc.array(fc.record({ type: word }), { maxLength: 2 })),
      }),
    ),
  }),
);

export const pairs: readonly (readonly [string, VersionPair])[] = [
  ['one port and a list of ports', { conversion: only(nginx, 'v1alpha1'), hub: nginxV2, spoke: nginxV1 }],
  ['texts and structures', { conversion: only(nginx, 'v1'), hub: nginxV2, spoke: nginxV3 }],
  ['rename, split, list of maps, nested optional', { conversion: apps, hub: appV2, spoke: appV1 }],
];

export const bodies = { v1alpha1: nginxV1, v1alpha2: nginxV2, v1: nginxV3 };

function only(conversion: HubConversion, version: string): HubConversion {
  return { ...conversion, spokes: conversion.spokes.filter(({ resource }) => resource.version === version) };
}
