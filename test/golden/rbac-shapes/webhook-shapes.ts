import type { Shape } from './shape.ts';

/** Webhooks and conversions, and what their functions read and write. */
export const webhookShapes: readonly Shape[] = [
  {
    name: 'a webhook that asks nobody',
    code: `export const w = defineWebhook(Site, { default(s) { s.spec.name ??= 'a'; }, validate: { create: () => [] } });`,
    rules: '',
  },
  {
    name: 'a conversion',
    code: `export const c = defineConversion(Site);`,
    rules: '',
  },
  {
    name: 'a defaulter that reads',
    code: `export const w = defineWebhook(Site, { async default(s, { client: c }) { await c.live.get(Node, key); await c.get(Secret, key); } });`,
    rules: 'nodes:get secrets:list,watch',
  },
  {
    name: 'validators, each with its own calls',
    code: `export const w = defineWebhook(Site, { validate: {
  create: async (s, context) => { await context.client.live.find(Pod, key); },
  async update(s, old, { client: c, request }) { if (!request.dryRun) await c.apply(ConfigMap, null!); },
  delete: async function (s, context) { const { client: c } = context; await c.delete(Service, key); },
} });`,
    rules: 'configmaps:create,patch pods:get services:delete',
  },
  {
    name: 'a helper function of a webhook',
    code: `async function taken(c: ControllerClient, at: string) { return (await c.live.list(Pod, { namespace: at })).items.length > 0; }
const check = async (s: Stored<Site>, context: AdmissionContext) => { await taken(context.client, 'a'); };
export const w = defineWebhook(Site, { validate: { delete: check } });`,
    rules: 'pods:list',
  },
  {
    name: 'a whole context that is handed on',
    code: `async function look({ client: c }: AdmissionContext) { await c.live.get(Pod, key); }
export const w = defineWebhook(Site, { default: (s, context) => look(context) });`,
    rules: 'pods:get',
  },
  {
    name: 'a webhook in a constant object',
    code: `const functions = { async default(s: unknown, { client: c }: AdmissionContext) { await c.live.get(Service, key); } } as const;
export const w = defineWebhook(Site, functions);`,
    rules: 'services:get',
  },
  {
    name: 'a cached read in a webhook of a kind that no controller declares',
    code: `export const w = defineWebhook(Site, { async default(s, { client: c }) { await c.list(DaemonSet); } });`,
    error: 'manifests/undeclared-cached-kind',
  },
  {
    name: 'a context of a webhook in the hands of others',
    code: `export const w = defineWebhook(Site, { default(s, context) { use(context); } });`,
    error: 'manifests/client-escapes',
  },
];
