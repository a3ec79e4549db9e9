import { defineWebhook, type AdmissionContext } from 'opsdk';
import { OldPage, Page, Site } from './api.ts';

/** What the webhooks were asked, for the test: `<what> <version of the object>, written as <version>`. */
export const questions: string[] = [];

export const siteWebhook = defineWebhook(Site, {
  default(site, context) {
    note('default', site.apiVersion, context);
    site.spec.image ??= 'nginx:1.29';
  },
  validate: {
    create({ apiVersion, spec }, context) {
      note('validate', apiVersion, context);
      return tooMany(spec.replicas)
        ? [{ path: '.spec.replicas', message: 'at most 5', value: spec.replicas }]
        : [];
    },
  },
});

export const pageWebhook = defineWebhook(Page, {
  default: ({ apiVersion }, context) => note('default', apiVersion, context),
  validate: { create: ({ apiVersion }, context) => note('validate', apiVersion, context) },
});

export const oldPageWebhook = defineWebhook(OldPage, {
  default: ({ apiVersion }, context) => note('default', apiVersion, context),
  validate: { create: ({ apiVersion }, context) => note('validate', apiVersion, context) },
});

const tooMany = (replicas = 0): boolean => replicas > 5;

function note(what: string, apiVersion: string, { request }: AdmissionContext): void {
  const written = request.requestKind?.version ?? request.kind.version;
  questions.push(`${what} ${apiVersion.replace(/^.*\//, '')}, written as ${written}`);
}
