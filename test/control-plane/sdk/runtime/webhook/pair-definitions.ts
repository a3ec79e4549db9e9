// The pairs of versions whose conversions are tried with random objects, as the API server knows them: with schemas that prune.
import type { HubConversion } from '../../../../../src/index.ts';
import { apps, nginx } from '../../../../unit/sdk/runtime/conversion/pairs.ts';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer', format: 'int32' };
const list = (items: Schema): Schema => ({ type: 'array', items });
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });
const texts: Schema = { type: 'object', additionalProperties: text };

const template = object({ image: text, labels: texts });
const server = { name: text, port: integer };

/** The schema of `spec` by version. */
const nginxSpecs = {
  v1alpha1: object({ port: integer, replicas: integer, template }),
  v1alpha2: object({
    ports: list(
      object({ name: text, containerPort: integer, protocol: { type: 'string', enum: ['TCP', 'UDP'] } }),
    ),
    replicas: integer,
    template,
  }),
  v1: object({
    listen: list(text),
    scale: object({ replicas: integer, min: integer }),
    image: text,
  }),
};
const appSpecs = {
  v1: object({ size: integer, address: text, servers: list(object(server)), logLevel: text }),
  v2: object({
    replicas: integer,
    host: text,
    port: integer,
    servers: list(object({ ...server, weight: integer, tags: list(text) })),
    logging: object({ level: text, format: text, sinks: list(object({ type: text })) }),
  }),
};

/** CustomResourceDefinitions, converted by the operator's Service. */
export const pairDefinitions: readonly object[] = [definition(nginx, nginxSpecs), definition(apps, appSpecs)];

function definition({ hub }: HubConversion, specs: Readonly<Record<string, Schema>>): object {
  const { group, kind, plural } = hub;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural },
      // Without the subresource, `status` is written with the rest.
      versions: Object.entries(specs).map(([name, spec]) => ({
        name,
        served: true,
        storage: name === hub.version,
        schema: { openAPIV3Schema: object({ spec, status: object({ ready: { type: 'boolean' } }) }) },
      })),
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { name: 'webhook-service', namespace: 'system', path: '/convert' } },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  };
}
